/*
 * Finds the file that a path leads to, and the program that the kernel starts
 * in place of that file.
 */
#ifndef RESOLVE_PATH_H
#define RESOLVE_PATH_H

#include <limits.h>
#include <stdbool.h>

/*
 * Called for each symbolic link; in `path` only the last name is a link.
 * Returns 0 or -errno.
 */
typedef int resolve_path_link(void *context, const char *path);

/*
 * Resolves a path to one without symbolic links, as realpath(3) does, and calls
 * `link` (NULL is allowed) for each link on the way.  Returns 0, or the -errno
 * of readlink(2), -ELOOP, -ENAMETOOLONG, or what `link` returned.
 */
int resolve_path(const char *path, char resolved[PATH_MAX],
    resolve_path_link *link, void *context);

/*
 * The same, but the file need not exist yet: if its name is a symbolic link,
 * the result is the path at which the link would create it.
 */
int resolve_new_path(const char *path, char resolved[PATH_MAX]);

/*
 * The programs that the kernel starts in place of a file: the interpreter named
 * after #!  (execve(2)), the command that env(1) would find if the interpreter
 * is `env`, and the loader that an ELF program names (elf(5)).
 *
 * None of these functions blocks, whatever kind of file it is.
 */

/* The longest #! line that any kernel reads, with a NUL. */
enum { INTERPRETER_SIZE = 256 };

/* Finds the program after #!.  Returns false if the file has no such line. */
bool interpreter_read(const char *path, char interpreter[INTERPRETER_SIZE]);

/*
 * If that program is `env`, finds the file that it would run from $PATH.
 * Returns false if it is another program, or no file is found.
 */
bool interpreter_command(
    const char *path, const char *search_path, char command[PATH_MAX]);

/*
 * Finds the loader.  Returns false if the file is no ELF program for this
 * machine.
 */
bool interpreter_loader(const char *path, char loader[PATH_MAX]);

#endif
