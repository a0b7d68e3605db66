/*
 * What a seat is sent does not depend on hidden cards: if these cards are
 * exchanged among other hands and the deck, each byte sent to the seat is the
 * same, until a play depends on one of them.
 */
#include <stdio.h>
#include <string.h>

#include "script.h"
#include "support.h"
#include "test.h"

enum { TRIES = 2 };

static struct script_course course;
static int compared_count;

/* Writes a script: all bots start, some as observers, and make some moves. */
static void
write_steps(char text[SCRIPT_SIZE_MAX], int players, int moves, uint64_t random)
{
	for (int seat = 1; seat <= players; seat++)
		if (support_random_below(&random, 2) == 0)
			text += sprintf(text, "%d+;", seat);
		else
			text += sprintf(text,
			    "%d;%d>id name=x;%d>feature observe=1;%d>uspok 1;"
			    "%d>readyok;",
			    seat, seat, seat, seat, seat);
	while (moves-- > 0)
		text += sprintf(text, ".;");
}

static void
compare_for(
    const struct mock_order *order, int moves, int seat, uint64_t *random)
{
	char steps[SCRIPT_SIZE_MAX];
	struct mock_match *first, *second = NULL;

	write_steps(
	    steps, support_rules(order->spec).players, moves, order->seed);
	first = script_play(order, steps, &course);
	mock_assert_lacks(first->record.bytes, "offence *");
	for (int i = 0; i < TRIES && second == NULL; i++)
		second = script_again(first, steps, seat, &course, random);
	if (second) {
		assert_string_equal(first->seats[seat].sent.bytes,
		    second->seats[seat].sent.bytes);
		assert_int_equal(first->seats[seat].write_count,
		    second->seats[seat].write_count);
		compared_count++;
		mock_close(second);
	}
	mock_close(first);
}

static void
exchange(const char *spec, uint64_t seed)
{
	struct mock_order order = { .spec = spec, .deals = 1 };
	struct scopa_rules rules = support_rules(spec);
	long games = support_number("FLOW_GAMES", 2);
	uint64_t random = seed;

	for (long game = 0; game < games; game++) {
		int moves = support_random_below(&random, 40);

		order.seed = seed + (uint64_t)game;
		for (int seat = 0; seat < rules.players; seat++)
			compare_for(&order, moves, seat, &random);
	}
}

TEST(test_exchanging_hidden_cards_changes_no_byte_for_the_seat)
{
	int specs;

	compared_count = 0;
	specs = support_each_spec(exchange);
	assert_true(specs > 100);
	/* Nearly all exchanges do not change public events. */
	assert_true(compared_count > 4 * specs);
}

TEST(test_seats_with_exchanged_cards_are_sent_other_bytes)
{
	struct mock_order order = { .spec = "scopone", .deals = 1, .seed = 3 };
	static const char steps[] = "1+;2+;3+;4+;.;.;.;.;.";
	struct mock_match *first = script_play(&order, steps, &course), *second;
	uint64_t random = 1;
	int differing = 0;

	second = script_again(first, steps, 0, &course, &random);
	assert_non_null(second);
	for (int seat = 1; seat < 4; seat++)
		differing += strcmp(first->seats[seat].sent.bytes,
				 second->seats[seat].sent.bytes) != 0;
	assert_int_equal(differing, 3);
	mock_close(first);
	mock_close(second);
}
