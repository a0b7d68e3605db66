/*
 * sprt: what a sequential test says of results that are there already.
 */
#include "command.h"
#include "complaint.h"
#include "countof.h"
#include "option.h"
#include "sprt_answer.h"
#include "sprt_bounds.h"
#include "sprt_source.h"
#include "version.h"

enum { MINIMUM_MAX = 1000000000 };

/* Narrower intervals say nothing, wider ones are all alike. */
#define LEVEL_MIN 0.5
#define LEVEL_MAX 0.9999

struct minimum {
	bool given;
	int64_t count;
};

struct settings {
	struct sprt_source source;
	struct sprt_bounds bounds;
	int model;   /* index of model_names */
	int reading; /* enum sprt_reading */
	double alpha, beta, level;
	struct minimum minimum;
	bool json;
};

/* The model that suits the results, and the models as enum sprt_model. */
static const char *const model_names[] = { "auto", "margin", "logistic",
	"normalized", "bayesian", "betting", NULL };
_Static_assert(COUNTOF(model_names) == SPRT_MODEL_COUNT + 2, "one each");
static bool
minimum_parse(const char *value, void *field, struct scopa_text *why)
{
	const struct option row = { .kind = OPTION_INT, .max = MINIMUM_MAX };
	int64_t count;
	const struct option_target target = { &row, &count, "" };
	struct minimum *minimum = field;
	struct option_error error;

	if (!option_value_read(&target, value, &error)) {
		scopa_text_string(why, "expects a number, 0 to 1000000000");
		return false;
	}
	*minimum = (struct minimum){ .given = true, .count = count };
	return true;
}

#define FIELD(name) .offset = offsetof(struct settings, name)

static const struct option options[] = {
	{ .name = "wdl",
	    .kind = OPTION_TEXT,
	    .value = "W,D,L",
	    .sentence = "Games won, drawn and lost, in this order.",
	    FIELD(source.wdl) },
	{ .name = "wld",
	    .kind = OPTION_REFUSED,
	    .sentence = "--wld is now --wdl: wins, draws, losses in this "
			"order." },
	{ .name = "penta",
	    .aliases = { "pentanomial" },
	    .kind = OPTION_TEXT,
	    .value = "A,B,C,D,E",
	    .sentence = "Pairs of games that scored 0, 1/4, 1/2, 3/4 and 1.",
	    FIELD(source.penta) },
	{ .name = "moments",
	    .kind = OPTION_TEXT,
	    .value = "N,MEAN,SD",
	    .sentence = "Blocks, the mean of their points a deal, and its "
			"standard deviation (dividing by N).",
	    FIELD(source.moments) },
	{ .name = "records",
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "A file of game records; `-` is standard input.",
	    FIELD(source.records) },
	{ .name = "bot",
	    .kind = OPTION_TEXT,
	    .value = "NAME",
	    .sentence = "Of records: who is tested. Without it the bot that "
			"is seen first.",
	    FIELD(source.bot) },
	{ .name = "base",
	    .kind = OPTION_TEXT,
	    .value = "NAME",
	    .sentence = "Of records: against whom. Without it the only other "
			"bot.",
	    FIELD(source.base) },
	{ .name = "single",
	    .kind = OPTION_FLAG,
	    .sentence = "Of --moments: a block is one game, not a pair of "
			"games with swapped seats.",
	    FIELD(source.single) },
	{ .name = "model",
	    .kind = OPTION_NAME,
	    .value = "MODEL",
	    .sentence = "What the bounds are about. auto: margin where points "
			"are known, else logistic. betting: points, for "
			"every distribution; of records alone.",
	    .fallback = "auto",
	    .names = model_names,
	    FIELD(model) },
	{ .name = "elo0",
	    .kind = OPTION_PARSED,
	    .value = "N",
	    .sentence = "H0, in the Elo of the model. Without a bound: 0.",
	    .parse = sprt_bound_parse,
	    FIELD(bounds.elo0) },
	{ .name = "elo1",
	    .kind = OPTION_PARSED,
	    .value = "N",
	    .sentence = "H1, likewise. Without a bound: 5.",
	    .parse = sprt_bound_parse,
	    FIELD(bounds.elo1) },
	{ .name = "points0",
	    .kind = OPTION_PARSED,
	    .value = "N",
	    .sentence = "H0 in points a deal, of the models margin and "
			"betting, instead of --elo0. Of betting without a "
			"bound: 0.",
	    .parse = sprt_bound_parse,
	    FIELD(bounds.points0) },
	{ .name = "points1",
	    .kind = OPTION_PARSED,
	    .value = "N",
	    .sentence = "H1 in points a deal, instead of --elo1. Of betting "
			"without a bound: 0.3.",
	    .parse = sprt_bound_parse,
	    FIELD(bounds.points1) },
	{ .name = "alpha",
	    .kind = OPTION_REAL,
	    .value = "P",
	    .sentence = "How probably H1 is accepted where H0 holds; below "
			"0.5.",
	    .fallback = "0.05",
	    .min = 0,
	    .max = 1,
	    FIELD(alpha) },
	{ .name = "beta",
	    .kind = OPTION_REAL,
	    .value = "P",
	    .sentence = "How probably H0 is accepted where H1 holds; below "
			"0.5.",
	    .fallback = "0.05",
	    .min = 0,
	    .max = 1,
	    FIELD(beta) },
	{ .name = "minimum",
	    .aliases = { "min" },
	    .kind = OPTION_PARSED,
	    .value = "N",
	    .sentence = "No decision before so many blocks, pairs or games. "
			"Without it: 30 for the model margin, else 0.",
	    .parse = minimum_parse,
	    FIELD(minimum) },
	{ .name = "reading",
	    .kind = OPTION_NAME,
	    .value = "ARENA",
	    .sentence = "Of the model bayesian: read its bounds as this arena "
			"does.",
	    .fallback = "openbench",
	    .names = sprt_reading_names,
	    FIELD(reading) },
	{ .name = "level",
	    .kind = OPTION_REAL,
	    .value = "P",
	    .sentence = "How probably an interval holds the truth.",
	    .fallback = "0.95",
	    .min = 0,
	    .max = 1,
	    FIELD(level) },
	{ .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "Print one JSON object.",
	    FIELD(json) },
};

