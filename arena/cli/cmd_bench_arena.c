/*
 * What it takes to start a bot: from the call until it is ready.
 */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "countof.h"
#include "dispatcher.h"
#include "entrants.h"
#include "error_message.h"
#include "game_options.h"
#include "json.h"
#include "process.h"
#include "sandbox.h"
#include "self_test.h"
#include "version.h"

enum { ANSWER_MS = 10000, ANSWER_SIZE = 4096 };

/* Waits for the answer to `isready`. */
static int
wait_ready(int fd)
{
	char answer[ANSWER_SIZE];
	size_t size = 0;

	while (size < sizeof(answer) - 1) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };
		ssize_t got;

		if (poll(&wait, 1, ANSWER_MS) != 1)
			return -ENODATA;
		got = read(fd, answer + size, sizeof(answer) - 1 - size);
		if (got <= 0)
			return -ENODATA;
		size += (size_t)got;
		answer[size] = '\0';
		if (strstr(answer, "readyok\n") != NULL)
			return 0;
	}
	return -ENODATA;
}

static int
start_once(const struct entrant *entrant, const struct sandbox *sandbox,
    int64_t *duration_ns)
{
	static const char words[] = "usp 1\nisready\n";
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	const struct process_order order = {
		.path = entrant->program.path,
		.arguments = arguments,
		.environment = entrant->environment,
		.dir = entrant->dir,
		.sandbox = sandbox,
	};
	int64_t start_ns = clock_now_ns();
	struct process process;
	struct process_end end;
	int status;

	program_arguments(&entrant->program, arguments);
	status = process_open(&process, &order);
	if (status < 0)
		return status;
	if (write(process.input_fd, words, sizeof(words) - 1) < 0)
		status = -errno;
	else
		status = wait_ready(process.output_fd);
	*duration_ns = clock_now_ns() - start_ns;
	process_kill(&process);
	process_wait(&process, &end);
	process_close(&process);
	return status;
}

static int
compare(const void *one, const void *other)
{
	int64_t first = *(const int64_t *)one, second = *(const int64_t *)other;

	return (first > second) - (first < second);
}

/*
 * Starts the bot so many times, in turns without a sandbox and in one, and ends
 * it each time.  The medians, in nanoseconds.  0 or -errno: -ENODATA where the
 * bot did not get ready.
 */
static int
bench_start(const struct entrant *entrant, const struct sandbox *sandbox,
    int count, int64_t medians_ns[2])
{
	int64_t *durations = calloc((size_t)count * 2, sizeof(*durations));
	int status = durations == NULL ? -ENOMEM : 0;

	for (int i = 0; i < 2 * count && status == 0; i++)
		status = start_once(entrant, i % 2 == 0 ? NULL : sandbox,
		    &durations[i % 2 * count + i / 2]);
	for (int kind = 0; kind < 2 && status == 0; kind++) {
		int64_t *own = durations + (size_t)kind * (size_t)count;

		qsort(own, (size_t)count, sizeof(*own), compare);
		medians_ns[kind] = own[count / 2];
	}
	free(durations);
	return status;
}

/*
 * bench arena: what a move costs the arena, with bots that answer at once.
 */

enum { GAMES_MAX = 1024, STARTS = 100 /* of each kind */ };

struct bench_arena_settings {
	const char *rules, *bot;
	int64_t games, moves;
	bool json, sandbox;
};

/* What one number of games at once gave. */
struct bench_arena_measure {
	int64_t games;
	int64_t moves;
	int64_t wall_ns, cpu_ns;
	bool sandboxed;
};

#define FIELD(name) offsetof(struct bench_arena_settings, name)

static const struct option options[] = {
	INT_OPTION("games", "N", FIELD(games), 1, GAMES_MAX,
	    "Measure with so many games at once alone. Without it: 1, 2 and "
	    "64.",
	    .unit = "games"),
	INT_OPTION("moves", "N", FIELD(moves), 1000, 1000000000,
	    "About how many moves each measure takes, besides those of a deal "
	    "to begin with, which does not count: neither do starts of bots.",
	    .fallback = "300000", .unit = "moves"),
	TEXT_OPTION("rules", "PRESET[,KEY=VALUE...]", FIELD(rules), "The game.",
	    .aliases = { "variant" }, .fallback = "scopa"),
	TEXT_OPTION("bot", "BOT", FIELD(bot), "Who plays at every seat.",
	    .fallback = "@first"),
	FLAG_OPTION("sandbox", FIELD(sandbox),
	    "Measure everything in a sandbox besides, and what it takes to "
	    "start a bot, without it and with it."),
	FLAG_OPTION("json", FIELD(json), "Print one JSON list."),
	OPTIONS_END,
};

