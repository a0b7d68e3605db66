/*
 * Deriving: what a match records follows again from its least record.
 */
#include "replay.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "record_verify.h"
#include "support.h"
#include "test.h"

enum { GAMES_OF_A_KIND = 4 };

static void
assert_same(const struct record *a, const struct record *b)
{
	size_t size = a->size < b->size ? a->size : b->size, at = 0, line;

	while (at < size && a->bytes[at] == b->bytes[at])
		at++;
	if (at == a->size && at == b->size)
		return;
	for (line = at; line > 0 && a->bytes[line - 1] != '\n';)
		line--;
	fail_msg("they differ here:\n%.*s\nor here:\n%.*s\n",
	    a->size - line < 300 ? (int)(a->size - line) : 300, a->bytes + line,
	    b->size - line < 300 ? (int)(b->size - line) : 300,
	    b->bytes + line);
}

/* A game, its least record, and what follows from it. */
static void
derive(const struct games_order *order, bool packs, bool legal)
{
	games_play(order, &specimen.full);
	games_reduce(&specimen.full, packs, &specimen.least);
	if (games_derive(specimen.least.bytes, specimen.least.size,
		REPLAY_EVERYBODY, legal) != 0)
		fail_msg("%s: line %lld: %s", order->spec,
		    (long long)specimen.fault.line, specimen.fault.text);
}

/* The same, which is the full record. */
static void
derive_game(const struct games_order *order)
{
	derive(order, true, false);
	/* What rules there are the `match` line does not say whole. */
	assert_same(&specimen.derived, &specimen.full);
}

static void
check_least(const char *spec, uint64_t seed)
{
	for (int kind = 1; kind <= GAMES_OF_A_KIND; kind++) {
		struct games_order order = {
			.spec = spec,
			.seed = seed + (uint64_t)kind,
			.deals = kind % 2 ? 0 : 2,
			.keyed = kind > 2,
			.remarks = kind != 1,
		};

		derive_game(&order);
	}
}

TEST(test_least_record_gives_the_full_one)
{
	assert_true(support_each_spec(check_least) > 200);
}

static void
check_full(const char *spec, uint64_t seed)
{
	struct games_order order = {
		.spec = spec, .seed = seed, .remarks = true
	};

	games_play(&order, &specimen.full);
	assert_int_equal(games_derive(specimen.full.bytes, specimen.full.size,
			     REPLAY_EVERYBODY, false),
	    0);
	assert_same(&specimen.derived, &specimen.full);
}

TEST(test_full_record_gives_itself)
{
	assert_true(support_each_spec(check_full) > 200);
}

static void
check_broken_off(const char *spec, uint64_t seed)
{
	for (int kind = 1; kind <= GAMES_OF_A_KIND; kind++) {
		struct games_order order = {
			.spec = spec,
			.seed = seed + (uint64_t)kind,
			.ending = kind % 2 ? "forfeit" : "interrupted",
		};

		derive_game(&order);
	}
}

TEST(test_games_that_were_broken_off_end_the_same)
{
	assert_true(support_each_spec(check_broken_off) > 200);
}

/* The lines of a record but for its sum and those of one verb. */
static void
leave_out(const struct record *record, const char *verb, struct record *rest)
{
	const char *at = record->bytes, *end = at + record->size;

	record_clear(rest);
	while (at < end) {
		const char *next =
		    (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
		size_t length = (size_t)(next - 1 - at);

		if (!record_line_is(at, length, verb) &&
		    !record_line_is(at, length, "sum"))
			record_add(rest, at, length + 1);
		at = next;
	}
}

/* What was derived and what was played are the same but for these lines. */
static void
assert_same_without(const char *verb)
{
	struct record derived;

	record_init(&derived);
	leave_out(&specimen.derived, verb, &derived);
	leave_out(&specimen.full, verb, &specimen.least);
	assert_same(&derived, &specimen.least);
	record_release(&derived);
}

static void
check_given(const char *spec, uint64_t seed)
{
	struct games_order order = { .spec = spec, .seed = seed, .deals = 2 };

	derive(&order, false, false);
	/* Tables and hands are sorted, so the pack is not the one dealt. */
	assert_same_without("pack");
}

TEST(test_tables_and_hands_do_for_a_pack)
{
	assert_true(support_each_spec(check_given) > 200);
}

TEST_GROUP(games_setup, games_teardown)
