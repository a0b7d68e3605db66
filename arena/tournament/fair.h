/*
 * Whether a run dealt fairly, as far as its folder alone can prove it.
 *
 * The check proves that the terms are those of the configuration; that the
 * commitment fits the terms and the secret; that every pack follows from the
 * secret and the contributions; that the blocks are those of the schedule, all
 * of them and in its order; that the results are what the records say; and that
 * the chain over the results is unbroken.
 */
#ifndef FAIR_H
#define FAIR_H

#include "store.h"
#include "tournament.h"

/* The run to check, and its configuration. */
struct fair_order {
	const char *path; /* of the run */
	const struct tournament_config *tournament;
	const struct gate_config *gate; /* or NULL */
	const struct shuffle_key *secret;
	const struct contributions *contributions;
	bool packs_given; /* the packs are from a file, not from a secret */
};

struct fair_report {
	bool good;
	/* The first difference; `file` is one of the run. */
	const char *file;
	int64_t line; /* 0 where the file has none */
	char text[STORE_ERROR_SIZE];

	bool committed;
	bool over;                    /* the run has ended */
	int64_t blocks, games, packs; /* numbers of those that were checked */
	/* Games whose bots had seeds by the rule of earlier versions, in which
	 * seeds follow from the secret and the seating alone. */
	int64_t earlier_seeds;
	char commitment[SHUFFLE_HEX_SIZE], terms[SHUFFLE_HEX_SIZE];
	char secret[SHUFFLE_HEX_SIZE]; /* where it may be shown */
	char contributions[CONTRIBUTIONS_SIZE];
	char chain[SHUFFLE_HEX_SIZE]; /* after the blocks that were checked */
};

/*
 * Checks a run, or the stored blocks of a run that is being played.  Changes
 * nothing. Returns 0 with the report, good or not; or -errno with the error if
 * the run cannot be read.
 */
int fair_check(const struct fair_order *order, struct fair_report *report,
    struct store_error *error);

#endif
