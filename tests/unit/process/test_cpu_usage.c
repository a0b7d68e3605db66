/*
 * CPU time of a process and of all that it has started; and the time that a bot
 * waited for a core because of other processes.
 */
#include "cpu_usage.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "kernel_text.h"
#include "machine.h"
#include "test.h"
#include "tree.h"

#define MS CLOCK_NS_PER_MS
#define WAIT_MAX_NS (30 * CLOCK_NS_PER_S)

/* The jiffies of a child that has ended, and some reserve. */
#define SLACK_NS (60 * MS)

/* The bot is the first child of this process, its supervisor. */
static pid_t bot, rival;

static struct cores cores; /* cores of this process before the first test */

static _Noreturn void
compute(void)
{
	for (;;)
		continue;
}

/* SIGUSR1, which setup() has blocked, ends the sleep. */
static _Noreturn void
sleep_then_compute(void)
{
	sigset_t awaited;
	int number;

	sigemptyset(&awaited);
	sigaddset(&awaited, SIGUSR1);
	sigwait(&awaited, &number);
	compute();
}

static void *
compute_in_thread(void *context)
{
	(void)context;
	compute();
}

static _Noreturn void
compute_in_two_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, compute_in_thread, NULL);
	compute();
}

/* The process that the bot has started; the bot shares this memory. */
static pid_t *another;

/*
 * Stops when the other process is there; continued, computes.  SIGUSR2 ends the
 * other process, and not the bot.
 */
static _Noreturn void
compute_with_another(int flags)
{
	pid_t pid;

	signal(SIGCHLD, SIG_IGN);
	signal(SIGUSR2, SIG_DFL);
	pid = (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		child_sleep();
	*another = pid;
	signal(SIGUSR2, SIG_IGN);
	raise(SIGSTOP);
	compute();
}

static _Noreturn void
compute_with_a_child(void)
{
	compute_with_another(0);
}

static _Noreturn void
compute_with_a_sibling(void)
{
	compute_with_another(CLONE_PARENT);
}

/* Uses this CPU time in the calling thread. */
static void
use_cpu(int64_t ns)
{
	struct timespec now;
	int64_t end_ns = 0, now_ns = 0;

	while (end_ns == 0 || now_ns < end_ns) {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		now_ns = now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec;
		if (end_ns == 0)
			end_ns = now_ns + ns;
	}
}

static void *
use_cpu_in_thread(void *context)
{
	(void)context;
	use_cpu(60 * MS);
	return NULL;
}

/*
 * Uses CPU time itself, in a thread, in a child that ends and in one that
 * stays; then stops.
 */
static _Noreturn void
use_cpu_everywhere(void)
{
	pthread_t thread;
	pid_t child;

	pthread_create(&thread, NULL, use_cpu_in_thread, NULL);
	use_cpu(50 * MS);
	pthread_join(thread, NULL);
	child = fork();
	if (child == 0) {
		use_cpu(70 * MS);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	child = fork();
	if (child == 0) {
		use_cpu(80 * MS);
		raise(SIGSTOP);
	}
	waitpid(child, NULL, WUNTRACED);
	raise(SIGSTOP);
	child_sleep();
}

/* A process with a session of its own, which is killed after the test. */
static pid_t
start(void (*live)(void))
{
	pid_t pid = fork();

	if (pid > 0) {
		while (getsid(pid) != pid)
			sched_yield();
		return pid;
	}
	setsid();
	live();
	_exit(1);
}

/* The same, but the process is not below this one. */
static pid_t
start_elsewhere(void (*live)(void))
{
	pid_t pid = 0, parent;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	parent = fork();
	if (parent == 0) {
		pid = start(live);
		_exit(write(ends[1], &pid, sizeof(pid)) < 0);
	}
	assert_int_equal(read(ends[0], &pid, sizeof(pid)), sizeof(pid));
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	close(ends[0]);
	close(ends[1]);
	return pid;
}

static char
state_of(pid_t pid)
{
	struct process_stat stat;

	assert_true(process_stat_read(AT_FDCWD, pid, &stat));
	return stat.state;
}

static int
setup(void **state)
{
	sigset_t held;

	(void)state;
	sigemptyset(&held);
	sigaddset(&held, SIGUSR1);
	sigprocmask(SIG_BLOCK, &held, NULL);
	/* All processes share one core. */
	if (cores.count == 0)
		assert_int_equal(cores_allowed(&cores), 0);
	return cores_pin(cores.ids[0]);
}

static int
teardown(void **state)
{
	(void)state;
	if (bot > 0)
		kill(-bot, SIGKILL);
	if (rival > 0)
		kill(rival, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	bot = rival = 0;
	return 0;
}

TEST_EACH(setup, teardown)

static _Noreturn void
fork_many(void)
{
	for (int i = 0; i < CPU_USAGE_PROCESSES_MAX + 40; i++)
		if (fork() == 0)
			child_sleep();
	raise(SIGSTOP);
	child_sleep();
}

static int64_t
usage_ns(void)
{
	struct cpu_usage usage;

	assert_int_equal(cpu_usage_read(bot, 0, &usage), 0);
	return usage.cpu_ns + usage.first_thread_ns;
}

TEST(test_threads_and_children_are_counted)
{
	struct cpu_usage usage;
	int64_t used_ns;
	pid_t ended_bot;

	ended_bot = bot = start(use_cpu_everywhere);
	assert_int_equal(waitpid(bot, NULL, WUNTRACED), bot);
	used_ns = usage_ns();
	assert_true(used_ns > (50 + 60 + 70 + 80) * MS - SLACK_NS);
	assert_true(used_ns < (50 + 60 + 70 + 80) * MS + 4 * SLACK_NS);
	/* Now all processes are stopped. */
	usleep(100000);
	assert_true(usage_ns() - used_ns < 20 * MS);
	teardown(NULL);
	assert_int_equal(cpu_usage_read(ended_bot, 0, &usage), -ESRCH);
}

static _Noreturn void
use_cpu_in_two_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, use_cpu_in_thread, NULL);
	use_cpu(150 * MS);
	pthread_join(thread, NULL);
	raise(SIGSTOP);
	child_sleep();
}

/* That of a supervisor, which is not what its bot has used. */
TEST(test_first_thread_of_the_process_is_counted_apart)
{
	struct cpu_usage usage;

	bot = start(use_cpu_in_two_threads);
	assert_int_equal(waitpid(bot, NULL, WUNTRACED), bot);
	assert_int_equal(cpu_usage_read(bot, 0, &usage), 0);
	assert_true(usage.first_thread_ns > (150 - 20) * MS);
	assert_true(usage.cpu_ns > (60 - 20) * MS);
	assert_true(usage.cpu_ns < 60 * MS + SLACK_NS);
}

TEST(test_processes_beyond_the_limit_may_have_computed)
{
	struct cpu_usage usage;

	bot = start(fork_many);
	assert_int_equal(waitpid(bot, NULL, WUNTRACED), bot);
	assert_int_equal(cpu_usage_read(bot, 0, &usage), 0);
	assert_true(usage.hides);
}

static void *
sleep_in_thread(void *context)
{
	(void)context;
	child_sleep();
}

static _Noreturn void
sleep_in_many_threads(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 << 10);
	for (int i = 0; i <= TREE_THREADS_MAX; i++)
		if (pthread_create(
			&thread, &attributes, sleep_in_thread, NULL) != 0)
			_exit(1);
	raise(SIGSTOP);
	child_sleep();
}

