/*
 * Folders of their own for tests that leave files behind.
 */
#ifndef FOLDER_H
#define FOLDER_H

#include <stddef.h>

enum { FOLDER_SIZE = 64 };

/* Makes an empty one, below TMPDIR where that is set. */
void folder_make(char folder[FOLDER_SIZE]);

/* Removes it with all that is in it. */
void folder_remove(const char *folder);

/* FOLDER/NAME; the last 64 of these paths live. */
const char *folder_path(const char *folder, const char *name);

/* Makes the file again with this text. */
void folder_write(const char *path, const char *text);

/*
 * A whole file, with a NUL behind it; until the next call. `size` may be NULL.
 */
char *folder_read(const char *path, size_t *size);

/* The path of a file of the sources: $SRC/NAME, or NAME. */
const char *folder_source(const char *name);

/* For cmocka: the folder of the running test. */
extern char test_folder[FOLDER_SIZE];
int test_folder_make(void **state);
int test_folder_remove(void **state);

/* The same, where the test works in its folder. */
int test_folder_enter(void **state);
int test_folder_leave(void **state);

/* A path in it. */
const char *test_path(const char *name);

/* How many files are in it. */
int folder_file_count(const char *folder);

#endif
