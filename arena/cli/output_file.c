/*
 * Output files.  The new file is written without a name, or under a name of its
 * own in the same folder, and gets the name of the old one by rename().
 */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The mode of the file at this path, or the mode that a new file would have. */
static mode_t
usual_mode(const char *path)
{
	struct stat status;
	mode_t mask;

	if (stat(path, &status) == 0)
		return status.st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/*
 * Opens a file in the folder of `path`, as rename() needs it there.  It has no
 * name yet, and so is gone when the process is killed; where the file system
 * has no such files, its name is `part`.  A descriptor or -1.
 */
static int
open_part(const char *path, const char *part)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash == NULL
	    ? strdup(".")
	    : strndup(path, (size_t)(slash - path) + 1);
	int fd = folder == NULL
	    ? -1
	    : open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	free(folder);
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
		fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return fd;
}

/* Gives a file the name `part`, if it has none, and then `path`.  0 or -1. */
static int
name_part(int fd, const char *path, const char *part)
{
	char place[32];

	snprintf(place, sizeof(place), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, place, AT_FDCWD, part, AT_SYMLINK_FOLLOW) < 0 &&
	    errno != EEXIST)
		return -1;
	return rename(part, path);
}

int
output_file_open(struct output_file *output, const char *path)
{
	struct stat status;
	int fd = -1, error;

	*output = (struct output_file){
		.path = realpath(path, NULL),
		.replaces = stat(path, &status) < 0 || S_ISREG(status.st_mode),
	};
	if (output->path == NULL)
		output->path = strdup(path);
	errno = ENOMEM;
	if (output->path != NULL &&
	    asprintf(&output->part, "%s.%d.part", output->path,
		(int)getpid()) >= 0) {
		/* What an earlier process of this number has left. */
		unlink(output->part);
		fd = output->replaces ? open_part(output->path, output->part)
				      : open(path, O_WRONLY | O_CLOEXEC);
	}
	output->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (output->file != NULL)
		return 0;
	error = -errno;
	if (fd >= 0)
		close(fd);
	output_file_close(output);
	return error;
}

int
output_file_keep(struct output_file *output)
{
	int fd = fileno(output->file);

	/* The error may be that of an earlier write, which has left its number. */
	if (fflush(output->file) != 0 || ferror(output->file))
		return errno != 0 ? -errno : -EIO;
	if (output->replaces &&
	    (fchmod(fd, usual_mode(output->path)) < 0 || fsync(fd) < 0 ||
		name_part(fd, output->path, output->part) < 0))
		return -errno;
	return 0;
}

int
output_file_check(const char *path)
{
	struct output_file output;
	struct stat status;
	int error;

	/* A pipe that is opened and closed would be at its end. */
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return S_ISDIR(status.st_mode) ? -EISDIR : 0;
	error = output_file_open(&output, path);
	if (!error)
		output_file_close(&output);
	return error;
}

void
output_file_close(struct output_file *output)
{
	if (output->file != NULL)
		fclose(output->file);
	if (output->part != NULL)
		unlink(output->part);
	free(output->part);
	free(output->path);
	*output = (struct output_file){ .file = NULL };
}
