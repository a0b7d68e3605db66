/*
 * Temporary folders for tests that write files.
 */
#ifndef FOLDER_H
#define FOLDER_H

#include <stddef.h>

enum { FOLDER_SIZE = 64 };

/* Makes an empty folder, in TMPDIR if that is set. */
void folder_make(char folder[FOLDER_SIZE]);

/* Removes the folder and all its files. */
void folder_remove(const char *folder);

/* FOLDER/NAME; the last 64 results are valid. */
const char *folder_path(const char *folder, const char *name);

/* Writes a new file with this text. */
void folder_write(const char *path, const char *text);

/*
 * A whole file, with a NUL at its end; valid until the next call.  `size` may
 * be NULL.
 */
char *folder_read(const char *path, size_t *size);

/* The path of a file of the sources: $SRC/NAME, or NAME. */
const char *folder_source(const char *name);

/* For cmocka: the folder of the running test. */
extern char test_folder[FOLDER_SIZE];
int test_folder_make(void **state);
int test_folder_remove(void **state);

/* The same, and the folder is the working folder of the test. */
int test_folder_enter(void **state);
int test_folder_leave(void **state);

/* The path of a file in the folder of the test. */
const char *test_path(const char *name);

/* The number of files in the folder. */
int folder_file_count(const char *folder);

#endif
