/*
 * The matches of a worker: which bots are started, go over to others, wait, are
 * sent away and die.
 */
#include "match_pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cores.h"
#include "series_fixture.h"
#include "test.h"

enum { GRACE_NS = 200000000 };

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

TEST_WITH(test_every_bot_is_started_once_whomever_it_meets, NULL, teardown)
{
	open_fixture("scopa");
	for (int i = 0; i < 5; i++)
		series_fixture_counted_bot(fixture);
	series_fixture_round_robin(fixture, 3);
	series_fixture_play_all(fixture);
	assert_int_equal(series_fixture_starts(fixture), 5);
}

TEST_WITH(test_a_bot_may_sit_at_several_seats, NULL, teardown)
{
	char *one, *four;

	open_fixture("scopa,teams=ABAB");
	for (int i = 0; i < 3; i++)
		series_fixture_counted_bot(fixture);
	for (int i = 0; i < 24; i++) {
		int a = i % 3, b = (i + 1 + i / 12) % 3;

		series_fixture_game(
		    fixture, (int[SCOPA_SEATS_MAX]){ a, b, a, b });
	}
	series_fixture_game(fixture, (int[SCOPA_SEATS_MAX]){ 0, 0, 0, 0 });
	series_fixture_play_all(fixture);
	/* Two of each, and two more of one. */
	assert_int_equal(series_fixture_starts(fixture), 8);
	assert_string_equal(
	    fixture->told[0].result.names[0], fixture->told[0].result.names[2]);
	assert_string_not_equal(
	    fixture->told[0].result.names[0], fixture->told[0].result.names[1]);
	one = series_fixture_records(fixture);
	fixture->config.concurrency = 4;
	series_fixture_play_all(fixture);
	four = series_fixture_records(fixture);
	assert_string_equal(one, four);
	free(one);
	free(four);
}

/* How many bots were between their start and their first word, at most. */
static int
count_starting_most(void)
{
	char path[sizeof(fixture->folder) + 16];
	int now = 0, most = 0, sign;
	FILE *file;

	snprintf(path, sizeof(path), "%s/starting", fixture->folder);
	file = fopen(path, "re");
	assert_non_null(file);
	while ((sign = fgetc(file)) != EOF) {
		now += sign == '+' ? 1 : -1;
		most = now > most ? now : most;
	}
	fclose(file);
	unlink(path);
	assert_int_equal(now, 0);
	return most;
}

TEST_WITH(test_bots_of_many_games_start_a_few_at_a_time, NULL, teardown)
{
	/* At 4 matches of 2 in each worker; each game lasts. */
	enum { GAMES = 60, STARTING_MAX = 4 * 2 };
	struct cores cores;

	assert_int_equal(cores_allowed(&cores), 0);
	open_fixture("scopa");
	for (int i = 0; i < 2; i++)
		series_fixture_script(fixture,
		    "printf + >>\"$1\"/starting; sleep 0.02; "
		    "printf - >>\"$1\"/starting; exec \"$0\" bot first");
	for (int i = 0; i < GAMES; i++)
		series_fixture_pair(fixture, 0, 1);
	fixture->config.concurrency = GAMES;
	series_fixture_play_all(fixture);
	assert_in_range(count_starting_most(), 2, STARTING_MAX * cores.count);
	for (int i = 0; i < GAMES; i++)
		assert_int_equal(fixture->told[i].result.fault_entrant, -1);
}

static int living_most;

static void
count_living(struct series_fixture *its, struct dispatcher *dispatcher)
{
	int living = series_fixture_living(its);

	(void)dispatcher;
	if (living > living_most)
		living_most = living;
}

/* Everybody in turn, some rounds: the next game of each is as far away. */
static void
add_cycle(int bots, int rounds)
{
	for (int i = 0; i < bots; i++)
		series_fixture_counted_bot(fixture);
	for (int i = 0; i < rounds * bots; i++)
		series_fixture_pair(fixture, i % bots, (i + 1) % bots);
	living_most = 0;
	fixture->after_result = count_living;
}

TEST_WITH(test_all_bots_stay_where_there_is_room, NULL, teardown)
{
	enum { BOTS = 60 };

	open_fixture("scopa");
	add_cycle(BOTS, 3);
	series_fixture_play_all(fixture);
	assert_int_equal(living_most, BOTS);
	assert_int_equal(series_fixture_starts(fixture), BOTS);
}

