/*
 * The terms of a run: all that decides what is played but the secret of the
 * packs, as lines of text to be published before the first deal.
 *
 *     scopa-arena-terms-v1
 *     created 2025-01-31T18:30:00.000Z
 *     packs committed
 *     bot 1 SHA256 NAME
 *     ...
 *
 * and then the lines of the configuration as executed without comments, blank
 * lines, and what `contribution` says; `seed`, too, where it is committed to.
 */
#ifndef RUN_MANIFEST_H
#define RUN_MANIFEST_H

#include "shuffle.h"
#include "store.h"

/* The keys that may be no terms, as their lines begin. */
#define MANIFEST_SEED "seed = "
#define MANIFEST_CONTRIBUTION "contribution = "

/* The terms, for free(); NULL without memory. */
char *manifest_make(const char *config, const struct store_head *head);

/*
 * A configuration without the lines that begin with one of these words (NULL
 * ends them), and with another line behind the heading of its first section; ""
 * for none.  For free(); NULL without memory.
 */
char *manifest_config_set(
    const char *config, const char *const *dropped, const char *line);

/*
 * Moves both to the first line in which they differ, and returns its number
 * from 1; 0 where they are the same.
 */
int64_t manifest_part(const char **terms, const char **others);

/* The SHA-256 of a text. */
void manifest_digest(const char *terms, struct shuffle_key *digest);

/*
 * Takes over what terms say of a run that its configuration does not: when it
 * was created, the digests of its bots, where its packs are from.  They are
 * taken as far as they fit.
 */
void manifest_take(const char *terms, struct store_head *head);

#endif