/* To look for the children of all of them would delay the arena. */
TEST(test_threads_beyond_the_limit_are_not_looked_at)
{
	struct run_wait run_wait = { 0 };
	struct cpu_usage usage;
	int status;

	bot = start(sleep_in_many_threads);
	assert_int_equal(waitpid(bot, &status, WUNTRACED), bot);
	if (!WIFSTOPPED(status))
		skip();
	assert_int_equal(cpu_usage_read(bot, 0, &usage), 0);
	assert_true(usage.hides);
	run_wait_begin(&run_wait, getpid());
	usleep(20000);
	assert_int_equal(run_wait_ns(&run_wait, clock_now_ns()), 0);
	run_wait_end(&run_wait);
}

/* The kernel forgets their CPU time. */
static _Noreturn void
use_cpu_in_lost_children(void)
{
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		if (fork() == 0) {
			use_cpu(2 * MS);
			_exit(0);
		}
		wait(NULL);
	}
}

TEST(test_children_that_nobody_reaps_may_have_computed)
{
	int64_t until_ns = clock_now_ns() + WAIT_MAX_NS;
	struct cpu_usage usage;

	bot = start(use_cpu_in_lost_children);
	do {
		assert_true(clock_now_ns() < until_ns);
		usleep(3000);
		assert_int_equal(
		    cpu_usage_read(bot, CLOCK_NS_PER_S, &usage), 0);
	} while (!usage.hides);
	/* One that is older has been counted in an earlier reading. */
	assert_int_equal(cpu_usage_read(bot, 1, &usage), 0);
	assert_false(usage.hides);
}

