/*
 * Jobs and heads of results as text: they are read as they were written, and
 * malformed texts are refused.
 */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "test.h"

enum { WHY_SIZE = 512 };

static const char job_text[] =
    "scopa-job 1\n"
    "block 17 copy=1 round=4 stage=1 dealer=2 event=round-4 games=2\n"
    "game 1 id=35 seats=1,2 nonces="
    "0101010101010101010101010101010101010101010101010101010101010101"
    " seeds=00000000000000ff,fedcba9876543210 voided=-\n"
    "game 2 id=36 seats=2,1 nonces="
    "0202020202020202020202020202020202020202020202020202020202020202"
    " seeds=0000000000000003,0000000000000004 voided=ENV_ERR,BOX_ERR\n"
    "keys deals=1 redeals=2\n"
    "key 1 0 "
    "0303030303030303030303030303030303030303030303030303030303030303\n"
    "key 1 1 "
    "0404040404040404040404040404040404040404040404040404040404040404\n"
    "end\n";

static const char head_text[] =
    "scopa-result 1\n"
    "block 17 copy=0 attempt=2 games=2 run=00112233445566778899aabbccddeeff\n"
    "record size=5120 sha256="
    "0505050505050505050505050505050505050505050505050505050505050505\n"
    "game 1 unasked=0,3,0,0,0,0\n"
    "fault 1 seat=2 kind=crash phase=16 flaw=0 late=1 strays=2 wrong-turns=1"
    " reason=CRASH(11) said=move%20\"x\" stderr=a%0a%09b\n"
    "game 2 unasked=0,0,0,0,0,0\n"
    "end\n";

/*
 * The job and the head that were read last, and the text that was written of
 * them.
 */
static struct job job;
static struct result_head head;
static char bytes[JOB_TEXT_MAX];

_Static_assert(RESULT_HEAD_MAX <= JOB_TEXT_MAX, "a head fits, too");

/* One of the two kinds of texts. */
struct kind {
	const char *text; /* a correct text */
	size_t size_max;
	bool (*read)(const char *text, struct scopa_text *why);
	void (*write)(struct scopa_text *text);
};

static bool
read_job(const char *text, struct scopa_text *why)
{
	return job_read(&job, text, why);
}

static bool
read_head(const char *text, struct scopa_text *why)
{
	return result_head_read(&head, text, why);
}

static void
write_job(struct scopa_text *text)
{
	job_write(&job, text);
}

static void
write_head(struct scopa_text *text)
{
	result_head_write(&head, text);
}

static const struct kind jobs = { job_text, JOB_TEXT_MAX, read_job, write_job };
static const struct kind heads = { head_text, RESULT_HEAD_MAX, read_head,
	write_head };

static void
expect_good(const struct kind *kind, const char *text)
{
	struct scopa_text why = SCOPA_TEXT(WHY_SIZE);

	if (!kind->read(text, &why))
		fail_msg("%s", why.bytes);
}

static void
expect_refused(const struct kind *kind, const char *text, const char *reason)
{
	struct scopa_text why = SCOPA_TEXT(WHY_SIZE);

	if (kind->read(text, &why))
		fail_msg("accepted: %s", text);
	if (strncmp(why.bytes, reason, strlen(reason)) != 0)
		fail_msg("the reason is `%s`, not `%s`, of\n%s", why.bytes,
		    reason, text);
}

/* Writes the job or the head. */
static void
write_out(const struct kind *kind)
{
	struct scopa_text text;

	scopa_text_init(&text, bytes, kind->size_max);
	kind->write(&text);
	assert_false(text.cut);
}

/*
 * A correct text with its first `from` replaced by `to`, and the reason of the
 * refusal.
 */
struct wrong {
	const char *from, *to, *why;
};

static void
expect_wrong(const struct kind *kind, const struct wrong *row)
{
	const char *at = strstr(kind->text, row->from);
	char *made = NULL;

	assert_non_null(at);
	assert_true(asprintf(&made, "%.*s%s%s", (int)(at - kind->text),
			kind->text, row->to, at + strlen(row->from)) > 0);
	expect_refused(kind, made, row->why);
	free(made);
}

