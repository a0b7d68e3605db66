/*
 * The bounds of a sequential test as options give them.
 */
#ifndef CMD_SPRT_H
#define CMD_SPRT_H

#include "event.h"
#include "record_walk.h"
#include "report.h"
#include "scopa/text.h"
#include "sprt.h"
#include "standings.h"

enum { SPRT_WHY_SIZE = 128 }; /* of a reason */

/* A bound that may be given or not. */
struct sprt_bound {
	bool given;
	double value;
};

struct sprt_bounds {
	struct sprt_bound elo0, elo1;
	struct sprt_bound points0, points1; /* points a deal, instead of elo */
};

/* For rows of OPTION_PARSED whose field is a struct sprt_bound. */
bool sprt_bound_parse(const char *value, void *field, struct scopa_text *why);

/*
 * Sets unit, low and high of a test whose model, alpha and beta are set; an Elo
 * that is not given is 0 or 5, and points of the model betting are 0 and 0.3.  False with the reason where these contradict
 * each other; then nothing is set.
 */
bool sprt_bounds_set(const struct sprt_bounds *bounds, struct sprt *sprt,
    struct scopa_text *why);

/*
 * What the command `sprt` is given to judge: counts, or games of records.
 */

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

/* Whether the model can judge this. */
bool sprt_evidence_fits(
    const struct sprt_evidence *evidence, enum sprt_model model);

/*
 * Where the command `sprt` has its results from.
 */

/* As options give it; what is not given is NULL. */
struct sprt_source {
	/* Numbers with commas between them, or a file: one of these. */
	const char *wdl, *penta, *moments, *records;
	const char *bot, *base; /* of records */
	bool single;            /* of moments: blocks are single games */
	/* Between which points a deal bets are to be made, of records. */
	bool bets;
	double low, high;
};

/*
 * Reads the evidence.  STATUS_DONE, or STATUS_FAILED where it was read but for
 * records that are bad; otherwise evidence->source is NULL.  What is wrong was
 * said.
 */
enum status sprt_source_read(
    const struct sprt_source *source, struct sprt_evidence *evidence);

/*
 * What the command `sprt` prints, as text and as JSON.
 */

/* A test and all that is known of the strength that it is about. */
struct sprt_answer {
	const struct sprt_evidence *evidence;
	struct sprt sprt;
	struct sprt_state state, clean; /* `clean`: without forfeits */
	double level;                   /* of intervals */
	const char *counted;            /* `blocks`, `pairs` or `games` */
	int64_t count;
	bool has_score;           /* `strength` has score and Elo */
	bool by_points;           /* nelo and los are of points */
	struct strength strength; /* by pairs where there are any */
	struct estimate points;   /* a deal, where they are known */
	struct estimate nelo;
	double nelo_error, los;
	/* The estimate after the test has stopped, if there is one. */
	bool has_unbiased, unbiased_is_elo;
	struct estimate unbiased;
	bool is_rare; /* so few blocks differed that the test may err */
	/* As other programs print them; of the model margin alone: the LLR. */
	double peer_llr, peer_nelo_error, peer_los;
};

/* Tests the evidence, which fits the model, and estimates. */
struct sprt_answer sprt_answer_make(const struct sprt_evidence *evidence,
    const struct sprt *sprt, double level);

#endif
