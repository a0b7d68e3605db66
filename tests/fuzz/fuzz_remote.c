/*
 * Messages between machines.  The first byte of an input is the kind of the
 * rest:
 *
 *	j	a job: it is refused with a line and a reason, or is written in the
 *		same way
 *	h	the head of a result: the same
 *	r	the record of a block, which gets new sums and the signature of an
 *		enrolled worker: it is refused with a reason, or the counted games
 *		are valid with the secret
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "record_verify.h"
#include "remote_fixture.h"
#include "result_check.h"

enum { WHY_SIZE = 4096 };

/* The reason of a refusal must fit, and name a line. */
static void
check_why(const struct scopa_text *why)
{
	fuzz_check(!why->cut);
	fuzz_check(strncmp(why->bytes, "line ", strlen("line ")) == 0);
}

static void
try_job(const char *text)
{
	static struct job job;
	static char again_bytes[JOB_TEXT_MAX];
	char why_bytes[WHY_SIZE];
	struct scopa_text why, again;

	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	if (!job_read(&job, text, &why)) {
		check_why(&why);
		return;
	}
	scopa_text_init(&again, again_bytes, sizeof(again_bytes));
	job_write(&job, &again);
	fuzz_check(!again.cut && strcmp(again_bytes, text) == 0);
}

static void
try_head(const char *text)
{
	static struct result_head head;
	static char again_bytes[RESULT_HEAD_MAX];
	char why_bytes[WHY_SIZE];
	struct scopa_text why, again;

	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	if (!result_head_read(&head, text, &why)) {
		check_why(&why);
		return;
	}
	scopa_text_init(&again, again_bytes, sizeof(again_bytes));
	result_head_write(&head, &again);
	fuzz_check(!again.cut && strcmp(again_bytes, text) == 0);
}

/* A counted game must be valid, and its packs must be those of the secret. */
static void
check_counted(const char *bytes, size_t size)
{
	static struct record_reader reader;
	struct record_checker *verifier;
	struct record_verdict verdict;
	struct game_record record;

	fuzz_check(record_checker_open(&verifier) == 0);
	game_record_init(&record);
	record_reader_init_bytes(&reader, bytes, size);
	fuzz_check(record_read(&reader, &record) == 1);
	fuzz_check(record_check(verifier, &record, NULL, &verdict) == 0);
	fuzz_check(verdict.good && verdict.secret);
	fuzz_check(record_read(&reader, &record) == 0);
	game_record_release(&record);
	record_checker_close(verifier);
}

static void
try_record(const char *bytes, size_t size)
{
	static struct result_checked checked;
	struct remote_fixture *fixture = remote_fixture_open("scopa", 1);
	struct result_checker *checker;
	struct scopa_text why = SCOPA_TEXT(WHY_SIZE);
	int status;

	record_clear(&fixture->record);
	fuzz_check(record_add(&fixture->record, bytes, size) == 0);
	remote_fixture_sum(fixture);
	remote_fixture_hand_in(fixture);
	fuzz_check(result_checker_open(
		       &checker, fixture->run, &fixture->config, false) == 0);
	status = result_check(
	    checker, &fixture->job, &fixture->result, &checked, &why);
	fuzz_check(status == 0 || status == 1);
	fuzz_check((why.length == 0) == (status == 1));
	for (int game = 0; status == 1 && game < checked.game_count; game++)
		check_counted(
		    checked.records[game], checked.record_sizes[game]);
	result_checker_close(checker);
	remote_fixture_close(fixture);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size < 1)
		return 0;
	text = malloc(size);
	fuzz_check(text != NULL);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	/* A text ends at its first NUL; a record does not. */
	if (data[0] == 'j' && strlen(text) == size - 1)
		try_job(text);
	if (data[0] == 'h' && strlen(text) == size - 1)
		try_head(text);
	if (data[0] == 'r' && data[size - 1] == '\n')
		try_record(text, size - 1);
	free(text);
	return 0;
}
