#include "holding.h"

#include <assert.h>

/* How far a hand is believed to have what it did not play, */
static const double doubt_sweep = 0.05;
static const double doubt_settebello = 0.2;
static const double doubt_capture = 0.5;

/* and another card of the rank that it played: who lays a card asks for it. */
static const double belief_laid = 1.4;
static const double belief_took = 0.75;

/* Rounds of fitting rows and columns: by then nothing moves any more. */
enum { FIT_ROUNDS = 6, SETTEBELLO_VALUE = 7 };

static const scopa_card settebello = 4 * (SETTEBELLO_VALUE - 1) + SCOPA_DENARI;

/* Bit a total: the totals that some cards of the table add up to. */
static uint64_t
totals_of(scopa_set table)
{
	uint64_t totals = 1;

	while (table != SCOPA_SET_EMPTY)
		totals |= totals << scopa_card_value(scopa_set_take(&table));
	return totals;
}

/* The totals that a card of this value takes, as bits. */
static uint64_t
targets_of(const struct scopa_rules *rules, int value)
{
	const uint64_t sum = UINT64_C(1) << value;
	const uint64_t fifteen = UINT64_C(1) << (15 - value);

	switch ((enum scopa_capture)rules->capture) {
	case SCOPA_CAPTURE_SUM:
		return sum;
	case SCOPA_CAPTURE_FIFTEEN:
		return fifteen;
	case SCOPA_CAPTURE_SUM_OR_FIFTEEN:
		return sum | fifteen;
	}
	return 0;
}

/* How far a hand that left this table so is believed to hold the value. */
static double
doubt_of(const struct scopa_rules *rules, scopa_set table, int value)
{
	uint64_t targets = targets_of(rules, value);
	int total = scopa_set_total(table);

	if (table == SCOPA_SET_EMPTY)
		return 1;
	if (total <= 15 && (targets >> total & 1))
		return doubt_sweep;
	if (rules->ace != SCOPA_ACE_PLAIN && value == 1)
		return doubt_sweep;
	if (scopa_set_has(table, settebello) &&
	    (totals_of(table & ~scopa_set_of(settebello)) << SETTEBELLO_VALUE &
		targets))
		return doubt_settebello;
	return totals_of(table) & targets ? doubt_capture : 1;
}

/* The same after a play, which may have taken something. */
static double
doubt_after(const struct scopa_rules *rules, scopa_set table, int value,
    const struct scopa_move *move)
{
	double doubt = doubt_of(rules, table, value);

	if (value == scopa_card_value(move->card))
		return move->captured == SCOPA_SET_EMPTY ? belief_laid
							 : belief_took;
	if (move->captured == table)
		return 1;
	if (doubt == doubt_settebello &&
	    scopa_set_has(move->captured, settebello))
		return 1;
	if (doubt == doubt_capture && move->captured != SCOPA_SET_EMPTY)
		return 1;
	return doubt;
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
			double doubt = doubt_after(rules, table, value, move);

			for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++)
				holding->chance[seat][4 * (value - 1) + suit] *=
				    doubt;
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
