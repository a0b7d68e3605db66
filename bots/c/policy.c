#include "policy.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* Moves whose features are held at a time: a list may have thousands. */
enum { BATCH_SIZE = 64 };

/*
 * A declaration shows the hand and gives points for nothing else, so it comes
 * before any play where points are good, and after all of them where they are
 * bad.
 */
static const float DECLARATION_SCORE = 50;

/* Odds stay within the range of a float, also when they are added up. */
static const float SCORE_MAX = 60;

static const struct policy learned = { .sharpness = 1 };

static const char *const family_names[POLICY_FAMILY_COUNT] = {
	[POLICY_SCOPONE] = "scopone",
	[POLICY_PAIR] = "pair",
	[POLICY_CROWD] = "crowd",
	[POLICY_PARTNERS] = "partners",
	[POLICY_FIFTEEN] = "fifteen",
	[POLICY_CIRULLA] = "cirulla",
};

const char *
policy_family_name(enum policy_family family)
{
	assert(family < POLICY_FAMILY_COUNT);
	return family_names[family];
}

enum policy_family
policy_family_of(const struct scopa_rules *rules)
{
	if (rules->capture == SCOPA_CAPTURE_FIFTEEN)
		return POLICY_FIFTEEN;
	if (rules->capture == SCOPA_CAPTURE_SUM_OR_FIFTEEN)
		return POLICY_CIRULLA;
	if (rules->table + rules->players * rules->hand == SCOPA_PACK_SIZE)
		return POLICY_SCOPONE;
	if (rules->players == 2)
		return POLICY_PAIR;
	return scopa_party_count(rules) == rules->players ? POLICY_CROWD
							  : POLICY_PARTNERS;
}

int
policy_phase_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	int plays = rules->players * rules->hand;

	if (rules->table + plays == SCOPA_PACK_SIZE)
		return POLICY_PHASE_COUNT * deal->play_count / plays;
	if (deal->dealt == SCOPA_PACK_SIZE)
		return 2;
	return scopa_set_count(deal->hands[deal->turn]) < rules->hand;
}

static float
score_of(const float features[POLICY_FEATURE_COUNT],
    const struct policy_table *table, int phase)
{
	float scores[4] = { 0 };
	int i = 0;

	/* Sums that do not wait for each other. */
	for (; i + 4 <= POLICY_FEATURE_COUNT; i += 4)
		for (int lane = 0; lane < 4; lane++)
			scores[lane] += features[i + lane] *
			    table->weights[i + lane][phase];
	for (; i < POLICY_FEATURE_COUNT; i++)
		scores[0] += features[i] * table->weights[i][phase];
	return scores[0] + scores[1] + (scores[2] + scores[3]);
}

/* Turns scores into probabilities, some of them given out evenly. */
static void
spread(float *weights, int count, float sharpness, float uniform)
{
	float most = weights[0], total = 0;

	for (int i = 1; i < count; i++)
		if (weights[i] > most)
			most = weights[i];
	for (int i = 0; i < count; i++) {
		weights[i] = expf(sharpness * (weights[i] - most));
		total += weights[i];
	}
	for (int i = 0; i < count; i++)
		weights[i] =
		    (1 - uniform) * weights[i] / total + uniform / (float)count;
}

/* The linear function of each move. */
static void
scores_fill(const struct policy *policy, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *scores)
{
	const struct policy_table *tables =
	    policy->tables ? policy->tables : policy_tables;
	const struct policy_table *table = &tables[policy_family_of(rules)];
	int phase = policy_phase_of(rules, deal);
	float features[BATCH_SIZE][POLICY_FEATURE_COUNT];

	assert(count > 0);
	for (int first = 0; first < count; first += BATCH_SIZE) {
		int size =
		    count - first < BATCH_SIZE ? count - first : BATCH_SIZE;

		policy_features(rules, deal, moves + first, size, features);
		for (int i = 0; i < size; i++)
			scores[first + i] = score_of(features[i], table, phase);
	}
	for (int i = 0; i < count; i++)
		if (moves[i].declaration != SCOPA_DECLARE_NOTHING)
			scores[i] = DECLARATION_SCORE *
			    (rules->aim == SCOPA_AIM_LEAST ? -1 : 1);
}

void
policy_judge(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *weights)
{
	const struct policy *policy = context ? context : &learned;

	scores_fill(policy, rules, deal, moves, count, weights);
	spread(weights, count, policy->sharpness, policy->uniform);
}

void
policy_odds(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *odds)
{
	const struct policy *policy = context ? context : &learned;

	scores_fill(policy, rules, deal, moves, count, odds);
	for (int i = 0; i < count; i++) {
		float score = fminf(policy->sharpness * odds[i], SCORE_MAX);

		odds[i] = expf(fmaxf(score, -SCORE_MAX));
	}
}
