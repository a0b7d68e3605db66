/*
 * The loop: descriptors, deadlines, signals and heartbeats, and their order.
 */
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "test.h"

static struct loop *loop;

static int
loop_setup(void **state)
{
	(void)state;
	return loop_open(&loop);
}

static int
loop_teardown(void **state)
{
	(void)state;
	loop_close(loop);
	return 0;
}

TEST_EACH(loop_setup, loop_teardown)

/* A pipe with a watch on its reading end. */
struct tap {
	struct loop_watch watch;
	struct tap *other; /* closed when this one is ready; or NULL */
	int fds[2];
	int count; /* calls of on_ready */
};

static void
tap_on_ready(struct loop_watch *watch, uint32_t events)
{
	struct tap *tap = watch->context;

	(void)events;
	tap->count++;
	if (tap->other != NULL)
		loop_watch_close(loop, &tap->other->watch);
}

static void
tap_open(struct tap *tap)
{
	*tap = (struct tap){ .watch = { tap_on_ready, tap, -1 } };
	assert_int_equal(pipe2(tap->fds, O_CLOEXEC | O_NONBLOCK), 0);
	assert_int_equal(
	    loop_watch_open(loop, &tap->watch, tap->fds[0], EPOLLIN), 0);
}

static void
tap_fill(struct tap *tap)
{
	assert_int_equal(write(tap->fds[1], "x", 1), 1);
}

static void
tap_close(struct tap *tap)
{
	loop_watch_close(loop, &tap->watch);
	close(tap->fds[0]);
	close(tap->fds[1]);
}

static void
step(void)
{
	assert_int_equal(loop_step(loop, 0), 0);
}

TEST(test_ready_descriptors_are_served_until_read)
{
	struct tap tap;

	tap_open(&tap);
	step();
	assert_int_equal(tap.count, 0);
	tap_fill(&tap);
	step();
	step();
	assert_int_equal(tap.count, 2);
	loop_watch_close(loop, &tap.watch);
	loop_watch_close(loop, &tap.watch);
	step();
	assert_int_equal(tap.count, 2);
	tap_close(&tap);
}

TEST(test_closed_watch_is_not_served_in_the_same_round)
{
	struct tap one, two;

	tap_open(&one);
	tap_open(&two);
	one.other = &two;
	two.other = &one;
	tap_fill(&one);
	tap_fill(&two);
	step();
	assert_int_equal(one.count + two.count, 1);
	tap_close(&one);
	tap_close(&two);
}

/* A deadline that records when it was called. */
struct timer {
	struct loop_deadline deadline;
	struct tap *tap; /* its count is recorded too; or NULL */
	int64_t
	    again_ns;  /* new time for the deadline; 0: it is not set again */
	int64_t order; /* order of the calls, from 1; 0: not called */
	int count;
	int tap_count;
};

static int64_t timers_fired;

static void
timer_on_deadline(struct loop_deadline *deadline, int64_t now_ns)
{
	struct timer *timer = deadline->context;

	assert_int_equal(deadline->deadline_ns, LOOP_NEVER);
	assert_true(now_ns <= clock_now_ns());
	timer->count++;
	timer->order = ++timers_fired;
	if (timer->tap != NULL)
		timer->tap_count = timer->tap->count;
	if (timer->again_ns != 0)
		loop_deadline_set(loop, deadline, timer->again_ns);
}

static void
timer_open(struct timer *timer, int64_t deadline_ns)
{
	*timer = (struct timer){ .deadline = { .on_deadline = timer_on_deadline,
				     .context = timer } };
	assert_int_equal(loop_deadline_open(loop, &timer->deadline), 0);
	loop_deadline_set(loop, &timer->deadline, deadline_ns);
}

TEST(test_deadline_is_never_early_and_is_called_once)
{
	int64_t deadline_ns = clock_now_ns() + 5 * CLOCK_NS_PER_MS;
	struct timer timer;

	timer_open(&timer, deadline_ns);
	step();
	while (timer.count == 0) {
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
		assert_true(timer.count == 0 || clock_now_ns() >= deadline_ns);
	}
	step();
	assert_int_equal(timer.count, 1);
	loop_deadline_close(loop, &timer.deadline);
	loop_deadline_close(loop, &timer.deadline);
}

