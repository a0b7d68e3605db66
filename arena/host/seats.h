/*
 * A user for every bot that runs at once (user.h), where the arena is root's:
 * so many numbers in a row, shared by all processes of the arena.
 */
#ifndef SEATS_H
#define SEATS_H

#include <stdint.h>

enum { SEATS_MAX = 8192 };

/* Largest first number: what follows are numbers of users as well. */
#define SEATS_FIRST_MAX (INT64_C(2147483647) - SEATS_MAX)

struct seats;

/*
 * Makes them, all free, from the user `first` on.  Processes that are forked
 * later share them.  0 or -errno.
 */
int seats_open(struct seats **seats, unsigned first);
void seats_close(struct seats *seats);

/* Takes the first that is free; 0 or -EAGAIN: all are taken. */
int seats_take(struct seats *seats, unsigned *user);
void seats_give(struct seats *seats, unsigned user);

/* Why a user is not free to be anybody's seat. */
enum seats_owner {
	SEATS_FREE,
	SEATS_NAMED,  /* `name` of the passwd file */
	SEATS_RUNNING /* a process is that user's */
};

struct seats_claim {
	enum seats_owner owner;
	unsigned user;
	char name[64];
};

/* Looks for somebody who has one of the numbers from `first` on. */
void seats_search(unsigned first, struct seats_claim *claim);

#endif
