/*
 * Settings of `match`, `tournament` and `gate`, read with the tables of the
 * commands: settings that are accepted can be written as a file, which is
 * accepted again, gives the same settings and is written in the same way;
 * settings that are refused have a reason.
 *
 * The first byte of an input is the command, `m`, `t` or `g`, and the rest a
 * configuration file; or `M`, `T` or `G`, and the rest the words of a command
 * line, one word in each line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "game_options.h"
#include "option.h"
#include "tournament_setup.h"

enum { WORDS_MAX_LINE = 64, PATH_SIZE = 64, INPUT_SIZE_MAX = 8192 };

union settings {
	struct match_settings match;
	struct tournament_settings tournament;
};

static const struct command_table {
	char letter;
	const char *section;
	const struct option *options;
} tables[] = {
	{ 'm', "match", match_options },
	{ 't', "tournament", tournament_options },
	{ 'g', "gate", gate_options },
};

static const struct command_table *
table_find(char letter)
{
	for (size_t i = 0; i < COUNTOF(tables); i++)
		if (tables[i].letter == letter)
			return &tables[i];
	return NULL;
}

static void
reader_init(struct option_reader *reader, const struct command_table *table,
    union settings *settings)
{
	memset(settings, 0, sizeof(*settings));
	memset(reader, 0, sizeof(*reader));
	reader->options = table->options;
	reader->settings = settings;
	reader->section = table->section;
}

/* A refusal must have a reason that fits into the buffers. */
static bool
judge(const struct option_reader *reader, bool good)
{
	size_t length = strlen(reader->error.what);

	if (good)
		return true;
	fuzz_check(length > 0 && length < sizeof(reader->error.what));
	fuzz_check(
	    memchr(reader->error.hint, '\0', sizeof(reader->error.hint)));
	return false;
}

static bool
read_file(struct option_reader *reader, const char *bytes, size_t size)
{
	char path[PATH_SIZE];
	int fd = memfd_create("config", MFD_CLOEXEC);
	bool good;

	fuzz_check(fd >= 0);
	fuzz_check(write(fd, bytes, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	good = judge(reader, option_read_file(reader, path, NULL));
	close(fd);
	return good;
}

static bool
read_line(struct option_reader *reader, char *text)
{
	char *words[WORDS_MAX_LINE + 1];
	int count = 0;

	for (char *word;
	     count < WORDS_MAX_LINE && (word = strsep(&text, "\n"));)
		words[count++] = word;
	words[count] = NULL;
	return judge(reader, option_read(reader, words)) && !reader->help;
}

/* The settings as a file; freed with free(). */
static char *
write_file(const struct option_reader *reader, size_t *size)
{
	char *text = NULL;
	FILE *file = open_memstream(&text, size);

	fuzz_check(file != NULL);
	option_write(file, reader, NULL);
	fuzz_check(fclose(file) == 0);
	return text;
}

static void
compare_text(const char *one, const char *other)
{
	fuzz_check((one == NULL) == (other == NULL));
	if (one != NULL)
		fuzz_check(strcmp(one, other) == 0);
}

static void compare_rows(
    const struct option *options, const void *one, const void *other);

static void
compare_group(const struct option *group, const char *one, const char *other)
{
	int count = *(const int *)(one + group->count_offset);
	int other_count = *(const int *)(other + group->count_offset);

	fuzz_check(
	    count >= 0 && count <= (group->group_max ? group->group_max : 1));
	fuzz_check(other_count == count);
	for (int i = 0; i < count; i++) {
		size_t offset = group->offset + (size_t)i * group->group_size;

		compare_rows(group->keys, one + offset, other + offset);
	}
}

/* Each pair must also be in the other list. */
static void
compare_pairs(const struct option_pairs *one, const struct option_pairs *other)
{
	fuzz_check(one->count <= OPTION_PAIRS_MAX);
	fuzz_check(one->words[one->count] == NULL);
	fuzz_check(one->count == other->count);
	for (int i = 0; i < one->count; i++) {
		bool found = false;

		for (int j = 0; j < other->count; j++)
			found |= strcmp(one->words[i], other->words[j]) == 0;
		fuzz_check(found);
	}
}

static void
compare_row(const struct option *option, const char *one, const char *other)
{
	const void *a = one + option->offset, *b = other + option->offset;

	switch (option->kind) {
	case OPTION_FLAG:
		fuzz_check(*(const bool *)a == *(const bool *)b);
		break;
	case OPTION_INT:
		fuzz_check(*(const int64_t *)a == *(const int64_t *)b);
		break;
	case OPTION_REAL:
		fuzz_check(memcmp(a, b, sizeof(double)) == 0);
		break;
	case OPTION_TEXT:
		compare_text(*(const char *const *)a, *(const char *const *)b);
		break;
	case OPTION_NAME:
		fuzz_check(*(const int *)a == *(const int *)b);
		break;
	case OPTION_PAIRS:
		compare_pairs(a, b);
		break;
	case OPTION_GROUP:
		compare_group(option, one, other);
		break;
	case OPTION_TABLE:
		compare_rows(option->keys, a, b);
		break;
	case OPTION_LAST:
	case OPTION_PARSED: /* has its own parser; the texts are compared */
	case OPTION_CONFIG:
	case OPTION_REFUSED:
		break;
	}
}

static void
compare_rows(const struct option *options, const void *one, const void *other)
{
	for (; options->kind != OPTION_LAST; options++)
		if (!options->is_passing)
			compare_row(options, one, other);
}

/* Settings that were read are written, and this file is read. */
static void
try_again(const struct command_table *table, struct option_reader *first)
{
	static union settings settings;
	struct option_reader again;
	size_t size, again_size;
	char *text = write_file(first, &size), *again_text;

	reader_init(&again, table, &settings);
	if (!read_file(&again, text, size))
		fprintf(stderr, "%s\n%s\n", again.error.what, text);
	fuzz_check(again.error.what[0] == '\0');
	compare_rows(table->options, first->settings, &settings);
	again_text = write_file(&again, &again_size);
	if (strcmp(text, again_text) != 0)
		fprintf(stderr, "%s\n---\n%s", text, again_text);
	fuzz_check(strcmp(text, again_text) == 0);
	free(text);
	free(again_text);
	config_close(again.config);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static union settings settings;
	char text[INPUT_SIZE_MAX];
	const struct command_table *table;
	struct option_reader reader;
	bool is_line, good;

	if (size < 1 || size > sizeof(text))
		return 0;
	is_line = data[0] < 'a';
	table = table_find((char)(data[0] | 0x20));
	if (table == NULL)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	/* A command line that names a configuration file is not tried. */
	if (is_line &&
	    (strlen(text) != size - 1 || strstr(text, "config") != NULL))
		return 0;
	reader_init(&reader, table, &settings);
	good = is_line ? read_line(&reader, text)
		       : read_file(&reader, text, size - 1);
	if (good)
		try_again(table, &reader);
	config_close(reader.config);
	return 0;
}
