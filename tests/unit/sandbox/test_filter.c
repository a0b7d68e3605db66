/*
 * Which system calls the filter refuses, and which it allows.
 */
#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "test.h"
#include "trial.h"

/* A system call and the error that it must return; 0: none. */
struct refusal {
	const char *name;
	long number;
	long arguments[6];
	int error;
};

static int filter_fd;

static int
call_behind_filter(void *context)
{
	const struct refusal *refusal = context;
	const long *arguments = refusal->arguments;
	pid_t self = getpid();
	long answer;

	trial_need(filter_enter(filter_fd) == 0);
	answer = syscall(refusal->number, arguments[0], arguments[1],
	    arguments[2], arguments[3], arguments[4], arguments[5]);
	if (getpid() != self)
		_exit(0);
	return answer < 0 ? errno : 0;
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
	skip_without_filters();
	for (size_t i = 0; i < count; i++) {
		struct refusal copy = refusal[i];
		int error = trial_run(call_behind_filter, &copy);

		if (error != copy.error)
			fail_msg("%s: %d (%s), not %d", copy.name, error,
			    strerror(error), copy.error);
	}
}

/* Without a filter each of these calls succeeds, or has another error. */
TEST(test_calls_that_reach_other_processes_are_refused)
{
	const long other =
	    getpid(); /* parent of the process that makes the calls */
	struct flock lock = { .l_type = F_UNLCK, .l_whence = SEEK_SET };
	cpu_set_t cores;

	assert_int_equal(sched_getaffinity(0, sizeof(cores), &cores), 0);

	const struct refusal refusals[] = {
		{ "socket", SYS_socket, { AF_UNIX, SOCK_STREAM }, EPERM },
		{ "ptrace", SYS_ptrace, { PTRACE_TRACEME }, EPERM },
		{ "process_vm_readv", SYS_process_vm_readv, { 0 }, EPERM },
		{ "flock", SYS_flock, { 0, 64 }, EPERM },
		{ "fcntl F_SETLK", SYS_fcntl, { 0, F_SETLK, (long)&lock },
		    EPERM },
#ifdef SYS_chmod
		{ "chmod", SYS_chmod, { (long)"", 0600 }, EPERM },
#endif
		{ "fchmodat", SYS_fchmodat, { AT_FDCWD, (long)"", 0600 },
		    EPERM },
		{ "fchmodat2", 452, { AT_FDCWD, (long)"", 0600 }, EPERM },
		{ "utimensat", SYS_utimensat, { AT_FDCWD, (long)"" }, EPERM },
		{ "unshare", SYS_unshare, { 0 }, EPERM },
		{ "clone CLONE_NEWUSER", SYS_clone, { CLONE_NEWUSER | SIGCHLD },
		    EPERM },
		{ "shmget", SYS_shmget, { 1 }, EPERM },
		{ "mq_unlink", SYS_mq_unlink, { (long)"no such" }, EPERM },
		{ "keyctl", SYS_keyctl, { -1 }, EPERM },
		{ "inotify_init1", SYS_inotify_init1, { -1 }, EPERM },
		{ "io_uring_setup", SYS_io_uring_setup, { 0 }, EPERM },
		{ "io_setup", SYS_io_setup, { 1 }, EPERM },
		{ "personality", SYS_personality, { 0xffffffff }, EPERM },
		{ "ioctl TIOCSTI", SYS_ioctl, { 0, TIOCSTI, (long)"x" },
		    EPERM },
		{ "ioctl TIOCSCTTY", SYS_ioctl, { 0, TIOCSCTTY }, EPERM },
		{ "setsid", SYS_setsid, { 0 }, EPERM },
		{ "setpgid", SYS_setpgid, { 0 }, EPERM },
		{ "prlimit of another", SYS_prlimit64, { other }, EPERM },
		{ "affinity of another", SYS_sched_setaffinity, { other },
		    EPERM },
		{ "affinity", SYS_sched_setaffinity,
		    { 0, sizeof(cores), (long)&cores }, EPERM },
		{ "prctl PR_SCHED_CORE", SYS_prctl, { 62 }, EPERM },
		{ "niceness of another", SYS_setpriority,
		    { PRIO_PROCESS, other, getpriority(PRIO_PROCESS, 0) },
		    EPERM },
		{ "niceness of the user", SYS_setpriority, { PRIO_USER, 0, 20 },
		    EPERM },
		{ "ioprio of another", SYS_ioprio_set, { 1, other }, EPERM },
		{ "reboot", SYS_reboot, { 0 }, EPERM },
		/* With this error the C library uses clone(). */
		{ "clone3", SYS_clone3, { 0 }, ENOSYS },
		{ "socketpair SOCK_RDM", SYS_socketpair, { AF_TIPC, SOCK_RDM },
		    ENOSYS },
	};

	expect_all(refusals, COUNTOF(refusals));
}

