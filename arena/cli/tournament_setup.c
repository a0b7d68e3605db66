/*
 * Implements tournament_setup.h: the option tables of tournament and gate, the
 * steps that turn their settings into a setup, and the configuration that is
 * written into the run folder.  The steps are a table in the order in which
 * they depend on each other.
 */
#include "tournament_setup.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffers.h"
#include "command.h"
#include "countof.h"
#include "log.h"
#include "queue.h"
#include "text_format.h"
#include "version.h"

#define FIELD(name) offsetof(struct call_words, name)

enum {
	INTERVAL_MAX = 10000000,
	DISK_WAIT_MAX = 7 * 24 * 3600,
	STOP_GRACE_MAX = 7 * 24 * 3600
};

const struct option call_options[] = {
	TEXT_OPTION("events", "FILE.jsonl", FIELD(events),
	    "Append the events of the run to this file, one JSON object a "
	    "line.",
	    .is_passing = true, .is_written = true),
	TEXT_OPTION("report", "FILE", FIELD(report),
	    "Write a report of the run to this file when it ends or stops: a "
	    "page for a browser, or the format that the name ends in: .json, "
	    ".md or .csv (`" VERSION_NAME " help report`).",
	    .is_passing = true, .is_written = true),
	INT_OPTION("ratinginterval", "N", FIELD(rating_interval), 1,
	    INTERVAL_MAX,
	    "Show the standings after every N blocks. Without it from time to "
	    "time.",
	    .unit = "blocks", .is_passing = true),
	INT_OPTION("disk-wait", "S", FIELD(disk_wait), 1, DISK_WAIT_MAX,
	    "If results cannot be stored (the disk is full, or another program "
	    "holds the database), stop after this time with exit status 75; "
	    "`resume` continues. Without it the run waits until they can be "
	    "stored.",
	    .unit = "seconds", .is_passing = true),
	INT_OPTION("stop-grace", "S", FIELD(stop_grace), 1, STOP_GRACE_MAX,
	    "After SIGINT or SIGTERM the blocks that have begun are played on "
	    "for up to this time. Then, or at a second signal, their games are "
	    "aborted, and `resume` plays them again.",
	    .unit = "seconds", .fallback = "60", .is_passing = true),
	FLAG_OPTION("full", FIELD(full),
	    "Print all tables at the end; `status --full` prints them later.",
	    .is_passing = true),
	OPTIONS_END,
};

#define BOUND_OPTION(word, field, ...)                                      \
	REAL_OPTION(word, "N", offsetof(struct sprt_bounds, field), -10000, \
	    10000, __VA_ARGS__)

const struct option sprt_bound_options[] = {
	BOUND_OPTION("elo0", elo0,
	    "H0: the candidate is stronger by at most N, in the Elo of the "
	    "model. Without a bound: 0."),
	BOUND_OPTION("elo1", elo1,
	    "H1: the candidate is stronger by at least N. Without a bound: 5."),
	BOUND_OPTION("points0", points0,
	    "H0 in points per deal, instead of elo0, for the models margin and "
	    "betting. For betting without a bound: 0."),
	BOUND_OPTION("points1", points1,
	    "H1 in points per deal, instead of elo1. For betting without a "
	    "bound: 0.3."),
	REAL_OPTION("alpha", "P", offsetof(struct sprt_bounds, alpha), 0, 0.5,
	    "The probability that H1 is accepted although H0 holds.",
	    .fallback = "0.05"),
	REAL_OPTION("beta", "P", offsetof(struct sprt_bounds, beta), 0, 0.5,
	    "The probability that H0 is accepted although H1 holds.",
	    .fallback = "0.05"),
	OPTIONS_END,
};

/* The reason why the bounds contradict each other, or NULL. */
static const char *
bounds_flaw(const struct sprt_bounds *bounds, const struct sprt *sprt)
{
	bool elo = !isnan(bounds->elo0) || !isnan(bounds->elo1);
	bool points = !isnan(bounds->points0) || !isnan(bounds->points1);

	if (!(sprt->alpha > 0 && sprt->alpha < 0.5) ||
	    !(sprt->beta > 0 && sprt->beta < 0.5))
		return "alpha and beta are above 0 and below 0.5";
	if (elo && points)
		return "bounds are in Elo or in points, not in both";
	if (elo && sprt->model == SPRT_BETTING)
		return "the model betting counts points: give points0 and "
		       "points1";
	if (points && sprt->model != SPRT_MARGIN && sprt->model != SPRT_BETTING)
		return "only the models margin and betting count points";
	if (points && (isnan(bounds->points0) || isnan(bounds->points1)))
		return "points0 and points1 belong together";
	return NULL;
}

