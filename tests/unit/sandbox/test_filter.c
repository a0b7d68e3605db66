/*
 * Which system calls a process behind the filter is refused, and which not.
 */
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "test.h"
#include "trial.h"

/* Without a filter each of these is done, or fails for another reason. */
static long
try_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

static long
try_ptrace(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static long
try_memory_of_another(void)
{
	return syscall(SYS_process_vm_readv, getpid(), NULL, 0UL, NULL, 0UL, 0);
}

static long
try_flock(void)
{
	return flock(STDIN_FILENO, 64);
}

static long
try_lock(void)
{
	struct flock lock = { .l_type = F_UNLCK, .l_whence = SEEK_SET };

	return fcntl(STDIN_FILENO, F_SETLK, &lock);
}

static long
try_chmod(void)
{
	return chmod("", 0600);
}

static long
try_fchmodat2(void)
{
	return syscall(452, AT_FDCWD, "", 0600, 0);
}

static long
try_utime(void)
{
	return utimensat(AT_FDCWD, "", NULL, 0);
}

static long
try_namespaces(void)
{
	return unshare(0);
}

static long
try_namespace_of_child(void)
{
	long pid =
	    syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);

	if (pid == 0)
		_exit(0);
	return pid;
}

static long
try_shared_memory(void)
{
	return syscall(SYS_shmget, 1, 0UL, 0);
}

static long
try_queue(void)
{
	return syscall(SYS_mq_unlink, "no such queue");
}

static long
try_key(void)
{
	return syscall(SYS_keyctl, -1, 0, 0, 0, 0);
}

static long
try_watch(void)
{
	return syscall(SYS_inotify_init1, -1);
}

static long
try_ring(void)
{
	return syscall(SYS_io_uring_setup, 0U, NULL);
}

static long
try_personality(void)
{
	return personality(0xffffffff);
}

static long
try_keystroke(void)
{
	return ioctl(STDIN_FILENO, TIOCSTI, "x");
}

static long
try_session(void)
{
	return setsid();
}

static long
try_group(void)
{
	return setpgid(0, 0);
}

static long
try_terminal(void)
{
	return ioctl(STDIN_FILENO, TIOCSCTTY, 0);
}

static long
try_limit_of_another(void)
{
	return prlimit(getppid(), RLIMIT_CORE, NULL, NULL);
}

static long
try_cores_of_another(void)
{
	return syscall(SYS_sched_setaffinity, getppid(), 0UL, NULL);
}

static long
try_niceness_of_another(void)
{
	return setpriority(PRIO_PROCESS, (id_t)getppid(),
	    getpriority(PRIO_PROCESS, (id_t)getppid()));
}

static long
try_niceness_of_user(void)
{
	return setpriority(PRIO_USER, 0, 20);
}

static long
try_disk_of_another(void)
{
	return syscall(SYS_ioprio_set, 1, getppid(), 0);
}

static long
try_restart(void)
{
	return syscall(SYS_reboot, 0, 0, 0, NULL);
}

static long
try_clone3(void)
{
	return syscall(SYS_clone3, NULL, 0UL);
}

