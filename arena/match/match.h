/*
 * One match: its bots, its referee and its record. It plays one game after the
 * other.
 *
 * The bots stay from game to game. Between games they may change seats, or move
 * to another match that needs them. The event loop reports what happens. One
 * function, match_step() in match.c, lets the referee judge it, writes the
 * record and sends lines to the bots.
 */
#ifndef MATCH_H
#define MATCH_H

#include "bot.h"
#include "cpu_slots.h"
#include "deal_keys.h"
#include "live.h"
#include "loop.h"
#include "outbox.h"
#include "pack_file.h"
#include "program.h"
#include "record_write.h"
#include "referee.h"
#include "shuffle.h"
#include "summary.h"
#include "trace.h"

enum {
	MATCH_RECEIVED_SIZE = 256,
	MATCH_REFUSAL_SIZE = 128, /* a sentence */
	/* Eight reasons of seven letters, commas: see infra_failure_note(). */
	MATCH_VOIDED_SIZE = 65,
	ENTRANT_READ_SIZE = 4096
};

/* The time that a frozen bot has to wake up before its clock starts. */
#define MATCH_THAW_NS INT64_C(1000000)

/* A bot as the user describes it, or a person. */
struct entrant {
	/*
	 * A person: the owner of the match answers in its place (see on_due of
	 * struct match_events), and it has no process.
	 */
	bool is_person;
	bool is_timed; /* the person has the time of the bots; else no limit */
	bool observes; /* the person hears of plays at once, as by `observe` */
	char name[EVENT_NAME_SIZE];     /* given by the user, or empty */
	char command[PROGRAM_SIZE];     /* as the user wrote it, for messages */
	struct program program;         /* resolved */
	struct fingerprint fingerprint; /* of its file; empty: none */
	const char *dir;                /* its working folder, or NULL */
	/*
	 * Further paths that it may read in the sandbox: absolute, separated by
	 * colons.
	 */
	char read[ENTRANT_READ_SIZE];
	bool allows_futexes; /* processes share them, in the sandbox */
	/* `NAME=VALUE`, ended by NULL, or NULL */
	const char *const *environment;
	const char *const *options; /* for `setoption`, in the same form */
};

/* What all games of a run have in common. It must outlive the matches. */
struct match_rules {
	struct scopa_rules rules;
	const struct scopa_preset *preset;
	struct referee_settings settings;
	/* The key that deal keys and seeds of bots come from: see shuffle.h. */
	struct shuffle_key root_key;
	/* For games that have `keys` instead of the secret; or NULL. */
	struct deal_keys_table *deal_keys;
	/*
	 * If `committed`, the secret is not published while records are
	 * written. The records hold the commitment instead.
	 */
	bool committed;
	struct shuffle_key commitment;
	bool unrecorded;               /* games are played without a record */
	const struct pack_file *packs; /* instead of the secret, or NULL */
	int deals;     /* of each game; 0: play until the target is reached */
	int max_deals; /* of a game to the target; 0: the default */
	int64_t grace_ns; /* time from `quit` until a bot is killed */
	const struct sandbox *sandbox; /* in which bots run, or NULL */
	int64_t memory_max_bytes;      /* for each bot; 0: no limit */
	/*
	 * Which bots are frozen while they are not to move. With no_ponder:
	 * all. With ponder: only those that have cost another bot a turn. With
	 * neither: those that compute.
	 */
	bool no_ponder, ponder;
	/* Time is given back to all bots, not only to those with little. */
	bool gives_back_always;
	int64_t answer_grid_ns;  /* step for sending lines on; 0: at once */
	struct trace *trace;     /* to which lines are written, or NULL */
	const struct live *live; /* what viewers see, or NULL */
};

/* The number of deals after which a game to the target is a draw. */
int match_max_deals(const struct match_rules *rules);

/* The index of a match whose bots are only greeted. */
enum { GAME_NONE = -1 };

/* One game to play. */
struct game_spec {
	/* From 0, or GAME_NONE. The id of the match is `m` and index + 1. */
	int index;
	int round, rotation;          /* from 0 */
	int dealer;                   /* seat that deals first */
	int entrant[SCOPA_SEATS_MAX]; /* index of the entrant at each seat */
	char event[SHUFFLE_EVENT_MAX + 1]; /* its packs depend on this text */
	/*
	 * Slot `keys` - 1 of the table of deal keys has what depends on the
	 * secret of the run. 0: this machine knows the secret.
	 */
	int keys;
	/* Why earlier attempts at this game are void: `ENV_ERR,BOX_ERR`. */
	char voided[MATCH_VOIDED_SIZE];
	/* How often in them the bot of each seat has lost its supervisor. */
	int lost_supervisors[SCOPA_SEATS_MAX];
	/* The head of a game that is played again; NULL: a new one is made. */
	const struct game_head *head;
	/* The points before its first deal; NULL: none. */
	const struct scopa_tally *tally;
};