bool
sprt_bounds_set(
    const struct sprt_bounds *bounds, struct sprt *sprt, struct scopa_text *why)
{
	bool points = !isnan(bounds->points0) || sprt->model == SPRT_BETTING;
	const char *unit = points ? "points" : "elo";
	double low = points ? bounds->points0 : bounds->elo0;
	double high = points ? bounds->points1 : bounds->elo1;
	const char *flaw = bounds_flaw(bounds, sprt);

	if (flaw != NULL)
		return option_refuse(why, "%s", flaw);
	/*
	 * The usual bounds in tests of engines are 0 and 5 Elo.  The model
	 * betting has no Elo; its bounds are 0 and 0.3 points.
	 */
	low = isnan(low) ? 0 : low;
	high = !isnan(high) ? high : points ? 0.3 : 5;
	if (!(low < high))
		return option_refuse(
		    why, "%s0=%g is not below %s1=%g", unit, low, unit, high);
	sprt->unit = points ? SPRT_UNIT_POINTS : SPRT_UNIT_ELO;
	sprt->low = low;
	sprt->high = high;
	return true;
}

enum { BLOCKS_MAX = 10000000 };

#define OPTIONS_FIELD(name) offsetof(struct tournament_settings, name)
#define SPRT_FIELD(name) offsetof(struct sprt_words, name)

static const char *const partner_names[] = { "own", "mixed", NULL };

static const struct option sprt_keys[] = {
	NAME_OPTION("model", "MODEL", SPRT_FIELD(model), sprt_model_names,
	    "What is tested. margin: the points by which games are won; the "
	    "quickest. logistic, normalized, bayesian: games won, drawn and "
	    "lost, with several times as many blocks. betting: points, with "
	    "errors below alpha and beta whatever their distribution and "
	    "however rare a difference is; 1.2 to 2.0 times the blocks of "
	    "margin, and 8 times where the bots differ in one block of a "
	    "hundred.",
	    .fallback = "margin"),
	TABLE_OPTION(NULL, sprt_bound_options, SPRT_FIELD(bounds)),
	INT_OPTION("max", "N", SPRT_FIELD(max), 1, BLOCKS_MAX,
	    "The test ends after this number of blocks in any case; the same "
	    "as --rounds.",
	    .unit = "blocks"),
	INT_OPTION("min", "N", SPRT_FIELD(min), 1, BLOCKS_MAX,
	    "No verdict before this number of blocks; at most max. Below 30, "
	    "errors are more frequent if the bounds lie far apart.",
	    .fallback = "30", .unit = "blocks"),
	OPTIONS_END,
};

_Static_assert(SPRT_MINIMUM_DEFAULT == 30, "the default of `min`");

static const struct option log_keys[] = {
	TEXT_OPTION("file", "FILE", offsetof(struct log_words, path),
	    "The file; else `log.txt` of the run.", .is_path = true,
	    .is_written = true),
	NAME_OPTION("level", "LEVEL", offsetof(struct log_words, level),
	    log_level_names, "The least important that is logged.",
	    .fallback = "info"),
	REFUSED_OPTION("append", "messages are appended as they come.",
	    .aliases = { "realtime", "compress" }),
	REFUSED_OPTION("engine",
	    "write --trace, which shows every line to and from the bots."),
	OPTIONS_END,
};

/* Rows about the schedule, which both commands have. */
static const struct option schedule_options[] = {
	INT_OPTION("games", "N", OPTIONS_FIELD(games), 1, BLOCKS_MAX,
	    "How many games each encounter has, as other arenas count; with "
	    "--rounds, how many it has in each round. All games must make "
	    "whole blocks.",
	    .unit = "games"),
	FLAG_OPTION("duplicate", OPTIONS_FIELD(duplicate),
	    "Play each set of packs once for every seating: two bots change "
	    "sides, three sit in all orders, more move on by one place. These "
	    "games are one block.",
	    .aliases = { "repeat" }, .fallback = "yes", .implied = "2"),
	LEVEL_OPTION(OPTIONS_FIELD(level)),
	OPTIONS_END,
};

bool
contribution_parse(const char *value, void *field, struct scopa_text *why)
{
	return contributions_add(field, value, why);
}

static void
contribution_format(const void *field, struct scopa_text *text)
{
	char bytes[CONTRIBUTIONS_SIZE];

	contributions_write(field, bytes);
	scopa_text_string(text, bytes);
}

bool
shard_parse(const char *value, void *field, struct scopa_text *why)
{
	struct word count_word = word_of(value), number_word;
	int64_t number, count;

	if (!word_next_piece(&count_word, '/', &number_word) ||
	    !word_to_int(count_word, 1, SHARD_COUNT_MAX, &count) ||
	    !word_to_int(number_word, 1, count, &number))
		return option_refuse(why,
		    "expects I/N, as 1/3 for the first of three machines, of "
		    "up to %d",
		    (int)SHARD_COUNT_MAX);
	*(struct shard *)field = (struct shard){ (int)number - 1, (int)count };
	return true;
}

void
shard_format(const void *field, struct scopa_text *text)
{
	const struct shard *shard = field;

	if (shard->count > 0)
		scopa_text_print(text, "%d/%d", shard->index + 1, shard->count);
}

