/*
 * Tournaments and gates as a command line tells of them, in a folder of their
 * own.
 */
#ifndef ENROL_H
#define ENROL_H

#include "folder.h"
#include "tournament_setup.h"

enum { ENROL_LINE_SIZE = 2048, ENROL_OUTPUT_SIZE = 4096 };

/* What was read last, and what was said of it on stderr. */
extern struct tournament_settings enrol_settings;
extern struct tournament_setup enrol_setup;
extern char enrol_said[ENROL_OUTPUT_SIZE];

/* The working folder between begin and end. */
extern char enrol_folder[FOLDER_SIZE];

/* Around a group of tests, and after each. */
int enrol_begin(void **state);
int enrol_end(void **state);
int enrol_forget(void **state);

/* Reads a line; words have one blank between them, `_` stands for a blank. */
void enrol_read(bool gate, const char *line);

/* Opens the setup of what was read. */
enum status enrol_open(bool gate);

/* Both; it must be good, and nothing said. */
void enrol_assert_good(bool gate, const char *line);

#endif
