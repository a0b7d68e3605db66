#include "sprt_answer.h"

#include <inttypes.h>
#include <stdio.h>

#include "countof.h"
#include "gate.h"
#include "report_json.h"
#include "text_format.h"

enum {
	FORMAT_VERSION = 1,
	LINE_SIZE = 1024,
	DIGITS = 9 /* enough for comparing with what others compute */
};

struct sprt_answer
sprt_answer_make(
    const struct sprt_evidence *evidence, const struct sprt *sprt, double level)
{
	const struct encounter *pair = &evidence->pair;
	bool by_points = evidence->has_points &&
	    (sprt->model == SPRT_MARGIN || sprt->model == SPRT_BETTING);
	bool by_pairs = evidence->has_pairs && sprt->model != SPRT_BAYESIAN;
	struct sprt_answer answer = {
		.evidence = evidence,
		.sprt = *sprt,
		.state = gate_test(sprt, pair, &evidence->bets, false),
		.clean = gate_test(sprt, pair, &evidence->clean_bets, true),
		.level = level,
		.has_score = evidence->has_pairs || evidence->has_games,
		.by_points = by_points,
		.strength = by_pairs
		    ? strength_of_pentanomial(&pair->pairs, level)
		    : strength_of_trinomial(&pair->results, level),
		.points = mean_estimate(&pair->margins, level),
	};

	if (by_points) {
		answer.counted = "blocks";
		answer.count = pair->margins.count;
		answer.nelo = mean_nelo(&pair->margins, pair->paired, level);
		answer.nelo_error = 0.5 * (answer.nelo.high - answer.nelo.low);
		answer.los = mean_los(&pair->margins);
		answer.peer_los = mean_los_normal(&pair->margins);
		answer.peer_nelo_error =
		    mean_nelo_error_plain(&pair->margins, pair->paired, level);
	} else {
		answer.counted = by_pairs ? "pairs" : "games";
		answer.count = answer.strength.count;
		answer.nelo = answer.strength.nelo;
		answer.nelo_error = answer.strength.nelo_error;
		answer.los = answer.strength.los;
		answer.peer_los = answer.strength.los_normal;
		answer.peer_nelo_error = answer.strength.nelo_error_plain;
	}
	if (sprt->model == SPRT_MARGIN)
		answer.peer_llr =
		    sprt_closed_form(sprt, &pair->margins, pair->paired);
	answer.has_unbiased = answer.count > 0 &&
	    gate_estimate(
		sprt, pair, level, &answer.unbiased, &answer.unbiased_is_elo);
	answer.is_rare = by_points && sprt->model == SPRT_MARGIN &&
	    evidence->candidate[0] != '\0' &&
	    answer.count >= SPRT_DIFFERING_MIN &&
	    pair->differing < SPRT_DIFFERING_MIN;
	return answer;
}

/* Prints `label     text` and begins a new one. */
static void
line_print(const char *label, struct scopa_text *text)
{
	printf("%-9s %s\n", label, text->bytes);
	scopa_text_init(text, text->bytes, text->size);
}

/* What is tested. */
static void
print_model(const struct sprt_answer *answer, struct scopa_text *text)
{
	static const char *const sentences[] = {
		[SPRT_MARGIN] = "mean / sigma of points, or of score - 1/2",
		[SPRT_LOGISTIC] = "expected score",
		[SPRT_NORMALIZED] = "(expected score - 1/2) / sigma",
		[SPRT_BAYESIAN] = "rates of wins and losses of single games",
		[SPRT_BETTING] = "points, of any distribution, by betting",
	};
	_Static_assert(COUNTOF(sentences) == SPRT_MODEL_COUNT, "one each");
	const struct sprt *sprt = &answer->sprt;

	figure_print(text, "%s: %s", sprt_model_name(sprt->model),
	    sentences[sprt->model]);
	if (sprt->model == SPRT_BAYESIAN)
		figure_print(text, ", bounds read as %s does",
		    sprt_reading_name(sprt->reading));
	line_print("model", text);
	figure_print(text, "H0 %g, H1 %g in %s; alpha %g, beta %g", sprt->low,
	    sprt->high, sprt_unit_name(sprt), sprt->alpha, sprt->beta);
	line_print("bounds", text);
}

/* `+1.86 between -2.94 and +2.94: continue` */
static void
format_state(const struct sprt_state *state, struct scopa_text *text)
{
	static const char *const decisions[] = {
		[SPRT_CONTINUE] = "continue",
		[SPRT_ACCEPT_H0] = "H0 accepted",
		[SPRT_ACCEPT_H1] = "H1 accepted",
	};
	_Static_assert(COUNTOF(decisions) == SPRT_DECISION_COUNT, "one each");

	figure_signed(text, state->llr, 3);
	scopa_text_string(text, " between ");
	figure_signed(text, state->lower, 2);
	scopa_text_string(text, " and ");
	figure_signed(text, state->upper, 2);
	figure_print(text, ": %s", decisions[state->decision]);
}

