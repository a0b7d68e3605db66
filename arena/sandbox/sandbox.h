/*
 * The sandbox around bots: its levels, and what it is made of.  Which level this
 * machine offers self_test.h finds out.
 *
 *	none < process < box < box+limits
 *
 * process: files, sockets and system calls (Landlock, seccomp).  box: in
 * namespaces of its own besides.  box+limits: the kernel limits its memory and
 * processes.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <limits.h>
#include <stdbool.h>

#include "cgroup.h"
#include "file_policy.h"

enum sandbox_level {
	SANDBOX_NONE,
	SANDBOX_PROCESS,
	SANDBOX_BOX,
	SANDBOX_BOX_LIMITS,
	SANDBOX_LEVEL_COUNT
};

/* What a sandbox is made of, each of which a machine may lack. */
enum sandbox_layer {
	SANDBOX_LAYER_FILTER,     /* of system calls: seccomp */
	SANDBOX_LAYER_LANDLOCK,   /* over files and the network */
	SANDBOX_LAYER_TREE_KILL,  /* all that a bot has started dies with it */
	SANDBOX_LAYER_NAMESPACES, /* of its own */
	SANDBOX_LAYER_ROOT,       /* a root folder of its own in them */
	SANDBOX_LAYER_USER,       /* not root's, where the arena is root's */
	SANDBOX_LAYER_LIMITS,     /* of memory and processes, by the kernel */
	SANDBOX_LAYER_COUNT
};

enum { SANDBOX_REASON_SIZE = 512 };

/*
 * Whether a layer stands; why not, and what to do about it, are else empty.  A
 * layer that was not tried for want of another has the `fix` of that one.
 */
struct sandbox_finding {
	bool reached;
	char why[SANDBOX_REASON_SIZE];
	const char *fix;
};

struct sandbox {
	enum sandbox_level level;
	bool rooted;          /* a box has a root folder of its own */
	int filter_fd;        /* or -1 */
	struct cgroup cgroup; /* for those of bots */
	/* Of a folder that each bot may write in, where `rooted`; 0: none.  To
	 * be set once they are raised. */
	int scratch_kib;
	struct uid_pool
	    *uid_pool; /* a user for each bot, or NULL: the arena's */
	/* All that a bot has started dies with it for certain, and it can send
	 * no signal to the arena's processes. */
	bool kill_is_certain;
	/* Some bot may use shared futexes (call_proxy.h): sandbox_name() says so.
	 * To be set once they are raised. */
	bool weakened;
	/* What bots must not read, wherever it is: absolute paths. */
	char hidden[FILE_POLICY_HIDDEN_MAX][PATH_MAX];
	int hidden_count;
	struct sandbox_finding layers[SANDBOX_LAYER_COUNT];
};

/* Closes what they hold. */
void sandbox_close(struct sandbox *sandbox);

/*
 * Hides a file or folder, which may come to be later, from bots that are
 * started from now on; a link as what it leads to; a device, as /dev/null, is
 * left as it is.  0 or -errno: -ENOSPC where that many are hidden, -ENOENT where
 * its folder does not exist.
 */
int sandbox_hide(struct sandbox *sandbox, const char *path);

/*
 * Whether a bot can send no signal to the arena's processes; NULL: there is no
 * sandbox.
 */
bool sandbox_shuts_signals(const struct sandbox *sandbox);

/* `box+limits`. */
const char *sandbox_level_name(enum sandbox_level level);

/*
 * What results say of the sandbox: its level (`box`, or `box-shared-futex` where
 * it is weakened), or for NULL that none was wanted.
 */
#define SANDBOX_UNBOXED "unboxed"
const char *sandbox_name(const struct sandbox *sandbox);

#endif
