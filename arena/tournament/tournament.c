/*
 * Implements tournament.h: one schedule and one set of standings, the rule by
 * which bots are suspended, and the verdict of a gate.
 */
#include "tournament.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "estimate.h"
#include "words.h"

int
shard_of(int64_t index, int count)
{
	uint64_t row = (uint64_t)(index / count);
	int turn = (int)(splitmix64(&row) % (uint64_t)count);

	return (int)(index % count + turn) % count;
}

int
tournament_open(
    struct tournament *tournament, const struct tournament_config *config)
{
	const struct schedule_config *plan = &config->schedule;
	const struct sprt *sprt = config->sprt;
	struct tournament made = { .config = *config };
	int error;

	assert(!schedule_flaw(plan));
	error = standings_open(&made.standings, &plan->rules, plan->bot_count);
	if (error)
		return error;
	made.schedule = malloc(schedule_size(plan));
	if (!made.schedule) {
		standings_close(&made.standings);
		return -ENOMEM;
	}
	schedule_init(made.schedule, plan);
	made.standings.suite = config->suite;
	made.standings.by_side = true;
	if (sprt != NULL && sprt->model == SPRT_BETTING)
		standings_bet(&made.standings, 0, 1, sprt->low, sprt->high);
	*tournament = made;
	return 0;
}

void
tournament_close(struct tournament *tournament)
{
	standings_close(&tournament->standings);
	free(tournament->schedule);
	tournament->schedule = NULL;
}

enum schedule_answer
tournament_next(struct tournament *tournament, struct block_plan *plan)
{
	enum schedule_answer answer = schedule_next(tournament->schedule, plan);

	if (answer == SCHEDULE_BLOCK) {
		assert(plan->index == tournament->planned);
		tournament->planned++;
	}
	return answer;
}

bool
tournament_skips(
    const struct tournament *tournament, const struct block_plan *plan)
{
	const struct shard *shard = &tournament->config.shard;

	if (shard->count > 0 &&
	    shard_of(plan->index, shard->count) != shard->index)
		return true;
	for (int i = 0; i < plan->bot_count; i++)
		if (tournament->suspended[plan->bots[i]])
			return true;
	return false;
}

int
tournament_add(struct tournament *tournament, const struct block_result *block)
{
	int error;

	assert(block->plan.index == tournament->counted);
	assert(tournament->counted < tournament->planned);
	assert(block->skipped == tournament_skips(tournament, &block->plan));
	error = standings_add(&tournament->standings, block);
	if (error)
		return error;
	schedule_add(tournament->schedule, block);
	tournament->counted++;
	for (int i = 0; i < block->plan.bot_count; i++) {
		int bot = block->plan.bots[i];
		const struct standing *standing =
		    &tournament->standings.bots[bot];

		if (tournament->suspended[bot] ||
		    (standing->startup_failures < TOURNAMENT_STARTUPS_MAX &&
			!(tournament->config.disqualify &&
			    standing->forfeits > 0)))
			continue;
		tournament->suspended[bot] = true;
		tournament->suspended_count++;
		schedule_suspend(tournament->schedule, bot);
	}
	return 0;
}

bool
tournament_fits(
    const struct tournament_config *config, const struct store_head *head)
{
	return head->bot_count == config->schedule.bot_count &&
	    head->teams == config->schedule.rules.teams &&
	    head->game_count == schedule_game_count(&config->schedule);
}

/*
 * The gate.  The sequential test is judged after each block; without one, the
 * interval at the end.  Forfeits of the candidate can turn a verdict into a
 * regression.
 */

/* The candidate may forfeit at most one game in so many and still pass. */
enum { FORFEIT_SHARE = 100 };

/*
 * The share of forfeits is certainly greater if the forfeits are so many times
 * more likely under some greater share than under this one, at any look.
 */
#define FORFEIT_EVIDENCE 1e4

const char *
gate_outcome_name(enum gate_outcome outcome)
{
	static const char *const names[GATE_OUTCOME_COUNT] = {
		[GATE_OPEN] = "open",
		[GATE_PASS] = "pass",
		[GATE_REGRESSION] = "regression",
		[GATE_INCONCLUSIVE] = "inconclusive",
	};

	return names[outcome];
}

