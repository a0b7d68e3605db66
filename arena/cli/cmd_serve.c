/*
 * The command serve: shows runs in a browser, live.
 *
 * One process with one event loop.  Its priority is low, so that it does not
 * take the processor from bots.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "command.h"
#include "error_message.h"
#include "http.h"
#include "loop.h"
#include "serve_runs.h"
#include "version.h"

enum { PORT_MAX = 65535, SERVE_NICE = 10 };

struct serve_settings {
	const char *host;
	int64_t port;
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
	case ENOENT:
		return error_usage(
		    NULL, "--host: there is no host \"%s\"", settings->host);
	case EADDRINUSE:
		return error_status(STATUS_ENVIRONMENT,
		    "another program listens there",
		    VERSION_NAME " serve --port 0",
		    "port %d of \"%s\" is taken", (int)settings->port,
		    settings->host);
	default:
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the server cannot listen on port %d of \"%s\": %s",
		    (int)settings->port, settings->host, strerror(-error));
	}
}

/* What is served; on_signal() needs all of it. */
struct serving {
	struct loop *loop;
	struct http *http;
	struct serve_runs *runs;
};

static void
on_signal(void *context, int signal)
{
	struct serving *serving = context;

	(void)signal;
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
	fflush(stdout);
	if (!http_is_local(serving->http))
		fprintf(stderr,
		    "warning: everybody who reaches %s sees these runs\n", url);
	error = loop_run(serving->loop);
	return error ? serving_error(error) : STATUS_DONE;
}

static enum status
serve_run(const void *given, char **argv)
{
	const struct serve_settings *settings = given;
	const struct http_config config = {
		.host = settings->host,
		.port = (uint16_t)settings->port,
	};
	struct serving serving = { 0 };
	enum status status;
	int error = loop_open(&serving.loop);

	if (error)
		return serving_error(error);
	error = http_open(&serving.http, serving.loop, &config);
	if (error)
		status = open_error(settings, error);
	else
		status = open_runs(&serving, argv);
	if (status == STATUS_DONE) {
		(void)setpriority(PRIO_PROCESS, 0, SERVE_NICE);
		status = serve(&serving);
	}
	http_close(serving.http);
	serve_runs_close(serving.runs);
	loop_close(serving.loop);
	return status;
}

static const struct option serve_options[] = {
	INT_OPTION("port", "N", offsetof(struct serve_settings, port), 0,
	    PORT_MAX, "The port to listen on; 0: any that is free.",
	    .fallback = "8080"),
	TEXT_OPTION("host", "ADDRESS", offsetof(struct serve_settings, host),
	    "The address to listen on. Only this machine reaches the default; "
	    "there is no password.",
	    .fallback = "127.0.0.1"),
	OPTIONS_END,
};

const struct command command_serve = {
	.name = "serve",
	.sentence = "Shows runs in a browser, live while they are played.",
	.detail = "The first line of the output is the address of the page. "
		  "Runs are only read. Ctrl-C ends the server.",
	.usage = "[RUN|FOLDER]...",
	.arguments = { { "RUN|FOLDER",
	    "The folder of a run, or a folder with runs in it; without any, "
	    "runs/." } },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "serve", "serve runs/2026-11-21-101500-cup --port 0" },
	.options = serve_options,
	.settings_size = sizeof(struct serve_settings),
	.run = serve_run,
};
