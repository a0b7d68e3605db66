/*
 * The process between the arena and a bot: it sees to it that nothing of the bot
 * is left when the bot ends, and then ends in the same way.
 *
 * The launcher becomes it.  The arena ends a bot by SIGTERM to it, and when the
 * arena dies so does all that it supervises.  SUPERVISOR_SIGNAL stops all of the
 * bot and lets it go on.
 */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "file_policy.h"

/*
 * How all that a bot has started is stopped and killed.  Only the last way is not
 * certain.
 */
enum tree_kill {
	TREE_NAMESPACE, /* with the first process of its PID namespace */
	TREE_DOMAIN,    /* by one signal to all of a Landlock domain */
	TREE_USER,      /* by signals to all of a user that only this bot has */
	TREE_SEARCH     /* one by one, as /proc names them, once stopped */
};

/* Carries one of these as its value, and is queued: the last one counts.  It is
 * to be blocked in the process that becomes the supervisor. */
#define SUPERVISOR_SIGNAL SIGRTMIN
enum supervisor_command { SUPERVISOR_THAW, SUPERVISOR_FREEZE };

struct supervisor_order {
	/* TREE_NAMESPACE; or TREE_DOMAIN, and where the kernel has none the
	 * next way that there is; tests may ask for another. */
	enum tree_kill tree;
	unsigned user; /* that the bot is to become; 0: it stays */
	/* In a namespace: of a root folder of its own, or NULL. */
	const struct file_policy *rootfs;
	/* Runs in the process that is to become the bot; returns on failure,
	 * having reported, with an exit status. */
	int (*become)(void *context);
	/* Reports that the ground could not be prepared; returns an exit
	 * status. */
	int (*fail)(void *context, const char *what, int error);
	void *context;
	/* Where become() finds the channel_fd of call_proxy_enter(); NULL: no
	 * calls are answered. */
	int *channel_fd;
	int report_fd; /* closed here as soon as the bot has it; or -1 */
	int end_fd;    /* to which a struct supervisor_end goes; or -1 */
	int64_t memory_max_bytes; /* of all that the bot starts; 0: no limit */
	int cgroup_fd; /* in which it gets a control group (cgroup.h); or -1 */
};

/* At which limit of the arena a bot has ended. */
enum supervisor_limit { SUPERVISOR_NO_LIMIT, SUPERVISOR_MEMORY };

/*
 * What a supervisor writes last: all of its bot is gone.  One that ends without it
 * was ended from outside.
 */
struct supervisor_end {
	int32_t wait_status; /* of the bot */
	int32_t limit;       /* enum supervisor_limit */
};

/* Returns in no process but one that is to exit with the answer. */
int supervise(const struct supervisor_order *order);

#endif
