/*
 * The bots that use only the list of legal moves.
 */
#include "players.h"

#include <string.h>

#include "test.h"

enum { DRAWS = 40000, MOVES_MAX = 8, ANSWER_SIZE = 64 };

/* The answer; empty if there is none. */
static const char *
choose(const char *bot, const char *legal, uint64_t *random)
{
	static char bytes[ANSWER_SIZE];
	struct scopa_text answer;
	const struct builtin_turn turn = {
		.legal = legal,
		.legal_length = strlen(legal),
		.random = random,
	};

	scopa_text_init(&answer, bytes, sizeof(bytes));
	return builtin_find(bot)->choose(&turn, &answer) ? bytes : "";
}

static uint64_t
seed_of(const char *text)
{
	return builtin_seed((struct token){ text, strlen(text) });
}

TEST(test_random_plays_each_move_equally_often)
{
	static const char legal[] = "0A 1A 2A 3A 4A 5A 6A ...";
	uint64_t random = seed_of("1");
	int counts[MOVES_MAX] = { 0 };
	double chi_squared = 0;

	for (int i = 0; i < DRAWS; i++) {
		const char *move = choose("random", legal, &random);

		assert_in_range(move[0], '0', '6');
		assert_string_equal(move + 1, "A");
		counts[move[0] - '0']++;
	}
	for (int i = 0; i < 7; i++) {
		double expected = DRAWS / 7.0;
		double surplus = counts[i] - expected;

		chi_squared += surplus * surplus / expected;
	}
	/* A good generator exceeds this once in ten thousand runs. */
	assert_true(chi_squared < 27.9);
}

TEST(test_equal_seeds_give_equal_moves_and_other_seeds_do_not)
{
	static const char legal[] = "0A 1A 2A 3A 4A 5A 6A 7A";
	uint64_t one = seed_of("00ff"), same = seed_of("00ff");
	uint64_t next = seed_of("0100");
	int agreed = 0;

	for (int i = 0; i < 1000; i++) {
		char a = choose("random", legal, &one)[0];
		char b = choose("random", legal, &same)[0];
		char c = choose("random", legal, &next)[0];

		assert_int_equal(a, b);
		agreed += a == c;
	}
	/* 125 are expected, with a deviation of 10.5. */
	assert_in_range(agreed, 70, 180);
}
