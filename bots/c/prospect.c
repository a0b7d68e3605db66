#include "prospect.h"

#include <string.h>

#include "stake.h"

/* The least that taking is worth. */
static const double taking = 0.001;

void
thought_init(struct thought *thought, const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal)
{
	thought->rules = rules;
	thought->view = view;
	thought->deal = deal;
	holding_guess(rules, view, &thought->holding);
	stake_fill(rules, view->captured, scopa_party_of(rules, view->seat),
	    thought->stakes);
}

double
prospect_chance(const struct thought *thought, const struct prospect *prospect,
    int seat, scopa_card card)
{
	const struct holding *holding = &thought->holding;

	if (prospect->effect.dealt)
		return holding->chance[HOLDING_DECK][card] *
		    thought->rules->hand / thought->view->deck_count;
	if (seat == thought->view->seat)
		return scopa_set_has(prospect->next.hands[seat], card);
	return holding->chance[seat][card];
}

/* Whether a sweep by this card scores. */
static bool
sweep_scores(const struct thought *thought, scopa_card card)
{
	const struct scopa_rules *rules = thought->rules;

	return rules->scopa &&
	    (rules->ace_scopa || rules->ace == SCOPA_ACE_PLAIN ||
		scopa_card_value(card) != 1);
}

/*
 * The best that the seat to play takes with a card, itself aside, and whether
 * the card can sweep.
 */
static double
card_gain(const struct thought *thought, struct scopa_deal *deal,
    scopa_card card, bool *sweeps)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	double best = 0;
	int count;

	*sweeps = false;
	deal->hands[deal->turn] = scopa_set_of(card);
	count = scopa_moves_of_card(
	    thought->rules, deal, card, moves, SCOPA_MOVES_MAX);
	for (int i = 0; i < count; i++) {
		double gain = stake_sum(thought->stakes, moves[i].captured);

		if (moves[i].captured == SCOPA_SET_EMPTY)
			continue;
		if (moves[i].captured == deal->table)
			*sweeps = sweep_scores(thought, card);
		/* To take what is worth nothing is to take all the same. */
		gain += taking;
		if (gain > best)
			best = gain;
	}
	return best;
}

static void
gains_fill(const struct thought *thought, struct prospect *prospect)
{
	struct scopa_deal deal = prospect->next;
	scopa_set cards = scopa_view_unseen(thought->view) |
	    (thought->view->hand & ~scopa_set_of(prospect->move.card));

	for (int seat = 0; seat < thought->rules->players; seat++)
		cards |= thought->view->shown[seat];
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
				gain = card_gain(thought, &deal, card, &sweeps);
			known = true;
			if (gain <= 0)
				continue;
			prospect->gains[card] = gain + thought->stakes[card];
			prospect->takers |= scopa_set_of(card);
			if (sweeps)
				prospect->sweepers |= scopa_set_of(card);
		}
	}
}

/* The takers, the best first. */
static int
takers_sort(const struct prospect *prospect, scopa_card *cards)
{
	scopa_set left = prospect->takers;
	int count = 0;

	while (left != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&left);
		int at = count++;

		for (; at > 0 &&
		     prospect->gains[cards[at - 1]] < prospect->gains[card];
		     at--)
			cards[at] = cards[at - 1];
		cards[at] = card;
	}
	return count;
}

void
prospect_make(const struct thought *thought, const struct scopa_move *move,
    struct prospect *prospect)
{
	const struct scopa_rules *rules = thought->rules;
	scopa_card cards[SCOPA_PACK_SIZE];
	int count;

	*prospect = (struct prospect){
		.move = *move,
		.next = *thought->deal,
	};
	prospect->effect = scopa_deal_apply(rules, &prospect->next, move);
	gains_fill(thought, prospect);
	count = takers_sort(prospect, cards);
	for (int i = 0; i < rules->players; i++) {
		int seat = (thought->view->seat + 1 + i) % rules->players;
		double none = 1, taken = 0, clean = 1;

		for (int j = 0; j < count; j++) {
			double chance =
			    prospect_chance(thought, prospect, seat, cards[j]);

			if (chance > 1)
				chance = 1;
			taken += none * chance * prospect->gains[cards[j]];
			none *= 1 - chance;
			if (scopa_set_has(prospect->sweepers, cards[j]))
				clean *= 1 - chance;
		}
		prospect->taken[i] = taken;
		prospect->swept[i] = 1 - clean;
		prospect->idle[i] = none;
	}
}
