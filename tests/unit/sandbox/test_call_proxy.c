/*
 * Shared futexes and sysinfo() of a process whose supervisor answers these
 * calls instead of the kernel, and of a process without such a proxy.
 */
#include "system_calls.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "test.h"
#include "trial.h"

enum { ROUNDS = 200, FUTEX_WAITV = 449, FUTEX2_WAKE = 454 };

struct play {
	int (*play)(void);
	bool answered, allows_futexes;
};

static bool listeners; /* a listener can be opened on this machine */

/*
 * Runs `play` in a child of the trial behind the proxy, which ends with the
 * child; returns the result.
 */
static int
play_behind(void *context)
{
	const struct play *play = context;
	int channel[2], status;
	pid_t child;

	trial_need(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) == 0);
	child = fork();
	trial_need(child >= 0);
	if (child == 0) {
		alarm(100);
		close(channel[0]);
		trial_need(call_proxy_enter(play->answered ? channel[1] : -1,
			       play->allows_futexes) == 0);
		close(channel[1]);
		_exit(play->play());
	}
	close(channel[1]);
	trial_need(call_proxy_start(channel[0]) == 0);
	trial_need(waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : TRIAL_SIGNAL + WTERMSIG(status);
}

static int
run(int (*play)(void), bool answered, bool allows_futexes)
{
	struct play whole = { play, answered, allows_futexes };

	return trial_run(play_behind, &whole);
}

static uint32_t *
shared_word(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	trial_need(page != MAP_FAILED);
	return page;
}

/* 0, or the number of the first call with a wrong error. */
static int
play_wakes(void)
{
	uint32_t *word = shared_word();
	struct robust_list {
		void *next;
		long offset;
		void *pending;
	} head = { &head, 0, NULL };
	const long at = (long)word, next = (long)(word + 1);
	const struct call {
		long number, arguments[6];
		int error;
	} calls[] = {
		{ SYS_futex, { at, FUTEX_WAKE, 1 }, EINVAL },
		{ SYS_futex, { at, FUTEX_WAKE_BITSET, 1, 0, 0, 1 }, EINVAL },
		{ SYS_futex, { at, FUTEX_WAKE_OP, 1, 1, at }, ENOSYS },
		{ SYS_futex, { at, FUTEX_REQUEUE, 1, 1, next }, ENOSYS },
		{ SYS_futex, { at, FUTEX_CMP_REQUEUE, 1, 1, next }, ENOSYS },
		{ SYS_futex, { at, FUTEX_LOCK_PI }, ENOSYS },
		{ SYS_futex, { at, FUTEX_UNLOCK_PI }, ENOSYS },
		{ SYS_set_robust_list, { (long)&head, sizeof(head) }, ENOSYS },
		{ FUTEX2_WAKE, { at, 1, 1, 2 }, ENOSYS },
		{ FUTEX_WAITV, { 0 }, ENOSYS },
		/* Private futexes are allowed. */
		{ SYS_futex, { at, FUTEX_WAKE_PRIVATE, 1 }, 0 },
	};

	for (size_t i = 0; i < COUNTOF(calls); i++) {
		const long *words = calls[i].arguments;
		long answer = syscall(calls[i].number, words[0], words[1],
		    words[2], words[3], words[4], words[5]);

		if ((answer < 0 ? errno : 0) != calls[i].error)
			return (int)i + 1;
	}
	return 0;
}

static void *
thread_run(void *context)
{
	const struct timespec moment = { .tv_nsec = 3000000 };

	nanosleep(&moment, NULL);
	*(int *)context += 1;
	return NULL;
}

static int
play_joins(void)
{
	int ran = 0;

	for (int i = 0; i < 10; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, thread_run, &ran) != 0 ||
		    pthread_join(thread, NULL) != 0)
			return 1;
	}
	return ran == 10 ? 0 : 2;
}

/* Two processes take turns by means of shared semaphores. */
static int
play_semaphores(void)
{
	struct {
		sem_t ping, pong;
	} *both = (void *)shared_word();
	int status;
	pid_t child;

	if (sem_init(&both->ping, 1, 0) < 0 || sem_init(&both->pong, 1, 0) < 0)
		return 1;
	child = fork();
	for (int i = 0; i < ROUNDS; i++) {
		sem_t *wait = child == 0 ? &both->ping : &both->pong;
		sem_t *post = child == 0 ? &both->pong : &both->ping;

		if (child != 0)
			sem_post(post);
		if (sem_wait(wait) < 0)
			return 2;
		if (child == 0)
			sem_post(post);
	}
	if (child == 0)
		_exit(0);
	return waitpid(child, &status, 0) == child && status == 0 ? 0 : 3;
}

