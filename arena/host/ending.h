/*
 * How a bot came to its end, as data and as a sentence.
 */
#ifndef ENDING_H
#define ENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "supervisor.h"

struct launcher_report;
struct process_end;

enum { BOT_SENTENCE_SIZE = 512 };

enum bot_end {
	BOT_END_EXIT,   /* code: exit status */
	BOT_END_SIGNAL, /* code: signal number */
	BOT_END_EXEC,   /* it never ran: its file or folder; code: errno */
	BOT_END_HOST    /* the machine's fault and never its own; code: errno */
};

struct bot_exit {
	enum bot_end end;
	int code;
	bool killed;                 /* by us, and not by itself or others */
	enum supervisor_limit limit; /* at which the arena killed it */
	bool stopped;                /* bot_stop() or bot_kill() came first */
	int64_t user_ns; /* CPU time of the bot and its reaped children */
	int64_t system_ns;
	int64_t rss_max_bytes;
	size_t unfinished; /* bytes of a last line without LF: did not count */
	char sentence[BOT_SENTENCE_SIZE]; /* `exited with status 3`.. */
};

/*
 * Sets end, code, sentence, times and size, and clears `killed` where the
 * death was another.  `failure` is the launcher's report (NULL: the program
 * ran); `host_error` is why we could not go on with it, or 0.
 */
void bot_exit_describe(struct bot_exit *exit, const struct process_end *end,
    const struct launcher_report *failure, int host_error);

#endif
