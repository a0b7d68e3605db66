/*
 * Legal moves: what each card captures, the order of the moves, their greatest
 * number, and which hands can be declared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "golden.h"
#include "support.h"
#include "test.h"

enum { TEXT_SIZE = 4096 };

static struct scopa_move moves[SCOPA_MOVES_MAX];

static void
assert_captures(const char *where, const char *spec, const char *table,
    const char *card, const char *captures)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_text text = support_text();

	support_captures(&rules, table, card, &text);
	if (strcmp(text.bytes, captures) != 0)
		fail_msg("%s: %s on %s by %s captures %s and not %s", where,
		    card, table, spec, text.bytes, captures);
}

static void
assert_moves(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const char *expected)
{
	struct scopa_text text = SCOPA_TEXT(TEXT_SIZE);

	support_moves(rules, deal, &text);
	assert_string_equal(text.bytes, expected);
}

TEST(test_golden_positions_have_the_expected_captures)
{
	static struct golden golden;
	char where[64];

	while (golden_next(&golden, "positions.tsv")) {
		snprintf(where, sizeof(where), "positions.tsv:%d", golden.line);
		assert_int_equal(golden.field_count, 4);
		assert_captures(where, golden.fields[0], golden.fields[1],
		    golden.fields[2], golden.fields[3]);
	}
	assert_true(golden.line > 50);
}

TEST(test_traditional_ace_does_not_sweep_on_first_play)
{
	struct scopa_rules rules = support_rules("assi-traditional");
	struct scopa_deal deal;

	support_position(&rules, "2C5S", "AD6DKD", &deal);
	deal.play_count = 0;
	assert_moves(&rules, &deal, "AD 6D KD");
	deal.play_count = 1;
	assert_moves(&rules, &deal, "ADx2C5S 6D KD");
	rules = support_rules("assi");
	deal.play_count = 0;
	assert_moves(&rules, &deal, "ADx2C5S 6D KD");
}

TEST(test_wild_seven_captures_by_its_value)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields; golden_next(&golden, "matta.tsv");
	     count++) {
		struct scopa_rules rules = support_rules(field[1]);
		struct scopa_deal deal;

		print_message("# %s\n", field[0]);
		support_deal(&rules, field[2], 1, &deal);
		support_plays(&rules, &deal, field[3]);
		assert_moves(&rules, &deal, field[4]);
	}
	assert_int_equal(count, 12);
}

/*
 * Which tables are possible, to bound how many moves a hand can have.
 *
 * Suits do not matter here: a table is the number of its cards of each value.
 * The search accepts a table if it has no more cards than are turned up at the
 * start, or if one of its cards could have been laid on the others, which means
 * that this card captures nothing there.  Nothing else is required, so the
 * accepted tables include all that any game can reach:
 *
 * - A capture removes cards.  A part of an accepted table is accepted, too: a
 *   card that captures nothing from a table captures nothing from a part of it,
 *   so the same cards can be laid in the same order without those removed.
 * - Aces that sweep, aces that capture themselves, equal cards in games of
 *   fifteen and every rule of precedence only make it harder to lay a card.
 */
enum { REACH_TOTAL_MAX = 14 };

/* The largest numbers over all accepted tables. */
struct reach {
	int sets_max; /* sets of cards with one total */
	int hand_max; /* moves of a hand */
};

/* Five counts (0 to 4) of each of ten values. */
enum { TABLE_COUNT = 9765625, ADMITTED = 1 << 15 };

/* Bit t: some set has total t, 0 to 14; and whether the table is accepted. */
static uint16_t tables[TABLE_COUNT];

/* Number of sets by total. */
struct sets {
	int of[REACH_TOTAL_MAX + 1];
};

struct search {
	enum scopa_capture capture;
	int opening;
	int hand;
	int counts[SCOPA_VALUE_MAX + 1];
	int powers[SCOPA_VALUE_MAX + 1]; /* index of one card of a value */
	struct reach *reach;
};

/* Totals that a card of this value captures, as a mask. */
static unsigned
targets_of(enum scopa_capture capture, int value)
{
	unsigned sum = capture == SCOPA_CAPTURE_FIFTEEN ? 0 : 1U << value;

	return capture == SCOPA_CAPTURE_SUM ? sum : sum | 1U << (15 - value);
}

/* The sets of a table with one more card of a value. */
static void
add_card(struct sets *sets, int value)
{
	for (int total = REACH_TOTAL_MAX; total >= value; total--)
		sets->of[total] += sets->of[total - value];
}

