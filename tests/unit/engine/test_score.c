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

/* The points that two teams get for an item: `1:0`. */
static void
assert_points(const char *spec, enum scopa_item item, const char *a,
    const char *b, int points_a, int points_b)
{
	const char *const piles[SCOPA_TEAMS_MAX] = { a, b };
	struct scopa_score score = count(spec, piles, NULL);

	assert_int_equal(score.points[0][item], points_a);
	assert_int_equal(score.points[1][item], points_b);
}

static int
quantity(const char *spec, enum scopa_item item, const char *pile)
{
	const char *const piles[SCOPA_TEAMS_MAX] = { pile };

	return count(spec, piles, NULL).quantity[0][item];
}

static int
points(const char *spec, enum scopa_item item, const char *pile)
{
	const char *const piles[SCOPA_TEAMS_MAX] = { pile };

	return count(spec, piles, NULL).points[0][item];
}

/* The four base points. */

TEST(test_most_cards_and_most_coins_are_one_point_each)
{
	assert_points("scopa", SCOPA_ITEM_CARDS, "2C3C4C", "2S3S", 1, 0);
	assert_points("scopa", SCOPA_ITEM_CARDS, "2C3C", "2S3S4S5S", 0, 1);
	assert_points("scopa", SCOPA_ITEM_CARDS, "2C3C", "2S3S", 0, 0);
	assert_points("scopa", SCOPA_ITEM_COINS, "2D3D4C", "4D5C", 1, 0);
	assert_points("scopa", SCOPA_ITEM_COINS, "2D3C4C", "4D", 0, 0);
	assert_points("scopa", SCOPA_ITEM_COINS, "2C3C4C", "4S", 0, 0);
	assert_int_equal(quantity("scopa", SCOPA_ITEM_CARDS, "2D3D4C"), 3);
	assert_int_equal(quantity("scopa", SCOPA_ITEM_COINS, "2D3D4C"), 2);
}

TEST(test_settebello_belongs_to_its_holder)
{
	assert_points("scopa", SCOPA_ITEM_SETTEBELLO, "7D", "7C7S7B", 1, 0);
	assert_points("scopa", SCOPA_ITEM_SETTEBELLO, "2D", "7D", 0, 1);
	assert_points("scopa", SCOPA_ITEM_SETTEBELLO, "7C", "7S", 0, 0);
}

/* One team after the other wins, then all possible pairs of them tie. */
TEST(test_the_most_is_shared_by_nobody_among_up_to_six)
{
	static const char *const specs[] = { "scopa", "scopa,players=3",
		"scopa,teams=ABCD", "scopa,players=6" };

	for (size_t i = 0; i < COUNTOF(specs); i++) {
		struct scopa_rules rules = support_rules(specs[i]);
		int teams = scopa_team_count(&rules);
		for (int first = 0; first < teams; first++)
			for (int second = 0; second < teams; second++) {
				struct scopa_score score;
				struct scopa_deal deal = { .turn =
							       SCOPA_SEAT_NONE,
					.winner = SCOPA_TEAM_NONE };
				for (int team = 0; team < teams; team++)
					deal.captured[team] = scopa_set_of(
					    (scopa_card)(4 * team));
				deal.captured[first] |= scopa_set_of(32);
				deal.captured[second] |= scopa_set_of(36);
				scopa_score_count(&rules, &deal, &score);
				for (int team = 0; team < teams; team++) {
					int won =
					    team == first && first == second;
					assert_int_equal(
					    score
						.points[team][SCOPA_ITEM_CARDS],
					    won);
					assert_int_equal(
					    score
						.points[team][SCOPA_ITEM_COINS],
					    won);
				}
			}
	}
}

/* Scope and what doubles them. */

