/*
 * A game of persons in browsers against bots, as the server plays it.
 *
 * It is a match like any other.  A person is one more bot behind the same
 * referee: the page gets the lines that the arena sends to its seat and no
 * others, and answers by a `move` line.  The lines are kept, so that a page that
 * is loaded anew knows what its seat knows.
 *
 * The server adds lines of its own, which begin with `x-`:
 *
 *     x-left MS            what is left for the open question
 *     x-hint MOVE          what the bot of the hints would play; or -
 *     x-fault SEAT KIND REASON   the offence by which the game was lost
 *     x-over STATUS        the game is over: `done`; `stopped`: it can go on
 *                          later; `failed`: the machine refused something
 */
#ifndef SERVE_TABLE_H
#define SERVE_TABLE_H

#include "match.h"
#include "play_hint.h"
#include "play_setup.h"

enum { SERVE_TOKEN_SIZE = 33 /* 128 bits in hex */ };

struct serve_table;

struct serve_seat {
	struct serve_table *table;
	int seat;
	char token[SERVE_TOKEN_SIZE]; /* empty: a bot sits here */
	/* All lines but questions, in memory. */
	FILE *log;
	char *lines;
	size_t size;
	/* The open question: `state`, `legal`, `go`, `x-hint`; owned, or NULL */
	char *question;
	unsigned question_count; /* a question, or its end, is another one */
	struct hint hint;
	bool hinting;                 /* the bot of the hints was asked */
	bool watched;                 /* a page is open */
	struct loop_deadline grace;   /* the game stops if no page comes back */
	struct loop_deadline barrier; /* answers `isready` */
	void *viewer;                 /* the owner's */
};

struct serve_table_config {
	struct loop *loop;
	const struct sandbox *sandbox; /* NULL: none */
	int record_fd;                 /* -1: no record */
	int64_t grace_ns;
	/* A seat has another line, or another question. */
	void (*on_news)(struct serve_seat *seat);
	/* All bots of a game that is over have ended. */
	void (*on_gone)(struct serve_table *table);
	void *context;
};

enum serve_table_state {
	SERVE_TABLE_PLAYING,
	SERVE_TABLE_OVER, /* bots are being ended */
	SERVE_TABLE_GONE
};

struct serve_table {
	const struct serve_table_config *config;
	struct play_setup setup;
	struct match *match;
	enum serve_table_state state;
	bool stopping;
	bool hints;      /* are given */
	int number;      /* of the game, from 1 */
	int next_number; /* of the next game of these persons; 0: none yet */
	struct serve_seat seats[SCOPA_SEATS_MAX];
};

/* Draws an unpredictable token.  Returns 0 or -errno. */
int serve_token_draw(char token[SERVE_TOKEN_SIZE]);

/* Compares tokens in a time that does not depend on them. */
bool serve_token_is(const char expected[SERVE_TOKEN_SIZE], const char *token);

/*
 * Sits everybody down and begins the game.  With `timed` persons have the time
 * of the bots.  Returns STATUS_DONE or prints an error; the caller closes
 * the table in any case, where it is not NULL.
 */
enum status serve_table_open(struct serve_table **table,
    const struct serve_table_config *config,
    const struct play_settings *settings, bool timed);

/* Kills bots that still run. */
void serve_table_close(struct serve_table *table);

/* Stops the game, which can go on later; a second call kills the bots. */
void serve_table_stop(struct serve_table *table);

/* A page of the seat was opened, or the last one was closed. */
void serve_seat_watch(struct serve_seat *seat, bool watched);

/*
 * Gives the referee an answer `move MOVE turn=ID`.  Returns NULL, or a sentence
 * that says why it was not given: it is no answer to the open question, or not
 * one of the moves that are offered.
 */
const char *serve_seat_answer(struct serve_seat *seat, const char *line);

/* Asks for a hint.  Returns NULL, or a sentence that says why there is none. */
const char *serve_seat_hint(struct serve_seat *seat);

/* Writes lines of the seat from `position` on, and sets it to their end. */
void serve_seat_read(struct serve_seat *seat, size_t *position, FILE *file);

/* Writes the open question, if there is one, with the time that is left. */
void serve_seat_ask(struct serve_seat *seat, FILE *file);

#endif
