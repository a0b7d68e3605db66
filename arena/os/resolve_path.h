/*
 * The true name of a file, in which no name is a link: as realpath(3), but the
 * links on the way are told as well.
 */
#ifndef RESOLVE_PATH_H
#define RESOLVE_PATH_H

#include <limits.h>

/* Is told of a link, by a name in which only the last is one.  0 or -errno. */
typedef int resolve_path_link(void *context, const char *path);

/*
 * Finds it; `link` may be NULL.  0 or -errno: that of readlink(2), -ELOOP,
 * -ENAMETOOLONG, or what `link` returned.
 */
int resolve_path(const char *path, char resolved[PATH_MAX],
    resolve_path_link *link, void *context);

#endif
