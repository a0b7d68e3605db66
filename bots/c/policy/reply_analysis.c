#include "reply_analysis.h"

#include <string.h>

#include "card_value.h"

enum { FIFTEEN = 15, SUM_BITS = 64 };

/*
 * Sums of cards as bits, for a quick look at what a rank can take: a bit a sum,
 * up to 63.  Wild cards and aces that sweep are not thought of here:
 * scopa_moves knows.
 */
typedef uint64_t sum_set;

/* The sums that some of the cards, or none (0), add up to. */
static sum_set
sums_of(scopa_set cards)
{
	sum_set sums = 1;

	while (cards != SCOPA_SET_EMPTY)
		sums |= sums << scopa_card_value(scopa_set_take(&cards));
	return sums;
}

/* The sums that a card of this value (1..10) takes. */
static sum_set
sums_taken(const struct scopa_rules *rules, int value)
{
	const sum_set equal = UINT64_C(1) << value;
	const sum_set fifteen = UINT64_C(1) << (FIFTEEN - value);

	switch ((enum scopa_capture)rules->capture) {
	case SCOPA_CAPTURE_SUM:
		return equal;
	case SCOPA_CAPTURE_FIFTEEN:
		return fifteen;
	case SCOPA_CAPTURE_SUM_OR_FIFTEEN:
		return equal | fifteen;
	}
	return 0;
}

bool
sums_sweep(const struct scopa_rules *rules, scopa_set table, int value)
{
	int total = scopa_set_total(table);

	return total > 0 && total < SUM_BITS &&
	    (sums_taken(rules, value) >> total & 1);
}

/* What a play let pass that another card would have done. */
enum missed {
	MISSED_NOTHING,
	MISSED_CAPTURE,
	MISSED_SETTEBELLO,
	MISSED_SWEEP,
	MISSED_COUNT
};

/* How far a hand is believed to have such a card all the same, */
static const double beliefs[MISSED_COUNT] = {
	[MISSED_NOTHING] = 1,
	[MISSED_CAPTURE] = 0.5,
	[MISSED_SETTEBELLO] = 0.2,
	[MISSED_SWEEP] = 0.05,
};

/* and another card of the rank that it played: who lays a card asks for it. */
static const double belief_laid = 1.4, belief_took = 0.75;

/* Rounds of fitting rows and columns: by then nothing moves any more. */
enum { FIT_ROUNDS = 6, SETTEBELLO_VALUE = 7 };

static const scopa_card settebello = 4 * (SETTEBELLO_VALUE - 1) + SCOPA_DENARI;

/* The best that a card of this value could have done with the table. */
static enum missed
chance_missed(const struct scopa_rules *rules, scopa_set table, int value)
{
	sum_set taken = sums_taken(rules, value);

	if (table == SCOPA_SET_EMPTY)
		return MISSED_NOTHING;
	if (sums_sweep(rules, table, value) ||
	    (rules->ace != SCOPA_ACE_PLAIN && value == 1))
		return MISSED_SWEEP;
	if (scopa_set_has(table, settebello) &&
	    (sums_of(table & ~scopa_set_of(settebello)) << SETTEBELLO_VALUE &
		taken))
		return MISSED_SETTEBELLO;
	return sums_of(table) & taken ? MISSED_CAPTURE : MISSED_NOTHING;
}

/* What the play itself did of these. */
static enum missed
chance_taken(const struct scopa_move *move, scopa_set table)
{
	if (move->captured == SCOPA_SET_EMPTY)
		return MISSED_NOTHING;
	if (move->captured == table)
		return MISSED_SWEEP;
	return scopa_set_has(move->captured, settebello) ? MISSED_SETTEBELLO
							 : MISSED_CAPTURE;
}

/* How far a hand is believed to have the value after it played otherwise. */
static double
belief_after(const struct scopa_rules *rules, scopa_set table, int value,
    const struct scopa_move *move)
{
	enum missed missed;

	if (value == scopa_card_value(move->card))
		return move->captured == SCOPA_SET_EMPTY ? belief_laid
							 : belief_took;
	missed = chance_missed(rules, table, value);
	return missed > chance_taken(move, table) ? beliefs[missed] : 1;
}

