/*
 * The commands tournament, gate and resume: begin a run, or go on with one, and
 * play it.
 *
 * A new run: the settings are read, each bot is started once (preflight), and
 * the folder of the run is made.  A run that exists is played as its
 * configuration says; options of the call only change how it is played:
 * concurrency, cores, output, and the sandbox level.
 *
 * The runner plays (tournament/runner.h).  This file opens the log, the events
 * and the progress line, gives them what the runner reports, and prints the
 * report and the error at the end.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "countof.h"
#include "events.h"
#include "log.h"
#include "machine.h"
#include "match_head.h"
#include "progress.h"
#include "run_open.h"
#include "run_remote.h"
#include "run_view.h"
#include "runner.h"
#include "schedule.h"
#include "text_format.h"
#include "tournament_setup.h"
#include "version.h"

/*
 * Playing.
 */

enum {
	MACHINE_LINE_SIZE = 256,
	/* Room for a name at each seat of each game of a block. */
	PLAN_LINE_SIZE = BLOCK_GAMES_MAX * SCOPA_SEATS_MAX * (PROGRAM_SIZE + 4),
	SAFE_LINE_SIZE = 4 * PLAN_LINE_SIZE, /* with escapes */
	PLANS_SHOWN_MAX = 1000,              /* blocks that --dry-run prints */
	FAULTS_EXPLAINED_MAX = 4, /* bots whose losses are explained */
	SUFFIX_SIZE = 16          /* of what makes a name another one */
};

/* A game that a bot lost by an offence. */
struct play_fault {
	struct match_fault fault;
	int64_t number; /* of the game, from 1 */
};

/* The state of one call of run_play(). */
struct play {
	const struct tournament_setup *setup;
	const struct tournament_settings *settings;
	struct run *run;
	struct tournament *tournament;
	struct run_remote *remote;
	bool resumed; /* some of the run was played by an earlier call */
	struct run_view view;
	struct events events;
	struct progress progress;
	int held; /* 0, or -ENOSPC or -EBUSY while results wait to be stored */
	char records[PATH_MAX];
	/* The first loss of each bot by an offence in this call; owned. */
	struct play_fault *faults[TOURNAMENT_BOTS_MAX];
};

/*
 * Prints a line on stderr in place of the progress line, unless --quiet is set.
 */
static void __attribute__((format(printf, 2, 3)))
say(struct play *play, const char *format, ...)
{
	va_list arguments;

	progress_clear(&play->progress);
	va_start(arguments, format);
	if (!play->settings->game.quiet)
		vfprintf(stderr, format, arguments);
	va_end(arguments);
}

static void
show_progress(struct play *play)
{
	int64_t begin_ns = clock_now_ns();
	struct progress_facts facts;

	run_view_update(&play->view, false);
	if (report_compute(&play->view.view, 0) < 0)
		return;
	facts = progress_collect(&play->view.view);
	facts.workers = play->remote->worker_count;
	facts.cores = play->remote->core_count;
	if (play->held != 0)
		facts.notice =
		    play->held == -EBUSY ? "database busy" : "disk full";
	else if (play->remote->queue != NULL && facts.workers == 0)
		facts.notice = "no worker is there";
	progress_show(&play->progress, &facts, clock_now_ns());
	events_status(&play->events, &facts);
	play->progress.cost_ns = clock_now_ns() - begin_ns;
}

static void
on_block(void *context, const struct block_result *block)
{
	struct play *play = context;
	int64_t interval = play->settings->call.rating_interval;

	run_view_reveal(&play->view);
	events_block(&play->events, &play->view.view, block);
	if (interval > 0 && play->tournament->counted % interval == 0)
		show_progress(play);
}

/* A game of the run that a bot lost by an offence. */
static struct lost_game
lost_game_of(const struct play *play, int bot, const struct match_fault *fault,
    int64_t number)
{
	return (struct lost_game){
		.fault = fault,
		.entrant = &play->setup->bots.entrants[bot],
		.rules = &play->setup->play.rules,
		.records = play->records,
		.number = number,
	};
}

/*
 * Explains in the log why a bot has lost a game by an offence.  The loss itself
 * is a run event.  The first loss of a bot is stored for the end of the call;
 * without memory it is only in the log.
 */
static void
on_fault(void *context, const struct game_result *result)
{
	struct play *play = context;
	int bot = result->fault_entrant;
	const struct lost_game lost = lost_game_of(
	    play, bot, &result->fault, (int64_t)result->summary.game + 1);

	lost_game_log(&lost, report_name(&play->view.view, bot));
	if (play->faults[bot] != NULL)
		return;
	play->faults[bot] = malloc(sizeof(*play->faults[bot]));
	if (play->faults[bot] == NULL)
		return;
	play->faults[bot]->fault = result->fault;
	play->faults[bot]->number = lost.number;
}

