/*
 * Splits the text of a command into a file and its arguments.
 *
 * No shell is involved: blanks separate words; single quotes keep everything;
 * double quotes keep everything but \" and \\; a backslash keeps the next byte.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "launcher.h"

enum {
	PROGRAM_SIZE = 4096, /* all arguments with their NULs */
	PROGRAM_ARGUMENTS_MAX = 64,
	PROGRAM_PATH_SIZE = 4096,
	PROGRAM_SENTENCE_SIZE = 512
};

/* Why a command cannot be run. */
enum program_flaw {
	PROGRAM_GOOD,
	PROGRAM_EMPTY,    /* no word in it */
	PROGRAM_UNCLOSED, /* a quote without its end, a backslash at the end */
	PROGRAM_TOO_LONG, /* PROGRAM_SIZE or PROGRAM_PATH_SIZE */
	PROGRAM_TOO_MANY, /* over PROGRAM_ARGUMENTS_MAX words */
	PROGRAM_MISSING,  /* no such file */
	PROGRAM_NOT_ON_PATH, /* a name without a slash that PATH lacks */
	PROGRAM_DANGLING,    /* a symbolic link to nothing */
	PROGRAM_LINK_LOOP,   /* symbolic links in a circle */
	PROGRAM_DIRECTORY,
	PROGRAM_SPECIAL,      /* a FIFO, device or socket */
	PROGRAM_NO_EXEC,      /* no execute permission */
	PROGRAM_OUT_OF_REACH, /* a folder on the way may not be entered */
	PROGRAM_PRIVILEGED,   /* setuid, setgid or with capabilities */
	PROGRAM_HOLLOW,       /* a file of no bytes */
	PROGRAM_INTERPRETER,  /* the program named behind #! does not exist */
	PROGRAM_CARRIAGE,     /* the #! line ends in CR LF */
	PROGRAM_FLAW_COUNT
};

/* Flat: may be copied. */
struct program {
	char path[PROGRAM_PATH_SIZE]; /* absolute once resolved, else empty */
	char words[PROGRAM_SIZE];     /* one after another, each with a NUL */
	int word_count;               /* 1 or more once parsed */
};

/* Splits `text`; *program is written for PROGRAM_GOOD only. */
enum program_flaw program_parse(struct program *program, const char *text);

/*
 * The running program itself with these words as its arguments (NULL ends
 * them); argv[0] is `name`.  Is resolved already.
 */
enum program_flaw program_self(
    struct program *program, const char *name, const char *const words[]);

/*
 * Finds the file: a first word with a slash is taken from `dir` (NULL: the
 * working folder), any other is looked up on PATH.  Then checks it as
 * program_check().  Sets program->path also where the check fails, if there is
 * a file to name.
 */
enum program_flaw program_resolve(struct program *program, const char *dir);

/* Would execve() take this file?  Opens nothing that could block. */
enum program_flaw program_check(const char *path);

/* Pointers to the words, then NULL; they live as long as *program. */
void program_arguments(const struct program *program,
    const char *arguments[PROGRAM_ARGUMENTS_MAX + 1]);

/*
 * The name of the error that starting such a file comes to (`ENOENT`), or SUID,
 * or NULL where the command itself is wrong.
 */
const char *program_flaw_code(enum program_flaw flaw);

/*
 * What is wrong, as a sentence without a full stop.  The file is looked at
 * under `path` and called `name` (what the user wrote).
 */
void program_flaw_explain(enum program_flaw flaw, const char *path,
    const char *name, char sentence[PROGRAM_SENTENCE_SIZE]);

/* What to do about it (`chmod +x ./bot.py`), or an empty text. */
void program_flaw_hint(
    enum program_flaw flaw, const char *name, char hint[PROGRAM_SENTENCE_SIZE]);

/*
 * What a user must be allowed to do with the files of a command: the list is
 * made by a process that may see them all, and checked by a process of that
 * user.
 */

struct access_check {
	const char *file;
	char *const *arguments;
	/* As access(2) has it, of the file and, from 1 on, of arguments that
	 * name one; 0: nothing. */
	int needed[LAUNCHER_ARGUMENTS_MAX];
};

/* `arguments` are those of argv; both are kept. */
void access_check_init(struct access_check *access_check, const char *file,
    char *const *arguments);

/* The first of them that is refused to the caller, or NULL. */
const char *access_check_run(const struct access_check *access_check);

#endif
