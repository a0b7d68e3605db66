/*
 * The handshake: the lines from `usp` to `readyok`, the options that a bot
 * declares, and those that a user sets. session.h describes the phases.  A line
 * that is refused is answered with an `error` line; only faults that cannot be
 * corrected end the session.
 */
#include "session.h"

#include <assert.h>
#include <string.h>

#include "scopa/nearest.h"

const char *const error_code_names[ERROR_CODE_COUNT] = {
	[ERROR_SYNTAX] = "syntax",
	[ERROR_UNKNOWN] = "unknown",
	[ERROR_UNEXPECTED] = "unexpected",
	[ERROR_TOOLONG] = "toolong",
	[ERROR_VERSION] = "version",
	[ERROR_FEATURE] = "feature",
	[ERROR_OPTION] = "option",
	[ERROR_FATAL] = "fatal",
};

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
	scopa_text_print(out, "usp %d arena=", SESSION_VERSION);
	value_encode(arena, out);
	scopa_text_char(out, '\n');
}

void
session_end(struct session *session, enum offence_kind fault,
    const char *reason, struct word said)
{
	word_copy(word_of(reason), session->reason, sizeof(session->reason));
	word_copy(said, session->said, sizeof(session->said));
	session->fault = fault;
	session->ended_in = session->phase;
	session->phase = SESSION_GONE;
}

void
session_error(struct session *session, enum error_code code, const char *words,
    struct word word, struct scopa_text *out)
{
	enum { SHOWN_MAX = 40 };
	struct scopa_text refusal;

	if (session->error_count++ >= SESSION_ERRORS_MAX)
		return;
	scopa_text_init(&refusal, session->refusal, sizeof(session->refusal));
	session->refusal_code = code;
	scopa_text_print(&refusal, "%s # %s \"%.*s\"", error_code_names[code],
	    words, word.length < SHOWN_MAX ? (int)word.length : SHOWN_MAX,
	    word.bytes);
	assert(!refusal.cut);
	scopa_text_print(out, "error %s\n", session->refusal);
}

void
session_on_stray(struct session *session, struct word line, struct word verb,
    struct scopa_text *out)
{
	word_copy(line, session->unused, sizeof(session->unused));
	if (session->stray_count++ == 0)
		memcpy(session->stray, session->unused, sizeof(session->stray));
	session_error(
	    session, ERROR_UNKNOWN, "no message of a bot is", verb, out);
}

/* Answers a line of the handshake with an `error` line. */
static void
refuse(struct session *session, const struct session_line *line,
    enum error_code code, const char *words, struct word word)
{
	session_error(session, code, words, word, line->out);
}

/* Whether this is the first line of its kind; another one is refused. */
static bool
is_first(struct session *session, const struct session_line *line, int *count)
{
	if ((*count)++ == 0)
		return true;
	refuse(
	    session, line, ERROR_UNEXPECTED, "a second", line->words->word[0]);
	return false;
}

/*
 * Stores the words after name= up to the next pair.  They are skipped, but the
 * author of the bot most likely meant them as a part of the name.
 */
static void
note_name_rest(struct session *session, const struct words *words)
{
	struct scopa_text rest;
	struct word key, value;
	int at = 1;

	while (at < words->count &&
	    !(word_split_pair(words->word[at], &key, &value) &&
		word_is(key, "name")))
		at++;
	scopa_text_init(&rest, session->name_rest, sizeof(session->name_rest));
	for (at++; at < words->count &&
	     !word_split_pair(words->word[at], &key, &value);
	     at++) {
		if (rest.length > 0)
			scopa_text_string(&rest, "%20");
		scopa_text_bytes(
		    &rest, words->word[at].bytes, words->word[at].length);
	}
}

void
session_on_id(struct session *session, const struct session_line *line)
{
	static const char no_text[] =
	    "longer than 63 bytes, or a % without two hex digits:";
	struct word name = words_find(line->words, "name");
	struct word version = words_find(line->words, "version");

	if (!is_first(session, line, &session->id_count))
		return;
	if (name.bytes == NULL)
		refuse(session, line, ERROR_SYNTAX, "name= is missing in",
		    line->words->word[0]);
	else if (!word_decode(name, session->name, sizeof(session->name)))
		refuse(session, line, ERROR_SYNTAX, no_text, name);
	note_name_rest(session, line->words);
	if (version.bytes &&
	    !word_decode(version, session->version, sizeof(session->version)))
		refuse(session, line, ERROR_SYNTAX, no_text, version);
}