/* Explains the first loss of each of the first bots that lost so. */
static void
explain_faults(const struct play *play)
{
	int shown = 0;

	for (int bot = 0; bot < play->setup->play.entrant_count; bot++) {
		const struct play_fault *first = play->faults[bot];
		struct lost_game lost;

		if (first == NULL ||
		    play->tournament->standings.bots[bot].forfeits == 0 ||
		    shown++ >= FAULTS_EXPLAINED_MAX)
			continue;
		lost = lost_game_of(play, bot, &first->fault, first->number);
		printf("\n%s lost m%jd: %s\n",
		    report_name(&play->view.view, bot), first->number,
		    lost_game_reason(&lost));
		lost_game_explain(&lost, stdout);
	}
	if (shown > 0)
		printf("  %-8s: %s/%s has all losses by offences\n", "log",
		    play->run->path, RUN_LOG);
}

static void
free_faults(struct play *play)
{
	for (int bot = 0; bot < TOURNAMENT_BOTS_MAX; bot++) {
		free(play->faults[bot]);
		play->faults[bot] = NULL;
	}
}

static void
on_suspend(void *context, int bot)
{
	struct play *play = context;

	say(play, "suspended: %s plays no more\n",
	    play->run->head.bots[bot].name);
	events_suspend(&play->events, &play->view.view, bot);
}

static void
on_hold(void *context, int error, const struct store_error *why)
{
	struct play *play = context;
	const char *relief =
	    play->held == -EBUSY ? "it is free again" : "there is room again";

	play->held = error;
	progress_clear(&play->progress);
	if (error) {
		error_print("%s", why->what);
		error_detail("hint", "nothing is lost: the run waits until %s",
		    error == -EBUSY ? "it is free" : "there is room");
		log_print(LOG_ERROR, "held: %s", why->what);
	} else {
		fprintf(stderr, "%s: the run goes on\n", relief);
		log_print(LOG_INFO, "%s", relief);
	}
}

static void
on_signal(void *context, int signal, int count)
{
	struct play *play = context;

	progress_clear(&play->progress);
	log_print(LOG_INFO, "signal %d", signal);
	if (count == 1)
		say(play,
		    "finishing the blocks that have begun, for up to %jd s; "
		    "once more to stop at once\n",
		    play->settings->call.stop_grace);
}

static void
on_grace_over(void *context)
{
	struct play *play = context;
	int64_t grace_s = play->settings->call.stop_grace;

	log_print(
	    LOG_INFO, "games are broken off after --stop-grace %jd", grace_s);
	say(play, "after %jd s the games that are on are broken off\n",
	    grace_s);
}

static void
on_tick(void *context)
{
	struct play *play = context;
	const struct tournament_settings *settings = play->settings;
	bool is_seen = !settings->game.quiet || settings->call.events != NULL;

	if (is_seen && progress_due(&play->progress, clock_now_ns()))
		show_progress(play);
}

/* The coordinator, or a worker process, has something to say. */
static void
on_sentence(void *context, bool urgent, const char *sentence)
{
	struct play *play = context;

	log_print(urgent ? LOG_WARN : LOG_INFO, "%s", sentence);
	if (!urgent)
		return;
	progress_clear(&play->progress);
	/* It may contain what the worker of somebody else has sent. */
	fprintf(stderr, "%s\n", safe_text(sentence));
}

static const struct runner_calls runner_calls = {
	.on_block = on_block,
	.on_fault = on_fault,
	.on_suspend = on_suspend,
	.on_hold = on_hold,
	.on_signal = on_signal,
	.on_grace_over = on_grace_over,
	.on_tick = on_tick,
};

/* The states that the store keeps for each end of a run. */
static const char *const end_states[] = {
	[RUNNER_DONE] = RUN_DONE,
	[RUNNER_INTERRUPTED] = RUN_INTERRUPTED,
	[RUNNER_NOBODY] = RUN_STOPPED,
	[RUNNER_FAILED] = RUN_FAILED,
	[RUNNER_LOST] = RUN_FAILED,
	[RUNNER_STORE] = RUN_FAILED,
};

/*
 * Reports why the run ended before its last block, and how to continue it.
 * Returns the exit status.
 */
static enum status
report_end(struct play *play, const struct runner_outcome *outcome)
{
	enum status status = STATUS_ENVIRONMENT;

	switch (outcome->end) {
	case RUNNER_DONE:
		return tournament_setup_gate(play->setup) != NULL
		    ? gate_exit_status(play->view.verdict.outcome)
		    : STATUS_DONE;
	case RUNNER_INTERRUPTED:
		fprintf(stderr, "interrupted: %jd block%s kept\n",
		    play->tournament->counted,
		    play->tournament->counted == 1 ? " is" : "s are");
		status = (enum status)(128 + outcome->detail);
		break;
	case RUNNER_NOBODY:
		error_print("%d of %d bots %s suspended: too few are left to "
			    "play",
		    play->tournament->suspended_count,
		    play->setup->play.entrant_count,
		    play->tournament->suspended_count == 1 ? "is" : "are");
		error_detail("where", "%s/log.txt", play->run->path);
		return STATUS_BOT;
	case RUNNER_FAILED:
		/* The refusal of the queue was printed before. */
		if (outcome->detail != -EREMOTEIO)
			(void)game_setup_error(outcome->detail);
		break;
	case RUNNER_LOST:
		(void)worker_death_error(outcome->detail, outcome->lost_count);
		break;
	case RUNNER_STORE:
		(void)run_open_error(outcome->detail, &outcome->error);
		if (outcome->detail != -ETIMEDOUT)
			break;
		error_detail("waited", "%jd s", play->settings->call.disk_wait);
		status = STATUS_LATER;
		break;
	}
	if (outcome->dropped > 0)
		error_detail("blocks", "%jd could not be stored; %s",
		    outcome->dropped,
		    play->remote->queue != NULL ? "results wait in the queue"
						: "`resume` plays them again");
	error_try("resume", play->run->path);
	return status;
}

