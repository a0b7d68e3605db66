/*
 * The outbox: writes events as lines to the record and, redacted, to each seat.
 * A line that is the same for all seats is formatted once and copied.
 */
#include "outbox.h"

#include <assert.h>
#include <string.h>

void
outbox_init(struct outbox *outbox, int seat_count)
{
	assert(seat_count >= 0 && seat_count <= SCOPA_SEATS_MAX);
	outbox_clear_record(outbox);
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
		outbox->hears[seat] = seat < seat_count;
		outbox_clear_seat(outbox, seat);
	}
}

void
outbox_clear_record(struct outbox *outbox)
{
	scopa_text_init(&outbox->record, outbox->record_bytes,
	    sizeof(outbox->record_bytes));
}

void
outbox_clear_seat(struct outbox *outbox, int seat)
{
	outbox->due[seat] = false;
	scopa_text_init(&outbox->seats[seat], outbox->seat_bytes[seat],
	    sizeof(outbox->seat_bytes[seat]));
}

/* Whether a line to a seat is part of a question. */
static bool
is_question(const char *line)
{
	static const char *const verbs[] = { "state ", "legal", "cards ",
		"go " };

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strncmp(line, verbs[i], strlen(verbs[i])) == 0)
			return true;
	return false;
}

void
outbox_drop_question(struct outbox *outbox, int seat)
{
	struct scopa_text *text = &outbox->seats[seat];

	while (text->length > 0) {
		size_t begin = text->length - 1;

		while (begin > 0 && text->bytes[begin - 1] != '\n')
			begin--;
		if (!is_question(text->bytes + begin))
			break;
		text->length = begin;
		text->bytes[begin] = '\0';
	}
	outbox->due[seat] = false;
}

static void
put_line(struct scopa_text *text, const struct event *event)
{
	event_format(event, text);
	scopa_text_char(text, '\n');
	assert(!text->cut);
}

static void
put_to_seats(struct outbox *outbox, const struct scopa_rules *rules,
    const struct event *event)
{
	const char *line = NULL;
	size_t length = 0;

	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
		struct scopa_text *text = &outbox->seats[seat];
		struct event redacted;

		if (!outbox->hears[seat])
			continue;
		if (line && event_is_same_for_all(event->kind)) {
			scopa_text_bytes(text, line, length);
			assert(!text->cut);
			continue;
		}
		line = text->bytes + text->length;
		length = text->length;
		/* A line that only the record may have is for no seat. */
		if (!event_redact(event, rules, seat, &redacted))
			return;
		put_line(text, &redacted);
		length = text->length - length;
	}
}

void
outbox_put_event(struct outbox *outbox, const struct scopa_rules *rules,
    const struct event *event)
{
	put_line(&outbox->record, event);
	put_to_seats(outbox, rules, event);
}
