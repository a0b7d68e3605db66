#include "witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "clock.h"
#include "escape.h"
#include "test.h"

static void
witness_note(
    struct witness *witness, const char *word, const char *bytes, size_t length)
{
	assert_true(witness->length + 200 < WITNESS_SIZE);
	witness->length += (size_t)sprintf(witness->text + witness->length,
	    "%s%s", word, length > 0 ? " " : "");
	if (length > 100)
		length = 100;
	witness->length +=
	    escape_bytes(bytes, length, false, witness->text + witness->length,
		WITNESS_SIZE - witness->length - 2);
	strcpy(witness->text + witness->length++, "\n");
}

static void
witness_on_start(struct bot *bot)
{
	witness_note(bot_context(bot), "start", "", 0);
}

static void
witness_on_line(
    struct bot *bot, const char *bytes, size_t length, int64_t received_ns)
{
	struct witness *witness = bot_context(bot);

	assert_int_equal(strlen(bytes), length);
	witness->line_count++;
	witness->received_ns = received_ns;
	if (witness->line_count < 500)
		witness_note(witness, "line", bytes, length);
	if (witness->marking)
		bot_mark(bot);
	if (witness->stopping)
		bot_stop(bot, NULL, clock_now_ns() + CLOCK_NS_PER_S);
}

static void
witness_on_flaw(struct bot *bot, enum bot_flaw flaw, const char *bytes,
    size_t length, int64_t received_ns)
{
	struct witness *witness = bot_context(bot);

	witness->received_ns = received_ns;
	switch (flaw) {
	case BOT_FLAW_BAD_BYTE:
		witness_note(witness, "bad", bytes, length);
		break;
	case BOT_FLAW_TOO_LONG:
		assert_int_equal(length, LINE_SIZE_MAX);
		witness_note(witness, "long", "", 0);
		break;
	case BOT_FLAW_FLOOD:
		assert_int_equal(length, 0);
		witness_note(witness, "flood", "", 0);
		break;
	}
}

static void
witness_on_flushed(struct bot *bot, int64_t handed_ns)
{
	assert_true(handed_ns <= clock_now_ns());
	witness_note(bot_context(bot), "flushed", "", 0);
}

static void
witness_on_eof(struct bot *bot)
{
	witness_note(bot_context(bot), "eof", "", 0);
}

static void
witness_on_exit(struct bot *bot, const struct bot_exit *exit)
{
	struct witness *witness = bot_context(bot);

	assert_true(bot_dead(bot));
	witness->exit = *exit;
	witness_note(witness, "exit", exit->sentence, strlen(exit->sentence));
	if (!witness->closing)
		return;
	bot_close(bot);
	witness->bot = NULL;
}

static const struct bot_events witness_events = {
	.on_start = witness_on_start,
	.on_line = witness_on_line,
	.on_flaw = witness_on_flaw,
	.on_flushed = witness_on_flushed,
	.on_eof = witness_on_eof,
	.on_exit = witness_on_exit,
};

void
witness_open_file(struct witness *witness, struct loop *loop, const char *path,
    const char *const *arguments)
{
	const struct bot_options options = {
		.path = path,
		.arguments = arguments,
		.events = &witness_events,
		.context = witness,
	};

	memset(witness, 0, sizeof(*witness));
	witness->loop = loop;
	assert_int_equal(bot_open(&witness->bot, loop, &options), 0);
	assert_true(bot_pid(witness->bot) > 0);
}

void
witness_open(struct witness *witness, struct loop *loop, const char *vice,
    const char *argument)
{
	const char *arguments[] = { "bot", CHILD_ROLE, vice, argument, NULL };

	witness_open_file(witness, loop, "/proc/self/exe", arguments);
}

void
witness_wait(struct witness *witness, const char *end)
{
	int64_t limit_ns = clock_now_ns() + 60 * CLOCK_NS_PER_S;

	while (strstr(witness->text, end) == NULL) {
		if (clock_now_ns() > limit_ns)
			fail_msg("no \"%s\" in:\n%s", end, witness->text);
		assert_int_equal(loop_step(witness->loop, limit_ns), 0);
	}
}

void
witness_close(struct witness *witness)
{
	witness_wait(witness, "exit ");
	bot_close(witness->bot);
	witness->bot = NULL;
}

void
witness_finish(struct witness *witness)
{
	bot_kill(witness->bot);
	witness_close(witness);
}

int
witness_count(const struct witness *witness, const char *piece)
{
	const char *found = witness->text;
	int count = 0;

	while ((found = strstr(found, piece)) != NULL) {
		found += strlen(piece);
		count++;
	}
	return count;
}
