/*
 * The bench commands.  They measure how fast the engine plays, how fast
 * built-in bots decide, what a move costs the arena, and how many games a
 * verdict needs.  The next one is in cmd_bench_verification.c.
 *
 * `bench engine` and `bench bots` work in this process, and their seconds are
 * seconds of CPU time.  `bench arena` and `bench verdict` play real games
 * between child processes.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "builtin.h"
#include "clock.h"
#include "cmd_bench.h"
#include "command.h"
#include "countof.h"
#include "dialog.h"
#include "dispatcher.h"
#include "entrants.h"
#include "estimate.h"
#include "game_options.h"
#include "json.h"
#include "players.h"
#include "runner.h"
#include "sandbox.h"
#include "scopa/score.h"
#include "self_test.h"
#include "splitmix.h"
#include "text_format.h"
#include "version.h"
#include "world.h"

#define FIELD(name) offsetof(struct bench_settings, name)

#define RULES_OPTION(...)                                           \
	TEXT_OPTION("rules", "PRESET[,KEY=VALUE...]", FIELD(rules), \
	    __VA_ARGS__, .aliases = { "variant" })

/*
 * Begins the rows: a JSON list if `wanted`, otherwise lines of text under the
 * heading.  Returns NULL for text.
 */
static struct json *
rows_begin(struct json *json, bool wanted, const char *heading)
{
	if (!wanted) {
		fputs(heading, stdout);
		return NULL;
	}
	json_init(json, stdout);
	json_array_begin(json, NULL);
	return json;
}

static void
rows_end(struct json *json)
{
	if (json == NULL)
		return;
	json_array_end(json);
	json_finish(json);
}

/*
 * Gives rule set number `number`: of a given spec there is one, without a spec
 * there is one for each preset.  False: there is none of this number.
 */
static bool
rule_set_at(const char *spec, int number, struct rule_set *set)
{
	if (number >= (spec != NULL ? 1 : scopa_preset_count))
		return false;
	return rule_set_read(
	    spec != NULL ? spec : scopa_presets[number].name, set);
}

static double
per_second(int64_t count, int64_t ns)
{
	return ns > 0 ? (double)count * 1e9 / (double)ns : 0;
}

static int
compare_reals(const void *one, const void *other)
{
	double first = *(const double *)one, second = *(const double *)other;

	return (first > second) - (first < second);
}

/*
 * bench engine: how many complete random deals the engine plays in a second,
 * for every preset.
 */

/* Deals between two readings of the clock. */
enum { BATCH_DEALS = 512 };

/* The work that was done, and the CPU time it took. */
struct engine_measure {
	int64_t deals;
	int64_t moves;
	/* summed up, so that the compiler cannot remove the scoring */
	int64_t points;
	int64_t cpu_ns;
};

static const struct option engine_options[] = {
	RULES_OPTION("Measure this rule set alone. Without it, every preset."),
	REAL_OPTION("seconds", "S", FIELD(seconds), 0, 3600,
	    "How long each rule set is measured.", .fallback = "0.5",
	    .unit = "seconds"),
	FLAG_OPTION("json", FIELD(json), "Print one JSON list."),
	OPTIONS_END,
};

/* A number from 0 to bound - 1, made of 32 random bits. */
static uint32_t
scale(uint32_t bits, uint32_t bound)
{
	return (uint32_t)((uint64_t)bits * bound >> 32);
}

static void
pack_sort(uint8_t pack[SCOPA_PACK_SIZE])
{
	for (uint8_t i = 0; i < SCOPA_PACK_SIZE; i++)
		pack[i] = i;
}

static void
swap(uint8_t *pack, uint32_t i, uint32_t j)
{
	uint8_t card = pack[i];

	pack[i] = pack[j];
	pack[j] = card;
}

/*
 * Shuffles a pack.  Each random number of 64 bits serves two cards, 32 bits
 * each.
 */
static void
pack_shuffle(uint8_t pack[SCOPA_PACK_SIZE], uint64_t *random)
{
	for (uint32_t i = SCOPA_PACK_SIZE - 1; i >= 1; i -= 2) {
		uint64_t bits = splitmix_next(random);

		swap(pack, i, scale((uint32_t)bits, i + 1));
		swap(pack, i - 1, scale((uint32_t)(bits >> 32), i));
		if (i == 1)
			break;
	}
}

/* Shuffles and deals until the rules accept the pack. */
static void
deal_start(const struct scopa_rules *rules, uint8_t pack[SCOPA_PACK_SIZE],
    int dealer, uint64_t *random, struct scopa_deal *deal)
{
	do {
		pack_shuffle(pack, random);
	} while (
	    scopa_deal_start(rules, pack, dealer, deal) != SCOPA_START_PLAY);
}

/*
 * Plays a deal at random and counts its moves.  Every legal move is equally
 * likely.  If `listed`, one entry of the list of all legal moves is chosen;
 * otherwise the engine draws a move without a list.
 */
