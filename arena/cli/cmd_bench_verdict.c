/*
 * bench verdict: how many games it takes to tell a slightly better bot from its
 * base, by three ways to count the same games.
 *
 * Real games between child processes.  Each way has an effect t = (mean - what
 * equal bots would have) / standard deviation, of a game or a block, and needs
 * (z / t)^2 of them for a difference of z standard errors.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "entrants.h"
#include "error_message.h"
#include "estimate.h"
#include "game_options.h"
#include "json.h"
#include "runner.h"
#include "splitmix.h"
#include "version.h"

enum {
	GAMES = 2, /* of a block */
	REPLICATES = 400,
	ENTRANTS = 2,
	BLUNDER_SIZE = 32
};

/* Standard errors that a difference must have. */
#define STANDARD_ERRORS 2.0

struct bench_verdict_settings {
	const char *rules;
	int64_t blocks, deals, concurrency, blunder, base_blunder;
	struct shuffle_key seed;
	bool json;
};

/* The ways to count. */
enum way { WAY_MARGIN, WAY_PAIRS, WAY_UNPAIRED, WAY_COUNT };

static const struct {
	const char *key, *name;
} ways[] = {
	[WAY_MARGIN] = { "margin", "margins of pairs" },
	[WAY_PAIRS] = { "pentanomial", "pairs of games" },
	[WAY_UNPAIRED] = { "unpaired", "W/D/L of single games" },
};

/* What a block has shown of the better bot. */
struct observed {
	double scores[GAMES]; /* 0, 1/2 or 1 */
	double margin;        /* points a deal */
};

struct bench_verdict {
	const struct scopa_rules *rules;
	struct schedule *schedule;
	struct block_result block; /* whose games are being counted */
	struct block_plan *plans;  /* of all blocks */
	int64_t planned;
	int supplied, counted; /* games of the last planned, and of `block` */
	struct observed *observed; /* of all blocks */
	int64_t count;
	int error;
};

/* An effect with its count of games, by each way. */
struct needs {
	double effect[WAY_COUNT]; /* t, of a game or of a block */
	double games[WAY_COUNT];
};

static bool
parse_seed(const char *value, void *field, struct scopa_text *why)
{
	if (shuffle_key_parse(value, field))
		return true;
	scopa_text_string(why, "expects 1 to 64 hex digits");
	return false;
}

#define FIELD(name) offsetof(struct bench_verdict_settings, name)

static const struct option options[] = {
	TEXT_OPTION("rules", "PRESET[,KEY=VALUE...]", FIELD(rules),
	    "The game, of two teams.", .aliases = { "variant" },
	    .fallback = "scopa"),
	INT_OPTION("blocks", "N", FIELD(blocks), 100, 10000000,
	    "How many blocks of two games are played.", .fallback = "10000",
	    .unit = "blocks"),
	INT_OPTION("deals", "N", FIELD(deals), 0, 1000,
	    "How many deals a game has; 0: it goes to the target.",
	    .fallback = "10", .unit = "deals"),
	INT_OPTION("blunder", "N", FIELD(blunder), 0, 1000,
	    "How many of 1000 moves the better bot plays at random.",
	    .fallback = "0", .unit = "permille"),
	INT_OPTION("base-blunder", "N", FIELD(base_blunder), 0, 1000,
	    "How many the base plays at random.", .fallback = "5",
	    .unit = "permille"),
	INT_OPTION("concurrency", "N", FIELD(concurrency), 1,
	    DISPATCHER_AT_ONCE_MAX, "How many games are on at once.",
	    .fallback = "8", .unit = "games"),
	PARSED_OPTION("seed", "HEX", FIELD(seed), parse_seed,
	    "The secret that all packs come from.", .fallback = "1"),
	FLAG_OPTION("json", FIELD(json), "Print one JSON document."),
	OPTIONS_END,
};

static enum dispatcher_supply
next_game(struct dispatcher *dispatcher, void *context, struct game_spec *game)
{
	struct bench_verdict *bench = context;
	struct block_plan *plan = &bench->plans[bench->planned];

	(void)dispatcher;
	if (bench->supplied == 0 &&
	    schedule_next(bench->schedule, plan) != SCHEDULE_BLOCK)
		return DISPATCHER_NO_MORE;
	*game = runner_game(plan, bench->supplied);
	if (++bench->supplied == plan->game_count) {
		bench->supplied = 0;
		bench->planned++;
	}
	return DISPATCHER_GAME;
}

/* The block is complete: stores what it has shown of the first bot. */
static void
observe(struct bench_verdict *bench)
{
	struct observed *observed = &bench->observed[bench->count++];

	for (int game = 0; game < GAMES; game++)
		observed->scores[game] =
		    block_share(bench->rules, &bench->block, game, 0).score;
	observed->margin = block_mean(bench->rules, &bench->block, 0).margin;
}

