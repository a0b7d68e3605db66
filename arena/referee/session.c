/*
 * The handshake.
 */
#include "session.h"

#include <string.h>

void
session_start(
    struct session *session, const char *arena, struct scopa_text *out)
{
	*session = (struct session){
		.phase = SESSION_HELLO,
		.features = { .events = true,
		    .state = true,
		    .legal = true,
		    .declare = true },
	};
	scopa_text_string(out, "usp ");
	scopa_text_int(out, SESSION_VERSION);
	scopa_text_string(out, " arena=");
	value_encode(arena, out);
	scopa_text_char(out, '\n');
}

void
session_end(struct session *session, enum offence_kind fault,
    const char *reason, const char *said, size_t said_length)
{
	size_t length = strlen(reason);

	if (length >= sizeof(session->reason))
		length = sizeof(session->reason) - 1;
	memcpy(session->reason, reason, length);
	session->reason[length] = '\0';
	if (said_length >= sizeof(session->said))
		said_length = sizeof(session->said) - 1;
	memcpy(session->said, said, said_length);
	session->said[said_length] = '\0';
	session->fault = fault;
	session->ended_in = session->phase;
	session->phase = SESSION_GONE;
}

void
session_error(struct session *session, const char *code, const char *words,
    struct word word, struct scopa_text *out)
{
	enum { SHOWN_MAX = 40 };

	if (session->error_count++ >= SESSION_ERRORS_MAX)
		return;
	scopa_text_string(out, "error ");
	scopa_text_string(out, code);
	scopa_text_string(out, " # ");
	scopa_text_string(out, words);
	scopa_text_string(out, " \"");
	scopa_text_bytes(
	    out, word.bytes, word.length < SHOWN_MAX ? word.length : SHOWN_MAX);
	scopa_text_string(out, "\"\n");
}

void
session_on_id(
    struct session *session, const struct words *words, struct scopa_text *out)
{
	struct word name = words_find(words, "name");
	struct word version = words_find(words, "version");

	if (session->id_count++ > 0) {
		session_error(
		    session, "unexpected", "a second", words->word[0], out);
		return;
	}
	if (name.bytes == NULL ||
	    !word_decode(name, session->name, sizeof(session->name)))
		session_error(session, "syntax",
		    "name= is missing or too long in", words->word[0], out);
	if (version.bytes &&
	    !word_decode(version, session->version, sizeof(session->version)))
		session_error(session, "syntax", "too long:", version, out);
}

static bool
is_option_name(struct word word)
{
	if (word.bytes == NULL || word.length == 0)
		return false;
	for (size_t i = 0; i < word.length; i++) {
		char byte = word.bytes[i];

		if (!(byte >= 'a' && byte <= 'z') &&
		    !(byte >= 'A' && byte <= 'Z') &&
		    !(byte >= '0' && byte <= '9') && byte != '-' &&
		    byte != '_' && byte != '.')
			return false;
	}
	return true;
}

/* The number of a pair that may be left out; false where it is none. */
static bool
read_number(const struct words *words, const char *key, int64_t *number)
{
	struct word word = words_find(words, key);

	return word.bytes == NULL ||
	    word_to_int(word, INT64_MIN, INT64_MAX, number);
}

static bool
int_is_sound(const struct words *words)
{
	int64_t min = INT64_MIN, max = INT64_MAX, fallback;

	if (!read_number(words, "min", &min) ||
	    !read_number(words, "max", &max) || min > max)
		return false;
	fallback = min;
	return read_number(words, "default", &fallback) && fallback >= min &&
	    fallback <= max;
}

static bool
bool_is_sound(const struct words *words)
{
	struct word fallback = words_find(words, "default");

	return fallback.bytes == NULL || word_is(fallback, "true") ||
	    word_is(fallback, "false");
}

static bool
enum_is_sound(const struct words *words)
{
	struct word rest = words_find(words, "values"), piece;
	struct word fallback = words_find(words, "default");
	bool sound = rest.bytes != NULL, found = fallback.bytes == NULL;

	while (word_next_piece(&rest, '|', &piece)) {
		sound &= piece.length > 0;
		found = found ||
		    (piece.length == fallback.length &&
			memcmp(piece.bytes, fallback.bytes, piece.length) == 0);
	}
	return sound && found;
}

static bool
text_is_sound(const struct words *words)
{
	(void)words;
	return true;
}

