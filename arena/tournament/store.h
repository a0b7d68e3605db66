/*
 * The database of a run: what the run is, and the results of its blocks.
 *
 * SQLite in WAL mode with full synchronisation.  One connection writes, and it
 * alone checkpoints; others only read.  Nothing here is worth more than the
 * records: the same blocks give the same rows.
 */
#ifndef STORE_H
#define STORE_H

#include "block.h"

enum {
	STORE_APPLICATION_ID = 0x53434F50, /* `SCOP` */
	STORE_VERSION = 1,                 /* of the schema: user_version */
	STORE_DIGEST_SIZE = 32,            /* SHA-256 */
	STORE_TEXT_SIZE = 512
};

/* Why something cannot be done, for complaint_say and complaint_add. */
struct store_error {
	char what[STORE_TEXT_SIZE];
	char hint[STORE_TEXT_SIZE]; /* or empty */
};

/* A bot as it was when the run began. */
struct store_bot {
	char name[EVENT_NAME_SIZE];
	char command[STORE_TEXT_SIZE];
	char digest[65]; /* SHA-256 of its files, hex */
};

/* What a run is: written once, when it begins. */
struct store_head {
	char command[16]; /* `tournament` or `gate` */
	char name[EVENT_NAME_SIZE];
	char tool[64];    /* `scopa-arena/0.1.0` */
	char created[32]; /* UTC */
	int game_count;   /* of a block */
	int bot_count;
	struct store_bot bots[TOURNAMENT_BOTS_MAX];
};

/* Where the record of a block is. */
struct store_place {
	int64_t offset, size; /* in the file of records; 0, 0 when skipped */
	unsigned char digest[STORE_DIGEST_SIZE]; /* of these bytes */
};

struct store;

/* Makes a new database; an existing file is an error.  0 or -errno. */
int store_create(struct store **store, const char *path,
    const struct store_head *head, struct store_error *error);

/*
 * Opens one, checks it (application, version, quick_check) and reads its head.
 * 0 or -errno: -EBADMSG where it is none or broken, -EPROTO where it was
 * written by a newer version.
 */
int store_open(struct store **store, const char *path, bool writable,
    struct store_head *head, struct store_error *error);

/* Closes it; a writer checkpoints first.  NULL is allowed. */
void store_close(struct store *store);

/*
 * Adds blocks in one transaction.  A block that is there already with the same
 * digest is left alone; another digest is -EEXIST, and nothing is added.
 * -ENOSPC: the disk is full; nothing is added, and it may be tried again.
 */
int store_add(struct store *store, const struct block_result *blocks,
    const struct store_place *places, int count, struct store_error *error);

/* Number of blocks, and the end of the last one's record. */
int store_extent(struct store *store, int64_t *block_count,
    int64_t *record_size, struct store_error *error);

/*
 * Calls `take` for each block from number `from` on, in order; it returns 0, or
 * a value that ends the walk and is returned.
 */
int store_walk(struct store *store, int64_t from,
    int (*take)(void *context, const struct block_result *block,
	const struct store_place *place),
    void *context, struct store_error *error);

/* How the run stands: a word, `running`, `done`, ... and the verdict if any. */
int store_set_state(
    struct store *store, const char *state, struct store_error *error);
int store_state(struct store *store, char *state, size_t size);

#endif
