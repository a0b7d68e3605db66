#include "tournament_options.h"

#include <string.h>

#include "command.h"
#include "version.h"

enum { BLOCKS_MAX = 10000000 };

#define FIELD(name) .offset = offsetof(struct tournament_settings, name)
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
	    .sentence = "The same in points a deal, for the models margin and "
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
	    FIELD(games) },
	{ .name = "duplicate",
	    .aliases = { "repeat" },
	    .kind = OPTION_FLAG,
	    .sentence = "Play each set of packs once for every way of seating "
			"the bots: the games of a block.",
	    .fallback = "yes",
	    .implied = "2",
	    FIELD(duplicate) },
	{ .name = "level",
	    .kind = OPTION_REAL,
	    .value = "P",
	    .sentence = "How probably intervals hold the truth.",
	    .fallback = "0.95",
	    .min = 0,
	    .max = 1,
	    FIELD(level) },
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
	    FIELD(name) },
	{ .name = "run",
	    .kind = OPTION_TEXT,
	    .value = "DIR",
	    .sentence = "The folder of the run, which must be new or empty. "
			"Without it runs/DATE-NAME.",
	    .is_passing = true,
	    FIELD(run) },
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
	    FIELD(log) },
	{ .name = "contribution",
	    .kind = OPTION_PARSED,
	    .value = "NAME=HEX",
	    .sentence = "Mix what somebody contributes into the secret of the "
			"packs; may be repeated. It binds whoever deals only "
			"if it came after his commitment: see --announce.",
	    .parse = contribution_parse,
	    FIELD(contributions) },
	{ .name = "announce",
	    .kind = OPTION_FLAG,
	    .sentence = "Make the run with its commitment, and play nothing "
			"yet: `" VERSION_NAME " resume` begins, with the "
			"contributions that came meanwhile.",
	    .is_passing = true,
	    FIELD(announce) },
	{ .name = "dry-run",
	    .kind = OPTION_FLAG,
	    .sentence = "Print who would play whom, and play nothing.",
	    .is_passing = true,
	    FIELD(dry_run) },
	{ .name = "concurrency",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Games at once. Without it one for each core that the "
			"program may use.",
	    .unit = "games",
	    .min = 1,
	    .max = CONCURRENCY_MAX,
	    FIELD(game.concurrency) },
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
	    .sentence = "Who plays whom: all each other, some against the "
			"others, equals, winners on until one is left, or the "
			"pairs that tell most about the ranking.",
	    .names = tournament_formats,
	    .fallback = "roundrobin",
	    FIELD(format) },
	{ .name = "rounds",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many blocks each encounter has; in a knockout, "
			"the best of so many. Without it 10, or in a round "
			"robin or gauntlet as many as --packs has packs for.",
	    .unit = "blocks",
	    .min = 1,
	    .max = BLOCKS_MAX,
	    FIELD(rounds) },
	{ .name = "challengers",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Of a gauntlet: the first so many bots meet all "
			"others.",
	    .fallback = "1",
	    .unit = "bots",
	    .min = 1,
	    .max = TOURNAMENT_BOTS_MAX - 1,
	    FIELD(challengers) },
	{ .name = "stages",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Of swiss: how often pairs are drawn. Without it, as "
			"often as finds one best.",
	    .unit = "stages",
	    .min = 1,
	    .max = SCHEDULE_STAGES_MAX,
	    FIELD(stages) },
	{ .name = "blocks",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Of a ladder: how many blocks in all. Without it, as "
			"many as a round robin has.",
	    .unit = "blocks",
	    .min = 1,
	    .max = BLOCKS_MAX,
	    FIELD(blocks) },
	{ .name = "partners",
	    .kind = OPTION_NAME,
	    .value = "WHO",
	    .sentence = "Of teams: all seats of a party are taken by one bot, "
			"or each seat by another one.",
	    .names = partner_names,
	    .fallback = "own",
	    FIELD(partners) },
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
	    .keys_told = true,
	    FIELD(base) },
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
	    FIELD(sprt) },
	{ .name = "rounds",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many blocks are played; with --sprt, at most. "
			"Alone: the verdict is by the interval of the margin.",
	    .unit = "blocks",
	    .min = 1,
	    .max = BLOCKS_MAX,
	    FIELD(rounds) },
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
