/*
 * The referee of one table: sessions, turns, time and offences of a match.
 *
 * Pure: inputs in, an outbox out.  It reads no clock and sends nothing; every
 * time is handed in, in monotonic nanoseconds.  A whole tournament runs with
 * scripted bots and a made-up clock.
 *
 * The match drives it: it tells what happened by referee_step, delivers the
 * outbox, and gives what referee_need asks for (REFEREE_OPEN, REFEREE_PACK).
 */
#ifndef REFEREE_H
#define REFEREE_H

#include "analysis.h"
#include "budget.h"
#include "game.h"
#include "session.h"

enum {
	/* `info` lines of one decision; what comes after is not listened to. */
	REFEREE_INFO_SIZE = 8 * 1024,
	REFEREE_STATE_SIZE = 2048, /* of a `state` line that is kept */
	/* And of one seat in all of a game, so that no game's record can grow
	 * by what a bot likes to say. */
	REFEREE_INFO_GAME_MAX = 4 * 1024 * 1024,
	REFEREE_TURN_SIZE = 16, /* hex digits */
	REFEREE_SEAT_NONE = -1
};

/* What the tournament decides for all its matches. */
struct referee_settings {
	const char *arena; /* `scopa-arena/0.2.0` */
	struct budget_control control;
	int64_t margin_ns;  /* a decision may be late by this much */
	int64_t startup_ns; /* from `usp` to `readyok` */
	int64_t hang_ns;    /* from a missed deadline to `readyok` */
	enum verdict_policy policy;
	int strikes_max; /* under POLICY_SUBSTITUTE */
	bool observe;    /* grant `feature observe=1` */
	/*
	 * A bot that says `feature analysis=1` is sent all cards; NULL: such a
	 * bot may not play.
	 */
	const struct analysis_permit *analysis;
};

/*
 * How much later than its time an answer may come that was hindered: with a
 * hundred processes a core in sessions of their own a bot waits for 0.3 s
 * whenever another one has run.
 */
#define REFEREE_REST_MAX_NS INT64_C(5000000000)

enum referee_input_kind {
	REFEREE_START,    /* a bot was started at `seat` */
	REFEREE_OPEN,     /* the game begins: `opening` */
	REFEREE_PACK,     /* a pack for the next deal: `pack` */
	REFEREE_LINE,     /* the bot wrote a line */
	REFEREE_FLAW,     /* it wrote what is no line: `reason` */
	REFEREE_FLOOD,    /* it wrote so much unasked that nobody listens */
	REFEREE_EXIT,     /* it ended, or nobody can write to it: `reason` */
	REFEREE_DEADLINE, /* `now_ns` is here: see referee_deadline_ns */
	REFEREE_LAG,      /* the arena was away until `now_ns`, for `lag_ns` */
	REFEREE_VOID,     /* the seat is late as `by` has computed meanwhile */
	REFEREE_PONDER,   /* the bot keeps others from computing: no more */
	REFEREE_ABORT     /* stop the game: `reason` */
};

struct referee_input {
	enum referee_input_kind kind;
	int seat;
	int64_t now_ns;     /* when it happened */
	int64_t lag_ns;     /* of REFEREE_LAG */
	int by;             /* of REFEREE_VOID: a seat that is not to move */
	uint64_t nonce;     /* unpredictable: names the next decision */
	int64_t read_ns;    /* of a line: when it was read; 0: like now_ns */
	const char *line;   /* what it wrote, or NULL */
	size_t length;      /* of line */
	const char *reason; /* `EXIT(3)`, `BAD_LINE`: one word */
	const struct game_opening *opening;
	const struct event_pack *pack;
};

/* What the match must do before anything else can happen. */
enum referee_need {
	REFEREE_NOTHING, /* wait for bots */
	REFEREE_NEEDS_OPEN,
	REFEREE_NEEDS_PACK,
	REFEREE_IS_OVER
};

