/*
 * Looking at what the seats of a table have heard, and at its record.
 */
#include <stdio.h>
#include <string.h>

#include "table.h"
#include "test.h"

const char *
table_turn_id(const struct table *table, int seat)
{
	static char id[64];
	static const char verb[] = "go turn=";
	const struct table_text *heard = &table->seats[seat].heard;
	const char *text = heard->bytes, *go = NULL;
	const char *end = text + heard->length;

	/* The last lines are looked at first. */
	while (go == NULL && end > text) {
		const char *before =
		    memrchr(text, '\n', (size_t)(end - 1 - text));
		const char *line = before ? before + 1 : text;

		if (strncmp(line, verb, strlen(verb)) == 0)
			go = line + strlen(verb);
		end = line;
	}
	assert_non_null(go);
	snprintf(id, sizeof(id), "%.*s", (int)strcspn(go, " \n"), go);
	return id;
}

const char *
table_heard(struct table *table, int seat)
{
	struct table_seat *at = &table->seats[seat];
	const char *text = at->heard.bytes + at->looked;

	at->looked = at->heard.length;
	return text;
}

const char *
table_recorded(struct table *table)
{
	const char *text = table->record.bytes + table->looked;

	table->looked = table->record.length;
	return text;
}

void
table_skip(struct table *table)
{
	for (int seat = 0; seat < table->rules.players; seat++)
		(void)table_heard(table, seat);
	(void)table_recorded(table);
}

static bool
line_is(const char *text, size_t length, const char *line)
{
	size_t wanted = strlen(line);

	if (wanted > 0 && line[wanted - 1] == '*')
		return length >= wanted - 1 &&
		    memcmp(text, line, wanted - 1) == 0;
	return length == wanted && memcmp(text, line, wanted) == 0;
}

int
table_count(const char *text, const char *line)
{
	int count = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");

		count += line_is(text, length, line);
		text += length + (text[length] == '\n');
	}
	return count;
}

bool
table_has(const char *text, const char *line)
{
	return table_count(text, line) > 0;
}

void
table_assert_has(const char *text, const char *line)
{
	if (!table_has(text, line))
		fail_msg("\"%s\" is missing in:\n%s", line, text);
}

void
table_assert_lacks(const char *text, const char *line)
{
	if (table_has(text, line))
		fail_msg("\"%s\" should not be in:\n%s", line, text);
}

const char *
table_verbs(const char *text)
{
	static char verbs[4096];
	const char *last = "";
	size_t at = 0, last_length = 0;

	verbs[0] = '\0';
	while (*text) {
		size_t verb = strcspn(text, " \n");

		if (verb != last_length || memcmp(text, last, verb) != 0)
			at += (size_t)snprintf(verbs + at, sizeof(verbs) - at,
			    "%s%.*s", at ? " " : "", (int)verb, text);
		assert_true(at < sizeof(verbs));
		last = text;
		last_length = verb;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return verbs;
}
