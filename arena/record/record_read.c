/*
 * Reads game records: divides the input into lines, the lines into records, and
 * reads the head of a record.
 *
 * Invariants: a line that was read but belongs to the next record is held
 * (`line_held`) until the next call.  A line of the record is stored as it
 * came, with its line end.  A record holds the lines before its first fault and
 * no others.
 */
#include "record_read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record_write.h"

/* Some editors write these bytes before the first line. */
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

bool
record_fault_set(
    struct record_fault *fault, int64_t line, const char *format, ...)
{
	va_list arguments;

	if (fault->line != 0)
		return false;
	fault->line = line;
	va_start(arguments, format);
	vsnprintf(fault->text, sizeof(fault->text), format, arguments);
	va_end(arguments);
	return false;
}

void
record_reader_init(struct record_reader *reader, int fd)
{
	reader->fd = fd;
	reader->source = reader->buffer;
	reader->record_size_max = RECORD_SIZE_MAX;
	reader->line_number = 0;
	reader->any_match = false;
	reader->begin = reader->end = 0;
	reader->line_held = false;
}

void
record_reader_init_bytes(
    struct record_reader *reader, const char *bytes, size_t size)
{
	record_reader_init(reader, -1);
	reader->source = bytes;
	reader->end = size;
}

void
game_record_init(struct game_record *record)
{
	*record = (struct game_record){ .bytes = NULL };
}

void
game_record_release(struct game_record *record)
{
	free(record->bytes);
	free(record->lines);
	game_record_init(record);
}

static bool
is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

bool
record_line_is(const char *bytes, size_t length, const char *verb)
{
	return word_is(words_first(bytes, length), verb);
}

/* Appends bytes to the current line, as far as there is room. */
static void
line_extend(struct record_reader *reader, const char *bytes, size_t size)
{
	size_t room = sizeof(reader->line) - reader->line_size;

	if (size > room) {
		reader->line_cut = true;
		size = room;
	}
	memcpy(reader->line + reader->line_size, bytes, size);
	reader->line_size += size;
}

/*
 * Reads the next line from the input.  Returns 1, 0 at the end of the input, or
 * -errno.
 */
static int
next_line(struct record_reader *reader)
{
	bool any = false;

	reader->line_size = 0;
	reader->line_cut = false;
	for (;;) {
		const char *from = reader->source + reader->begin, *end;
		size_t size = reader->end - reader->begin;
		ssize_t got;

		end = memchr(from, '\n', size);
		if (end)
			size = (size_t)(end + 1 - from);
		any = any || size > 0;
		line_extend(reader, from, size);
		reader->begin += size;
		if (end)
			break;
		got = reader->fd < 0
		    ? 0
		    : TEMP_FAILURE_RETRY(read(
			  reader->fd, reader->buffer, sizeof(reader->buffer)));
		if (got < 0)
			return -errno;
		reader->begin = 0;
		reader->end = (size_t)got;
		if (got == 0 && !any)
			return 0;
		if (got == 0)
			break;
	}
	reader->line_number++;
	return 1;
}

/* The length of the current line without its line end. */
static size_t
line_length(const struct record_reader *reader)
{
	size_t length = reader->line_size;

	/* A line that was cut has no line end to remove. */
	if (reader->line_cut)
		return length;
	if (length > 0 && reader->line[length - 1] == '\n')
		length--;
	/* The last line may end with a carriage return alone. */
	if (length > 0 && reader->line[length - 1] == '\r')
		length--;
	return length;
}

/*
 * Makes the next line the current one: the line that was held, or else the next
 * one of the input.  Returns 1, 0 or -errno as next_line.
 */
static int
line_next(struct record_reader *reader)
{
	size_t mark = strlen(BYTE_ORDER_MARK);
	int status;

	if (reader->line_held) {
		reader->line_held = false;
		return 1;
	}
	status = next_line(reader);
	if (status == 1 && reader->line_number == 1 &&
	    reader->line_size >= mark &&
	    memcmp(reader->line, BYTE_ORDER_MARK, mark) == 0) {
		reader->line_size -= mark;
		memmove(reader->line, reader->line + mark, reader->line_size);
	}
	return status;
}

static bool
line_is(const struct record_reader *reader, const char *verb)
{
	return record_line_is(reader->line, line_length(reader), verb);
}

/* Whether the current line has no content: it is empty, blank or a comment. */
static bool
line_is_idle(const struct record_reader *reader)
{
	size_t at = 0, length = line_length(reader);

	while (at < length && is_blank(reader->line[at]))
		at++;
	return !reader->line_cut && (at == length || reader->line[at] == '#');
}

