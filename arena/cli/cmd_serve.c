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

static void
on_signal(void *context, int signal)
{
	(void)signal;
	loop_stop(context);
}

/* Serves until a signal comes. */
static enum status
serve(struct loop *loop, struct http *http, char **paths)
{
	struct serve_runs *runs;
	const char *path = NULL;
	int error = serve_runs_open(&runs, loop, http, paths, &path);

	if (path != NULL)
		return error_usage("name the folder of a run, or one with runs "
				   "in it",
		    "there is no folder \"%s\"", path);
	if (!error)
		error = loop_signals(loop, on_signal, loop);
	if (!error) {
		printf("%s%s\n", http_url(http), serve_runs_first(runs));
		fflush(stdout);
		if (!http_is_local(http))
			fprintf(stderr,
			    "warning: everybody who reaches %s can see these "
			    "runs\n",
			    http_url(http));
		error = loop_run(loop);
	}
	http_close(http);
	serve_runs_close(runs);
	if (error)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the server cannot run: %s", strerror(-error));
	return STATUS_DONE;
}

static enum status
serve_run(const void *given, char **argv)
{
	const struct serve_settings *settings = given;
	const struct http_config config = {
		.host = settings->host,
		.port = (uint16_t)settings->port,
	};
	struct loop *loop;
	struct http *http = NULL;
	enum status status;
	int error = loop_open(&loop);

	if (error)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the server cannot run: %s", strerror(-error));
	error = http_open(&http, loop, &config);
	if (error) {
		status = open_error(settings, error);
	} else {
		(void)setpriority(PRIO_PROCESS, 0, SERVE_NICE);
		status = serve(loop, http, argv);
	}
	loop_close(loop);
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
