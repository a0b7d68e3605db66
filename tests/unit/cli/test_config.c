/*
 * Configuration files: what is a section, a key and a value, and where it is
 * said that something is neither.
 */
#include "option.h"

#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "output.h"
#include "support.h"
#include "test.h"

static struct option_error error;

static struct config *
open_bytes(const char *bytes, size_t size)
{
	FILE *file = fopen(test_path("t.ini"), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	memset(&error, 0, sizeof(error));
	return config_open(test_path("t.ini"), NULL, &error);
}

static struct config *
open_text(const char *text)
{
	struct config *config = open_bytes(text, strlen(text));

	if (config == NULL)
		fail_msg("%s: %s", text, error.what);
	return config;
}

/* The entries of a file: titles in brackets, and words with their line. */
static void
assert_entries(const char *text, const char *expected)
{
	struct config *config = open_text(text);
	FILE *file = output_open();

	for (int i = 0; i < config->count; i++) {
		const struct config_entry *entry = &config->entries[i];

		assert_true((entry->word == NULL) != (entry->title == NULL));
		if (entry->title != NULL)
			fprintf(file, "[%s]|", entry->title);
		else
			fprintf(file, "%d %s|", entry->line, entry->word);
	}
	config_close(config);
	assert_string_equal(output_close(), expected);
}

TEST(test_sections_and_values_come_in_their_order)
{
	assert_entries("# cup\n"
		       "[match]\n"
		       "rules = scopa\n"
		       "\n"
		       "; other\n"
		       "  deals=3\n"
		       "[bot my bot]\n"
		       "\tcmd\t=\t./bot -v 3 \n"
		       "[ each ]\n"
		       "tc = a=b\n",
	    "[match]|3 rules=scopa|6 deals=3|[bot my bot]|8 cmd=./bot -v 3|"
	    "[each]|10 tc=a=b|");
	/* Line ends and marks of other systems. */
	assert_entries("\xEF\xBB\xBF[match]\r\nrules = scopa\r\n\r\ndeals = 3",
	    "[match]|2 rules=scopa|4 deals=3|");
}

TEST(test_values_go_to_the_end_of_their_line)
{
	static const char *const values[][2] = {
		{ "./bot # one ; two", "./bot # one ; two" },
		{ ";", ";" },
		{ "#3", "#3" },
		{ "\"  b  \"", "  b  " },
		{ "\"\"", "" },
		{ "\"./my bot\" -v \"x\"", "\"./my bot\" -v \"x\"" },
		{ "\"a \\\"b\\\" \\\\ \\n\\r\\t \\x\"",
		    "a \"b\" \\ \n\r\t \\x" },
		{ "\"open", "\"open" },
		{ "'single'", "'single'" },
		{ "\"", "\"" },
		{ "\"a\\\"", "\"a\\\"" },
		{ "", "" },
	};

	for (int i = 0; i < COUNTOF(values); i++) {
		char text[64], entries[64];

		snprintf(text, sizeof(text), "[bot]\na = %s\n", values[i][0]);
		snprintf(
		    entries, sizeof(entries), "[bot]|2 a=%s|", values[i][1]);
		assert_entries(text, entries);
	}
}

TEST(test_what_is_neither_is_refused_with_its_line)
{
	static const struct {
		const char *text;
		int line;
	} cases[] = {
		{ "[match]\nrules scopa\ndeals = 3\n", 2 },
		{ "[match]\ndeals = 3\n\nrules: scopa\n", 4 },
		{ "# a\n[match\ndeals = 3\n", 2 },
	};

	for (int i = 0; i < COUNTOF(cases); i++) {
		char what[128];

		assert_null(open_bytes(cases[i].text, strlen(cases[i].text)));
		snprintf(what, sizeof(what),
		    "%s:%d: neither a section nor a key with its value",
		    test_path("t.ini"), cases[i].line);
		assert_string_equal(error.what, what);
		assert_true(strlen(error.hint) > 0);
	}
}

TEST(test_files_that_cannot_be_read_are_named)
{
	static const char zeroes[] = "[match]\n\0deals = 3\n";
	char *large = malloc(CONFIG_SIZE_MAX + 1);

	assert_non_null(large);
	assert_null(open_bytes(zeroes, sizeof(zeroes) - 1));
	expect_parts(error.what, "this is no text");
	memset(large, '\n', CONFIG_SIZE_MAX + 1);
	assert_null(open_bytes(large, CONFIG_SIZE_MAX + 1));
	expect_parts(error.what, "too large");
	config_close(open_bytes(large, CONFIG_SIZE_MAX));
	assert_string_equal(error.what, "");
	free(large);
	assert_null(config_open("no/such.ini", NULL, &error));
	assert_string_equal(error.what,
	    "config file \"no/such.ini\": No such file or directory");
	assert_null(config_open(test_folder, NULL, &error));
	expect_parts(error.what, "Is a directory");
}

TEST(test_long_paths_are_cut_in_front)
{
	char name[1000], location[OPTION_LOCATION_SIZE];

	memset(name, 'd', sizeof(name));
	strcpy(name + sizeof(name) - 7, "/t.ini");
	config_location_format(name, 12, location, sizeof(location));
	assert_memory_equal(location, "...ddd", 6);
	assert_string_equal(location + strlen(location) - 12, "d/t.ini:12: ");
	config_location_format("t.ini", 1, location, sizeof(location));
	assert_string_equal(location, "t.ini:1: ");
}

TEST_GROUP(test_folder_make, test_folder_remove)
