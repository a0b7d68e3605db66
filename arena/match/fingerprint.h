/*
 * The fingerprint of a bot's file: whether it is still the one that was entered.
 *
 * The file is the program, or, of a program that was found on PATH, such as an
 * interpreter, the first argument that names a file.  What a bot was entered
 * with is its SHA-256; as long as nothing has touched the file it is not read
 * again.
 */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "program.h"

enum { FINGERPRINT_DIGEST_SIZE = 32 };

struct fingerprint {
	char path[PATH_MAX]; /* empty: there is no fingerprint */
	struct stat mark;    /* what changes with the file */
	bool readable;       /* else the mark alone decides */
	uint8_t digest[FINGERPRINT_DIGEST_SIZE];
};

/*
 * The fingerprint of the file of a resolved program, whose words are taken from
 * `dir` (NULL: the working folder); empty where the file cannot be looked at.
 */
void fingerprint_make(struct fingerprint *fingerprint,
    const struct program *program, const char *dir);

/* 0; -ESTALE: another file or other bytes; else -errno, as where it is gone. */
int fingerprint_check(const struct fingerprint *fingerprint);

#endif
