/*
 * Implements option.h.  A reader walks the words of the command line, or the
 * entries of a configuration file, and finds the row for each name.  A scope is
 * the set of rows in which a name is looked up: the rows of the command, or the
 * keys of a group for one element of its array.  Rows of an OPTION_TABLE are
 * found as if they stood in the table around it.
 *
 * Reading has two steps: the file of --config is read first, then the command
 * line, so that the command line overrides the file.
 */
#include "option.h"

#include <assert.h>
#include <bsd/sys/queue.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"

enum {
	OPTION_PATH_SIZE = 2 * 4096, /* enough for a folder and a path in it */
	REASON_SIZE = 512
};

/*
 * Configuration files.  A file is read whole into memory and cut into entries
 * in place: names and values are made to end with NUL, and quotes and escapes
 * are removed, which only makes a value shorter.
 */

/*
 * The sections of all commands.  One file may have sections for several
 * commands.
 */
static const char *const sections[] = { "match", "tournament", "gate", "bot",
	"base", "each", "sprt", "packs", "log", "record" };

/* An entry: the beginning of a section, or a value in it. */
struct config_entry {
	int line; /* line in the file, from 1 */
	/* title of a section: `bot mybot`; NULL: the entry is a value */
	const char *title;
	const char *word; /* KEY=VALUE; NULL: the entry begins a section */
	/*
	 * The row of the command that this entry sets, or the group whose
	 * section it begins; NULL: none, or a later value has replaced it.
	 */
	const struct option *row;
};

struct config {
	LIST_ENTRY(config) link; /* of files; unused without a file */
	bool is_file;
	char *path;
	char *bytes; /* contents of the file; the entries point into them */
	struct config_entry *entries;
	int count;
};

/* The files that are not closed. */
static LIST_HEAD(, config) files = LIST_HEAD_INITIALIZER(files);

enum { LOCATION_PATH_MAX = 160 };

static const char blanks[] = " \t\r\n\v\f";

/* Formats `FILE:LINE: `; of a long path only the end. */
static void
location_format(const char *path, int line, char location[OPTION_LOCATION_SIZE])
{
	size_t length = strlen(path);
	bool cut = length > LOCATION_PATH_MAX;

	snprintf(location, OPTION_LOCATION_SIZE, "%s%s:%d: ", cut ? "..." : "",
	    cut ? path + length - LOCATION_PATH_MAX : path, line);
}

static char *
trim(char *text)
{
	size_t length;

	text += strspn(text, blanks);
	length = strlen(text);
	while (length > 0 && strchr(blanks, text[length - 1]) != NULL)
		length--;
	text[length] = '\0';
	return text;
}

/*
 * Whether the text is in double quotes as a whole: the first quote is closed by
 * the last byte.
 */
static bool
is_quoted(const char *text)
{
	if (*text++ != '"')
		return false;
	while (*text != '\0' && *text != '"')
		text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
	return text[0] == '"' && text[1] == '\0';
}

/* Letters that may follow a backslash, and the bytes that they stand for. */
static const char escape_letters[] = "\"\\nrt", escape_bytes[] = "\"\\\n\r\t";

static char *
unquote(char *text)
{
	char *put = text;

	if (!is_quoted(text))
		return text;
	for (const char *from = text + 1; from[1] != '\0'; from++) {
		const char *letter =
		    from[0] == '\\' ? strchr(escape_letters, from[1]) : NULL;

		if (letter != NULL) {
			*put++ = escape_bytes[letter - escape_letters];
			from++;
		} else {
			*put++ = *from;
		}
	}
	*put = '\0';
	return text;
}

/*
 * Turns a line into an entry, in place.  False: the line is neither a section
 * nor a value.
 */
static bool
line_read(char *line, struct config_entry *entry)
{
	char *end = strchr(line, line[0] == '[' ? ']' : '=');
	const char *value;

	if (end == NULL)
		return false;
	*end = '\0';
	if (line[0] == '[') {
		entry->title = trim(line + 1);
		return true;
	}
	value = unquote(trim(end + 1));
	line = trim(line);
	entry->word = line;
	line += strlen(line);
	*line++ = '=';
	memmove(line, value, strlen(value) + 1);
	return true;
}

static bool
config_parse(
    struct config *config, const char *path, struct option_error *error)
{
	static const char byte_order_mark[] = "\xEF\xBB\xBF";
	char *rest = config->bytes;

	if (strncmp(rest, byte_order_mark, strlen(byte_order_mark)) == 0)
		rest += strlen(byte_order_mark);
	for (int number = 1; rest != NULL; number++) {
		struct config_entry *entry = &config->entries[config->count];
		char *line = trim(strsep(&rest, "\n"));
		char location[OPTION_LOCATION_SIZE];

		if (strchr(";#", line[0]) != NULL)
			continue;
		entry->line = number;
		config->count++;
		if (line_read(line, entry))
			continue;
		location_format(path, number, location);
		snprintf(error->hint, sizeof(error->hint),
		    "write [SECTION], KEY = VALUE, or a comment after #");
		snprintf(error->what, sizeof(error->what),
		    "%sneither a section nor a key with its value", location);
		return false;
	}
	return true;
}

/*
 * Reads a whole file and puts a NUL after it.  0, or -errno; -EFBIG if it is
 * too large, -EBADMSG if it holds a NUL.  The caller frees *bytes, after an
 * error, too.
 */
