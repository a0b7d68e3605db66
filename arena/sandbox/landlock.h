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

/*
 * Begins a domain that takes away all that this kernel can: with `files`,
 * files and TCP ports; with `scope`, signals to and abstract sockets of
 * processes outside.  0 or -errno: -ENOSYS where the kernel has none of it.
 */
int landlock_open(struct landlock *landlock, bool files, bool scope);

/*
 * Leaves a file, or a folder with all below it, to be read and executed, or to
 * be read and written but not to grow in number; or of folders the names that
 * are in them.  0 or -errno; one that does not exist is left out.
 */
int landlock_leave_to_list(const struct landlock *landlock, const char *path);
int landlock_leave_to_read(const struct landlock *landlock, const char *path);
int landlock_leave_to_write(const struct landlock *landlock, const char *path);

/*
 * Leaves a folder to be filled: files, folders, links and pipes may be made,
 * changed and removed in it.  As above.
 */
int landlock_leave_to_fill(const struct landlock *landlock, const char *path);

/* Enters it, for good; no_new_privs must be set.  0 or -errno. */
int landlock_enter(const struct landlock *landlock);

void landlock_close(struct landlock *landlock);

#endif
