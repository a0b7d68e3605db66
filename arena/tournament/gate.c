#include "gate.h"

#include <stdarg.h>
#include <stdio.h>

/* A passing verdict may have one game in so many forfeited by the candidate. */
enum { FORFEIT_SHARE = 100 };

/* After so many blocks without any difference two bots are called alike. */
enum { ALIKE_BLOCKS = 1000 };

const char *
gate_outcome_name(enum gate_outcome outcome)
{
	static const char *const names[] = {
		[GATE_OPEN] = "open",
		[GATE_PASS] = "pass",
		[GATE_REGRESSION] = "regression",
		[GATE_INCONCLUSIVE] = "inconclusive",
	};

	_Static_assert(sizeof(names) / sizeof(*names) == GATE_OUTCOME_COUNT,
	    "a name for every outcome");
	return names[outcome];
}

static void __attribute__((format(printf, 3, 4)))
settle(struct gate_verdict *verdict, enum gate_outcome outcome,
    const char *format, ...)
{
	va_list arguments;

	verdict->outcome = outcome;
	verdict->final = outcome != GATE_OPEN;
	va_start(arguments, format);
	vsnprintf(verdict->reason, sizeof(verdict->reason), format, arguments);
	va_end(arguments);
}

struct sprt_state
gate_test(const struct sprt *sprt, const struct encounter *pair, bool clean)
{
	const struct trinomial *results =
	    clean ? &pair->clean_results : &pair->results;
	const struct pentanomial *pairs =
	    clean ? &pair->clean_pairs : &pair->pairs;

	switch (sprt->model) {
	case SPRT_MARGIN:
		return sprt_moments(
		    sprt, clean ? &pair->clean : &pair->margins, pair->paired);
	case SPRT_LOGISTIC:
	case SPRT_NORMALIZED:
		if (pair->paired)
			return sprt_pentanomial(sprt, pairs);
		break;
	case SPRT_BAYESIAN:
	case SPRT_MODEL_COUNT:
		break;
	}
	return sprt_trinomial(sprt, results);
}

/* What the test says so far. */
static void
judge_test(struct gate_verdict *verdict, const struct sprt *sprt)
{
	switch (verdict->sprt.decision) {
	case SPRT_ACCEPT_H1:
		settle(verdict, GATE_PASS, "H1 accepted: LLR %.2f reached %.2f",
		    verdict->sprt.llr, verdict->sprt.upper);
		break;
	case SPRT_ACCEPT_H0:
		settle(verdict, GATE_REGRESSION,
		    "H0 accepted: LLR %.2f reached %.2f", verdict->sprt.llr,
		    verdict->sprt.lower);
		break;
	case SPRT_CONTINUE:
	case SPRT_DECISION_COUNT:
		settle(verdict, GATE_OPEN, "LLR %.2f is between %.2f and %.2f",
		    verdict->sprt.llr, verdict->sprt.lower,
		    verdict->sprt.upper);
		break;
	}
	if (verdict->outcome == GATE_OPEN && sprt->model == SPRT_MARGIN &&
	    verdict->moments.count >= ALIKE_BLOCKS &&
	    !(verdict->moments.squares > 0))
		settle(verdict, GATE_INCONCLUSIVE,
		    "the bots play alike: %d blocks without a difference",
		    ALIKE_BLOCKS);
}

/* What the interval says in the end. */
static void
judge_interval(struct gate_verdict *verdict, double level)
{
	const struct estimate *margin = &verdict->margin;
	double percent = 100 * level;

	if (margin->low > 0 && !margin->low_beyond)
		settle(verdict, GATE_PASS,
		    "the %g%% interval of the margin lies above 0", percent);
	else if (margin->high < 0 && !margin->high_beyond)
		settle(verdict, GATE_REGRESSION,
		    "the %g%% interval of the margin lies below 0", percent);
	else
		settle(verdict, GATE_INCONCLUSIVE,
		    "the %g%% interval of the margin holds 0", percent);
}

struct gate_verdict
gate_judge(const struct gate_config *config, const struct standings *standings,
    bool ended)
{
	const struct encounter *pair = standings_encounter(standings, 0, 1);
	struct gate_verdict verdict = {
		.moments = pair->margins,
		.margin = mean_estimate(&pair->margins, config->level),
		.clean = mean_estimate(&pair->clean, config->level),
		.los = mean_los(&pair->margins),
		.paired = pair->paired,
		.games = strength_of_trinomial(&pair->results, config->level),
		.forfeits = pair->forfeits,
		.base_forfeits = standings_encounter(standings, 1, 0)->forfeits,
	};

	if (pair->paired)
		verdict.pairs =
		    strength_of_pentanomial(&pair->pairs, config->level);
	settle(&verdict, GATE_OPEN, "no verdict yet");
	if (config->sequential) {
		verdict.sprt = gate_test(&config->sprt, pair, false);
		verdict.clean_sprt = gate_test(&config->sprt, pair, true);
		judge_test(&verdict, &config->sprt);
	}
	ended = ended ||
	    (config->blocks_max > 0 && standings->blocks >= config->blocks_max);
	if (verdict.outcome == GATE_OPEN && ended) {
		if (config->sequential)
			settle(&verdict, GATE_INCONCLUSIVE,
			    "no bound was reached in %lld blocks: LLR %.2f",
			    (long long)pair->blocks, verdict.sprt.llr);
		else
			judge_interval(&verdict, config->level);
	}
	if (verdict.outcome == GATE_PASS &&
	    verdict.forfeits * FORFEIT_SHARE > pair->games)
		settle(&verdict, GATE_INCONCLUSIVE,
		    "%lld of %lld games were forfeited by the candidate: more "
		    "than one in %d",
		    (long long)verdict.forfeits, (long long)pair->games,
		    FORFEIT_SHARE);
	return verdict;
}
