/*
 * The loop: what it says of the time that it was away.
 */
#include "loop.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
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

/* A pipe of which the reading end is watched. */
struct tap {
	struct loop_watch watch;
	int fds[2];
	int count; /* calls */
};

static void
tap_on_ready(struct loop_watch *watch, uint32_t events)
{
	struct tap *tap = watch->context;
	char byte;

	(void)events;
	tap->count++;
	assert_int_equal(read(watch->fd, &byte, 1), 1);
}

static void
tap_open(struct tap *tap)
{
	*tap = (struct tap){ .watch = { tap_on_ready, tap, -1, 0 } };
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

/* A deadline that counts. */
struct bell {
	struct loop_deadline deadline;
	int count;
};

static void
bell_on_deadline(struct loop_deadline *deadline, int64_t now_ns)
{
	struct bell *bell = deadline->context;

	(void)now_ns;
	bell->count++;
}

static void
bell_open(struct bell *bell, int64_t deadline_ns)
{
	*bell = (struct bell){ .deadline = { .on_deadline = bell_on_deadline,
				   .context = bell } };
	assert_int_equal(loop_deadline_open(loop, &bell->deadline), 0);
	loop_deadline_set(loop, &bell->deadline, deadline_ns);
}

/* A pulse that notes what it is told, and moves a bell out of the way. */
struct ear {
	struct heartbeat heartbeat;
	struct tap *tap;   /* its count is noted too, or NULL */
	struct bell *bell; /* to be set anew, or NULL */
	int beat_count, late_count, tap_count;
	int64_t lag_ns;
};

static void
ear_on_beat(struct heartbeat *heartbeat, int64_t now_ns)
{
	struct ear *ear = heartbeat->context;

	assert_true(now_ns <= clock_now_ns());
	ear->beat_count++;
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
				 ear_on_beat, ear_on_late, ear, { 0 } } };
	loop_heartbeat_open(loop, &ear->heartbeat);
}

TEST_WITH(test_loop_that_waits_wakes_for_every_beat, loop_setup, loop_teardown)
{
	int64_t until_ns = clock_now_ns() + 10 * HEARTBEAT_NS;
	struct ear ear;
	struct bell bell;

	ear_open(&ear);
	bell_open(&bell, until_ns);
	while (bell.count == 0)
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	assert_in_range(ear.beat_count, 1, 11);
	loop_deadline_close(loop, &bell.deadline);
	loop_heartbeat_close(loop, &ear.heartbeat);
}

TEST_WITH(test_lag_is_told_behind_what_was_ready_and_before_deadlines,
    loop_setup, loop_teardown)
{
	const struct timespec nap = { 0, HEARTBEAT_LATE_NS + CLOCK_NS_PER_MS };
	struct ear ear;
	struct bell bell;
	struct tap tap;

	tap_open(&tap);
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
	const struct timespec nap = { 0, ms * CLOCK_NS_PER_MS };
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

TEST_WITH(test_one_that_was_stopped_knows_and_hears_before_it_judges,
    loop_setup, loop_teardown)
{
	struct ear ear;
	struct bell bell;
	struct tap tap;
	pid_t child;

	tap_open(&tap);
	ear_open(&ear);
	ear.tap = &tap;
	/* Its own deadline passes, or is yet to come: it was away anyway. */
	bell_open(&bell, clock_now_ns() + 200 * CLOCK_NS_PER_MS);
	ear.bell = &bell;
	child = stop_for(500, &tap);
	while (ear.late_count == 0)
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	assert_true(ear.lag_ns > 400 * CLOCK_NS_PER_MS);
	assert_int_equal(ear.tap_count, 1);
	assert_int_equal(bell.count, 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	loop_deadline_close(loop, &bell.deadline);
	loop_heartbeat_close(loop, &ear.heartbeat);
	tap_close(&tap);
}
