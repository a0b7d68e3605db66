/*
 * The command sprt: applies a sequential test (stats/sprt.h) to results that
 * are complete, counts given on the command line or game records.  It reads the
 * results, checks that the model suits them, computes the LLR and the
 * estimates, and prints them as text or JSON.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "countof.h"
#include "record_walk.h"
#include "report_json.h"
#include "text_format.h"
#include "tournament.h"
#include "tournament_setup.h"
#include "version.h"

struct sprt_settings {
	/*
	 * Exactly one of these is given: numbers with commas between them, or a
	 * file of records.
	 */
	const char *wdl, *penta, *moments, *records;
	const char *bot, *base; /* for records; NULL: not given */
	bool single;            /* for moments: a block is a single game */
	struct sprt_bounds bounds;
	int model;   /* index in model_names */
	int reading; /* enum sprt_reading */
	double level;
	double minimum; /* a whole number; NAN: not given */
	bool json;
};

/*
 * `auto` chooses the model that suits the results; the others are in the order
 * of enum sprt_model.
 */
static const char *const model_names[] = { "auto", "margin", "logistic",
	"normalized", "bayesian", "betting", NULL };
_Static_assert(COUNTOF(model_names) == SPRT_MODEL_COUNT + 2, "one each");

#define FIELD(name) offsetof(struct sprt_settings, name)

static const struct option options[] = {
	TEXT_OPTION("wdl", "W,D,L", FIELD(wdl),
	    "Games won, drawn and lost, in this order."),
	REFUSED_OPTION(
	    "wld", "--wld is now --wdl: wins, draws, losses in this order."),
	TEXT_OPTION("penta", "A,B,C,D,E", FIELD(penta),
	    "Pairs of games that scored 0, 1/4, 1/2, 3/4 and 1.",
	    .aliases = { "pentanomial" }),
	TEXT_OPTION("moments", "N,MEAN,SD", FIELD(moments),
	    "Blocks, the mean of their points per deal, and its standard "
	    "deviation (dividing by N)."),
	TEXT_OPTION("records", "FILE", FIELD(records),
	    "A file of game records, or the folder of a run; `-` is standard "
	    "input."),
	TEXT_OPTION("bot", "NAME", FIELD(bot),
	    "With --records: the bot that is tested. Without it: the first bot "
	    "in the file."),
	TEXT_OPTION("base", "NAME", FIELD(base),
	    "With --records: its opponent. Without it: the only other bot."),
	FLAG_OPTION("single", FIELD(single),
	    "With --moments: a block is one game, not a pair of games with "
	    "swapped seats."),
	NAME_OPTION("model", "MODEL", FIELD(model), model_names,
	    "The model of the test. auto: margin if points are known, else "
	    "logistic. betting: points, for every distribution; only with "
	    "--records.",
	    .fallback = "auto"),
	TABLE_OPTION(NULL, sprt_bound_options, FIELD(bounds)),
	REAL_OPTION("minimum", "N", FIELD(minimum), 0, 1000000000,
	    "No decision before this number of blocks, pairs or games. Without "
	    "it: 30 for the model margin, else 0.",
	    .aliases = { "min" }),
	NAME_OPTION("reading", "ARENA", FIELD(reading), sprt_reading_names,
	    "For the model bayesian: the bounds mean the same as in this "
	    "arena.",
	    .fallback = "openbench"),
	LEVEL_OPTION(FIELD(level)),
	FLAG_OPTION("json", FIELD(json), "Print one JSON object."),
	OPTIONS_END,
};

_Static_assert(SPRT_MINIMUM_DEFAULT == 30, "what the help of --minimum says");

/*
 * The results, from counts or from records, the test on them, and all estimates
 * of strength.
 */
struct sprt_answer {
	/*
	 * name of the option that gave the results, without dashes; NULL: no
	 * results were read
	 */
	const char *source;
	bool has_points; /* the margins are points per deal */
	bool has_pairs;  /* pairs of games are counted */
	bool has_games;  /* single games are counted */
	/* The candidate against the base; values that are not known are 0. */
	struct encounter pair;