static const struct option run_options[] = {
	TEXT_OPTION("name", "NAME", OPTIONS_FIELD(name), "The name of the run.",
	    .aliases = { "event" }),
	TEXT_OPTION("run", "DIR", OPTIONS_FIELD(run),
	    "The folder of the run, which must be new or empty. Without it: "
	    "runs/DATE-NAME.",
	    .is_passing = true),
	GROUP_OPTION("log", "FILE [level=LEVEL]", log_keys,
	    sizeof(struct log_words), OPTIONS_FIELD(log),
	    OPTIONS_FIELD(log_count), "The file of the run's messages.",
	    .takes_plain = true),
	PARSED_OPTION("contribution", "NAME=HEX", OPTIONS_FIELD(contributions),
	    contribution_parse,
	    "Mix HEX, which comes from the person NAME, into the secret of the "
	    "packs; may be repeated. It must come after the commitment of the "
	    "person who deals: see --announce.",
	    .format = contribution_format),
	FLAG_OPTION("announce", OPTIONS_FIELD(announce),
	    "Make the run with its commitment, and play nothing yet: "
	    "`" VERSION_NAME
	    " resume` begins, with the contributions that came meanwhile.",
	    .is_passing = true),
	PARSED_OPTION("shard", "I/N", OPTIONS_FIELD(shard), shard_parse,
	    "Play only the Ith of every N blocks, N being up to 256. So N "
	    "machines share a run whose schedule does not depend on results; "
	    "each needs the same --seed. `" VERSION_NAME
	    " record merge` joins their runs.",
	    .format = shard_format),
	FLAG_OPTION("dry-run", OPTIONS_FIELD(dry_run),
	    "Print the schedule, and play nothing.", .is_passing = true),
	INT_OPTION("concurrency", "N", OPTIONS_FIELD(game.concurrency), 1,
	    CONCURRENCY_MAX,
	    "How many games are played at the same time. Without it: one for "
	    "each core that the program may use, or fewer if a control group "
	    "has a CPU quota.",
	    .unit = "games"),
	REFUSED_OPTION("record",
	    "the folder of the run has the records: records.scopa.",
	    .aliases = { "pgnout" }),
	REFUSED_OPTION(
	    "output", "write --json for one document, or --events FILE."),
	REFUSED_OPTION("scoreinterval",
	    "write --ratinginterval N, which counts blocks.",
	    .aliases = { "outcomeinterval" }),
	OPTIONS_END,
};

#define AUDIT_RATE_DEFAULT "0.03"
#define REMOTE_FIELD(name) OPTIONS_FIELD(remote.name)

static const char *const run_clocks[] = { "wall", "scaled", "class", NULL };

_Static_assert(COUNTOF(run_clocks) == RUN_CLOCK_COUNT + 1, "a word for each");

static bool
store_parse(const char *value, void *field, struct scopa_text *why)
{
	if (!queue_url_valid(value)) {
		scopa_text_string(
		    why, "expected is postgres://USER@HOST/DATABASE");
		return false;
	}
	*(const char **)field = value;
	return true;
}

static void
store_format(const void *field, struct scopa_text *text)
{
	const char *url = *(const char *const *)field;

	if (url != NULL)
		queue_url_write(url, NULL, text);
}

static const struct option remote_options[] = {
	PARSED_OPTION("store", "URL", REMOTE_FIELD(store), store_parse,
	    "Play on other machines: workers (`" VERSION_NAME
	    " help worker`) take the games out of this database, "
	    "postgres://USER@HOST/DATABASE. The password can be in the URL "
	    "(after USER:), in PGPASSWORD or in ~/.pgpass; the run does not "
	    "store it.",
	    .format = store_format),
	TEXT_OPTION("labels", "LABEL,...", REMOTE_FIELD(labels),
	    "With --store: use only workers that have all of these labels."),
	FLAG_OPTION("trusted-only", REMOTE_FIELD(trusted_only),
	    "With --store: use only workers that the organiser trusts."),
	INT_OPTION("lease", "S", REMOTE_FIELD(lease_s), 1, LEASE_MAX_S,
	    "With --store: if a worker does not report for this time, or makes "
	    "no progress, another worker plays its block. Without it: 60, or "
	    "twice the time of a bot for one move if that is more.",
	    .unit = "seconds"),
	REAL_OPTION("audit", "RATE", REMOTE_FIELD(audit_rate), 0, 1,
	    "With --store: the share of blocks that a trusted worker plays "
	    "again, to find workers that lie.",
	    .fallback = AUDIT_RATE_DEFAULT),
	NAME_OPTION("clock", "wall|scaled|class", REMOTE_FIELD(clock),
	    run_clocks,
	    "With --store, the time of bots. wall: the same on every machine. "
	    "scaled: divided by the speed of the worker's cores. class: the "
	    "same, on the workers of one class, which --labels names.",
	    .fallback = "wall"),
	OPTIONS_END,
};

