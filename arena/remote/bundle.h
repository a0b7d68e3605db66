/*
 * Bundles: the files of a bot, as they are sent to other machines.
 *
 * A bundle is one sequence of bytes, and the same files always give the same
 * bytes: paths are sorted, and there are no times or owners.  Its name is its
 * SHA-256.  This is checked before the bundle is unpacked, and the unpacked
 * files are checked before a run begins.
 *
 *     scopa-bundle 1
 *     x 1204 bot.py
 *     - 88 lib/cards.py
 *
 *     (the bytes of all files, one after the other)
 *
 * A line for each file has `x` if it can be executed, its size in bytes and its
 * path; an empty line ends them.  Paths are relative, have no empty part, `.`,
 * `..` or control character, and stand in order (`/` before all other bytes).
 */
#ifndef BUNDLE_H
#define BUNDLE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "store.h"

enum {
	BUNDLE_VERSION = 1,
	BUNDLE_DIGEST_SIZE = 32,
	BUNDLE_HEX_SIZE = 65,
	BUNDLE_SIZE_MAX = 64 << 20, /* bytes, all of a bundle */
	BUNDLE_FILES_MAX = 4096,    /* files, and folders that are searched */
	BUNDLE_PATH_SIZE = 1024,    /* of a path, with NUL */
	BUNDLE_DEPTH_MAX = 32,      /* folders within each other */
	BUNDLE_CACHE_MAX = 64       /* unpacked folders that a worker keeps */
};

struct bundle {
	uint8_t digest[BUNDLE_DIGEST_SIZE];
	char *bytes; /* owned */
	size_t size;
};

/*
 * Makes a bundle of files and folders (with all below them) under `root`.  The
 * paths are relative to it; `.` is the root itself.  Links that stay below the
 * root are followed.  Within folders the files of a run, .git, __pycache__ and
 * empty folders are left out.  Refused by name are: links that leave the root,
 * sockets, devices, pipes, given paths of a run, and files that are too large.
 * Returns 0, and then the caller must release the bundle; or -errno with the
 * error.
 */
int bundle_make(struct bundle *bundle, const char *root,
    const char *const *paths, int count, struct store_error *error);

/* Makes a bundle of one file with these bytes.  0, or -errno with the error. */
int bundle_make_file(struct bundle *bundle, const char *path, const char *bytes,
    size_t size, struct store_error *error);

/*
 * Makes a bundle of received bytes, which it frees, on failure at once.  0;
 * -EBADMSG if they are no bundle, or not the bundle with this digest.
 */
int bundle_parse(struct bundle *bundle, char *bytes, size_t size,
    const uint8_t digest[BUNDLE_DIGEST_SIZE], struct store_error *error);
void bundle_release(struct bundle *bundle);

/*
 * Unpacks into a folder of `cache` that is named by the digest, read-only
 * (folders 0555, files 0444 or 0555), whole or not at all.  A folder that is
 * there already is checked, and replaced if it differs.  Several processes may
 * unpack into one cache at once.  Writes the folder's path.  0, or -errno with
 * the error.
 */
int bundle_unpack(const struct bundle *bundle, const char *cache,
    char path[PATH_MAX], struct store_error *error);

/*
 * Checks that an unpacked folder has exactly the files of its digest, and that
 * no user may write to them.  Returns 0, with the bundle in *bundle unless that
 * is NULL, for the caller to release; -EBADMSG if the files differ or may be
 * written to; or another -errno.  Errors are in *error.
 */
int bundle_check(const char *path, const uint8_t digest[BUNDLE_DIGEST_SIZE],
    struct bundle *bundle, struct store_error *error);

/*
 * Marks an unpacked folder as used now.  Returns a descriptor, and until that is
 * closed the folder is not pruned; -ENOENT if there is no such folder; or another
 * -errno.
 */
int bundle_hold(const char *path);

/*
 * Removes unpacked folders that no process holds from a cache, except the
 * `kept` ones that were used last.
 */
void bundle_cache_prune(const char *cache, int kept);

/*
 * Removes a cache with all unpacked folders.  0, also if there is no such
 * cache; or -errno.
 */
int bundle_cache_remove(const char *cache);

/*
 * The path of each file of a bundle, in order; the last one is NULL.  They are
 * one block of memory, for free().  NULL without memory.
 */
char **bundle_files(const struct bundle *bundle);

/* The digest as hex digits. */
void bundle_hex(
    const uint8_t digest[BUNDLE_DIGEST_SIZE], char hex[BUNDLE_HEX_SIZE]);

#endif