static int
file_read(const char *path, char **bytes)
{
	FILE *file = fopen(path, "re");
	size_t size = 0;
	int error = 0;

	if (file == NULL)
		return -errno;
	errno = 0;
	*bytes = malloc(CONFIG_SIZE_MAX + 1);
	if (*bytes != NULL)
		size = fread(*bytes, 1, CONFIG_SIZE_MAX + 1, file);
	if (*bytes == NULL || ferror(file))
		error = errno ? -errno : -EIO;
	else if (size > CONFIG_SIZE_MAX)
		error = -EFBIG;
	else if (memchr(*bytes, '\0', size) != NULL)
		error = -EBADMSG;
	else
		(*bytes)[size] = '\0';
	fclose(file);
	return error;
}

/*
 * Reads a file, or `text` in its place if that is not NULL.  NULL on failure,
 * with an error `FILE:LINE: ...`.
 */
static struct config *
config_open(const char *path, const char *text, struct option_error *error)
{
	struct config *config = calloc(1, sizeof(*config));
	int result = -ENOMEM;
	size_t lines = 1;

	if (config == NULL)
		goto fail;
	config->is_file = text == NULL;
	if (config->is_file)
		LIST_INSERT_HEAD(&files, config, link);
	if (text == NULL)
		result = file_read(path, &config->bytes);
	else if ((config->bytes = strdup(text)) != NULL)
		result = 0;
	if (result)
		goto fail;
	for (const char *byte = config->bytes; *byte != '\0'; byte++)
		lines += *byte == '\n';
	config->entries = calloc(lines, sizeof(*config->entries));
	config->path = strdup(path);
	if (config->entries == NULL || config->path == NULL)
		result = -ENOMEM;
	else if (config_parse(config, path, error))
		return config;
fail:
	error->machine = result == -ENOMEM;
	if (result)
		snprintf(error->what, sizeof(error->what),
		    "config file \"%s\": %s", path,
		    result == -EBADMSG ? "this is no text" : strerror(-result));
	config_close(config);
	return NULL;
}

void
config_close(struct config *config)
{
	if (config == NULL)
		return;
	if (config->is_file)
		LIST_REMOVE(config, link);
	free(config->entries);
	free(config->bytes);
	free(config->path);
	free(config);
}

/*
 * Whether the value can be written without quotes and is read back unchanged.
 */
static bool
value_is_plain(const char *value)
{
	size_t length = strlen(value);

	return length > 0 && strchr(blanks, value[0]) == NULL &&
	    strchr(blanks, value[length - 1]) == NULL && value[0] != '"' &&
	    strpbrk(value, "\n\r") == NULL;
}

/* Writes a line `KEY = VALUE`.  The value is put in quotes if needed. */
static void
config_print(FILE *file, const char *key, const char *value)
{
	if (value_is_plain(value)) {
		fprintf(file, "%s = %s\n", key, value);
		return;
	}
	fprintf(file, "%s = \"", key);
	for (; *value != '\0'; value++) {
		const char *byte = strchr(escape_bytes, *value);

		if (byte != NULL)
			fprintf(
			    file, "\\%c", escape_letters[byte - escape_bytes]);
		else
			fputc(*value, file);
	}
	fputs("\"\n", file);
}

/*
 * Options.
 */

/* A row, which may stand in a table within the table. */
struct option_row {
	const struct option *option;
	char *base; /* the struct that the row's offset counts from */
};

/*
 * The rows in which names are looked up: those of the command, or the keys of a
 * group for one of its elements.
 */
struct option_scope {
	const struct option *group; /* NULL: the rows of the command */
	const struct option *options;
	/* the settings of the command, or the element of the group */
	char *base;
};

/* Formats an error of the reader, as printf does.  Its value is false. */
#define fail(reader, ...)                                                      \
	(snprintf(                                                             \
	     (reader)->error.what, sizeof((reader)->error.what), __VA_ARGS__), \
	    false)

void
hint_nearest(char hint[OPTION_HINT_SIZE], const struct scopa_nearest *guess,
    const char *before, const char *after)
{
	if (guess->name != NULL)
		snprintf(hint, OPTION_HINT_SIZE, "did you mean \"%s%s%s\"?",
		    before, guess->name, after);
}

/*
 * Values of options.
 */

void
option_range_format(const struct option *option, struct scopa_text *text)
{
	if (option->kind == OPTION_REAL)
		text_printf(
		    text, "%.15g to %.15g", option->least, option->most);
	else
		text_printf(text, "%jd to %jd", option->min, option->max);
	if (option->unit != NULL)
		text_printf(text, " %s", option->unit);
}

/* Refuses a number, with its range: `out of range (1 to 64 deals)`. */
static bool
number_refuse(
    const struct option *option, const char *reason, struct scopa_text *why)
{
	text_printf(why, "%s (", reason);
	option_range_format(option, why);
	return option_refuse(why, ")");
}

static bool
flag_read(const char *value, bool *field, struct scopa_text *why)
{
	static const char *const words[][2] = { { "no", "yes" }, { "0", "1" },
		{ "false", "true" }, { "off", "on" } };

	for (int i = 0; i < COUNTOF(words); i++) {
		for (int yes = 0; yes < 2; yes++) {
			if (strcmp(value, words[i][yes]) != 0)
				continue;
			*field = yes;
			return true;
		}
	}
	return option_refuse(why, "a flag is yes or no");
}

static bool
int_read(const struct option *option, const char *value, int64_t *field,
    struct scopa_text *why)
{
	char *end;
	long long number;

	errno = 0;
	number = strtoll(value, &end, 10);
	if (end == value || *end != '\0' || isspace((unsigned char)value[0]))
		return number_refuse(option, "not a whole number", why);
	if (errno == ERANGE || number < option->min || number > option->max)
		return number_refuse(option, "out of range", why);
	*field = number;
	return true;
}