/* Why a game was lost by an offence, for messages to the user. */
struct match_fault {
	int seat; /* of the bot at fault; -1: no offence */
	enum offence_kind kind;
	char reason[SESSION_REASON_SIZE];
	/* The line at fault, or the last line that was no answer, or empty. */
	char said[SESSION_SAID_SIZE];
	char received[MATCH_RECEIVED_SIZE]; /* last line before the game */
	char ending[BOT_SENTENCE_SIZE]; /* how its process ended, or empty */
	bool late; /* it wrote only after its stdin had been closed */
	/* What it wrote after its last line end, escaped. */
	char unfinished[BOT_UNFINISHED_SIZE];
	bool mute; /* late, and it has said nothing in the whole game */
	char stderr_tail[BOT_STDERR_SIZE]; /* end of its stderr, escaped */
	enum session_phase phase;          /* in which it failed */
	char refusal
	    [MATCH_REFUSAL_SIZE]; /* why its move was illegal, or empty */
	/* The `state` line of its turn; empty: the bot was not asked. */
	char state[REFEREE_STATE_SIZE];
	char turn_id[REFEREE_TURN_SIZE + 1]; /* of the last question */
	int stray_count; /* lines of its stdout with an unknown verb */
	char stray[SESSION_STRAY_SIZE]; /* the first of these lines */
	int wrong_turn_count;           /* answers with a wrong turn= */
	/* What is wrong with an option of the user, and what is allowed. */
	enum bot_option_flaw option_flaw;
	char allowed[SESSION_ALLOWED_SIZE];
	char nearest[SESSION_NAME_SIZE];
};

struct match;

/*
 * Callbacks. In the first five the owner may stop the match; in the first four
 * it may also begin a game.
 */
struct match_events {
	/* All bots of the game are ready, and it begins. NULL is allowed. */
	void (*on_opened)(struct match *match);
	/* The game is over. Its result is in `referee`, `record`, `reading`. */
	void (*on_over)(struct match *match);
	/* The bot of match_greet() is ready, or has failed: see `fault`. */
	void (*on_greeted)(struct match *match);
	/* All bots have ended after match_stop() or match_kill(). */
	void (*on_gone)(struct match *match);
	/* The system refused something: -errno. The game has ended. */
	void (*on_failure)(struct match *match, int error);
	/*
	 * Lines are due for a seat. If this returns true, the question at their
	 * end is not sent, and the owner answers it by match_answer(), but not
	 * from this call. All lines of a person end here. NULL: no seat is a
	 * person's, and bots are sent all their questions.
	 */
	bool (*on_due)(struct match *match, int seat, const char *lines);
	/*
	 * A bot has written a line. Returns the line that is judged in its
	 * place, which may be the same. NULL: all lines are judged as they are.
	 */
	const char *(*on_line)(struct match *match, int seat, const char *line);
	/*
	 * A deal begins with this pack. The owner may change it; if this
	 * returns false, the game is aborted. NULL: the pack is dealt.
	 */
	bool (*on_pack)(struct match *match, struct event_pack *pack);
	/* See struct bot_options; not called if the rules have a trace. */
	void (*on_traffic)(struct bot *bot, const struct bot_traffic *traffic);
};

/*
 * The CPU time that a bot uses while it is not to move.
 *
 * Reading the CPU time takes about ten microseconds for each process, as long
 * as a whole move of a very fast bot. So a turn is watched only if a heartbeat
 * of the loop finds it open, and only from then on. Of many short turns, chance
 * decides which are watched.
 */
struct ponder_watch {
	struct bot_watch cpu;
	int64_t check_ns; /* when the CPU time is read next */
};

/* The bot of a seat, and what the match knows about it. */
struct player {
	struct match *match;
	int seat;
	int entrant;
	struct bot *bot;  /* NULL: the seat is empty */
	bool frozen;      /* by match_freeze */
	bool ponders;     /* in this game it computed when it was not to move */
	bool must_freeze; /* to be frozen whenever it is not to move */
	int void_count; /* turns of others that are void because it computed */
	struct ponder_watch watch; /* while it is not to move */
	int64_t work_ns; /* CPU time of an answer: see cpu_slot_work_ns() */
	/* Why the arena kills it: `EOF`, `UNREAD`; NULL: it does not. */
	const char *given_up_for;
	/*
	 * If the bot was silent for too long, the time until which its last
	 * output is awaited: see match_await_last_output(). 0: not yet.
	 */
	int64_t last_output_ns;
	char name[EVENT_NAME_SIZE];
	char received[MATCH_RECEIVED_SIZE]; /* see struct match_fault */
	char ending[BOT_SENTENCE_SIZE];     /* see struct match_fault */
	char stderr_tail[BOT_STDERR_SIZE];  /* stored when the bot has ended */
	struct trace_bot trace;             /* used if there is a trace */
};

