/*
 * The strongest bot: it plays legal moves, depends on its seed, obeys its
 * limits, finds obvious moves, and judges moves of others.
 */
#include "maestro.h"

#include <string.h>

#include "decision.h"
#include "now.h"
#include "strength.h"
#include "support.h"
#include "test.h"

enum { ITERATIONS = 2000, DECISIONS_EACH = 3 };

static struct decision *bot;
static struct maestro *maestro;
static struct opinion_means means;

static int
setup(void **state)
{
	(void)state;
	bot = decision_open("maestro");
	maestro = bot->turn.memory;
	means = (struct opinion_means){
		.iterations = ITERATIONS,
		.maestro = maestro,
	};
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	decision_close(bot);
	return 0;
}

/* Plays a deal; with the same seed each answer is the same. */
static void
play_twice(const char *spec, uint64_t random)
{
	bot->options[MAESTRO_ITERATIONS] = 10;
	bot->options[MAESTRO_WORLDS] = 8;
	bot->rules = support_rules(spec);
	support_deal_random(&bot->rules, &random,
	    support_random_below(&random, bot->rules.players), &bot->deal);
	while (!scopa_deal_over(&bot->deal)) {
		char answer[sizeof(bot->answer)];
		uint64_t once;

		bot->random = 7;
		memcpy(answer, decision_ask(bot), sizeof(answer));
		once = bot->random;
		bot->random = 7;
		assert_string_equal(decision_ask(bot), answer);
		assert_true(bot->random == once);
		support_play(&bot->rules, &bot->deal, answer);
	}
}

TEST(test_each_rule_set_is_played_and_the_seed_decides_the_moves)
{
	assert_true(support_each_spec(play_twice) > 200);
}

/*
 * Seat 0 is to play; seat 1 has the hand `other` and has captured all other
 * cards.
 */
static void
assert_plays(const char *spec, const char *table, const char *hand,
    const char *other, const char *expected)
{
	bot->rules = support_rules(spec);
	bot->options[MAESTRO_ITERATIONS] = 1000;
	support_position(&bot->rules, table, hand, &bot->deal);
	support_hold(&bot->deal, other);
	assert_string_equal(decision_ask(bot), expected);
}

TEST(test_obvious_moves_are_found)
{
	assert_plays("scopa", "3C4S", "7BKD", "KS5B", "7Bx3C4S");
	/* The opponent's ace could sweep the ace; it cannot sweep the king. */
	assert_plays("scopa", "-", "ADKB", "AC2S", "KB");
	/* If the fewest points win, the sweep is not made. */
	assert_plays("perdere", "4S", "4BKD", "KSKC", "KD");
}

/* Plays a deal; returns how often all remaining worlds were solved. */
static int
count_solved(const char *spec, int *few)
{
	int solved = 0;

	bot->options[MAESTRO_ITERATIONS] = 100;
	decision_deal(bot, spec, 6);
	*few = 0;
	while (!scopa_deal_over(&bot->deal)) {
		const struct belief *belief = &maestro->belief;
		bool exact;

		/*
		 * If there is only one legal move, it is played without a
		 * search.
		 */
		maestro->result.exact = false;
		decision_ask(bot);
		exact = maestro->result.exact;
		*few += bot->info[0] != '\0' && belief->listed &&
		    belief->world_count <= MAESTRO_ENDGAME_WORLDS;
		assert_true(!exact || bot->deal.dealt == SCOPA_PACK_SIZE);
		assert_true(!exact ||
		    maestro->result.iterations == belief->world_count);
		solved += exact;
		support_play(&bot->rules, &bot->deal, bot->answer);
	}
	return solved;
}

TEST(test_few_worlds_are_solved_when_the_deck_is_empty)
{
	int few, solved;

	/*
	 * From two cards of each other player on; with one card there is no
	 * choice.
	 */
	assert_int_equal(count_solved("scientifico", &few), 5);
	assert_int_equal(few, 5);
	/* A hand of three and six cards in the deck are 84 worlds. */
	solved = count_solved("scopa", &few);
	assert_true(solved > 0 && solved < few);
}