/*
 * Sets a fault if the line has bytes that are not printable, or too many bytes.
 */
static void
line_check(const struct record_reader *reader, struct record_fault *fault)
{
	size_t length = line_length(reader);
	bool comment = false;

	if (reader->line_cut || length > RECORD_LINE_SIZE_MAX) {
		record_fault_set(fault, reader->line_number,
		    "the line is longer than %d bytes", RECORD_LINE_SIZE_MAX);
		return;
	}
	for (size_t at = 0; at < length && fault->line == 0; at++) {
		unsigned char byte = (unsigned char)reader->line[at];

		if (byte == '#' && (at == 0 || is_blank(reader->line[at - 1])))
			comment = true;
		if ((byte < 0x20 || byte >= 0x7F) && byte != '\t' &&
		    !(comment && byte >= 0x80))
			record_fault_set(fault, reader->line_number,
			    "byte 0x%02X is not printable ASCII; in a value it "
			    "is written %%%02X",
			    byte, byte);
	}
}

/*
 * Adds the current line, with this first word, to the record.  Returns 0 or
 * -ENOMEM; a record that is too large is a fault.
 */
static int
add_line(const struct record_reader *reader, struct game_record *record,
    struct word verb)
{
	struct record_line line = {
		.begin = record->size,
		.length = (uint32_t)line_length(reader),
		.size = (uint32_t)reader->line_size,
		.number = reader->line_number,
	};

	line.kind = verb.length > 0 ? event_kind_find(verb) : EVENT_KIND_COUNT;
	if (record->size + line.size > reader->record_size_max) {
		record_fault_set(&record->fault, reader->line_number,
		    "the record is larger than %zu bytes",
		    reader->record_size_max);
		return 0;
	}
	if (record_make_room(&record->bytes, &record->capacity, record->size,
		line.size, 1) ||
	    record_make_room(&record->lines, &record->line_capacity,
		record->line_count, 1, sizeof(line)))
		return -ENOMEM;
	memcpy(record->bytes + record->size, reader->line, line.size);
	record->size += line.size;
	record->lines[record->line_count++] = line;
	return 0;
}

static void
begin_record(struct record_reader *reader, struct game_record *record)
{
	record->size = 0;
	record->line_count = 0;
	record->first_line = record->last_line = reader->line_number;
	record->outside = record->summed = record->ended = false;
	record->fault.line = 0;
	record->fault.text[0] = '\0';
}

/* Sets a fault unless the heading names version 1, the only version known. */
static void
heading_check(const struct record_reader *reader, struct record_fault *fault)
{
	static const char expected[] = RECORD_HEADING;
	size_t length = line_length(reader);

	while (length > 0 && is_blank(reader->line[length - 1]))
		length--;
	if (length != sizeof(expected) - 2 ||
	    memcmp(reader->line, expected, length) != 0)
		record_fault_set(fault, reader->line_number,
		    "the heading is not \"%%scopa-record 1\": another version "
		    "of the format");
}

/*
 * Reads the lines before the next `match`.  Returns 1 if any of them has a
 * fault, with these lines as a record; 0 if none has; or -errno.
 */
static int
read_outside(struct record_reader *reader, struct game_record *record)
{
	bool any = false;
	int status;

	while ((status = line_next(reader)) == 1) {
		struct record_fault fault = { .line = 0 };

		if (line_is(reader, "match"))
			break;
		if (line_is_idle(reader))
			continue;
		if (line_is(reader, "%scopa-record"))
			heading_check(reader, &fault);
		else
			record_fault_set(&fault, reader->line_number, "%s",
			    reader->any_match
				? "there is no `match` line before this line, "
				  "so it belongs to no record"
				: "this is not a game record: it does not "
				  "begin with a `match` line");
		if (fault.line == 0)
			continue;
		if (!any) {
			begin_record(reader, record);
			record->outside = true;
			record->fault = fault;
		}
		any = true;
		record->last_line = reader->line_number;
	}
	if (status < 0)
		return status;
	reader->line_held = status == 1;
	return any;
}

/*
 * Reads the lines of a record whose `match` line is the current one.  Returns 1
 * or -errno.
 */
static int
read_inside(struct record_reader *reader, struct game_record *record)
{
	int status;

	begin_record(reader, record);
	reader->any_match = true;
	do {
		bool first = reader->line_number == record->first_line;
		struct word verb =
		    words_first(reader->line, line_length(reader));

		if (!first &&
		    (word_is(verb, "match") ||
			word_is(verb, "%scopa-record"))) {
			reader->line_held = true;
			return 1;
		}
		record->last_line = reader->line_number;
		line_check(reader, &record->fault);
		status =
		    record->fault.line ? 0 : add_line(reader, record, verb);
		if (status < 0)
			return status;
		if (word_is(verb, "sum")) {
			record->summed = true;
			return 1;
		}
		status = line_next(reader);
	} while (status == 1);
	record->ended = status == 0;
	return status < 0 ? status : 1;
}

