/*
 * bench arena: what a move costs the arena, with bots that answer at once.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "complaint.h"
#include "countof.h"
#include "entrants.h"
#include "json.h"
#include "plan.h"
#include "rule_set.h"
#include "series.h"
#include "version.h"

enum { GAMES_MAX = 1024 };

struct settings {
	const char *rules, *bot;
	int64_t games, moves;
	bool json;
};

/* What one number of games at once gave. */
struct measure {
	int64_t games;
	int64_t moves;
	int64_t wall_ns, cpu_ns;
};

static const struct option options[] = {
	{ .name = "games",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Measure with so many games at once alone. Without "
			"it: 1, 2 and 64.",
	    .unit = "games",
	    .min = 1,
	    .max = GAMES_MAX,
	    .offset = offsetof(struct settings, games) },
	{ .name = "moves",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "About how many moves each measure takes.",
	    .fallback = "300000",
	    .unit = "moves",
	    .min = 1000,
	    .max = 1000000000,
	    .offset = offsetof(struct settings, moves) },
	{ .name = "rules",
	    .aliases = { "variant" },
	    .kind = OPTION_TEXT,
	    .value = "PRESET[,KEY=VALUE...]",
	    .sentence = "The game.",
	    .fallback = "scopa",
	    .offset = offsetof(struct settings, rules) },
	{ .name = "bot",
	    .kind = OPTION_TEXT,
	    .value = "BOT",
	    .sentence = "Who plays at every seat.",
	    .fallback = "@first",
	    .offset = offsetof(struct settings, bot) },
	{ .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "Print one JSON list.",
	    .offset = offsetof(struct settings, json) },
};

/* Games of one measure: those that are to come, and where blocks go. */
struct course {
	struct measure *measure;
	struct plan plan;
	int next;
	int record_fd;
};

static enum series_supply
next_game(struct series *series, void *context, struct series_game *game)
{
	struct course *course = context;

	(void)series;
	if (course->next == course->measure->games)
		return SERIES_NO_MORE;
	*game = plan_game(&course->plan, course->next++);
	return SERIES_GAME;
}

static void
on_result(struct series *series, void *context,
    const struct series_result *result, const char *block, size_t size)
{
	struct course *course = context;
	struct measure *measure = course->measure;
	int error = record_file_append(course->record_fd, block, size);

	if (error)
		series_end(series, SERIES_FAILED, error, SERIES_FINISH);
	if (result->fault_entrant >= 0 && result->fault.kind == OFFENCE_STARTUP)
		series_end(series, SERIES_STOPPED, 0, SERIES_FINISH);
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		measure->moves += result->decision_count[seat];
}

static const struct series_calls calls = {
	.next = next_game,
	.on_result = on_result,
};

static enum status
read_config(const struct settings *settings, struct series_config *config)
{
	static struct entrant entrants[SCOPA_PARTIES_MAX];
	struct entrant_words words = { .command = settings->bot };
	struct rule_set set;
	enum status status;
	int error;

	if (!rule_set_read(settings->rules, &set))
		return STATUS_USAGE;
	*config = (struct series_config){
		.rules = { .rules = set.rules,
		    .preset = set.preset,
		    .settings = { .arena = VERSION_NAME "/" VERSION_NUMBER,
			.startup_ns = 10 * CLOCK_NS_PER_S,
			.hang_ns = CLOCK_NS_PER_S,
			.strikes_max = 1,
			.control = { .kind = BUDGET_MOVE, .base_ms = 10000 } },
		    .grace_ns = CLOCK_NS_PER_S },
		.entrants = entrants,
		.entrant_count = scopa_party_count(&set.rules),
		.record = true,
	};
	for (int i = 0; i < config->entrant_count; i++) {
		status = entrant_read(&entrants[i], &words, ENTRANT_TO_PLAY);
		if (status != STATUS_DONE)
			return status;
	}
	error = shuffle_key_draw(&config->rules.secret);
	if (error)
		complaint_say("no random numbers: %s", strerror(-error));
	return error ? STATUS_ENVIRONMENT : STATUS_DONE;
}

