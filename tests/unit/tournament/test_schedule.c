/*
 * Who plays whom: what can be played at all, and how rounds follow each other.
 */
#include "schedule.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "schedule_fixture.h"
#include "support.h"
#include "test.h"

static struct schedule_fixture *
play(const char *text, int look_ahead)
{
	struct schedule_fixture_config config = {
		.schedule = schedule_fixture_read(text),
		.look_ahead = look_ahead,
		.noise = 5,
	};

	return schedule_fixture_play(&config);
}

TEST(test_schedules_are_as_they_were_drawn)
{
	/* Who comes first is stronger by a point for each place. */
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g",
		"h", "i", "j" };
	struct schedule_fixture_config config = { .look_ahead = 1 };
	struct schedule_fixture *fixture = NULL;
	struct golden golden;
	int64_t next = 0;
	int cases = 0;

	for (int bot = 0; bot < 10; bot++)
		config.strengths[bot] = 10 - bot;
	golden_open(&golden, "schedule.txt");
	while (golden_next(&golden)) {
		char bytes[256];
		struct scopa_text text;

		if (strncmp(golden.bytes, "block ", 6) != 0) {
			if (fixture != NULL) {
				assert_int_equal(next, fixture->count);
				schedule_fixture_close(fixture);
			}
			config.schedule = schedule_fixture_read(golden.bytes);
			fixture = schedule_fixture_play(&config);
			next = 0;
			cases++;
			continue;
		}
		assert_non_null(fixture);
		assert_true(next < fixture->count);
		scopa_text_init(&text, bytes, sizeof(bytes));
		schedule_print_block(&fixture->plans[next++], names,
		    &config.schedule.rules, &text);
		if (strcmp(bytes, golden.bytes) != 0)
			fail_msg("line %d: %s", golden.line, bytes);
	}
	golden_close(&golden);
	assert_true(cases >= 10);
	assert_int_equal(next, fixture->count);
	schedule_fixture_close(fixture);
}

TEST(test_names_are_those_of_the_options)
{
	static const char *const names[] = { "roundrobin", "gauntlet", "swiss",
		"knockout", "ladder" };

	for (int format = 0; format < SCHEDULE_FORMAT_COUNT; format++)
		assert_string_equal(
		    schedule_format_name((enum schedule_format)format),
		    names[format]);
}

static void
check_flaw(const char *text, const char *flaw)
{
	struct schedule_config config = schedule_fixture_read(text);
	const char *found = schedule_flaw(&config);

	if (flaw == NULL) {
		if (found != NULL)
			fail_msg("%s: %s", text, found);
	} else if (found == NULL || strstr(found, flaw) == NULL) {
		fail_msg("%s: %s", text, found != NULL ? found : "no flaw");
	}
}

