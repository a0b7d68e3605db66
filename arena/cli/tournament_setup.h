/*
 * Options and setup of tournament and gate: the option tables, the settings
 * that they fill, and the setup, which is what is played.
 */
#ifndef TOURNAMENT_SETUP_H
#define TOURNAMENT_SETUP_H

#include "game_options.h"
#include "option.h"
#include "schedule.h"
#include "scopa/text.h"
#include "shuffle.h"
#include "sprt.h"
#include "tournament.h"

/*
 * The options that may differ in every call that plays a run: where it reports,
 * and how long it waits.  `tournament`, `gate` and `resume` share these rows.
 */

struct call_words {
	const char *events; /* path of the file of run events, or NULL */
	const char *report; /* path of the report at the end, or NULL */
	/* in blocks, between lines of progress; 0: none */
	int64_t rating_interval;
	/* seconds to wait when results cannot be stored; 0: without limit */
	int64_t disk_wait;
	/* seconds from the first signal until running games are broken off */
	int64_t stop_grace;
	bool full; /* the report at the end has all tables */
};

extern const struct option call_options[];

/*
 * The bounds of a sequential test, for the commands sprt and gate.
 */

enum { SPRT_WHY_SIZE = 128 }; /* enough for a reason of sprt_bounds_set() */

struct sprt_bounds {
	double elo0, elo1; /* NAN: not given */
	/* points per deal, instead of Elo; NAN: not given */
	double points0, points1;
	double alpha, beta;
};

/*
 * Option rows that fill struct sprt_bounds: options of the command sprt, and
 * keys of `gate --sprt`.
 */
extern const struct option sprt_bound_options[];

/*
 * Sets unit, low and high of a test whose model, alpha and beta are set.  The
 * default of the Elo bounds is 0 and 5; for the model betting the bounds are
 * points, by default 0 and 0.3.  Returns false with the reason in `why` if the
 * bounds contradict each other; then nothing is set.
 */
bool sprt_bounds_set(const struct sprt_bounds *bounds, struct sprt *sprt,
    struct scopa_text *why);

/*
 * The options of `tournament` and `gate`, and the struct that they fill.
 */

/* `--log FILE level=LEVEL` */
struct log_words {
	const char *path; /* NULL: log.txt in the run folder */
	int level;        /* enum log_level */
};

/* `--sprt elo0=0 elo1=5 ...` */
struct sprt_words {
	struct sprt_bounds bounds;
	int model; /* enum sprt_model */
	/* in blocks; max is 0 if --rounds is the limit, or if there is none */
	int64_t max, min;
};

/* The time of bots on machines of different speed. */
enum run_clock {
	RUN_CLOCK_WALL,   /* the same everywhere */
	RUN_CLOCK_SCALED, /* divided by the speed of a worker's cores */
	RUN_CLOCK_CLASS,  /* the same, on workers of one class by --labels */
	RUN_CLOCK_COUNT
};

enum { LEASE_MAX_S = 24 * 3600 };

/* Games on other machines: see run_remote.h. */
struct remote_words {
	const char *store;  /* URL of the queue; NULL: played on this machine */
	const char *labels; /* that workers need, by commas; or NULL */
	bool trusted_only;
	int64_t lease_s;
	double audit_rate;
	int clock; /* enum run_clock */
};

struct tournament_settings {
	/* the file of tournament_settings_open(), with their texts; owned */
	struct config *config;
	struct game_settings game;
	struct remote_words remote;

	/* Only in a gate.  Without --base the second bot is the base. */
	struct entrant_words base;
	int base_count;

	/* The schedule. */
	int format; /* enum schedule_format */
	/* 0: one bot has all seats of a team; 1: different bots */
	int partners;
	bool duplicate;
	int64_t rounds, games; /* 0: not given */
	int64_t challengers, stages, blocks;

	/* The verdict. */
	struct sprt_words sprt;
	int sprt_count;
	double level; /* the confidence level of intervals */

	/* The run, and its log. */
	const char *name, *run;
	struct log_words log;
	int log_count;
	struct call_words call;
	bool dry_run;

