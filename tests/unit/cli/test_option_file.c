/*
 * Options from a configuration file: its sections and keys, what goes before
 * what, and where errors are said to be.
 */
#include "option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "option_fixture.h"
#include "test.h"

/* Refused with this reason, behind the path of the file. */
static void
assert_bad(const char *text, const char *what, const char *hint)
{
	option_fixture_write(text);
	assert_false(option_fixture_read("--config @"));
	assert_memory_equal(option_fixture_reader.error.what,
	    option_fixture_path, strlen(option_fixture_path));
	assert_string_equal(
	    option_fixture_reader.error.what + strlen(option_fixture_path),
	    what);
	assert_string_equal(option_fixture_reader.error.hint, hint);
}

TEST_WITH(test_keys_are_the_names_of_options, NULL, option_fixture_forget)
{
	option_fixture_assert_good("[cup]\n"
				   "rounds = 5\n"
				   "deals = 3\n"
				   "repeat = no\n"
				   "record = a b.scopa\n"
				   "quiet = yes\n",
	    "--config @");
	assert_int_equal(option_fixture_settings.rounds, 5);
	assert_int_equal(option_fixture_settings.game.deals, 3);
	assert_false(option_fixture_settings.game.duplicate);
	assert_string_equal(option_fixture_settings.game.record, "a b.scopa");
	assert_true(option_fixture_settings.quiet);
	assert_string_equal(
	    option_fixture_settings.game.memory.path, option_fixture_path);
}

TEST_WITH(test_groups_are_sections, NULL, option_fixture_forget)
{
	option_fixture_assert_good("[each]\n"
				   "strikes = 1\n"
				   "[bot Anna]\n"
				   "cmd = ./a -v \"1 2\" # 3\n"
				   "option.Depth = 4\n"
				   "option.Style = a=b\n"
				   "[engine]\n"
				   "cmd = @b\n"
				   "name = Bruno B\n"
				   "hits = 2\n"
				   "[packs]\n"
				   "file = p.packs\n"
				   "[each]\n"
				   "option.X = 1\n",
	    "--config @");
	assert_int_equal(option_fixture_settings.bot_count, 2);
	assert_string_equal(option_fixture_settings.bots[0].name, "Anna");
	assert_string_equal(
	    option_fixture_settings.bots[0].command, "./a -v \"1 2\" # 3");
	assert_int_equal(option_fixture_settings.bots[0].strikes, 3);
	assert_int_equal(option_fixture_settings.bots[0].options.count, 2);
	assert_string_equal(
	    option_fixture_settings.bots[0].options.words[0], "Depth=4");
	assert_string_equal(
	    option_fixture_settings.bots[0].options.words[1], "Style=a=b");
	assert_string_equal(option_fixture_settings.bots[1].name, "Bruno B");
	assert_int_equal(option_fixture_settings.bots[1].strikes, 2);
	assert_string_equal(option_fixture_settings.game.packs.path, "p.packs");
	assert_int_equal(option_fixture_settings.each.strikes, 1);
	assert_int_equal(option_fixture_settings.each.options.count, 1);
}

TEST_WITH(test_groups_of_one_word_are_keys_too, NULL, option_fixture_forget)
{
	option_fixture_assert_good(
	    "[cup]\npacks = p.packs\nbot = ./a --x=1\nbot = @b\n",
	    "--config @");
	assert_string_equal(option_fixture_settings.game.packs.path, "p.packs");
	assert_int_equal(option_fixture_settings.bot_count, 2);
	assert_string_equal(
	    option_fixture_settings.bots[0].command, "./a --x=1");
	assert_string_equal(option_fixture_settings.bots[1].command, "@b");
}

TEST_WITH(
    test_sections_of_other_commands_are_left_alone, NULL, option_fixture_forget)
{
	option_fixture_assert_good(
	    "[gate]\nwhatever = 1\n[sprt]\nelo0 = 0\n[cup]\n"
	    "rounds = 2\n[gate]\nrounds = 9\n",
	    "--config @");
	assert_int_equal(option_fixture_settings.rounds, 2);
}

TEST_WITH(test_sources_go_before_each_other, NULL, option_fixture_forget)
{
	static const char text[] = "[cup]\ndeals = 20\nrounds = 20\n"
				   "record = file\npacks = file\n";

	option_fixture_assert_good(text, "--record line --config @");
	assert_int_equal(option_fixture_settings.rounds, 20);
	assert_int_equal(option_fixture_settings.game.deals, 20);
	assert_string_equal(option_fixture_settings.game.record, "line");
	assert_string_equal(option_fixture_settings.game.packs.path, "file");
	option_fixture_assert_good(text, "");
	assert_int_equal(option_fixture_settings.game.deals, 7);
	assert_int_equal(option_fixture_settings.rounds, 0);
}

TEST_WITH(
    test_the_last_file_named_is_read_in_any_form, NULL, option_fixture_forget)
{
	char line[256];

	snprintf(line, sizeof(line), "--config no.ini --config=%s",
	    option_fixture_path);
	option_fixture_assert_good("[cup]\ndeals = 20\n", line);
	assert_int_equal(option_fixture_settings.game.deals, 20);
	snprintf(line, sizeof(line), "-config file=%s", option_fixture_path);
	option_fixture_assert_good("[cup]\ndeals = 21\n", line);
	assert_int_equal(option_fixture_settings.game.deals, 21);
	assert_false(option_fixture_read("--config"));
	assert_string_equal(option_fixture_reader.error.what,
	    "--config needs a value: --config FILE");
	option_fixture_assert_good("[cup]\ndeals = 22\n", "-- --config no.ini");
	assert_int_equal(option_fixture_settings.game.deals, 7);
}

