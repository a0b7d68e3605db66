/*
 * Blocks from the records of runs: computes the results of a run again,
 * salvages the blocks after a damaged one, and joins the shards of a run.
 * Results are a pure function of the records and the configuration, so the two
 * must agree.
 */
#ifndef REBUILD_H
#define REBUILD_H

#include <limits.h>

#include "record_verify.h"
#include "run.h"
#include "store.h"
#include "tournament.h"

/*
 * Blocks of a run as they stand in its records, read again game by game.
 */

struct reread {
	const struct store_head *head;
	char path[PATH_MAX]; /* of the records */
	struct record_checker *checker;
	struct record_reader reader;
	struct game_record record; /* the next game */
	bool more;  /* there is a next game; it is good if `status` is 0 */
	int status; /* 0, or -errno with the reason in `why` */
	struct store_error why;
	bool damaged;  /* a game in the file is broken, or missing */
	int64_t begin; /* position of the next game in the file */
	int64_t end;   /* position after the last whole block */
	int64_t size;  /* of the file */
	struct record_fault fault; /* of the broken game */

	/*
	 * A further check of each good game, or NULL.  Returns false with the
	 * fault if the game is not what it should be.
	 */
	bool (*look)(void *context, const struct block_plan *plan, int at,
	    const struct game_record *record, struct record_fault *fault);
	void *context;
};

/*
 * Opens a file of records of a run, such as RUN_RECORDS.  `head` must outlive
 * it.  0 or -errno.
 */
int reread_open(struct reread *reread, const char *folder, const char *name,
    const struct store_head *head, struct store_error *error);
void reread_close(struct reread *reread); /* `fault` stays */

/*
 * Reads the games of a block. Returns 1; 0 if the records end before its last
 * game; or -errno: -EBADMSG if a game is broken or belongs to another block.
 */
int reread_block(struct reread *reread, const struct block_plan *plan,
    struct block_result *block, struct store_error *error);

/*
 * Blocks of a run whose record follows one that was lost: `salvage.scopa` in
 * the folder of the run.
 *
 * Results follow one another in the order of the schedule. Where the record of
 * a block is damaged, `db rebuild` ends the results before it and puts whole
 * blocks from after it here. `resume` plays the lost block again. Then it
 * counts these blocks instead of playing them, as long as they are still in the
 * schedule: a schedule that depends on results may have changed.
 */

#define SALVAGE_FILE "salvage.scopa"

enum { SALVAGE_DAMAGES_MAX = 8 };

/* Games of a file that are broken in themselves. */
struct salvage_damages {
	int64_t count; /* the first of these: */
	struct salvage_damage {
		int64_t block; /* its number from 1; 0: not known */
		struct record_fault fault;
	} damages[SALVAGE_DAMAGES_MAX];
};

/*
 * Opens the salvaged blocks of the run, which must outlive them. Returns NULL,
 * which contains no block, if there are none. If the file cannot be read, that
 * is logged, and its blocks are played again.
 */
struct reread *salvage_open(const struct run *run);

/*
 * Returns whether there is this block, and then its results in *block, with its
 * place in the file.  Blocks must be asked for in the order of the schedule.
 */
bool salvage_read(struct reread *salvage, const struct block_plan *plan,
    struct block_result *block);

/*
 * Closes the file, and removes it if no block is left in it and the run has
 * stored all blocks that were counted (`kept`).
 */
void salvage_close(struct reread *salvage, bool kept);

/* Blocks that replace those of a run with the same numbers. */
struct salvage_blocks {
	struct salvage_block {
		int64_t number; /* from 0 */
		char *record;   /* owned */
		size_t size;
		char by[64]; /* the worker that has played it */
	} * blocks;          /* owned */
	int count, capacity;
};

/* Adds a block, and owns its record from then on.  0 or -ENOMEM. */
int salvage_blocks_add(struct salvage_blocks *blocks, int64_t number,
    const char *by, char *record, size_t size);
void salvage_blocks_release(struct salvage_blocks *blocks);

/*
 * Ends the results of a run before the first of these blocks.  These blocks and
 * the stored ones after it are salvaged, so that the runner counts them without
 * playing.  Blocks that were salvaged before and are not counted yet are played
 * again.  The run must have no pending blocks.  0 or -errno.
 */
int salvage_replace(
    struct run *run, struct salvage_blocks *blocks, struct store_error *error);

struct rebuild_order {
	const char *path; /* of the run */
	const struct tournament_config *tournament;
	const struct gate_config *gate; /* or NULL */
	/* Used if the old results have no head; or NULL. */
	const struct store_head *head;
	/* The seed in the configuration, hex; NULL: it has none. */
	const char *shown;
};

enum rebuild_outcome {
	/* The old results are the same, as far as both reach. */
	REBUILD_IDENTICAL,
	REBUILD_DIFFERENT,
	/* There are no old results, or they cannot be read. */
	REBUILD_ALONE
};

struct rebuild_report {
	enum rebuild_outcome outcome;
	int64_t blocks, games; /* in the new results; skipped blocks, too */
	int64_t gained;        /* blocks that the old results did not have */
	int64_t lost; /* blocks of the old results that have no record */
	int64_t tail; /* bytes of records after the last whole block */
	/* The number, from 1, of a block whose record is damaged, and how; 0:
	 * there is none.  Results end before it. */
	int64_t bad;
	char bad_why[STORE_ERROR_SIZE];
	int64_t salvaged; /* good blocks after it: see SALVAGE_FILE */
	struct salvage_damages damages; /* all, with that of this block */
	char bad_backup[PATH_MAX];      /* a copy of the damaged records */
	/* The first difference, or why the old results cannot be read. */
	char difference[STORE_ERROR_SIZE];
	char kept[PATH_MAX]; /* where the old results are now; or empty */
};

/*
 * Checks each game (its sum, and that it follows from rules, packs and plays)
 * and goes through the schedule with it. If results differ, the new ones
 * replace the old ones, which stay beside them under another name; else nothing
 * is changed. 0; or -errno with the error, and then nothing is changed: -EBUSY
 * while a process writes to the run; -EBADMSG if the records are not those of
 * this tournament, or do not begin as records do; -EPROTO if the results are of
 * a newer version.
 *
 * A block whose record is damaged ends the results. The blocks after it are
 * salvaged: `resume` plays the lost block and counts the others.
 *
 * The state is that of the old results, unless the blocks contradict it;
 * without old results it follows from the blocks and the files of the run.
 */
int rebuild(const struct rebuild_order *order, struct rebuild_report *report,
    struct store_error *error);

/*
 * Joins the runs of machines that have played the shards of one run (struct
 * shard in tournament.h) into the run that one machine would have played.
 */

struct shard_order {
	struct run *run; /* new: its blocks are added here and committed */
	const struct tournament_config *tournament; /* of the whole run */
	const struct gate_config *gate;             /* or NULL */
	int count;                                  /* of shards */
	const char *const *paths; /* of their runs, in the order of shards */
};

struct shard_report {
	int64_t blocks, games; /* of the joined run */
	/*
	 * Games of the shards that are not in the joined run: on one machine
	 * one of their bots would have been suspended before.
	 */
	int64_t left_out;
	const char *state; /* of the joined run: RUN_DONE or RUN_STOPPED */
};

/*
 * Checks every game, and adds the blocks in the order of the schedule.  0; or
 * -errno with the error: -ENODATA if a shard lacks a block, -EBADMSG if a record
 * is damaged or of another run.  Then the run has some of the blocks, and the
 * caller must discard it.
 */
int shard_join(const struct shard_order *order, struct shard_report *report,
    struct store_error *error);

#endif
