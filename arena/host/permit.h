/*
 * What a user must be allowed to do with the files of a command: found out by
 * who may see them all, and asked by that user.
 */
#ifndef PERMIT_H
#define PERMIT_H

#include "launcher.h"

struct permit {
	const char *file;
	char *const *arguments;
	/* As access(2) has it, of the file and, from 1 on, of arguments that
	 * name one; 0: nothing. */
	int needed[LAUNCHER_ARGUMENTS_MAX];
};

/* `arguments` are those of argv; both are kept. */
void permit_init(
    struct permit *permit, const char *file, char *const *arguments);

/* The first of them that is refused to the caller, or NULL. */
const char *permit_check(const struct permit *permit);

#endif