TEST(test_thinking_time_follows_from_options_and_clock)
{
	static const struct {
		int64_t ms, iterations, move_ns, least_ms, most_ms;
	} cases[] = {
		/* A tenth of a second, even if the clock allows more. */
		{ MAESTRO_MS_AUTO, 0, 60 * NOW_NS_PER_S, 90, 30000 },
		{ MAESTRO_MS_AUTO, 0, -1, 90, 30000 },
		/* Given iterations, or given milliseconds. */
		{ MAESTRO_MS_AUTO, 10, 60 * NOW_NS_PER_S, 0, 30000 },
		{ 20, 0, 60 * NOW_NS_PER_S, 19, 30000 },
		/* As long as the clock allows. */
		{ 0, 0, NOW_NS_PER_S / 5, 140, 30000 },
	};

	decision_deal(bot, "scientifico", 5);
	for (size_t i = 0; i < COUNTOF(cases); i++) {
		bot->options[MAESTRO_MS] = cases[i].ms;
		bot->options[MAESTRO_ITERATIONS] = cases[i].iterations;
		bot->turn.move_ns = cases[i].move_ns;
		decision_ask(bot);
		assert_in_range((now_ns() - bot->turn.began_ns) / NOW_NS_PER_MS,
		    cases[i].least_ms, cases[i].most_ms);
	}
}

/* With enough time left, even on a busy machine, the search is not cut. */
TEST(test_all_iterations_are_made_if_the_clock_allows)
{
	static const struct {
		int64_t iterations, ms, move_ms;
		bool whole, cut;
	} cases[] = {
		{ 3000, MAESTRO_MS_AUTO, 600000, true, false },
		/* The end of the time, or the option `ms`, ends the search. */
		{ 1 << 20, MAESTRO_MS_AUTO, 20, false, true },
		{ 1 << 20, 5, 600000, false, false },
		/* Without a number of iterations the search is never cut. */
		{ 0, 0, 20, false, false },
	};

	decision_deal(bot, "scientifico", 5);
	bot->turn.work_ns = 1;
	bot->turn.lag_ns = 100 * NOW_NS_PER_MS;
	for (size_t i = 0; i < COUNTOF(cases); i++) {
		bot->options[MAESTRO_ITERATIONS] = cases[i].iterations;
		bot->options[MAESTRO_MS] = cases[i].ms;
		bot->turn.move_ns = cases[i].move_ms * NOW_NS_PER_MS;
		decision_ask(bot);
		assert_int_equal(decision_info_number(bot, "nodes=") ==
			(double)cases[i].iterations,
		    cases[i].whole);
		assert_int_equal(
		    strstr(bot->info, " cut=1") != NULL, cases[i].cut);
	}
}

TEST(test_each_strength_sends_info)
{
	decision_deal(bot, "scientifico", 5);
	bot->options[MAESTRO_ITERATIONS] = 100;
	for (int level = STRENGTH_MIN; level <= STRENGTH_MAX; level++) {
		bot->options[MAESTRO_STRENGTH] = level;
		decision_ask(bot);
		assert_non_null(strstr(bot->info, "nodes=100 "));
		assert_non_null(strstr(bot->info, " m.worlds=512 "));
		assert_non_null(strstr(bot->info, " m.ess="));
		assert_non_null(strstr(bot->info, " m.p.7"));
	}
	assert_non_null(strstr(bot->info, " pv="));
}

/* With a total of ten a five makes fifteen. */
TEST(test_info_has_the_cards_that_would_sweep)
{
	bot->rules = support_rules("escoba");
	bot->options[MAESTRO_ITERATIONS] = 100;
	support_deal(&bot->rules, "3C4S2CAD 7DKC5B 6CJCQS", 1, &bot->deal);
	decision_ask(bot);
	assert_non_null(strstr(bot->info, " m.p.5D.2="));
	assert_null(strstr(bot->info, " m.p.KD"));
}