const char *
tournament_idle_remote(const struct remote_words *words)
{
	double usual = strtod(AUDIT_RATE_DEFAULT, NULL);

	if (words->store != NULL)
		return NULL;
	return words->labels != NULL ? "labels"
	    : words->trusted_only    ? "trusted-only"
	    : words->lease_s > 0     ? "lease"
	    : words->audit_rate < usual || words->audit_rate > usual ? "audit"
	    : words->clock != RUN_CLOCK_WALL                         ? "clock"
								     : NULL;
}

static const struct option tournament_own_options[] = {
	NAME_OPTION("format", "FORMAT", OPTIONS_FIELD(format),
	    schedule_format_names,
	    "Which bots meet. roundrobin: all. gauntlet: challengers meet all "
	    "others. swiss, knockout: as in sports. ladder: the pairs whose "
	    "results say most about the ranking.",
	    .aliases = { "tournament" }, .fallback = "roundrobin"),
	INT_OPTION("rounds", "N", OPTIONS_FIELD(rounds), 1, BLOCKS_MAX,
	    "How many blocks each encounter has; in a knockout, the best of N. "
	    "Without it: 10, or as many as the packs of --packs allow.",
	    .unit = "blocks"),
	INT_OPTION("challengers", "N", OPTIONS_FIELD(challengers), 1,
	    TOURNAMENT_BOTS_MAX - 1,
	    "With gauntlet: this number of bots, the first ones, meet all "
	    "others.",
	    .fallback = "1", .unit = "bots"),
	INT_OPTION("stages", "N", OPTIONS_FIELD(stages), 1, SCHEDULE_STAGES_MAX,
	    "With swiss: how often pairs are drawn. Without it: as often as is "
	    "needed to find one best bot.",
	    .unit = "stages"),
	INT_OPTION("blocks", "N", OPTIONS_FIELD(blocks), 1, BLOCKS_MAX,
	    "With ladder: the number of all blocks. Without it: as many as a "
	    "round robin has.",
	    .unit = "blocks"),
	NAME_OPTION("partners", "WHO", OPTIONS_FIELD(partners), partner_names,
	    "own: one bot takes all seats of a team. mixed: each seat of a "
	    "team is taken by another bot.",
	    .fallback = "own"),
	REFUSED_OPTION(
	    "sprt", "a sequential test is of two bots: " VERSION_NAME " gate."),
	REFUSED_OPTION(
	    "base", "a base has its candidate: " VERSION_NAME " gate."),
	OPTIONS_END,
};

static const struct option gate_own_options[] = {
	GROUP_OPTION("base", "[CMD] KEY=VALUE...", entrant_keys,
	    sizeof(struct entrant_words), OPTIONS_FIELD(base),
	    OPTIONS_FIELD(base_count),
	    "The bot that the candidate is compared with; the keys are those "
	    "of --bot. Without it: the second bot.",
	    .takes_plain = true, .title = "name", .keys_described = true,
	    .group_max = 1),
	GROUP_OPTION("sprt", "[KEY=VALUE...]", sprt_keys,
	    sizeof(struct sprt_words), OPTIONS_FIELD(sprt),
	    OPTIONS_FIELD(sprt_count),
	    "End as soon as a sequential test has decided. Keys that are not "
	    "given have their defaults. A gate without --sprt and --rounds is "
	    "tested in the same way.",
	    .takes_nothing = true),
	INT_OPTION("rounds", "N", OPTIONS_FIELD(rounds), 1, BLOCKS_MAX,
	    "How many blocks are played; with --sprt, at most. Without --sprt, "
	    "the interval of the margin decides.",
	    .unit = "blocks"),
	REFUSED_OPTION("format",
	    "a gate is of two bots: " VERSION_NAME " tournament has formats.",
	    .aliases = { "tournament" }),
	REFUSED_OPTION("analysis",
	    "games in which a bot sees all cards give no verdict: " VERSION_NAME
	    " tournament plays them."),
	OPTIONS_END,
};

/* The tables that both commands end with. */
#define RUN_TABLES                                                 \
	GAME_TIME_TABLE(OPTIONS_FIELD(game)),                      \
	    TABLE_OPTION("run", run_options, 0),                   \
	    TABLE_OPTION(NULL, call_options, OPTIONS_FIELD(call)), \
	    GAME_CALL_TABLES(OPTIONS_FIELD(game)),                 \
	    TABLE_OPTION("other machines", remote_options, 0)

const struct option tournament_options[] = {
	GAME_BOT_TABLES(OPTIONS_FIELD(game)),
	TABLE_OPTION("game", game_rule_options, OPTIONS_FIELD(game)),
	TABLE_OPTION("schedule", tournament_own_options, 0),
	TABLE_OPTION(NULL, schedule_options, 0),
	TABLE_OPTION(NULL, game_analysis_options, OPTIONS_FIELD(game)),
	RUN_TABLES,
	OPTIONS_END,
};

const struct option gate_options[] = {
	GAME_BOT_TABLES(OPTIONS_FIELD(game)),
	TABLE_OPTION("verdict", gate_own_options, 0),
	TABLE_OPTION(NULL, schedule_options, 0),
	TABLE_OPTION("game", game_rule_options, OPTIONS_FIELD(game)),
	RUN_TABLES,
	OPTIONS_END,
};

