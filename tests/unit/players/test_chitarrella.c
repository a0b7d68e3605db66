/*
 * The player after the tradition: which rule decides small positions, that it
 * plays every preset to the end, and how much stronger it is than greedy.
 */
#include "players.h"

#include <string.h>

#include "endplay.h"
#include "greedy.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "tradition.h"
#include "world.h"

enum { DEALS = 10, STRENGTH_DEALS = 500, ANSWER_SIZE = 64, INFO_SIZE = 512 };

/* What a player of the house does with all that its seat knows. */
static struct scopa_move
move_in(const struct scopa_rules *rules, const struct scopa_deal *deal,
    bool greedy, struct chitarrella_reason *reason)
{
	struct scopa_view view;
	struct scopa_deal imagined;

	support_view(rules, deal, deal->turn, &view);
	assert_true(imagine_deal(rules, &view, &imagined));
	return greedy ? greedy_move(rules, &imagined)
		      : chitarrella_move(
			    rules, &view, &imagined, ENDPLAY_PLAYS_MAX, reason);
}

static struct scopa_rules game;
static struct scopa_deal position;

/* Deals `cards` from the front of the pack; seat 0 is to play. */
static void
deal_cards(const char *spec, const char *cards)
{
	game = support_rules(spec);
	support_deal(&game, cards, game.players - 1, &position);
}

static void
assert_plays(const char *expected, const char *rule)
{
	struct chitarrella_reason reason;
	struct scopa_move move = move_in(&game, &position, false, &reason);
	struct scopa_text text = support_text();

	scopa_move_format(&move, &text);
	if (strcmp(text.bytes, expected) != 0 || strcmp(reason.rule, rule) != 0)
		fail_msg("%s by %s instead of %s by %s", text.bytes,
		    reason.rule, expected, rule);
}

TEST(test_rule_that_decided_is_told)
{
	deal_cards("scopa", "AC2C3CAS 7SKDKB");
	assert_plays("7SxACAS2C3C", "scopa");
	deal_cards("scopone", "2CQC7DKS 2B7BJD4C5D6D5CAC3D");
	assert_plays("7Bx7D", "take");
	deal_cards("scopa", "ACAS2C3C QSKS4D");
	assert_plays("4DxACAS2C", "guard");
}

TEST(test_last_cards_are_played_by_what_is_known)
{
	game = support_rules("scopa");
	support_position(&game, "3C5SKS", "JSKB", &position);
	support_hold(&position, "JBQC");
	assert_plays("JSx3C5S", "endplay");
	support_position(&game, "3C5SKS", "KB", &position);
	assert_plays("KBxKS", "any");
}

TEST(test_where_tradition_is_silent_greedy_plays)
{
	deal_cards("perdere", "ACAS2C3C QSKS4D");
	assert_plays("QS", "greedy");
	deal_cards("cirulla", "5D6D7DKS AS2B4C");
	assert_plays("!low", "greedy");
}

TEST(test_reason_goes_out_as_an_info_line)
{
	struct scopa_tally tally;
	struct scopa_view view;
	const int64_t options[1] = { 8 };
	struct builtin_turn turn = { .rules = &game, .options = options };
	struct scopa_text answer, info;
	char answer_bytes[ANSWER_SIZE], info_bytes[INFO_SIZE];
	static const char begin[] = "info pv=7SxACAS2C3C m.moves=3 m.lead=";

	deal_cards("scopa", "AC2C3CAS 7SKDKB");
	scopa_tally_init(&tally, position.dealer, 0);
	scopa_view_make(&game, &position, &tally, position.turn, &view);
	scopa_text_init(&answer, answer_bytes, sizeof(answer_bytes));
	scopa_text_init(&info, info_bytes, sizeof(info_bytes));
	turn.view = &view;
	turn.deal = &position;
	turn.info = &info;
	assert_true(chitarrella_choose(&turn, &answer));
	assert_string_equal(answer_bytes, "7SxACAS2C3C");
	assert_memory_equal(info_bytes, begin, strlen(begin));
	assert_non_null(strstr(info_bytes, " # scopa a scopa is a point\n"));
}