int
record_read(struct record_reader *reader, struct game_record *record)
{
	int status = read_outside(reader, record);

	if (status != 0)
		return status;
	if (!reader->line_held)
		return 0;
	reader->line_held = false;
	return read_inside(reader, record);
}

bool
record_line_event(const struct game_record *record,
    const struct record_line *line, struct event *event,
    struct record_fault *fault)
{
	struct scopa_text why = SCOPA_TEXT(RECORD_FAULT_SIZE);

	if (event_parse(record_line_bytes(record, line), line->length, event,
		&why) == EVENT_PARSED)
		return true;
	return fault && record_fault_set(fault, line->number, "%s", why.bytes);
}

bool
record_event_next(
    const struct game_record *record, size_t *index, struct event *event)
{
	while (*index < record->line_count)
		if (record_line_event(
			record, &record->lines[(*index)++], event, NULL))
			return true;
	return false;
}

/* The state while the head of a record is read. */
struct draft {
	struct record_head *head;
	const struct game_record *record;
	struct record_fault *fault;
	const struct record_line *line; /* current line */
	struct words words;             /* words of the current line */
	/* The current line as an event, after read_head_line. */
	struct event event;
	struct scopa_text why;
	char why_bytes[RECORD_FAULT_SIZE];
};

/* Makes a line of the record the current one. */
static void
parse_line(struct draft *draft, const struct record_line *line)
{
	draft->line = line;
	words_split(record_line_bytes(draft->record, line), line->length,
	    &draft->words);
	scopa_text_init(
	    &draft->why, draft->why_bytes, sizeof(draft->why_bytes));
}

/* Sets a fault at the current line.  The value is false. */
#define blame(draft, ...) \
	record_fault_set((draft)->fault, (draft)->line->number, __VA_ARGS__)

/* Parses the current line as an event. */
static bool
read_head_line(struct draft *draft)
{
	return record_line_event(
	    draft->record, draft->line, &draft->event, draft->fault);
}

/* Whether a rules spec (`PRESET,KEY=VALUE,...`) overrides this parameter. */
static bool
spec_has(const char *spec, const char *key)
{
	size_t length = strlen(key);

	for (spec = strchr(spec, ','); spec; spec = strchr(spec + 1, ','))
		if (strncmp(spec + 1, key, length) == 0 &&
		    spec[1 + length] == '=')
			return true;
	return false;
}

static bool
read_match(struct draft *draft)
{
	struct record_head *head = draft->head;
	struct event_match *match = &head->game.match;
	struct word pack = words_find(&draft->words, "pack");
	char name[EVENT_SPEC_SIZE];

	if (!read_head_line(draft))
		return false;
	*match = draft->event.match;
	if (match->rules[0] == '\0')
		return blame(draft,
		    "rules= is missing: write the name of a preset there");
	if (pack.bytes && !word_is(pack, "it40"))
		return blame(draft, "pack= must be it40, the only pack known");
	if (!scopa_rules_read(&head->rules, match->rules, &draft->why))
		return blame(draft, "%s", draft->why.bytes);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(match->rules, ","),
	    match->rules);
	head->preset = scopa_preset_find(name);
	head->deals = match->deals;
	head->target_said =
	    match->target > 0 || spec_has(match->rules, "target");
	match->you = -1;
	if (match->tc[0] == '\0')
		memcpy(match->tc, "none", sizeof("none"));
	return true;
}

/* Adds the text after `tag`; several lines become one text. */
static bool
read_tag(struct draft *draft)
{
	char *tag = draft->head->game.tag;
	size_t length = strlen(tag), more;

	if (!read_head_line(draft))
		return false;
	more = strlen(draft->event.text);
	if (length + (length > 0) + more >= sizeof(draft->head->game.tag))
		return blame(draft, "the tags are longer than 4095 bytes");
	if (length > 0)
		tag[length++] = ' ';
	memcpy(tag + length, draft->event.text, more + 1);
	return true;
}

/*
 * Applies a `rules` line over the preset.  Players and teams are applied last,
 * because the size of a hand limits them.
 */
static bool
read_rules(struct draft *draft)
{
	if (draft->words.cut)
		return blame(draft, "the line has too many words");
	return event_apply_rules(
		   &draft->words, &draft->head->rules, &draft->why) ||
	    blame(draft, "%s", draft->why.bytes);
}