bool
tournament_settings_open(struct tournament_settings *settings, bool gate,
    const char *path, struct option_error *error)
{
	struct option_reader reader = {
		.options = gate ? gate_options : tournament_options,
		.settings = settings,
		.section = gate ? "gate" : "tournament",
	};

	memset(settings, 0, sizeof(*settings));
	if (option_read_file(&reader, path, NULL)) {
		settings->config = reader.config;
		return true;
	}
	*error = reader.error;
	config_close(reader.config);
	return false;
}

void
tournament_settings_close(struct tournament_settings *settings)
{
	config_close(settings->config);
}

enum {
	ROUNDS_DEFAULT = 10,       /* the default of a tournament */
	GATE_DEALS_DEFAULT = 1,    /* deals of a game: the default of a gate */
	GATE_BLOCKS_MAX = 1000000, /* the limit of a gate that has no other */
	NAME_SIZE = 48
};

static const char *
command_of(const struct tournament_setup *setup)
{
	return setup->is_gate ? "gate" : "tournament";
}

/*
 * Reads the name of the run.  It becomes a part of a path, so most signs are
 * refused.
 */
static enum status
read_name(struct tournament_setup *setup)
{
	const char *name = setup->settings->name;
	bool good = true;

	setup->name = name != NULL ? name : command_of(setup);
	for (const char *byte = setup->name; *byte != '\0'; byte++)
		good = good && isgraph((unsigned char)*byte) && *byte != '/';
	if (good && strlen(setup->name) < NAME_SIZE && setup->name[0] != '.')
		return STATUS_DONE;
	return error_usage(NULL,
	    "--name \"%s\": expected are up to %d letters, digits and signs, "
	    "without blanks and /, and no dot at the beginning",
	    name, NAME_SIZE - 1);
}

/* Reads the bots: two or more, or in a gate one candidate and one base. */
static enum status
read_bots(struct tournament_setup *setup)
{
	static const char hint[] = "name one --bot, and one --base";
	const struct tournament_settings *settings = setup->settings;
	int count = settings->game.bot_count;

	if (!setup->is_gate && count < 2)
		return error_status(STATUS_USAGE, NULL,
		    VERSION_NAME " tournament @greedy @random @first",
		    "a tournament needs two bots, but %s is named",
		    count == 0 ? "none" : "one");
	if (setup->is_gate && count == 1 && settings->base_count == 0)
		return error_usage(hint, "a gate needs a base to compare with");
	if (setup->is_gate && count == 0)
		return error_usage(hint, "a gate needs a candidate");
	if (setup->is_gate && count + settings->base_count > 2)
		return error_usage(hint,
		    "a gate compares two bots, but %d are named",
		    count + settings->base_count);
	return game_setup_bots(&settings->game,
	    settings->base_count > 0 ? &settings->base : NULL, setup->use,
	    &setup->bots, &setup->play);
}

/*
 * The number of packs of a round.  A game to a target counts as one pack, its
 * first, as its number of deals is not known.
 */
static int
round_packs(const struct tournament_setup *setup)
{
	return setup->play.rules.deals > 0 ? setup->play.rules.deals : 1;
}

/* The number of rounds that the pack file is enough for, but at least 1. */
static int
suite_rounds(const struct tournament_setup *setup)
{
	int rounds = setup->suite.count / round_packs(setup);

	return rounds > 0 ? rounds : 1;
}

/* Opens the pack file and finds out which of its packs repeat. */
static enum status
read_packs(struct tournament_setup *setup)
{
	const struct tournament_settings *settings = setup->settings;
	const char *path = settings->game.packs.path;
	bool plays = setup->use == ENTRANT_TO_PLAY;
	enum status status;
	int repeated;

	if (path == NULL)
		return STATUS_DONE;
	if (!plays && access(path, R_OK) < 0) {
		fprintf(stderr,
		    "warning: pack file \"%s\": %s: it is not known which "
		    "packs repeat\n",
		    path, strerror(errno));
		return STATUS_DONE;
	}
	status = game_setup_packs(
	    &settings->game, &setup->packs, &setup->play.rules);
	if (status != STATUS_DONE)
		return status;
	setup->pack_sets =
	    calloc((size_t)setup->packs.count, sizeof(*setup->pack_sets));
	if (setup->pack_sets == NULL ||
	    pack_file_sets(&setup->packs, round_packs(setup), setup->pack_sets,
		&repeated) < 0)
		return memory_error();
	setup->suite = (struct standings_suite){ setup->pack_sets,
		setup->packs.count, round_packs(setup) };
	if (plays && repeated > 0)
		fprintf(stderr,
		    "warning: pack file \"%s\": %d of %d packs repeat earlier "
		    "ones: repeated packs are no new evidence\n",
		    path, repeated, setup->suite.count);
	return STATUS_DONE;
}

/*
 * The number of blocks that each encounter needs so that the pack file is
 * played once.
 */
