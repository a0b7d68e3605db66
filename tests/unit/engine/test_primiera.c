
#include "support.h"
#include "test.h"

static struct scopa_score
count(const char *spec, const char *const piles[SCOPA_TEAMS_MAX])
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_score score;
	struct scopa_deal deal = { .turn = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE };

	for (int team = 0; team < scopa_team_count(&rules); team++)
		deal.captured[team] = support_set(piles[team]);
	scopa_score_count(&rules, &deal, &score);
	return score;
}

/* The points that two teams get for their primieras. */
static void
assert_points(
    const char *spec, const char *a, const char *b, int points_a, int points_b)
{
	const char *const piles[SCOPA_TEAMS_MAX] = { a, b };
	struct scopa_score score = count(spec, piles);

	assert_int_equal(score.points[0][SCOPA_ITEM_PRIMIERA], points_a);
	assert_int_equal(score.points[1][SCOPA_ITEM_PRIMIERA], points_b);
}

static int
quantity(const char *spec, const char *pile)
{
	const char *const piles[SCOPA_TEAMS_MAX] = { pile, "-" };

	return count(spec, piles).quantity[0][SCOPA_ITEM_PRIMIERA];
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
	assert_points(all4, sevens, kings, 0, 1);
	assert_points(partial, sevens, kings, 1, 0);
	assert_points(suits, sevens, kings, 0, 1);
	assert_points(all4, sevens, "6D", 0, 0);
	assert_points(suits, sevens, "6D6C6S", 1, 0);
	assert_points(suits, "2D2C", "7D", 1, 0);
	assert_points(suits, "6D2C3S", "2B6C3D", 0, 0);
	assert_int_equal(quantity(all4, sevens), 0);
	assert_int_equal(quantity(partial, sevens), 63);
}

TEST(test_equal_primieras_give_nobody_the_point)
{
	static const char *const three[SCOPA_TEAMS_MAX] = { "7D6C5SAB",
		"7C6S5BAD", "2D2C2S2B" };
	struct scopa_score score = count("scopa,players=3", three);

	for (int team = 0; team < 3; team++)
		assert_int_equal(score.points[team][SCOPA_ITEM_PRIMIERA], 0);
	assert_points("scopa", "7D6C5SAB", "7C6S4BAD", 1, 0);
}
