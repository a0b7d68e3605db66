/*
 * The self-test of the sandbox: which level this machine offers is found out by
 * trying it, which no version number tells: a process in the sandbox tries
 * what it must not be able to do, and its exit status tells what it could.
 */
#ifndef SELF_TEST_H
#define SELF_TEST_H

#include <sys/types.h>

#include "sandbox.h"

/*
 * Tries the levels from the highest to the lowest, each with a process in
 * it.  Takes some milliseconds.  For an arena that is root's alone: bots run as
 * users from `first_user` on, each as another (0: as the arena).  Nobody else may
 * be any of UID_POOL_MAX users (user.h) for as long as it runs.  0, or -errno where
 * no process can be started at all.
 */
int sandbox_detect(struct sandbox *sandbox, unsigned first_user);

/* `tree kill`. */
const char *sandbox_layer_name(enum sandbox_layer layer);

/* What a process in a sandbox can reach, as bits of an exit status. */
enum exposure {
	EXPOSED_SIGNAL = 1 << 0, /* signals to the arena */
	EXPOSED_MEMORY =
	    1 << 1,             /* its memory and environment, or a sibling's */
	EXPOSED_FILES = 1 << 2, /* files that nobody has left to be read */
	EXPOSED_CREATE = 1 << 3, /* new files where everybody may make them */
	EXPOSED_SOCKET = 1 << 4, /* sockets */
	EXPOSED_NAMES = 1 << 5   /* whether a file is there */
};

enum {
	EXPOSURE_COUNT = 6,
	/* What is shut wherever files and system calls are confined. */
	EXPOSED_CONFINED =
	    EXPOSED_MEMORY | EXPOSED_FILES | EXPOSED_CREATE | EXPOSED_SOCKET
};

/* What tells the PID namespace of the caller from others; 0: unknown. */
ino_t pid_namespace_id(void);

/*
 * Tries all of them; the answer is those that it can reach.  The number of the arena is one of
 * its `space`, which it has from pid_namespace_id().
 */
unsigned self_test_probe(pid_t arena, ino_t space);

#endif