static void
deal_play(const struct scopa_rules *rules, bool listed,
    uint8_t pack[SCOPA_PACK_SIZE], uint64_t *random,
    struct engine_measure *measure)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	int dealer = (int)(measure->deals % rules->players);
	struct scopa_deal deal;
	struct scopa_score score;

	deal_start(rules, pack, dealer, random, &deal);
	while (!scopa_deal_over(&deal)) {
		uint64_t bits = splitmix_next(random);
		struct scopa_move *move = moves;

		if (listed)
			move += scale((uint32_t)bits,
			    (uint32_t)scopa_moves(
				rules, &deal, moves, SCOPA_MOVES_MAX));
		else
			scopa_move_pick(rules, &deal, bits, move);
		scopa_deal_apply(rules, &deal, move);
		measure->moves++;
	}
	scopa_score_count(rules, &deal, &score);
	measure->points += score.total[0];
	measure->deals++;
}

static struct engine_measure
rules_measure(const struct scopa_rules *rules, bool listed, double seconds)
{
	struct engine_measure measure = { 0 };
	uint8_t pack[SCOPA_PACK_SIZE];
	uint64_t random = 1;
	int64_t limit_ns = (int64_t)(seconds * (double)CLOCK_NS_PER_S);
	int64_t start_ns = clock_cpu_ns();

	pack_sort(pack);
	do {
		for (int i = 0; i < BATCH_DEALS; i++)
			deal_play(rules, listed, pack, &random, &measure);
		measure.cpu_ns = clock_cpu_ns() - start_ns;
	} while (measure.cpu_ns < limit_ns || measure.cpu_ns <= 0);
	return measure;
}

/*
 * Measures one rule set with the list of moves and without it, and prints its
 * row.
 */
static void
rules_report(const struct rule_set *set, double seconds, struct json *json)
{
	struct engine_measure picked =
	    rules_measure(&set->rules, false, seconds);
	struct engine_measure listed =
	    rules_measure(&set->rules, true, seconds);
	double deals = per_second(picked.deals, picked.cpu_ns);
	double moves = per_second(picked.moves, picked.cpu_ns);
	double listed_deals = per_second(listed.deals, listed.cpu_ns);

	if (json == NULL) {
		printf("%-20s %10.0f %12.0f %8.1f %14.0f\n", set->spec, deals,
		    moves, (double)picked.moves / (double)picked.deals,
		    listed_deals);
		fflush(stdout);
		return;
	}
	json_object_begin(json, NULL);
	json_string(json, "rules", set->spec);
	json_real(json, "deals_per_s", deals, 0);
	json_real(json, "moves_per_s", moves, 0);
	json_real(json, "listed_deals_per_s", listed_deals, 0);
	json_int(json, "deals", picked.deals);
	json_int(json, "moves", picked.moves);
	json_int(json, "points", picked.points);
	json_real(json, "cpu_s", (double)picked.cpu_ns / 1e9, 6);
	json_object_end(json);
}

static enum status
bench_engine_run(const void *given, char **argv)
{
	const struct bench_settings *settings = given;
	struct rule_set set;
	struct json document, *json;

	(void)argv;
	if (!rule_set_at(settings->rules, 0, &set))
		return STATUS_USAGE;
	json = rows_begin(&document, settings->json,
	    "rules                   deals/s      moves/s    moves listed "
	    "deals/s\n");
	for (int i = 0; rule_set_at(settings->rules, i, &set); i++)
		rules_report(&set, settings->seconds, json);
	rows_end(json);
	return STATUS_DONE;
}

const struct command command_bench_engine = {
	.name = "bench engine",
	.sentence = "Measures how many random complete deals the engine plays "
		    "in a second.",
	.detail =
	    "A deal is shuffling, dealing, choosing and making one legal move "
	    "after the other, and counting the points. Every move is any of "
	    "all legal ones with equal chances. For \"deals/s\" the engine "
	    "draws it, in games of sums mostly without working out the others; "
	    "\"moves/s\" and \"moves\" (a deal) are of these deals too. For "
	    "\"listed deals/s\" all legal moves of each position are listed "
	    "first. A second is one of CPU time, on one core. The deals are "
	    "the same in every run.",
	.examples = { "bench engine",
	    "bench engine --rules scientifico --seconds 5 --json" },
	.options = engine_options,
	.settings_size = sizeof(struct bench_settings),
	.run = bench_engine_run,
};

/*
 * bench bots: decisions, iterations and playouts in a second of every built-in
 * bot, for every preset.
 *
 * The bots are called in this process, without pipes and without the arena, on
 * positions of random deals.
 */

/* The measurement of one bot. */
struct bots_bench {
	const struct builtin *builtin;
	/* the question to the bot, with memory that the bot uses */
	struct builtin_turn turn;
	uint64_t random; /* generates the positions */
	uint64_t bot_random;
	int64_t options[DIALOG_OPTIONS_MAX];
	uint8_t pack[SCOPA_PACK_SIZE];
	struct scopa_deal deal; /* the position that the bot is asked about */
	char legal[DIALOG_LINE_MAX + 1];
	char info[DIALOG_INFO_MAX];

	/* The work that the bot did, and the CPU time it took. */
	int64_t decisions;
	int64_t iterations; /* of its searches; 0: the bot does not search */
	int64_t playouts;
	int64_t cpu_ns;
};

