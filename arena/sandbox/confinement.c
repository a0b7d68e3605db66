/*
 * Implements confinement.h: a Landlock ruleset for files, TCP ports, abstract
 * sockets and signals, resource limits by setrlimit(2), and the removal of
 * capabilities.
 */
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "countof.h"

/* <linux/landlock.h> of Debian 12 ends before these. */
struct ruleset {
	uint64_t files;
	uint64_t ports;
	uint64_t scope;
};

#define FILE_TRUNCATE (UINT64_C(1) << 14)
#define DEVICE_CONTROL (UINT64_C(1) << 15)
#define PORTS (UINT64_C(3)) /* bind(2) and connect(2) with TCP */
#define SCOPE_SOCKETS (UINT64_C(1) << 0)
#define SCOPE_SIGNALS (UINT64_C(1) << 1)

/* Rights of files alone, which a rule about a file must not pass. */
#define OF_FILES                                                      \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | \
	    LANDLOCK_ACCESS_FS_READ_FILE | FILE_TRUNCATE | DEVICE_CONTROL)

/* Version 1 had thirteen rights; 2, 3 and 5 added one each. */
static uint64_t
rights_of(int abi)
{
	int count = 13 + (abi >= 2) + (abi >= 3) + (abi >= 5);

	return (UINT64_C(1) << count) - 1;
}

int
landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0,
	    LANDLOCK_CREATE_RULESET_VERSION);

	return abi > 0 ? (int)abi : 0;
}

int
landlock_open(struct landlock *landlock, unsigned scopes)
{
	struct ruleset ruleset = { 0 };
	int abi = landlock_abi();
	size_t size = sizeof(ruleset.files);
	long fd;

	if ((scopes & LANDLOCK_FILES) != 0 && abi >= LANDLOCK_ABI_FILES)
		ruleset.files = rights_of(abi);
	if ((scopes & LANDLOCK_FILES) != 0 && abi >= LANDLOCK_ABI_NETWORK)
		ruleset.ports = PORTS;
	if ((scopes & LANDLOCK_SIGNALS) != 0 && abi >= LANDLOCK_ABI_SCOPE)
		ruleset.scope |= SCOPE_SIGNALS;
	if ((scopes & LANDLOCK_SOCKETS) != 0 && abi >= LANDLOCK_ABI_SCOPE)
		ruleset.scope |= SCOPE_SOCKETS;
	if (!ruleset.files && !ruleset.ports && !ruleset.scope)
		return -ENOSYS;
	/* An older kernel returns an error for rights that it does not know. */
	if (abi >= LANDLOCK_ABI_NETWORK)
		size += sizeof(ruleset.ports);
	if (abi >= LANDLOCK_ABI_SCOPE)
		size += sizeof(ruleset.scope);
	fd = syscall(SYS_landlock_create_ruleset, &ruleset, size, 0U);
	if (fd < 0)
		return -errno;
	*landlock = (struct landlock){ .fd = (int)fd, .files = ruleset.files };
	return 0;
}

int
landlock_allow(const struct landlock *landlock, const char *path,
    enum file_policy_kind kind)
{
	/* A kind without rights gets no rule. */
	static const uint64_t rights[] = {
		[FILE_POLICY_LIST] = LANDLOCK_ACCESS_FS_READ_DIR,
		[FILE_POLICY_READ] = LANDLOCK_ACCESS_FS_EXECUTE |
		    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
		[FILE_POLICY_WRITE] = LANDLOCK_ACCESS_FS_READ_FILE |
		    LANDLOCK_ACCESS_FS_WRITE_FILE | FILE_TRUNCATE |
		    LANDLOCK_ACCESS_FS_READ_DIR,
		[FILE_POLICY_SCRATCH] = LANDLOCK_ACCESS_FS_EXECUTE |
		    LANDLOCK_ACCESS_FS_READ_FILE |
		    LANDLOCK_ACCESS_FS_WRITE_FILE | FILE_TRUNCATE |
		    LANDLOCK_ACCESS_FS_READ_DIR |
		    LANDLOCK_ACCESS_FS_REMOVE_DIR |
		    LANDLOCK_ACCESS_FS_REMOVE_FILE |
		    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
		    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM |
		    LANDLOCK_ACCESS_FS_REFER,
		[FILE_POLICY_HIDDEN] = 0,
	};
	struct landlock_path_beneath_attr rule = {
		.allowed_access = rights[kind] & landlock->files,
	};
	struct stat status;
	int error = 0;

	if (rights[kind] == 0)
		return 0;
	rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == EACCES
		    ? 0
		    : -errno;
	if (fstat(rule.parent_fd, &status) == 0 && !S_ISDIR(status.st_mode))
		rule.allowed_access &= OF_FILES;
	if (syscall(SYS_landlock_add_rule, landlock->fd,
		LANDLOCK_RULE_PATH_BENEATH, &rule, 0U) < 0)
		error = -errno;
	close(rule.parent_fd);
	return error;
}

int
landlock_enter(const struct landlock *landlock)
{
	return syscall(SYS_landlock_restrict_self, landlock->fd, 0U) < 0
	    ? -errno
	    : 0;
}

void
landlock_close(struct landlock *landlock)
{
	close(landlock->fd);
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
		status = landlock_allow(&landlock, file_policy->items[i].path,
		    file_policy->items[i].kind);
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
	/* Outside of a box the limit would count all processes of the user. */
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
	 * Executing a program must not bring privileges back. A process that
	 * may not set these bits relies on no_new_privs. An older kernel does
	 * not know all of them.
	 */
	for (int capability = 0; capability <= CAP_LAST_CAP; capability++) {
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 &&
		    errno != EINVAL && errno != EPERM)
			return -errno;
	}
	return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}
