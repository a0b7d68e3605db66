/*
 * The folder of a run: `config.ini`, `results.db`, `records.scopa`, `log.txt`.
 *
 * Records come first: blocks are appended and synchronised, then their rows are
 * committed.  What stands in the records behind the last committed block was
 * lost in a crash, and is cut off when the run is opened to go on.
 */
#ifndef RUN_H
#define RUN_H

#include <limits.h>
#include <sys/types.h>

#include "store.h"

struct run {
	char path[PATH_MAX];
	struct store_head head;
	struct store *store;
	int records_fd;      /* -1: opened to read */
	int lock_fd;         /* -1: opened to read */
	int64_t block_count; /* committed */
	int64_t record_size; /* committed */
	/* Blocks that were added and are not committed yet; owned. */
	struct block_result *pending;
	struct store_place *places;
	int pending_count, pending_capacity;
	char *bytes; /* their records */
	size_t byte_count, byte_capacity;
};

/*
 * Makes the folder, with its parents.  `path` NULL: `runs/DATE-NAME`, with -2,
 * -3, ... behind it where that exists; a given path must not exist, or be
 * empty.  `config` is the text of config.ini.  0 or -errno with the error.
 */
int run_create(struct run *run, const char *path, const struct store_head *head,
    const char *config, struct store_error *error);

/*
 * Opens a run to go on with it, or only to read.  A run that another process
 * writes to is -EBUSY, with its pid in the error.  Records that are shorter
 * than the results, or differ from them at the end, are -EBADMSG.
 */
int run_open(struct run *run, const char *path, bool writable,
    struct store_error *error);

/* Closes it; what is pending is dropped. */
void run_close(struct run *run);

/* The newest run below `runs`, into `path`; false where there is none. */
bool run_newest(char path[PATH_MAX]);

/* Takes a block and its record: 0 or -ENOMEM. */
int run_add(struct run *run, const struct block_result *block,
    const char *record, size_t size);

/*
 * Makes all that was added lasting.  -ENOSPC: the disk is full; all is still
 * pending, and it may be tried again.  Other errors: -errno.
 */
int run_commit(struct run *run, struct store_error *error);

/* Where files of the run are. */
void run_file(const struct run *run, const char *name, char path[PATH_MAX]);

#endif
