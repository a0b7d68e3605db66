/*
 * The settings of `match`: its options and the struct that they fill.
 */
#ifndef CMD_MATCH_H
#define CMD_MATCH_H

#include "dispatcher.h"
#include "game_options.h"

struct match_settings {
	struct game_settings game;
	int64_t rounds, games; /* 0: not given */
	bool duplicate;
	struct game_file record;
	int record_count;
};

extern const struct option match_options[];

#endif