	/* Only known from records; otherwise the names are empty. */
	char candidate[EVENT_NAME_SIZE], base[EVENT_NAME_SIZE];
	int64_t base_forfeits;      /* games that the base has forfeited */
	struct standings_bets bets; /* open only if bets were wanted and made */

	/* The test, as the options ask for it. */
	struct sprt sprt;
	struct sprt_state state, clean; /* `clean`: without forfeits */
	const char *counted;            /* `blocks`, `pairs` or `games` */
	int64_t count;
	bool few_differing; /* gate_few_differing; false without records */
	/* of the model margin, by the formula that other programs use */
	double peer_llr;

	/* The strength, with intervals of confidence `level`. */
	double level;
	/* from pairs if there are any, or from games */
	struct strength strength;
	bool by_points; /* nElo and LOS are computed from points */
	/* nElo and LOS from points, or a copy of `strength` */
	struct strength tested;
	struct estimate points; /* points per deal, if known */
	/* The estimate that corrects for the early stop of the test. */
	bool has_unbiased, unbiased_is_elo;
	struct estimate unbiased;
};

/* Sets the bounds of the test.  Errors are printed. */
static enum status
bounds_set(const struct sprt_settings *settings, struct sprt *sprt)
{
	struct scopa_text why = SCOPA_TEXT(SPRT_WHY_SIZE);

	if (sprt_bounds_set(&settings->bounds, sprt, &why))
		return STATUS_DONE;
	return error_usage(NULL, "%s", why.bytes);
}

/*
 * Finds the indices of the candidate and of its opponent.  Errors are printed.
 */
static enum status
names_find(
    const struct regroup *regroup, const struct regroup_pair *pair, int bots[2])
{
	regroup_opponents(regroup, pair->candidate, pair->base, bots);
	if (bots[0] < 0)
		return error_usage(NULL, "--bot %s: no such bot in the records",
		    pair->candidate);
	if (pair->base != NULL && bots[1] < 0)
		return error_usage(
		    NULL, "--base %s: no such bot in the records", pair->base);
	if (bots[1] == bots[0])
		return error_usage(NULL,
		    "--base %s: a bot is not compared with itself", pair->base);
	if (bots[1] >= 0)
		return STATUS_DONE;
	if (regroup->bot_count < 2)
		return error_usage(
		    NULL, "there is one bot alone in the records");
	error_print(
	    "there are %d bots in the records: which two?", regroup->bot_count);
	error_detail("hint", "--bot %s --base %s, for instance",
	    regroup->names[0], regroup->names[1]);
	error_detail("try", VERSION_NAME " help sprt");
	return STATUS_USAGE;
}