static void
on_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *record, size_t size)
{
	struct bench_verdict *bench = context;

	(void)record;
	(void)size;
	if (strcmp(result->summary.reason, "abort") == 0 || bench->error)
		return;
	bench->block.plan = bench->plans[bench->count];
	if (result->fault_entrant >= 0) {
		bench->error = -EPROTO;
		dispatcher_end(dispatcher, DISPATCHER_STOPPED, 0, STOP_ABORT);
		return;
	}
	bench->block.games[bench->counted] = result->summary;
	if (++bench->counted == GAMES) {
		bench->counted = 0;
		observe(bench);
	}
}

static const struct dispatcher_calls dispatcher_calls = {
	.next = next_game,
	.on_result = on_result,
};

/* The games that the effect of some numbers needs; INFINITY where none is. */
static double
games_needed(
    const struct moments *moments, double equal, int games, double *effect)
{
	double deviation = sqrt(moments_sample_variance(moments));
	double t = deviation > 0 ? (moments->mean - equal) / deviation : 0;

	*effect = t;
	return games * (STANDARD_ERRORS / t) * (STANDARD_ERRORS / t);
}

/* What the blocks say; with `random`, so many drawn from them again. */
static struct needs
needs_of(const struct bench_verdict *bench, uint64_t *random)
{
	struct moments single = { 0 }, pairs = { 0 }, margins = { 0 };
	struct needs needs;

	for (int64_t i = 0; i < bench->count; i++) {
		int64_t pick = i;
		const struct observed *observed;

		if (random != NULL)
			pick = (int64_t)(splitmix_next(random) %
			    (uint64_t)bench->count);
		observed = &bench->observed[pick];
		moments_add(&single, observed->scores[0]);
		moments_add(&single, observed->scores[1]);
		moments_add(
		    &pairs, (observed->scores[0] + observed->scores[1]) / 2);
		moments_add(&margins, observed->margin);
	}
	needs.games[WAY_UNPAIRED] =
	    games_needed(&single, 0.5, 1, &needs.effect[WAY_UNPAIRED]);
	needs.games[WAY_PAIRS] =
	    games_needed(&pairs, 0.5, GAMES, &needs.effect[WAY_PAIRS]);
	needs.games[WAY_MARGIN] =
	    games_needed(&margins, 0, GAMES, &needs.effect[WAY_MARGIN]);
	return needs;
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* How many times fewer games the margin needs, with a 95 % interval. */
static void
ratio_of(const struct bench_verdict *bench, enum way way, double ratio[3])
{
	double replicates[REPLICATES];
	struct needs needs = needs_of(bench, NULL);
	uint64_t random = 1;

	ratio[0] = needs.games[way] / needs.games[WAY_MARGIN];
	for (int i = 0; i < REPLICATES; i++) {
		needs = needs_of(bench, &random);
		replicates[i] = needs.games[way] / needs.games[WAY_MARGIN];
	}
	qsort(replicates, REPLICATES, sizeof(*replicates), compare_doubles);
	ratio[1] = replicates[REPLICATES / 40];
	ratio[2] = replicates[REPLICATES - 1 - REPLICATES / 40];
}

static void
print_text(const struct bench_verdict_settings *settings,
    const struct bench_verdict *bench)
{
	struct needs needs = needs_of(bench, NULL);

	printf("%s: @greedy blunder=%lld against blunder=%lld, %lld blocks of "
	       "%d games\n",
	    settings->rules, (long long)settings->blunder,
	    (long long)settings->base_blunder, (long long)bench->count, GAMES);
	if (settings->deals > 0)
		printf("a game is %lld deals\n", (long long)settings->deals);
	else
		printf("a game goes to %d points\n", bench->rules->target);
	printf("games for a difference of %.0f standard errors:\n",
	    STANDARD_ERRORS);
	for (int way = 0; way < WAY_COUNT; way++) {
		double ratio[3];

		printf("  %-22s %12.0f  (t %.4f)", ways[way].name,
		    needs.games[way], needs.effect[way]);
		if (way != WAY_MARGIN) {
			ratio_of(bench, (enum way)way, ratio);
			printf("  %.1f times as many (%.1f to %.1f)", ratio[0],
			    ratio[1], ratio[2]);
		}
		printf("\n");
	}
}

static void
print_json(const struct bench_verdict_settings *settings,
    const struct bench_verdict *bench)
{
	struct needs needs = needs_of(bench, NULL);
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "rules", settings->rules);
	json_int(&json, "blunder", settings->blunder);
	json_int(&json, "base_blunder", settings->base_blunder);
	json_int(&json, "deals", settings->deals);
	json_int(&json, "blocks", bench->count);
	for (int way = 0; way < WAY_COUNT; way++) {
		double ratio[3];

		json_object_begin(&json, ways[way].key);
		json_real(&json, "t", needs.effect[way], 6);
		json_real(&json, "games", needs.games[way], 1);
		ratio_of(bench, (enum way)way, ratio);
		json_real(&json, "ratio", ratio[0], 3);
		json_real(&json, "ratio_low", ratio[1], 3);
		json_real(&json, "ratio_high", ratio[2], 3);
		json_object_end(&json);
	}
	json_document_end(&json);
}

