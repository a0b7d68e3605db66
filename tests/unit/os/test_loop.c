/*
 * The loop: descriptors, deadlines and signals, and who comes first.
 */
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
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

/* A pipe of which the reading end is watched. */
struct tap {
	struct loop_watch watch;
	struct tap *other; /* to be closed on being ready */
	int fds[2];
	int count; /* calls */
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

/* A deadline that notes its turn. */
struct bell {
	struct loop_deadline deadline;
	struct tap *tap;  /* its count is noted too */
	int64_t again_ns; /* 0: is not set again */
	int64_t order;    /* 0: has not rung */
	int count;
	int tap_count;
};

static int64_t bells_rung;

static void
bell_on_deadline(struct loop_deadline *deadline, int64_t now_ns)
{
	struct bell *bell = deadline->context;

	assert_int_equal(deadline->deadline_ns, LOOP_NEVER);
	assert_true(now_ns <= clock_now_ns());
	bell->count++;
	bell->order = ++bells_rung;
	if (bell->tap != NULL)
		bell->tap_count = bell->tap->count;
	if (bell->again_ns != 0)
		loop_deadline_set(loop, deadline, bell->again_ns);
}

static void
bell_open(struct bell *bell, int64_t deadline_ns)
{
	*bell = (struct bell){ .deadline = { .on_deadline = bell_on_deadline,
				   .context = bell } };
	assert_int_equal(loop_deadline_open(loop, &bell->deadline), 0);
	loop_deadline_set(loop, &bell->deadline, deadline_ns);
}

TEST(test_deadline_is_never_early_and_rings_once)
{
	int64_t deadline_ns = clock_now_ns() + 5 * CLOCK_NS_PER_MS;
	struct bell bell;

	bell_open(&bell, deadline_ns);
	step();
	while (bell.count == 0) {
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
		assert_true(bell.count == 0 || clock_now_ns() >= deadline_ns);
	}
	step();
	assert_int_equal(bell.count, 1);
	loop_deadline_close(loop, &bell.deadline);
	loop_deadline_close(loop, &bell.deadline);
}

static uint64_t
random_next(uint64_t *random)
{
	*random = *random * 6364136223846793005U + 1442695040888963407U;
	return *random >> 33;
}

/* Every one that was set rings, in the order of time, and no other does. */
static void
expect_order(struct bell *bells, size_t count, const int64_t *times)
{
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(
		    bells[i].count, times[i] == LOOP_NEVER ? 0 : 1);
		for (size_t j = 0; j < count; j++)
			if (times[i] != LOOP_NEVER && times[i] < times[j] &&
			    times[j] != LOOP_NEVER)
				assert_true(bells[i].order < bells[j].order);
	}
}

TEST(test_many_deadlines_ring_in_order)
{
	enum { BELLS = 300 };
	static struct bell bells[BELLS];
	static int64_t times[BELLS];
	uint64_t random = 7;

	for (int round = 0; round < 20; round++) {
		int64_t now_ns = clock_now_ns();

		for (size_t i = 0; i < BELLS; i++)
			bell_open(&bells[i], LOOP_NEVER);
		for (int change = 0; change < 4 * BELLS; change++) {
			size_t i = random_next(&random) % BELLS;
			int64_t ago_ns =
			    (int64_t)(random_next(&random) % 100000);

			times[i] = now_ns - ago_ns;
			if (ago_ns % 5 == 0)
				times[i] = LOOP_NEVER;
			loop_deadline_set(loop, &bells[i].deadline, times[i]);
		}
		for (size_t i = 0; i < BELLS; i++)
			times[i] = bells[i].deadline.deadline_ns;
		for (size_t i = 0; i < BELLS; i += 50) {
			times[i] = LOOP_NEVER;
			loop_deadline_close(loop, &bells[i].deadline);
		}
		step();
		expect_order(bells, BELLS, times);
		for (size_t i = 0; i < BELLS; i++)
			loop_deadline_close(loop, &bells[i].deadline);
	}
}