/* Fills in the results of one bot against another from regrouped games. */
static enum status
answer_regroup(struct sprt_answer *answer, const struct regrouped *regrouped)
{
	const struct regroup *regroup = &regrouped->regroup;
	const struct standings *standings = &regrouped->standings;
	int bots[2];
	enum status status = names_find(regroup, regrouped->pair, bots);

	if (status != STATUS_DONE)
		return status;
	answer->pair = *standings_encounter(standings, bots[0], bots[1]);
	answer->has_points = answer->has_games = true;
	answer->has_pairs = answer->pair.paired;
	answer->bets = standings->bets;
	answer->base_forfeits =
	    standings_encounter(standings, bots[1], bots[0])->forfeits;
	memcpy(answer->candidate, regroup->names[bots[0]], EVENT_NAME_SIZE);
	memcpy(answer->base, regroup->names[bots[1]], EVENT_NAME_SIZE);
	if (answer->pair.margins.count == 0)
		return error_usage(NULL, "these two have not met: %s, %s",
		    answer->candidate, answer->base);
	if (regrouped->pair->bets && !answer->bets.open) {
		error_print("the model betting: a bound lies beyond what a "
			    "deal can give");
		error_detail("hint", "below %d points either way",
		    scopa_points_max(&regroup->rules));
		error_detail("try", VERSION_NAME " help sprt");
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}

/*
 * Reads a file of records.  Bad records are reported and left out.  Bets are
 * made while the file is read.
 */
static enum status
records_read(const struct sprt_settings *settings, struct sprt_answer *answer)
{
	struct sprt sprt = {
		.model = SPRT_BETTING,
		.alpha = settings->bounds.alpha,
		.beta = settings->bounds.beta,
	};
	struct regroup_pair pair = {
		.candidate = settings->bot,
		.base = settings->base,
		.bets = settings->model == SPRT_BETTING + 1,
	};
	char path[PATH_MAX], *files[] = { path, NULL };
	struct regrouped regrouped;
	enum status status, made;

	snprintf(path, sizeof(path), "%s", settings->records);
	if (pair.bets) {
		status = bounds_set(settings, &sprt);
		if (status != STATUS_DONE)
			return status;
		pair.low = sprt.low;
		pair.high = sprt.high;
	}
	status = regroup_files(&regrouped, &pair, files);
	if (regrouped.regroup.block_count > 0 && status != STATUS_ENVIRONMENT) {
		made = answer_regroup(answer, &regrouped);
		if (made == STATUS_DONE)
			answer->source = "records";
		else
			status = made;
	}
	regrouped_close(&regrouped);
	return status;
}

enum { VALUE_MAX = 1000000 }; /* largest absolute value of points */

/* Parses exactly `count` decimal numbers with commas between them. */
static bool
numbers_read(const char *text, double *numbers, int count)
{
	if (text[strspn(text, "0123456789+-.eE,")] != '\0')
		return false;
	for (int i = 0; i < count; i++) {
		char *end;

		numbers[i] = strtod(text, &end);
		if (end == text || *end != (i + 1 < count ? ',' : '\0') ||
		    !isfinite(numbers[i]))
			return false;
		text = end + 1;
	}
	return true;
}

/*
 * Whether the number can be a count of games or blocks: whole and not negative.
 */
static bool
is_count(double number)
{
	return number >= 0 && number <= (double)ESTIMATE_COUNT_MAX &&
	    number == floor(number);
}

/*
 * Reads counts of pairs or of games: each number counts those that have one
 * score.
 */
static enum status
score_counts_read(const char *text, bool pairs, struct sprt_answer *answer)
{
	struct encounter *pair = &answer->pair;
	double numbers[5];
	int64_t counts[5];
	int kinds = pairs ? 5 : 3;
	bool good = numbers_read(text, numbers, kinds);

	for (int i = 0; i < kinds && good; i++) {
		good = is_count(numbers[i]);
		counts[i] = good ? (int64_t)numbers[i] : 0;
	}
	if (!good)
		return pairs
		    ? error_usage("--penta 5,20,45,22,8: pairs that scored 0, "
				  "1/4, 1/2, 3/4 and 1, each 0 to 1e15",
			  "--penta: five counts are expected")
		    : error_usage("--wdl 320,150,280: won, drawn and lost, "
				  "each 0 to 1e15",
			  "--wdl: three counts are expected");
	answer->source = pairs ? "penta" : "wdl";
	answer->has_pairs = pair->paired = pairs;
	answer->has_games = !pairs;
	if (pairs)
		memcpy(pair->pairs.counts, counts, sizeof(counts));
	else
		pair->results = (struct trinomial){
			.wins = counts[0],
			.draws = counts[1],
			.losses = counts[2],
		};
	/*
	 * The margins are scores less 1/2.  Pairs are given from the lowest
	 * score upwards, games from wins down to losses.
	 */
	for (int i = 0; i < kinds; i++) {
		struct moments alike = {
			.count = counts[pairs ? i : kinds - 1 - i],
			.mean = (double)i / (kinds - 1) - 0.5,
		};

		if (alike.count > 0)
			pair->margins = moments_join(pair->margins, alike);
	}
	return STATUS_DONE;
}

static enum status
margins_read(const char *text, bool paired, struct sprt_answer *answer)
{
	double numbers[3];
	double count, mean, sigma;

	if (!numbers_read(text, numbers, 3))
		return error_usage("--moments 220,0.291,2.15, for instance",
		    "--moments: number, mean and standard deviation are "
		    "expected");
	count = numbers[0];
	mean = numbers[1];
	sigma = numbers[2];
	if (!is_count(count) || fabs(mean) > VALUE_MAX ||
	    !(sigma >= 0 && sigma <= VALUE_MAX))
		return error_usage(
		    "a count of 0 to 1e15, a mean of at most 1e6 either way, a "
		    "standard deviation of 0 to 1e6",
		    "--moments: out of range");
	if ((count < 2 && sigma > 0) || (count < 1 && mean != 0))
		return error_usage(
		    "none has a mean of 0, and up to one a deviation of 0",
		    "--moments: so few blocks cannot have these");
	answer->source = "moments";
	answer->has_points = true;
	answer->pair.paired = paired;
	answer->pair.margins = (struct moments){
		.count = (int64_t)count,
		.mean = mean,
		.squares = sigma * sigma * count,
	};
	return STATUS_DONE;
}

/*
 * Reads the results.  STATUS_DONE; or STATUS_FAILED if they were read but some
 * records were bad.  On any other failure answer->source is NULL.  Errors are
 * printed.
 */
static enum status
results_read(const struct sprt_settings *settings, struct sprt_answer *answer)
{
	int sources = (settings->wdl != NULL) + (settings->penta != NULL) +
	    (settings->moments != NULL) + (settings->records != NULL);

	if (sources != 1)
		return error_usage(
		    "give one of --wdl, --penta, --moments, --records",
		    sources > 1 ? "there is more than one source of results"
				: "there are no results to test");
	if (!settings->records && (settings->bot || settings->base))
		return error_usage("counts are those of the bot that is tested",
		    "--bot and --base choose bots of records");
	if (settings->single && settings->moments == NULL)
		return error_usage("other results tell whether they are pairs",
		    "--single is about --moments");
	if (settings->wdl != NULL)
		return score_counts_read(settings->wdl, false, answer);
	if (settings->penta != NULL)
		return score_counts_read(settings->penta, true, answer);
	if (settings->moments != NULL)
		return margins_read(
		    settings->moments, !settings->single, answer);
	return records_read(settings, answer);
}

enum {
	FORMAT_VERSION = 1,
	DIGITS = 9 /* enough to compare with the output of other programs */
};

/* Computes the test and the estimates.  The results must suit the model. */
static void
answer_fill(struct sprt_answer *answer)
{
	const struct sprt *sprt = &answer->sprt;
	const struct encounter *pair = &answer->pair;
	const struct moments *margins = &pair->margins;
	double level = answer->level;
	bool by_pairs = answer->has_pairs && sprt->model != SPRT_BAYESIAN;

	answer->by_points = answer->has_points &&
	    (sprt->model == SPRT_MARGIN || sprt->model == SPRT_BETTING);
	answer->state = gate_test(sprt, pair, &answer->bets.all, false);
	answer->clean = gate_test(sprt, pair, &answer->bets.clean, true);
	answer->strength = by_pairs
	    ? counts_strength(pentanomial_counts(&pair->pairs), level)
	    : counts_strength(trinomial_counts(&pair->results), level);
	answer->points = mean_estimate(margins, level);
	answer->tested = answer->strength;
	answer->counted = by_pairs ? "pairs" : "games";
	answer->count = answer->strength.count;
	if (answer->by_points) {
		answer->counted = "blocks";
		answer->count = margins->count;
		answer->tested = mean_strength(margins, pair->paired, level);
	}
	if (sprt->model == SPRT_MARGIN)
		answer->peer_llr =
		    sprt_closed_form(sprt, margins, pair->paired);
	answer->has_unbiased = answer->count > 0 &&
	    gate_estimate(sprt, pair, &answer->bets.all, level,
		&answer->unbiased, &answer->unbiased_is_elo);
	answer->few_differing =
	    answer->candidate[0] != '\0' && gate_few_differing(sprt, pair);
}

/* Every line of the output begins with a label. */
#define LABEL "%-9s "

/* Prints the hypotheses of the test. */
static void
print_model(const struct sprt *sprt)
{
	static const char *const sentences[] = {
		[SPRT_MARGIN] = "mean / sigma of points, or of score - 1/2",
		[SPRT_LOGISTIC] = "expected score",
		[SPRT_NORMALIZED] = "(expected score - 1/2) / sigma",
		[SPRT_BAYESIAN] = "rates of wins and losses of single games",
		[SPRT_BETTING] = "points, of any distribution, by betting",
	};
	_Static_assert(COUNTOF(sentences) == SPRT_MODEL_COUNT, "one each");

	printf(LABEL "%s: %s", "model", sprt_model_names[sprt->model],
	    sentences[sprt->model]);
	if (sprt->model == SPRT_BAYESIAN)
		printf(", bounds read as %s does",
		    sprt_reading_names[sprt->reading]);
	printf("\n" LABEL "H0 %g, H1 %g in %s; alpha %g, beta %g\n", "bounds",
	    sprt->low, sprt->high, text_unit(sprt_unit_name(sprt)), sprt->alpha,
	    sprt->beta);
}

/*
 * Prints the state of the test, without the end of the line: `LLR +1.86 between
 * -2.94 and +2.94: continue`.
 */
static void
print_llr(const struct sprt_state *state)
{
	static const char *const decisions[] = {
		[SPRT_CONTINUE] = "continue",
		[SPRT_ACCEPT_H0] = "H0 accepted",
		[SPRT_ACCEPT_H1] = "H1 accepted",
	};
	_Static_assert(COUNTOF(decisions) == SPRT_DECISION_COUNT, "one each");

	printf(LABEL "%s between %s and %s: %s", "LLR",
	    number_signed(state->llr, 3).text,
	    number_signed(state->lower, 2).text,
	    number_signed(state->upper, 2).text, decisions[state->decision]);
}

static void
print_state(const struct sprt_answer *answer)
{
	const struct sprt_state *state = &answer->state;

	print_llr(state);
	if (state->certain)
		printf(" at once, %.1f standard errors beyond both",
		    state->errors);
	if (state->remaining > 0)
		printf(", about %.0f more %s at this rate", state->remaining,
		    answer->counted);
	if (answer->count < answer->sprt.minimum)
		printf("; no decision before %jd %s", answer->sprt.minimum,
		    answer->counted);
	putchar('\n');
	if (answer->few_differing && state->decision != SPRT_CONTINUE)
		printf(LABEL "the bots differed in %jd block%s: with fewer "
			     "than %d, errors may be more frequent than alpha "
			     "and beta\n",
		    "CAUTION", answer->pair.differing,
		    text_plural(answer->pair.differing), SPRT_DIFFERING_MIN);
}

/* Prints the bots, the number of their games, and the test without forfeits. */
static void
print_games(const struct sprt_answer *answer)
{
	printf(LABEL "%jd", answer->counted, answer->count);
	if (answer->candidate[0] != '\0')
		printf(" of %s against %s", safe_text(answer->candidate),
		    safe_text(answer->base));
	putchar('\n');
	if (answer->pair.forfeits + answer->base_forfeits == 0)
		return;
	printf(LABEL "%jd and %jd of the games\n", "forfeits",
	    answer->pair.forfeits, answer->base_forfeits);
	print_llr(&answer->clean);
	puts(", without forfeited blocks");
}

/*
 * Returns the text for the unit of the estimate that corrects for the early
 * stop.
 */
static const char *
unbiased_unit(const struct sprt_answer *answer, const char *elo,
    const char *points, const char *score)
{
	return answer->unbiased_is_elo ? elo
	    : answer->has_points       ? points
				       : score;
}

static void
print_strength(const struct sprt_answer *answer)
{
	const struct strength *strength = &answer->strength;

	if (answer->has_unbiased)
		printf(LABEL "%s%s, median-unbiased, interval of %g%%\n",
		    "estimate",
		    answer->unbiased_is_elo
			? number_elo(&answer->unbiased).text
			: number_points(&answer->unbiased).text,
		    unbiased_unit(answer, " Elo", " per deal", " of score"),
		    100 * answer->level);
	if (answer->has_points)
		printf(LABEL "%s per deal, plain, interval of %g%%\n", "points",
		    number_points(&answer->points).text, 100 * answer->level);
	if (answer->has_pairs || answer->has_games)
		printf(LABEL "%.1f%% [%.1f%%, %.1f%%]\n" LABEL "%s\n", "score",
		    100 * strength->score.value, 100 * strength->score.low,
		    100 * strength->score.high, "Elo",
		    number_elo(&strength->elo).text);
	printf(LABEL "%s%s\n" LABEL "%s\n", "nElo",
	    number_elo(&answer->tested.nelo).text,
	    answer->by_points ? " of points" : "", "LOS",
	    number_probability(answer->tested.los).text);
}

/* Prints the estimates that are known, with the ends of their intervals. */
static void
put_strength(struct json *json, const struct sprt_answer *answer)
{
	const struct strength *strength = &answer->strength;
	const struct strength *tested = &answer->tested;
	bool known = answer->has_pairs || answer->has_games;

	json_real(
	    json, "score", known ? strength->score.value : (double)NAN, DIGITS);
	json_real(
	    json, "elo", known ? strength->elo.value : (double)NAN, DIGITS);
	json_real(json, "elo_error", known ? strength->elo_error : (double)NAN,
	    DIGITS);
	json_real(json, "nelo", tested->nelo.value, DIGITS);
	json_real(json, "nelo_error", tested->nelo_error, DIGITS);
	json_real(json, "los", tested->los, DIGITS);
	json_real(json, "level", answer->level, DIGITS);
	json_object_begin(json, "intervals");
	json_estimate(json, "points",
	    answer->has_points ? &answer->points : NULL, DIGITS);
	json_estimate(json, "score", known ? &strength->score : NULL, DIGITS);
	json_estimate(json, "elo", known ? &strength->elo : NULL, DIGITS);
	json_estimate(json, "nelo", &tested->nelo, DIGITS);
	json_object_end(json);
	/* For comparison with the output of other programs. */
	json_object_begin(json, "peers");
	json_real(json, "llr",
	    answer->sprt.model == SPRT_MARGIN ? answer->peer_llr : (double)NAN,
	    DIGITS);
	json_real(json, "nelo_error", tested->nelo_error_plain, DIGITS);
	json_real(json, "los", tested->los_normal, DIGITS);
	json_object_end(json);
}

static void
answer_json(const struct sprt_answer *answer)
{
	const struct sprt *sprt = &answer->sprt;
	bool recorded = answer->candidate[0] != '\0';
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "format", "scopa-arena-sprt");
	json_int(&json, "version", FORMAT_VERSION);
	json_string(&json, "model", sprt_model_names[sprt->model]);
	json_string(&json, "reading",
	    sprt->model == SPRT_BAYESIAN ? sprt_reading_names[sprt->reading]
					 : NULL);
	json_sprt_bounds(&json, sprt, DIGITS);
	json_string(&json, "source", answer->source);
	json_string(&json, "counted", answer->counted);
	json_int(&json, "n", answer->count);
	json_bool(&json, "paired", answer->pair.paired);
	json_sprt_state(&json, &answer->state, DIGITS);
	json_estimate(&json, "unbiased",
	    answer->has_unbiased ? &answer->unbiased : NULL, DIGITS);
	json_string(&json, "unbiased_unit",
	    answer->has_unbiased
		? unbiased_unit(answer, "Elo", "points a deal", "score")
		: NULL);
	put_strength(&json, answer);
	json_given(&json, "candidate", answer->candidate);
	json_given(&json, "base", answer->base);
	json_int_if(&json, "forfeits", recorded, answer->pair.forfeits);
	json_int_if(&json, "base_forfeits", recorded, answer->base_forfeits);
	json_int_if(&json, "differing", recorded, answer->pair.differing);
	json_bool(&json, "few_differing", answer->few_differing);
	json_real(&json, "clean_llr",
	    recorded ? answer->clean.llr : (double)NAN, DIGITS);
	json_string(&json, "clean_decision",
	    recorded ? sprt_decision_names[answer->clean.decision] : NULL);
	json_document_end(&json);
}