struct referee_seat {
	struct budget budget;
	/* It was stopped, as it computed when it was not to move. */
	bool pondered;
	const char *const *options; /* `NAME=VALUE` lines for it, or NULL */
	char turn_id[REFEREE_TURN_SIZE]; /* of the open decision */
	/* When `go` was handed over; BUDGET_NEVER: it is kept back. */
	int64_t asked_ns;
	int64_t deadline_ns;  /* of what it is to do; BUDGET_NEVER: none */
	int64_t start_lag_ns; /* of the arena while the bot got ready */
	int strikes;          /* in this game */
	int offences[OFFENCE_KIND_COUNT]; /* in this game */
	int64_t think_ns;                 /* total of this game */
	int32_t decision_count;
	int32_t
	    cut_count; /* of these, that a clock cut short, as the bot said */
	int32_t unasked_count;  /* answers to no open question */
	int64_t info_bytes;     /* of `info` that it has said in this game */
	int64_t off_cpu_ns;     /* CPU time while it was not to move.. */
	int64_t off_wall_ns;    /* ..as far as that was watched: so long */
	bool kill;              /* the match must end its process */
	bool held;              /* its `go` is not in the pipe yet */
	bool sent;              /* its `go` was handed over */
	struct session session; /* last, for most of it is idle in a game */
};

struct referee {
	struct referee_settings settings;
	struct game game;
	int seat_count;
	bool opened;        /* the game has begun */
	bool ended;         /* `endmatch` is written */
	bool wanted;        /* the last line was one that had been asked for */
	int32_t void_count; /* of this game: see REFEREE_LAG */
	int64_t lag_longest_ns; /* of this game */
	int offender;           /* seat that forfeited, or REFEREE_SEAT_NONE */
	enum offence_kind offence; /* of the offender, if any */
	char offence_reason[SESSION_REASON_SIZE];
	char offence_said[SESSION_SAID_SIZE]; /* the line at fault, or empty */
	/* The `state` line of that decision; empty: there was none. */
	char offence_state[REFEREE_STATE_SIZE];
	struct referee_seat seats[SCOPA_SEATS_MAX];
	const struct referee_input *input; /* of the step in hand */
	struct outbox *outbox;             /* likewise */
	bool info_cut;          /* `info` of the open decision has `cut=1` */
	struct scopa_text info; /* of the open decision */
	char info_bytes[REFEREE_INFO_SIZE];
};

/* A table of `seat_count` empty seats. */
void referee_init(struct referee *referee,
    const struct referee_settings *settings, int seat_count);

/*
 * Before a game: seat i is taken by the bot that sat at from[i] before.  Bots
 * that are there are asked whether they are ready.  A bot that has ended is
 * absent, and the game waits for REFEREE_START of another process.
 */
void referee_reseat(struct referee *referee, const int from[SCOPA_SEATS_MAX],
    int64_t now_ns, struct outbox *outbox);

/* Between games: the bots of two seats, of one match or two, change places. */
void referee_exchange(
    struct referee *referee, int seat, struct referee *other, int other_seat);

/* Judges one input: a step of the game, or a line, time or end of a bot. */
void referee_step(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox);

/*
 * The last byte of what a seat was sent was handed over at `sent_ns`: its time
 * begins, if a `go` was in it.
 */
void referee_sent(struct referee *referee, int seat, int64_t sent_ns);

/*
 * A seat's `go` did not fit into the pipe at `now_ns`: the bot does not read.
 * Its time runs from then on, and anew once the `go` is handed over.
 */
void referee_held(struct referee *referee, int seat, int64_t now_ns);

/* A seat's `go` is kept back: no time of it runs until it is sent. */
void referee_put_off(struct referee *referee, int seat);

/* The time of a seat that is asked begins, or begins anew. */
void referee_begin_time(struct referee *referee, int seat, int64_t now_ns);

/*
 * The time of a seat that is asked is up at `now_ns`, but for `waited_ns` of it
 * others had the processor.  It gets as much more, REFEREE_REST_MAX_NS at most.
 * Whether that lasts beyond now.
 */
bool referee_give_rest(
    struct referee *referee, int seat, int64_t waited_ns, int64_t now_ns);

/*
 * The bot at a seat was watched for `wall_ns` while it was not to move, and has
 * used `cpu_ns` of CPU time.
 */
void referee_watched(
    struct referee *referee, int seat, int64_t cpu_ns, int64_t wall_ns);

/*
 * The bot at a seat has computed so much while it was not to move that it is
 * stopped from now on whenever it is not.
 */
void referee_note_ponder(struct referee *referee, int seat);

/* Whether that, or how much it has computed, is told as PONDER. */
bool referee_has_pondered(const struct referee_seat *seat);

enum referee_need referee_need(const struct referee *referee);

/* The earliest deadline of all seats; BUDGET_NEVER: none. */
int64_t referee_deadline_ns(const struct referee *referee);

/* A message that a bot may send, from 0; NULL behind the last. */
const char *referee_verb(int index);

#endif
