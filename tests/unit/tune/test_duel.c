/*
 * Duels in one process: equal players are equal, and the learned policy is
 * better than the greedy one; what is seen by looking on; what plays tell of
 * hidden hands.
 */
#include "duel.h"

#include "sample.h"
#include "support.h"
#include "test.h"

enum { PACKS = 300 };

static const struct duel_player greedy = { .kind = DUEL_GREEDY };
static const struct duel_player policy = { .kind = DUEL_POLICY };

TEST(test_equal_players_are_equal)
{
	const struct scopa_rules rules = support_rules("scopa,players=3");
	const struct duel_player players[] = { greedy, greedy };
	struct duel_result result;
	uint64_t random = 1;

	duel_play(&rules, players, PACKS, &random, &result);
	assert_near(result.mean, 0, 1e-9);
	assert_int_equal(result.packs, PACKS);
}

TEST(test_policy_beats_greedy)
{
	static const char *const specs[] = { "scientifico", "scopone", "scopa",
		"scopa,players=3", "scopa,players=4,teams=ABAB", "escoba",
		"cirulla" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		const struct scopa_rules rules = support_rules(specs[i]);
		const struct duel_player players[] = { policy, greedy };
		struct duel_result result;
		uint64_t random = 2;

		duel_play(&rules, players, PACKS, &random, &result);
		if (result.mean < result.margin)
			fail_msg("%s: %.2f +- %.2f", specs[i], result.mean,
			    result.margin);
	}
}

TEST(test_what_was_played_is_the_lesson)
{
	const struct watch_player players[] = { { greedy, 1 } };
	struct lessons lessons;
	uint64_t random = 3;

	lessons_open(&lessons);
	assert_int_equal(
	    watch_play(players, 1, POLICY_PAIR, 20, &random, &lessons), 0);
	assert_true(lessons.count > 100);
	for (size_t i = 0; i < lessons.count; i++) {
		const struct lesson *lesson = &lessons.items[i];

		assert_int_equal(lesson->family, POLICY_PAIR);
		assert_true(
		    lessons.targets[lesson->first + (size_t)lesson->greedy] ==
		    1);
	}
	lessons_close(&lessons);
}

TEST(test_plays_tell_of_hidden_hands)
{
	const struct scopa_rules rules = support_rules("scientifico");
	struct policy model = { .tables = policy_models, .sharpness = 1 };
	struct belief_config config = { .judge = policy_judge,
		.context = &model,
		.trust = 0.9,
		.worlds = 1,
		.swaps = 1,
		.listed_max = 1 };
	struct inference_part parts[INFERENCE_PARTS];
	uint64_t random = 4;

	inference_measure(&rules, &greedy, &config, 10, 32, &random, parts);
	assert_true(parts[1].bits > 0.3 && parts[2].bits > 0.3);
	/* Plays that nobody judges say nothing. */
	config.judge = NULL;
	inference_measure(&rules, &greedy, &config, 2, 8, &random, parts);
	assert_near(parts[1].bits, 0, 1e-6);
}
