/*
 * Captures.  Depth-first walks over the table in canonical order find every set
 * with a wanted total, so that the result needs no sorting: one walk for a
 * single total, and one for several at once (Cirulla takes sums and fifteens).
 */
#include "capture.h"

#include <stddef.h>

struct capture_search {
	struct scopa_move *moves;
	int max;
	int count;
	const struct scopa_move *move; /* what all found moves share */
	int size_max;                  /* most cards of a set */
	bool fewest; /* a smaller set drives out all larger ones */
	uint8_t held;
};

/* Cards of a value up to `highest`, the 7 of cups by the value it holds. */
static scopa_set
cards_up_to(int highest, uint8_t held)
{
	scopa_set cards;

	if (highest > SCOPA_VALUE_MAX)
		highest = SCOPA_VALUE_MAX;
	cards = (UINT64_C(1) << (4 * highest)) - 1;
	if (held == 0)
		return cards;
	cards &= ~scopa_set_of(SCOPA_MATTA);
	return held <= highest ? cards | scopa_set_of(SCOPA_MATTA) : cards;
}

static int
highest_target(uint32_t targets)
{
	return 31 - __builtin_clz(targets);
}

bool
capture_ace_sweeps(
    const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	uint8_t held = capture_held(rules, deal);

	if (deal->table == SCOPA_SET_EMPTY)
		return false;
	switch ((enum scopa_ace)rules->ace) {
	case SCOPA_ACE_PLAIN:
		return false;
	case SCOPA_ACE_SWEEP:
		return true;
	case SCOPA_ACE_SWEEP_UNLESS_ACE:
		return !capture_equal(deal->table, 1, held);
	case SCOPA_ACE_SWEEP_TRADITIONAL:
		return !capture_equal(deal->table, 1, held) &&
		    deal->play_count > 0;
	}
	return false;
}

/* The cards that a card of this value takes by themselves. */
static scopa_set
cards_alone(scopa_set table, const struct capture_terms *terms)
{
	scopa_set alone = SCOPA_SET_EMPTY;

	if (terms->equal)
		alone = capture_equal(table, terms->value, terms->held);
	for (uint32_t targets = terms->targets; targets != 0;
	     targets &= targets - 1) {
		int target = __builtin_ctz(targets);

		if (target <= SCOPA_VALUE_MAX)
			alone |= capture_equal(table, target, terms->held);
	}
	return alone;
}

struct capture_terms
capture_terms_of(const struct scopa_rules *rules, const struct scopa_deal *deal,
    scopa_card card)
{
	int value = capture_value(deal, card);
	struct capture_terms terms = {
		.ordinary = true,
		.equal = rules->capture != SCOPA_CAPTURE_FIFTEEN ||
		    rules->equal_fifteen,
		.value = (uint8_t)value,
		.single = rules->priority == SCOPA_PRIORITY_SINGLE,
		.fewest = rules->priority == SCOPA_PRIORITY_FEWEST,
		.size_max = rules->max_captured ? (uint8_t)rules->max_captured
						: SCOPA_PACK_SIZE,
		.held = capture_held(rules, deal),
	};

	terms.targets = terms.several = capture_targets(rules, value);
	terms.alone = cards_alone(deal->table, &terms);
	if (rules->capture == SCOPA_CAPTURE_SUM_OR_FIFTEEN &&
	    rules->cirulla_equal == SCOPA_CIRULLA_EQUAL_FIRST &&
	    capture_equal(deal->table, value, terms.held))
		terms.several &= ~(UINT32_C(1) << value);
	if (value == 1 && capture_ace_sweeps(rules, deal)) {
		terms.sweep = true;
		terms.ordinary =
		    rules->capture == SCOPA_CAPTURE_SUM_OR_FIFTEEN &&
		    rules->cirulla_ace == SCOPA_CIRULLA_ACE_CHOICE;
	}
	return terms;
}

/* Total of cards that lie on the table. */
static int
table_total(const struct capture_terms *terms, scopa_set set)
{
	int total = scopa_set_total(set);

	if (terms->held && scopa_set_has(set, SCOPA_MATTA))
		total += terms->held - scopa_card_value(SCOPA_MATTA);
	return total;
}

static bool
is_target(uint32_t targets, int total)
{
	return total <= 15 && (targets >> total & 1);
}

bool
capture_adds_up(const struct capture_terms *terms, scopa_set set)
{
	return is_target(terms->targets, table_total(terms, set)) ||
	    (scopa_set_count(set) == 1 && (set & terms->alone));
}

bool
capture_is_barred(const struct capture_terms *terms, scopa_set set)
{
	if (scopa_set_count(set) == 1)
		return false;
	return (terms->single && terms->alone) ||
	    !is_target(terms->several, table_total(terms, set));
}

bool
capture_is_sweep(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *move)
{
	struct capture_terms terms = capture_terms_of(rules, deal, move->card);

	return terms.sweep && !capture_adds_up(&terms, move->captured);
}

