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

/* The moves of a `legal` line against the engine, walking along the record. */
static int
count_legal(const char *spec)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal = { .turn = SCOPA_SEAT_NONE };
	const char *at = specimen.derived.bytes;
	const char *end = at + specimen.derived.size;
	int dealer = 0, count = 0;
	bool fresh = false;
	uint8_t pack[SCOPA_PACK_SIZE];

	for (; at < end;
	     at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1) {
		size_t length = strcspn(at, "\n");
		struct event event;
		struct scopa_text text = support_text();

		if (record_line_is(at, length, "legal")) {
			scopa_text_string(&text, "legal ");
			support_moves(&rules, &deal, &text);
			assert_int_equal(text.length, length);
			assert_memory_equal(text.bytes, at, length);
			fresh = true;
			count++;
			continue;
		}
		if (event_parse(at, length, &event, &text) != EVENT_PARSED)
			continue;
		if (event.kind == EVENT_PACK)
			memcpy(pack, event.pack.cards, sizeof(pack));
		if (event.kind == EVENT_DEAL)
			dealer = event.deal.dealer;
		if (event.kind == EVENT_TABLE)
			scopa_deal_start(&rules, pack, dealer, &deal);
		if (event.kind != EVENT_PLAY &&
		    (event.kind != EVENT_DECLARE ||
			rules.declare != SCOPA_DECLARE_ASK))
			continue;
		assert_true(fresh);
		fresh = false;
		scopa_deal_apply(&rules, &deal, &event.play.move);
	}
	return count;
}

static void
check_legal(const char *spec, uint64_t seed)
{
	struct games_order order = { .spec = spec, .seed = seed, .deals = 1 };

	derive(&order, true, true);
	assert_true(count_legal(spec) >= 30);
	assert_same_without("legal");
}

TEST(test_legal_lines_are_those_of_the_engine)
{
	assert_true(support_each_spec(check_legal) > 200);
}

TEST(test_seat_stream_hides_what_the_seat_may_not_see)
{
	static const char *const hidden[] = { "\r", "\npack ", " t=", "\ninfo ",
		" secret=" };
	struct games_order order = {
		.spec = "scopa", .seed = 4, .keyed = true, .remarks = true
	};

	games_play(&order, &specimen.full);
	assert_int_equal(
	    games_derive(specimen.full.bytes, specimen.full.size, 1, false), 0);
	games_assert_derived_has(" you=2 ");
	games_assert_derived_has("\ngive 1 ??????\n");
	games_assert_derived_has(" seed=");
	for (size_t i = 0; i < COUNTOF(hidden); i++)
		assert_null(memmem(specimen.derived.bytes,
		    specimen.derived.size, hidden[i], strlen(hidden[i])));
}

TEST_GROUP(games_setup, games_teardown)
