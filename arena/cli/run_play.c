/*
 * Implements run_play.h.  A run is played by the runner (tournament/runner.h).
 * This file opens the log, the events and the progress line, gives them what
 * the runner reports, and prints the report and the error at the end.  The
 * report, `status`, `watch` and the events of a run use one view of it (struct
 * run_view).
 */
#include "run_play.h"

#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "clock.h"
#include "cmd_report.h"
#include "command.h"
#include "cores.h"
#include "countof.h"
#include "entrants.h"
#include "error_message.h"
#include "events.h"
#include "game_options.h"
#include "lost_game.h"
#include "progress.h"
#include "run_open.h"
#include "runner.h"
#include "text_format.h"
#include "version.h"

/*
 * Updates the hash chain of the results, and the seed if it may be shown.  A
 * secret that the arena has drawn stays hidden until it is published after the
 * last deal.
 */
static void
run_view_reveal(struct run_view *view)
{
	const struct store_head *head = &view->run->head;
	bool shown = !head->committed || head->secret[0] != '\0';

	view->view.seed =
	    view->setup->settings->game.packs.path == NULL && shown ? view->seed
								    : NULL;
	sodium_bin2hex(view->chain, sizeof(view->chain), view->run->chain,
	    sizeof(view->run->chain));
}

/* Says behind the time of bots if it is not the same on every machine. */
static void
show_clock(const struct remote_words *words, struct scopa_text *text)
{
	if (words->clock == RUN_CLOCK_SCALED)
		scopa_text_string(
		    text, ", divided by the speed of each worker");
	else if (words->clock == RUN_CLOCK_CLASS)
		scopa_text_print(
		    text, ", on workers of the class %s", words->labels);
}

void
run_view_open(struct run_view *view, const struct tournament_setup *setup,
    const struct run *run, const struct tournament *tournament)
{
	struct scopa_text rules, control, shown, shard;

	*view = (struct run_view){
		.setup = setup,
		.run = run,
		.tournament = tournament,
		.view = {
			.head = &run->head,
			.standings = &tournament->standings,
			.path = run->path,
			.state = view->state,
			.format = setup->is_gate
			    ? "gate"
			    : schedule_format_name(setup->schedule.format),
			.shard = setup->settings->shard.count > 0
			    ? view->shard
			    : NULL,
			.rules = view->rules,
			.time_control = view->time_control,
			.time_shown = view->time_shown,
			.deals = setup->play.rules.deals,
			.duplicate = setup->schedule.duplicate,
			.mixed = setup->schedule.mixed,
			.may_end_early = setup->is_gate
			    ? setup->gate.sequential
			    : setup->schedule.format == SCHEDULE_KNOCKOUT,
			.blocks_planned = setup->is_gate
			    ? setup->gate.blocks_max
			    : schedule_block_count(&setup->schedule),
			.level = setup->settings->level,
			.gate = tournament_setup_gate(setup),
			.verdict = tournament_setup_gate(setup) != NULL
			    ? &view->verdict
			    : NULL,
			.places = view->places,
			.packs = setup->settings->game.packs.path,
			.chain = view->chain,
			.suspended = tournament->suspended,
		},
	};
	scopa_text_init(&shard, view->shard, sizeof(view->shard));
	shard_format(&setup->settings->shard, &shard);
	scopa_text_init(&rules, view->rules, sizeof(view->rules));
	scopa_rules_spec(
	    &setup->play.rules.rules, setup->play.rules.preset, &rules);
	scopa_text_init(
	    &control, view->time_control, sizeof(view->time_control));
	budget_control_format(&setup->play.rules.settings.control, &control);
	scopa_text_init(&shown, view->time_shown, sizeof(view->time_shown));
	budget_control_show(&setup->play.rules.settings.control, &shown);
	show_clock(&setup->settings->remote, &shown);
	shuffle_key_format(&setup->secret, view->seed);
	run_view_reveal(view);
	if (store_state(run->store, view->state, sizeof(view->state)) < 0)
		view->state[0] = '\0';
	run_view_look_for_workers(view);
	run_view_update(view, false);
}

