/*
 * All processes that were started are found in /proc, and are stopped, killed
 * and measured, except for a process that is to be spared.
 */
#include "tree.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "kernel_text.h"
#include "test.h"
#include "trial.h"

enum {
	MIB = 1 << 20,
	HEAP_MIB = 48,
	SHARERS = 4,
	PROCESSES = 30,
	CHAIN = 3,
	CHAINS = 200,
	RUNAWAY_DOUBLINGS = 2,
	RUNAWAY_FORKS = 2000
};

static int proc_fd;

static int
open_tree(void **state)
{
	child_look_before(state);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	proc_fd = proc_open();
	return proc_fd < 0 ? -1 : 0;
}

static int
close_tree(void **state)
{
	close(proc_fd);
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	return child_look_after(state);
}

TEST_EACH(open_tree, close_tree)

static int
play_crowd(void *context)
{
	(void)context;
	child_crowd(PROCESSES);
	return 0;
}

/*
 * Each process forks another and ends.  There are only some, and they end at
 * some time: on a busy machine they may be faster than the test, and then no
 * other program could start a process.
 */
static int
play_runaway(void *context)
{
	(void)context;
	if (fork() != 0)
		return 0;
	for (int i = 0; i < RUNAWAY_DOUBLINGS; i++)
		(void)fork();
	for (int i = 0; i < RUNAWAY_FORKS; i++) {
		if (fork() > 0)
			_exit(0);
		poll(NULL, 0, 1);
	}
	child_sleep();
}

/* A process with a child, which has a child, and so on: these are `context`. */
static int
play_chain(void *context)
{
	volatile pid_t *pids = context;

	for (int i = 0; i < CHAIN; i++) {
		if (fork() == 0) {
			pids[i] = getpid();
			continue;
		}
		if (i > 0)
			child_sleep();
		while (pids[CHAIN - 1] == 0)
			poll(NULL, 0, 1);
		return 0;
	}
	child_sleep();
}

/* Processes that share memory. */
static int
play_sharers(void *context)
{
	char *heap = mmap(NULL, HEAP_MIB * MIB, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)context;
	if (heap == MAP_FAILED)
		return 1;
	memset(heap, 7, HEAP_MIB * MIB);
	for (int i = 1; i < SHARERS; i++)
		if (fork() == 0)
			child_sleep();
	return 0;
}

static pid_t spared_pid;

static bool
is_spared(pid_t child)
{
	return child == spared_pid;
}

TEST(test_spared_process_is_not_killed)
{
	pid_t one = trial_start(play_crowd, NULL),
	      other = trial_start(NULL, NULL);
	siginfo_t info = { 0 };

	spared_pid = other;
	assert_true(tree_kill_all(proc_fd, is_spared) > 0);
	assert_int_equal(waitpid(one, NULL, WNOHANG), -1);
	assert_int_equal(
	    waitid(P_PID, (id_t)other, &info, WEXITED | WNOHANG | WNOWAIT), 0);
	assert_int_equal(info.si_pid, 0);
	assert_int_equal(tree_kill_all(proc_fd, NULL), 1);
}

TEST(test_all_processes_are_stopped_and_continued)
{
	siginfo_t info = { 0 };

	trial_start(play_runaway, NULL);
	assert_int_equal(tree_freeze(proc_fd, true, 0, 0), 0);
	/* All remaining processes are stopped. */
	assert_int_equal(waitid(P_ALL, 0, &info, WSTOPPED | WNOWAIT), 0);
	assert_int_equal(info.si_code, CLD_STOPPED);
	assert_int_equal(tree_freeze(proc_fd, false, 0, 0), 0);
	assert_true(tree_kill_all(proc_fd, NULL) > 0);
}

/* A slow order must not delay the next one. */
TEST(test_stopping_ends_if_another_order_waits)
{
	sigset_t order;

	trial_start(NULL, NULL);
	sigemptyset(&order);
	sigaddset(&order, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &order, NULL);
	assert_int_equal(tree_freeze(proc_fd, true, 0, SIGRTMIN), 0);
	kill(getpid(), SIGRTMIN);
	assert_int_equal(tree_freeze(proc_fd, false, 0, SIGRTMIN), -EINTR);
	assert_int_equal(tree_freeze(proc_fd, true, 0, SIGRTMIN), -EINTR);
	sigwaitinfo(&order, NULL);
	assert_int_equal(tree_freeze(proc_fd, true, 0, SIGRTMIN), 0);
	sigprocmask(SIG_UNBLOCK, &order, NULL);
	assert_true(tree_kill_all(proc_fd, NULL) > 0);
}

TEST(test_end_of_a_child_can_still_be_waited_for)
{
	pid_t pid = fork();
	siginfo_t info;
	int status;

	if (pid == 0)
		_exit(5);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(tree_freeze(proc_fd, true, pid, 0), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 5);
}

TEST(test_shared_memory_counts_once_if_the_total_exceeds_the_limit)
{
	int64_t often, once;

	trial_start(play_sharers, NULL);
	often = tree_memory(proc_fd, INT64_MAX, NULL, NULL);
	once = tree_memory(proc_fd, HEAP_MIB * MIB, NULL, NULL);
	assert_true(often >= (int64_t)SHARERS * HEAP_MIB * MIB);
	assert_true(once >= HEAP_MIB * MIB);
	if (access("/proc/self/smaps_rollup", R_OK) == 0)
		assert_true(once < 2 * HEAP_MIB * MIB);
	assert_true(tree_kill_all(proc_fd, NULL) > 0);
	assert_int_equal(tree_memory(proc_fd, 0, NULL, NULL), 0);
}

/* A process that dies as soon as it is continued leaves a stopped child. */
TEST(test_orphans_are_continued)
{
	const size_t size = CHAIN * sizeof(pid_t);
	pid_t *pids = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int stopped = 0;

	assert_true(pids != MAP_FAILED);
	for (int i = 0; i < CHAINS; i++) {
		struct process_stat last;

		memset(pids, 0, size);
		trial_start(play_chain, pids);
		assert_int_equal(tree_freeze(proc_fd, true, 0, 0), 0);
		for (int k = 0; k < CHAIN - 1; k++)
			assert_int_equal(kill(pids[k], SIGTERM), 0);
		assert_int_equal(tree_freeze(proc_fd, false, 0, 0), 0);
		assert_true(process_stat_read(proc_fd, pids[CHAIN - 1], &last));
		stopped += last.state == 'T';
		assert_true(tree_kill_all(proc_fd, NULL) > 0);
	}
	assert_int_equal(munmap(pids, size), 0);
	assert_int_equal(stopped, 0);
}