static void __attribute__((format(printf, 3, 4)))
verdict_set(struct gate_verdict *verdict, enum gate_outcome outcome,
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
gate_test(const struct sprt *sprt, const struct encounter *pair,
    const struct betting *bets, bool clean)
{
	const struct trinomial *results =
	    clean ? &pair->clean_results : &pair->results;
	const struct pentanomial *pairs =
	    clean ? &pair->clean_pairs : &pair->pairs;
	struct sprt on_grid = *sprt;

	switch (sprt->model) {
	case SPRT_MARGIN:
		on_grid.step = pair->step;
		return sprt_moments(&on_grid,
		    clean ? &pair->clean : &pair->margins, pair->paired);
	case SPRT_BETTING:
		assert(bets != NULL);
		return sprt_betting(sprt, bets);
	case SPRT_LOGISTIC:
	case SPRT_NORMALIZED:
		if (pair->paired)
			return sprt_counts(sprt, pentanomial_counts(pairs));
		break;
	case SPRT_BAYESIAN:
	case SPRT_MODEL_COUNT:
		break;
	}
	return sprt_counts(sprt, trinomial_counts(results));
}

bool
gate_few_differing(const struct sprt *sprt, const struct encounter *pair)
{
	return sprt->model == SPRT_MARGIN &&
	    pair->differing < SPRT_DIFFERING_MIN;
}

bool
gate_estimate(const struct sprt *sprt, const struct encounter *pair,
    const struct betting *bets, double level, struct estimate *estimate,
    bool *is_elo)
{
	struct sprt on_grid = *sprt;

	*is_elo = false;
	on_grid.step = pair->step;
	switch (sprt->model) {
	case SPRT_MARGIN:
		*estimate = sprt_moments_estimate(
		    &on_grid, &pair->margins, pair->paired, level);
		return true;
	case SPRT_BETTING:
		*estimate = sprt_betting_estimate(&on_grid, bets, level);
		return true;
	case SPRT_LOGISTIC:
	case SPRT_NORMALIZED:
		*is_elo = true;
		*estimate = pair->paired
		    ? sprt_counts_estimate(
			  sprt, pentanomial_counts(&pair->pairs), level)
		    : sprt_counts_estimate(
			  sprt, trinomial_counts(&pair->results), level);
		return true;
	case SPRT_BAYESIAN:
	case SPRT_MODEL_COUNT:
		break;
	}
	return false;
}

/*
 * If two bots differ in a share p of blocks, mean / sigma is at most sqrt(p /
 * (1 - p)), which it is when they differ by the same each time.  The mean is at
 * most p times the most points of a deal.
 */
int64_t
gate_alike_blocks(
    const struct sprt *sprt, const struct scopa_rules *rules, bool paired)
{
	double bound = fmax(fabs(sprt->low), fabs(sprt->high));
	double t = bound * (paired ? sqrt(2) : 1) / ESTIMATE_NELO_PER_T;
	double share = sprt->unit == SPRT_UNIT_POINTS
	    ? bound / scopa_points_max(rules)
	    : t * t / (1 + t * t);
	double blocks = share < 1 ? ceil(log(sprt->beta) / log1p(-share)) : 0;

	blocks = fmax(blocks, (double)sprt->minimum);
	return (int64_t)fmin(fmax(blocks, GATE_ALIKE_BLOCKS), 1e15);
}

static void
judge_llr(struct gate_verdict *verdict, enum gate_outcome outcome,
    const char *hypothesis, double bound)
{
	const struct sprt_state *state = &verdict->sprt;

	if (state->certain)
		verdict_set(verdict, outcome,
		    "%s accepted: the margin lies %.1f standard errors %s "
		    "both hypotheses (LLR %.2f)",
		    hypothesis, state->errors,
		    outcome == GATE_PASS ? "above" : "below", state->llr);
	else
		verdict_set(verdict, outcome,
		    "%s accepted: LLR %.2f reached %.2f", hypothesis,
		    state->llr, bound);
}

/* The LLR as a sentence shows it: one that rounds to 0 has no sign. */
static double
shown_llr(const struct gate_verdict *verdict)
{
	return round(100 * verdict->sprt.llr) / 100 + 0.0;
}

/* The verdict of the sequential test so far. */
static void
judge_test(struct gate_verdict *verdict, const struct sprt *sprt,
    const struct encounter *pair, const struct scopa_rules *rules)
{
	int64_t count = pair->margins.count;

	switch (verdict->sprt.decision) {
	case SPRT_ACCEPT_H1:
		judge_llr(verdict, GATE_PASS, "H1", verdict->sprt.upper);
		return;
	case SPRT_ACCEPT_H0:
		judge_llr(verdict, GATE_REGRESSION, "H0", verdict->sprt.lower);
		return;
	case SPRT_CONTINUE:
	case SPRT_DECISION_COUNT:
		break;
	}
	if (sprt->model == SPRT_MARGIN && pair->differing == 0 &&
	    count >= gate_alike_blocks(sprt, rules, pair->paired))
		verdict_set(verdict, GATE_INCONCLUSIVE,
		    "the bots play alike: %jd block%s without a difference",
		    count, text_plural(count));
	else
		verdict_set(verdict, GATE_OPEN,
		    "LLR %.2f is between %.2f and %.2f", shown_llr(verdict),
		    verdict->sprt.lower, verdict->sprt.upper);
}

/* All blocks have been played and the test has not decided. */
static void
judge_undecided(struct gate_verdict *verdict, const struct sprt *sprt,
    const struct encounter *pair)
{
	int64_t count = pair->margins.count;

	if (count < sprt->minimum)
		verdict_set(verdict, GATE_INCONCLUSIVE,
		    "too few blocks: %jd, and there is no verdict before %jd",
		    count, sprt->minimum);
	else
		verdict_set(verdict, GATE_INCONCLUSIVE,
		    "no bound was reached in %jd block%s: LLR %.2f is between "
		    "%.2f and %.2f",
		    count, text_plural(count), shown_llr(verdict),
		    verdict->sprt.lower, verdict->sprt.upper);
}

/* The verdict by the interval, at the end. */
static void
judge_interval(
    struct gate_verdict *verdict, const struct encounter *pair, double level)
{
	struct moments floored = moments_floor(&pair->margins, pair->step);
	struct estimate margin = mean_estimate(&floored, level);
	double percent = 100 * level;

	if (pair->differing == 0)
		verdict_set(verdict, GATE_INCONCLUSIVE,
		    "the bots played alike: %jd block%s without a difference",
		    pair->blocks, text_plural(pair->blocks));
	else if (margin.low > 0 && !margin.low_beyond)
		verdict_set(verdict, GATE_PASS,
		    "the %g%% interval of the margin lies above 0", percent);
	else if (margin.high < 0 && !margin.high_beyond)
		verdict_set(verdict, GATE_REGRESSION,
		    "the %g%% interval of the margin lies below 0", percent);
	else
		verdict_set(verdict, GATE_INCONCLUSIVE,
		    "the %g%% interval of the margin holds 0", percent);
}

/*
 * Whether so many forfeits show that their share is above one in FORFEIT_SHARE,
 * whenever one looks: the likelihood of a share that is drawn by Jeffreys'
 * prior, over that of this share, is above 1 / p with at most probability p.
 */
static bool
forfeits_too_often(int64_t forfeits, int64_t games)
{
	double lost = (double)forfeits, kept = (double)(games - forfeits);
	double share = 1.0 / FORFEIT_SHARE;
	double mixed = lgamma(lost + 0.5) + lgamma(kept + 0.5) -
	    lgamma(lost + kept + 1) - 2 * lgamma(0.5);

	return forfeits * FORFEIT_SHARE > games &&
	    mixed - lost * log(share) - kept * log1p(-share) >=
	    log(FORFEIT_EVIDENCE);
}

static void
judge_forfeits(struct gate_verdict *verdict, const struct gate_config *config,
    const struct encounter *pair, bool ended)
{
	int64_t lost = pair->forfeits * FORFEIT_SHARE;
	bool due = ended ||
	    (config->sequential && pair->blocks >= config->sprt.minimum);
	/* The number of games if all blocks are played. */
	double games_max = pair->blocks == 0 ? 0
					     : (double)config->blocks_max *
		(double)pair->games / (double)pair->blocks;

	if (due &&
	    (forfeits_too_often(pair->forfeits, pair->games) ||
		(games_max > 0 && (double)lost > games_max)))
		verdict_set(verdict, GATE_REGRESSION,
		    "%jd of %jd games were forfeited by the candidate: "
		    "certainly more than one in %d",
		    pair->forfeits, pair->games, FORFEIT_SHARE);
	else if (verdict->outcome == GATE_PASS && lost > pair->games)
		verdict_set(verdict, GATE_INCONCLUSIVE,
		    "%jd of %jd games were forfeited by the candidate: more "
		    "than one in %d",
		    pair->forfeits, pair->games, FORFEIT_SHARE);
}

/* Returns the test; if it counts games, with its minimum in games. */
static struct sprt
counted_test(const struct sprt *sprt, const struct encounter *pair)
{
	struct sprt counted = *sprt;
	bool games = sprt->model == SPRT_BAYESIAN ||
	    (!pair->paired && sprt->model != SPRT_MARGIN &&
		sprt->model != SPRT_BETTING);

	if (games && pair->blocks > 0)
		counted.minimum *= pair->games / pair->blocks;
	return counted;
}

static void
judge_sequentially(struct gate_verdict *verdict,
    const struct gate_config *config, const struct standings *standings,
    bool ended)
{
	const struct encounter *pair = standings_encounter(standings, 0, 1);
	const struct sprt *sprt = &config->sprt;
	struct sprt counted = counted_test(sprt, pair);

	verdict->sprt = gate_test(&counted, pair, &standings->bets.all, false);
	verdict->clean_sprt =
	    gate_test(&counted, pair, &standings->bets.clean, true);
	judge_test(verdict, sprt, pair, &standings->rules);
	if (verdict->outcome == GATE_OPEN && ended)
		judge_undecided(verdict, sprt, pair);
	verdict->few_differing = gate_few_differing(sprt, pair);
}

struct gate_verdict
gate_judge(const struct gate_config *config, const struct standings *standings,
    bool ended)
{
	const struct encounter *pair = standings_encounter(standings, 0, 1);
	struct sprt counted = counted_test(&config->sprt, pair);
	struct gate_verdict verdict = {
		.margin = mean_estimate(&pair->margins, config->level),
		.clean = mean_estimate(&pair->clean, config->level),
		.los = mean_los(&pair->margins),
	};

	ended = ended ||
	    (config->blocks_max > 0 && standings->blocks >= config->blocks_max);
	verdict_set(&verdict, GATE_OPEN, "no verdict yet");
	if (config->sequential)
		judge_sequentially(&verdict, config, standings, ended);
	else if (ended)
		judge_interval(&verdict, pair, config->level);
	judge_forfeits(&verdict, config, pair, ended);
	if (config->sequential && verdict.final)
		verdict.has_unbiased = gate_estimate(&counted, pair,
		    &standings->bets.all, config->level, &verdict.unbiased,
		    &verdict.unbiased_is_elo);
	return verdict;
}

enum tournament_end
tournament_find_end(
    const struct tournament *tournament, const struct gate_config *gate)
{
	const struct schedule_config *schedule = &tournament->config.schedule;

	/* The block that decides may also be the one that suspends a bot. */
	if (gate != NULL &&
	    gate_judge(gate, &tournament->standings, false).final)
		return TOURNAMENT_DECIDED;
	return schedule->bot_count - tournament->suspended_count <
		schedule_bot_count(schedule)
	    ? TOURNAMENT_DESERTED
	    : TOURNAMENT_GOES_ON;
}
