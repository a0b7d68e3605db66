/*
 * Users.  If the arena runs as root, each bot can run as a user of its own,
 * from a pool of user ids.  Also protects the arena's processes from being read
 * or traced by other processes of their user.
 */
#ifndef USER_H
#define USER_H

#include <stdint.h>

/*
 * Becomes the user with this id, with one group of the same id, for good. Only
 * root can do that. The kernel clears the parent-death signal, which must be
 * asked for again. Returns 0 or -errno.
 */
int user_become(unsigned id);

/*
 * Sends a signal to every process of a user, from a process of that user, so
 * that the signal reaches all of these and no others. The kernel does not tell
 * whether there is any. Returns 0 or -errno.
 */
int user_signal(unsigned id, int number);

/*
 * The pool of user ids of an arena that root runs: so many ids in a row, one
 * for each bot that is running. All processes of the arena share it.
 */

enum { UID_POOL_MAX = 8192 };

/* The largest first id: all ids of the pool must be valid. */
#define UID_POOL_FIRST_MAX (INT64_C(2147483647) - UID_POOL_MAX)

struct uid_pool;

/*
 * Makes a pool, all free, that begins with the user `first`. Processes that are
 * forked later share it. Returns 0 or -errno.
 */
int uid_pool_open(struct uid_pool **uid_pool, unsigned first);
void uid_pool_close(struct uid_pool *uid_pool);

/* Takes the first free user. Returns 0, or -EAGAIN if all are taken. */
int uid_pool_reserve(struct uid_pool *uid_pool, unsigned *user);
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

/*
 * Looks for a user or process that has one of the ids from `first` on. Returns
 * 0 or -errno.
 */
int uid_pool_search(unsigned first, struct uid_pool_claim *claim);

/*
 * Protects this process from other processes of its user, such as bots without
 * a sandbox.
 */

/*
 * From now on only root can read or trace this process and those that it forks,
 * none of them writes a core file, and no program that they start gains
 * privileges. A program that they execute can be read and traced again. Returns
 * 0 or -errno.
 */
int no_dump_begin(void);

/*
 * Lets this process be traced again, for the leak checker that runs after
 * exit().
 */
void no_dump_end(void);

#endif
