#include "tournament_setup.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "error_message.h"
#include "version.h"

#define FIELD(name) .offset = offsetof(struct call_words, name)

enum {
	INTERVAL_MAX = 10000000,
	DISK_WAIT_MAX = 7 * 24 * 3600,
	STOP_GRACE_MAX = 7 * 24 * 3600
};

const struct option call_options[CALL_OPTION_COUNT] = {
	{ .name = "events",
	    .kind = OPTION_TEXT,
	    .value = "FILE.jsonl",
	    .sentence = "Append what happens to this file, one JSON object a "
			"line.",
	    .is_passing = true,
	    FIELD(events) },
	{ .name = "ratinginterval",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Tell how it stands after every so many blocks. "
			"Without it from time to time.",
	    .unit = "blocks",
	    .min = 1,
	    .max = INTERVAL_MAX,
	    .is_passing = true,
	    FIELD(rating_interval) },
	{ .name = "disk-wait",
	    .kind = OPTION_INT,
	    .value = "S",
	    .sentence = "Where results cannot be kept (the disk is full, or "
			"another program holds the database): give up after "
			"so many seconds, with exit status 75; `resume` goes "
			"on. Without it the run waits until they can.",
	    .unit = "seconds",
	    .min = 1,
	    .max = DISK_WAIT_MAX,
	    .is_passing = true,
	    FIELD(disk_wait) },
	{ .name = "stop-grace",
	    .kind = OPTION_INT,
	    .value = "S",
	    .sentence = "After SIGINT or SIGTERM the blocks that have begun "
			"may come to their end for so many seconds; then, or "
			"at the second signal, their games are broken off, "
			"and `resume` plays them again.",
	    .unit = "seconds",
	    .min = 1,
	    .max = STOP_GRACE_MAX,
	    .fallback = "60",
	    .is_passing = true,
	    FIELD(stop_grace) },
};

enum { BLOCKS_MAX = 10000000 };

#define OPTIONS_FIELD(name) .offset = offsetof(struct tournament_settings, name)
#define SPRT_FIELD(name) .offset = offsetof(struct sprt_words, name)

/* As enums of other rooms order them; their tests compare. */
const char *const tournament_formats[] = { "roundrobin", "gauntlet", "swiss",
	"knockout", "ladder", NULL };
const char *const tournament_log_levels[] = { "error", "warn", "info", "debug",
	NULL };
static const char *const partner_names[] = { "own", "mixed", NULL };

static const struct option sprt_keys[] = {
	{ .name = "elo0",
	    .kind = OPTION_PARSED,
	    .value = "N",
	    .sentence = "What the candidate is at most stronger by if it "
			"fails, in the Elo of the model. Without a bound: 0.",
	    .parse = sprt_bound_parse,
	    SPRT_FIELD(bounds.elo0) },
	{ .name = "elo1",
	    .kind = OPTION_PARSED,
	    .value = "N",
	    .sentence = "What it is at least stronger by if it passes. "
			"Without a bound: 5.",
	    .parse = sprt_bound_parse,
	    SPRT_FIELD(bounds.elo1) },
	{ .name = "points0",
	    .kind = OPTION_PARSED,
	    .value = "N",
	    .sentence =
		"The same in points per deal, for the models margin and "
		"betting, instead of elo0. Of betting without a "
		"bound: 0.",
	    .parse = sprt_bound_parse,
	    SPRT_FIELD(bounds.points0) },
	{ .name = "points1",
	    .kind = OPTION_PARSED,
	    .value = "N",
	    .sentence = "The same instead of elo1. Of betting without a "
			"bound: 0.3.",
	    .parse = sprt_bound_parse,
	    SPRT_FIELD(bounds.points1) },
	{ .name = "alpha",
	    .kind = OPTION_REAL,
	    .value = "P",
	    .sentence = "How probably a candidate at the lower bound passes.",
	    .fallback = "0.05",
	    .min = 0,
	    .max = 1,
	    SPRT_FIELD(alpha) },
	{ .name = "beta",
	    .kind = OPTION_REAL,
	    .value = "P",
	    .sentence = "How probably one at the upper bound fails.",
	    .fallback = "0.05",
	    .min = 0,
	    .max = 1,
	    SPRT_FIELD(beta) },
	{ .name = "model",
	    .kind = OPTION_NAME,
	    .value = "MODEL",
	    .sentence = "What is tested. margin: the points by which games "
			"are won; the quickest. logistic, normalized, "
			"bayesian: games won, drawn and lost, with several "
			"times as many blocks. betting: points, with errors "
			"below alpha and beta whatever their distribution and "
			"however rare a difference is; 1.2 to 2.0 times the "
			"blocks of margin, and 8 times where the bots differ "
			"in one block of a hundred.",
	    .names = sprt_model_names,
	    .fallback = "margin",
	    SPRT_FIELD(model) },
	{ .name = "max",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "End after so many blocks in any case; also --rounds.",
	    .unit = "blocks",
	    .min = 1,
	    .max = BLOCKS_MAX,
	    SPRT_FIELD(max) },
	{ .name = "min",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "No verdict before so many blocks; not above max.",
	    .fallback = "30",
	    .unit = "blocks",
	    .min = 1,
	    .max = BLOCKS_MAX,
	    SPRT_FIELD(min) },
};

