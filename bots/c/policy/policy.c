#include "policy.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "policy_tables.inc"
#include "position_features.h"

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
	return scopa_team_count(rules) == rules->players ? POLICY_CROWD
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
    const float weights[POLICY_FEATURE_COUNT])
{
	float scores[4] = { 0 };
	int i = 0;

	/* Sums that do not wait for each other. */
	for (; i + 4 <= POLICY_FEATURE_COUNT; i += 4)
		for (int lane = 0; lane < 4; lane++)
			scores[lane] += features[i + lane] * weights[i + lane];
	for (; i < POLICY_FEATURE_COUNT; i++)
		scores[0] += features[i] * weights[i];
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
	const float *weights = tables[policy_family_of(rules)]
				   .weights[policy_phase_of(rules, deal)];
	float features[BATCH_SIZE][POLICY_FEATURE_COUNT];

	assert(count > 0);
	for (int first = 0; first < count; first += BATCH_SIZE) {
		int size =
		    count - first < BATCH_SIZE ? count - first : BATCH_SIZE;

		policy_features(rules, deal, moves + first, size, features);
		for (int i = 0; i < size; i++)
			scores[first + i] = score_of(features[i], weights);
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

/* What can be said of each move, as numbers. */

/* One move on its way to become features. */
struct step {
	const struct position_features *position;
	const struct scopa_move *move;
	scopa_set taken; /* the played card included, where it captures */
	scopa_set table; /* left behind */
	scopa_set hand;  /* left in the hand */
	int value;       /* of the card played */
	bool takes;
	float *features;
};

/* Whether clearing the table scores. */
static bool
step_sweeps(const struct step *step)
{
	const struct scopa_rules *rules = step->position->rules;

	if (!rules->scopa || step->move->captured == SCOPA_SET_EMPTY ||
	    step->move->captured != step->position->table ||
	    (!rules->last_scopa && step->position->plays_left == 1))
		return false;
	return rules->ace_scopa || rules->ace == SCOPA_ACE_PLAIN ||
	    step->value != 1 || scopa_set_total(step->position->table) == 1;
}

/* How many values are gone in odd number, of which one pair is no more. */
static int
odd_values(scopa_set gone)
{
	scopa_set bits = gone ^ gone >> 2;

	return scopa_set_count((bits ^ bits >> 1) & SCOPA_SET_DENARI);
}

static void
take_fill(struct step *step)
{
	const struct position_features *position = step->position;
	float *features = step->features, sign = position->sign;
	scopa_set like = scopa_set_of_value(step->value);
	int unpaired = odd_values(position->gone | step->taken) -
	    odd_values(position->gone);

	features[POLICY_CAPTURE] = 1;
	features[POLICY_SWEEP] = step_sweeps(step) ? sign : 0;
	features[POLICY_TAKE_CARDS] = sign *
	    position_race_change(
		&position->cards, scopa_set_count(step->taken));
	features[POLICY_TAKE_COINS] = sign *
	    position_race_change(&position->coins,
		scopa_set_count(step->taken & SCOPA_SET_DENARI));
	for (scopa_set cards = step->taken; cards;) {
		const struct position_worth *worth =
		    &position->worth[scopa_set_take(&cards)];

		features[POLICY_TAKE_SETTEBELLO] += sign * worth->settebello;
		features[POLICY_TAKE_SEVENS] += sign * worth->seven;
		features[POLICY_TAKE_PRIMIERA] += sign * worth->primiera;
		features[POLICY_TAKE_BONUS] += sign * worth->bonus;
		features[POLICY_GAIN] += sign * worth->points;
	}
	features[POLICY_GAIN] += features[POLICY_SWEEP];
	features[POLICY_TAKE_OF_ALLY] =
	    (float)scopa_set_count(step->taken & position->laid_by_ally);
	features[POLICY_TAKE_HELD] = (float)scopa_set_count(step->hand & like);
	if (position->deal->dealt == SCOPA_PACK_SIZE)
		features[POLICY_TAKE_LATE] = sign / (float)position->plays_left;
	features[position->dealer_team ? POLICY_UNPAIR_DEALER
				       : POLICY_UNPAIR_HAND] = (float)unpaired;
	features[POLICY_TAKE_VALUE + step->value - 1] = 1;
}

static void
lay_fill(struct step *step)
{
	const struct position_features *position = step->position;
	const struct position_worth *worth = &position->worth[step->move->card];
	float *features = step->features, sign = position->sign;
	scopa_set like = scopa_set_of_value(step->value);

	features[POLICY_LAY_HELD] = (float)scopa_set_count(step->hand & like);
	features[POLICY_LAY_UNSEEN] =
	    (float)scopa_set_count(position->unseen & like);
	features[POLICY_LAY_LIKE_AFTER] =
	    (float)(position->after.laid >> step->value & 1);
	features[POLICY_LAY_LIKE_NEXT] =
	    (float)(position->next.laid >> step->value & 1);
	features[POLICY_LAY_COIN] = sign * worth->coin;
	features[POLICY_LAY_PRIMIERA] = sign * worth->primiera;
	features[POLICY_LAY_BONUS] = sign * worth->bonus;
	features[POLICY_LAY_VALUE + step->value - 1] = 1;
}

/* The mover himself may be the player after the next: he knows his hand. */
static float
after_holds(const struct step *step, position_values values)
{
	if (step->position->rules->players == 2 &&
	    step->hand != SCOPA_SET_EMPTY)
		return position_values_of(step->hand) & values ? 1 : 0;
	return position_holds(&step->position->after, values);
}

/* What the best captures of those to come are worth. */
static void
replies_fill(struct step *step, float next, float after)
{
	const struct position_features *position = step->position;
	const struct scopa_rules *rules = position->rules;
	const struct scopa_deal *deal = position->deal;
	float *features = step->features, sign = position->sign, own = 0,
	      rest = 0;
	float replies[SCOPA_VALUE_MAX + 1];
	int last = step->takes ? deal->turn : deal->last;

	position_replies(position, step->table, replies);
	for (position_values held = position_values_of(step->hand); held;
	     held &= held - 1)
		if (replies[__builtin_ctz(held)] > own)
			own = replies[__builtin_ctz(held)];
	features[POLICY_OWN_REPLY] = sign * own;
	features[POLICY_NEXT_REPLY] =
	    sign * position_expectation(&position->next, replies);
	features[POLICY_AFTER_REPLY] = sign * (1 - next) *
	    (rules->players == 2 && step->hand != SCOPA_SET_EMPTY
		    ? own
		    : position_expectation(&position->after, replies));
	features[POLICY_THIRD_REPLY] = sign * (1 - next) * (1 - after) *
	    position_expectation(&position->third, replies);
	if (deal->dealt < SCOPA_PACK_SIZE || last >= rules->players)
		return;
	for (scopa_set cards = step->table; cards;)
		rest += position->worth[scopa_set_take(&cards)].points;
	features[scopa_team_of(rules, last) == scopa_team_of(rules, deal->turn)
		? POLICY_REST_OWN
		: POLICY_REST_OTHER] =
	    sign * rest / (float)position->plays_left;
}

/* What the two players to come can do with the table that is left. */
static void
table_fill(struct step *step)
{
	const struct position_features *position = step->position;
	const struct scopa_rules *rules = position->rules;
	float *features = step->features, sign = position->sign, next, after;
	position_values all = 0,
			sweepers = position_sweepers(rules, step->table);
	bool counts =
	    rules->scopa && (rules->last_scopa || position->plays_left > 2);
	int total = scopa_set_total(step->table);

	features[POLICY_TABLE_EMPTY] = step->table == SCOPA_SET_EMPTY;
	features[POLICY_TABLE_LOW] = sweepers != 0;
	features[POLICY_TABLE_TOTAL] = (float)total / 20;
	for (scopa_set cards = step->table; cards;) {
		scopa_card card = scopa_set_take(&cards);
		const struct position_worth *worth = &position->worth[card];
		position_values takers =
		    position_takers(rules, step->table, card);

		all |= takers;
		next = sign * position_holds(&position->next, takers);
		after = (sign - next) * after_holds(step, takers);
		features[POLICY_NEXT_COINS] += next * worth->coin;
		features[POLICY_NEXT_SETTEBELLO] += next * worth->settebello;
		features[POLICY_NEXT_SEVENS] += next * worth->seven;
		features[POLICY_NEXT_PRIMIERA] += next * worth->primiera;
		features[POLICY_NEXT_BONUS] += next * worth->bonus;
		features[POLICY_AFTER_COINS] += after * worth->coin;
		features[POLICY_AFTER_SETTEBELLO] += after * worth->settebello;
		features[POLICY_AFTER_SEVENS] += after * worth->seven;
		features[POLICY_AFTER_PRIMIERA] += after * worth->primiera;
		features[POLICY_AFTER_BONUS] += after * worth->bonus;
	}
	next = position_holds(&position->next, all);
	features[POLICY_NEXT_CAPTURE] = sign * next;
	after = after_holds(step, all);
	features[POLICY_AFTER_CAPTURE] = sign * (1 - next) * after;
	replies_fill(step, next, after);
	features[POLICY_TABLE_OWN] =
	    (position_values_of(step->hand) & all) != 0;
	if (!counts)
		return;
	features[POLICY_NEXT_SWEEP] =
	    sign * position_holds(&position->next, sweepers);
	features[POLICY_AFTER_SWEEP] =
	    sign * (1 - next) * after_holds(step, sweepers);
}

static void
move_fill(const struct position_features *position,
    const struct scopa_move *move, float features[POLICY_FEATURE_COUNT])
{
	struct step step = {
		.position = position, .move = move, .features = features
	};
	scopa_set played;

	memset(features, 0, POLICY_FEATURE_COUNT * sizeof(features[0]));
	/* A declaration is no play; policy_judge handles it. */
	if (move->declaration != SCOPA_DECLARE_NOTHING)
		return;
	played = scopa_set_of(move->card);
	step.value = scopa_card_value(move->card);
	step.takes = move->captured != SCOPA_SET_EMPTY ||
	    (position->rules->ace_empty == SCOPA_ACE_EMPTY_TAKE &&
		step.value == 1 && position->table == SCOPA_SET_EMPTY);
	step.taken = step.takes ? move->captured | played : SCOPA_SET_EMPTY;
	step.table = (position->table & ~move->captured) |
	    (step.takes ? SCOPA_SET_EMPTY : played);
	step.hand = position->hand & ~played;
	if (step.takes)
		take_fill(&step);
	else
		lay_fill(&step);
	table_fill(&step);
}

void
policy_features(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count,
    float (*features)[POLICY_FEATURE_COUNT])
{
	struct position_features position;

	assert(!scopa_deal_over(deal));
	position_init(&position, rules, deal);
	for (int i = 0; i < count; i++)
		move_fill(&position, &moves[i], features[i]);
}