TEST(test_deadline_that_sets_itself_in_the_past_does_not_hold_the_loop)
{
	struct bell bell;

	bell_open(&bell, 1);
	bell.again_ns = 1;
	step();
	assert_int_equal(bell.count, 1);
	step();
	assert_int_equal(bell.count, 2);
	loop_deadline_close(loop, &bell.deadline);
}

TEST(test_answer_in_time_comes_before_its_deadline)
{
	enum { TAPS = 3 * LOOP_BATCH };
	static struct tap taps[TAPS];
	struct bell bell;

	for (size_t i = 0; i < TAPS; i++) {
		tap_open(&taps[i]);
		tap_fill(&taps[i]);
	}
	/* It has passed long ago, and yet more than one batch is ready. */
	bell_open(&bell, 1);
	for (int round = 0; round < 5 && bell.count == 0; round++)
		step();
	assert_int_equal(bell.count, 1);
	for (size_t i = 0; i < TAPS; i++)
		assert_true(taps[i].count > 0);
	/* And though the batches stay full, it comes again. */
	loop_deadline_set(loop, &bell.deadline, 1);
	for (int round = 0; round < 5; round++)
		step();
	assert_int_equal(bell.count, 2);
	for (size_t i = 0; i < TAPS; i++)
		tap_close(&taps[i]);
	loop_deadline_close(loop, &bell.deadline);
}

