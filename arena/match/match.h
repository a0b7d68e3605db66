/*
 * One match: its bots, its referee and its record, one game after the other.
 *
 * The bots stay from game to game.  Between games they may change seats, and
 * go over to another match that needs them.  What happens comes from the loop,
 * is judged by the referee and is recorded and delivered in one function: see
 * match_step.
 */
#ifndef MATCH_H
#define MATCH_H

#include "bot.h"
#include "cpu_slots.h"
#include "fingerprint.h"
#include "loop.h"
#include "outbox.h"
#include "pack_file.h"
#include "program.h"
#include "record_write.h"
#include "referee.h"
#include "shuffle.h"
#include "summary.h"

enum {
	MATCH_STDERR_SIZE = 4096,
	MATCH_RECEIVED_SIZE = 256,
	MATCH_VOIDED_SIZE = 65, /* eight reasons of seven letters */
	ENTRANT_READ_SIZE = 4096
};

/* What a frozen bot is given to wake up, before its clock starts. */
#define MATCH_THAW_NS INT64_C(1000000)

/* A bot as the user names it. */
struct entrant {
	char name[EVENT_NAME_SIZE];     /* given by the user, or empty */
	char command[PROGRAM_SIZE];     /* as written, for messages */
	struct program program;         /* resolved */
	struct fingerprint fingerprint; /* of its file; empty: none */
	const char *dir;                /* or NULL */
	/* What it may read behind walls, besides: absolute, colons between. */
	char read[ENTRANT_READ_SIZE];
	bool allows_futexes; /* that processes share, behind walls */
	const char *const
	    *environment;           /* `NAME=VALUE`, ended by NULL, or NULL */
	const char *const *options; /* for `setoption`, likewise */
};

/* What all games of a series have in common; outlives its matches. */
struct match_rules {
	struct scopa_rules rules;
	const struct scopa_preset *preset;
	struct referee_settings settings;
	struct shuffle_key secret; /* of all packs, contributions mixed in */
	/* The secret stays one while records are written: they name what was
	 * published of it instead. */
	bool committed;
	struct shuffle_key commitment;
	bool unrecorded;               /* nobody wants the record of a game */
	const struct pack_file *packs; /* instead of shuffled ones, or NULL */
	int deals;                     /* of a game, or 0: to the target */
	int max_deals;    /* of one to the target, or 0: the default */
	int64_t grace_ns; /* from `quit` to the kill */
	const struct sandbox *sandbox; /* around bots, or NULL */
	int64_t memory_max_bytes;      /* of each bot; 0: any */
	/* Bots are frozen while they are not to move: all of them; none, even if
	 * it computes; else those that compute. */
	bool no_ponder, ponder;
	int64_t answer_grid_ns; /* answers are passed on in such steps, or 0 */
};

/* The deals after which a game to a target is a draw. */
int match_max_deals(const struct match_rules *rules);

/* One game to play. */
struct game_spec {
	int index;           /* from 0: the match's id is `m` index + 1 */
	int round, rotation; /* from 0 */
	int dealer;          /* seat that deals first */
	int entrant[SCOPA_SEATS_MAX];      /* who plays at each seat */
	char event[SHUFFLE_EVENT_MAX + 1]; /* names the packs */
	/* Why earlier attempts at it do not count: `ENV_ERR,BOX_ERR`. */
	char voided[MATCH_VOIDED_SIZE];
	/* How often in these the bot of each seat has lost its supervisor. */
	int lost_count[SCOPA_SEATS_MAX];
};

/* Why a game was lost by an offence, for people. */
struct match_fault {
	int seat; /* or -1: there was none */
	enum offence_kind kind;
	char reason[SESSION_REASON_SIZE];
	char said[SESSION_SAID_SIZE];
	char received[MATCH_RECEIVED_SIZE]; /* its last line, or empty */
	char ending[BOT_SENTENCE_SIZE];     /* how it ended, or empty */
	bool late; /* it answered only when its input had ended */
	char stderr_tail[MATCH_STDERR_SIZE];
	enum session_phase phase; /* in which it failed */
	/* The `state` line of the seat to move; empty: the bot was not asked. */
	char state[REFEREE_STATE_SIZE];
	char turn_id[REFEREE_TURN_SIZE + 1]; /* of the last question */
	int stray_count; /* lines of its stdout that are no messages.. */
	char stray[SESSION_STRAY_SIZE]; /* ..and the first of them */
	char unused
	    [SESSION_STRAY_SIZE]; /* the last of these, or of wrong answers */
	int wrong_turn_count;     /* answers with another turn= */
	/* Which option of the user's is wrong, and what would be right. */
	enum bot_option_flaw option_flaw;
	char allowed[SESSION_ALLOWED_SIZE];
	char nearest[SESSION_NAME_SIZE];
};

struct match;