/*
 * Lowers the chances of a seat by what it played.  Going back play by play,
 * the table before each is the one after it without the card, or with what was
 * taken; a hand tells of itself as far back as it was dealt.
 */
static void
infer(const struct scopa_rules *rules, const struct scopa_view *view,
    struct holding *holding)
{
	int told[SCOPA_SEATS_MAX] = { 0 };
	scopa_set table = view->table;

	for (int i = view->history_count - 1; i >= 0; i--) {
		const struct scopa_move *move = &view->history[i];
		int seat = move->seat;

		if (move->declaration != SCOPA_DECLARE_NOTHING)
			continue;
		table &= ~scopa_set_of(move->card);
		table |= move->captured;
		if (view->hand_counts[seat] + told[seat]++ >= rules->hand)
			continue;
		for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
			double belief = belief_after(rules, table, value, move);

			for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++)
				holding->chance[seat][4 * (value - 1) + suit] *=
				    belief;
		}
	}
}

/* Makes a row or a column of the hidden cards add up. */
static void
row_fit(double *row, scopa_set cards, double count)
{
	double sum = 0;

	for (scopa_set left = cards; left != SCOPA_SET_EMPTY;)
		sum += row[scopa_set_take(&left)];
	for (scopa_set left = cards; left != SCOPA_SET_EMPTY && sum > 0;)
		row[scopa_set_take(&left)] *= count / sum;
}

static void
columns_fit(struct holding *holding, const double *counts, scopa_set cards)
{
	while (cards != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&cards);
		double sum = 0;

		for (int row = 0; row < HOLDING_ROWS; row++)
			if (counts[row] > 0)
				sum += holding->chance[row][card];
		for (int row = 0; row < HOLDING_ROWS; row++)
			holding->chance[row][card] = counts[row] > 0 && sum > 0
			    ? holding->chance[row][card] / sum
			    : 0;
	}
}

void
holding_guess(const struct scopa_rules *rules, const struct scopa_view *view,
    struct holding *holding)
{
	scopa_set hidden = scopa_view_unseen(view);
	double counts[HOLDING_ROWS] = { 0 };

	*holding = (struct holding){ 0 };
	for (int row = 0; row < HOLDING_ROWS; row++)
		for (scopa_set left = hidden; left != SCOPA_SET_EMPTY;)
			holding->chance[row][scopa_set_take(&left)] = 1;
	counts[HOLDING_DECK] = view->deck_count;
	for (int seat = 0; seat < rules->players; seat++)
		if (seat != view->seat && view->shown[seat] == SCOPA_SET_EMPTY)
			counts[seat] = view->hand_counts[seat];
	infer(rules, view, holding);
	for (int round = 0; round < FIT_ROUNDS; round++) {
		columns_fit(holding, counts, hidden);
		for (int row = 0; row < HOLDING_ROWS; row++)
			if (counts[row] > 0)
				row_fit(
				    holding->chance[row], hidden, counts[row]);
	}
	for (int seat = 0; seat < rules->players; seat++) {
		scopa_set known =
		    seat == view->seat ? view->hand : view->shown[seat];

		if (known == SCOPA_SET_EMPTY)
			continue;
		for (scopa_card card = 0; card < SCOPA_PACK_SIZE; card++)
			holding->chance[seat][card] =
			    scopa_set_has(known, card);
	}
}

/* The least that taking is worth. */
static const double taking = 0.001;

void
reply_context_init(struct reply_context *context,
    const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal)
{
	context->rules = rules;
	context->view = view;
	context->deal = deal;
	holding_guess(rules, view, &context->holding);
	card_value_fill(rules, view->captured, scopa_team_of(rules, view->seat),
	    context->card_values);
}

double
reply_analysis_chance(const struct reply_context *context,
    const struct reply_analysis *replies, int seat, scopa_card card)
{
	const struct holding *holding = &context->holding;

	if (replies->effect.dealt)
		return holding->chance[HOLDING_DECK][card] *
		    context->rules->hand / context->view->deck_count;
	if (seat == context->view->seat)
		return scopa_set_has(replies->next.hands[seat], card);
	return holding->chance[seat][card];
}