_Static_assert(SPRT_MINIMUM_DEFAULT == 30, "the default of `min`");

static const struct option log_keys[] = {
	{ .name = "file",
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "The file; else `log.txt` of the run.",
	    .is_path = true,
	    .offset = offsetof(struct log_words, path) },
	{ .name = "level",
	    .kind = OPTION_NAME,
	    .value = "LEVEL",
	    .sentence = "The least important that is told.",
	    .names = tournament_log_levels,
	    .fallback = "info",
	    .offset = offsetof(struct log_words, level) },
};

/* What rows of both commands say of the schedule. */
static const struct option schedule_options[] = {
	{ .name = "games",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many games each encounter has, as other arenas "
			"count; with --rounds, each of these. They are made up "
			"of whole blocks.",
	    .unit = "games",
	    .min = 1,
	    .max = BLOCKS_MAX,
	    OPTIONS_FIELD(games) },
	{ .name = "duplicate",
	    .aliases = { "repeat" },
	    .kind = OPTION_FLAG,
	    .sentence = "Play each set of packs once for every way of seating "
			"the bots: the games of a block.",
	    .fallback = "yes",
	    .implied = "2",
	    OPTIONS_FIELD(duplicate) },
	{ .name = "level",
	    .kind = OPTION_REAL,
	    .value = "P",
	    .sentence = "Confidence level of the intervals.",
	    .fallback = "0.95",
	    .min = 0,
	    .max = 1,
	    OPTIONS_FIELD(level) },
};

bool
contribution_parse(const char *value, void *field, struct scopa_text *why)
{
	return contributions_add(field, value, why);
}

static const struct option run_options[] = {
	{ .name = "name",
	    .aliases = { "event" },
	    .kind = OPTION_TEXT,
	    .value = "NAME",
	    .sentence = "What to call the run.",
	    OPTIONS_FIELD(name) },
	{ .name = "run",
	    .kind = OPTION_TEXT,
	    .value = "DIR",
	    .sentence = "The folder of the run, which must be new or empty. "
			"Without it runs/DATE-NAME.",
	    .is_passing = true,
	    OPTIONS_FIELD(run) },
	{ .name = "log",
	    .kind = OPTION_GROUP,
	    .value = "FILE [level=LEVEL]",
	    .sentence = "Where messages go.",
	    .takes_plain = true,
	    .keys = log_keys,
	    .key_count = COUNTOF(log_keys),
	    .group_max = 1,
	    .group_size = sizeof(struct log_words),
	    .count_offset = offsetof(struct tournament_settings, log_count),
	    OPTIONS_FIELD(log) },
	{ .name = "contribution",
	    .kind = OPTION_PARSED,
	    .value = "NAME=HEX",
	    .sentence = "Mix what somebody contributes into the secret of the "
			"packs; may be repeated. It binds whoever deals only "
			"if it came after his commitment: see --announce.",
	    .parse = contribution_parse,
	    OPTIONS_FIELD(contributions) },
	{ .name = "announce",
	    .kind = OPTION_FLAG,
	    .sentence = "Make the run with its commitment, and play nothing "
			"yet: `" VERSION_NAME " resume` begins, with the "
			"contributions that came meanwhile.",
	    .is_passing = true,
	    OPTIONS_FIELD(announce) },
	{ .name = "dry-run",
	    .kind = OPTION_FLAG,
	    .sentence = "Print who would play whom, and play nothing.",
	    .is_passing = true,
	    OPTIONS_FIELD(dry_run) },
	{ .name = "concurrency",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Games at once. Without it one for each core that the "
			"program may use.",
	    .unit = "games",
	    .min = 1,
	    .max = CONCURRENCY_MAX,
	    OPTIONS_FIELD(game.concurrency) },
	{ .name = "record",
	    .aliases = { "pgnout" },
	    .kind = OPTION_REFUSED,
	    .sentence = "the folder of the run has the records: "
			"records.scopa." },
	{ .name = "output",
	    .kind = OPTION_REFUSED,
	    .sentence = "write --json for one document, or --events FILE." },
};

