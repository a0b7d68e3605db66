/*
 * What `match` can be told: its options and the struct that they fill.
 */
#ifndef CMD_MATCH_H
#define CMD_MATCH_H

#include "dispatcher.h"
#include "game_options.h"
#include "report.h"

struct match_settings {
	struct game_settings game;
	int64_t rounds, games; /* 0: not given */
	bool duplicate;
	struct game_file record;
	int record_count;
};

enum { MATCH_OPTION_COUNT = 8 };
extern const struct option match_options[];

/*
 * What `match` prints: games as they end, and the result.
 */

/* Totals of one entrant over the series. */
struct match_total {
	char name[EVENT_NAME_SIZE];
	int64_t wins, draws, losses;
	int64_t points; /* of its team, all games */
	int64_t item_points[SCOPA_ITEM_COUNT];
	int64_t offences[OFFENCE_KIND_COUNT];
	int64_t think_ns, think_longest_ns, decision_count;
	int64_t unasked_count, cut_short;
	int64_t ponder_ns, ponder_games; /* see game_result */
	bool hinted; /* told that it may have run into the walls */
};

#endif
