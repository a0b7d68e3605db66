/*
 * Subcommands: one row each.  Dispatch, help and the manual walk the table.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stddef.h>
#include <stdio.h>

#include "option.h"
#include "report.h"

enum {
	COMMAND_ANY_COUNT = -1,
	COMMAND_ARGUMENTS_MAX = 2,
	COMMAND_EXAMPLES_MAX = 8
};

/* What stands after the options. */
struct command_argument {
	const char *name;     /* `BOT` */
	const char *sentence; /* what it is */
};

struct command {
	const char *name;     /* `match`; `record verify` is two words */
	const char *sentence; /* what it does, as a whole sentence */
	const char *detail;   /* a paragraph more for help, or NULL */
	const char *usage;    /* the arguments: `BOT BOT [BOT...]`, or NULL */
	struct command_argument arguments[COMMAND_ARGUMENTS_MAX]; /* for help */
	int argument_min;
	int argument_max; /* COMMAND_ANY_COUNT: no limit */
	bool rest;        /* options after the first argument are not ours */
	const char *examples[COMMAND_EXAMPLES_MAX]; /* without our name */
	const struct option *options;               /* or NULL */
	size_t settings_size; /* of the struct that the options are read into */

	/* Runs; the arguments, as many as the row says, end with NULL. */
	enum status (*run)(const void *settings, char **argv);
};

/* Every command, in the order of the help. */
extern const struct command *const commands[];
extern const int command_count;

/*
 * Every section that the configuration file of some command has, ended by NULL:
 * one file may serve several commands.
 */
extern const char *const command_sections[];

/* The command of that one or two words, or NULL. */
const struct command *command_find(const char *name);

/* Prints the help of a command, or of all that begin with this word. */
enum status command_describe(const char *name);

/*
 * Says that what was given cannot be, what would help (NULL: nothing is said of
 * that), and where the help of the command that runs is: STATUS_USAGE.
 */
enum status error_usage(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Says what is wrong, what would help and which command to try (NULL: nothing is
 * said of that); returns the status.
 */
enum status error_status(enum status status, const char *hint, const char *try,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Finds argv[1], reads its options and runs it: the whole program. */
enum status command_main(int argc, char **argv);

extern const struct command command_analyse;
extern const struct command command_bench_arena;
extern const struct command command_bench_bots;
extern const struct command command_bench_engine;
extern const struct command command_bench_verdict;
extern const struct command command_bot;
extern const struct command command_db_rebuild;
extern const struct command command_doctor;
extern const struct command command_gate;
extern const struct command command_help;
extern const struct command command_match;
extern const struct command command_perft;
extern const struct command command_rate;
extern const struct command command_sprt;
extern const struct command command_record_derive;
extern const struct command command_record_export;
extern const struct command command_record_merge;
extern const struct command command_record_redact;
extern const struct command command_record_show;
extern const struct command command_record_verify;
extern const struct command command_resume;
extern const struct command command_rules;
extern const struct command command_solve;
extern const struct command command_status;
extern const struct command command_tournament;
extern const struct command command_version;
extern const struct command command_watch;

/*
 * Files that a command is told to read: what is said, and with which status it
 * ends, where one cannot be read.
 */

/*
 * STATUS_USAGE where the path is to blame: nothing is there, or a folder, or
 * something that may not be read.  STATUS_ENVIRONMENT where the machine refused
 * to read a file that is there.  `error` is -errno.
 */
enum status input_file_status(int error);

/*
 * What is said when a worker process has died.
 */

/*
 * By its wait status, and the games that died with it: STATUS_ENVIRONMENT.
 */
enum status worker_death_error(int wait_status, int game_count);

/*
 * Commands and options in words: what help and the manual say of a row.
 */

/* `--deals N`; a key of a group is `deals=N`. */
void describe_option(
    const struct option *option, bool key, struct scopa_text *text);

/*
 * What the row says beside its sentence: `1 to 64 deals; default 1; also
 * -games`; nothing where there is nothing to say.
 */
void describe_option_detail(
    const struct option *option, bool key, struct scopa_text *text);

/* The advice for a command line without any word. */
void describe_usage(FILE *file);

/* One command, with all that it takes. */
void describe_command(FILE *file, const struct command *command);

/*
 * Prints words, wrapped to lines of 79 characters.  They begin in column
 * `column`, where `indent` characters stand in the line already.
 */
void describe_words(FILE *file, const char *words, int indent, int column);

#endif