/* One of the last tests: limits of a process are for ever. */
TEST_WITH(test_bots_are_sent_away_where_descriptors_are_few, NULL, teardown)
{
	enum { BOTS = 60, ROOM = 30 };
	struct rlimit limit = { 32 + 6 + ROOM * 7, 32 + 6 + ROOM * 7 };

	open_fixture("scopa");
	add_cycle(BOTS, 3);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	series_fixture_play_all(fixture);
	assert_in_range(living_most, ROOM / 2, ROOM);
	/* Who comes round has gone long ago. */
	assert_in_range(
	    series_fixture_starts(fixture), 3 * BOTS - 1, 3 * BOTS + 1);
}

TEST_WITH(
    test_a_bot_that_does_not_start_disturbs_no_other_table, NULL, teardown)
{
	int good[3], bad;

	open_fixture("scopa");
	for (int i = 0; i < 3; i++)
		good[i] = series_fixture_bot(fixture, "first");
	bad = series_fixture_script(
	    fixture, "echo $$ >>\"$1\"/starts; echo oh no >&2; exit 3");
	for (int i = 0; i < 10; i++) {
		series_fixture_pair(fixture, good[i % 3], bad);
		series_fixture_pair(
		    fixture, good[(i + 1) % 3], good[(i + 2) % 3]);
	}
	fixture->config.concurrency = 4;
	series_fixture_play_all(fixture);
	for (int i = 0; i < 20; i++) {
		const struct game_result *result = &fixture->told[i].result;

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
	assert_int_equal(series_fixture_starts(fixture), 10);
}

TEST_WITH(
    test_a_bot_that_dies_is_started_anew_for_its_next_game, NULL, teardown)
{
	int other, mortal;

	open_fixture("scopa");
	other = series_fixture_counted_bot(fixture);
	mortal = series_fixture_script(fixture,
	    "echo $$ >>\"$1\"/starts; read usp; echo id name=mortal; "
	    "echo uspok 1; read ready; echo readyok; "
	    "while read line; do case $line in go*) exit 7;; esac; done");
	for (int i = 0; i < 6; i++)
		series_fixture_pair(fixture, other, mortal);
	series_fixture_play_all(fixture);
	for (int i = 0; i < 6; i++) {
		const struct match_fault *fault =
		    &fixture->told[i].result.fault;

		assert_string_equal(fault->reason, "EXIT(7)");
		assert_int_equal(fault->kind, OFFENCE_CRASH);
	}
	assert_int_equal(series_fixture_starts(fixture), 1 + 6);
}

TEST_WITH(test_bots_that_die_at_any_time_stop_nobody, NULL, teardown)
{
	static const char *const mortal[] = {
		"exec timeout -s KILL 0.004 \"$0\" bot first",
		"exec timeout -s KILL 0.03 \"$0\" bot first",
		"exec timeout -s KILL 0.1 \"$0\" bot random",
	};

	open_fixture("scopa,players=3");
	fixture->config.rules.settings.policy = POLICY_SUBSTITUTE;
	for (int i = 0; i < 3; i++) {
		series_fixture_bot(fixture, "first");
		series_fixture_script(fixture, mortal[i]);
	}
	for (int i = 0; i < 150; i++)
		series_fixture_game(fixture,
		    (int[SCOPA_SEATS_MAX]){
			i % 6, (i / 6 + i + 1) % 6, (i / 36 + 3) % 6 });
	fixture->config.concurrency = 8;
	series_fixture_play_all(fixture);
	for (int i = 0; i < fixture->told_count; i++) {
		const struct game_result *result = &fixture->told[i].result;

		if (result->fault_entrant >= 0)
			assert_int_equal(result->fault_entrant % 2, 1);
		else
			assert_string_equal(result->reason, "deals");
	}
}

/* The last test: limits of a process are for ever. */
TEST_WITH(test_games_wait_for_room_where_descriptors_are_few, NULL, teardown)
{
	/* 32 others, 6 to start with, 7 for each of the 2 of a game. */
	struct rlimit limit = { 32 + 6 + 2 * 7, 32 + 6 + 2 * 7 };
	struct dispatcher_outcome outcome;

	open_fixture("scopa");
	series_fixture_bot(fixture, "first");
	series_fixture_bot(fixture, "random");
	series_fixture_bot(fixture, "first");
	/* It plays well but does not go when it is told to. */
	series_fixture_script(fixture, "\"$0\" bot first; exec sleep 1000");
	series_fixture_round_robin(fixture, 3);
	fixture->config.rules.grace_ns = GRACE_NS;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	series_fixture_play_all(fixture);
	fixture->config.concurrency = 1000;
	outcome = series_fixture_play(fixture);
	assert_int_equal(outcome.end, DISPATCHER_FAILED);
	assert_int_equal(outcome.detail, -EMFILE);
}

TEST_ROLE(series_fixture_is_role, series_fixture_role)