static int
suite_encounter_rounds(const struct tournament_setup *setup)
{
	struct schedule_config once = setup->schedule;
	int64_t rounds;

	/* In a ladder this holds on average. */
	if (once.format == SCHEDULE_LADDER)
		return suite_rounds(setup);
	once.rounds = 1;
	rounds = suite_rounds(setup) / schedule_round_count(&once);
	return rounds > 0 ? (int)rounds : 1;
}

static enum status
check_schedule(const struct tournament_setup *setup)
{
	const struct scopa_rules *rules = &setup->play.rules.rules;
	const char *flaw = schedule_flaw(&setup->schedule);
	const char *hint = NULL;

	if (flaw == NULL)
		return STATUS_DONE;
	if (rules->players == 4 && scopa_team_count(rules) > 2)
		hint = "two teams play with --teams ABAB";
	else if (rules->players == 6 && scopa_team_count(rules) > 2)
		hint = "two teams play with --teams ABABAB";
	return error_usage(hint, "%s", flaw);
}

static enum status
read_rounds(struct tournament_setup *setup)
{
	const struct tournament_settings *settings = setup->settings;
	struct schedule_config *schedule = &setup->schedule;
	int64_t rounds;
	enum status status = game_setup_rounds(settings->rounds,
	    settings->games, schedule_game_count(schedule), &rounds);

	if (status != STATUS_DONE)
		return status;
	schedule->rounds = rounds > 0 ? (int)rounds
	    : setup->suite.count > 0  ? suite_encounter_rounds(setup)
				      : ROUNDS_DEFAULT;
	if (schedule->format == SCHEDULE_LADDER && settings->blocks == 0) {
		struct schedule_config all = *schedule;

		all.format = SCHEDULE_ROUND_ROBIN;
		schedule->blocks = schedule_block_count(&all);
	}
	return check_schedule(setup);
}

/*
 * Reads the secret, and mixes it with all contributions into the key of the
 * packs.
 */
static enum status
read_secret(struct tournament_setup *setup)
{
	const struct tournament_settings *settings = setup->settings;
	enum status status =
	    game_setup_secret(&settings->game, &setup->play.rules);

	if (status != STATUS_DONE)
		return status;
	if (settings->game.packs.path != NULL &&
	    settings->contributions.count > 0)
		return error_usage(NULL,
		    "--contribution: the packs of a file do not come from a "
		    "secret");
	(void)sodium_mlock(&setup->secret, sizeof(setup->secret));
	setup->secret = setup->play.rules.root_key;
	contributions_mix(&settings->contributions, &setup->secret,
	    &setup->play.rules.root_key);
	return STATUS_DONE;
}

/*
 * Returns an error if an option is for a format other than the one that is
 * played; otherwise NULL.
 */
static const char *
find_idle_word(const struct tournament_settings *settings)
{
	const enum schedule_format format =
	    (enum schedule_format)settings->format;

	if (settings->stages > 0 && format != SCHEDULE_SWISS)
		return "--stages is for --format swiss";
	if (settings->blocks > 0 && format != SCHEDULE_LADDER)
		return "--blocks is for --format ladder";
	if (settings->challengers > 1 && format != SCHEDULE_GAUNTLET)
		return "--challengers is for --format gauntlet";
	return NULL;
}

static enum status
read_schedule(struct tournament_setup *setup)
{
	const struct tournament_settings *settings = setup->settings;
	const char *idle = setup->is_gate ? NULL : find_idle_word(settings);

	setup->schedule = (struct schedule_config){
		.format = setup->is_gate
		    ? SCHEDULE_ROUND_ROBIN
		    : (enum schedule_format)settings->format,
		.bot_count = setup->play.entrant_count,
		.rules = setup->play.rules.rules,
		.mixed = settings->partners > 0,
		.duplicate = settings->duplicate,
		.rounds = 1,
		.stages = (int)settings->stages,
		.blocks = settings->blocks > 0 ? settings->blocks : 1,
		.challengers = (int)settings->challengers,
		.seed = shuffle_seat_seed(
		    &setup->play.rules.root_key, "schedule", 1, 0),
	};
	if (setup->is_gate && schedule_bot_count(&setup->schedule) != 2)
		return error_usage(
		    "choose seats of two teams: AB, ABAB or ABABAB",
		    "a gate compares two bots, but %d meet in this game",
		    schedule_bot_count(&setup->schedule));
	return idle != NULL ? error_usage(NULL, "%s", idle)
			    : check_schedule(setup);
}

/*
 * Reads the sequential test, and the number of blocks after which a gate ends
 * in any case.
 */
