#include "ending.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "launcher.h"
#include "process.h"

static void
describe_death(struct bot_exit *exit, const struct process_end *end)
{
	const char *name;

	exit->code = end->code;
	exit->limit = end->limit;
	if (end->limit == SUPERVISOR_MEMORY) {
		exit->end = BOT_END_SIGNAL;
		exit->killed = false;
		snprintf(exit->sentence, sizeof(exit->sentence),
		    "was killed at its limit of memory");
		return;
	}
	if (!end->by_signal) {
		exit->end = BOT_END_EXIT;
		exit->killed = false;
		snprintf(exit->sentence, sizeof(exit->sentence),
		    "exited with status %d", end->code);
		return;
	}
	exit->end = BOT_END_SIGNAL;
	/* A launcher that is not yet a supervisor ends by our word alone. */
	if (exit->killed && (end->code == SIGKILL || end->lost)) {
		snprintf(exit->sentence, sizeof(exit->sentence),
		    "was killed by the arena");
		return;
	}
	exit->killed = false;
	name = sigabbrev_np(end->code);
	snprintf(exit->sentence, sizeof(exit->sentence),
	    "died of signal %d (SIG%s)", end->code, name == NULL ? "?" : name);
}

/* A file that does not run is the bot's matter; want of memory is not. */
static enum bot_end
failure_end(const struct launcher_report *failure)
{
	if (failure->step != LAUNCHER_DIRECTORY &&
	    failure->step != LAUNCHER_EXECUTE)
		return BOT_END_HOST;
	switch (failure->error) {
	case EAGAIN:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return BOT_END_HOST;
	default:
		return BOT_END_EXEC;
	}
}

void
bot_exit_describe(struct bot_exit *exit, const struct process_end *end,
    const struct launcher_report *failure, int host_error)
{
	exit->limit = SUPERVISOR_NO_LIMIT;
	exit->user_ns = end->user_ns;
	exit->system_ns = end->system_ns;
	exit->rss_max_bytes = end->rss_max_bytes;
	if (host_error != 0) {
		exit->end = BOT_END_HOST;
		exit->code = host_error;
		exit->killed = false;
		snprintf(exit->sentence, sizeof(exit->sentence),
		    "could not be served any longer: %s", strerror(host_error));
	} else if (failure == NULL && end->lost && !exit->killed) {
		exit->end = BOT_END_HOST;
		exit->code = EOWNERDEAD;
		snprintf(exit->sentence, sizeof(exit->sentence),
		    "lost its supervisor to signal %d", end->code);
	} else if (failure != NULL) {
		exit->end = failure_end(failure);
		exit->code = failure->error;
		exit->killed = false;
		snprintf(exit->sentence, sizeof(exit->sentence), "%.*s",
		    LAUNCHER_SENTENCE_SIZE - 1, failure->sentence);
	} else {
		describe_death(exit, end);
	}
}
