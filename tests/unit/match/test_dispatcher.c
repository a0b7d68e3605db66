/*
 * Series of games between real processes: who plays is the test's, and nothing
 * depends on how many games are on at once.
 */
#include "dispatcher.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "series_fixture.h"
#include "summary.h"
#include "test.h"

enum { TICK_NS = 1000000 };

static struct series_fixture *fixture;

static void
open_fixture(const char *spec)
{
	fixture = series_fixture_open(spec);
}

static int
teardown(void **state)
{
	(void)state;
	if (fixture)
		series_fixture_close(fixture);
	fixture = NULL;
	return 0;
}

TEST_WITH(
    test_records_do_not_depend_on_the_number_of_games_at_once, NULL, teardown)
{
	char *one, *eight;

	open_fixture("scopa");
	for (int i = 0; i < 5; i++)
		series_fixture_bot(fixture, i % 2 ? "first" : "random");
	series_fixture_round_robin(fixture, 3);
	series_fixture_play_all(fixture);
	one = series_fixture_records(fixture);
	fixture->config.concurrency = 8;
	series_fixture_play_all(fixture);
	eight = series_fixture_records(fixture);
	assert_true(strlen(one) > 60 * 1000);
	assert_string_equal(one, eight);
	free(one);
	free(eight);
}

TEST_WITH(test_a_result_is_what_its_record_says, NULL, teardown)
{
	open_fixture("scopone");
	series_fixture_bot(fixture, "random");
	series_fixture_bot(fixture, "greedy");
	series_fixture_bot(fixture, "first");
	series_fixture_bot(fixture, "random");
	for (int i = 0; i < 8; i++)
		series_fixture_game(fixture,
		    (int[SCOPA_SEATS_MAX]){
			i % 4, (i + 1) % 4, (i + 2) % 4, (i + 3) % 4 });
	for (int i = 0; i < 8; i++) {
		fixture->games[i].index = 1000 + i;
		fixture->games[i].round = 70;
		fixture->games[i].rotation = i;
	}
	fixture->config.concurrency = 3;
	series_fixture_play_all(fixture);
	for (int i = 0; i < 8; i++) {
		const struct game_result *result = &fixture->told[i].result;
		const char *block = fixture->told[i].block;
		struct summary summary;

		assert_int_equal(
		    summary_read(&summary, block, strlen(block)), 0);
		assert_int_equal(summary.game, 1000 + i);
		assert_int_equal(summary.round, 70);
		assert_int_equal(summary.rotation, i);
		assert_int_equal(result->game, 1000 + i);
		assert_int_equal(result->round, 70);
		assert_int_equal(result->rotation, i);
		assert_int_equal(result->winner, summary.winner);
		assert_memory_equal(
		    result->scores, summary.scores, sizeof(summary.scores));
		assert_memory_equal(result->item_points, summary.item_points,
		    sizeof(summary.item_points));
		for (int seat = 0; seat < 4; seat++)
			assert_string_equal(
			    result->names[seat], summary.names[seat]);
	}
}

/* Every third time there is no game until a result or a tick comes. */
static enum dispatcher_supply
hesitate(struct series_fixture *its, struct dispatcher *dispatcher)
{
	(void)dispatcher;
	its->counter++;
	return its->counter % 3 == 0 ? DISPATCHER_WAIT : DISPATCHER_GAME;
}

static void
supply_again(struct series_fixture *its, struct dispatcher *dispatcher)
{
	(void)its;
	dispatcher_supply_again(dispatcher);
}

TEST_WITH(test_a_caller_may_have_no_game_for_a_while, NULL, teardown)
{
	open_fixture("scopa");
	series_fixture_bot(fixture, "first");
	series_fixture_bot(fixture, "random");
	series_fixture_round_robin(fixture, 10);
	fixture->config.tick_ns = TICK_NS;
	fixture->before_next = hesitate;
	fixture->on_tick = supply_again;
	for (int at_once = 1; at_once <= 4; at_once += 3) {
		fixture->config.concurrency = at_once;
		series_fixture_play_all(fixture);
	}
}

/* Nothing is on: only results that were told ask again. */
static enum dispatcher_supply
wait_for_results(struct series_fixture *its, struct dispatcher *dispatcher)
{
	(void)dispatcher;
	return its->next_game > its->told_count ? DISPATCHER_WAIT
						: DISPATCHER_GAME;
}