static const struct option bots_options[] = {
	TEXT_OPTION("bot", "@NAME", FIELD(bot),
	    "Measure this bot alone. Without it, every built-in bot."),
	RULES_OPTION(
	    "Measure with this rule set alone. Without it, every preset."),
	REAL_OPTION("seconds", "S", FIELD(seconds), 0, 3600,
	    "How long each bot is measured with each rule set; it decides once "
	    "at least.",
	    .fallback = "0.2", .unit = "seconds"),
	INT_OPTION("move-ms", "MS", FIELD(move_ms), 1, 60000,
	    "The time that a bot is given for a decision, of which it keeps a "
	    "margin.",
	    .fallback = "20", .unit = "milliseconds"),
	FLAG_OPTION("json", FIELD(json), "Print one JSON list."),
	OPTIONS_END,
};

/*
 * Draws a random position with more than one legal move, and lists these moves.
 */
static void
position_draw(struct bots_bench *bench)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	const struct scopa_rules *rules = bench->turn.rules;
	struct scopa_deal *deal = &bench->deal;
	struct scopa_text text;
	uint32_t left;
	int count;

	do {
		int dealer = (int)splitmix_below(
		    &bench->random, (uint32_t)rules->players);

		deal_start(rules, bench->pack, dealer, &bench->random, deal);
		left = splitmix_below(&bench->random, SCOPA_PACK_SIZE);
		while (left-- > 0 && !scopa_deal_over(deal)) {
			scopa_move_pick(
			    rules, deal, splitmix_next(&bench->random), moves);
			scopa_deal_apply(rules, deal, moves);
		}
		count = scopa_deal_over(deal)
		    ? 0
		    : scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	} while (count < 2);
	scopa_text_init(&text, bench->legal, sizeof(bench->legal));
	text_moves(&text, moves, count);
	bench->turn.legal = bench->legal;
	bench->turn.legal_length = text.length;
}

/*
 * Adds the counts of iterations and playouts that the bot reports (builtin.h).
 */
static void
count_searches(struct bots_bench *bench)
{
	char *rest = bench->info, *bytes;

	while ((bytes = strsep(&rest, "\n")) != NULL) {
		struct token line = { bytes, strlen(bytes) };
		int64_t iterations = 0, playouts;

		token_int(token_find(line, "nodes"), 0, INT64_MAX, &iterations);
		token_int(token_find(line, "m.iterations"), 0, INT64_MAX,
		    &iterations);
		playouts = iterations;
		token_int(
		    token_find(line, "m.playouts"), 0, INT64_MAX, &playouts);
		bench->iterations += iterations;
		bench->playouts += playouts;
	}
}

/* Draws a new position and lets the bot decide.  Only the decision is timed. */
static void
decision_measure(struct bots_bench *bench)
{
	enum { ANSWER_SIZE = 256 };
	static const struct scopa_tally tally;
	struct builtin_turn *turn = &bench->turn;
	struct scopa_text info;
	struct scopa_text answer = SCOPA_TEXT(ANSWER_SIZE);
	struct scopa_view view;
	struct scopa_deal imagined;
	int64_t start_ns;
	bool done;

	position_draw(bench);
	scopa_view_make(
	    turn->rules, &bench->deal, &tally, bench->deal.turn, &view);
	done = imagine_deal(turn->rules, &view, &imagined);
	assert(done);
	turn->view = &view;
	turn->deal = &imagined;
	turn->info = &info;
	scopa_text_init(&info, bench->info, sizeof(bench->info));
	turn->began_ns = clock_now_ns();
	start_ns = clock_cpu_ns();
	done = bench->builtin->choose(turn, &answer);
	bench->cpu_ns += clock_cpu_ns() - start_ns;
	assert(done);
	(void)done;
	bench->decisions++;
	count_searches(bench);
}

/* Measures one bot from a fresh state.  0 or -ENOMEM. */
static int
bot_measure(struct bots_bench *bench, const struct bench_settings *settings,
    const struct builtin *builtin, const struct scopa_rules *rules)
{
	int64_t limit_ns =
	    (int64_t)(settings->seconds * (double)CLOCK_NS_PER_S);

	*bench = (struct bots_bench){
		.builtin = builtin,
		.turn = { .rules = rules,
		    .random = &bench->bot_random,
		    .options = bench->options,
		    .bank_ns = -1,
		    .increment_ns = -1,
		    .move_ns = settings->move_ms * CLOCK_NS_PER_MS,
		    .all_cards = &bench->deal },
		.random = 1,
		.bot_random = 1,
	};
	pack_sort(bench->pack);
	builtin_options_init(bench->options, builtin);
	if (builtin->memory_size > 0) {
		bench->turn.memory = calloc(1, builtin->memory_size);
		if (bench->turn.memory == NULL)
			return -ENOMEM;
	}
	do
		decision_measure(bench);
	while (bench->cpu_ns < limit_ns);
	free(bench->turn.memory);
	return 0;
}

