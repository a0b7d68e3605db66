/*
 * The filter of system calls behind which a bot runs: what could reach another
 * process, or talk to one, is refused with EPERM.
 *
 * Made once by libseccomp and handed to each bot as a file in memory, since
 * making it takes a fifth of a millisecond.
 */
#ifndef FILTER_H
#define FILTER_H

/*
 * Makes the filter for this kind of machine.  A descriptor (O_CLOEXEC) that
 * holds it, or -errno; -ENOSYS where the kernel has no filters.
 */
int filter_make(void);

/*
 * Installs it for this process and its children; it cannot be removed.
 * no_new_privs must be set.  Nothing can be filtered that was not made by
 * filter_make. 0 or -errno.
 */
int filter_enter(int fd);

#endif
