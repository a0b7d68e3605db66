/*
 * The command resume: continues a run from the results in its store.
 *
 * The configuration of the run decides what is played.  Options of this call
 * only change how it is played: concurrency, cores, output, and the sandbox
 * level.
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
	struct game_settings game; /* options of this call */
	struct call_words call;
	struct contributions contributions;
	struct shard shard;
	int sandbox;       /* index in `sandboxes` */
	const char *store; /* URL; `none`: this machine; NULL: as it began */
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
		    "put the old files back, or begin a new run: results of "
		    "two bots must not be mixed");
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
		opened->settings.remote.store = settings->store;
	}
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
	static struct run_opened opened;
	static struct run_remote remote;
	const struct resume_settings *settings = given;
	char path[PATH_MAX];
	enum status status = run_open_find(argv[0], path);

	if (status != STATUS_DONE)
		return status;
	status = run_open_whole(&opened, path, ENTRANT_TO_PLAY);
	if (status == STATUS_DONE &&
	    (settings->contributions.count > 0 || settings->shard.count > 0))
		status = complete(settings, &opened, path);
	if (status != STATUS_DONE)
		return status;
	status = check_bots(&opened);
	if (status == STATUS_DONE)
		status = apply_call(settings, &opened);
	if (status == STATUS_DONE)
		status = game_setup_sandbox(&opened.settings.game, NULL,
		    &opened.setup.sandbox, &opened.setup.play);
	if (status == STATUS_DONE)
		status = run_trace_open(&opened.setup, opened.run.path);
	if (status == STATUS_DONE)
		status = run_remote_open(&remote, &opened.setup);
	if (status == STATUS_DONE)
		/* No game is lost by a bot that cannot start here. */
		status = tournament_setup_preflight(
		    &opened.setup, opened.tournament.suspended, NULL);
	if (status == STATUS_DONE)
		status = run_remote_prepare(&remote, &opened.setup);
	if (status == STATUS_DONE)
		status = run_play(&opened.setup, &opened.run,
		    &opened.tournament, &remote, true);
	run_remote_close(&remote);
	run_open_close(&opened);
	return status;
}

#define FIELD(name) offsetof(struct resume_settings, name)

static const struct option options[] = {
	TABLE_OPTION("this call", game_call_options, FIELD(game)),
	TABLE_OPTION(NULL, call_options, FIELD(call)),
	INT_OPTION("concurrency", "N", FIELD(game.concurrency), 1,
	    CONCURRENCY_MAX, "Games at once. Without it as the run began.",
	    .unit = "games"),
	NAME_OPTION("sandbox", "same|off|auto|require", FIELD(sandbox),
	    sandboxes,
	    "What confines bots from now on: as the run began, none, the best "
	    "that this machine has, or those behind which all that a bot "
	    "starts dies with it.",
	    .fallback = "same"),
	TEXT_OPTION("store", "URL", FIELD(store),
	    "The database of the queue, where the run keeps no password, or "
	    "has moved. `none`: go on with the run on this machine."),
	REFUSED_OPTION("analysis",
	    "a run is for analysis from its first game on, or not at all."),
	PARSED_OPTION("contribution", "NAME=HEX", FIELD(contributions),
	    contribution_parse,
	    "Of a run that was announced: mix what somebody contributes into "
	    "the secret of the packs, before the first deal; may be repeated."),
	PARSED_OPTION("shard", "I/N", FIELD(shard), shard_parse,
	    "Of a run that was announced: play only the Ith of each N blocks. "
	    "Each of N machines has a copy of the folder of the run, and "
	    "`" VERSION_NAME " record merge` joins them."),
	OPTIONS_END,
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
	.arguments = { { "RUN",
	    "The folder of a run; without it, the newest below runs/." } },
	.argument_max = 1,
	.examples = { "resume",
	    "resume runs/2026-11-21-101500-cup --concurrency 16",
	    "resume cup --contribution anna=00c0ffee --contribution bruno=1f" },
	.options = options,
	.settings_size = sizeof(struct resume_settings),
	.run = resume_run,
};
