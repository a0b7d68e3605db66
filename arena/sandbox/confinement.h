/*
 * Confinement of a bot: it may use the files of a list and no others, has resource
 * limits that keep it from what no bot needs, and no capabilities.
 *
 * To be called in the process that becomes the bot, once no_new_privs is set.
 */
#ifndef CONFINEMENT_H
#define CONFINEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "file_policy.h"

/*
 * Landlock: a process gives up, for itself and all that it will start, files,
 * the network, and signals to anybody outside.
 *
 * By system calls, as neither the C library nor older kernel headers know it;
 * landlock(7).  Nothing here needs a privilege.
 */

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

/*
 * Leaves a file, or a folder with all below it, as far as its kind says.  0 or
 * -errno; a path that does not exist is left out.
 */
int landlock_leave(const struct landlock *landlock, const char *path,
    enum file_policy_kind kind);

/* Enters it; it cannot be left. no_new_privs must be set. 0 or -errno. */
int landlock_enter(const struct landlock *landlock);

void landlock_close(struct landlock *landlock);

enum {
	CONFINED_PROCESSES = 256,      /* of one box */
	CONFINED_FILE_BYTES = 16 << 20 /* of one file */
};

/*
 * Leaves files, folders and devices as they are listed; of a folder in which
 * something is hidden nothing that comes to be later.  0 or -errno.
 */
int confine_files(const struct file_policy *file_policy);

/*
 * No core files, 64 descriptors, files of CONFINED_FILE_BYTES and what the scratch
 * folder holds, nothing of locked memory,
 * message queues and real-time priority; in a box CONFINED_PROCESSES, threads
 * counted.  0 or -errno.
 */
int confine_limits(bool boxed, int scratch_kib);

/*
 * What root may do beyond others, capabilities(7): a bot may do nothing of it,
 * also where root runs the arena.
 */

/*
 * Gives all of them up; they cannot come back where no_new_privs is set. 0 or
 * -errno.
 */
int capability_drop(void);

#endif
