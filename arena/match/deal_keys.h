/*
 * The keys of the deals of one block, for a machine that must not know the
 * secret of the run; and a table of them in memory that a dispatcher shares
 * with its workers.
 *
 * The dispatcher's caller opens a table before the workers are forked, fills a
 * slot before it supplies the games of a block, and empties it when all of them
 * have been reported.  A match looks its game's slot up (struct game_spec).  A
 * game that needs a deal without a key is aborted (struct game_result).
 *
 * A slot also counts what its games have done, so that the caller can
 * distinguish a block that goes on from one that hangs.
 */
#ifndef DEAL_KEYS_H
#define DEAL_KEYS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "scopa/rules.h"
#include "shuffle.h"

enum {
	DEAL_KEYS_MAX = 4096,    /* of one block */
	DEAL_KEYS_GAMES_MAX = 6, /* of one block */
	DEAL_KEYS_SLOTS_MAX = 4096
};

/* keys[deal * redeals + redeal], both from 0. */
struct deal_keys {
	int deals, redeals; /* deals * redeals is at most DEAL_KEYS_MAX */
	struct shuffle_key keys[DEAL_KEYS_MAX];
};

/* What games of a block know instead of the secret. */
struct deal_keys_slot {
	struct deal_keys keys;
	struct shuffle_key nonces[DEAL_KEYS_GAMES_MAX]; /* by rotation */
	uint64_t seeds[DEAL_KEYS_GAMES_MAX][SCOPA_SEATS_MAX];
	/* Moves so far, of all games; a game that is played again adds more. */
	_Atomic uint64_t progress;
};

struct deal_keys_table; /* memory that is shared with forked processes */

/*
 * A table of empty slots.  Memory is used only for slots that have been filled.
 * Core dumps do not contain it.  Returns 0 or -errno.
 */
int deal_keys_open(struct deal_keys_table **table, int slot_count);
void deal_keys_close(struct deal_keys_table *table); /* NULL is allowed */

/* The slot with this number, from 0. */
struct deal_keys_slot *deal_keys_slot(struct deal_keys_table *table, int slot);

/* Fills a slot with zeros, so that no key stays in memory. */
void deal_keys_slot_empty(struct deal_keys_slot *slot);

/* Copies the keys that there are, and not the room for others. */
void deal_keys_copy(struct deal_keys *to, const struct deal_keys *from);

/*
 * Computes the keys of the first `deals` deals of an event, each with `redeals`
 * packs: the first one and those that replace it.
 */
void deal_keys_make(struct deal_keys *keys, const struct shuffle_key *root_key,
    const char *event, int deals, int redeals);

/* The key from which the ids of decisions follow; `game` is N - 1 of `mN`. */
void deal_keys_make_nonces(struct shuffle_key *nonces,
    const struct shuffle_key *root_key, int64_t game);

/* The key of a deal and redeal, both from 0; NULL: there is none. */
const struct shuffle_key *deal_keys_find(
    const struct deal_keys *keys, int deal, int redeal);

#endif
