/*
 * What entrants contribute to the secret of the packs, `NAME=HEX` each, and
 * what all of them make of it.
 *
 * Whoever deals could try secrets until one suits him.  Bytes that others give
 * once he is bound to one by its commitment take that away: each of them alone
 * is enough to make packs that nobody has chosen.
 */
#ifndef CONTRIBUTION_H
#define CONTRIBUTION_H

#include <stdbool.h>

#include "scopa/text.h"
#include "shuffle.h"

enum {
	CONTRIBUTIONS_MAX = 136, /* every bot, and some public values */
	CONTRIBUTION_NAME_MAX = 64,
	CONTRIBUTION_HEX_MAX = 128,
	/* `NAME=HEX` and its NUL */
	CONTRIBUTION_SIZE = CONTRIBUTION_NAME_MAX + CONTRIBUTION_HEX_MAX + 2,
	/* all of them, joined by `|` */
	CONTRIBUTIONS_SIZE = CONTRIBUTIONS_MAX * CONTRIBUTION_SIZE
};

/* In the order of their bytes, each name once. */
struct contributions {
	int count;
	char rows[CONTRIBUTIONS_MAX][CONTRIBUTION_SIZE]; /* `NAME=HEX` */
};

/*
 * Adds those of a text: `NAME=HEX`, or more of them with `|` between.  Names
 * are printable ASCII without blanks, `=` and `|`; capital digits become small.
 * On failure false with the reason, and nothing was added.
 */
bool contributions_add(struct contributions *contributions, const char *text,
    struct scopa_text *why);

/* Writes all of them, joined by `|`: what contributions_add reads. */
void contributions_write(
    const struct contributions *contributions, char text[CONTRIBUTIONS_SIZE]);

/* The key of all packs: the secret itself where there are none. */
void contributions_mix(const struct contributions *contributions,
    const struct shuffle_key *secret, struct shuffle_key *key);

#endif