static void
bot_report(const struct bots_bench *bench, const char *rules, struct json *json)
{
	const char *bot = bench->builtin->name;
	bool searches = bench->iterations > 0;
	double decisions = per_second(bench->decisions, bench->cpu_ns);
	double iterations = per_second(bench->iterations, bench->cpu_ns);
	double playouts = per_second(bench->playouts, bench->cpu_ns);

	if (json == NULL) {
		printf("%-12s %-20s %12.0f", bot, rules, decisions);
		if (searches)
			printf(" %12.0f %12.0f\n", iterations, playouts);
		else
			printf(" %12s %12s\n", "-", "-");
		fflush(stdout);
		return;
	}
	json_object_begin(json, NULL);
	json_string(json, "bot", bot);
	json_string(json, "rules", rules);
	json_real(json, "decisions_per_s", decisions, 1);
	json_real(
	    json, "iterations_per_s", searches ? iterations : (double)NAN, 0);
	json_real(json, "playouts_per_s", searches ? playouts : (double)NAN, 0);
	json_int(json, "decisions", bench->decisions);
	json_int(json, "iterations", bench->iterations);
	json_int(json, "playouts", bench->playouts);
	json_real(json, "cpu_s", (double)bench->cpu_ns / 1e9, 6);
	json_object_end(json);
}

static enum status
bench_bots_run(const void *given, char **argv)
{
	struct bots_bench *bench = command_memory(sizeof(*bench));
	const struct bench_settings *settings = given;
	const struct builtin *only = NULL;
	struct rule_set set;
	struct json document, *json;
	int error = 0;

	(void)argv;
	if (!rule_set_at(settings->rules, 0, &set))
		return STATUS_USAGE;
	if (settings->bot != NULL) {
		const char *name = settings->bot + (*settings->bot == '@');

		only = builtin_find(name);
		if (only == NULL)
			return builtin_error("@", name);
	}
	json = rows_begin(&document, settings->json,
	    "bot          rules                 decisions/s iterations/s   "
	    "playouts/s\n");
	for (int i = 0; i < builtin_count; i++) {
		if (only != NULL && only != &builtins[i])
			continue;
		for (int k = 0;
		     error == 0 && rule_set_at(settings->rules, k, &set); k++) {
			error = bot_measure(
			    bench, settings, &builtins[i], &set.rules);
			if (error == 0)
				bot_report(bench, set.spec, json);
		}
	}
	rows_end(json);
	return error == 0 ? STATUS_DONE : game_setup_error(error);
}

/* Iterations of @ismcts in a second on a core of the reference machine. */
#define REFERENCE_ITERATIONS 600000.0

double
bench_core_speed(double seconds)
{
	struct bench_settings settings = { .seconds = seconds, .move_ms = 20 };
	struct bots_bench bench;
	struct rule_set set;

	if (!rule_set_at("scopa", 0, &set) ||
	    bot_measure(&bench, &settings, builtin_find("ismcts"), &set.rules))
		return 0;
	return per_second(bench.iterations, bench.cpu_ns) /
	    REFERENCE_ITERATIONS;
}

const struct command command_bench_bots = {
	.name = "bench bots",
	.sentence = "Measures how fast the built-in bots decide and search.",
	.detail =
	    "The bots are asked in this process, without an arena, about "
	    "positions of random deals in which they have a choice, with their "
	    "default options. An iteration is one way down the tree of a "
	    "search, a playout a deal played to its end; bots that do not "
	    "search have neither. A second is one of CPU time, on one core. "
	    "The positions are the same in every run.",
	.examples = { "bench bots",
	    "bench bots --bot @greedy --rules scopa --seconds 5" },
	.options = bots_options,
	.settings_size = sizeof(struct bench_settings),
	.run = bench_bots_run,
};

/*
 * Games between child processes.
 */

enum status
bench_games_open(struct bench_games *games, const struct rule_set *set)
{
	int count = scopa_team_count(&set->rules);
	enum status status = STATUS_DONE;

	games->config = (struct dispatcher_config){
		.rules = { .rules = set->rules,
		    .preset = set->preset,
		    .settings = { .arena = VERSION_NAME "/" VERSION_NUMBER,
			.startup_ns = 10 * CLOCK_NS_PER_S,
			.hang_ns = CLOCK_NS_PER_S,
			.strikes_max = 1,
			.control = { .kind = BUDGET_MOVE, .base_ms = 10000 } },
		    .grace_ns = CLOCK_NS_PER_S },
		.plan = &games->plan,
		.entrants = games->entrants,
		.entrant_count = count,
	};
	games->plan = (struct plan){
		.rules = &games->config.rules.rules,
		.entrant_count = count,
	};
	for (int i = 0; i < count && status == STATUS_DONE; i++)
		status = entrant_read(
		    &games->entrants[i], &games->words[i], ENTRANT_TO_PLAY);
	return status;
}

/*
 * bench arena: what a move costs the arena, measured with bots that answer at
 * once; and how long it takes to start a bot, from the call until the bot is
 * ready.
 */

enum {
	STARTS = 100, /* without a sandbox, and as many in one */
	GAMES_MAX = 1024
};

/* The result of a measurement with `games` games at once. */
struct arena_measure {
	int64_t games;
	int64_t moves;
	int64_t wall_ns, cpu_ns;
	bool sandboxed;
};

