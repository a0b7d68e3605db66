/*
 * What the parts of a run share.
 */
#ifndef RUN_STATE_H
#define RUN_STATE_H

#include "run.h"

/*
 * Takes the lock of a folder, and writes into it who has it.  A descriptor, or
 * -errno: -EBUSY names who has it.
 */
int run_lock(const char *folder, struct store_error *error);

/* Gives it back. */
void run_unlock(int fd);

/*
 * Makes the folder of a new run: `path`, or one below RUN_FOLDER for NULL.
 * *made says whether it is new.  0 or -errno; `folder` is where it is.
 */
int run_folder_make(const char *path, const struct store_head *head,
    char folder[PATH_MAX], bool *made, struct store_error *error);

/* What a file is called until it is whole. */
#define RUN_PART "part"

/*
 * Whether a run can begin in a folder: 0 where nothing is in it but a lock, and
 * what a beginning that was cut off has left; -EEXIST where there is more; or
 * -errno.
 */
int run_folder_check(const char *folder);

/* Removes what such a beginning has left, but for the lock. */
void run_folder_clear(const char *folder);

/*
 * Makes a file that must not exist, with these permissions, and writes a text
 * that lasts: 0 or -errno; nothing is left then.
 */
int run_text_make(const char *path, const char *text, mode_t mode);

/* Copies a file to one that must not exist, and lasts: 0 or -errno. */
int run_file_copy(const char *from, const char *to);

/* Makes lasting which files are in a folder.  0 or -errno. */
int run_folder_sync(const char *folder);

/* Copies a path without slashes at its end: 0 or -ENAMETOOLONG. */
int run_path_set(
    char folder[PATH_MAX], const char *path, struct store_error *error);

/* The path of a file in a folder. */
void run_path_join(char path[PATH_MAX], const char *folder, const char *name);

/* Error of the system about a path. */
int run_fail(
    int status, const char *doing, const char *path, struct store_error *error);

/* Whether a folder has records: 0, or -errno as of a folder without a run. */
int run_records_find(const char *folder, struct store_error *error);

/*
 * Opens the records and holds them against the results.  A descriptor or
 * -errno; -EBADMSG where they do not fit.
 */
int run_records_open(const char *folder, bool writable, struct store *store,
    struct store_error *error);

#endif
