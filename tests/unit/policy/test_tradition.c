/*
 * The rules of the tradition: what each says of a move.
 */
#include "tradition.h"

#include <math.h>
#include <string.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

static struct scopa_rules rules;
static struct scopa_deal deal;

/* Deals `cards` from the front of the pack; the last seat is the dealer. */
static void
deal_cards(const char *spec, const char *cards)
{
	rules = support_rules(spec);
	support_deal(&rules, cards, rules.players - 1, &deal);
}

/* Hundredths of what a rule counts of a move of the seat to play. */
static int
count_of(const char *rule, const char *move_text)
{
	double parts[TRADITION_RULES_MAX], sum = 0, found = (double)NAN;
	struct scopa_move move = { .seat = deal.turn };
	struct scopa_view view;
	struct reply_context context;
	struct reply_analysis replies;

	support_view(&rules, &deal, deal.turn, &view);
	assert_int_equal(scopa_move_parse(move_text, strlen(move_text), &move),
	    SCOPA_PARSED);
	assert_int_equal(scopa_deal_check(&rules, &deal, &move), SCOPA_LEGAL);
	reply_context_init(&context, &rules, &view, &deal);
	reply_analysis_make(&context, &move, &replies);
	sum -= tradition_judge(&context, &replies, parts);
	for (int i = 0; i < tradition_rule_count; i++) {
		sum += parts[i];
		if (strcmp(tradition_rules[i].name, rule) == 0)
			found = parts[i] / tradition_rules[i].weight;
	}
	assert_true(fabs(sum) < 1e-9);
	if (isnan(found))
		fail_msg("no rule %s", rule);
	return (int)lround(100 * found);
}

TEST(test_scopa_and_what_is_taken_count)
{
	deal_cards("scopa", "AC2C3CAS 7SKDKB");
	assert_int_equal(count_of("scopa", "7SxACAS2C3C"), 100);
	assert_int_equal(count_of("scopa", "KD"), 0);
	assert_int_equal(count_of("take", "KD"), 0);
	assert_true(count_of("take", "7SxACAS2C3C") > 5 * 10);
}

TEST(test_what_is_left_to_the_next_player_counts_against)
{
	deal_cards("scopa", "AC2C3CAS 6S2DKB");
	/* A king leaves 17; without 6S a single 7 or less may be left. */
	assert_int_equal(count_of("no-scopa", "KB"), 0);
	assert_true(count_of("no-scopa", "2Dx2C") < -10);
	assert_true(count_of("guard", "KB") < 0);
}

/* The first player belongs to the other side, the last one deals. */
TEST(test_ranks_are_unpaired_against_the_dealer)
{
	deal_cards("scopone", "2C3CKCQS 5DKDAD4D6D7DJD3D2D 5S5C5BACASAB4C4S4B");
	assert_int_equal(count_of("parity", "5Dx2C3C"), 300);
	assert_int_equal(count_of("parity", "KDxKC"), 0);
	assert_int_equal(count_of("parity", "JD"), 0);
	support_play(&rules, &deal, "JD");
	assert_int_equal(count_of("parity", "5Sx2C3C"), -300);
	/* With a stock nobody knows who will be last. */
	deal_cards("scopa", "2C3CKCQS 5DKDAD");
	assert_int_equal(count_of("parity", "5Dx2C3C"), 0);
}

TEST(test_doubles_ask_and_are_spared_and_answered)
{
	/* Seats 0 and 2 are partners, so are 1 and 3. */
	deal_cards("scopone",
	    "KCKSQCQS JDJC2D3D4D5D6D7DAD JS2C3C4C5C6CAC7CQD "
	    "JBQB2S3S4S5S6S7SAS");
	assert_int_equal(count_of("double", "JD"), 100);
	assert_int_equal(count_of("double", "2D"), 0);
	support_play(&rules, &deal, "JD");
	support_play(&rules, &deal, "4C");
	/* The third seat might take its partner's knave. */
	assert_int_equal(count_of("spare", "JBxJD"), 100);
	assert_int_equal(count_of("spare", "QBxQC"), 0);
}

TEST(test_card_that_the_partner_has_lost_is_answered)
{
	deal_cards("scopone",
	    "KCKSQCQS JD2D3D4D5D6D7DADKD JS2C3C4C5C6CAC7CQD "
	    "JB2S3S4S5S6S7SASKB");
	support_play(&rules, &deal, "JD");
	support_play(&rules, &deal, "JSxJD");
	assert_int_equal(count_of("answer", "JB"), 100);
	assert_int_equal(count_of("answer", "2S"), 0);
}

TEST(test_sevens_are_taken_by_who_has_them)
{
	deal_cards("scopone", "7CKSQCQS 7D2D3D4D5D6DJDADKD");
	assert_int_equal(count_of("sevens", "7Dx7C"), 100);
	deal_cards("scopone", "7CKSQCQS 7S2D3D4D5D6DJDADKD");
	assert_int_equal(count_of("sevens", "7Sx7C"), 0);
	deal_cards("scopone", "7CKSQCQS 7S7B2D4D5D6DJDADKD");
	assert_int_equal(count_of("sevens", "7Sx7C"), 100);
}

TEST(test_later_players_are_thought_of)
{
	deal_cards("scopone", "KCKSQCQS KDKBQDQB2D3D4D5D6D");
	assert_true(count_of("partner", "2D") > 0);
	assert_true(count_of("third", "2D") < 0);
	/* In two all that comes later is one's own. */
	deal_cards("scopa", "7CKSQCQS 2D3D7S");
	assert_true(count_of("partner", "2D") > 0);
	assert_int_equal(count_of("third", "2D"), 0);
}

TEST(test_mill_feeds_the_partner)
{
	/* An empty table: the next one feeds, and the like of it sweeps. */
	deal_cards("scopone", "AC2C3CAS 7S2D4D5D6DJDADKDQD");
	assert_true(count_of("mill", "7SxACAS2C3C") > 10);
	assert_int_equal(count_of("mill", "KD"), 0);
}
