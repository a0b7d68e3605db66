#include "bot_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "child.h"
#include "clock.h"
#include "test.h"

static void
bot_log_note(
    struct bot_log *bot_log, const char *word, const char *bytes, size_t length)
{
	assert_true(bot_log->length + 200 < BOT_LOG_SIZE);
	bot_log->length += (size_t)sprintf(bot_log->text + bot_log->length,
	    "%s%s", word, length > 0 ? " " : "");
	if (length > 100)
		length = 100;
	bot_log->length +=
	    escape_bytes(bytes, length, false, bot_log->text + bot_log->length,
		BOT_LOG_SIZE - bot_log->length - 2);
	strcpy(bot_log->text + bot_log->length++, "\n");
}

static void
bot_log_on_start(struct bot *bot)
{
	bot_log_note(bot_context(bot), "start", "", 0);
}

static void
bot_log_on_line(
    struct bot *bot, const char *bytes, size_t length, int64_t received_ns)
{
	struct bot_log *bot_log = bot_context(bot);

	assert_int_equal(strlen(bytes), length);
	bot_log->line_count++;
	bot_log->received_ns = received_ns;
	if (bot_log->line_count < 500)
		bot_log_note(bot_log, "line", bytes, length);
	if (bot_log->marking)
		bot_mark(bot);
	if (bot_log->stopping)
		bot_stop(bot, NULL, clock_now_ns() + CLOCK_NS_PER_S);
}

static void
bot_log_on_flaw(struct bot *bot, enum bot_flaw flaw, const char *bytes,
    size_t length, int64_t received_ns)
{
	struct bot_log *bot_log = bot_context(bot);

	bot_log->received_ns = received_ns;
	switch (flaw) {
	case BOT_FLAW_BAD_BYTE:
		bot_log_note(bot_log, "bad", bytes, length);
		break;
	case BOT_FLAW_TOO_LONG:
		assert_int_equal(length, LINE_SIZE_MAX);
		bot_log_note(bot_log, "long", "", 0);
		break;
	case BOT_FLAW_FLOOD:
		assert_int_equal(length, 0);
		bot_log_note(bot_log, "flood", "", 0);
		break;
	}
}

static void
bot_log_on_flushed(struct bot *bot, int64_t handed_ns)
{
	assert_true(handed_ns <= clock_now_ns());
	bot_log_note(bot_context(bot), "flushed", "", 0);
}

static void
bot_log_on_eof(struct bot *bot)
{
	bot_log_note(bot_context(bot), "eof", "", 0);
}

static void
bot_log_on_exit(struct bot *bot, const struct bot_exit *exit)
{
	struct bot_log *bot_log = bot_context(bot);

	assert_true(bot_dead(bot));
	bot_log->exit = *exit;
	bot_log_note(bot_log, "exit", exit->sentence, strlen(exit->sentence));
	if (!bot_log->closing)
		return;
	bot_close(bot);
	bot_log->bot = NULL;
}

static const struct bot_events bot_log_events = {
	.on_start = bot_log_on_start,
	.on_line = bot_log_on_line,
	.on_flaw = bot_log_on_flaw,
	.on_flushed = bot_log_on_flushed,
	.on_eof = bot_log_on_eof,
	.on_exit = bot_log_on_exit,
};

void
bot_log_open_file(struct bot_log *bot_log, struct loop *loop, const char *path,
    const char *const *arguments)
{
	const struct bot_options options = {
		.path = path,
		.arguments = arguments,
		.events = &bot_log_events,
		.context = bot_log,
	};

	memset(bot_log, 0, sizeof(*bot_log));
	bot_log->loop = loop;
	assert_int_equal(bot_open(&bot_log->bot, loop, &options), 0);
	assert_true(bot_pid(bot_log->bot) > 0);
}

void
bot_log_open(struct bot_log *bot_log, struct loop *loop, const char *vice,
    const char *argument)
{
	const char *arguments[] = { "bot", CHILD_ROLE, vice, argument, NULL };

	bot_log_open_file(bot_log, loop, "/proc/self/exe", arguments);
}

void
bot_log_wait(struct bot_log *bot_log, const char *end)
{
	int64_t limit_ns = clock_now_ns() + 60 * CLOCK_NS_PER_S;

	while (strstr(bot_log->text, end) == NULL) {
		if (clock_now_ns() > limit_ns)
			fail_msg("no \"%s\" in:\n%s", end, bot_log->text);
		assert_int_equal(loop_step(bot_log->loop, limit_ns), 0);
	}
}

void
bot_log_close(struct bot_log *bot_log)
{
	bot_log_wait(bot_log, "exit ");
	bot_close(bot_log->bot);
	bot_log->bot = NULL;
}

void
bot_log_finish(struct bot_log *bot_log)
{
	bot_kill(bot_log->bot);
	bot_log_close(bot_log);
}

int
bot_log_count(const struct bot_log *bot_log, const char *piece)
{
	const char *found = bot_log->text;
	int count = 0;

	while ((found = strstr(found, piece)) != NULL) {
		found += strlen(piece);
		count++;
	}
	return count;
}