/* Games of one measure: those that are to come, and where blocks go. */
struct bench_arena_course {
	struct bench_arena_measure *measure;
	struct plan plan;
	int next;
	int record_fd;
};

static enum dispatcher_supply
next_game(struct dispatcher *dispatcher, void *context, struct game_spec *game)
{
	struct bench_arena_course *course = context;

	(void)dispatcher;
	if (course->next == course->measure->games)
		return DISPATCHER_NO_MORE;
	*game = plan_game(&course->plan, course->next++);
	return DISPATCHER_GAME;
}

static void
on_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *block, size_t size)
{
	struct bench_arena_course *course = context;
	struct bench_arena_measure *measure = course->measure;
	int error = record_file_append(course->record_fd, block, size);

	if (error)
		dispatcher_end(
		    dispatcher, DISPATCHER_FAILED, error, STOP_FINISH);
	if (result->fault_entrant >= 0 && result->fault.kind == OFFENCE_STARTUP)
		dispatcher_end(dispatcher, DISPATCHER_STOPPED, 0, STOP_FINISH);
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		measure->moves += result->summary.decision_count[seat];
}

static const struct dispatcher_calls calls = {
	.next = next_game,
	.on_result = on_result,
};

static enum status
read_config(const struct bench_arena_settings *settings,
    struct dispatcher_config *config)
{
	static struct entrant entrants[SCOPA_TEAMS_MAX];
	struct entrant_words words = { .command = settings->bot };
	struct rule_set set;
	enum status status;
	int error;

	if (!rule_set_read(settings->rules, &set))
		return STATUS_USAGE;
	*config = (struct dispatcher_config){
		.rules = { .rules = set.rules,
		    .preset = set.preset,
		    .settings = { .arena = VERSION_NAME "/" VERSION_NUMBER,
			.startup_ns = 10 * CLOCK_NS_PER_S,
			.hang_ns = CLOCK_NS_PER_S,
			.strikes_max = 1,
			.control = { .kind = BUDGET_MOVE, .base_ms = 10000 } },
		    .grace_ns = CLOCK_NS_PER_S },
		.entrants = entrants,
		.entrant_count = scopa_team_count(&set.rules),
	};
	for (int i = 0; i < config->entrant_count; i++) {
		status = entrant_read(&entrants[i], &words, ENTRANT_TO_PLAY);
		if (status != STATUS_DONE)
			return status;
	}
	error = shuffle_key_draw(&config->rules.secret);
	if (error)
		error_print("no random numbers: %s", strerror(-error));
	return error ? STATUS_ENVIRONMENT : STATUS_DONE;
}

/* Plays `measure->games` games at once, each of so many deals. */
static enum status
play_games(struct dispatcher_config *config, int deals,
    struct bench_arena_measure *measure)
{
	struct bench_arena_course course = {
		.measure = measure,
		.plan = { .rules = &config->rules.rules,
		    .entrant_count = config->entrant_count,
		    .rounds = (int)measure->games },
	};
	struct dispatcher_outcome outcome;
	int64_t start_ns;

	config->concurrency = (int)measure->games;
	config->rules.deals = deals;
	course.record_fd = memfd_create("bench-record", MFD_CLOEXEC);
	if (course.record_fd < 0) {
		error_print("no memory file: %s", strerror(errno));
		return STATUS_ENVIRONMENT;
	}
	start_ns = clock_now_ns();
	outcome = dispatcher_run(config, &calls, &course);
	measure->cpu_ns = outcome.cpu_ns;
	measure->wall_ns = clock_now_ns() - start_ns;
	close(course.record_fd);
	if (outcome.end == DISPATCHER_INTERRUPTED)
		return (enum status)(128 + outcome.detail);
	if (outcome.end == DISPATCHER_DONE && measure->moves > 0)
		return STATUS_DONE;
	error_print("the games could not be played to their end");
	return outcome.end == DISPATCHER_STOPPED ? STATUS_BOT
						 : STATUS_ENVIRONMENT;
}

/*
 * What moves cost, and not the start and the end of bots: games of as many
 * deals as it takes, less games of one deal.
 */
static enum status
take_measure(const struct bench_arena_settings *settings,
    struct dispatcher_config *config, struct bench_arena_measure *measure)
{
	int64_t per_deal = SCOPA_PACK_SIZE - config->rules.rules.table;
	int deals = (int)(settings->moves / per_deal / measure->games) + 1;
	struct bench_arena_measure start = *measure;
	enum status status = play_games(config, 1, &start);

	if (status == STATUS_DONE)
		status = play_games(config, deals + 1, measure);
	measure->moves -= start.moves;
	/* A few moves are too short for the clocks. */
	if (measure->wall_ns > start.wall_ns &&
	    measure->cpu_ns > start.cpu_ns) {
		measure->wall_ns -= start.wall_ns;
		measure->cpu_ns -= start.cpu_ns;
	}
	return status;
}

