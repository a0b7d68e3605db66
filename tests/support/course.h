/*
 * One game on its course, without a referee: its record grows as a text.
 */
#ifndef COURSE_H
#define COURSE_H

#include "game.h"

enum { COURSE_RECORD_SIZE = 1 << 20 };

struct course {
	struct game game;
	struct outbox outbox;
	struct game_head head;
	uint64_t random; /* of packs and moves; 0 at the opening */
	size_t length;
	char record[COURSE_RECORD_SIZE]; /* lines, ended by a NUL */
};

/* The game of the running test. */
extern struct course *course;

/* For cmocka: makes room for it. */
int course_setup(void **state);
int course_teardown(void **state);

/* Begins anew; `deals` as in game_open. */
void course_open(const char *spec, int dealer, int deals);

/* The same to the target, in so many deals at most. */
void course_open_at_most(const char *spec, int max_deals);

/* Deals these cards first; NULL: a random pack. */
enum scopa_start course_deal(const char *cards);

/* A move, as text or not. */
void course_move(const struct scopa_move *move);
void course_play(const char *text);

/* Random moves to the end of the deal, and of the game. */
void course_finish_deal(void);
void course_finish(void);

/* Takes what was written to the outbox into the record. */
void course_collect(void);

/* The last line with this verb. */
const char *course_last(const char *verb);

#endif