TEST(test_deadlines_have_a_limit)
{
	static struct loop_deadline deadlines[LOOP_DEADLINES_MAX + 1];

	memset(deadlines, 0, sizeof(deadlines));
	for (size_t i = 0; i <= LOOP_DEADLINES_MAX; i++) {
		deadlines[i].on_deadline = bell_on_deadline;
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
	/* What was waited for in the loop itself is none. */
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

TEST(test_signals_become_calls)
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

TEST(test_signals_of_the_process_are_set_and_given_back)
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
 * The loop: what it says of the time that it was away.
 */
static void
on_lag_tap(struct loop_watch *watch, uint32_t events)
{
	struct tap *tap = watch->context;
	char byte;

	(void)events;
	tap->count++;
	assert_int_equal(read(watch->fd, &byte, 1), 1);
}

/* A heartbeat that notes what it is told, and puts a deadline off. */
struct ear {
	struct heartbeat heartbeat;
	struct tap *tap;   /* its count is noted too, or NULL */
	struct bell *bell; /* to be set again, or NULL */
	int64_t bell_ns;   /* if not 0, each beat sets it so much later */
	int heartbeat_count, late_count, tap_count;
	int64_t lag_ns;
};

static void
ear_on_heartbeat(struct heartbeat *heartbeat, int64_t now_ns)
{
	struct ear *ear = heartbeat->context;

	assert_true(now_ns <= clock_now_ns());
	ear->heartbeat_count++;
	if (ear->bell_ns > 0)
		loop_deadline_set(
		    loop, &ear->bell->deadline, now_ns + ear->bell_ns);
}

static void
ear_on_late(struct heartbeat *heartbeat, int64_t now_ns, int64_t late_ns)
{
	struct ear *ear = heartbeat->context;

	ear->late_count++;
	ear->lag_ns = late_ns;
	if (ear->tap)
		ear->tap_count = ear->tap->count;
	if (ear->bell)
		loop_deadline_set(
		    loop, &ear->bell->deadline, now_ns + 3600 * CLOCK_NS_PER_S);
}

static void
ear_open(struct ear *ear)
{
	*ear = (struct ear){ .heartbeat = {
				 ear_on_heartbeat, ear_on_late, ear, { 0 } } };
	loop_heartbeat_open(loop, &ear->heartbeat);
}

TEST(test_loop_that_waits_wakes_for_every_heartbeat)
{
	int64_t until_ns = clock_now_ns() + 10 * HEARTBEAT_NS;
	struct ear ear;
	struct bell bell;

	ear_open(&ear);
	bell_open(&bell, until_ns);
	while (bell.count == 0)
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	assert_in_range(ear.heartbeat_count, 1, 11);
	loop_deadline_close(loop, &bell.deadline);
	loop_heartbeat_close(loop, &ear.heartbeat);
}

TEST(test_lag_is_reported_behind_what_was_ready_and_before_deadlines)
{
	const struct timespec nap = { 0, HEARTBEAT_LATE_NS + CLOCK_NS_PER_MS };
	struct ear ear;
	struct bell bell;
	struct tap tap;

	tap_open(&tap);
	tap.watch.on_ready = on_lag_tap;
	ear_open(&ear);
	ear.tap = &tap;
	ear.bell = &bell;
	bell_open(&bell, clock_now_ns());
	tap_fill(&tap);
	nanosleep(&nap, NULL);
	assert_int_equal(loop_step(loop, 0), 0);
	assert_int_equal(ear.late_count, 1);
	assert_true(ear.lag_ns > HEARTBEAT_LATE_NS);
	assert_int_equal(ear.tap_count, 1);
	assert_int_equal(bell.count, 0);
	loop_deadline_close(loop, &bell.deadline);
	loop_heartbeat_close(loop, &ear.heartbeat);
	tap_close(&tap);
}

/* Stops this process for `ms`, then fills the tap, then lets it go on. */
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

TEST(test_one_that_was_stopped_knows_and_hears_before_it_judges)
{
	struct ear ear;
	struct bell bell;
	struct tap tap;
	pid_t child;

	tap_open(&tap);
	tap.watch.on_ready = on_lag_tap;
	ear_open(&ear);
	ear.tap = &tap;
	/* The deadline passes while it is stopped, and never before. */
	bell_open(&bell, clock_now_ns() + CLOCK_NS_PER_S);
	ear.bell = &bell;
	ear.bell_ns = CLOCK_NS_PER_S;
	child = stop_for(1500, &tap);
	/* On a busy machine it may also be late before it is stopped. */
	while (ear.lag_ns < 1200 * CLOCK_NS_PER_MS)
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	assert_int_equal(ear.tap_count, 1);
	assert_int_equal(bell.count, 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	loop_deadline_close(loop, &bell.deadline);
	loop_heartbeat_close(loop, &ear.heartbeat);
	tap_close(&tap);
}

/*
 * Heartbeats: when they are reported, and which may begin and end meanwhile.
 */
#define MS INT64_C(1000000)

static struct heartbeat_list list;

/* A heartbeat that counts, and may remove another one. */
struct heart {
	struct heartbeat heartbeat;
	struct heartbeat *removes;
	int heartbeat_count, late_count;
	int64_t now_ns, lag_ns; /* of the last call */
};

static void
heart_remove(struct heart *heart)
{
	if (heart->removes)
		heartbeat_remove(&list, heart->removes);
	heart->removes = NULL;
}

static void
on_heartbeat(struct heartbeat *heartbeat, int64_t now_ns)
{
	struct heart *heart = heartbeat->context;

	heart->heartbeat_count++;
	heart->now_ns = now_ns;
	heart_remove(heart);
}

static void
on_late(struct heartbeat *heartbeat, int64_t now_ns, int64_t late_ns)
{
	struct heart *heart = heartbeat->context;

	heart->late_count++;
	heart->now_ns = now_ns;
	heart->lag_ns = late_ns;
	heart_remove(heart);
}

static void
heart_add(struct heart *heart)
{
	*heart = (struct heart){ .heartbeat = {
				     on_heartbeat, on_late, heart, { 0 } } };
	heartbeat_add(&list, &heart->heartbeat);
}

TEST(test_heartheartbeats_are_reported_no_more_often_than_they_are_due)
{
	struct heart heart;

	heartbeat_list_init(&list);
	heart_add(&heart);
	heartbeat_notify(&list, 100 * MS, 0);
	assert_int_equal(heart.heartbeat_count, 1);
	heartbeat_notify(&list, 100 * MS + HEARTBEAT_NS - 1, 0);
	assert_int_equal(heart.heartbeat_count, 1);
	heartbeat_notify(&list, 100 * MS + HEARTBEAT_NS, 0);
	assert_int_equal(heart.heartbeat_count, 2);
	assert_true(heart.now_ns == 100 * MS + HEARTBEAT_NS);
}

TEST(test_a_lag_is_reported_above_the_limit_and_at_once)
{
	struct heart heart;

	heartbeat_list_init(&list);
	heart_add(&heart);
	heartbeat_notify(&list, 1000 * MS, HEARTBEAT_LATE_NS);
	assert_int_equal(heart.late_count, 0);
	heartbeat_notify(&list, 1001 * MS, HEARTBEAT_LATE_NS + 1);
	assert_int_equal(heart.late_count, 1);
	assert_true(heart.now_ns == 1001 * MS);
	assert_true(heart.lag_ns == HEARTBEAT_LATE_NS + 1);
	assert_int_equal(heart.heartbeat_count, 1);
}

TEST(test_calls_that_are_not_wanted_are_left_out)
{
	struct heart heart;

	heartbeat_list_init(&list);
	heart_add(&heart);
	heart.heartbeat.on_heartbeat = NULL;
	heart.heartbeat.on_late = NULL;
	heartbeat_notify(&list, 1000 * MS, 0);
	heartbeat_notify(&list, 2000 * MS, 1000 * MS);
	assert_int_equal(heart.heartbeat_count + heart.late_count, 0);
}

TEST(test_process_that_is_removed_meanwhile_is_not_reported)
{
	struct heart hearts[3];

	for (int i = 0; i < 3; i++) {
		heartbeat_list_init(&list);
		for (int other = 0; other < 3; other++)
			heart_add(&hearts[other]);
		hearts[0].removes = &hearts[i].heartbeat;
		heartbeat_notify(&list, 1000 * MS, i == 1 ? 1000 * MS : 0);
		for (int other = 1; other < 3; other++)
			assert_int_equal(hearts[other].heartbeat_count +
				hearts[other].late_count,
			    other != i);
		heartbeat_notify(&list, 9000 * MS, 0);
		for (int other = 0; other < 3; other++)
			assert_int_equal(hearts[other].heartbeat_count +
				hearts[other].late_count,
			    other != i ? 2 : i == 0);
	}
}

/*
 * A loop whose process sleeps at the worst moment: between what the kernel
 * said and the look at the clock.
 */
enum { DEADLINE_MS = 20, SLEEP_MS = 60 };

/* What is filled during the sleep, once; NULL: there is none. */
static struct tap *asleep_tap;

/* The kernel's, with the sleep behind it; libraries call this one, too. */
int
epoll_wait(int epoll_fd, struct epoll_event *events, int count, int timeout_ms)
{
	const struct timespec sleep = { .tv_nsec = SLEEP_MS * 1000000 };
	struct tap *tap = asleep_tap;
	int status = (int)syscall(SYS_epoll_wait, epoll_fd, events, count,
	    tap == NULL ? timeout_ms : 0);

	if (tap == NULL)
		return status;
	asleep_tap = NULL;
	tap_fill(tap);
	nanosleep(&sleep, NULL);
	return status;
}

static struct bell *asleep_bell;
static int64_t charged_to_ns; /* when the answer was read, without the lag */

static void
on_answer(struct loop_watch *watch, uint32_t events)
{
	int64_t now_ns = clock_now_ns();

	on_lag_tap(watch, events);
	charged_to_ns = now_ns - loop_lag_ns(loop, now_ns);
	loop_deadline_clear(&asleep_bell->deadline);
}

/* An answer that comes in the sleep is in time; a word of another is none. */
TEST(test_answer_in_the_sleep_of_the_arena_is_no_late_one)
{
	for (int answers = 1; answers >= 0; answers--) {
		struct tap answer, other;
		struct bell bell;
		int64_t deadline_ns =
		    clock_now_ns() + DEADLINE_MS * CLOCK_NS_PER_MS;

		tap_open(&answer);
		answer.watch.on_ready = on_answer;
		tap_open(&other);
		loop_watch_close(loop, &other.watch);
		bell_open(&bell, deadline_ns);
		asleep_bell = &bell;
		asleep_tap = answers ? &answer : &other;
		while (answer.count + bell.count == 0)
			assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
		assert_int_equal(answer.count, answers);
		assert_int_equal(bell.count, !answers);
		if (answers)
			assert_true(charged_to_ns <= deadline_ns);
		loop_deadline_close(loop, &bell.deadline);
		tap_close(&answer);
		tap_close(&other);
	}
}