static int
own_file(void)
{
	return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

static long
try_hint(void)
{
	uint64_t none = 0;

	return fcntl(own_file(), F_SET_RW_HINT, &none);
}

static long
try_pipe_size(void)
{
	int fds[2];

	return pipe2(fds, O_CLOEXEC) < 0 ? 0
					 : fcntl(fds[0], F_SETPIPE_SZ, 4096);
}

static long
try_file_flags(void)
{
	int flags = 0;

	return ioctl(own_file(), FS_IOC_SETFLAGS, &flags);
}

static long
try_drop(void)
{
	errno = posix_fadvise(own_file(), 0, 0, POSIX_FADV_DONTNEED);
	return errno == 0 ? 0 : -1;
}

static long
try_page_out(void)
{
	void *memory =
	    mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return madvise(memory, 4096, 21);
}

static long
try_cached(void)
{
	char byte;
	struct iovec part = { &byte, 1 };

	return preadv2(own_file(), &part, 1, 0, RWF_NOWAIT);
}

static long
try_resident(void)
{
	unsigned char there;
	void *memory =
	    mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mincore(memory, 4096, &there);
}

static long
try_cache_state(void)
{
	uint64_t range[2] = { 0, 4096 }, counts[8];

	return syscall(451, own_file(), range, counts, 0);
}

static long
try_space(void)
{
	struct statfs space;

	return statfs("/", &space);
}

static long
try_space_of_descriptor(void)
{
	struct statfs space;

	return fstatfs(own_file(), &space);
}

static long
try_requests(void)
{
	unsigned long context = 0;

	return syscall(SYS_io_setup, 1U, &context);
}

static long
try_huge_page(void)
{
	void *memory = mmap(NULL, 2 << 20, PROT_READ,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? -1 : 0;
}

static long
try_message(void)
{
	struct msghdr message = { 0 };
	int pair[2];

	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0
	    ? 0
	    : sendmsg(pair[0], &message, 0);
}

static long
try_reliable_pair(void)
{
	int pair[2];

	return socketpair(AF_TIPC, SOCK_RDM | SOCK_CLOEXEC, 0, pair);
}

static const struct refusal {
	const char *name;
	long (*play)(void);
	int error;
} refusals[] = {
	{ "socket", try_socket, EPERM },
	{ "ptrace", try_ptrace, EPERM },
	{ "process_vm_readv", try_memory_of_another, EPERM },
	{ "flock", try_flock, EPERM },
	{ "fcntl F_SETLK", try_lock, EPERM },
	{ "chmod", try_chmod, EPERM },
	{ "fchmodat2", try_fchmodat2, EPERM },
	{ "utimensat", try_utime, EPERM },
	{ "unshare", try_namespaces, EPERM },
	{ "clone CLONE_NEWUSER", try_namespace_of_child, EPERM },
	{ "shmget", try_shared_memory, EPERM },
	{ "mq_unlink", try_queue, EPERM },
	{ "keyctl", try_key, EPERM },
	{ "inotify_init1", try_watch, EPERM },
	{ "io_uring_setup", try_ring, EPERM },
	{ "personality", try_personality, EPERM },
	{ "ioctl TIOCSTI", try_keystroke, EPERM },
	{ "setsid", try_session, EPERM },
	{ "setpgid", try_group, EPERM },
	{ "ioctl TIOCSCTTY", try_terminal, EPERM },
	{ "prlimit of another", try_limit_of_another, EPERM },
	{ "affinity of another", try_cores_of_another, EPERM },
	{ "niceness of another", try_niceness_of_another, EPERM },
	{ "niceness of the user", try_niceness_of_user, EPERM },
	{ "ioprio of another", try_disk_of_another, EPERM },
	{ "reboot", try_restart, EPERM },
	{ "fcntl F_SET_RW_HINT", try_hint, EPERM },
	{ "fcntl F_SETPIPE_SZ", try_pipe_size, EPERM },
	{ "ioctl FS_IOC_SETFLAGS", try_file_flags, ENOTTY },
	{ "fadvise DONTNEED", try_drop, EPERM },
	{ "madvise PAGEOUT", try_page_out, EINVAL },
	{ "preadv2 NOWAIT", try_cached, EOPNOTSUPP },
	{ "mincore", try_resident, ENOSYS },
	{ "cachestat", try_cache_state, ENOSYS },
	{ "statfs", try_space, ENOSYS },
	{ "fstatfs", try_space_of_descriptor, ENOSYS },
	{ "io_setup", try_requests, EPERM },
	{ "mmap MAP_HUGETLB", try_huge_page, ENOMEM },
	{ "sendmsg", try_message, EPERM },
	/* So that the C library tries clone(). */
	{ "clone3", try_clone3, ENOSYS },
	{ "socketpair SOCK_RDM", try_reliable_pair, ENOSYS },
};

/* What bots and their run-time systems need. */
static long
try_pipe(void)
{
	int fds[2];
	char byte;

	if (pipe2(fds, O_CLOEXEC) < 0 || write(fds[1], "x", 1) != 1)
		return -1;
	return read(fds[0], &byte, 1) == 1 ? 0 : -1;
}

static long
try_pair(void)
{
	int fds[2];

	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds);
}

static long
try_fork(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(7);
	return waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 7 ? 0
									   : -1;
}

static void *
thread_run(void *context)
{
	*(int *)context = 1;
	return NULL;
}

static long
try_thread(void)
{
	pthread_t thread;
	int ran = 0;

	errno = pthread_create(&thread, NULL, thread_run, &ran);
	if (errno != 0)
		return -1;
	pthread_join(thread, NULL);
	return ran ? 0 : -1;
}

static long
try_own_limit(void)
{
	struct rlimit limit;

	if (prlimit(0, RLIMIT_CORE, NULL, &limit) < 0)
		return -1;
	return setrlimit(RLIMIT_CORE, &limit);
}

static long
try_own_cores(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores) < 0)
		return -1;
	return sched_setaffinity(0, sizeof(cores), &cores);
}

