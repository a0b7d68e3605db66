/*
 * Series of games between real processes: who plays is the test's, and nothing
 * depends on how many games are on at once.
 */
#include "series.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "circuit.h"
#include "summary.h"

enum { TICK_NS = 1000000 };

static struct circuit *circuit;

static void
open_circuit(const char *spec)
{
	circuit = circuit_open(spec);
}

static int
teardown(void **state)
{
	(void)state;
	if (circuit)
		circuit_close(circuit);
	circuit = NULL;
	return 0;
}

/* Everybody meets everybody, in both orders, so many times. */
static void
add_round_robin(int rounds)
{
	int count = circuit->config.entrant_count;

	for (int round = 0; round < rounds; round++)
		for (int a = 0; a < count; a++)
			for (int b = 0; b < count; b++)
				if (a != b)
					circuit_pair(circuit, a, b);
}

static void
play_all(void)
{
	struct series_outcome outcome = circuit_play(circuit);

	assert_int_equal(outcome.end, SERIES_DONE);
	assert_int_equal(circuit->told_count, circuit->game_count);
	for (int i = 0; i < circuit->told_count; i++) {
		assert_int_equal(
		    circuit->told[i].result.game, circuit->games[i].index);
		assert_memory_equal(circuit->told[i].result.entrant,
		    circuit->games[i].entrant,
		    sizeof(circuit->games[i].entrant));
	}
}

static void
test_records_do_not_depend_on_the_number_of_games_at_once(void **state)
{
	char *one, *eight;

	(void)state;
	open_circuit("scopa");
	for (int i = 0; i < 5; i++)
		circuit_bot(circuit, i % 2 ? "first" : "random");
	add_round_robin(3);
	play_all();
	one = circuit_records(circuit);
	circuit->config.concurrency = 8;
	play_all();
	eight = circuit_records(circuit);
	assert_true(strlen(one) > 60 * 1000);
	assert_string_equal(one, eight);
	free(one);
	free(eight);
}

