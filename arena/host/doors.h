/*
 * The test that decides what walls are worth, which no version number does: a
 * process behind them tries the doors.
 */
#ifndef DOORS_H
#define DOORS_H

#include <sys/types.h>

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
