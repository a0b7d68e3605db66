/*
 * Worlds: whole deals that agree with what one seat knows, one of them or drawn
 * at random.
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

/* The other way round: all that the seat to move in a deal may know of it. */
void view_of_mover(const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_view *view);

/* Whether a hand can be declared when it has just been dealt. */
bool hand_declares(const struct scopa_rules *rules, scopa_set hand);

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
 * Copies a deal without those entries of the history that are not in use,
 * which are most of its bytes.
 */
void world_copy(struct scopa_deal *deal, const struct scopa_deal *from);

#endif
