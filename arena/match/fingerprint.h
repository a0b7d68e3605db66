/*
 * The fingerprint of a bot's file shows whether the file has changed since the
 * bot was entered.
 *
 * The file is the program of the bot. If the program was found on PATH, as an
 * interpreter is, the file is the first argument that names a regular file. The
 * fingerprint holds the SHA-256 of the file. The file is not read again until
 * its mark (size, times, inode) has changed.
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
 * Compares two marks of a file. If its bytes have been changed in between, the
 * marks differ.
 */
bool fingerprint_mark_equal(const struct stat *one, const struct stat *other);

/*
 * Returns 0 if no file has changed or the fingerprint is empty, -ESTALE if
 * a file or its bytes are different, and another -errno if a file cannot be
 * read, for example because it was removed.
 */
int fingerprint_check(const struct fingerprint *fingerprint);

#endif
