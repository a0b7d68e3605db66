/*
 * What a path leads to: the true name of a file, and what the kernel starts in its
 * place.
 */
#ifndef RESOLVE_PATH_H
#define RESOLVE_PATH_H

#include <limits.h>
#include <stdbool.h>

/* Is told of a link, by a name in which only the last is one.  0 or -errno. */
typedef int resolve_path_link(void *context, const char *path);

/*
 * Finds the true name, in which no name is a link: as realpath(3), but the links on
 * the way are told as well; `link` may be NULL.  0 or -errno: that of readlink(2), -ELOOP,
 * -ENAMETOOLONG, or what `link` returned.
 */
int resolve_path(const char *path, char resolved[PATH_MAX],
    resolve_path_link *link, void *context);

/*
 * The same, also of a file that is to come: it will be made where a link of its
 * name leads to.
 */
int resolve_new_path(const char *path, char resolved[PATH_MAX]);

/*
 * What the kernel starts in the place of a file: the program named behind #!
 * (execve(2)), the one that env(1) is to find there, and the loader that an ELF
 * program asks for (elf(5)).
 *
 * Nothing here blocks, whatever the file is.
 */

/* As much of a #! line as any kernel reads, with a NUL. */
enum { INTERPRETER_SIZE = 256 };

/* The program behind #!; false where the file has no such line. */
bool interpreter_read(const char *path, char interpreter[INTERPRETER_SIZE]);

/*
 * Where that program is an `env`, the file that it will find in $PATH; false
 * where it is another, or nothing is found.
 */
bool interpreter_command(
    const char *path, const char *search_path, char command[PATH_MAX]);

/* The loader; false where the file is no program of this machine's kind. */
bool interpreter_loader(const char *path, char loader[PATH_MAX]);

#endif