/* Whether a sweep by this card scores. */
static bool
sweep_scores(const struct reply_context *context, scopa_card card)
{
	const struct scopa_rules *rules = context->rules;

	return rules->scopa &&
	    (rules->ace_scopa || rules->ace == SCOPA_ACE_PLAIN ||
		scopa_card_value(card) != 1);
}

/*
 * The best that the seat to play takes with a card, itself aside, and whether
 * the card can sweep.
 */
static double
card_gain(const struct reply_context *context, struct scopa_deal *deal,
    scopa_card card, bool *sweeps)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	double best = 0;
	int count;

	*sweeps = false;
	deal->hands[deal->turn] = scopa_set_of(card);
	count = scopa_moves_of_card(
	    context->rules, deal, card, moves, SCOPA_MOVES_MAX);
	for (int i = 0; i < count; i++) {
		double gain =
		    card_value_sum(context->card_values, moves[i].captured);

		if (moves[i].captured == SCOPA_SET_EMPTY)
			continue;
		if (moves[i].captured == deal->table)
			*sweeps = sweep_scores(context, card);
		/* To take what is worth nothing is to take all the same. */
		gain += taking;
		if (gain > best)
			best = gain;
	}
	return best;
}

static void
gains_fill(const struct reply_context *context, struct reply_analysis *replies)
{
	struct scopa_deal deal = replies->next;
	scopa_set cards = scopa_view_unseen(context->view) |
	    (context->view->hand & ~scopa_set_of(replies->move.card));

	for (int seat = 0; seat < context->rules->players; seat++)
		cards |= context->view->shown[seat];
	if (scopa_deal_over(&deal) || deal.table == SCOPA_SET_EMPTY)
		return;
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		scopa_set left = cards & scopa_set_of_value(value);
		double gain = 0;
		bool known = false, sweeps = false;

		while (left != SCOPA_SET_EMPTY) {
			scopa_card card = scopa_set_take(&left);

			/* Cards of a value take alike but for a wild one. */
			if (!known || deal.matta != 0)
				gain = card_gain(context, &deal, card, &sweeps);
			known = true;
			if (gain <= 0)
				continue;
			replies->gains[card] =
			    gain + context->card_values[card];
			replies->takers |= scopa_set_of(card);
			if (sweeps)
				replies->sweepers |= scopa_set_of(card);
		}
	}
}

/* The takers, the best first. */
static int
takers_sort(const struct reply_analysis *replies, scopa_card *cards)
{
	scopa_set left = replies->takers;
	int count = 0;

	while (left != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&left);
		int at = count++;

		for (; at > 0 &&
		     replies->gains[cards[at - 1]] < replies->gains[card];
		     at--)
			cards[at] = cards[at - 1];
		cards[at] = card;
	}
	return count;
}

void
reply_analysis_make(const struct reply_context *context,
    const struct scopa_move *move, struct reply_analysis *replies)
{
	const struct scopa_rules *rules = context->rules;
	scopa_card cards[SCOPA_PACK_SIZE];
	int count;

	*replies = (struct reply_analysis){
		.move = *move,
		.next = *context->deal,
	};
	replies->effect = scopa_deal_apply(rules, &replies->next, move);
	gains_fill(context, replies);
	count = takers_sort(replies, cards);
	for (int i = 0; i < rules->players; i++) {
		int seat = (context->view->seat + 1 + i) % rules->players;
		double none = 1, taken = 0, clean = 1;

		for (int j = 0; j < count; j++) {
			double chance = reply_analysis_chance(
			    context, replies, seat, cards[j]);

			if (chance > 1)
				chance = 1;
			taken += none * chance * replies->gains[cards[j]];
			none *= 1 - chance;
			if (scopa_set_has(replies->sweepers, cards[j]))
				clean *= 1 - chance;
		}
		replies->taken[i] = taken;
		replies->swept[i] = 1 - clean;
		replies->idle[i] = none;
	}
}
