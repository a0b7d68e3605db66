/*
 * A random legal move, without a list of all moves.  There are four methods;
 * way_of() chooses one by the rules and the table.
 *
 * 1. Sums, when no two table cards have the same value (pick_sum).  One word
 * has a nibble for each value, as a set of cards has: the number of table
 * subsets with this total.  It depends only on the values on the table, and is
 * looked up in a table that sums_table.awk makes at build time.  Every card of
 * the hand has a first move; the other moves of some cards are extra moves.  A
 * number up to the count of all moves is drawn.  If it falls on a first move, a
 * random card plays its first move.  The choice of this card does not depend on
 * the count, so the processor can compute both in parallel.
 *
 * 2. Sums and fifteens of any cards (pick_counted).  The table is a polynomial:
 * the product of 1 + x^value over its cards.  The coefficient of x^t is the
 * number of subsets with total t.  It is stored in a byte for each total up to
 * fifteen.  With ten cards at most 252 subsets have the same total, since none
 * of them contains another, so a byte is enough.  The partial products give the
 * number of subsets of the first cards; with them count_find() finds the subset
 * with a given index, from the last card to the first.
 *
 * 3. Only the smallest sets (pick_fewest): single cards and pairs are counted;
 * only for larger sets the captures are listed.
 *
 * 4. All other cases: a list of all moves (pick_from_list).
 */
#include "scopa/move.h"

#include <assert.h>

#include "capture.h"
#include "internal.h"
#include "sums_table.inc"

/*
 * Functions that few draws need.  They stay out of line, so that the normal
 * path is short.
 */
#define RARE __attribute__((noinline, cold))

/*
 * Whether the instruction PDEP may be used.  The compiler's options can set it
 * to 0.
 */
#ifndef SELECT_DEPOSITS
#if defined(__x86_64__) && defined(__GNUC__)
#define SELECT_DEPOSITS 1
#else
#define SELECT_DEPOSITS 0
#endif
#endif

#if SELECT_DEPOSITS
enum { FAMILY_ZEN3 = 0x19, BMI2_BIT = 1 << 8 };

/* The result of the question to the processor; unknown before the first one. */
enum select_way { SELECT_UNKNOWN, SELECT_PLAINLY, SELECT_BY_DEPOSIT };

/* Threads may ask at the same time; all of them get the same result. */
static uint8_t select_way = SELECT_UNKNOWN;

struct answer {
	uint32_t eax, ebx, ecx, edx;
};

/* The instruction CPUID (Intel's manual, volume 2A). */
static struct answer
cpuid(uint32_t leaf)
{
	struct answer answer;

	__asm__("cpuid"
		: "=a"(answer.eax), "=b"(answer.ebx), "=c"(answer.ecx),
		"=d"(answer.edx)
		: "a"(leaf), "c"(0));
	return answer;
}

/* The vendor is `AuthenticAMD`, in three registers. */
static bool
is_amd(const struct answer *vendor)
{
	return vendor->ebx == 0x68747541 && vendor->edx == 0x69746e65 &&
	    vendor->ecx == 0x444d4163;
}

/* Asks the processor, stores the result and returns whether PDEP is fast. */
static RARE bool
select_ask(void)
{
	struct answer vendor = cpuid(0), version = cpuid(1);
	uint32_t family = (version.eax >> 8 & 0xF) + (version.eax >> 20 & 0xFF);
	bool deposits = vendor.eax >= 7 && (cpuid(7).ebx & BMI2_BIT) &&
	    (!is_amd(&vendor) || family >= FAMILY_ZEN3);

	__atomic_store_n(&select_way,
	    deposits ? SELECT_BY_DEPOSIT : SELECT_PLAINLY, __ATOMIC_RELAXED);
	return deposits;
}

/*
 * Whether the processor has a fast PDEP instruction (part of BMI2): all Intel
 * processors with BMI2, and AMD since Zen 3.  Older AMD processors need about a
 * hundred steps for it.
 */
static inline bool
select_deposits(void)
{
	uint8_t way = __atomic_load_n(&select_way, __ATOMIC_RELAXED);

	return way == SELECT_UNKNOWN ? select_ask() : way == SELECT_BY_DEPOSIT;
}

/* Two instructions; allowed only if select_deposits() is true. */
static inline scopa_card
select_by_deposit(scopa_set cards, uint32_t index)
{
	scopa_set found;

	__asm__("pdepq %2, %1, %0"
		: "=r"(found)
		: "r"(UINT64_C(1) << index), "r"(cards));
	return scopa_set_first(found);
}
#endif