static const struct option arena_options[] = {
	INT_OPTION("games", "N", FIELD(games), 1, GAMES_MAX,
	    "Measure with so many games at once alone. Without it: 1, 2 and "
	    "64.",
	    .unit = "games"),
	INT_OPTION("moves", "N", FIELD(moves), 1000, 1000000000,
	    "About how many moves each measure takes, besides those of a deal "
	    "to begin with, which does not count: neither do starts of bots.",
	    .fallback = "300000", .unit = "moves"),
	RULES_OPTION("The game.", .fallback = "scopa"),
	TEXT_OPTION("bot", "BOT", FIELD(bot), "Who plays at every seat.",
	    .fallback = "@first"),
	FLAG_OPTION("sandbox", FIELD(sandbox),
	    "Measure everything in a sandbox besides, and what it takes to "
	    "start a bot, without it and with it."),
	FLAG_OPTION("json", FIELD(json), "Print one JSON list."),
	OPTIONS_END,
};

/* The games of one measurement. */
struct arena_bench {
	struct bench_games games;
	struct arena_measure *measure;
	int record_fd;                /* the file that records are written to */
	struct game_result unstarted; /* the last one whose bot did not start */
};

static void
arena_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *block, size_t size)
{
	struct arena_bench *bench = context;
	int error = record_file_append(bench->record_fd, block, size);

	if (error)
		dispatcher_end(
		    dispatcher, DISPATCHER_FAILED, error, STOP_FINISH);
	if (result->fault_entrant >= 0 &&
	    result->fault.kind == OFFENCE_STARTUP) {
		bench->unstarted = *result;
		dispatcher_end(dispatcher, DISPATCHER_STOPPED, 0, STOP_FINISH);
	}
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		bench->measure->moves += result->summary.decision_count[seat];
}

static enum status
arena_open(const struct bench_settings *settings, struct arena_bench *bench)
{
	struct bench_games *games = &bench->games;
	struct rule_set set;
	enum status status;
	int error;

	if (!rule_set_read(settings->rules, &set))
		return STATUS_USAGE;
	for (int i = 0; i < PLAN_ENTRANTS_MAX; i++)
		games->words[i].command = settings->bot;
	status = bench_games_open(games, &set);
	if (status != STATUS_DONE)
		return status;
	error = shuffle_key_draw(&games->config.rules.root_key);
	return error ? game_setup_error(error) : STATUS_DONE;
}

/* Plays `measure->games` games at the same time, each of `deals` deals. */
static enum status
play_games(struct arena_bench *bench, int deals, struct arena_measure *measure)
{
	static const struct dispatcher_calls calls = {
		.on_result = arena_result,
	};
	struct bench_games *games = &bench->games;
	struct dispatcher_outcome outcome;
	int64_t start_ns;

	bench->measure = measure;
	games->plan.rounds = (int)measure->games;
	games->config.concurrency = (int)measure->games;
	games->config.rules.deals = deals;
	bench->record_fd = memfd_create("bench-record", MFD_CLOEXEC);
	if (bench->record_fd < 0)
		return game_setup_error(-errno);
	start_ns = clock_now_ns();
	outcome = dispatcher_run(&games->config, &calls, bench);
	measure->cpu_ns = outcome.cpu_ns;
	measure->wall_ns = clock_now_ns() - start_ns;
	close(bench->record_fd);
	if (outcome.end == DISPATCHER_STOPPED) {
		const struct game_result *result = &bench->unstarted;

		return entrant_error(&games->entrants[result->fault_entrant],
		    result->summary.names[result->fault.seat], &result->fault,
		    &games->config.rules);
	}
	if (outcome.end != DISPATCHER_DONE)
		return game_end_status(&outcome);
	return measure->moves > 0
	    ? STATUS_DONE
	    : error_status(STATUS_ENVIRONMENT, NULL, NULL,
		  "the games could not be played to their end");
}

/*
 * Measures moves without the start and the end of bots: plays games with as
 * many deals as the moves need, and subtracts what games of one deal cost.
 */
static enum status
measure_moves(const struct bench_settings *settings, struct arena_bench *bench,
    struct arena_measure *measure)
{
	int64_t per_deal = SCOPA_PACK_SIZE - bench->games.plan.rules->table;
	int deals = (int)(settings->moves / per_deal / measure->games) + 1;
	struct arena_measure start = *measure;
	enum status status = play_games(bench, 1, &start);

	if (status == STATUS_DONE)
		status = play_games(bench, deals + 1, measure);
	measure->moves -= start.moves;
	/*
	 * With few moves the difference of the clocks may be negative; then
	 * nothing is subtracted.
	 */
	if (measure->wall_ns > start.wall_ns &&
	    measure->cpu_ns > start.cpu_ns) {
		measure->wall_ns -= start.wall_ns;
		measure->cpu_ns -= start.cpu_ns;
	}
	return status;
}

