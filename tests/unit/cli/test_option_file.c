/*
 * Options from a configuration file: its sections and keys, what goes before
 * what, and where errors are said to be; and settings as such a file.
 */
#include "option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "test.h"

enum { BOTS_MAX = 3, PATH_SIZE = 80, WORDS_MAX = 20 };

struct bot {
	const char *command, *name, *dir, *read;
	int64_t strikes;
	struct option_pairs options;
};

struct packs {
	const char *path;
};

struct game {
	struct config *config;
	int64_t deals;
	bool duplicate;
	const char *record;
	struct packs packs;
	int packs_count;
};

struct settings {
	int64_t rounds;
	bool quiet;
	struct game game; /* of a table within the table */
	struct bot bots[BOTS_MAX];
	int bot_count;
	struct bot each;
	int each_count;
};

static const struct option bot_keys[] = {
	TEXT_OPTION("cmd", "CMD", offsetof(struct bot, command), "Command."),
	TEXT_OPTION("name", "NAME", offsetof(struct bot, name), "Name."),
	TEXT_OPTION("dir", "DIR", offsetof(struct bot, dir), "Folder.",
	    .is_path = true),
	TEXT_OPTION("read", "PATH:PATH", offsetof(struct bot, read), "Files.",
	    .is_paths = true),
	INT_OPTION("strikes", "N", offsetof(struct bot, strikes), 0, 9,
	    "Strikes.", .aliases = { "hits" }, .fallback = "3"),
	PAIRS_OPTION(
	    "option.", "NAME=VALUE", offsetof(struct bot, options), "Option."),
	REFUSED_OPTION("proto", "there is but one."),
	OPTIONS_END,
};

static const struct option packs_keys[] = {
	TEXT_OPTION("file", "FILE", offsetof(struct packs, path), "File.",
	    .is_path = true),
	OPTIONS_END,
};

static const struct option game_rows[] = {
	INT_OPTION("deals", "N", offsetof(struct game, deals), 1, 100, "Deals.",
	    .fallback = "7", .unit = "deals"),
	FLAG_OPTION("duplicate", offsetof(struct game, duplicate), "Twice.",
	    .aliases = { "repeat" }, .fallback = "yes", .implied = "2"),
	TEXT_OPTION("record", "FILE", offsetof(struct game, record), "Record.",
	    .is_path = true),
	GROUP_OPTION("packs", "FILE", packs_keys, sizeof(struct packs),
	    offsetof(struct game, packs), offsetof(struct game, packs_count),
	    "Packs.", .takes_plain = true),
	CONFIG_OPTION("config", "FILE", offsetof(struct game, config), "This."),
	REFUSED_OPTION("resign", "nobody does."),
	OPTIONS_END,
};

static const struct option options[] = {
	INT_OPTION("rounds", "N", offsetof(struct settings, rounds), 1, 100,
	    "Rounds."),
	FLAG_OPTION("quiet", offsetof(struct settings, quiet), "Quiet.",
	    .is_passing = true),
	{ .kind = OPTION_TABLE,
	    .sentence = "game",
	    .keys = game_rows,
	    .offset = offsetof(struct settings, game) },
	GROUP_OPTION("bot", "KEY=VALUE...", bot_keys, sizeof(struct bot),
	    offsetof(struct settings, bots),
	    offsetof(struct settings, bot_count), "Bot.",
	    .aliases = { "engine" }, .takes_plain = true,
	    .takes_arguments = true, .title = "name", .group_max = BOTS_MAX),
	GROUP_OPTION("each", "KEY=VALUE...", bot_keys, sizeof(struct bot),
	    offsetof(struct settings, each),
	    offsetof(struct settings, each_count), "All."),
	OPTIONS_END,
};

static const char *const sections[] = { "cup", "gate", "bot", "sprt", NULL };

/* What was read last. */
static struct settings settings;
static struct option_reader reader;

static char folder[FOLDER_SIZE], path[PATH_SIZE];
static char line_bytes[1024];
static char *line_words[WORDS_MAX];

static void
forget(void)
{
	if (reader.settings != NULL)
		option_release(&reader);
	memset(&reader, 0, sizeof(reader));
}

