/*
 * Bundles from any source: a bundle that is accepted contains only paths in its
 * folder, is unpacked as listed, and the unpacked files make the same bytes
 * again.  A bundle that is refused has a reason, and leaves no file.
 *
 * The input is the part after the heading.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle.h"
#include "fuzz.h"

#define HEADING "scopa-bundle 1\n"

/* Checks each part of the path: it must not lead out of the folder. */
static void
check_path(const char *path)
{
	char copy[BUNDLE_PATH_SIZE];
	char *rest = copy, *part;

	fuzz_check(strlen(path) < sizeof(copy));
	strcpy(copy, path);
	while ((part = strsep(&rest, "/")) != NULL) {
		fuzz_check(part[0] != '\0');
		fuzz_check(strcmp(part, ".") != 0 && strcmp(part, "..") != 0);
		for (; *part != '\0'; part++)
			fuzz_check((unsigned char)*part >= ' ');
	}
}

static void
check_files(const struct bundle *bundle)
{
	char **files = bundle_files(bundle);

	fuzz_check(files != NULL && files[0] != NULL);
	for (int i = 0; files[i] != NULL; i++)
		check_path(files[i]);
	free(files);
}

static void
check_unpacked(const struct bundle *bundle)
{
	char cache[] = "/tmp/scopa-fuzz.XXXXXX", path[PATH_MAX];
	struct store_error error;
	struct bundle again;

	fuzz_check(mkdtemp(cache) != NULL);
	fuzz_check(bundle_unpack(bundle, cache, path, &error) == 0);
	fuzz_check(bundle_check(path, bundle->digest, &again, &error) == 0);
	fuzz_check(again.size == bundle->size);
	fuzz_check(memcmp(again.bytes, bundle->bytes, again.size) == 0);
	bundle_release(&again);
	fuzz_check(bundle_cache_remove(cache) == 0);
	fuzz_check(access(cache, F_OK) < 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t head = strlen(HEADING);
	char *bytes = malloc(head + size);
	uint8_t digest[BUNDLE_DIGEST_SIZE];
	struct store_error error = { .what = "" };
	struct bundle bundle;

	fuzz_check(bytes != NULL);
	memcpy(bytes, HEADING, head);
	memcpy(bytes + head, data, size);
	crypto_hash_sha256(digest, (const unsigned char *)bytes, head + size);
	if (bundle_parse(&bundle, bytes, head + size, digest, &error) < 0) {
		fuzz_check(error.what[0] != '\0');
		return 0;
	}
	check_files(&bundle);
	check_unpacked(&bundle);
	bundle_release(&bundle);
	return 0;
}
