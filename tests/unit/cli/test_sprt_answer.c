/*
 * What is made of counts and moments: the evidence, and the answer to it.
 */
#include "cmd_sprt.h"

#include <stdint.h>
#include <string.h>

#include "sample.h"
#include "test.h"

static struct sprt
sprt_of(enum sprt_model model)
{
	return (struct sprt){
		.model = model,
		.low = 0,
		.high = 10,
		.alpha = 0.05,
		.beta = 0.05,
	};
}

TEST(test_each_source_fits_its_models)
{
	const struct trinomial games = { 3, 2, 1 };
	const struct pentanomial pairs = { { 1, 2, 3, 4, 5 } };
	const struct sprt_evidence evidence[] = {
		sprt_evidence_games(&games),
		sprt_evidence_pairs(&pairs),
		sprt_evidence_margins(10, 1, 2, true),
	};
	static const bool fits[][SPRT_MODEL_COUNT] = {
		{ true, true, true, true, false },
		{ true, true, true, false, false },
		{ true, false, false, false, false },
	};

	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < SPRT_MODEL_COUNT; k++) {
			enum sprt_model model = (enum sprt_model)k;

			assert_int_equal(
			    sprt_evidence_fits(&evidence[i], model),
			    fits[i][k]);
		}
	}
}

TEST(test_sigma_of_moments_is_taken_as_given)
{
	struct sprt_evidence evidence =
	    sprt_evidence_margins(50, 0.3, 1.5, true);
	struct sprt sprt = sprt_of(SPRT_MARGIN);
	struct sprt_answer answer = sprt_answer_make(&evidence, &sprt, 0.95);
	double t = 0.3 / 1.5;
	double t1 = 10 * sqrt(2) / ESTIMATE_NELO_PER_T;

	assert_near(answer.state.llr, 50 * t1 * (t - t1 / 2), 1e-12);
	assert_near(answer.peer_llr,
	    25 * log((1 + t * t) / (1 + (t - t1) * (t - t1))), 1e-12);
	assert_near(answer.nelo.value, ESTIMATE_NELO_PER_T * t / sqrt(2), 1e-9);
	assert_near(answer.nelo_error,
	    ESTIMATE_NELO_PER_T * normal_quantile(0.975) *
		sqrt((1 + t * t / 2) / 100),
	    1e-9);
	assert_near(answer.peer_nelo_error,
	    ESTIMATE_NELO_PER_T * normal_quantile(0.975) / sqrt(100), 1e-9);
	assert_near(answer.los, student_distribution(t * sqrt(49), 49), 1e-12);
	assert_near(answer.peer_los, normal_distribution(t * sqrt(50)), 1e-12);
	assert_false(answer.has_score);
	assert_string_equal(answer.counted, "blocks");
}

TEST(test_single_blocks_have_the_nelo_of_games)
{
	struct sprt_evidence evidence =
	    sprt_evidence_margins(50, 0.3, 1.5, false);
	struct sprt sprt = sprt_of(SPRT_MARGIN);
	struct sprt_answer answer = sprt_answer_make(&evidence, &sprt, 0.95);

	assert_near(answer.nelo.value, ESTIMATE_NELO_PER_T * 0.2, 1e-9);
}

/* The margin model on scores asks what the normalised one asks. */
TEST(test_margins_of_counts_are_their_scores)
{
	const struct pentanomial pairs = { { 500, 2000, 4500, 2200, 800 } };
	struct sprt_evidence evidence = sprt_evidence_pairs(&pairs);
	struct sprt margin = sprt_of(SPRT_MARGIN);
	struct sprt normalized = sprt_of(SPRT_NORMALIZED);
	struct sprt_answer one = sprt_answer_make(&evidence, &margin, 0.95);
	struct sprt_answer two = sprt_answer_make(&evidence, &normalized, 0.95);
	struct estimate nelo = mean_nelo(&evidence.pair.margins, true, 0.95);

	assert_near(one.state.llr, two.state.llr, 0.02 * two.state.llr);
	assert_near(nelo.value, two.nelo.value, 1e-9);
	assert_near(nelo.low, two.nelo.low, 1e-9);
	assert_true(one.nelo.value == two.nelo.value);
	assert_true(one.has_score && two.has_score);
	assert_string_equal(one.counted, "pairs");
	assert_int_equal(one.count, 10000);
}

TEST(test_the_minimum_holds_the_decision_alone)
{
	const struct trinomial games = { 250, 0, 10 };
	struct sprt_evidence evidence = sprt_evidence_games(&games);
	struct sprt sprt = sprt_of(SPRT_LOGISTIC);
	struct sprt_answer free, held;

	free = sprt_answer_make(&evidence, &sprt, 0.95);
	sprt.minimum = 261;
	held = sprt_answer_make(&evidence, &sprt, 0.95);
	assert_int_equal(free.state.decision, SPRT_ACCEPT_H1);
	assert_int_equal(held.state.decision, SPRT_CONTINUE);
	assert_true(held.state.llr == free.state.llr);
	assert_true(held.state.remaining == 1);
}

TEST(test_no_results_are_no_evidence)
{
	const struct trinomial games = { 0, 0, 0 };
	struct sprt_evidence evidence = sprt_evidence_games(&games);

	for (int model = 0; model < SPRT_BETTING; model++) {
		struct sprt sprt = sprt_of((enum sprt_model)model);
		struct sprt_answer answer =
		    sprt_answer_make(&evidence, &sprt, 0.95);

		assert_true(answer.state.llr == 0);
		assert_int_equal(answer.state.decision, SPRT_CONTINUE);
		assert_true(answer.los == 0.5);
		assert_int_equal(answer.count, 0);
	}
}
