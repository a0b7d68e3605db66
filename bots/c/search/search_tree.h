/*
 * The tree of a search: what was learnt of each move, in memory of fixed size,
 * and which move is gone down from a node.
 *
 * A node is the list of its moves.  The list grows in blocks, since another
 * world gives a seat other cards; blocks and moves lie in slots of one size.
 */
#ifndef SCOPA_BOT_SEARCH_TREE_H
#define SCOPA_BOT_SEARCH_TREE_H

#include <stddef.h>

#include "scopa/move.h"
#include "search.h"

/* A move and what is below it. */
struct branch {
	uint64_t key;     /* branch_key of the move */
	double total;     /* weighted rewards of the team that makes it */
	float visits;     /* weights of the worlds in which it was chosen */
	float available;  /* the same of those in which it was legal */
	float prior;      /* 0 without one */
	uint32_t replies; /* slot of the first block; 0: none */
};

/* The head of `count` moves that were added together. */
struct branch_block {
	scopa_set cards; /* whose moves these are */
	uint32_t next;   /* slot of the next block; 0: none */
	uint32_t count;
};

union branch_slot {
	struct branch branch;
	struct branch_block block;
};

_Static_assert(sizeof(union branch_slot) == 32, "two slots a cache line");

/* Slot 0 is never given away. */
struct branch_pool {
	union branch_slot *slots; /* the caller's memory */
	uint32_t size;
	uint32_t used;
};

/* Memory is cut down to whole slots; it need not be aligned nor clean. */
void branch_pool_init(struct branch_pool *pool, void *memory, size_t size);

/*
 * A block of `count` clean moves at the end of the list that begins at *first
 * (a slot; 0: there is none).  NULL where the pool is full.
 */
struct branch_block *branch_add(
    struct branch_pool *pool, uint32_t *first, uint32_t count);

/* The block of a slot; NULL for slot 0. */
static inline struct branch_block *
branch_block_at(const struct branch_pool *pool, uint32_t slot)
{
	return slot == 0 ? NULL : &pool->slots[slot].block;
}

/* The moves of a block. */
static inline struct branch *
branch_first(struct branch_block *block)
{
	return &((union branch_slot *)block + 1)->branch;
}

/* All of a move but its seat, which follows from the node. */
enum {
	BRANCH_CARD_BIT = 40,
	BRANCH_DECLARATION_BIT = 48,
	BRANCH_VALUE_BIT = 52
};

static inline uint64_t
branch_key(const struct scopa_move *move)
{
	return move->captured | (uint64_t)move->card << BRANCH_CARD_BIT |
	    (uint64_t)move->declaration << BRANCH_DECLARATION_BIT |
	    (uint64_t)move->value << BRANCH_VALUE_BIT;
}

static inline scopa_card
branch_card(const struct branch *branch)
{
	return (scopa_card)(branch->key >> BRANCH_CARD_BIT);
}

/* The move of a seat. */
static inline struct scopa_move
branch_move(const struct branch *branch, int seat)
{
	return (struct scopa_move){
		.captured = branch->key & SCOPA_SET_ALL,
		.card = branch_card(branch),
		.declaration =
		    (uint8_t)(branch->key >> BRANCH_DECLARATION_BIT & 15),
		.value = (uint8_t)(branch->key >> BRANCH_VALUE_BIT & 15),
		.seat = (uint8_t)seat,
	};
}

/*
 * One of the `count` moves, at least one, that are legal in a world: in a share
 * `model` of all visits (0 to 1) as the prior plays, else by the formula of
 * struct search_config.
 */
struct branch *selection_pick(const struct search_config *config,
    struct branch *const *legal, int count, double model, uint64_t *random);

#endif
