/*
 * What `match` can be told: its options and the struct that they fill.
 */
#ifndef MATCH_OPTIONS_H
#define MATCH_OPTIONS_H

#include "entrants.h"
#include "option.h"
#include "plan.h"
#include "series.h"

struct match_seed {
	bool given;
	struct shuffle_key key;
};

struct match_pin {
	enum series_pin kind;
	struct cores cores;
};

struct match_settings {
	const char *rules, *teams, *packs, *record;
	int64_t seats, deals, target, rounds, concurrency, strikes;
	int64_t margin_ms, startup_ms, hang_ms;
	int policy; /* index into match_policies: 0 is the default by parties */
	bool duplicate, json, quiet;
	struct budget_control control;
	struct match_seed seed;
	struct match_pin pin;
	struct entrant_words bots[PLAN_ENTRANTS_MAX];
	int bot_count;
};

/* Names of policies, `auto` first; NULL ends them. */
extern const char *const match_policies[];

enum { MATCH_OPTION_COUNT = 21 };
extern const struct option match_options[];

#endif