static void
print_state(const struct sprt_answer *answer, struct scopa_text *text)
{
	const struct sprt_state *state = &answer->state;

	format_state(state, text);
	if (state->certain)
		figure_print(text, " at once, %.1f standard errors beyond both",
		    state->errors);
	if (state->remaining > 0)
		figure_print(text, ", some %.0f more %s as things stand",
		    state->remaining, answer->counted);
	if (answer->count < answer->sprt.minimum)
		figure_print(text, "; no decision before %" PRId64 " %s",
		    answer->sprt.minimum, answer->counted);
	line_print("LLR", text);
	if (!answer->is_rare)
		return;
	figure_print(text,
	    "the bots differed in %" PRId64 " blocks: with fewer than %d, "
	    "errors may be more frequent than alpha and beta",
	    answer->evidence->pair.differing, SPRT_DIFFERING_MIN);
	line_print("CAUTION", text);
}

/* What stopping at a bound has bent is told straight, and before the rest. */
static void
print_unbiased(const struct sprt_answer *answer, struct scopa_text *text)
{
	if (!answer->has_unbiased)
		return;
	if (answer->unbiased_is_elo)
		figure_elo(text, &answer->unbiased);
	else
		figure_points(text, &answer->unbiased);
	figure_print(text, "%s, median-unbiased, interval of %g%%",
	    answer->unbiased_is_elo            ? " Elo"
		: answer->evidence->has_points ? " a deal"
					       : " of score",
	    100 * answer->level);
	line_print("estimate", text);
}

/* Who, how much, and what it is without forfeits. */
static void
print_evidence(const struct sprt_answer *answer, struct scopa_text *text)
{
	const struct sprt_evidence *evidence = answer->evidence;

	scopa_text_int(text, answer->count);
	if (evidence->candidate[0] != '\0') {
		scopa_text_string(text, " of ");
		plain_text(text, evidence->candidate);
		scopa_text_string(text, " against ");
		plain_text(text, evidence->base);
	}
	line_print(answer->counted, text);
	if (evidence->pair.forfeits + evidence->base_forfeits == 0)
		return;
	figure_print(text, "%" PRId64 " and %" PRId64 " of the games",
	    evidence->pair.forfeits, evidence->base_forfeits);
	line_print("forfeits", text);
	format_state(&answer->clean, text);
	scopa_text_string(text, ", without forfeited blocks");
	line_print("LLR", text);
}

static void
print_strength(const struct sprt_answer *answer, struct scopa_text *text)
{
	const struct strength *strength = &answer->strength;

	if (answer->evidence->has_points) {
		figure_points(text, &answer->points);
		figure_print(text, " a deal, plain, interval of %g%%",
		    100 * answer->level);
		line_print("points", text);
	}
	if (answer->has_score) {
		figure_percent(text, strength->score.value);
		scopa_text_string(text, " [");
		figure_percent(text, strength->score.low);
		scopa_text_string(text, ", ");
		figure_percent(text, strength->score.high);
		scopa_text_string(text, "]");
		line_print("score", text);
		figure_elo(text, &strength->elo);
		line_print("Elo", text);
	}
	figure_elo(text, &answer->nelo);
	if (answer->by_points)
		scopa_text_string(text, " of points");
	line_print("nElo", text);
	figure_probability(text, answer->los);
	line_print("LOS", text);
}