static bool
real_read(const struct option *option, const char *value, double *field,
    struct scopa_text *why)
{
	char *end;
	double number = strtod(value, &end);

	/*
	 * strtod() also accepts `inf`, `nan` and `0x1`, so only digits, signs,
	 * points and exponents are allowed.
	 */
	if (end == value || *end != '\0' ||
	    value[strspn(value, "0123456789+-.eE")] != '\0')
		return number_refuse(option, "not a number", why);
	if (!(number >= option->least && number <= option->most))
		return number_refuse(option, "out of range", why);
	*field = number;
	return true;
}

static bool
name_read(const struct option *option, const char *value, int *field,
    struct scopa_text *why)
{
	const char *const *names = option->names;

	for (int i = 0; names[i] != NULL; i++) {
		if (strcmp(names[i], value) == 0) {
			*field = i;
			return true;
		}
		text_printf(
		    why, "%s%s", i > 0 ? ", " : "not one of ", names[i]);
	}
	return false;
}

/*
 * Reads a value into a field, for every kind but pairs and groups.  Returns
 * false with the reason in `why` if the row refuses the value.
 */
static bool
value_read(const struct option *option, const char *value, void *field,
    struct scopa_text *why)
{
	switch (option->kind) {
	case OPTION_FLAG:
		return flag_read(value, field, why);
	case OPTION_INT:
		return int_read(option, value, field, why);
	case OPTION_REAL:
		return real_read(option, value, field, why);
	case OPTION_TEXT:
		if (value[0] == '\0')
			return option_refuse(why, "the value is empty");
		if (option->is_written && strcmp(value, "-") == 0)
			return option_refuse(
			    why, "a file is needed, not the standard output");
		if (option->check != NULL && !option->check(value, why))
			return false;
		*(const char **)field = value;
		return true;
	case OPTION_NAME:
		return name_read(option, value, field, why);
	case OPTION_PARSED:
		return option->parse(value, field, why);
	case OPTION_LAST:
	case OPTION_PAIRS:
	case OPTION_GROUP:
	case OPTION_TABLE:
	case OPTION_CONFIG:
	case OPTION_REFUSED:
		break;
	}
	/* The other kinds are read elsewhere, or have no value. */
	abort();
}

/*
 * Rows.
 */

static bool
name_is(const char *called, const char *name, size_t length)
{
	return called != NULL && strncmp(called, name, length) == 0 &&
	    called[length] == '\0';
}

static bool
option_has_name(const struct option *option, const char *name, size_t length)
{
	bool called = name_is(option->name, name, length);

	for (int i = 0; i < OPTION_ALIASES_MAX; i++)
		called = called || name_is(option->aliases[i], name, length);
	return called;
}

/* The scope of the command's own rows. */
static struct option_scope
own_scope(const struct option_reader *reader)
{
	return (struct option_scope){ NULL, reader->options, reader->settings };
}

const struct option *
option_at(const struct option *options, int index, size_t *offset)
{
	for (; options != NULL && options->kind != OPTION_LAST; options++) {
		bool is_table = options->kind == OPTION_TABLE;
		const struct option *row = is_table ? options->keys : options;

		*offset = is_table ? options->offset : 0;
		for (; row->kind != OPTION_LAST; row++) {
			assert(!is_table || row->kind != OPTION_TABLE);
			if (index-- == 0)
				return row;
			if (!is_table)
				break;
		}
	}
	return NULL;
}

const struct option *
option_find(const struct option *options, const char *name, size_t length,
    size_t *offset)
{
	const struct option *option;

	for (int i = 0; (option = option_at(options, i, offset)) != NULL; i++)
		if (option_has_name(option, name, length))
			break;
	return option;
}

/* Gives row number `index` of a scope.  False: there are fewer rows. */
static bool
row_at(const struct option_scope *scope, int index, struct option_row *row)
{
	size_t offset;

	row->option = option_at(scope->options, index, &offset);
	row->base = scope->base + offset;
	return row->option != NULL;
}

/* Finds the row of a name, its first `length` bytes.  False: there is none. */
static bool
row_find(const struct option_scope *scope, const char *name, size_t length,
    struct option_row *row)
{
	size_t offset;

	row->option = option_find(scope->options, name, length, &offset);
	row->base = scope->base + offset;
	return row->option != NULL;
}

/*
 * Finds the key whose value is the title of a section, as in `[bot TITLE]`.
 * False: the group has no such key.
 */
static bool
title_find(const struct option_scope *scope, struct option_row *row)
{
	const char *title = scope->group->title;

	return title != NULL && row_find(scope, title, strlen(title), row);
}

static void *
row_field(const struct option_row *row)
{
	return row->base + row->option->offset;
}

/* The counter of a group's elements. */
static int *
group_count(const struct option_row *row)
{
	return (int *)(void *)(row->base + row->option->count_offset);
}

/*
 * Sets fields to the defaults of their rows.  Of rows without a default only
 * real numbers are set: to NAN.
 */
static void
rows_default(const struct option_scope *scope)
{
	struct option_row row;

	for (int i = 0; row_at(scope, i, &row); i++) {
		const struct option *option = row.option;
		const struct option_scope keys = { option, option->keys,
			row_field(&row) };
		struct scopa_text why = SCOPA_TEXT(REASON_SIZE);
		bool good = true;

		if (option->kind == OPTION_GROUP && option->group_max == 0)
			rows_default(&keys);
		if (option->fallback != NULL)
			good = value_read(
			    option, option->fallback, keys.base, &why);
		else if (option->kind == OPTION_REAL)
			*(double *)row_field(&row) = (double)NAN;
		/* If a row refuses its own default, the table has a bug. */
		assert(good);
		(void)good;
	}
}

