/*
 * Makes results lasting, and waits where they cannot be kept for now: the disk
 * is full, or another program holds the database.
 */
#ifndef COMMIT_RETRY_H
#define COMMIT_RETRY_H

#include "run.h"

struct commit_retry {
	struct run *run;
	int64_t wait_max_ns; /* how long it waits; 0: without an end */
	/* It begins to wait, for -ENOSPC or -EBUSY, or has kept all: 0. */
	void (*on_hold)(
	    void *context, int error, const struct store_error *why);
	void *context;
	/* Written by commit_retry_step. */
	int held; /* -ENOSPC, -EBUSY: results wait; or 0 */
	int64_t held_since_ns;
	struct store_error error; /* of the last that went wrong */
};

/*
 * Keeps all that is pending.  0: it lasts, or nothing was.  Where it waits it
 * is to be called again, from time to time, and `held` tells the reason.  Other
 * errors, -errno with the reason in `error`, are for ever; -ETIMEDOUT: it has
 * waited for as long as it may.
 */
int commit_retry_step(struct commit_retry *commit_retry);

#endif
