/*
 * What the command `sprt` is given to judge: counts, or games of records.
 */
#ifndef SPRT_EVIDENCE_H
#define SPRT_EVIDENCE_H

#include "event.h"
#include "record_walk.h"
#include "sprt.h"
#include "standings.h"
#include "status.h"

/* Of the encounter, what is not known is zeroed. */
struct sprt_evidence {
	const char *source; /* the option that gave it, without dashes */
	bool has_points;    /* the margins are points a deal */
	bool has_pairs;     /* pairs of games are counted */
	bool has_games;     /* single games are counted */
	bool has_bets;      /* `bets` were made, of records where asked for */
	struct betting bets, clean_bets;
	struct encounter pair; /* the candidate against the base */

	/* Of records alone; empty names else. */
	char candidate[EVENT_NAME_SIZE], base[EVENT_NAME_SIZE];
	int64_t base_forfeits; /* games */
};

/* Counts of games or pairs: their margins are the scores less 1/2. */
struct sprt_evidence sprt_evidence_games(const struct trinomial *games);
struct sprt_evidence sprt_evidence_pairs(const struct pentanomial *pairs);

/*
 * The points of blocks, each a pair of games or one game, with their mean and
 * sigma (divided by the count, as the model counts it).
 */
struct sprt_evidence sprt_evidence_margins(
    int64_t count, double mean, double sigma, bool paired);

/*
 * What gathered games say of one bot against another.  Names may be NULL: the
 * first bot seen, and the only other one.  On failure that was said.
 */
enum status sprt_evidence_gather(struct sprt_evidence *evidence,
    const struct gathered *gathered, const char *candidate, const char *base);

/* Whether the model can judge this. */
bool sprt_evidence_fits(
    const struct sprt_evidence *evidence, enum sprt_model model);

#endif
