/*
 * Subcommands: a table with one row for each.  Dispatch, help and the manual
 * use this table.  The header also declares the errors that all commands print
 * in the same form.
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

/* An argument, which follows the options; for help. */
struct command_argument {
	const char *name;     /* `BOT` */
	const char *sentence; /* the meaning of the argument */
};

struct command {
	const char *name;  /* `match`; or two words: `record verify` */
	const char *alias; /* another name, or NULL */
	/* the effect of the command, as a whole sentence */
	const char *sentence;
	const char *detail; /* one more paragraph for help, or NULL */
	const char *usage;  /* the arguments: `BOT BOT [BOT...]`, or NULL */
	/* descriptions for help */
	struct command_argument arguments[COMMAND_ARGUMENTS_MAX];
	int argument_min;
	int argument_max; /* COMMAND_ANY_COUNT: no limit */
	/* words after the first argument are not options of the arena */
	bool rest;
	/* without the name of the program */
	const char *examples[COMMAND_EXAMPLES_MAX];
	const struct option *options; /* NULL: it has no options */
	size_t settings_size; /* size of the struct that the options fill */

	/*
	 * Runs the command.  The number of arguments has been checked; NULL
	 * follows the last one.  Returns the exit status.
	 */
	enum status (*run)(const void *settings, char **argv);
};

/* All commands, in the order of the help. */
extern const struct command *const commands[];
extern const int command_count;

/* Returns the command of this name, one or two words, or NULL. */
const struct command *command_find(const char *name);

/*
 * Prints the help of a command, or of all commands of a family.  STATUS_DONE,
 * or STATUS_USAGE with an error printed if there is no such name.
 */
enum status command_describe(const char *name);

/*
 * Prints an error of the user's input with a hint (NULL: none), and the name
 * and the help of the running command.  Returns STATUS_USAGE.
 */
enum status error_usage(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Prints an error with a hint and a command to try (NULL: these are left out).
 * Returns `status`.
 */
enum status error_status(enum status status, const char *hint, const char *try,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Prints an error that memory is used up.  Returns STATUS_ENVIRONMENT. */
enum status memory_error(void);

/*
 * Runs the whole program: finds the command that argv[1] names, reads its
 * options and runs it.  Returns the exit status.
 */
enum status command_main(int argc, char **argv);

extern const struct command command_analyse;
extern const struct command command_ask;
extern const struct command command_bench_arena;
extern const struct command command_bench_bots;
extern const struct command command_bench_engine;
extern const struct command command_bench_verdict;
extern const struct command command_bench_verification;
extern const struct command command_bot;
extern const struct command command_check;
extern const struct command command_completion;
extern const struct command command_db_create;
extern const struct command command_db_rebuild;
extern const struct command command_doctor;
extern const struct command command_gate;
extern const struct command command_help;
extern const struct command command_match;
extern const struct command command_new;
extern const struct command command_perft;
extern const struct command command_play;
extern const struct command command_rate;
extern const struct command command_sprt;
extern const struct command command_record_derive;
extern const struct command command_record_export;
extern const struct command command_record_merge;
extern const struct command command_record_redact;
extern const struct command command_record_show;
extern const struct command command_record_verify;
extern const struct command command_replay;
extern const struct command command_report;
extern const struct command command_resume;
extern const struct command command_rules;
extern const struct command command_serve;
extern const struct command command_solve;
extern const struct command command_status;
extern const struct command command_tournament;
extern const struct command command_version;
extern const struct command command_watch;
extern const struct command command_worker;
extern const struct command command_workers;
extern const struct command command_workers_enroll;
extern const struct command command_workers_quarantine;
extern const struct command command_workers_release;
extern const struct command command_workers_revoke;
extern const struct command command_workers_trust;

/*
 * Input files: the error that is printed and the exit status if a file cannot
 * be read.
 */

/*
 * Returns the status of a file that cannot be read; `error` is -errno.
 * STATUS_USAGE if the path is wrong: nothing is there, it is a folder, or it
 * may not be read.  STATUS_ENVIRONMENT if the machine failed to read an
 * existing file.
 */
enum status input_file_status(int error);

/*
 * The error of a worker process that has died.
 */

/*
 * Prints how the worker ended, by its wait status, and the number of games that
 * were lost with it.  Returns STATUS_ENVIRONMENT.
 */
enum status worker_death_error(int wait_status, int game_count);

/*
 * The words of the running command as they were given, to print the next command
 * to try, and words as a shell reads them.
 */

/* Appends a word as a shell reads it: in quotes if it needs them. */
void shell_word_format(const char *word, struct scopa_text *text);

/* An option for command_line_print_again; value NULL: a flag. */
struct command_line_option {
	const char *name, *value;
};

/*
 * Prints the command line of the running command as it was given, quoted for a
 * shell, with `count` options that replace those of the same name.
 */
void command_line_print_again(
    FILE *file, const struct command_line_option *options, int count);

/*
 * Texts of commands and options, which help and the manual print.
 */

/* Appends an option as `--deals N`, or a key of a group as `deals=N`. */
void describe_option(
    const struct option *option, bool key, struct scopa_text *text);

/*
 * Appends what a row says besides its sentence: `1 to 64 deals; default 1; also
 * -games`.  May append nothing.
 */
void describe_option_detail(
    const struct option *option, bool key, struct scopa_text *text);

/* Prints the advice for a command line without any word. */
void describe_usage(FILE *file);

/* Prints everything about a command: usage, arguments, options, examples. */
void describe_command(FILE *file, const struct command *command);

/*
 * Prints text wrapped to lines of 79 characters that begin in column `column`.
 * The current line already holds `indent` characters.
 */
void describe_words(FILE *file, const char *words, int indent, int column);

#endif
