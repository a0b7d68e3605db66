/*
 * What no bot may read wherever it lies, told by its kind: folders of runs, whose
 * secret every later pack of a run follows from, and records of games.
 *
 * A folder is a run's if it has `results.db`, or two of the files that a run has.
 * A record is a file whose name ends in `.scopa`, or, right in the folder that is
 * searched, one that begins as records do.
 */
#ifndef HIDDEN_H
#define HIDDEN_H

#include <stdbool.h>

/* The file of a run, until it is over, that all its packs follow from. */
#define HIDDEN_SECRET "secret"

enum {
	HIDDEN_NAMES_MAX = 200000, /* in one folder with all below it */
	HIDDEN_DEPTH_MAX = 64
};

/* All zero is one with nothing. */
struct hidden {
	char **paths; /* owned, absolute */
	int count, capacity;
};

/*
 * Adds what lies in a folder and `depth` folders below it (0: in it alone); of
 * the folder itself, where it is a run's, the files that are the run's.  The path
 * is absolute and no name in it a link; links in it are not followed.  0;
 * -ENOMEM, -EMFILE, -ENFILE; -E2BIG where there are too many names.
 */
int hidden_find(struct hidden *hidden, const char *folder, int depth);

/* Whether this folder is a run's. */
bool hidden_is_run(const char *folder);

/* Whether a file or folder is a run's or lies in a run's. */
bool hidden_is_in_run(const char *path);

/* Whether a name is a record's. */
bool hidden_is_record(const char *path);

void hidden_release(struct hidden *hidden);

#endif
