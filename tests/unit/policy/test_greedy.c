/*
 * The greedy bot: small positions with one expectation each, and that it plays
 * every preset to the end.
 */
#include "greedy.h"

#include <string.h>

#include "players.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world.h"

enum { DEALS = 40, STRENGTH_DEALS = 2000, ANSWER_SIZE = 64 };

static struct scopa_move
move_in(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct scopa_view view;
	struct scopa_deal imagined;

	support_view(rules, deal, deal->turn, &view);
	assert_true(imagine_deal(rules, &view, &imagined));
	return greedy_move(rules, &imagined);
}

/*
 * Seat 0 of two is to play; the other holds `other`, which it does not see,
 * and has taken all the rest.
 */
static void
assert_plays(const char *spec, const char *table, const char *hand,
    const char *other, const char *expected)
{
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;
	struct scopa_move move;
	struct scopa_text text;
	char bytes[ANSWER_SIZE];

	support_position(&rules, table, hand, &deal);
	support_hold(&deal, other);
	move = move_in(&rules, &deal);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_move_format(&move, &text);
	if (strcmp(bytes, expected) != 0)
		fail_msg("%s: table %s hand %s: %s instead of %s", spec, table,
		    hand, bytes, expected);
}

TEST(test_scopa_goes_before_the_settebello)
{
	assert_plays("scopa", "3C4S", "7BKD", "KS5B", "7Bx3C4S");
	/* The settebello waits on the table, and a sweep is worth more. */
	assert_plays("scopa", "7D", "7B", "KS", "7Bx7D");
	assert_plays("scopa", "AC7D", "7BJS", "KSKB", "JSxAC7D");
}

TEST(test_scopa_is_made_with_the_most_valuable_card)
{
	assert_plays("scopa", "3C4S", "7B7D", "KSKB", "7Dx3C4S");
	assert_plays("scopa", "5C", "5D5S", "KSKB", "5Dx5C");
}

TEST(test_most_valuable_capture_is_made)
{
	/* Settebello, then coins, sevens, and more cards. */
	assert_plays("scopa", "2C7DKS", "2B7BKB", "AS6BJB", "7Bx7D");
	assert_plays("scopa", "5D6CKS", "5B6BKB", "JC3BJB", "5Bx5D");
	assert_plays("scopa", "7SJSQC", "7BJCQB", "3C3B2B", "7Bx7S");
	assert_plays("scopa", "2S3BKSKC", "5BJC4B", "JBJDQD", "5Bx2S3B");
}

TEST(test_table_that_a_hidden_card_sweeps_is_avoided)
{
	/* The capture of the 5 leaves a 4, which the 4 of cups would sweep. */
	assert_plays("scopa", "4S5C", "5BKB", "4CQS", "KB");
	/* Without that card in hiding the capture is safe. */
	assert_plays("scopa", "4S5C", "5BKB", "JCQS", "5Bx5C");
	/* A sum sweeps as well: ace and knight wait for the king. */
	assert_plays("scopa", "AC", "QB6B", "KC2S", "6B");
	assert_plays("scopa", "AC", "QB6B", "JC2S", "QB");
}

TEST(test_least_valuable_card_is_laid)
{
	assert_plays("scopa", "KDKS", "7BJB6B", "4C4S5S", "JB");
	assert_plays("scopa", "KDKS", "JDJB6B", "4C4S5S", "JB");
	assert_plays("scopa", "KDKS", "2S6B4S", "5CQS5S", "2S");
}

TEST(test_best_capture_is_made_where_nothing_is_safe)
{
	/* The 5 leaves a 4 for the 4, the ace a sum of ten for the king. */
	assert_plays("scopa", "4S5C", "5BAS", "4CKS", "5Bx5C");
	assert_plays("scopa", "-", "5BAS", "5SAC", "5B");
}

TEST(test_first_of_equal_moves_is_played)
{
	assert_plays("scopa", "QCQSKDJC", "QBJB", "2C2S", "JBxJC");
	assert_plays("scopa", "5C5SKDKS", "5B", "2C", "5Bx5C");
}