static int
captures_of(const struct search *search, const struct sets *sets, int value)
{
	unsigned targets = targets_of(search->capture, value);
	int count = 0;

	for (int total = 1; total <= REACH_TOTAL_MAX; total++)
		if (targets >> total & 1)
			count += sets->of[total];
	return count;
}

/* The most captures of a hand: that of the cards with the most captures. */
static int
hand_captures(const struct search *search, const int captures[])
{
	int left[SCOPA_VALUE_MAX + 1];
	int count = 0;

	for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
		left[value] = 4 - search->counts[value];
	for (int card = 0; card < search->hand; card++) {
		int best = 0;
		for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
			if (left[value] > 0 &&
			    (best == 0 || captures[value] > captures[best]))
				best = value;
		if (best == 0)
			break;
		/*
		 * A card that captures nothing has one move: it is laid on the
		 * table.
		 */
		count += captures[best] > 0 ? captures[best] : 1;
		left[best]--;
	}
	return count;
}

static void
measure(const struct search *search, const struct sets *sets)
{
	struct reach *reach = search->reach;
	int captures[SCOPA_VALUE_MAX + 1] = { 0 };

	for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
		captures[value] = captures_of(search, sets, value);
	for (int total = 1; total <= REACH_TOTAL_MAX; total++)
		reach->sets_max = MAX(reach->sets_max, sets->of[total]);
	reach->hand_max = MAX(reach->hand_max, hand_captures(search, captures));
}

/* Whether the table is possible; this is known of all smaller tables. */
static bool
admit(const struct search *search, int index)
{
	int cards = 0;
	bool admitted = false;

	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		unsigned before;
		cards += search->counts[value];
		if (search->counts[value] == 0)
			continue;
		before = tables[index - search->powers[value]];
		tables[index] |=
		    (uint16_t)((before | before << value) & 0x7fff);
		if ((before & ADMITTED) &&
		    (before & targets_of(search->capture, value)) == 0)
			admitted = true;
	}
	if (cards == 0)
		tables[index] = 1;
	if (!admitted && cards > search->opening)
		return false;
	tables[index] |= ADMITTED;
	return true;
}

/*
 * Searches this table and all that have more cards of values up to `highest`.
 * Parts of a table are searched before it; if a table is impossible, so are all
 * larger ones.
 */
static void
search_tables(struct search *search, int highest, int index, struct sets sets)
{
	if (!admit(search, index))
		return;
	measure(search, &sets);
	for (int value = 1; value <= highest; value++) {
		struct sets larger = sets;
		if (search->counts[value] == 4)
			continue;
		add_card(&larger, value);
		search->counts[value]++;
		search_tables(
		    search, value, index + search->powers[value], larger);
		search->counts[value]--;
	}
}

/*
 * Goes through all tables of a game of `capture` with `opening` cards turned up
 * (0 or 4) and hands of `hand` cards.
 */
static void
reach_search(
    enum scopa_capture capture, int opening, int hand, struct reach *reach)
{
	struct search search = { .capture = capture,
		.opening = opening,
		.hand = hand,
		.reach = reach };
	struct sets none = { .of = { 1 } };
	int power = 1;

	memset(reach, 0, sizeof(*reach));
	memset(tables, 0, sizeof(tables));
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		search.powers[value] = power;
		power *= 5;
	}
	search_tables(&search, SCOPA_VALUE_MAX, 0, none);
}

static struct reach reach;

TEST(test_reachable_tables_bound_the_moves_of_a_hand)
{
	static const struct {
		enum scopa_capture capture;
		int opening, hand;
		/* Also one of at most three equal cards, or a sweep. */
		int more;
	} games[] = {
		{ SCOPA_CAPTURE_SUM, 0, 10, 4 },
		{ SCOPA_CAPTURE_SUM, 4, 9, 4 },
		{ SCOPA_CAPTURE_FIFTEEN, 0, 10, 10 * 3 + 4 },
		{ SCOPA_CAPTURE_FIFTEEN, 4, 9, 9 * 3 + 4 },
		{ SCOPA_CAPTURE_SUM_OR_FIFTEEN, 0, 10, 4 },
		{ SCOPA_CAPTURE_SUM_OR_FIFTEEN, 4, 9, 4 },
	};

	for (size_t i = 0; i < COUNTOF(games); i++) {
		reach_search(
		    games[i].capture, games[i].opening, games[i].hand, &reach);
		assert_true(reach.hand_max + games[i].more <= SCOPA_MOVES_MAX);
	}
}