/*
 * Reports an output file that cannot be opened.  A run that has not begun is
 * removed.
 */
static enum status
output_open_error(
    struct play *play, const char *kind, const char *path, int error)
{
	error_print("%s file \"%s\": %s", kind, path, strerror(-error));
	error_detail("hint", "%s", output_open_hint(error));
	if (play->resumed)
		error_try("resume", play->run->path);
	else
		run_discard(play->run);
	return STATUS_ENVIRONMENT;
}

/* Tells the log on which machine the run is played. */
static void
log_machine(void)
{
	struct utsname system;
	struct cores cores = { .count = 0 };
	char line[MACHINE_LINE_SIZE], processor[MACHINE_LINE_SIZE] = "";
	FILE *file = fopen("/proc/cpuinfo", "re");

	while (file != NULL && processor[0] == '\0' &&
	    fgets(line, sizeof(line), file) != NULL)
		(void)sscanf(line, "model name : %255[^\n]", processor);
	if (file != NULL)
		fclose(file);
	(void)cores_allowed(&cores);
	if (uname(&system) == 0)
		log_print(LOG_INFO, "machine %s %s, %s, %d core%s of %s",
		    system.sysname, system.release, system.machine, cores.count,
		    text_plural(cores.count),
		    processor[0] != '\0' ? processor : "an unknown processor");
}

/* Opens the log, the file of events, and the progress line. */
static enum status
open_outputs(struct play *play)
{
	const struct tournament_settings *settings = play->settings;
	char log[PATH_MAX];
	const char *path = settings->log.path;
	const char *report = settings->call.report;
	int error;

	if (refuse_file_of_run(report) != STATUS_DONE ||
	    refuse_file_of_run(path) != STATUS_DONE ||
	    refuse_file_of_run(settings->call.events) != STATUS_DONE) {
		if (!play->resumed)
			run_discard(play->run);
		return STATUS_USAGE;
	}
	/* It is written at the end; a wrong name is reported before. */
	error = report != NULL ? output_file_check(report) : 0;
	if (error)
		return output_open_error(play, "report", report, error);
	if (path == NULL) {
		run_path_join(log, play->run->path, RUN_LOG);
		path = log;
	}
	error = log_open(path, (enum log_level)settings->log.level);
	if (error)
		return output_open_error(play, "log", path, error);
	error = events_open(&play->events, settings->call.events);
	if (error) {
		(void)log_close();
		return output_open_error(
		    play, "event", settings->call.events, error);
	}
	log_machine();
	progress_begin(&play->progress,
	    settings->game.quiet ? -1 : STDERR_FILENO, 0, clock_now_ns(),
	    play->tournament->counted, play->tournament->standings.games);
	return STATUS_DONE;
}

/* Reports an output file that could not be written.  Returns the new status. */
static enum status
output_end(const char *kind, const char *path, int error, enum status status)
{
	if (error == 0 || path == NULL)
		return status;
	error_print("%s file \"%s\": %s", kind, path, strerror(-error));
	return status == STATUS_DONE ? STATUS_ENVIRONMENT : status;
}

static enum status
close_outputs(struct play *play, enum status status)
{
	const struct tournament_settings *settings = play->settings;
	int error;

	status = output_end("event", settings->call.events,
	    events_close(&play->events), status);
	error = log_close();
	/* The user has not asked for log.txt, so the exit status stays. */
	if (error && settings->log.path == NULL)
		fprintf(stderr,
		    "warning: \"%s/" RUN_LOG
		    "\" lacks messages: %s; results are not affected\n",
		    play->run->path, strerror(-error));
	return output_end("log", settings->log.path, error, status);
}

/* Takes the blocks of the store through a new tournament: 0 or -errno. */
static int
replay_blocks(struct play *play, struct store_error *why)
{
	const struct tournament_config config = run_open_plan(play->setup);
	/* static, as it is too large for the stack */
	static struct tournament kept;
	int error = tournament_open(&kept, &config);

	if (error)
		return run_fail(error, "go on with", play->run->path, why);
	tournament_close(play->tournament);
	*play->tournament = kept;
	return runner_catch_up(play->run, play->tournament, why) ? 0 : -EBADMSG;
}

/*
 * Removes blocks that could not be stored from the tournament, so that the
 * report covers exactly the blocks in the store.
 */
static enum status
forget_dropped(struct play *play)
{
	struct store_error why = { .what = "" };
	int error = run_drop_pending(play->run, &why);

	if (!error)
		error = replay_blocks(play, &why);
	return error ? run_open_error(error, &why) : STATUS_DONE;
}

