/*
 * A process cannot leave a sandbox: tests of it run in a child, whose exit
 * status is the result.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include <sys/types.h>

enum {
	TRIAL_SIGNAL =
	    128, /* plus the number of the signal that ended the child */
	TRIAL_UNREADY = 125, /* something that the trial needs is missing */
	TRIAL_NO_BOX = 124,  /* this user may make no namespaces here */
};

/*
 * Runs `play` in a child that may gain no privileges.  Returns its result,
 * below TRIAL_UNREADY, or TRIAL_SIGNAL and more.  Fails if it was
 * TRIAL_UNREADY.
 */
int trial_run(int (*play)(void *context), void *context);

struct file_policy;

/*
 * The same within a trial, as the first process in namespaces with these files;
 * NULL: with all files.  Or TRIAL_NO_BOX.
 */
int trial_run_boxed(
    const struct file_policy *files, int (*play)(void *context), void *context);

/*
 * Starts a child that runs `prepare` (NULL: nothing) and then sleeps until it is
 * killed.  Returns its pid as soon as `prepare` has returned 0.
 */
pid_t trial_start(int (*prepare)(void *context), void *context);

/* Ends the child at once if the condition is false: assert for children. */
void trial_need(int holds);

/* 0, or the errno of opening a file; trial_read() also reads a byte. */
int trial_open(const char *path, int flags);
int trial_read(const char *path);

/* Writes a file that all users may read. */
void trial_write(const char *path);

/*
 * Makes the folder of a test, with these folders and files, up to NULL, and a
 * link `alias` to the first of them.
 */
void trial_fill(const char *const *folders, const char *const *files);

/* The arguments of a bot that has none: its name. */
extern char *trial_arguments[];

#endif
