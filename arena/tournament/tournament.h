/*
 * A tournament: the next block, the standings, and the verdict of a gate, as a
 * pure function of the configuration and of the results so far.
 *
 * Schedule, standings and the rule which bots are suspended are joined only
 * here.  So a run that is played, one that is resumed and one whose results are
 * computed from its records again cannot differ.
 */
#ifndef TOURNAMENT_H
#define TOURNAMENT_H

#include "schedule.h"
#include "sprt.h"
#include "standings.h"
#include "store.h"

/* Games that a bot may lose by not starting until it is suspended. */
enum { TOURNAMENT_STARTUPS_MAX = 3 };

/*
 * The part of a run that one machine plays: one of each `count` blocks in a row
 * (see shard_of).  It skips the others.
 */
struct shard {
	int index; /* from 0 */
	int count; /* 0: the machine plays the whole run */
};

enum { SHARD_COUNT_MAX = 256 };

/*
 * The shard, from 0, that has the block with this index, if there are `count`
 * shards.  The blocks are cut into rows of `count` blocks, and each shard has
 * one block of each row.  A random number, which follows from the number of the
 * row, decides which: so no shard always has the same pair of a round robin.
 */
int shard_of(int64_t index, int count);

struct tournament_config {
	struct schedule_config schedule;
	struct shard shard;
	/*
	 * A bot that loses a game by an offence plays no more:
	 * POLICY_DISQUALIFY.
	 */
	bool disqualify;
	struct standings_suite suite; /* where the packs are those of a file */
	const struct sprt *sprt; /* of a gate with a sequential test, or NULL */
};

struct tournament {
	struct tournament_config config;
	struct schedule *schedule; /* owned */
	struct standings standings;
	bool suspended[TOURNAMENT_BOTS_MAX]; /* by the results counted so far */
	int suspended_count;
	int64_t planned; /* blocks that tournament_next has given */
	int64_t counted; /* and whose results were counted, skipped ones too */
};

/*
 * Opens a tournament. The configuration must have no flaw (schedule_flaw).
 * Returns 0 or -ENOMEM.
 */
int tournament_open(
    struct tournament *tournament, const struct tournament_config *config);
void tournament_close(struct tournament *tournament);

/*
 * The next block of the schedule, whether it is to be skipped or not;
 * SCHEDULE_WAIT: results first.
 */
enum schedule_answer tournament_next(
    struct tournament *tournament, struct block_plan *plan);

/*
 * Whether a block counts as skipped: it belongs to another shard, or a bot in
 * it is suspended by the results counted so far.  For the next block to count
 * the answer is final.  For a later block `true` is final, also if the block
 * has been played meanwhile; `false` may change.
 */
bool tournament_skips(
    const struct tournament *tournament, const struct block_plan *plan);

/*
 * Adds the result of the next block in the order of the plans. The block is
 * `skipped` exactly if tournament_skips() says so. Bots that this suspends play
 * no more. Returns 0, or -ENOMEM with nothing counted.
 */
int tournament_add(
    struct tournament *tournament, const struct block_result *block);

/*
 * Whether a run with this head fits the configuration: the number of bots, the
 * teams, and the games of a block.
 */
bool tournament_fits(
    const struct tournament_config *config, const struct store_head *head);

/*
 * A gate: the verdict on a candidate, bot 0 of the run, against its base, which
 * is bot 1.
 */

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
	bool few_differing; /* gate_few_differing */
};

/* `pass`, `regression`, `inconclusive`, `open`. */
const char *gate_outcome_name(enum gate_outcome outcome);

/*
 * The state of the test on one bot against another; `clean`: without forfeited
 * blocks.  Scores are counted by pairs if all blocks were pairs, except for the
 * model that knows only single games; the minimum of the test is one of what is
 * counted.  The model betting needs `bets`: with `clean` those on clean blocks.
 */
struct sprt_state gate_test(const struct sprt *sprt,
    const struct encounter *pair, const struct betting *bets, bool clean);

/*
 * Whether a test by model margin may err more often than alpha and beta say,
 * because fewer than SPRT_DIFFERING_MIN blocks had a difference so far: rare
 * disasters may not have been seen.  Before so many blocks it is always true.
 */
bool gate_few_differing(const struct sprt *sprt, const struct encounter *pair);

/*
 * The estimate after a test that has stopped (struct gate_verdict).  False:
 * there is none for this model.  *is_elo: it is in logistic Elo, else in points
 * a deal.  `bets` as for gate_test.
 */
bool gate_estimate(const struct sprt *sprt, const struct encounter *pair,
    const struct betting *bets, double level, struct estimate *estimate,
    bool *is_elo);

/*
 * The number of blocks without any difference after which the test of the
 * margin ends.  A candidate at either hypothesis would have differed in so many
 * blocks with probability 1 - beta.  It is at least GATE_ALIKE_BLOCKS and the
 * minimum of the test.
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

/* Whether further blocks count, after those that were counted. */
enum tournament_end {
	TOURNAMENT_GOES_ON,  /* as long as the schedule has blocks */
	TOURNAMENT_DESERTED, /* fewer bots are left than a game has seats */
	TOURNAMENT_DECIDED   /* the gate has its verdict */
};

/* `gate`: of the run, or NULL. */
enum tournament_end tournament_find_end(
    const struct tournament *tournament, const struct gate_config *gate);

#endif