static void
test_a_result_is_what_its_record_says(void **state)
{
	(void)state;
	open_circuit("scopone");
	circuit_bot(circuit, "random");
	circuit_bot(circuit, "greedy");
	circuit_bot(circuit, "first");
	circuit_bot(circuit, "random");
	for (int i = 0; i < 8; i++)
		circuit_game(circuit,
		    (int[SCOPA_SEATS_MAX]){
			i % 4, (i + 1) % 4, (i + 2) % 4, (i + 3) % 4 });
	for (int i = 0; i < 8; i++) {
		circuit->games[i].index = 1000 + i;
		circuit->games[i].round = 70;
		circuit->games[i].rotation = i;
	}
	circuit->config.concurrency = 3;
	play_all();
	for (int i = 0; i < 8; i++) {
		const struct series_result *result = &circuit->told[i].result;
		const char *block = circuit->told[i].block;
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

static void
test_every_bot_is_started_once_whomever_it_meets(void **state)
{
	(void)state;
	open_circuit("scopa");
	for (int i = 0; i < 5; i++)
		circuit_counted_bot(circuit);
	add_round_robin(3);
	play_all();
	assert_int_equal(circuit_starts(circuit), 5);
}

static void
test_a_bot_may_sit_at_several_seats(void **state)
{
	char *one, *four;

	(void)state;
	open_circuit("scopa,teams=ABAB");
	for (int i = 0; i < 3; i++)
		circuit_counted_bot(circuit);
	for (int i = 0; i < 24; i++) {
		int a = i % 3, b = (i + 1 + i / 12) % 3;

		circuit_game(circuit, (int[SCOPA_SEATS_MAX]){ a, b, a, b });
	}
	circuit_game(circuit, (int[SCOPA_SEATS_MAX]){ 0, 0, 0, 0 });
	play_all();
	/* Two of each, and two more of one. */
	assert_int_equal(circuit_starts(circuit), 8);
	assert_string_equal(
	    circuit->told[0].result.names[0], circuit->told[0].result.names[2]);
	assert_string_not_equal(
	    circuit->told[0].result.names[0], circuit->told[0].result.names[1]);
	one = circuit_records(circuit);
	circuit->config.concurrency = 4;
	play_all();
	four = circuit_records(circuit);
	assert_string_equal(one, four);
	free(one);
	free(four);
}

static int living_most;

static void
count_living(struct circuit *its, struct series *series)
{
	int living = circuit_living(its);

	(void)series;
	if (living > living_most)
		living_most = living;
}

static void
test_bots_that_have_waited_longest_are_sent_away(void **state)
{
	enum { BOTS = 60, ALIVE_MAX = 42 };

	(void)state;
	open_circuit("scopa");
	for (int i = 0; i < BOTS; i++)
		circuit_counted_bot(circuit);
	for (int i = 0; i < 3 * BOTS; i++)
		circuit_pair(circuit, i % BOTS, (i + 1) % BOTS);
	living_most = 0;
	circuit->after_result = count_living;
	play_all();
	assert_in_range(living_most, ALIVE_MAX / 2, ALIVE_MAX);
	/* Who comes round has gone long ago. */
	assert_in_range(circuit_starts(circuit), 3 * BOTS - 1, 3 * BOTS + 1);
}

static void
test_a_bot_that_does_not_start_disturbs_no_other_table(void **state)
{
	int good[3], bad;

	(void)state;
	open_circuit("scopa");
	for (int i = 0; i < 3; i++)
		good[i] = circuit_bot(circuit, "first");
	bad = circuit_script(
	    circuit, "echo $$ >>\"$1\"/starts; echo oh no >&2; exit 3");
	for (int i = 0; i < 10; i++) {
		circuit_pair(circuit, good[i % 3], bad);
		circuit_pair(circuit, good[(i + 1) % 3], good[(i + 2) % 3]);
	}
	circuit->config.concurrency = 4;
	play_all();
	for (int i = 0; i < 20; i++) {
		const struct series_result *result = &circuit->told[i].result;

		if (i % 2) {
			assert_int_equal(result->fault_entrant, -1);
			assert_string_equal(result->reason, "deals");
			continue;
		}
		assert_int_equal(result->fault_entrant, bad);
		assert_int_equal(result->fault.seat, 1);
		assert_int_equal(result->fault.kind, OFFENCE_STARTUP);
		assert_string_equal(result->fault.reason, "HS_EXIT(3)");
		assert_string_equal(result->fault.stderr_tail, "oh no\n");
		assert_string_equal(result->reason, "forfeit");
		assert_int_equal(result->winner, 0);
	}
	assert_int_equal(circuit_starts(circuit), 10);
}

static void
test_a_bot_that_dies_is_started_anew_for_its_next_game(void **state)
{
	int other, mortal;

	(void)state;
	open_circuit("scopa");
	other = circuit_counted_bot(circuit);
	mortal = circuit_script(circuit,
	    "echo $$ >>\"$1\"/starts; read usp; echo id name=mortal; "
	    "echo uspok 1; read ready; echo readyok; "
	    "while read line; do case $line in go*) exit 7;; esac; done");
	for (int i = 0; i < 6; i++)
		circuit_pair(circuit, other, mortal);
	play_all();
	for (int i = 0; i < 6; i++) {
		const struct match_fault *fault =
		    &circuit->told[i].result.fault;

		assert_string_equal(fault->reason, "EXIT(7)");
		assert_int_equal(fault->kind, OFFENCE_CRASH);
	}
	assert_int_equal(circuit_starts(circuit), 1 + 6);
}

/* Every third time there is no game until a result or a tick comes. */
static enum series_supply
hesitate(struct circuit *its, struct series *series)
{
	(void)series;
	its->counter++;
	return its->counter % 3 == 0 ? SERIES_WAIT : SERIES_GAME;
}

static void
supply_again(struct circuit *its, struct series *series)
{
	(void)its;
	series_supply_again(series);
}

static void
test_a_caller_may_have_no_game_for_a_while(void **state)
{
	(void)state;
	open_circuit("scopa");
	circuit_bot(circuit, "first");
	circuit_bot(circuit, "random");
	add_round_robin(10);
	circuit->config.tick_ns = TICK_NS;
	circuit->before_next = hesitate;
	circuit->on_tick = supply_again;
	for (int at_once = 1; at_once <= 4; at_once += 3) {
		circuit->config.concurrency = at_once;
		play_all();
	}
}

/* Nothing is on: only results that were told ask again. */
static enum series_supply
wait_for_results(struct circuit *its, struct series *series)
{
	(void)series;
	return its->next_game > its->told_count ? SERIES_WAIT : SERIES_GAME;
}

static void
test_a_result_asks_again(void **state)
{
	(void)state;
	open_circuit("scopa");
	circuit_bot(circuit, "first");
	circuit_bot(circuit, "random");
	add_round_robin(5);
	circuit->config.concurrency = 8;
	circuit->before_next = wait_for_results;
	play_all();
}

static void
end_at_ten(struct circuit *its, struct series *series)
{
	if (its->told_count == 10) {
		series_end(
		    series, SERIES_STOPPED, 5, (enum series_order)its->counter);
		series_end(series, SERIES_FAILED, 6, SERIES_FINISH);
	}
}

static void
test_a_caller_may_end_a_series(void **state)
{
	struct series_outcome outcome;

	(void)state;
	open_circuit("scopa");
	circuit_bot(circuit, "first");
	circuit_bot(circuit, "random");
	add_round_robin(20);
	circuit->after_result = end_at_ten;
	circuit->config.concurrency = 4;
	for (int order = SERIES_FINISH; order <= SERIES_KILL; order++) {
		int last = -1;

		circuit->counter = order;
		outcome = circuit_play(circuit);
		assert_int_equal(outcome.end, SERIES_STOPPED);
		assert_int_equal(outcome.detail, 5);
		assert_in_range(circuit->told_count, 10, 10 + 4 * 4);
		if (order == SERIES_FINISH)
			assert_int_equal(
			    circuit->told_count, circuit->next_game);
		for (int i = 0; i < circuit->told_count; i++) {
			assert_true(circuit->told[i].result.game > last);
			last = circuit->told[i].result.game;
		}
	}
}

static enum series_supply
end_instead(struct circuit *its, struct series *series)
{
	if (its->next_game == 3)
		series_end(series, SERIES_FAILED, -EIO, SERIES_FINISH);
	return SERIES_GAME;
}

static void
test_a_series_may_end_when_it_asks_for_a_game(void **state)
{
	struct series_outcome outcome;

	(void)state;
	open_circuit("scopa");
	circuit_bot(circuit, "first");
	circuit_bot(circuit, "random");
	add_round_robin(5);
	circuit->before_next = end_instead;
	circuit->config.concurrency = 8;
	outcome = circuit_play(circuit);
	assert_int_equal(outcome.end, SERIES_FAILED);
	assert_int_equal(outcome.detail, -EIO);
	assert_int_equal(circuit->told_count, 3);
}

static void
raise_signal(struct circuit *its, struct series *series)
{
	(void)series;
	if (its->told_count % 3 == 0 && its->told_count < 10)
		kill(getpid(), SIGTERM);
}

static void
heed_third(struct circuit *its, struct series *series, int number, int count)
{
	assert_int_equal(number, SIGTERM);
	assert_int_equal(count, ++its->counter);
	if (count == 3)
		series_end(series, SERIES_INTERRUPTED, number, SERIES_FINISH);
}

static void
test_signals_are_counted_and_left_to_the_caller(void **state)
{
	struct series_outcome outcome;

	(void)state;
	open_circuit("scopa");
	circuit_bot(circuit, "first");
	circuit_bot(circuit, "random");
	add_round_robin(50);
	circuit->after_result = raise_signal;
	circuit->on_signal = heed_third;
	outcome = circuit_play(circuit);
	assert_int_equal(outcome.end, SERIES_INTERRUPTED);
	assert_int_equal(outcome.detail, SIGTERM);
	assert_int_equal(circuit->counter, 3);
	assert_in_range(circuit->told_count, 9, 99);
	assert_string_equal(
	    circuit->told[circuit->told_count - 1].result.reason, "deals");
}

/* The last test: limits of a process are for ever. */
static void
test_games_wait_for_room_where_descriptors_are_few(void **state)
{
	/* 32 others, 5 to start with, 5 for each of the 2 of a game. */
	struct rlimit limit = { 32 + 5 + 2 * 5, 32 + 5 + 2 * 5 };
	struct series_outcome outcome;

	(void)state;
	open_circuit("scopa");
	circuit_bot(circuit, "first");
	circuit_bot(circuit, "random");
	circuit_bot(circuit, "first");
	/* It plays well but does not go when it is told to. */
	circuit_script(circuit, "\"$0\" bot first; exec sleep 1000");
	add_round_robin(3);
	circuit->config.rules.grace_ns = 200 * TICK_NS;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	play_all();
	circuit->config.concurrency = 1000;
	outcome = circuit_play(circuit);
	assert_int_equal(outcome.end, SERIES_FAILED);
	assert_int_equal(outcome.detail, -EMFILE);
}

#define SERIES_TEST(test) cmocka_unit_test_teardown(test, teardown)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		SERIES_TEST(
		    test_records_do_not_depend_on_the_number_of_games_at_once),
		SERIES_TEST(test_a_result_is_what_its_record_says),
		SERIES_TEST(test_every_bot_is_started_once_whomever_it_meets),
		SERIES_TEST(test_a_bot_may_sit_at_several_seats),
		SERIES_TEST(test_bots_that_have_waited_longest_are_sent_away),
		SERIES_TEST(
		    test_a_bot_that_does_not_start_disturbs_no_other_table),
		SERIES_TEST(
		    test_a_bot_that_dies_is_started_anew_for_its_next_game),
		SERIES_TEST(test_a_caller_may_have_no_game_for_a_while),
		SERIES_TEST(test_a_result_asks_again),
		SERIES_TEST(test_a_caller_may_end_a_series),
		SERIES_TEST(test_a_series_may_end_when_it_asks_for_a_game),
		SERIES_TEST(test_signals_are_counted_and_left_to_the_caller),
		SERIES_TEST(test_games_wait_for_room_where_descriptors_are_few),
	};

	if (circuit_is_role(argc, argv))
		return circuit_role(argc, argv);
	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
