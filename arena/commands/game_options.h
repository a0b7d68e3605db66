/*
 * What match, tournament and gate can be told alike: how a game is played, by
 * which bots, and how that is shown.
 */
#ifndef GAME_OPTIONS_H
#define GAME_OPTIONS_H

#include "entrants.h"
#include "option.h"
#include "series.h"

struct game_seed {
	bool given;
	struct shuffle_key key;
};

struct game_pin {
	enum series_pin kind;
	struct cores cores;
};

/* A file that a group names; NULL where it was not given. */
struct game_file {
	const char *path;
};

struct game_settings {
	struct option_memory memory; /* of --config, and all that was given */

	/* The game. */
	const char *rules, *teams;
	int64_t seats, deals, target;
	struct game_seed seed;
	struct game_file packs;
	int packs_count;

	/* The bots; `each` is for every bot that does not say otherwise. */
	struct entrant_words each;
	int each_count;
	struct budget_control control;
	int64_t margin_ms, startup_ms, hang_ms;
	int policy; /* index into game_policies: 0 is the default by parties */
	int64_t strikes;
	bool recover; /* bots are always started again */

	/* This call. */
	int64_t concurrency; /* 0: as many as the program may use cores */
	struct game_pin pin;
	bool json, quiet;
};

/* Names of policies, `auto` first; NULL ends them. */
extern const char *const game_policies[];

#endif