/* For any processor, without a branch that depends on the cards. */
static inline scopa_card
select_plainly(scopa_set cards, uint32_t index, uint32_t card_count)
{
	for (uint32_t i = 1; i < card_count; i++)
		cards &= cards - (i <= index);
	return scopa_set_first(cards);
}

/*
 * Returns the card with this index, from the lowest (0), in a set of
 * `card_count`.
 */
static inline scopa_card
select_card(scopa_set cards, uint32_t index, uint32_t card_count)
{
#if SELECT_DEPOSITS
	if (select_deposits())
		return select_by_deposit(cards, index);
#endif
	return select_plainly(cards, index, card_count);
}

/* Method 1: sums. */

/* Bit 0 of the nibble of every value. */
#define NIBBLES_BIT_0 SCOPA_SET_DENARI

/* Returns bit 0 of each nibble that is not zero. */
static inline uint64_t
nibbles_used(uint64_t word)
{
	word |= word >> 2;
	return (word | word >> 1) & NIBBLES_BIT_0;
}

/*
 * Returns all bits of each nibble whose bit 0 is set.  No other bits may be
 * set.
 */
static inline uint64_t
nibbles_filled(uint64_t bits)
{
	return (bits << 4) - bits;
}

/*
 * Returns the sum of the nibbles, each times the number of hand cards of its
 * value.
 */
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

/* Packs bit 0 of each nibble: the bit of value v becomes bit v - 1. */
static inline uint32_t
values_packed(uint64_t values)
{
	values = (values | values >> 3) & UINT64_C(0x0303030303);
	values |= values >> 6;
	return (uint32_t)((values & 0xF) | (values >> 12 & 0xF0) |
	    (values >> 24 & 0x300));
}

static inline uint32_t
count_of_card(uint64_t counts, scopa_card card)
{
	return (uint32_t)(counts >> (card & ~3)) & 0xF;
}

/*
 * Returns the set with this total that comes after *skip others in canonical
 * order.  The cards have distinct values.  If there are not so many, subtracts
 * their number from *skip and returns the empty set.
 */
