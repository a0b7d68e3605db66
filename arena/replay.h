/*
 * Replaying a block: its decisions (packs, plays, declarations, offences) go
 * through the same course of a game as a live match, and every line that
 * follows from them is written anew.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "record.h"
#include "record_head.h"
#include "record_read.h"

enum { REPLAY_EVERYBODY = -1 };

/* A play or a declaration of the block that is about to be made. */
struct replay_decision {
	const struct game *game; /* deal and tally before it */
	const struct scopa_move *move;
	int64_t line;  /* its number in the input */
	bool by_arena; /* which moved for the seat */
};

struct replay_order {
	int seat;   /* whose stream is wanted; REPLAY_EVERYBODY: the record */
	bool legal; /* a `legal` line before each decision of the record */
	/*
	 * Hears of the decisions, or NULL.  A block may be gone through twice:
	 * what was heard before the first decision of its first deal is void.
	 */
	void (*hear)(void *context, const struct replay_decision *decision);
	void *context;
};

/* Works on one block at a time. */
struct replay;

/* 0 with *replay, or -ENOMEM. */
int replay_open(struct replay **replay);
void replay_close(struct replay *replay);

/*
 * Writes what follows from a block into `out`, which is emptied first; the
 * `sum` line is left to the caller.  What the block says of lines that follow
 * is not looked at.  0; -EBADMSG with the fault; -ENOMEM; -EFBIG.
 */
int replay_run(struct replay *replay, const struct record_block *block,
    const struct replay_order *order, struct record *out,
    struct record_fault *fault);

/* What the last block was about; good after it was replayed. */
const struct record_head *replay_head(const struct replay *replay);
const struct game *replay_game(const struct replay *replay);

#endif