/* Two greedy bots that differ in how often they blunder. */
static enum status
read_entrants(const struct bench_verdict_settings *settings,
    struct entrant entrants[ENTRANTS])
{
	static char words[ENTRANTS][BLUNDER_SIZE];
	static struct entrant_words bots[ENTRANTS];
	const int64_t blunders[] = { settings->blunder,
		settings->base_blunder };

	for (int i = 0; i < ENTRANTS; i++) {
		enum status status;

		snprintf(words[i], BLUNDER_SIZE, "blunder=%lld",
		    (long long)blunders[i]);
		bots[i] = (struct entrant_words){
			.command = "@greedy",
			.name = i == 0 ? "better" : "base",
			.options = { .words = { words[i] }, .count = 1 },
		};
		status = entrant_read(&entrants[i], &bots[i], ENTRANT_TO_PLAY);
		if (status != STATUS_DONE)
			return status;
	}
	return STATUS_DONE;
}

static enum status
play(const struct bench_verdict_settings *settings, const struct rule_set *set,
    struct bench_verdict *bench)
{
	static struct entrant entrants[ENTRANTS];
	struct dispatcher_config config = {
		.rules = { .rules = set->rules,
		    .preset = set->preset,
		    .settings = { .arena = VERSION_NAME "/" VERSION_NUMBER,
			.startup_ns = 10 * CLOCK_NS_PER_S,
			.hang_ns = CLOCK_NS_PER_S,
			.strikes_max = 1,
			.control = { .kind = BUDGET_MOVE, .base_ms = 10000 } },
		    .grace_ns = CLOCK_NS_PER_S,
		    .secret = settings->seed,
		    .deals = (int)settings->deals },
		.entrants = entrants,
		.entrant_count = ENTRANTS,
		.concurrency = (int)settings->concurrency,
	};
	struct dispatcher_outcome outcome;
	enum status status = read_entrants(settings, entrants);

	if (status != STATUS_DONE)
		return status;
	outcome = dispatcher_run(&config, &dispatcher_calls, bench);
	switch (outcome.end) {
	case DISPATCHER_DONE:
		return STATUS_DONE;
	case DISPATCHER_INTERRUPTED:
		return (enum status)(128 + outcome.detail);
	case DISPATCHER_LOST:
		return worker_death_error(outcome.detail, outcome.lost_count);
	case DISPATCHER_STOPPED:
		if (bench->error != -EPROTO)
			return game_setup_error(bench->error);
		error_print("a bot lost a game by an offence");
		return STATUS_BOT;
	case DISPATCHER_FAILED:
		break;
	}
	return game_setup_error(outcome.detail);
}

static enum status
measure(const struct bench_verdict_settings *settings,
    const struct rule_set *set, struct bench_verdict *bench)
{
	const struct schedule_config schedule = {
		.format = SCHEDULE_ROUND_ROBIN,
		.bot_count = ENTRANTS,
		.rules = set->rules,
		.duplicate = true,
		.rounds = (int)settings->blocks,
	};
	size_t blocks = (size_t)settings->blocks;
	enum status status;

	bench->rules = &set->rules;
	bench->schedule = malloc(schedule_size(&schedule));
	bench->plans = calloc(blocks + 1, sizeof(*bench->plans));
	bench->observed = calloc(blocks, sizeof(*bench->observed));
	if (!bench->schedule || !bench->plans || !bench->observed)
		return game_setup_error(-ENOMEM);
	schedule_init(bench->schedule, &schedule);
	status = play(settings, set, bench);
	if (status != STATUS_DONE)
		return status;
	if (settings->json)
		print_json(settings, bench);
	else
		print_text(settings, bench);
	return STATUS_DONE;
}

static enum status
bench_run(const void *given, int argc, char **argv)
{
	const struct bench_verdict_settings *settings = given;
	struct bench_verdict bench = { .count = 0 };
	struct rule_set set;
	enum status status;

	(void)argc;
	(void)argv;
	if (!rule_set_read(settings->rules, &set))
		return STATUS_USAGE;
	if (scopa_team_count(&set.rules) != 2) {
		error_print("--rules %s: a game of %d parties; pairs of "
			    "games need two",
		    settings->rules, scopa_team_count(&set.rules));
		return STATUS_USAGE;
	}
	status = measure(settings, &set, &bench);
	free(bench.schedule);
	free(bench.plans);
	free(bench.observed);
	return status;
}

const struct command command_bench_verdict = {
	.name = "bench verdict",
	.sentence = "Measures how many games it takes to tell a slightly "
		    "better bot from its base, by W/D/L, by pairs and by "
		    "margins.",
	.detail = "Real games between @greedy and a @greedy that blunders a "
		  "little more often. All three ways count the same games. "
		  "Intervals of the ratios are by the bootstrap over "
		  "blocks.",
	.examples = { "bench verdict",
	    "bench verdict --rules scientifico --blocks 100000" },
	.options = options,
	.settings_size = sizeof(struct bench_verdict_settings),
	.run = bench_run,
};
