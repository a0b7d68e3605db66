/*
 * The text of a command becomes a file and arguments.
 *
 * No shell is involved: blanks separate, single quotes keep all, double quotes
 * keep all but \" and \\, a backslash keeps the next byte.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stddef.h>

enum {
	COMMAND_SIZE = 4096, /* all arguments with their NULs */
	COMMAND_ARGUMENTS_MAX = 64,
	COMMAND_PATH_SIZE = 4096,
	COMMAND_SENTENCE_SIZE = 512
};

/* Why a command cannot be run. */
enum command_flaw {
	COMMAND_GOOD,
	COMMAND_EMPTY,     /* no word in it */
	COMMAND_UNCLOSED,  /* a quote without its end, a backslash at the end */
	COMMAND_TOO_LONG,  /* COMMAND_SIZE or COMMAND_PATH_SIZE */
	COMMAND_TOO_MANY,  /* over COMMAND_ARGUMENTS_MAX words */
	COMMAND_MISSING,   /* no such file, or not on the PATH */
	COMMAND_DANGLING,  /* a symbolic link to nothing */
	COMMAND_LINK_LOOP, /* symbolic links in a circle */
	COMMAND_DIRECTORY,
	COMMAND_SPECIAL,      /* a FIFO, device or socket */
	COMMAND_NO_EXEC,      /* no execute permission */
	COMMAND_OUT_OF_REACH, /* a folder on the way may not be entered */
	COMMAND_HOLLOW,       /* a file of no bytes */
	COMMAND_INTERPRETER,  /* the program named behind #! does not exist */
	COMMAND_CARRIAGE,     /* the #! line ends in CR LF */
	COMMAND_FLAW_COUNT
};

/* Flat: may be copied. */
struct command {
	char path[COMMAND_PATH_SIZE]; /* absolute once resolved, else empty */
	char words[COMMAND_SIZE];     /* one after another, each with a NUL */
	int word_count;               /* 1 or more once parsed */
};

/* Splits `text`; *command is written for COMMAND_GOOD only. */
enum command_flaw command_parse(struct command *command, const char *text);

/*
 * The running program itself with these words as its arguments (NULL ends
 * them); argv[0] is `name`.  Is resolved already.
 */
enum command_flaw command_self(
    struct command *command, const char *name, const char *const words[]);

/*
 * Finds the file: a first word with a slash is taken from `dir` (NULL: the
 * working folder), any other is looked up on PATH.  Then checks it as
 * command_check().  Sets command->path also where the check fails, if there is
 * a file to name.
 */
enum command_flaw command_resolve(struct command *command, const char *dir);

/* Would execve() take this file?  Opens nothing that could block. */
enum command_flaw command_check(const char *path);

/* Pointers to the words, then NULL; they live as long as *command. */
void command_arguments(const struct command *command,
    const char *arguments[COMMAND_ARGUMENTS_MAX + 1]);

/* `missing`, `no-exec`..: one word for records and JSON. */
const char *command_flaw_name(enum command_flaw flaw);

/* What is wrong with this file, as a sentence without a full stop. */
void command_flaw_explain(enum command_flaw flaw, const char *path,
    char sentence[COMMAND_SENTENCE_SIZE]);

/* What to do about it (`chmod +x ./bot.py`), or an empty text. */
void command_flaw_hint(
    enum command_flaw flaw, const char *path, char hint[COMMAND_SENTENCE_SIZE]);

#endif
