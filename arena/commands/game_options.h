/*
 * What match, tournament and gate can be told alike: how a game is played, by
 * which bots, and how that is shown.
 */
#ifndef GAME_OPTIONS_H
#define GAME_OPTIONS_H

#include "block.h"
#include "countof.h"
#include "entrants.h"
#include "option.h"
#include "series.h"

enum { CONCURRENCY_MAX = 1024 }; /* games at once */

struct game_seed {
	bool given;
	struct shuffle_key key;
};

struct game_pin {
	bool given;
	enum series_pin kind;
	struct cores cores;
};

/* How many bots may think at once. */
struct game_thinkers {
	bool given;
	int count; /* or as enum in series.h */
};

/* Walls around bots, as game_sandboxes. */
enum game_sandbox {
	SANDBOX_OFF,     /* none */
	SANDBOX_AUTO,    /* the best that there are */
	SANDBOX_REQUIRE, /* none below core+tree */
	SANDBOX_COUNT
};

/* A file that a group names; NULL where it was not given. */
struct game_file {
	const char *path;
};

struct game_settings {
	struct option_memory memory; /* of --config, and all that was given */

	/* The game. */
	const char *rules, *teams;
	int64_t seats, deals, max_deals, target;
	struct game_seed seed;
	struct game_file packs;
	int packs_count;

	/* The bots; `each` is for every bot that does not say otherwise. */
	struct entrant_words bots[TOURNAMENT_BOTS_MAX];
	int bot_count;
	struct entrant_words each;
	int each_count;
	struct entrant_control control; /* for all that have none */

	bool analysis; /* bots that ask for all cards are told them */

	int sandbox;          /* enum game_sandbox */
	int64_t memory_bytes; /* of each bot; 0: any */
	int64_t scratch_bytes;
	int64_t run_as; /* the first user of bots; 0: that of the arena */

	/* Patience with them. */
	int64_t margin_ms, startup_ms, hang_ms, answer_grid_ms;
	bool no_ponder, ponder;
	int policy; /* index into game_policies: 0 is the default by parties */
	int64_t strikes;
	bool recover; /* is always so */

	/* This call. */
	int64_t concurrency; /* games at once; 0: see the command */
	struct game_pin pin;
	struct game_thinkers thinkers;
	bool json, quiet;
};

/* Names of policies, `auto` first; NULL ends them. */
extern const char *const game_policies[];

/* Words of enum game_sandbox; NULL ends them. */
extern const char *const game_sandboxes[SANDBOX_COUNT + 1];

/* The rows, by what they concern; offsets count from struct game_settings. */
extern const struct option game_rule_options[8];
extern const struct option game_bot_options[7];
extern const struct option game_patience_options[9];
extern const struct option game_call_options[4];
extern const struct option game_config_options[1];
extern const struct option game_refused_options[7];
extern const struct option game_analysis_options[1];

/* A row that stands for all rows of an array, where `field` is their struct. */
#define GAME_OPTIONS(heading, rows, settings, field)                         \
	{                                                                    \
		.kind = OPTION_TABLE, .sentence = (heading), .keys = (rows), \
		.key_count = COUNTOF(rows),                                  \
		.offset = offsetof(settings, field),                         \
	}

#endif
