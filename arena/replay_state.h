/*
 * The inside of a replay, for the parts of its own code.
 */
#ifndef REPLAY_STATE_H
#define REPLAY_STATE_H

#include "dealing.h"
#include "replay.h"

enum {
	/* The `info` lines of one decision. */
	INFO_SIZE = 65536,
	/* Verb, moves, the dots where they are too many, line end, NUL. */
	LEGAL_SIZE = RECORD_LINE_SIZE_MAX + 2,
	PARTY_NOBODY = -1
};

/* How far the lines of a block have brought the game. */
enum course {
	COURSE_CLOSED, /* it has ended */
	COURSE_OPEN,   /* all deals are over, and it goes on */
	COURSE_EARLY   /* the target was reached before the last deal */
};

struct replay {
	struct game game;
	struct record_head head;
	struct outbox outbox;
	struct event event; /* the line in hand */
	struct scopa_move moves[SCOPA_MOVES_MAX];
	char info[INFO_SIZE];
	char legal[LEGAL_SIZE];

	/* The block in hand. */
	const struct record_block *block;
	struct replay_order order;
	struct record *out;
	struct record_fault *fault;
	size_t at;              /* line */
	struct dealing dealing; /* the deal in hand */
	int known_count;        /* cards of its pack that are not made up */
	int offender;           /* party of the last offence, or nobody */
	bool forfeited;         /* and it loses the match */
	bool closed;            /* `endmatch` is written */
	bool early;             /* see COURSE_EARLY */
};

/* Where the line in hand is at fault; answers -EBADMSG. */
int replay_blame(struct replay *replay, const char *sentence);

/* Moves what was said from the outbox to where it is wanted: 0 or -errno. */
int replay_emit(struct replay *replay);

/* Does what the line in hand decides: 0 or -errno. */
int replay_line(struct replay *replay);

/* Ends the match before its time: 0 or -errno. */
int replay_close_early(struct replay *replay, const char *reason);

#endif