	/* Fair dealing. */
	struct contributions contributions;
	bool announce;

	struct shard shard;
};

/*
 * The row of --level.  Narrower intervals mean nothing, and wider ones are
 * nearly the same.
 */
#define LEVEL_OPTION(field)                             \
	REAL_OPTION("level", "P", (field), 0.5, 0.9999, \
	    "Confidence level of the intervals.", .fallback = "0.95")

/* The option tables of the two commands. */
extern const struct option tournament_options[];
extern const struct option gate_options[];

/*
 * Parses a contribution and adds it to the struct contributions that `field`
 * points to.  Returns false with the reason in `why`.
 */
bool contribution_parse(const char *value, void *field, struct scopa_text *why);

/*
 * Parses `I/N` into a struct shard.  Returns false with the reason in `why`.
 */
bool shard_parse(const char *value, void *field, struct scopa_text *why);

/* Appends the shard in that form; nothing if it is the whole run. */
void shard_format(const void *field, struct scopa_text *text);

/*
 * Reads settings from the configuration of a run alone; neither the environment
 * nor the command line matters.  `settings` need not be initialised.  Returns
 * true, and then the caller must close the settings; or false with the error in
 * `error`.
 */
bool tournament_settings_open(struct tournament_settings *settings, bool gate,
    const char *path, struct option_error *error);
void tournament_settings_close(struct tournament_settings *settings);

/*
 * The option that does nothing as the run is played without --store; NULL:
 * there is none.
 */
const char *tournament_idle_remote(const struct remote_words *words);

/*
 * The setup: what is played, made from the settings.
 */

struct tournament_setup {
	const struct tournament_settings *settings;
	bool is_gate;
	enum entrant_use use;
	const char *name; /* name of the run */
	/* its rules point into this struct, which must not move */
	struct dispatcher_config play;
	struct game_bots bots; /* in a gate: the candidate, then the base */
	/*
	 * before contributions are mixed in; the rules hold the key of the
	 * packs
	 */
	struct shuffle_key secret;
	struct pack_file packs;
	int *pack_sets; /* used by `suite`; owned */
	struct standings_suite suite;
	struct sandbox sandbox; /* set by game_setup_sandbox() */
	struct schedule_config schedule;
	struct gate_config gate; /* only in a gate */
};

/*
 * Makes a setup from the settings of a tournament or gate.  Returns
 * STATUS_DONE, and then the caller must close the setup; or STATUS_USAGE or
 * STATUS_ENVIRONMENT with an error printed.  The setup must not move, and the
 * settings must outlive it.  With ENTRANT_TO_READ bots and cores are not
 * checked, as they may belong to another machine, and a missing pack file is
 * only a warning: it is then not known which packs repeat.
 */
enum status tournament_setup_open(struct tournament_setup *setup,
    const struct tournament_settings *settings, bool gate,
    enum entrant_use use);
void tournament_setup_close(struct tournament_setup *setup);

/*
 * Whether machines can play the run in these shards: what each plays must not
 * depend on results of others.  STATUS_DONE, or STATUS_USAGE with an error
 * printed.
 */
enum status tournament_setup_share(
    const struct tournament_setup *setup, const struct shard *shard);

/*
 * Whether a gate may last for the least number of blocks for a verdict, or to
 * the end of its pack file: STATUS_DONE, or STATUS_USAGE with an error printed.
 * A run that was begun stays valid if its pack file changes, or is missing, so
 * only a new run is checked.
 */
enum status tournament_setup_minimum(const struct tournament_setup *setup);

/* The gate that decides the run; NULL: there is no verdict. */
const struct gate_config *tournament_setup_gate(
    const struct tournament_setup *setup);

/*
 * Returns the configuration that is really played: read with `--config` from
 * any folder, it gives the same setup.  `names` has a name for each entrant,
 * which replaces the given one; NULL: the given names stay.  The caller frees
 * the text.  NULL: no memory.
 */
char *tournament_setup_config(
    const struct tournament_setup *setup, const char *const *names);

#endif
