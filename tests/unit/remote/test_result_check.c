/*
 * Which results of workers are accepted, and why others are refused.
 */
#include "result_check.h"

#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "remote_fixture.h"
#include "sandbox.h"
#include "support.h"
#include "test.h"

enum { WHY_SIZE = 2048, FLIPS = 2000, STEP = 37 };

static struct remote_fixture *fixture;
static struct result_checker *checker;
static struct result_checked checked;
static char why[WHY_SIZE];

static int
open_scopa(void **state)
{
	(void)state;
	fixture = remote_fixture_open("scopa", 1);
	return result_checker_open(
	    &checker, fixture->run, &fixture->config, false);
}

static int
close_all(void **state)
{
	(void)state;
	result_checker_close(checker);
	remote_fixture_close(fixture);
	return 0;
}

TEST_EACH(open_scopa, close_all)

/* Opens the fixture again with other rules. */
static void
reopen(const char *spec, int deals, bool scaled)
{
	close_all(NULL);
	fixture = remote_fixture_open(spec, deals);
	assert_int_equal(result_checker_open(
			     &checker, fixture->run, &fixture->config, scaled),
	    0);
}

static int
check(void)
{
	struct scopa_text text;

	scopa_text_init(&text, why, sizeof(why));
	return result_check(
	    checker, &fixture->job, &fixture->result, &checked, &text);
}

static void
expect_good(void)
{
	if (check() != 1)
		fail_msg("refused: %s", why);
}

static void
expect_refused(const char *reason)
{
	if (check() != 0)
		fail_msg("accepted, and not refused: %s", reason);
	if (strstr(why, reason) == NULL)
		fail_msg("the reason is `%s`, not `%s`", why, reason);
}

static void
play_and_hand_in(void)
{
	remote_fixture_play(fixture, false);
	remote_fixture_hand_in(fixture);
}

static void
play_good(void)
{
	play_and_hand_in();
	expect_good();
}

/* A change of a result, and the reason of its refusal. */
struct alteration {
	const char *after, *from, *to, *reason;
};

/*
 * For each row: alters a correct result, signs it again, and expects the
 * refusal.
 */
static void
expect_refusals(const struct alteration *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		remote_fixture_play(fixture, false);
		remote_fixture_alter(
		    fixture, rows[i].after, rows[i].from, rows[i].to);
		remote_fixture_hand_in(fixture);
		expect_refused(rows[i].reason);
	}
}

/*
 * The records of a correct result are those that one machine would have
 * written.
 */
static void
expect_local_records(void)
{
	size_t at = 0;

	play_good();
	assert_int_equal(checked.game_count, fixture->job.game_count);
	remote_fixture_play(fixture, true);
	for (int game = 0; game < checked.game_count; game++) {
		assert_in_range(
		    at + checked.record_sizes[game], 1, fixture->record.size);
		assert_memory_equal(fixture->record.bytes + at,
		    checked.records[game], checked.record_sizes[game]);
		at += checked.record_sizes[game];
	}
	assert_int_equal(at, fixture->record.size);
}

TEST(test_correct_result_gives_the_records_of_one_machine)
{
	expect_local_records();
	assert_non_null(
	    memmem(checked.records[0], checked.record_sizes[0], " secret=", 8));
	fixture->config.rules.committed = true;
	expect_local_records();
	assert_null(
	    memmem(checked.records[0], checked.record_sizes[0], " secret=", 8));
	assert_non_null(
	    memmem(checked.records[0], checked.record_sizes[0], " commit=", 8));
}