TEST(test_scope_are_a_point_each)
{
	static const uint8_t scopas[SCOPA_TEAMS_MAX] = { 2, 5 };
	static const char *const piles[SCOPA_TEAMS_MAX] = { "2C", "3C" };
	struct scopa_score score = count("scopa", piles, scopas);

	assert_int_equal(score.points[0][SCOPA_ITEM_SCOPE], 2);
	assert_int_equal(score.points[1][SCOPA_ITEM_SCOPE], 5);
	assert_int_equal(score.quantity[1][SCOPA_ITEM_SCOPE], 5);
	assert_int_equal(score.total[1], 5);
	score = count("scopa,scopa=0", piles, scopas);
	assert_int_equal(score.total[1], 0);
}

TEST(test_four_knights_double_the_scope)
{
	static const uint8_t scopas[SCOPA_TEAMS_MAX] = { 3, 4 };
	static const char *const all[SCOPA_TEAMS_MAX] = { "QDQCQSQB", "2C" };
	static const char *const most[SCOPA_TEAMS_MAX] = { "QDQCQS", "QB" };
	struct scopa_score score = count("ponino", all, scopas);

	assert_int_equal(score.points[0][SCOPA_ITEM_SCOPE], 3);
	assert_int_equal(score.points[0][SCOPA_ITEM_PONINO], 3);
	assert_int_equal(score.quantity[0][SCOPA_ITEM_PONINO], 4);
	assert_int_equal(score.points[1][SCOPA_ITEM_PONINO], 0);
	score = count("ponino", most, scopas);
	assert_int_equal(score.points[0][SCOPA_ITEM_PONINO], 0);
	assert_int_equal(score.quantity[0][SCOPA_ITEM_PONINO], 3);
	score = count("scopa", all, scopas);
	assert_int_equal(score.points[0][SCOPA_ITEM_PONINO], 0);
}

/* Coins. */

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
	assert_int_equal(
	    quantity("napola", SCOPA_ITEM_NAPOLA, "AD2D3D4D5DJD"), 5);
}

TEST(test_piccola_is_the_run_up_to_its_cap_and_grande_the_figures)
{
	static const char seven[] = "AD2D3D4D5D6D7D";

	assert_int_equal(points("cirulla", SCOPA_ITEM_PICCOLA, "AD2D"), 0);
	assert_int_equal(points("cirulla", SCOPA_ITEM_PICCOLA, "AD2D3D"), 3);
	assert_int_equal(
	    points("cirulla", SCOPA_ITEM_PICCOLA, "AD2D3D4D5D6D"), 6);
	assert_int_equal(points("cirulla", SCOPA_ITEM_PICCOLA, seven), 6);
	assert_int_equal(
	    points("cirulla,piccola=7", SCOPA_ITEM_PICCOLA, seven), 7);
	assert_int_equal(
	    points("cirulla,piccola=0", SCOPA_ITEM_PICCOLA, seven), 0);
	assert_int_equal(points("cirulla", SCOPA_ITEM_GRANDE, "JDQDKD"), 5);
	assert_int_equal(points("cirulla", SCOPA_ITEM_GRANDE, "JDQDKC"), 0);
	assert_int_equal(
	    points("cirulla,grande=0", SCOPA_ITEM_GRANDE, "JDQDKD"), 0);
	assert_int_equal(quantity("cirulla", SCOPA_ITEM_GRANDE, "JDQDKC"), 2);
}

TEST(test_king_of_coins_is_a_point_in_re_bello)
{
	assert_points("re-bello", SCOPA_ITEM_RE_BELLO, "KD", "KCKSKB", 1, 0);
	assert_points("scopa", SCOPA_ITEM_RE_BELLO, "KD", "KCKSKB", 0, 0);
}

