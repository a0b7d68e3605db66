/*
 * A bot under observation: what it brings about is written down as text, a
 * line a call:
 *
 *	start | line TEXT | bad TEXT | long | flood | flushed | eof | exit WHY
 *
 * TEXT is escaped.
 */
#ifndef BOT_LOG_H
#define BOT_LOG_H

#include "bot.h"
#include "loop.h"

enum { BOT_LOG_SIZE = 64 * 1024 };

struct bot_log {
	struct bot *bot;
	struct loop *loop;
	bool marking;  /* every line is wanted */
	bool closing;  /* the bot is closed within on_exit */
	bool stopping; /* the bot is stopped within on_line */
	int line_count;
	int64_t received_ns; /* of the last line */
	struct bot_exit exit;
	size_t length;
	char text[BOT_LOG_SIZE];
};

/* Runs the test program's own `child VICE ARGUMENT` (NULL: none). */
void bot_log_open(struct bot_log *bot_log, struct loop *loop, const char *vice,
    const char *argument);

/* Runs any file. */
void bot_log_open_file(struct bot_log *bot_log, struct loop *loop,
    const char *path, const char *const *arguments);

/* Serves the loop until the text contains `end`; fails after a minute. */
void bot_log_wait(struct bot_log *bot_log, const char *end);

/* Waits for the bot's end, and closes it. */
void bot_log_close(struct bot_log *bot_log);

/* Kills it, if need be, and closes it. */
void bot_log_finish(struct bot_log *bot_log);

/* How often a piece of text stands there. */
int bot_log_count(const struct bot_log *bot_log, const char *piece);

#endif
