/*
 * Matches of one worker: its processes of bots, which are started, reused and
 * ended, and their number.
 */
#include "match_pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "dispatcher_fixture.h"
#include "machine.h"
#include "support.h"
#include "test.h"

enum { GRACE_NS = 200000000 };

static struct dispatcher_fixture *fixture;

enum { LANES = 4, SEATS = 2, FEW = 8, MANY = 500 };

TEST(test_bot_may_have_several_seats)
{
	char *one, *four;

	fixture = dispatcher_fixture_open("scopa,teams=ABAB");
	for (int i = 0; i < 3; i++)
		dispatcher_fixture_counted_bot(fixture);
	for (int i = 0; i < 24; i++) {
		int a = i % 3, b = (i + 1 + i / 12) % 3;

		dispatcher_fixture_game(
		    fixture, (int[SCOPA_SEATS_MAX]){ a, b, a, b });
	}
	dispatcher_fixture_game(fixture, (int[SCOPA_SEATS_MAX]){ 0, 0, 0, 0 });
	dispatcher_fixture_play_all(fixture);
	/* Two processes of each bot, and two more of one. */
	assert_int_equal(dispatcher_fixture_starts(fixture), 8);
	assert_string_equal(fixture->results[0].result.summary.names[0],
	    fixture->results[0].result.summary.names[2]);
	assert_string_not_equal(fixture->results[0].result.summary.names[0],
	    fixture->results[0].result.summary.names[1]);
	one = dispatcher_fixture_records(fixture);
	fixture->config.concurrency = 4;
	dispatcher_fixture_play_all(fixture);
	four = dispatcher_fixture_records(fixture);
	assert_string_equal(one, four);
	free(one);
	free(four);
}

/* The greatest number of bots that were starting at the same time. */
static int
count_starting_most(void)
{
	const char *path = folder_path(fixture->folder, "starting");
	FILE *file = fopen(path, "re");
	int now = 0, most = 0, sign;

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

TEST(test_bots_of_many_games_start_a_few_at_a_time)
{
	/* In each worker at most 4 matches of 2 bots start at the same time. */
	enum { GAMES = 60, STARTING_MAX = 4 * 2 };
	struct cores cores;

	assert_int_equal(cores_allowed(&cores), 0);
	fixture = dispatcher_fixture_open("scopa");
	for (int i = 0; i < 2; i++)
		dispatcher_fixture_script(fixture,
		    "printf + >>\"$1\"/starting; sleep 0.02; "
		    "printf - >>\"$1\"/starting; exec \"$0\" bot first");
	for (int i = 0; i < GAMES; i++)
		dispatcher_fixture_pair(fixture, 0, 1);
	fixture->config.concurrency = GAMES;
	dispatcher_fixture_play_all(fixture);
	assert_in_range(count_starting_most(), 2, STARTING_MAX * cores.count);
	for (int i = 0; i < GAMES; i++)
		assert_int_equal(fixture->results[i].result.fault_entrant, -1);
}

static int living_most;

static void
count_living(struct dispatcher_fixture *its, struct dispatcher *dispatcher)
{
	int living = dispatcher_fixture_living(its);

	(void)dispatcher;
	if (living > living_most)
		living_most = living;
}

/*
 * Each bot plays in turn, for some rounds: the bot that has just played is
 * needed last.
 */
static void
add_cycle(int bots, int rounds)
{
	for (int i = 0; i < bots; i++)
		dispatcher_fixture_counted_bot(fixture);
	for (int i = 0; i < rounds * bots; i++)
		dispatcher_fixture_pair(fixture, i % bots, (i + 1) % bots);
	living_most = 0;
	fixture->after_result = count_living;
}

TEST(test_all_bots_stay_if_there_are_enough_descriptors)
{
	enum { BOTS = 60 };

	fixture = dispatcher_fixture_open("scopa");
	add_cycle(BOTS, 3);
	dispatcher_fixture_play_all(fixture);
	assert_int_equal(living_most, BOTS);
	assert_int_equal(dispatcher_fixture_starts(fixture), BOTS);
}

/* One of the last tests: the limits of this process stay. */
TEST(test_bots_are_ended_if_descriptors_are_scarce)
{
	enum { BOTS = 60, ALIVE_MAX = 30 };
	struct rlimit limit = { 32 + 6 + ALIVE_MAX * 7,
		32 + 6 + ALIVE_MAX * 7 };

	fixture = dispatcher_fixture_open("scopa");
	add_cycle(BOTS, 3);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	dispatcher_fixture_play_all(fixture);
	assert_in_range(living_most, ALIVE_MAX / 2, ALIVE_MAX);
	/* Each bot had been ended before its next game. */
	assert_in_range(
	    dispatcher_fixture_starts(fixture), 3 * BOTS - 1, 3 * BOTS + 1);
}

/* The last test: the limits of this process stay. */
TEST(test_games_wait_if_descriptors_are_scarce)
{
	/* 32 in reserve, 6 at the start, 7 for each of the 2 bots of a game. */
	struct rlimit limit = { 32 + 6 + 2 * 7, 32 + 6 + 2 * 7 };
	struct dispatcher_outcome outcome;

	fixture = dispatcher_fixture_open("scopa");
	dispatcher_fixture_bot(fixture, "first");
	dispatcher_fixture_bot(fixture, "random");
	dispatcher_fixture_bot(fixture, "first");
	/* This bot plays well but does not end after `quit`. */
	dispatcher_fixture_script(fixture, "\"$0\" bot first; exec sleep 1000");
	dispatcher_fixture_round_robin(fixture, 3);
	fixture->config.rules.grace_ns = GRACE_NS;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	dispatcher_fixture_play_all(fixture);
	fixture->config.concurrency = 1000;
	outcome = dispatcher_fixture_play(fixture);
	assert_int_equal(outcome.end, DISPATCHER_FAILED);
	assert_int_equal(outcome.detail, -EMFILE);
}

TEST_EACH(NULL, dispatcher_fixture_teardown)
