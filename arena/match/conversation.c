/*
 * Implements conversation.h.  The callbacks of the bot put what it does into a
 * queue, and conversation_next() takes the first entry.
 */
#include "conversation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "child_tracker.h"
#include "clock.h"
#include "match_head.h"

enum {
	OTHER_FDS =
	    64, /* descriptors of this process beside those of the bot */
	/* A line of the transcript is cut after this many bytes. */
	LINE_SHOWN_MAX = 4096
};

/* An entry of the queue. */
struct waiting {
	struct heard heard;
	STAILQ_ENTRY(waiting) link;
	char bytes[]; /* what heard.bytes points to */
};

void
transcript_init(struct transcript *transcript)
{
	*transcript = (struct transcript){ .since_ns = clock_now_ns() };
}

void
transcript_release(struct transcript *transcript)
{
	for (int i = 0; i < CONVERSATION_LINES_MAX; i++)
		free(transcript->lines[i].text);
}

/* Adds a line to the transcript, in place of the oldest one if it is full. */
static void
add_line(struct transcript *transcript, enum conversation_side side,
    const char *bytes, size_t length)
{
	int index =
	    (transcript->begin + transcript->count) % CONVERSATION_LINES_MAX;
	struct conversation_line *line = &transcript->lines[index];
	size_t shown = length < LINE_SHOWN_MAX ? length : LINE_SHOWN_MAX;
	char *text = malloc(4 * shown + 1);

	if (text == NULL) {
		transcript->failed = true;
		return;
	}
	escape_bytes(bytes, shown, false, text, 4 * shown + 1);
	if (transcript->count == CONVERSATION_LINES_MAX) {
		free(line->text);
		transcript->begin =
		    (transcript->begin + 1) % CONVERSATION_LINES_MAX;
	} else {
		transcript->count++;
	}
	*line = (struct conversation_line){
		.side = side,
		.ms = (double)(clock_now_ns() - transcript->since_ns) /
		    CLOCK_NS_PER_MS,
		.text = text,
	};
}

void
transcript_add_note(struct transcript *transcript, const char *sentence)
{
	add_line(transcript, CONVERSATION_NOTE, sentence, strlen(sentence));
}

/* Adds the lines that are sent to the bot. */
static void
add_sent(struct transcript *transcript, const char *bytes, size_t length)
{
	while (length > 0) {
		const char *end = memchr(bytes, '\n', length);
		size_t size = end ? (size_t)(end - bytes) : length;

		if (size >= 3 && memcmp(bytes, "go ", 3) == 0)
			transcript->since_ns = clock_now_ns();
		add_line(transcript, CONVERSATION_SENT, bytes, size);
		size += end != NULL;
		bytes += size;
		length -= size;
	}
}

void
transcript_add_traffic(
    struct transcript *transcript, const struct bot_traffic *traffic)
{
	switch (traffic->kind) {
	case BOT_SENT:
		add_sent(transcript, traffic->bytes, traffic->length);
		break;
	case BOT_RECEIVED:
	case BOT_RECEIVED_LONG:
		add_line(transcript, CONVERSATION_SAID, traffic->bytes,
		    traffic->length);
		break;
	case BOT_FLOODED:
		transcript_add_note(
		    transcript, "too much output, it is read no further");
		break;
	case BOT_UNSENT:
	case BOT_RECEIVED_REST:
	case BOT_PRINTED:
	case BOT_TRAFFIC_COUNT:
		break;
	}
}

const struct conversation_line *
transcript_line(const struct transcript *transcript, int index)
{
	return &transcript->lines[(transcript->begin + index) %
	    CONVERSATION_LINES_MAX];
}

static void
on_traffic(struct bot *bot, const struct bot_traffic *traffic)
{
	struct conversation *conversation = bot->context;

	transcript_add_traffic(&conversation->transcript, traffic);
}

static void
add_waiting(
    struct conversation *conversation, enum heard_kind kind, const char *text)
{
	size_t size = strlen(text) + 1;
	struct waiting *waiting = malloc(sizeof(*waiting) + size);

	if (waiting == NULL) {
		conversation->error = -ENOMEM;
		return;
	}
	memcpy(waiting->bytes, text, size);
	waiting->heard = (struct heard){ kind, waiting->bytes };
	STAILQ_INSERT_TAIL(&conversation->waiting, waiting, link);
}

static void
on_line(struct bot *bot, const char *bytes, size_t length, int64_t received_ns)
{
	struct conversation *conversation = bot->context;

	(void)length;
	(void)received_ns;
	add_waiting(conversation, HEARD_LINE, bytes);
}

