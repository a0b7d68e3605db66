/*
 * The bot that plays by traditional rules: the analysis of replies, the value
 * of each rule, the last cards, the rule that decides small positions, and its
 * strength against greedy.
 */
#include "tradition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decision.h"
#include "golden.h"
#include "greedy.h"
#include "sample.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world_fixture.h"

enum { DEALS = 2 };

static struct scopa_rules rules;
static struct scopa_deal deal;
static struct scopa_view view;
static struct reply_context context;
static struct reply_analysis replies;

/* Deals `cards` from the front of the pack; the last seat is the dealer. */
static void
deal_cards(const char *spec, const char *cards)
{
	rules = support_rules(spec);
	support_deal(&rules, cards, rules.players - 1, &deal);
}

/* Seat 0 is to play; `hands` are the hands of all seats. */
static void
hold(const char *spec, const char *table, const char *hands)
{
	char own[64];

	snprintf(own, sizeof(own), "%.*s", (int)strcspn(hands, " "), hands);
	rules = support_rules(spec);
	support_position(&rules, table, own, &deal);
	support_hold(&deal, strchr(hands, ' ') + 1);
}

/* Sets up the context with all that the seat to move knows. */
static void
think(void)
{
	support_view(&rules, &deal, deal.turn, &view);
	reply_context_init(&context, &rules, &view, &deal);
}

/* The same, and analyses the replies to this move. */
static void
analyse(const char *move_text)
{
	struct scopa_move move = support_move(&deal, move_text);

	think();
	assert_int_equal(scopa_deal_check(&rules, &deal, &move), SCOPA_LEGAL);
	reply_analysis_make(&context, &move, &replies);
}

TEST(test_cards_that_capture_and_sweep_are_found)
{
	static const struct {
		const char *spec, *hands, *move, *takers, *sweepers;
	} cases[] = {
		/* Seat 1 has all hidden cards, so its hand is certain. */
		{ "scopa", "KDQD 7SJS", "KD", "7S", "-" },
		{ "scopa", "ADQD JSKC", "AD", "JS", "JS" },
		{ "quindici", "ADQD JS7C", "AD", "7C", "7C" },
		/* Sweeps that score no point do not count. */
		{ "frac", "ADQD JSKC", "AD", "JS", "-" },
		{ "assi", "KDQD ASKC", "QD", "AS", "AS" },
		{ "assi-noscopa", "KDQD ASKC", "QD", "AS", "-" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		hold(cases[i].spec, "3C4S", cases[i].hands);
		analyse(cases[i].move);
		assert_true(scopa_set_has(replies.takers,
		    scopa_set_first(support_set(cases[i].takers))));
		assert_int_equal(
		    replies.sweepers, support_set(cases[i].sweepers));
		assert_true(replies.taken[0] > 0);
		assert_true((replies.swept[0] > 0.99) ==
		    (replies.sweepers != SCOPA_SET_EMPTY));
		assert_true(fabs(replies.idle[0]) < 0.001);
	}
	/* An ace that captures by its value scores in any case. */
	hold("assi-noscopa", "2CAC", "2DQD ASKC");
	analyse("2Dx2C");
	assert_int_equal(replies.sweepers, support_set("AS"));
	hold("scopa", "3C4S", "7DQD JS7C");
	analyse("7Dx3C4S");
	assert_true(replies.effect.scopa);
	assert_int_equal(replies.takers, SCOPA_SET_EMPTY);
	assert_true(replies.taken[0] == 0 && replies.idle[0] == 1);
}

/* The odds that seat 1 holds a card, not the deck, relative to another card. */
static double
odds_of(const char *card, const char *other)
{
	scopa_card a = support_card(card), b = support_card(other);
	const double *seat = context.holding.chance[1];
	const double *deck = context.holding.chance[HOLDING_DECK];

	return seat[a] / deck[a] / (seat[b] / deck[b]);
}

/* An ace on the table protects it from sweeps by an ace. */
TEST(test_hidden_cards_are_judged_by_what_they_could_have_done)
{
	static const struct {
		const char *spec, *table;
		double ace;
	} cases[] = {
		{ "scopa", "ACJDQSKB", 0.5 },
		{ "assi-traditional", "ACJDQSKB", 0.5 },
		{ "assi-traditional", "6BJDQSKB", 0.05 },
		{ "assi", "ACJDQSKB", 0.05 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		char cards[64];

		snprintf(
		    cards, sizeof(cards), "%s 4D2D3D 5C5S4C", cases[i].table);
		deal_cards(cases[i].spec, cards);
		support_plays(&rules, &deal, "2D 5C");
		think();
		assert_near(odds_of("AS", "7S"), cases[i].ace, 1e-6);
	}
}

/* The value of a rule for a move of the seat to move, times 100. */
static int
count_of(const char *rule, const char *move_text)
{
	double parts[TRADITION_RULE_COUNT], sum = 0, found = (double)NAN;

	analyse(move_text);
	sum -= tradition_judge(&context, &replies, parts);
	for (int i = 0; i < TRADITION_RULE_COUNT; i++) {
		sum += parts[i];
		if (strcmp(tradition_rules[i].name, rule) == 0)
			found = parts[i] / tradition_rules[i].weight;
	}
	assert_true(fabs(sum) < 1e-9);
	if (isnan(found))
		fail_msg("no rule %s", rule);
	return (int)lround(100 * found);
}

TEST(test_values_of_rules_are_the_expected_ones)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields;
	     golden_next(&golden, "tradition.tsv"); count++) {
		int found;

		deal_cards(field[0], field[1]);
		support_plays(&rules, &deal, field[2]);
		found = count_of(field[3], field[4]);
		if (found < atoi(field[5]) || found > atoi(field[6]))
			fail_msg("%s of %s: %d", field[3], field[4], found);
	}
	assert_int_equal(count, 27);
}