static void
measure_print(const struct arena_measure *measure, struct json *json)
{
	double moves_per_s = per_second(measure->moves, measure->wall_ns);
	double cpu_us = (double)measure->cpu_ns / 1e3 / (double)measure->moves;

	if (json == NULL) {
		printf("%4jd games at once  %9.0f moves/s  %6.2f us of arena "
		       "CPU a move%s\n",
		    measure->games, moves_per_s, cpu_us,
		    measure->sandboxed ? ", in a sandbox" : "");
		fflush(stdout);
		return;
	}
	json_object_begin(json, NULL);
	json_int(json, "games", measure->games);
	json_bool(json, "walls", measure->sandboxed);
	json_int(json, "moves", measure->moves);
	json_real(json, "moves_per_s", moves_per_s, 1);
	json_real(json, "arena_cpu_us_per_move", cpu_us, 3);
	json_object_end(json);
}

/*
 * Starts the bot alternately without a sandbox and in one, and prints the
 * medians of the time until it is ready.
 */
static enum status
measure_starts(
    struct bench_games *games, const struct sandbox *sandbox, struct json *json)
{
	const char *level = sandbox_level_name(sandbox->level);
	double durations[2][STARTS], ms[2];

	for (int i = 0; i < 2 * STARTS; i++) {
		int64_t start_ns = clock_now_ns();
		struct single_bot single = {
			.play = games->config,
			.bots = { .entrants = games->entrants },
		};
		enum status status;

		single.play.rules.sandbox = i % 2 == 0 ? NULL : sandbox;
		status = single_bot_start(&single);
		durations[i % 2][i / 2] =
		    (double)(clock_now_ns() - start_ns) / 1e6;
		practice_close(single.practice);
		if (status != STATUS_DONE)
			return status;
	}
	for (int kind = 0; kind < 2; kind++) {
		qsort(durations[kind], STARTS, sizeof(double), compare_reals);
		ms[kind] = durations[kind][STARTS / 2];
	}
	if (json == NULL) {
		printf("start of a bot     %6.2f ms, in %s %.2f ms: %.2f "
		       "ms more\n",
		    ms[0], level, ms[1], ms[1] - ms[0]);
		return STATUS_DONE;
	}
	json_object_begin(json, NULL);
	json_string(json, "level", level);
	json_real(json, "start_ms", ms[0], 3);
	json_real(json, "start_ms_walls", ms[1], 3);
	json_object_end(json);
	return STATUS_DONE;
}

/*
 * Measures alternately without a sandbox and in one, since the speed of a
 * machine changes with time.
 */
static enum status
measure_games(const struct bench_settings *settings, struct arena_bench *bench,
    const struct sandbox *sandbox, struct json *json)
{
	static const int64_t usual[] = { 1, 2, 64 };
	int kinds = sandbox != NULL ? 2 : 1;
	enum status status = STATUS_DONE;

	for (int i = 0; i < (settings->games ? 1 : COUNTOF(usual)); i++) {
		for (int kind = 0; kind < kinds; kind++) {
			struct arena_measure measure = {
				.games = settings->games ? settings->games
							 : usual[i],
				.sandboxed = kind == 1,
			};

			bench->games.config.rules.sandbox =
			    kind == 1 ? sandbox : NULL;
			status = measure_moves(settings, bench, &measure);
			if (status != STATUS_DONE)
				return status;
			measure_print(&measure, json);
		}
	}
	return status;
}

static enum status
bench_arena_run(const void *given, char **argv)
{
	const struct bench_settings *settings = given;
	struct arena_bench *bench = command_memory(sizeof(*bench));
	static struct sandbox detected;
	struct sandbox *sandbox = settings->sandbox ? &detected : NULL;
	enum status status = arena_open(settings, bench);
	struct json document, *json;
	int error;

	(void)argv;
	if (status != STATUS_DONE)
		return status;
	error = sandbox != NULL ? sandbox_detect(sandbox, 0) : 0;
	if (error)
		return game_setup_error(error);
	json = rows_begin(&document, settings->json, "");
	status = measure_games(settings, bench, sandbox, json);
	if (status == STATUS_DONE && sandbox != NULL)
		status = measure_starts(&bench->games, sandbox, json);
	if (sandbox != NULL)
		sandbox_close(sandbox);
	rows_end(json);
	return status;
}

const struct command command_bench_arena = {
	.name = "bench arena",
	.sentence = "Measures moves a second and the arena's CPU time a move, "
		    "with bots that answer at once.",
	.detail = "Real child processes, with rules, filtering, `state` and "
		  "`legal` lines and the record as in any match.",
	.examples = { "bench arena", "bench arena --games 64 --json",
	    "bench arena --sandbox" },
	.options = arena_options,
	.settings_size = sizeof(struct bench_settings),
	.run = bench_arena_run,
};

/*
 * bench verdict: how many games are needed to show that a slightly better bot
 * is stronger than its base, for three ways of counting the same games.
 *
 * The games are real games between child processes.  Each way of counting has
 * an effect t = (mean - mean of equal bots) / standard deviation, for a game or
 * for a block.  A difference of z standard errors needs (z / t)^2 games or
 * blocks.
 */

enum {
	GAMES = 2, /* in a block */
	REPLICATES = 400,
	ENTRANTS = 2,
	BLUNDER_SIZE = 32
};

/* The difference that is wanted, in standard errors. */
#define STANDARD_ERRORS 2.0

/* A mean that is nearer to that of equal bots differs only by rounding. */
#define ROUNDING 1e-9