void
sprt_answer_text(const struct sprt_answer *answer)
{
	char bytes[LINE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	print_model(answer, &text);
	print_state(answer, &text);
	print_evidence(answer, &text);
	print_unbiased(answer, &text);
	print_strength(answer, &text);
}

/* A number, or null where nothing is known. */
static void
put_real(
    struct json *json, const char *key, bool known, double value, int digits)
{
	if (known)
		json_real(json, key, value, digits);
	else
		json_null(json, key);
}

static void
put_test(struct json *json, const struct sprt *sprt)
{
	json_string(json, "model", sprt_model_name(sprt->model));
	json_string(json, "reading",
	    sprt->model == SPRT_BAYESIAN ? sprt_reading_name(sprt->reading)
					 : NULL);
	json_string(json, "unit", sprt_unit_name(sprt));
	json_real(json, "h0", sprt->low, DIGITS);
	json_real(json, "h1", sprt->high, DIGITS);
	json_real(json, "alpha", sprt->alpha, DIGITS);
	json_real(json, "beta", sprt->beta, DIGITS);
	json_int(json, "minimum", sprt->minimum);
}

static void
put_state(struct json *json, const struct sprt_answer *answer)
{
	const struct sprt_state *state = &answer->state;

	json_real(json, "llr", state->llr, DIGITS);
	json_real(json, "lower", state->lower, DIGITS);
	json_real(json, "upper", state->upper, DIGITS);
	json_string(json, "decision", sprt_decision_name(state->decision));
	json_bool(json, "certain", state->certain);
	put_real(json, "remaining", state->remaining >= 0, state->remaining, 0);
}

static void
put_unbiased(struct json *json, const struct sprt_answer *answer)
{
	if (answer->has_unbiased)
		json_estimate(json, "unbiased", &answer->unbiased, DIGITS);
	else
		json_null(json, "unbiased");
	json_string(json, "unbiased_unit",
	    !answer->has_unbiased              ? NULL
		: answer->unbiased_is_elo      ? "Elo"
		: answer->evidence->has_points ? "points a deal"
					       : "score");
}

/* For comparison with what other programs print. */
static void
put_peers(struct json *json, const struct sprt_answer *answer)
{
	json_object_begin(json, "peers");
	put_real(json, "llr", answer->sprt.model == SPRT_MARGIN,
	    answer->peer_llr, DIGITS);
	json_real(json, "nelo_error", answer->peer_nelo_error, DIGITS);
	json_real(json, "los", answer->peer_los, DIGITS);
	json_object_end(json);
}

static void
put_strength(struct json *json, const struct sprt_answer *answer)
{
	const struct strength *strength = &answer->strength;
	bool known = answer->has_score;

	put_real(json, "score", known, strength->score.value, DIGITS);
	put_real(json, "elo", known, strength->elo.value, DIGITS);
	put_real(json, "elo_error", known, strength->elo_error, DIGITS);
	json_real(json, "nelo", answer->nelo.value, DIGITS);
	json_real(json, "nelo_error", answer->nelo_error, DIGITS);
	json_real(json, "los", answer->los, DIGITS);
	json_real(json, "level", answer->level, DIGITS);
}

/* Where the ends of the intervals lie. */
static void
put_intervals(struct json *json, const struct sprt_answer *answer)
{
	json_object_begin(json, "intervals");
	if (answer->evidence->has_points)
		json_estimate(json, "points", &answer->points, DIGITS);
	else
		json_null(json, "points");
	if (answer->has_score) {
		json_estimate(json, "score", &answer->strength.score, DIGITS);
		json_estimate(json, "elo", &answer->strength.elo, DIGITS);
	} else {
		json_null(json, "score");
		json_null(json, "elo");
	}
	json_estimate(json, "nelo", &answer->nelo, DIGITS);
	json_object_end(json);
}

static void
put_records(struct json *json, const struct sprt_answer *answer)
{
	const struct sprt_evidence *evidence = answer->evidence;
	bool known = evidence->candidate[0] != '\0';

	json_string(json, "candidate", known ? evidence->candidate : NULL);
	json_string(json, "base", known ? evidence->base : NULL);
	if (known) {
		json_int(json, "forfeits", evidence->pair.forfeits);
		json_int(json, "base_forfeits", evidence->base_forfeits);
	} else {
		json_null(json, "forfeits");
		json_null(json, "base_forfeits");
	}
	if (known)
		json_int(json, "differing", evidence->pair.differing);
	else
		json_null(json, "differing");
	json_bool(json, "few_differing", answer->is_rare);
	put_real(json, "clean_llr", known, answer->clean.llr, DIGITS);
	json_string(json, "clean_decision",
	    known ? sprt_decision_name(answer->clean.decision) : NULL);
}

void
sprt_answer_json(const struct sprt_answer *answer)
{
	struct json json;

	json_init(&json, stdout);
	json_object_begin(&json, NULL);
	json_string(&json, "format", "scopa-arena-sprt");
	json_int(&json, "version", FORMAT_VERSION);
	put_test(&json, &answer->sprt);
	json_string(&json, "source", answer->evidence->source);
	json_string(&json, "counted", answer->counted);
	json_int(&json, "n", answer->count);
	json_bool(&json, "paired", answer->evidence->pair.paired);
	put_state(&json, answer);
	put_unbiased(&json, answer);
	put_strength(&json, answer);
	put_intervals(&json, answer);
	put_peers(&json, answer);
	put_records(&json, answer);
	json_object_end(&json);
	json_finish(&json);
}
