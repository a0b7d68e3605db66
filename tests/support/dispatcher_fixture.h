/*
 * A series in a test: entrants that are built-in bots or shell scripts, a list
 * of games, and their results.
 */
#ifndef DISPATCHER_FIXTURE_H
#define DISPATCHER_FIXTURE_H

#include "dispatcher.h"
#include "folder.h"

enum { DISPATCHER_FIXTURE_GAMES_MAX = 512 };

/* A reported game. */
struct dispatcher_fixture_result {
	struct game_result result;
	char *block; /* its record, ended by a NUL; owned */
};

struct dispatcher_fixture {
	struct dispatcher_config config;
	struct entrant entrants[DISPATCHER_ENTRANTS_MAX];
	struct game_spec games[DISPATCHER_FIXTURE_GAMES_MAX];
	int game_count, next_game;
	struct dispatcher_fixture_result results[DISPATCHER_FIXTURE_GAMES_MAX];
	int result_count;
	char folder[FOLDER_SIZE]; /* for files that scripts write */

	struct dispatcher_calls calls; /* a test may set the last two */
	/* Functions that the first two call; each may be NULL. */
	enum dispatcher_supply (*before_next)(
	    struct dispatcher_fixture *fixture, struct dispatcher *dispatcher);
	void (*after_result)(
	    struct dispatcher_fixture *fixture, struct dispatcher *dispatcher);
	int counter; /* for these functions */
};

/* No entrants, no games; games are of one deal, one at a time, recorded. */
struct dispatcher_fixture *dispatcher_fixture_open(const char *spec);
void dispatcher_fixture_close(struct dispatcher_fixture *fixture);

/* For cmocka: closes the fixtures that the test has left open. */
int dispatcher_fixture_teardown(void **state);

/*
 * Adds an entrant and returns its number.  A script is run by sh with the path
 * of this program as $0 and the folder as $1: `exec "$0" bot first` plays.
 */
int dispatcher_fixture_bot(
    struct dispatcher_fixture *fixture, const char *builtin);
int dispatcher_fixture_script(
    struct dispatcher_fixture *fixture, const char *script);

/* Adds a bot that writes its pid to the file `starts`. */
int dispatcher_fixture_counted_bot(struct dispatcher_fixture *fixture);

/* The number of such bots that were started, and of those still alive. */
int dispatcher_fixture_starts(const struct dispatcher_fixture *fixture);
int dispatcher_fixture_living(const struct dispatcher_fixture *fixture);

/* Adds a game: the entrant at each seat, from the first. */
void dispatcher_fixture_game(
    struct dispatcher_fixture *fixture, const int entrants[SCOPA_SEATS_MAX]);
void dispatcher_fixture_pair(
    struct dispatcher_fixture *fixture, int first, int second);

/* Adds `rounds` games of each bot against each other, in both orders. */
void dispatcher_fixture_round_robin(
    struct dispatcher_fixture *fixture, int rounds);

/* Removes earlier results and plays all games; no child may be left. */
struct dispatcher_outcome dispatcher_fixture_play(
    struct dispatcher_fixture *fixture);

/* The same; all games must be reported, in order. */
void dispatcher_fixture_play_all(struct dispatcher_fixture *fixture);

/* All records without times; the caller frees it. */
char *dispatcher_fixture_records(const struct dispatcher_fixture *fixture);

#endif