/* The ways of counting. */
enum way { WAY_MARGIN, WAY_PAIRS, WAY_UNPAIRED, WAY_COUNT };

static const struct {
	const char *key, *name;
	double equal; /* the average result of equal bots */
	int games;    /* that give one value */
} ways[] = {
	[WAY_MARGIN] = { "margin", "margins of pairs", 0, GAMES },
	[WAY_PAIRS] = { "pentanomial", "pairs of games", 0.5, GAMES },
	[WAY_UNPAIRED] = { "unpaired", "W/D/L of single games", 0.5, 1 },
};

/* The result of one block for the better bot. */
struct observed {
	double scores[GAMES]; /* 0, 1/2 or 1 */
	double margin;        /* points per deal */
};

struct verdict_bench {
	struct bench_games games;
	struct block_result block; /* the block whose games are arriving */
	int counted;               /* games of this block that have arrived */
	struct observed *observed; /* one for each block */
	int64_t count;
	bool faulty; /* a bot has lost by an offence */
};

/* The result of one way of counting. */
struct needs {
	double effect; /* t of the text above, for a game or for a block */
	double games;  /* games needed; INFINITY: no effect was seen */
	/*
	 * `games` divided by that of WAY_MARGIN, then the ends of its 95 %
	 * interval
	 */
	double ratio[3];
};

static const struct option verdict_options[] = {
	RULES_OPTION("The game, of two teams.", .fallback = "scopa"),
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
	PARSED_OPTION("seed", "HEX", FIELD(seed), secret_parse,
	    "The secret that all packs come from, 1 to 64 hex digits.",
	    .fallback = "1"),
	FLAG_OPTION("json", FIELD(json), "Print one JSON document."),
	OPTIONS_END,
};

static void
verdict_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *record, size_t size)
{
	struct verdict_bench *bench = context;
	const struct scopa_rules *rules = bench->games.plan.rules;
	struct block_plan *plan = &bench->block.plan;
	struct observed *observed;

	(void)record;
	(void)size;
	if (strcmp(result->summary.reason, "abort") == 0 || bench->faulty)
		return;
	if (result->fault_entrant >= 0) {
		bench->faulty = true;
		dispatcher_end(dispatcher, DISPATCHER_STOPPED, 0, STOP_ABORT);
		return;
	}
	for (int seat = 0; seat < rules->players; seat++)
		plan->seating[bench->counted][seat] =
		    (uint8_t)result->entrant[seat];
	bench->block.games[bench->counted] = result->summary;
	if (++bench->counted < GAMES)
		return;
	plan->bot_count = ENTRANTS;
	plan->game_count = GAMES;
	observed = &bench->observed[bench->count++];
	for (int game = 0; game < GAMES; game++)
		observed->scores[game] =
		    block_share(rules, &bench->block, game, 0).score;
	observed->margin = block_mean(rules, &bench->block, 0).margin;
	bench->counted = 0;
}

/*
 * Computes what each way needs.  If `random` is NULL, all blocks are used.
 * Otherwise as many blocks are drawn with replacement, for the bootstrap.
 */
static void
count_needs(const struct verdict_bench *bench, uint64_t *random,
    struct needs needs[WAY_COUNT])
{
	struct moments seen[WAY_COUNT] = { 0 };

	for (int64_t i = 0; i < bench->count; i++) {
		int64_t pick = random == NULL
		    ? i
		    : (int64_t)(splitmix_next(random) % (uint64_t)bench->count);
		const struct observed *observed = &bench->observed[pick];
		const double *scores = observed->scores;

		moments_add(&seen[WAY_UNPAIRED], scores[0]);
		moments_add(&seen[WAY_UNPAIRED], scores[1]);
		moments_add(&seen[WAY_PAIRS], (scores[0] + scores[1]) / 2);
		moments_add(&seen[WAY_MARGIN], observed->margin);
	}
	for (int way = 0; way < WAY_COUNT; way++) {
		double deviation = sqrt(moments_sample_variance(&seen[way]));
		double gap = seen[way].mean - ways[way].equal;
		double t =
		    fabs(gap) > ROUNDING * deviation ? gap / deviation : 0;

		needs[way].effect = t;
		needs[way].games = ways[way].games * (STANDARD_ERRORS / t) *
		    (STANDARD_ERRORS / t);
		needs[way].ratio[0] =
		    needs[way].games / needs[WAY_MARGIN].games;
	}
}

/* Does the same, and adds bootstrap intervals for the ratios. */
static void
estimate_needs(const struct verdict_bench *bench, struct needs needs[WAY_COUNT])
{
	static double ratios[WAY_COUNT][REPLICATES];
	struct needs drawn[WAY_COUNT];
	uint64_t random = 1;

	count_needs(bench, NULL, needs);
	for (int i = 0; i < REPLICATES; i++) {
		count_needs(bench, &random, drawn);
		for (int way = 0; way < WAY_COUNT; way++)
			ratios[way][i] = drawn[way].ratio[0];
	}
	for (int way = 0; way < WAY_COUNT; way++) {
		qsort(ratios[way], REPLICATES, sizeof(double), compare_reals);
		needs[way].ratio[1] = ratios[way][REPLICATES / 40];
		needs[way].ratio[2] =
		    ratios[way][REPLICATES - 1 - REPLICATES / 40];
	}
}

