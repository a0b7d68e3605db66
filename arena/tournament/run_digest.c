/*
 * What a bot consists of, so that a run is not gone on with another one.
 */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "match.h"
#include "run.h"

enum { CHUNK_SIZE = 65536, DIGEST_SIZE = crypto_hash_sha256_BYTES };

/* A descriptor of a regular file; -1 where it is none; -errno. */
static int
open_regular(const char *path)
{
	/* A FIFO must not be waited for. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat file;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

static int
add_file(crypto_hash_sha256_state *state, int fd)
{
	unsigned char bytes[CHUNK_SIZE];

	for (;;) {
		ssize_t got = read(fd, bytes, sizeof(bytes));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return 0;
		crypto_hash_sha256_update(state, bytes, (size_t)got);
	}
}

int
run_bot_digest(const struct entrant *entrant, char hex[65])
{
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	unsigned char digest[DIGEST_SIZE];
	crypto_hash_sha256_state state;
	int fd = open_regular(entrant->program.path), status;

	if (fd < 0)
		return fd;
	crypto_hash_sha256_init(&state);
	status = add_file(&state, fd);
	close(fd);
	program_arguments(&entrant->program, arguments);
	for (int i = 1; arguments[i] && !status; i++) {
		char path[PATH_MAX];

		if (entrant->dir && arguments[i][0] != '/')
			snprintf(path, sizeof(path), "%s/%s", entrant->dir,
			    arguments[i]);
		else
			snprintf(path, sizeof(path), "%s", arguments[i]);
		fd = open_regular(path);
		if (fd < 0)
			continue;
		status = add_file(&state, fd);
		close(fd);
	}
	if (status)
		return status;
	crypto_hash_sha256_final(&state, digest);
	sodium_bin2hex(hex, 2 * DIGEST_SIZE + 1, digest, sizeof(digest));
	return 0;
}
