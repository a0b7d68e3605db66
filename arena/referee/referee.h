/*
 * The referee of one match: sessions, turns, time and offences.
 *
 * The referee is pure: it gets inputs and fills an outbox.  It reads no clock
 * and sends nothing.  Every time is a parameter, in monotonic nanoseconds.  So
 * a whole tournament can run with scripted bots and a simulated clock.
 *
 * The match drives the referee.  It reports what happened by referee_step,
 * sends the lines of the outbox, and gives what referee_need asks for
 * (REFEREE_OPEN, REFEREE_PACK).
 */
#ifndef REFEREE_H
#define REFEREE_H

#include "analysis.h"
#include "budget.h"
#include "game.h"
#include "session.h"

enum {
	/*
	 * Bytes of the `info` lines of one decision; further lines are ignored.
	 */
	REFEREE_INFO_SIZE = 8 * 1024,
	REFEREE_STATE_SIZE = 2048, /* bytes of the `state` line of an offence */
	/*
	 * Bytes of the `info` lines of a whole game, in equal parts for each
	 * seat, so that a bot cannot make the record arbitrarily large.
	 */
	REFEREE_INFO_GAME_MAX = 4 * 1024 * 1024,
	REFEREE_TURN_SIZE = 16, /* hex digits of a turn id */
	REFEREE_SEAT_NONE = -1
};

/* Settings that are the same for all matches of a tournament. */
struct referee_settings {
	const char *arena; /* name and version: `scopa-arena/0.2.0` */
	struct budget_control control;
	int64_t margin_ns;  /* tolerance after the time of a decision */
	int64_t startup_ns; /* time from `usp` to `readyok` */
	int64_t hang_ns;    /* time from a missed deadline to `readyok` */
	enum verdict_policy policy;
	int strikes_max; /* limit under POLICY_SUBSTITUTE */
	/* A bot that ends between two games fails, and gets no new process. */
	bool one_process;
	/*
	 * The permit to send all cards to a bot with `feature analysis=1`.
	 * NULL: such a bot may not play.
	 */
	const struct analysis_permit *analysis;
};

/*
 * The greatest extension of an answer's time, for a bot that had to wait for a
 * processor.  With a hundred processes on each core, all in sessions of their
 * own, a bot waits 0.3 s whenever another process has run.
 */
#define REFEREE_EXTENSION_MAX_NS INT64_C(5000000000)

enum referee_input_kind {
	REFEREE_START, /* a bot was started at `seat` */
	REFEREE_OPEN,  /* the game begins: `opening` */
	REFEREE_PACK,  /* a pack for the next deal: `pack` */
	REFEREE_LINE,  /* the bot wrote a line: `line` */
	/* The bot wrote bytes that are not a valid line: `reason`. */
	REFEREE_FLAW,
	REFEREE_FLOOD, /* the bot wrote too much that was not asked */
	REFEREE_EXIT,  /* the process ended, or its pipe is closed: `reason` */
	REFEREE_DEADLINE, /* `now_ns` has come: see referee_deadline_ns */
	REFEREE_LAG,    /* the arena was stopped for `lag_ns` until `now_ns` */
	REFEREE_VOID,   /* the seat is late because the bot at `by` computed */
	REFEREE_PONDER, /* the bot keeps others from computing: kill it */
	REFEREE_ABORT   /* stop the game: `reason` */
};

struct referee_input {
	enum referee_input_kind kind;
	int seat;
	/* Time of the event; of a line, less what the arena was late by. */
	int64_t now_ns;
	int64_t lag_ns; /* only for REFEREE_LAG */
	int by;         /* only for REFEREE_VOID: a seat that is not to move */
	uint64_t nonce; /* unpredictable number for the next turn id */
	/*
	 * For a line, and for bytes that are none: the time at which it was
	 * read; 0: the same as now_ns.
	 */
	int64_t read_ns;
	const char *line;   /* the line that the bot wrote, or NULL */
	size_t length;      /* bytes of line */
	const char *reason; /* one word, as `EXIT(3)` or `BAD_LINE` */
	const struct game_opening *opening;
	const struct event_pack *pack;
};

/* What the match must do before the game can continue. */
enum referee_need {
	REFEREE_NOTHING, /* wait for the bots */
	REFEREE_NEEDS_OPEN,
	REFEREE_NEEDS_PACK,
	REFEREE_IS_OVER
};