/* Plays a deal; chitarrella has the seats of `team`, greedy the others. */
static void
deal_play(const struct scopa_rules *rules, const struct scopa_deal *start,
    int team, struct scopa_score *score)
{
	struct scopa_deal deal = *start;

	while (!scopa_deal_over(&deal)) {
		struct chitarrella_reason reason;
		bool greedy = scopa_team_of(rules, deal.turn) != team;
		struct scopa_move move = move_in(rules, &deal, greedy, &reason);

		assert_int_equal(
		    scopa_deal_check(rules, &deal, &move), SCOPA_LEGAL);
		scopa_deal_apply(rules, &deal, &move);
	}
	scopa_score_count(rules, &deal, score);
}

TEST(test_every_preset_is_played_to_the_end)
{
	uint64_t random = 1;

	for (int i = 0; i < scopa_preset_count + support_variant_count; i++) {
		const struct scopa_rules rules = i < scopa_preset_count
		    ? scopa_presets[i].rules
		    : support_rules(support_variants[i - scopa_preset_count]);

		for (int number = 0; number < DEALS; number++) {
			struct scopa_deal deal;
			struct scopa_score score;

			support_deal_random(&rules, &random, 0, &deal);
			deal_play(&rules, &deal, number & 1, &score);
		}
	}
}

/* Hundredths of a point a deal above greedy, over duplicate deals. */
static int
margin_of(const char *spec)
{
	const struct scopa_rules rules = support_rules(spec);
	const int teams = scopa_team_count(&rules);
	uint64_t random = 2;
	int margin = 0;

	for (int number = 0; number < STRENGTH_DEALS; number++) {
		struct scopa_deal deal;

		support_deal_random(&rules, &random, 0, &deal);
		for (int team = 0; team < teams; team++) {
			struct scopa_score score;
			int others = 0;

			deal_play(&rules, &deal, team, &score);
			for (int i = 0; i < teams; i++)
				others += i == team ? 0 : score.total[i];
			margin += 100 * score.total[team] -
			    100 * others / (teams - 1);
		}
	}
	return margin / (teams * STRENGTH_DEALS);
}

TEST(test_greedy_is_beaten_under_every_kind_of_rules)
{
	static const struct {
		const char *spec;
		int least; /* hundredths of a point a deal */
	} games[] = {
		{ "scopone", 60 },
		{ "scientifico", 100 },
		{ "scopa", 60 },
		{ "scopa,players=3", 40 },
		{ "escoba", 110 },
		{ "cirulla", 110 },
	};

	for (size_t i = 0; i < COUNTOF(games); i++) {
		int margin = margin_of(games[i].spec);

		if (margin < games[i].least)
			fail_msg("%s: %d", games[i].spec, margin);
	}
}

/* tradition_makes and tradition_odds against the move itself. */
TEST(test_rules_alone_make_one_move_and_prefer_it)
{
	static const char *const specs[] = { "scopone", "scientifico", "scopa",
		"scopa,players=3" };
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	static float odds[SCOPA_MOVES_MAX];
	uint64_t random = 3;

	for (size_t i = 0; i < COUNTOF(specs); i++) {
		const struct scopa_rules rules = support_rules(specs[i]);
		struct scopa_deal deal;

		support_deal_random(&rules, &random, 0, &deal);
		while (!scopa_deal_over(&deal)) {
			struct chitarrella_reason reason;
			struct scopa_view view;
			struct scopa_move made;
			int count =
			    scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);
			float most = 0;

			support_view(&rules, &deal, deal.turn, &view);
			made =
			    chitarrella_move(&rules, &view, &deal, 0, &reason);
			tradition_odds(
			    &rules, &view, &deal, moves, count, odds);
			for (int j = 0; j < count; j++)
				most = odds[j] > most ? odds[j] : most;
			for (int j = 0; j < count; j++) {
				bool same = scopa_move_equal(&moves[j], &made);

				assert_int_equal(tradition_makes(&rules, &view,
						     &deal, &moves[j]),
				    same);
				if (same)
					assert_float_equal(
					    odds[j], most, most / 1000);
			}
			scopa_deal_apply(&rules, &deal, &moves[count / 2]);
		}
	}
}