/* Combines seats, teams and target of the `match` line with the rules. */
static bool
join_match(struct draft *draft)
{
	struct event_match *match = &draft->head->game.match;
	struct scopa_rules *rules = &draft->head->rules;
	const struct scopa_param *teams = scopa_param_find("teams");
	char number[16];

	snprintf(number, sizeof(number), "%d", match->seats);
	if ((match->seats > 0 && match->seats != rules->players &&
		!scopa_rules_set(rules, "players", number, &draft->why)) ||
	    (match->teams >= 0 && match->teams != rules->teams &&
		!scopa_rules_set(
		    rules, "teams", teams->names[match->teams], &draft->why)))
		return blame(draft, "%s", draft->why.bytes);
	if (match->seats > 0 && match->seats != rules->players)
		return blame(draft, "seats= and teams= contradict each other");
	if (match->target > 0)
		rules->target = (int16_t)match->target;
	if (!scopa_rules_check(rules, &draft->why))
		return blame(draft, "%s", draft->why.bytes);
	match->seats = rules->players;
	match->teams = rules->teams;
	match->target = rules->target;
	return true;
}

/* Sets a fault if a `rules` line contradicts the `match` line. */
static bool
compare_rules(struct draft *draft)
{
	static const char *const keys[] = { "players", "teams", "target" };
	const struct scopa_rules *rules = &draft->head->rules;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct word said = words_find(&draft->words, keys[i]);
		struct scopa_text text = SCOPA_TEXT(16);

		scopa_param_format(scopa_param_find(keys[i]), rules, &text);
		if (said.bytes && !word_is(said, text.bytes))
			return blame(draft,
			    "%s=%.*s contradicts the `match` line, which makes "
			    "it %s",
			    keys[i], said.length < 40 ? (int)said.length : 40,
			    said.bytes, text.bytes);
	}
	return true;
}

/* Whether the tags contain this key. */
static bool
is_tagged(const struct record_head *head, const char *key)
{
	struct words words;

	words_split_pairs(head->game.tag, &words);
	return words_find(&words, key).bytes != NULL;
}

static bool
read_seat(struct draft *draft)
{
	struct record_head *head = draft->head;
	struct event_seat *seat = &draft->event.seat;
	int team;

	if (!read_head_line(draft))
		return false;
	if (seat->seat >= head->rules.players)
		return blame(draft, "there is no seat %d in a game of %d",
		    seat->seat + 1, head->rules.players);
	team = scopa_team_of(&head->rules, seat->seat);
	if (seat->team >= 0 && seat->team != team)
		return blame(draft, "seat %d belongs to team %c",
		    seat->seat + 1, 'A' + team);
	seat->team = team;
	if (seat->name[0] == '\0')
		memcpy(seat->name, head->game.seats[seat->seat].name,
		    sizeof(seat->name));
	if (seat->sees_all && !is_tagged(head, "analysis"))
		return blame(draft,
		    "a bot that sees all cards plays for analysis alone, but "
		    "no tag says analysis=1");
	head->game.seats[seat->seat] = *seat;
	return true;
}

static void
name_seats(struct record_head *head)
{
	for (int i = 0; i < head->rules.players; i++) {
		struct event_seat *seat = &head->game.seats[i];

		seat->seat = i;
		seat->team = scopa_team_of(&head->rules, i);
		snprintf(seat->name, sizeof(seat->name), "seat%d", i + 1);
	}
}

/* Calls `read` for every line of this kind until it returns false. */
static bool
each_line(
    struct draft *draft, enum event_kind kind, bool (*read)(struct draft *))
{
	for (size_t i = 0; i < draft->record->line_count; i++) {
		if (draft->record->lines[i].kind != kind)
			continue;
		parse_line(draft, &draft->record->lines[i]);
		if (!read(draft))
			return false;
	}
	return true;
}

bool
record_head_read(const struct game_record *record, struct record_head *head,
    struct record_fault *fault)
{
	struct draft draft = { .head = head, .record = record, .fault = fault };

	memset(head, 0, sizeof(*head));
	parse_line(&draft, &record->lines[0]);
	if (!read_match(&draft) || !each_line(&draft, EVENT_TAG, read_tag) ||
	    !each_line(&draft, EVENT_RULES, read_rules))
		return false;
	parse_line(&draft, &record->lines[0]);
	if (!join_match(&draft) ||
	    !each_line(&draft, EVENT_RULES, compare_rules))
		return false;
	name_seats(head);
	return each_line(&draft, EVENT_SEAT, read_seat);
}
