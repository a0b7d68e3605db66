/*
 * Another user that bots run as where the arena is root's: one that nobody else
 * is.
 */
#ifndef USER_H
#define USER_H

/*
 * Becomes the user of this number, with a group of the same number and no
 * other, for good; only root can.  Signals at the death of a parent are to be
 * asked for anew.  0 or -errno.
 */
int user_become(unsigned id);

/*
 * Sends a signal to every process of that user, as one of them, so that none
 * can be missed or another one meant.  Whether there is any is not told: the
 * kernel does not.  0 or -errno.
 */
int user_signal(unsigned id, int number);

#endif
