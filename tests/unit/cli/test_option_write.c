/*
 * What was given, as a file that gives it again.
 */
#include "option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "option_fixture.h"
#include "test.h"

/* The file that gives the same again, with these values in place of others. */
static char *
form_write(const struct option_stand_in *stand_ins, int count)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	const struct option_form form = {
		.options = option_fixture_reader.options,
		.option_count = option_fixture_reader.option_count,
		.section = "cup",
		.memory = &option_fixture_settings.game.memory,
		.folder = "/home of",
		.stand_ins = stand_ins,
		.stand_in_count = count,
	};

	assert_non_null(file);
	option_write(file, &form);
	assert_int_equal(fclose(file), 0);
	return text;
}

TEST_WITH(test_what_was_given_is_written_again, NULL, option_fixture_forget)
{
	char *text;

	option_fixture_assert_good("[cup]\ndeals = 3\n[each]\ndir = d\n",
	    "--config @ --deals 4 --quiet --record r @a --bot cmd=@b name=B "
	    "strikes=1 hits=2 option.X=1 option.Y=2 option.X=3 --packs /p");
	text = form_write(NULL, 0);
	assert_string_equal(text,
	    "[cup]\n"
	    "deals = 4\n"
	    "duplicate = yes\n"
	    "record = /home of/r\n"
	    "\n"
	    "[packs]\n"
	    "file = /p\n"
	    "\n"
	    "[bot]\n"
	    "cmd = @a\n"
	    "strikes = 3\n"
	    "\n"
	    "[bot B]\n"
	    "cmd = @b\n"
	    "strikes = 2\n"
	    "option.Y = 2\n"
	    "option.X = 3\n"
	    "\n"
	    "[each]\n"
	    "dir = /home of/d\n"
	    "strikes = 3\n");
	free(text);
}

TEST_WITH(
    test_each_path_of_a_list_becomes_absolute, NULL, option_fixture_forget)
{
	char *text;

	option_fixture_assert_good("", "--bot cmd=@a read=a:/b:../c");
	text = form_write(NULL, 0);
	assert_non_null(strstr(text, "read = /home of/a:/b:/home of/../c\n"));
	free(text);
}

TEST_WITH(test_other_values_can_stand_in, NULL, option_fixture_forget)
{
	static const struct option_stand_in stand_ins[] = {
		{ NULL, 0, "rounds", "9" },
		{ NULL, 0, "record", NULL },
		{ "bot", 0, "name", "Carla" },
		{ "each", 0, "dir", "d" },
		{ "packs", 0, "file", NULL },
	};
	char *text;

	option_fixture_assert_good("", "--record r --bot @a name=A");
	text = form_write(stand_ins, COUNTOF(stand_ins));
	assert_string_equal(text,
	    "[cup]\n"
	    "rounds = 9\n"
	    "deals = 7\n"
	    "duplicate = yes\n"
	    "\n"
	    "[bot Carla]\n"
	    "cmd = @a\n"
	    "strikes = 3\n"
	    "\n"
	    "[each]\n"
	    "dir = /home of/d\n"
	    "strikes = 3\n");
	free(text);
}

TEST_GROUP(option_fixture_open, option_fixture_close)
