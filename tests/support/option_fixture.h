/*
 * A command with options of every kind, for tests that read and write them.
 */
#ifndef OPTION_FIXTURE_H
#define OPTION_FIXTURE_H

#include "option.h"

enum { OPTION_FIXTURE_BOTS_MAX = 3, OPTION_FIXTURE_PATH_SIZE = 80 };

struct option_fixture_bot {
	const char *command, *name, *dir, *read;
	int64_t strikes;
	struct option_pairs options;
};

struct option_fixture_packs {
	const char *path;
};

struct option_fixture_game {
	struct option_memory memory;
	int64_t deals;
	bool duplicate;
	const char *record;
	struct option_fixture_packs packs;
	int packs_count;
};

struct option_fixture_settings {
	int64_t rounds;
	bool quiet;
	struct option_fixture_game game; /* of a table within the table */
	struct option_fixture_bot bots[OPTION_FIXTURE_BOTS_MAX];
	int bot_count;
	struct option_fixture_bot each;
	int each_count;
};

/* What was read last. */
extern struct option_fixture_settings option_fixture_settings;
extern struct option_reader option_fixture_reader;

/* The path of the file. */
extern char option_fixture_path[OPTION_FIXTURE_PATH_SIZE];

/* Around a group of tests: a folder for the file. */
int option_fixture_open(void **state);
int option_fixture_close(void **state);

/* After a test: frees what the last reading remembered. */
int option_fixture_forget(void **state);

/* Writes the file. */
void option_fixture_write(const char *text);

/* Reads a line; words have one blank between them, `@` is the file's path. */
bool option_fixture_read(const char *line);

/* Writes the file and reads a line, which must be good. */
void option_fixture_assert_good(const char *text, const char *line);

#endif
