#include "dispatcher.h"

#include <stdint.h>
#include <string.h>

#include "test.h"

static struct scopa_rules rules;
static struct plan plan;

/* Rounds at a match of four, by individuals or by two pairs. */
static void
set_table(int entrant_count, const char *layout, bool duplicate)
{
	char spec[64], reason[256];
	struct scopa_text why;

	scopa_text_init(&why, reason, sizeof(reason));
	strcpy(spec, "scopa,teams=");
	strcat(spec, layout);
	assert_true(scopa_rules_parse(&rules, spec, &why));
	plan = (struct plan){
		.rules = &rules,
		.entrant_count = entrant_count,
		.rounds = 5,
		.duplicate = duplicate,
	};
}

TEST(test_without_duplicates_a_round_is_one_game)
{
	set_table(4, "ABCD", false);
	assert_int_equal(plan_game_count(&plan), 5);
	for (int index = 0; index < 5; index++) {
		struct game_spec game = plan_game(&plan, index);

		assert_int_equal(game.index, index);
		assert_int_equal(game.round, index);
		assert_int_equal(game.rotation, 0);
		assert_int_equal(game.dealer, (3 + index) % 4);
		for (int seat = 0; seat < 4; seat++)
			assert_int_equal(game.entrant[seat], seat);
	}
}

TEST(test_duplicates_seat_everybody_everywhere_with_the_same_packs)
{
	unsigned seen[4] = { 0 };

	set_table(4, "ABCD", true);
	assert_int_equal(plan_game_count(&plan), 20);
	for (int index = 8; index < 12; index++) {
		struct game_spec game = plan_game(&plan, index);

		assert_int_equal(game.round, 2);
		assert_int_equal(game.rotation, index - 8);
		assert_int_equal(game.dealer, 1);
		assert_string_equal(game.event, "round-3");
		for (int seat = 0; seat < 4; seat++)
			seen[game.entrant[seat]] |= 1U << seat;
	}
	for (int entrant = 0; entrant < 4; entrant++)
		assert_int_equal(seen[entrant], 15);
}

TEST(test_an_entrant_may_be_a_whole_team)
{
	set_table(2, "ABAB", true);
	assert_int_equal(plan_game_count(&plan), 10);
	for (int index = 0; index < 10; index++) {
		struct game_spec game = plan_game(&plan, index);

		for (int seat = 0; seat < 4; seat++)
			assert_int_equal(
			    game.entrant[seat], (seat + index) % 2);
	}
}

TEST(test_partners_may_be_different_entrants)
{
	set_table(4, "ABAB", true);
	assert_int_equal(plan_game_count(&plan), 20);
	for (int index = 0; index < 20; index++) {
		struct game_spec game = plan_game(&plan, index);

		for (int seat = 0; seat < 4; seat++)
			assert_int_equal(
			    game.entrant[seat], (seat + index) % 4);
	}
}
