/*
 * The commands tournament and gate: begin a new run.  They read the settings,
 * start each bot once (preflight), create the run folder, and play.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "error_message.h"
#include "run_open.h"
#include "run_play.h"
#include "schedule.h"
#include "text_format.h"
#include "tournament_setup.h"
#include "version.h"

enum { PLAN_LINE_SIZE = 2048 };

/* The most blocks that --dry-run prints of a schedule that does not end. */
enum { PLANS_SHOWN_MAX = 1000 };

/* The name of a bot that was not started yet and has not sent its name. */
static const char *
planned_name(const struct entrant *entrant)
{
	return entrant->name[0] ? entrant->name : entrant->command;
}

/*
 * Prints the schedule for --dry-run, as far as it does not depend on results.
 */
static enum status
print_schedule(const struct tournament_setup *setup)
{
	const struct schedule_config *config = &setup->schedule;
	const struct shard *shard = &setup->settings->shard;
	struct schedule *schedule = malloc(schedule_size(config));
	const char *names[TOURNAMENT_BOTS_MAX];
	enum schedule_answer answer = SCHEDULE_BLOCK;
	struct block_plan plan;
	int64_t count, shown = 0;

	if (schedule == NULL)
		return game_setup_error(-ENOMEM);
	for (int bot = 0; bot < setup->play.entrant_count; bot++)
		names[bot] = planned_name(&setup->bots.entrants[bot]);
	schedule_init(schedule, config);
	while (shown < PLANS_SHOWN_MAX && answer == SCHEDULE_BLOCK) {
		char bytes[PLAN_LINE_SIZE], safe[PLAN_LINE_SIZE];
		struct scopa_text text;

		answer = schedule_next(schedule, &plan);
		if (answer != SCHEDULE_BLOCK)
			break;
		if (shard->count > 0 &&
		    shard_of(plan.index, shard->count) != shard->index)
			continue;
		scopa_text_init(&text, bytes, sizeof(bytes));
		schedule_print_block(&plan, names, &config->rules, &text);
		scopa_text_init(&text, safe, sizeof(safe));
		text_sanitize(&text, bytes);
		printf("%s\n", safe);
		shown++;
	}
	if (answer == SCHEDULE_WAIT)
		printf("... what follows depends on results\n");
	else if (answer == SCHEDULE_BLOCK)
		printf("... and so on\n");
	count = schedule_block_count(config);
	printf("%" PRId64 " %s at most, %d %s each\n", count,
	    count == 1 ? "block" : "blocks", schedule_game_count(config),
	    schedule_game_count(config) == 1 ? "game" : "games");
	free(schedule);
	return STATUS_DONE;
}

/*
 * Makes the name of an entrant different from the names before it: `greedy-2`,
 * or `greedy-base` in a gate.
 */
static void
make_unique(struct entrant *entrants, int index, bool gate)
{
	char *name = entrants[index].name;
	char plain[EVENT_NAME_SIZE];
	int same = 1;

	memcpy(plain, name, sizeof(plain));
	for (int other = 0; other < index; other++) {
		if (strcmp(entrants[other].name, name) != 0)
			continue;
		if (gate)
			snprintf(name, EVENT_NAME_SIZE, "%.*s-base",
			    EVENT_NAME_SIZE - 12, plain);
		else
			snprintf(name, EVENT_NAME_SIZE, "%.*s-%d",
			    EVENT_NAME_SIZE - 12, plain, ++same);
		other = -1;
	}
}

/*
 * Starts each bot once.  Bots get the names that they send; equal names are
 * made different.
 */
static enum status
preflight_bots(struct tournament_setup *setup)
{
	static char names[TOURNAMENT_BOTS_MAX][EVENT_NAME_SIZE];
	enum status status = tournament_setup_preflight(setup, NULL, names);

	for (int bot = 0;
	     status == STATUS_DONE && bot < setup->play.entrant_count; bot++) {
		memcpy(setup->bots.entrants[bot].name, names[bot],
		    EVENT_NAME_SIZE);
		make_unique(setup->bots.entrants, bot, setup->is_gate);
	}
	return status;
}