TEST(test_correct_result_gives_what_the_runner_needs)
{
	play_and_hand_in();
	fixture->head.games[1].unasked[1] = 5;
	remote_fixture_sign(fixture);
	expect_good();
	for (int i = 0; i < 2; i++) {
		const struct game_result *game = &checked.games[i];

		assert_int_equal(game->summary.game, 14 + i);
		assert_int_equal(game->summary.round, 3);
		assert_int_equal(game->summary.rotation, i);
		assert_int_equal(game->entrant[0], i);
		assert_int_equal(game->entrant[1], 1 - i);
		assert_string_equal(game->summary.names[i], "bot-1");
		assert_int_equal(game->fault_entrant, -1);
		assert_int_equal(game->fault.seat, -1);
		assert_string_equal(game->summary.reason, "deals");
	}
	assert_int_equal(checked.games[1].unasked_count[1], 5);
}

TEST(test_signature_of_another_worker_is_refused)
{
	play_and_hand_in();
	fixture->result.signature[0] ^= 1;
	expect_refused("the signature is not of worker anna");
	fixture->result.signature[0] ^= 1;
	fixture->result.key[0] ^= 1;
	expect_refused("the signature is not of worker anna");
	fixture->result.key[0] ^= 1;
	/* A head that was changed after it was signed. */
	fixture->head_text[strlen(fixture->head_text) - 1] = ' ';
	expect_refused("the signature is not of worker anna");
	fixture->head_text[strlen(fixture->head_text) - 1] = '\n';
	expect_good();
}

/* The head must name the run, block, copy and attempt that were claimed. */
TEST(test_result_of_another_claim_is_refused)
{
	static const struct {
		const char *run;
		struct job_name head, claimed;
		int game_count;
		const char *reason;
	} rows[] = {
		{ "b", { 7, 0, 1 }, { 7, 0, 1 }, 2,
		    "the result is of another run, baaaaaa" },
		{ "a", { 8, 0, 1 }, { 7, 0, 1 }, 2,
		    "the result is of block 8, copy 0, attempt 1" },
		/* The same if the claim was of block 8. */
		{ "a", { 8, 0, 1 }, { 8, 0, 1 }, 2,
		    "the result is of block 8, copy 0, attempt 1" },
		{ "a", { 7, JOB_AUDIT, 1 }, { 7, 0, 1 }, 2,
		    "the result is of block 7, copy 1, attempt 1" },
		{ "a", { 7, 0, 1 }, { 7, 0, 2 }, 2,
		    "the result is of block 7, copy 0, attempt 1" },
		{ "a", { 7, 0, 1 }, { 7, 0, 1 }, 1,
		    "the result has 1 games of 2" },
	};

	play_good();
	for (size_t i = 0; i < COUNTOF(rows); i++) {
		fixture->head.run[0] = *rows[i].run;
		fixture->head.name = rows[i].head;
		fixture->head.game_count = rows[i].game_count;
		remote_fixture_sign(fixture);
		fixture->result.name = rows[i].claimed;
		expect_refused(rows[i].reason);
	}
}

/* Each row is signed by the worker itself, and has correct `sum` lines. */
TEST(test_records_of_other_games_are_refused)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields; golden_next(&golden, "results.tsv");
	     count++) {
		assert_int_equal(golden.field_count, 4);
		expect_refusals(&(struct alteration){ field[0], field[1],
				    field[2], field[3] },
		    1);
	}
	assert_int_equal(count, 43);
}

/* Plays `fixture->job`, and sends the result for this job. */
static void
play_for_job(const struct job *job)
{
	remote_fixture_play(fixture, false);
	fixture->job = *job;
	remote_fixture_hand_in(fixture);
}

/* The records of another block, another round, or with another secret. */
TEST(test_replayed_records_are_refused)
{
	struct job job = fixture->job;
	struct match_rules *rules = &fixture->config.rules;

	for (int i = 0; i < job.game_count; i++)
		fixture->job.games[i].spec.index += 2;
	play_for_job(&job);
	expect_refused("game 1, line 1: match m15");
	for (int i = 0; i < job.game_count; i++)
		strcpy(fixture->job.games[i].spec.event, "round-5");
	play_for_job(&job);
	expect_refused("game 1, line 1: match m15");
	rules->root_key.bytes[0] ^= 1;
	play_and_hand_in();
	rules->root_key.bytes[0] ^= 1;
	expect_refused("game 1, line 1: match m15");
	/* The seeds are those of the job, the packs those of another secret. */
	play_and_hand_in();
	rules->root_key.bytes[0] ^= 1;
	expect_refused("the key of this pack is not the one of the run");
	rules->root_key.bytes[0] ^= 1;
	expect_good();
}

