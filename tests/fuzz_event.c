/*
 * Lines of events: whatever was read can be written, and what was written is
 * written the same for ever; no line that only records hold goes to a seat.
 */
#include <assert.h>
#include <string.h>

#include "event.h"
#include "fuzz.h"

static void
write_event(const struct event *event, struct scopa_text *text)
{
	text->length = 0;
	event_format(event, text);
	assert(!text->cut);
	assert(memchr(text->bytes, '\n', text->length) == NULL);
}

static void
try_redaction(const struct event *event)
{
	static struct event redacted;
	static char bytes[EVENT_LINE_SIZE];
	struct scopa_text text;

	for (int seat = 0; seat < scopa_presets[0].rules.players; seat++) {
		if (!event_redact(
			event, &scopa_presets[0].rules, seat, &redacted))
			continue;
		assert(!event_is_record_only(event->kind));
		scopa_text_init(&text, bytes, sizeof(bytes));
		write_event(&redacted, &text);
	}
}

/* Reads what stands in `text` and writes it anew; false where it is refused. */
static bool
rewrite(const char *line, size_t length, struct scopa_text *text)
{
	static struct event event;
	char why_bytes[512];
	struct scopa_text why;

	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	if (event_parse(line, length, &event, &why) != EVENT_PARSED)
		return false;
	write_event(&event, text);
	try_redaction(&event);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char first[EVENT_LINE_SIZE], second[EVENT_LINE_SIZE],
	    third[EVENT_LINE_SIZE];
	struct scopa_text one, two, three;

	/* The reader of lines lets no other bytes pass. */
	for (size_t i = 0; i < size; i++)
		if ((data[i] < ' ' || data[i] > '~') && data[i] != '\t')
			return 0;
	if (size > 4096)
		return 0;
	scopa_text_init(&one, first, sizeof(first));
	scopa_text_init(&two, second, sizeof(second));
	scopa_text_init(&three, third, sizeof(third));
	/* Lines are read that leave out so much that nobody writes them. */
	if (!rewrite((const char *)data, size, &one) ||
	    !rewrite(one.bytes, one.length, &two))
		return 0;
	assert(rewrite(two.bytes, two.length, &three));
	assert(strcmp(second, third) == 0);
	return 0;
}