struct referee_seat {
	struct budget budget;
	/* The seat has no time limit, whatever the settings say. */
	bool untimed;
	/*
	 * The bot was stopped, because it computed while it was not its turn.
	 */
	bool pondered;
	/* `NAME=VALUE` texts ended by NULL, or NULL; the caller's */
	const char *const *options;
	char turn_id[REFEREE_TURN_SIZE]; /* turn id of the open decision */
	/*
	 * Time at which `go` was written to the pipe.  BUDGET_NEVER: it is not
	 * sent yet.
	 */
	int64_t sent_ns;
	int64_t begin_ns; /* time at which the clock of the turn started */
	/* For what the seat must do next; BUDGET_NEVER: none. */
	int64_t deadline_ns;
	/* Delay of the arena while the bot was starting. */
	int64_t start_lag_ns;
	int strikes;                      /* strikes in this game */
	int offences[OFFENCE_KIND_COUNT]; /* in this game, for each kind */
	int64_t think_ns;                 /* sum of this game */
	int32_t decision_count;
	int32_t unasked_count; /* answers without an open question */
	int32_t stray_count;   /* lines with an unknown verb in the match */
	int64_t info_bytes;    /* bytes of `info` from the bot in this game */
	int64_t off_cpu_ns;    /* CPU time while it was not its turn */
	int64_t off_wall_ns; /* length of the time in which that was measured */
	bool kill;           /* the match must kill the bot's process */
	bool blocked;        /* its `go` did not fit into the pipe yet */
	bool sent; /* its `go` was written to the pipe, or a late `isready` */
	/*
	 * Its process has played before, so another one may take its place
	 * until it has answered `isready`.
	 */
	bool replaceable;
	struct session session; /* last field, because a game rarely uses it */
};

struct referee {
	struct referee_settings settings;
	struct game game;
	int seat_count;
	bool opened;        /* the game has begun */
	bool ended;         /* `endmatch` is written */
	bool line_expected; /* the last line does not count as unasked */
	int offender;       /* seat that forfeited, or REFEREE_SEAT_NONE */
	enum offence_kind offence; /* only if there is an offender */
	char offence_reason[SESSION_REASON_SIZE];
	const char *refusal; /* why its last move was illegal: static text */
	char offence_said[SESSION_SAID_SIZE]; /* the wrong line, or empty */
	/*
	 * The `state` line of the decision with the offence; empty: there was
	 * none.
	 */
	char offence_state[REFEREE_STATE_SIZE];
	struct referee_seat seats[SCOPA_SEATS_MAX];
	const struct referee_input *input; /* input of the current step */
	struct outbox *outbox;             /* outbox of the current step */
	struct scopa_text info; /* `info` lines of the open decision */
	char info_bytes[REFEREE_INFO_SIZE];
};

/* Initialises a referee with `seat_count` seats without bots. */
void referee_init(struct referee *referee,
    const struct referee_settings *settings, int seat_count);

/*
 * Prepares the next game: seat i gets the bot that was at seat from[i].  Bots
 * that run are asked whether they are ready.  If the process of a bot has
 * ended, the bot is absent, and the game waits for REFEREE_START of a new
 * process.
 */
void referee_reseat(struct referee *referee, const int from[SCOPA_SEATS_MAX],
    int64_t now_ns, struct outbox *outbox);

/* Between games: exchanges the bots of two seats, of one referee or of two. */
void referee_exchange(
    struct referee *referee, int seat, struct referee *other, int other_seat);

/* Handles one input and fills the outbox. */
void referee_step(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox);

/*
 * The last byte of the lines for a seat was written to its pipe at `sent_ns`.
 * If a `go` was among them, and it was not blocked, the time of the seat begins
 * `delay_ns` later; if it was the `isready` to a bot that was late, the limit of
 * a hang begins.
 */
void referee_sent(
    struct referee *referee, int seat, int64_t sent_ns, int64_t delay_ns);

/*
 * The `go` of a seat did not fit into the pipe at `now_ns`, because the bot
 * does not read.  Its time runs from now on.
 */
void referee_blocked(struct referee *referee, int seat, int64_t now_ns);

/* The `go` of a seat is sent later.  Its time does not run until then. */
void referee_postpone_go(struct referee *referee, int seat);

/*
 * The time of a seat that was asked has ended at `now_ns`, and other processes
 * had the processor for `waited_ns` of it.  Extends its deadline by that time,
 * by REFEREE_EXTENSION_MAX_NS at most.  Returns whether the new deadline is
 * after `now_ns`.
 */
bool referee_give_back_time(
    struct referee *referee, int seat, int64_t waited_ns, int64_t now_ns);

/*
 * Adds a measurement: while it was not its turn, the bot of a seat used
 * `cpu_ns` of CPU time in `wall_ns`.
 */
void referee_add_ponder_usage(
    struct referee *referee, int seat, int64_t cpu_ns, int64_t wall_ns);

/*
 * Notes that the bot of a seat computed so much while it was not its turn that
 * it is stopped whenever it is not.
 */
void referee_note_ponder(struct referee *referee, int seat);

enum referee_need referee_need(const struct referee *referee);

/* The earliest deadline of all seats; BUDGET_NEVER: there is none. */
int64_t referee_deadline_ns(const struct referee *referee);

/*
 * The verb of message number `index` that a bot may send, from 0, or NULL after
 * the last one.
 */
const char *referee_verb(int index);

#endif