static scopa_set
sum_find(scopa_set cards, int total, uint32_t *skip)
{
	/* The lowest of several cards is less than half of their total. */
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

/* Returns 0 to bound - 1, from 32 random bits. */
static inline uint32_t
scale(uint32_t bits, uint32_t bound)
{
	return (uint32_t)((uint64_t)bits * bound >> 32);
}

static inline void
write_move(const struct scopa_deal *deal, scopa_card card, scopa_set captured,
    struct scopa_move *move)
{
	move->captured = captured;
	move->card = card;
	move->declaration = SCOPA_DECLARE_NOTHING;
	move->value = 0;
	move->seat = deal->turn;
}

/* An ace that can sweep captures the whole table instead of the drawn set. */
static RARE scopa_set
sweep_or(const struct scopa_rules *rules, const struct scopa_deal *deal,
    scopa_set captured)
{
	return capture_ace_sweeps(rules, deal) ? deal->table : captured;
}

static inline void
write_sum(const struct scopa_rules *rules, const struct scopa_deal *deal,
    scopa_card card, scopa_set captured, struct scopa_move *move)
{
	if (rules->ace != SCOPA_ACE_PLAIN && scopa_card_value(card) == 1)
		captured = sweep_or(rules, deal, captured);
	write_move(deal, card, captured, move);
}

/*
 * Writes the extra move with index `skip`, from 0.  A card's first move is not
 * extra.
 */
static RARE void
pick_extra(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t extra, uint32_t skip, struct scopa_move *move)
{
	scopa_set cards =
	    deal->hands[deal->turn] & nibbles_filled(nibbles_used(extra));
	scopa_card card;

	while (skip >= count_of_card(extra, scopa_set_first(cards)))
		skip -= count_of_card(extra, scopa_set_take(&cards));
	skip++;
	card = scopa_set_first(cards);
	write_sum(rules, deal, card,
	    sum_find(deal->table, scopa_card_value(card), &skip), move);
}

/* Draws a move for sums, when the table cards have distinct values. */
static void
pick_sum(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t bits, struct scopa_move *move)
{
	scopa_set hand = deal->hands[deal->turn], table = deal->table, captured;
	uint64_t values = nibbles_used(table), extra;
	uint32_t packed = values_packed(values), bit, index;
	uint32_t hand_count = (uint32_t)scopa_set_count(hand);
	bool single = rules->priority == SCOPA_PRIORITY_SINGLE;
	scopa_card card;

	assert(hand != SCOPA_SET_EMPTY);
	extra = sums_extra[packed];
	if (single)
		extra &= ~nibbles_filled(values);
	index = scale((uint32_t)(bits >> 32),
	    hand_count + (extra ? count_of_hand(extra, hand) : 0));
	if (index >= hand_count) {
		pick_extra(rules, deal, extra, index - hand_count, move);
		return;
	}
	card = select_card(hand, scale((uint32_t)bits, hand_count), hand_count);
	bit = UINT32_C(1) << scopa_card_value(card);
	captured = sums_first[bit | (packed & (bit - 1))];
	if (single && (packed & bit >> 1))
		captured = scopa_set_of_value(scopa_card_value(card));
	write_sum(rules, deal, card, captured & table, move);
}

enum { COUNTED_CARDS_MAX = 10, TOTAL_MAX = 15 };

/* The number of subsets with each total: byte t % 8 of word t / 8. */
struct totals {
	uint64_t words[2];
};

/* The cards of a table, and the totals of the first 0, 1, 2, ...  cards. */
struct count {
	struct totals totals[COUNTED_CARDS_MAX + 1];
	scopa_card cards[COUNTED_CARDS_MAX];
	int card_count;
};

/* Returns the totals with one more card: the polynomial times 1 + x^value. */
static inline struct totals
totals_with(struct totals totals, int value)
{
	unsigned shift = 8 * (unsigned)value % 64;
	uint64_t low = totals.words[0] << shift;
	uint64_t high =
	    totals.words[1] << shift | totals.words[0] >> 1 >> (63 - shift);

	/* Arithmetic instead of a branch, which would be unpredictable. */
	return (struct totals){ {
	    totals.words[0] + (value < 8 ? low : 0),
	    totals.words[1] + (value < 8 ? high : low),
	} };
}

static inline uint32_t
totals_of(const struct totals *totals, int total)
{
	return (uint32_t)(totals->words[total / 8] >> 8 * (total % 8)) & 0xFF;
}

static void
count_table(struct count *count, scopa_set table)
{
	int i = 0;

	count->totals[0] = (struct totals){ { 1, 0 } };
	for (; table; i++) {
		scopa_card card = scopa_set_take(&table);

		count->cards[i] = card;
		count->totals[i + 1] =
		    totals_with(count->totals[i], scopa_card_value(card));
	}
	count->card_count = i;
}

/*
 * Returns the subset with this total and this index, from 0, in some fixed
 * order.
 */
static scopa_set
count_find(const struct count *count, int total, uint32_t index)
{
	scopa_set found = SCOPA_SET_EMPTY;

	for (int i = count->card_count - 1; i >= 0; i--) {
		scopa_card card = count->cards[i];
		uint32_t without = totals_of(&count->totals[i], total);
		bool in = index >= without;

		index -= in ? without : 0;
		total -= in ? scopa_card_value(card) : 0;
		found |= (scopa_set)in << card;
	}
	return found;
}

/* The number of captures of a card, by their kind. */
struct choices {
	uint32_t single;  /* single cards, if they exclude larger sets */
	uint32_t equal;   /* subsets with its own value as total */
	uint32_t fifteen; /* subsets that make fifteen with it */
	uint32_t sweep;   /* 1: the whole table, as an additional capture */
};

/*
 * Returns the cards that a card of this value captures alone when single cards
 * have priority.
 */
static inline scopa_set
partners_of(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int value)
{
	/* For fifteen the value may be above 10, where the set is empty. */
	return deal->table &
	    scopa_set_of_value(
		rules->capture == SCOPA_CAPTURE_FIFTEEN ? 15 - value : value);
}

/*
 * The captures of an ace: if it can sweep, only the sweep or the sweep in
 * addition.
 */
static RARE struct choices
choices_of_ace(const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct choices choices)
{
	int total;

	if (!capture_ace_sweeps(rules, deal))
		return choices;
	if (rules->capture != SCOPA_CAPTURE_SUM_OR_FIFTEEN ||
	    rules->cirulla_ace == SCOPA_CIRULLA_ACE_SWEEP)
		return (struct choices){ .sweep = 1 };
	total = scopa_set_total(deal->table);
	choices.sweep = total != 1 && total != 14;
	return choices;
}

static inline struct choices
choices_of(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct totals *totals, int value)
{
	struct choices choices = { 0 };

	if (rules->priority == SCOPA_PRIORITY_SINGLE)
		choices.single =
		    (uint32_t)scopa_set_count(partners_of(rules, deal, value));
	if (rules->capture != SCOPA_CAPTURE_FIFTEEN && !choices.single)
		choices.equal = totals_of(totals, value);
	if (rules->capture != SCOPA_CAPTURE_SUM && !choices.single)
		choices.fifteen = totals_of(totals, 15 - value);
	return value == 1 && rules->ace != SCOPA_ACE_PLAIN
	    ? choices_of_ace(rules, deal, choices)
	    : choices;
}

/*
 * Returns the capture with this index; the empty set when the card captures
 * nothing.
 */
static scopa_set
choices_find(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct count *count, int value, uint32_t index)
{
	const struct choices choices =
	    choices_of(rules, deal, &count->totals[count->card_count], value);

	if (index < choices.single)
		return scopa_set_of(select_card(
		    partners_of(rules, deal, value), index, choices.single));
	index -= choices.single;
	if (index < choices.equal)
		return count_find(count, value, index);
	index -= choices.equal;
	if (index < choices.fifteen)
		return count_find(count, 15 - value, index);
	return choices.sweep ? deal->table : SCOPA_SET_EMPTY;
}

/*
 * Method 2: draws a move for sums and fifteens of any cards, with declarations.
 */
static void
pick_counted(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint32_t bits, struct scopa_move *move)
{
	struct scopa_move declarations[DECLARATIONS_MAX];
	scopa_set hand = deal->hands[deal->turn];
	uint32_t ends[SCOPA_VALUE_MAX] = { 0 }, total = 0, index;
	struct count count;
	int at = 0;

	count_table(&count, deal->table);
	for (scopa_set cards = hand; cards; at++) {
		const struct choices choices =
		    choices_of(rules, deal, &count.totals[count.card_count],
			scopa_card_value(scopa_set_take(&cards)));
		uint32_t moves = choices.single + choices.equal +
		    choices.fifteen + choices.sweep;

		total += moves + (moves == 0); /* one move without a capture */
		ends[at] = total;
	}
	index = total;
	if (rules->declare == SCOPA_DECLARE_ASK)
		total += (uint32_t)declare_list(
		    rules, deal, deal->turn, declarations);
	if (scale(bits, total) >= index) {
		*move = declarations[scale(bits, total) - index];
		return;
	}
	index = scale(bits, total);
	for (at = 0; index >= ends[at]; at++)
		hand &= hand - 1;
	index -= at > 0 ? ends[at - 1] : 0;
	write_move(deal, scopa_set_first(hand),
	    choices_find(rules, deal, &count,
		scopa_card_value(scopa_set_first(hand)), index),
	    move);
}

/*
 * Returns the number of pairs of table cards with this total.  Writes the pair
 * with this index, if there is one.
 */
static inline uint32_t
pairs_count(scopa_set table, int total, uint32_t index, scopa_set *found)
{
	/* The lower card of a pair has at most half of the total. */
	scopa_set lower = table & ((UINT64_C(1) << 4 * (total / 2)) - 1);
	uint32_t count = 0;

	while (lower) {
		scopa_set card = lower & -lower;
		int rest = total - scopa_card_value(scopa_set_take(&lower));
		scopa_set others =
		    table & scopa_set_of_value(rest) & -card & ~card;
		uint32_t more = (uint32_t)scopa_set_count(others);

		if (index - count < more)
			*found = card |
			    scopa_set_of(
				select_card(others, index - count, more));
		count += more;
	}
	return count;
}

/*
 * The same for a card that must capture three or more cards, by a list of its
 * captures.
 */
static RARE uint32_t
fewest_list(const struct scopa_rules *rules, const struct scopa_deal *deal,
    scopa_card card, uint32_t index, scopa_set *found)
{
	struct scopa_move moves[SCOPA_MOVES_MAX], move = { .card = card };
	struct capture_terms terms = capture_terms_of(rules, deal, card);
	uint32_t count = (uint32_t)capture_list(
	    &terms, deal->table, &move, moves, SCOPA_MOVES_MAX);

	if (index < count)
		*found = moves[index].captured;
	return count;
}

/*
 * Returns the number of captures of a card when only the smallest sets are
 * allowed.  Writes the capture with this index, if there is one.  Most cards
 * capture one partner or two cards.
 */
static uint32_t
fewest_count(const struct scopa_rules *rules, const struct scopa_deal *deal,
    scopa_card card, uint32_t index, scopa_set *found)
{
	int value = scopa_card_value(card);
	scopa_set partners = partners_of(rules, deal, value);
	uint32_t count = (uint32_t)scopa_set_count(partners);

	if (index < count)
		*found = scopa_set_of(select_card(partners, index, count));
	if (count > 0)
		return count;
	count = pairs_count(deal->table,
	    rules->capture == SCOPA_CAPTURE_FIFTEEN ? 15 - value : value, index,
	    found);
	return count > 0 ? count : fewest_list(rules, deal, card, index, found);
}

/* Method 3: draws a move when only the smallest sets are allowed. */
static void
pick_fewest(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint32_t bits, struct scopa_move *move)
{
	const uint32_t none = UINT32_MAX;
	uint32_t reach = capture_reach(deal->table, 0);
	uint32_t ends[SCOPA_VALUE_MAX] = { 0 }, total = 0, index;
	scopa_set hand = deal->hands[deal->turn], captured = SCOPA_SET_EMPTY;
	bool sweeps =
	    rules->ace != SCOPA_ACE_PLAIN && capture_ace_sweeps(rules, deal);
	bool fifteen = rules->capture == SCOPA_CAPTURE_FIFTEEN;
	int at = 0, value;

	for (scopa_set cards = hand; cards; at++) {
		scopa_card card = scopa_set_take(&cards);
		uint32_t count = 1;

		value = scopa_card_value(card);
		if ((reach >> (fifteen ? 15 - value : value) & 1) &&
		    !(sweeps && value == 1))
			count =
			    fewest_count(rules, deal, card, none, &captured);
		total += count;
		ends[at] = total;
	}
	index = scale(bits, total);
	for (at = 0; index >= ends[at]; at++)
		hand &= hand - 1;
	index -= at > 0 ? ends[at - 1] : 0;
	value = scopa_card_value(scopa_set_first(hand));
	if (sweeps && value == 1)
		captured = deal->table;
	else if (reach >> (fifteen ? 15 - value : value) & 1)
		(void)fewest_count(
		    rules, deal, scopa_set_first(hand), index, &captured);
	write_move(deal, scopa_set_first(hand), captured, move);
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

/* The method to draw a move; see the head of this file. */
enum way { WAY_SUM, WAY_COUNTED, WAY_FEWEST, WAY_LIST };

static inline enum way
way_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	uint64_t values = nibbles_used(deal->table);
	int card_count = scopa_set_count(deal->table);
	bool asks = rules->declare == SCOPA_DECLARE_ASK;

	if (rules->max_captured != 0 || deal->matta != 0 ||
	    (rules->capture == SCOPA_CAPTURE_FIFTEEN && rules->equal_fifteen) ||
	    (rules->capture == SCOPA_CAPTURE_SUM_OR_FIFTEEN &&
		(rules->priority != SCOPA_PRIORITY_ANY ||
		    rules->cirulla_equal == SCOPA_CIRULLA_EQUAL_FIRST)))
		return WAY_LIST;
	if (rules->priority == SCOPA_PRIORITY_FEWEST)
		return asks ? WAY_LIST : WAY_FEWEST;
	if (rules->capture == SCOPA_CAPTURE_SUM && !asks &&
	    scopa_set_count(values) == card_count)
		return WAY_SUM;
	return card_count > COUNTED_CARDS_MAX ? WAY_LIST : WAY_COUNTED;
}

void
scopa_move_pick(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t bits, struct scopa_move *move)
{
	assert(!scopa_deal_over(deal));
	switch (way_of(rules, deal)) {
	case WAY_SUM:
		pick_sum(rules, deal, bits, move);
		break;
	case WAY_COUNTED:
		pick_counted(rules, deal, (uint32_t)(bits >> 32), move);
		break;
	case WAY_FEWEST:
		pick_fewest(rules, deal, (uint32_t)(bits >> 32), move);
		break;
	case WAY_LIST:
		pick_from_list(rules, deal, (uint32_t)(bits >> 32), move);
		break;
	}
}