TEST(test_low_coins_count_their_value_in_trente)
{
	assert_int_equal(points("trente", SCOPA_ITEM_TRENTE, "AD4D"), 1);
	assert_int_equal(points("trente", SCOPA_ITEM_TRENTE, "2DAC"), 2);
	assert_int_equal(points("trente", SCOPA_ITEM_TRENTE, "2D3D"), 5);
	assert_int_equal(points("trente", SCOPA_ITEM_TRENTE, "AD2D3D"), 6);
	assert_int_equal(quantity("trente", SCOPA_ITEM_TRENTE, "AD3D4D"), 2);
	assert_points("trente", SCOPA_ITEM_TRENTE, "AD3D", "2D", 4, 2);
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
	assert_int_equal(
	    points("cirulla", SCOPA_ITEM_ALL_COINS, "AD2D3D4D5D6D7DJDQDKD"), 0);
	assert_int_equal(
	    quantity("cirulla", SCOPA_ITEM_ALL_COINS, "AD2D3DKC"), 3);
}

/* Frac, escoba, declarations. */

TEST(test_frac_counts_aces_and_figures_for_everybody)
{
	static const char *const piles[SCOPA_TEAMS_MAX] = { "ADAC7D7C6D5DJDJC",
		"QSKS2C3C" };
	struct scopa_score score = count("frac", piles, NULL);

	assert_int_equal(score.total[0], 4);
	assert_int_equal(score.total[1], 2);
	assert_int_equal(score.points[0][SCOPA_ITEM_FRAC], 4);
	assert_int_equal(score.quantity[1][SCOPA_ITEM_FRAC], 2);
}

TEST(test_king_of_coins_breaks_a_tie_in_frac)
{
	static const char king[] = "frac,frac-tie=king";
	static const char *const three[SCOPA_TEAMS_MAX] = { "ADAC", "ASAB",
		"KD" };
	struct scopa_score score;

	assert_points(king, SCOPA_ITEM_FRAC_KING, "ADKC", "KDAC", 0, 1);
	assert_points(king, SCOPA_ITEM_FRAC_KING, "ADKC", "KD", 0, 0);
	assert_points(king, SCOPA_ITEM_FRAC_KING, "ADKC", "KDACAS", 0, 0);
	assert_points("frac", SCOPA_ITEM_FRAC_KING, "ADKC", "KDAC", 0, 0);
	score = count("frac,players=3,frac-tie=king", three, NULL);
	for (int team = 0; team < 3; team++)
		assert_int_equal(score.points[team][SCOPA_ITEM_FRAC_KING], 0);
}

