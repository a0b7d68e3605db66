/*
 * The control group of one bot: all that it starts is in it, is stopped and
 * killed with it whatever it does, and has no more than the group may have.
 */
#ifndef CAGE_H
#define CAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { CAGE_NAME_SIZE = 32, CAGE_PROCESSES = 256 };

struct cage {
	int parent_fd, fd;
	int enter_fd; /* opened before a namespace may hide where it leads */
	bool limited;
	char name[CAGE_NAME_SIZE];
};

/*
 * Makes it in a folder of groups (cgroup.h), which stays the caller's; limits
 * are set where that one hands them on, of memory where it is above 0.  0 or
 * -errno; nothing is left then.
 */
int cage_open(struct cage *cage, int parent_fd, int64_t memory_max_bytes);

/* The calling process, and what it starts from now on, is in it.  0 or -errno. */
int cage_enter(const struct cage *cage);

/* Stops all in it, or lets them go on. */
void cage_hold(const struct cage *cage, bool frozen);

/* Kills all in it. */
void cage_kill(const struct cage *cage);

/* Whether something in it was killed as it had more memory than it may have:
 * not where the machine, or a group above, has none left. */
bool cage_over_memory(const struct cage *cage);

/* Kills all in it, waits until they are gone and removes it. */
void cage_close(const struct cage *cage);

#endif