/*
 * Checks that the model can be applied to these results.  Errors are printed.
 */
static enum status
model_check(const struct sprt_answer *answer, enum sprt_model model)
{
	static const char *const needs[] = {
		[SPRT_MARGIN] = "points or results",
		[SPRT_LOGISTIC] = "results: --wdl, --penta or --records",
		[SPRT_NORMALIZED] = "results: --wdl, --penta or --records",
		[SPRT_BAYESIAN] = "single games: --wdl or --records",
		[SPRT_BETTING] = "points in the order of games: --records",
	};
	_Static_assert(COUNTOF(needs) == SPRT_MODEL_COUNT, "one each");
	char hint[64];
	bool results =
	    answer->has_games || (answer->has_pairs && model != SPRT_BAYESIAN);

	if (model == SPRT_MARGIN ||
	    (model == SPRT_BETTING ? answer->bets.open : results))
		return STATUS_DONE;
	snprintf(
	    hint, sizeof(hint), "--%s does not tell these", answer->source);
	return error_usage(hint, "the model %s needs %s",
	    sprt_model_names[model], needs[model]);
}

/*
 * Sets up the test that the user wants.  Fails if it does not suit the results.
 */
static enum status
test_set(const struct sprt_settings *settings, struct sprt_answer *answer)
{
	struct sprt *sprt = &answer->sprt;

	*sprt = (struct sprt){
		.model = settings->model > 0
		    ? (enum sprt_model)(settings->model - 1)
		    : (answer->has_points ? SPRT_MARGIN : SPRT_LOGISTIC),
		.alpha = settings->bounds.alpha,
		.beta = settings->bounds.beta,
		.reading = (enum sprt_reading)settings->reading,
	};
	if (!isnan(settings->minimum) && !is_count(settings->minimum))
		return error_usage(NULL, "--minimum %g: not a whole number",
		    settings->minimum);
	if (!isnan(settings->minimum))
		sprt->minimum = (int64_t)settings->minimum;
	else if (sprt->model == SPRT_MARGIN)
		sprt->minimum = SPRT_MINIMUM_DEFAULT;
	if (model_check(answer, sprt->model) != STATUS_DONE)
		return STATUS_USAGE;
	if (sprt->reading != SPRT_READING_OPENBENCH &&
	    sprt->model != SPRT_BAYESIAN)
		return error_usage("add --model bayesian, or leave it out",
		    "--reading is about the model bayesian alone");
	if (!isnan(settings->bounds.points0) && !answer->has_points)
		return error_usage(
		    "give --elo0 and --elo1", "counts of games have no points");
	return bounds_set(settings, sprt);
}