static inline void
search_emit(struct capture_search *search, scopa_set captured)
{
	if (search->fewest) {
		int size = scopa_set_count(captured);

		if (size < search->size_max) {
			search->size_max = size;
			search->count = 0;
		}
	}
	/* A count alone has no room, and no moves. */
	if (search->moves && search->count < search->max) {
		search->moves[search->count] = *search->move;
		search->moves[search->count].captured = captured;
	}
	search->count++;
}

/*
 * Adds to `taken`, which has `size` cards, every set of these that totals
 * `target`.  Cards come by rising value, so a card that leaves less than its
 * own value can only be followed by nothing: what remains is to look for cards
 * that are the target by themselves.
 */
static void
search_total(struct capture_search *search, scopa_set cards, int target,
    scopa_set taken, int size)
{
	cards &= cards_up_to(target, 0);
	while (cards) {
		scopa_card card = scopa_set_take(&cards);
		int left = target - scopa_card_value(card);

		if (left == 0) {
			search_emit(search, taken | scopa_set_of(card));
		} else if (left < scopa_card_value(card) ||
		    size + 1 == search->size_max) {
			if (target > SCOPA_VALUE_MAX)
				return;
			cards &= scopa_set_of_value(target);
		} else if (cards) {
			search_total(search, cards, left,
			    taken | scopa_set_of(card), size + 1);
		}
	}
}

/*
 * The same for several targets at once and a wild card that counts otherwise
 * than it stands: `targets` is a mask of the totals still missing.  A card of
 * `alone` completes a capture by itself.
 */
static void
search_totals(struct capture_search *search, scopa_set cards, uint32_t targets,
    scopa_set taken, scopa_set alone, int size)
{
	while (cards) {
		scopa_card card = scopa_set_take(&cards);
		scopa_set set = taken | scopa_set_of(card);
		uint32_t left =
		    targets >> capture_table_value(card, search->held);

		if ((left & 1) || scopa_set_has(alone, card))
			search_emit(search, set);
		left &= ~UINT32_C(1);
		if (left && size + 1 < search->size_max)
			search_totals(search,
			    cards &
				cards_up_to(highest_target(left), search->held),
			    left, set, SCOPA_SET_EMPTY, size + 1);
	}
}

static void
search_ordinary(struct capture_search *search,
    const struct capture_terms *terms, scopa_set table)
{
	int highest = highest_target(terms->several);
	bool one_target = !(terms->several & (terms->several - 1));

	search->held = terms->held;
	/* Mostly a card is taken alone because it has the total itself. */
	if (one_target && !terms->held &&
	    (!terms->alone ||
		(highest <= SCOPA_VALUE_MAX &&
		    !(terms->alone & ~scopa_set_of_value(highest))))) {
		search_total(search, table, highest, SCOPA_SET_EMPTY, 0);
		return;
	}
	search_totals(search,
	    (table & cards_up_to(highest, terms->held)) | terms->alone,
	    terms->several, SCOPA_SET_EMPTY, terms->alone, 0);
}

int
capture_least(const struct capture_terms *terms, scopa_set table)
{
	struct capture_search search = {
		.size_max = terms->size_max,
		.fewest = true,
	};

	search_ordinary(&search, terms, table);
	return search.count > 0 ? search.size_max : 0;
}

/* Whether set a stands before set b: compared card by card, a prefix first. */
static bool
set_precedes(scopa_set a, scopa_set b)
{
	scopa_set different = a ^ b, first = different & -different;

	return a & first ? b >= first : a < first;
}

/*
 * Puts the sweep of the whole table where canonical order wants it; what has no
 * room any more goes, so that what is written is the beginning of the list.
 */
static void
search_add_sweep(struct capture_search *search, scopa_set table)
{
	int at;

	search_emit(search, table);
	at = search->count < search->max ? search->count : search->max;
	if (at == 0 ||
	    (search->count > search->max &&
		!set_precedes(table, search->moves[at - 1].captured)))
		return;
	for (at--;
	     at > 0 && set_precedes(table, search->moves[at - 1].captured);
	     at--)
		search->moves[at] = search->moves[at - 1];
	search->moves[at] = *search->move;
	search->moves[at].captured = table;
}

/* Whether the whole table is an ordinary capture of up to `room` cards. */
static bool
sweep_is_ordinary(const struct capture_terms *terms, scopa_set table, int room)
{
	return terms->ordinary && capture_adds_up(terms, table) &&
	    !capture_is_barred(terms, table) && scopa_set_count(table) <= room;
}

int
capture_list(const struct capture_terms *terms, scopa_set table,
    const struct scopa_move *move, struct scopa_move *moves, int max)
{
	struct capture_search search = {
		.moves = moves,
		.max = max,
		.move = move,
		.size_max = terms->size_max,
		.fewest = terms->fewest,
	};

	if (terms->ordinary && terms->single && terms->alone) {
		for (scopa_set alone = terms->alone; alone;)
			search_emit(
			    &search, scopa_set_of(scopa_set_take(&alone)));
	} else if (terms->ordinary) {
		search_ordinary(&search, terms, table);
	}
	if (terms->sweep && !sweep_is_ordinary(terms, table, search.size_max))
		search_add_sweep(&search, table);
	return search.count;
}
