/*
 * Worlds: whole deals that agree with what one seat knows, one of them or drawn
 * at random; and the rest of a deal by random completion.
 */
#ifndef SCOPA_BOT_WORLD_H
#define SCOPA_BOT_WORLD_H

#include <stdint.h>

#include "scopa/deal.h"
#include "scopa/view.h"

/*
 * A deal that agrees with the view, the seat of the view to move; the cards
 * that it cannot see lie in canonical order.  False, and *deal left alone,
 * where the view contradicts itself: cards missing or too many.
 */
bool imagine_deal(const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal);

/* Where a search gets its worlds from. */
struct world_source {
	/* Writes a world, the seat that searches to move. */
	void (*draw)(void *context, uint64_t *random, struct scopa_deal *deal);
	void *context;
};

/* All worlds of a view, equally likely. */
struct world_uniform {
	struct scopa_rules rules;
	struct scopa_deal base; /* what is known; the rest is overwritten */
	int unseen_count;
	scopa_card unseen[SCOPA_PACK_SIZE]; /* in the order of the last draw */
	uint8_t hidden[SCOPA_SEATS_MAX];    /* unseen cards of each hand */
};

/*
 * Prepares for draws.  False, and *world left alone, where the view
 * contradicts itself.
 */
bool world_uniform_init(struct world_uniform *world,
    const struct scopa_rules *rules, const struct scopa_view *view);

/*
 * Draws for struct world_source; `context` is a struct world_uniform.  Hands
 * that must have been declared, and were not, are left out where the rules
 * declare for the players.
 */
void world_uniform_draw(
    void *context, uint64_t *random, struct scopa_deal *deal);

/* The same world at every draw: `context` is that deal. */
void world_fixed_draw(void *context, uint64_t *random, struct scopa_deal *deal);

/*
 * Random completion: gives the cards that are not dealt yet to teams.
 *
 * What becomes of cards that are still to be dealt is luck, mostly.  To play
 * them out costs time, and one playout tells little more than whom the luck
 * favoured.  A random completion gives them out at once, and favours nobody,
 * since all teams get each share in turn.  Sweeps that are still to come are
 * left out, and who would get the last table.
 */
struct random_completion {
	struct scopa_deal end; /* for random_completion_give() */
	scopa_set shares[SCOPA_TEAMS_MAX];
};

/*
 * Draws shares of all cards that are in no pile: in twos, as a card that takes
 * another goes with it, each two to any team alike.  `end` is the deal without
 * these cards.
 */
void random_completion_draw(const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random,
    struct random_completion *completion);

/*
 * Makes `end` the end of the deal that was drawn for, where team p gets share
 * p + `turn`.  Over all turns from 0 on each team gets each share once.
 */
void random_completion_give(const struct scopa_rules *rules,
    const struct scopa_deal *deal, int turn,
    struct random_completion *completion);

#endif