/*
 * Adds all names and aliases of a scope to the candidates for the nearest name.
 */
static void
rows_offer(struct scopa_nearest *guess, const struct option_scope *scope)
{
	struct option_row row;

	for (int i = 0; row_at(scope, i, &row); i++) {
		if (row.option->kind == OPTION_REFUSED)
			continue;
		scopa_nearest_offer(guess, row.option->name);
		for (int j = 0; j < OPTION_ALIASES_MAX; j++)
			if (row.option->aliases[j] != NULL)
				scopa_nearest_offer(
				    guess, row.option->aliases[j]);
	}
}

/* A later value replaces what entries of the file have set for this row. */
static void
entries_clear_row(const struct option_reader *reader, const struct option *row)
{
	struct config *config = reader->config;

	for (int i = 0; config != NULL && i < config->count; i++)
		if (config->entries[i].row == row)
			config->entries[i].row = NULL;
}

/* Appends `FILE:LINE: KEY=VALUE`, or `FILE:LINE: [TITLE]`. */
static void
entry_format(const struct config *config, const struct config_entry *entry,
    struct scopa_text *text)
{
	char location[OPTION_LOCATION_SIZE];

	location_format(config->path, entry->line, location);
	if (entry->title != NULL)
		text_printf(text, "%s[%s]", location, entry->title);
	else
		text_printf(text, "%s%s", location, entry->word);
}

bool
option_location(const struct option_reader *reader, const char *name,
    size_t length, struct scopa_text *text)
{
	const struct option_scope own = own_scope(reader);
	const struct config *config = reader->config;
	struct option_row row;

	if (config == NULL || !row_find(&own, name, length, &row))
		return false;
	for (int i = 0; i < config->count; i++) {
		if (config->entries[i].row != row.option)
			continue;
		entry_format(config, &config->entries[i], text);
		return true;
	}
	return false;
}

bool
option_value_location(const char *value, struct scopa_text *text)
{
	const struct config *config;

	LIST_FOREACH (config, &files, link)
		for (int i = 0; i < config->count; i++) {
			const struct config_entry *entry = &config->entries[i];
			const char *words =
			    entry->title ? entry->title : entry->word;

			/* Pointers into different texts are numbers here. */
			if ((uintptr_t)value - (uintptr_t)words > strlen(words))
				continue;
			entry_format(config, entry, text);
			return true;
		}
	return false;
}

/* Sets the field of a row.  The label of error messages must be set. */
static bool
row_set(struct option_reader *reader, const struct option_row *row,
    const char *value)
{
	const struct option *option = row->option;
	struct scopa_text why = SCOPA_TEXT(REASON_SIZE);
	struct scopa_nearest guess;

	if (option->kind == OPTION_REFUSED) {
		/* The hint is the sentence without its full stop. */
		snprintf(reader->error.hint, sizeof(reader->error.hint), "%.*s",
		    (int)strlen(option->sentence) - 1, option->sentence);
		return fail(reader, "%s is not accepted here", reader->label);
	}
	if (value_read(option, value, row_field(row), &why))
		return true;
	if (option->is_written || value[0] == '\0')
		return fail(reader, "%s: %s", reader->label, why.bytes);
	scopa_nearest_init(&guess, value, strlen(value));
	for (int i = 0; option->kind == OPTION_NAME && option->names[i]; i++)
		scopa_nearest_offer(&guess, option->names[i]);
	hint_nearest(reader->error.hint, &guess, "", "");
	return fail(reader, "%s %s: %s", reader->label, value, why.bytes);
}

/*
 * Keys: words KEY=VALUE, for an element of a group or for the command itself.
 */

/*
 * Whether an element of the group was begun on the command line before.  From
 * now on it was.
 */
static bool
is_begun(struct option_reader *reader, const struct option *group)
{
	for (int i = 0; i < reader->begun_count; i++)
		if (reader->begun[i] == group)
			return true;
	assert(reader->begun_count < OPTION_GROUPS_MAX);
	reader->begun[reader->begun_count++] = group;
	return false;
}

/*
 * Begins the next element of a group.  Where `group_max` is 0 there is one
 * element, to which all words are added.
 */
static bool
element_begin(struct option_reader *reader, const struct option_row *row,
    struct option_scope *scope)
{
	const struct option *group = row->option;
	int *count = group_count(row);
	bool in_file = reader->line > 0;

	*scope = (struct option_scope){ group, group->keys, row_field(row) };
	if (group->group_max == 0 && *count == 1)
		return true;
	/* The bots of the command line replace those of the file. */
	if (group->group_max > 0 && !in_file && !is_begun(reader, group)) {
		memset(scope->base, 0, group->group_size * (size_t)*count);
		*count = 0;
		entries_clear_row(reader, group);
	}
	if (group->group_max == 1 && *count == 1)
		return fail(reader, "%s%s%s is given twice", reader->location,
		    in_file ? "" : "--", group->name);
	if (group->group_max > 0 && *count == group->group_max)
		return fail(reader, "%s%s%s is given more than %d times",
		    reader->location, in_file ? "" : "--", group->name,
		    group->group_max);
	scope->base += group->group_size * (size_t)(*count)++;
	rows_default(scope);
	return true;
}

