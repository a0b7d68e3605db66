/*
 * A series in a test: entrants that are built-in bots or shell scripts, games
 * that are listed, and all that was told of them.
 *
 * The test program is its own launcher and its own bots: its main() begins with
 * `if (series_fixture_is_role(argc, argv)) return series_fixture_role(argc, argv);`.
 */
#ifndef SERIES_FIXTURE_H
#define SERIES_FIXTURE_H

#include "dispatcher.h"

enum { SERIES_FIXTURE_GAMES_MAX = 512 };

/* A game that was told. */
struct series_fixture_told {
	struct game_result result;
	char *block; /* its record, ended by a NUL; owned */
};

struct series_fixture {
	struct dispatcher_config config;
	struct entrant entrants[DISPATCHER_ENTRANTS_MAX];
	struct game_spec games[SERIES_FIXTURE_GAMES_MAX];
	int game_count, next_game;
	struct series_fixture_told told[SERIES_FIXTURE_GAMES_MAX];
	int told_count;
	char folder[256]; /* for what scripts leave behind */

	/* What a test does in the calls; each may be NULL. */
	enum dispatcher_supply (*before_next)(
	    struct series_fixture *fixture, struct dispatcher *dispatcher);
	void (*after_result)(
	    struct series_fixture *fixture, struct dispatcher *dispatcher);
	void (*on_tick)(
	    struct series_fixture *fixture, struct dispatcher *dispatcher);
	/* NULL: the usual way of a series. */
	void (*on_signal)(struct series_fixture *fixture,
	    struct dispatcher *dispatcher, int signal, int count);
	int counter; /* for them */
};

bool series_fixture_is_role(int argc, char **argv);
int series_fixture_role(int argc, char **argv);

/* No entrants, no games; games are of one deal, one at a time, recorded. */
struct series_fixture *series_fixture_open(const char *spec);
void series_fixture_close(struct series_fixture *fixture);

/* For cmocka: closes what the test has left open. */
int series_fixture_teardown(void **state);

/*
 * Adds an entrant; its number.  A script is run by sh with the path of this
 * program as $0 and the folder as $1: `exec "$0" bot first` plays.
 */
int series_fixture_bot(struct series_fixture *fixture, const char *builtin);
int series_fixture_script(struct series_fixture *fixture, const char *script);

/* Such a bot that leaves its pid in the file `starts`. */
int series_fixture_counted_bot(struct series_fixture *fixture);

/* How many of them were started, and how many of those live. */
int series_fixture_starts(const struct series_fixture *fixture);
int series_fixture_living(const struct series_fixture *fixture);

/* Adds a game: who plays at each seat, from the first. */
void series_fixture_game(
    struct series_fixture *fixture, const int entrants[SCOPA_SEATS_MAX]);
void series_fixture_pair(struct series_fixture *fixture, int first, int second);

/* Adds so many games of everybody against everybody, in both orders. */
void series_fixture_round_robin(struct series_fixture *fixture, int rounds);

/* Forgets what was told and plays all games; no child may be left. */
struct dispatcher_outcome series_fixture_play(struct series_fixture *fixture);

/* The same; all of them must be told, in order. */
void series_fixture_play_all(struct series_fixture *fixture);

/* All records without what tells the time; the caller frees it. */
char *series_fixture_records(const struct series_fixture *fixture);

#endif
