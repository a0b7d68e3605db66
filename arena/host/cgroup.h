/*
 * A control group of the arena's own, where users are given one: below it each
 * bot is in one, with limits of memory and processes where these are given, too.
 *
 * Version 2 alone: cgroups(7), Documentation/admin-guide/cgroup-v2.rst.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <limits.h>
#include <stdbool.h>

enum { CGROUP_WHY_SIZE = 256, CGROUP_NAME_SIZE = 64 };

struct cgroup {
	int fd;       /* the folder for those of bots (cage.h), or -1: none */
	bool limited; /* they can have limits */
	bool moved;   /* the arena has left its group for one beside that */
	char
	    name[CGROUP_NAME_SIZE]; /* of that folder: PID.START of the arena */
	char base[PATH_MAX];        /* the group that the arena was found in */
	char why[CGROUP_WHY_SIZE];  /* no limits or no group; or empty */
};

/*
 * Makes the group.  For limits the arena may have to leave its own for one
 * beside it, as a group that hands them on has no processes.  What arenas that
 * were killed have left is removed first, as cgroup_sweep() does.
 */
void cgroup_open(struct cgroup *cgroup);

/*
 * Removes the groups of arenas that do not run any more from a folder of
 * groups, and kills what is still in them.  A group is an arena's as long as
 * the process that it is named after runs (its number and its start), or some
 * process holds the lock (flock(2)) on its folder.  Waits for processes that
 * are about to end for a second in all.
 */
void cgroup_sweep(int base_fd);

/* Removes it, from the process that has opened it. */
void cgroup_close(struct cgroup *cgroup);

/* Writes to a file of the group whose folder this is.  0 or -errno. */
int cgroup_put(int folder_fd, const char *file, const char *text);

#endif
