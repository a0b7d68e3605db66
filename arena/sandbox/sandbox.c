#include "sandbox.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user.h"

const char *
walls_level_name(enum walls_level level)
{
	static const char *const names[WALLS_LEVEL_COUNT] = {
		[WALLS_NONE] = "none",
		[WALLS_CORE] = "core",
		[WALLS_CORE_TREE] = "core+tree",
		[WALLS_BOX] = "box",
		[WALLS_BOX_LIMITS] = "box+limits",
	};

	return names[level];
}

const char *
walls_name(const struct walls *walls)
{
	static const char *const weakened[WALLS_LEVEL_COUNT] = {
		[WALLS_NONE] = "none",
		[WALLS_CORE] = "core-shared-futex",
		[WALLS_CORE_TREE] = "core+tree-shared-futex",
		[WALLS_BOX] = "box-shared-futex",
		[WALLS_BOX_LIMITS] = "box+limits-shared-futex",
	};

	if (walls == NULL)
		return WALLS_UNBOXED;
	return walls->weakened ? weakened[walls->level]
			       : walls_level_name(walls->level);
}

void
walls_close(struct walls *walls)
{
	cgroup_close(&walls->cgroup);
	seats_close(walls->seats);
	walls->seats = NULL;
	if (walls->filter_fd >= 0)
		close(walls->filter_fd);
	walls->filter_fd = -1;
}

bool
walls_shut_signals(const struct walls *walls)
{
	return walls != NULL &&
	    (walls->level >= WALLS_CORE_TREE || walls->seats != NULL);
}

/*
 * As realpath(), also of a file that is to come: it will be made where a link
 * of its name leads to.
 */
static int
truth_find(const char *path, char truth[PATH_MAX])
{
	char folder[PATH_MAX], name[PATH_MAX], target[PATH_MAX];
	const char *above;
	ssize_t size;

	if (realpath(path, truth) != NULL)
		return 0;
	if (errno != ENOENT)
		return -errno;
	snprintf(folder, sizeof(folder), "%s", path);
	if (realpath(dirname(folder), truth) == NULL)
		return -errno;
	/* The root ends in a slash of its own. */
	above = strcmp(truth, "/") == 0 ? "" : truth;
	snprintf(name, sizeof(name), "%s", path);
	size = readlink(path, target, sizeof(target) - 1);
	if (size >= 0)
		target[size] = '\0';
	if (snprintf(folder, sizeof(folder), "%s/%s", above,
		size < 0 ? basename(name) : target) >= (int)sizeof(folder))
		return -ENAMETOOLONG;
	if (size >= 0)
		return truth_find(target[0] == '/' ? target : folder, truth);
	strcpy(truth, folder);
	return 0;
}

int
walls_hide(struct walls *walls, const char *path)
{
	struct stat found;
	int status;

	/* A device keeps nothing that could be read from it later. */
	if (stat(path, &found) == 0 && S_ISCHR(found.st_mode))
		return 0;
	if (walls->hidden_count == ALLOWANCE_HIDDEN_MAX)
		return -ENOSPC;
	status = truth_find(path, walls->hidden[walls->hidden_count]);
	walls->hidden_count += status == 0;
	return status;
}