static const struct option tournament_own_options[] = {
	{ .name = "format",
	    .aliases = { "tournament" },
	    .kind = OPTION_NAME,
	    .value = "FORMAT",
	    .sentence = "Who plays whom: roundrobin, gauntlet (challengers "
			"against all others), swiss, knockout or ladder (the "
			"pairs that tell most about the ranking).",
	    .names = tournament_formats,
	    .fallback = "roundrobin",
	    OPTIONS_FIELD(format) },
	{ .name = "rounds",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many blocks each encounter has; in a knockout, "
			"the best of so many. Without it 10, or as many "
			"as --packs has packs for.",
	    .unit = "blocks",
	    .min = 1,
	    .max = BLOCKS_MAX,
	    OPTIONS_FIELD(rounds) },
	{ .name = "challengers",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Of a gauntlet: the first so many bots meet all "
			"others.",
	    .fallback = "1",
	    .unit = "bots",
	    .min = 1,
	    .max = TOURNAMENT_BOTS_MAX - 1,
	    OPTIONS_FIELD(challengers) },
	{ .name = "stages",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Of swiss: how often pairs are drawn. Without it, as "
			"often as finds one best.",
	    .unit = "stages",
	    .min = 1,
	    .max = SCHEDULE_STAGES_MAX,
	    OPTIONS_FIELD(stages) },
	{ .name = "blocks",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Of a ladder: how many blocks in all. Without it, as "
			"many as a round robin has.",
	    .unit = "blocks",
	    .min = 1,
	    .max = BLOCKS_MAX,
	    OPTIONS_FIELD(blocks) },
	{ .name = "partners",
	    .kind = OPTION_NAME,
	    .value = "WHO",
	    .sentence = "Of teams: all seats of a party are taken by one bot, "
			"or each seat by another one.",
	    .names = partner_names,
	    .fallback = "own",
	    OPTIONS_FIELD(partners) },
	{ .name = "sprt",
	    .kind = OPTION_REFUSED,
	    .sentence =
		"a sequential test is of two bots: " VERSION_NAME " gate." },
	{ .name = "base",
	    .kind = OPTION_REFUSED,
	    .sentence = "a base has its candidate: " VERSION_NAME " gate." },
};

static const struct option gate_own_options[] = {
	{ .name = "base",
	    .kind = OPTION_GROUP,
	    .value = "[CMD] KEY=VALUE...",
	    .sentence = "What the candidate is compared with; the keys are "
			"those of --bot. Without it the second bot.",
	    .takes_plain = true,
	    .title = "name",
	    .keys = entrant_keys,
	    .key_count = ENTRANT_KEY_COUNT,
	    .group_max = 1,
	    .group_size = sizeof(struct entrant_words),
	    .count_offset = offsetof(struct tournament_settings, base_count),
	    .keys_described = true,
	    OPTIONS_FIELD(base) },
	{ .name = "sprt",
	    .kind = OPTION_GROUP,
	    .value = "[KEY=VALUE...]",
	    .sentence = "End as soon as a sequential test knows; what is not "
			"given has the values that are here. So does a gate "
			"without this and --rounds.",
	    .takes_nothing = true,
	    .keys = sprt_keys,
	    .key_count = COUNTOF(sprt_keys),
	    .group_max = 1,
	    .group_size = sizeof(struct sprt_words),
	    .count_offset = offsetof(struct tournament_settings, sprt_count),
	    OPTIONS_FIELD(sprt) },
	{ .name = "rounds",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many blocks are played; with --sprt, at most. "
			"Alone: the verdict is by the interval of the margin.",
	    .unit = "blocks",
	    .min = 1,
	    .max = BLOCKS_MAX,
	    OPTIONS_FIELD(rounds) },
	{ .name = "format",
	    .aliases = { "tournament" },
	    .kind = OPTION_REFUSED,
	    .sentence = "a gate is of two bots: " VERSION_NAME
			" tournament has formats." },
	{ .name = "analysis",
	    .kind = OPTION_REFUSED,
	    .sentence = "no verdict comes of games in which a bot sees all "
			"cards: " VERSION_NAME " tournament plays them." },
};

#define GAME_TABLE(heading, rows) \
	GAME_OPTIONS(heading, rows, struct tournament_settings, game)

/* The same of rows whose offsets count from the whole. */
#define OWN_TABLE(heading, rows)                                             \
	{                                                                    \
		.kind = OPTION_TABLE, .sentence = (heading), .keys = (rows), \
		.key_count = COUNTOF(rows),                                  \
	}

const struct option tournament_options[] = {
	GAME_TABLE("bots", game_bot_options),
	GAME_TABLE("game", game_rule_options),
	OWN_TABLE("schedule", tournament_own_options),
	OWN_TABLE(NULL, schedule_options),
	GAME_TABLE(NULL, game_analysis_options),
	GAME_TABLE("patience with bots", game_patience_options),
	OWN_TABLE("run", run_options),
	GAME_OPTIONS(NULL, call_options, struct tournament_settings, call),
	GAME_TABLE(NULL, game_call_options),
	GAME_TABLE(NULL, game_config_options),
	GAME_TABLE(NULL, game_refused_options),
};