static enum status
create_run(const struct tournament_settings *settings,
    struct tournament_setup *setup, struct run_remote *remote,
    struct store_head *head, struct run *run)
{
	const char *names[TOURNAMENT_BOTS_MAX];
	char *config, *concealed = NULL, *terms = NULL;
	enum status status;

	for (int bot = 0; bot < head->bot_count; bot++)
		names[bot] = head->bots[bot].name;
	config = tournament_setup_config(setup, names);
	if (config == NULL)
		return game_setup_error(-ENOMEM);
	status = run_fair_begin(setup, config, head, &terms);
	if (status == STATUS_DONE)
		status = run_remote_prepare(remote, setup);
	if (status == STATUS_DONE && head->committed) {
		concealed = run_secret_conceal(config);
		if (concealed == NULL)
			status = game_setup_error(-ENOMEM);
	}
	if (status == STATUS_DONE) {
		const struct run_texts texts = {
			.config = concealed ? concealed : config,
			.terms = terms,
			.secret = concealed ? &setup->secret : NULL,
		};
		struct store_error why;
		int error = run_create(run, settings->run, head, &texts, &why);

		if (error)
			status = run_open_error(error, &why);
	}
	free(concealed);
	free(terms);
	free(config);
	return status;
}

/* Ends a call with --announce: the run exists and waits for contributions. */
static enum status
announce(const struct tournament_settings *settings, struct run *run)
{
	struct store_error why;
	int error = store_set_state(run->store, RUN_ANNOUNCED, &why);

	if (error)
		return run_open_error(error, &why);
	printf("run     %s\n", run->path);
	printf("terms   %s/%s, SHA-256 %s\n", run->path, RUN_TERMS,
	    run->head.terms);
	if (run->head.committed)
		printf("commit  %s\n", run->head.commitment);
	if (!settings->game.quiet)
		printf("next    " VERSION_NAME " resume %s%s\n", run->path,
		    run->head.committed ? " --contribution NAME=HEX..." : "");
	return STATUS_DONE;
}

static enum status
begin(const struct tournament_settings *settings,
    struct tournament_setup *setup, struct run_remote *remote)
{
	static struct store_head head;
	static struct run run;
	struct tournament tournament;
	const struct tournament_config config = run_open_plan(setup);
	enum status status = game_setup_sandbox(
	    &settings->game, NULL, &setup->sandbox, &setup->play);
	int error;

	if (status == STATUS_DONE) {
		entrants_warn(setup->bots.entrants, setup->play.entrant_count,
		    setup->play.rules.sandbox);
		status = run_trace_open(setup, NULL);
	}
	if (status == STATUS_DONE)
		status = run_remote_open(remote, setup);
	if (status == STATUS_DONE)
		status = preflight_bots(setup);
	if (status == STATUS_DONE)
		status = run_head_fill(setup, ENTRANT_TO_PLAY, &head);
	if (status == STATUS_DONE)
		status = create_run(settings, setup, remote, &head, &run);
	if (status != STATUS_DONE)
		return status;
	if (settings->announce) {
		status = announce(settings, &run);
		run_close(&run);
		return status;
	}
	error = tournament_open(&tournament, &config);
	if (error) {
		status = game_setup_error(error);
	} else {
		status = run_play(setup, &run, &tournament, remote, false);
		tournament_close(&tournament);
	}
	run_close(&run);
	return status;
}

/* Machines that share a run must deal the same packs. */
static enum status
check_shared_seed(const struct tournament_settings *settings)
{
	if (settings->shard.count == 0 || settings->game.seed.given)
		return STATUS_DONE;
	return error_usage(
	    "give all machines the same --seed HEX; or make the run once with "
	    "--announce and without --shard, copy its folder to each machine, "
	    "and begin there with `" VERSION_NAME " resume --shard I/N`",
	    "--shard: all machines must deal the same packs, and without "
	    "--seed each would draw its own");
}

