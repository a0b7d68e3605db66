/*
 * The database of a run: what the run is, and the results of its blocks.
 *
 * SQLite in WAL mode with full synchronisation.  One connection writes, and it
 * alone checkpoints; others only read.  All rows can be computed from the
 * records again (rebuild.h): the same blocks give the same rows.
 *
 * For readers with other tools: rounds, games, seats and bots count from 1 and
 * teams are letters, as in the records; lists are JSON.
 */
#ifndef STORE_H
#define STORE_H

#include "block.h"
#include "shuffle.h"

enum {
	STORE_APPLICATION_ID = 0x53434F50, /* `SCOP` */
	STORE_VERSION = 5,                 /* of the schema: user_version */
	STORE_TEXT_SIZE = 512,
	STORE_ERROR_SIZE = 8192,
	STORE_STATE_SIZE = 64
};

/* Why something cannot be done, for error_print and error_detail. */
struct store_error {
	char what[STORE_ERROR_SIZE];
	char hint[STORE_ERROR_SIZE]; /* a sentence, or empty */
	char try[STORE_ERROR_SIZE];  /* the next command, or empty */
};

/* A bot as it was when the run began. */
struct store_bot {
	char name[EVENT_NAME_SIZE]; /* as it stands in the records */
	const char *command;        /* of the store, or of the caller */
	char digest[65];            /* SHA-256, hex: see run_bot_digest() */
};

/* What a run is: written once, when it begins. */
struct store_head {
	char command[16]; /* `tournament` or `gate` */
	char name[EVENT_NAME_SIZE];
	char tool[64];    /* `scopa-arena/0.2.0` */
	char created[32]; /* UTC: `2025-01-31T18:30:00Z` */
	int16_t teams;    /* enum scopa_teams: who sits where in a game */
	int game_count;   /* of a block */
	int bot_count;
	struct store_bot bots[TOURNAMENT_BOTS_MAX];

	/* Fair dealing; in hex, or empty where there is none. */
	bool committed; /* the secret was drawn, and is shown at the end */
	char terms[SHUFFLE_HEX_SIZE];      /* SHA-256 of the terms */
	char commitment[SHUFFLE_HEX_SIZE]; /* to the secret and the terms */
	char secret[SHUFFLE_HEX_SIZE];     /* once it is shown */
	char contributions[CONTRIBUTIONS_SIZE]; /* joined by `|` */
};

/*
 * The chain over the results of a run: a SHA-256 after each block that depends
 * on all blocks before it, so that none can be changed, dropped or put in
 * without changing all that follow.  What is hashed are lines of text, line end
 * included, for anybody with sha256sum:
 *
 *     scopa-arena-chain-v1 TERMS COMMITMENT CONTRIBUTIONS
 *     scopa-arena-chain-v1 LAST BLOCK RECORD RESULT...
 *
 * The first one begins a run: the SHA-256 of its terms, its commitment and what
 * was contributed, each `-` where there is none.  Each block then adds the
 * value so far, its number from 1, the SHA-256 of its record, and `skipped` or
 * for each game mN:SCORES:DEALS:WINNER:REASON:FORFEITER, teams as letters or
 * `-`.
 */

/* The value before the first block. */
void store_chain_begin(
    const struct store_head *head, unsigned char chain[STORE_DIGEST_SIZE]);

/* Changes the value before a block to the value after it. */
void store_chain_add(
    unsigned char chain[STORE_DIGEST_SIZE], const struct block_result *block);

/* The first column in which two results of a game differ, or NULL. */
const char *store_game_difference(
    const struct summary *a, const struct summary *b);

/*
 * The greatest numbers of a game, in 32 and 64 bits.  Greater ones of a
 * database that was changed are refused, so that their sums do not overflow.
 */
#define STORE_NUMBER_MAX (INT64_C(1) << 28)
#define STORE_LONG_NUMBER_MAX (INT64_C(1) << 56)

struct store;

