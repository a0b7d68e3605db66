/*
 * The control groups of the arena: one for the arena, and below it one for each
 * bot, with limits of memory and processes if the system delegates these
 * controllers.
 *
 * Only cgroup version 2: cgroups(7), Documentation/admin-guide/cgroup-v2.rst.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum { CGROUP_WHY_SIZE = 256, CGROUP_NAME_SIZE = 64 };

struct cgroup {
	int fd;       /* folder for the control groups of bots, or -1: none */
	bool limited; /* groups of bots can have limits */
	bool moved;   /* the arena has moved to a group beside its first one */
	char name
	    [CGROUP_NAME_SIZE]; /* name of the folder: PID.START of the arena */
	/* the folder of the group beside it, for the arena itself */
	char own[CGROUP_NAME_SIZE + 8];
	char base
	    /* path of the group that the arena was in at its start */
	    [PATH_MAX];
	char why
	    /* why there are no limits or no group; or empty */
	    [CGROUP_WHY_SIZE];
};

/*
 * Makes the group of the arena. A group that delegates limits must have no
 * processes, so the arena may have to move to a group beside it. Groups of
 * killed arenas are removed first, by cgroup_sweep().
 */
void cgroup_open(struct cgroup *cgroup);

/*
 * Removes the groups of dead arenas from a folder of groups, and kills the
 * processes in them. A group is in use as long as the process in its name is
 * alive (pid and start time), or a process holds the lock (flock(2)) on its
 * folder. Waits at most a second in all for processes to end.
 */
void cgroup_sweep(int base_fd);

/* Removes the group. Only the process that has opened it may call this. */
void cgroup_close(struct cgroup *cgroup);

/*
 * The control group of one bot. All processes of the bot are in it, are stopped
 * and killed with it, and share its limits.
 */

enum { BOT_CGROUP_NAME_SIZE = 32 };

struct bot_cgroup {
	int parent_fd, fd;
	int enter_fd; /* opened before a namespace may hide where it leads */
	bool limited;
	char name[BOT_CGROUP_NAME_SIZE];
};

/*
 * Makes the group of a bot in a folder of groups, which the caller keeps.
 * Limits are set if the folder delegates them; the one of memory only if it is
 * above 0. Returns 0, or -errno with nothing left.
 */
int bot_cgroup_open(
    struct bot_cgroup *bot_cgroup, int parent_fd, int64_t memory_max_bytes);

/*
 * Moves the calling process, and so its future children, into the group.
 * Returns 0 or -errno.
 */
int bot_cgroup_enter(const struct bot_cgroup *bot_cgroup);

/* Stops all processes of the group, or continues them. */
void bot_cgroup_freeze(const struct bot_cgroup *bot_cgroup, bool frozen);

/* Kills all processes of the group. */
void bot_cgroup_kill(const struct bot_cgroup *bot_cgroup);

/*
 * Whether a process of the group was killed because of the memory limit of this
 * group. A kill because a parent group or the machine has no memory does not
 * count.
 */
bool bot_cgroup_over_memory(const struct bot_cgroup *bot_cgroup);

/*
 * Kills all processes of the group, waits for their end and removes the group.
 */
void bot_cgroup_close(const struct bot_cgroup *bot_cgroup);

#endif
