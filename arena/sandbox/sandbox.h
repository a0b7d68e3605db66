/*
 * The sandbox around bots: its levels, and what belongs to it.  self_test.h
 * finds out which level this machine offers.
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

/* The layers of a sandbox. A machine may lack any of them. */
enum sandbox_layer {
	SANDBOX_LAYER_FILTER,     /* of system calls: seccomp */
	SANDBOX_LAYER_LANDLOCK,   /* over files and the network */
	SANDBOX_LAYER_TREE_KILL,  /* all processes of a bot die with it */
	SANDBOX_LAYER_NAMESPACES, /* of its own */
	SANDBOX_LAYER_ROOT,       /* a root folder of its own in them */
	SANDBOX_LAYER_USER, /* a user other than root, if root runs the arena */
	SANDBOX_LAYER_LIMITS, /* of memory and processes, by the kernel */
	SANDBOX_LAYER_COUNT
};

enum { SANDBOX_REASON_SIZE = 512 };

/*
 * Whether a layer works. If not, `why` is the reason, and `fix` is what to do
 * about it. A layer that was not tried, because it needs another one, has the
 * `fix` of that one.
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
	/*
	 * Size of the scratch folder of each bot, if `rooted`; 0: none. Set
	 * after the self-test.
	 */
	int scratch_kib;
	/* a user for each bot, or NULL: the arena's */
	struct uid_pool *uid_pool;
	/*
	 * All processes of a bot are certain to die with it, and the bot cannot
	 * signal processes of the arena.
	 */
	bool kill_is_certain;
	/*
	 * Some bot may use shared futexes (system_calls.h); sandbox_name() says
	 * so. Set after the self-test.
	 */
	bool weakened;
	/* Absolute paths that bots must not read. */
	char hidden[FILE_POLICY_HIDDEN_MAX][PATH_MAX];
	int hidden_count;
	struct sandbox_finding layers[SANDBOX_LAYER_COUNT];
};

/* Closes the descriptors of the sandbox, and the pool. */
void sandbox_close(struct sandbox *sandbox);

/*
 * Hides a file or folder from bots that are started from now on. It need not
 * exist yet. Of a symbolic link the target is hidden; a device such as
 * /dev/null is not hidden. Returns 0 or -errno: -ENOSPC if
 * FILE_POLICY_HIDDEN_MAX paths are hidden already, -ENOENT if its folder does
 * not exist.
 */
int sandbox_hide(struct sandbox *sandbox, const char *path);

/*
 * Whether a bot cannot signal processes of the arena. NULL: there is no
 * sandbox.
 */
bool sandbox_shuts_signals(const struct sandbox *sandbox);

/* Whether a bot can use no network. NULL: there is no sandbox. */
bool sandbox_shuts_network(const struct sandbox *sandbox);

/* Returns the name of a level, such as `box+limits`. */
const char *sandbox_level_name(enum sandbox_level level);

/* The same of a sandbox that is weakened: `box+limits-shared-futex`. */
const char *sandbox_weakened_name(enum sandbox_level level);

/*
 * Returns what results say of the sandbox: its level (`box`, or
 * `box-shared-futex` if it is weakened); for NULL that none was wanted.
 */
#define SANDBOX_UNBOXED "unboxed"
const char *sandbox_name(const struct sandbox *sandbox);

#endif