/*
 * An option as a bot declares it, in the words of its line: `option name=depth
 * type=int default=4 min=1 max=9` (protocol.md, messages of a bot).  The table
 * `types` has a row for each type: whether a declaration of this type is
 * consistent, which values it allows, and how these are described to the user.
 */

/* Size of the longest value of an enum that a user can be asked to write. */
enum { ENUM_VALUE_SIZE = 256 };

/*
 * Reads the number of an optional pair.  Returns false if the value is not a
 * number; without the pair, *number is left as it is.
 */
static bool
read_number(const struct words *words, const char *key, int64_t *number)
{
	struct word word = words_find(words, key);

	return word.bytes == NULL ||
	    word_to_int(word, INT64_MIN, INT64_MAX, number);
}

static bool
read_limits(const struct words *words, int64_t *min, int64_t *max)
{
	*min = INT64_MIN;
	*max = INT64_MAX;
	return read_number(words, "min", min) && read_number(words, "max", max);
}

static const char *
int_flaw(const struct words *words)
{
	int64_t min, max, fallback = 0;

	if (!read_limits(words, &min, &max) ||
	    !read_number(words, "default", &fallback))
		return "default=, min= and max= are whole numbers where "
		       "type=int, unlike in";
	if (min > max)
		return "min= is above max= in";
	if (words_find(words, "default").bytes != NULL &&
	    (fallback < min || fallback > max))
		return "default= is not from min= to max= in";
	return NULL;
}

static bool
int_allows(const struct words *words, const char *value)
{
	struct word word = { value, strlen(value) };
	int64_t min, max, number;

	return read_limits(words, &min, &max) &&
	    word_to_int(word, min, max, &number);
}

static void
int_describe(const struct words *words, struct scopa_text *text)
{
	int64_t min, max;

	scopa_text_string(text, "a whole number");
	(void)read_limits(words, &min, &max);
	if (min != INT64_MIN && max != INT64_MAX)
		scopa_text_print(text, " from %jd to %jd", min, max);
	else if (min != INT64_MIN)
		scopa_text_print(text, " of at least %jd", min);
	else if (max != INT64_MAX)
		scopa_text_print(text, " of at most %jd", max);
}

/* The values of a bool or an enum, separated by `|`. */
static struct word
values_of(const struct words *words)
{
	static const struct word of_bool = { "true|false", 10 };

	return word_is(words_find(words, "type"), "bool")
	    ? of_bool
	    : words_find(words, "values");
}

static const char *
enum_flaw(const struct words *words)
{
	struct word rest = values_of(words), piece;
	struct word fallback = words_find(words, "default");
	bool found = fallback.bytes == NULL;

	if (rest.bytes == NULL)
		return "values=A|B is missing, which type=enum needs, in";
	while (word_next_piece(&rest, '|', &piece)) {
		if (piece.length == 0)
			return "values= has an empty value in";
		found = found || word_equal(piece, fallback);
	}
	if (found)
		return NULL;
	return word_is(words_find(words, "type"), "bool")
	    ? "default= is neither true nor false in"
	    : "default= is none of the words of values= in";
}

static bool
enum_allows(const struct words *words, const char *value)
{
	struct word rest = values_of(words), piece;
	char bytes[ENUM_VALUE_SIZE];

	while (word_next_piece(&rest, '|', &piece))
		if (word_decode(piece, bytes, sizeof(bytes)) &&
		    strcmp(bytes, value) == 0)
			return true;
	return false;
}

/*
 * Writes a value as the user writes it; a value with unprintable bytes stays
 * escaped.
 */
static void
put_enum_value(struct word piece, struct scopa_text *text)
{
	char bytes[ENUM_VALUE_SIZE];
	bool prints = word_decode(piece, bytes, sizeof(bytes));

	for (size_t i = 0; prints && bytes[i] != '\0'; i++)
		prints = bytes[i] >= ' ' && bytes[i] <= '~';
	if (prints)
		scopa_text_string(text, bytes);
	else
		scopa_text_bytes(text, piece.bytes, piece.length);
}

static void
enum_describe(const struct words *words, struct scopa_text *text)
{
	struct word rest = values_of(words), piece;
	const char *before = "one of ";

	while (word_next_piece(&rest, '|', &piece)) {
		scopa_text_string(text, before);
		put_enum_value(piece, text);
		before = ", ";
	}
}

static bool
button_allows(const struct words *words, const char *value)
{
	(void)words;
	return strcmp(value, "-") == 0;
}

/*
 * `flaw` says what is wrong with a declaration, in words that its name follows,
 * or returns NULL; a NULL `flaw` accepts every declaration, a NULL `allows`
 * every value.
 */
