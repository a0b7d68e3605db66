/*
 * Bots on their way to other machines: bundles, named by their SHA-256.
 *
 * A bundle is the files of a bot in one piece of bytes, always the same for the
 * same files: sorted paths, no times, no owners.  It is checked against its
 * name before it is unpacked, and the unpacked files before each start.
 */
#ifndef BUNDLE_H
#define BUNDLE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "store.h"

enum {
	BUNDLE_DIGEST_SIZE = 32,
	BUNDLE_HEX_SIZE = 65,
	BUNDLE_SIZE_MAX = 64 << 20, /* bytes, all files */
	BUNDLE_FILES_MAX = 4096
};

struct bundle {
	uint8_t digest[BUNDLE_DIGEST_SIZE];
	char *bytes; /* owned */
	size_t size;
};

/*
 * Makes a bundle of files and folders (with all below them) under `root`; the
 * paths are relative to it.  Symbolic links that stay below the root are
 * followed; sockets, devices, links that leave it, and what is too large are
 * refused by name.  0, or -errno with the error.
 */
int bundle_make(struct bundle *bundle, const char *root,
    const char *const *paths, int count, struct store_error *error);

/* Takes bytes that came from elsewhere: -EBADMSG where they are no bundle, or
 * not the one of this digest. */
int bundle_take(struct bundle *bundle, char *bytes, size_t size,
    const uint8_t digest[BUNDLE_DIGEST_SIZE], struct store_error *error);
void bundle_release(struct bundle *bundle);

/*
 * Unpacks below `cache`, in a folder named by the digest, read-only (folders
 * 0555, files 0444 or 0555), whole or not at all; one that is there already is
 * checked instead.  Writes the folder's path.  0, or -errno with the error.
 */
int bundle_unpack(const struct bundle *bundle, const char *cache,
    char path[PATH_MAX], struct store_error *error);

/* Whether an unpacked folder still has exactly the files of its digest. */
int bundle_check(const char *path, const uint8_t digest[BUNDLE_DIGEST_SIZE],
    struct store_error *error);

#endif
