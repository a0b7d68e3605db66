/*
 * The verdict on a candidate: bot 0 of the run against bot 1, its base.
 */
#ifndef GATE_H
#define GATE_H

#include "sprt.h"
#include "standings.h"

enum {
	GATE_REASON_SIZE = 192,
	GATE_ALIKE_BLOCKS = 1000 /* at least, see gate_alike_blocks */
};

struct gate_config {
	bool sequential; /* by `sprt`; else by the interval at the end */
	struct sprt sprt;
	int64_t blocks_max; /* after so many it ends in any case */
	double level;       /* of intervals: 0.95 */
};

enum gate_outcome {
	GATE_OPEN, /* not decided yet */
	GATE_PASS,
	GATE_REGRESSION,
	GATE_INCONCLUSIVE,
	GATE_OUTCOME_COUNT
};

/* All that a gate knows after some blocks, from the candidate's view. */
struct gate_verdict {
	enum gate_outcome outcome;
	char reason[GATE_REASON_SIZE]; /* one sentence for people */
	bool final;                    /* no further block is needed */
	struct sprt_state sprt;        /* zeroed unless sequential */
	struct estimate margin, clean; /* points a deal; without forfeits */
	double los;                    /* of the margin */
	/* A sequential verdict without the forfeited blocks. */
	struct sprt_state clean_sprt;
	/*
	 * After a sequential test the estimate that is as often too high as too
	 * low (stagewise ordering, sprt.h): in points a deal, or in logistic
	 * Elo where the model tests scores.  None before the end, and of model
	 * bayesian.
	 */
	bool has_unbiased, unbiased_is_elo;
	struct estimate unbiased;
	/* By model margin, on fewer blocks with a difference than
	 * SPRT_DIFFERING_MIN: rare disasters may not have been seen. */
	bool is_rare;
};

/* `pass`, `regression`, `inconclusive`, `open`. */
const char *gate_outcome_name(enum gate_outcome outcome);

/*
 * The state of the test on one bot against another, without forfeited blocks
 * where it is `clean`.  Scores are taken by pairs where all blocks were pairs,
 * but for the model that knows single games alone.  Of the model betting the
 * bets must be given, those on clean blocks where it is `clean`.
 */
struct sprt_state gate_test(const struct sprt *sprt,
    const struct encounter *pair, const struct betting *bets, bool clean);

/*
 * The estimate after a test that has stopped (struct gate_verdict); false where
 * there is none.  `is_elo` tells its unit; `bets` are those of gate_test.
 */
bool gate_estimate(const struct sprt *sprt, const struct encounter *pair,
    const struct betting *bets, double level, struct estimate *estimate,
    bool *is_elo);

/*
 * After so many blocks without any difference the test of the margin ends: a
 * candidate at either hypothesis would have differed by then with probability 1
 * - beta, and never before GATE_ALIKE_BLOCKS or the minimum.
 */
int64_t gate_alike_blocks(
    const struct sprt *sprt, const struct scopa_rules *rules, bool paired);

/*
 * Judges after the blocks so far; `ended`: there will be no more.  More than
 * one percent of games forfeited by the candidate never pass; where it is
 * certain that its share is above that, it is a regression.
 */
struct gate_verdict gate_judge(const struct gate_config *config,
    const struct standings *standings, bool ended);

/* Whether a gate has its verdict, so that no further block counts; NULL: no. */
bool gate_is_final(
    const struct gate_config *config, const struct standings *standings);

#endif