void
run_view_close(struct run_view *view)
{
	worker_list_release(&view->workers);
	report_close(&view->view);
}

void
run_view_look_for_workers(struct run_view *view)
{
	worker_list_release(&view->workers);
	view->view.workers =
	    worker_list_read(view->run->path, &view->workers) == 0
	    ? &view->workers
	    : NULL;
}

void
run_view_update(struct run_view *view, bool ended)
{
	for (int bot = 0; bot < view->setup->play.entrant_count; bot++)
		view->places[bot] =
		    schedule_place(view->tournament->schedule, bot);
	if (tournament_setup_gate(view->setup) != NULL)
		view->verdict = gate_judge(
		    &view->setup->gate, &view->tournament->standings, ended);
}

void
run_view_correct_state(struct run_view *view)
{
	if (strcmp(view->state, RUN_RUNNING) == 0 &&
	    run_owner(view->run->path) == 0)
		snprintf(view->state, sizeof(view->state), RUN_BROKEN_OFF);
}

/*
 * Whether the luck of the deal affects the results, so that an estimate without
 * it (variates.h) is of use.  It is false for packs of a file, as nobody knows
 * how they were made.
 *
 * It is also false for duplicate games of a fixed number of deals: every bot
 * plays at every seat with the same packs, which cancels the luck.  In games to
 * a target some bots may need fewer deals than others, so the deals that only
 * some games have remain luck.
 */
static bool
has_luck(const struct tournament_setup *setup)
{
	return setup->settings->game.packs.path == NULL &&
	    !(setup->schedule.duplicate && setup->play.rules.deals > 0);
}

static int
fill_variates(struct run_view *view, struct store_error *error)
{
	struct variates *variates = &view->variates;
	int status;

	if (!has_luck(view->setup))
		return 0;
	variates_init(variates, &view->setup->play.rules.rules,
	    view->setup->play.rules.deals);
	status = variates_read(variates, view->run, error);
	if (status == 0) {
		variates_estimate(variates, view->setup->settings->level);
		view->view.variates = variates->rows;
		view->view.variate_count = variates->row_count;
	}
	variates_close(variates);
	return status;
}

int
run_view_compute(struct run_view *view, struct store_error *lost)
{
	int error = report_compute(&view->view, REPORT_REPLICATES);

	lost->what[0] = '\0';
	if (!error)
		(void)fill_variates(view, lost);
	return error;
}

enum status
run_view_lost(const struct store_error *lost)
{
	error_print("%s", lost->what);
	error_detail("lost", "the estimate without the luck of the deal");
	return STATUS_ENVIRONMENT;
}

static struct report_style
style_of(const struct run_view *view)
{
	struct report_style style = report_style_of(stdout);

	style.full = view->full;
	return style;
}

void
run_view_print_next(const struct run_view *view)
{
	const struct report_style style = style_of(view);

	report_text_next(&view->view, &style, stdout);
}

enum status
run_view_print(struct run_view *view, bool json, bool quiet)
{
	const struct report_style style = style_of(view);
	struct store_error lost = { .what = "" };
	bool whole = json || (view->full && !quiet);
	int error = whole ? run_view_compute(view, &lost)
			  : report_compute(&view->view, REPORT_REPLICATES);

	if (!error && json)
		report_json(&view->view, NULL, stdout);
	else if (!error && quiet)
		report_text_verdict(&view->view, &style, stdout);
	else if (!error)
		error = report_text(&view->view, &style, stdout);
	if (error)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the report cannot be made: %s", strerror(-error));
	return lost.what[0] != '\0' ? run_view_lost(&lost) : STATUS_DONE;
}

enum {
	REASON_SIZE = 256,
	MACHINE_LINE_SIZE = 256,
	FAULTS_EXPLAINED_MAX = 4 /* bots whose losses are explained */
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
	struct progress_facts facts;

