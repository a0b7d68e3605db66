/*
 * Subcommands: a table with one row for each.  Dispatch, help and the manual
 * use this table.  The header also declares what all commands do in the same
 * way: errors, input and output files, words for a shell.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "option.h"
#include "report.h"
#include "scopa/deal.h"

enum {
	COMMAND_ANY_COUNT = -1,
	COMMAND_ARGUMENTS_MAX = 2,
	COMMAND_EXAMPLES_MAX = 8,
	COMMAND_FAMILY_MAX = 16
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

/*
 * The commands, in the order of the help.  Each is defined in its own file as
 * `command_NAME`.
 */
/* clang-format off */
#define COMMANDS(X) \
	X(match) X(tournament) X(gate) X(resume) \
	X(worker) X(status) X(watch) X(serve) \
	X(report) X(new) X(check) \
	X(play) X(ask) X(replay) \
	X(db_create) \
	X(workers) X(workers_enroll) X(workers_trust) \
	X(workers_quarantine) X(workers_release) X(workers_revoke) \
	X(db_rebuild) \
	X(record_verify) X(record_show) \
	X(record_redact) X(record_derive) \
	X(record_merge) X(record_export) \
	X(sprt) X(rate) X(rules) \
	X(perft) X(solve) X(analyse) \
	X(bench_engine) X(bench_arena) \
	X(bench_bots) X(bench_verdict) \
	X(bench_verification) X(doctor) X(bot) \
	X(completion) X(help) X(version)
/* clang-format on */

#define COMMAND_DECLARE(name) extern const struct command command_##name;
COMMANDS(COMMAND_DECLARE)

extern const struct command *const commands[];
extern const int command_count;

/* Returns the command of this name, one or two words, or NULL. */
const struct command *command_find(const char *name);

/* Whether the command is of a family, as `record verify` is of `record`. */
bool command_is_of_family(const struct command *command, const char *family);

/*
 * Finds the command of this name and those of the family of this name, in the
 * order of the help.  Returns their number.
 */
int command_family(
    const char *name, const struct command *list[COMMAND_FAMILY_MAX]);

/*
 * Prints the help of a command, or of all commands of a family.  STATUS_DONE,
 * or STATUS_USAGE with an error printed if there is no such name.
 */
enum status command_describe(const char *name);

/*
 * Error messages for people, on stderr, all in one form:
 *
 *     error: WHAT
 *       hint    : MORE
 *       try     : NEXT COMMAND
 *
 * Bytes outside printable ASCII and UTF-8 text appear as \xNN, so that nothing
 * that a bot or a file says reaches the terminal as a command.
 */

/* Prints `error: ` and the formatted text as a line. */
void error_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints one line under it; labels are at most eight characters.  A `try` that
 * begins with VERSION_NAME names this program by the path it was called with.
 */
void error_detail(const char *label, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * From now on what is printed is also appended to `copy`, for a user who does
 * not see stderr; NULL: no more.
 */
void error_copy(struct scopa_text *copy);

/*
 * Prints an error of the user's input with a hint (NULL or empty: none), and
 * the name and the help of the running command.  Returns STATUS_USAGE.
 */
enum status error_usage(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The same for two options that contradict each other, named without dashes.
 */
enum status error_exclusive(const char *one, const char *other);

/*
 * Prints an error with a hint and a command to try (NULL or empty: these are
 * left out).  Returns `status`.
 */
enum status error_status(enum status status, const char *hint, const char *try,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * Prints, below an error, the lines of the configuration file that set options
 * of the running command: those of these names; NULL ends them.  error_usage()
 * and error_status() do so for each `--NAME` in their first line.
 */
void error_option_lines(const char *const names[]);

/* The same for a text in the settings, which may be NULL. */
void error_value_line(const char *value);

/* Prints an error that memory is used up.  Returns STATUS_ENVIRONMENT. */
enum status memory_error(void);

/*
 * Returns zeroed memory for what is too large for the stack. It is freed when
 * the command has ended. If there is no memory, prints an error and ends the
 * process with STATUS_ENVIRONMENT.
 *
 * A static variable would serve, but the leak checker of the tests reads all of
 * them, those of other commands too, at the end of each process.
 */
void *command_memory(size_t size);

/*
 * Runs the whole program: finds the command that argv[1] names, reads its
 * options and runs it.  Returns the exit status.
 */
enum status command_main(int argc, char **argv);

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
 * Output files: a file that takes the place of another one, whole or not at
 * all.
 */

struct output_file {
	FILE *file;               /* the caller writes to it */
	bool replaces;            /* false: `file` is itself what was named */
	char path[PATH_MAX];      /* of the file that it replaces */
	char part[PATH_MAX + 32]; /* its name until then, if it must have one */
};

/*
 * Opens a file that output_file_commit() renames to `path`.  Until then the old
 * file stays, even if the process is killed.  A symbolic link is followed; a
 * device, a pipe or the standard output is written to directly.  0 or -errno.
 */
int output_file_open(struct output_file *output, const char *path);

/* Replaces the old file: 0 or -errno.  The new file stays open. */
int output_file_commit(struct output_file *output);

void output_file_close(struct output_file *output);

/* Whether a file can be put at `path`; nothing is changed.  0 or -errno. */
int output_file_check(const char *path);

/*
 * Refuses a path of a file that a run needs: another file there would damage
 * the run.  STATUS_DONE: it is none, or NULL.
 */
enum status refuse_file_of_run(const char *path);

/* What users can do if an output file cannot be opened; `error` is -errno. */
const char *output_open_hint(int error);

/*
 * The error of a worker process that has died.
 */

/*
 * Prints how the worker ended, by its wait status, and the number of games that
 * were lost with it.  Returns STATUS_ENVIRONMENT.
 */
enum status worker_death_error(int wait_status, int game_count);

/*
 * Commands to copy: they begin with the path of this program, and their words
 * are quoted for a shell.
 */

/* Prints the line `next    PROGRAM COMMAND PATH`; `more` ends it. */
void next_print(const char *command, const char *path, const char *more);

/* Prints the detail `try     : PROGRAM COMMAND PATH` of an error. */
void error_try(const char *command, const char *path);

/* An option for command_line_print; value NULL: a flag. */
struct command_line_option {
	const char *name, *value;
};

/*
 * Prints the command line of the running command as it was given, quoted for a
 * shell, with `count` options that replace those of the same name.
 */
void command_line_print(const struct command_line_option *options, int count);

/*
 * Texts of commands and options, which help and the manual print.
 */

/* Prints the advice for a command line without any word, on stderr. */
void describe_usage(void);

/* Prints everything about a command: usage, arguments, options, examples. */
void describe_command(FILE *file, const struct command *command);

/*
 * Prints text wrapped to lines of 79 characters that begin in column `column`.
 * The current line already holds `indent` characters.
 */
void describe_words(FILE *file, const char *words, int indent, int column);

#endif
