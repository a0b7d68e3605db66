/*
 * Implements sandbox.h: the names of the levels, and what belongs to a sandbox.
 */
#include "sandbox.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resolve_path.h"
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
sandbox_weakened_name(enum sandbox_level level)
{
	return levels[level].weakened;
}

const char *
sandbox_name(const struct sandbox *sandbox)
{
	if (sandbox == NULL)
		return SANDBOX_UNBOXED;
	return sandbox->weakened ? sandbox_weakened_name(sandbox->level)
				 : sandbox_level_name(sandbox->level);
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

bool
sandbox_shuts_network(const struct sandbox *sandbox)
{
	return sandbox != NULL && sandbox->level >= SANDBOX_PROCESS;
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
