#include "option_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "folder.h"
#include "test.h"

enum { WORDS_MAX = 20 };

static const struct option bot_keys[] = {
	{ .name = "cmd",
	    .kind = OPTION_TEXT,
	    .value = "CMD",
	    .sentence = "Command.",
	    .offset = offsetof(struct option_fixture_bot, command) },
	{ .name = "name",
	    .kind = OPTION_TEXT,
	    .value = "NAME",
	    .sentence = "Name.",
	    .offset = offsetof(struct option_fixture_bot, name) },
	{ .name = "dir",
	    .kind = OPTION_TEXT,
	    .value = "DIR",
	    .sentence = "Folder.",
	    .is_path = true,
	    .offset = offsetof(struct option_fixture_bot, dir) },
	{ .name = "read",
	    .kind = OPTION_TEXT,
	    .value = "PATH:PATH",
	    .sentence = "Files.",
	    .is_paths = true,
	    .offset = offsetof(struct option_fixture_bot, read) },
	{ .name = "strikes",
	    .aliases = { "hits" },
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Strikes.",
	    .fallback = "3",
	    .max = 9,
	    .offset = offsetof(struct option_fixture_bot, strikes) },
	{ .name = "option.",
	    .kind = OPTION_PAIRS,
	    .value = "NAME=VALUE",
	    .sentence = "Option.",
	    .offset = offsetof(struct option_fixture_bot, options) },
	{ .name = "proto",
	    .kind = OPTION_REFUSED,
	    .sentence = "there is but one." },
};

static const struct option packs_keys[] = {
	{ .name = "file",
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "File.",
	    .is_path = true,
	    .offset = offsetof(struct option_fixture_packs, path) },
};

static const struct option game_rows[] = {
	{ .name = "deals",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Deals.",
	    .fallback = "7",
	    .unit = "deals",
	    .min = 1,
	    .max = 100,
	    .offset = offsetof(struct option_fixture_game, deals) },
	{ .name = "duplicate",
	    .aliases = { "repeat" },
	    .kind = OPTION_FLAG,
	    .sentence = "Twice.",
	    .fallback = "yes",
	    .implied = "2",
	    .offset = offsetof(struct option_fixture_game, duplicate) },
	{ .name = "record",
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "Record.",
	    .is_path = true,
	    .offset = offsetof(struct option_fixture_game, record) },
	{ .name = "packs",
	    .kind = OPTION_GROUP,
	    .value = "FILE",
	    .sentence = "Packs.",
	    .takes_plain = true,
	    .keys = packs_keys,
	    .key_count = COUNTOF(packs_keys),
	    .group_max = 1,
	    .group_size = sizeof(struct option_fixture_packs),
	    .count_offset = offsetof(struct option_fixture_game, packs_count),
	    .offset = offsetof(struct option_fixture_game, packs) },
	{ .name = "config",
	    .kind = OPTION_CONFIG,
	    .value = "FILE",
	    .sentence = "This.",
	    .offset = offsetof(struct option_fixture_game, memory) },
	{ .name = "resign",
	    .kind = OPTION_REFUSED,
	    .sentence = "nobody does." },
};

static const struct option options[] = {
	{ .name = "rounds",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Rounds.",
	    .min = 1,
	    .max = 100,
	    .offset = offsetof(struct option_fixture_settings, rounds) },
	{ .name = "quiet",
	    .kind = OPTION_FLAG,
	    .sentence = "Quiet.",
	    .is_passing = true,
	    .offset = offsetof(struct option_fixture_settings, quiet) },
	{ .kind = OPTION_TABLE,
	    .sentence = "game",
	    .keys = game_rows,
	    .key_count = COUNTOF(game_rows),
	    .offset = offsetof(struct option_fixture_settings, game) },
	{ .name = "bot",
	    .aliases = { "engine" },
	    .kind = OPTION_GROUP,
	    .value = "KEY=VALUE...",
	    .sentence = "Bot.",
	    .takes_plain = true,
	    .takes_arguments = true,
	    .title = "name",
	    .keys = bot_keys,
	    .key_count = COUNTOF(bot_keys),
	    .group_max = OPTION_FIXTURE_BOTS_MAX,
	    .group_size = sizeof(struct option_fixture_bot),
	    .count_offset = offsetof(struct option_fixture_settings, bot_count),
	    .offset = offsetof(struct option_fixture_settings, bots) },
	{ .name = "each",
	    .kind = OPTION_GROUP,
	    .value = "KEY=VALUE...",
	    .sentence = "All.",
	    .keys = bot_keys,
	    .key_count = COUNTOF(bot_keys),
	    .group_max = 1,
	    .group_size = sizeof(struct option_fixture_bot),
	    .count_offset =
		offsetof(struct option_fixture_settings, each_count),
	    .offset = offsetof(struct option_fixture_settings, each) },
};

static const char *const sections[] = { "cup", "gate", "bot", "sprt", NULL };

struct option_fixture_settings option_fixture_settings;
struct option_reader option_fixture_reader;
char option_fixture_path[OPTION_FIXTURE_PATH_SIZE];

static char folder[FOLDER_SIZE];
static char line_bytes[1024];
static char *line_words[WORDS_MAX];

int
option_fixture_open(void **state)
{
	(void)state;
	folder_make(folder);
	snprintf(option_fixture_path, sizeof(option_fixture_path), "%s/t.ini",
	    folder);
	return 0;
}

int
option_fixture_close(void **state)
{
	(void)state;
	folder_remove(folder);
	return 0;
}

int
option_fixture_forget(void **state)
{
	(void)state;
	if (option_fixture_reader.settings != NULL)
		option_release(&option_fixture_reader);
	memset(&option_fixture_reader, 0, sizeof(option_fixture_reader));
	return 0;
}

void
option_fixture_write(const char *text)
{
	folder_write(option_fixture_path, text);
}

bool
option_fixture_read(const char *line)
{
	int count = 0;
	char *left = line_bytes;

	option_fixture_forget(NULL);
	memset(&option_fixture_settings, 0, sizeof(option_fixture_settings));
	option_fixture_reader.options = options;
	option_fixture_reader.option_count = COUNTOF(options);
	option_fixture_reader.settings = &option_fixture_settings;
	option_fixture_reader.section = "cup";
	option_fixture_reader.sections = sections;
	strcpy(line_bytes, line);
	while (left != NULL && *left != '\0') {
		char *word = strsep(&left, " ");

		assert_true(count < WORDS_MAX);
		line_words[count++] =
		    strcmp(word, "@") == 0 ? option_fixture_path : word;
	}
	option_defaults(&option_fixture_reader);
	return option_read(&option_fixture_reader, count, line_words);
}

void
option_fixture_assert_good(const char *text, const char *line)
{
	option_fixture_write(text);
	if (!option_fixture_read(line))
		fail_msg("%s: %s", text, option_fixture_reader.error.what);
}
