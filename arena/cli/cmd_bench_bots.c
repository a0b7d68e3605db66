/*
 * bench bots: decisions, iterations and playouts a second of every built-in
 * bot, for every preset.
 *
 * The bots are called in this process, without pipes and without an arena, on
 * positions of random deals.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "clock.h"
#include "command.h"
#include "dialog.h"
#include "entrants.h"
#include "game_options.h"
#include "json.h"
#include "players.h"
#include "scopa/notation.h"
#include "splitmix.h"
#include "version.h"
#include "world.h"

struct bench_bots_settings {
	const char *rules; /* NULL: every preset */
	const char *bot;   /* NULL: every bot */
	double seconds;
	int64_t move_ms;
	bool json;
};

/* What a bot decided, and in how much of one core's time. */
struct bench_bots_measure {
	int64_t decisions;
	int64_t iterations; /* of its searches; 0: it does not search */
	int64_t playouts;
	int64_t cpu_ns;
};

/* A bot at work. */
struct bench_bots {
	const struct builtin *builtin;
	const struct scopa_rules *rules;
	int64_t move_ns;
	uint64_t random;     /* of the positions */
	uint64_t bot_random; /* of the bot */
	void *memory;        /* the bot's own; NULL: it needs none */
	int64_t options[DIALOG_OPTIONS_MAX];
	struct scopa_deal deal; /* the position */
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int move_count;
	char legal[DIALOG_LINE_MAX + 1];
	char info[DIALOG_INFO_MAX];
};

#define FIELD(name) offsetof(struct bench_bots_settings, name)