TEST_WITH(test_bots_of_the_line_replace_those_of_the_file, NULL,
    option_fixture_forget)
{
	static const char text[] = "[bot Anna]\ncmd = @a\nstrikes = 1\n"
				   "[bot Bruno]\ncmd = @b\n[each]\n"
				   "strikes = 5\noption.A = 1\noption.B = 1\n";

	option_fixture_assert_good(
	    text, "--config @ @c --bot cmd=@d strikes=2");
	assert_int_equal(option_fixture_settings.bot_count, 2);
	assert_string_equal(option_fixture_settings.bots[0].command, "@c");
	assert_null(option_fixture_settings.bots[0].name);
	assert_int_equal(option_fixture_settings.bots[0].strikes, 3);
	assert_string_equal(option_fixture_settings.bots[1].command, "@d");
	assert_null(option_fixture_settings.bots[2].command);
	assert_int_equal(option_fixture_reader.argument_count, 0);
	option_fixture_assert_good(text, "--config @ --each option.A=2");
	assert_int_equal(option_fixture_settings.bot_count, 2);
	assert_int_equal(option_fixture_settings.each.strikes, 5);
	assert_int_equal(option_fixture_settings.each.options.count, 2);
	assert_string_equal(
	    option_fixture_settings.each.options.words[0], "A=2");
	assert_string_equal(
	    option_fixture_settings.each.options.words[1], "B=1");
}

TEST_WITH(test_plain_words_and_fillers_of_the_line_are_taken, NULL,
    option_fixture_forget)
{
	option_fixture_assert_good(
	    "", "--bot ./a name=A --packs file=p -repeat 2 @b");
	assert_int_equal(option_fixture_settings.bot_count, 2);
	assert_string_equal(option_fixture_settings.bots[0].name, "A");
	assert_string_equal(option_fixture_settings.bots[1].command, "@b");
	assert_string_equal(option_fixture_settings.game.packs.path, "p");
	assert_true(option_fixture_settings.game.duplicate);
	option_fixture_assert_good("", "--packs=p --no-repeat 2");
	assert_false(option_fixture_settings.game.duplicate);
	assert_int_equal(option_fixture_settings.bot_count, 0);
	assert_false(option_fixture_read("--packs"));
	assert_string_equal(option_fixture_reader.error.what,
	    "--packs needs a value: --packs FILE");
	assert_false(option_fixture_read("-resign movecount=3"));
	assert_string_equal(
	    option_fixture_reader.error.what, "-resign is not taken here");
	assert_string_equal(option_fixture_reader.error.hint, "nobody does");
	assert_false(option_fixture_read("--each proto=uci"));
	assert_string_equal(
	    option_fixture_reader.error.what, "--each proto is not taken here");
}

TEST_WITH(test_errors_name_file_and_line, NULL, option_fixture_forget)
{
	assert_bad("[cup]\n\ndeals = 0\n",
	    ":3: deals 0: out of range (1 to 100 deals)", "");
	assert_bad("[cup]\ndeasl = 3\n", ":2: deasl: unknown key",
	    "did you mean \"deals\"?");
	assert_bad("[cup]\nno-duplicate = yes\n",
	    ":2: no-duplicate: unknown key", "write duplicate = no");
	assert_bad("[cpu]\ndeals = 3\n", ":1: unknown section [cpu]",
	    "did you mean \"[cup]\"?");
	assert_bad("[bto Anna]\n", ":1: unknown section [bto Anna]",
	    "did you mean \"[bot]\"?");
	assert_bad("[cup x]\n", ":1: [cup] takes no name: \"x\"", "");
	assert_bad("deals = 3\n", ":1: deals: stands before the first section",
	    "begin with a line [cup]");
	assert_bad("[each Anna]\n", ":1: [each] takes no name: \"Anna\"", "");
	assert_bad("[cup]\neach = 3\n", ":2: each: is a group of keys",
	    "write a section [each]");
	assert_bad("[cup]\nconfig = b.ini\n",
	    ":2: config: a file cannot name another one", "");
	assert_bad("[cup]\nresign = 3\n", ":2: resign is not taken here",
	    "nobody does");
	assert_bad("[cup]\nrecord =\n", ":2: record: the value is empty", "");
	assert_bad("[bot]\ncmd = a\nstirkes = 1\n", ":3: stirkes: unknown key",
	    "did you mean \"strikes=\"?");
	assert_bad(
	    "[bot]\noption. = 1\n", ":2: option.=1: a name is missing", "");
	assert_bad("[bot]\n[bot]\n[bot]\n[bot]\n",
	    ":4: bot is given more than 3 times", "");
	assert_bad("[bot]\nstrikes = x\n",
	    ":2: strikes x: not a whole number (0 to 9)", "");
}

TEST_GROUP(option_fixture_open, option_fixture_close)