/* A child that is older than the reading before can hide its time by its end. */
TEST(test_process_that_has_ended_may_have_computed)
{
	struct cpu_usage before, after;
	int64_t read_ns;

	another = mmap(NULL, sizeof(*another), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(another != MAP_FAILED);
	bot = start(compute_with_a_child);
	assert_int_equal(waitpid(bot, NULL, WUNTRACED), bot);
	usleep(50000);
	assert_int_equal(cpu_usage_read(bot, 0, &before), 0);
	read_ns = clock_now_ns();
	usleep(50000);
	assert_int_equal(
	    cpu_usage_read(bot, clock_now_ns() - read_ns, &after), 0);
	assert_true(after.old_members == before.members);
	kill(*another, SIGKILL);
	while (kill(*another, 0) == 0)
		usleep(1000);
	assert_int_equal(
	    cpu_usage_read(bot, clock_now_ns() - read_ns, &after), 0);
	assert_true(after.old_members != before.members);
	munmap(another, sizeof(*another));
}

TEST(test_sleeping_bot_does_not_wait_for_a_core)
{
	struct run_wait run_wait = { 0 };

	bot = start(child_sleep);
	while (state_of(bot) != 'S')
		usleep(1000);
	run_wait_begin(&run_wait, getpid());
	assert_int_equal(run_wait.pid, bot);
	usleep(20000);
	assert_int_equal(run_wait_ns(&run_wait, clock_now_ns()), 0);
	run_wait_end(&run_wait);
	assert_int_equal(run_wait_descriptor_count(&run_wait), 0);
}

/*
 * Waits until the bot has waited `least_ns` for a core.  Meanwhile it has not
 * used the core.
 */
static void
await_run_wait(struct run_wait *run_wait, int64_t least_ns)
{
	int64_t now_ns = clock_now_ns(), until_ns = now_ns + WAIT_MAX_NS;
	int64_t hindered_ns, cpu_ns;

	do {
		assert_true(now_ns < until_ns);
		usleep(2000);
		assert_int_equal(clock_process_cpu_ns(bot, &cpu_ns), 0);
		now_ns = clock_now_ns();
		hindered_ns = run_wait_ns(run_wait, now_ns);
	} while (hindered_ns < least_ns);
	assert_true(hindered_ns <=
	    now_ns - run_wait->asked_ns - (cpu_ns - run_wait->cpu_ns));
}

TEST(test_bot_that_shares_its_core_waits_for_it)
{
	struct run_wait run_wait = { 0 };

	bot = start(compute);
	rival = start_elsewhere(compute);
	run_wait_begin(&run_wait, getpid());
	assert_int_equal(run_wait.pid, bot);
	await_run_wait(&run_wait, 30 * MS);
	/* Measured again from the next question on. */
	run_wait_begin(&run_wait, getpid());
	assert_true(run_wait_ns(&run_wait, run_wait.asked_ns) <= 0);
	await_run_wait(&run_wait, 30 * MS);
	run_wait_end(&run_wait);
}

/*
 * A process that allows no other to run on its core, for 0.95 s of each second;
 * -1 if that is not permitted, or if there is no other core for this process.
 */
static pid_t
start_rival_with_priority(void)
{
	const struct sched_param first = { .sched_priority = 1 };
	pid_t pid;

	if (cores.count < 2)
		return -1;
	pid = start_elsewhere(compute);
	if (cores_pin(cores.ids[1]) == 0 &&
	    sched_setscheduler(pid, SCHED_FIFO, &first) == 0)
		return pid;
	kill(pid, SIGKILL);
	return -1;
}

/* A bot that is ready when it is measured may have slept most of the time. */
TEST(test_bot_that_slept_has_not_waited_all_the_time)
{
	struct run_wait run_wait = { 0 };
	int64_t now_ns, asleep_ns, hindered_ns;
	char seen;

	bot = start(sleep_then_compute);
	while (state_of(bot) != 'S')
		usleep(1000);
	run_wait_begin(&run_wait, getpid());
	usleep(600000);
	now_ns = clock_now_ns();
	kill(bot, SIGUSR1);
	do {
		asleep_ns = now_ns;
		usleep(1000);
		now_ns = clock_now_ns();
		seen = state_of(bot);
	} while (seen != 'R');
	now_ns = clock_now_ns();
	hindered_ns = run_wait_ns(&run_wait, now_ns);
	/*
	 * It was asleep at `asleep_ns`; since then, also during the
	 * measurement, it may really have waited.
	 */
	assert_in_range(hindered_ns, 0,
	    RUN_WAIT_OPEN_MAX_NS + (clock_now_ns() - asleep_ns));
	run_wait_end(&run_wait);
}

/* A measurement continues a wait that an earlier one has seen begin. */
TEST(test_wait_that_continues_is_counted_in_full)
{
	struct run_wait run_wait = { 0 };
	int64_t now_ns, hindered_ns, cpu_ns, waited_ns;

	bot = start(compute);
	run_wait_begin(&run_wait, getpid());
	rival = start_rival_with_priority();
	if (rival < 0)
		skip();
	do {
		usleep(20000);
		now_ns = clock_now_ns();
		hindered_ns = run_wait_ns(&run_wait, now_ns);
		assert_int_equal(clock_process_cpu_ns(bot, &cpu_ns), 0);
		waited_ns =
		    now_ns - run_wait.asked_ns - (cpu_ns - run_wait.cpu_ns);
		assert_true(hindered_ns >= waited_ns - 50 * MS);
	} while (waited_ns < 2 * RUN_WAIT_OPEN_MAX_NS);
	run_wait_end(&run_wait);
}

/* Each of two threads waits half the time for the other one. */
TEST(test_threads_of_a_bot_do_not_count_as_other_processes)
{
	struct run_wait run_wait = { 0 };
	int64_t cpu_ns = 0, now_ns, hindered_ns;

	bot = start(compute_in_two_threads);
	run_wait_begin(&run_wait, getpid());
	while (cpu_ns < 200 * MS) {
		usleep(5000);
		assert_int_equal(clock_process_cpu_ns(bot, &cpu_ns), 0);
		cpu_ns -= run_wait.cpu_ns;
	}
	now_ns = clock_now_ns();
	hindered_ns = run_wait_ns(&run_wait, now_ns);
	assert_true(hindered_ns <= now_ns - run_wait.asked_ns - cpu_ns);
	run_wait_end(&run_wait);
}

static void
expect_no_wait(void (*live)(void))
{
	struct run_wait run_wait = { 0 };

	another = mmap(NULL, sizeof(*another), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(another != MAP_FAILED);
	bot = start(live);
	assert_int_equal(waitpid(bot, NULL, WUNTRACED), bot);
	rival = start_elsewhere(compute);
	kill(bot, SIGCONT);
	usleep(50000);
	run_wait_begin(&run_wait, getpid());
	assert_int_equal(run_wait.pid, bot);
	usleep(50000);
	assert_int_equal(run_wait_ns(&run_wait, clock_now_ns()), 0);
	/*
	 * The other process may end before the next measurement.  If this
	 * process is its parent, it must reap it.
	 */
	kill(-bot, SIGUSR2);
	while (kill(*another, 0) == 0) {
		waitpid(*another, NULL, WNOHANG);
		usleep(1000);
	}
	assert_int_equal(run_wait_ns(&run_wait, clock_now_ns()), 0);
	/* The bot is asked again, and is alone now. */
	run_wait_begin(&run_wait, getpid());
	await_run_wait(&run_wait, 30 * MS);
	run_wait_end(&run_wait);
	munmap(another, sizeof(*another));
}

TEST(test_no_wait_is_reported_for_a_bot_with_children)
{
	expect_no_wait(compute_with_a_child);
}

TEST(test_no_wait_is_reported_for_a_bot_whose_processes_are_not_its_children)
{
	expect_no_wait(compute_with_a_sibling);
}

/* As in a namespace, where the first process is not the bot. */
static _Noreturn void
play_first_process(void)
{
	pid_t child = fork();

	if (child == 0) {
		setsid();
		child_sleep();
	}
	child_sleep();
}

TEST(test_bot_is_found_below_the_first_process_of_its_namespace)
{
	struct run_wait run_wait = { 0 };
	pid_t first = fork();

	if (first == 0)
		play_first_process();
	while (run_wait.pid <= 0) {
		run_wait.pid = 0;
		run_wait_begin(&run_wait, getpid());
	}
	bot = run_wait.pid;
	assert_int_not_equal(bot, first);
	assert_int_equal(getsid(bot), bot);
	run_wait_end(&run_wait);
	kill(first, SIGKILL);
}

TEST(test_missing_or_dead_bot_has_not_waited)
{
	struct run_wait run_wait = { 0 }, none = { 0 };

	run_wait_begin(&run_wait, getpid());
	assert_int_equal(run_wait.pid, -1);
	assert_int_equal(run_wait_ns(&run_wait, clock_now_ns()), 0);
	assert_int_equal(run_wait_ns(&none, clock_now_ns()), 0);
	assert_int_equal(run_wait_descriptor_count(&none), 0);
	run_wait_end(&none);
	bot = start(child_sleep);
	run_wait = (struct run_wait){ 0 };
	run_wait_begin(&run_wait, getpid());
	teardown(NULL);
	assert_int_equal(run_wait_ns(&run_wait, clock_now_ns()), 0);
	run_wait_begin(&run_wait, getpid());
	assert_int_equal(run_wait_ns(&run_wait, clock_now_ns()), 0);
	run_wait_end(&run_wait);
}