/*
 * If the plain value of a group is set on the command line, it replaces what
 * the file has set for the group.
 */
static void
group_clear(const struct option_reader *reader,
    const struct option_scope *scope, const struct option *key)
{
	if (reader->line == 0 && scope->group->takes_plain &&
	    key == scope->options)
		entries_clear_row(reader, scope->group);
}

/* Sets the first key to a word that is not KEY=VALUE. */
static bool
plain_set(struct option_reader *reader, const struct option_scope *scope,
    const char *value)
{
	const struct option_row row = { scope->options, scope->base };

	if (reader->line == 0)
		snprintf(reader->label, sizeof(reader->label), "--%s",
		    scope->group->name);
	group_clear(reader, scope, row.option);
	return row_set(reader, &row, value);
}

/* Adds the word `option.NAME=VALUE` without its prefix to a list of pairs. */
static bool
pair_add(struct option_reader *reader, const struct option_row *row,
    const char *word)
{
	struct option_pairs *pairs = row_field(row);
	size_t length = strcspn(word, "=") + 1;
	int index = 0;

	if (word[0] == '=')
		return fail(reader, "%s%s%s: a name is missing",
		    reader->location, row->option->name, word);
	while (index < pairs->count &&
	    strncmp(pairs->words[index], word, length) != 0)
		index++;
	if (index == OPTION_PAIRS_MAX)
		return fail(reader, "%smore than %d words %s", reader->location,
		    OPTION_PAIRS_MAX, row->option->name);
	pairs->words[index] = word;
	if (index == pairs->count)
		pairs->count++;
	return true;
}

/*
 * Sets a group that is used as a key.  This is only allowed if the group takes
 * a plain value, for its first key.
 */
static bool
group_set(struct option_reader *reader, const struct option_row *row,
    const char *value)
{
	struct option_scope scope;

	if (row->option->takes_plain)
		return element_begin(reader, row, &scope) &&
		    plain_set(reader, &scope, value);
	snprintf(reader->error.hint, sizeof(reader->error.hint),
	    "write a section [%s]", row->option->name);
	return fail(reader, "%s: is a group of keys", reader->label);
}

/* Reports that the key of a word, its first `length` bytes, is unknown. */
static bool
fail_unknown_key(struct option_reader *reader, const struct option_scope *scope,
    const char *word, size_t length)
{
	struct scopa_nearest guess;
	struct option_row row;
	const char *after = scope->group == NULL ? "" : "=";

	scopa_nearest_init(&guess, word, length);
	rows_offer(&guess, scope);
	if (guess.name != NULL && strchr(guess.name, '.') != NULL)
		after = "NAME=";
	hint_nearest(reader->error.hint, &guess, "", after);
	if (guess.name == NULL && row_find(scope, "option.", 7, &row))
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "an option that the bot declares is set by "
		    "option.%.*s=VALUE",
		    (int)length, word);
	if (strncmp(word, "no-", 3) == 0 &&
	    row_find(scope, word + 3, length - 3, &row) &&
	    row.option->kind == OPTION_FLAG)
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "write %s = no", row.option->name);
	return fail(reader, "%s: unknown key", reader->label);
}

/* Whether the command line has a value in place of this key of the file. */
static bool
is_replaced(const struct option_reader *reader,
    const struct option_scope *scope, const struct option *key)
{
	const struct option *by = reader->replacing;
	struct option_row same;

	return reader->line > 0 && scope->group != NULL && by != NULL &&
	    row_find(scope, by->name, strlen(by->name), &same) &&
	    same.option->offset == key->offset;
}

/* Sets what a word KEY=VALUE names, a key of the scope. */
static bool
key_set(struct option_reader *reader, const struct option_scope *scope,
    const char *word)
{
	size_t length = strcspn(word, "=");
	const char *value = word + length + 1;
	const char *point = memchr(word, '.', length);
	size_t name_length =
	    point && scope->group ? (size_t)(point + 1 - word) : length;
	struct option_row row;
	bool found = row_find(scope, word, name_length, &row);

	if (found && row.option->kind == OPTION_PAIRS)
		return pair_add(reader, &row, point + 1);
	if (reader->line > 0)
		snprintf(reader->label, sizeof(reader->label), "%s%.*s",
		    reader->location, (int)length, word);
	else
		snprintf(reader->label, sizeof(reader->label), "--%s %.*s",
		    scope->group->name, (int)length, word);
	if (!found)
		return fail_unknown_key(reader, scope, word, name_length);
	if (is_replaced(reader, scope, row.option))
		return true;
	group_clear(reader, scope, row.option);
	if (row.option->kind == OPTION_CONFIG)
		return fail(reader, "%s: a file cannot name another one",
		    reader->label);
	return row.option->kind == OPTION_GROUP ? group_set(reader, &row, value)
						: row_set(reader, &row, value);
}

/*
 * Options on the command line.
 */

/*
 * The length of the key in a word `key=...` or `prefix.NAME=...`, or 0 if the
 * word has none.
 */
static size_t
key_length(const char *word)
{
	size_t length = 0;

	if (!isalpha((unsigned char)word[0]))
		return 0;
	while (isalnum((unsigned char)word[length]) || word[length] == '-' ||
	    word[length] == '_')
		length++;
	/*
	 * After a prefix comes a name that the bot has chosen; it may contain
	 * other characters.
	 */
	if (word[length] == '.')
		length += strcspn(word + length, "= \t\n\v\f\r");
	return word[length] == '=' ? length : 0;
}

/* The name in a word that begins with one or two dashes. */
static const char *
option_name_of(const char *word)
{
	return word + (word[1] == '-' ? 2 : 1);
}

