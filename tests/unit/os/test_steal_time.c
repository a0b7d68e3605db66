/*
 * How long the processor was stolen: not by ourselves, nor by other processes.
 */
#include "steal_time.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "cores.h"
#include "cpu_usage.h"
#include "test.h"

#define MS CLOCK_NS_PER_MS

/* What a virtual machine may lose of itself while a test runs. */
#define REAL_THEFT_NS (60 * MS)

static struct loop *loop;
static struct steal steal;
static pid_t other;

static int
setup(void **state)
{
	struct cores cores;

	(void)state;
	other = 0;
	assert_int_equal(cores_allowed(&cores), 0);
	assert_int_equal(cores_pin(cores.ids[0]), 0);
	assert_int_equal(loop_open(&loop), 0);
	return steal_open(&steal, loop);
}

static int
teardown(void **state)
{
	(void)state;
	if (other > 0) {
		kill(other, SIGKILL);
		waitpid(other, NULL, 0);
	}
	steal_close(&steal);
	loop_close(loop);
	return 0;
}

static void
serve_until(int64_t until_ns)
{
	while (clock_now_ns() < until_ns)
		assert_int_equal(loop_step(loop, until_ns), 0);
}

static void
spin_until(int64_t until_ns)
{
	while (clock_now_ns() < until_ns)
		continue;
}

/* A process that cannot run and waits for nobody is as a machine that stands. */
static void
stop_for(int64_t ns)
{
	pid_t self = getpid();

	other = fork();
	if (other == 0) {
		kill(self, SIGSTOP);
		usleep((useconds_t)(ns / 1000));
		kill(self, SIGCONT);
		_exit(0);
	}
}

TEST_WITH(test_time_that_nobody_had_is_told, setup, teardown)
{
	int64_t begun_ns = clock_now_ns(), now_ns, stolen_ns;

	steal_mind(&steal, begun_ns);
	serve_until(begun_ns + 20 * MS);
	stop_for(40 * MS);
	serve_until(begun_ns + 100 * MS);
	now_ns = clock_now_ns();
	stolen_ns = steal_ns(&steal, begun_ns);
	assert_true(stolen_ns >= 30 * MS);
	assert_true(stolen_ns <= now_ns - begun_ns - 10 * MS);
	/* Of what is older than a question nothing is its. */
	assert_true(steal_ns(&steal, now_ns) <= REAL_THEFT_NS / 2);
}

/* The question comes before the beat that would have told. */
TEST_WITH(test_theft_is_told_before_its_beat, setup, teardown)
{
	int64_t begun_ns = clock_now_ns();

	steal_mind(&steal, begun_ns);
	serve_until(begun_ns + 10 * MS);
	stop_for(40 * MS);
	waitpid(other, NULL, 0);
	other = 0;
	assert_true(steal_ns(&steal, begun_ns) >= 30 * MS);
}

TEST_WITH(test_own_work_is_no_theft, setup, teardown)
{
	int64_t begun_ns = clock_now_ns();
	int64_t wait_ns = scheduler_wait_ns(steal.schedstat_fd);

	steal_mind(&steal, begun_ns);
	for (int i = 0; i < 100; i++) {
		spin_until(clock_now_ns() + 3 * MS);
		assert_int_equal(loop_step(loop, 0), 0);
	}
	/* Where others have much to do, waits may be long. */
	wait_ns = scheduler_wait_ns(steal.schedstat_fd) - wait_ns;
	assert_true(steal_ns(&steal, begun_ns) <= wait_ns + REAL_THEFT_NS);
}

/* The kernel says that we have run all the time. */
TEST_WITH(test_who_seems_to_work_for_too_long_is_robbed, setup, teardown)
{
	int64_t begun_ns = clock_now_ns(), stolen_ns;

	steal_mind(&steal, begun_ns);
	spin_until(begun_ns + 40 * MS);
	assert_int_equal(loop_step(loop, 0), 0);
	stolen_ns = steal_ns(&steal, begun_ns);
	assert_in_range(stolen_ns, 30 * MS, 40 * MS + REAL_THEFT_NS);
}

/* Another computes all the time; long waits are left out of account. */
TEST_WITH(test_short_waits_for_others_are_no_theft, setup, teardown)
{
	int64_t patience_ns = clock_now_ns() + 30 * CLOCK_NS_PER_S;
	int waits = 0, thefts = 0;

	other = fork();
	if (other == 0)
		for (;;)
			continue;
	while (waits < 20 && clock_now_ns() < patience_ns) {
		int64_t now_ns = clock_now_ns(), wait_ns;
		unsigned int count = steal.count;

		(void)steal_ns(&steal, now_ns);
		steal_mind(&steal, now_ns);
		wait_ns = scheduler_wait_ns(steal.schedstat_fd);
		spin_until(now_ns + MS / 4);
		serve_until(now_ns + 3 * MS);
		wait_ns = scheduler_wait_ns(steal.schedstat_fd) - wait_ns;
		if (wait_ns < MS / 4 || wait_ns > 9 * MS / 2)
			continue;
		waits++;
		thefts += steal.count != count;
	}
	assert_true(waits > 0 && 2 * thefts <= waits);
}

/* Rare beats, as where it is crowded, tell of no more than was stolen. */
TEST_WITH(test_rare_beat_tells_no_more_than_that_it_is_late, setup, teardown)
{
	int64_t begun_ns = clock_now_ns(), stolen_ns;

	/* As if we had waited ever since. */
	steal.window_wait_ns = -CLOCK_NS_PER_S * CLOCK_NS_PER_S;
	steal_mind(&steal, begun_ns);
	assert_true(steal.crowded);
	assert_int_equal(steal.due_ns - begun_ns, 64 * MS);
	serve_until(begun_ns + 20 * MS);
	stop_for(80 * MS);
	serve_until(begun_ns + 120 * MS);
	stolen_ns = steal_ns(&steal, begun_ns);
	assert_true(stolen_ns >= 30 * MS);
	/* The beat was to come after 64 ms. */
	assert_true(stolen_ns <= clock_now_ns() - begun_ns - 50 * MS);
}

TEST_WITH(test_beat_ends_when_nobody_minds, setup, teardown)
{
	int64_t begun_ns = clock_now_ns();

	assert_int_equal(steal.beat.deadline_ns, LOOP_NEVER);
	steal_mind(&steal, begun_ns);
	assert_int_not_equal(steal.beat.deadline_ns, LOOP_NEVER);
	/* As if nobody had minded for long. */
	steal.minded_ns = begun_ns;
	serve_until(begun_ns + 50 * MS);
	assert_int_equal(steal.beat.deadline_ns, LOOP_NEVER);
	stop_for(40 * MS);
	serve_until(begun_ns + 120 * MS);
	assert_true(steal_ns(&steal, begun_ns) <= REAL_THEFT_NS / 2);
}

TEST_WITH(test_nothing_is_told_where_the_kernel_does_not_count, setup, teardown)
{
	int64_t begun_ns = clock_now_ns();

	close(steal.schedstat_fd);
	steal.schedstat_fd = -1;
	steal_mind(&steal, begun_ns);
	assert_int_equal(steal.beat.deadline_ns, LOOP_NEVER);
	assert_int_equal(steal_ns(&steal, begun_ns), 0);
}
