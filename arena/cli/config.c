#include "config.h"

#include <assert.h>
#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "option.h"

enum { TITLE_MAX = 64, PLACE_PATH_MAX = 160 };

static const char blanks[] = " \t\r\n\v\f";

/*
 * The lines of a file on their way to the parser.  It judges what is a comment,
 * a section or a key; but its lines have a limit that values have not, and it
 * does not say which line it is at.  So it is shown no values, and what they are
 * is kept here until it has called.
 */
struct config_reading {
	struct config *config;
	char *next; /* line, NULL at the end */
	int line;
	const char *word, *value; /* of this line, or NULL */
	int error;                /* 0 or -errno */
};

void
config_place(const char *path, int line, char *place, size_t size)
{
	size_t length = strlen(path);
	bool cut = length > PLACE_PATH_MAX;

	snprintf(place, size, "%s%s:%d: ", cut ? "..." : "",
	    cut ? path + length - PLACE_PATH_MAX : path, line);
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

/* Whether the quote at the beginning ends at the end, and nowhere before. */
static bool
is_quoted(const char *text)
{
	if (*text++ != '"')
		return false;
	while (*text != '\0' && *text != '"')
		text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
	return text[0] == '"' && text[1] == '\0';
}

/* The letters that a backslash makes bytes of, and these. */
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

static int
entry_add(struct config_reading *reading, struct config_entry entry)
{
	struct config *config = reading->config;

	if (config->count == CONFIG_ENTRIES_MAX)
		return -E2BIG;
	if (config->count == config->capacity) {
		int capacity = config->capacity * 2 + 16;
		struct config_entry *entries = reallocarray(
		    config->entries, (size_t)capacity, sizeof(*entries));

		if (entries == NULL)
			return -ENOMEM;
		config->entries = entries;
		config->capacity = capacity;
	}
	entry.line = reading->line;
	config->entries[config->count++] = entry;
	return 0;
}

/* `[bot mybot]`; one without an end is left to the parser to refuse. */
static int
section_note(struct config_reading *reading, char *line)
{
	char *end = strchr(line, ']');

	if (end == NULL)
		return 0;
	*end = '\0';
	return entry_add(
	    reading, (struct config_entry){ .title = trim(line + 1) });
}

/* Makes `KEY=VALUE` of `KEY = "VALUE"`, in place. */
static void
value_note(struct config_reading *reading, char *line, char *equals)
{
	char *value = unquote(trim(equals + 1));
	char *end;

	*equals = '\0';
	line = trim(line);
	end = line + strlen(line);
	*end++ = '=';
	memmove(end, value, strlen(value) + 1);
	reading->word = line;
	reading->value = end;
}

/* Gives the parser the next line, and no value: an ini_reader. */
static char *
line_give(char *buffer, int size, void *context)
{
	struct config_reading *reading = context;
	int room = size - (int)strlen("=\n") - 1;
	char *line = reading->next, *end, *equals;

	reading->word = NULL;
	if (line == NULL || reading->error != 0)
		return NULL;
	end = strchr(line, '\n');
	reading->next = end != NULL ? end + 1 : NULL;
	if (end != NULL)
		*end = '\0';
	reading->line++;
	line = trim(line);
	equals = strchr("[;#", line[0]) == NULL ? strchr(line, '=') : NULL;
	if (equals != NULL) {
		value_note(reading, line, equals);
		snprintf(buffer, (size_t)size, "%.*s=\n",
		    (int)(reading->value - line) - 1 < room
			? (int)(reading->value - line) - 1
			: room,
		    line);
		return buffer;
	}
	snprintf(buffer, (size_t)size, "%.*s\n", room, line);
	if (line[0] == '[')
		reading->error = section_note(reading, line);
	return buffer;
}

/* The parser has found a key: an ini_handler. */
static int
value_take(
    void *context, const char *section, const char *name, const char *value)
{
	struct config_reading *reading = context;

	(void)section;
	(void)name;
	(void)value;
	if (reading->word == NULL)
		return 0;
	if (reading->error == 0)
		reading->error = entry_add(reading,
		    (struct config_entry){
			.word = reading->word,
			.key_length =
			    (size_t)(reading->value - reading->word) - 1,
			.value = reading->value,
		    });
	return 1;
}

static bool
config_parse(
    struct config *config, const char *path, struct option_error *error)
{
	static const char mark[] = "\xEF\xBB\xBF";
	struct config_reading reading = { .config = config,
		.next = config->bytes };
	char place[OPTION_PLACE_SIZE];
	int line;

	assert(reading.next != NULL);
	if (strncmp(reading.next, mark, strlen(mark)) == 0)
		reading.next += strlen(mark);
	line = ini_parse_stream(line_give, &reading, value_take, &reading);
	if (reading.error == -E2BIG)
		return option_fail(
		    error, "%s: more than %d lines", path, CONFIG_ENTRIES_MAX);
	if (reading.error != 0 || line < 0) {
		error->machine = true;
		return option_fail(error, "no memory");
	}
	if (line == 0)
		return true;
	config_place(path, line, place, sizeof(place));
	snprintf(error->hint, sizeof(error->hint),
	    "write [SECTION], KEY = VALUE, or a comment behind #");
	return option_fail(
	    error, "%sneither a section nor a key with its value", place);
}

/* The whole file, with a NUL behind it.  0 or -errno. */
static int
file_read(const char *path, char **bytes)
{
	FILE *file = fopen(path, "re");
	size_t size;
	int error = 0;

	if (file == NULL)
		return -errno;
	*bytes = malloc(CONFIG_SIZE_MAX + 1);
	if (*bytes == NULL) {
		error = -ENOMEM;
		goto close_file;
	}
	errno = 0;
	size = fread(*bytes, 1, CONFIG_SIZE_MAX + 1, file);
	if (ferror(file))
		error = errno ? -errno : -EIO;
	else if (size > CONFIG_SIZE_MAX)
		error = -EFBIG;
	else if (memchr(*bytes, '\0', size) != NULL)
		error = -EBADMSG;
	else
		(*bytes)[size] = '\0';
	if (error)
		free(*bytes);
close_file:
	fclose(file);
	return error;
}

struct config *
config_open(const char *path, struct option_error *error)
{
	struct config *config = calloc(1, sizeof(*config));
	int result = config != NULL ? file_read(path, &config->bytes) : -ENOMEM;

	if (result == 0 && config_parse(config, path, error))
		return config;
	if (result == -EBADMSG)
		option_fail(error, "config file \"%s\": this is no text", path);
	else if (result)
		option_fail(
		    error, "config file \"%s\": %s", path, strerror(-result));
	if (result == 0)
		config_close(config);
	else
		free(config);
	return NULL;
}

void
config_close(struct config *config)
{
	if (config == NULL)
		return;
	free(config->entries);
	free(config->bytes);
	free(config);
}

/* Whether the value is read again as it stands. */
static bool
value_is_plain(const char *value)
{
	size_t length = strlen(value);

	return length > 0 && strchr(blanks, value[0]) == NULL &&
	    strchr(blanks, value[length - 1]) == NULL && value[0] != '"' &&
	    strpbrk(value, "\n\r") == NULL;
}

void
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

bool
config_title_fits(const char *title)
{
	size_t length = strlen(title);

	return length > 0 && length <= TITLE_MAX && value_is_plain(title) &&
	    strpbrk(title, "];") == NULL;
}