static enum status
read_sprt(struct tournament_setup *setup)
{
	const struct tournament_settings *settings = setup->settings;
	const struct sprt_words *words = &settings->sprt;
	bool limited = settings->rounds > 0 || settings->games > 0;
	struct gate_config *gate = &setup->gate;
	struct sprt *sprt = &gate->sprt;
	struct scopa_text why = SCOPA_TEXT(SPRT_WHY_SIZE);
	char hint[64];
	int points_max;

	if (!setup->is_gate)
		return STATUS_DONE;
	if (words->max > 0 && limited)
		return error_usage(NULL,
		    "--sprt: max= and --rounds or --games are two limits");
	if (settings->game.packs.path != NULL && setup->play.rules.deals == 0)
		return error_usage(NULL,
		    "--packs: a gate needs games of --deals, as games to a "
		    "target share packs");
	gate->level = settings->level;
	gate->sequential = settings->sprt_count > 0 || !limited;
	gate->blocks_max = limited || setup->suite.count > 0
	    ? setup->schedule.rounds
	    : GATE_BLOCKS_MAX;
	if (words->max > 0)
		gate->blocks_max = words->max;
	setup->schedule.rounds = (int)gate->blocks_max;
	*sprt = (struct sprt){
		.model = (enum sprt_model)words->model,
		.alpha = words->bounds.alpha,
		.beta = words->bounds.beta,
		.minimum = words->min,
	};
	if (!sprt_bounds_set(&words->bounds, sprt, &why))
		return error_usage(NULL, "--sprt: %s", why.bytes);
	points_max = scopa_points_max(&setup->play.rules.rules);
	snprintf(hint, sizeof(hint), "below %d points either way", points_max);
	if (sprt->model == SPRT_BETTING &&
	    fmax(fabs(sprt->low), fabs(sprt->high)) >= points_max)
		return error_usage(hint,
		    "--sprt: the model betting: a bound lies beyond what a "
		    "deal can give");
	return STATUS_DONE;
}

/*
 * Reads the rules.  A game of a gate has one deal if neither a number of deals
 * nor a target is given.
 */
static enum status
read_rules(struct tournament_setup *setup)
{
	const struct tournament_settings *settings = setup->settings;
	const struct game_settings *game = &settings->game;
	enum status status = game_setup_rules(game, 0, &setup->play.rules);

	if (status == STATUS_DONE && setup->is_gate && game->deals == 0 &&
	    game->target == 0 && game->max_deals == 0 &&
	    strstr(game->rules, "target=") == NULL)
		setup->play.rules.deals = GATE_DEALS_DEFAULT;
	return status;
}

enum status
tournament_setup_minimum(const struct tournament_setup *setup)
{
	const struct gate_config *gate = &setup->gate;

	if (!setup->is_gate || !gate->sequential ||
	    gate->blocks_max >= gate->sprt.minimum)
		return STATUS_DONE;
	/* A pack file may be smaller: it is played to its end. */
	if (setup->suite.count > 0 &&
	    gate->blocks_max == suite_encounter_rounds(setup))
		return STATUS_DONE;
	error_print("--sprt: %s%jd blocks at most are fewer than min=%jd",
	    setup->settings->sprt.max > 0 ? "max=" : "", gate->blocks_max,
	    gate->sprt.minimum);
	error_detail("hint",
	    "min=%jd allows a verdict after so many, with errors more often "
	    "than agreed",
	    gate->blocks_max);
	error_detail("try", VERSION_NAME " help gate");
	return STATUS_USAGE;
}

/* Why shards of a run cannot be played apart from each other; or NULL. */
static const char *
find_share_flaw(const struct tournament_setup *setup)
{
	if (setup->is_gate && setup->gate.sequential)
		return "a sequential test ends by the results of all blocks "
		       "before, which one machine does not have";
	if (setup->schedule.format != SCHEDULE_ROUND_ROBIN &&
	    setup->schedule.format != SCHEDULE_GAUNTLET)
		return "whom a bot meets depends on results, of which one "
		       "machine does not have all";
	return NULL;
}

enum status
tournament_setup_share(
    const struct tournament_setup *setup, const struct shard *shard)
{
	int64_t count = schedule_block_count(&setup->schedule);
	const char *flaw = shard->count > 0 ? find_share_flaw(setup) : NULL;

	if (flaw != NULL)
		return error_status(STATUS_USAGE,
		    setup->is_gate
			? "play a fixed number of blocks, --rounds N without "
			  "--sprt, or let a server hand them out: --store URL"
			: "--format roundrobin and gauntlet can be shared; "
			  "others need a server: --store URL",
		    NULL, "--shard: %s", flaw);
	if (shard->count > 0 && setup->settings->remote.store != NULL)
		return error_usage("use only one of them",
		    "--shard: with --store a server hands out all blocks");
	if (shard->count > count)
		return error_usage(NULL,
		    "--shard: the run has %jd blocks, which are too few for %d "
		    "machines",
		    count, shard->count);
	return STATUS_DONE;
}

static enum status
read_shard(struct tournament_setup *setup)
{
	return tournament_setup_share(setup, &setup->settings->shard);
}

const struct gate_config *
tournament_setup_gate(const struct tournament_setup *setup)
{
	return setup->is_gate && setup->settings->shard.count == 0
	    ? &setup->gate
	    : NULL;
}

/*
 * Reads the settings of the machine.  Warns if the schedule has more rounds
 * than the pack file has packs for, or if its rounds share packs.
 */