TEST(test_endplay_starts_when_few_cards_are_hidden)
{
	static const struct {
		const char *spec, *table, *hands;
		int plays, stock;
		bool near;
	} cases[] = {
		{ "scopone", "-", "JSKB JBQC 2C2D 4C4D", 8, 0, true },
		{ "scopone", "-", "JSKB JBQC 2C2D 4C4D", 7, 0, false },
		{ "scopone", "-", "JSKBAC JBQC2S 2C2D3S 4C4D4S", 8, 0, false },
		{ "scopa", "-", "JSKBACAS JBQC2S3S", 8, 0, true },
		{ "scopa", "-", "JSKBACAS JBQC2S3S", 8, 1, false },
		/*
		 * Eight cards; seven of them can be distributed in 1,260 ways.
		 */
		{ "scopa,players=6", "-", "JS JBQC 2C2D 4C 4D 5D", 8, 0,
		    false },
		/* Too slow: hundreds of sums of fifteen for each card. */
		{ "escoba", "ASAB2S2B3S3B4S4B5D5C5S5B6D6C6S6B7D7C",
		    "ADAC2D2C 3D3C4D4C", 8, 0, false },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct scopa_move moves[SCOPA_MOVES_MAX];
		double values[SCOPA_MOVES_MAX];
		int count;

		hold(cases[i].spec, cases[i].table, cases[i].hands);
		think();
		view.deck_count = (uint8_t)cases[i].stock;
		count = scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);
		assert_int_equal(endplay_judge(&context, moves, count,
				     cases[i].plays, values),
		    cases[i].near);
	}
}

/* The move of greedy or chitarrella with all that its seat knows. */
static struct scopa_move
move_in(const struct scopa_rules *game, const struct scopa_deal *position,
    bool greedy, struct tradition_reason *reason)
{
	struct scopa_view seen;
	struct scopa_deal imagined;

	world_fixture_imagine(game, position, &seen, &imagined);
	return greedy
	    ? greedy_move(game, &imagined)
	    : tradition_move(game, &seen, &imagined, ENDPLAY_PLAYS_MAX, reason);
}

static void
assert_plays(const char *expected, const char *rule)
{
	struct tradition_reason reason;
	struct scopa_move move = move_in(&rules, &deal, false, &reason);
	struct scopa_text text = support_text();

	scopa_move_format(&move, &text);
	if (strcmp(text.bytes, expected) != 0 || strcmp(reason.rule, rule) != 0)
		fail_msg("%s by %s instead of %s by %s", text.bytes,
		    reason.rule, expected, rule);
}

