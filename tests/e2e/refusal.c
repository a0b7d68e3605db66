/*
 * Lets one call fail: a library that is loaded before the arena (LD_PRELOAD).
 * It also works in processes that the arena forks, but not in bots, which have
 * an environment of their own.
 *
 *	REFUSE_KIND    memory, read, write, sync, open, pipe, watch or spawn
 *	REFUSE_AT      the call of that kind that fails, from 1; 0: no call fails
 *	REFUSE_ERROR   its errno, a number
 *	REFUSE_STATE   a file of at least 16 bytes: two numbers, int64_t, of the
 *	               calls that were counted and of those that were refused
 *
 * Calls between functions within the C library are not counted.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum kind { MEMORY, READ, WRITE, SYNC, OPEN, PIPE, WATCH, SPAWN, KIND_COUNT };

struct state {
	_Atomic int64_t count, refused;
};

typedef pid_t fork_call(void);
typedef int spawn_call(pid_t *pid, const char *path,
    const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[],
    char *const environment[]);

/* Set when the program begins; until then no call fails. */
static struct state *state;
static enum kind refused_kind;
static int64_t refused_at;
static int refused_error;
static fork_call *real_fork;
static spawn_call *real_spawn;

/* Other names of these functions in the C library, which need no dlsym. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *bytes, size_t size);

static void __attribute__((constructor)) begin(void)
{
	static const char *const names[KIND_COUNT] = { "memory", "read",
		"write", "sync", "open", "pipe", "watch", "spawn" };
	const char *kind = getenv("REFUSE_KIND"),
		   *path = getenv("REFUSE_STATE");
	const char *at = getenv("REFUSE_AT"), *error = getenv("REFUSE_ERROR");
	struct state *mapped;
	int fd;

	if (!kind || !path || !at || !error)
		return;
	while (
	    refused_kind < KIND_COUNT && strcmp(names[refused_kind], kind) != 0)
		refused_kind++;
	refused_at = strtoll(at, NULL, 10);
	refused_error = (int)strtol(error, NULL, 10);
	/* ISO C has no conversion from an object pointer to a function pointer. */
	*(void **)&real_fork = dlsym(RTLD_NEXT, "fork");
	*(void **)&real_spawn = dlsym(RTLD_NEXT, "posix_spawn");
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
	mapped = mmap(
	    NULL, sizeof(*mapped), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	syscall(SYS_close, fd);
	if (mapped == MAP_FAILED || refused_kind == KIND_COUNT || !real_fork ||
	    !real_spawn)
		abort();
	unsetenv("LD_PRELOAD");
	state = mapped;
}

/* Counts a call; returns true and sets errno if this call is to fail. */
static bool
refuses(enum kind kind)
{
	if (state == NULL || kind != refused_kind ||
	    atomic_fetch_add(&state->count, 1) + 1 != refused_at)
		return false;
	atomic_fetch_add(&state->refused, 1);
	errno = refused_error;
	return true;
}

void *
malloc(size_t size)
{
	return refuses(MEMORY) ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return refuses(MEMORY) ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *bytes, size_t size)
{
	return refuses(MEMORY) ? NULL : __libc_realloc(bytes, size);
}

ssize_t
read(int fd, void *bytes, size_t size)
{
	return refuses(READ) ? -1 : syscall(SYS_read, fd, bytes, size);
}

ssize_t
pread64(int fd, void *bytes, size_t size, off64_t offset)
{
	return refuses(READ) ? -1
			     : syscall(SYS_pread64, fd, bytes, size, offset);
}

ssize_t
write(int fd, const void *bytes, size_t size)
{
	return refuses(WRITE) ? -1 : syscall(SYS_write, fd, bytes, size);
}

ssize_t
pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
	return refuses(WRITE) ? -1
			      : syscall(SYS_pwrite64, fd, bytes, size, offset);
}

int
ftruncate64(int fd, off64_t size)
{
	return refuses(WRITE) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate(int fd, off_t size) __attribute__((alias("ftruncate64")));

int
fsync(int fd)
{
	return refuses(SYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int
fdatasync(int fd)
{
	return refuses(SYNC) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int
open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list list;

	va_start(list, flags);
	if (flags & (O_CREAT | __O_TMPFILE))
		mode = va_arg(list, mode_t);
	va_end(list);
	return refuses(OPEN)
	    ? -1
	    : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int
pipe2(int fds[2], int flags)
{
	return refuses(PIPE) ? -1 : (int)syscall(SYS_pipe2, fds, flags);
}

int
epoll_create1(int flags)
{
	return refuses(PIPE) ? -1 : (int)syscall(SYS_epoll_create1, flags);
}

int
timerfd_create(int clock, int flags)
{
	return refuses(PIPE) ? -1
			     : (int)syscall(SYS_timerfd_create, clock, flags);
}

int
pidfd_open(pid_t pid, unsigned flags)
{
	return refuses(PIPE) ? -1 : (int)syscall(SYS_pidfd_open, pid, flags);
}

/* Commands for a descriptor that is watched already never fail. */
int
epoll_ctl(int epoll_fd, int command, int fd, struct epoll_event *event)
{
	return command == EPOLL_CTL_ADD && refuses(WATCH)
	    ? -1
	    : (int)syscall(SYS_epoll_ctl, epoll_fd, command, fd, event);
}

pid_t
fork(void)
{
	return refuses(SPAWN) ? -1 : real_fork();
}

int
posix_spawn(pid_t *pid, const char *path,
    const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[],
    char *const environment[])
{
	return refuses(SPAWN) ? errno
			      : real_spawn(pid, path, actions, attributes,
				    arguments, environment);
}
