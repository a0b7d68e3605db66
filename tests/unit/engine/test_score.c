/* The points of a deal, item by item, and the tally of a match. */
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "support.h"
#include "test.h"

/*
 * The score of a finished deal: these piles, and three and four scopas; the
 * other cards are in no pile.
 */
static struct scopa_score
count(const char *spec, const char *const piles[2])
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_score score;
	struct scopa_deal deal = { .turn = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE };

	for (int team = 0; team < 2; team++) {
		deal.captured[team] = support_set(piles[team]);
		deal.scopas[team] = (uint8_t)(3 + team);
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

TEST(test_each_item_scores_its_points)
{
	static struct golden golden;
	bool seen[SCOPA_ITEM_COUNT] = { false };

	while (golden_next(&golden, "scores.tsv")) {
		char **field = golden.fields;
		const char *const piles[2] = { field[2], field[3] };
		struct scopa_score score = count(field[0], piles);
		int item;

		assert_int_equal(golden.field_count, 7);
		if (strcmp(field[1], "win") == 0) {
			if ((score.winner == 0) != atoi(field[4]) ||
			    (score.winner == 1) != atoi(field[5]))
				fail_msg("scores.tsv:%d: %d wins", golden.line,
				    score.winner);
			continue;
		}
		item = item_of(field[1]);
		seen[item] = true;
		if (score.points[0][item] != atoi(field[4]) ||
		    score.points[1][item] != atoi(field[5]) ||
		    score.quantity[0][item] != atoi(field[6]))
			fail_msg("scores.tsv:%d: %d for %d, and %d",
			    golden.line, score.points[0][item],
			    score.quantity[0][item], score.points[1][item]);
	}
	assert_true(golden.line > 110);
	/* The points of declarations do not come from a pile. */
	seen[SCOPA_ITEM_DECLARED] = true;
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (!seen[item])
			fail_msg("scores.tsv has no row of %s",
			    scopa_item_name((enum scopa_item)item));
}

/* Adds a deal in which the teams made these points. */
static void
add(const struct scopa_rules *rules, struct scopa_tally *tally,
    const int points[SCOPA_TEAMS_MAX])
{
	struct scopa_score score = { .winner = SCOPA_TEAM_NONE };

	for (int team = 0; team < scopa_team_count(rules); team++)
		score.total[team] = (int16_t)points[team];
	scopa_tally_add(rules, tally, &score);
}

static void
assert_state(
    const struct scopa_tally *tally, enum scopa_tally_state state, int winner)
{
	assert_int_equal(tally->state, state);
	assert_int_equal(tally->winner, winner);
}

#define OPEN SCOPA_TALLY_OPEN, SCOPA_TEAM_NONE
#define DRAWN SCOPA_TALLY_DEALS, SCOPA_TEAM_NONE

/* Matches of up to three deals: the points of each, and the state after it. */
static const struct {
	const char *what, *spec;
	int deals; /* deals of the match; 0: to the target */
	struct {
		int points[SCOPA_TEAMS_MAX];
		enum scopa_tally_state state;
		int winner;
	} after[3];
} matches[] = {
	{ "the target ends the match for the one who leads", "scopa", 0,
	    { { { 6, 2 }, OPEN }, { { 4, 3 }, OPEN },
		{ { 1, 5 }, SCOPA_TALLY_TARGET, 0 } } },
	{ "who is behind may pass the target and win by more", "scopa", 0,
	    { { { 10, 9 }, OPEN }, { { 1, 3 }, SCOPA_TALLY_TARGET, 1 } } },
	{ "a tie at the target asks for another deal", "scopa", 0,
	    { { { 11, 11 }, OPEN }, { { 2, 2 }, OPEN },
		{ { 0, 1 }, SCOPA_TALLY_TARGET, 1 } } },
	{ "a tie of the first two of three, and the third wins",
	    "scopa,players=3", 0,
	    { { { 12, 12, 3 }, OPEN },
		{ { 1, 0, 13 }, SCOPA_TALLY_TARGET, 2 } } },
	{ "a tie of the first two of six", "scopa,players=6", 0,
	    { { { 12, 12, 3, 4, 5, 1 }, OPEN },
		{ { 1, 0, 13 }, SCOPA_TALLY_TARGET, 2 } } },
	{ "a tie behind the first is none", "scopa,teams=ABCD", 0,
	    { { { 12, 3, 5, 5 }, SCOPA_TALLY_TARGET, 0 } } },
	{ "the first to reach the target loses where the least wins",
	    "perdere,target=11", 0,
	    { { { 10, 4 }, OPEN }, { { 1, 0 }, SCOPA_TALLY_TARGET, 1 } } },
	{ "a tie where the least wins", "perdere,target=11", 0,
	    { { { 11, 11 }, OPEN }, { { 2, 3 }, SCOPA_TALLY_TARGET, 0 } } },
	{ "the fewest points must be one team's alone",
	    "perdere,players=3,target=11", 0,
	    { { { 11, 4, 4 }, OPEN },
		{ { 0, 1, 0 }, SCOPA_TALLY_TARGET, 2 } } },
	{ "a fixed number of deals has no target", "scopa", 3,
	    { { { 15, 2 }, OPEN }, { { 0, 10 }, OPEN },
		{ { 0, 4 }, SCOPA_TALLY_DEALS, 1 } } },
	{ "one deal", "scopa", 1, { { { 1, 0 }, SCOPA_TALLY_DEALS, 0 } } },
	{ "a fixed number of deals may end in a draw", "scopa,players=3", 1,
	    { { { 3, 5, 5 }, DRAWN } } },
	{ "a tie of the last is no draw", "scopa,players=3", 1,
	    { { { 5, 3, 3 }, SCOPA_TALLY_DEALS, 0 } } },
	{ "a tie of the fewest is a draw", "perdere,players=3", 1,
	    { { { 5, 3, 3 }, DRAWN } } },
};

TEST(test_matches_end_as_their_rules_say)
{
	for (int i = 0; i < COUNTOF(matches); i++) {
		struct scopa_rules rules = support_rules(matches[i].spec);
		struct scopa_tally tally;
		int total = 0;

		scopa_tally_init(&tally, 3, matches[i].deals);
		for (int deal = 0; tally.state == SCOPA_TALLY_OPEN; deal++) {
			assert_int_equal(tally.deal_count, deal);
			add(&rules, &tally, matches[i].after[deal].points);
			total += matches[i].after[deal].points[0];
			assert_int_equal(tally.scores[0], total);
			if (tally.state != matches[i].after[deal].state ||
			    tally.winner != matches[i].after[deal].winner)
				fail_msg("%s: after %d deals", matches[i].what,
				    deal + 1);
		}
	}
}

TEST(test_instant_win_ends_any_match)
{
	struct scopa_rules rules = support_rules("trente");
	struct scopa_score score = { .total = { 2, 9 }, .winner = 0 };
	struct scopa_tally tally;

	for (int deals = 0; deals < 5; deals += 4) {
		scopa_tally_init(&tally, 0, deals);
		add(&rules, &tally, (const int[SCOPA_TEAMS_MAX]){ 0, 15 });
		scopa_tally_add(&rules, &tally, &score);
		assert_state(&tally, SCOPA_TALLY_INSTANT, 0);
		assert_int_equal(tally.scores[0], 2);
		assert_int_equal(tally.scores[1], 24);
	}
}

TEST(test_dealer_changes_in_or_against_the_direction_of_play)
{
	static const struct {
		const char *spec;
		int dealers[5];
	} cases[] = {
		{ "scopa", { 0, 1, 0, 1, 0 } },
		{ "scopa,rotation=against", { 0, 1, 0, 1, 0 } },
		{ "scopa,players=3", { 0, 1, 2, 0, 1 } },
		{ "scopa,players=3,rotation=against", { 0, 2, 1, 0, 2 } },
		{ "scopone", { 0, 1, 2, 3, 0 } },
		{ "scopone,rotation=against", { 0, 3, 2, 1, 0 } },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct scopa_rules rules = support_rules(cases[i].spec);
		struct scopa_tally tally;
		scopa_tally_init(&tally, 0, 0);
		for (int deal = 0; deal < 5; deal++) {
			assert_int_equal(tally.dealer, cases[i].dealers[deal]);
			add(&rules, &tally, (const int[SCOPA_TEAMS_MAX]){ 1 });
		}
	}
}
