#include "exit_reason.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void
exit_reason_of(const struct bot_exit *exit, char reason[SESSION_REASON_SIZE])
{
	const char *error = strerrorname_np(exit->code);

	switch (exit->end) {
	case BOT_END_EXIT:
		snprintf(reason, SESSION_REASON_SIZE, "EXIT(%d)", exit->code);
		break;
	case BOT_END_SIGNAL:
		if (exit->limit == SUPERVISOR_MEMORY) {
			snprintf(reason, SESSION_REASON_SIZE, "LIMIT_MEM");
			break;
		}
		snprintf(reason, SESSION_REASON_SIZE, "CRASH(%d)", exit->code);
		break;
	case BOT_END_EXEC:
	case BOT_END_HOST:
		/* Not an error of the system: the arena's own finding. */
		if (exit->code == ESTALE)
			error = "CHANGED";
		snprintf(reason, SESSION_REASON_SIZE, "EXEC_FAIL(%s)",
		    error ? error : "?");
		break;
	}
}