/* The calls of a match; the first four may begin something, or stop it. */
struct match_events {
	/* All bots of the game are ready: it begins.  NULL is allowed. */
	void (*on_opened)(struct match *match);
	/* The game is over: see `referee`, `record`, `reading` and so on. */
	void (*on_over)(struct match *match);
	/* The bot that was greeted is ready, or has failed: see `fault`. */
	void (*on_greeted)(struct match *match);
	/* All bots have ended after match_stop or match_kill. */
	void (*on_gone)(struct match *match);
	/* The machine refused something: -errno.  No game goes on. */
	void (*on_failure)(struct match *match, int error);
};

/*
 * What a bot computes while it is not to move, by its CPU time.
 *
 * A look costs some ten microseconds a process, as much as a whole move of an
 * instant bot: so only those turns are watched that a heartbeat of the loop
 * finds open, from then on.  Of many short turns it is as many as chance will
 * have.
 */
struct ponder_watch {
	int64_t since_ns; /* when it began, or 0: the bot is not watched */
	int64_t look_ns;  /* when to look again */
	int64_t cpu_ns;   /* the bot's CPU time at since_ns */
};

/* The bot of a seat, and what is known of it. */
struct player {
	struct match *match;
	int seat;
	int entrant;
	struct bot *bot; /* NULL: the seat is empty */
	bool frozen;     /* by match_freeze */
	bool ponders;    /* it has computed when it was not to move.. */
	bool held;       /* ..and is frozen until it is */
	int void_count;  /* turns that others got anew as it computed */
	struct ponder_watch watch; /* while it is not to move */
	int64_t work_ns; /* of an answer of late: see cpu_slot_work_ns() */
	bool overfull;   /* it is killed as it has left too much unread */
	/* Nothing was heard of it in time: when to give it up; 0: not yet. */
	int64_t hear_out_ns;
	char name[EVENT_NAME_SIZE];
	char received[MATCH_RECEIVED_SIZE];
	char ending[BOT_SENTENCE_SIZE];
	char stderr_tail[MATCH_STDERR_SIZE]; /* of one that has ended */
};

/* Others read it, and change nothing but by the functions below. */
struct match {
	struct loop *loop;
	const struct match_rules *rules;
	const struct entrant *entrants;
	const struct match_events *events;
	void *context;
	struct player *players[SCOPA_SEATS_MAX]; /* at each seat; owned */
	struct loop_deadline deadline;
	struct heartbeat heartbeat; /* of the loop */
	/* With whom bots think by turns, or NULL. */
	struct cpu_slots *cpu_slots;
	struct cpu_slot_user slot_user;
	int think_seat;   /* that has entered, or one after it.. */
	int64_t think_ns; /* ..what it had thought before this decision.. */
	int32_t decision; /* ..and how many it had answered */
	struct shuffle_stream nonces;
	struct record record; /* of the game; empty with `unrecorded` */
	int pack_cursor;      /* next pack of a pack file */
	int watched_count;    /* of the players */
	/* Steps in which bots hear, with answer_grid_ns. */
	int64_t grid_origin_ns;
	int64_t release_ns; /* of what is held back, or 0: nothing is */
	bool playing;       /* between match_play and on_over */
	bool greeting;      /* between match_greet and on_greeted */
	bool stopping;
	bool quit_sent; /* stopping: its bots were sent `quit`, and may end */
	struct referee referee;
	struct outbox outbox;
	/* No move needs the rest. */
	struct game_spec game;
	struct game_head head;
	struct game_opening opening;
	struct match_fault fault;
	struct summary_reading reading; /* of the game's record */
};

/* A match without bots.  0 or -errno. */
int match_open(struct match **match, struct loop *loop,
    const struct match_rules *rules, const struct entrant *entrants,
    const struct match_events *events, void *context);

/* From now on its bots think by turns with those of other matches; NULL: not. */
void match_share_cpu(struct match *match, struct cpu_slots *cpu_slots);

/* Frees the match; its bots must be gone, or are killed. */
void match_close(struct match *match);

/* Descriptors that are open for the bots of the match. */
int match_descriptor_count(const struct match *match);

/* Bots that the match has, in whatever state. */
int match_bot_count(const struct match *match);

/* Whether the bots of just this game are there, and all are ready. */
bool match_fits(const struct match *match, const struct game_spec *game);

/*
 * Between games of both: a bot of the entrant that waits ready at `other` comes
 * over to an empty seat.  False where none does.
 */
bool match_fetch(
    struct match *match, int seat, int entrant, struct match *other);

/* Between games: kills the entrant's bots that still owe an answer. */
void match_drop_late(struct match *match, int entrant);

/*
 * Plays a game.  Bots that are ready take their seats, and bots are started for
 * the other seats; the match must have no other bots.
 */
void match_play(struct match *match, const struct game_spec *game);

/* Starts a bot of the entrant, alone in the match; on_greeted follows. */
void match_greet(struct match *match, int entrant);

/*
 * Stops the game that is on: `endmatch reason=abort`, then on_over.  One that
 * has not begun is dropped, as by match_stop.
 */
void match_abort(struct match *match, const char *reason);

/* Sends the bots `quit`; on_gone follows when the last has ended. */
void match_stop(struct match *match);

/* Kills the bots at once; on_gone follows. */
void match_kill(struct match *match);

#endif
