/*
 * A file that takes the place of another one, whole or not at all.
 */
#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct output_file {
	FILE *file;    /* the caller writes to it */
	char *path;    /* of the file that it replaces */
	char *part;    /* its own name on file systems that want one */
	bool replaces; /* false: `file` is what stands at `path`, a device */
};

/*
 * Opens a file that output_file_keep puts at `path`.  Until then what is there
 * stays as it is, also if the process is killed.  A symbolic link is followed;
 * a device or a pipe is written to directly.  0 or -errno.
 */
int output_file_open(struct output_file *output, const char *path);

/* Puts the file in its place: 0 or -errno.  The file stays open. */
int output_file_keep(struct output_file *output);

void output_file_close(struct output_file *output);

/* Whether a file can be put at `path`; nothing is changed.  0 or -errno. */
int output_file_check(const char *path);

#endif