static uint64_t
random_next(uint64_t *random)
{
	*random = *random * 6364136223846793005U + 1442695040888963407U;
	return *random >> 33;
}

/* Each deadline with a time was called, in the order of times, and no other. */
static void
expect_order(struct timer *timers, size_t count, const int64_t *times)
{
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(
		    timers[i].count, times[i] == LOOP_NEVER ? 0 : 1);
		for (size_t j = 0; j < count; j++)
			if (times[i] != LOOP_NEVER && times[i] < times[j] &&
			    times[j] != LOOP_NEVER)
				assert_true(timers[i].order < timers[j].order);
	}
}

TEST(test_many_deadlines_are_called_in_order)
{
	enum { TIMERS = 300 };
	static struct timer timers[TIMERS];
	static int64_t times[TIMERS];
	uint64_t random = 7;

	for (int round = 0; round < 20; round++) {
		int64_t now_ns = clock_now_ns();

		for (size_t i = 0; i < TIMERS; i++)
			timer_open(&timers[i], LOOP_NEVER);
		for (int change = 0; change < 4 * TIMERS; change++) {
			size_t i = random_next(&random) % TIMERS;
			int64_t ago_ns =
			    (int64_t)(random_next(&random) % 100000);

			times[i] = now_ns - ago_ns;
			if (ago_ns % 5 == 0)
				times[i] = LOOP_NEVER;
			loop_deadline_set(loop, &timers[i].deadline, times[i]);
		}
		for (size_t i = 0; i < TIMERS; i++)
			times[i] = timers[i].deadline.deadline_ns;
		for (size_t i = 0; i < TIMERS; i += 50) {
			times[i] = LOOP_NEVER;
			loop_deadline_close(loop, &timers[i].deadline);
		}
		step();
		expect_order(timers, TIMERS, times);
		for (size_t i = 0; i < TIMERS; i++)
			loop_deadline_close(loop, &timers[i].deadline);
	}
}

TEST(test_deadline_that_is_set_in_the_past_does_not_stop_the_loop)
{
	struct timer timer;

	timer_open(&timer, 1);
	timer.again_ns = 1;
	step();
	assert_int_equal(timer.count, 1);
	step();
	assert_int_equal(timer.count, 2);
	loop_deadline_close(loop, &timer.deadline);
}

TEST(test_answer_in_time_is_served_before_its_deadline)
{
	enum { TAPS = 3 * LOOP_BATCH };
	static struct tap taps[TAPS];
	struct timer timer;

	for (size_t i = 0; i < TAPS; i++) {
		tap_open(&taps[i]);
		tap_fill(&taps[i]);
	}
	/*
	 * The deadline has passed, but more than one batch is ready before it.
	 */
	timer_open(&timer, 1);
	for (int round = 0; round < 5 && timer.count == 0; round++)
		step();
	assert_int_equal(timer.count, 1);
	for (size_t i = 0; i < TAPS; i++)
		assert_true(taps[i].count > 0);
	/* It is called again although the batches stay full. */
	loop_deadline_set(loop, &timer.deadline, 1);
	for (int round = 0; round < 5; round++)
		step();
	assert_int_equal(timer.count, 2);
	for (size_t i = 0; i < TAPS; i++)
		tap_close(&taps[i]);
	loop_deadline_close(loop, &timer.deadline);
}

TEST(test_deadlines_have_a_limit)
{
	static struct loop_deadline deadlines[LOOP_DEADLINES_MAX + 1];

	memset(deadlines, 0, sizeof(deadlines));
	for (size_t i = 0; i <= LOOP_DEADLINES_MAX; i++) {
		deadlines[i].on_deadline = timer_on_deadline;
		assert_int_equal(loop_deadline_open(loop, &deadlines[i]),
		    i < LOOP_DEADLINES_MAX ? 0 : -ENOSPC);
	}
	for (size_t i = 0; i <= LOOP_DEADLINES_MAX; i++)
		loop_deadline_close(loop, &deadlines[i]);
	assert_int_equal(loop_deadline_open(loop, &deadlines[0]), 0);
	loop_deadline_close(loop, &deadlines[0]);
}

