/*
 * Opinions: a bad play is seen to be one, a good one is not, the same numbers
 * give the same opinion, and all rule sets are judged.
 */
#include <stdlib.h>
#include <string.h>

#include "maestro.h"
#include "support.h"
#include "test.h"

enum { ITERATIONS = 2000, DECISIONS_EACH = 3 };

static struct opinion_means means;

static int
setup(void **state)
{
	(void)state;
	means = (struct opinion_means){
		.iterations = ITERATIONS,
		.maestro = aligned_alloc(
		    _Alignof(struct maestro), sizeof(struct maestro)),
	};
	return means.maestro == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	free(means.maestro);
	return 0;
}

/* What the seat to move may know. */
static struct scopa_view
view_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct scopa_view view;

	support_view(rules, deal, deal->turn, &view);
	return view;
}

static struct opinion
opinion_of(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *move, uint64_t random)
{
	struct scopa_view view = view_of(rules, deal);
	struct opinion opinion;

	assert_true(
	    opinion_form(rules, &view, move, &means, &random, &opinion));
	return opinion;
}

/* Seat 1 can sweep with the settebello, or throw a king. */
static void
deal_start(const struct scopa_rules *rules, struct scopa_deal *deal)
{
	support_deal(rules, "3C4S2CAD 7DKC5B 6CJCQS", 1, deal);
	deal->table = support_set("3C4S");
	deal->captured[1] = support_set("2CAD");
}

static struct scopa_move
move_of(const char *text)
{
	struct scopa_move move;

	assert_int_equal(
	    scopa_move_parse(text, strlen(text), &move), SCOPA_PARSED);
	move.seat = 0;
	return move;
}

TEST(test_a_missed_sweep_is_a_loss)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_move good = move_of("7Dx3C4S"), bad = move_of("KC");
	struct scopa_deal deal;
	struct opinion opinion;

	deal_start(&rules, &deal);
	opinion = opinion_of(&rules, &deal, &bad, 1);
	assert_true(scopa_move_equal(&opinion.best, &good));
	assert_true(opinion.loss > 0.5);
	opinion = opinion_of(&rules, &deal, &good, 1);
	assert_true(scopa_move_equal(&opinion.best, &good));
	assert_true(opinion.loss == 0);
}

TEST(test_where_points_are_bad_the_sweep_is_the_loss)
{
	struct scopa_rules rules = support_rules("perdere");
	struct scopa_move sweep = move_of("7Dx3C4S");
	struct scopa_deal deal;
	struct opinion opinion;

	deal_start(&rules, &deal);
	opinion = opinion_of(&rules, &deal, &sweep, 1);
	assert_false(scopa_move_equal(&opinion.best, &sweep));
	assert_true(opinion.loss > 0.5);
}

TEST(test_the_same_numbers_give_the_same_opinion)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_move move = move_of("KC");
	struct opinion first, again;
	struct scopa_deal deal;

	deal_start(&rules, &deal);
	first = opinion_of(&rules, &deal, &move, 5);
	again = opinion_of(&rules, &deal, &move, 5);
	assert_true(first.loss == again.loss);
	assert_true(first.value == again.value);
	assert_int_equal(first.iterations, ITERATIONS);
	assert_int_equal(again.iterations, ITERATIONS);
}

/* The hidden cards may lie as they like: the opinion is of what is known. */
TEST(test_hidden_cards_change_no_opinion)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_move move = move_of("KC");
	struct opinion first, other;
	struct scopa_deal deal;

	deal_start(&rules, &deal);
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

/* Random deals, some decisions each. */
static void
judge_deal(const struct scopa_rules *rules, uint64_t *rng)
{
	struct scopa_deal deal;

	support_deal_random(rules, rng, 0, &deal);
	while (!scopa_deal_over(&deal)) {
		struct scopa_move move;

		scopa_move_pick(rules, &deal, support_random(rng), &move);
		if (support_random_below(rng, SCOPA_PACK_SIZE) <
		    DECISIONS_EACH) {
			struct opinion opinion =
			    opinion_of(rules, &deal, &move, 1);

			assert_true(opinion.loss >= 0);
			assert_int_equal(
			    scopa_deal_check(rules, &deal, &opinion.best),
			    SCOPA_LEGAL);
		}
		scopa_deal_apply(rules, &deal, &move);
	}
}

TEST(test_all_presets_and_seatings_are_judged)
{
	static const char *const seatings[] = { "scopa,players=3",
		"scopa,teams=ABAB", "scopa,players=6", "cirulla,players=3",
		"cirulla,declare=auto", "escoba,players=3" };
	uint64_t rng = 4;

	means.iterations = 40;
	for (int i = 0; i < scopa_preset_count; i++)
		judge_deal(&scopa_presets[i].rules, &rng);
	for (size_t i = 0; i < sizeof(seatings) / sizeof(seatings[0]); i++) {
		struct scopa_rules rules = support_rules(seatings[i]);

		judge_deal(&rules, &rng);
	}
	means.iterations = ITERATIONS;
}

TEST_GROUP(setup, teardown)
