#include "voyage.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record_write.h"
#include "support.h"

enum { HEADING_SIZE = sizeof(RECORD_HEADING) - 1 };

void
voyage_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
	abort();
}

int
voyage_setup(void **state)
{
	struct voyage *voyage = calloc(1, sizeof(*voyage));
	uint64_t seed = 1;
	int skipped;

	VOYAGE_MUST(voyage);
	folder_make(voyage->folder);
	snprintf(voyage->path, sizeof(voyage->path), "%s/run", voyage->folder);
	voyage->head = *rows_head(SCOPA_TEAMS_ABAB, 4, 2);
	/* Some are skipped, but not the first and not the last. */
	do {
		skipped = 0;
		for (int i = 0; i < VOYAGE_BLOCKS; i++) {
			voyage->sizes[i] = rows_record(&seed, &voyage->head, i,
			    &voyage->blocks[i], voyage->records[i],
			    VOYAGE_RECORD_SIZE);
			skipped += voyage->blocks[i].skipped;
		}
	} while (skipped < 2 || skipped > 3 || voyage->sizes[0] == 0 ||
	    voyage->sizes[VOYAGE_BLOCKS - 1] == 0);
	*state = voyage;
	return 0;
}

int
voyage_teardown(void **state)
{
	struct voyage *voyage = *state;

	voyage_close(voyage);
	folder_remove(voyage->folder);
	free(voyage);
	return 0;
}

/* Says why something that must succeed did not. */
static void
must(struct voyage *voyage, int status)
{
	if (status == 0)
		return;
	fprintf(stderr, "%s\n", voyage->error.what);
	VOYAGE_MUST(status == 0);
}

void
voyage_create(struct voyage *voyage)
{
	must(voyage,
	    run_create(&voyage->run, voyage->path, &voyage->head,
		&(struct run_texts){ .config = VOYAGE_CONFIG },
		&voyage->error));
	voyage->open = true;
}

void
voyage_open(struct voyage *voyage)
{
	must(
	    voyage, run_open(&voyage->run, voyage->path, true, &voyage->error));
	voyage->open = true;
	VOYAGE_MUST(memcmp(&voyage->run.head, &voyage->head,
			sizeof(voyage->head)) == 0);
}

void
voyage_close(struct voyage *voyage)
{
	if (voyage->open)
		run_close(&voyage->run);
	voyage->open = false;
}

void
voyage_add(struct voyage *voyage, int end)
{
	struct run *run = &voyage->run;

	for (int64_t i = run->block_count + run->pending_count; i < end; i++)
		must(voyage,
		    run_add(run, &voyage->blocks[i], voyage->records[i],
			voyage->sizes[i]));
}

int
voyage_sail(struct voyage *voyage, int end, int step)
{
	int status = 0;

	while (status == 0 && voyage->run.block_count < end) {
		int next = (int)voyage->run.block_count + step;

		voyage_add(voyage, next < end ? next : end);
		status = run_commit(&voyage->run, &voyage->error);
	}
	return status;
}

/* Holds each block against what was given, and its record. */
struct check {
	struct voyage *voyage;
	int fd, at;
	int64_t offset;
};

static int
check_block(void *context, const struct block_result *block,
    const struct store_place *place)
{
	struct check *check = context;
	const struct voyage *voyage = check->voyage;
	size_t size;
	char record[VOYAGE_RECORD_SIZE];
	unsigned char digest[STORE_DIGEST_SIZE];

	VOYAGE_MUST(check->at < VOYAGE_BLOCKS);
	size = voyage->sizes[check->at];
	VOYAGE_MUST(rows_equal(block, &voyage->blocks[check->at]));
	VOYAGE_MUST(place->size == (int64_t)size);
	VOYAGE_MUST(place->offset == (size > 0 ? check->offset : 0));
	VOYAGE_MUST(
	    pread(check->fd, record, size, check->offset) == (ssize_t)size);
	VOYAGE_MUST(memcmp(record, voyage->records[check->at], size) == 0);
	crypto_hash_sha256(digest, (const unsigned char *)record, size);
	VOYAGE_MUST(memcmp(digest, place->digest, sizeof(digest)) == 0);
	check->offset += (int64_t)size;
	check->at++;
	return 0;
}

void
voyage_check(struct voyage *voyage, int count)
{
	struct check check = {
		.voyage = voyage,
		.offset = HEADING_SIZE,
		.fd = open(voyage_file(voyage, RUN_RECORDS), O_RDONLY),
	};

	VOYAGE_MUST(check.fd >= 0);
	must(voyage,
	    store_walk(
		voyage->run.store, 0, check_block, &check, &voyage->error));
	close(check.fd);
	VOYAGE_MUST(check.at >= count);
	VOYAGE_MUST(check.at == voyage->run.block_count);
	VOYAGE_MUST(check.offset == voyage->run.record_size);
	if (voyage->run.pending_count == 0)
		VOYAGE_MUST(
		    voyage_file_size(voyage, RUN_RECORDS) == check.offset);
}

void
voyage_finish(struct voyage *voyage)
{
	must(voyage, voyage_sail(voyage, VOYAGE_BLOCKS, 3));
	voyage_check(voyage, VOYAGE_BLOCKS);
	voyage_close(voyage);
	voyage_open(voyage);
	voyage_check(voyage, VOYAGE_BLOCKS);
	voyage_close(voyage);
}

const char *
voyage_file(const struct voyage *voyage, const char *name)
{
	static char path[FOLDER_SIZE + 64];

	snprintf(path, sizeof(path), "%s/%s", voyage->path, name);
	return path;
}

long
voyage_file_size(const struct voyage *voyage, const char *name)
{
	struct stat file;

	return stat(voyage_file(voyage, name), &file) < 0 ? -1
							  : (long)file.st_size;
}