	run_view_update(&play->view, false);
	if (report_compute(&play->view.view, 0) < 0)
		return;
	facts = progress_collect(&play->view.view);
	facts.notice = play->held == 0 ? NULL
	    : play->held == -EBUSY     ? "database busy"
				       : "disk full";
	facts.workers = play->remote->worker_count;
	facts.cores = play->remote->core_count;
	progress_show(&play->progress, &facts, clock_now_ns());
	events_status(&play->events, &facts);
}

static void
on_block(void *context, const struct block_result *block)
{
	struct play *play = context;
	int64_t interval = play->settings->call.rating_interval;

	run_view_reveal(&play->view);
	events_block(&play->events, &play->view.view, block);
	if (interval > 0 && play->tournament->taken % interval == 0)
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
 * without memory it is in the log alone.
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
		struct scopa_text why = SCOPA_TEXT(REASON_SIZE);
		struct lost_game lost;

		if (first == NULL ||
		    play->tournament->standings.bots[bot].forfeits == 0 ||
		    shown++ >= FAULTS_EXPLAINED_MAX)
			continue;
		lost = lost_game_of(play, bot, &first->fault, first->number);
		lost_game_reason(&lost, &why);
		printf("\n%s lost m%jd: %s\n",
		    report_name(&play->view.view, bot), (intmax_t)first->number,
		    why.bytes);
		lost_game_explain(&lost, stdout);
	}
	if (shown > 0)
		printf("  %-8s: %s/%s has all losses by offences\n", "log",
		    play->run->path, RUN_LOG);
}

static void
free_faults(struct play *play)
{
	for (int bot = 0; bot < TOURNAMENT_BOTS_MAX; bot++)
		free(play->faults[bot]);
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
		    "finishing the blocks that have begun, for up to %lld s; "
		    "once more to stop at once\n",
		    (long long)play->settings->call.stop_grace);
}

static void
on_grace_over(void *context)
{
	struct play *play = context;
	long long grace_s = play->settings->call.stop_grace;

	log_print(
	    LOG_INFO, "games are broken off after --stop-grace %lld", grace_s);
	say(play, "after %lld s the games that are on are broken off\n",
	    grace_s);
}

static void
on_tick(void *context)
{
	struct play *play = context;

	if (progress_due(&play->progress, clock_now_ns()))
		show_progress(play);
}

