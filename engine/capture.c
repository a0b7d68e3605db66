/*
 * Captures.  Depth-first searches over the table in canonical order find every
 * set of cards with the right total, so the result needs no sorting.
 * search_total() has one target total; search_totals() has several, for rules
 * in which a card may capture by its value or to fifteen.
 */
#include "capture.h"

struct capture_search {
	struct scopa_move *moves;
	int max;
	int count;
	const struct scopa_move *move; /* copied for each capture found */
	int size_max;                  /* most cards of a set */
	bool fewest;                   /* keep only the smallest sets */
	uint8_t held;
};

/*
 * Returns the cards with values up to `highest`, at most 15, as a mask of a
 * set.  The 7 of cups counts by its declared value.
 */
static scopa_set
cards_up_to(int highest, uint8_t held)
{
	scopa_set cards = (UINT64_C(1) << (4 * highest)) - 1;

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

/*
 * Returns the table cards that a card of this value may capture one at a time.
 */
static scopa_set
cards_alone(scopa_set table, const struct capture_terms *terms)
{
	scopa_set alone = SCOPA_SET_EMPTY;

	if (terms->equal)
		alone = capture_equal(table, terms->value, terms->held);
	for (uint32_t targets = terms->targets; targets != 0;
	     targets &= targets - 1)
		alone |=
		    capture_equal(table, __builtin_ctz(targets), terms->held);
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
		terms.ace_sweeps = true;
		terms.ordinary =
		    rules->capture == SCOPA_CAPTURE_SUM_OR_FIFTEEN &&
		    rules->cirulla_ace == SCOPA_CIRULLA_ACE_CHOICE;
	}
	return terms;
}

/* Returns the total of table cards. */
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
capture_needs_sweep(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *move)
{
	struct capture_terms terms = capture_terms_of(rules, deal, move->card);

	return terms.ace_sweeps && !capture_adds_up(&terms, move->captured);
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
	/* With `moves` NULL the captures are only counted. */
	if (search->moves && search->count < search->max) {
		search->moves[search->count] = *search->move;
		search->moves[search->count].captured = captured;
	}
	search->count++;
}

/*
 * Emits every set that consists of `taken`, which has `size` cards, and some of
 * `cards` with the total `target`.  Cards come in order of value.  After a card
 * whose value is greater than the rest, no other card can follow; then only
 * cards that equal the target are left to find.
 */
static void
search_total(struct capture_search *search, scopa_set cards, int target,
    scopa_set taken, int size)
{
	cards &= cards_up_to(target, 0);
	while (cards) {
		scopa_card card = scopa_set_take(&cards);
		int left = target - scopa_card_value(card);

		if (left == 0)
			search_emit(search, taken | scopa_set_of(card));
		else if (left < scopa_card_value(card) ||
		    size + 1 == search->size_max)
			cards &= scopa_set_of_value(target);
		else if (cards)
			search_total(search, cards, left,
			    taken | scopa_set_of(card), size + 1);
	}
}

/*
 * The same for several targets, and for a wild card with a declared value.
 * `targets` is a mask of the totals that are still missing.  A card of `alone`
 * is a capture by itself.
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
	/* In most cases a card captured alone has the target total itself. */
	if (one_target && !terms->held &&
	    !(terms->alone & ~scopa_set_of_value(highest))) {
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

/*
 * Whether set a comes before set b: they are compared card by card, and a
 * prefix comes first.
 */
static bool
set_precedes(scopa_set a, scopa_set b)
{
	scopa_set different = a ^ b, first = different & -different;

	return a & first ? b >= first : a < first;
}

/*
 * Inserts the sweep of the whole table at its place in canonical order.  When
 * the list is full, the last move is dropped, so the list stays a prefix of all
 * moves.
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

/* Whether the whole table is an ordinary capture with at most `room` cards. */
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
	if (terms->ace_sweeps &&
	    !sweep_is_ordinary(terms, table, search.size_max))
		search_add_sweep(&search, table);
	return search.count;
}