TEST(test_what_cannot_be_played_has_a_reason)
{
	static const char *const cases[][2] = {
		{ "roundrobin scopa bots=1", "at least 2 bots" },
		{ "roundrobin scopa bots=2001", "at most 2000 bots" },
		{ "roundrobin scopa bots=2", NULL },
		{ "roundrobin scopa bots=2000", NULL },
		{ "roundrobin scopa,players=3 bots=2", "at least 3 bots" },
		{ "roundrobin scopa,teams=ABCABC bots=2", "at least 3 bots" },
		{ "roundrobin scopa,teams=ABCD bots=3", "at least 4 bots" },
		{ "roundrobin scopa,teams=ABCDEF bots=5", "at least 6 bots" },
		{ "roundrobin scopa,teams=ABAB bots=2", NULL },
		{ "roundrobin scopa,teams=ABAB bots=3 mixed",
		    "at least 4 bots" },
		{ "roundrobin scopa,teams=ABABAB bots=5 mixed",
		    "at least 6 bots" },
		{ "roundrobin scopa,teams=ABCABC bots=6 mixed", NULL },
		{ "roundrobin scopa bots=4 mixed", "mixed partners" },
		{ "roundrobin scopa,teams=ABCD bots=4 mixed",
		    "mixed partners" },
		{ "roundrobin scopa bots=4 rounds=0", "at least 1 round" },
		{ "roundrobin scopa bots=2 rounds=2147483647", NULL },
		{ "roundrobin scopa,teams=ABCDEF bots=128",
		    "too many ways to choose" },
		{ "roundrobin scopa,teams=ABCDEF bots=90 rounds=2147483647",
		    "too many blocks" },
		{ "gauntlet scopa bots=4", "at least 1 challenger" },
		{ "gauntlet scopa bots=4 challengers=3", NULL },
		{ "gauntlet scopa bots=4 challengers=4",
		    "that are no challengers" },
		{ "gauntlet scopa,teams=ABCD bots=4 challengers=1", NULL },
		{ "gauntlet scopa,teams=ABCD bots=4 challengers=2",
		    "enough others" },
		{ "gauntlet scopa,teams=ABCDEF bots=128 challengers=10",
		    "too many ways to choose" },
		{ "swiss scopa bots=5", NULL },
		{ "swiss scopa,teams=ABAB bots=5", NULL },
		{ "swiss scopa,teams=ABAB bots=5 mixed", "two bots" },
		{ "swiss scopa,players=3 bots=5", "two bots" },
		{ "swiss scopa bots=5 stages=-1", "less than 0 stages" },
		{ "swiss scopa bots=5 stages=10000", NULL },
		{ "swiss scopa bots=5 stages=10001", "at most 10000" },
		{ "swiss scopa bots=5 stages=2000 rounds=2000000",
		    "too many rounds" },
		{ "knockout scopa bots=5", NULL },
		{ "knockout scopa,teams=ABCD bots=5", "two bots" },
		{ "knockout scopa,teams=ABABAB bots=6 mixed", "two bots" },
		{ "knockout scopa bots=5 rounds=2147483647",
		    "too many rounds" },
		{ "ladder scopa bots=5 blocks=1", NULL },
		{ "ladder scopa bots=5 rounds=0 blocks=1", NULL },
		{ "ladder scopa bots=5", "a number of blocks" },
		{ "ladder scopa bots=5 blocks=1000000001", "at most" },
		{ "ladder scopa,players=3 bots=5 blocks=9", "two bots" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_flaw(cases[i][0], cases[i][1]);
}

TEST(test_counts_follow_the_table)
{
	static const struct {
		const char *text;
		int bots, games;
		int64_t blocks;
	} cases[] = {
		{ "roundrobin scopa bots=5 rounds=3", 2, 2, 30 },
		{ "roundrobin scopa bots=5 rounds=3 single", 2, 1, 30 },
		{ "roundrobin scopa,players=3 bots=5", 3, 6, 10 },
		{ "roundrobin scopa,players=3 bots=5 single", 3, 1, 10 },
		{ "roundrobin scopa,teams=ABCABC bots=4", 3, 6, 4 },
		{ "roundrobin scopa,teams=ABCABC bots=6 mixed", 6, 6, 1 },
		{ "roundrobin scopa,teams=ABCD bots=6", 4, 4, 15 },
		{ "roundrobin scopa,teams=ABAB bots=6 mixed", 4, 4, 15 },
		{ "roundrobin scopa,teams=ABABAB bots=7", 2, 2, 21 },
		{ "roundrobin scopa,teams=ABCDEF bots=60", 6, 6, 50063860 },
		{ "gauntlet scopa bots=10 challengers=2 rounds=7", 2, 2, 112 },
		{ "gauntlet scopa,players=3 bots=6 challengers=2", 3, 6, 12 },
		{ "swiss scopa bots=2", 2, 2, 1 },
		{ "swiss scopa bots=8 rounds=2", 2, 2, 24 },
		{ "swiss scopa bots=9", 2, 2, 16 },
		{ "swiss scopa bots=9 stages=7", 2, 2, 28 },
		{ "knockout scopa bots=9 rounds=3", 2, 2, 8 * 19 },
		{ "ladder scopa bots=9 blocks=77", 2, 2, 77 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct schedule_config config =
		    schedule_fixture_read(cases[i].text);

		assert_null(schedule_flaw(&config));
		assert_int_equal(schedule_bot_count(&config), cases[i].bots);
		assert_int_equal(schedule_game_count(&config), cases[i].games);
		assert_int_equal(
		    schedule_block_count(&config), cases[i].blocks);
		assert_in_range(schedule_round_count(&config), 1,
		    schedule_block_count(&config));
	}
}

/* The bots of a plan as bits. */
static uint64_t
bots_of(const struct block_plan *plan)
{
	uint64_t bots = 0;

	for (int i = 0; i < plan->bot_count; i++)
		bots |= UINT64_C(1) << plan->bots[i];
	return bots;
}

/* Every round has every encounter once, and the same ones. */
static void
check_rounds(const char *text)
{
	struct schedule_config config = schedule_fixture_read(text);
	struct schedule_fixture *fixture = play(text, 1000);
	int64_t encounters = fixture->count / config.rounds;

	assert_int_equal(fixture->count, schedule_block_count(&config));
	assert_int_equal(fixture->waits, 0);
	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];

		assert_int_equal(plan->stage, 0);
		assert_int_equal(plan->round, i / encounters);
		assert_int_equal(
		    bots_of(plan), bots_of(&fixture->plans[i % encounters]));
		for (int64_t k = i - i % encounters; k < i; k++)
			assert_true(
			    bots_of(plan) != bots_of(&fixture->plans[k]));
		assert_int_equal(schedule_place(fixture->schedule, 0), -1);
	}
	schedule_fixture_close(fixture);
}

TEST(test_a_round_has_every_encounter_once)
{
	static const char *const tables[] = { "scopa", "scopa,players=3",
		"scopa,teams=ABCD", "scopone,teams=ABAB", "scopa,teams=ABCABC",
		"scopa,teams=ABCDEF" };

	for (int table = 0; table < 6; table++) {
		for (int bots = 6; bots <= 9; bots++) {
			char text[128];

			snprintf(text, sizeof(text),
			    "roundrobin %s bots=%d rounds=3", tables[table],
			    bots);
			check_rounds(text);
			snprintf(text, sizeof(text),
			    "gauntlet %s bots=%d challengers=%d rounds=2 "
			    "single",
			    tables[table], bots, 1 + bots % 2);
			if (table < 5 || bots % 2 == 0)
				check_rounds(text);
		}
	}
	check_rounds("roundrobin scopa bots=2 rounds=5");
	check_rounds("roundrobin scopone,teams=ABAB bots=7 mixed rounds=3");
	check_rounds("gauntlet scopa,teams=ABABAB bots=8 mixed challengers=2");
}

TEST(test_everybody_plays_in_each_turn_of_a_round)
{
	for (int bots = 2; bots <= 17; bots++) {
		char text[64];
		struct schedule_fixture *fixture;
		int turn = bots / 2;

		snprintf(text, sizeof(text), "roundrobin scopa bots=%d", bots);
		fixture = play(text, 1);
		for (int64_t i = 0; i < fixture->count; i += turn) {
			uint64_t seen = 0;

			for (int64_t k = i; k < i + turn; k++) {
				uint64_t pair = bots_of(&fixture->plans[k]);

				assert_int_equal(seen & pair, 0);
				seen |= pair;
			}
		}
		schedule_fixture_close(fixture);
	}
}

TEST(test_challengers_meet_all_others_and_not_each_other)
{
	struct schedule_fixture *fixture =
	    play("gauntlet scopa bots=9 challengers=3 rounds=4", 1);
	int met[9][9] = { { 0 } };

	for (int64_t i = 0; i < fixture->count; i++)
		met[fixture->plans[i].bots[0]][fixture->plans[i].bots[1]]++;
	for (int one = 0; one < 9; one++)
		for (int other = 0; other < 9; other++)
			assert_int_equal(
			    met[one][other], one < 3 && other >= 3 ? 4 : 0);
	/* Three in a row have six bots. */
	for (int64_t i = 0; i < fixture->count; i += 3)
		for (int64_t k = i; k < i + 3; k++)
			for (int64_t j = i; j < k; j++)
				assert_int_equal(bots_of(&fixture->plans[j]) &
					bots_of(&fixture->plans[k]),
				    0);
	schedule_fixture_close(fixture);
}

TEST(test_one_game_a_block_has_everybody_first_about_as_often)
{
	struct schedule_fixture *fixture =
	    play("roundrobin scopa bots=9 single", 1);
	int first[9] = { 0 };

	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];

		first[plan->bots[plan->seating[0][0]]]++;
	}
	for (int bot = 0; bot < 9; bot++)
		assert_int_equal(first[bot], 4);
	schedule_fixture_close(fixture);
}