/* Plays, and inserts lines that belong to no game before one of the games. */
static void
play_with_lines(const char *lines, const char *before)
{
	struct record good, *record = &fixture->record;
	size_t at;

	remote_fixture_play(fixture, false);
	good = *record;
	record_init(record);
	at = (size_t)((const char *)memmem(
			  good.bytes, good.size, before, strlen(before)) -
	    good.bytes);
	record_add(record, good.bytes, at);
	record_add(record, lines, strlen(lines));
	record_add(record, good.bytes + at, good.size - at);
	record_release(&good);
	remote_fixture_hand_in(fixture);
}

/* Lines that belong to none of the games of the block, at each place. */
TEST(test_record_with_other_lines_or_missing_games_is_refused)
{
	static const char *const lines[] = { "\n", "# x\n", "  \n",
		"%scopa-record 1\n", "\xEF\xBB\xBF\n" };
	struct record *record = &fixture->record;
	size_t first;

	for (size_t i = 0; i < COUNTOF(lines); i++) {
		play_with_lines(lines[i], "match m15");
		expect_refused(
		    i < 4 ? "the record has more than its games" : "");
		play_with_lines(lines[i], "match m16");
		expect_refused(i < 4 ? "the record has more than its games"
				     : "there is something before it");
		remote_fixture_play(fixture, false);
		record_add(record, lines[i], strlen(lines[i]));
		remote_fixture_hand_in(fixture);
		expect_refused("the record has more than its games");
	}
	play_with_lines("x\n", "match m15");
	expect_refused("there is something before it");
	/* Only one game, no game, and a part of a game. */
	remote_fixture_play(fixture, false);
	first = (size_t)((const char *)memmem(
			     record->bytes, record->size, "match m16", 9) -
	    record->bytes);
	record->size = first;
	remote_fixture_hand_in(fixture);
	expect_refused("game 2: it is missing");
	for (; record->size > STEP; record->size -= STEP) {
		remote_fixture_hand_in(fixture);
		expect_refused("game ");
	}
	record->size = 0;
	remote_fixture_hand_in(fixture);
	expect_refused("game 1: it is missing");
	fixture->head.record_size = RESULT_RECORD_MAX + 1;
	remote_fixture_sign(fixture);
	expect_refused(
	    "line 3: a number from 0 to 67108864 must follow \"record size=\"");
}

#define OTHER_POLICY "the policy of the run asks for another consequence"
#define OTHER_MOVER "the arena moves after an offence, and then alone"

TEST(test_forfeit_is_accepted_only_if_the_policy_asks_for_it)
{
	static const struct alteration rows[] = {
		{ "offence", "policy=forfeit", "policy=substitute",
		    OTHER_POLICY },
		{ "offence", "policy=forfeit", "policy=forfeit strikes=1",
		    OTHER_POLICY },
		{ "offence", "kind=illegal", "kind=other",
		    "no such offence or seat" },
		{ "offence", "reason=bad-sum", "reason=EXEC_FAIL(ENOENT)",
		    "could not be started there: EXEC_FAIL(ENOENT)" },
		/* The offence of one seat, followed by a move of the other. */
		{ "offence", "\n", "\nplay 1 AD t=0.001234\n",
		    "the game was forfeited before" },
		/* The game is lost without an offence. */
		{ "", "offence ", "info ", "" },
	};

	fixture->offence_at = 5;
	play_good();
	assert_string_equal(checked.games[0].summary.reason, "forfeit");
	assert_int_equal(checked.games[0].fault_entrant,
	    fixture->job.games[0].spec.entrant[checked.games[0].fault.seat]);
	assert_string_equal(checked.games[0].fault.reason, "bad-sum");
	expect_refusals(rows, COUNTOF(rows));
	fixture->config.rules.settings.policy = POLICY_DISQUALIFY;
	play_good();
	fixture->config.rules.settings.policy = POLICY_FORFEIT;
	expect_refused(OTHER_POLICY);
}

