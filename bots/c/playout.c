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
enum grade {
	GRADE_UNSAFE_LAY,
	GRADE_UNSAFE_CAPTURE,
	GRADE_LAY,
	GRADE_CAPTURE,
	GRADE_SCOPA
};

/* More than the values of all cards together. */
enum { GRADE_STEP = 1 << 14 };

/* One decision. */
struct outlook {
	const struct playout *playout;
	const struct scopa_rules *rules;
	const struct scopa_deal *deal;
	scopa_set threats; /* what the next player may hold */
	bool ends;         /* whatever is played is the last card of the deal */
	bool sweeps;       /* a table that is taken whole scores */
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
	    rules->priority != SCOPA_PRIORITY_ANY)
		return false;
	return rules->declare != SCOPA_DECLARE_AUTO &&
	    rules->count == SCOPA_COUNT_END && rules->max_captured == 0 &&
	    (rules->ace_scopa || rules->ace == SCOPA_ACE_PLAIN);
}

void
playout_init(
    struct playout *playout, const struct scopa_rules *rules, int random_share)
{
	int values[SCOPA_PACK_SIZE];

	assert(random_share >= 0 && random_share <= PLAYOUT_SHARE_MAX);
	playout->random_share = random_share;
	playout->plain = rules_are_plain(rules);
	greedy_values(rules, values);
	for (int card = 0; card < SCOPA_PACK_SIZE; card++)
		playout->values[card] = (int16_t)values[card];
}

/* Whether one of the threatening cards would sweep this table. */
static bool
table_is_swept(const struct outlook *outlook, scopa_set table, int total)
{
	const struct scopa_rules *rules = outlook->rules;
	scopa_set sweepers = SCOPA_SET_EMPTY;

	if (rules->capture != SCOPA_CAPTURE_FIFTEEN && total <= SCOPA_VALUE_MAX)
		sweepers |= scopa_set_of_value(total);
	if (rules->capture != SCOPA_CAPTURE_SUM && total < 15 && total >= 5) {
		scopa_set fifteen = scopa_set_of_value(15 - total);

		/* An equal card may have to be taken instead. */
		if (rules->capture != SCOPA_CAPTURE_SUM_OR_FIFTEEN ||
		    rules->cirulla_equal != SCOPA_CIRULLA_EQUAL_FIRST ||
		    !(table & fifteen))
			sweepers |= fifteen;
	}
	if (rules->ace == SCOPA_ACE_SWEEP ||
	    (rules->ace != SCOPA_ACE_PLAIN && !(table & scopa_set_of_value(1))))
		sweepers |= scopa_set_of_value(1);
	return outlook->threats & sweepers;
}

static int
cards_value(const struct playout *playout, scopa_set cards)
{
	int value = 0;

	while (cards != SCOPA_SET_EMPTY)
		value += playout->values[scopa_set_take(&cards)];
	return value;
}

/* The worth of a card played where points are bad. */
static int
play_worth_least(const struct outlook *outlook, const struct scopa_move *move)
{
	int value = outlook->playout->values[move->card];
	int taken = value + cards_value(outlook->playout, move->captured);

	if (move->captured == SCOPA_SET_EMPTY)
		return GRADE_LAY * GRADE_STEP + value;
	if (move->captured == outlook->deal->table && outlook->sweeps)
		return GRADE_UNSAFE_LAY * GRADE_STEP - taken;
	return GRADE_UNSAFE_CAPTURE * GRADE_STEP - taken;
}

/* The worth of a card played. */
static int
play_worth(const struct outlook *outlook, const struct scopa_move *move)
{
	const struct playout *playout = outlook->playout;
	scopa_set table = outlook->deal->table & ~move->captured;
	int value = playout->values[move->card];
	bool takes = move->captured != SCOPA_SET_EMPTY, safe;

	if (takes && table == SCOPA_SET_EMPTY && outlook->sweeps)
		return GRADE_SCOPA * GRADE_STEP + value;
	if (!takes)
		table |= scopa_set_of(move->card);
	/* An ace may take itself where the table is empty. */
	if (outlook->rules->ace_empty == SCOPA_ACE_EMPTY_TAKE &&
	    table == scopa_set_of(move->card) &&
	    scopa_card_value(move->card) == 1)
		table = SCOPA_SET_EMPTY;
	safe = outlook->ends || table == SCOPA_SET_EMPTY ||
	    !table_is_swept(outlook, table, scopa_set_total(table));
	if (takes)
		return (safe ? GRADE_CAPTURE : GRADE_UNSAFE_CAPTURE) *
		    GRADE_STEP +
		    value + cards_value(playout, move->captured);
	return (safe ? GRADE_LAY : GRADE_UNSAFE_LAY) * GRADE_STEP - value;
}

static bool
card_is_last(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	return deal->play_count + 1 == SCOPA_PACK_SIZE - rules->table;
}

/* The move that greedy_reply would choose. */
static void
choose_greedily(const struct playout *playout, const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_move *move)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	int best_worth = INT_MIN, best = 0;
	struct outlook outlook = {
		.playout = playout,
		.rules = rules,
		.deal = deal,
		.ends = card_is_last(rules, deal),
	};

	assert(count > 0);
	if (!playout->plain || deal->matta != 0 ||
	    moves[count - 1].declaration != SCOPA_DECLARE_NOTHING) {
		*move = greedy_reply(rules, deal);
		return;
	}
	outlook.threats = greedy_threats(rules, deal);
	outlook.sweeps = rules->scopa && (rules->last_scopa || !outlook.ends);
	for (int i = 0; i < count; i++) {
		int worth = rules->aim == SCOPA_AIM_LEAST
		    ? play_worth_least(&outlook, &moves[i])
		    : play_worth(&outlook, &moves[i]);

		if (worth > best_worth) {
			best_worth = worth;
			best = i;
		}
	}
	*move = moves[best];
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
