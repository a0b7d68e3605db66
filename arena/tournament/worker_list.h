/*
 * The list of the workers of a run that is played on other machines: the file
 * `workers.tsv` in its folder, which the process that plays the run replaces
 * every few seconds.
 *
 * Its first line says when it was written, the second names the columns, and
 * each line after them is a worker; a tab separates columns.
 *
 *     # scopa-workers 1 2026-11-26T09:00:00.000Z
 *     name  state    cores  speed  games_per_s  blocks  games  faults  lag_s ...
 *     anna  trusted  4      1.25   12.5         100     200    0       0.01  ...
 */
#ifndef WORKER_LIST_H
#define WORKER_LIST_H

#include "clock.h"
#include "store.h"

#define WORKER_LIST_FILE "workers.tsv"

enum {
	WORKER_NAME_SIZE = 64, /* with NUL */
	WORKER_LIST_LABELS_SIZE = 256,
	WORKER_LIST_MAX = 4096 /* workers that are listed */
};

struct worker_row {
	char name[WORKER_NAME_SIZE];
	char state[16]; /* enrolled, trusted, quarantined, revoked */
	int cores;
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
 * Writes the file, dated now.  The text of others is made fit for a column.
 * Returns 0 or -errno; the folder is locked.
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
 * Whether a worker counts as live that was last heard of `seen_s` seconds ago
 * (negative: never): for two minutes it does.
 */
bool worker_is_live(double seen_s);

/* How many workers of a list live, and what they do together. */
struct worker_total {
	int live, cores;
	double games_per_s;
};

struct worker_total worker_list_total(const struct worker_list *list);

#endif