TEST(test_substitution_is_accepted_only_if_the_policy_asks_for_it)
{
	static const struct alteration rows[] = {
		{ "offence", "strikes=1", "strikes=2", OTHER_POLICY },
		{ "offence", " by=arena cause=illegal", "", OTHER_MOVER },
		{ "offence", "cause=illegal", "cause=timeout", OTHER_MOVER },
	};

	fixture->config.rules.settings.policy = POLICY_SUBSTITUTE;
	fixture->offence_at = 5;
	play_good();
	assert_string_equal(checked.games[0].summary.reason, "deals");
	assert_int_equal(checked.games[0].fault_entrant, -1);
	expect_refusals(rows, COUNTOF(rows));
	fixture->config.rules.settings.policy = POLICY_FORFEIT;
	remote_fixture_hand_in(fixture);
	expect_refused(OTHER_POLICY);
}

/*
 * The fault that a worker sends is used only for the seat that has lost in the
 * record.
 */
TEST(test_fault_of_another_seat_is_ignored)
{
	struct match_fault *claimed = &fixture->head.games[0].fault;
	const struct match_fault *fault = &checked.games[0].fault;

	fixture->offence_at = 5;
	play_and_hand_in();
	*claimed = (struct match_fault){
		.seat = 0,
		.kind = OFFENCE_ILLEGAL,
		.stray_count = 3,
	};
	strcpy(claimed->reason, "bad-sum");
	strcpy(claimed->said, "move 7D");
	for (int seat = 0; seat < 2; seat++) {
		claimed->seat = seat;
		remote_fixture_sign(fixture);
		expect_good();
		assert_string_equal(fault->reason, "bad-sum");
		assert_int_equal(
		    fault->stray_count, fault->seat == seat ? 3 : 0);
		assert_string_equal(
		    fault->said, fault->seat == seat ? "move 7D" : "");
	}
	/* A game without a loss has no fault. */
	fixture->offence_at = 0;
	play_and_hand_in();
	claimed->seat = 0;
	remote_fixture_sign(fixture);
	expect_good();
	assert_int_equal(fault->seat, -1);
	assert_int_equal(checked.games[0].fault_entrant, -1);
}

TEST(test_void_attempts_are_appended)
{
	static const struct {
		const char *job, *record;
		bool good;
	} rows[] = {
		{ "", "", true },
		{ "", "ENV_ERR", true },
		{ "", "ENV_ERR,BOX_ERR", true },
		{ "ENV_ERR", "ENV_ERR", true },
		{ "ENV_ERR", "ENV_ERR,BOX_ERR", true },
		{ "ENV_ERR", "", false },
		{ "ENV_ERR", "BOX_ERR", false },
		{ "ENV_ERR", "ENV_ERRX", false },
		{ "ENV_ERR", "BOX_ERR,ENV_ERR", false },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		char *voided = fixture->job.games[1].spec.voided;

		strcpy(voided, rows[i].record);
		play_and_hand_in();
		strcpy(voided, rows[i].job);
		if (rows[i].good)
			expect_good();
		else
			expect_refused("game 2: its tag is wrong");
	}
}