static int
open_folder(void **state)
{
	(void)state;
	folder_make(folder);
	snprintf(path, sizeof(path), "%s/t.ini", folder);
	return 0;
}

static int
close_folder(void **state)
{
	(void)state;
	forget();
	folder_remove(folder);
	return 0;
}

static void
write_file(const char *text)
{
	folder_write(path, text);
}

static bool
read_line(const char *line)
{
	int count = 0;
	char *left = line_bytes;

	forget();
	memset(&settings, 0, sizeof(settings));
	reader.options = options;
	reader.settings = &settings;
	reader.section = "cup";
	reader.sections = sections;
	strcpy(line_bytes, line);
	while (left != NULL && *left != '\0') {
		char *word = strsep(&left, " ");

		assert_true(count < WORDS_MAX);
		line_words[count++] = strcmp(word, "@") == 0 ? path : word;
	}
	option_defaults(&reader);
	return option_read(&reader, count, line_words);
}

static void
assert_good(const char *text, const char *line)
{
	write_file(text);
	if (!read_line(line))
		fail_msg("%s: %s", text, reader.error.what);
}

/* Refused with this reason, behind the path of the file. */
static void
assert_bad(const char *text, const char *what, const char *hint)
{
	write_file(text);
	assert_false(read_line("--config @"));
	assert_memory_equal(reader.error.what, path, strlen(path));
	assert_string_equal(reader.error.what + strlen(path), what);
	assert_string_equal(reader.error.hint, hint);
}

TEST(test_keys_are_the_names_of_options)
{
	assert_good("[cup]\n"
		    "rounds = 5\n"
		    "deals = 3\n"
		    "repeat = no\n"
		    "record = a b.scopa\n"
		    "quiet = yes\n",
	    "--config @");
	assert_int_equal(settings.rounds, 5);
	assert_int_equal(settings.game.deals, 3);
	assert_false(settings.game.duplicate);
	assert_string_equal(settings.game.record, "a b.scopa");
	assert_true(settings.quiet);
}

