/*
 * Draws of worlds: the hidden cards are shuffled and dealt to the hidden hands
 * and the deck.  A draw with a hand that the rules would have declared is
 * rejected.
 */
#include "world.h"

#include <stddef.h>
#include <string.h>

#include "scopa/tally.h"
#include "splitmix.h"

bool
imagine_deal(const struct scopa_rules *rules, const struct scopa_view *view,
    struct scopa_deal *deal)
{
	scopa_card cards[SCOPA_PACK_SIZE];
	scopa_set unseen = scopa_view_unseen(view);
	int hidden = view->deck_count, count = 0;

	if (view->seat >= rules->players || view->dealer >= rules->players ||
	    view->hand == SCOPA_SET_EMPTY ||
	    scopa_set_count(view->hand) != view->hand_counts[view->seat])
		return false;
	for (int seat = 0; seat < rules->players; seat++)
		if (seat != view->seat && view->shown[seat] == SCOPA_SET_EMPTY)
			hidden += view->hand_counts[seat];
	if (hidden != scopa_set_count(unseen))
		return false;
	while (unseen != SCOPA_SET_EMPTY)
		cards[count++] = scopa_set_take(&unseen);
	scopa_view_deal(rules, view, cards, deal);
	deal->turn = view->seat;
	return true;
}

void
view_of_mover(const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_view *view)
{
	struct scopa_tally tally;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, view);
}

/*
 * Limit of rejected draws.  Fewer than one hand in ten can be declared, so
 * after this many draws the view fits no world, and the last draw is used.
 */
enum { DRAWS_MAX = 1000 };

void
world_copy(struct scopa_deal *deal, const struct scopa_deal *from)
{
	memcpy(deal, from,
	    offsetof(struct scopa_deal, history) +
		from->history_count * sizeof(from->history[0]));
}

bool
world_uniform_init(struct world_uniform *world, const struct scopa_rules *rules,
    const struct scopa_view *view)
{
	scopa_set unseen = scopa_view_unseen(view);

	if (!imagine_deal(rules, view, &world->base))
		return false;
	world->rules = *rules;
	world->unseen_count = 0;
	while (unseen != SCOPA_SET_EMPTY)
		world->unseen[world->unseen_count++] = scopa_set_take(&unseen);
	for (int seat = 0; seat < rules->players; seat++) {
		bool known =
		    seat == view->seat || view->shown[seat] != SCOPA_SET_EMPTY;

		world->hidden[seat] = known ? 0 : view->hand_counts[seat];
	}
	return true;
}

/*
 * Returns the hand that a seat was dealt last: its present cards and those it
 * has played from this hand.
 */
static scopa_set
hand_as_dealt(
    const struct world_uniform *world, const struct scopa_deal *deal, int seat)
{
	scopa_set hand = deal->hands[seat];
	int missing = world->rules.hand - scopa_set_count(hand);

	for (int i = deal->history_count - 1; i >= 0 && missing > 0; i--) {
		const struct scopa_move *move = &deal->history[i];

		if (move->seat != seat ||
		    move->declaration != SCOPA_DECLARE_NOTHING)
			continue;
		hand |= scopa_set_of(move->card);
		missing--;
	}
	return hand;
}

bool
hand_declares(const struct scopa_rules *rules, scopa_set hand)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	const struct scopa_deal deal = { .hands = { hand }, .untouched = 1 };
	int count = scopa_moves(rules, &deal, moves, SCOPA_MOVES_MAX);

	return moves[count - 1].declaration != SCOPA_DECLARE_NOTHING;
}

/* Whether no hidden hand would have been declared by the rules. */
static bool
hands_fit(const struct world_uniform *world, const struct scopa_deal *deal)
{
	struct scopa_rules rules = world->rules;

	rules.declare = SCOPA_DECLARE_ASK;
	for (int seat = 0; seat < rules.players; seat++)
		if (world->hidden[seat] > 0 &&
		    hand_declares(&rules, hand_as_dealt(world, deal, seat)))
			return false;
	return true;
}

/*
 * Deals the hidden cards again.  The order of the last draw is shuffled
 * further.
 */
static void
deal_hidden(
    struct world_uniform *world, uint64_t *random, struct scopa_deal *deal)
{
	int next = 0;

	for (int i = 0; i + 1 < world->unseen_count; i++) {
		uint32_t left = (uint32_t)(world->unseen_count - i);
		int other = i + (int)splitmix_below(random, left);
		scopa_card card = world->unseen[i];

		world->unseen[i] = world->unseen[other];
		world->unseen[other] = card;
	}
	for (int seat = 0; seat < world->rules.players; seat++) {
		scopa_set hand = SCOPA_SET_EMPTY;

		if (world->hidden[seat] == 0)
			continue;
		for (int i = 0; i < world->hidden[seat]; i++)
			hand |= scopa_set_of(world->unseen[next++]);
		deal->hands[seat] = hand;
	}
	memcpy(deal->pack + deal->dealt, world->unseen + next,
	    (size_t)(SCOPA_PACK_SIZE - deal->dealt));
}

void
world_uniform_draw(void *context, uint64_t *random, struct scopa_deal *deal)
{
	struct world_uniform *world = context;
	int draws = 0;

	world_copy(deal, &world->base);
	do
		deal_hidden(world, random, deal);
	while (world->rules.declare == SCOPA_DECLARE_AUTO &&
	    !hands_fit(world, deal) && ++draws < DRAWS_MAX);
}

void
world_fixed_draw(void *context, uint64_t *random, struct scopa_deal *deal)
{
	(void)random;
	world_copy(deal, context);
}
