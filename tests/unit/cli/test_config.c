/*
 * Configuration files: what is a section, a key and a value, and where it is
 * said that something is neither.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "support.h"
#include "test.h"

enum { PATH_SIZE = FOLDER_SIZE + 16 };

static char folder[FOLDER_SIZE];
static char path[PATH_SIZE];
static struct option_error error;

static int
set_up(void **state)
{
	(void)state;
	folder_make(folder);
	snprintf(path, sizeof(path), "%s/t.ini", folder);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	folder_remove(folder);
	return 0;
}

static struct config *
open_bytes(const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	memset(&error, 0, sizeof(error));
	return config_open(path, &error);
}

static struct config *
open_text(const char *text)
{
	struct config *config = open_bytes(text, strlen(text));

	if (config == NULL)
		fail_msg("%s: %s", text, error.what);
	return config;
}

/* The error, without the folder in front. */
static void
assert_refused(const char *text, const char *what)
{
	assert_null(open_bytes(text, strlen(text)));
	assert_memory_equal(error.what, folder, strlen(folder));
	assert_string_equal(error.what + strlen(folder) + 1, what);
}

static void
assert_section(const struct config *config, int index, const char *title)
{
	assert_true(index < config->count);
	assert_null(config->entries[index].word);
	assert_string_equal(config->entries[index].title, title);
}

static void
assert_value(const struct config *config, int index, int line, const char *word)
{
	const struct config_entry *entry = &config->entries[index];

	assert_true(index < config->count);
	assert_null(entry->title);
	assert_string_equal(entry->word, word);
	assert_int_equal(entry->line, line);
}

TEST(test_sections_and_values_come_in_their_order)
{
	struct config *config = open_text("# cup\n"
					  "[match]\n"
					  "rules = scopa\n"
					  "\n"
					  "; other\n"
					  "  deals=3\n"
					  "[bot my bot]\n"
					  "\tcmd\t=\t./bot -v 3 \n"
					  "[ each ]\n"
					  "tc = a=b\n");

	assert_int_equal(config->count, 7);
	assert_section(config, 0, "match");
	assert_value(config, 1, 3, "rules=scopa");
	assert_value(config, 2, 6, "deals=3");
	assert_section(config, 3, "bot my bot");
	assert_value(config, 4, 8, "cmd=./bot -v 3");
	assert_section(config, 5, "each");
	assert_value(config, 6, 10, "tc=a=b");
	config_close(config);
}

TEST(test_signs_of_comments_in_a_value_are_part_of_it)
{
	struct config *config = open_text("[bot]\n"
					  "cmd = ./bot # one ; two\n"
					  "args = ;\n"
					  "option.A = #3\n");

	assert_value(config, 1, 2, "cmd=./bot # one ; two");
	assert_value(config, 2, 3, "args=;");
	assert_value(config, 3, 4, "option.A=#3");
	config_close(config);
}

TEST(test_quotes_around_a_whole_value_are_taken_off)
{
	struct config *config =
	    open_text("[bot]\n"
		      "a = \"  b  \"\n"
		      "b = \"\"\n"
		      "c = \"./my bot\" -v \"x\"\n"
		      "d = \"a \\\"b\\\" \\\\ \\n\\r\\t \\x\"\n"
		      "e = \"open\n"
		      "f = 'single'\n"
		      "g = \"\n"
		      "h = \"a\\\"\n"
		      "i =\n");

	assert_value(config, 1, 2, "a=  b  ");
	assert_value(config, 2, 3, "b=");
	assert_value(config, 3, 4, "c=\"./my bot\" -v \"x\"");
	assert_value(config, 4, 5, "d=a \"b\" \\ \n\r\t \\x");
	assert_value(config, 5, 6, "e=\"open");
	assert_value(config, 6, 7, "f='single'");
	assert_value(config, 7, 8, "g=\"");
	assert_value(config, 8, 9, "h=\"a\\\"");
	assert_value(config, 9, 10, "i=");
	config_close(config);
}

TEST(test_line_ends_and_marks_of_other_systems_are_taken)
{
	struct config *config =
	    open_text("\xEF\xBB\xBF[match]\r\nrules = scopa\r\n\r\ndeals = 3");

	assert_int_equal(config->count, 3);
	assert_section(config, 0, "match");
	assert_value(config, 1, 2, "rules=scopa");
	assert_value(config, 2, 4, "deals=3");
	config_close(config);
}

TEST(test_values_and_titles_may_be_long)
{
	enum { LENGTH = 4000 };
	char *text = malloc(3 * LENGTH);
	struct config *config;

	assert_non_null(text);
	snprintf(text, 3 * LENGTH, "[match]\ncmd = %0*d\n# %0*d\ndeals = 2\n",
	    LENGTH, 0, LENGTH, 0);
	config = open_text(text);
	assert_int_equal(config->count, 3);
	assert_int_equal(strlen(config->entries[1].word), LENGTH + 4);
	assert_value(config, 2, 4, "deals=2");
	config_close(config);
	free(text);
}