/* Other files may read the fields. Only the functions below change them. */
struct match {
	struct loop *loop;
	const struct match_rules *rules;
	const struct entrant *entrants;
	const struct match_events *events;
	void *context;
	struct player *players[SCOPA_SEATS_MAX]; /* at each seat; owned */
	struct loop_deadline deadline;
	struct heartbeat heartbeat; /* of the loop */
	/* Slots that the bots of several matches share, or NULL. */
	struct cpu_slots *cpu_slots;
	struct cpu_slot_user slot_user;
	int think_seat;   /* the seat that asked for a slot last */
	int64_t think_ns; /* time that it had thought before this decision */
	/* The decision_count of that seat when it asked; NO_DECISION: the time
	 * of the decision has been stored. */
	int32_t decision;
	struct shuffle_stream nonces;
	struct record record; /* of the game; empty with `unrecorded` */
	int pack_cursor;      /* index of the next pack of a pack file */
	int watched_count;    /* players that are watched now */
	/* With answer_grid_ns: the beginning of the first step; 0: not yet. */
	int64_t grid_origin_ns;
	struct live_place live;
	int64_t release_ns; /* when held lines are sent; 0: no line is held */
	bool playing;       /* between match_play and on_over */
	bool greeting;      /* between match_greet and on_greeted */
	bool stopping;      /* between match_stop or match_kill and on_gone */
	bool quit_sent;     /* stopping: the bots were sent `quit` */
	bool lacks_keys;    /* see struct game_result */
	struct referee referee;
	struct outbox outbox;
	/* The fields below are not used for a move. */
	struct game_spec game;
	struct game_head head;
	struct game_opening opening;
	struct match_fault fault;
	struct summary_reading reading; /* of the game's record */
};

/*
 * Opens a match without bots. `loop`, `rules`, `entrants` and `events` must
 * outlive it. Returns 0 or -errno. The caller closes the match.
 */
int match_open(struct match **match, struct loop *loop,
    const struct match_rules *rules, const struct entrant *entrants,
    const struct match_events *events, void *context);

/*
 * From now on the bots think by turns with the bots of all matches that share
 * `cpu_slots`. NULL: they need no slot.
 */
void match_share_cpu(struct match *match, struct cpu_slots *cpu_slots);

/*
 * From now on viewers see its games in this slot of the file of rules->live.
 */
void match_set_live_slot(struct match *match, int slot);

/* Kills the bots and frees the match; NULL is allowed. */
void match_close(struct match *match);

/* The number of descriptors that are open for the bots of the match. */
int match_descriptor_count(const struct match *match);

/* The number of bots in the match, in any state. */
int match_bot_count(const struct match *match);

/* Whether all bots of this game are in the match and ready. */
bool match_fits(const struct match *match, const struct game_spec *game);

/*
 * Moves a bot of the entrant that waits ready in `other` to the empty seat of
 * `match`. Neither match may be playing. Returns false if no such bot waits in
 * `other`.
 */
bool match_fetch(
    struct match *match, int seat, int entrant, struct match *other);

/* Between games: kills the bots of the entrant that are not ready. */
void match_drop_late(struct match *match, int entrant);

/*
 * Plays a game. Bots that are ready take their seats, and bots are started for
 * the other seats. The match must have no bots of other games. on_over or
 * on_failure follows.
 */
void match_play(struct match *match, const struct game_spec *game);

/*
 * Starts a bot of the entrant in a match without bots. on_greeted or on_failure
 * follows.
 */
void match_greet(struct match *match, int entrant);

/*
 * Stops the game that is being played: bots are sent `endmatch reason=abort`,
 * and on_over follows. A game that has not begun is dropped, as by
 * match_stop().
 */
void match_abort(struct match *match);

/*
 * Sends the bots `quit`, and kills those that have not ended after grace_ns.
 * on_gone follows when the last bot has ended.
 */
void match_stop(struct match *match);

/* Kills the bots at once. on_gone follows when the last bot has ended. */
void match_kill(struct match *match);

/* An input to the referee that happened at `now_ns`, with a fresh nonce. */
struct referee_input match_input(struct match *match,
    enum referee_input_kind kind, int seat, int64_t now_ns);

/*
 * Handles every input: the referee judges it, the record stores the lines that
 * follow, the bots are sent these lines, and the next deadline is set.
 */
void match_step(struct match *match, const struct referee_input *input);

#endif