_Static_assert(SPRT_MINIMUM_DEFAULT == 30, "what --minimum tells");

static const char *const examples[] = {
	VERSION_NAME " sprt --wdl 320,150,280 --elo0 0 --elo1 10",
	VERSION_NAME " sprt --penta 5,20,45,22,8 --model normalized --json",
	VERSION_NAME " sprt --moments 220,0.291,2.15 --points0 0 --points1 0.3",
	VERSION_NAME " sprt --records games.scopa --bot new --base old",
	NULL,
};

static enum status
usage_say(const char *what, const char *hint)
{
	complaint_say("%s", what);
	complaint_add("command", VERSION_NAME " sprt");
	if (hint != NULL)
		complaint_add("hint", "%s", hint);
	complaint_add("try", VERSION_NAME " help sprt");
	return STATUS_USAGE;
}

static enum status
misfit_say(const struct sprt_evidence *evidence, enum sprt_model model)
{
	static const char *const needs[] = {
		[SPRT_MARGIN] = "points or results",
		[SPRT_LOGISTIC] = "results: --wdl, --penta or --records",
		[SPRT_NORMALIZED] = "results: --wdl, --penta or --records",
		[SPRT_BAYESIAN] = "single games: --wdl or --records",
		[SPRT_BETTING] = "points in the order of games: --records",
	};
	_Static_assert(COUNTOF(needs) == SPRT_MODEL_COUNT, "one each");

	complaint_say(
	    "the model %s needs %s", sprt_model_name(model), needs[model]);
	complaint_add("command", VERSION_NAME " sprt");
	complaint_add("hint", "--%s does not tell these", evidence->source);
	complaint_add("try", VERSION_NAME " help sprt");
	return STATUS_USAGE;
}

static bool
is_betting(const struct settings *settings)
{
	return settings->model == SPRT_BETTING + 1;
}