TEST(test_weaker_sandbox_is_refused)
{
	static struct sandbox own;
	static const struct {
		enum sandbox_level level;
		bool weakened;
		const char *there;
		bool good;
	} rows[] = {
		{ SANDBOX_BOX, false, "box", true },
		{ SANDBOX_BOX, false, "box+limits", true },
		{ SANDBOX_BOX, false, "process", true },
		{ SANDBOX_BOX, false, "none", false },
		{ SANDBOX_BOX, false, "unboxed", false },
		{ SANDBOX_BOX, false, "box-shared-futex", false },
		{ SANDBOX_BOX, true, "box-shared-futex", true },
		{ SANDBOX_BOX, true, "box", false },
		{ SANDBOX_NONE, false, "none", true },
		{ SANDBOX_NONE, false, "box", true },
		{ SANDBOX_NONE, true, "none", true },
		{ SANDBOX_NONE, true, "box-shared-futex", true },
		{ SANDBOX_NONE, false, "unboxed", false },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		own.level = rows[i].level;
		fixture->entrants[1].allows_futexes = rows[i].weakened;
		result_checker_close(checker);
		assert_int_equal(result_checker_open(&checker, fixture->run,
				     &fixture->config, false),
		    0);
		fixture->config.rules.sandbox = &own;
		fixture->sandbox = rows[i].there;
		play_and_hand_in();
		if (rows[i].good)
			expect_good();
		else
			expect_refused("had a weaker sandbox");
	}
	/* If this machine has no sandbox, every level is accepted. */
	reopen("scopa", 1, false);
	fixture->sandbox = "box";
	play_good();
}

TEST(test_scaled_time_control_is_accepted_if_the_run_asks_for_it)
{
	static const struct {
		const char *tc;
		bool good;
	} rows[] = {
		{ "move:10000", true },
		{ "move:5000", true },
		{ "move:160000", true },
		{ "move:625", true },
		{ "move:160001", false },
		{ "move:624", false },
		{ "move:05000", false },
		{ "move:5000+0", false },
		{ "match:10000+0", false },
		{ "none", false },
		{ "move:99999999999999999999", false },
	};

	for (int scaled = 0; scaled < 2; scaled++) {
		reopen("scopa", 1, scaled != 0);
		for (size_t i = 0; i < COUNTOF(rows); i++) {
			fixture->tc = rows[i].tc;
			play_and_hand_in();
			if (scaled ? rows[i].good : i == 0)
				expect_good();
			else
				expect_refused("game 1, line 1: match m15");
		}
	}
}

/* Whether a byte is within a word that only the worker can know. */
static bool
is_free(const char *bytes, size_t at)
{
	static const char *const keys[] = { "utc=", "t=", "version=" };
	size_t begin = at;

	while (begin > 0 && bytes[begin - 1] != ' ' && bytes[begin - 1] != '\n')
		begin--;
	for (size_t i = 0; i < COUNTOF(keys); i++)
		if (strncmp(bytes + begin, keys[i], strlen(keys[i])) == 0)
			return true;
	return false;
}

/* Each changed byte is refused, also with correct `sum` lines. */
TEST(test_every_changed_byte_is_refused)
{
	uint64_t random = 1;
	char *good;
	size_t size;
	int taken = 0;

	remote_fixture_play(fixture, false);
	size = fixture->record.size;
	good = malloc(size);
	assert_non_null(good);
	memcpy(good, fixture->record.bytes, size);
	for (int i = 0; i < FLIPS; i++) {
		size_t at =
		    (size_t)support_random_below(&random, (int)size - 1);
		char byte = (char)support_random_below(&random, 256);
		struct record *record = &fixture->record;

		record_clear(record);
		assert_int_equal(record_add(record, good, size), 0);
		record->bytes[at] = byte;
		remote_fixture_sum(fixture);
		if (record->size == size &&
		    memcmp(record->bytes, good, size) == 0)
			continue;
		remote_fixture_hand_in(fixture);
		if (check() != 1)
			continue;
		taken++;
		if (!is_free(good, at))
			fail_msg("byte %zu was taken as 0x%02x", at,
			    (unsigned char)byte);
	}
	assert_in_range(taken, 1, FLIPS / 10);
	free(good);
}