/* Refuses the rows of the file, and each beginning of the correct text. */
static void
expect_all_refused(const struct kind *kind, const char *name)
{
	static struct golden golden;
	size_t size = strlen(kind->text);

	for (char **field = golden.fields; golden_next(&golden, "jobs.tsv");)
		if (strcmp(field[0], name) == 0)
			expect_wrong(kind,
			    &(struct wrong){ field[1], field[2], field[3] });
	assert_true(golden.line > 70);
	for (size_t length = 0; length < size; length++) {
		char *part = strndup(kind->text, length);

		expect_refused(kind, part, "line ");
		free(part);
	}
}

TEST(test_job_is_read_as_it_was_written)
{
	expect_good(&jobs, job_text);
	assert_int_equal(job.name.block, 17);
	assert_int_equal(job.name.copy, JOB_AUDIT);
	assert_int_equal(job.name.attempt, 0);
	assert_int_equal(job.stage, 0);
	assert_int_equal(job.game_count, 2);
	assert_int_equal(job.seat_count, 2);
	for (int i = 0; i < 2; i++) {
		const struct game_spec *spec = &job.games[i].spec;

		assert_int_equal(spec->index, 34 + i);
		assert_int_equal(spec->round, 3);
		assert_int_equal(spec->rotation, i);
		assert_int_equal(spec->dealer, 1);
		assert_int_equal(spec->entrant[0], i);
		assert_int_equal(spec->entrant[1], 1 - i);
		assert_string_equal(spec->event, "round-4");
		assert_int_equal(job.games[i].nonces.bytes[31], 1 + i);
	}
	assert_true(job.games[0].seeds[0] == 255);
	assert_true(job.games[0].seeds[1] == UINT64_C(0xfedcba9876543210));
	assert_string_equal(job.games[0].spec.voided, "");
	assert_string_equal(job.games[1].spec.voided, "ENV_ERR,BOX_ERR");
	assert_int_equal(job.keys.deals, 1);
	assert_int_equal(job.keys.redeals, 2);
	assert_int_equal(job.keys.keys[1].bytes[0], 4);
	write_out(&jobs);
	assert_string_equal(bytes, job_text);
}

/* All sizes at their limits. */
TEST(test_largest_job_fits)
{
	static struct job largest;

	job = (struct job){
		.name = { .block = INT64_MAX, .copy = JOB_AUDIT },
		.stage = INT32_MAX - 1,
		.game_count = BLOCK_GAMES_MAX,
		.seat_count = SCOPA_SEATS_MAX,
		.keys = { .deals = DEAL_KEYS_MAX, .redeals = 1 },
	};
	for (int i = 0; i < BLOCK_GAMES_MAX; i++) {
		struct game_spec *spec = &job.games[i].spec;

		spec->index = INT32_MAX - 1;
		spec->round = INT32_MAX - 1;
		spec->rotation = i;
		spec->dealer = SCOPA_SEATS_MAX - 1;
		memset(spec->event, '%', SHUFFLE_EVENT_MAX);
		memset(spec->voided, 'A', MATCH_VOIDED_SIZE - 1);
		for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
			spec->entrant[seat] = 1999;
			job.games[i].seeds[seat] = UINT64_MAX;
		}
	}
	largest = job;
	write_out(&jobs);
	expect_good(&jobs, bytes);
	assert_memory_equal(&job, &largest, sizeof(job));
}

TEST(test_job_without_keys_is_read)
{
	char *text = NULL;

	assert_true(
	    asprintf(&text, "%.*skeys deals=0 redeals=0\nend\n",
		(int)(strstr(job_text, "keys ") - job_text), job_text) > 0);
	expect_good(&jobs, text);
	assert_int_equal(job.keys.deals, 0);
	free(text);
}

TEST(test_wrong_jobs_are_refused_with_line_and_reason)
{
	expect_all_refused(&jobs, "job");
}

TEST(test_text_that_is_too_long_is_refused)
{
	char *text = malloc(JOB_TEXT_MAX + 1);

	assert_non_null(text);
	memset(text, 'x', JOB_TEXT_MAX);
	text[JOB_TEXT_MAX] = '\0';
	expect_refused(&jobs, text, "line 1: the text is too long");
	expect_refused(&heads, text, "line 1: the text is too long");
	/* One line, as long as a text may be. */
	memcpy(text, "scopa-job ", 10);
	text[JOB_TEXT_MAX - 1] = '\0';
	expect_refused(&jobs, text, "line 1: a number from 1");
	free(text);
}

