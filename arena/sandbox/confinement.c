#include "confinement.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "countof.h"
#include "landlock.h"

static int
leave(const struct landlock *landlock, const struct file_policy_item *item)
{
	switch (item->kind) {
	case FILE_POLICY_READ:
		return landlock_leave(landlock, item->path, LANDLOCK_READ);
	case FILE_POLICY_LIST:
		return landlock_leave(landlock, item->path, LANDLOCK_LIST);
	case FILE_POLICY_WRITE:
		return landlock_leave(landlock, item->path, LANDLOCK_WRITE);
	case FILE_POLICY_SCRATCH:
		return landlock_leave(landlock, item->path, LANDLOCK_FILL);
	case FILE_POLICY_LINK:
	case FILE_POLICY_FOLDER:
	case FILE_POLICY_HIDDEN:
		break;
	}
	return 0;
}

int
confine_files(const struct file_policy *file_policy)
{
	struct landlock landlock;
	int status = landlock_open(
	    &landlock, LANDLOCK_FILES | LANDLOCK_SIGNALS | LANDLOCK_SOCKETS);

	if (status < 0)
		return status;
	for (int i = 0; i < file_policy->count && status == 0; i++)
		status = leave(&landlock, &file_policy->items[i]);
	if (status == 0)
		status = landlock_enter(&landlock);
	landlock_close(&landlock);
	return status;
}

/* Sets both the limit and how far it may be raised. */
static int
limit_to(__rlimit_resource_t resource, rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) < 0)
		return -errno;
	if (limit.rlim_max <= most)
		return 0;
	limit = (struct rlimit){ most, most };
	return setrlimit(resource, &limit) < 0 ? -errno : 0;
}

int
confine_limits(bool boxed, int scratch_kib)
{
	const rlim_t scratch = (rlim_t)scratch_kib * 1024;
	const struct {
		__rlimit_resource_t resource;
		rlim_t most;
	} limits[] = {
		{ RLIMIT_CORE, 0 },
		{ RLIMIT_NOFILE, 64 },
		{ RLIMIT_FSIZE, CONFINED_FILE_BYTES + scratch },
		{ RLIMIT_MEMLOCK, 0 },
		{ RLIMIT_MSGQUEUE, 0 },
		{ RLIMIT_RTPRIO, 0 },
		{ RLIMIT_SIGPENDING, 256 },
	};
	int status = 0;

	for (int i = 0; i < COUNTOF(limits) && status == 0; i++)
		status = limit_to(limits[i].resource, limits[i].most);
	/* Outside of a box those of the whole user would count. */
	if (status == 0 && boxed)
		status = limit_to(RLIMIT_NPROC, CONFINED_PROCESSES);
	return status;
}

int
capability_drop(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	const struct __user_cap_data_struct none[2] = { { 0 } };

	/*
	 * Neither may they come back by executing something.  A process that
	 * may not set these bits relies on no_new_privs; an older kernel does
	 * not know them all.
	 */
	for (int capability = 0; capability <= CAP_LAST_CAP; capability++) {
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 &&
		    errno != EINVAL && errno != EPERM)
			return -errno;
	}
	return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}