/* Whether an `option` line has a known type and agrees with itself. */
static bool
option_is_sound(const struct words *words)
{
	static const struct {
		const char *name;
		bool (*is_sound)(const struct words *words);
	} types[] = {
		{ "int", int_is_sound },
		{ "bool", bool_is_sound },
		{ "enum", enum_is_sound },
		{ "string", text_is_sound },
		{ "button", text_is_sound },
	};
	struct word type = words_find(words, "type");

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (type.bytes && word_is(type, types[i].name))
			return types[i].is_sound(words);
	return false;
}

/* Whether the bot declared an option of this name. */
static bool
has_option(const struct session *session, struct word name)
{
	struct word rest = { session->options, strlen(session->options) };
	struct word piece;

	while (word_next_piece(&rest, ' ', &piece))
		if (piece.length == name.length && piece.length > 0 &&
		    memcmp(piece.bytes, name.bytes, name.length) == 0)
			return true;
	return false;
}

void
session_on_option(
    struct session *session, const struct words *words, struct scopa_text *out)
{
	struct word name = words_find(words, "name");
	size_t used = strlen(session->options);

	if (!is_option_name(name) || !option_is_sound(words) ||
	    has_option(session, name) ||
	    used + name.length + 2 > sizeof(session->options)) {
		session_error(session, "option",
		    "name, type, or what does not fit them in", words->word[0],
		    out);
		return;
	}
	memcpy(session->options + used, name.bytes, name.length);
	session->options[used + name.length] = ' ';
	session->options[used + name.length + 1] = '\0';
}

/* Sends `NAME=VALUE` as the user wrote it; false: the bot has no such option. */
static bool
set_option(const struct session *session, const char *assignment,
    struct scopa_text *out)
{
	struct word whole = { assignment, strlen(assignment) }, name, value;

	if (!word_split_pair(whole, &name, &value) ||
	    !has_option(session, name))
		return false;
	scopa_text_string(out, "setoption ");
	scopa_text_bytes(out, name.bytes, name.length + 1);
	value_encode(value.bytes, out);
	scopa_text_char(out, '\n');
	return true;
}

static bool *
find_feature(struct session_features *features, struct word key)
{
	const struct {
		const char *name;
		bool *field;
	} rows[] = {
		{ "events", &features->events },
		{ "state", &features->state },
		{ "legal", &features->legal },
		{ "declare", &features->declare },
		{ "stop", &features->stop },
		{ "observe", &features->observe },
		{ "position", &features->position },
		{ "analysis", &features->analysis },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (word_is(key, rows[i].name))
			return rows[i].field;
	return NULL;
}

void
session_on_feature(struct session *session, const struct words *words,
    bool observe_granted, struct scopa_text *out)
{
	if (session->feature_count++ > 0) {
		session_error(
		    session, "unexpected", "a second", words->word[0], out);
		return;
	}
	for (int i = 1; i < words->count; i++) {
		struct word key = words->word[i], value = { NULL, 0 };
		bool *field = NULL;
		int64_t number;

		if (word_split_pair(words->word[i], &key, &value))
			field = find_feature(&session->features, key);
		if (field == NULL || !word_to_int(value, 0, 1, &number))
			session_error(session, "feature",
			    "not known:", words->word[i], out);
		else
			*field = number == 1;
	}
	if (session->features.observe && !observe_granted) {
		struct word observe = { "observe", strlen("observe") };

		session->features.observe = false;
		session_error(session, "feature", "not granted:", observe, out);
	}
}

void
session_on_uspok(struct session *session, const struct words *words,
    const char *const *options, bool analysis_granted, struct scopa_text *out)
{
	int64_t version;

	if (words->count < 2 ||
	    !word_to_int(words->word[1], 1, SESSION_VERSION, &version)) {
		session_error(session, "version",
		    "only version 1 is offered,"
		    " not",
		    words->word[words->count - 1], out);
		session_end(session, OFFENCE_STARTUP, "HS_BAD(VERSION)", "", 0);
		return;
	}
	if (session->id_count == 0) {
		session_end(session, OFFENCE_STARTUP, "HS_BAD(ID)", "", 0);
		return;
	}
	if (session->features.analysis && !analysis_granted) {
		session_end(
		    session, OFFENCE_STARTUP, SESSION_NEEDS_ANALYSIS, "", 0);
		return;
	}
	for (; options && *options; options++) {
		if (!set_option(session, *options, out)) {
			session_end(session, OFFENCE_STARTUP, "HS_BAD(OPTION)",
			    *options, strlen(*options));
			return;
		}
	}
	session_ask_ready(session, out);
}

void
session_ask_ready(struct session *session, struct scopa_text *out)
{
	scopa_text_string(out, "isready\n");
	session->phase = SESSION_SETUP;
}
