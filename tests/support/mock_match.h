/*
 * A match without processes: the referee, bots that are scripts, and a clock
 * that stands still unless a test moves it.
 *
 * It does what a match does around the referee: it opens games, deals
 * packs, delivers what is due and says when it was handed over.  After every
 * step it checks what must always hold: texts are whole lines, nobody is asked
 * twice, no deadline lies before its question.
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
	const char *tc; /* as users write it; NULL: move:10 */
	int64_t margin_ns;
	int strikes_max;     /* 0: 3 */
	int deals;           /* of a game; 0: to the target */
	uint64_t seed;       /* of packs and moves */
	const char *pack;    /* first cards of every pack, or NULL: random */
	bool observe_denied; /* `feature observe=1` is not granted */
	bool analysis;       /* a bot that asks for all cards is sent them */
	const char *feature; /* line of all bots, or NULL */
	const char *const *options; /* for seat 0 */
};

/* Text that grows. */
struct mock_text {
	char *bytes; /* owned, ended by a NUL */
	size_t length, capacity;
};

struct mock_seat {
	struct mock_text heard; /* all that it was sent */
	size_t looked;          /* where the next mock_heard begins */
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
	struct mock_text record; /* of all games */
	size_t looked;           /* where the next mock_recorded begins */
	int64_t now_ns;
	int64_t write_ns; /* from the question to its last byte handed over */
	uint64_t nonce, random;
	/* The seat does not read: what it is sent is not handed over. */
	bool blocked[SCOPA_SEATS_MAX], held[SCOPA_SEATS_MAX];
	/* May change a pack before it is dealt, or NULL. */
	void (*before_pack)(struct mock_match *match, struct event_pack *pack);
	/*
	 * Sees every event before the referee does, those within another one
	 * too, and what has come of an event that was within no other; or NULL.
	 */
	void (*before_event)(
	    struct mock_match *match, const struct referee_input *input);
	void (*after_event)(struct mock_match *match);
	int depth; /* of events within events */
	void *context;
	struct mock_match *next; /* of those that are open */
};

/* A match whose bots are not started.  The time is 1 s. */
struct mock_match *mock_open(const struct mock_order *order);
void mock_close(struct mock_match *match);

/* For cmocka: closes what a test has left open. */
int mock_close_all(void **state);

/* The same, with all bots ready and the first one asked. */
struct mock_match *mock_open_ready(const struct mock_order *order);

/* A process at `seat`, and one that answers the handshake as it should. */
void mock_start(struct mock_match *match, int seat);
void mock_start_ready(struct mock_match *match, int seat);

/* What a bot does. */
void mock_say(struct mock_match *match, int seat, const char *line);
void mock_flaw(struct mock_match *match, int seat, const char *bytes);
void mock_flood(struct mock_match *match, int seat);
void mock_exit(struct mock_match *match, int seat, const char *reason);

/* It stops reading, and goes on. */
void mock_block(struct mock_match *match, int seat);
void mock_unblock(struct mock_match *match, int seat);

/* From outside. */
void mock_abort(struct mock_match *match, const char *reason);

/* Whatever is due now is met. */
void mock_expire_deadlines(struct mock_match *match);

/* Moves the clock; deadlines on the way are met at their own time. */
void mock_wait(struct mock_match *match, int64_t ns);

/* The arena is away for so long, and meets no deadline on the way. */
void mock_lag(struct mock_match *match, int64_t ns);

/* The next game, seat i taken by who sat at from[i]; NULL: nobody moves. */
void mock_reseat(struct mock_match *match, const int *from);

/* The seat that is asked, or -1; `over`: the game has ended. */
int mock_turn(const struct mock_match *match);
bool mock_over(const struct mock_match *match);

/* The turn id of the last `go` that the seat has heard. */
const char *mock_turn_id(const struct mock_match *match, int seat);

/* A legal move of the deal as text: the one of this number. */
const char *mock_move(const struct mock_match *match, int index);

/* The seat to move answers so: the move, with the id of its question. */
void mock_answer(struct mock_match *match, const char *move);

/* Random legal answers: one; so many; to the end of the game. */
void mock_step(struct mock_match *match);
void mock_steps(struct mock_match *match, int count);
void mock_finish(struct mock_match *match);

/* What a seat, or the record, has got since the last look. */
const char *mock_heard(struct mock_match *match, int seat);
const char *mock_recorded(struct mock_match *match);
void mock_skip(struct mock_match *match); /* looks at everything */

/* Whether a text has this whole line; `*` at its end stands for the rest. */
bool mock_has(const char *text, const char *line);
int mock_count(const char *text, const char *line);

/* Fails where the text has, or has not, the line. */
void mock_assert_has(const char *text, const char *line);
void mock_assert_lacks(const char *text, const char *line);

/* The verbs of a text, a space between them, equal ones in a row once. */
const char *mock_verbs(const char *text);

/*
 * Plays a scenario: steps with `;` between them.  Seats count from 1 as in the
 * lines, and times are in milliseconds.
 *
 *	1 starts; 1 is ready	a process; one that has answered the handshake
 *	all ready		the same for every seat
 *	1: LINE			it says so; %M is the first legal move, %T its turn id
 *	1 exits REASON; 1 garbles BYTES; 1 floods
 *	answer MOVE; step 3; after 20; finish	as above; after: it takes so long
 *	wait 20; lag 20; stop REASON; again 21; skip
 *	turn 2; over; open; wanted; unwanted; deadline 20; offender 1
 *				what must hold: turn 0 is nobody's; open: not over
 *	1 strikes 2; 1 is killed; 1 is spared
 *	1 hears LINES; 1 verbs VERBS	all since the last look, which this is; ` / `
 *				stands between lines
 *	1 has LINE; 1 lacks LINE; 1 counts 2 LINE	since the last look
 *	record is LINES; record verbs VERBS	likewise of the record
 *	record has LINE; record lacks LINE; record counts 2 LINE	of all of it
 */
void mock_run(struct mock_match *match, const char *steps);

/* The same with a match of its own. */
struct mock_match *mock_play(const struct mock_order *order, const char *steps);

/* A test that is a scenario. */
#define SCENARIO(name, order, steps)     \
	TEST(name)                       \
	{                                \
		mock_play(order, steps); \
	}

/* Packs as they came, for a match that is played again. */
struct mock_packs {
	bool again; /* they are handed out, not taken down */
	uint8_t packs[MOCK_PACKS_MAX][SCOPA_PACK_SIZE];
	int count, next;
};

/* Takes down a pack, or replaces it: what a `before_pack` does. */
void mock_packs_pass(struct mock_packs *packs, struct event_pack *pack);

/*
 * Exchanges in the last pack what is hidden from the seat; false where that is
 * one card.
 */
bool mock_packs_exchange(struct mock_packs *packs,
    const struct mock_match *match, int seat, uint64_t *random);

#endif
