/*
 * The results of a run made anew from its records: that they are a pure
 * function of these and of the configuration is proved by doing it.
 */
#ifndef REBUILD_H
#define REBUILD_H

#include <limits.h>

#include "gate.h"
#include "salvage.h"
#include "store.h"
#include "tournament.h"

struct rebuild_order {
	const char *path; /* of the run */
	const struct tournament_config *tournament;
	const struct gate_config *gate; /* or NULL */
	/* What the run is where its old results do not say; or NULL. */
	const struct store_head *head;
	/* The seed as the configuration shows it, hex; NULL: it does not. */
	const char *shown;
};

enum rebuild_outcome {
	/* The old results are the same, as far as both reach. */
	REBUILD_IDENTICAL,
	REBUILD_DIFFERENT,
	/* There are none, or none that can be read. */
	REBUILD_ALONE
};

struct rebuild_report {
	enum rebuild_outcome outcome;
	int64_t blocks, games; /* that there are now; skipped blocks, too */
	int64_t gained;        /* blocks that the old results did not have */
	int64_t lost; /* blocks of the old results that have no record */
	int64_t tail; /* bytes of records behind the last whole block */
	/* The number, from 1, of a block whose record is damaged, and how; 0:
	 * there is none.  Results end before it. */
	int64_t bad;
	char bad_why[STORE_ERROR_SIZE];
	int64_t saved;                  /* blocks behind it, see salvage.h */
	struct salvage_damages damages; /* that of this block, too */
	char bad_kept[PATH_MAX];        /* a copy of the damaged records */
	/* The first difference, or why the old results cannot be read. */
	char difference[STORE_ERROR_SIZE];
	char kept[PATH_MAX]; /* where the old results are now; or empty */
};

/*
 * Checks each game (its sum, and that it follows from rules, packs and plays)
 * and goes through the schedule with it.  Where something differs the new
 * results take the place of the old ones, which are kept beside them; else
 * nothing is changed.  0 or -errno with the error, and nothing is changed:
 * -EBUSY while somebody writes to the run; -EBADMSG where the records are not
 * those of this tournament, or do not begin as records do; -EPROTO where the
 * results are of a newer version.
 *
 * A block whose record is damaged ends the results.  Those behind it are saved:
 * whoever goes on with the run plays the one and takes the others.
 *
 * The state is that of the old results, unless the blocks contradict it; without
 * old results it follows from the blocks and the files of the run.
 */
int rebuild(const struct rebuild_order *order, struct rebuild_report *report,
    struct store_error *error);

#endif
