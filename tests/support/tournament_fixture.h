/*
 * Tournaments and gates as a command line tells of them, in a folder of their
 * own.
 */
#ifndef TOURNAMENT_FIXTURE_H
#define TOURNAMENT_FIXTURE_H

#include "folder.h"
#include "tournament_setup.h"

enum {
	TOURNAMENT_FIXTURE_LINE_SIZE = 2048,
	TOURNAMENT_FIXTURE_OUTPUT_SIZE = 4096
};

/* What was read last, and what was said of it on stderr. */
extern struct tournament_settings tournament_fixture_settings;
extern struct tournament_setup tournament_fixture_setup;
extern char tournament_fixture_said[TOURNAMENT_FIXTURE_OUTPUT_SIZE];

/* The working folder between begin and end. */
extern char tournament_fixture_folder[FOLDER_SIZE];

/* Around a group of tests, and after each. */
int tournament_fixture_begin(void **state);
int tournament_fixture_end(void **state);
int tournament_fixture_forget(void **state);

/* Reads a line; words have one blank between them, `_` stands for a blank. */
void tournament_fixture_read(bool gate, const char *line);

/* Opens the setup of what was read. */
enum status tournament_fixture_open(bool gate);

/* Both; it must be good, and nothing said. */
void tournament_fixture_assert_good(bool gate, const char *line);

#endif
