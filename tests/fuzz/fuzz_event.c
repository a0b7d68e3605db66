/*
 * Lines of events: an event that was read is written in one way, which is read
 * again as the same event; the event as redacted for a seat contains nothing
 * secret.
 *
 * An input is one line.  It is read as an event, as a value with `%XX`, and as
 * a time control.
 */
#include <string.h>

#include "budget.h"
#include "event.h"
#include "fuzz.h"
#include "judge.h"

/* A written line. */
struct written {
	struct scopa_text text;
	char bytes[EVENT_LINE_SIZE];
};

static void
write_event(const struct event *event, struct written *written)
{
	scopa_text_init(&written->text, written->bytes, sizeof(written->bytes));
	event_format(event, &written->text);
	fuzz_check(!written->text.cut);
	for (size_t i = 0; i < written->text.length; i++)
		fuzz_check(
		    (written->bytes[i] >= ' ' && written->bytes[i] <= '~') ||
		    written->bytes[i] == '\t');
}

static enum event_parse
read_event(const char *line, size_t length, struct event *event)
{
	struct scopa_text why = SCOPA_TEXT(8192);
	enum event_parse result;

	result = event_parse(line, length, event, &why);
	/* A refusal must have a reason. */
	fuzz_check(result != EVENT_BAD || why.length > 0);
	return result;
}

/*
 * Whether the event has all required fields: otherwise the written line cannot
 * be read again.
 */
static bool
is_whole(const struct event *event)
{
	switch ((int)event->kind) {
	case EVENT_MATCH:
		return event->match.id[0] && event->match.rules[0] &&
		    event->match.tc[0] && event->match.seats > 0 &&
		    event->match.teams >= 0 && event->match.target > 0;
	case EVENT_SEAT:
		return event->seat.team >= 0;
	case EVENT_DEAL:
		return event->deal.dealer >= 0 && event->deal.first >= 0 &&
		    event->deal.team_count > 0;
	case EVENT_DECLARE:
		return event->play.points > 0 &&
		    (event->play.by_arena || event->play.cause[0] == '\0');
	case EVENT_PLAY:
		return event->play.by_arena || event->play.cause[0] == '\0';
	case EVENT_ENDMATCH:
		return event->end.id[0] && event->end.team_count > 0;
	default:
		return true;
	}
}

/* The seat of the event, or -1. */
static int
seat_of(const struct event *event)
{
	switch ((int)event->kind) {
	case EVENT_SEAT:
		return event->seat.seat;
	case EVENT_GIVE:
	case EVENT_SWEEP:
	case EVENT_SHOW:
	case EVENT_REST:
		return event->cards.seat;
	case EVENT_DECLARE:
	case EVENT_PLAY:
		return event->play.seat;
	case EVENT_INFO:
		return event->info.seat;
	case EVENT_OFFENCE:
		return event->offence.seat;
	case EVENT_VOID:
		return event->void_turn.seat;
	case EVENT_PONDER:
		return event->ponder.seat;
	case EVENT_MATCH:
		return event->match.you;
	case EVENT_DEAL:
		return event->deal.dealer;
	default:
		return -1;
	}
}

/* A `match` line does not contain the seeds of other seats. */
static void
check_seeds(const struct event_match *match, int seat)
{
	int same = 0;

	if (!match->has_seeds)
		return;
	for (int i = 0; i < SCOPA_SEATS_MAX; i++)
		same += i != seat && match->seeds[i] != 0;
	fuzz_check(same == 0);
}

static void
try_redaction(const struct event *event)
{
	static struct event redacted, again;
	static struct written written;
	const struct scopa_rules *rules = &scopa_presets[0].rules;

	for (int seat = 0; seat < rules->players; seat++) {
		if (!event_redact(event, rules, seat, &redacted))
			continue;
		write_event(&redacted, &written);
		if (!is_whole(event))
			continue;
		fuzz_check(read_event(written.bytes, written.text.length,
			       &again) == EVENT_PARSED);
		judge_event(&again, seat);
		if (again.kind == EVENT_MATCH)
			check_seeds(&again.match, seat);
	}
}

static void
try_event(const char *line, size_t length)
{
	static struct event event, again;
	static struct written once, twice;

	if (read_event(line, length, &event) != EVENT_PARSED)
		return;
	fuzz_check(seat_of(&event) < SCOPA_SEATS_MAX);
	write_event(&event, &once);
	try_redaction(&event);
	if (!is_whole(&event))
		return;
	fuzz_check(
	    read_event(once.bytes, once.text.length, &again) == EVENT_PARSED);
	fuzz_check(again.kind == event.kind);
	write_event(&again, &twice);
	fuzz_check(strcmp(once.bytes, twice.bytes) == 0);
}

/* A decoded value is encoded in one way, which is decoded to the same value. */
static void
try_value(const char *line, size_t length)
{
	char text[256], again[256], bytes[1024];
	struct scopa_text encoded;

	if (!word_decode((struct word){ line, length }, text, sizeof(text)))
		return;
	scopa_text_init(&encoded, bytes, sizeof(bytes));
	value_encode(text, &encoded);
	fuzz_check(!encoded.cut);
	for (size_t i = 0; i < encoded.length; i++)
		fuzz_check(bytes[i] > ' ' && bytes[i] <= '~');
	fuzz_check(bytes[0] != '#');
	fuzz_check(word_decode(
	    (struct word){ bytes, encoded.length }, again, sizeof(again)));
	fuzz_check(strcmp(text, again) == 0);
}

/* A time control never gives a deadline before the question. */
static void
try_control(const char *line, size_t length)
{
	struct budget_control control;
	struct budget budget;
	char text[128], bytes[512];
	struct scopa_text why;

	if (length >= sizeof(text))
		return;
	memcpy(text, line, length);
	text[length] = '\0';
	scopa_text_init(&why, bytes, sizeof(bytes));
	if (!budget_control_parse(&control, text, &why)) {
		fuzz_check(why.length > 0);
		return;
	}
	scopa_text_init(&why, bytes, sizeof(bytes));
	budget_control_format(&control, &why);
	fuzz_check(!why.cut && why.length > 0);
	budget_start_match(&budget, &control);
	for (int i = 0; i < 3; i++) {
		int64_t deadline_ns =
		    budget_deadline_ns(&budget, &control, 1000, 1);

		fuzz_check(deadline_ns > 1000);
		fuzz_check((control.kind == BUDGET_NONE) ==
		    (deadline_ns == BUDGET_NEVER));
		budget_spend(&budget, &control, budget.left_ns);
		fuzz_check(budget.left_ns >= 0);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The line reader refuses all other bytes. */
	for (size_t i = 0; i < size; i++)
		if ((data[i] < ' ' || data[i] > '~') && data[i] != '\t')
			return 0;
	if (size > 4096)
		return 0;
	try_event((const char *)data, size);
	try_value((const char *)data, size);
	try_control((const char *)data, size);
	return 0;
}