static double
moves_per_s(const struct bench_arena_measure *measure)
{
	return (double)measure->moves * 1e9 / (double)measure->wall_ns;
}

static double
cpu_us_per_move(const struct bench_arena_measure *measure)
{
	return (double)measure->cpu_ns / 1e3 / (double)measure->moves;
}

static void
print_measure(const struct bench_arena_settings *settings, struct json *json,
    struct bench_arena_measure *measure)
{
	if (!settings->json) {
		printf("%4lld games at once  %9.0f moves/s  "
		       "%6.2f us of arena CPU a move%s\n",
		    (long long)measure->games, moves_per_s(measure),
		    cpu_us_per_move(measure),
		    measure->sandboxed ? ", in a sandbox" : "");
		fflush(stdout);
		return;
	}
	json_object_begin(json, NULL);
	json_int(json, "games", measure->games);
	json_bool(json, "walls", measure->sandboxed);
	json_int(json, "moves", measure->moves);
	json_real(json, "moves_per_s", moves_per_s(measure), 1);
	json_real(json, "arena_cpu_us_per_move", cpu_us_per_move(measure), 3);
	json_object_end(json);
}

static enum status
measure_starts(const struct bench_arena_settings *settings,
    const struct dispatcher_config *config, const struct sandbox *sandbox,
    struct json *json)
{
	int64_t medians_ns[2];
	double bare_ms, sandboxed_ms;
	int error =
	    bench_start(&config->entrants[0], sandbox, STARTS, medians_ns);

	if (error) {
		error_print("the bot cannot be started: %s", strerror(-error));
		return error == -ENODATA ? STATUS_BOT : STATUS_ENVIRONMENT;
	}
	bare_ms = (double)medians_ns[0] / 1e6;
	sandboxed_ms = (double)medians_ns[1] / 1e6;
	if (!settings->json) {
		printf("start of a bot     %6.2f ms, behind %s %.2f ms: "
		       "%.2f ms more\n",
		    bare_ms, sandbox_level_name(sandbox->level), sandboxed_ms,
		    sandboxed_ms - bare_ms);
		return STATUS_DONE;
	}
	json_object_begin(json, NULL);
	json_string(json, "level", sandbox_level_name(sandbox->level));
	json_real(json, "start_ms", bare_ms, 3);
	json_real(json, "start_ms_walls", sandboxed_ms, 3);
	json_object_end(json);
	return STATUS_DONE;
}

/* Without a sandbox and in one, in turns, as machines change their pace. */
static enum status
measure_games(const struct bench_arena_settings *settings,
    struct dispatcher_config *config, const struct sandbox *sandbox,
    struct json *json)
{
	static const int64_t usual[] = { 1, 2, 64 };
	int kinds = sandbox != NULL ? 2 : 1;
	enum status status = STATUS_DONE;

	for (int i = 0; i < (settings->games ? 1 : COUNTOF(usual)); i++) {
		for (int kind = 0; kind < kinds; kind++) {
			struct bench_arena_measure measure = {
				.games = settings->games ? settings->games
							 : usual[i],
				.sandboxed = kind == 1,
			};

			config->rules.sandbox = kind == 1 ? sandbox : NULL;
			status = take_measure(settings, config, &measure);
			if (status != STATUS_DONE)
				return status;
			print_measure(settings, json, &measure);
		}
	}
	return status;
}

static enum status
bench_run(const void *given, int argc, char **argv)
{
	const struct bench_arena_settings *settings = given;
	static struct dispatcher_config config;
	static struct sandbox sandbox;
	enum status status = read_config(settings, &config);
	struct json json;
	int error = 0;

	(void)argc;
	(void)argv;
	if (status == STATUS_DONE && settings->sandbox)
		error = sandbox_detect(&sandbox);
	if (error) {
		error_print("the machine refused: %s", strerror(-error));
		return STATUS_ENVIRONMENT;
	}
	if (status != STATUS_DONE)
		return status;
	json_init(&json, stdout);
	if (settings->json)
		json_array_begin(&json, NULL);
	status = measure_games(
	    settings, &config, settings->sandbox ? &sandbox : NULL, &json);
	if (status == STATUS_DONE && settings->sandbox)
		status = measure_starts(settings, &config, &sandbox, &json);
	if (settings->sandbox)
		sandbox_close(&sandbox);
	if (settings->json && status == STATUS_DONE) {
		json_array_end(&json);
		json_finish(&json);
	}
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
	.options = options,
	.settings_size = sizeof(struct bench_arena_settings),
	.run = bench_run,
};