/*
 * Finds the row of the option that a word names.  False: the word is no option
 * of this command.
 */
static bool
word_find(const struct option_reader *reader, const char *word,
    struct option_row *row)
{
	const struct option_scope own = own_scope(reader);

	return word[0] == '-' &&
	    row_find(&own, option_name_of(word),
		strcspn(option_name_of(word), "="), row);
}

/*
 * The next word as a value.  NULL if there is none, or if it is an option: then
 * the value was forgotten.
 */
static const char *
value_next(const struct option_reader *reader)
{
	struct option_row row;
	const char *word = *reader->words;

	return word == NULL || word_find(reader, word, &row) ? NULL : word;
}

/*
 * Scans the command line before it is read: sets `help` if it asks for help,
 * and returns the value of the last --config, or NULL.
 */
static const char *
command_line_scan(struct option_reader *reader, char **argv)
{
	static const char key[] = "file=";
	const char *config = NULL;

	for (reader->words = argv; *reader->words != NULL;) {
		const char *word = *reader->words++, *name, *value;
		struct option_row row;

		if (word[0] != '-' || word[1] == '\0') {
			if (reader->rest)
				break;
			continue;
		}
		if (strcmp(word, "--") == 0)
			break;
		name = option_name_of(word);
		if (strcmp(word, "-h") == 0 || strcmp(name, "help") == 0) {
			reader->help = true;
			break;
		}
		if (!word_find(reader, word, &row))
			continue;
		if (row.option->replaces_keys)
			reader->replacing = row.option;
		if (row.option->kind != OPTION_CONFIG)
			continue;
		value = strchr(name, '=');
		value = value != NULL ? value + 1 : value_next(reader);
		if (value != NULL)
			config = value;
	}
	/* Other arenas write `file=` before the name of the file. */
	if (config != NULL && strncmp(config, key, strlen(key)) == 0)
		config += strlen(key);
	return config;
}

static bool
fail_missing_value(struct option_reader *reader, const struct option *option)
{
	return fail(reader, "--%s needs a value: --%s %s", option->name,
	    option->name, option->value);
}

/* Reads the words after the name of a group into one element of its array. */
static bool
group_read(struct option_reader *reader, const struct option_row *row,
    const char *inline_word)
{
	const struct option *group = row->option;
	struct option_scope scope;
	const char *word =
	    inline_word != NULL ? inline_word : value_next(reader);
	bool plain = word == NULL || key_length(word) == 0;

	if (plain && group->takes_nothing && inline_word == NULL)
		return element_begin(reader, row, &scope);
	if (plain && !group->takes_plain)
		return inline_word == NULL
		    ? fail(reader, "--%s needs words %s", group->name,
			  group->value)
		    : fail(reader, "--%s=%s: not of the form %s", group->name,
			  word, group->value);
	if (word == NULL)
		return fail_missing_value(reader, group);
	if (!element_begin(reader, row, &scope))
		return false;
	reader->words += inline_word == NULL;
	if (plain ? !plain_set(reader, &scope, word)
		  : !key_set(reader, &scope, word))
		return false;
	while (*reader->words != NULL && key_length(*reader->words) > 0)
		if (!key_set(reader, &scope, *reader->words++))
			return false;
	return true;
}

static bool
fail_unknown_option(struct option_reader *reader, const char *word)
{
	const struct option_scope own = own_scope(reader);
	const char *name = option_name_of(word);
	struct scopa_nearest guess;

	scopa_nearest_init(&guess, name, strcspn(name, "="));
	rows_offer(&guess, &own);
	scopa_nearest_offer(&guess, "help");
	hint_nearest(reader->error.hint, &guess, "--", "");
	return fail(reader, "unknown option \"%.*s\"",
	    (int)(strcspn(name, "=") + (size_t)(name - word)), word);
}

/* Reads an option and its value. */
static bool
word_read(struct option_reader *reader, const char *word)
{
	const struct option_scope own = own_scope(reader);
	const char *name = option_name_of(word), *value = strchr(name, '=');
	int length = (int)strcspn(name, "=");
	struct option_row row;
	bool found = word_find(reader, word, &row);
	bool reversed = !found && strncmp(name, "no-", 3) == 0;
	const struct option *option;

	if (reversed)
		found = row_find(&own, name + 3, (size_t)length - 3, &row) &&
		    row.option->kind == OPTION_FLAG;
	if (!found)
		return fail_unknown_option(reader, word);
	option = row.option;
	if (value != NULL)
		value++;
	if (option->kind == OPTION_GROUP)
		return group_read(reader, &row, value);
	if (option->kind == OPTION_REFUSED) {
		snprintf(reader->label, sizeof(reader->label), "%.*s",
		    (int)strcspn(word, "="), word);
		return row_set(reader, &row, NULL);
	}
	if (reversed && value != NULL)
		return fail(reader, "--%s takes no value", name);
	if (option->kind == OPTION_FLAG && value == NULL) {
		/*
		 * The word of `implied` may follow a flag; it changes nothing.
		 */
		value = value_next(reader);
		reader->words += value != NULL && option->implied != NULL &&
		    strcmp(value, option->implied) == 0;
		value = reversed ? "no" : "yes";
	}
	if (value == NULL) {
		value = value_next(reader);
		if (value != NULL && option->is_value != NULL &&
		    !option->is_value(value))
			value = NULL;
		reader->words += value != NULL;
	}
	if (value == NULL)
		value = option->implied;
	if (value == NULL)
		return fail_missing_value(reader, option);
	/* The file was read before the command line. */
	if (option->kind == OPTION_CONFIG)
		return true;
	snprintf(reader->label, sizeof(reader->label), "--%s", option->name);
	entries_clear_row(reader, option);
	return row_set(reader, &row, value);
}