TEST(test_the_cyclic_order_is_drawn_for_each_block)
{
	struct schedule_fixture *one =
	    play("roundrobin scopone,teams=ABAB bots=4 mixed rounds=600", 1);
	struct schedule_fixture *same =
	    play("roundrobin scopone,teams=ABAB bots=4 mixed rounds=600", 1);
	struct schedule_fixture *other = play(
	    "roundrobin scopone,teams=ABAB bots=4 mixed rounds=600 seed=1", 1);
	int partners[4] = { 0 }, first[4] = { 0 };
	int64_t differences = 0;

	for (int i = 0; i < 600; i++) {
		const uint8_t *seats = one->plans[i].seating[0];

		schedule_fixture_compare(&one->plans[i], &same->plans[i]);
		differences +=
		    memcmp(seats, other->plans[i].seating[0], 4) != 0;
		first[seats[0]]++;
		for (int seat = 0; seat < 4; seat++)
			if (seats[seat] == 0)
				partners[seats[(seat + 2) % 4]]++;
	}
	/* A third each, and a quarter each, give or take four deviations. */
	for (int bot = 1; bot < 4; bot++)
		assert_in_range(partners[bot], 200 - 46, 200 + 46);
	for (int bot = 0; bot < 4; bot++)
		assert_in_range(first[bot], 150 - 42, 150 + 42);
	assert_true(differences > 500);
	schedule_fixture_close(one);
	schedule_fixture_close(same);
	schedule_fixture_close(other);
}

