/*
 * Greedy tries every move on a copy of the deal.  Here the same is worked out
 * from the table that the move leaves: what may take all of it follows from its
 * total.  Where that is not all that counts, greedy itself is asked.
 */
#include "playout.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>

#include "greedy.h"
#include "splitmix.h"

/* What greedy has of a move, the greater the better; see greedy.c. */
enum move_grade {
	GRADE_UNSAFE_LAY,
	GRADE_UNSAFE_CAPTURE,
	GRADE_LAY,
	GRADE_CAPTURE,
	GRADE_SCOPA
};

/* More than the values of all cards together. */
enum { GRADE_STEP = 1 << 14 };

/* One decision. */
struct greedy_step {
	const struct playout *playout;
	const struct scopa_rules *rules;
	const struct scopa_deal *deal;
	scopa_set threats; /* what the next player may hold */
	int total;         /* of the table */
	bool ends;         /* whatever is played is the last card of the deal */
	bool sweeps;       /* a table that is taken whole scores */
	int best_worth;
	scopa_card best_card;
	scopa_set best_captured;
};

/*
 * Rules under which a whole table is taken for more reasons than its total, or
 * a play does more than move cards, are greedy's own matter.
 */
static bool
rules_are_plain(const struct scopa_rules *rules)
{
	if (rules->capture == SCOPA_CAPTURE_FIFTEEN && rules->equal_fifteen)
		return false;
	if (rules->capture == SCOPA_CAPTURE_SUM_OR_FIFTEEN &&
	    (rules->priority != SCOPA_PRIORITY_ANY ||
		rules->cirulla_equal == SCOPA_CIRULLA_EQUAL_FIRST))
		return false;
	return rules->declare != SCOPA_DECLARE_AUTO &&
	    rules->count == SCOPA_COUNT_END && rules->max_captured == 0;
}

void
playout_init(
    struct playout *playout, const struct scopa_rules *rules, int random_share)
{
	int values[SCOPA_PACK_SIZE];

	assert(random_share >= 0 && random_share <= PLAYOUT_SHARE_MAX);
	playout->random_share = random_share;
	playout->plain = rules_are_plain(rules);
	playout->equal_first = rules->capture == SCOPA_CAPTURE_SUM &&
	    rules->priority != SCOPA_PRIORITY_ANY;
	greedy_values(rules, values);
	for (int card = 0; card < SCOPA_PACK_SIZE; card++)
		playout->values[card] = (int16_t)values[card];
}

/* The values of the cards that take one of these totals: bit v. */
static uint32_t
values_taking(const struct scopa_rules *rules, uint32_t totals)
{
	uint32_t values = 0;

	if (rules->capture != SCOPA_CAPTURE_FIFTEEN)
		values |= totals;
	if (rules->capture != SCOPA_CAPTURE_SUM)
		for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
			values |= (totals >> (15 - value) & 1) << value;
	return values;
}

/* The totals up to 15 of the sets of table cards: bit t; bit 0 always. */
static uint32_t
totals_of(scopa_set table)
{
	uint32_t totals = 1;

	while (table != SCOPA_SET_EMPTY)
		totals |= totals << scopa_card_value(scopa_set_take(&table));
	return totals;
}

/* Whether a hidden card would take this table whole. */
static inline bool
table_is_swept(const struct greedy_step *step, scopa_set table, int total)
{
	const struct scopa_rules *rules = step->rules;
	scopa_set sweepers = SCOPA_SET_EMPTY;

	if (table == SCOPA_SET_EMPTY)
		return false;
	if (rules->capture != SCOPA_CAPTURE_FIFTEEN && total <= SCOPA_VALUE_MAX)
		sweepers = scopa_set_of_value(total);
	if (rules->capture != SCOPA_CAPTURE_SUM && total < 15 &&
	    total >= 15 - SCOPA_VALUE_MAX)
		sweepers |= scopa_set_of_value(15 - total);
	if (rules->ace == SCOPA_ACE_SWEEP ||
	    (rules->ace != SCOPA_ACE_PLAIN && !(table & scopa_set_of_value(1))))
		sweepers |= scopa_set_of_value(1);
	return step->threats & sweepers;
}

static inline int
cards_value(const struct playout *playout, scopa_set cards)
{
	int value = 0;

	while (cards != SCOPA_SET_EMPTY)
		value += playout->values[scopa_set_take(&cards)];
	return value;
}

/* Keeps the move if it is better than all before it. */
static inline void
offer(struct greedy_step *step, scopa_card card, scopa_set captured,
    enum move_grade grade, int value)
{
	int worth = (int)grade * GRADE_STEP + value;

	if (worth <= step->best_worth)
		return;
	step->best_worth = worth;
	step->best_card = card;
	step->best_captured = captured;
}

static inline void
offer_lay(struct greedy_step *step, scopa_card card)
{
	int value = step->playout->values[card];
	scopa_set table = step->deal->table | scopa_set_of(card);
	bool swept;

	if (step->rules->aim == SCOPA_AIM_LEAST) {
		offer(step, card, SCOPA_SET_EMPTY, GRADE_LAY, value);
		return;
	}
	/* An ace may take itself where the table is empty. */
	if (step->rules->ace_empty == SCOPA_ACE_EMPTY_TAKE &&
	    table == scopa_set_of(card) && scopa_card_value(card) == 1)
		table = SCOPA_SET_EMPTY;
	swept = !step->ends &&
	    table_is_swept(step, table, step->total + scopa_card_value(card));
	offer(step, card, SCOPA_SET_EMPTY, swept ? GRADE_UNSAFE_LAY : GRADE_LAY,
	    -value);
}

