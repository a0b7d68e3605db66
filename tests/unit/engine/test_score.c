/*
 * The points of a deal, item by item.
 */
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "support.h"
#include "test.h"

/* The count of a deal that is over, its piles as given; the rest are nowhere. */
static struct scopa_score
count(const char *spec, const char *const piles[SCOPA_TEAMS_MAX],
    const uint8_t scopas[SCOPA_TEAMS_MAX])
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_score score;
	struct scopa_deal deal = { .turn = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE };

	for (int team = 0; team < scopa_team_count(&rules); team++) {
		if (piles[team] != NULL)
			deal.captured[team] = support_set(piles[team]);
		if (scopas != NULL)
			deal.scopas[team] = scopas[team];
	}
	memset(&score, 0x5a, sizeof(score));
	scopa_score_count(&rules, &deal, &score);
	return score;
}

static int
item_of(const char *name)
{
	int item = 0;

	while (strcmp(scopa_item_name((enum scopa_item)item), name) != 0)
		item++;
	return item;
}

TEST(test_each_item_gives_its_points)
{
	static const uint8_t scopas[SCOPA_TEAMS_MAX] = { 3, 4 };
	static struct golden golden;

	golden_open(&golden, "scores.tsv");
	while (golden_next(&golden)) {
		char **field = golden.fields;
		const char *const piles[SCOPA_TEAMS_MAX] = { field[2],
			field[3] };
		struct scopa_score score = count(field[0], piles, scopas);
		int item = item_of(field[1]);

		assert_int_equal(golden.field_count, 7);
		if (score.points[0][item] != atoi(field[4]) ||
		    score.points[1][item] != atoi(field[5]) ||
		    score.quantity[0][item] != atoi(field[6]))
			fail_msg("scores.tsv:%d: %d for %d, and %d",
			    golden.line, score.points[0][item],
			    score.quantity[0][item], score.points[1][item]);
	}
	assert_true(golden.line > 60);
	golden_close(&golden);
}

TEST(test_tie_of_the_first_two_of_three_gives_nobody_the_point)
{
	static const char *const piles[SCOPA_TEAMS_MAX] = { "7D6C5SABKC",
		"7C6S5BADKS", "2D2C2S" };
	struct scopa_score score = count("scopa,players=3", piles, NULL);

	for (int team = 0; team < 3; team++) {
		assert_int_equal(score.points[team][SCOPA_ITEM_CARDS], 0);
		assert_int_equal(score.points[team][SCOPA_ITEM_PRIMIERA], 0);
	}
}

static int
points(const char *spec, enum scopa_item item, const char *pile)
{
	const char *const piles[SCOPA_TEAMS_MAX] = { pile };

	return count(spec, piles, NULL).points[0][item];
}

TEST(test_run_of_coins_counts_in_three_ways)
{
	static const char *const piles[] = { "-", "AD2D", "AD2D3D", "AD2D3D4D",
		"AD2D3D4D5D", "AD2D3D4D5DJD", "AD2D3D5D6D7D",
		"AD2D3D4D5D6D7DJDQDKD", "2D3D4D5D", "AC2D3D4D" };
	static const int run[] = { 0, 0, 3, 4, 5, 5, 3, 10, 0, 0 };
	static const int oneplus[] = { 0, 0, 1, 2, 3, 3, 1, 8, 0, 0 };
	static const int s1[] = { 0, 0, 1, 4, 5, 5, 1, 10, 0, 0 };

	for (size_t i = 0; i < COUNTOF(piles); i++) {
		assert_int_equal(
		    points("napola", SCOPA_ITEM_NAPOLA, piles[i]), run[i]);
		assert_int_equal(
		    points("trentino", SCOPA_ITEM_NAPOLA, piles[i]), run[i]);
		assert_int_equal(
		    points("scopa,napola=oneplus", SCOPA_ITEM_NAPOLA, piles[i]),
		    oneplus[i]);
		assert_int_equal(
		    points("scopa-napoli", SCOPA_ITEM_NAPOLA, piles[i]), s1[i]);
		assert_int_equal(
		    points("scopa", SCOPA_ITEM_NAPOLA, piles[i]), 0);
	}
}

/* What wins at a blow. */

TEST(test_three_low_coins_or_all_coins_win_at_a_blow)
{
	static const struct {
		const char *spec, *a, *b;
		int winner;
	} cases[] = {
		{ "trente", "AD2D3D", "4D", 0 },
		{ "trente", "4D", "AD2D3D", 1 },
		{ "trente", "AD2D", "3D", SCOPA_TEAM_NONE },
		{ "scopone", "AD2D3D", "4D", SCOPA_TEAM_NONE },
		{ "cirulla", "2C", "AD2D3D4D5D6D7DJDQDKD", 1 },
		{ "trentino", "AD2D3D4D5D6D7DJDQDKD", "2C", 0 },
		{ "trentino", "AD2D3D4D5D6D7DJDQD", "KD", SCOPA_TEAM_NONE },
		{ "scopa", "AD2D3D4D5D6D7DJDQDKD", "2C", SCOPA_TEAM_NONE },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		const char *const piles[SCOPA_TEAMS_MAX] = { cases[i].a,
			cases[i].b };
		assert_int_equal(
		    count(cases[i].spec, piles, NULL).winner, cases[i].winner);
	}
}

TEST(test_declared_points_are_added)
{
	struct scopa_rules rules = support_rules("cirulla");
	struct scopa_score score;
	struct scopa_deal deal = { .turn = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE,
		.declared = { 13, 3 } };

	scopa_score_count(&rules, &deal, &score);
	assert_int_equal(score.points[0][SCOPA_ITEM_DECLARED], 13);
	assert_int_equal(score.total[1], 3);
}

TEST(test_total_is_the_sum_of_the_items)
{
	static const char *const piles[SCOPA_TEAMS_MAX] = {
		"AD2D3D4D7DKD6C7SAB", "JDQD7C5S2S3S4S2B3B4B"
	};
	static const uint8_t scopas[SCOPA_TEAMS_MAX] = { 1, 2 };
	struct scopa_score score =
	    count("scopa,napola=run,re-bello=yes", piles, scopas);

	/* Coins, settebello, primiera, a scopa, a run of four, the king. */
	assert_int_equal(score.total[0], 1 + 1 + 1 + 1 + 4 + 1);
	/* Cards and two scope. */
	assert_int_equal(score.total[1], 1 + 2);
	assert_int_equal(score.winner, SCOPA_TEAM_NONE);
}

TEST(test_cards_have_their_values_in_the_primiera)
{
	static const int values[] = { 16, 12, 13, 14, 15, 18, 21, 10, 10, 10 };
	struct scopa_rules rules =
	    support_rules("scopa,primiera-missing=partial");
	int total = 0;

	for (int card = 0; card < SCOPA_PACK_SIZE; card++) {
		int worth =
		    scopa_primiera(&rules, scopa_set_of((scopa_card)card));
		assert_int_equal(worth, values[card / 4]);
		total += worth;
	}
	assert_int_equal(total, 4 * 139);
	rules = support_rules("scopa,primiera-missing=partial,primiera-six=19");
	assert_int_equal(scopa_primiera(&rules, support_set("6D")), 19);
	assert_int_equal(scopa_primiera(&rules, support_set("7D")), 21);
}