TEST(test_fifteen_is_swept_and_feared)
{
	assert_plays("escoba", "3C4S", "JB7B", "KSKB", "JBx3C4S");
	/* A knave beside the 4 waits for a 3, a king for an ace. */
	assert_plays("escoba", "4C", "6BJB", "3CQS", "6B");
	assert_plays("escoba", "4C", "6BJB", "KCQS", "JB");
	assert_plays("quindici", "4C", "2BKB", "AC2C", "2B");
	assert_plays("quindici", "4C", "2BKB", "3C2C", "KB");
}

TEST(test_hidden_ace_that_sweeps_is_feared)
{
	/* With an ace in hiding every table can be swept. */
	assert_plays("assi", "5CKSKC", "5BJS", "ACQS", "5Bx5C");
	/* Laying is safe only where no ace is left, or one lies there. */
	assert_plays("assi", "QCQSKC", "2BJS", "4CAS", "JS");
	assert_plays(
	    "scopa,ace=sweep-unless-ace", "ADQSKC", "5BJS", "QDAS", "JS");
}

TEST(test_other_rules_make_other_cards_valuable)
{
	assert_plays("scopa", "5D7SKDQC", "5B7BKB", "JCJSJB", "7Bx7S");
	assert_plays("re-bello", "5D7SKDQC", "5B7BKB", "JCJSJB", "KBxKD");
	assert_plays("frac", "7DQCQSJC", "7BQB", "2C2S", "QBxQC");
	assert_plays("scopa", "3D7DQCQS", "3B7B", "JC2S", "7Bx7D");
	assert_plays("trente", "3D7DQCQS", "3B7B", "JC2S", "3Bx3D");
}

TEST(test_player_for_the_fewest_points_shuns_them)
{
	assert_plays("perdere", "3C4S", "7BKB", "QSQB", "KB");
	/* A sweep is the last thing to do, and a cheap capture the better. */
	assert_plays("perdere", "7CAC", "7BJB", "QSQB", "7Bx7C");
	assert_plays("perdere", "2C4D", "2B4B", "QSQB", "2Bx2C");
	/* What is worth most is given away. */
	assert_plays("perdere", "KCKS", "7D2S", "QSQB", "7D");
}

/* What seat 0 of a fresh deal of Cirulla does with this hand. */
static void
assert_opens(
    const char *spec, const char *table, const char *hand, const char *expected)
{
	const struct scopa_rules rules = support_rules(spec);
	char first[2 * SCOPA_PACK_SIZE + 1] = "", bytes[ANSWER_SIZE];
	uint8_t pack[SCOPA_PACK_SIZE];
	struct scopa_deal deal;
	struct scopa_move move;
	struct scopa_text text;

	strcat(strcat(first, table), hand);
	support_pack(first, pack);
	assert_int_equal(
	    scopa_deal_start(&rules, pack, 1, &deal), SCOPA_START_PLAY);
	move = move_in(&rules, &deal);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_move_format(&move, &text);
	if (strcmp(bytes, expected) != 0)
		fail_msg("%s: table %s hand %s: %s instead of %s", spec, table,
		    hand, bytes, expected);
}

/* The next of three players holds the knight, the one after the 3. */
static struct scopa_move
move_before_knight(bool shown)
{
	const struct scopa_rules rules = support_rules("cirulla,players=3");
	struct scopa_deal deal;

	support_position(&rules, "4C", "6BJB", &deal);
	deal.hands[1] = support_set("QS");
	deal.hands[2] = support_set("3S");
	deal.captured[2] &= ~(deal.hands[1] | deal.hands[2]);
	deal.shown = shown ? 1 << 1 : 0;
	return move_in(&rules, &deal);
}

TEST(test_shown_hand_is_all_that_is_feared)
{
	/* 4 and knave wait for a 3, which may be with the next player. */
	assert_int_equal(move_before_knight(false).card, support_card("6B"));
	assert_int_equal(move_before_knight(true).card, support_card("JB"));
}

TEST(test_declaration_is_made_when_offered)
{
	assert_opens("cirulla", "5D6D7DKS", "AS2B4C", "!low");
	assert_opens("cirulla", "5D6D7DKS", "QSQBQC", "!three");
	assert_opens("cirulla", "5D6D7DKS", "QSQB7C", "!three:Q");
	assert_opens("cirulla,aim=least", "5D6D7DKS", "QSQBQC", "QCx6D");
}