TEST(test_without_duplicates_seats_of_many_are_drawn)
{
	struct schedule_fixture *fixture =
	    play("roundrobin scopa,players=3 bots=3 rounds=600 single", 1);
	int orders[27] = { 0 };

	for (int i = 0; i < 600; i++) {
		const uint8_t *seats = fixture->plans[i].seating[0];

		orders[seats[0] * 9 + seats[1] * 3 + seats[2]]++;
	}
	for (int i = 0; i < 27; i++)
		assert_true(orders[i] == 0 ||
		    (orders[i] > 100 - 37 && orders[i] < 100 + 37));
	schedule_fixture_close(fixture);
}

TEST(test_a_suspended_bot_changes_no_plan_of_a_round)
{
	struct schedule_fixture_config config = {
		.schedule =
		    schedule_fixture_read("roundrobin scopa bots=5 rounds=4"),
		.look_ahead = 3,
		.out_count = 1,
		.out = { { .bot = 2, .block = 7 } },
	};
	struct schedule_fixture *fixture = schedule_fixture_play(&config);
	struct schedule_fixture *whole =
	    play("roundrobin scopa bots=5 rounds=4", 3);

	assert_int_equal(fixture->count, whole->count);
	for (int64_t i = 0; i < fixture->count; i++) {
		schedule_fixture_compare(&fixture->plans[i], &whole->plans[i]);
		assert_int_equal(fixture->skipped[i],
		    i > 7 && (bots_of(&fixture->plans[i]) & 4) != 0);
	}
	schedule_fixture_close(fixture);
	schedule_fixture_close(whole);
}