/*
 * Plays on other machines.  Where blocks of workers that are not trusted any
 * more came out otherwise, the run goes on from the first of them.
 */
static struct runner_outcome
play_remote(struct play *play, struct runner_config *config)
{
	struct store_error why = { .what = "" };
	struct runner_outcome outcome;
	int error;

	config->play = coordinator_run;
	config->player = &play->remote->config;
	do {
		outcome = runner_run(config, play->run, play->tournament);
		if ((outcome.end != RUNNER_DONE &&
			outcome.end != RUNNER_NOBODY) ||
		    !coordinator_replace(&play->remote->config, &error, &why))
			return outcome;
		free_faults(play);
		if (!error)
			error = replay_blocks(play, &why);
		run_view_look_for_workers(&play->view);
		events_workers(&play->events, &play->view.view);
	} while (!error);
	return (struct runner_outcome){
		.end = RUNNER_STORE, .detail = error, .error = why
	};
}

static struct runner_outcome
play_blocks(struct play *play)
{
	const struct tournament_setup *setup = play->setup;
	struct runner_config config = {
		.dispatcher = setup->play,
		.gate = tournament_setup_gate(setup),
		.wait_max_ns = play->settings->call.disk_wait * CLOCK_NS_PER_S,
		.stop_grace_ns =
		    play->settings->call.stop_grace * CLOCK_NS_PER_S,
		.calls = &runner_calls,
		.context = play,
	};
	struct runner_outcome outcome;
	struct live live;
	char path[PATH_MAX];
	int error;

	if (play->remote->queue != NULL)
		return play_remote(play, &config);
	/*
	 * An earlier call may have stopped after the block that decided the
	 * gate.
	 */
	if (play->view.verdict.final)
		return (struct runner_outcome){ .end = RUNNER_DONE };
	run_path_join(path, play->run->path, LIVE_FILE);
	error = live_open(&live, path, setup->play.concurrency,
	    sandbox_shuts_network(setup->play.rules.sandbox));
	if (error)
		log_print(LOG_WARN, "games cannot be watched: \"%s\": %s", path,
		    strerror(-error));
	else
		config.dispatcher.rules.live = &live;
	config.dispatcher.speaker = (struct speaker){ on_sentence, play };
	outcome = runner_run(&config, play->run, play->tournament);
	if (!error)
		live_close(&live, path);
	return outcome;
}

static void
set_state(struct play *play, const char *state)
{
	struct store_error error;

	snprintf(play->view.state, sizeof(play->view.state), "%s", state);
	/*
	 * The state is only shown to people; the results stay valid without it.
	 */
	if (store_set_state(play->run->store, state, &error) < 0)
		log_print(LOG_ERROR, "%s", error.what);
}

/* Hides the run folder, the file of events and the log from the bots. */
static enum status
hide(struct tournament_setup *setup, const struct run *run)
{
	const struct tournament_settings *settings = setup->settings;
	const char *const paths[] = { run->path, settings->call.events,
		settings->log.path };
	enum status status = STATUS_DONE;

	for (int i = 0; i < COUNTOF(paths) && status == STATUS_DONE; i++)
		if (setup->play.rules.sandbox != NULL)
			status = game_setup_hide(&setup->sandbox, paths[i]);
	return status;
}

/*
 * Opens the trace of the run, if the user wants one: in its file, or in the
 * folder of the run (`path`; NULL: there is none yet, and only the file of the
 * user is opened).
 */
static enum status
open_trace(struct tournament_setup *setup, const char *path)
{
	const struct game_settings *game = &setup->settings->game;
	char file[PATH_MAX];

	if (path != NULL)
		run_path_join(file, path,
		    game->trace.form == GAME_TRACE_JSON ? RUN_TRACE_JSON
							: RUN_TRACE);
	else if (game->trace.path == NULL)
		return STATUS_DONE;
	return game_setup_trace(
	    game, file, &setup->sandbox, &setup->play.rules);
}

/* Prints the report at the end of the call, and writes the one of --report. */
static enum status
print_results(struct play *play)
{
	const struct tournament_settings *settings = play->settings;
	bool json = settings->game.json, quiet = settings->game.quiet;
	enum status status = run_view_print(&play->view, json, quiet);

	if (status == STATUS_DONE && !json && !quiet) {
		explain_faults(play);
		run_view_print_next(&play->view);
	}
	if (settings->call.report != NULL) {
		enum status written = run_view_write(&play->view,
		    run_view_form_of(settings->call.report), 0,
		    settings->call.report);

		if (status == STATUS_DONE)
			status = written;
	}
	return status;
}

/*
 * Plays until the end of the run or until it is stopped, and prints the report.
 * `remote` says on which machines.  `resumed`: an earlier call has begun the
 * run. Returns the exit status of the command.
 */
static enum status
play_run(struct tournament_setup *setup, struct run *run,
    struct tournament *tournament, struct run_remote *remote, bool resumed)
{
	static struct play play;
	struct runner_outcome outcome;
	struct store_error why;
	enum status printed, kept = STATUS_DONE;
	enum status status = hide(setup, run);
	int error;