static const struct option_type {
	const char *name;
	const char *(*flaw)(const struct words *words);
	/*
	 * The value ends with a NUL and is as the user wrote it, without
	 * escapes.
	 */
	bool (*allows)(const struct words *words, const char *value);
	/* What it allows, as in `a whole number from 1 to 9`. */
	const char *allowed; /* NULL: `describe` writes it */
	void (*describe)(const struct words *words, struct scopa_text *text);
} types[] = {
	{ "int", int_flaw, int_allows, NULL, int_describe },
	{ "bool", enum_flaw, enum_allows, "true or false", NULL },
	{ "enum", enum_flaw, enum_allows, NULL, enum_describe },
	{ "string", NULL, NULL, NULL, NULL },
	{ "button", NULL, button_allows, "-, as the option is a button", NULL },
};

/* The type of an option, or NULL if the type is missing or unknown. */
static const struct option_type *
type_of(const struct words *words)
{
	struct word type = words_find(words, "type");

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (type.bytes && word_is(type, types[i].name))
			return &types[i];
	return NULL;
}

/*
 * What is wrong with an `option` line, in words that its name follows; NULL: it
 * has a name and a known type, and its limits, values and default are
 * consistent.
 */
static const char *
option_flaw(const struct words *words)
{
	const struct option_type *type = type_of(words);

	if (!word_is_code(words_find(words, "name"), "-_."))
		return "name= is missing, or has other bytes than letters, "
		       "digits, -, _ and ., in";
	if (type == NULL)
		return "type= is none of int, bool, enum, string, button in";
	return type->flaw == NULL ? NULL : type->flaw(words);
}

/* Whether the bot has declared an option of this name. */
static bool
has_option(const struct session *session, struct word name)
{
	struct word rest = { session->options, strlen(session->options) };
	struct word piece;

	while (word_next_piece(&rest, ' ', &piece))
		if (piece.length > 0 && word_equal(piece, name))
			return true;
	return false;
}

/* Stores an option that the user sets wrongly. */
static void
note_option_flaw(
    struct session *session, enum bot_option_flaw flaw, const char *assignment)
{
	word_copy(
	    word_of(assignment), session->flawed, sizeof(session->flawed));
	session->option_flaw = flaw;
}

/*
 * Compares the value that the user sets for this option with its declaration,
 * which has no flaw.  Only the first wrong value is stored.
 */
static void
check_option_values(struct session *session, const struct words *words,
    struct word name, const char *const *options)
{
	const struct option_type *type = type_of(words);

	for (; options && *options; options++) {
		struct word whole = { *options, strlen(*options) }, key, value;
		struct scopa_text allowed;

		if (session->option_flaw != BOT_OPTION_GOOD ||
		    !word_split_pair(whole, &key, &value) ||
		    !word_equal(key, name) || type->allows == NULL ||
		    type->allows(words, value.bytes))
			continue;
		scopa_text_init(
		    &allowed, session->allowed, sizeof(session->allowed));
		if (type->allowed)
			scopa_text_string(&allowed, type->allowed);
		else
			type->describe(words, &allowed);
		note_option_flaw(session, BOT_OPTION_NO_VALUE, *options);
	}
}

void
session_on_option(struct session *session, const struct session_line *line)
{
	struct word name = words_find(line->words, "name");
	size_t used = strlen(session->options);
	const char *flaw = option_flaw(line->words);

	if (flaw == NULL && has_option(session, name))
		flaw = "declared a second time:";
	else if (flaw == NULL &&
	    used + name.length + 2 > sizeof(session->options))
		flaw = "there is no room for the names of more options:";
	if (flaw != NULL) {
		session->bad_option_count++;
		refuse(session, line, ERROR_OPTION, flaw,
		    name.length > 0 ? name : line->words->word[0]);
		return;
	}
	memcpy(session->options + used, name.bytes, name.length);
	session->options[used + name.length] = ' ';
	session->options[used + name.length + 1] = '\0';
	check_option_values(session, line->words, name, line->options);
}

/*
 * Stores the names of all options, and the one that is most similar to the
 * user's.
 */
