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
#include <stdint.h>

enum { CGROUP_WHY_SIZE = 256, CGROUP_NAME_SIZE = 64 };

struct cgroup {
	int fd;       /* the folder for those of bots (cgroup.h), or -1: none */
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

/*
 * The control group of one bot: all that it starts is in it, is stopped and
 * killed with it whatever it does, and has no more than the group may have.
 */

enum { BOT_CGROUP_NAME_SIZE = 32, BOT_CGROUP_PROCESSES = 256 };

struct bot_cgroup {
	int parent_fd, fd;
	int enter_fd; /* opened before a namespace may hide where it leads */
	bool limited;
	char name[BOT_CGROUP_NAME_SIZE];
};

/*
 * Makes it in a folder of groups (cgroup.h), which stays the caller's; limits
 * are set where that one hands them on, of memory where it is above 0.  0 or
 * -errno; nothing is left then.
 */
int bot_cgroup_open(
    struct bot_cgroup *bot_cgroup, int parent_fd, int64_t memory_max_bytes);

/* The calling process, and what it starts from now on, is in it.  0 or -errno. */
int bot_cgroup_enter(const struct bot_cgroup *bot_cgroup);

/* Stops all in it, or lets them go on. */
void bot_cgroup_hold(const struct bot_cgroup *bot_cgroup, bool frozen);

/* Kills all in it. */
void bot_cgroup_kill(const struct bot_cgroup *bot_cgroup);

/* Whether something in it was killed as it had more memory than it may have:
 * not where the machine, or a group above, has none left. */
bool bot_cgroup_over_memory(const struct bot_cgroup *bot_cgroup);

/* Kills all in it, waits until they are gone and removes it. */
void bot_cgroup_close(const struct bot_cgroup *bot_cgroup);

#endif
