/*
 * Checking records: everything that is wrong is found, at its line.
 */
#include "record_verify.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "golden.h"
#include "summary.h"
#include "test.h"

static struct record_verdict verdict;
static int skipped; /* number of skipped lines */

static void
count_reported(void *context, int64_t line, const char *text)
{
	(void)context;
	(void)line;
	assert_non_null(strstr(text, "skipped"));
	skipped++;
}

static const struct record_verdict *
check(const struct record *record)
{
	struct record_listener listener = { count_reported, NULL };

	skipped = 0;
	games_read(record->bytes, record->size, &specimen.record);
	assert_int_equal(record_check(specimen.checker, &specimen.record,
			     &listener, &verdict),
	    0);
	return &verdict;
}

/* Whatever is good has a summary, too. */
static void
assert_good(const struct record *record)
{
	struct summary summary;

	if (!check(record)->good)
		fail_msg("line %lld: V%d: %s", (long long)verdict.fault.line,
		    verdict.level, verdict.fault.text);
	assert_int_equal(
	    summary_read(&summary, specimen.record.bytes, specimen.record.size),
	    0);
}

/* Fails unless this level refuses the record for this reason. */
static void
assert_bad(const struct record *record, int level, const char *reason)
{
	assert_false(check(record)->good);
	assert_int_equal(verdict.level, level);
	if (strstr(verdict.fault.text, reason) == NULL)
		fail_msg("no \"%s\" in: %s", reason, verdict.fault.text);
}

/*
 * Copies the game with the first `old` replaced by `new`, and a correct `sum`
 * line.  Returns the number of the changed line.
 */
static int64_t
change(const char *old, const char *new)
{
	const char *bytes = specimen.full.bytes;
	const char *end = memmem(bytes, specimen.full.size, "\nsum ", 5);
	char *text = calloc(1, specimen.full.size + strlen(new) + 1), *at;
	int64_t line = 1;

	assert_non_null(end);
	assert_non_null(text);
	memcpy(text, bytes, (size_t)(end + 1 - bytes));
	at = strstr(text, old);
	if (!at)
		fail_msg("no \"%s\" in the game", old);
	memmove(
	    at + strlen(new), at + strlen(old), strlen(at + strlen(old)) + 1);
	memcpy(at, new, strlen(new));
	for (const char *byte = text; byte < at; byte++)
		line += *byte == '\n';
	record_clear(&specimen.least);
	assert_int_equal(record_add(&specimen.least, text, strlen(text)), 0);
	assert_int_equal(record_sum(&specimen.least), 0);
	free(text);
	return line;
}

static void
play(const char *spec, uint64_t seed)
{
	struct games_order order = {
		.spec = spec,
		.seed = seed,
		.deals = 2,
		.keyed = true,
		.remarks = true,
	};

	games_play(&order, &specimen.full);
}

TEST(test_games_of_every_preset_are_good)
{
	for (int i = 0; i < scopa_preset_count; i++) {
		play(scopa_presets[i].name, (uint64_t)i);
		assert_good(&specimen.full);
		assert_true(verdict.key_count >= 2);
		assert_true(verdict.secret);
		assert_int_equal(skipped, 0);
	}
}

/* With a larger limit of deals, the game would not have ended. */
TEST(test_game_that_is_a_draw_after_max_deals_is_good)
{
	struct games_order order = {
		.spec = "scopa,target=500",
		.max_deals = 3,
		.keyed = true,
	};

	games_play(&order, &specimen.full);
	assert_good(&specimen.full);
	change(" max-deals=3", " max-deals=4");
	assert_bad(&specimen.least, 2, "");
	change(" max-deals=3", " max-deals=2");
	assert_bad(&specimen.least, 2,
	    "the match has ended before this deal: it was a draw after "
	    "max-deals= of them");
	change(" max-deals=3", "");
	assert_bad(&specimen.least, 2, "");
	change("reason=max-deals", "reason=target");
	assert_bad(&specimen.least, 2, "");
}

TEST(test_changes_with_a_correct_sum_are_found_at_their_line)
{
	static struct golden golden;

	play("scopa", 3);
	for (char **field = golden.fields;
	     golden_next(&golden, "tamperings.tsv");) {
		int level = atoi(field[2]);
		int64_t line = change(field[0], field[1]);

		assert_int_equal(golden.field_count, 4);
		check(&specimen.least);
		line += field[0][0] == '\n';
		if (verdict.level == level &&
		    strstr(verdict.fault.text, field[3]) &&
		    (level == 3 || labs(verdict.fault.line - line) <= 1))
			continue;
		fail_msg("tamperings.tsv:%d, line %lld: line %lld, V%d: %s",
		    golden.line, (long long)line, (long long)verdict.fault.line,
		    verdict.level, verdict.fault.text);
	}
	assert_true(golden.line > 15);
}

TEST(test_key_that_does_not_give_the_pack_fails_level_three)
{
	char *seed;
	char old[80], new[80];

	play("scopa", 3);
	seed = memmem(specimen.full.bytes, specimen.full.size, "v1 seed=", 8);
	snprintf(old, sizeof(old), "%.20s", seed);
	snprintf(new, sizeof(new), "%.20s", seed);
	new[10] = new[10] == '0' ? '1' : '0';
	change(old, new);
	assert_bad(&specimen.least, 3, "does not give these cards");
}

TEST(test_unchecked_facts_are_accepted_and_newer_words_are_reported)
{
	static const struct {
		const char *old, *new;
		int skipped;
	} changes[] = {
		{ " utc=2025", " x=y utc=1999", 0 },
		{ " name=b0%20b", " name=somebody", 0 },
		{ " version=1.0", " version=2", 0 },
		{ " t=", " t=1", 0 },
		{ "\nplay ", "\ninfo 1 value=9\nplay ", 0 },
		{ "\nplay ", "\n# word\n\nplay ", 0 },
		{ " tc=move:10000", " tc=none", 0 },
		{ "\ninfo ", "\ninfo 1 # x\ninfo ", 0 },
		/* Lines and keys of a later version. */
		{ "\nplay ", "\nx-weather fine\nplay ", 1 },
		{ " t=", " x-new=2 t=", 1 },
		{ "\nenddeal 1", "\nenddeal 1 x-new=1", 1 },
	};

	play("scopa", 5);
	for (size_t i = 0; i < COUNTOF(changes); i++) {
		change(changes[i].old, changes[i].new);
		assert_good(&specimen.least);
		assert_int_equal(skipped, changes[i].skipped);
	}
}

TEST(test_legal_lines_are_checked_if_they_exist)
{
	char *legal;

	play("scopa", 5);
	assert_int_equal(
	    games_derive(specimen.full.bytes, specimen.full.size, true), 0);
	assert_good(&specimen.derived);
	record_clear(&specimen.full);
	record_add(
	    &specimen.full, specimen.derived.bytes, specimen.derived.size);
	legal = memmem(specimen.full.bytes, specimen.full.size, "\nlegal ", 7);
	assert_non_null(legal);
	change("\nlegal ", "\nlegal 7D ");
	assert_bad(&specimen.least, 2, "expected: legal ");
	/* A `legal` line may be left out. */
	change("\nlegal ", "\n# ");
	assert_good(&specimen.least);
}

TEST_EACH(games_setup, games_teardown)
