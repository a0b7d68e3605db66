/*
 * Users: where the arena is root's each bot can run as a user that nobody else is,
 * of a pool of user ids; and the arena's own processes let no other process of
 * their user read or trace them.
 */
#ifndef USER_H
#define USER_H

#include <stdint.h>

/*
 * Becomes the user of this number, with a group of the same number and no
 * other, for good; only root can.  Signals at the death of a parent are to be
 * asked for anew.  0 or -errno.
 */
int user_become(unsigned id);

/*
 * Sends a signal to every process of that user, as one of them, so that none
 * can be missed or another one meant.  Whether there is any is not told: the
 * kernel does not.  0 or -errno.
 */
int user_signal(unsigned id, int number);

/*
 * The pool of user ids: one for every bot that runs at once, where the arena is root's:
 * so many numbers in a row, shared by all processes of the arena.
 */

enum { UID_POOL_MAX = 8192 };

/* Largest first number: what follows are numbers of users as well. */
#define UID_POOL_FIRST_MAX (INT64_C(2147483647) - UID_POOL_MAX)

struct uid_pool;

/*
 * Makes them, all free, from the user `first` on.  Processes that are forked
 * later share them.  0 or -errno.
 */
int uid_pool_open(struct uid_pool **uid_pool, unsigned first);
void uid_pool_close(struct uid_pool *uid_pool);

/* Takes the first that is free; 0 or -EAGAIN: all are taken. */
int uid_pool_take(struct uid_pool *uid_pool, unsigned *user);
void uid_pool_give(struct uid_pool *uid_pool, unsigned user);

/* Why a user id of the pool is not free. */
enum uid_pool_owner {
	UID_POOL_FREE,
	UID_POOL_NAMED,  /* `name` of the passwd file */
	UID_POOL_RUNNING /* a process is that user's */
};

struct uid_pool_claim {
	enum uid_pool_owner owner;
	unsigned user;
	char name[64];
};

/* Looks for a user that has one of the numbers from `first` on. */
void uid_pool_search(unsigned first, struct uid_pool_claim *claim);

/*
 * Keeps others out of this process, bots without a sandbox that run as the same
 * user among them.
 */

/*
 * From now on no process but root's can read or trace this one and those that
 * it forks, none of them leaves a core file, and no program that they start
 * gains rights.  What they execute can be read and traced again.  0 or -errno.
 */
int no_dump_begin(void);

/* Can be traced again, for the checker of leaks that runs behind exit(). */
void no_dump_end(void);

#endif