/* Plays `measure->games` games at once, each of as many deals as it takes. */
static enum status
take_measure(const struct settings *settings, struct series_config *config,
    struct measure *measure)
{
	const struct scopa_rules *rules = &config->rules.rules;
	int64_t per_deal = SCOPA_PACK_SIZE - rules->table;
	struct course course = {
		.measure = measure,
		.plan = { .rules = rules,
		    .entrant_count = config->entrant_count,
		    .rounds = (int)measure->games },
	};
	struct series_outcome outcome;
	int64_t start_ns;

	config->concurrency = (int)measure->games;
	config->rules.deals =
	    (int)(settings->moves / per_deal / measure->games) + 1;
	course.record_fd = memfd_create("bench-record", MFD_CLOEXEC);
	if (course.record_fd < 0) {
		complaint_say("no memory file: %s", strerror(errno));
		return STATUS_ENVIRONMENT;
	}
	start_ns = clock_now_ns();
	outcome = series_run(config, &calls, &course);
	measure->cpu_ns = outcome.cpu_ns;
	measure->wall_ns = clock_now_ns() - start_ns;
	close(course.record_fd);
	if (outcome.end == SERIES_INTERRUPTED)
		return (enum status)(128 + outcome.detail);
	if (outcome.end == SERIES_DONE && measure->moves > 0)
		return STATUS_DONE;
	complaint_say("the games could not be played to their end");
	return outcome.end == SERIES_STOPPED ? STATUS_BOT : STATUS_ENVIRONMENT;
}

static double
moves_per_s(const struct measure *measure)
{
	return (double)measure->moves * 1e9 / (double)measure->wall_ns;
}

static double
cpu_us_per_move(const struct measure *measure)
{
	return (double)measure->cpu_ns / 1e3 / (double)measure->moves;
}

static enum status
bench_run(const void *given, int argc, char **argv)
{
	static const int64_t usual[] = { 1, 2, 64 };
	const struct settings *settings = given;
	static struct series_config config;
	enum status status = read_config(settings, &config);
	struct json json;

	(void)argc;
	(void)argv;
	if (status != STATUS_DONE)
		return status;
	json_init(&json, stdout);
	if (settings->json)
		json_array_begin(&json, NULL);
	for (int i = 0; i < (settings->games ? 1 : COUNTOF(usual)); i++) {
		struct measure measure = {
			.games = settings->games ? settings->games : usual[i],
		};

		status = take_measure(settings, &config, &measure);
		if (status != STATUS_DONE)
			return status;
		if (!settings->json) {
			printf("%4lld games at once  %9.0f moves/s  "
			       "%6.2f us of arena CPU a move\n",
			    (long long)measure.games, moves_per_s(&measure),
			    cpu_us_per_move(&measure));
			fflush(stdout);
			continue;
		}
		json_object_begin(&json, NULL);
		json_int(&json, "games", measure.games);
		json_int(&json, "moves", measure.moves);
		json_real(&json, "moves_per_s", moves_per_s(&measure), 1);
		json_real(&json, "arena_cpu_us_per_move",
		    cpu_us_per_move(&measure), 3);
		json_object_end(&json);
	}
	if (settings->json) {
		json_array_end(&json);
		json_finish(&json);
	}
	return STATUS_DONE;
}

static const char *const examples[] = {
	VERSION_NAME " bench arena",
	VERSION_NAME " bench arena --games 64 --json",
	NULL,
};

const struct command command_bench_arena = {
	.name = "bench arena",
	.sentence = "Measures moves a second and the arena's CPU time a move, "
		    "with bots that answer at once.",
	.detail = "Real child processes, with rules, filtering, `state` and "
		  "`legal` lines and the record as in any match.",
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = bench_run,
};
