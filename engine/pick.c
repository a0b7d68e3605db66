/*
 * A random legal move, without a list of all of them.
 *
 * In games of sums, where no two cards of the table have the same value, the
 * captures of all cards of a hand are counted at once.  A word has a nibble for
 * each value, as a set of cards has.  The table as a polynomial, (1 + x^value)
 * for each of its cards multiplied together, has as coefficient of x^v the
 * number of sets that total v: one nibble of the product.  Of distinct values
 * at most ten sets total ten and fewer anything less, so no nibble runs over.
 *
 * Every card has a first move; what some cards have besides is extra.  The draw
 * is a random card's first move unless it falls on the extra ones.  So which
 * card it is does not wait for the count, and a processor that has foreseen it
 * wrongly, as it must, finds out while the count is under way.
 */
#include "scopa/move.h"

#include <assert.h>

#include "capture.h"

/* Bit 0 of the nibble of every value. */
#define NIBBLES_BIT_0 SCOPA_SET_DENARI

/* Bit 0 of each nibble that is not zero. */
static inline uint64_t
nibbles_used(uint64_t word)
{
	word |= word >> 2;
	return (word | word >> 1) & NIBBLES_BIT_0;
}

/* All bits of each nibble whose bit 0 is set, where no other bits are. */
static inline uint64_t
nibbles_filled(uint64_t bits)
{
	return (bits << 4) - bits;
}

/* How many sets of these values total each: a nibble each, from 1 to 10. */
static inline uint64_t
sums_count(uint64_t values)
{
	uint64_t terms = values << 4; /* nibble v of a product is for total v */
	uint64_t low, middle, high;

	low = (1 + (terms & UINT64_C(0xF) << 4)) *
	    (1 + (terms & UINT64_C(0xF) << 8));
	middle = (1 + (terms & UINT64_C(0xF) << 12)) *
	    (1 + (terms & UINT64_C(0xF) << 16));
	/* No two values from six up total ten or less: one factor for all. */
	high = (1 + (terms & UINT64_C(0xF) << 20)) *
	    (1 + (terms & UINT64_C(0xFFFFF) << 24));
	return (low * middle * high) >> 4 & SCOPA_SET_ALL;
}

/* What stands in the nibbles, as often as the hand has cards of the value. */
static inline uint32_t
count_of_hand(uint64_t counts, scopa_set hand)
{
	int total = 0;

	for (int bit = 0; bit < 4; bit++)
		total += scopa_set_count(hand &
			     nibbles_filled(counts >> bit & NIBBLES_BIT_0))
		    << bit;
	return (uint32_t)total;
}

static inline uint32_t
count_of_card(uint64_t counts, scopa_card card)
{
	return (uint32_t)(counts >> (card & ~3)) & 0xF;
}

/*
 * Finds the set of this total before which *skip others are met; the cards have
 * distinct values.  Where there are fewer, takes those met off *skip and
 * returns the empty set.
 */
static scopa_set
sum_find(scopa_set cards, int total, uint32_t *skip)
{
	/* The least card of several is less than half of what they total. */
	scopa_set lower = cards & ((UINT64_C(1) << 4 * ((total - 1) / 2)) - 1);
	scopa_set whole = cards & scopa_set_of_value(total);

	while (lower) {
		scopa_card card = scopa_set_take(&lower);
		scopa_set higher = cards & ~UINT64_C(1) << card;
		scopa_set found =
		    sum_find(higher, total - scopa_card_value(card), skip);

		if (found)
			return found | scopa_set_of(card);
	}
	return whole && (*skip)-- == 0 ? whole : SCOPA_SET_EMPTY;
}

/* 0 to bound - 1, from 32 random bits. */
static inline uint32_t
scale(uint32_t bits, uint32_t bound)
{
	return (uint32_t)((uint64_t)bits * bound >> 32);
}

static void
pick_from_list(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint32_t bits, struct scopa_move *move)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);

	assert(count > 0);
	*move = moves[scale(bits, (uint32_t)count)];
}

/* Whether sums are all that is to count, and of distinct values. */
static inline bool
sums_suffice(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t values)
{
	return rules->capture == SCOPA_CAPTURE_SUM &&
	    rules->priority != SCOPA_PRIORITY_FEWEST &&
	    rules->max_captured == 0 && rules->declare != SCOPA_DECLARE_ASK &&
	    deal->matta == 0 &&
	    scopa_set_count(values) == scopa_set_count(deal->table);
}

void
scopa_move_pick(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t bits, struct scopa_move *move)
{
	scopa_set hand, cards, captured;
	uint64_t values = nibbles_used(deal->table), sums, searched, extra;
	uint32_t hand_count, count, index, skip = 0;
	scopa_card card;

	assert(!scopa_deal_over(deal));
	if (!sums_suffice(rules, deal, values)) {
		pick_from_list(rules, deal, (uint32_t)(bits >> 32), move);
		return;
	}
	sums = sums_count(values);
	searched = nibbles_used(sums);
	extra = sums - searched;
	if (rules->priority == SCOPA_PRIORITY_SINGLE) {
		extra &= ~nibbles_filled(values);
		searched &= ~values;
	}
	hand = cards = deal->hands[deal->turn];
	assert(hand != SCOPA_SET_EMPTY);
	hand_count = (uint32_t)scopa_set_count(hand);
	count = hand_count + count_of_hand(extra, hand);
	for (index = scale((uint32_t)bits, hand_count); index > 0; index--)
		cards &= cards - 1;
	index = scale((uint32_t)(bits >> 32), count);
	if (index >= hand_count) {
		skip = index - hand_count;
		cards = hand & nibbles_filled(nibbles_used(extra));
		while (skip >= count_of_card(extra, scopa_set_first(cards)))
			skip -= count_of_card(extra, scopa_set_take(&cards));
		skip++; /* the first move of the card is not extra */
	}
	card = scopa_set_first(cards);
	captured = deal->table & scopa_set_of_value(scopa_card_value(card));
	if (count_of_card(searched, card) > 0)
		captured = sum_find(deal->table, scopa_card_value(card), &skip);
	if (rules->ace != SCOPA_ACE_PLAIN && scopa_card_value(card) == 1 &&
	    capture_ace_sweeps(rules, deal))
		captured = deal->table;
	move->captured = captured;
	move->card = card;
	move->declaration = SCOPA_DECLARE_NOTHING;
	move->value = 0;
	move->seat = deal->turn;
}
