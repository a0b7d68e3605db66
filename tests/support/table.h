/*
 * A table without processes: the referee, bots that are scripts, and a clock
 * that stands still unless a test moves it.
 *
 * The table does what a match does around the referee: it opens games, deals
 * packs, delivers what is due and tells when it was handed over.  After every
 * step it checks what must always hold: texts are whole lines, nobody is asked
 * twice, no deadline lies before its question.
 */
#ifndef TABLE_H
#define TABLE_H

#include "referee.h"

#define TABLE_MS INT64_C(1000000)
#define TABLE_STARTUP_NS (10000 * TABLE_MS)
#define TABLE_HANG_NS (5000 * TABLE_MS)

struct table_order {
	const char *spec; /* rule set */
	enum verdict_policy policy;
	const char *tc; /* as users write it; NULL: move:10 */
	int64_t margin_ns;
	int strikes_max;     /* 0: 3 */
	int deals;           /* of a game; 0: to the target */
	uint64_t seed;       /* of packs and moves */
	const char *pack;    /* first cards of every pack, or NULL: random */
	bool observe_denied; /* `feature observe=1` is not granted */
	bool analysis;       /* who asks for all cards is told them */
	const char *feature; /* line of all bots, or NULL */
	const char *const *options; /* for seat 0 */
};

/* Text that grows. */
struct table_text {
	char *bytes; /* owned, ended by a NUL */
	size_t length, capacity;
};

struct table_seat {
	struct table_text heard; /* all that it was sent */
	size_t looked;           /* where the next table_heard begins */
	int write_count;
};

struct table {
	struct table_order order;
	struct scopa_rules rules;
	struct referee referee;
	struct game_head head;
	struct game_opening opening;
	struct outbox outbox;
	struct table_seat seats[SCOPA_SEATS_MAX];
	struct table_text record; /* of all games */
	size_t looked;            /* where the next table_recorded begins */
	int64_t now_ns;
	int64_t write_ns; /* from the question to its last byte handed over */
	uint64_t nonce, random;
	/* The seat does not read: what it is sent is not handed over. */
	bool blocked[SCOPA_SEATS_MAX], held[SCOPA_SEATS_MAX];
	/* May change a pack before it is dealt, or NULL. */
	void (*before_pack)(struct table *table, struct event_pack *pack);
	/*
	 * Sees every event before the referee does, those within another one
	 * too, and what has come of an event that was within no other; or NULL.
	 */
	void (*before_event)(
	    struct table *table, const struct referee_input *input);
	void (*after_event)(struct table *table);
	int depth; /* of events within events */
	void *context;
};

/* A table whose bots are not started.  The time is 1 s. */
struct table *table_open(const struct table_order *order);
void table_close(struct table *table);

/* The same, with all bots ready and the first one asked. */
struct table *table_open_ready(const struct table_order *order);

/* A process at `seat`, and one that answers the handshake as it should. */
void table_start(struct table *table, int seat);
void table_start_ready(struct table *table, int seat);

/* What a bot does. */
void table_say(struct table *table, int seat, const char *line);
void table_flaw(struct table *table, int seat, const char *bytes);
void table_flood(struct table *table, int seat);
void table_exit(struct table *table, int seat, const char *reason);

/* It stops reading, and goes on. */
void table_block(struct table *table, int seat);
void table_unblock(struct table *table, int seat);

/* From outside. */
void table_abort(struct table *table, const char *reason);

/* Whatever is due now is met. */
void table_meet(struct table *table);

/* Moves the clock; deadlines on the way are met at their own time. */
void table_wait(struct table *table, int64_t ns);

/* The arena is away for so long, and meets no deadline on the way. */
void table_lag(struct table *table, int64_t ns);

/* The next game, seat i taken by who sat at from[i]; NULL: nobody moves. */
void table_reseat(struct table *table, const int *from);

/* The seat that is asked, or -1; `over`: the game has ended. */
int table_turn(const struct table *table);
bool table_over(const struct table *table);

/* The turn id of the last `go` that the seat has heard. */
const char *table_turn_id(const struct table *table, int seat);

/* A legal move of the deal as text: the one of this number. */
const char *table_move(const struct table *table, int index);

/* The seat to move answers so: the move, with the id of its question. */
void table_answer(struct table *table, const char *move);

/* Random legal answers: one; so many; to the end of the game. */
void table_step(struct table *table);
void table_steps(struct table *table, int count);
void table_finish(struct table *table);

/* What a seat, or the record, has got since the last look. */
const char *table_heard(struct table *table, int seat);
const char *table_recorded(struct table *table);
void table_skip(struct table *table); /* looks at everything */

/* Whether a text has this whole line; `*` at its end stands for the rest. */
bool table_has(const char *text, const char *line);
int table_count(const char *text, const char *line);

/* Fails where the text has, or has not, the line. */
void table_assert_has(const char *text, const char *line);
void table_assert_lacks(const char *text, const char *line);

/*
 * Every preset, and some with additions, at every table that it can be played
 * at; each with a seed of its own.  The answer is how many there were.
 */
int table_each_spec(void (*visit)(const char *spec, uint64_t seed));

/* The verbs of a text, a space between them, equal ones in a row once. */
const char *table_verbs(const char *text);

#endif