_Static_assert(COUNTOF(tournament_options) == TOURNAMENT_OPTION_COUNT,
    "the header says how many there are");

const struct option gate_options[] = {
	GAME_TABLE("bots", game_bot_options),
	OWN_TABLE("verdict", gate_own_options),
	OWN_TABLE(NULL, schedule_options),
	GAME_TABLE("game", game_rule_options),
	GAME_TABLE("patience with bots", game_patience_options),
	OWN_TABLE("run", run_options),
	GAME_OPTIONS(NULL, call_options, struct tournament_settings, call),
	GAME_TABLE(NULL, game_call_options),
	GAME_TABLE(NULL, game_config_options),
	GAME_TABLE(NULL, game_refused_options),
};

_Static_assert(COUNTOF(gate_options) == GATE_OPTION_COUNT,
    "the header says how many there are");

bool
tournament_settings_open(struct tournament_settings *settings, bool gate,
    const char *path, struct option_error *error)
{
	struct option_reader reader = {
		.options = gate ? gate_options : tournament_options,
		.option_count =
		    gate ? GATE_OPTION_COUNT : TOURNAMENT_OPTION_COUNT,
		.settings = settings,
		.section = gate ? "gate" : "tournament",
		.sections = command_sections,
	};

	memset(settings, 0, sizeof(*settings));
	option_defaults(&reader);
	if (option_read_file(&reader, path))
		return true;
	*error = reader.error;
	option_release(&reader);
	return false;
}

void
tournament_settings_close(struct tournament_settings *settings)
{
	option_memory_release(&settings->game.memory);
}

enum {
	ROUNDS_DEFAULT = 10,       /* of a tournament */
	GATE_DEALS_DEFAULT = 1,    /* of a game */
	GATE_BLOCKS_MAX = 1000000, /* where nothing else ends a gate */
	NAME_SIZE = 48
};

static const char *
command_of(const struct tournament_setup *setup)
{
	return setup->is_gate ? "gate" : "tournament";
}

static void
add_try(const struct tournament_setup *setup)
{
	error_detail("try", VERSION_NAME " help %s", command_of(setup));
}

