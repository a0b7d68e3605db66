#include "record_head.h"

#include <stdio.h>
#include <string.h>

#include "record.h"

enum { WHY_SIZE = RECORD_FAULT_SIZE };

/* What the lines of the head say, before it is put together. */
struct draft {
	struct record_head *head;
	const struct record_block *block;
	struct record_fault *fault;
	const struct record_line *line; /* in hand */
	struct event event;             /* that it is */
	struct scopa_text why;
	char why_bytes[WHY_SIZE];
};

static bool
blame(struct draft *draft, const char *reason)
{
	record_fault_set(draft->fault, draft->line->number, "%s", reason);
	return false;
}

/* Reads the line in hand as an event. */
static bool
read_event(struct draft *draft)
{
	scopa_text_init(&draft->why, draft->why_bytes, WHY_SIZE);
	if (event_parse(record_line_bytes(draft->block, draft->line),
		draft->line->length, &draft->event,
		&draft->why) == EVENT_PARSED)
		return true;
	return blame(draft, draft->why_bytes);
}

/* Whether a spec overrides this parameter. */
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
	char name[EVENT_SPEC_SIZE];
	struct words words;

	if (!read_event(draft))
		return false;
	*match = draft->event.match;
	if (match->rules[0] == '\0')
		return blame(draft,
		    "rules= is missing: write the name of a preset there");
	words_split(record_line_bytes(draft->block, draft->line),
	    draft->line->length, &words);
	if (words_find(&words, "pack").bytes &&
	    !word_is(words_find(&words, "pack"), "it40"))
		return blame(draft, "pack= must be it40, the only pack known");
	if (!scopa_rules_read(&head->rules, match->rules, &draft->why))
		return blame(draft, draft->why_bytes);
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

/* What stands behind `tag`; several lines become one. */
static bool
read_tag(struct draft *draft)
{
	char *tag = draft->head->game.tag;
	size_t length = strlen(tag), more;

	if (!read_event(draft))
		return false;
	more = strlen(draft->event.text);
	if (length + 1 + more >= sizeof(draft->head->game.tag))
		return blame(draft, "the tags are longer than 4095 bytes");
	if (length > 0)
		tag[length++] = ' ';
	memcpy(tag + length, draft->event.text, more + 1);
	return true;
}

/* Overrides what the preset says, players and teams last: hand decides. */
static bool
read_rules(struct draft *draft)
{
	struct words words;

	scopa_text_init(&draft->why, draft->why_bytes, WHY_SIZE);
	words_split(record_line_bytes(draft->block, draft->line),
	    draft->line->length, &words);
	if (words.cut)
		return blame(draft, "the line has too many words");
	if (!event_apply_rules(&words, &draft->head->rules, &draft->why))
		return blame(draft, draft->why_bytes);
	return true;
}

/* Seats, teams and target of `match` against those of the rules. */
static bool
join_match(struct draft *draft)
{
	struct event_match *match = &draft->head->game.match;
	struct scopa_rules *rules = &draft->head->rules;
	const struct scopa_param *teams = scopa_param_find("teams");
	char number[16];

	scopa_text_init(&draft->why, draft->why_bytes, WHY_SIZE);
	if (match->seats > 0 && match->seats != rules->players) {
		snprintf(number, sizeof(number), "%d", match->seats);
		if (!scopa_rules_set(rules, "players", number, &draft->why))
			return blame(draft, draft->why_bytes);
	}
	if (match->teams >= 0 && match->teams != rules->teams &&
	    !scopa_rules_set(
		rules, "teams", teams->names[match->teams], &draft->why))
		return blame(draft, draft->why_bytes);
	if (match->seats > 0 && match->seats != rules->players)
		return blame(draft, "seats= and teams= contradict each other");
	if (match->target > 0)
		rules->target = (int16_t)match->target;
	if (!scopa_rules_check(rules, &draft->why))
		return blame(draft, draft->why_bytes);
	match->seats = rules->players;
	match->teams = rules->teams;
	match->target = rules->target;
	return true;
}

/* A `rules` line that says otherwise than `match` would be a riddle. */
static bool
compare_rules(struct draft *draft, const struct words *words)
{
	static const char *const keys[] = { "players", "teams", "target" };
	const struct scopa_rules *rules = &draft->head->rules;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct word said = words_find(words, keys[i]);
		char bytes[16];
		struct scopa_text text;

		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_param_format(scopa_param_find(keys[i]), rules, &text);
		if (!said.bytes || word_is(said, bytes))
			continue;
		record_fault_set(draft->fault, draft->line->number,
		    "%s=%.*s contradicts the `match` line, which makes it %s",
		    keys[i], said.length < 40 ? (int)said.length : 40,
		    said.bytes, bytes);
		return false;
	}
	return true;
}

/* Whether the tags have this key. */
static bool
is_tagged(const struct record_head *head, const char *key)
{
	char line[EVENT_TEXT_SIZE + 4] = "tag ";
	struct words words;

	memcpy(line + 4, head->game.tag, strlen(head->game.tag) + 1);
	words_split(line, strlen(line), &words);
	return words_find(&words, key).bytes != NULL;
}

static bool
read_seat(struct draft *draft)
{
	struct record_head *head = draft->head;
	struct event_seat *seat = &draft->event.seat;
	int party;

	if (!read_event(draft))
		return false;
	if (seat->seat >= head->rules.players) {
		record_fault_set(draft->fault, draft->line->number,
		    "there is no seat %d in a game of %d", seat->seat + 1,
		    head->rules.players);
		return false;
	}
	party = scopa_party_of(&head->rules, seat->seat);
	if (seat->party >= 0 && seat->party != party) {
		record_fault_set(draft->fault, draft->line->number,
		    "seat %d belongs to team %c", seat->seat + 1, 'A' + party);
		return false;
	}
	seat->party = party;
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
		seat->party = scopa_party_of(&head->rules, i);
		snprintf(seat->name, sizeof(seat->name), "seat%d", i + 1);
	}
}

/* Calls a reader for every line with this verb. */
static bool
each_line(struct draft *draft, const char *verb, bool (*read)(struct draft *))
{
	for (size_t i = 0; i < draft->block->line_count; i++) {
		draft->line = &draft->block->lines[i];
		if (record_line_is(record_line_bytes(draft->block, draft->line),
			draft->line->length, verb) &&
		    !read(draft))
			return false;
	}
	return true;
}

static bool
check_rules(struct draft *draft)
{
	struct words words;

	words_split(record_line_bytes(draft->block, draft->line),
	    draft->line->length, &words);
	return compare_rules(draft, &words);
}

bool
record_head_read(const struct record_block *block, struct record_head *head,
    struct record_fault *fault)
{
	struct draft draft = { .head = head, .block = block, .fault = fault };

	memset(head, 0, sizeof(*head));
	draft.line = &block->lines[0];
	if (!read_match(&draft) || !each_line(&draft, "tag", read_tag) ||
	    !each_line(&draft, "rules", read_rules))
		return false;
	draft.line = &block->lines[0];
	if (!join_match(&draft) || !each_line(&draft, "rules", check_rules))
		return false;
	name_seats(head);
	return each_line(&draft, "seat", read_seat);
}
