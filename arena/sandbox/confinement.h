/*
 * Confinement of a bot: it may use the files of a list and no others, has resource
 * limits that keep it from what no bot needs, and no capabilities.
 *
 * To be called in the process that becomes the bot, once no_new_privs is set.
 */
#ifndef CONFINEMENT_H
#define CONFINEMENT_H

#include <stdbool.h>

#include "file_policy.h"

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
