/*
 * Keeps others out of this process, bots without walls that run as the same
 * user among them.
 */
#ifndef PRIVACY_H
#define PRIVACY_H

/*
 * From now on no process but root's can read or trace this one and those that
 * it forks, none of them leaves a core file, and no program that they start
 * gains rights.  What they execute can be read and traced again.  0 or -errno.
 */
int privacy_begin(void);

/* Can be traced again, for the checker of leaks that runs behind exit(). */
void privacy_end(void);

#endif