/* Stores an argument, or gives it to the group that takes arguments. */
static bool
argument_read(struct option_reader *reader, char *word)
{
	const struct option_scope own = own_scope(reader);
	struct option_scope scope;
	struct option_row row;

	for (int i = 0; row_at(&own, i, &row); i++) {
		if (!row.option->takes_arguments || reader->keeps_arguments)
			continue;
		return element_begin(reader, &row, &scope) &&
		    plain_set(reader, &scope, word);
	}
	reader->arguments[reader->argument_count++] = word;
	return true;
}

/*
 * Options in a configuration file.
 */

static bool
fail_unknown_section(
    struct option_reader *reader, const char *title, size_t length)
{
	const struct option_scope own = own_scope(reader);
	struct scopa_nearest guess;
	struct option_row row;

	scopa_nearest_init(&guess, title, length);
	scopa_nearest_offer(&guess, reader->section);
	for (int i = 0; i < COUNTOF(sections); i++)
		scopa_nearest_offer(&guess, sections[i]);
	for (int i = 0; row_at(&own, i, &row); i++)
		if (row.option->kind == OPTION_GROUP)
			scopa_nearest_offer(&guess, row.option->name);
	hint_nearest(reader->error.hint, &guess, "[", "]");
	return fail(reader, "%sunknown section [%s]", reader->location, title);
}

static bool
title_refuse(
    struct option_reader *reader, const char *section, const char *title)
{
	return fail(reader, "%s[%s] takes no name: \"%s\"", reader->location,
	    section, title);
}

/*
 * Reads the title of a section `[bot TITLE]` as the value of one of its keys.
 */
static bool
title_read(struct option_reader *reader, const struct option_scope *scope,
    const char *title)
{
	const struct option *group = scope->group;
	struct option_row row;

	if (*title == '\0')
		return true;
	if (!title_find(scope, &row))
		return title_refuse(reader, group->name, title);
	snprintf(reader->label, sizeof(reader->label), "%s[%s]",
	    reader->location, group->name);
	return row_set(reader, &row, title);
}

/*
 * Begins a section.  `scope` gets no options if the section is for another
 * command.
 */
static bool
section_read(
    struct option_reader *reader, struct option_scope *scope, const char *title)
{
	const struct option_scope own = own_scope(reader);
	size_t length = strcspn(title, " \t");
	const char *rest = title + length + strspn(title + length, " \t");
	struct option_row row;

	*scope = own;
	if (name_is(reader->section, title, length))
		return *rest == '\0' ||
		    title_refuse(reader, reader->section, rest);
	if (row_find(&own, title, length, &row) &&
	    row.option->kind == OPTION_GROUP)
		return element_begin(reader, &row, scope) &&
		    title_read(reader, scope, rest);
	scope->options = NULL;
	for (int i = 0; i < COUNTOF(sections); i++)
		if (name_is(sections[i], title, length))
			return true;
	return fail_unknown_section(reader, title, length);
}

/* Sets the row of an entry that was read: see struct config_entry. */
static void
entry_set_row(const struct option_reader *reader,
    const struct option_scope *scope, struct config_entry *entry)
{
	struct option_row row;

	if (entry->title != NULL) {
		/* If a group has several elements, errors name the element. */
		if (scope->group != NULL && scope->group->group_max <= 1)
			entry->row = scope->group;
	} else if (scope->options != NULL && scope->group == NULL &&
	    row_find(scope, entry->word, strcspn(entry->word, "="), &row)) {
		entries_clear_row(reader, row.option);
		entry->row = row.option;
	}
}

static bool
file_read_options(
    struct option_reader *reader, const char *path, const char *text)
{
	struct config *config = config_open(path, text, &reader->error);
	struct option_scope scope = { .base = NULL };

	assert(reader->config == NULL);
	reader->config = config;
	if (config == NULL)
		return false;
	for (int i = 0; i < config->count; i++) {
		struct config_entry *entry = &config->entries[i];

		reader->line = entry->line;
		location_format(path, entry->line, reader->location);
		if (entry->title != NULL) {
			if (!section_read(reader, &scope, entry->title))
				return false;
		} else if (scope.base == NULL) {
			snprintf(reader->error.hint, sizeof(reader->error.hint),
			    "begin with a line [%s]", reader->section);
			return fail(reader,
			    "%s%.*s: is before the first section",
			    reader->location, (int)strcspn(entry->word, "="),
			    entry->word);
		} else if (scope.options != NULL &&
		    !key_set(reader, &scope, entry->word)) {
			return false;
		}
		entry_set_row(reader, &scope, entry);
	}
	reader->line = 0;
	reader->location[0] = '\0';
	return true;
}

bool
option_read_file(
    struct option_reader *reader, const char *path, const char *text)
{
	const struct option_scope own = own_scope(reader);

	rows_default(&own);
	return file_read_options(reader, path, text);
}

bool
option_read(struct option_reader *reader, char **argv)
{
	const struct option_scope own = own_scope(reader);
	const char *path = command_line_scan(reader, argv);
	bool ended = false;

	rows_default(&own);
	if (reader->help)
		return true;
	if (path != NULL && !file_read_options(reader, path, NULL))
		return false;
	reader->arguments = argv;
	for (reader->words = argv; *reader->words != NULL;) {
		char *word = *reader->words++;

		if (ended || word[0] != '-' || word[1] == '\0') {
			if (!argument_read(reader, word))
				return false;
			ended = ended || reader->rest;
		} else if (strcmp(word, "--") == 0) {
			ended = true;
		} else if (!word_read(reader, word)) {
			return false;
		}
	}
	argv[reader->argument_count] = NULL;
	return true;
}

