/*
 * A second implementation of the verdicts of the referee, for matches with bots
 * that do anything.
 *
 * The judge sees each event before the referee does, and derives from it which
 * bot has committed which offence, how much time a bot has left, and in which
 * phases it may be afterwards.  After the event it compares phases, deadlines,
 * the lines of the record, the lines sent to seats, and the places of the
 * cards. A difference ends the program, like fuzz_check.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "mock_match.h"

/* The events of a seat, as far as its phases distinguish them. */
enum judge_kind {
	JUDGE_START,
	JUDGE_MOVE,       /* `move`; if asked for, it is legal and in time */
	JUDGE_MOVE_BAD,   /* illegal; this and the next two: only when asked */
	JUDGE_MOVE_LATE,  /* after the deadline, before the deadline was met */
	JUDGE_MOVE_STALE, /* with the id of another decision */
	JUDGE_INFO,
	JUDGE_READYOK,
	JUDGE_ID,
	JUDGE_OPTION,
	JUDGE_FEATURE,
	JUDGE_USPOK,
	JUDGE_ERROR,
	JUDGE_FATAL, /* `error fatal` */
	JUDGE_UNKNOWN,
	JUDGE_EMPTY, /* no word, or a comment */
	JUDGE_FLAW,
	JUDGE_FLOOD,
	JUDGE_EXIT,
	JUDGE_SENT,     /* lines that were held back are sent */
	JUDGE_DEADLINE, /* the deadline of the seat */
	JUDGE_OPEN,     /* this and the rest concern all seats */
	JUDGE_PACK,
	JUDGE_LAG,
	JUDGE_ABORT,
	JUDGE_RESEAT,
	JUDGE_KIND_COUNT
};

/* The state of a game. */
enum judge_state { JUDGE_BEFORE, JUDGE_PLAY, JUDGE_OVER, JUDGE_STATE_COUNT };

enum { JUDGE_PHASE_COUNT = 7, JUDGE_NOTHING = -1 };

/*
 * Whether a combination of state, phase and kind of event was reached;
 * collected over all matches, and reported to libFuzzer as coverage.
 */
extern uint8_t judge_pairs[JUDGE_STATE_COUNT][JUDGE_PHASE_COUNT]
			  [JUDGE_KIND_COUNT];

struct judge_seat {
	enum session_phase phase; /* before the event */
	int64_t deadline_ns;      /* the right deadline, or BUDGET_NEVER */
	int64_t asked_ns, left_ns, used_ns;
	bool asked;     /* a decision is open */
	bool answered;  /* the event was an answer, good or bad */
	bool unread;    /* the open question is held back */
	bool unready;   /* the `isready` of a late bot is held back */
	int once;       /* kind of the offence in this event, or -1 */
	int gone;       /* kind of the offence that ended the bot, or -1 */
	bool was_ready; /* before this game: its process has played */
	int strikes;    /* strikes in this game */
	int error_count;
	bool spoke;    /* the bot has sent a line since it was sent one */
	bool lagged;   /* a limit started again before the game */
	bool voided;   /* a limit has started again, which must be recorded */
	size_t looked; /* bytes sent to it that were checked */
	size_t sent;   /* bytes sent to it before the event */
	char turn_id[REFEREE_TURN_SIZE];
};

struct judge {
	struct mock_match *match;
	enum judge_state state; /* before the event */
	enum judge_kind kind;   /* kind of the event */
	int seat;               /* seat of the event, or -1 */
	int64_t now_ns;
	bool opened;   /* a game was opened within this event */
	bool released; /* the event lets all seats see earlier ones */
	struct judge_seat seats[SCOPA_SEATS_MAX];

	/* The record so far. */
	size_t looked;
	int deal;         /* number of the open deal, or of the last one */
	bool in_deal;     /* a deal is open */
	bool in_game;     /* `match` was recorded, and `endmatch` not yet */
	int forfeited_by; /* seat whose team loses, until that is recorded */
	int moved_for;    /* seat that the arena moves for, until recorded */
};

/* Starts to judge a new match. */
void judge_init(struct judge *judge, struct mock_match *match);

/* Called before and after an event: before_event and after_event of a match. */
void judge_before(struct judge *judge, const struct referee_input *input);
void judge_after(struct judge *judge);

/* Do the same as mock_unblock and mock_reseat, and check it. */
void judge_unblock(struct judge *judge, int seat);
void judge_reseat(struct judge *judge, const int *from);

/* Checks that the event may be sent to this seat, and shows nothing secret. */
void judge_event(const struct event *event, int seat);

#endif
