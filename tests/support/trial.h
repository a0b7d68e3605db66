/*
 * No sandbox can be left again: what happens in one is tried in a
 * child, which answers by its exit status.
 */
#ifndef TRIAL_H
#define TRIAL_H

enum {
	TRIAL_SIGNAL = 128,  /* and the number of the signal that ended it */
	TRIAL_UNREADY = 125, /* what the trial needs could not be had */
	TRIAL_NO_BOX = 124,  /* this user may make no namespaces here */
};

/*
 * Runs `play` in a child that may gain no privileges; what it returned, below
 * TRIAL_UNREADY, or TRIAL_SIGNAL and more.  Fails where it was unready.
 */
int trial_run(int (*play)(void *context), void *context);

struct file_policy;

/*
 * The same within a trial, as the first process of a box to which these files
 * are left; NULL: all of them.  Or TRIAL_NO_BOX.
 */
int trial_run_boxed(
    const struct file_policy *files, int (*play)(void *context), void *context);

/* Ends a child at once, unless it holds: as assert, for children. */
void trial_need(int holds);

/* 0, or the errno of opening a file; and of reading a byte of it. */
int trial_open(const char *path, int flags);
int trial_read(const char *path);

/* Writes a file that everybody may read. */
void trial_write(const char *path);

/*
 * Makes the folder of a test, with these folders and files, up to NULL, and a
 * link `alias` to the first of them.
 */
void trial_fill(const char *const *folders, const char *const *files);

/* The arguments of a bot that has none: its name. */
extern char *trial_arguments[];

#endif