/*
 * Writing settings as a configuration file.
 */

/* Appends a path, or several with colons between them, as absolute paths. */
static void
paths_format(const struct option *option, const char *paths, const char *folder,
    struct scopa_text *text)
{
	while (*paths != '\0') {
		size_t length =
		    option->is_paths ? strcspn(paths, ":") : strlen(paths);

		if (text->length > 0)
			scopa_text_char(text, ':');
		if (paths[0] != '/' && length > 0) {
			scopa_text_string(text, folder);
			scopa_text_char(text, '/');
		}
		scopa_text_bytes(text, paths, length);
		paths += length + (paths[length] == ':');
	}
}

static void
real_format(double number, struct scopa_text *text)
{
	char bytes[32];

	snprintf(bytes, sizeof(bytes), "%.15g", number);
	if (strtod(bytes, NULL) < number || strtod(bytes, NULL) > number)
		snprintf(bytes, sizeof(bytes), "%.17g", number);
	scopa_text_string(text, bytes);
}

/*
 * Appends a value in the form in which it is read.  Appends nothing if the
 * option was not given and has no default.
 */
static void
value_format(const struct option *option, const void *field, const char *folder,
    struct scopa_text *text)
{
	bool always = option->fallback != NULL;
	const char *words;

	switch (option->kind) {
	case OPTION_FLAG:
		if (always || *(const bool *)field)
			scopa_text_string(
			    text, *(const bool *)field ? "yes" : "no");
		return;
	case OPTION_INT:
		if (always || *(const int64_t *)field != 0)
			scopa_text_int(text, *(const int64_t *)field);
		return;
	case OPTION_REAL:
		if (!isnan(*(const double *)field))
			real_format(*(const double *)field, text);
		return;
	case OPTION_TEXT:
		words = *(const char *const *)field;
		if (words == NULL)
			return;
		if (folder != NULL && (option->is_path || option->is_paths))
			paths_format(option, words, folder, text);
		else
			scopa_text_string(text, words);
		return;
	case OPTION_NAME:
		scopa_text_string(text, option->names[*(const int *)field]);
		return;
	case OPTION_PARSED:
		if (option->format != NULL)
			option->format(field, text);
		return;
	case OPTION_CONFIG:
	case OPTION_GROUP:
	case OPTION_LAST:
	case OPTION_PAIRS:
	case OPTION_REFUSED:
	case OPTION_TABLE:
		return;
	}
}

static void
pairs_write(
    FILE *file, const struct option *option, const struct option_pairs *pairs)
{
	for (int i = 0; i < pairs->count; i++) {
		const char *word = pairs->words[i];
		size_t length = strcspn(word, "=");
		char key[OPTION_PATH_SIZE];

		snprintf(key, sizeof(key), "%s%.*s", option->name, (int)length,
		    word);
		config_print(file, key, word + length + 1);
	}
}

/*
 * Writes a line for each row that is not a group, except the row `titled`,
 * whose value is in the title of the section.
 */
static void
rows_write(FILE *file, const struct option_scope *scope, const char *folder,
    const struct option *titled)
{
	struct option_row row;

	for (int i = 0; row_at(scope, i, &row); i++) {
		const struct option *option = row.option;
		struct scopa_text text = SCOPA_TEXT(OPTION_PATH_SIZE);

		if (option->is_passing || option == titled)
			continue;
		if (option->kind == OPTION_PAIRS)
			pairs_write(file, option, row_field(&row));
		value_format(option, row_field(&row), folder, &text);
		/*
		 * Only a text may be longer than the buffer, as texts have no
		 * limit; a path of that length cannot be made absolute.
		 */
		assert(!text.cut || option->kind == OPTION_TEXT);
		if (text.length > 0)
			config_print(file, option->name,
			    text.cut ? *(const char **)row_field(&row)
				     : text.bytes);
	}
}

/*
 * Writes the section of one element of a group.  The value of its title key is
 * the title.
 */
static void
element_write(FILE *file, const struct option_scope *scope, const char *folder)
{
	struct option_row titled;
	const char *title = title_find(scope, &titled)
	    ? *(const char **)row_field(&titled)
	    : NULL;
	/* Whether it is read back unchanged from `[GROUP TITLE]`. */
	bool fits = title != NULL && value_is_plain(title) &&
	    strchr(title, ']') == NULL;

	fprintf(file, "\n[%s%s%s]\n", scope->group->name, fits ? " " : "",
	    fits ? title : "");
	rows_write(file, scope, folder, fits ? titled.option : NULL);
}

void
option_write(FILE *file, const struct option_reader *reader, const char *folder)
{
	const struct option_scope own = own_scope(reader);
	struct option_row row;

	fprintf(file, "[%s]\n", reader->section);
	rows_write(file, &own, folder, NULL);
	for (int i = 0; row_at(&own, i, &row); i++) {
		const struct option *group = row.option;
		struct option_scope scope = { group, group->keys, NULL };

		if (group->kind != OPTION_GROUP)
			continue;
		for (int j = 0; j < *group_count(&row); j++) {
			scope.base = (char *)row_field(&row) +
			    (size_t)j * group->group_size;
			element_write(file, &scope, folder);
		}
	}
}