	if (status != STATUS_DONE)
		return status;
	error = run_cut_records(run, &why);
	if (error)
		return run_open_error(error, &why);
	play = (struct play){
		.setup = setup,
		.run = run,
		.tournament = tournament,
		.remote = remote,
		.settings = setup->settings,
		.resumed = resumed,
	};
	status = open_trace(setup, run->path);
	if (status != STATUS_DONE && !resumed)
		run_discard(run);
	if (status == STATUS_DONE)
		status = run_remote_start(
		    remote, setup, run, (struct speaker){ on_sentence, &play });
	if (status == STATUS_DONE)
		status = open_outputs(&play);
	if (status != STATUS_DONE)
		return status;
	run_path_join(play.records, run->path, RUN_RECORDS);
	run_view_open(&play.view, setup, run, tournament);
	play.view.full = setup->settings->call.full;
	play.view.view.sandbox = sandbox_name(setup->play.rules.sandbox);
	say(&play, "run     %s\n", run->path);
	if (run->head.committed)
		say(&play, "commit  %s\n", run->head.commitment);
	(resumed ? events_resume : events_run_begin)(
	    &play.events, &play.view.view);
	set_state(&play, RUN_RUNNING);
	outcome = play_blocks(&play);
	progress_clear(&play.progress);
	run_remote_end(
	    remote, outcome.end == RUNNER_DONE || outcome.end == RUNNER_NOBODY);
	/* Other shards may have deals left to play. */
	if ((outcome.end == RUNNER_DONE || outcome.end == RUNNER_NOBODY) &&
	    setup->settings->shard.count == 0)
		run_fair_reveal(setup, run);
	if (outcome.dropped > 0)
		kept = forget_dropped(&play);
	run_view_reveal(&play.view);
	run_view_look_for_workers(&play.view);
	run_view_update(&play.view, outcome.end == RUNNER_DONE);
	set_state(&play, end_states[outcome.end]);
	printed = kept == STATUS_DONE ? print_results(&play) : kept;
	free_faults(&play);
	/* An error of the run comes before an error of its report. */
	status = report_end(&play, &outcome);
	if (status == STATUS_DONE)
		status = printed;
	if (play.view.view.verdict != NULL)
		events_verdict(&play.events, &play.view.view);
	if (play.view.view.workers != NULL)
		events_workers(&play.events, &play.view.view);
	events_run_end(&play.events, &play.view.view, (int)status);
	run_view_close(&play.view);
	return close_outputs(&play, status);
}

/*
 * Beginning.
 */

/*
 * Prints the schedule for --dry-run, as far as it does not depend on results.
 */
