/*
 * The files about workers in the folder of a run that is played on other
 * machines: the list of workers, and the log of audits.
 */
#ifndef RUN_WORKERS_H
#define RUN_WORKERS_H

#include "clock.h"
#include "store.h"

/*
 * The list of workers: the file `workers.tsv`, which the process that plays the
 * run replaces every few seconds.
 *
 * Its first line says when it was written, the second names the columns, and
 * each line after them is a worker; a tab separates columns.
 *
 *     # scopa-workers 1 2026-11-26T09:00:00.000Z
 *     name  state    cores  speed  games_per_s  blocks  games  faults  lag_s ...
 *     anna  trusted  4      1.25   12.5         100     200    0       0.01  ...
 */

#define WORKER_LIST_FILE "workers.tsv"

enum {
	WORKER_NAME_SIZE = 64, /* with NUL */
	WORKER_LIST_LABELS_SIZE = 256,
	WORKER_LIST_MAX = 4096 /* workers that are listed */
};

struct worker_row {
	char name[WORKER_NAME_SIZE];
	char state[16]; /* enrolled, trusted, quarantined, revoked */
	int64_t cores;
	double speed; /* of a core, 1: the reference; 0: not measured */
	double games_per_s;
	int64_t blocks, games, faults; /* of this run */
	double lag_s;         /* longest delay of its arena in a minute */
	double seen_s;        /* since it was last heard of; -1: never */
	double clock_ahead_s; /* its clock, compared to that of the queue */
	char labels[WORKER_LIST_LABELS_SIZE]; /* `-`: none */
	char host[WORKER_NAME_SIZE];          /* `-`: unknown */
};

struct worker_list {
	char written[CLOCK_UTC_SIZE];
	struct worker_row *rows; /* owned */
	int count;
};

/*
 * Writes the file, dated now.  Bytes of labels and hosts that would
 * break a column are replaced.  The folder must be locked.  Returns 0 or
 * -errno.
 */
int worker_list_write(
    const char *folder, const struct worker_row *rows, int count);

/*
 * Reads the file.  Returns 0, and the caller must release the list; -ENOENT:
 * the run has none; -EBADMSG: it is no such file; or another -errno.
 */
int worker_list_read(const char *folder, struct worker_list *list);
void worker_list_release(struct worker_list *list);

/*
 * Whether a worker counts as live: its last message came less than two minutes
 * ago.  `seen_s` is the number of seconds since then; negative: there was none.
 */
bool worker_is_live(double seen_s);

/* The workers of a list that are live, and the sums of their values. */
struct worker_total {
	int live, cores;
	double games_per_s;
};

struct worker_total worker_list_total(const struct worker_list *list);

/*
 * The log of audits: the file `audits.tsv`.  It says which worker has played
 * each block, which blocks are played a second time for comparison, which
 * workers were quarantined and why, and how the blocks of such a worker came
 * out when another worker played them.
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

#define AUDIT_LOG_FILE "audits.tsv"

enum audit_event {
	AUDIT_COUNTED,
	AUDIT_DUE,
	AUDIT_COMPARED,
	AUDIT_QUARANTINED,
	AUDIT_REPLAYED,
	AUDIT_EVENT_COUNT
};

/*
 * A line.  Which members it has depends on its event.  The names of workers have
 * less than WORKER_NAME_SIZE bytes.
 */
struct audit_line {
	enum audit_event event;
	int64_t block; /* from 0 */
	const char *worker;
	bool trusted; /* the worker */
	const char *by;
	bool replaced;
	/* of each game: the bot, from 0, -1: the same, -2: no bot's play */
	int outcomes[BLOCK_GAMES_MAX], game_count;
	const char *reason;
};

/* The file while the run is played. */
struct audit_log {
	int fd;
	int64_t offset; /* size of the file */
	char *pending;  /* lines that could not be written yet */
	size_t pending_size, pending_capacity;
};

/* Opens the log and cuts off a line without its end.  0 or -errno. */
int audit_log_open(struct audit_log *log, const char *folder);
void audit_log_close(struct audit_log *log);

/* Adds a line.  What cannot be written now is tried again by the next call. */
void audit_log_add(struct audit_log *log, const struct audit_line *line);

/* Makes all lines durable: 0 or -errno, and it may be tried again. */
int audit_log_sync(struct audit_log *log);

/*
 * Calls `visit` for each line.  `visit` returns 0, or a value that ends the
 * reading and is returned.  Returns 0; -ENOENT if the run has no such file;
 * -EBADMSG if the file is no log of audits; or another -errno.
 */
int audit_log_read(const char *folder,
    int (*visit)(void *context, const struct audit_line *line), void *context);

/* What all lines together say of a block. */
struct audit_block {
	int worker; /* index of the worker whose result counts; -1: none */
	bool trusted;
	bool due; /* an audit of it is still to come */
	int line; /* number of the line that names this worker */
};

struct audit_worker {
	char name[WORKER_NAME_SIZE];
	int quarantine_line; /* the last one; 0: none */
};

/* A quarantine, and the blocks that were played again for it. */
struct audit_case {
	int worker;
	char reason[STORE_TEXT_SIZE];
	int64_t left;       /* blocks that are still to be played again */
	int64_t same_count; /* blocks that came out the same */
	int64_t *replaced;  /* blocks, from 0, that came out otherwise; owned */
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