TEST_WITH(test_a_result_asks_again, NULL, teardown)
{
	open_fixture("scopa");
	series_fixture_bot(fixture, "first");
	series_fixture_bot(fixture, "random");
	series_fixture_round_robin(fixture, 5);
	fixture->config.concurrency = 8;
	fixture->before_next = wait_for_results;
	series_fixture_play_all(fixture);
}

static void
end_at_ten(struct series_fixture *its, struct dispatcher *dispatcher)
{
	if (its->told_count == 10) {
		dispatcher_end(dispatcher, DISPATCHER_STOPPED, 5,
		    (enum stop_mode)its->counter);
		dispatcher_end(dispatcher, DISPATCHER_FAILED, 6, STOP_FINISH);
	}
}

TEST_WITH(test_a_caller_may_end_a_series, NULL, teardown)
{
	struct dispatcher_outcome outcome;

	open_fixture("scopa");
	series_fixture_bot(fixture, "first");
	series_fixture_bot(fixture, "random");
	series_fixture_round_robin(fixture, 20);
	fixture->after_result = end_at_ten;
	fixture->config.concurrency = 4;
	for (int order = STOP_FINISH; order <= STOP_KILL; order++) {
		int last = -1;

		fixture->counter = order;
		outcome = series_fixture_play(fixture);
		assert_int_equal(outcome.end, DISPATCHER_STOPPED);
		assert_int_equal(outcome.detail, 5);
		assert_in_range(fixture->told_count, 10, 10 + 4 * 4);
		if (order == STOP_FINISH)
			assert_int_equal(
			    fixture->told_count, fixture->next_game);
		for (int i = 0; i < fixture->told_count; i++) {
			assert_true(fixture->told[i].result.game > last);
			last = fixture->told[i].result.game;
		}
	}
}

static enum dispatcher_supply
end_instead(struct series_fixture *its, struct dispatcher *dispatcher)
{
	if (its->next_game == 3)
		dispatcher_end(
		    dispatcher, DISPATCHER_FAILED, -EIO, STOP_FINISH);
	return DISPATCHER_GAME;
}

TEST_WITH(test_a_series_may_end_when_it_asks_for_a_game, NULL, teardown)
{
	struct dispatcher_outcome outcome;

	open_fixture("scopa");
	series_fixture_bot(fixture, "first");
	series_fixture_bot(fixture, "random");
	series_fixture_round_robin(fixture, 5);
	fixture->before_next = end_instead;
	fixture->config.concurrency = 8;
	outcome = series_fixture_play(fixture);
	assert_int_equal(outcome.end, DISPATCHER_FAILED);
	assert_int_equal(outcome.detail, -EIO);
	assert_int_equal(fixture->told_count, 3);
}

static void
raise_signal(struct series_fixture *its, struct dispatcher *dispatcher)
{
	(void)dispatcher;
	if (its->told_count % 3 == 0 && its->told_count < 10)
		kill(getpid(), SIGTERM);
}

static void
heed_third(struct series_fixture *its, struct dispatcher *dispatcher,
    int number, int count)
{
	assert_int_equal(number, SIGTERM);
	assert_int_equal(count, ++its->counter);
	if (count == 3)
		dispatcher_end(
		    dispatcher, DISPATCHER_INTERRUPTED, number, STOP_FINISH);
}

TEST_WITH(test_signals_are_counted_and_left_to_the_caller, NULL, teardown)
{
	struct dispatcher_outcome outcome;

	open_fixture("scopa");
	series_fixture_bot(fixture, "first");
	series_fixture_bot(fixture, "random");
	series_fixture_round_robin(fixture, 50);
	fixture->after_result = raise_signal;
	fixture->on_signal = heed_third;
	outcome = series_fixture_play(fixture);
	assert_int_equal(outcome.end, DISPATCHER_INTERRUPTED);
	assert_int_equal(outcome.detail, SIGTERM);
	assert_int_equal(fixture->counter, 3);
	assert_in_range(fixture->told_count, 9, 99);
	assert_string_equal(
	    fixture->told[fixture->told_count - 1].result.reason, "deals");
}

TEST_ROLE(series_fixture_is_role, series_fixture_role)
