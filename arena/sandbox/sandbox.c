#include "sandbox.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user.h"

static const struct {
	const char *name, *weakened;
} levels[SANDBOX_LEVEL_COUNT] = {
	[SANDBOX_NONE] = { "none", "none" },
	[SANDBOX_PROCESS] = { "process", "process-shared-futex" },
	[SANDBOX_BOX] = { "box", "box-shared-futex" },
	[SANDBOX_BOX_LIMITS] = { "box+limits", "box+limits-shared-futex" },
};

const char *
sandbox_level_name(enum sandbox_level level)
{
	return levels[level].name;
}

const char *
sandbox_name(const struct sandbox *sandbox)
{
	if (sandbox == NULL)
		return SANDBOX_UNBOXED;
	return sandbox->weakened ? levels[sandbox->level].weakened
				 : levels[sandbox->level].name;
}

void
sandbox_close(struct sandbox *sandbox)
{
	cgroup_close(&sandbox->cgroup);
	uid_pool_close(sandbox->uid_pool);
	sandbox->uid_pool = NULL;
	if (sandbox->filter_fd >= 0)
		close(sandbox->filter_fd);
	sandbox->filter_fd = -1;
}

bool
sandbox_shuts_signals(const struct sandbox *sandbox)
{
	return sandbox != NULL &&
	    (sandbox->kill_is_certain || sandbox->uid_pool != NULL);
}

/*
 * As realpath(), also of a file that is to come: it will be made where a link
 * of its name leads to.
 */
static int
resolve_new_path(const char *path, char resolved[PATH_MAX])
{
	char folder[PATH_MAX], name[PATH_MAX], target[PATH_MAX];
	const char *above;
	ssize_t size;

	if (realpath(path, resolved) != NULL)
		return 0;
	if (errno != ENOENT)
		return -errno;
	snprintf(folder, sizeof(folder), "%s", path);
	if (realpath(dirname(folder), resolved) == NULL)
		return -errno;
	/* The root ends in a slash of its own. */
	above = strcmp(resolved, "/") == 0 ? "" : resolved;
	snprintf(name, sizeof(name), "%s", path);
	size = readlink(path, target, sizeof(target) - 1);
	if (size >= 0)
		target[size] = '\0';
	if (snprintf(folder, sizeof(folder), "%s/%s", above,
		size < 0 ? basename(name) : target) >= (int)sizeof(folder))
		return -ENAMETOOLONG;
	if (size >= 0)
		return resolve_new_path(
		    target[0] == '/' ? target : folder, resolved);
	strcpy(resolved, folder);
	return 0;
}

int
sandbox_hide(struct sandbox *sandbox, const char *path)
{
	struct stat found;
	int status;

	/* A device keeps nothing that could be read from it later. */
	if (stat(path, &found) == 0 && S_ISCHR(found.st_mode))
		return 0;
	if (sandbox->hidden_count == FILE_POLICY_HIDDEN_MAX)
		return -ENOSPC;
	status = resolve_new_path(path, sandbox->hidden[sandbox->hidden_count]);
	sandbox->hidden_count += status == 0;
	return status;
}
