/*
 * The self-test of the sandbox: finds out which sandbox level this machine
 * offers. This does not follow from version numbers, so it is tried: a process
 * in the sandbox attempts what it must not be able to do, and its exit status
 * says which attempt succeeded.
 */
#ifndef SELF_TEST_H
#define SELF_TEST_H

#include <sys/types.h>

#include "sandbox.h"

/*
 * Tries the levels from the highest to the lowest, each with a process. Takes
 * some milliseconds. For an arena of root, `first_user` is the first of
 * UID_POOL_MAX user ids for bots, each of which runs as another user; 0: bots
 * run as the arena. No other process may have these users while the arena runs.
 * Returns 0, or -errno if no process can be started.
 */
int sandbox_detect(struct sandbox *sandbox, unsigned first_user);

/* `tree kill`. */
const char *sandbox_layer_name(enum sandbox_layer layer);

/* What a process in a sandbox can reach, as bits of its exit status. */
enum exposure {
	EXPOSED_SIGNAL = 1 << 0, /* signals to the arena */
	EXPOSED_MEMORY = 1
	    /* the memory and environment of the arena or of another bot */
	    << 1,
	EXPOSED_FILES = 1 << 2,  /* files that the file policy does not list */
	EXPOSED_CREATE = 1 << 3, /* making files where every user may */
	EXPOSED_SOCKET = 1 << 4, /* sockets */
	EXPOSED_NAMES = 1 << 5   /* whether a file is there */
};

enum {
	EXPOSURE_COUNT = 6,
	/*
	 * What must be out of reach where files and system calls are confined.
	 */
	EXPOSED_CONFINED =
	    EXPOSED_MEMORY | EXPOSED_FILES | EXPOSED_CREATE | EXPOSED_SOCKET
};

/*
 * Returns a number that identifies the PID namespace of the caller; 0: unknown.
 */
ino_t pid_namespace_id(void);

/*
 * Tries all of them and returns those that it can reach. `arena` is a pid in
 * the PID namespace `space`, which the arena has from pid_namespace_id().
 */
unsigned self_test_probe(pid_t arena, ino_t space);

#endif
