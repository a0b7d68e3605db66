/*
 * The supervisor: the process between the arena and a bot.  When the bot ends,
 * it kills everything that the bot has started, and then ends in the same way
 * as the bot.
 *
 * The launcher becomes the supervisor.  The arena ends a bot by sending SIGTERM
 * to the supervisor.  When the arena dies, the supervisor kills the bot.
 * SUPERVISOR_SIGNAL stops or continues all processes of the bot.
 */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "file_policy.h"

/*
 * How all processes of a bot are stopped and killed. All ways but the last are
 * certain to reach each process.
 */
enum tree_kill {
	TREE_NAMESPACE, /* through the first process of its PID namespace */
	TREE_DOMAIN, /* by one signal to all processes in a Landlock domain */
	/* by signals to all processes of a user that only this bot has */
	TREE_USER,
	TREE_SEARCH /* one by one, as /proc names them, after stopping them */
};

/*
 * A queued signal whose value is one of these; the last one counts. It must be
 * blocked in the process that becomes the supervisor.
 */
#define SUPERVISOR_SIGNAL SIGRTMIN
enum supervisor_command { SUPERVISOR_THAW, SUPERVISOR_FREEZE };

struct supervisor_order {
	/*
	 * TREE_NAMESPACE or TREE_DOMAIN. Without Landlock domains the
	 * supervisor uses TREE_USER or TREE_SEARCH. Tests may ask for any of
	 * them.
	 */
	enum tree_kill tree;
	unsigned user; /* the user that the bot becomes; 0: unchanged */
	/* In a box: the file policy of its root folder, or NULL. */
	const struct file_policy *rootfs;
	/*
	 * Runs in the process that becomes the bot. Returns only after a
	 * failure, which it has reported, with an exit status.
	 */
	int (*become)(void *context);
	/*
	 * Reports that a step of the preparation failed. Returns an exit
	 * status.
	 */
	int (*fail)(void *context, const char *what, int error);
	void *context;
	/*
	 * The supervisor stores here the channel_fd that become() gives to
	 * call_proxy_enter(). NULL: the supervisor answers no system calls.
	 */
	int *channel_fd;
	/* the report descriptor, closed here when the bot has it; or -1 */
	int report_fd;
	int end_fd; /* a pipe for the struct supervisor_end; or -1 */
	/*
	 * Without a box: the cores that the supervisor may run on, as
	 * cores_parse() reads them; NULL: those of the bot. On the bot's core
	 * it would have to wait while the bot keeps that core busy.
	 */
	const char *cores;
	/* limit for all processes of the bot; 0: none */
	int64_t memory_max_bytes;
	/* folder in which the bot gets a control group (cgroup.h); or -1 */
	int cgroup_fd;
};

/* The limit of the arena for which a bot was killed. */
enum supervisor_limit { SUPERVISOR_NO_LIMIT, SUPERVISOR_MEMORY };

/*
 * The last message of a supervisor, when all processes of its bot are gone. A
 * supervisor that ends without it was killed from outside.
 */
struct supervisor_end {
	int32_t wait_status; /* wait status of the bot */
	int32_t limit;       /* enum supervisor_limit */
};

/*
 * Supervises the bot. Returns the exit status with which the calling process
 * must end.
 */
int supervise(const struct supervisor_order *order);

#endif