static enum status
sprt_run(const void *given, char **argv)
{
	const struct sprt_settings *settings = given;
	struct sprt_answer answer = { .level = settings->level };
	enum status status, fit;

	(void)argv;
	status = results_read(settings, &answer);
	if (answer.source == NULL)
		return status;
	fit = test_set(settings, &answer);
	if (fit != STATUS_DONE)
		return fit;
	answer_fill(&answer);
	if (settings->json) {
		answer_json(&answer);
		return status;
	}
	print_model(&answer.sprt);
	print_state(&answer);
	print_games(&answer);
	print_strength(&answer);
	return status;
}

const struct command command_sprt = {
	.name = "sprt",
	.sentence = "Applies a sequential test to counts or records.",
	.detail =
	    "Prints the log likelihood ratio (LLR) of H1 against H0, its "
	    "bounds by alpha and beta, and the strength with its interval. The "
	    "models: margin tests mean / sigma of the points of whole blocks "
	    "(of counts: of their scores less 1/2), with bounds in nElo. "
	    "logistic tests the expected score, and normalized its distance "
	    "from 1/2 in sigmas, both by the most likely distribution under "
	    "each hypothesis. bayesian tests the rates of wins and losses. "
	    "betting, only for records, tests the points per deal by bets on "
	    "them, pack by pack in the order of the records; its LLR is the "
	    "logarithm of what the bets have won, for H1 or, negative, for H0. "
	    "LLRs of different models cannot be compared. The decision is H0, "
	    "H1 or continue. The exit status is 0 for each decision, and 1 if "
	    "a record was bad or of a game for analysis, which does not count.",
	.examples = { "sprt --wdl 320,150,280 --elo0 0 --elo1 10",
	    "sprt --penta 5,20,45,22,8 --model normalized --json",
	    "sprt --moments 220,0.291,2.15 --points0 0 --points1 0.3",
	    "sprt --records games.scopa --bot new --base old" },
	.options = options,
	.settings_size = sizeof(struct sprt_settings),
	.run = sprt_run,
};
