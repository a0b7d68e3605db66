/*
 * One game on its fixture, without a referee: its record grows as a text.
 */
#ifndef GAME_FIXTURE_H
#define GAME_FIXTURE_H

#include "game.h"

enum { GAME_FIXTURE_RECORD_SIZE = 1 << 20 };

struct game_fixture {
	struct game game;
	struct outbox outbox;
	struct game_head head;
	uint64_t random; /* of packs and moves; 0 at the opening */
	size_t length;
	char record[GAME_FIXTURE_RECORD_SIZE]; /* lines, ended by a NUL */
};

/* The game of the running test. */
extern struct game_fixture *fixture;

/* For cmocka: makes room for it. */
int game_fixture_setup(void **state);
int game_fixture_teardown(void **state);

/* Begins anew; `deals` as in game_open. */
void game_fixture_open(const char *spec, int dealer, int deals);

/* The same to the target, in so many deals at most. */
void game_fixture_open_at_most(const char *spec, int max_deals);

/* Deals these cards first; NULL: a random pack. */
enum scopa_start game_fixture_deal(const char *cards);

/* A move, as text or not. */
void game_fixture_move(const struct scopa_move *move);
void game_fixture_play(const char *text);

/* Random moves to the end of the deal, and of the game. */
void game_fixture_finish_deal(void);
void game_fixture_finish(void);

/* Takes what was written to the outbox into the record. */
void game_fixture_collect(void);

/* The last line with this verb. */
const char *game_fixture_last(const char *verb);

#endif
