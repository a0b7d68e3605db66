/*
 * A second opinion on the referee, for tables whose bots do anything.
 *
 * The judge sees every event before the referee does, and knows from it alone
 * who is to blame for what, what time is left to whom, and which phases a bot
 * may be in afterwards.  After the event it compares: phases, deadlines, the
 * lines of the record, what the seats were sent, where the cards are.  What
 * does not fit ends the program, as fuzz_check does.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "mock_match.h"

/* What can happen, as far as it matters to a seat in one of its phases. */
enum judge_kind {
	JUDGE_START,
	JUDGE_MOVE,       /* `move`, legal and in time where it was asked for */
	JUDGE_MOVE_BAD,   /* illegal; this and the next two: when asked */
	JUDGE_MOVE_LATE,  /* behind the deadline, which nobody has met yet */
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
	JUDGE_SENT,     /* what was held back is handed over */
	JUDGE_DEADLINE, /* that of the seat */
	JUDGE_OPEN,     /* this and the rest concern all seats */
	JUDGE_PACK,
	JUDGE_LAG,
	JUDGE_ABORT,
	JUDGE_RESEAT,
	JUDGE_KIND_COUNT
};

/* Of a game. */
enum judge_state { JUDGE_BEFORE, JUDGE_PLAY, JUDGE_OVER, JUDGE_STATE_COUNT };

enum { JUDGE_PHASE_COUNT = 7, JUDGE_NOTHING = -1 };

/*
 * Whether a pair of a state with a phase and a kind of event was seen; kept
 * over all tables, and reported to libFuzzer as coverage.
 */
extern uint8_t judge_pairs[JUDGE_STATE_COUNT][JUDGE_PHASE_COUNT]
			  [JUDGE_KIND_COUNT];

struct judge_seat {
	enum session_phase phase; /* before the event */
	int64_t deadline_ns;      /* what it must be, or BUDGET_NEVER */
	int64_t asked_ns, left_ns, used_ns;
	bool asked;    /* a decision is open */
	bool answered; /* by this event, well or badly */
	bool unread;   /* the open question is not in its hands */
	int once;      /* kind of the one offence of this event, or -1 */
	int gone;      /* kind of what ended it, or -1 */
	int strikes;   /* in this game */
	int error_count;
	bool spoke;    /* since it sent something */
	bool lagged;   /* a limit began again before the game */
	bool voided;   /* one has begun again, and the record must say so */
	size_t looked; /* at what it has sent */
	size_t sent;   /* all that it had before the event */
	char turn_id[REFEREE_TURN_SIZE];
};

struct judge {
	struct mock_match *match;
	enum judge_state state; /* before the event */
	enum judge_kind kind;   /* of the event */
	int seat;               /* whose event it is, or -1 */
	int64_t now_ns;
	bool opened;   /* within this event */
	bool released; /* by this event all hear what was held back */
	struct judge_seat seats[SCOPA_SEATS_MAX];

	/* The record so far. */
	size_t looked;
	int deal;         /* that is open, or that comes next */
	bool in_deal;     /* it is open */
	bool in_game;     /* `match` came, `endmatch` did not */
	int forfeited_by; /* seat whose team loses, until that is recorded */
	int moved_for;    /* seat that the arena moves for, likewise */
};

/* Sits down at a new table. */
void judge_init(struct judge *judge, struct mock_match *match);

/* Around an event; see before_event and after_event of tables. */
void judge_before(struct judge *judge, const struct referee_input *input);
void judge_after(struct judge *judge);

/* Around mock_unblock of what is held back, and around mock_reseat. */
void judge_before_sent(struct judge *judge, int seat);
void judge_after_sent(struct judge *judge, int seat);
void judge_before_reseat(struct judge *judge, const int *from);
void judge_after_reseat(struct judge *judge);

#endif