static enum status
print_schedule(const struct tournament_setup *setup)
{
	const struct schedule_config *config = &setup->schedule;
	const struct shard *shard = &setup->settings->shard;
	struct schedule *schedule = command_memory(schedule_size(config));
	const char *names[TOURNAMENT_BOTS_MAX];
	char *line = command_memory(PLAN_LINE_SIZE);
	char *safe_line = command_memory(SAFE_LINE_SIZE);
	struct scopa_text text, safe;
	enum schedule_answer answer;
	struct block_plan plan;
	int64_t count, shown = 0;

	for (int bot = 0; bot < setup->play.entrant_count; bot++) {
		const struct entrant *entrant = &setup->bots.entrants[bot];

		names[bot] =
		    entrant->name[0] ? entrant->name : entrant->command;
	}
	schedule_init(schedule, config);
	while ((answer = schedule_next(schedule, &plan)) == SCHEDULE_BLOCK) {
		if (shard->count > 0 &&
		    shard_of(plan.index, shard->count) != shard->index)
			continue;
		if (shown++ == PLANS_SHOWN_MAX)
			break;
		scopa_text_init(&text, line, PLAN_LINE_SIZE);
		scopa_text_init(&safe, safe_line, SAFE_LINE_SIZE);
		schedule_print_block(&plan, names, &config->rules, &text);
		text_sanitize(&safe, text.bytes);
		printf("%s\n", safe.bytes);
	}
	if (answer == SCHEDULE_WAIT)
		printf("... what follows depends on results\n");
	else if (answer == SCHEDULE_BLOCK)
		printf("... and so on\n");
	count = schedule_block_count(config);
	printf("%jd block%s at most, %d game%s each\n", count,
	    text_plural(count), schedule_game_count(config),
	    text_plural(schedule_game_count(config)));
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
	char plain[EVENT_NAME_SIZE], suffix[SUFFIX_SIZE];
	int same = 1;

	memcpy(plain, name, sizeof(plain));
	for (int other = 0; other < index; other++) {
		if (strcmp(entrants[other].name, name) != 0)
			continue;
		same++;
		if (gate && same == 2)
			snprintf(suffix, sizeof(suffix), "-base");
		else
			snprintf(suffix, sizeof(suffix), "-%d", same);
		match_head_name_extend(name, plain, suffix);
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
	enum status status = game_preflight(&setup->play, NULL, names, NULL);

	for (int bot = 0;
	     status == STATUS_DONE && bot < setup->play.entrant_count; bot++) {
		memcpy(setup->bots.entrants[bot].name, names[bot],
		    EVENT_NAME_SIZE);
		make_unique(setup->bots.entrants, bot, setup->is_gate);
	}
	return status;
}

/*
 * Refuses a configuration that could not be read again.  Contributions may be
 * added to it later.
 */
static enum status
check_size(const char *config)
{
	size_t size = strlen(config) + CONTRIBUTIONS_SIZE;

	return size <= CONFIG_SIZE_MAX
	    ? STATUS_DONE
	    : error_usage("begin with fewer bots; paths of dir= and read= are "
			  "written as absolute paths for each bot, so a folder "
			  "with a shorter path helps, too",
		  "the configuration of this run needs %zu bytes, and a file "
		  "of %d bytes can be read",
		  size, CONFIG_SIZE_MAX);
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
	status = check_size(config);
	if (status == STATUS_DONE)
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
		next_print("resume", run->path,
		    run->head.committed ? " --contribution NAME=HEX..." : "");
	return STATUS_DONE;
}

static enum status
begin(const struct tournament_settings *settings,
    struct tournament_setup *setup, struct run_remote *remote)
{
	struct store_head *head = command_memory(sizeof(*head));
	struct run *run = command_memory(sizeof(*run));
	struct tournament tournament;
	const struct tournament_config config = run_open_plan(setup);
	enum status status = game_setup_sandbox(
	    &settings->game, NULL, &setup->sandbox, &setup->play);
	int error;

	if (status == STATUS_DONE) {
		entrants_warn(setup->bots.entrants, setup->play.entrant_count,
		    setup->play.rules.sandbox);
		status = open_trace(setup, NULL);
	}
	if (status == STATUS_DONE)
		status = run_remote_open(remote, setup, false);
	if (status == STATUS_DONE)
		status = preflight_bots(setup);
	if (status == STATUS_DONE)
		status = run_head_fill(setup, ENTRANT_TO_PLAY, head);
	if (status == STATUS_DONE)
		status = create_run(settings, setup, remote, head, run);
	if (status != STATUS_DONE)
		return status;
	if (settings->announce) {
		status = announce(settings, run);
		run_close(run);
		return status;
	}
	error = tournament_open(&tournament, &config);
	if (error) {
		status = game_setup_error(error);
	} else {
		status = play_run(setup, run, &tournament, remote, false);
		tournament_close(&tournament);
	}
	run_close(run);
	return status;
}

/* Refuses options of a new run that do not go together. */
static enum status
check_options(const struct tournament_settings *settings)
{
	const char *idle = tournament_idle_remote(&settings->remote);

	if (settings->shard.count > 0 && !settings->game.seed.given)
		return error_usage(
		    "give all machines the same --seed HEX; or make the run "
		    "once with --announce and without --shard, copy its folder "
		    "to each machine, and begin there with `" VERSION_NAME
		    " resume --shard I/N`",
		    "--shard: all machines must deal the same packs, and "
		    "without --seed each would draw its own");
	if (idle != NULL)
		return error_usage("leave it out, or let workers on other "
				   "machines play: --store "
				   "postgres://USER@HOST/DATABASE",
		    "--%s without --store: it is about workers on other "
		    "machines",
		    idle);
	if (settings->dry_run && settings->announce)
		return error_exclusive("dry-run", "announce");
	if (settings->game.quiet && settings->call.full)
		return error_exclusive("quiet", "full");
	if (settings->game.json && (settings->dry_run || settings->announce))
		return error_usage(NULL,
		    "--json prints results, and %s has none",
		    settings->dry_run ? "--dry-run" : "--announce");
	if (settings->announce && settings->game.seed.given)
		return error_usage(
		    "leave out --seed: the arena draws a secret seed",
		    "--announce commits to a secret, and a given seed is not "
		    "secret: the person who gave it knows the packs and could "
		    "have chosen them");
	if (settings->announce && settings->game.packs.path != NULL)
		return error_usage("leave out --packs, or publish the file and "
				   "its sha256 before the first game",
		    "--announce commits to a secret, and the packs of a file "
		    "do not come from a secret");
	return STATUS_DONE;
}

static enum status
set_up_and_begin(const struct tournament_settings *settings, bool gate)
{
	static struct tournament_setup setup;
	static struct run_remote remote;
	enum status status = check_options(settings);

	if (status != STATUS_DONE)
		return status;
	status = tournament_setup_open(&setup, settings, gate, ENTRANT_TO_PLAY);
	if (status != STATUS_DONE)
		return status;
	status = tournament_setup_minimum(&setup);
	if (status == STATUS_DONE)
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

/*
 * Going on.
 */

struct resume_settings {
	struct game_settings game; /* options of this call */
	struct call_words call;
	struct contributions contributions;
	struct shard shard;
	int sandbox;       /* index in `sandboxes` */
	const char *store; /* URL; `none`: this machine; NULL: as it began */
	int64_t lease_s;   /* 0: as it began */
};

/* `same` as when the run began, or a word of game_sandboxes. */
static const char *const sandboxes[] = { "same", "off", "auto", "require",
	NULL };

_Static_assert(COUNTOF(sandboxes) == SANDBOX_COUNT + 2,
    "one word more than there are sandbox levels");

/*
 * Refuses a bot whose files have changed since the run began: it counts as
 * another bot.
 */
static enum status
check_bots(const struct run_opened *opened)
{
	const struct store_head *head = &opened->run.head;

	for (int i = 0; i < head->bot_count; i++) {
		const struct store_bot *bot = &head->bots[i];
		char digest[sizeof(bot->digest)];
		int error =
		    run_bot_digest(&opened->setup.bots.entrants[i], digest);

		if (!error && strcmp(digest, bot->digest) == 0)
			continue;
		error_print("bot \"%s\"%s%s", bot->name,
		    error ? ": its files cannot be read: "
			  : " has changed since the run began",
		    error ? strerror(-error) : "");
		error_detail("command", "%s", bot->command);
		error_detail("hint",
		    "%sbegin a new run: results of two bots must not be mixed",
		    bot->command[0] == '@'
			? "it is part of this program, which has "
			  "changed; "
			: "put the old files back, or ");
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}

/*
 * Applies the options of this call to the setup.  They change only how the
 * games are played.
 */
static enum status
apply_call(const struct resume_settings *settings, struct run_opened *opened)
{
	struct game_settings *game = &opened->settings.game;

	opened->settings.call = settings->call;
	opened->settings.log = (struct log_words){ NULL, LOG_INFO };
	game->json = settings->game.json;
	game->quiet = settings->game.quiet;
	game->trace = settings->game.trace;
	if (settings->store != NULL && strcmp(settings->store, "none") == 0) {
		if (opened->settings.remote.store != NULL)
			run_remote_leave(
			    opened->run.path, opened->settings.remote.store);
		opened->settings.remote.store = NULL;
	} else if (settings->store != NULL) {
		if (!queue_url_valid(settings->store))
			return error_usage(
			    "give postgres://USER@HOST/DATABASE, or `none` for "
			    "this machine",
			    "--store %s: the URL of the store cannot be read",
			    settings->store);
		opened->settings.remote.store = settings->store;
	}
	if (settings->lease_s > 0 && opened->settings.remote.store == NULL)
		return error_usage("leave it out, or give --store URL, too",
		    "--lease: no worker on another machine plays");
	if (settings->lease_s > 0)
		opened->settings.remote.lease_s = settings->lease_s;
	if (settings->sandbox > 0)
		game->sandbox = settings->sandbox - 1;
	if (tournament_setup_share(&opened->setup, &opened->settings.shard) !=
	    STATUS_DONE)
		return STATUS_USAGE;
	return game_setup_cores(&settings->game, &opened->setup.play);
}

/*
 * Adds contributions and the shard to a run that was announced, and opens it
 * again, as its configuration has changed.
 */
static enum status
complete(const struct resume_settings *settings, struct run_opened *opened,
    const char *path)
{
	enum status status = settings->contributions.count > 0
	    ? run_fair_contribute(opened, &settings->contributions)
	    : STATUS_DONE;

	if (status == STATUS_DONE && settings->shard.count > 0)
		status = run_share(opened, &settings->shard);
	run_open_close(opened);
	return status == STATUS_DONE
	    ? run_open_whole(opened, path, ENTRANT_TO_PLAY)
	    : status;
}

static enum status
resume_run(const void *given, char **argv)
{
	struct run_opened *opened = command_memory(sizeof(*opened));
	struct run_remote *remote = command_memory(sizeof(*remote));
	const struct resume_settings *settings = given;
	char path[PATH_MAX];
	enum status status = settings->game.quiet && settings->call.full
	    ? error_exclusive("quiet", "full")
	    : run_open_find(argv[0], path);

	if (status != STATUS_DONE)
		return status;
	status = run_open_whole(opened, path, ENTRANT_TO_PLAY);
	if (status == STATUS_DONE &&
	    (settings->contributions.count > 0 || settings->shard.count > 0))
		status = complete(settings, opened, path);
	if (status != STATUS_DONE)
		return status;
	status = check_bots(opened);
	if (status == STATUS_DONE)
		status = apply_call(settings, opened);
	if (status == STATUS_DONE)
		status = game_setup_sandbox(&opened->settings.game, NULL,
		    &opened->setup.sandbox, &opened->setup.play);
	if (status == STATUS_DONE)
		status = open_trace(&opened->setup, opened->run.path);
	if (status == STATUS_DONE)
		status = run_remote_open(remote, &opened->setup,
		    run_has_state(&opened->run, RUN_DONE));
	if (status == STATUS_DONE)
		/* No game is lost by a bot that cannot start here. */
		status = game_preflight(&opened->setup.play,
		    opened->tournament.suspended, NULL, NULL);
	if (status == STATUS_DONE)
		status = run_remote_prepare(remote, &opened->setup);
	if (status == STATUS_DONE)
		status = play_run(&opened->setup, &opened->run,
		    &opened->tournament, remote, true);
	run_remote_close(remote);
	run_open_close(opened);
	return status;
}

#define FIELD(name) offsetof(struct resume_settings, name)

static const struct option resume_options[] = {
	TABLE_OPTION("this call", game_call_options, FIELD(game)),
	TABLE_OPTION(NULL, call_options, FIELD(call)),
	INT_OPTION("concurrency", "N", FIELD(game.concurrency), 1,
	    CONCURRENCY_MAX,
	    "Games at once. Without it: as when the run began.",
	    .unit = "games"),
	NAME_OPTION("sandbox", "same|off|auto|require", FIELD(sandbox),
	    sandboxes,
	    "The sandbox from now on. same: as when the run began. off: none. "
	    "auto: the best of this machine. require: one in which all "
	    "processes of a bot die with it.",
	    .fallback = "same"),
	TEXT_OPTION("store", "URL", FIELD(store),
	    "The URL of the queue, if it has changed or needs a password, "
	    "which the run does not store. `none`: continue the run on this "
	    "machine."),
	INT_OPTION("lease", "S", FIELD(lease_s), 1, LEASE_MAX_S,
	    "With workers on other machines: if one does not report for this "
	    "time, or makes no progress, another one plays its block. Without "
	    "it: as when the run began.",
	    .unit = "seconds"),
	REFUSED_OPTION("analysis",
	    "a run is for analysis from its first game on, or not at all."),
	PARSED_OPTION("contribution", "NAME=HEX", FIELD(contributions),
	    contribution_parse,
	    "For a run that was announced: mix the HEX of the person NAME into "
	    "the secret of the packs, before the first deal; may be repeated."),
	PARSED_OPTION("shard", "I/N", FIELD(shard), shard_parse,
	    "For a run that was announced: play only the Ith of every N "
	    "blocks, N being up to 256. Each of N machines has a copy of the "
	    "folder of the run, and `" VERSION_NAME
	    " record merge` joins them."),
	OPTIONS_END,
};

const struct command command_tournament = {
	.name = "tournament",
	.sentence = "Plays a tournament of many bots, in a run that can be "
		    "resumed.",
	.detail = "Bots meet in blocks: games with the same packs, in which "
		  "each bot gets every seat. Results are kept in a run, a "
		  "folder below runs/ with the configuration, the records and "
		  "a database; whatever happens, `resume` goes on with it. All "
		  "bots must get ready once before the first game.",
	.usage = "BOT BOT [BOT...]",
	.arguments = { BOT_ARGUMENT("; --bot says more of one.") },
	.examples = { "tournament @greedy @random @first --rounds 100",
	    "tournament @greedy @random ./mybot.py --format gauntlet --rules "
	    "scientifico",
	    "tournament --config league.ini --dry-run" },
	.options = tournament_options,
	.settings_size = sizeof(struct tournament_settings),
	.run = tournament_run,
};

const struct command command_gate = {
	.name = "gate",
	.sentence = "Tests whether a bot is stronger than its base, and exits "
		    "with the verdict.",
	.detail =
	    "With --sprt the gate stops as soon as the test decides. Its exit "
	    "status is 0 if H1 is accepted, 1 if H0 is accepted, and 3 if "
	    "neither is accepted within the limit. Without --sprt it plays "
	    "--rounds blocks; the exit status is 0 if the interval of the "
	    "margin lies above 0, 1 if below, else 3. A candidate that "
	    "forfeits more than one game in a hundred never passes; if it is "
	    "certain that it does, that is a regression. If the bots never "
	    "differ, a test of the margin ends as inconclusive (3): after 1000 "
	    "blocks, or min, or as many more as a bot at a bound would need to "
	    "differ once (7234 with elo0=0 elo1=5). A margin far beyond both "
	    "bounds decides as soon as min is reached. After a test the "
	    "median-unbiased estimate is shown first, because a test stops at "
	    "an extreme value, at which the plain estimate is too large.",
	.usage = "CANDIDATE BASE",
	.arguments = { BOT_ARGUMENT("; --bot says more of one.") },
	.examples = { "gate --bot cmd=./new --base cmd=./old --sprt elo0=0 "
		      "elo1=5 --rules scientifico",
	    "gate ./new ./old --sprt points0=0 points1=0.05",
	    "gate ./new ./old --rounds 2000" },
	.options = gate_options,
	.settings_size = sizeof(struct tournament_settings),
	.run = gate_run,
};

const struct command command_resume = {
	.name = "resume",
	.sentence = "Continues a run that was interrupted, killed, or stopped "
		    "by a power cut.",
	.detail = "Blocks with a result are not played again, and the final "
		  "result is the same as without the interruption. If the "
		  "files of a bot or the configuration have changed since the "
		  "run began, the command refuses.",
	.usage = "[RUN]",
	.arguments = { RUN_ARGUMENT },
	.argument_max = 1,
	.examples = { "resume",
	    "resume runs/2026-11-21-101500-league --concurrency 16",
	    "resume league --contribution anna=00c0ffee --contribution "
	    "bruno=1f" },
	.options = resume_options,
	.settings_size = sizeof(struct resume_settings),
	.run = resume_run,
};
