/*
 * Replaying a record.  Its decisions (packs, plays, declarations, offences) go
 * through the same game code as in a live match, and every line that follows
 * from them is written again.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "record_read.h"
#include "record_write.h"

/*
 * The lines of one deal in a record, and the pack that they name in `pack`
 * lines, or card by card in `table` and `give` lines.
 */
struct recorded_deal {
	const struct game_record *record;
	/* Indexes of lines of the record; `end` is not included. */
	size_t begin, end;
	int number; /* number of the deal that the lines give */
	/* Content of its `deal` line, if deal_line is not 0. */
	struct event_deal deal;
	int64_t deal_line; /* number of that line in the input, or 0 */
	int pack_count;    /* number of `pack` lines */
	int table_count;   /* number of `table` lines */
};

/*
 * Whether this line begins a deal other than deal `number`: a `pack` or `deal`
 * line with another number.
 */
bool recorded_deal_begins(const struct game_record *record,
    const struct record_line *line, int number);

/*
 * Finds the deal whose first line has the index `begin`.  Returns false and
 * sets the fault if the deal is wrong.
 */
bool recorded_deal_find(const struct game_record *record, size_t begin,
    struct recorded_deal *deal, struct record_fault *fault);

/*
 * Builds the pack that was dealt after `redeal` packs of this deal were
 * redealt.  Returns the number of its cards, from the first, that the lines
 * name.  If the lines name only the cards that were dealt, the other cards
 * follow in canonical order.  Returns -1 and sets the fault if the pack is
 * missing or impossible.
 */
int recorded_deal_pack(const struct recorded_deal *deal,
    const struct scopa_rules *rules, int dealer, int redeal,
    struct event_pack *pack, struct record_fault *fault);

enum { REPLAY_EVERYBODY = -1 };

/*
 * A play or a declaration of the record that is about to be made, or an
 * offence.
 */
struct replay_decision {
	const struct game *game;       /* deal and tally before the decision */
	const struct scopa_move *move; /* NULL: an offence */
	int64_t line;                  /* number of the line in the input */
	bool by_arena;                 /* the arena moved for the seat */
};

struct replay_order {
	/* Seat whose lines are wanted; REPLAY_EVERYBODY: the record. */
	int seat;
	/* Write a `legal` line before each decision of the record. */
	bool legal;
	/*
	 * Called before each decision, or NULL.  A record may be replayed
	 * twice. When the first decision of the first deal comes again,
	 * everything that was reported before is void.
	 */
	void (*hear)(void *context, const struct replay_decision *decision);
	void *context;
	bool offences; /* `hear` is called before each offence, too */
};

/* A replay works on one record at a time. */
struct replay;

/* Returns 0 with a new replay in *replay, or -ENOMEM. replay_close frees it. */
int replay_open(struct replay **replay);
void replay_close(struct replay *replay);

/*
 * Clears `out` and writes into it the lines that follow from a record.  The
 * caller adds the `sum` line.  Lines of the record that follow from others are
 * ignored.  Returns 0, -EBADMSG with the fault, -ENOMEM or -EFBIG.
 */
int replay_run(struct replay *replay, const struct game_record *record,
    const struct replay_order *order, struct record *out,
    struct record_fault *fault);

/* The head of the last record; valid after replay_run. */
const struct record_head *replay_head(const struct replay *replay);

#endif
