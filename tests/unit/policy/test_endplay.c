/*
 * Ends of deals that are worked out.
 */
#include "endplay.h"

#include <math.h>
#include <string.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

static struct scopa_rules rules;
static struct scopa_deal deal;
static struct scopa_view view;
static struct reply_context context;

static void
think(void)
{
	support_view(&rules, &deal, deal.turn, &view);
	reply_context_init(&context, &rules, &view, &deal);
}

/* Seat 0 is to play; the others hold these, and the last one has the rest. */
static void
hold(const char *spec, const char *table, const char *const *hands)
{
	rules = support_rules(spec);
	support_position(&rules, table, hands[0], &deal);
	for (int seat = 1; seat < rules.players; seat++) {
		int last = scopa_team_of(&rules, rules.players - 1);

		deal.hands[seat] = support_set(hands[seat]);
		deal.captured[last] &= ~deal.hands[seat];
	}
	think();
}

/* Thousandths of the lead that a move is worth. */
static int
value_of(const char *move_text)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	double values[SCOPA_MOVES_MAX];
	int count = scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);
	struct scopa_text text;
	char bytes[64];

	assert_true(endplay_is_near(&context, ENDPLAY_PLAYS_MAX));
	assert_true(endplay_judge(&context, moves, count, values));
	for (int i = 0; i < count; i++) {
		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_move_format(&moves[i], &text);
		if (strcmp(bytes, move_text) == 0)
			return (int)lround(1000 * values[i]);
	}
	fail_msg("no move %s", move_text);
	return 0;
}

TEST(test_last_hands_of_two_are_played_with_open_cards)
{
	static const char *const hands[] = { "JSKB", "JBQC" };

	/* Seat 1 has nearly all: sweeps alone decide, and its knave can. */
	hold("scopa", "3C5SKS", hands);
	assert_int_equal(value_of("KBxKS") - value_of("JSx3C5S"), -1000);
}

TEST(test_worlds_count_by_their_chances)
{
	static const char *const hands[] = { "3S4S", "5SJS", "7SQS", "ASKS" };

	/*
	 * Beside the 2 the 3 waits for a 5, which the next player holds in one
	 * world of three, and the 4 for a 6, which nobody holds.
	 */
	hold("scopone", "2C", hands);
	assert_in_range(value_of("4S") - value_of("3S"), 200, 600);
}

TEST(test_end_is_near_when_few_cards_are_hidden)
{
	static const char *const two[] = { "JSKB", "JBQC", "2C2D", "4C4D" };
	static const char *const three[] = { "JSKBAC", "JBQC2S", "2C2D3S",
		"4C4D4S" };
	static const char *const pair[] = { "JSKBACAS", "JBQC2S3S" };
	static const char *const six[] = { "JS", "JBQC", "2C2D", "4C", "4D",
		"5D" };

	hold("scopone", "-", two);
	assert_true(endplay_is_near(&context, ENDPLAY_PLAYS_MAX));
	assert_false(endplay_is_near(&context, 7));
	hold("scopone", "-", three);
	assert_false(endplay_is_near(&context, ENDPLAY_PLAYS_MAX));
	hold("scopa", "-", pair);
	assert_true(endplay_is_near(&context, ENDPLAY_PLAYS_MAX));
	/* Eight cards, of which seven are shared in 1,260 ways. */
	hold("scopa,players=6", "-", six);
	assert_false(endplay_is_near(&context, ENDPLAY_PLAYS_MAX));
	/* A stock is left. */
	hold("scopa", "-", pair);
	view.deck_count = 1;
	assert_false(endplay_is_near(&context, ENDPLAY_PLAYS_MAX));
}

TEST(test_what_takes_too_long_is_given_up)
{
	/* Hundreds of fifteens for every card that is played. */
	static const char *const hands[] = { "ADAC2D2C", "3D3C4D4C" };
	struct scopa_move moves[SCOPA_MOVES_MAX];
	double values[SCOPA_MOVES_MAX];
	int count;

	hold("escoba", "ASAB2S2B3S3B4S4B5D5C5S5B6D6C6S6B7D7C", hands);
	count = scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);
	assert_true(count > 100);
	assert_true(endplay_is_near(&context, ENDPLAY_PLAYS_MAX));
	assert_false(endplay_judge(&context, moves, count, values));
}