static enum status
read_machine(struct tournament_setup *setup)
{
	int64_t rounds = schedule_round_count(&setup->schedule);
	int packs = round_packs(setup);
	enum status status;

	if (setup->use != ENTRANT_TO_PLAY)
		return STATUS_DONE;
	status = game_setup_cores(&setup->settings->game, &setup->play);
	if (status != STATUS_DONE || setup->suite.count == 0)
		return status;
	if (setup->play.rules.deals == 0)
		fprintf(stderr,
		    "warning: pack file \"%s\": games to a target also use "
		    "packs of later rounds, so that results depend on each "
		    "other; with --deals rounds have packs of their own\n",
		    setup->settings->game.packs.path);
	if (rounds > suite_rounds(setup))
		fprintf(stderr,
		    "warning: %s%jd rounds of %d pack%s each, but pack file "
		    "\"%s\" has %d: repeated packs are no new evidence\n",
		    setup->schedule.format == SCHEDULE_LADDER
			? "a pair of the ladder may play "
			: "",
		    rounds, packs, text_plural(packs),
		    setup->settings->game.packs.path, setup->suite.count);
	return STATUS_DONE;
}

/* Each step needs the values that the steps before it have read. */
static enum status (*const steps[])(struct tournament_setup *setup) = {
	read_name,
	read_rules,
	read_bots,
	read_secret,
	read_packs,
	read_schedule,
	read_rounds,
	read_sprt,
	read_shard,
	read_machine,
};

enum status
tournament_setup_open(struct tournament_setup *setup,
    const struct tournament_settings *settings, bool gate, enum entrant_use use)
{
	enum status status = STATUS_DONE;

	memset(setup, 0, sizeof(*setup));
	setup->is_gate = gate;
	setup->settings = settings;
	setup->use = use;
	for (int i = 0; i < COUNTOF(steps) && status == STATUS_DONE; i++)
		status = steps[i](setup);
	assert(!gate || setup->play.rules.settings.analysis == NULL);
	if (status != STATUS_DONE)
		tournament_setup_close(setup);
	return status;
}

void
tournament_setup_close(struct tournament_setup *setup)
{
	pack_file_close(&setup->packs);
	free(setup->pack_sets);
	game_trace_end(&setup->settings->game, &setup->play.rules);
	if (setup->play.rules.sandbox != NULL)
		sandbox_close(&setup->sandbox);
	game_bots_release(&setup->bots);
	memset(setup, 0, sizeof(*setup));
}

/*
 * Writing the configuration that is really played.
 */

/*
 * Writes the length of the run into the settings, in the one form that holds
 * for all options that decide it.
 */
static void
resolve_length(
    const struct tournament_setup *setup, struct tournament_settings *settings)
{
	const struct sprt *sprt = &setup->gate.sprt;
	struct sprt_bounds *bounds = &settings->sprt.bounds;

	settings->games = 0;
	settings->rounds = setup->schedule.rounds;
	settings->game.deals = setup->play.rules.deals;
	if (setup->schedule.format == SCHEDULE_LADDER)
		settings->blocks = setup->schedule.blocks;
	if (!setup->is_gate || !setup->gate.sequential)
		return;
	settings->rounds = 0;
	settings->sprt_count = 1;
	settings->sprt.max = setup->schedule.rounds;
	if (sprt->unit == SPRT_UNIT_POINTS) {
		bounds->points0 = sprt->low;
		bounds->points1 = sprt->high;
	} else {
		bounds->elo0 = sprt->low;
		bounds->elo1 = sprt->high;
	}
}

char *
tournament_setup_config(
    const struct tournament_setup *setup, const char *const *names)
{
	char *text = NULL;
	size_t size;
	struct tournament_settings *resolved =
	    command_memory(sizeof(*resolved));
	char *folder = getcwd(NULL, 0);
	FILE *file = memory_file_open(&text, &size);
	const struct option_reader reader = {
		.options = setup->is_gate ? gate_options : tournament_options,
		.section = command_of(setup),
		.settings = resolved,
	};

	if (file == NULL)
		goto free_folder;
	*resolved = *setup->settings;
	resolved->game.seed = (struct game_seed){ true, setup->secret };
	resolved->name = setup->name;
	resolve_length(setup, resolved);
	for (int i = 0; names != NULL && i < setup->play.entrant_count; i++)
		*(i < resolved->game.bot_count ? &resolved->game.bots[i].name
					       : &resolved->base.name) =
		    names[i];
	/* Bots without a folder of their own run in the present one. */
	resolved->game.each_count = 1;
	if (resolved->game.each.dir == NULL)
		resolved->game.each.dir = folder;
	fprintf(file,
	    "# As it was played by " VERSION_NAME " " VERSION_NUMBER
	    ".  The same again: " VERSION_NAME " %s --config FILE\n\n",
	    reader.section);
	option_write(file, &reader, folder);
	if (fclose(file) != 0) {
		free(text);
		text = NULL;
	}
free_folder:
	free(folder);
	return text;
}
