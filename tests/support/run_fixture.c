#include "run_fixture.h"

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
run_fixture_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
	abort();
}

static struct run_fixture *fixture; /* of the running test */

int
run_fixture_setup(void **state)
{
	uint64_t seed = 1;
	int skipped;

	fixture = calloc(1, sizeof(*fixture));
	RUN_FIXTURE_MUST(fixture);
	folder_make(fixture->folder);
	snprintf(
	    fixture->path, sizeof(fixture->path), "%s/run", fixture->folder);
	fixture->head = *rows_head(SCOPA_TEAMS_ABAB, 4, 2);
	/* Some are skipped, but not the first and not the last. */
	do {
		skipped = 0;
		for (int i = 0; i < RUN_FIXTURE_BLOCKS; i++) {
			fixture->sizes[i] = rows_record(&seed, &fixture->head,
			    i, &fixture->blocks[i], fixture->records[i],
			    RUN_FIXTURE_RECORD_SIZE);
			skipped += fixture->blocks[i].skipped;
		}
	} while (skipped < 2 || skipped > 3 || fixture->sizes[0] == 0 ||
	    fixture->sizes[RUN_FIXTURE_BLOCKS - 1] == 0);
	*state = fixture;
	return 0;
}

int
run_fixture_teardown(void **state)
{
	(void)state;
	run_fixture_close();
	folder_remove(fixture->folder);
	free(fixture);
	return 0;
}

/* Says why something that must succeed did not. */
static void
must(int status)
{
	if (status == 0)
		return;
	fprintf(stderr, "%s\n", fixture->error.what);
	RUN_FIXTURE_MUST(status == 0);
}

void
run_fixture_create(void)
{
	must(run_create(&fixture->run, fixture->path, &fixture->head,
	    &(struct run_texts){ .config = RUN_FIXTURE_CONFIG },
	    &fixture->error));
	fixture->open = true;
}

void
run_fixture_open(void)
{
	must(run_open(&fixture->run, fixture->path, true, &fixture->error));
	fixture->open = true;
	RUN_FIXTURE_MUST(memcmp(&fixture->run.head, &fixture->head,
			     sizeof(fixture->head)) == 0);
}

void
run_fixture_close(void)
{
	if (fixture->open)
		run_close(&fixture->run);
	fixture->open = false;
}

void
run_fixture_add(int end)
{
	struct run *run = &fixture->run;

	for (int64_t i = run->block_count + run->pending_count; i < end; i++) {
		size_t size = fixture->sizes[i];

		if (size > 0)
			memcpy(run_record_reserve(run, size),
			    fixture->records[i], size);
		must(run_add(run, &fixture->blocks[i]));
	}
}

int
run_fixture_commit(int end, int step)
{
	int status = 0;

	while (status == 0 && fixture->run.block_count < end) {
		int next = (int)fixture->run.block_count + step;

		run_fixture_add(next < end ? next : end);
		status = run_commit(&fixture->run, &fixture->error);
	}
	return status;
}

/* Holds each block against what was given, and its record. */
struct check {
	int fd, at;
	int64_t offset;
};

static int
check_block(void *context, const struct block_result *block)
{
	struct block_result expected;
	const struct block_place *place = &block->place;
	struct check *check = context;
	size_t size;
	char record[RUN_FIXTURE_RECORD_SIZE];
	unsigned char digest[STORE_DIGEST_SIZE];

	RUN_FIXTURE_MUST(check->at < RUN_FIXTURE_BLOCKS);
	size = fixture->sizes[check->at];
	expected = fixture->blocks[check->at];
	expected.place = *place;
	RUN_FIXTURE_MUST(rows_equal(block, &expected));
	RUN_FIXTURE_MUST(place->size == (int64_t)size);
	RUN_FIXTURE_MUST(place->offset == (size > 0 ? check->offset : 0));
	RUN_FIXTURE_MUST(
	    pread(check->fd, record, size, check->offset) == (ssize_t)size);
	RUN_FIXTURE_MUST(
	    memcmp(record, fixture->records[check->at], size) == 0);
	crypto_hash_sha256(digest, (const unsigned char *)record, size);
	RUN_FIXTURE_MUST(memcmp(digest, place->digest, sizeof(digest)) == 0);
	check->offset += (int64_t)size;
	check->at++;
	return 0;
}

void
run_fixture_check(int count)
{
	struct check check = {
		.offset = HEADING_SIZE,
		.fd = open(folder_path(fixture->path, RUN_RECORDS), O_RDONLY),
	};

	RUN_FIXTURE_MUST(check.fd >= 0);
	must(store_walk_from(
	    fixture->run.store, 0, check_block, &check, &fixture->error));
	close(check.fd);
	RUN_FIXTURE_MUST(check.at >= count);
	RUN_FIXTURE_MUST(check.at == fixture->run.block_count);
	RUN_FIXTURE_MUST(check.offset == fixture->run.record_size);
	if (fixture->run.pending_count == 0)
		RUN_FIXTURE_MUST(
		    run_fixture_file_size(RUN_RECORDS) == check.offset);
}

void
run_fixture_finish(void)
{
	must(run_fixture_commit(RUN_FIXTURE_BLOCKS, 3));
	run_fixture_check(RUN_FIXTURE_BLOCKS);
	run_fixture_close();
	run_fixture_open();
	run_fixture_check(RUN_FIXTURE_BLOCKS);
	run_fixture_close();
}

long
run_fixture_file_size(const char *name)
{
	struct stat file;

	return stat(folder_path(fixture->path, name), &file) < 0
	    ? -1
	    : (long)file.st_size;
}
