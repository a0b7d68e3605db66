/*
 * A series of games: its games, its results in order, and its end.
 */
#include "dispatcher.h"

#include <signal.h>
#include <unistd.h>

#include "dispatcher_fixture.h"
#include "summary.h"
#include "test.h"

enum { TICK_NS = 1000000 };

static struct dispatcher_fixture *fixture;

/* `rounds` rounds of two bots. */
static void
open_rounds(int rounds)
{
	fixture = dispatcher_fixture_open("scopa");
	dispatcher_fixture_bot(fixture, "first");
	dispatcher_fixture_bot(fixture, "random");
	dispatcher_fixture_round_robin(fixture, rounds);
}

/* At every third call there is no game until a result or a tick. */
static enum dispatcher_supply
hesitate(struct dispatcher_fixture *its, struct dispatcher *dispatcher)
{
	(void)dispatcher;
	its->counter++;
	return its->counter % 3 == 0 ? DISPATCHER_WAIT : DISPATCHER_GAME;
}

static void
supply_again(struct dispatcher *dispatcher, void *context)
{
	(void)context;
	dispatcher_supply_again(dispatcher);
}

TEST(test_caller_may_have_no_game_for_some_time)
{
	open_rounds(10);
	fixture->config.tick_ns = TICK_NS;
	fixture->before_next = hesitate;
	fixture->calls.on_tick = supply_again;
	for (int at_once = 1; at_once <= 4; at_once += 3) {
		fixture->config.concurrency = at_once;
		dispatcher_fixture_play_all(fixture);
	}
}

static void
end_at_ten(struct dispatcher_fixture *its, struct dispatcher *dispatcher)
{
	if (its->result_count == 10) {
		dispatcher_end(dispatcher, DISPATCHER_STOPPED, 5,
		    (enum stop_mode)its->counter);
		dispatcher_end(dispatcher, DISPATCHER_FAILED, 6, STOP_FINISH);
	}
}

TEST(test_caller_may_end_a_series)
{
	struct dispatcher_outcome outcome;

	open_rounds(20);
	fixture->after_result = end_at_ten;
	fixture->config.concurrency = 4;
	for (int order = STOP_FINISH; order <= STOP_KILL; order++) {
		int64_t last = -1;

		fixture->counter = order;
		outcome = dispatcher_fixture_play(fixture);
		assert_int_equal(outcome.end, DISPATCHER_STOPPED);
		assert_int_equal(outcome.detail, 5);
		assert_in_range(fixture->result_count, 10, 10 + 4 * 4);
		if (order == STOP_FINISH)
			assert_int_equal(
			    fixture->result_count, fixture->next_game);
		for (int i = 0; i < fixture->result_count; i++) {
			assert_true(
			    fixture->results[i].result.summary.game > last);
			last = fixture->results[i].result.summary.game;
		}
	}
}

static void
raise_signal(struct dispatcher_fixture *its, struct dispatcher *dispatcher)
{
	(void)dispatcher;
	if (its->result_count % 3 == 0 && its->result_count < 10)
		kill(getpid(), SIGTERM);
}

static void
end_at_third_signal(
    struct dispatcher *dispatcher, void *context, int number, int count)
{
	(void)context;
	assert_int_equal(number, SIGTERM);
	assert_int_equal(count, ++fixture->counter);
	if (count == 3)
		dispatcher_end(
		    dispatcher, DISPATCHER_INTERRUPTED, number, STOP_FINISH);
}

/*
 * The bot of the first game waits for the file `starts`, which is made when
 * another game has been reported.
 */
static void
let_first_begin(struct dispatcher_fixture *its, struct dispatcher *dispatcher)
{
	(void)dispatcher;
	folder_write(folder_path(its->folder, "starts"), "");
}

TEST(test_results_are_reported_out_of_order_if_the_caller_wants_it)
{
	struct dispatcher_outcome outcome;

	fixture = dispatcher_fixture_open("scopa");
	dispatcher_fixture_script(fixture,
	    "until [ -e \"$1/starts\" ]; do sleep 0.01; done\n"
	    "exec \"$0\" bot first");
	dispatcher_fixture_bot(fixture, "first");
	dispatcher_fixture_bot(fixture, "random");
	dispatcher_fixture_pair(fixture, 0, 1);
	for (int i = 0; i < 20; i++)
		dispatcher_fixture_pair(fixture, 1, 2);
	fixture->config.concurrency = 2;
	fixture->config.unordered = true;
	fixture->after_result = let_first_begin;
	outcome = dispatcher_fixture_play(fixture);
	assert_int_equal(outcome.end, DISPATCHER_DONE);
	assert_int_equal(fixture->result_count, fixture->game_count);
	assert_int_equal(fixture->results[0].result.summary.game, 1);
}

TEST(test_signals_are_counted_and_left_to_the_caller)
{
	struct dispatcher_outcome outcome;

	open_rounds(50);
	fixture->after_result = raise_signal;
	fixture->calls.on_signal = end_at_third_signal;
	outcome = dispatcher_fixture_play(fixture);
	assert_int_equal(outcome.end, DISPATCHER_INTERRUPTED);
	assert_int_equal(outcome.detail, SIGTERM);
	assert_int_equal(fixture->counter, 3);
	assert_in_range(fixture->result_count, 9, 99);
	assert_string_equal(
	    fixture->results[fixture->result_count - 1].result.summary.reason,
	    "deals");
}

TEST_EACH(NULL, dispatcher_fixture_teardown)
