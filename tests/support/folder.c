#include "folder.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

enum { DESCRIPTORS = 8, PATHS = 64, PATH_SIZE = 160 };

void
folder_make(char folder[FOLDER_SIZE])
{
	const char *above = getenv("TMPDIR");
	char *whole;

	/*
	 * A test that has given up root may have no permission to write there.
	 */
	if (above == NULL || strlen(above) >= 40 || access(above, W_OK) < 0)
		above = "/tmp";
	snprintf(folder, FOLDER_SIZE, "%s/scopa-test.XXXXXX", above);
	assert_non_null(mkdtemp(folder));
	/* Without links, so that paths can be compared. */
	whole = realpath(folder, NULL);
	assert_non_null(whole);
	assert_true(strlen(whole) < FOLDER_SIZE);
	strcpy(folder, whole);
	free(whole);
}

static int
remove_one(const char *path, const struct stat *file, int kind, struct FTW *at)
{
	(void)file;
	(void)kind;
	(void)at;
	return remove(path);
}

void
folder_remove(const char *folder)
{
	assert_int_equal(
	    nftw(folder, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS), 0);
}

const char *
folder_path(const char *folder, const char *name)
{
	static char paths[PATHS][PATH_SIZE];
	static unsigned next;
	char *path = paths[next++ % PATHS];

	assert_true(
	    snprintf(path, PATH_SIZE, "%s/%s", folder, name) < PATH_SIZE);
	return path;
}

void
folder_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

char *
folder_read(const char *path, size_t *size)
{
	static char bytes[1 << 20];
	FILE *file = fopen(path, "re");
	size_t length;

	if (file == NULL)
		fail_msg("%s cannot be read", path);
	length = fread(bytes, 1, sizeof(bytes) - 1, file);
	assert_true(length < sizeof(bytes) - 1);
	fclose(file);
	bytes[length] = '\0';
	if (size != NULL)
		*size = length;
	return bytes;
}

const char *
folder_source(const char *name)
{
	static char path[4096];
	const char *root = getenv("SRC");

	snprintf(path, sizeof(path), "%s/%s", root != NULL ? root : ".", name);
	return path;
}

char test_folder[FOLDER_SIZE];

int
test_folder_make(void **state)
{
	(void)state;
	folder_make(test_folder);
	return 0;
}

int
test_folder_remove(void **state)
{
	(void)state;
	folder_remove(test_folder);
	return 0;
}

static char home[4096]; /* the working folder outside of the tests */

int
test_folder_enter(void **state)
{
	test_folder_make(state);
	assert_non_null(getcwd(home, sizeof(home)));
	return chdir(test_folder);
}

int
test_folder_leave(void **state)
{
	assert_int_equal(chdir(home), 0);
	return test_folder_remove(state);
}

const char *
test_path(const char *name)
{
	return folder_path(test_folder, name);
}

int
folder_file_count(const char *folder)
{
	DIR *directory = opendir(folder);
	const struct dirent *entry;
	int count = 0;

	assert_non_null(directory);
	while ((entry = readdir(directory)) != NULL)
		count += entry->d_type != DT_DIR;
	closedir(directory);
	return count;
}
