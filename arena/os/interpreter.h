/*
 * What the kernel starts in the place of a file: the program named behind #!
 * (execve(2)), the one that env(1) is to find there, and the loader that an ELF
 * program asks for (elf(5)).
 *
 * Nothing here blocks, whatever the file is.
 */
#ifndef INTERPRETER_H
#define INTERPRETER_H

#include <limits.h>
#include <stdbool.h>

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
