/*
 * From what a tournament or gate was told to what is played.
 */
#ifndef TOURNAMENT_SETUP_H
#define TOURNAMENT_SETUP_H

#include "cmd_sprt.h"
#include "game_options.h"
#include "gate.h"
#include "option.h"
#include "preflight.h"
#include "schedule.h"
#include "shuffle.h"

/*
 * What every call that plays a run says anew: where it tells of it, and how long
 * it waits.  `tournament`, `gate` and `resume` share these rows.
 */

struct call_words {
	const char *events;      /* file, or NULL */
	int64_t rating_interval; /* blocks between lines of progress, or 0 */
	int64_t disk_wait;       /* seconds, where results cannot be kept; 0:
				  * without an end */
	int64_t stop_grace;      /* seconds, from the first signal to when
				  * the games that are on are broken off */
};

extern const struct option call_options[];

/*
 * What `tournament` and `gate` can be told: their options, and the struct that
 * they fill.
 */

/* `--log FILE level=LEVEL` */
struct log_words {
	const char *path; /* NULL: log.txt of the run */
	int level;        /* enum log_level */
};

/* `--sprt elo0=0 elo1=5 ...` */
struct sprt_words {
	struct sprt_bounds bounds;
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

/*
 * From what a tournament or gate was told to what is played.
 */

struct tournament_setup {
	const struct tournament_settings *settings;
	bool is_gate;
	enum entrant_use use;
	const char *name;              /* of the run */
	struct dispatcher_config play; /* its rules point into this struct */
	struct game_bots bots;         /* of a gate: candidate, base */
	struct shuffle_key secret; /* before contributions; rules has the key */
	bool drawn;                /* nobody has given the secret, or packs */
	struct pack_file packs;
	int *pack_sets; /* of `suite`; owned */
	struct standings_suite suite;
	struct sandbox sandbox; /* once raised */
	struct schedule_config schedule;
	struct gate_config gate; /* of a gate */
};

/*
 * Says what is wrong on stderr and returns its status: STATUS_USAGE, or
 * STATUS_ENVIRONMENT.  On STATUS_DONE the setup is the caller's to close; it
 * must not move, and the settings must outlive it.  ENTRANT_TO_READ: bots and
 * cores are not looked at, they may be those of another machine; and a file of
 * packs that is not there costs a warning, as repeated packs are then not known.
 */
enum status tournament_setup_open(struct tournament_setup *setup,
    const struct tournament_settings *settings, bool gate,
    enum entrant_use use);
void tournament_setup_close(struct tournament_setup *setup);

/*
 * Every bot but those excused (NULL: none) must get ready once, before anything
 * is played; results[bot] is what it answered.  A bot that does not is said on
 * stderr: STATUS_BOT, or STATUS_USAGE where it may not play in such games.
 * 128 + N where signal N ended it.
 */
enum status tournament_setup_preflight(const struct tournament_setup *setup,
    const bool *excused, struct preflight_result *results);

/*
 * The configuration as executed: what `--config` reads to the same setup again,
 * from any folder.  `names`, an entry for each entrant, are what the bots are
 * called now; NULL: as given.  A text for free(), or NULL
 * without memory.
 */
char *tournament_setup_config(
    const struct tournament_setup *setup, const char *const *names);

#endif