TEST(test_rule_that_decided_is_reported)
{
	deal_cards("scopa", "AC2C3CAS 7SKDKB");
	assert_plays("7SxACAS2C3C", "scopa");
	deal_cards("scopone", "2CQC7DKS 2B7BJD4C5D6D5CAC3D");
	assert_plays("7Bx7D", "take");
	deal_cards("scopa", "ACAS2C3C QSKS4D");
	assert_plays("4DxACAS2C", "guard");
}

TEST(test_last_cards_are_played_by_endplay)
{
	hold("scopa", "3C5SKS", "JSKB JBQC");
	assert_plays("JSx3C5S", "endplay");
	support_position(&rules, "3C5SKS", "KB", &deal);
	assert_plays("KBxKS", "any");
}

TEST(test_reason_is_sent_as_an_info_line)
{
	static const char begin[] = "info pv=7SxACAS2C3C m.moves=3 m.lead=";
	struct decision *decision = decision_open("chitarrella");

	deal_cards("scopa", "AC2C3CAS 7SKDKB");
	decision->rules = rules;
	decision->deal = deal;
	assert_string_equal(decision_ask(decision), "7SxACAS2C3C");
	assert_memory_equal(decision->info, begin, strlen(begin));
	assert_non_null(
	    strstr(decision->info, " # scopa a scopa is a point\n"));
	decision_close(decision);
}

/*
 * Plays the deal; chitarrella has the seats of `team`, greedy the others.
 * Returns its lead over the others in hundredths of a point.
 */
static int
margin_in(int team)
{
	int teams = scopa_team_count(&rules), others = 0;
	struct scopa_score score;

	while (!scopa_deal_over(&deal)) {
		struct tradition_reason reason;
		bool greedy = scopa_team_of(&rules, deal.turn) != team;
		struct scopa_move move =
		    move_in(&rules, &deal, greedy, &reason);

		assert_int_equal(
		    scopa_deal_check(&rules, &deal, &move), SCOPA_LEGAL);
		scopa_deal_apply(&rules, &deal, &move);
	}
	scopa_score_count(&rules, &deal, &score);
	for (int i = 0; i < teams; i++)
		others += i == team ? 0 : score.total[i];
	return 100 * score.total[team] - 100 * others / (teams - 1);
}

static void
play_deals(const char *spec, uint64_t random)
{
	rules = support_rules(spec);
	for (int number = 0; number < DEALS; number++) {
		support_deal_random(&rules, &random, 0, &deal);
		margin_in(number & 1);
	}
}

TEST(test_every_rule_set_is_played_to_the_end)
{
	assert_true(support_each_spec(play_deals) > 200);
}

/* Over duplicate deals: each deal once with each team. */
TEST(test_chitarrella_beats_greedy_under_each_kind_of_rules)
{
	static const struct {
		const char *spec;
		int least; /* hundredths of a point per deal */
	} games[] = {
		{ "scopone", 60 },
		{ "scientifico", 100 },
		{ "scopa", 60 },
		{ "scopa,players=3", 40 },
		{ "escoba", 110 },
		{ "cirulla", 110 },
	};

	int deals = support_few_or_all(200, 500);

	for (size_t i = 0; i < COUNTOF(games); i++) {
		uint64_t random = 2;
		int margin = 0, teams;

		rules = support_rules(games[i].spec);
		teams = scopa_team_count(&rules);
		for (int number = 0; number < deals; number++) {
			struct scopa_deal start;

			support_deal_random(&rules, &random, 0, &start);
			for (int team = 0; team < teams; team++) {
				deal = start;
				margin += margin_in(team);
			}
		}
		margin /= teams * deals;
		if (margin < games[i].least)
			fail_msg("%s: %d", games[i].spec, margin);
	}
}

/* Compares tradition_makes and tradition_odds with tradition_move. */
TEST(test_rules_agree_on_one_move_and_prefer_it)
{
	static const char *const specs[] = { "scopone", "scientifico", "scopa",
		"scopa,players=3" };
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	static float odds[SCOPA_MOVES_MAX];
	uint64_t random = 3;

	for (size_t i = 0; i < COUNTOF(specs); i++) {
		rules = support_rules(specs[i]);
		support_deal_random(&rules, &random, 0, &deal);
		while (!scopa_deal_over(&deal)) {
			struct tradition_reason reason;
			struct scopa_move made;
			int count =
			    scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);
			float most = 0;

			think();
			made = tradition_move(&rules, &view, &deal, 0, &reason);
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
