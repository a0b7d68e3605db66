/*
 * Implements resolve_path.h. A path is walked component by component, and
 * symbolic links are followed here, so that every link on the way can be
 * reported. Interpreters are found in the `#!` line of a script, and the loader
 * in the ELF program headers.
 */
#include "resolve_path.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MAX = 40 /* symbolic links on one path, as in the kernel */ };

static void
cut_last(char path[PATH_MAX])
{
	char *slash = strrchr(path, '/');

	if (slash != NULL)
		*slash = '\0';
}

/* A path of which the first part is resolved and the rest is not. */
struct resolve_walk {
	char resolved[PATH_MAX]; /* the first part; empty for the root */
	char rest[PATH_MAX];
	int link_count;
	bool may_be_new; /* the last name need not exist */
	resolve_path_link *link;
	void *context;
};

static int
walk_begin(struct resolve_walk *walk, const char *path)
{
	walk->resolved[0] = '\0';
	if (path[0] != '/' && getcwd(walk->resolved, PATH_MAX) == NULL)
		return -errno;
	if (strcmp(walk->resolved, "/") == 0)
		walk->resolved[0] = '\0';
	return snprintf(walk->rest, PATH_MAX, "%s", path) < PATH_MAX
	    ? 0
	    : -ENAMETOOLONG;
}

/* Takes the next name off `rest`.  The name is empty at the end of the path. */
static void
walk_next(struct resolve_walk *walk, char name[PATH_MAX])
{
	const char *start = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(start, "/");

	memcpy(name, start, length);
	name[length] = '\0';
	start += length;
	memmove(walk->rest, start, strlen(start) + 1);
}

