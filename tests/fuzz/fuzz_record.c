/*
 * Records: any file is read to its end, and a record that can be replayed makes
 * a record that passes all checks of its lines.
 */
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "games.h"
#include "record_verify.h"

static void
check_derived(struct record_checker *checker, const struct record *derived)
{
	static struct record_reader reader;
	struct record_verdict verdict;
	struct game_record record;

	record_reader_init_bytes(&reader, derived->bytes, derived->size);
	game_record_init(&record);
	fuzz_check(record_read(&reader, &record) == 1);
	fuzz_check(record_check(checker, &record, NULL, &verdict) == 0);
	/* Keys and the secret are copied without a check. */
	fuzz_check(verdict.good || verdict.level == RECORD_LEVEL_COUNT);
	fuzz_check(record_read(&reader, &record) == 0);
	game_record_release(&record);
}

static void
try_record(struct record_checker *checker, struct replay *replay,
    const struct game_record *record)
{
	const struct replay_order order = { .seat = REPLAY_EVERYBODY };
	struct record_verdict verdict;
	struct record_fault fault;
	struct record derived;

	memset(&fault, 0, sizeof(fault));
	fuzz_check(record_check(checker, record, NULL, &verdict) == 0);
	if (!verdict.good)
		fuzz_check(verdict.level >= 1 && verdict.fault.text[0] != '\0');
	/* The reader has already reported the error in such a record. */
	if (record->outside || record->fault.line != 0)
		return;
	record_init(&derived);
	if (replay_run(replay, record, &order, &derived, &fault) == 0) {
		fuzz_check(record_sum(&derived) == 0);
		check_derived(checker, &derived);
	} else {
		fuzz_check(fault.text[0] != '\0');
	}
	record_release(&derived);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct record_reader reader;
	struct record_checker *checker;
	struct game_record record;
	struct replay *replay;
	int fd = games_file((const char *)data, size);
	int status;

	fuzz_check(record_checker_open(&checker) == 0);
	fuzz_check(replay_open(&replay) == 0);
	record_reader_init(&reader, fd);
	game_record_init(&record);
	while ((status = record_read(&reader, &record)) == 1)
		try_record(checker, replay, &record);
	fuzz_check(status == 0);
	game_record_release(&record);
	replay_close(replay);
	record_checker_close(checker);
	close(fd);
	return 0;
}