static int64_t lag_ns;

static void
lag_on_ready(struct loop_watch *watch, uint32_t events)
{
	(void)watch;
	(void)events;
	lag_ns = loop_lag_ns(loop, clock_now_ns());
}

TEST(test_time_spent_elsewhere_is_reported_as_lag)
{
	const struct timespec nap = { 0, 30 * CLOCK_NS_PER_MS };
	struct tap tap;

	tap_open(&tap);
	tap.watch.on_ready = lag_on_ready;
	step();
	tap_fill(&tap);
	nanosleep(&nap, NULL);
	step();
	assert_true(lag_ns >= nap.tv_nsec);
	/* The time that the loop itself waited is no lag. */
	assert_true(loop_lag_ns(loop, clock_now_ns()) >= lag_ns);
	tap_close(&tap);
}

static int signals_seen[2];

static void
on_signal(void *context, int signal)
{
	assert_ptr_equal(context, signals_seen);
	signals_seen[signal == SIGTERM]++;
	loop_stop(loop);
}

TEST(test_signals_are_reported_by_calls)
{
	sigset_t before, after;

	sigprocmask(SIG_BLOCK, NULL, &before);
	assert_int_equal(loop_signals(loop, on_signal, signals_seen), 0);
	raise(SIGINT);
	assert_int_equal(loop_run(loop), 0);
	assert_int_equal(signals_seen[0], 1);
	raise(SIGTERM);
	raise(SIGINT);
	step();
	assert_int_equal(signals_seen[0], 2);
	assert_int_equal(signals_seen[1], 1);
	loop_close(loop);
	sigprocmask(SIG_BLOCK, NULL, &after);
	assert_int_equal(sigismember(&before, SIGINT), 0);
	assert_int_equal(sigismember(&after, SIGINT), 0);
	assert_int_equal(sigismember(&after, SIGTERM), 0);
	assert_int_equal(loop_open(&loop), 0);
}

