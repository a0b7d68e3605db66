/*
 * What a launcher is to do: its command line (launcher.h).
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "allowance.h"
#include "supervisor.h"

struct launch {
	const char *dir; /* NULL: stay */
	const char
	    *read; /* what it may read besides, colons between; or NULL */
	const char *name; /* argv[0] of the program */
	const char *file;
	char **arguments; /* argv; [0] is replaced by `name` */
	int parent;       /* 0: whoever it is */
	int report_fd;    /* -1: stderr */
	int filter_fd;    /* -1: no filter of system calls */
	int end_fd;       /* -1: no last word of a supervisor is wanted */
	int cgroup_fd;    /* -1: no control group */
	int64_t memory_max_bytes; /* 0: no limit */
	bool stale;          /* the file is not what it was: it does not run */
	bool jailed;         /* files, limits and privileges */
	bool allows_futexes; /* that processes share: call_proxy.h */
	bool supervised;
	enum tree_kill tree; /* of a supervised one */
	int user;            /* who the bot is to be; 0: as the arena */
	bool rooted;         /* a box with a root folder of its own */
	int scratch_kib;     /* in that; 0: nothing can be written */
	const char *hidden[ALLOWANCE_HIDDEN_MAX];
	int hidden_count;
};

/*
 * Reads the command line, whose strings are kept.  False for an option that does
 * not exist or a number that is none, which is *wrong then, and without a file,
 * when nothing is: NULL.
 */
bool launch_parse(
    struct launch *launch, int argc, char **argv, const char **wrong);

/* A number from 0 on; false for anything else. */
bool launch_number(const char *text, int *number);

#endif
