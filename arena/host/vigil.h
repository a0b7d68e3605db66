/*
 * The watch that a supervisor keeps over a child: it waits for its end, and in
 * the meantime obeys the arena and sees to its memory.
 */
#ifndef VIGIL_H
#define VIGIL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cage;

struct vigil {
	pid_t child;
	/* Stops all that is watched, or lets it go on. */
	void (*hold)(const struct vigil *vigil, bool frozen);
	/* Kills what is watched beside the child, as far as it is seen, when
	 * all is to end; NULL: that goes with the child. */
	void (*strike)(const struct vigil *vigil);
	/* In a box what the arena wants, shared by its supervisor and its first
	 * process: what is inside could send that one a word, but not write
	 * this.  Else NULL. */
	volatile bool *frozen;
	int proc_fd; /* see tree_open(); in a box below 0 where there is none */
	const struct cage *cage; /* that all is in, or NULL */
	unsigned user;           /* of what is watched, for vigil_hold_user() */
	/* Of all that is watched, or 0: nobody looks. */
	int64_t memory_max_bytes;
	bool over_memory; /* it was killed for that */
};

/*
 * From now on the signals of a vigil are waited for, and the death of the
 * parent, which was `arena`, is one of them.  *before is what the child is to
 * have blocked.  0 or -errno.
 */
int vigil_prepare(pid_t arena, sigset_t *before);

/*
 * Reaps until the child is dead, and kills or holds it when the arena says so.
 * Its wait status.
 */
int vigil_keep(struct vigil *vigil);

/* The ways to hold: by the first process of a box, and in its place.. */
void vigil_hold_box(const struct vigil *vigil, bool frozen);
void vigil_hold_inside(const struct vigil *vigil, bool frozen);
/* ..by signals to all of a domain or of a user, and by looking for each. */
void vigil_hold_user(const struct vigil *vigil, bool frozen);
void vigil_hold_domain(const struct vigil *vigil, bool frozen);
void vigil_hold_tree(const struct vigil *vigil, bool frozen);

/* The ways to strike, likewise. */
void vigil_strike_domain(const struct vigil *vigil);
void vigil_strike_user(const struct vigil *vigil);
void vigil_strike_tree(const struct vigil *vigil);

#endif
