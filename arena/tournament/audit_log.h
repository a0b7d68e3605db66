/*
 * What a run on other machines remembers of its workers: the file `audits.tsv`
 * in its folder.  It says which worker has played each block, which blocks were
 * or are to be played once more, who was quarantined and why, and what came of
 * the blocks that were played again for that.
 *
 * The first line is `# scopa-audits 1`.  Each line after it is an event, in the
 * order in which they happened; a tab separates columns, blocks count from 1:
 *
 *     counted      BLOCK  WORKER  trusted|enrolled
 *     due          BLOCK
 *     compared     BLOCK  WORKER  trusted|enrolled  OUTCOME...
 *     quarantined  WORKER  REASON
 *     replayed     BLOCK  WORKER  BY  same|replaced
 *
 * An OUTCOME, one for each game, is `=`, the number of the bot whose play
 * differs first, or `?`.  The last `counted` or `replayed` of a block counts.
 * A line without its end was being written when the arena ended.
 */
#ifndef AUDIT_LOG_H
#define AUDIT_LOG_H

#include "worker_list.h"

#define AUDIT_LOG_FILE "audits.tsv"

enum audit_event {
	AUDIT_COUNTED,
	AUDIT_DUE,
	AUDIT_COMPARED,
	AUDIT_QUARANTINED,
	AUDIT_REPLAYED,
	AUDIT_EVENT_COUNT
};

/* A line.  Which members it has depends on its event. */
struct audit_line {
	enum audit_event event;
	int64_t block; /* from 0 */
	char worker[WORKER_NAME_SIZE];
	bool trusted; /* the worker */
	char by[WORKER_NAME_SIZE];
	bool replaced;
	/* of each game: the bot, from 0, -1: the same, -2: no bot's play */
	int outcomes[BLOCK_GAMES_MAX], game_count;
	char reason[STORE_TEXT_SIZE];
};

/* The file while the run is played. */
struct audit_log {
	int fd;
	int64_t offset; /* of what is in the file */
	char *pending;  /* what could not be written yet */
	size_t pending_size, pending_capacity;
};

/* 0 or -errno; a line that is not whole is cut off. */
int audit_log_open(struct audit_log *log, const char *folder);
void audit_log_close(struct audit_log *log);

/* Adds a line.  What cannot be written now is tried again by the next call. */
void audit_log_add(struct audit_log *log, const struct audit_line *line);

/* Makes all lines durable: 0 or -errno, and it may be tried again. */
int audit_log_sync(struct audit_log *log);

/*
 * Calls `take` for each line; it returns 0, or a value that ends the reading
 * and is returned.  Else 0; -ENOENT: the run has no such file; -EBADMSG: it is
 * none; or another -errno.
 */
int audit_log_read(const char *folder,
    int (*take)(void *context, const struct audit_line *line), void *context);

/* What the lines come to. */
struct audit_block {
	int worker; /* index of the one that has played it; -1: none */
	bool trusted;
	bool due; /* to be played once more */
	int line; /* that says who has played it */
};

struct audit_worker {
	char name[WORKER_NAME_SIZE];
	int quarantine_line; /* the last one; 0: none */
};

/* A quarantine, and the blocks that were played again for it. */
struct audit_case {
	int worker;
	char reason[STORE_TEXT_SIZE];
	int64_t left;       /* blocks that are to be played again */
	int64_t same_count; /* that came out the same */
	int64_t *replaced;  /* numbers, from 0, of those that did not; owned */
	int replaced_count, replaced_capacity;
};

struct audit_history {
	struct audit_block *blocks;
	int64_t block_count; /* up to the last one that a line names */
	size_t block_capacity;
	struct audit_worker *workers;
	int worker_count, worker_capacity;
	struct audit_case *cases;
	int case_count, case_capacity;
	int line_count;
};

/* As audit_log_read().  After 0 the caller must release it. */
int audit_history_read(struct audit_history *history, const char *folder);
void audit_history_release(struct audit_history *history);

/* The index of the worker with this name, or -1. */
int audit_history_find(const struct audit_history *history, const char *worker);

#endif