TEST(test_what_is_neither_is_refused_with_its_line)
{
	assert_refused("[match]\nrules scopa\ndeals = 3\n",
	    "t.ini:2: neither a section nor a key with its value");
	assert_true(strlen(error.hint) > 0);
	assert_refused("[match]\ndeals = 3\n\nrules: scopa\n",
	    "t.ini:4: neither a section nor a key with its value");
	assert_refused("# a\n[match\ndeals = 3\n",
	    "t.ini:2: neither a section nor a key with its value");
}

TEST(test_files_that_cannot_be_read_are_named)
{
	static const char zeroes[] = "[match]\n\0deals = 3\n";
	char *large = malloc(CONFIG_SIZE_MAX + 1);

	assert_non_null(large);
	assert_null(open_bytes(zeroes, sizeof(zeroes) - 1));
	assert_non_null(strstr(error.what, "this is no text"));
	memset(large, '\n', CONFIG_SIZE_MAX + 1);
	assert_null(open_bytes(large, CONFIG_SIZE_MAX + 1));
	assert_non_null(strstr(error.what, "too large"));
	config_close(open_bytes(large, CONFIG_SIZE_MAX));
	assert_string_equal(error.what, "");
	free(large);
	assert_null(config_open("no/such.ini", &error));
	assert_string_equal(error.what,
	    "config file \"no/such.ini\": No such file or directory");
	assert_null(config_open(folder, &error));
	assert_non_null(strstr(error.what, "Is a directory"));
}

TEST(test_long_paths_are_cut_in_front)
{
	char name[1000], place[OPTION_PLACE_SIZE];

	memset(name, 'd', sizeof(name));
	strcpy(name + sizeof(name) - 7, "/t.ini");
	config_place(name, 12, place, sizeof(place));
	assert_memory_equal(place, "...ddd", 6);
	assert_string_equal(place + strlen(place) - 12, "d/t.ini:12: ");
	config_place("t.ini", 1, place, sizeof(place));
	assert_string_equal(place, "t.ini:1: ");
}

TEST(test_no_bytes_break_the_reading)
{
	static const char pieces[][8] = { "[", "]", "=", "\"", "\\", ";", "#",
		"\n", "\r\n", " ", "\t", "a", "bot ", "[a]\n", "a=b\n", "\xEF",
		"\xEF\xBB\xBF", ":", "\"x\"", "option." };
	uint64_t seed = 3;

	for (int i = 0; i < 2000; i++) {
		char text[512] = "";
		struct config *config;

		for (int j = support_random_below(&seed, 60); j > 0; j--)
			strcat(text,
			    pieces[support_random_below(
				&seed, (int)(sizeof(pieces) / 8))]);
		config = open_bytes(text, strlen(text));
		if (config == NULL) {
			assert_true(strlen(error.what) > 0);
			continue;
		}
		for (int j = 0; j < config->count; j++) {
			const struct config_entry *entry = &config->entries[j];

			assert_true(
			    (entry->word == NULL) != (entry->title == NULL));
			assert_true(entry->line > 0);
			if (entry->word != NULL)
				assert_non_null(strchr(entry->word, '='));
		}
		config_close(config);
	}
}

/* A value of bytes that mean something, and some that do not. */
static void
draw_value(uint64_t *seed, char *value, int size)
{
	static const char bytes[] = "ab \t\n\r\"'\\=:;#[]nrt\x80\xC3\xA9\x01";
	int length = support_random_below(seed, size);

	for (int i = 0; i < length; i++)
		value[i] =
		    bytes[support_random_below(seed, (int)sizeof(bytes) - 1)];
	value[length] = '\0';
}

TEST(test_every_value_that_is_written_is_read_again)
{
	enum { VALUES = 500, VALUE_SIZE = 12 };
	static char values[VALUES][VALUE_SIZE];
	uint64_t seed = 1;
	FILE *file = fopen(path, "w");
	struct config *config;

	assert_non_null(file);
	fprintf(file, "[match]\n");
	for (int i = 0; i < VALUES; i++) {
		draw_value(&seed, values[i], VALUE_SIZE);
		config_print(file, "option.a:b", values[i]);
	}
	assert_int_equal(fclose(file), 0);
	config = config_open(path, &error);
	assert_non_null(config);
	assert_int_equal(config->count, VALUES + 1);
	for (int i = 0; i < VALUES; i++)
		assert_string_equal(
		    config->entries[i + 1].word + 11, values[i]);
	config_close(config);
}

TEST(test_every_title_that_fits_is_read_again)
{
	uint64_t seed = 2;
	int fitting = 0;

	for (int i = 0; i < 2000; i++) {
		char title[8], text[64], wanted[64];
		struct config *config;

		draw_value(&seed, title, sizeof(title));
		if (!config_title_fits(title))
			continue;
		fitting++;
		snprintf(text, sizeof(text), "[bot %s]\n", title);
		snprintf(wanted, sizeof(wanted), "bot %s", title);
		config = open_text(text);
		assert_section(config, 0, wanted);
		config_close(config);
	}
	assert_true(fitting > 100);
	assert_false(config_title_fits(""));
	assert_false(config_title_fits(" a"));
	assert_false(config_title_fits("a]"));
}

TEST_GROUP(set_up, tear_down)
