#include "resolve_path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MAX = 40 /* on the way to one file, as the kernel has it */ };

static void
cut_last(char path[PATH_MAX])
{
	char *slash = strrchr(path, '/');

	if (slash != NULL)
		*slash = '\0';
}

/* A path on its way to its true name. */
struct resolve_walk {
	char resolved[PATH_MAX]; /* so far; the root is empty */
	char rest[PATH_MAX];
	int link_count;
	resolve_path_link *link;
	void *context;
};

static int
walk_begin(struct resolve_walk *walk, const char *path)
{
	walk->resolved[0] = '\0';
	if (path[0] != '/' && getcwd(walk->resolved, PATH_MAX) == NULL)
		return -errno;
	return snprintf(walk->rest, PATH_MAX, "%s", path) < PATH_MAX
	    ? 0
	    : -ENAMETOOLONG;
}

/* Cuts the next name off, which is empty at the end. */
static void
walk_take(struct resolve_walk *walk, char name[PATH_MAX])
{
	const char *start = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(start, "/");

	memcpy(name, start, length);
	name[length] = '\0';
	start += length;
	memmove(walk->rest, start, strlen(start) + 1);
}

/* Continues where the link leads that the path resolved so far ends in. */
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

/* One name further. */
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
	if (size < 0)
		return errno == EINVAL ? 0 : -errno;
	target[size] = '\0';
	if (walk->link != NULL)
		status = walk->link(walk->context, walk->resolved);
	return status < 0 ? status : walk_follow(walk, target);
}

int
resolve_path(const char *path, char resolved[PATH_MAX], resolve_path_link *link,
    void *context)
{
	struct resolve_walk walk = { .link = link, .context = context };
	char name[PATH_MAX];
	int status = walk_begin(&walk, path);

	while (status == 0) {
		walk_take(&walk, name);
		if (name[0] == '\0')
			break;
		status = walk_step(&walk, name);
	}
	if (status == 0)
		strcpy(
		    resolved, walk.resolved[0] == '\0' ? "/" : walk.resolved);
	return status;
}