/* The name becomes part of a path. */
static enum status
read_name(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const char *name = settings->name;

	setup->name = name != NULL ? name : command_of(setup);
	for (const char *byte = setup->name; *byte != '\0'; byte++) {
		if (isgraph((unsigned char)*byte) && *byte != '/')
			continue;
		error_print("--name \"%s\": letters, digits and signs are "
			    "expected, without blanks and /",
		    name);
		add_try(setup);
		return STATUS_USAGE;
	}
	if (strlen(setup->name) >= NAME_SIZE || setup->name[0] == '.') {
		error_print("--name \"%s\": expected are up to %d characters, "
			    "the first of them no point",
		    name, NAME_SIZE - 1);
		add_try(setup);
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}

/* A gate has one candidate and one base. */
static enum status
check_pair(const struct tournament_setup *setup,
    const struct tournament_settings *settings)
{
	int count = settings->game.bot_count;

	if (count == 1 && settings->base_count == 0)
		error_print("a gate needs a base to compare with");
	else if (count == 0)
		error_print("a gate needs a candidate");
	else if (count + settings->base_count > 2)
		error_print("a gate compares two bots, but %d are named",
		    count + settings->base_count);
	else
		return STATUS_DONE;
	error_detail("hint", "name one --bot, and one --base");
	add_try(setup);
	return STATUS_USAGE;
}

static enum status
read_bots(struct tournament_setup *setup,
    const struct tournament_settings *settings, enum entrant_use use,
    struct budget_control *control)
{
	const struct game_settings *game = &settings->game;
	int count = game->bot_count;
	int all = count + settings->base_count;

	if (setup->is_gate) {
		enum status status = check_pair(setup, settings);

		if (status != STATUS_DONE)
			return status;
	} else if (all < 2) {
		error_print(
		    "a tournament needs two bots, but %d is named", all);
		error_detail(
		    "try", VERSION_NAME " tournament @greedy @random @first");
		return STATUS_USAGE;
	}
	setup->words = calloc((size_t)all, sizeof(*setup->words));
	setup->entrants = calloc((size_t)all, sizeof(*setup->entrants));
	if (setup->words == NULL || setup->entrants == NULL)
		return game_setup_error(-ENOMEM);
	memcpy(setup->words, game->bots, (size_t)count * sizeof(*game->bots));
	if (settings->base_count > 0)
		setup->words[count] = settings->base;
	setup->entrant_count = all;
	return game_setup_bots(
	    game, setup->words, setup->entrants, all, use, control);
}

static enum status
error_of_flaw(const struct tournament_setup *setup, const char *flaw)
{
	error_print("%s", flaw);
	add_try(setup);
	return STATUS_USAGE;
}

/* How many blocks an encounter has, once it is known how many games one is. */
/* Packs of a round: a game to a target is known by its first one. */
static int
round_packs(const struct tournament_setup *setup)
{
	return setup->rules.deals > 0 ? setup->rules.deals : 1;
}

/* Rounds until the last pack of the file. */
static int
suite_rounds(const struct tournament_setup *setup)
{
	int rounds = setup->suite.count / round_packs(setup);

	return rounds > 0 ? rounds : 1;
}

static void
warn_repeats(const struct tournament_setup *setup, int repeated)
{
	if (repeated > 0)
		fprintf(stderr,
		    "warning: pack file \"%s\": %d of %d packs stand there "
		    "before: what comes again is no new evidence\n",
		    setup->packs_path, repeated, setup->suite.count);
}

/* Where the schedule goes on after the last pack, or rounds share packs. */
static void
warn_rounds(const struct tournament_setup *setup)
{
	int64_t rounds = schedule_round_count(&setup->schedule);
	int packs = round_packs(setup);

	if (setup->suite.count == 0)
		return;
	if (setup->rules.deals == 0)
		fprintf(stderr,
		    "warning: pack file \"%s\": games to a target take packs "
		    "of the rounds after theirs, so that results depend on "
		    "each other; with --deals rounds have packs of their own\n",
		    setup->packs_path);
	if (rounds > suite_rounds(setup))
		fprintf(stderr,
		    "warning: %s%" PRId64 " rounds of %d pack%s each, but pack "
		    "file \"%s\" has %d: what comes again is no new "
		    "evidence\n",
		    setup->schedule.format == SCHEDULE_LADDER
			? "a pair of the ladder may play "
			: "",
		    rounds, packs, packs == 1 ? "" : "s", setup->packs_path,
		    setup->suite.count);
}

/* The packs of a file, and which of them repeat. */
static enum status
read_packs(struct tournament_setup *setup,
    const struct tournament_settings *settings, enum entrant_use use)
{
	bool plays = use == ENTRANT_TO_PLAY;
	enum status status;
	int repeated;

	if (setup->packs_path == NULL)
		return STATUS_DONE;
	if (!plays && access(setup->packs_path, R_OK) < 0) {
		fprintf(stderr,
		    "warning: pack file \"%s\": %s: it is not known which "
		    "packs repeat\n",
		    setup->packs_path, strerror(errno));
		return STATUS_DONE;
	}
	status =
	    game_setup_packs(&settings->game, &setup->packs, &setup->rules);
	if (status != STATUS_DONE)
		return status;
	setup->pack_sets =
	    calloc((size_t)setup->packs.count, sizeof(*setup->pack_sets));
	if (setup->pack_sets == NULL ||
	    pack_file_sets(&setup->packs, round_packs(setup), setup->pack_sets,
		&repeated) < 0) {
		error_print("no memory");
		return STATUS_ENVIRONMENT;
	}
	setup->suite = (struct standings_suite){ setup->pack_sets,
		setup->packs.count, round_packs(setup) };
	if (plays)
		warn_repeats(setup, repeated);
	return STATUS_DONE;
}

/* How often all who meet do so, for a file of packs to be played once. */
static int
suite_encounter_rounds(const struct tournament_setup *setup)
{
	struct schedule_config once = setup->schedule;
	int64_t rounds;

	/* Of a ladder, on average. */
	if (once.format == SCHEDULE_LADDER)
		return suite_rounds(setup);
	once.rounds = 1;
	rounds = suite_rounds(setup) / schedule_round_count(&once);
	return rounds > 0 ? (int)rounds : 1;
}

static enum status
read_rounds(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
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
	return STATUS_DONE;
}

/* The secret, and the key of the packs that it is with all contributions. */
static enum status
read_secret(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const struct game_settings *game = &settings->game;
	enum status status = game_setup_secret(game, &setup->rules);

	if (status != STATUS_DONE)
		return status;
	setup->contributions = &settings->contributions;
	if (setup->packs_path != NULL && settings->contributions.count > 0) {
		error_print(
		    "--contribution: packs of a file come from no secret");
		add_try(setup);
		return STATUS_USAGE;
	}
	setup->drawn = !game->seed.given && setup->packs_path == NULL;
	(void)sodium_mlock(&setup->secret, sizeof(setup->secret));
	setup->secret = setup->rules.secret;
	contributions_mix(
	    setup->contributions, &setup->secret, &setup->rules.secret);
	return STATUS_DONE;
}

/* What is said of another format than the one that is played, or NULL. */
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
read_schedule(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const char *flaw;
	enum status status;

	setup->schedule = (struct schedule_config){
		.format = setup->is_gate
		    ? SCHEDULE_ROUND_ROBIN
		    : (enum schedule_format)settings->format,
		.bot_count = setup->entrant_count,
		.rules = setup->rules.rules,
		.mixed = settings->partners > 0,
		.duplicate = settings->duplicate,
		.rounds = 1,
		.stages = (int)settings->stages,
		.blocks = settings->blocks > 0 ? settings->blocks : 1,
		.challengers = (int)settings->challengers,
		.seed =
		    shuffle_seat_seed(&setup->rules.secret, "schedule", 1, 0),
	};
	if (setup->is_gate && schedule_bot_count(&setup->schedule) != 2) {
		error_print("a gate compares two bots, but %d meet in this "
			    "game",
		    schedule_bot_count(&setup->schedule));
		error_detail(
		    "hint", "choose seats of two parties: AB, ABAB or ABABAB");
		return STATUS_USAGE;
	}
	flaw = setup->is_gate ? NULL : find_idle_word(settings);
	if (flaw == NULL)
		flaw = schedule_flaw(&setup->schedule);
	if (flaw != NULL)
		return error_of_flaw(setup, flaw);
	status = read_rounds(setup, settings);
	if (status != STATUS_DONE)
		return status;
	flaw = schedule_flaw(&setup->schedule);
	return flaw != NULL ? error_of_flaw(setup, flaw) : STATUS_DONE;
}

static enum status
error_of_sprt(const char *why)
{
	error_print("--sprt: %s", why);
	error_detail("try", VERSION_NAME " help gate");
	return STATUS_USAGE;
}

/* No verdict could ever be given. */
static enum status
error_of_minimum(const struct gate_config *gate, const char *key)
{
	error_print("--sprt: %s%lld blocks at most are fewer than min=%lld",
	    key, (long long)gate->blocks_max, (long long)gate->sprt.minimum);
	error_detail("hint",
	    "min=%lld allows a verdict after so many, with errors more often "
	    "than agreed",
	    (long long)gate->blocks_max);
	error_detail("try", VERSION_NAME " help gate");
	return STATUS_USAGE;
}

/* The sequential test, and when a gate ends in any case. */
static enum status
read_sprt(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const struct sprt_words *words = &settings->sprt;
	bool limited = settings->rounds > 0 || settings->games > 0;
	struct gate_config *gate = &setup->gate;
	struct sprt *sprt = &gate->sprt;
	char bytes[SPRT_WHY_SIZE];
	struct scopa_text why;

	if (words->max > 0 && limited)
		return error_of_sprt(
		    "max= and --rounds or --games are two limits");
	if (setup->packs_path != NULL && setup->rules.deals == 0) {
		error_print("--packs: a gate needs games of --deals, as "
			    "games to a target share packs");
		add_try(setup);
		return STATUS_USAGE;
	}
	gate->sequential = settings->sprt_count > 0 || !limited;
	gate->blocks_max = limited || setup->suite.count > 0
	    ? setup->schedule.rounds
	    : GATE_BLOCKS_MAX;
	if (words->max > 0)
		gate->blocks_max = words->max;
	setup->schedule.rounds = (int)gate->blocks_max;
	*sprt = (struct sprt){
		.model = (enum sprt_model)words->model,
		.alpha = words->alpha,
		.beta = words->beta,
		.minimum = words->min,
	};
	scopa_text_init(&why, bytes, sizeof(bytes));
	if (!sprt_bounds_set(&words->bounds, sprt, &why))
		return error_of_sprt(bytes);
	/* A file of few packs is played as far as it goes. */
	if (gate->sequential && (limited || words->max > 0) &&
	    gate->blocks_max < sprt->minimum)
		return error_of_minimum(gate, words->max > 0 ? "max=" : "");
	if (sprt->model == SPRT_BETTING &&
	    fmax(fabs(sprt->low), fabs(sprt->high)) >=
		scopa_points_max(&setup->rules.rules))
		return error_of_sprt("the model betting: a bound lies beyond "
				     "what a deal can give");
	return STATUS_DONE;
}

static enum status
read_verdict(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	enum status status = STATUS_DONE;

	if (!(settings->level >= 0.5 && settings->level < 1)) {
		error_print("--level %g: at least 0.5 and below 1 is "
			    "expected",
		    settings->level);
		add_try(setup);
		return STATUS_USAGE;
	}
	setup->level = settings->level;
	setup->gate.level = settings->level;
	if (setup->is_gate)
		status = read_sprt(setup, settings);
	return status;
}

/* As many games at once as there are cores, unless told. */
static enum status
read_machine(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const struct game_settings *game = &settings->game;
	enum status status = game_setup_pin(game, &setup->pin, &setup->cores);
	struct cores cores;
	int error = 0;

	if (status != STATUS_DONE)
		return status;
	setup->concurrency = (int)game->concurrency;
	setup->thinkers = game->thinkers.count;
	if (setup->concurrency > 0)
		return STATUS_DONE;
	if (setup->pin == DISPATCHER_PIN_LIST)
		cores = setup->cores;
	else
		error = cores_allowed(&cores);
	setup->concurrency = error || cores.count == 0 ? 1 : cores.count;
	return STATUS_DONE;
}

/* The rules; a game of a gate is one deal unless told. */
static enum status
read_rules(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const struct game_settings *game = &settings->game;
	enum status status = game_setup_rules(game, 0, &setup->rules);

	if (status == STATUS_DONE && setup->is_gate && game->deals == 0 &&
	    game->target == 0 && game->max_deals == 0)
		setup->rules.deals = GATE_DEALS_DEFAULT;
	return status;
}

enum status
tournament_setup_open(struct tournament_setup *setup,
    const struct tournament_settings *settings, bool gate, enum entrant_use use)
{
	struct budget_control control;
	enum status status;

	memset(setup, 0, sizeof(*setup));
	setup->is_gate = gate;
	setup->packs_path = settings->game.packs.path;
	status = read_name(setup, settings);
	if (status == STATUS_DONE)
		status = read_rules(setup, settings);
	if (status == STATUS_DONE)
		status = read_bots(setup, settings, use, &control);
	if (status != STATUS_DONE)
		goto close_setup;
	game_setup_referee(&settings->game, &control, &setup->rules);
	assert(!gate || setup->rules.settings.analysis == NULL);
	status = read_secret(setup, settings);
	if (status == STATUS_DONE)
		status = read_packs(setup, settings, use);
	if (status == STATUS_DONE)
		status = read_schedule(setup, settings);
	if (status == STATUS_DONE)
		status = read_verdict(setup, settings);
	if (status == STATUS_DONE && use == ENTRANT_TO_PLAY)
		status = read_machine(setup, settings);
	if (status == STATUS_DONE && use == ENTRANT_TO_PLAY)
		warn_rounds(setup);
	if (status == STATUS_DONE)
		return status;
close_setup:
	tournament_setup_close(setup);
	return status;
}

void
tournament_setup_close(struct tournament_setup *setup)
{
	if (setup->rules.packs != NULL)
		pack_file_close(&setup->packs);
	free(setup->pack_sets);
	if (setup->rules.sandbox != NULL)
		sandbox_close(&setup->sandbox);
	free(setup->entrants);
	free(setup->words);
	memset(setup, 0, sizeof(*setup));
}

enum status
tournament_setup_call(const struct tournament_setup *setup, const bool *excused,
    struct preflight_result *rolls)
{
	static struct entrant called[TOURNAMENT_BOTS_MAX];
	static struct preflight_result answers[TOURNAMENT_BOTS_MAX];
	enum status status = STATUS_DONE;
	int count = 0, signal = 0, error;

	for (int bot = 0; bot < setup->entrant_count; bot++)
		if (excused == NULL || !excused[bot])
			called[count++] = setup->entrants[bot];
	error = preflight(&setup->rules, called, count, answers, &signal);
	if (error == -EINTR)
		return (enum status)(128 + signal);
	if (error)
		return game_setup_error(error);
	for (int bot = 0, i = 0; bot < setup->entrant_count; bot++) {
		if (excused != NULL && excused[bot])
			continue;
		rolls[bot] = answers[i];
		if (!answers[i].ready) {
			status = entrant_error(&called[i], answers[i].name,
			    &answers[i].fault, &setup->rules);
		}
		i++;
	}
	return status;
}

/*
 * The configuration of a tournament or gate as executed.
 */

enum { NUMBER_SIZE = 24, STAND_INS_MAX = 16 + TOURNAMENT_BOTS_MAX };

/* The values that take the place of what was given, and their bytes. */
struct stand_ins {
	struct option_stand_in rows[STAND_INS_MAX];
	int count;
	char seed[SHUFFLE_HEX_SIZE];
	char contributions[CONTRIBUTIONS_SIZE];
	char low[NUMBER_SIZE], high[NUMBER_SIZE]; /* bounds of a test */
	char rounds[NUMBER_SIZE], blocks[NUMBER_SIZE], deals[NUMBER_SIZE];
};

static void
stand_in_add(struct stand_ins *stand_ins, const char *group, int element,
    const char *name, const char *value)
{
	stand_ins->rows[stand_ins->count++] =
	    (struct option_stand_in){ group, element, name, value };
}

/* How long it goes on, in whichever way that was said or left open. */
static void
add_length(struct stand_ins *stand_ins, const struct tournament_setup *setup)
{
	bool sequential = setup->is_gate && setup->gate.sequential;
	const char *rounds = stand_ins->rounds;

	snprintf(stand_ins->rounds, sizeof(stand_ins->rounds), "%d",
	    setup->schedule.rounds);
	stand_in_add(stand_ins, NULL, 0, "games", NULL);
	stand_in_add(stand_ins, NULL, 0, "rounds", sequential ? NULL : rounds);
	if (sequential)
		stand_in_add(stand_ins, "sprt", 0, "max", rounds);
	if (setup->schedule.format == SCHEDULE_LADDER) {
		snprintf(stand_ins->blocks, sizeof(stand_ins->blocks),
		    "%" PRId64, setup->schedule.blocks);
		stand_in_add(stand_ins, NULL, 0, "blocks", stand_ins->blocks);
	}
	if (setup->rules.deals > 0) {
		snprintf(stand_ins->deals, sizeof(stand_ins->deals), "%d",
		    setup->rules.deals);
		stand_in_add(stand_ins, NULL, 0, "deals", stand_ins->deals);
	}
}

/* Where the packs are from. */
static void
add_secret(struct stand_ins *stand_ins, const struct tournament_setup *setup)
{
	shuffle_key_format(&setup->secret, stand_ins->seed);
	stand_in_add(stand_ins, NULL, 0, "seed", stand_ins->seed);
	contributions_write(setup->contributions, stand_ins->contributions);
	stand_in_add(stand_ins, NULL, 0, "contribution",
	    setup->contributions->count > 0 ? stand_ins->contributions : NULL);
}

static void
add_bound(struct stand_ins *stand_ins, const char *name, double value,
    char text[NUMBER_SIZE])
{
	snprintf(text, NUMBER_SIZE, "%g", value);
	stand_in_add(stand_ins, "sprt", 0, name, text);
}

/* A test by bounds that nobody gave. */
static void
add_bounds(struct stand_ins *stand_ins,
    const struct tournament_settings *settings,
    const struct tournament_setup *setup)
{
	const struct sprt_bounds *bounds = &settings->sprt.bounds;
	const struct sprt *sprt = &setup->gate.sprt;

	if (!setup->is_gate || !setup->gate.sequential)
		return;
	if (sprt->unit == SPRT_UNIT_POINTS) {
		if (!bounds->points0.given)
			add_bound(
			    stand_ins, "points0", sprt->low, stand_ins->low);
		if (!bounds->points1.given)
			add_bound(
			    stand_ins, "points1", sprt->high, stand_ins->high);
		return;
	}
	if (!bounds->elo0.given)
		add_bound(stand_ins, "elo0", sprt->low, stand_ins->low);
	if (!bounds->elo1.given)
		add_bound(stand_ins, "elo1", sprt->high, stand_ins->high);
}

/* What bots were called, and the folder that those without one run in. */
static void
add_bots(struct stand_ins *stand_ins, const struct tournament_setup *setup,
    const struct tournament_settings *settings, const char *const *names,
    const char *folder)
{
	int bot_count = settings->game.bot_count;

	for (int i = 0; i < setup->entrant_count; i++) {
		bool is_base = i >= bot_count;

		if (names != NULL)
			stand_in_add(stand_ins, is_base ? "base" : "bot",
			    is_base ? 0 : i, "name", names[i]);
	}
	if (settings->game.each.dir == NULL && folder != NULL)
		stand_in_add(stand_ins, "each", 0, "dir", folder);
}

char *
tournament_setup_config(const struct tournament_setup *setup,
    const struct tournament_settings *settings, const char *const *names)
{
	char *text = NULL;
	size_t size;
	char *folder = getcwd(NULL, 0);
	FILE *file = open_memstream(&text, &size);
	struct stand_ins stand_ins = { .count = 0 };
	struct option_form form = {
		.options = setup->is_gate ? gate_options : tournament_options,
		.option_count = setup->is_gate ? GATE_OPTION_COUNT
					       : TOURNAMENT_OPTION_COUNT,
		.section = setup->is_gate ? "gate" : "tournament",
		.memory = &settings->game.memory,
		.folder = folder,
		.stand_ins = stand_ins.rows,
	};

	if (file == NULL)
		goto free_folder;
	add_secret(&stand_ins, setup);
	stand_in_add(&stand_ins, NULL, 0, "name", setup->name);
	add_length(&stand_ins, setup);
	add_bounds(&stand_ins, settings, setup);
	add_bots(&stand_ins, setup, settings, names, folder);
	form.stand_in_count = stand_ins.count;
	fprintf(file,
	    "# As it was played by " VERSION_NAME " " VERSION_NUMBER
	    ".  The same again: " VERSION_NAME " %s --config FILE\n\n",
	    form.section);
	option_write(file, &form);
	if (fclose(file) != 0) {
		free(text);
		text = NULL;
	}
free_folder:
	free(folder);
	return text;
}
