#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plan.h"

static struct series_config config;

/* Rounds at a table of four, by individuals or by two pairs. */
static void
set_table(int entrant_count, const char *layout, bool duplicate)
{
	char spec[64], reason[256];
	struct scopa_text why;

	scopa_text_init(&why, reason, sizeof(reason));
	strcpy(spec, "scopa,teams=");
	strcat(spec, layout);
	memset(&config, 0, sizeof(config));
	assert_true(scopa_rules_parse(&config.rules.rules, spec, &why));
	config.entrant_count = entrant_count;
	config.rounds = 5;
	config.duplicate = duplicate;
}

static void
test_without_duplicates_a_round_is_one_game(void **state)
{
	(void)state;
	set_table(4, "ABCD", false);
	assert_int_equal(series_game_count(&config), 5);
	for (int index = 0; index < 5; index++) {
		struct match_game game = plan_game(&config, index);

		assert_int_equal(game.index, index);
		assert_int_equal(game.round, index);
		assert_int_equal(game.rotation, 0);
		assert_int_equal(game.dealer, (3 + index) % 4);
		for (int seat = 0; seat < 4; seat++)
			assert_int_equal(game.player[seat], seat);
	}
}

static void
test_duplicates_seat_everybody_everywhere_with_the_same_packs(void **state)
{
	unsigned seen[4] = { 0 };

	(void)state;
	set_table(4, "ABCD", true);
	assert_int_equal(series_game_count(&config), 20);
	for (int index = 8; index < 12; index++) {
		struct match_game game = plan_game(&config, index);

		assert_int_equal(game.round, 2);
		assert_int_equal(game.dealer, 1);
		assert_string_equal(game.event, "round-3");
		for (int seat = 0; seat < 4; seat++)
			seen[game.player[seat]] |= 1U << seat;
	}
	for (int player = 0; player < 4; player++)
		assert_int_equal(seen[player], 15);
}

static void
test_an_entrant_may_be_a_whole_party(void **state)
{
	(void)state;
	set_table(2, "ABAB", true);
	assert_int_equal(series_game_count(&config), 10);
	for (int player = 0; player < 4; player++)
		assert_int_equal(plan_entrant(&config, player), player % 2);
	set_table(4, "ABAB", true);
	assert_int_equal(series_game_count(&config), 20);
	for (int player = 0; player < 4; player++)
		assert_int_equal(plan_entrant(&config, player), player);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_duplicates_a_round_is_one_game),
		cmocka_unit_test(
		    test_duplicates_seat_everybody_everywhere_with_the_same_packs),
		cmocka_unit_test(test_an_entrant_may_be_a_whole_party),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