/* The coordinator says something about its queue or its workers. */
static void
on_remote(void *context, bool urgent, const char *sentence)
{
	struct play *play = context;

	log_print(urgent ? LOG_WARN : LOG_INFO, "%s", sentence);
	if (!urgent)
		return;
	progress_clear(&play->progress);
	fprintf(stderr, "%s\n", sentence);
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

/*
 * Removes blocks that could not be stored from the tournament, so that the
 * report covers exactly the blocks in the store.
 */
static enum status
forget_dropped(struct play *play)
{
	const struct tournament_config config = run_open_plan(play->setup);
	struct store_error why = { .what = "" };
	/* static, as it is too large for the stack */
	static struct tournament kept;
	int error = run_forget(play->run, &why);

	if (error)
		return run_open_error(error, &why);
	error = tournament_open(&kept, &config);
	if (error)
		return game_setup_error(error);
	tournament_close(play->tournament);
	*play->tournament = kept;
	if (runner_catch_up(play->run, play->tournament, &why))
		return STATUS_DONE;
	return run_open_error(-EBADMSG, &why);
}

/* The states that the store keeps for each end of a run. */
static const char *const end_states[] = {
	[RUNNER_DONE] = RUN_DONE,
	[RUNNER_INTERRUPTED] = RUN_INTERRUPTED,
	[RUNNER_NOBODY] = RUN_STOPPED,
	[RUNNER_FAILED] = RUN_FAILED,
	[RUNNER_LOST] = RUN_FAILED,
	[RUNNER_STORE] = RUN_FAILED,
};

static void
add_resume(const struct play *play)
{
	error_detail("try", VERSION_NAME " resume %s", play->run->path);
}

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
		    ? report_exit_status(play->view.verdict.outcome)
		    : STATUS_DONE;
	case RUNNER_INTERRUPTED:
		fprintf(stderr, "interrupted: %lld blocks are kept\n",
		    (long long)play->tournament->taken);
		status = (enum status)(128 + outcome->detail);
		break;
	case RUNNER_NOBODY:
		error_print(
		    "%d of %d bots are suspended: nobody is left to play",
		    play->tournament->suspended_count,
		    play->setup->play.entrant_count);
		error_detail("where", "%s/log.txt", play->run->path);
		return STATUS_BOT;
	case RUNNER_FAILED:
		/* What the queue has refused was said. */
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
		error_detail("waited", "%lld s",
		    (long long)play->settings->call.disk_wait);
		status = STATUS_LATER;
		break;
	}
	if (outcome->dropped > 0)
		error_detail("lost",
		    "%lld blocks could not be kept; they are played again",
		    (long long)outcome->dropped);
	add_resume(play);
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
	error_detail("hint", "name a file in a folder that you may write to");
	if (play->resumed)
		add_resume(play);
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
	int error;

	if (path == NULL) {
		run_path_join(log, play->run->path, RUN_LOG);
		path = log;
	}
	error = log_open(path, (enum log_level)settings->log.level);
	if (error)
		return output_open_error(play, "log", path, error);

	error = events_open(&play->events, settings->call.events);
	if (error) {
		log_close();
		return output_open_error(
		    play, "event", settings->call.events, error);
	}
	log_machine();
	progress_begin(&play->progress,
	    settings->game.quiet ? -1 : STDERR_FILENO, 0, clock_now_ns(),
	    play->tournament->taken, play->tournament->standings.games);
	return STATUS_DONE;
}

static enum status
close_outputs(struct play *play, enum status status)
{
	int error = events_close(&play->events);

	log_close();
	if (error) {
		error_print("event file \"%s\": %s",
		    play->settings->call.events, strerror(-error));
		if (status == STATUS_DONE)
			return STATUS_ENVIRONMENT;
	}
	return status;
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

	/*
	 * An earlier call may have stopped after the block that decided the
	 * gate.
	 */
	if (play->view.verdict.final)
		return (struct runner_outcome){ .end = RUNNER_DONE };
	if (play->remote->queue != NULL) {
		config.play = coordinator_run;
		config.player = &play->remote->config;
		return runner_run(&config, play->run, play->tournament);
	}
	run_path_join(path, play->run->path, LIVE_FILE);
	error = live_open(&live, path, setup->play.concurrency,
	    sandbox_shuts_network(setup->play.rules.sandbox));
	if (error)
		log_print(LOG_WARN, "games cannot be watched: \"%s\": %s", path,
		    strerror(-error));
	else
		config.dispatcher.rules.live = &live;
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

enum status
run_trace_open(struct tournament_setup *setup, const char *path)
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
		enum status written =
		    report_write(&play->view, settings->call.report);

		if (status == STATUS_DONE)
			status = written;
	}
	return status;
}

enum status
run_play(struct tournament_setup *setup, struct run *run,
    struct tournament *tournament, struct run_remote *remote, bool resumed)
{
	static struct play play;
	struct runner_outcome outcome;
	enum status printed, kept = STATUS_DONE;
	enum status status = hide(setup, run);

	if (status != STATUS_DONE)
		return status;
	play = (struct play){
		.setup = setup,
		.run = run,
		.tournament = tournament,
		.remote = remote,
		.settings = setup->settings,
		.resumed = resumed,
	};
	status = run_trace_open(setup, run->path);
	if (status != STATUS_DONE && !resumed)
		run_discard(run);
	if (status == STATUS_DONE)
		status = run_remote_start(remote, setup, run, on_remote, &play);
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
	events_run_end(&play.events, &play.view.view, (int)status);
	run_view_close(&play.view);
	return close_outputs(&play, status);
}
