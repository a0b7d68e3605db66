/*
 * A match without processes: the referee, bots that are scripts, and a clock
 * that only the test moves.
 *
 * It does the work of a match around the referee: it opens games, supplies
 * packs, delivers the lines that are due and reports when they were written.
 * After every step it checks what must always be true: texts are whole lines,
 * no seat is asked twice, no deadline is earlier than its question.
 */
#ifndef MOCK_MATCH_H
#define MOCK_MATCH_H

#include "referee.h"

#define MOCK_MS INT64_C(1000000)
#define MOCK_STARTUP_NS (10000 * MOCK_MS)
#define MOCK_HANG_NS (5000 * MOCK_MS)

enum { MOCK_PACKS_MAX = 64 };

struct mock_order {
	const char *spec; /* rule set */
	enum verdict_policy policy;
	const char *tc; /* time control as users write it; NULL: move:10 */
	int64_t margin_ns;
	int strikes_max;     /* 0: 3 */
	int deals;           /* of a game; 0: to the target */
	uint64_t seed;       /* for packs and moves */
	const char *pack;    /* first cards of each pack; NULL: random packs */
	bool analysis;       /* a bot that asks for all cards is sent them */
	const char *feature; /* `feature` line of all bots, or NULL */
	const char *const *options; /* options of seat 0 */
};

/* Text that grows. */
struct mock_text {
	char *bytes; /* owned, ended by a NUL */
	size_t length, capacity;
};

struct mock_seat {
	struct mock_text sent; /* all lines sent to this seat */
	size_t looked;         /* start of the next mock_sent */
	int write_count;
};

struct mock_match {
	struct mock_order order;
	struct scopa_rules rules;
	struct referee referee;
	struct game_head head;
	struct game_opening opening;
	struct outbox outbox;
	struct mock_seat seats[SCOPA_SEATS_MAX];
	struct mock_text record; /* lines of all games */
	size_t looked;           /* start of the next mock_recorded */
	int64_t now_ns;
	int64_t
	    write_ns; /* time until the last byte of a question is written */
	uint64_t nonce, random;
	/* The seat does not read: lines to it are held back. */
	bool blocked[SCOPA_SEATS_MAX], held[SCOPA_SEATS_MAX];
	/* May change a pack before it is dealt, or NULL. */
	void (*before_pack)(struct mock_match *match, struct event_pack *pack);
	/*
	 * Called before the referee gets an event, even one within another
	 * event; and after an event that was within no other.  Or NULL.
	 */
	void (*before_event)(
	    struct mock_match *match, const struct referee_input *input);
	void (*after_event)(struct mock_match *match);
	int depth; /* nesting of events */
	void *context;
	struct mock_match *next; /* list of all open matches */
};

/* A match whose bots are not started.  The time is 1 s. */
struct mock_match *mock_open(const struct mock_order *order);
void mock_close(struct mock_match *match);

/* For cmocka: closes the matches that a test has left open. */
int mock_close_all(void **state);

/* The same, but all bots are ready and the first one is asked. */
struct mock_match *mock_open_ready(const struct mock_order *order);

/* Starts a process at `seat`; mock_start_ready also answers the handshake. */
void mock_start(struct mock_match *match, int seat);
void mock_start_ready(struct mock_match *match, int seat);

/* What a bot does. */
void mock_say(struct mock_match *match, int seat, const char *line);

/* The bot reads again. */
void mock_unblock(struct mock_match *match, int seat);

/* Meets all deadlines that are due now. */
void mock_expire_deadlines(struct mock_match *match);

/* Moves the clock; deadlines on the way are met at their own time. */
void mock_wait(struct mock_match *match, int64_t ns);

/* The arena sleeps for this time, and meets no deadline meanwhile. */
void mock_lag(struct mock_match *match, int64_t ns);

/*
 * The next game: seat i is that of the bot from seat from[i]; NULL: all stay.
 */
void mock_reseat(struct mock_match *match, const int *from);

/* The seat that is asked, or -1; `over`: the game has ended. */
int mock_turn(const struct mock_match *match);
bool mock_over(const struct mock_match *match);

/* The turn id of the last `go` that the seat was sent. */
const char *mock_turn_id(const struct mock_match *match, int seat);

/* The legal move with this index, as text. */
const char *mock_move(const struct mock_match *match, int index);

/* The seat to move answers with this move and the id of its question. */
void mock_answer(struct mock_match *match, const char *move);

/* Random legal answers: one; `count`; to the end of the game. */
void mock_step(struct mock_match *match);
void mock_steps(struct mock_match *match, int count);
void mock_finish(struct mock_match *match);

/* The lines sent to a seat, or recorded, since the last call. */
const char *mock_sent(struct mock_match *match, int seat);
const char *mock_recorded(struct mock_match *match);
void mock_skip(
    struct mock_match *match); /* does so for all seats and the record */

/* Whether a text has this whole line; `*` at its end stands for the rest. */
bool mock_has(const char *text, const char *line);
int mock_count(const char *text, const char *line);

/* Fails if the text lacks the line, or has it. */
void mock_assert_has(const char *text, const char *line);
void mock_assert_lacks(const char *text, const char *line);

/* The verbs of a text with a space between; equal ones in a row appear once. */
const char *mock_verbs(const char *text);

/*
 * Plays a scenario: steps with `;` between them.  Seats count from 1 as in the
 * lines, and times are in milliseconds.
 *
 *	1 starts; 1 is ready	a process; one that has answered the handshake
 *	all ready		the same for every seat
 *	1: LINE			it sends this; %M is the first legal move, %T its turn id
 *	1 exits REASON; 1 garbles BYTES; 1 floods
 *	answer MOVE; step 3; after 20; finish	as above; after: it takes 20 ms
 *	wait 20; lag 20; stop REASON; again 21; skip
 *	turn 2; over; open; wanted; unwanted; deadline 20; offender 1
 *				what must be true; turn 0: no seat is asked; open: not over
 *	1 strikes 2; 1 is killed; 1 is spared
 *	1 gets LINES; 1 verbs VERBS	all since the last such step; ` / `
 *				is between lines
 *	1 has LINE; 1 lacks LINE; 1 counts 2 LINE	since then
 *	record is LINES; record verbs VERBS	the same of the record
 *	record has LINE; record lacks LINE; record counts 2 LINE	of all of it
 */
void mock_run(struct mock_match *match, const char *steps);

/* A step of one seat, without its number: `exits EOF`. */
void mock_act(struct mock_match *match, int seat, const char *step);

/* The same with a match of its own. */
struct mock_match *mock_play(const struct mock_order *order, const char *steps);

/* A test that is a scenario. */
#define SCENARIO(name, order, steps)     \
	TEST(name)                       \
	{                                \
		mock_play(order, steps); \
	}

/* The packs of a match, so that it can be played again. */
struct mock_packs {
	bool again; /* the packs are dealt, and not stored */
	uint8_t packs[MOCK_PACKS_MAX][SCOPA_PACK_SIZE];
	int count, next;
};

/* Stores a pack, or replaces it by a stored one: for `before_pack`. */
void mock_packs_pass(struct mock_packs *packs, struct event_pack *pack);

/*
 * Exchanges cards in the last pack that are hidden from the seat; false if only
 * one card is hidden.
 */
bool mock_packs_exchange(struct mock_packs *packs,
    const struct mock_match *match, int seat, uint64_t *random);

#endif