TEST(test_calls_that_observe_others_by_files_or_memory_are_refused)
{
	const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const long page = (long)mmap(
	    NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char bytes[256] = "";
	struct iovec part = { bytes, 1 };
	struct msghdr message = { 0 };
	uint64_t range[2] = { 0, 4096 };
	socklen_t size = 8;
	int fds[2], pair[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);

	const struct refusal refusals[] = {
		{ "fcntl F_SET_RW_HINT", SYS_fcntl,
		    { file, F_SET_RW_HINT, (long)bytes }, EPERM },
		{ "fcntl F_SETPIPE_SZ", SYS_fcntl,
		    { fds[0], F_SETPIPE_SZ, 4096 }, EPERM },
		{ "ioctl FS_IOC_SETFLAGS", SYS_ioctl,
		    { file, FS_IOC_SETFLAGS, (long)bytes }, ENOTTY },
		{ "fadvise DONTNEED", SYS_fadvise64,
		    { file, 0, 0, POSIX_FADV_DONTNEED }, EPERM },
		{ "madvise PAGEOUT", SYS_madvise, { page, 4096, 21 }, EINVAL },
		{ "preadv2 NOWAIT", SYS_preadv2,
		    { file, (long)&part, 1, 0, 0, RWF_NOWAIT }, EOPNOTSUPP },
		{ "mincore", SYS_mincore, { page, 4096, (long)bytes }, ENOSYS },
		{ "cachestat", 451, { file, (long)range, (long)bytes },
		    ENOSYS },
		{ "statfs", SYS_statfs, { (long)"/", (long)bytes }, ENOSYS },
		{ "fstatfs", SYS_fstatfs, { file, (long)bytes }, ENOSYS },
		{ "mmap MAP_HUGETLB", SYS_mmap,
		    { 0, 2 << 20, PROT_READ,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0 },
		    ENOMEM },
		{ "sendmsg", SYS_sendmsg, { pair[0], (long)&message }, EPERM },
		{ "prctl PR_SET_MEMORY_MERGE", SYS_prctl, { 67, 1 }, EPERM },
		{ "pidfd_open", SYS_pidfd_open, { getpid() }, ENOSYS },
		{ "clone CLONE_PIDFD", SYS_clone,
		    { 0x1000 | SIGCHLD, 0, (long)bytes }, EINVAL },
		{ "getsockopt SO_PEERPIDFD", SYS_getsockopt,
		    { pair[0], SOL_SOCKET, 77, (long)bytes, (long)&size },
		    ENOPROTOOPT },
		{ "setsockopt SO_PASSPIDFD", SYS_setsockopt,
		    { pair[0], SOL_SOCKET, 76, (long)&size, sizeof(size) },
		    ENOPROTOOPT },
		{ "getsockopt SO_COOKIE", SYS_getsockopt,
		    { pair[0], SOL_SOCKET, 57, (long)bytes, (long)&size },
		    ENOPROTOOPT },
	};

	expect_all(refusals, COUNTOF(refusals));
	munmap((void *)page, 4096);
	for (int i = 0; i < 2; i++) {
		close(fds[i]);
		close(pair[i]);
	}
	close(file);
}

/* A frozen bot could let the kernel continue it. */
TEST(test_calls_that_ask_for_sigcont_are_refused)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGCONT };
	int timer, fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);

	const struct refusal refusals[] = {
		{ "timer_create", SYS_timer_create,
		    { CLOCK_MONOTONIC, (long)&event, (long)&timer }, ENOSYS },
		{ "fcntl F_SETSIG", SYS_fcntl, { fds[0], F_SETSIG, SIGCONT },
		    EPERM },
		{ "clone SIGCONT", SYS_clone, { SIGCONT }, EINVAL },
		{ "prctl PR_SET_PDEATHSIG", SYS_prctl,
		    { PR_SET_PDEATHSIG, SIGCONT }, EPERM },
		{ "another signal", SYS_prctl, { PR_SET_PDEATHSIG, SIGKILL },
		    0 },
		{ "another option", SYS_prctl, { PR_GET_DUMPABLE, SIGCONT },
		    0 },
	};

	expect_all(refusals, COUNTOF(refusals));
	close(fds[0]);
	close(fds[1]);
}

