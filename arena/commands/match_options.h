/*
 * What `match` can be told: its options and the struct that they fill.
 */
#ifndef MATCH_OPTIONS_H
#define MATCH_OPTIONS_H

#include "game_options.h"

struct match_settings {
	struct game_settings game;
	int64_t rounds, games; /* 0: not given */
	bool duplicate;
	struct game_file record;
	int record_count;
};

enum { MATCH_OPTION_COUNT = 8 };
extern const struct option match_options[];

#endif
