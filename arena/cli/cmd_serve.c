/*
 * The command serve: shows runs in a browser, live, and lets persons play.
 *
 * It is one process with one event loop.  Its priority is low, so that bots of
 * runs are not slowed.  With --play the priority is not changed, because bots
 * that it starts have the priority of this process.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "command.h"
#include "serve.h"
#include "version.h"

enum { PORT_MAX = 65535, SERVE_NICE = 10 };

struct serve_settings {
	const char *host;
	int64_t port;
	struct serve_play_settings play;
};

static enum status
open_error(const struct serve_settings *settings, int error)
{
	switch (-error) {
	case EOPNOTSUPP:
		return error_status(STATUS_ENVIRONMENT,
		    "install libmicrohttpd (libmicrohttpd-dev) and build the "
		    "program again",
		    NULL, "this program was built without a server");
	case ENOPKG:
		return error_status(STATUS_ENVIRONMENT,
		    "install libmicrohttpd (libmicrohttpd12 on Debian)", NULL,
		    "the server needs " HTTP_LIBRARY ", which is not there");
	case ENOENT:
		return error_usage(
		    NULL, "--host: there is no host \"%s\"", settings->host);
	case EADDRINUSE:
		return error_status(STATUS_ENVIRONMENT,
		    "another program listens there",
		    VERSION_NAME " serve --port 0",
		    "port %d of \"%s\" is in use", (int)settings->port,
		    settings->host);
	default:
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the server cannot listen on port %d of \"%s\": %s",
		    (int)settings->port, settings->host, strerror(-error));
	}
}

/* The parts of the server, for on_signal(). */
struct serving {
	struct loop *loop;
	struct http *http;
	struct serve_runs *runs;
	struct serve_play *play; /* NULL: no person may play */
};

/* A second signal does not wait for the bots of games. */
static void
on_signal(void *context, int signal)
{
	struct serving *serving = context;

	(void)signal;
	if (serving->play != NULL)
		serve_play_stop(serving->play);
	else
		loop_stop(serving->loop);
}

static enum status
serving_error(int error)
{
	return error_status(STATUS_ENVIRONMENT, NULL, NULL,
	    "the server cannot run: %s", strerror(-error));
}

/* Opens the pages of runs. */
static enum status
open_runs(struct serving *serving, char **paths)
{
	const char *path = NULL;
	int error = serve_runs_open(
	    &serving->runs, serving->loop, serving->http, paths, &path);

	if (path != NULL)
		return error_usage("name the folder of a run, or one with runs "
				   "in it",
		    "there is no folder \"%s\"", path);
	return error ? serving_error(error) : STATUS_DONE;
}

/* Prints the address, and serves until a signal comes. */
static enum status
serve(struct serving *serving)
{
	const char *url = http_url(serving->http);
	int error = loop_signals(serving->loop, on_signal, serving);

	if (error)
		return serving_error(error);
	printf("%s%s\n", url, serve_runs_first(serving->runs));
	if (serving->play != NULL)
		printf("%s%s\n", url, serve_play_path(serving->play));
	/* command_run() reports it. */
	if (fflush(stdout) != 0)
		return STATUS_ENVIRONMENT;
	if (!http_is_local(serving->http))
		fprintf(stderr,
		    "warning: everybody who reaches %s sees these runs\n", url);
	error = loop_run(serving->loop);
	return error ? serving_error(error) : STATUS_DONE;
}

/* Returns an option that has no effect without --play, or NULL. */
static const char *
idle_option(const struct serve_play_settings *settings)
{
	const struct play_settings *play = &settings->play;

	if (settings->enabled)
		return NULL;
	return play->game.bot_count > 0                     ? "bot"
	    : play->timed                                   ? "clock"
	    : settings->grace_s != atoll(SERVE_GRACE_USUAL) ? "grace"
	    : strcmp(play->hint, PLAY_BOT_USUAL) != 0       ? "hint"
	    : play->names != NULL                           ? "name"
	    : play->persons != 1                            ? "person"
	    : play->record != NULL                          ? "record"
							    : NULL;
}

static enum status
serve_run(const void *given, char **argv)
{
	const struct serve_settings *settings = given;
	const char *idle = idle_option(&settings->play);
	struct serving serving = { 0 };
	enum status status;
	int error;

	if (idle != NULL)
		return error_usage("add --play, or leave it out",
		    "--%s without --play: it is about persons who play", idle);
	error = loop_open(&serving.loop);
	if (error)
		return serving_error(error);
	error = http_open(&serving.http, serving.loop, settings->host,
	    (uint16_t)settings->port);
	if (error)
		status = open_error(settings, error);
	else
		status = open_runs(&serving, argv);
	if (status == STATUS_DONE && settings->play.enabled)
		status = serve_play_open(
		    &serving.play, &settings->play, serving.loop, serving.http);
	else if (status == STATUS_DONE)
		(void)setpriority(PRIO_PROCESS, 0, SERVE_NICE);
	if (status == STATUS_DONE)
		status = serve(&serving);
	serve_play_close(serving.play);
	http_close(serving.http);
	serve_runs_close(serving.runs);
	loop_close(serving.loop);
	return status;
}

#define FIELD(name) offsetof(struct serve_settings, name)

static const struct option server_options[] = {
	INT_OPTION("port", "N", FIELD(port), 0, PORT_MAX,
	    "The port to listen on; 0: any free port.", .fallback = "8080"),
	TEXT_OPTION("host", "ADDRESS", FIELD(host),
	    "The address to listen on. Only this machine can reach the default "
	    "address. There is no password.",
	    .fallback = "127.0.0.1"),
	OPTIONS_END,
};

static const struct option options[] = {
	TABLE_OPTION("server", server_options, 0),
	TABLE_OPTION("persons", serve_play_options, FIELD(play)),
	TABLE_OPTION(NULL, play_person_options, FIELD(play.play)),
	GAME_BOT_TABLES(FIELD(play.play.game)),
	TABLE_OPTION("game", game_rule_options, FIELD(play.play.game)),
	GAME_TIME_TABLE(FIELD(play.play.game)),
	OPTIONS_END,
};

const struct command command_serve = {
	.name = "serve",
	.sentence = "Shows runs in a browser, live while they are played.",
	.detail = "The first line of the output is the address of the page. "
		  "Runs are only read. With --play the second line is an "
		  "address at which persons play against bots. Everybody who "
		  "has this address can play, so it is secret. Ctrl-C ends the "
		  "server and stops all games; `play --resume` continues them.",
	.usage = "[RUN|FOLDER]...",
	.arguments = { { "RUN|FOLDER",
	    "The folder of a run, or a folder with runs in it. Without it: "
	    "runs/." } },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "serve", "serve runs/2026-11-21-101500-league --port 0",
	    "serve --play --rules cirulla --bot @greedy" },
	.options = options,
	.settings_size = sizeof(struct serve_settings),
	.run = serve_run,
};
