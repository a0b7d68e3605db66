/*
 * Implements config.h.  The file is read whole into memory and cut into
 * entries in place: names and values are made to end with NUL, and quotes and
 * escapes are removed, which only makes a value shorter.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "option.h"

const char *const config_sections[] = { "match", "tournament", "gate", "bot",
	"base", "each", "sprt", "packs", "log", "record", NULL };

enum { PLACE_PATH_MAX = 160 };

static const char blanks[] = " \t\r\n\v\f";

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
	static const char mark[] = "\xEF\xBB\xBF";
	char *rest = config->bytes;

	if (strncmp(rest, mark, strlen(mark)) == 0)
		rest += strlen(mark);
	for (int number = 1; rest != NULL; number++) {
		struct config_entry *entry = &config->entries[config->count];
		char *line = trim(strsep(&rest, "\n"));
		char place[OPTION_PLACE_SIZE];

		if (strchr(";#", line[0]) != NULL)
			continue;
		entry->line = number;
		config->count++;
		if (line_read(line, entry))
			continue;
		config_place(path, number, place, sizeof(place));
		snprintf(error->hint, sizeof(error->hint),
		    "write [SECTION], KEY = VALUE, or a comment behind #");
		snprintf(error->what, sizeof(error->what),
		    "%sneither a section nor a key with its value", place);
		return false;
	}
	return true;
}

/* Allocates an entry for every line.  0 or -errno. */
static int
entries_open(struct config *config)
{
	size_t lines = 1;

	for (const char *byte = config->bytes; *byte != '\0'; byte++)
		lines += *byte == '\n';
	config->entries = calloc(lines, sizeof(*config->entries));
	return config->entries != NULL ? 0 : -ENOMEM;
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

struct config *
config_open(const char *path, struct option_error *error)
{
	struct config *config = calloc(1, sizeof(*config));
	int result = config != NULL ? file_read(path, &config->bytes) : -ENOMEM;

	if (result == 0)
		result = entries_open(config);
	if (result == 0) {
		config->path = strdup(path);
		result = config->path != NULL ? 0 : -ENOMEM;
	}
	if (result == 0 && config_parse(config, path, error))
		return config;
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
	return value_is_plain(title) && strchr(title, ']') == NULL;
}