static void *
thread_run(void *context)
{
	*(int *)context = 1;
	return NULL;
}

/* 0, or which of these did not work as it should. */
static int
play_children(void *context)
{
	pthread_t thread;
	int ran = 0, status;
	pid_t pid;

	(void)context;
	trial_need(filter_enter(filter_fd) == 0);
	if (pthread_create(&thread, NULL, thread_run, &ran) != 0)
		return 1;
	pthread_join(thread, NULL);
	pid = fork();
	if (pid == 0)
		_exit(socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0);
	return !ran || waitpid(pid, &status, 0) != pid ||
	    WEXITSTATUS(status) != EPERM;
}

TEST(test_children_and_threads_work_and_are_filtered)
{
	skip_without_filters();
	assert_int_equal(trial_run(play_children, NULL), 0);
}

/* Calls that bots and their run-time systems need. */
TEST(test_calls_that_bots_need_are_allowed)
{
	long page = (long)mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct rlimit limit;
	cpu_set_t cores;
	int fds[2], pair[2], count;

	assert_int_equal(getrlimit(RLIMIT_CORE, &limit), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(cores), &cores), 0);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);

	const struct refusal allowances[] = {
		{ "pipe2", SYS_pipe2, { (long)pair }, 0 },
		{ "socketpair", SYS_socketpair,
		    { AF_UNIX, SOCK_STREAM, 0, (long)pair }, 0 },
		{ "own limits", SYS_prlimit64, { 0, RLIMIT_CORE, (long)&limit },
		    0 },
		{ "own cores", SYS_sched_getaffinity,
		    { 0, sizeof(cores), (long)&cores }, 0 },
		{ "own niceness", SYS_setpriority,
		    { PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) }, 0 },
		{ "fcntl F_GETFL", SYS_fcntl, { 0, F_GETFL }, 0 },
		{ "ioctl FIONREAD", SYS_ioctl,
		    { fds[0], FIONREAD, (long)&count }, 0 },
		{ "mprotect", SYS_mprotect, { page, 4096, PROT_READ }, 0 },
		{ "kill", SYS_kill, { 0 }, 0 },
	};

	expect_all(allowances, COUNTOF(allowances));
	munmap((void *)page, 4096);
	close(fds[0]);
	close(fds[1]);
}

#ifdef __x86_64__
/* getpid() as 32-bit programs call it: it must not work. */
static int
call_as_32_bit_program(void *context)
{
	long answer = 20;

	(void)context;
	/* Some kernels have no such calls; cmocka handles the signal. */
	signal(SIGSEGV, SIG_DFL);
	trial_need(filter_enter(filter_fd) == 0);
	__asm__ volatile("int $0x80" : "+a"(answer) : : "memory");
	return 0;
}

TEST(test_calls_of_another_architecture_end_the_process)
{
	skip_without_filters();
	assert_int_not_equal(trial_run(call_as_32_bit_program, NULL), 0);
}
#endif

TEST(test_descriptor_without_a_filter_is_refused)
{
	int empty = memfd_create("empty", MFD_CLOEXEC);

	assert_true(empty >= 0);
	assert_int_equal(filter_enter(empty), -EINVAL);
	assert_int_equal(ftruncate(empty, 1 << 20), 0);
	assert_int_equal(filter_enter(empty), -EINVAL);
	close(empty);
	assert_int_equal(filter_enter(-1), -EBADF);
}

TEST(test_descriptor_of_the_filter_has_a_high_number)
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
