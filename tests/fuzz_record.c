/*
 * Records: a stranger's file is read to its end whatever it holds, and what can
 * be replayed makes a record that passes every check of its lines.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "record_check.h"

/* A file with these bytes. */
static int
file_open(const char *bytes, size_t size)
{
	int fd = memfd_create("record", MFD_CLOEXEC);

	assert(fd >= 0);
	while (size > 0) {
		ssize_t written = write(fd, bytes, size);

		assert(written > 0);
		bytes += written;
		size -= (size_t)written;
	}
	assert(lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void
check_derived(struct record_checker *checker, const struct record *record)
{
	static struct record_reader reader;
	struct record_verdict verdict;
	struct record_block block;
	int fd = file_open(record->bytes, record->size);

	record_reader_init(&reader, fd);
	record_block_init(&block);
	assert(record_read(&reader, &block) == 1);
	assert(record_check(checker, &block, NULL, &verdict) == 0);
	/* Keys and the secret are taken over as they stand. */
	assert(verdict.good || verdict.level == RECORD_LEVEL_COUNT);
	assert(record_read(&reader, &block) == 0);
	record_block_release(&block);
	close(fd);
}

static void
try_block(struct record_checker *checker, struct replay *replay,
    const struct record_block *block)
{
	const struct replay_order order = { .seat = REPLAY_EVERYBODY };
	struct record_verdict verdict;
	struct record_fault fault;
	struct record record;

	memset(&fault, 0, sizeof(fault));
	assert(record_check(checker, block, NULL, &verdict) == 0);
	if (!verdict.good)
		assert(verdict.level >= 1 && verdict.fault.text[0] != '\0');
	/* The reader has said already what is wrong with such a block. */
	if (block->outside || block->fault.line != 0)
		return;
	record_init(&record);
	if (replay_run(replay, block, &order, &record, &fault) == 0) {
		assert(record_sum(&record) == 0);
		check_derived(checker, &record);
	} else {
		assert(fault.text[0] != '\0');
	}
	record_release(&record);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct record_reader reader;
	struct record_checker *checker;
	struct record_block block;
	struct replay *replay;
	int fd = file_open((const char *)data, size);
	int status;

	assert(record_checker_open(&checker) == 0);
	assert(replay_open(&replay) == 0);
	record_reader_init(&reader, fd);
	record_block_init(&block);
	while ((status = record_read(&reader, &block)) == 1)
		try_block(checker, replay, &block);
	assert(status == 0);
	record_block_release(&block);
	replay_close(replay);
	record_checker_close(checker);
	close(fd);
	return 0;
}