TEST(test_head_is_read_as_it_was_written)
{
	const struct match_fault *fault = &head.games[0].fault;

	expect_good(&heads, head_text);
	assert_string_equal(head.run, "00112233445566778899aabbccddeeff");
	assert_int_equal(head.name.block, 17);
	assert_int_equal(head.name.copy, JOB_COUNTS);
	assert_int_equal(head.name.attempt, 2);
	assert_int_equal(head.record_size, 5120);
	assert_int_equal(head.digest[31], 5);
	assert_int_equal(head.game_count, 2);
	assert_int_equal(head.games[0].unasked[1], 3);
	assert_int_equal(fault->seat, 1);
	assert_int_equal(fault->kind, OFFENCE_CRASH);
	assert_int_equal(fault->phase, SESSION_THINK);
	assert_true(fault->late);
	assert_int_equal(fault->stray_count, 2);
	assert_int_equal(fault->wrong_turn_count, 1);
	assert_string_equal(fault->reason, "CRASH(11)");
	assert_string_equal(fault->said, "move \"x\"");
	assert_string_equal(fault->stderr_tail, "a\n\tb");
	assert_string_equal(fault->received, "");
	assert_int_equal(head.games[1].fault.seat, -1);
	write_out(&heads);
	assert_string_equal(bytes, head_text);
}

/* All texts at their limits, of bytes with the longest encoding. */
TEST(test_largest_head_fits)
{
	static struct result_head largest;

	head = (struct result_head){
		.name = { INT64_MAX, JOB_AUDIT, INT32_MAX - 1 },
		.record_size = RESULT_RECORD_MAX,
		.game_count = BLOCK_GAMES_MAX,
	};
	memset(head.run, 'f', sizeof(head.run) - 1);
	for (int i = 0; i < BLOCK_GAMES_MAX; i++) {
		struct match_fault *fault = &head.games[i].fault;

		*fault = (struct match_fault){
			.seat = SCOPA_SEATS_MAX - 1,
			.kind = OFFENCE_PROTOCOL,
			.phase = SESSION_GONE,
			.option_flaw = BOT_OPTION_REFUSED,
			.late = true,
			.stray_count = INT32_MAX - 1,
			.wrong_turn_count = INT32_MAX - 1,
		};
		memset(fault->reason, '%', sizeof(fault->reason) - 1);
		memset(fault->said, ' ', sizeof(fault->said) - 1);
		memset(fault->received, '%', sizeof(fault->received) - 1);
		memset(fault->ending, ' ', sizeof(fault->ending) - 1);
		memset(fault->refusal, '%', sizeof(fault->refusal) - 1);
		memset(fault->state, '%', sizeof(fault->state) - 1);
		memset(fault->turn_id, '%', sizeof(fault->turn_id) - 1);
		memset(fault->stray, '%', sizeof(fault->stray) - 1);
		memset(fault->allowed, '%', sizeof(fault->allowed) - 1);
		memset(fault->nearest, '%', sizeof(fault->nearest) - 1);
		memset(fault->stderr_tail, '\n', JOB_STDERR_MAX);
		for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
			head.games[i].unasked[seat] = INT32_MAX;
	}
	largest = head;
	write_out(&heads);
	expect_good(&heads, bytes);
	assert_memory_equal(&head, &largest, sizeof(head));
}

/* Only the end of a long stderr is sent, without control characters. */
TEST(test_texts_of_a_fault_are_sent_as_printable_characters)
{
	struct match_fault *fault = &head.games[0].fault;

	head = (struct result_head){ .game_count = 1 };
	memset(head.run, '0', sizeof(head.run) - 1);
	memset(fault->stderr_tail, 'a', sizeof(fault->stderr_tail) - 1);
	memcpy(fault->stderr_tail + sizeof(fault->stderr_tail) - 5, "\nend", 4);
	strcpy(fault->said, "a\033[2Jb\n");
	write_out(&heads);
	expect_good(&heads, bytes);
	assert_string_equal(fault->said, "a\\x1B[2Jb\\x0A");
	assert_int_equal(strlen(fault->stderr_tail), JOB_STDERR_MAX);
	assert_string_equal(fault->stderr_tail + JOB_STDERR_MAX - 4, "\nend");
}

TEST(test_wrong_heads_are_refused_with_line_and_reason)
{
	expect_all_refused(&heads, "head");
}
