/*
 * The program of a bot: the text of its command is split into a file and
 * arguments, the file is found and checked, and its fingerprint shows whether
 * it has changed since.
 *
 * No shell is involved: blanks separate words; single quotes keep everything;
 * double quotes keep everything but \" and \\; a backslash keeps the next byte.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

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
	PROGRAM_NO_WORKING_FOLDER, /* a relative path; the folder is removed */
	PROGRAM_TOO_MANY,          /* over PROGRAM_ARGUMENTS_MAX words */
	PROGRAM_MISSING,           /* no such file */
	PROGRAM_NOT_ON_PATH,       /* a name without a slash that PATH lacks */
	PROGRAM_DANGLING,          /* a symbolic link to nothing */
	PROGRAM_LINK_LOOP,         /* symbolic links in a circle */
	PROGRAM_DIRECTORY,
	PROGRAM_SPECIAL,      /* a FIFO, device or socket */
	PROGRAM_NO_EXEC,      /* no execute permission */
	PROGRAM_NOEXEC_MOUNT, /* its file system is mounted noexec */
	PROGRAM_OUT_OF_REACH, /* a folder on the way may not be entered */
	PROGRAM_PRIVILEGED,   /* setuid, setgid or with capabilities */
	PROGRAM_HOLLOW,       /* a file of no bytes */
	PROGRAM_INTERPRETER,  /* the program named after #! does not exist */
	PROGRAM_CARRIAGE,     /* the #! line ends in CR LF */
	PROGRAM_MARK,         /* a byte order mark stands before its text */
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
 * Sets *program to the running program with these words as its arguments (NULL
 * ends them); argv[0] is `name`.  It is resolved already.
 */
enum program_flaw program_self(
    struct program *program, const char *name, const char *const words[]);

/*
 * Finds the file of the program, and checks it as program_check() does.  A
 * first word with a slash is a path from `dir` (NULL: the working folder); any
 * other word is looked up in PATH.  If the check fails, program->path is set,
 * too, as far as there is a file to name.
 */
enum program_flaw program_resolve(struct program *program, const char *dir);

/* Whether execve() would run this file.  Opens no file that could block. */
enum program_flaw program_check(const char *path);

/* Writes pointers to the words, then NULL.  They live as long as *program. */
void program_arguments(const struct program *program,
    const char *arguments[PROGRAM_ARGUMENTS_MAX + 1]);

/*
 * The name of the error that starting such a file gives (`ENOENT`), or SUID;
 * NULL: the command itself is wrong.
 */
const char *program_flaw_code(enum program_flaw flaw);

/*
 * Writes what is wrong, as a sentence without a full stop.  The file is at
 * `path`, and its name in the sentence is `name`, as the user wrote it.
 */
void program_flaw_explain(enum program_flaw flaw, const char *path,
    const char *name, char sentence[PROGRAM_SENTENCE_SIZE]);

/* Writes what the user can do (`chmod +x ./bot.py`), or an empty text. */
void program_flaw_hint(
    enum program_flaw flaw, const char *name, char hint[PROGRAM_SENTENCE_SIZE]);

/*
 * The access that a user needs to the files of a command.  A process that can
 * see all files makes the list; a process of that user checks it.
 */

struct access_check {
	const char *file;
	char *const *arguments;
	/* The mode for access(2): element 0 for the file, others for arguments
	 * that name a file; 0: nothing is needed. */
	int needed[LAUNCHER_ARGUMENTS_MAX];
};

/* Makes the list.  `arguments` are those of argv; the list points to them. */
void access_check_init(struct access_check *access_check, const char *file,
    char *const *arguments);

/* Returns the first file that the caller may not use, or NULL. */
const char *access_check_run(const struct access_check *access_check);

/*
 * The fingerprint of a bot's file shows whether the file has changed since the
 * bot was entered.
 *
 * The file is the program of the bot. If the program was found on PATH, as an
 * interpreter is, the file is the first argument that names a regular file. The
 * fingerprint holds the SHA-256 of the file. The file is not read again until
 * its mark (size, times, inode) has changed.
 */

enum { FINGERPRINT_DIGEST_SIZE = 32 };

struct fingerprint {
	char path[PATH_MAX]; /* empty: there is no fingerprint */
	struct stat mark;    /* differs if the file was changed */
	bool readable; /* digest is valid; if not, only mark is compared */
	uint8_t digest[FINGERPRINT_DIGEST_SIZE];
	/* Those of further files that belong to the bot; of the caller. */
	const struct fingerprint *others;
	int other_count;
};

/*
 * Makes the fingerprint of the file of a resolved program. Relative paths in
 * its arguments begin at `dir`; NULL means the working folder. The fingerprint
 * is empty if stat(2) fails for the file or if it is no regular file.
 */
void fingerprint_make(struct fingerprint *fingerprint,
    const struct program *program, const char *dir);

/* Makes the fingerprint of one file. */
void fingerprint_make_file(struct fingerprint *fingerprint, const char *path);

/*
 * Returns 0 if no file has changed or the fingerprint is empty, -ESTALE if a
 * file or its bytes are different, and another -errno if a file cannot be read,
 * for example because it was removed.
 */
int fingerprint_check(const struct fingerprint *fingerprint);

#endif
