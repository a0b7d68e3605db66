/*
 * Confinement of a bot: it may use the files of a list and no others, has
 * resource limits that keep it from what no bot needs, and no capabilities.
 *
 * To be called in the process that becomes the bot, once no_new_privs is set.
 */
#ifndef CONFINEMENT_H
#define CONFINEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "file_policy.h"

/*
 * Landlock, landlock(7): a process gives up access to files, the network, and
 * signals to other processes, for itself and its children. Uses system calls
 * directly, because neither the C library nor older kernel headers know them.
 * Needs no privilege.
 */

/* The versions of Landlock from which on a feature exists. */
enum {
	LANDLOCK_ABI_FILES = 1,
	LANDLOCK_ABI_TRUNCATE = 3,
	LANDLOCK_ABI_NETWORK = 4,
	LANDLOCK_ABI_SCOPE = 6 /* signals and abstract sockets */
};

/* Returns the version of Landlock in this kernel, from 1 on; 0: none. */
int landlock_abi(void);

/*
 * A domain that is being made. It must be closed, whether it was entered or
 * not.
 */
struct landlock {
	int fd;
	uint64_t files; /* rights over files that it takes away */
};

/* What a domain takes away, as far as the kernel supports it. */
enum landlock_scope {
	LANDLOCK_FILES = 1 << 0, /* files, and TCP ports */
	LANDLOCK_SIGNALS = 1
	    << 1, /* to processes outside; these are not traced */
	LANDLOCK_SOCKETS = 1 << 2 /* abstract ones of processes outside */
};

/*
 * Begins a domain that takes these away (enum landlock_scope). Returns 0 or
 * -errno: -ENOSYS if the kernel supports none of them.
 */
int landlock_open(struct landlock *landlock, unsigned scopes);

/*
 * Allows a file, or a folder with everything below it, to be used as `kind`
 * says. Returns 0 or -errno; a path that does not exist is ignored.
 */
int landlock_allow(const struct landlock *landlock, const char *path,
    enum file_policy_kind kind);

/*
 * Enters the domain, which cannot be left. no_new_privs must be set. Returns 0
 * or -errno.
 */
int landlock_enter(const struct landlock *landlock);

void landlock_close(struct landlock *landlock);

enum {
	CONFINED_PROCESSES = 256, /* of one bot: of its box, or control group */
	CONFINED_FILE_BYTES = 16 << 20 /* of one file */
};

/*
 * Confines the process to the files, folders and devices of the list. In a
 * folder with hidden entries, files that are made later cannot be read. Returns
 * 0 or -errno.
 */
int confine_files(const struct file_policy *file_policy);

/*
 * No core files, 64 descriptors, files of CONFINED_FILE_BYTES and what the
 * scratch folder holds, 256 pending signals (all of its user count), nothing of
 * locked memory, message queues and real-time priority; in a box
 * CONFINED_PROCESSES, threads counted. 0 or -errno.
 */
int confine_limits(bool boxed, int scratch_kib);

/*
 * Capabilities, capabilities(7): what root may do beyond other users. A bot has
 * none of them, even if root runs the arena.
 */

/*
 * Gives up all capabilities. With no_new_privs they cannot come back. Returns 0
 * or -errno.
 */
int capability_drop(void);

#endif