static struct opinion
opinion_of(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *move, uint64_t random)
{
	struct opinion opinion;
	struct scopa_view view;

	support_view(rules, deal, deal->turn, &view);
	assert_true(
	    opinion_form(rules, &view, move, &means, &random, &opinion));
	return opinion;
}

/* Seat 0 can sweep with the settebello, or lay a king. */
static void
deal_start(const struct scopa_rules *rules, struct scopa_deal *deal)
{
	support_deal(rules, "3C4S2CAD 7DKC5B 6CJCQS", 1, deal);
	deal->table = support_set("3C4S");
	deal->captured[1] = support_set("2CAD");
}

TEST(test_missed_sweep_is_judged_as_a_loss)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_move good, bad;
	struct scopa_deal deal;
	struct opinion opinion;

	deal_start(&rules, &deal);
	good = support_move(&deal, "7Dx3C4S");
	bad = support_move(&deal, "KC");
	opinion = opinion_of(&rules, &deal, &bad, 1);
	assert_true(scopa_move_equal(&opinion.best, &good));
	assert_true(opinion.loss > 0.5);
	opinion = opinion_of(&rules, &deal, &good, 1);
	assert_true(scopa_move_equal(&opinion.best, &good));
	assert_true(opinion.loss == 0);
}

/* The opinion depends only on cards that the seat knows. */
TEST(test_hidden_cards_do_not_change_the_opinion)
{
	struct scopa_rules rules = support_rules("scopa");
	struct opinion first, other;
	struct scopa_move move;
	struct scopa_deal deal;

	deal_start(&rules, &deal);
	move = support_move(&deal, "KC");
	first = opinion_of(&rules, &deal, &move, 5);
	deal.hands[1] = support_set("7C7S7B");
	for (int i = deal.dealt; i < SCOPA_PACK_SIZE; i++)
		if (scopa_set_has(deal.hands[1], deal.pack[i]))
			deal.pack[i] = support_card(
			    deal.pack[i] == support_card("7C")       ? "6C"
				: deal.pack[i] == support_card("7S") ? "JC"
								     : "QS");
	other = opinion_of(&rules, &deal, &move, 5);
	assert_true(first.loss == other.loss);
	assert_true(first.value == other.value);
}

/* A match with a fixed number of deals has no target. */
TEST(test_target_does_not_count_in_a_fixed_number_of_deals)
{
	struct scopa_rules rules = support_rules("scopa");
	struct opinion first, other;
	struct scopa_move move;
	struct scopa_deal deal;

	deal_start(&rules, &deal);
	move = support_move(&deal, "KC");
	means.deal_count = 14;
	first = opinion_of(&rules, &deal, &move, 5);
	rules.target = 1;
	other = opinion_of(&rules, &deal, &move, 5);
	assert_true(first.loss == other.loss);
	assert_true(first.value == other.value);
	means.deal_count = 0;
	other = opinion_of(&rules, &deal, &move, 5);
	assert_true(first.value != other.value);
}

/* Judges some decisions of a random deal. */
static void
judge_deal(const char *spec, uint64_t rng)
{
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;

	support_deal_random(&rules, &rng, 0, &deal);
	while (!scopa_deal_over(&deal)) {
		struct scopa_move move;

		scopa_move_pick(&rules, &deal, support_random(&rng), &move);
		if (support_random_below(&rng, SCOPA_PACK_SIZE) <
		    DECISIONS_EACH) {
			struct opinion opinion =
			    opinion_of(&rules, &deal, &move, 1);

			assert_true(opinion.loss >= 0);
			assert_int_equal(
			    scopa_deal_check(&rules, &deal, &opinion.best),
			    SCOPA_LEGAL);
		}
		scopa_deal_apply(&rules, &deal, &move);
	}
}

TEST(test_all_rule_sets_are_judged)
{
	means.iterations = 40;
	assert_true(support_each_spec(judge_deal) > 200);
}

TEST_EACH(setup, teardown)
