/*
 * Landlock: a process gives up, for itself and all that it will start, files,
 * the network, and signals to anybody outside.
 *
 * By system calls, as neither the C library nor older kernel headers know it;
 * landlock(7).  Nothing here needs a privilege.
 */
#ifndef LANDLOCK_H
#define LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* From which version on there is what we use. */
enum {
	LANDLOCK_ABI_FILES = 1,
	LANDLOCK_ABI_TRUNCATE = 3,
	LANDLOCK_ABI_NETWORK = 4,
	LANDLOCK_ABI_SCOPE = 6 /* signals and abstract sockets */
};

/* What this kernel has: 0 none, or its version from 1 on. */
int landlock_abi(void);

/* A domain on its way.  To be closed, entered or not. */
struct landlock {
	int fd;
	uint64_t files; /* rights over files that it takes away */
};

/* What a domain takes away, as far as this kernel can. */
enum landlock_scope {
	LANDLOCK_FILES = 1 << 0, /* files, and TCP ports */
	LANDLOCK_SIGNALS = 1
	    << 1, /* to processes outside; these are not traced */
	LANDLOCK_SOCKETS = 1 << 2 /* abstract ones of processes outside */
};

/*
 * Begins a domain that takes these away (enum landlock_scope).  0 or -errno:
 * -ENOSYS where the kernel knows none of them.
 */
int landlock_open(struct landlock *landlock, unsigned scopes);

/* What is left of a file, or of a folder with all below it. */
enum landlock_access {
	LANDLOCK_LIST,  /* the names in folders */
	LANDLOCK_READ,  /* and to read and execute */
	LANDLOCK_WRITE, /* to read and write, but not to make files */
	LANDLOCK_FILL   /* to make, change and remove files, links and pipes */
};

/* 0 or -errno; a path that does not exist is left out. */
int landlock_leave(const struct landlock *landlock, const char *path,
    enum landlock_access access);

/* Enters it; it cannot be left. no_new_privs must be set. 0 or -errno. */
int landlock_enter(const struct landlock *landlock);

void landlock_close(struct landlock *landlock);

#endif