TEST(test_wild_card_takes_the_value_that_captures_best)
{
	/* A 4 makes fifteen with the whole table; so does an ace sweep. */
	assert_opens("cirulla", "AD2D4D4S", "2S3B7C", "!low:4");
	assert_opens("cirulla", "2D4D5SJS", "2S3B7C", "!low:A");
}

/* How many of 10,000 moves of seat 0 are not those that greedy likes best. */
static int
blunders_of(int64_t blunder)
{
	const struct scopa_rules rules = support_rules("scopa");
	const int64_t options[1] = { blunder };
	struct scopa_view view;
	struct scopa_deal deal;
	uint64_t random = 3;
	int blunders = 0;

	/* Four moves: three to lay, and the best, which captures. */
	support_position(&rules, "3C", "3BQBKSKB", &deal);
	support_hold(&deal, "2C");
	support_view(&rules, &deal, deal.turn, &view);
	for (int i = 0; i < 10000; i++) {
		const struct builtin_turn turn = {
			.rules = &rules,
			.view = &view,
			.deal = &deal,
			.random = &random,
			.options = options,
		};
		struct scopa_text text = support_text();

		assert_true(builtin_find("greedy")->choose(&turn, &text));
		blunders += strcmp(text.bytes, "3Bx3C") != 0;
	}
	return blunders;
}

TEST(test_blunders_are_as_frequent_as_the_option_says)
{
	/* One random move in four is the best one all the same. */
	assert_int_equal(blunders_of(0), 0);
	assert_in_range(blunders_of(100), 650, 850);
	assert_in_range(blunders_of(1000), 7300, 7700);
}

/* Plays a deal; greedy has the seats of `team`, or all of them. */
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

		if (team == SCOPA_TEAM_NONE ||
		    scopa_team_of(rules, deal.turn) == team) {
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

TEST(test_every_preset_is_played_to_the_end)
{
	uint64_t random = 1;

	for (int i = 0; i < scopa_preset_count; i++) {
		struct scopa_score score;

		for (int deal = 0; deal < DEALS; deal++)
			deal_play(&scopa_presets[i].rules, &random, deal & 1,
			    SCOPA_TEAM_NONE, &score);
	}
	for (int i = 0; i < support_variant_count; i++) {
		const struct scopa_rules rules =
		    support_rules(support_variants[i]);
		struct scopa_score score;

		for (int deal = 0; deal < DEALS; deal++)
			deal_play(
			    &rules, &random, deal & 1, SCOPA_TEAM_NONE, &score);
	}
}

/* Of 1,000 deals. */
struct outcome {
	int won;
	int tied;
};

static struct outcome
outcome_of(const char *spec, bool against_itself)
{
	const struct scopa_rules rules = support_rules(spec);
	struct outcome outcome = { 0, 0 };
	uint64_t random = 2;

	for (int deal = 0; deal < STRENGTH_DEALS; deal++) {
		/* Every dealer in turn; each team as the dealer's or not. */
		int dealer = deal % rules.players, team = deal / 4 % 2;
		struct scopa_score score;
		int lead;

		deal_play(&rules, &random, dealer,
		    against_itself ? SCOPA_TEAM_NONE : team, &score);
		lead = score.total[team] - score.total[1 - team];
		if (rules.aim == SCOPA_AIM_LEAST)
			lead = -lead;
		outcome.won += lead > 0;
		outcome.tied += lead == 0;
	}
	outcome.won = outcome.won * 1000 / STRENGTH_DEALS;
	outcome.tied = outcome.tied * 1000 / STRENGTH_DEALS;
	return outcome;
}

TEST(test_scopone_is_played_as_strongly_as_measured)
{
	struct outcome random = outcome_of("scopone", false);
	struct outcome itself = outcome_of("scopone", true);

	assert_in_range(random.won, 890, 920);
	assert_in_range(itself.tied, 155, 185);
	assert_in_range(itself.won, 390, 440);
}

TEST(test_random_is_beaten_under_every_kind_of_rules)
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
		struct outcome outcome = outcome_of(games[i].spec, false);

		if (outcome.won < games[i].won_min)
			fail_msg("%s: %d of 1000", games[i].spec, outcome.won);
	}
}
