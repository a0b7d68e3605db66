/*
 * What a result of a worker must be to count, and for what it is refused.
 */
#include "result_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote_fixture.h"
#include "test.h"

enum { WHY_SIZE = 2048, GAMES = 300 };

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

/* Begins anew with another rule set. */
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
		fail_msg("taken, and not refused: %s", reason);
	if (strstr(why, reason) == NULL)
		fail_msg("`%s` stands where `%s` must", why, reason);
}

static void
play_and_hand_in(void)
{
	remote_fixture_play(fixture, false);
	remote_fixture_hand_in(fixture);
}

/* Alters a good result, signs it again, and expects the refusal. */
static void
expect_altered_refused(
    const char *after, const char *from, const char *to, const char *reason)
{
	remote_fixture_play(fixture, false);
	remote_fixture_alter(fixture, after, from, to);
	remote_fixture_hand_in(fixture);
	expect_refused(reason);
}

/* What is written of a good result is what one machine would have written. */
static void
expect_own_bytes(void)
{
	size_t at = 0;

	play_and_hand_in();
	expect_good();
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

TEST(test_good_result_gives_the_records_of_one_machine)
{
	expect_own_bytes();
	assert_non_null(
	    memmem(checked.records[0], checked.record_sizes[0], " secret=", 8));
	fixture->config.rules.committed = true;
	expect_own_bytes();
	assert_null(
	    memmem(checked.records[0], checked.record_sizes[0], " secret=", 8));
	assert_non_null(
	    memmem(checked.records[0], checked.record_sizes[0], " commit=", 8));
}

TEST(test_good_result_gives_what_the_runner_takes)
{
	remote_fixture_play(fixture, false);
	remote_fixture_hand_in(fixture);
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

/* Every preset, to the target and with a number of deals, with all endings. */
TEST(test_good_results_of_every_preset_are_taken)
{
	for (int i = 0; i < scopa_preset_count; i++) {
		const char *name = scopa_presets[i].name;

		for (uint64_t seed = 1; seed <= 4; seed++) {
			reopen(name, seed % 2 == 0 ? 2 : 0, false);
			fixture->seed = seed;
			fixture->offence_at = seed > 2 ? 5 : 0;
			fixture->config.rules.max_deals = 3;
			fixture->config.rules.settings.policy =
			    i % 2 ? POLICY_FORFEIT : POLICY_SUBSTITUTE;
			expect_own_bytes();
		}
	}
}

TEST(test_signature_of_another_is_refused)
{
	play_and_hand_in();
	fixture->result.signature[0] ^= 1;
	expect_refused("the signature is not of worker anna");
	fixture->result.signature[0] ^= 1;
	fixture->result.key[0] ^= 1;
	expect_refused("the signature is not of worker anna");
	fixture->result.key[0] ^= 1;
	/* A head that was changed after it had been signed. */
	fixture->head_text[strlen(fixture->head_text) - 1] = ' ';
	expect_refused("the signature is not of worker anna");
	fixture->head_text[strlen(fixture->head_text) - 1] = '\n';
	expect_good();
}

TEST(test_result_of_another_claim_is_refused)
{
	play_and_hand_in();
	fixture->head.run[0] = 'b';
	remote_fixture_sign(fixture);
	expect_refused("the result is of another run, baaaaaa");
	fixture->head.run[0] = 'a';
	fixture->head.name.block = 8;
	remote_fixture_sign(fixture);
	expect_refused("the result is of block 8, copy 0, attempt 1");
	fixture->result.name.block = 7;
	expect_refused("the result is of block 8, copy 0, attempt 1");
	fixture->head.name.block = 7;
	fixture->head.name.copy = JOB_AUDIT;
	remote_fixture_sign(fixture);
	expect_refused("the result is of block 7, copy 1, attempt 1");
	fixture->head.name.copy = JOB_COUNTS;
	remote_fixture_sign(fixture);
	fixture->result.name.attempt = 2;
	expect_refused("the result is of block 7, copy 0, attempt 1");
	fixture->head.game_count = 1;
	remote_fixture_sign(fixture);
	expect_refused("the result has 1 games of 2");
	fixture->head.game_count = 2;
	remote_fixture_sign(fixture);
	expect_good();
}

TEST(test_record_that_was_not_signed_is_refused)
{
	char *bytes;

	play_and_hand_in();
	bytes = fixture->record.bytes;
	for (size_t at = 0; at < fixture->record.size; at += 97) {
		bytes[at] ^= 1;
		expect_refused("the record is not the one that was signed");
		bytes[at] ^= 1;
	}
	fixture->result.record_size--;
	expect_refused("the record has ");
	fixture->result.record_size += 2;
	expect_refused("the record has ");
}

TEST(test_head_that_cannot_be_read_is_refused)
{
	struct queue_result *result = &fixture->result;

	play_and_hand_in();
	strcpy(fixture->head_text, "scopa-result 2\n");
	signing_sign(&fixture->key, SIGNING_RESULT, result->head,
	    strlen(result->head), result->signature);
	expect_refused("the head of the result is wrong: line 1: it is of "
		       "version 2");
}

/* Each row is signed by the worker itself, and has right sums. */
TEST(test_records_of_other_games_are_refused)
{
	static const struct {
		const char *after, *from, *to, *reason;
	} rows[] = {
		{ "", "match m15", "match m16", "game 1, line 1: match m15" },
		{ "", "match m16", "match m17", "match m16" },
		{ "", "target=11", "target=12", "game 1, line 1: match m15" },
		{ "", "deals=1", "deals=2", "game 1, line 1: match m15" },
		{ "", "tc=move:10000", "tc=move:20000", "game 1, line 1" },
		{ "seeds=", "a", "b", "game 1, line 1: match m15" },
		{ "", "tool=scopa-arena/", "tool=scopa-arena/1", "line 2: " },
		{ "", "event=round-4", "event=round-5", "line 2: " },
		{ "", "round=4", "round=5", "game 1, line 2: tag utc=" },
		{ "", "game=1", "game=2", "game 1, line 2: tag utc=" },
		{ "", "game=1", "game=1 x=1", "game 1, line 2: tag utc=" },
		{ "", "game=1", "game=1 analysis=1", "game 1, line 2: tag" },
		{ "", "game=1", "game=1 persons=1", "game 1, line 2: tag" },
		{ "", "sandbox=unboxed", "sandbox=unboxed secret=00", "tag" },
		{ "", "utc=2026", "utc=%026", "game 1: its tag is wrong" },
		{ "", "utc=2026", "utc=12026", "game 1: its tag is wrong" },
		{ "", "tag utc", "rules utc", "game 1: its tag is wrong" },
		{ "", "sandbox=unboxed", "sandbox=x", "weaker sandbox" },
		{ "", "sandbox=unboxed", "sandbox=unboxed voided=a%20",
		    "its tag is wrong" },
		{ "", "capture=sum", "capture=any", "line 3: rules" },
		{ "", "name=bot-1", "name=bot-9", "game 1, line 4: seat 1" },
		{ "", "name=bot-1", "name=bot-2", "game 1, line 4: seat 1" },
		{ "", "version=1.0", "version=1.0 sees=all", "line 4: seat" },
		{ "", "version=1.0", "version=1.0 x=1", "line 4: seat 1" },
		{ "pack 1", "seed=", "x=1 seed=", "not of this version" },
		{ "-v1 seed=", "a", "b", "is not the one of the run" },
		{ "", "dealer=2 first=1", "dealer=1 first=2", "must deal" },
		{ "", "play 1", "x\nplay 1", "begins with no known word" },
		{ "", "play 1", "# x\nplay 1", "begins with no known word" },
		{ "", "play 1", "legal 7D\nplay 1", "with no known word" },
		{ "", "play 1", "void 1 lag=1\nplay 1", "in the form" },
		{ "", "play 1", "void 1 lag=0.100000 x=1\nplay 1", "form" },
		{ "play 1", "\n", "\r\n", "it ends in another way" },
		{ "play 1", "\n", " by=arena cause=illegal\n", "the arena" },
		{ "play 1", "\n", " x=1\n", "not of this version" },
		{ "play 1", "\n", "\001\n", "byte 0x01 is not printable" },
		{ "", "score A points=", "score A points=1", "follow" },
		{ "", "enddeal 1", "enddeal 2", "does not follow" },
		{ "", "winner=", "winner=A,", "" },
		{ "", "reason=deals", "reason=target", "does not follow" },
		{ "", "reason=deals", "reason=forfeit by=A", "by an offence" },
		{ "", "endmatch m15", "abort match reason=keys\nendmatch m15",
		    "" },
		{ "", "endmatch m15", "endmatch m16", "" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++)
		expect_altered_refused(
		    rows[i].after, rows[i].from, rows[i].to, rows[i].reason);
}