TEST(test_signal_actions_of_the_process_are_set_and_restored)
{
	struct sigaction action;

	sigaction(SIGPIPE, NULL, &action);
	assert_true(action.sa_handler == SIG_IGN);
	loop_close(loop);
	sigaction(SIGPIPE, NULL, &action);
	assert_true(action.sa_handler == SIG_DFL);
	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(loop_open(&loop), 0);
	sigaction(SIGCHLD, NULL, &action);
	assert_true(action.sa_handler == SIG_DFL);
	loop_close(loop);
	sigaction(SIGCHLD, NULL, &action);
	assert_true(action.sa_handler == SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	assert_int_equal(loop_open(&loop), 0);
}

/*
 * How the loop reports the time in which its process did not run.
 *
 * A process may sleep at the worst moment: after epoll_wait and before it reads
 * the clock.
 */
enum { DEADLINE_MS = 20, SLEEP_MS = 60 };

/* The tap that is filled once, during such a sleep; NULL: no sleep. */
static struct tap *asleep_tap;

static bool wait_interrupted; /* whether a signal ended any wait */

/* The call of the kernel and then the sleep; libraries call this one, too. */
int
epoll_wait(int epoll_fd, struct epoll_event *events, int count, int timeout_ms)
{
	const struct timespec sleep = { .tv_nsec = SLEEP_MS * 1000000 };
	struct tap *tap = asleep_tap;
	int status = (int)syscall(SYS_epoll_wait, epoll_fd, events, count,
	    tap == NULL ? timeout_ms : 0);

	if (status < 0 && errno == EINTR)
		wait_interrupted = true;
	if (tap == NULL)
		return status;
	asleep_tap = NULL;
	tap_fill(tap);
	nanosleep(&sleep, NULL);
	return status;
}

static void
on_lag_tap(struct loop_watch *watch, uint32_t events)
{
	struct tap *tap = watch->context;
	char byte;

	(void)events;
	tap->count++;
	assert_int_equal(read(watch->fd, &byte, 1), 1);
}

/* A heartbeat that records its calls and postpones a deadline. */
struct monitor {
	struct heartbeat heartbeat;
	struct tap *tap;     /* its count is recorded too, or NULL */
	struct timer *timer; /* deadline to postpone, or NULL */
	int64_t
	    timer_ns; /* if not 0, each heartbeat postpones it by this time */
	struct heartbeat *closes; /* closed by the first call; or NULL */
	int heartbeat_count, late_count, tap_count;
	int64_t lag_ns;
};

static void
monitor_close_other(struct monitor *monitor)
{
	if (monitor->closes != NULL)
		loop_heartbeat_close(loop, monitor->closes);
	monitor->closes = NULL;
}

static void
monitor_on_heartbeat(struct heartbeat *heartbeat, int64_t now_ns)
{
	struct monitor *monitor = heartbeat->context;

	assert_true(now_ns <= clock_now_ns());
	monitor->heartbeat_count++;
	monitor_close_other(monitor);
	if (monitor->timer_ns > 0)
		loop_deadline_set(loop, &monitor->timer->deadline,
		    now_ns + monitor->timer_ns);
}

static void
monitor_on_late(struct heartbeat *heartbeat, int64_t now_ns, int64_t late_ns)
{
	struct monitor *monitor = heartbeat->context;

	monitor->late_count++;
	monitor->lag_ns = late_ns;
	monitor_close_other(monitor);
	if (monitor->tap)
		monitor->tap_count = monitor->tap->count;
	if (monitor->timer)
		loop_deadline_set(loop, &monitor->timer->deadline,
		    now_ns + 3600 * CLOCK_NS_PER_S);
}

static void
monitor_open(struct monitor *monitor)
{
	*monitor = (struct monitor){ .heartbeat = { monitor_on_heartbeat,
					 monitor_on_late, monitor, { 0 } } };
	loop_heartbeat_open(loop, &monitor->heartbeat);
}

TEST(test_waiting_loop_wakes_for_each_heartbeat)
{
	int64_t until_ns = clock_now_ns() + 10 * HEARTBEAT_NS;
	struct monitor monitor;
	struct timer timer;

	monitor_open(&monitor);
	timer_open(&timer, until_ns);
	while (timer.count == 0)
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	/* On a busy machine each may be late. */
	assert_in_range(monitor.heartbeat_count + monitor.late_count, 1, 11);
	loop_deadline_close(loop, &timer.deadline);
	loop_heartbeat_close(loop, &monitor.heartbeat);
}

TEST(test_lag_is_reported_after_ready_descriptors_and_before_deadlines)
{
	const struct timespec nap = { 0, HEARTBEAT_LATE_NS + CLOCK_NS_PER_MS };
	struct monitor monitor;
	struct timer timer;
	struct tap tap;

	tap_open(&tap);
	tap.watch.on_ready = on_lag_tap;
	monitor_open(&monitor);
	monitor.tap = &tap;
	monitor.timer = &timer;
	timer_open(&timer, clock_now_ns());
	tap_fill(&tap);
	nanosleep(&nap, NULL);
	assert_int_equal(loop_step(loop, 0), 0);
	assert_int_equal(monitor.late_count, 1);
	assert_true(monitor.lag_ns > HEARTBEAT_LATE_NS);
	assert_int_equal(monitor.tap_count, 1);
	assert_int_equal(timer.count, 0);
	loop_deadline_close(loop, &timer.deadline);
	loop_heartbeat_close(loop, &monitor.heartbeat);
	tap_close(&tap);
}

/*
 * Stops this process for `ms`, then fills the tap, then continues the process.
 */
static pid_t
stop_for(int ms, const struct tap *tap)
{
	const struct timespec nap = { ms / 1000, ms % 1000 * CLOCK_NS_PER_MS };
	const struct timespec moment = { 0, 20 * CLOCK_NS_PER_MS };
	pid_t parent = getpid(), child = fork();

	if (child != 0)
		return child;
	nanosleep(&moment, NULL);
	kill(parent, SIGSTOP);
	nanosleep(&nap, NULL);
	if (write(tap->fds[1], "x", 1) != 1)
		_exit(1);
	kill(parent, SIGCONT);
	_exit(0);
}

TEST(test_stopped_process_learns_of_its_lag_and_reads_before_deadlines)
{
	struct monitor monitor;
	struct timer timer;
	struct tap tap;
	pid_t child;

	tap_open(&tap);
	tap.watch.on_ready = on_lag_tap;
	monitor_open(&monitor);
	monitor.tap = &tap;
	/* The deadline passes only while the process is stopped. */
	timer_open(&timer, clock_now_ns() + CLOCK_NS_PER_S);
	monitor.timer = &timer;
	monitor.timer_ns = CLOCK_NS_PER_S;
	wait_interrupted = false;
	child = stop_for(1500, &tap);
	/* On a busy machine a lag may be reported even before the stop. */
	while (monitor.lag_ns < 1200 * CLOCK_NS_PER_MS)
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	/*
	 * The timer may have ended the wait just before the stop: then the tap
	 * is read in the next round.
	 */
	if (wait_interrupted)
		assert_int_equal(monitor.tap_count, 1);
	while (tap.count == 0)
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	assert_int_equal(timer.count, 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	loop_deadline_close(loop, &timer.deadline);
	loop_heartbeat_close(loop, &monitor.heartbeat);
	tap_close(&tap);
}

/* A heartbeat that another one, or itself, closes meanwhile is not called. */
TEST(test_heartbeat_that_is_closed_meanwhile_is_not_called)
{
	struct monitor monitors[3];

	for (int closed = 0; closed < 3; closed++) {
		/* One of them is closed by a heartbeat that is late. */
		const struct timespec nap = { 0,
			closed == 1 ? HEARTBEAT_LATE_NS + CLOCK_NS_PER_MS
				    : HEARTBEAT_NS };

		for (int i = 0; i < 3; i++)
			monitor_open(&monitors[i]);
		monitors[0].closes = &monitors[closed].heartbeat;
		for (int round = 1; round <= 2; round++) {
			nanosleep(&nap, NULL);
			step();
			for (int i = 0; i < 3; i++)
				assert_int_equal(monitors[i].heartbeat_count +
					monitors[i].late_count,
				    i != closed ? round : closed == 0);
		}
		assert_true(closed != 1 || monitors[0].late_count == 2);
		for (int i = 0; i < 3; i++)
			if (i != closed)
				loop_heartbeat_close(
				    loop, &monitors[i].heartbeat);
	}
}

static struct timer *asleep_timer;
static int64_t
    charged_to_ns; /* time at which the answer was read, less the lag */

static void
on_answer(struct loop_watch *watch, uint32_t events)
{
	int64_t now_ns = clock_now_ns();

	on_lag_tap(watch, events);
	charged_to_ns = now_ns - loop_lag_ns(loop, now_ns);
	loop_deadline_clear(&asleep_timer->deadline);
}

/*
 * An answer that arrives during the sleep is in time; another descriptor that
 * gets ready then is no answer.
 */
TEST(test_answer_during_a_sleep_of_the_arena_is_not_late)
{
	for (int answers = 1; answers >= 0; answers--) {
		struct tap answer, other;
		struct timer timer;
		int64_t deadline_ns =
		    clock_now_ns() + DEADLINE_MS * CLOCK_NS_PER_MS;

		tap_open(&answer);
		answer.watch.on_ready = on_answer;
		tap_open(&other);
		loop_watch_close(loop, &other.watch);
		timer_open(&timer, deadline_ns);
		asleep_timer = &timer;
		asleep_tap = answers ? &answer : &other;
		while (answer.count + timer.count == 0)
			assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
		assert_int_equal(answer.count, answers);
		assert_int_equal(timer.count, !answers);
		if (answers)
			assert_true(charged_to_ns <= deadline_ns);
		loop_deadline_close(loop, &timer.deadline);
		tap_close(&answer);
		tap_close(&other);
	}
}