static const struct option options[] = {
	TEXT_OPTION("bot", "@NAME", FIELD(bot),
	    "Measure this bot alone. Without it, every built-in bot."),
	TEXT_OPTION("rules", "PRESET[,KEY=VALUE...]", FIELD(rules),
	    "Measure with this rule set alone. Without it, every preset.",
	    .aliases = { "variant" }),
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

static void
deal_start(struct bench_bots *bench)
{
	const struct scopa_rules *rules = bench->rules;
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer;

	for (uint8_t i = 0; i < SCOPA_PACK_SIZE; i++)
		pack[i] = i;
	do {
		for (uint32_t i = SCOPA_PACK_SIZE - 1; i > 0; i--) {
			uint32_t j = splitmix_below(&bench->random, i + 1);
			uint8_t card = pack[i];

			pack[i] = pack[j];
			pack[j] = card;
		}
		dealer = (int)splitmix_below(
		    &bench->random, (uint32_t)rules->players);
	} while (scopa_deal_start(rules, pack, dealer, &bench->deal) !=
	    SCOPA_START_PLAY);
}

/* Any position in which there is something to decide. */
static void
position_draw(struct bench_bots *bench)
{
	const struct scopa_rules *rules = bench->rules;
	uint32_t left;

	do {
		deal_start(bench);
		left = splitmix_below(&bench->random, SCOPA_PACK_SIZE);
		while (left-- > 0 && !scopa_deal_over(&bench->deal)) {
			struct scopa_move move;

			scopa_move_pick(rules, &bench->deal,
			    splitmix_next(&bench->random), &move);
			scopa_deal_apply(rules, &bench->deal, &move);
		}
		bench->move_count = scopa_deal_over(&bench->deal)
		    ? 0
		    : scopa_moves(
			  rules, &bench->deal, bench->moves, SCOPA_MOVES_MAX);
	} while (bench->move_count < 2);
}

/* Adds what the bot reports of its searches: see info.h. */
static void
measure_add(struct bench_bots_measure *measure, const struct scopa_text *info)
{
	struct token rest = { info->bytes, info->length };

	while (rest.length > 0) {
		const char *end = memchr(rest.bytes, '\n', rest.length);
		size_t length = end ? (size_t)(end - rest.bytes) : rest.length;
		struct token line = { rest.bytes, length };
		int64_t iterations = 0, playouts;

		token_int(token_find(line, "nodes"), 0, INT64_MAX, &iterations);
		token_int(token_find(line, "m.iterations"), 0, INT64_MAX,
		    &iterations);
		playouts = iterations;
		token_int(
		    token_find(line, "m.playouts"), 0, INT64_MAX, &playouts);
		measure->iterations += iterations;
		measure->playouts += playouts;
		length += end != NULL;
		rest.bytes += length;
		rest.length -= length;
	}
}

static void
legal_write(struct bench_bots *bench, struct builtin_turn *turn)
{
	struct scopa_text text;

	scopa_text_init(&text, bench->legal, sizeof(bench->legal));
	for (int i = 0; i < bench->move_count; i++) {
		if (i > 0)
			scopa_text_char(&text, ' ');
		scopa_move_format(&bench->moves[i], &text);
	}
	turn->legal = bench->legal;
	turn->legal_length = text.length;
}

static bool
never_stopped(void *context)
{
	(void)context;
	return false;
}

/* Lets the bot decide in a new position, and counts the time of that alone. */
static void
decision_measure(struct bench_bots *bench, struct bench_bots_measure *measure)
{
	enum { ANSWER_SIZE = 256 };
	static const struct scopa_tally tally;
	char bytes[ANSWER_SIZE];
	struct scopa_text answer, info;
	struct scopa_view view;
	struct scopa_deal imagined;
	struct builtin_turn turn = {
		.rules = bench->rules,
		.view = &view,
		.deal = &imagined,
		.random = &bench->bot_random,
		.options = bench->options,
		.bank_ns = -1,
		.increment_ns = -1,
		.move_ns = bench->move_ns,
		.info = &info,
		.memory = bench->memory,
		.stopped = never_stopped,
		.all_cards = &bench->deal,
	};
	int64_t start_ns;
	bool done;

	position_draw(bench);
	scopa_view_make(
	    bench->rules, &bench->deal, &tally, bench->deal.turn, &view);
	done = imagine_deal(bench->rules, &view, &imagined);
	assert(done);
	legal_write(bench, &turn);
	scopa_text_init(&answer, bytes, sizeof(bytes));
	scopa_text_init(&info, bench->info, sizeof(bench->info));
	turn.began_ns = clock_now_ns();
	start_ns = clock_cpu_ns();
	done = bench->builtin->choose(&turn, &answer);
	measure->cpu_ns += clock_cpu_ns() - start_ns;
	assert(done);
	(void)done;
	measure->decisions++;
	measure_add(measure, &info);
}

/* As if the bot had been started anew.  0 or -ENOMEM. */
static int
bench_open(struct bench_bots *bench, const struct builtin *builtin,
    const struct scopa_rules *rules, int64_t move_ms)
{
	*bench = (struct bench_bots){
		.builtin = builtin,
		.rules = rules,
		.move_ns = move_ms * CLOCK_NS_PER_MS,
		.random = 1,
		.bot_random = 1,
	};
	builtin_options_init(bench->options, builtin);
	if (builtin->memory_size == 0)
		return 0;
	bench->memory = calloc(1, builtin->memory_size);
	return bench->memory != NULL ? 0 : -ENOMEM;
}

static void
bench_close(struct bench_bots *bench)
{
	free(bench->memory);
}

static double
per_second(int64_t count, const struct bench_bots_measure *measure)
{
	return measure->cpu_ns > 0
	    ? (double)count * 1e9 / (double)measure->cpu_ns
	    : 0;
}

static void
measure_print(const char *bot, const char *rules,
    const struct bench_bots_measure *measure)
{
	printf("%-12s %-20s %12.0f", bot, rules,
	    per_second(measure->decisions, measure));
	if (measure->iterations > 0)
		printf(" %12.0f %12.0f\n",
		    per_second(measure->iterations, measure),
		    per_second(measure->playouts, measure));
	else
		printf(" %12s %12s\n", "-", "-");
	fflush(stdout);
}

static void
measure_write(const char *bot, const char *rules,
    const struct bench_bots_measure *measure, struct json *json)
{
	bool searches = measure->iterations > 0;

	json_object_begin(json, NULL);
	json_string(json, "bot", bot);
	json_string(json, "rules", rules);
	json_real(json, "decisions_per_s",
	    per_second(measure->decisions, measure), 1);
	json_real(json, "iterations_per_s",
	    searches ? per_second(measure->iterations, measure) : (double)NAN,
	    0);
	json_real(json, "playouts_per_s",
	    searches ? per_second(measure->playouts, measure) : (double)NAN, 0);
	json_int(json, "decisions", measure->decisions);
	json_int(json, "iterations", measure->iterations);
	json_int(json, "playouts", measure->playouts);
	json_real(json, "cpu_s", (double)measure->cpu_ns / 1e9, 6);
	json_object_end(json);
}

/* Measures one bot with one rule set and prints its row.  0 or -ENOMEM. */
static int
bot_report(const struct builtin *builtin, const struct rule_set *set,
    const struct bench_bots_settings *settings, struct json *json)
{
	static struct bench_bots bench;
	struct bench_bots_measure measure = { 0 };
	int64_t limit_ns =
	    (int64_t)(settings->seconds * (double)CLOCK_NS_PER_S);
	int error = bench_open(&bench, builtin, &set->rules, settings->move_ms);

	if (error < 0)
		return error;
	do
		decision_measure(&bench, &measure);
	while (measure.cpu_ns < limit_ns);
	bench_close(&bench);
	if (json != NULL)
		measure_write(builtin->name, set->spec, &measure, json);
	else
		measure_print(builtin->name, set->spec, &measure);
	return 0;
}

/* Every bot that is wanted (NULL: all) with every rule set that is wanted. */
static int
bots_report(const struct builtin *only,
    const struct bench_bots_settings *settings, struct json *json)
{
	int set_count = settings->rules != NULL ? 1 : scopa_preset_count;
	int error = 0;

	for (int i = 0; i < builtin_count && error == 0; i++) {
		if (only != NULL && &builtins[i] != only)
			continue;
		for (int j = 0; j < set_count && error == 0; j++) {
			struct rule_set set;

			if (!rule_set_read(settings->rules != NULL
				    ? settings->rules
				    : scopa_presets[j].name,
				&set))
				return -EINVAL;
			error = bot_report(&builtins[i], &set, settings, json);
		}
	}
	return error;
}

static enum status
bench_bots_run(const void *given, int argc, char **argv)
{
	const struct bench_bots_settings *settings = given;
	const struct builtin *only = NULL;
	struct rule_set set;
	struct json document;
	struct json *json = settings->json ? &document : NULL;
	int error;

	(void)argc;
	(void)argv;
	if (settings->rules != NULL && !rule_set_read(settings->rules, &set))
		return STATUS_USAGE;
	if (settings->bot != NULL) {
		const char *name = settings->bot + (*settings->bot == '@');

		only = builtin_find(name);
		if (only == NULL)
			return builtin_error("@", name);
	}
	if (json != NULL) {
		json_init(json, stdout);
		json_array_begin(json, NULL);
	} else {
		printf("%-12s %-20s %12s %12s %12s\n", "bot", "rules",
		    "decisions/s", "iterations/s", "playouts/s");
	}
	error = bots_report(only, settings, json);
	if (json != NULL) {
		json_array_end(json);
		json_finish(json);
	}
	return error == 0 ? STATUS_DONE : game_setup_error(error);
}

const struct command command_bench_bots = {
	.name = "bench bots",
	.sentence = "Measures how fast the built-in bots decide and search.",
	.detail =
	    "The bots are asked in this process, without an arena, about "
	    "positions of random deals in which they have a choice, with their "
	    "options as they are unless somebody sets them. An iteration is "
	    "one way down the tree of a search, a playout a deal played to its "
	    "end; bots that do not search have neither. A second is one of CPU "
	    "time, on one core. The positions are the same in every run.",
	.examples = { "bench bots",
	    "bench bots --bot @greedy --rules scopa --seconds 5" },
	.options = options,
	.settings_size = sizeof(struct bench_bots_settings),
	.run = bench_bots_run,
};
