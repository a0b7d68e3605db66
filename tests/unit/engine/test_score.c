/*
 * The points of a deal, item by item.
 */
#include <string.h>

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

/*
 * Of an item: the piles of two teams, of three and four scope, the points of
 * each, and how many A has.
 */
static const struct row {
	const char *spec;
	enum scopa_item item;
	const char *a, *b;
	int points_a, points_b;
	int quantity; /* in the pile of A */
} rows[] = {
	{ "scopa", SCOPA_ITEM_CARDS, "2C3C4C", "2S3S", 1, 0, 3 },
	{ "scopa", SCOPA_ITEM_CARDS, "2C3C", "2S3S4S5S", 0, 1, 2 },
	{ "scopa", SCOPA_ITEM_CARDS, "2C3C", "2S3S", 0, 0, 2 },
	{ "scopa", SCOPA_ITEM_COINS, "2D3D4C", "4D5C", 1, 0, 2 },
	{ "scopa", SCOPA_ITEM_COINS, "2D3C4C", "4D", 0, 0, 1 },
	{ "scopa", SCOPA_ITEM_COINS, "2C3C4C", "4S", 0, 0, 0 },
	{ "scopa,items=cards", SCOPA_ITEM_COINS, "2D", "-", 0, 0, 0 },
	{ "scopa", SCOPA_ITEM_SETTEBELLO, "7D", "7C7S7B", 1, 0, 1 },
	{ "scopa", SCOPA_ITEM_SETTEBELLO, "2D", "7D", 0, 1, 0 },
	{ "scopa", SCOPA_ITEM_SETTEBELLO, "7C", "7S", 0, 0, 0 },
	{ "scopa,items=coins+primiera", SCOPA_ITEM_SETTEBELLO, "7D", "-", 0, 0,
	    0 },
	{ "scopa,items=none,scopa=0,piccola=6", SCOPA_ITEM_PICCOLA, "AD2D3D",
	    "-", 3, 0, 3 },
	{ "cirulla", SCOPA_ITEM_PICCOLA, "AD2D", "3D", 0, 0, 2 },
	{ "cirulla", SCOPA_ITEM_PICCOLA, "AD2D3D", "-", 3, 0, 3 },
	{ "cirulla", SCOPA_ITEM_PICCOLA, "AD2D3D4D5D6D", "-", 6, 0, 6 },
	{ "cirulla", SCOPA_ITEM_PICCOLA, "AD2D3D4D5D6D7D", "-", 6, 0, 7 },
	{ "cirulla,piccola=7", SCOPA_ITEM_PICCOLA, "AD2D3D4D5D6D7D", "-", 7, 0,
	    7 },
	{ "cirulla,piccola=0", SCOPA_ITEM_PICCOLA, "AD2D3D", "-", 0, 0, 0 },
	{ "cirulla", SCOPA_ITEM_GRANDE, "JDQDKD", "-", 5, 0, 3 },
	{ "cirulla", SCOPA_ITEM_GRANDE, "JDQDKC", "-", 0, 0, 2 },
	{ "cirulla,grande=0", SCOPA_ITEM_GRANDE, "JDQDKD", "-", 0, 0, 0 },
	{ "re-bello", SCOPA_ITEM_RE_BELLO, "KD", "KCKSKB", 1, 0, 1 },
	{ "scopa", SCOPA_ITEM_RE_BELLO, "KD", "KCKSKB", 0, 0, 0 },
	{ "trente", SCOPA_ITEM_TRENTE, "AD4D", "-", 1, 0, 1 },
	{ "trente", SCOPA_ITEM_TRENTE, "2DAC", "-", 2, 0, 1 },
	{ "trente", SCOPA_ITEM_TRENTE, "2D3D", "-", 5, 0, 2 },
	{ "trente", SCOPA_ITEM_TRENTE, "AD2D3D", "-", 6, 0, 3 },
	{ "trente", SCOPA_ITEM_TRENTE, "AD3D4D", "2D", 4, 2, 2 },
	{ "cirulla", SCOPA_ITEM_ALL_COINS, "AD2D3DKC", "-", 0, 0, 3 },
	{ "frac", SCOPA_ITEM_FRAC, "ADAC7D7C6D5DJDJC", "QSKS2C3C", 4, 2, 4 },
	{ "frac,frac-tie=king", SCOPA_ITEM_FRAC_KING, "ADKC", "KDAC", 0, 1, 0 },
	{ "frac,frac-tie=king", SCOPA_ITEM_FRAC_KING, "ADKC", "KD", 0, 0, 0 },
	{ "frac,frac-tie=king", SCOPA_ITEM_FRAC_KING, "ADKC", "KDACAS", 0, 0,
	    0 },
	{ "frac", SCOPA_ITEM_FRAC_KING, "ADKC", "KDAC", 0, 0, 0 },
	{ "escoba", SCOPA_ITEM_SEVENS, "7D7C", "7S", 1, 0, 2 },
	{ "escoba", SCOPA_ITEM_SEVENS, "7D7C", "7S7B", 0, 0, 2 },
	{ "escoba", SCOPA_ITEM_ALL_SEVENS, "7D7C7S", "7B", 0, 0, 3 },
	{ "escoba", SCOPA_ITEM_ALL_SEVENS, "-", "7D7C7S7B", 0, 1, 0 },
	{ "escoba", SCOPA_ITEM_SEVENS, "-", "7D7C7S7B", 0, 1, 0 },
	{ "scopa", SCOPA_ITEM_SEVENS, "-", "7D7C7S7B", 0, 0, 0 },
	{ "scopa", SCOPA_ITEM_ALL_SEVENS, "-", "7D7C7S7B", 0, 0, 0 },
	{ "escoba-noprime", SCOPA_ITEM_PRIMIERA, "-", "7D7C7S7B", 0, 0, 0 },
	{ "scopa", SCOPA_ITEM_SCOPE, "2C", "3C", 3, 4, 3 },
	{ "scopa,scopa=0", SCOPA_ITEM_SCOPE, "2C", "3C", 0, 0, 0 },
	/* All four knights double them. */
	{ "ponino", SCOPA_ITEM_SCOPE, "QDQCQSQB", "2C", 3, 4, 3 },
	{ "ponino", SCOPA_ITEM_PONINO, "QDQCQSQB", "2C", 3, 0, 4 },
	{ "ponino", SCOPA_ITEM_PONINO, "QDQCQS", "QB", 0, 0, 3 },
	{ "scopa", SCOPA_ITEM_PONINO, "QDQCQSQB", "2C", 0, 0, 0 },
	/* The best card of each suit. */
	{ "scopa", SCOPA_ITEM_PRIMIERA, "7D7C6BAS", "-", 1, 0, 76 },
	{ "scopa", SCOPA_ITEM_PRIMIERA, "7D7C7S7B", "-", 1, 0, 84 },
	{ "scopa", SCOPA_ITEM_PRIMIERA, "JDQCKSKB", "-", 1, 0, 40 },
	{ "scopa", SCOPA_ITEM_PRIMIERA, "JDQCKSKB2D3C4S5B", "-", 1, 0, 54 },
	{ "scopa", SCOPA_ITEM_PRIMIERA, "AD5D6DQD4C6C3S2SKB", "-", 1, 0, 59 },
	{ "scopa,primiera-six=19", SCOPA_ITEM_PRIMIERA, "AD6DQD6C3S2SKB", "-",
	    1, 0, 19 + 19 + 13 + 10 },
	/* Equal primieras, and those that lack a suit. */
	{ "scopa", SCOPA_ITEM_PRIMIERA, "7D6C5SAB", "7C6S5BAD", 0, 0, 70 },
	{ "scopa", SCOPA_ITEM_PRIMIERA, "7D6C5SAB", "7C6S4BAD", 1, 0, 70 },
	{ "scopa", SCOPA_ITEM_PRIMIERA, "7D7C7S", "KDKCKSKB", 0, 1, 0 },
	{ "scopa", SCOPA_ITEM_PRIMIERA, "7D7C7S", "6D", 0, 0, 0 },
	{ "scopa,primiera-missing=partial", SCOPA_ITEM_PRIMIERA, "7D7C7S",
	    "KDKCKSKB", 1, 0, 63 },
	{ "scopa,primiera-missing=suits-first", SCOPA_ITEM_PRIMIERA, "7D7C7S",
	    "KDKCKSKB", 0, 1, 63 },
	{ "scopa,primiera-missing=suits-first", SCOPA_ITEM_PRIMIERA, "7D7C7S",
	    "6D6C6S", 1, 0, 63 },
	{ "scopa,primiera-missing=suits-first", SCOPA_ITEM_PRIMIERA, "2D2C",
	    "7D", 1, 0, 24 },
	{ "scopa,primiera-missing=suits-first", SCOPA_ITEM_PRIMIERA, "6D2C3S",
	    "2B6C3D", 0, 0, 43 },
};

TEST(test_each_item_gives_its_points)
{
	static const uint8_t scopas[SCOPA_TEAMS_MAX] = { 3, 4 };

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		const struct row *row = &rows[i];
		const char *const piles[SCOPA_TEAMS_MAX] = { row->a, row->b };
		struct scopa_score score = count(row->spec, piles, scopas);

		if (score.points[0][row->item] != row->points_a ||
		    score.points[1][row->item] != row->points_b ||
		    score.quantity[0][row->item] != row->quantity)
			fail_msg("%s: %s of %s and %s: %d for %d, and %d",
			    row->spec, scopa_item_name(row->item), row->a,
			    row->b, score.points[0][row->item],
			    score.quantity[0][row->item],
			    score.points[1][row->item]);
	}
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