static void
on_flaw(struct bot *bot, enum line_kind flaw, const char *bytes, size_t length,
    int64_t received_ns)
{
	struct conversation *conversation = bot->context;
	char said[SESSION_SAID_SIZE];

	(void)received_ns;
	escape_bytes(bytes, length, false, said, sizeof(said));
	add_waiting(conversation, HEARD_OTHER,
	    flaw == LINE_FLOOD ? "too much output" : said);
}

static void
on_eof(struct bot *bot)
{
	struct conversation *conversation = bot->context;

	transcript_add_note(&conversation->transcript, "its stdout is closed");
	add_waiting(conversation, HEARD_OTHER, "a closed stdout");
}

static void
on_exit_of_bot(struct bot *bot, const struct bot_exit *exit)
{
	struct conversation *conversation = bot->context;

	transcript_add_note(&conversation->transcript, exit->sentence);
	add_waiting(conversation, HEARD_EXIT, exit->sentence);
	if (exit->end == BOT_END_HOST)
		conversation->error = -exit->code;
	conversation->exit = *exit;
	conversation->ended = true;
}

static const struct bot_events conversation_calls = {
	.on_line = on_line,
	.on_flaw = on_flaw,
	.on_eof = on_eof,
	.on_exit = on_exit_of_bot,
};

int
conversation_open(struct conversation **opened, const struct match_rules *rules,
    const struct entrant *entrant)
{
	struct conversation *conversation = calloc(1, sizeof(*conversation));
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	const struct bot_options options = {
		.order = match_process_order(rules, entrant, arguments),
		.events = &conversation_calls,
		.context = conversation,
		.on_traffic = on_traffic,
	};
	int error;

	if (conversation == NULL)
		return -ENOMEM;
	STAILQ_INIT(&conversation->waiting);
	transcript_init(&conversation->transcript);
	error = process_make_room(1, OTHER_FDS);
	if (!error)
		error = child_tracker_adopt();
	if (!error)
		error = loop_open(&conversation->loop);
	if (!error)
		error =
		    bot_open(&conversation->bot, conversation->loop, &options);
	if (error) {
		conversation_close(conversation);
		return error;
	}
	*opened = conversation;
	return 0;
}

void
conversation_close(struct conversation *conversation)
{
	if (conversation == NULL)
		return;
	bot_close(conversation->bot);
	loop_close(conversation->loop);
	child_tracker_end_orphans();
	free(conversation->current);
	while (!STAILQ_EMPTY(&conversation->waiting)) {
		struct waiting *waiting = STAILQ_FIRST(&conversation->waiting);

		STAILQ_REMOVE_HEAD(&conversation->waiting, link);
		free(waiting);
	}
	transcript_release(&conversation->transcript);
	free(conversation);
}

void
conversation_send(struct conversation *conversation, const char *lines)
{
	(void)bot_send(conversation->bot, lines, strlen(lines), NULL);
}

const struct bot_exit *
conversation_stop(struct conversation *conversation, int64_t wait_ns)
{
	if (!conversation->ended)
		bot_stop(conversation->bot, NULL, clock_now_ns() + wait_ns);
	while (!conversation->ended &&
	    loop_step(conversation->loop, LOOP_NEVER) == 0)
		continue;
	return &conversation->exit;
}

const struct heard *
conversation_next(struct conversation *conversation, int64_t until_ns)
{
	static const struct heard nothing = { HEARD_NOTHING, "nothing" };
	static const struct heard failure = { HEARD_FAILURE,
		"a failure of the machine" };

	free(conversation->current);
	conversation->current = NULL;
	/* What has come already counts even if the time is up. */
	while (STAILQ_EMPTY(&conversation->waiting) && !conversation->error) {
		int64_t now_ns = clock_now_ns();
		int error;

		if (conversation->ended)
			return &nothing;
		error = loop_step(
		    conversation->loop, until_ns > now_ns ? until_ns : 0);
		if (error)
			conversation->error = error;
		if (now_ns >= until_ns && STAILQ_EMPTY(&conversation->waiting))
			return &nothing;
	}
	if (conversation->transcript.failed)
		conversation->error = -ENOMEM;
	if (conversation->error)
		return &failure;
	conversation->current = STAILQ_FIRST(&conversation->waiting);
	STAILQ_REMOVE_HEAD(&conversation->waiting, link);
	return &conversation->current->heard;
}
