/*
 * What match, tournament and gate can be told alike: how a game is played, by
 * which bots, and how that is shown.
 */
#ifndef GAME_OPTIONS_H
#define GAME_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "block.h"
#include "countof.h"
#include "dispatcher.h"
#include "entrants.h"
#include "match.h"
#include "option.h"
#include "report.h"
#include "sandbox.h"
#include "scopa/rules.h"

enum { CONCURRENCY_MAX = 1024 }; /* games at once */

struct game_seed {
	bool given;
	struct shuffle_key key;
};

struct game_pin {
	enum dispatcher_pin kind;
	struct cores cores;
};

/* How many bots may think at once. */
struct game_cpu_slots {
	bool given;
	int count; /* or as enum in dispatcher.h */
};

/* What confines bots, as game_sandboxes. */
enum game_sandbox {
	SANDBOX_OFF,     /* none */
	SANDBOX_AUTO,    /* the best that there are */
	SANDBOX_REQUIRE, /* all that a bot starts dies with it for certain */
	SANDBOX_COUNT
};

/* A file that a group names; NULL where it was not given. */
struct game_file {
	const char *path;
};

struct game_settings {
	struct config *config; /* of --config; owned, or NULL */

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

	/* Their time, and what follows offences. */
	int64_t margin_ms, startup_ms, hang_ms, answer_grid_ms;
	bool no_ponder, ponder;
	int policy; /* index into game_policies: 0 is the default by teams */
	int64_t strikes;
	bool recover; /* is always so */

	/* This call. */
	int64_t concurrency; /* games at once; 0: see the command */
	struct game_pin pin;
	struct game_cpu_slots cpu_slots;
	bool json, quiet;
};

/* The settings of `match`: its options and the struct that they fill. */
struct match_settings {
	struct game_settings game;
	int64_t rounds, games; /* 0: not given */
	bool duplicate;
	struct game_file record;
	int record_count;
};

extern const struct option match_options[];

/* Names of policies, `auto` first; NULL ends them. */
extern const char *const game_policies[];

/* Words of enum game_sandbox; NULL ends them. */
extern const char *const game_sandboxes[SANDBOX_COUNT + 1];

/* The rows, by what they concern; offsets count from struct game_settings. */
extern const struct option game_rule_options[];
extern const struct option game_bot_options[];
extern const struct option game_time_options[];
extern const struct option game_call_options[];
extern const struct option game_config_options[];
extern const struct option game_analysis_options[];

/*
 * From what match, tournament and gate were told alike to what they play.
 *
 * What cannot be is said on stderr: STATUS_USAGE, or STATUS_ENVIRONMENT where
 * the machine is to blame.
 */

/*
 * The rule set with what --seats, --teams and --target add, and the number of
 * deals.  Where nothing says how many seats there are, so many bots may: they
 * are one a team, one a seat, or else as many as there are to be seats; 0: the
 * preset decides.
 */
enum status game_setup_rules(const struct game_settings *settings,
    int bot_count, struct match_rules *rules);

/* Bots as given, with what --each says, and as they are played. */
struct game_bots {
	struct entrant_words *words; /* the entrants point into them; owned */
	struct entrant *entrants;    /* owned */
};

/*
 * Resolves the bots, and `base` behind them (NULL: none); makes `play` point to
 * them.  Gives the rules, which must be there, their referee and its times.
 * Whatever is returned, the bots are the caller's to release.
 */
enum status game_setup_bots(const struct game_settings *settings,
    const struct entrant_words *base, enum entrant_use use,
    struct game_bots *bots, struct dispatcher_config *play);
void game_bots_release(struct game_bots *bots);

/* The secret: as given, or drawn. */
enum status game_setup_secret(
    const struct game_settings *settings, struct match_rules *rules);

/* Opens the pack file, if one is given, and makes the rules point to it. */
enum status game_setup_packs(const struct game_settings *settings,
    struct pack_file *packs, struct match_rules *rules);

/*
 * Sets up the sandbox of the bots of `play`, and makes its rules point to it.
 * What it lacks, and why, is said unless --quiet.  `hidden`: what bots must not
 * read, or NULL.
 */
enum status game_setup_sandbox(const struct game_settings *settings,
    const char *hidden, struct sandbox *sandbox,
    struct dispatcher_config *play);

/* Hides one more file or folder from bots, if there is one to hide; what cannot
 * be hidden is said on stderr. */
enum status game_setup_hide(struct sandbox *sandbox, const char *path);

/*
 * Cores, bots that think at once, and games at once: as given, or else as `play`
 * has it, or a game a core.
 * Cores that cannot be had are found before anything starts.
 */
enum status game_setup_cores(
    const struct game_settings *settings, struct dispatcher_config *play);

/*
 * How many blocks of `game_count` games --rounds and --games ask for; 0: they
 * ask for none, and `rounds` says so.
 */
enum status game_setup_rounds(
    int64_t rounds, int64_t games, int game_count, int64_t *blocks);

/*
 * The status of games that ended so, with what is wrong said but of a bot's
 * fault: STATUS_BOT.
 */
enum status game_end_status(const struct dispatcher_outcome *outcome);

/* Says that the machine refused something: -errno. */
enum status game_setup_error(int error);

/*
 * How much memory: `64K`, `16M`, `2G`, or bytes without a letter.
 */

/* The letters mean powers of 1024.  False where it is none, or too large. */
bool byte_size_parse(const char *text, int64_t *bytes);

/*
 * A rule set as people name it on the command line.
 */

struct rule_set {
	const char *spec; /* as given: `scopa,priority=fewest` */
	const struct scopa_preset *preset;
	struct scopa_rules rules;
};

/* Reads a spec; on failure says why on stderr and returns false. */
bool rule_set_read(const char *spec, struct rule_set *set);

#endif