/* Whether taking the whole table with this card scores. */
static inline bool
card_sweeps(const struct greedy_step *step, scopa_card card)
{
	const struct scopa_rules *rules = step->rules;

	if (!step->sweeps || rules->ace_scopa || scopa_card_value(card) > 1)
		return step->sweeps;
	/* An ace that could take as much without its privilege. */
	return (rules->capture != SCOPA_CAPTURE_FIFTEEN && step->total == 1) ||
	    (rules->capture != SCOPA_CAPTURE_SUM && step->total == 14);
}

static inline void
offer_capture(struct greedy_step *step, scopa_card card, scopa_set captured)
{
	const struct playout *playout = step->playout;
	scopa_set table = step->deal->table & ~captured;
	bool sweeps = table == SCOPA_SET_EMPTY && card_sweeps(step, card);
	int value = playout->values[card];
	int taken = value + cards_value(playout, captured);
	bool swept;

	if (step->rules->aim == SCOPA_AIM_LEAST) {
		offer(step, card, captured,
		    sweeps ? GRADE_UNSAFE_LAY : GRADE_UNSAFE_CAPTURE, -taken);
		return;
	}
	if (sweeps) {
		offer(step, card, captured, GRADE_SCOPA, value);
		return;
	}
	swept = !step->ends &&
	    table_is_swept(
		step, table, step->total - scopa_set_total(captured));
	offer(step, card, captured,
	    swept ? GRADE_UNSAFE_CAPTURE : GRADE_CAPTURE, taken);
}

/* All plays of a card that may take something. */
static void
offer_captures(struct greedy_step *step, scopa_card card)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves_of_card(
	    step->rules, step->deal, card, moves, SCOPA_MOVES_MAX);

	for (int i = 0; i < count; i++)
		if (moves[i].captured == SCOPA_SET_EMPTY)
			offer_lay(step, card);
		else
			offer_capture(step, card, moves[i].captured);
}

/* As greedy_threats has it; mostly no hand is shown. */
static inline scopa_set
threats_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	scopa_set seen = deal->table | deal->hands[deal->turn];

	if (deal->shown != 0)
		return greedy_threats(rules, deal);
	for (int team = 0; team < scopa_team_count(rules); team++)
		seen |= deal->captured[team];
	return SCOPA_SET_ALL & ~seen;
}

/* Whether the hand is one that may perhaps be declared. */
static bool
hand_may_declare(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	scopa_set hand = deal->hands[deal->turn];
	scopa_set alike =
	    scopa_set_of_value(scopa_card_value(scopa_set_first(hand)));

	if (rules->declare == SCOPA_DECLARE_OFF ||
	    !(deal->untouched >> deal->turn & 1))
		return false;
	return !(hand & ~alike) ||
	    scopa_set_has(hand, scopa_card_of(7, SCOPA_COPPE)) ||
	    scopa_set_total(hand) < SCOPA_VALUE_MAX;
}

static void
evaluation_init(struct greedy_step *step, const struct playout *playout,
    const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	step->playout = playout;
	step->rules = rules;
	step->deal = deal;
	step->total = scopa_set_total(deal->table);
	step->threats = threats_of(rules, deal);
	step->ends = deal->play_count + 1 == SCOPA_PACK_SIZE - rules->table;
	step->sweeps = rules->scopa && (rules->last_scopa || !step->ends);
	step->best_worth = INT_MIN;
}

/*
 * The move that greedy_move would choose.  Most cards take nothing, and most
 * others an equal card; the rest is listed.
 */
static void
choose_greedily(const struct playout *playout, const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_move *move)
{
	scopa_set hand = deal->hands[deal->turn];
	struct greedy_step step;
	uint32_t able;

	if (!playout->plain || deal->matta != 0 ||
	    hand_may_declare(rules, deal)) {
		*move = greedy_move(rules, deal);
		return;
	}
	evaluation_init(&step, playout, rules, deal);
	able = values_taking(rules, totals_of(deal->table));
	if (rules->ace != SCOPA_ACE_PLAIN && deal->table != SCOPA_SET_EMPTY)
		able |= UINT32_C(1) << 1;
	while (hand != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&hand);
		int value = scopa_card_value(card);
		scopa_set equal = deal->table & scopa_set_of_value(value);

		if (!(able >> value & 1)) {
			offer_lay(&step, card);
		} else if (playout->equal_first && equal != SCOPA_SET_EMPTY &&
		    (value > 1 || rules->ace == SCOPA_ACE_PLAIN)) {
			for (; equal != SCOPA_SET_EMPTY; equal &= equal - 1)
				offer_capture(&step, card, equal & -equal);
		} else {
			offer_captures(&step, card);
		}
	}
	move->captured = step.best_captured;
	move->card = step.best_card;
	move->declaration = SCOPA_DECLARE_NOTHING;
	move->value = 0;
	move->seat = deal->turn;
}

void
playout_choose(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random, struct scopa_move *move)
{
	const struct playout *playout = context;

	/* Most playouts are of one kind: no need to draw then. */
	if (playout->random_share == PLAYOUT_SHARE_MAX ||
	    (playout->random_share > 0 &&
		(int)splitmix_below(random, PLAYOUT_SHARE_MAX) <
		    playout->random_share))
		scopa_move_pick(rules, deal, splitmix_next(random), move);
	else
		choose_greedily(playout, rules, deal, move);
}
