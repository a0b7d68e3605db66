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

/* Rule sets beside the presets: teams, teams, every kind of declaration. */
static const char *const more_specs[] = {
	"scopa,players=3",
	"scopa,players=4",
	"scopa,teams=ABAB",
	"scopa,players=6",
	"scopa,teams=ABABAB",
	"scopa,teams=ABCABC",
	"cirulla,declare=ask",
	"cirulla,declare=ask,matta=table,players=3",
	"cirulla,declare=off",
	"cirulla,rotation=against,players=4",
	"trente,count=at-once",
	"scopa,redeal=ace,target=3",
	"perdere,players=4",
	"frac,frac-tie=king",
};

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

/* A game, its least record, and the full one from it. */
static void
derive_game(struct games_bench *bench, const struct games_order *order)
{
	games_play(order, &bench->full);
	games_reduce(&bench->full, true, &bench->least);
	if (games_derive(bench, bench->least.bytes, bench->least.size,
		REPLAY_EVERYBODY, false) != 0)
		fail_msg("%s: line %lld: %s", order->spec,
		    (long long)bench->fault.line, bench->fault.text);
	/* What rules there are the `match` line does not say whole. */
	assert_same(&bench->derived, &bench->full);
}

static void
each_spec(struct games_bench *bench,
    void (*check)(struct games_bench *, const char *))
{
	for (int i = 0; i < scopa_preset_count; i++)
		check(bench, scopa_presets[i].name);
	for (size_t i = 0; i < COUNTOF(more_specs); i++)
		check(bench, more_specs[i]);
}

static void
check_least(struct games_bench *bench, const char *spec)
{
	for (uint64_t seed = 1; seed <= GAMES_OF_A_KIND; seed++) {
		struct games_order order = {
			.spec = spec,
			.seed = seed,
			.deals = seed % 2 ? 0 : 2,
			.keyed = seed > 2,
			.remarks = seed != 1,
		};

		derive_game(bench, &order);
	}
}

TEST(test_least_record_gives_the_full_one)
{
	each_spec(*state, check_least);
}

static void
check_full(struct games_bench *bench, const char *spec)
{
	struct games_order order = { .spec = spec, .seed = 9, .remarks = true };

	games_play(&order, &bench->full);
	assert_int_equal(games_derive(bench, bench->full.bytes,
			     bench->full.size, REPLAY_EVERYBODY, false),
	    0);
	assert_same(&bench->derived, &bench->full);
}

TEST(test_full_record_gives_itself)
{
	each_spec(*state, check_full);
}

static void
check_broken_off(struct games_bench *bench, const char *spec)
{
	for (uint64_t seed = 1; seed <= GAMES_OF_A_KIND; seed++) {
		struct games_order order = {
			.spec = spec,
			.seed = seed,
			.ending = seed % 2 ? "forfeit" : "interrupted",
		};

		derive_game(bench, &order);
	}
}

TEST(test_games_that_were_broken_off_end_the_same)
{
	each_spec(*state, check_broken_off);
}

/* The lines of a record but for those of one verb. */
static void
leave_out(const struct record *record, const char *verb, struct record *rest)
{
	const char *at = record->bytes, *end = at + record->size;

	record_clear(rest);
	while (at < end) {
		const char *next =
		    (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;

		if (!record_line_is(at, (size_t)(next - 1 - at), verb))
			record_add(rest, at, (size_t)(next - at));
		at = next;
	}
}

static void
check_given(struct games_bench *bench, const char *spec)
{
	struct games_order order = { .spec = spec, .seed = 5, .deals = 2 };
	struct record expected, found;

	record_init(&expected);
	record_init(&found);
	games_play(&order, &bench->full);
	games_reduce(&bench->full, false, &bench->least);
	if (games_derive(bench, bench->least.bytes, bench->least.size,
		REPLAY_EVERYBODY, false) != 0)
		fail_msg("%s: line %lld: %s", spec,
		    (long long)bench->fault.line, bench->fault.text);
	/* Tables and hands are sorted, so the pack is not the one dealt. */
	leave_out(&bench->full, "pack", &bench->least);
	leave_out(&bench->least, "sum", &expected);
	leave_out(&bench->derived, "pack", &bench->least);
	leave_out(&bench->least, "sum", &found);
	assert_same(&found, &expected);
	record_release(&expected);
	record_release(&found);
}

TEST(test_tables_and_hands_do_for_a_pack)
{
	each_spec(*state, check_given);
}

/* The moves of a `legal` line against the engine, walking along the record. */
static int
count_legal(struct games_bench *bench, const char *spec)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal = { .turn = SCOPA_SEAT_NONE };
	const char *at = bench->derived.bytes;
	const char *end = at + bench->derived.size;
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
check_legal(struct games_bench *bench, const char *spec)
{
	struct games_order order = { .spec = spec, .seed = 7, .deals = 1 };
	struct record plain;

	record_init(&plain);
	games_play(&order, &bench->full);
	games_reduce(&bench->full, true, &bench->least);
	assert_int_equal(games_derive(bench, bench->least.bytes,
			     bench->least.size, REPLAY_EVERYBODY, true),
	    0);
	assert_true(count_legal(bench, spec) >= 30);
	leave_out(&bench->derived, "legal", &bench->least);
	leave_out(&bench->least, "sum", &plain);
	leave_out(&bench->full, "sum", &bench->least);
	assert_same(&plain, &bench->least);
	record_release(&plain);
}

TEST(test_legal_lines_are_those_of_the_engine)
{
	each_spec(*state, check_legal);
}

TEST(test_seat_stream_hides_what_the_seat_may_not_see)
{
	struct games_bench *bench = *state;
	struct games_order order = {
		.spec = "scopa", .seed = 4, .keyed = true, .remarks = true
	};

	games_play(&order, &bench->full);
	assert_int_equal(
	    games_derive(bench, bench->full.bytes, bench->full.size, 1, false),
	    0);
	games_assert_derived_has(bench, " you=2 ");
	games_assert_derived_has(bench, "\ngive 1 ??????\n");
	games_assert_derived_has(bench, " seed=");
	for (size_t i = 0; i < bench->derived.size; i++)
		assert_int_not_equal(bench->derived.bytes[i], '\r');
	assert_null(
	    memmem(bench->derived.bytes, bench->derived.size, "\npack ", 6));
	assert_null(
	    memmem(bench->derived.bytes, bench->derived.size, " t=", 3));
	assert_null(
	    memmem(bench->derived.bytes, bench->derived.size, "\ninfo ", 6));
	assert_null(
	    memmem(bench->derived.bytes, bench->derived.size, " secret=", 8));
}

TEST_GROUP(games_setup, games_teardown)