TEST(test_most_sevens_and_all_sevens_are_two_points)
{
	assert_points("escoba", SCOPA_ITEM_SEVENS, "7D7C", "7S", 1, 0);
	assert_points("escoba", SCOPA_ITEM_SEVENS, "7D7C", "7S7B", 0, 0);
	assert_points("escoba", SCOPA_ITEM_ALL_SEVENS, "7D7C7S", "7B", 0, 0);
	assert_points("escoba", SCOPA_ITEM_ALL_SEVENS, "-", "7D7C7S7B", 0, 1);
	assert_points("escoba", SCOPA_ITEM_SEVENS, "-", "7D7C7S7B", 0, 1);
	assert_points("scopa", SCOPA_ITEM_SEVENS, "-", "7D7C7S7B", 0, 0);
	assert_points("scopa", SCOPA_ITEM_ALL_SEVENS, "-", "7D7C7S7B", 0, 0);
	assert_points(
	    "escoba-noprime", SCOPA_ITEM_PRIMIERA, "-", "7D7C7S7B", 0, 0);
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

/* The whole. */

TEST(test_items_off_give_no_points)
{
	static const char all[] = "7D7C7S7BKDKCKSKBAD2D3D";

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		assert_int_equal(points("scopa,items=none,scopa=0,piccola=6",
				     (enum scopa_item)item, all),
		    item == SCOPA_ITEM_PICCOLA ? 3 : 0);
	assert_int_equal(points("scopa,items=cards", SCOPA_ITEM_CARDS, all), 1);
	assert_int_equal(points("scopa,items=cards", SCOPA_ITEM_COINS, all), 0);
	assert_int_equal(
	    points("scopa,items=coins+primiera", SCOPA_ITEM_PRIMIERA, all), 1);
	assert_int_equal(
	    points("scopa,items=coins+primiera", SCOPA_ITEM_SETTEBELLO, all),
	    0);
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

static int
primiera(const char *spec, const char *pile)
{
	struct scopa_rules rules = support_rules(spec);

	return scopa_primiera(&rules, support_set(pile));
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

TEST(test_primiera_is_the_best_card_of_each_suit)
{
	assert_int_equal(primiera("scopa", "7D7C6BAS"), 76);
	assert_int_equal(primiera("scopa", "7D7C7S7B"), 84);
	assert_int_equal(primiera("scopa", "JDQCKSKB"), 40);
	assert_int_equal(primiera("scopa", "JDQCKSKB2D3C4S5B"), 54);
	assert_int_equal(primiera("scopa", "AD5D6DQD4C6C3S2SKB"), 59);
	assert_int_equal(primiera("scopa,primiera-six=19", "AD6DQD6C3S2SKB"),
	    19 + 19 + 13 + 10);
}

TEST(test_complete_primieras_have_41_values_from_40_to_84)
{
	struct scopa_rules rules = support_rules("scopa");
	bool seen[85] = { false };
	int count_seen = 0;

	for (int choice = 0; choice < 10 * 10 * 10 * 10; choice++) {
		scopa_set four = 0;
		int rest = choice;
		int value;
		for (int suit = 0; suit < 4; suit++, rest /= 10)
			four |= scopa_set_of(scopa_card_of(
			    rest % 10 + 1, (enum scopa_suit)suit));
		value = scopa_primiera(&rules, four);
		assert_in_range(value, 40, 84);
		count_seen += !seen[value];
		seen[value] = true;
	}
	assert_true(seen[40] && seen[84]);
	assert_int_equal(count_seen, 41);
}

TEST(test_missing_suit_ends_the_claim_counts_nothing_or_ranks_lower)
{
	static const char all4[] = "scopa";
	static const char partial[] = "scopa,primiera-missing=partial";
	static const char suits[] = "scopa,primiera-missing=suits-first";
	static const char sevens[] = "7D7C7S";
	static const char kings[] = "KDKCKSKB";

	assert_int_equal(primiera(all4, sevens), 0);
	assert_int_equal(primiera(partial, sevens), 63);
	assert_int_equal(primiera(all4, kings), 40);
	assert_points(all4, SCOPA_ITEM_PRIMIERA, sevens, kings, 0, 1);
	assert_points(partial, SCOPA_ITEM_PRIMIERA, sevens, kings, 1, 0);
	assert_points(suits, SCOPA_ITEM_PRIMIERA, sevens, kings, 0, 1);
	assert_points(all4, SCOPA_ITEM_PRIMIERA, sevens, "6D", 0, 0);
	assert_points(suits, SCOPA_ITEM_PRIMIERA, sevens, "6D6C6S", 1, 0);
	assert_points(suits, SCOPA_ITEM_PRIMIERA, "2D2C", "7D", 1, 0);
	assert_points(suits, SCOPA_ITEM_PRIMIERA, "6D2C3S", "2B6C3D", 0, 0);
	assert_int_equal(quantity(all4, SCOPA_ITEM_PRIMIERA, sevens), 0);
	assert_int_equal(quantity(partial, SCOPA_ITEM_PRIMIERA, sevens), 63);
}

TEST(test_equal_primieras_give_nobody_the_point)
{
	static const char *const three[SCOPA_TEAMS_MAX] = { "7D6C5SAB",
		"7C6S5BAD", "2D2C2S2B" };
	struct scopa_score score = count("scopa,players=3", three, NULL);

	for (int team = 0; team < 3; team++)
		assert_int_equal(score.points[team][SCOPA_ITEM_PRIMIERA], 0);
	assert_points(
	    "scopa", SCOPA_ITEM_PRIMIERA, "7D6C5SAB", "7C6S4BAD", 1, 0);
}