static long
try_own_niceness(void)
{
	return setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0));
}

static long
try_flags(void)
{
	return fcntl(STDIN_FILENO, F_GETFL);
}

static long
try_count_of_bytes(void)
{
	int fds[2], count;

	return pipe2(fds, O_CLOEXEC) < 0 ? -1 : ioctl(fds[0], FIONREAD, &count);
}

static long
try_memory(void)
{
	void *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? -1 : mprotect(memory, 4096, PROT_READ);
}

static long
try_signal(void)
{
	return kill(getpid(), 0);
}

static const struct refusal allowances[] = {
	{ "pipe", try_pipe, 0 },
	{ "socketpair", try_pair, 0 },
	{ "fork", try_fork, 0 },
	{ "threads", try_thread, 0 },
	{ "own limits", try_own_limit, 0 },
	{ "own cores", try_own_cores, 0 },
	{ "own niceness", try_own_niceness, 0 },
	{ "fcntl F_GETFL", try_flags, 0 },
	{ "ioctl FIONREAD", try_count_of_bytes, 0 },
	{ "mprotect", try_memory, 0 },
	{ "kill", try_signal, 0 },
};

static int filter_fd;

static int
behind_filter(void *context)
{
	const struct refusal *refusal = context;

	trial_need(filter_enter(filter_fd) == 0);
	errno = 0;
	if (refusal->play() >= 0)
		return 0;
	/* An error of none is a failure all the same. */
	return errno != 0 ? errno : TRIAL_UNREADY - 1;
}

static int
enter_alone(void *context)
{
	return -filter_enter(*(int *)context);
}

static void
skip_without_filters(void)
{
	int error =
	    filter_fd < 0 ? -filter_fd : trial_run(enter_alone, &filter_fd);

	if (error == 0)
		return;
	print_message("# no filters here: %s\n", strerror(error));
	skip();
}

static void
expect_all(const struct refusal *refusal, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct refusal copy = refusal[i];
		int error = trial_run(behind_filter, &copy);

		if (error != copy.error)
			fail_msg("%s: %d (%s), not %d", copy.name, error,
			    strerror(error), copy.error);
	}
}

TEST(test_what_reaches_others_is_refused)
{
	skip_without_filters();
	expect_all(refusals, COUNTOF(refusals));
}

TEST(test_what_bots_need_is_allowed)
{
	skip_without_filters();
	expect_all(allowances, COUNTOF(allowances));
}

static long
play_in_child(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(try_socket() < 0 ? errno : 0);
	if (waitpid(pid, &status, 0) != pid)
		return -1;
	errno = WEXITSTATUS(status);
	return -1;
}

TEST(test_children_are_behind_it_too)
{
	struct refusal refusal = { "socket in a child", play_in_child, EPERM };

	skip_without_filters();
	assert_int_equal(trial_run(behind_filter, &refusal), EPERM);
}

#ifdef __x86_64__
/* getpid() as 32-bit programs call it: not filtered, it must not work. */
static long
call_as_another_machine(void)
{
	long answer = 20;

	__asm__ volatile("int $0x80" : "+a"(answer) : : "memory");
	return 0;
}

TEST(test_calls_of_another_machine_end_the_process)
{
	struct refusal refusal = { "int 0x80", call_as_another_machine, 0 };

	skip_without_filters();
	assert_int_not_equal(trial_run(behind_filter, &refusal), 0);
}
#endif

TEST(test_only_what_was_made_here_is_entered)
{
	int empty = memfd_create("empty", MFD_CLOEXEC);

	assert_true(empty >= 0);
	assert_int_equal(filter_enter(empty), -EINVAL);
	assert_int_equal(ftruncate(empty, 1 << 20), 0);
	assert_int_equal(filter_enter(empty), -EINVAL);
	close(empty);
	assert_int_equal(filter_enter(-1), -EBADF);
}

TEST(test_descriptor_is_out_of_the_way)
{
	int before = child_descriptors(), fd = filter_make();

	if (fd < 0)
		skip();
	assert_true(fd > STDERR_FILENO + 8);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(child_descriptors(), before + 1);
	close(fd);
}

static int
file_setup(void **state)
{
	(void)state;
	filter_fd = filter_make();
	return 0;
}

static int
file_teardown(void **state)
{
	(void)state;
	if (filter_fd >= 0)
		close(filter_fd);
	return 0;
}

TEST_GROUP(file_setup, file_teardown)
