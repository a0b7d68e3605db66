/*
 * Implements signing.h.  The file of a key holds its seed, the 32 bytes from
 * which RFC 8032 makes both halves.
 */
#include "signing.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "run.h"
#include "shuffle.h"
#include "words.h"

enum {
	FILE_SIZE = 2 * crypto_sign_SEEDBYTES + 1, /* digits and line end */
	LINE_SIZE = 128 /* of the line that is signed */
};

_Static_assert((int)SIGNING_PUBLIC_SIZE == (int)crypto_sign_PUBLICKEYBYTES &&
	(int)SIGNING_SECRET_SIZE == (int)crypto_sign_SECRETKEYBYTES &&
	(int)SIGNING_SIGNATURE_SIZE == (int)crypto_sign_BYTES &&
	(int)SHUFFLE_KEY_SIZE == (int)crypto_sign_SEEDBYTES,
    "sizes are those of libsodium");

/*
 * Draws a key and makes its file, which lasts.  Of two processes that do this
 * at once, one makes the file; the other gets -EEXIST.
 */
static int
draw(const char *path)
{
	char part[PATH_MAX], text[SHUFFLE_HEX_SIZE + 1];
	struct shuffle_key seed;
	int status;

	/* No earlier process has used this name: if killed, it has left a file. */
	if (snprintf(part, sizeof(part), "%s.%jd", path, clock_wall_ns()) >=
	    (int)sizeof(part))
		return -ENAMETOOLONG;
	status = shuffle_key_draw(&seed);
	if (status)
		return status;
	shuffle_key_format(&seed, text);
	strcat(text, "\n");
	status = run_text_create(part, text, 0600);
	if (!status && link(part, path) < 0)
		status = -errno;
	unlink(part);
	if (!status)
		status = run_folder_sync(dirname(part));
	sodium_memzero(&seed, sizeof(seed));
	sodium_memzero(text, sizeof(text));
	return status;
}

static int
read_file(struct signing_key *key, const char *path)
{
	char text[FILE_SIZE + 1];
	uint8_t seed[crypto_sign_SEEDBYTES];
	struct stat about;
	ssize_t size = 0;
	/* O_NONBLOCK: open() must not wait for the writer of a pipe. */
	int status = 0, fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (fstat(fd, &about) < 0)
		status = -errno;
	else if (!S_ISREG(about.st_mode))
		status = -EBADMSG;
	else if (about.st_mode & (S_IRWXG | S_IRWXO))
		status = -EPERM;
	else if ((size = read(fd, text, sizeof(text))) < 0)
		status = -errno;
	else if (size != FILE_SIZE || text[FILE_SIZE - 1] != '\n' ||
	    !word_to_hex(
		(struct word){ text, FILE_SIZE - 1 }, seed, sizeof(seed)))
		status = -EBADMSG;
	close(fd);
	if (!status)
		crypto_sign_seed_keypair(key->public, key->secret, seed);
	sodium_memzero(seed, sizeof(seed));
	sodium_memzero(text, sizeof(text));
	return status;
}

int
signing_key_open(struct signing_key *key, const char *path)
{
	int status = read_file(key, path);

	if (status != -ENOENT)
		return status;
	status = draw(path);
	return status && status != -EEXIST ? status : read_file(key, path);
}

void
signing_key_close(struct signing_key *key)
{
	sodium_memzero(key, sizeof(*key));
}

/* Writes the line that is signed.  Returns its length. */
static size_t
signed_line(const void *bytes, size_t size, char line[LINE_SIZE])
{
	uint8_t digest[crypto_hash_sha256_BYTES];
	struct scopa_text text;

	crypto_hash_sha256(digest, bytes, size);
	scopa_text_init(&text, line, LINE_SIZE);
	scopa_text_string(&text, "scopa-result-v1 ");
	hex_encode(digest, sizeof(digest), &text);
	scopa_text_char(&text, '\n');
	assert(!text.cut);
	return text.length;
}

void
signing_sign(const struct signing_key *key, const void *bytes, size_t size,
    uint8_t signature[SIGNING_SIGNATURE_SIZE])
{
	char line[LINE_SIZE];
	size_t length = signed_line(bytes, size, line);

	crypto_sign_detached(
	    signature, NULL, (const unsigned char *)line, length, key->secret);
}

bool
signing_verify(const uint8_t public[SIGNING_PUBLIC_SIZE], const void *bytes,
    size_t size, const uint8_t signature[SIGNING_SIGNATURE_SIZE])
{
	char line[LINE_SIZE];
	size_t length = signed_line(bytes, size, line);

	return crypto_sign_verify_detached(
		   signature, (const unsigned char *)line, length, public) == 0;
}
