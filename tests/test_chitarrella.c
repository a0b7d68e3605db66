/*
 * The player after the tradition: which rule decides small positions, that it
 * plays every preset to the end, and how much stronger it is than greedy.
 */
#include "chitarrella.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "greedy.h"
#include "imagine.h"
#include "scopa/scopa.h"
#include "support.h"

enum { DEALS = 10, STRENGTH_DEALS = 500, ANSWER_SIZE = 64, INFO_SIZE = 512 };

/* What a player of the house does with all that its seat knows. */
static struct scopa_move
move_in(const struct scopa_rules *rules, const struct scopa_deal *deal,
    bool greedy, struct chitarrella_reason *reason)
{
	struct scopa_tally tally;
	struct scopa_view view;
	struct scopa_deal imagined;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, &view);
	assert_true(imagine_deal(rules, &view, &imagined));
	return greedy ? greedy_move(rules, &view, &imagined)
		      : chitarrella_move(rules, &view, &imagined, reason);
}

/* Seat 0 of two is to play; the other holds `other`, and has the rest. */
static void
assert_plays(const char *table, const char *hand, const char *other,
    const char *expected, const char *rule)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct chitarrella_reason reason;
	struct scopa_deal deal;
	struct scopa_move move;
	struct scopa_text text;
	char bytes[ANSWER_SIZE];

	support_position(&rules, table, hand, &deal);
	deal.hands[1] = support_set(other);
	deal.captured[1] &= ~deal.hands[1];
	move = move_in(&rules, &deal, false, &reason);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_move_format(&move, &text);
	if (strcmp(bytes, expected) != 0 || strcmp(reason.rule, rule) != 0)
		fail_msg("table %s hand %s: %s by %s instead of %s by %s",
		    table, hand, bytes, reason.rule, expected, rule);
}

static void
test_rule_that_decided_is_told(void **state)
{
	(void)state;
	assert_plays("3C4S", "7BKD", "KS5B", "7Bx3C4S", "scopa");
	assert_plays("2C7DKS", "2B7B", "AS6BJB", "7Bx7D", "take");
	assert_plays("AC", "QB6B", "KC2S", "6B", "no-scopa");
	assert_plays("AC", "6B", "KC2S", "6B", "only");
}

static void
test_reason_goes_out_as_an_info_line(void **state)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal;
	struct scopa_tally tally;
	struct scopa_view view;
	struct builtin_turn turn = { .rules = &rules };
	struct scopa_text answer, info;
	char answer_bytes[ANSWER_SIZE], info_bytes[INFO_SIZE];

	(void)state;
	support_position(&rules, "3C4S", "7BKD", &deal);
	scopa_tally_init(&tally, deal.dealer, 0);
	scopa_view_make(&rules, &deal, &tally, deal.turn, &view);
	scopa_text_init(&answer, answer_bytes, sizeof(answer_bytes));
	scopa_text_init(&info, info_bytes, sizeof(info_bytes));
	turn.view = &view;
	turn.deal = &deal;
	turn.info = &info;
	assert_true(chitarrella_choose(&turn, &answer));
	assert_string_equal(answer_bytes, "7Bx3C4S");
	assert_memory_equal(
	    info_bytes, "info pv=7Bx3C4S m.moves=2 m.lead=", 33);
	assert_non_null(strstr(info_bytes, " # scopa a scopa is a point\n"));
}

/* Plays a deal; chitarrella has the seats of `party`, greedy the others. */
static void
deal_play(const struct scopa_rules *rules, const struct scopa_deal *start,
    int party, struct scopa_score *score)
{
	struct scopa_deal deal = *start;

	while (!scopa_deal_over(&deal)) {
		struct chitarrella_reason reason;
		bool greedy = scopa_party_of(rules, deal.turn) != party;
		struct scopa_move move = move_in(rules, &deal, greedy, &reason);

		assert_int_equal(
		    scopa_deal_check(rules, &deal, &move), SCOPA_LEGAL);
		scopa_deal_apply(rules, &deal, &move);
	}
	scopa_score_count(rules, &deal, score);
}

static void
deal_start(
    const struct scopa_rules *rules, uint64_t *random, struct scopa_deal *deal)
{
	uint8_t pack[SCOPA_PACK_SIZE];

	do {
		support_pack("", pack);
		support_shuffle(random, pack, SCOPA_PACK_SIZE);
	} while (scopa_deal_start(rules, pack, 0, deal) != SCOPA_START_PLAY);
}

static void
test_every_preset_is_played_to_the_end(void **state)
{
	static const char *const more[] = {
		"scopa,players=3",
		"scopa,players=6",
		"scopa-bga,teams=ABCABC",
		"assi,teams=ABABAB",
		"assi-traditional,ace-empty=take",
		"escoba,max-captured=2",
		"cirulla,players=4",
		"cirulla,players=6,declare=auto",
		"cirulla,matta=table",
		"cirulla,matta=plain,cirulla-ace=sweep,cirulla-equal=first",
		"cirulla,aim=least,count=at-once",
	};
	const int more_count = sizeof(more) / sizeof(more[0]);
	uint64_t random = 1;

	(void)state;
	for (int i = 0; i < scopa_preset_count + more_count; i++) {
		const struct scopa_rules rules = i < scopa_preset_count
		    ? scopa_presets[i].rules
		    : support_rules(more[i - scopa_preset_count]);

		for (int number = 0; number < DEALS; number++) {
			struct scopa_deal deal;
			struct scopa_score score;

			deal_start(&rules, &random, &deal);
			deal_play(&rules, &deal, number & 1, &score);
		}
	}
}

/* Hundredths of a point a deal above greedy, over duplicate deals. */
static int
margin_of(const char *spec)
{
	const struct scopa_rules rules = support_rules(spec);
	const int parties = scopa_party_count(&rules);
	uint64_t random = 2;
	int margin = 0;

	for (int number = 0; number < STRENGTH_DEALS; number++) {
		struct scopa_deal deal;

		deal_start(&rules, &random, &deal);
		for (int party = 0; party < parties; party++) {
			struct scopa_score score;
			int others = 0;

			deal_play(&rules, &deal, party, &score);
			for (int i = 0; i < parties; i++)
				others += i == party ? 0 : score.total[i];
			margin += 100 * score.total[party] -
			    100 * others / (parties - 1);
		}
	}
	return margin / (parties * STRENGTH_DEALS);
}

static void
test_greedy_is_beaten_under_every_kind_of_rules(void **state)
{
	static const struct {
		const char *spec;
		int least; /* hundredths of a point a deal */
	} games[] = {
		{ "scopone", 30 },
		{ "scientifico", 50 },
		{ "scopa", 20 },
		{ "scopa,players=3", 10 },
		{ "escoba", 60 },
		{ "cirulla", 60 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
		int margin = margin_of(games[i].spec);

		if (margin < games[i].least)
			fail_msg("%s: %d", games[i].spec, margin);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rule_that_decided_is_told),
		cmocka_unit_test(test_reason_goes_out_as_an_info_line),
		cmocka_unit_test(test_every_preset_is_played_to_the_end),
		cmocka_unit_test(
		    test_greedy_is_beaten_under_every_kind_of_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