static void
print_text(const struct bench_settings *settings,
    const struct verdict_bench *bench, const struct needs needs[WAY_COUNT])
{
	printf("%s: @greedy blunder=%jd against blunder=%jd, %jd blocks of %d "
	       "games\n",
	    settings->rules, settings->blunder, settings->base_blunder,
	    bench->count, GAMES);
	if (settings->deals > 0)
		printf("a game is %jd deals\n", settings->deals);
	else
		printf("a game goes to %d points\n",
		    bench->games.plan.rules->target);
	printf("games for a difference of %.0f standard errors:\n",
	    STANDARD_ERRORS);
	for (int way = 0; way < WAY_COUNT; way++) {
		const double *ratio = needs[way].ratio;

		printf("  %-22s %12.0f  (t %.4f)", ways[way].name,
		    needs[way].games, needs[way].effect);
		if (way != WAY_MARGIN && !isnan(ratio[0]))
			printf("  %.1f times as many (%.1f to %.1f)", ratio[0],
			    ratio[1], ratio[2]);
		printf("\n");
	}
}

static void
print_json(const struct bench_settings *settings,
    const struct verdict_bench *bench, const struct needs needs[WAY_COUNT])
{
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "rules", settings->rules);
	json_int(&json, "blunder", settings->blunder);
	json_int(&json, "base_blunder", settings->base_blunder);
	json_int(&json, "deals", settings->deals);
	json_int(&json, "blocks", bench->count);
	for (int way = 0; way < WAY_COUNT; way++) {
		json_object_begin(&json, ways[way].key);
		json_real(&json, "t", needs[way].effect, 6);
		json_real(&json, "games", needs[way].games, 1);
		json_real(&json, "ratio", needs[way].ratio[0], 3);
		json_real(&json, "ratio_low", needs[way].ratio[1], 3);
		json_real(&json, "ratio_high", needs[way].ratio[2], 3);
		json_object_end(&json);
	}
	json_document_end(&json);
}

/* Plays two greedy bots that differ only in how often they play at random. */
static enum status
play(const struct bench_settings *settings, const struct rule_set *set,
    struct verdict_bench *bench)
{
	static const struct dispatcher_calls calls = {
		.on_result = verdict_result,
	};
	static char blunders[ENTRANTS][BLUNDER_SIZE];
	struct dispatcher_config *config = &bench->games.config;
	struct dispatcher_outcome outcome;
	enum status status;

	for (int i = 0; i < ENTRANTS; i++) {
		snprintf(blunders[i], BLUNDER_SIZE, "blunder=%jd",
		    i == 0 ? settings->blunder : settings->base_blunder);
		bench->games.words[i] = (struct entrant_words){
			.command = "@greedy",
			.name = i == 0 ? "better" : "base",
			.options = { .words = { blunders[i] }, .count = 1 },
		};
	}
	status = bench_games_open(&bench->games, set);
	if (status != STATUS_DONE)
		return status;
	bench->games.plan.rounds = (int)settings->blocks;
	bench->games.plan.duplicate = true;
	config->rules.root_key = settings->seed;
	config->rules.deals = (int)settings->deals;
	config->concurrency = (int)settings->concurrency;
	outcome = dispatcher_run(config, &calls, bench);
	if (outcome.end == DISPATCHER_STOPPED)
		error_print("a bot lost a game by an offence");
	return game_end_status(&outcome);
}

static enum status
bench_verdict_run(const void *given, char **argv)
{
	const struct bench_settings *settings = given;
	struct verdict_bench *bench = command_memory(sizeof(*bench));
	struct needs needs[WAY_COUNT];
	struct rule_set set;
	enum status status;

	(void)argv;
	if (!rule_set_read(settings->rules, &set))
		return STATUS_USAGE;
	if (scopa_team_count(&set.rules) != ENTRANTS)
		return error_status(STATUS_USAGE, NULL, NULL,
		    "--rules %s: a game of %d teams; pairs of games need two",
		    settings->rules, scopa_team_count(&set.rules));
	bench->observed =
	    command_memory((size_t)settings->blocks * sizeof(*bench->observed));
	status = play(settings, &set, bench);
	if (status != STATUS_DONE)
		return status;
	estimate_needs(bench, needs);
	if (settings->json)
		print_json(settings, bench, needs);
	else
		print_text(settings, bench, needs);
	return STATUS_DONE;
}

const struct command command_bench_verdict = {
	.name = "bench verdict",
	.sentence =
	    "Measures how many games it takes to tell a slightly better bot "
	    "from its base, by W/D/L, by pairs and by margins.",
	.detail = "Real games between @greedy and a @greedy that blunders a "
		  "little more often. All three ways count the same games. "
		  "Intervals of the ratios are by the bootstrap over blocks.",
	.examples = { "bench verdict",
	    "bench verdict --rules scientifico --blocks 100000" },
	.options = verdict_options,
	.settings_size = sizeof(struct bench_settings),
	.run = bench_verdict_run,
};