static void
note_no_option(struct session *session, const char *assignment)
{
	struct word rest = { session->options, strlen(session->options) };
	struct scopa_nearest guess;
	struct scopa_text allowed;
	struct word piece;

	scopa_nearest_init(&guess, assignment, strcspn(assignment, "="));
	scopa_text_init(&allowed, session->allowed, sizeof(session->allowed));
	while (word_next_piece(&rest, ' ', &piece)) {
		char name[sizeof(session->nearest)];

		if (piece.length == 0 || piece.length >= sizeof(name))
			continue;
		memcpy(name, piece.bytes, piece.length);
		name[piece.length] = '\0';
		scopa_text_print(
		    &allowed, "%s%s", allowed.length > 0 ? ", " : "", name);
		scopa_nearest_offer(&guess, name);
		if (guess.name != name)
			continue;
		memcpy(session->nearest, name, piece.length + 1);
		guess.name = session->nearest;
	}
	/*
	 * The author of the bot may look for an option whose declaration was
	 * refused.
	 */
	if (session->bad_option_count > 0)
		scopa_text_print(&allowed, "%s%d `option` line%s",
		    allowed.length > 0 ? ", and " : "",
		    session->bad_option_count,
		    session->bad_option_count == 1
			? " that contradicts itself"
			: "s that contradict themselves");
	if (session->bad_option_count > 0 &&
	    session->refusal_code == ERROR_OPTION)
		scopa_text_print(&allowed, "%s: error %s",
		    session->bad_option_count == 1 ? "" : ", the last",
		    session->refusal);
	note_option_flaw(session, BOT_OPTION_NO_NAME, assignment);
}

/*
 * Whether the bot declares every option that the user sets, and allows its
 * value.
 */
static bool
options_are_declared(struct session *session, const char *const *options)
{
	for (; options && *options; options++) {
		struct word whole = { *options, strlen(*options) };
		struct word name, value;

		if (session->option_flaw == BOT_OPTION_GOOD &&
		    (!word_split_pair(whole, &name, &value) ||
			!has_option(session, name)))
			note_no_option(session, *options);
	}
	return session->option_flaw == BOT_OPTION_GOOD;
}

/* Sends `NAME=VALUE`, as the user wrote it, as a `setoption` line. */
static void
set_option(const char *assignment, struct scopa_text *out)
{
	size_t name_length = strcspn(assignment, "=");

	scopa_text_string(out, "setoption ");
	scopa_text_bytes(out, assignment, name_length + 1);
	value_encode(assignment + name_length + 1, out);
	scopa_text_char(out, '\n');
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
session_on_feature(struct session *session, const struct session_line *line)
{
	const struct words *words = line->words;

	if (!is_first(session, line, &session->feature_count))
		return;
	for (int i = 1; i < words->count; i++) {
		struct word key = words->word[i], value = { NULL, 0 };
		bool *field = NULL;
		int64_t number;

		if (word_split_pair(words->word[i], &key, &value))
			field = find_feature(&session->features, key);
		if (field == NULL || !word_to_int(value, 0, 1, &number))
			refuse(session, line, ERROR_FEATURE,
			    "not known:", words->word[i]);
		else
			*field = number == 1;
	}
}

/* The reason why a bot that has sent `uspok` cannot play, or NULL. */
static const char *
uspok_flaw(struct session *session, const struct session_line *line)
{
	const struct words *words = line->words;
	int64_t version;

	if (words->count < 2 ||
	    !word_to_int(words->word[1], 1, SESSION_VERSION, &version)) {
		refuse(session, line, ERROR_VERSION,
		    "only version 1 is offered, not",
		    words->word[words->count - 1]);
		return "HS_BAD(VERSION)";
	}
	if (session->id_count == 0)
		return "HS_BAD(ID)";
	return session->features.analysis && !line->analysis
	    ? SESSION_NEEDS_ANALYSIS
	    : NULL;
}

void
session_on_uspok(struct session *session, const struct session_line *line)
{
	const char *const *options = line->options;
	const char *flaw = uspok_flaw(session, line);

	if (flaw) {
		session_end(session, OFFENCE_STARTUP, flaw, word_of(""));
		return;
	}
	if (!options_are_declared(session, options)) {
		session_end(session, OFFENCE_STARTUP, SESSION_BAD_OPTION,
		    word_of(session->flawed));
		return;
	}
	for (; options && *options; options++) {
		set_option(*options, line->out);
		session->setting = true;
	}
	session_ask_ready(session, line->out);
}

bool
session_on_option_error(struct session *session, struct word line)
{
	if (session->phase != SESSION_SETUP || !session->setting)
		return false;
	session->option_flaw = BOT_OPTION_REFUSED;
	session_end(session, OFFENCE_STARTUP, SESSION_BAD_OPTION, line);
	return true;
}

void
session_on_readyok(struct session *session)
{
	session->phase = SESSION_IDLE;
	session->setting = false;
}

void
session_ask_ready(struct session *session, struct scopa_text *out)
{
	scopa_text_string(out, "isready\n");
	session->phase = SESSION_SETUP;
}