/* The resolved path ends in a symbolic link: continues where the link leads. */
static int
walk_follow(struct resolve_walk *walk, char target[PATH_MAX])
{
	char rest[PATH_MAX];

	if (++walk->link_count > LINKS_MAX)
		return -ELOOP;
	if (target[0] == '/')
		walk->resolved[0] = '\0';
	else
		cut_last(walk->resolved);
	if (snprintf(rest, PATH_MAX, "%s/%s", target, walk->rest) >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(walk->rest, rest, PATH_MAX);
	return 0;
}

/* Resolves one more name. */
static int
walk_step(struct resolve_walk *walk, const char *name)
{
	char target[PATH_MAX];
	size_t length = strlen(walk->resolved);
	ssize_t size;
	int status = 0;

	if (strcmp(name, ".") == 0)
		return 0;
	if (strcmp(name, "..") == 0) {
		cut_last(walk->resolved);
		return 0;
	}
	if (length + strlen(name) + 2 > PATH_MAX)
		return -ENAMETOOLONG;
	walk->resolved[length] = '/';
	strcpy(walk->resolved + length + 1, name);
	size = readlink(walk->resolved, target, sizeof(target) - 1);
	if (size < 0 && errno == ENOENT && walk->may_be_new &&
	    walk->rest[strspn(walk->rest, "/")] == '\0')
		return 0;
	if (size < 0)
		return errno == EINVAL ? 0 : -errno;
	target[size] = '\0';
	if (walk->link != NULL)
		status = walk->link(walk->context, walk->resolved);
	return status < 0 ? status : walk_follow(walk, target);
}

/* Resolves all names of the path. */
static int
walk_run(struct resolve_walk *walk, const char *path, char resolved[PATH_MAX])
{
	char name[PATH_MAX];
	int status = walk_begin(walk, path);

	while (status == 0) {
		walk_next(walk, name);
		if (name[0] == '\0')
			break;
		status = walk_step(walk, name);
	}
	if (status == 0)
		strcpy(
		    resolved, walk->resolved[0] == '\0' ? "/" : walk->resolved);
	return status;
}

int
resolve_path(const char *path, char resolved[PATH_MAX], resolve_path_link *link,
    void *context)
{
	struct resolve_walk walk = { .link = link, .context = context };

	return walk_run(&walk, path, resolved);
}

int
resolve_new_path(const char *path, char resolved[PATH_MAX])
{
	struct resolve_walk walk = { .may_be_new = true };

	return walk_run(&walk, path, resolved);
}

/* Most programs have about ten segments. */
enum { SEGMENTS_MAX = 128 };

/*
 * O_NONBLOCK: if a FIFO has replaced the file, open(2) must not wait for a
 * writer.
 */
static int
file_open(const char *path)
{
	return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/*
 * Reads the line after #!, from its first word on.  Returns false if the file
 * has none.
 */
static bool
line_read(const char *path, char line[INTERPRETER_SIZE])
{
	char head[INTERPRETER_SIZE];
	size_t start = 2, length;
	int fd = file_open(path);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, head, sizeof(head) - 1);
	close(fd);
	if (got < 2 || head[0] != '#' || head[1] != '!')
		return false;
	head[got] = '\0';
	start += strspn(head + start, " \t");
	length = strcspn(head + start, "\n");
	memcpy(line, head + start, length);
	line[length] = '\0';
	return length > 0;
}

bool
interpreter_read(const char *path, char interpreter[INTERPRETER_SIZE])
{
	char line[INTERPRETER_SIZE];
	size_t length;

	if (!line_read(path, line))
		return false;
	length = strcspn(line, " \t");
	memcpy(interpreter, line, length);
	interpreter[length] = '\0';
	return length > 0;
}

/*
 * Finds the name of the command after `env`: it follows options and settings
 * NAME=VALUE.  No options are known that have a word of their own as argument:
 * a bot could name any file there, and get the right to read its folder.
 */
static bool
find_command(char *words, char **name)
{
	char *rest = NULL;
	char *word = strtok_r(words, " \t\r", &rest);

	while ((word = strtok_r(NULL, " \t\r", &rest)) != NULL) {
		if (word[0] == '-' && word[strspn(word, "-ivS")] != '\0')
			return false;
		if (word[0] == '-' || strchr(word, '=') != NULL)
			continue;
		*name = word;
		return true;
	}
	return false;
}

bool
interpreter_command(
    const char *path, const char *search_path, char command[PATH_MAX])
{
	char line[INTERPRETER_SIZE], interpreter[INTERPRETER_SIZE];
	const char *folder = search_path;
	char *name;

	/* A bot may have another program of the name `env`. */
	if (!interpreter_read(path, interpreter) ||
	    (strcmp(interpreter, "/usr/bin/env") != 0 &&
		strcmp(interpreter, "/bin/env") != 0) ||
	    !line_read(path, line) || !find_command(line, &name))
		return false;
	if (strchr(name, '/') != NULL)
		return snprintf(command, PATH_MAX, "%s", name) < PATH_MAX;
	while (folder != NULL && *folder != '\0') {
		size_t length = strcspn(folder, ":");
		char found[PATH_MAX];

		if (snprintf(found, PATH_MAX, "%.*s/%s", (int)length, folder,
			name) < PATH_MAX &&
		    access(found, X_OK) == 0) {
			strcpy(command, found);
			return true;
		}
		folder += length + (folder[length] == ':');
	}
	return false;
}

/* Finds the segment (PT_INTERP) that names the loader. */
static bool
segment_find(int fd, ElfW(Phdr) * segment)
{
	ElfW(Ehdr) header;
	const int class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != class ||
	    header.e_phentsize != sizeof(*segment) ||
	    header.e_phnum > SEGMENTS_MAX)
		return false;
	for (int i = 0; i < header.e_phnum; i++) {
		off_t at = (off_t)header.e_phoff + i * (off_t)sizeof(*segment);

		if (pread(fd, segment, sizeof(*segment), at) !=
		    sizeof(*segment))
			return false;
		if (segment->p_type == PT_INTERP)
			return true;
	}
	return false;
}

bool
interpreter_loader(const char *path, char loader[PATH_MAX])
{
	char found[PATH_MAX];
	ElfW(Phdr) segment;
	int fd = file_open(path);
	bool good;

	if (fd < 0)
		return false;
	good = segment_find(fd, &segment) && segment.p_filesz > 0 &&
	    segment.p_filesz < PATH_MAX &&
	    pread(fd, found, segment.p_filesz, (off_t)segment.p_offset) ==
		(ssize_t)segment.p_filesz;
	close(fd);
	if (!good)
		return false;
	found[segment.p_filesz] = '\0';
	strcpy(loader, found);
	return loader[0] == '/';
}
