/*
 * A command with options of every kind, for tests that read and write them.
 */
#ifndef CUP_H
#define CUP_H

#include "option.h"

enum { CUP_BOTS_MAX = 3, CUP_PATH_SIZE = 80 };

struct cup_bot {
	const char *command, *name, *dir, *read;
	int64_t strikes;
	struct option_pairs options;
};

struct cup_packs {
	const char *path;
};

struct cup_game {
	struct option_memory memory;
	int64_t deals;
	bool duplicate;
	const char *record;
	struct cup_packs packs;
	int packs_count;
};

struct cup_settings {
	int64_t rounds;
	bool quiet;
	struct cup_game game; /* of a table within the table */
	struct cup_bot bots[CUP_BOTS_MAX];
	int bot_count;
	struct cup_bot each;
	int each_count;
};

/* What was read last. */
extern struct cup_settings cup_settings;
extern struct option_reader cup_reader;

/* The path of the file. */
extern char cup_path[CUP_PATH_SIZE];

/* Around a group of tests: a folder for the file. */
int cup_open(void **state);
int cup_close(void **state);

/* After a test: frees what the last reading remembered. */
int cup_forget(void **state);

/* Writes the file. */
void cup_write(const char *text);

/* Reads a line; words have one blank between them, `@` is the file's path. */
bool cup_read(const char *line);

/* Writes the file and reads a line, which must be good. */
void cup_assert_good(const char *text, const char *line);

#endif
