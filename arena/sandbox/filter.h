/*
 * The system call filter of a bot: calls that could reach another process, or
 * communicate with one, are refused with EPERM.
 *
 * libseccomp makes the filter once, and each bot gets it as a file in memory,
 * because making it takes a fifth of a millisecond.
 */
#ifndef FILTER_H
#define FILTER_H

/*
 * Makes the filter for this architecture. Returns a descriptor (O_CLOEXEC) of
 * the file that holds it, or -errno; -ENOSYS if the kernel has no filters.
 */
int filter_make(void);

/*
 * Installs the filter of filter_make() for this process and its children. It
 * cannot be removed. no_new_privs must be set. Returns 0 or -errno.
 */
int filter_enter(int fd);

#endif
