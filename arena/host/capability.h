/*
 * What root may do beyond others, capabilities(7): a bot may do nothing of it,
 * whoever runs the arena.
 */
#ifndef CAPABILITY_H
#define CAPABILITY_H

/*
 * Gives all of them up, for good where no_new_privs is set.  0 or -errno.
 */
int capability_drop(void);

#endif