/* The results; bets on them are made while they are read. */
static enum status
evidence_read(const struct settings *settings, struct sprt_evidence *evidence)
{
	struct sprt_source source = settings->source;
	struct sprt sprt = {
		.model = SPRT_BETTING,
		.alpha = settings->alpha,
		.beta = settings->beta,
	};
	char bytes[SPRT_WHY_SIZE];
	struct scopa_text why;

	evidence->source = NULL;
	scopa_text_init(&why, bytes, sizeof(bytes));
	if (is_betting(settings) && source.records != NULL) {
		if (!sprt_bounds_set(&settings->bounds, &sprt, &why))
			return usage_say(bytes, NULL);
		source.bets = true;
		source.low = sprt.low;
		source.high = sprt.high;
	}
	return sprt_source_read(&source, evidence);
}

/* The test that is asked for, if it suits the results. */
static enum status
test_set(const struct settings *settings, const struct sprt_evidence *evidence,
    struct sprt *sprt)
{
	enum sprt_model suited =
	    evidence->has_points ? SPRT_MARGIN : SPRT_LOGISTIC;
	char bytes[SPRT_WHY_SIZE];
	struct scopa_text why;

	*sprt = (struct sprt){
		.model = settings->model > 0
		    ? (enum sprt_model)(settings->model - 1)
		    : suited,
		.alpha = settings->alpha,
		.beta = settings->beta,
		.reading = (enum sprt_reading)settings->reading,
	};
	if (settings->minimum.given)
		sprt->minimum = settings->minimum.count;
	else if (sprt->model == SPRT_MARGIN)
		sprt->minimum = SPRT_MINIMUM_DEFAULT;
	if (!sprt_evidence_fits(evidence, sprt->model))
		return misfit_say(evidence, sprt->model);
	if (sprt->reading != SPRT_READING_OPENBENCH &&
	    sprt->model != SPRT_BAYESIAN)
		return usage_say("--reading is about the model bayesian alone",
		    "add --model bayesian, or leave it out");
	if (settings->bounds.points0.given && !evidence->has_points)
		return usage_say(
		    "counts of games tell no points", "give --elo0 and --elo1");
	scopa_text_init(&why, bytes, sizeof(bytes));
	if (!sprt_bounds_set(&settings->bounds, sprt, &why))
		return usage_say(bytes, NULL);
	return STATUS_DONE;
}

static enum status
sprt_run(const void *given, int argc, char **argv)
{
	const struct settings *settings = given;
	struct sprt_evidence evidence;
	struct sprt_answer answer;
	struct sprt sprt;
	enum status status, fit;

	(void)argc;
	(void)argv;
	if (!(settings->level >= LEVEL_MIN && settings->level <= LEVEL_MAX))
		return usage_say(
		    "--level is out of range", "0.5 to 0.9999: 0.95 is usual");
	status = evidence_read(settings, &evidence);
	if (evidence.source == NULL)
		return status;
	fit = test_set(settings, &evidence, &sprt);
	if (fit != STATUS_DONE)
		return fit;
	answer = sprt_answer_make(&evidence, &sprt, settings->level);
	if (settings->json)
		sprt_answer_json(&answer);
	else
		sprt_answer_text(&answer);
	return status;
}

const struct command command_sprt = {
	.name = "sprt",
	.sentence = "Says what a sequential test makes of counts or records.",
	.detail =
	    "The log likelihood ratio (LLR) of H1 against H0, its bounds by "
	    "alpha and beta, and the strength with its interval. The model "
	    "margin tests mean / sigma of the points of whole blocks (of "
	    "counts: of their scores less 1/2), with bounds in nElo; logistic "
	    "the expected score, normalized its distance from 1/2 in sigmas, "
	    "both by the most likely distribution under either hypothesis; "
	    "bayesian the rates of wins and losses; betting, of records, the "
	    "points a deal by what bets on them have won, pack by pack in "
	    "the order of the records: its LLR is the logarithm of that, for "
	    "H1 or, negative, for H0. Their numbers must not be "
	    "compared with each other. The decision is H0, H1 or continue; "
	    "the exit status is 0 for each of them, and 1 where a record was "
	    "bad, or of a game for analysis, which does not count.",
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = sprt_run,
};
