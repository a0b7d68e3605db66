/*
 * The greedy bot: its moves in small positions, its declarations, its random
 * moves, and its strength under each kind of rules.
 */
#include "greedy.h"

#include <stdio.h>
#include <string.h>

#include "golden.h"
#include "players.h"
#include "scopa/scopa.h"
#include "search.h"
#include "support.h"
#include "test.h"
#include "world_fixture.h"

enum { DEALS = 12, STRENGTH_DEALS = 2000 };

static struct scopa_move
move_in(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct scopa_view view;
	struct scopa_deal imagined;

	world_fixture_imagine(rules, deal, &view, &imagined);
	return greedy_move(rules, &imagined);
}

static void
assert_move(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const char *what, const char *expected)
{
	struct scopa_move move = move_in(rules, deal);
	struct scopa_text text = support_text();

	scopa_move_format(&move, &text);
	if (strcmp(text.bytes, expected) != 0)
		fail_msg("%s: %s instead of %s", what, text.bytes, expected);
}

/*
 * Seat 0 of two is to play; the hand of the other seat is in column 4, and the
 * other seat has captured all other cards.
 */
TEST(test_move_in_small_positions_is_the_expected_one)
{
	static struct golden golden;

	while (golden_next(&golden, "greedy.tsv")) {
		char **field = golden.fields;
		const struct scopa_rules rules = support_rules(field[0]);
		struct scopa_deal deal;
		char what[128];

		assert_int_equal(golden.field_count, 5);
		support_position(&rules, field[1], field[2], &deal);
		support_hold(&deal, field[3]);
		snprintf(what, sizeof(what), "greedy.tsv:%d", golden.line);
		assert_move(&rules, &deal, what, field[4]);
	}
	assert_true(golden.line > 40);
}

/* The first move of seat 0 in a deal of Cirulla. */
TEST(test_declarations_are_made_and_wild_cards_get_the_best_value)
{
	static const struct {
		const char *spec, *cards, *expected;
	} cases[] = {
		{ "cirulla", "5D6D7DKS AS2B4C", "!low" },
		{ "cirulla", "5D6D7DKS QSQBQC", "!three" },
		{ "cirulla", "5D6D7DKS QSQB7C", "!three:Q" },
		{ "cirulla,aim=least", "5D6D7DKS QSQBQC", "QCx6D" },
		/* A 4 makes fifteen with the table; so does an ace sweep. */
		{ "cirulla", "AD2D4D4S 2S3B7C", "!low:4" },
		{ "cirulla", "2D4D5SJS 2S3B7C", "!low:A" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		const struct scopa_rules rules = support_rules(cases[i].spec);
		struct scopa_deal deal;

		support_deal(&rules, cases[i].cards, 1, &deal);
		assert_move(&rules, &deal, cases[i].cards, cases[i].expected);
	}
}

/*
 * The number of 10,000 moves of seat 0 that are not the best one of greedy: of
 * the bot with its option, or of playouts with their share.
 */
static int
blunders_of(int64_t blunder, bool playouts)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct greedy greedy;
	struct scopa_view view;
	struct scopa_deal deal;
	uint64_t random = 3;
	int blunders = 0;

	/* Four moves: three lay a card, and the best one captures. */
	support_position(&rules, "3C", "3BQBKSKB", &deal);
	support_hold(&deal, "2C");
	support_view(&rules, &deal, deal.turn, &view);
	greedy_init(&greedy, &rules);
	for (int i = 0; i < 10000; i++) {
		const struct builtin_turn turn = {
			.rules = &rules,
			.view = &view,
			.deal = &deal,
			.random = &random,
			.options = &blunder,
		};
		struct scopa_text text = support_text();
		struct scopa_move move;

		if (playouts) {
			playout_move(&greedy, (int)blunder, &rules, &deal,
			    &random, &move);
			scopa_move_format(&move, &text);
		} else {
			assert_true(
			    builtin_find("greedy")->choose(&turn, &text));
		}
		blunders += strcmp(text.bytes, "3Bx3C") != 0;
	}
	return blunders;
}

TEST(test_random_moves_are_as_frequent_as_the_option_says)
{
	/* One random move in four is the best move by chance. */
	for (int playouts = 0; playouts < 2; playouts++) {
		assert_int_equal(blunders_of(0, playouts), 0);
		assert_in_range(blunders_of(100, playouts), 650, 850);
		assert_in_range(blunders_of(1000, playouts), 7300, 7700);
	}
}

/* Plays a deal; greedy has the seats of `team`. */
static void
deal_play(const struct scopa_rules *rules, uint64_t *random, int dealer,
    int team, struct scopa_score *score)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_deal deal;

	support_deal_random(rules, random, dealer, &deal);
	while (!scopa_deal_over(&deal)) {
		struct scopa_move move;
		int count;

		if (scopa_team_of(rules, deal.turn) == team) {
			move = move_in(rules, &deal);
			assert_int_equal(
			    scopa_deal_check(rules, &deal, &move), SCOPA_LEGAL);
		} else {
			count =
			    scopa_moves(rules, &deal, moves, SCOPA_MOVES_MAX);
			move = moves[support_random_below(random, count)];
		}
		scopa_deal_apply(rules, &deal, &move);
	}
	scopa_score_count(rules, &deal, score);
}

/* The number of deals won, of 1,000. */
static int
count_won(const char *spec)
{
	const struct scopa_rules rules = support_rules(spec);
	uint64_t random = 2;
	int won = 0;

	for (int deal = 0; deal < STRENGTH_DEALS; deal++) {
		/*
		 * Each seat deals in turn; greedy has each team equally often.
		 */
		int dealer = deal % rules.players, team = deal / 4 % 2;
		struct scopa_score score;
		int lead;

		deal_play(&rules, &random, dealer, team, &score);
		lead = score.total[team] - score.total[1 - team];
		won += rules.aim == SCOPA_AIM_LEAST ? lead < 0 : lead > 0;
	}
	return won * 1000 / STRENGTH_DEALS;
}

TEST(test_greedy_beats_random_under_each_kind_of_rules)
{
	static const struct {
		const char *spec;
		int won_min; /* of 1,000 deals */
	} games[] = {
		{ "scopa", 580 },
		{ "scientifico", 900 },
		{ "assi", 600 },
		{ "escoba", 650 },
		{ "frac", 580 },
		{ "perdere", 600 },
		{ "cirulla", 750 },
	};

	for (size_t i = 0; i < COUNTOF(games); i++) {
		int won = count_won(games[i].spec);

		if (won < games[i].won_min)
			fail_msg("%s: %d of 1000", games[i].spec, won);
	}
}
