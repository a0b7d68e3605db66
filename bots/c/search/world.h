/*
 * Worlds: complete deals that fit what one seat knows.  A world is built from
 * the view, or drawn at random by a world source.
 */
#ifndef SCOPA_BOT_WORLD_H
#define SCOPA_BOT_WORLD_H

#include <stdint.h>

#include "scopa/deal.h"
#include "scopa/view.h"

/*
 * Builds a deal that fits the view, with the seat of the view to move.  The
 * hidden cards lie in canonical order.  Returns false and leaves *deal
 * unchanged when the view contradicts itself: cards are missing or too many.
 */
bool imagine_deal(const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal);

/* The opposite: writes what the seat to move in a deal may know of it. */
void view_of_mover(const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_view *view);

/* Whether a newly dealt hand can be declared. */
bool hand_declares(const struct scopa_rules *rules, scopa_set hand);

/* Supplies a search with worlds. */
struct world_source {
	/* Writes a world in which the searching seat must move. */
	void (*draw)(void *context, uint64_t *random, struct scopa_deal *deal);
	void *context;
};

/* A source of all worlds of a view, equally likely. */
struct world_uniform {
	struct scopa_rules rules;
	struct scopa_deal base; /* known part; draws overwrite the rest */
	int unseen_count;
	scopa_card unseen[SCOPA_PACK_SIZE]; /* in the order of the last draw */
	/* number of hidden cards of each hand */
	uint8_t hidden[SCOPA_SEATS_MAX];
};

/*
 * Prepares the source.  Returns false and leaves *world unchanged when the view
 * contradicts itself.
 */
bool world_uniform_init(struct world_uniform *world,
    const struct scopa_rules *rules, const struct scopa_view *view);

/*
 * The `draw` function for a struct world_uniform as context.  Under rules that
 * declare hands automatically, it skips hands that would have been declared.
 */
void world_uniform_draw(
    void *context, uint64_t *random, struct scopa_deal *deal);

/*
 * A `draw` function that always writes the same world, the deal in `context`.
 */
void world_fixed_draw(void *context, uint64_t *random, struct scopa_deal *deal);

/*
 * Copies a deal without the unused entries of the history, which are most of
 * its bytes.
 */
void world_copy(struct scopa_deal *deal, const struct scopa_deal *from);

#endif