static enum status
set_up_and_begin(const struct tournament_settings *settings, bool gate)
{
	static struct tournament_setup setup;
	static struct run_remote remote;
	enum status status = check_shared_seed(settings);

	if (status != STATUS_DONE)
		return status;

	if (settings->game.json && (settings->dry_run || settings->announce))
		return error_usage(NULL,
		    "--json is of results, and %s has none",
		    settings->dry_run ? "--dry-run" : "--announce");
	if (settings->announce && settings->game.seed.given)
		return error_usage(
		    "leave --seed away: the arena draws one that nobody knows",
		    "--announce commits to a secret, and a seed that "
		    "was given is none: whoever gave it knows the packs "
		    "and could have chosen them");
	if (settings->announce && settings->game.packs.path != NULL)
		return error_usage("leave --packs away, or publish the file "
				   "and its sha256 before the first game",
		    "--announce commits to a secret, and packs of a "
		    "file come from none: who has the file knows "
		    "them, and nothing binds them");
	status = tournament_setup_open(&setup, settings, gate, ENTRANT_TO_PLAY);
	if (status != STATUS_DONE)
		return status;
	status = settings->dry_run ? print_schedule(&setup)
				   : begin(settings, &setup, &remote);
	run_remote_close(&remote);
	tournament_setup_close(&setup);
	return status;
}

static enum status
tournament_run(const void *settings, char **argv)
{
	(void)argv;
	return set_up_and_begin(settings, false);
}

static enum status
gate_run(const void *settings, char **argv)
{
	(void)argv;
	return set_up_and_begin(settings, true);
}

const struct command command_tournament = {
	.name = "tournament",
	.sentence = "Plays a tournament of many bots, in a run that can be "
		    "resumed.",
	.detail = "Bots meet in blocks: the same packs, once with every way of "
		  "seating them. Results are kept in a run, a folder below "
		  "runs/ with the configuration, the records and a database; "
		  "whatever happens, `resume` goes on with it. All bots must "
		  "get ready once before the first game.",
	.usage = "BOT BOT [BOT...]",
	.arguments = { { "BOT",
	    "A path, a command in quotes, or @NAME of a built-in bot; --bot "
	    "says more of one." } },
	.examples = { "tournament @greedy @random @first --rounds 100",
	    "tournament @greedy @random ./mybot.py --format gauntlet --rules "
	    "scientifico",
	    "tournament --config cup.ini --dry-run" },
	.options = tournament_options,
	.settings_size = sizeof(struct tournament_settings),
	.run = tournament_run,
};

const struct command command_gate = {
	.name = "gate",
	.sentence = "Tests whether a bot is stronger than its base, and exits "
		    "with the verdict.",
	.detail =
	    "With --sprt it stops as soon as the test decides: 0 where H1 is "
	    "accepted, 1 where H0 is, 3 where neither is within the limit. "
	    "Without it --rounds blocks are played, and the interval of the "
	    "margin must lie above 0 (exit 0) or below (exit 1). A candidate "
	    "that forfeits more than one game in a hundred never passes; "
	    "where it is certain that it does so, that is a regression. Bots "
	    "that never differ end a test of the margin as inconclusive (3): "
	    "after 1000 blocks, or min, or as many more as a bot at a bound "
	    "would need to differ once (7234 with elo0=0 elo1=5). A margin "
	    "far beyond both bounds decides as soon as min is reached. What "
	    "leads after a test is the median-unbiased estimate, since one "
	    "that stops on a high or a low makes the plain one too large.",
	.usage = "CANDIDATE BASE",
	.arguments = { { "BOT",
	    "A path, a command in quotes, or @NAME of a built-in bot; --bot "
	    "says more of one." } },
	.examples = { "gate --bot cmd=./new --base cmd=./old --sprt elo0=0 "
		      "elo1=5 --rules scientifico",
	    "gate ./new ./old --sprt points0=0 points1=0.05",
	    "gate ./new ./old --rounds 2000" },
	.options = gate_options,
	.settings_size = sizeof(struct tournament_settings),
	.run = gate_run,
};
