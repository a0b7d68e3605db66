/*
 * What `tournament` and `gate` can be told: their options, and the struct that
 * they fill.
 */
#ifndef TOURNAMENT_OPTIONS_H
#define TOURNAMENT_OPTIONS_H

#include "call_options.h"
#include "contribution.h"
#include "game_options.h"
#include "schedule.h"
#include "sprt_bounds.h"

/* `--log FILE level=LEVEL` */
struct log_words {
	const char *path; /* NULL: log.txt of the run */
	int level;        /* enum log_level */
};

/* `--sprt elo0=0 elo1=5 ...` */
struct sprt_words {
	struct sprt_bounds bounds;
	double alpha, beta;
	int model;        /* enum sprt_model */
	int64_t max, min; /* blocks; max 0: --rounds, or no limit */
};

struct tournament_settings {
	struct game_settings game;

	/* Of a gate; without it the second bot is the base. */
	struct entrant_words base;
	int base_count;

	/* The schedule. */
	int format;   /* enum schedule_format */
	int partners; /* 0 own, 1 mixed */
	bool duplicate;
	int64_t rounds, games; /* 0: not given */
	int64_t challengers, stages, blocks;

	/* The verdict. */
	struct sprt_words sprt;
	int sprt_count;
	double level; /* of intervals */

	/* The run and what is told of it. */
	const char *name, *run;
	struct log_words log;
	int log_count;
	struct call_words call;
	bool dry_run;

	/* Fair dealing. */
	struct contributions contributions;
	bool announce;
};

/* The tables of the two commands. */
enum { TOURNAMENT_OPTION_COUNT = 11, GATE_OPTION_COUNT = 10 };
extern const struct option tournament_options[];
extern const struct option gate_options[];

/* Names in the order of their enums; NULL ends them. */
extern const char *const tournament_formats[];
extern const char *const tournament_log_levels[];

/* Reads a contribution into struct contributions, beside those before it. */
bool contribution_parse(const char *value, void *field, struct scopa_text *why);

/*
 * Reads the configuration of a run, and nothing else: neither environment nor
 * command line.  `settings` need not be initialised; after success it is the
 * caller's to release.  False with the error.
 */
bool tournament_settings_open(struct tournament_settings *settings, bool gate,
    const char *path, struct option_error *error);
void tournament_settings_close(struct tournament_settings *settings);

#endif
