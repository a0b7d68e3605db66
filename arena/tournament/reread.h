/*
 * Blocks of a run as they stand in its records, read again game by game.
 */
#ifndef REREAD_H
#define REREAD_H

#include <limits.h>
#include <sodium.h>

#include "record_verify.h"
#include "store.h"

struct reread {
	const struct store_head *head;
	char path[PATH_MAX]; /* of the records */
	struct record_checker *checker;
	struct record_reader reader;
	struct record_block block; /* the next game */
	bool more;                 /* there is one; it is good, unless.. */
	int status;                /* ..this is -errno: it cannot be taken */
	struct store_error why;    /* the reason */
	bool damaged;  /* what is wrong is in the file: a game is broken in
		       * itself, or missing */
	int64_t begin; /* of it in the file */
	int64_t end;   /* of the last whole block */
	int64_t size;  /* of the file */
	struct record_fault fault; /* where it was broken */

	/*
	 * Looks at each game of a block that is good in itself, or NULL; false
	 * with the fault where it is not what it should be.
	 */
	bool (*look)(void *context, const struct block_plan *plan, int at,
	    const struct record_block *record, struct record_fault *fault);
	void *context;
};

/*
 * Opens a file of records of a run, RUN_RECORDS for one.  `head` outlives it.
 * 0 or -errno.
 */
int reread_open(struct reread *reread, const char *folder, const char *name,
    const struct store_head *head, struct store_error *error);
void reread_close(struct reread *reread); /* `fault` stays */

/*
 * Takes the games of a block.  1; 0 where the records end before the last of
 * them; -errno: -EBADMSG where a game is broken, or is not one of the block.
 */
int reread_block(struct reread *reread, const struct block_plan *plan,
    struct block_result *block, struct store_place *place,
    struct store_error *error);

/* Leaves the next game out; there is one that can be taken. */
void reread_skip(struct reread *reread);

/* -EBADMSG: says that no block of the schedule has the next game. */
int reread_refuse(struct reread *reread, struct store_error *error);

#endif
