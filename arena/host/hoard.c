#include "hoard.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOARD_PATH_SIZE = 64, HOARD_BLOCK_BYTES = 512 /* of st_blocks */ };

/* How the links in /proc/PID/fd begin that lead to such a file. */
static const char memory_file[] = "/memfd:";

static void
put_file(struct hoard *hoard, const struct stat *found)
{
	if (hoard->count == hoard->capacity) {
		int capacity = hoard->capacity > 0 ? 2 * hoard->capacity : 64;
		struct hoard_file *files =
		    realloc(hoard->files, (size_t)capacity * sizeof(*files));

		if (files == NULL)
			return;
		hoard->files = files;
		hoard->capacity = capacity;
	}
	hoard->files[hoard->count++] = (struct hoard_file){
		.number = found->st_ino,
		.bytes = (int64_t)found->st_blocks * HOARD_BLOCK_BYTES,
	};
}

void
hoard_add(struct hoard *hoard, int proc_fd, pid_t pid)
{
	char path[HOARD_PATH_SIZE], target[sizeof(memory_file) - 1];
	struct dirent *entry;
	struct stat found;
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "%d/fd", pid);
	fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	dir = fdopendir(fd);
	if (dir == NULL) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir)) != NULL)
		if (readlinkat(fd, entry->d_name, target, sizeof(target)) ==
			sizeof(target) &&
		    memcmp(target, memory_file, sizeof(target)) == 0 &&
		    fstatat(fd, entry->d_name, &found, 0) == 0)
			put_file(hoard, &found);
	closedir(dir);
}

static int
by_number(const void *left, const void *right)
{
	const struct hoard_file *a = left, *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

int64_t
hoard_bytes(struct hoard *hoard)
{
	int64_t sum = 0;

	if (hoard->count == 0)
		return 0;
	qsort(hoard->files, (size_t)hoard->count, sizeof(*hoard->files),
	    by_number);
	for (int i = 0; i < hoard->count; i++)
		if (i == 0 ||
		    hoard->files[i].number != hoard->files[i - 1].number)
			sum += hoard->files[i].bytes;
	return sum;
}

void
hoard_release(struct hoard *hoard)
{
	free(hoard->files);
	*hoard = (struct hoard){ .files = NULL };
}
