/*
 * The self-test of the sandbox: which level this machine offers is found out by
 * trying it, which no version number tells: a process in the sandbox tries the
 * doors that are to be shut, and its exit status tells which are open.
 */
#ifndef SELF_TEST_H
#define SELF_TEST_H

#include <sys/types.h>

#include "sandbox.h"

/*
 * Tries the levels from the highest to the lowest, each with a process behind
 * its walls.  Takes some milliseconds.  0, or -errno where no process can be
 * started at all.
 */
int walls_raise(struct walls *walls);

/*
 * The same, with bots that run as users from this number on, each as another;
 * for an arena that is root's alone.  Nobody else may be any of SEATS_MAX users
 * (user.h) for as long as it runs.
 */
int walls_raise_as(struct walls *walls, unsigned first_user);

/* `tree kill`. */
const char *walls_layer_name(enum walls_layer layer);

/* Doors, as bits of an exit status. */
enum door {
	DOOR_SIGNAL = 1 << 0, /* signals to the arena */
	DOOR_MEMORY = 1 << 1, /* its memory and environment, or a sibling's */
	DOOR_FILES = 1 << 2,  /* files that nobody has left to be read */
	DOOR_CREATE = 1 << 3, /* new files where everybody may make them */
	DOOR_SOCKET = 1 << 4, /* sockets */
	DOOR_NAMES = 1 << 5   /* whether a file is there */
};

enum { DOOR_COUNT = 6 };

/* What tells the PID namespace of the caller from others; 0: unknown. */
ino_t doors_space(void);

/*
 * Tries all of them: those that are open.  The number of the arena is one of
 * its `space`, which it has from doors_space().
 */
unsigned doors_try(pid_t arena, ino_t space);

/* `signals to the arena`, for people. */
const char *door_name(enum door door);

#endif
