/*
 * What the files of a match share.
 *
 * match.c is what happens at the table, match_life.c how games and bots begin
 * and end, match_head.c what is said of the players, match_pace.c when they may
 * run and when they hear, match_turns.c when they are asked, match_hindrance.c
 * what time they get back, match_watch.c what they do out of turn.
 */
#ifndef MATCH_STATE_H
#define MATCH_STATE_H

#include "match.h"
#include "thinkers.h"

/* Who sits at a seat. */
struct player {
	struct match *match;
	int seat;
	int entrant;
	struct bot *bot;    /* NULL: the seat is empty */
	bool frozen;        /* by match_freeze */
	bool ponders;       /* it has computed when it was not to move.. */
	bool held;          /* ..and is frozen until it is */
	int void_count;     /* turns that others got anew as it computed */
	int64_t watched_ns; /* since when it is watched, or 0: it is not */
	int64_t look_ns;    /* when to look whether it computes */
	int64_t effort_ns;  /* its CPU time when it was first watched */
	int64_t work_ns;    /* of an answer of late: see thinker_work_ns() */
	bool overfull;      /* it is killed as it has left too much unread */
	/* Nothing was heard of it in time: when to give it up; 0: not yet. */
	int64_t hear_out_ns;
	char name[EVENT_NAME_SIZE];
	char received[MATCH_RECEIVED_SIZE];
	char ending[BOT_SENTENCE_SIZE];
	char stderr_tail[MATCH_STDERR_SIZE]; /* of one that has ended */
};

struct match {
	struct loop *loop;
	const struct match_rules *rules;
	const struct entrant *entrants;
	const struct match_events *events;
	void *context;
	struct player *players[SCOPA_SEATS_MAX]; /* at each seat; owned */
	struct loop_deadline deadline;
	struct pulse pulse; /* of the loop */
	/* With whom bots think by turns, or NULL; see match_turns.c. */
	struct thinkers *thinkers;
	struct steal *steal; /* of the loop, or NULL: nobody looks */
	struct thinker thinker;
	int think_seat;   /* that has entered, or one after it.. */
	int64_t think_ns; /* ..what it had thought before this decision.. */
	int32_t decision; /* ..and how many it had answered */
	struct shuffle_stream nonces;
	struct record record;
	int pack_cursor;   /* next pack of a pack file */
	int watched_count; /* of the players */
	/* Steps in which bots hear, with answer_grid_ns; see match_pace.c. */
	int64_t grid_origin_ns;
	int64_t release_ns; /* of what is held back, or 0: nothing is */
	bool playing;       /* between match_play and on_over */
	bool greeting;      /* between match_greet and on_greeted */
	bool stopping;
	bool dismissed; /* stopping: its bots were told to quit, and may */
	struct referee referee;
	struct outbox outbox;
	/* What no move has need of. */
	struct series_game game;
	struct game_head head;
	struct game_opening opening;
	struct match_fault fault;
};

static inline int
match_seat_count(const struct match *match)
{
	return match->rules->rules.players;
}

/* The calls of every bot at the table. */
extern const struct bot_events match_bot_calls;

/* An event of this moment, with a fresh nonce. */
struct referee_event match_event(struct match *match,
    enum referee_event_kind kind, int seat, int64_t now_ns);

/* Takes an event on its whole way: see match.c. */
void match_take(struct match *match, const struct referee_event *event);
void match_on_deadline(struct loop_deadline *deadline, int64_t now_ns);
void match_on_late(struct pulse *pulse, int64_t now_ns, int64_t lag_ns);

/*
 * Bots that are not to move are watched, in turns that last: from a beat of the
 * loop to the end of the turn.
 */
void match_on_beat(struct pulse *pulse, int64_t now_ns);

/*
 * Voids the turns of those whose time is up at `now_ns` in which another bot
 * has computed: whether there was one.
 */
bool match_void_turns(struct match *match, int64_t now_ns);

/* The turn may end with this event: what was seen goes to the referee. */
void match_end_watch(struct match *match, const struct referee_event *event);

/*
 * Whether what this event has brought must wait for the end of its step, which
 * is release_ns from then on.
 */
bool match_must_hold(struct match *match, const struct referee_event *event);

/*
 * Whether the seat's question must wait, and its clock, until a place is free
 * to think at.
 */
bool match_must_wait(struct match *match, int seat);

/* Gives the place up if nobody at the table has need of it. */
void match_end_thought(struct match *match);

/* Gives the place up, or its wait for one. */
void match_leave_line(struct match *match);

/* There is a place for the seat that was to wait. */
void match_on_place(struct thinker *thinker);

/* A question goes out to the seat: from now on it may be hindered. */
void match_begin_hindrance(struct match *match, int seat);

/*
 * Gives the rest of its time to who was hindered: whether somebody has more
 * than until now.
 */
bool match_give_rest(struct match *match, int64_t now_ns);

/* Whether the bot speaks before it has heard its question. */
bool match_is_early(const struct match *match, int seat);

/* Freezes bots that are not to move. */
void match_freeze(struct match *match);

/* Lets one go on that is.  How much later its clock starts for it, in ns. */
int64_t match_thaw(struct match *match, int seat);

/* Sets the deadline to what comes next. */
void match_set_deadline(struct match *match);

/* Sends what is due, and ends the bots that the referee gave up. */
void match_deliver(struct match *match);

/* The bots hear of what has happened, and the clock is set for what follows. */
void match_tell_bots(struct match *match);

/* The machine refused something: -errno. */
void match_fail(struct match *match, int error);

/* Starts a player's program and the conversation.  0 or -errno. */
int match_start_player(struct player *player);

/*
 * Before a bot is given up that has said nothing at all: its input is ended, so
 * that what it has kept in a buffer may come out and tell why.  The answer is
 * when that has lasted long enough, `now_ns` at the latest where nobody is
 * waited for.
 */
int64_t match_hear_out(struct match *match, int64_t now_ns);

/* Tells that the last bot has ended, after match_stop. */
void match_check_gone(struct match *match);

/* Names the players and writes the head of the game's record. */
void match_fill_head(struct match *match);

/* Keeps what its bot wrote to stderr last, for when the bot is gone. */
void match_keep_tail(struct player *player);

/* Keeps why the game was lost by an offence. */
void match_note_fault(struct match *match);

/* Tells that the bot which was greeted is ready, or has failed. */
void match_check_greeting(struct match *match);

#endif