TEST(test_groups_are_sections)
{
	assert_good("[each]\n"
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
	assert_int_equal(settings.bot_count, 2);
	assert_string_equal(settings.bots[0].name, "Anna");
	assert_string_equal(settings.bots[0].command, "./a -v \"1 2\" # 3");
	assert_int_equal(settings.bots[0].strikes, 3);
	assert_int_equal(settings.bots[0].options.count, 2);
	assert_string_equal(settings.bots[0].options.words[0], "Depth=4");
	assert_string_equal(settings.bots[0].options.words[1], "Style=a=b");
	assert_string_equal(settings.bots[1].name, "Bruno B");
	assert_int_equal(settings.bots[1].strikes, 2);
	assert_string_equal(settings.game.packs.path, "p.packs");
	assert_int_equal(settings.each.strikes, 1);
	assert_int_equal(settings.each.options.count, 1);
}

TEST(test_groups_of_one_word_are_keys_too)
{
	assert_good("[cup]\npacks = p.packs\nbot = ./a --x=1\nbot = @b\n",
	    "--config @");
	assert_string_equal(settings.game.packs.path, "p.packs");
	assert_int_equal(settings.bot_count, 2);
	assert_string_equal(settings.bots[0].command, "./a --x=1");
	assert_string_equal(settings.bots[1].command, "@b");
}

TEST(test_sections_of_other_commands_are_left_alone)
{
	assert_good("[gate]\nwhatever = 1\n[sprt]\nelo0 = 0\n[cup]\n"
		    "rounds = 2\n[gate]\nrounds = 9\n",
	    "--config @");
	assert_int_equal(settings.rounds, 2);
}

TEST(test_sources_go_before_each_other)
{
	static const char text[] = "[cup]\ndeals = 20\nrounds = 20\n"
				   "record = file\npacks = file\n";

	assert_good(text, "--record line --config @");
	assert_int_equal(settings.rounds, 20);
	assert_int_equal(settings.game.deals, 20);
	assert_string_equal(settings.game.record, "line");
	assert_string_equal(settings.game.packs.path, "file");
	assert_good(text, "");
	assert_int_equal(settings.game.deals, 7);
	assert_int_equal(settings.rounds, 0);
}

TEST(test_the_last_file_named_is_read_in_any_form)
{
	char line[256];

	snprintf(line, sizeof(line), "--config no.ini --config=%s", path);
	assert_good("[cup]\ndeals = 20\n", line);
	assert_int_equal(settings.game.deals, 20);
	snprintf(line, sizeof(line), "-config file=%s", path);
	assert_good("[cup]\ndeals = 21\n", line);
	assert_int_equal(settings.game.deals, 21);
	assert_false(read_line("--config"));
	assert_string_equal(
	    reader.error.what, "--config needs a value: --config FILE");
	assert_good("[cup]\ndeals = 22\n", "-- --config no.ini");
	assert_int_equal(settings.game.deals, 7);
}

TEST(test_bots_of_the_line_replace_those_of_the_file)
{
	static const char text[] = "[bot Anna]\ncmd = @a\nstrikes = 1\n"
				   "[bot Bruno]\ncmd = @b\n[each]\n"
				   "strikes = 5\noption.A = 1\noption.B = 1\n";

	assert_good(text, "--config @ @c --bot cmd=@d strikes=2");
	assert_int_equal(settings.bot_count, 2);
	assert_string_equal(settings.bots[0].command, "@c");
	assert_null(settings.bots[0].name);
	assert_int_equal(settings.bots[0].strikes, 3);
	assert_string_equal(settings.bots[1].command, "@d");
	assert_null(settings.bots[2].command);
	assert_int_equal(reader.argument_count, 0);
	assert_good(text, "--config @ --each option.A=2");
	assert_int_equal(settings.bot_count, 2);
	assert_int_equal(settings.each.strikes, 5);
	assert_int_equal(settings.each.options.count, 2);
	assert_string_equal(settings.each.options.words[0], "A=2");
	assert_string_equal(settings.each.options.words[1], "B=1");
}

TEST(test_plain_words_and_fillers_of_the_line_are_taken)
{
	assert_good("", "--bot ./a name=A --packs file=p -repeat 2 @b");
	assert_int_equal(settings.bot_count, 2);
	assert_string_equal(settings.bots[0].name, "A");
	assert_string_equal(settings.bots[1].command, "@b");
	assert_string_equal(settings.game.packs.path, "p");
	assert_true(settings.game.duplicate);
	assert_good("", "--packs=p --no-repeat 2");
	assert_false(settings.game.duplicate);
	assert_int_equal(settings.bot_count, 0);
	assert_false(read_line("--packs"));
	assert_string_equal(
	    reader.error.what, "--packs needs a value: --packs FILE");
	assert_false(read_line("-resign movecount=3"));
	assert_string_equal(reader.error.what, "-resign is not taken here");
	assert_string_equal(reader.error.hint, "nobody does");
	assert_false(read_line("--each proto=uci"));
	assert_string_equal(
	    reader.error.what, "--each proto is not taken here");
}

TEST(test_errors_name_file_and_line)
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

/* The file that gives the same again. */
static char *
settings_write(void)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	option_write(file, &reader, "/home of");
	assert_int_equal(fclose(file), 0);
	return text;
}

TEST(test_what_was_given_is_written_again)
{
	char *text;

	assert_good("[cup]\ndeals = 3\n[each]\ndir = d\n",
	    "--config @ --deals 4 --quiet --record r @a --bot cmd=@b name=B "
	    "strikes=1 hits=2 option.X=1 option.Y=2 option.X=3 --packs /p");
	text = settings_write();
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
	    "option.X = 3\n"
	    "option.Y = 2\n"
	    "\n"
	    "[each]\n"
	    "dir = /home of/d\n"
	    "strikes = 3\n");
	free(text);
}

TEST(test_each_path_of_a_list_becomes_absolute)
{
	char *text;

	assert_good("", "--bot cmd=@a read=a:/b:../c");
	text = settings_write();
	assert_non_null(strstr(text, "read = /home of/a:/b:/home of/../c\n"));
	free(text);
}

TEST(test_a_text_of_any_length_is_written)
{
	static char name[20000];
	char *text;

	memset(name, 'x', sizeof(name) - 1);
	assert_good("", "");
	settings.game.record = name;
	text = settings_write();
	assert_non_null(strstr(text, name));
	free(text);
}

TEST_GROUP(open_folder, close_folder)