/*
 * Sets why something cannot be done, with a hint or "", and no command. Returns
 * `status`.
 */
int store_fail(struct store_error *error, int status, const char *hint,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds the next command; `path` is its last word. */
void store_error_try(
    struct store_error *error, const char *command, const char *path);

/* Hint and command for a database that its records could replace. */
void store_error_rebuild(struct store_error *error, const char *folder);

/*
 * Makes a new database in the state `running`. Returns 0; -EEXIST if the file
 * exists; or another -errno, with nothing left.
 */
int store_create(struct store **store, const char *path,
    const struct store_head *head, struct store_error *error);

/*
 * Opens a database, checks it (application, version, quick_check) and reads its
 * head. Returns 0 or -errno: -EBADMSG if the file is no such database or is
 * damaged, -EPROTO if a newer version wrote it, -ESTALE if an older one did. A
 * file that is refused is not changed.
 */
int store_open(struct store **store, const char *path, bool writable,
    struct store_head *head, struct store_error *error);

/* Removes the file of a database that is closed, and those beside it. */
void store_remove(const char *path);

/* Closes it; a writer checkpoints first, if it can.  NULL is allowed. */
void store_close(struct store *store);

/*
 * Moves everything that was added into the database file, and empties the
 * write-ahead log. Returns 0 or -errno: -ENOSPC if there is no room; nothing is
 * lost then.
 */
int store_checkpoint(struct store *store, struct store_error *error);

/*
 * Adds blocks in one transaction; their numbers follow those of the blocks in
 * the database.  A block that is in the database already stays as it is.
 * -EINVAL: a block does not fit the head (store_block_check); -ENOSPC: the disk
 * is full; -EBUSY: another program holds the file (the first call waits some
 * seconds for it; the caller may try again); -ESTALE: the file was removed or
 * renamed.  On failure nothing was added.
 */
int store_add(struct store *store, const struct block_result *blocks, int count,
    struct store_error *error);

/* Removes all blocks but the first ones: 0, or -errno and none is removed. */
int store_cut(
    struct store *store, int64_t block_count, struct store_error *error);

/*
 * Whether the games of a block are those of its plan: numbers, round, teams,
 * and the names of the bots at their seats.  False, with a sentence, where not.
 */
bool store_block_check(const struct store_head *head,
    const struct block_result *block, char why[STORE_TEXT_SIZE]);

/*
 * Reads the number of blocks, and the place of the last record (skipped blocks
 * have none; size 0: there is no record).  place->chain is the chain after all
 * blocks.
 */
int store_end(struct store *store, int64_t *block_count,
    struct block_place *place, struct store_error *error);

/*
 * Calls `visit` for each block from number `first` on, counted from 0, in
 * order.  `visit` returns 0, or a value that ends the walk and is returned.
 * -EBADMSG: a row is not what store_add writes.  What does not exist is zero:
 * games of a skipped block, seats and teams beyond the last.
 */
int store_walk_from(struct store *store, int64_t first,
    int (*visit)(void *context, const struct block_result *block),
    void *context, struct store_error *error);

/*
 * The state of the run: a word, `running`, `done`, ... and the verdict if any.
 */
int store_set_state(
    struct store *store, const char *state, struct store_error *error);
/* Returns 0; -ENOMEM; or -EBADMSG: it cannot be read. */
int store_state(struct store *store, char *state, size_t size);

/* Store the contributions, or the secret that is shown: hex, or empty. */
int store_set_contributions(
    struct store *store, const char *contributions, struct store_error *error);
int store_set_secret(
    struct store *store, const char *secret, struct store_error *error);

/*
 * Compares the bots, blocks and games of two databases, row by row.  Returns 1
 * if they are the same, as far as both reach; 0 with the first difference as a
 * sentence; or -errno.
 */
int store_compare(struct store *a, struct store *b,
    char difference[STORE_TEXT_SIZE], struct store_error *error);

#endif