static void *
thread_sleep(void *context)
{
	pause();
	return context;
}

/*
 * Waits for a word that no process changes, until the timeout; returns the
 * error.
 */
static int
wait_out(const uint32_t *word, int operation, const struct timespec *timeout)
{
	do {
		if (syscall(
			SYS_futex, word, operation, 0, timeout, NULL, ~0U) == 0)
			return 0;
	} while (errno == EAGAIN);
	return errno;
}

/* Waits that are not ended time out, and not too early. */
static int
play_timeouts(void)
{
	const struct timespec none = { 0 }, span = { .tv_nsec = 20000000 };
	const struct timespec wrong = { .tv_nsec = 1000000000 };
	uint32_t *word = shared_word();
	struct timespec start, until, end;
	pthread_t thread;
	sem_t *semaphore = (void *)(word + 16);

	if (sem_init(semaphore, 1, 0) < 0 ||
	    pthread_create(&thread, NULL, thread_sleep, NULL) != 0)
		return 1;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (sem_timedwait(semaphore, &until) != -1 || errno != ETIMEDOUT)
		return 2;
	clock_gettime(CLOCK_REALTIME, &end);
	if (end.tv_sec < until.tv_sec)
		return 3;
	if (pthread_timedjoin_np(thread, NULL, &until) != ETIMEDOUT)
		return 4;
	clock_gettime(CLOCK_MONOTONIC, &start);
	if (wait_out(word, FUTEX_WAIT, &span) != ETIMEDOUT)
		return 5;
	clock_gettime(CLOCK_MONOTONIC, &end);
	if ((end.tv_sec - start.tv_sec) * 1000000000L + end.tv_nsec -
		start.tv_nsec <
	    span.tv_nsec)
		return 6;
	if (wait_out(word, FUTEX_WAIT_BITSET, &end) != ETIMEDOUT)
		return 7;
	if (wait_out(word, FUTEX_WAIT, &wrong) != EINVAL ||
	    wait_out(word, FUTEX_WAIT, (void *)8) != EFAULT)
		return 8;
	if (syscall(SYS_futex, word, FUTEX_WAIT, 1, &none, NULL, 0) != -1 ||
	    errno != EAGAIN)
		return 9;
	return 0;
}

static int
play_sysinfo(void)
{
	struct sysinfo info;

	memset(&info, 0xff, sizeof(info));
	if (sysinfo(&info) < 0)
		return 1;
	return info.procs == 1 && info.loads[0] == 0 && info.totalram > 0 &&
		info.freeram == info.totalram && info.mem_unit > 0
	    ? 0
	    : 2;
}

static void
skip_without_listener(void)
{
	if (listeners)
		return;
	print_message("# no listener can be opened here\n");
	skip();
}

TEST(test_shared_wakes_are_refused)
{
	assert_int_equal(run(play_wakes, true, false), 0);
	assert_int_equal(run(play_wakes, false, false), 0);
}

TEST(test_threads_are_joined)
{
	assert_int_equal(run(play_joins, true, false), 0);
	assert_int_equal(run(play_joins, false, false), 0);
	assert_int_equal(run(play_joins, true, true), 0);
}

TEST(test_shared_semaphores_work)
{
	skip_without_listener();
	assert_int_equal(run(play_semaphores, true, false), 0);
	assert_int_equal(run(play_semaphores, true, true), 0);
}

TEST(test_waits_time_out)
{
	skip_without_listener();
	assert_int_equal(run(play_timeouts, true, true), 0);
	assert_int_equal(run(play_timeouts, true, false), 0);
}

TEST(test_sysinfo_contains_no_value_that_changes)
{
	skip_without_listener();
	assert_int_equal(run(play_sysinfo, true, false), 0);
	assert_int_equal(run(play_sysinfo, true, true), 0);
}

static int
nothing(void)
{
	return 0;
}

TEST(test_thread_of_the_proxy_ends_with_the_bot)
{
	int before = child_descriptors();

	for (int i = 0; i < 3; i++)
		assert_int_equal(run(nothing, true, false), 0);
	assert_int_equal(child_descriptors(), before);
	assert_true(child_none());
}

static int
file_setup(void **state)
{
	(void)state;
	listeners = call_proxy_try() == 0;
	return 0;
}

TEST_GROUP(file_setup, NULL)