/*
 * A wild 7 of cups may have been laid on a table from which its own value
 * captures, with another value: it is added to a table of the search, and may
 * be in a set of any total.  Hands have three cards then.
 */
TEST(test_wild_seven_does_not_break_the_bound)
{
	static const enum scopa_capture captures[] = { SCOPA_CAPTURE_SUM,
		SCOPA_CAPTURE_FIFTEEN, SCOPA_CAPTURE_SUM_OR_FIFTEEN };

	for (size_t i = 0; i < COUNTOF(captures); i++) {
		reach_search(captures[i], 4, 3, &reach);
		/* Two totals, each with the wild card or without; a sweep. */
		assert_true(
		    3 * (4 * reach.sets_max + 1) + 10 <= SCOPA_MOVES_MAX);
	}
}

/* Sets of one or two cards of this total, in a pack without a value. */
static int
small_sets(int total, int without_value)
{
	int count = 0;

	for (int i = 0; i < SCOPA_PACK_SIZE; i++) {
		int one = i / 4 + 1;

		if (one == without_value)
			continue;
		count += one == total;
		for (int k = 0; k < i; k++)
			count += k / 4 + 1 != without_value &&
			    one + k / 4 + 1 == total;
	}
	return count;
}

/*
 * If a card captures two at most, larger sets stay, so any table is possible.
 */
TEST(test_limit_of_two_captured_cards_does_not_break_the_bound)
{
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
		assert_true(10 *
			(small_sets(value, value) +
			    small_sets(15 - value, value)) <=
		    SCOPA_MOVES_MAX);
}

/* The declarations at the end of the list of legal moves. */
static void
assert_declarations(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const char *expected)
{
	struct scopa_text text = SCOPA_TEXT(128);
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	bool seen = false;

	for (int i = 0; i < count; i++) {
		if (moves[i].declaration == SCOPA_DECLARE_NOTHING) {
			assert_false(seen);
			continue;
		}
		if (seen)
			scopa_text_char(&text, ' ');
		scopa_move_format(&moves[i], &text);
		seen = true;
	}
	assert_string_equal(text.bytes, expected);
}

TEST(test_hands_are_declared_before_their_first_card)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields;
	     golden_next(&golden, "declarations.tsv"); count++) {
		char spec[64];
		struct scopa_rules rules;
		struct scopa_deal deal;

		snprintf(spec, sizeof(spec), "cirulla,declare=%s", field[0]);
		rules = support_rules(spec);
		support_deal(&rules, field[1], 1, &deal);
		support_plays(&rules, &deal, field[2]);
		assert_declarations(&rules, &deal, field[3]);
		if (strcmp(field[4], "-") != 0)
			assert_int_equal(support_check(&rules, &deal, field[4]),
			    SCOPA_NO_DECLARATION);
		assert_int_equal(deal.declared[0], atoi(field[5]));
		assert_int_equal(deal.declared[1], atoi(field[6]));
		assert_int_equal(deal.shown, atoi(field[7]));
		assert_int_equal(deal.turn, atoi(field[8]));
	}
	assert_int_equal(count, 26);
}

TEST(test_automatic_declarations_are_made_in_turn_after_the_dealing)
{
	struct scopa_rules rules =
	    support_rules("cirulla,teams=ABAB,declare=auto");
	struct scopa_deal deal;
	struct scopa_text text = support_text();

	/* Seat 2 plays first; seats 3 and 1 and, last, seat 2 may declare. */
	support_deal(&rules, "4S5BQSJS 2C3S3C KDKCKS 2D5C7C 6S6B4B", 0, &deal);
	for (int i = 0; i < deal.history_count; i++) {
		scopa_text_int(&text, deal.history[i].seat + 1);
		scopa_move_format(&deal.history[i], &text);
	}
	assert_string_equal(text.bytes, "2!low3!three4!low:A");
	assert_int_equal(deal.declared[0], 10);
	assert_int_equal(deal.declared[1], 6);
	assert_int_equal(deal.shown, 1 << 1 | 1 << 2 | 1 << 3);
	assert_int_equal(deal.matta, 1);
	assert_int_equal(deal.turn, 1);
	assert_int_equal(
	    support_check(&rules, &deal, "!low"), SCOPA_NO_DECLARATION);
	assert_declarations(&rules, &deal, "");
}
