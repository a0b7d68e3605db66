/*
 * resume: goes on with a run, from what its store has.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "countof.h"
#include "error_message.h"
#include "run_open.h"
#include "run_play.h"
#include "version.h"

struct resume_settings {
	struct game_settings game; /* of this call */
	struct call_words call;
	struct contributions contributions;
	int sandbox; /* index into sandboxes */
};

/* As the run began, or a word of game_sandboxes. */
static const char *const sandboxes[] = { "same", "off", "auto", "require",
	NULL };

_Static_assert(COUNTOF(sandboxes) == SANDBOX_COUNT + 2,
    "one word more than there are kinds of walls");

/* A bot whose files have changed is another bot. */
static enum status
check_bots(const struct run_opened *opened)
{
	const struct store_head *head = &opened->run.head;

	for (int bot = 0; bot < head->bot_count; bot++) {
		char digest[sizeof(head->bots[bot].digest)];
		int error =
		    run_bot_digest(&opened->setup.entrants[bot], digest);

		if (!error && strcmp(digest, head->bots[bot].digest) == 0)
			continue;
		if (error)
			error_print("bot \"%s\": its files cannot be read: "
				    "%s",
			    head->bots[bot].name, strerror(-error));
		else
			error_print("bot \"%s\" has changed since the run "
				    "began",
			    head->bots[bot].name);
		error_detail("command", "%s", head->bots[bot].command);
		error_detail("hint",
		    "put the old files back, or begin a new run: results of "
		    "two bots must not be mixed");
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}

/* No game may be lost because something is missing here and now. */
static enum status
call_roll(const struct run_opened *opened)
{
	static struct preflight_result rolls[TOURNAMENT_BOTS_MAX];

	return tournament_setup_call(
	    &opened->setup, opened->tournament.suspended, rolls);
}

/* Only the way of playing may differ from call to call. */
static enum status
apply_call(
    const struct resume_settings *settings, struct tournament_setup *setup)
{
	if (settings->game.concurrency > 0)
		setup->concurrency = (int)settings->game.concurrency;
	if (settings->game.thinkers.given)
		setup->thinkers = settings->game.thinkers.count;
	return game_setup_pin(&settings->game, &setup->pin, &setup->cores);
}

/* A machine may have other walls than the one where the run began. */
static enum status
raise_walls(const struct resume_settings *settings, struct run_opened *opened)
{
	struct game_settings *game = &opened->settings.game;
	enum status status;

	game->quiet = settings->game.quiet;
	if (settings->sandbox > 0)
		game->sandbox = settings->sandbox - 1;
	status = game_setup_walls(
	    game, NULL, &opened->setup.sandbox, &opened->setup.rules);
	if (status == STATUS_DONE)
		entrants_weaken(opened->setup.entrants,
		    opened->setup.entrant_count, game->quiet,
		    &opened->setup.sandbox);
	return status;
}

/* Takes them in, and opens the run as it is with them. */
static enum status
contribute(const struct resume_settings *settings, struct run_opened *opened,
    const char *path)
{
	enum status status =
	    run_fair_contribute(opened, &settings->contributions);

	run_open_close(opened);
	return status == STATUS_DONE
	    ? run_open_whole(opened, path, ENTRANT_TO_PLAY)
	    : status;
}

static enum status
resume_run(const void *given, int argc, char **argv)
{
	static struct run_opened opened;
	const struct resume_settings *settings = given;
	const struct run_manner manner = {
		.resumed = true,
		.json = settings->game.json,
		.quiet = settings->game.quiet,
		.log_level = LOG_INFO,
		.call = settings->call,
	};
	char path[PATH_MAX];
	enum status status = run_open_find(argc > 0 ? argv[0] : NULL, path);

	if (status != STATUS_DONE)
		return status;
	status = run_open_whole(&opened, path, ENTRANT_TO_PLAY);
	if (status == STATUS_DONE && settings->contributions.count > 0)
		status = contribute(settings, &opened, path);
	if (status != STATUS_DONE)
		return status;
	status = check_bots(&opened);
	if (status == STATUS_DONE)
		status = apply_call(settings, &opened.setup);
	if (status == STATUS_DONE)
		status = raise_walls(settings, &opened);
	if (status == STATUS_DONE)
		status = call_roll(&opened);
	if (status == STATUS_DONE)
		status = run_play(
		    &opened.setup, &opened.run, &opened.tournament, &manner);
	run_open_close(&opened);
	return status;
}

static const struct command_argument arguments[] = {
	{ "RUN", "The folder of a run; without it, the newest below runs/." },
};

static const struct option options[] = {
	GAME_OPTIONS(
	    "this call", game_call_options, struct resume_settings, game),
	GAME_OPTIONS(NULL, call_options, struct resume_settings, call),
	{ .name = "concurrency",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Games at once. Without it as the run began.",
	    .unit = "games",
	    .min = 1,
	    .max = CONCURRENCY_MAX,
	    .offset = offsetof(struct resume_settings, game.concurrency) },
	{ .name = "sandbox",
	    .kind = OPTION_NAME,
	    .value = "same|off|auto|require",
	    .names = sandboxes,
	    .sentence = "Walls around bots from now on: as the run began, "
			"none, the best that this machine has, or those "
			"behind which all that a bot starts dies with it.",
	    .fallback = "same",
	    .offset = offsetof(struct resume_settings, sandbox) },
	{ .name = "analysis",
	    .kind = OPTION_REFUSED,
	    .sentence = "a run is for analysis from its first game on, or "
			"not at all." },
	{ .name = "contribution",
	    .kind = OPTION_PARSED,
	    .value = "NAME=HEX",
	    .sentence = "Of a run that was announced: mix what somebody "
			"contributes into the secret of the packs, before the "
			"first deal; may be repeated.",
	    .parse = contribution_parse,
	    .offset = offsetof(struct resume_settings, contributions) },
};

static const char *const examples[] = {
	VERSION_NAME " resume",
	VERSION_NAME " resume runs/2026-11-21-101500-cup --concurrency 16",
	VERSION_NAME " resume cup --contribution anna=00c0ffee "
		     "--contribution bruno=1f",
	NULL,
};

const struct command command_resume = {
	.name = "resume",
	.sentence = "Goes on with a run that was interrupted, killed or cut "
		    "off.",
	.detail = "Nothing that is in the results is played twice, and the "
		  "end is the same as without the interruption. A bot whose "
		  "files have changed is refused, and so is another "
		  "configuration than the one the run began with.",
	.usage = "[RUN]",
	.arguments = arguments,
	.argument_kinds = COUNTOF(arguments),
	.argument_max = 1,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct resume_settings),
	.run = resume_run,
};
