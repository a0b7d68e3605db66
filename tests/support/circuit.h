/*
 * A series in a test: entrants that are built-in bots or shell scripts, games
 * that are listed, and all that was told of them.
 *
 * The test program is its own launcher and its own bots: its main() begins with
 * `if (circuit_is_role(argc, argv)) return circuit_role(argc, argv);`.
 */
#ifndef CIRCUIT_H
#define CIRCUIT_H

#include "dispatcher.h"

enum { CIRCUIT_GAMES_MAX = 512 };

/* A game that was told. */
struct circuit_told {
	struct series_result result;
	char *block; /* its record, ended by a NUL; owned */
};

struct circuit {
	struct series_config config;
	struct entrant entrants[SERIES_ENTRANTS_MAX];
	struct series_game games[CIRCUIT_GAMES_MAX];
	int game_count, next_game;
	struct circuit_told told[CIRCUIT_GAMES_MAX];
	int told_count;
	char folder[256]; /* for what scripts leave behind */

	/* What a test does in the calls; each may be NULL. */
	enum series_supply (*before_next)(
	    struct circuit *circuit, struct series *series);
	void (*after_result)(struct circuit *circuit, struct series *series);
	void (*on_tick)(struct circuit *circuit, struct series *series);
	/* NULL: the usual way of a series. */
	void (*on_signal)(struct circuit *circuit, struct series *series,
	    int signal, int count);
	int counter; /* for them */
};

bool circuit_is_role(int argc, char **argv);
int circuit_role(int argc, char **argv);

/* No entrants, no games; games are of one deal, one at a time, recorded. */
struct circuit *circuit_open(const char *spec);
void circuit_close(struct circuit *circuit);

/*
 * Adds an entrant; its number.  A script is run by sh with the path of this
 * program as $0 and the folder as $1: `exec "$0" bot first` plays.
 */
int circuit_bot(struct circuit *circuit, const char *builtin);
int circuit_script(struct circuit *circuit, const char *script);

/* Such a bot that leaves its pid in the file `starts`. */
int circuit_counted_bot(struct circuit *circuit);

/* How many of them were started, and how many of those live. */
int circuit_starts(const struct circuit *circuit);
int circuit_living(const struct circuit *circuit);

/* Adds a game: who plays at each seat, from the first. */
void circuit_game(struct circuit *circuit, const int entrants[SCOPA_SEATS_MAX]);
void circuit_pair(struct circuit *circuit, int first, int second);

/* Adds so many games of everybody against everybody, in both orders. */
void circuit_round_robin(struct circuit *circuit, int rounds);

/* Forgets what was told and plays all games; no child may be left. */
struct series_outcome circuit_play(struct circuit *circuit);

/* The same; all of them must be told, in order. */
void circuit_play_all(struct circuit *circuit);

/* All records without what tells the time; the caller frees it. */
char *circuit_records(const struct circuit *circuit);

#endif
