/*
 * Replaying a block: its decisions (packs, plays, declarations, offences) go
 * through the same course of a game as a live match, and every line that
 * follows from them is written anew.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "record_read.h"
#include "record_write.h"

/*
 * The lines of one deal in a block, and the pack that they name: by `pack`
 * lines, or card by card in `table` and `give` lines.
 */
struct recorded_deal {
	const struct record_block *block;
	size_t begin, end;      /* lines of the block, from its first */
	int number;             /* of the deal, as it says itself */
	struct event_deal deal; /* its `deal` line, if any */
	int64_t deal_line;      /* number of that line, or 0 */
	int pack_count;         /* `pack` lines */
	int table_count;        /* `table` lines */
};

/*
 * Whether this line begins another deal than the one of `number`: a `pack` or
 * `deal` line with another number.
 */
bool recorded_deal_begins(const struct record_block *block,
    const struct record_line *line, int number);

/* The deal whose first line is line `begin`; false with the fault. */
bool recorded_deal_find(const struct record_block *block, size_t begin,
    struct recorded_deal *deal, struct record_fault *fault);

/*
 * The pack that was dealt after `redeal` others were redealt.  The answer is
 * how many of its cards, from the first, the lines name: where they are those
 * that were dealt and no others, the rest follows in canonical order. -1 with
 * the fault where there is none, or it cannot be.
 */
int recorded_deal_pack(const struct recorded_deal *deal,
    const struct scopa_rules *rules, int dealer, int redeal,
    struct event_pack *pack, struct record_fault *fault);

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

#endif
