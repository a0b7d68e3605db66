/*
 * Implements opponent_model.h.
 *
 * For a pool that lists all worlds, each world is weighted by every hypothesis
 * (read_list).  For a drawn pool, walks by annealed importance sampling find
 * worlds of each hypothesis, and replace a part of the pool (read_pool).  "Gap"
 * is the logarithm of the probability of plays by the rules, less that by the
 * policy.
 */
#include "opponent_model.h"

#include <math.h>
#include <string.h>

#include "greedy.h"
#include "now.h"
#include "splitmix.h"
#include "tradition.h"

/*
 * The probability that a player by known rules follows them in a play; else the
 * move is random.
 */
static const double faith = 0.95;

/* Swaps in one step of a walk, and before its first step. */
enum { SWAPS = 4, SWAPS_BEFORE = 400 };

/*
 * The least number of walks.  After these, a hypothesis with a probability
 * below `lost` is not examined further.
 */
enum { WALKS_LEAST = 4 };
static const double lost = 0.002;

bool
opponent_model_fits(const struct scopa_rules *rules)
{
	return rules->table + rules->players * rules->hand == SCOPA_PACK_SIZE &&
	    rules->aim != SCOPA_AIM_LEAST &&
	    rules->declare == SCOPA_DECLARE_OFF;
}

bool
opponent_model_holds(enum opponent_kind player, const struct scopa_deal *deal)
{
	int left = 0;

	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		left += scopa_set_count(deal->hands[seat]);
	return player != OPPONENT_CHITARRELLA || left > ENDPLAY_PLAYS_MAX;
}

void
opponent_model_odds(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *odds)
{
	struct scopa_view view;

	view_of_mover(rules, deal, &view);
	tradition_odds(rules, &view, deal, moves, count, odds);
}

/* Whether the player makes the play when it holds this hand after the play. */
static bool
makes(struct opponent_model *opponents, enum opponent_kind player,
    const struct belief_play *play, scopa_set hand)
{
	const struct scopa_rules *rules = opponents->belief->rules;
	struct scopa_deal deal = play->before;
	struct scopa_move move;
	struct scopa_view view;

	opponents->judged++;
	deal.hands[deal.turn] = hand | play->held;
	if (player == OPPONENT_CHITARRELLA) {
		view_of_mover(rules, &deal, &view);
		return tradition_makes(rules, &view, &deal, &play->made);
	}
	move = greedy_move(rules, &deal);
	return scopa_move_equal(&move, &play->made);
}

/* Returns the gap of a hand: the sum over its plays. */
static double
hand_gap(struct opponent_model *opponents, enum opponent_kind player, int at,
    scopa_set hand)
{
	const struct belief *belief = opponents->belief;
	const struct belief_holder *holder = &belief->holders[at];
	uint64_t key = (hand + (uint64_t)(at * OPPONENT_KINDS + (int)player)) *
	    UINT64_C(0x9e3779b97f4a7c15);
	struct metropolis_sums sums;
	double gap = 0;

	key = (key >> 32) % OPPONENT_MODEL_HANDS;
	if (opponents->hands[key].hand == hand &&
	    opponents->hands[key].holder == at &&
	    opponents->hands[key].player == player)
		return opponents->hands[key].gap;
	metropolis_sums_of(holder, hand, &sums);
	for (int i = 0; i < holder->play_count; i++) {
		const struct belief_play *play = &holder->plays[i];
		double chance = (1 - faith) / sums.plays[i].moves;

		if (!opponent_model_holds(player, &play->before))
			continue;
		if (makes(opponents, player, play, hand))
			chance += faith;
		gap += log(chance / metropolis_play_weight(belief, &sums, i));
	}
	opponents->hands[key].hand = hand;
	opponents->hands[key].holder = at;
	opponents->hands[key].player = player;
	opponents->hands[key].gap = gap;
	return gap;
}

static double
world_gap(struct opponent_model *opponents, enum opponent_kind player,
    const scopa_set hands[BELIEF_HOLDERS_MAX])
{
	double gap = 0;

	for (int i = 0; i < opponents->belief->holder_count; i++)
		if (opponents->by_rules[i])
			gap += hand_gap(opponents, player, i, hands[i]);
	return gap;
}

static bool
too_late(const struct opponent_model *opponents)
{
	const struct opponent_model_config *config = &opponents->config;

	return (config->judged_max != 0 &&
		   opponents->judged >= config->judged_max) ||
	    (config->deadline_ns != 0 && now_ns() >= config->deadline_ns);
}

/*
 * Makes one walk.  It starts at a world of the policy and changes it step by
 * step towards a world of the hypothesis; then it visits more worlds of the
 * hypothesis.  Returns false when a limit is reached.
 */
static bool
walk_make(struct opponent_model *opponents, enum opponent_kind player)
{
	struct opponent_hypothesis *reading = &opponents->hypotheses[player];
	scopa_set(*worlds)[BELIEF_HOLDERS_MAX] =
	    reading->worlds[reading->walk_count];
	double weight = 0;
	struct metropolis chain;
	double gap; /* of the worlds in the chain */

	metropolis_start(&chain, opponents->belief, opponents->random);
	for (int i = 0; i < SWAPS_BEFORE; i++)
		metropolis_swap(&chain, opponents->belief, opponents->random);
	gap = world_gap(opponents, player, chain.hands);
	for (int i = 1; i <= OPPONENT_MODEL_ANNEALING + OPPONENT_MODEL_WORLDS;
	     i++) {
		double warmth = fmin((double)i / OPPONENT_MODEL_ANNEALING, 1);
		struct metropolis next = chain;
		double next_gap;

		if (too_late(opponents))
			return false;
		if (i <= OPPONENT_MODEL_ANNEALING)
			weight += gap / OPPONENT_MODEL_ANNEALING;
		for (int j = 0; j < SWAPS; j++)
			metropolis_swap(
			    &next, opponents->belief, opponents->random);
		next_gap = world_gap(opponents, player, next.hands);
		if (splitmix_unit(opponents->random) <
		    exp(warmth * (next_gap - gap))) {
			chain = next;
			gap = next_gap;
		}
		if (i > OPPONENT_MODEL_ANNEALING)
			memcpy(worlds[i - OPPONENT_MODEL_ANNEALING - 1],
			    chain.hands, sizeof(chain.hands));
	}
	reading->logs[reading->walk_count++] = weight;
	return true;
}

/* Computes the relative weights of the walks and their mean. */
static void
walks_weigh(struct opponent_hypothesis *reading)
{
	double sum = 0;

	for (int i = 0; i < reading->walk_count; i++) {
		reading->weights[i] = exp(reading->logs[i]);
		sum += reading->weights[i];
	}
	for (int i = 0; i < reading->walk_count; i++)
		reading->weights[i] /= sum;
	reading->likelier = sum / reading->walk_count;
}

/* Computes the posterior probability of each hypothesis. */
static void
chances_fill(struct opponent_model *opponents)
{
	double share = opponents->config.share;
	double each = share / OPPONENT_KINDS, sum = 1 - share;

	for (int i = 0; i < OPPONENT_KINDS; i++)
		sum += each * opponents->hypotheses[i].likelier;
	for (int i = 0; i < OPPONENT_KINDS; i++)
		opponents->hypotheses[i].chance =
		    each * opponents->hypotheses[i].likelier / sum;
}

/*
 * Replaces `count` worlds of the pool, whose numbers are spread evenly: `first`
 * to `first + count - 1` of `total`.
 */
static void
pool_exchange(struct opponent_model *opponents,
    const struct opponent_hypothesis *reading, int first, int count, int total)
{
	struct belief *belief = opponents->belief;
	double at = splitmix_unit(opponents->random);
	double reached = reading->weights[0];
	int walk = 0;

	for (int i = 0; i < count; i++) {
		/*
		 * Evenly spread over the weights of the walks, and over the
		 * pool.
		 */
		double place = (i + at) / count;
		int world = (first + i) * belief->world_count / total;

		while (reached < place && walk < reading->walk_count - 1)
			reached += reading->weights[++walk];
		memcpy(belief->worlds[world],
		    reading->worlds[walk][splitmix_below(
			opponents->random, OPPONENT_MODEL_WORLDS)],
		    sizeof(belief->worlds[world]));
	}
}

/*
 * Updates a drawn pool by walks.  In the effective sample size, all worlds of
 * one walk count as a single world, which is the lower limit.
 */
static void
read_pool(struct opponent_model *opponents)
{
	const struct opponent_model_config *config = &opponents->config;
	struct belief *belief = opponents->belief;
	int counts[OPPONENT_KINDS], total = 0, first = 0;
	double policy = 1, ess = 0;

	for (int i = 0; i < OPPONENT_MODEL_WALKS * OPPONENT_KINDS; i++) {
		struct opponent_hypothesis *reading =
		    &opponents->hypotheses[i % OPPONENT_KINDS];

		if (reading->walk_count >= WALKS_LEAST &&
		    reading->chance < lost)
			continue;
		if (!walk_make(
			opponents, (enum opponent_kind)(i % OPPONENT_KINDS)))
			break;
		walks_weigh(reading);
		chances_fill(opponents);
		/*
		 * Stops when the allowed work is too small for the least number
		 * of walks.  Later walks are cheaper, since some of their hands
		 * are in the cache.
		 */
		if (i == 0 && config->judged_max != 0 &&
		    opponents->judged * WALKS_LEAST * OPPONENT_KINDS >
			2 * config->judged_max)
			break;
	}
	for (int i = 0; i < OPPONENT_KINDS; i++) {
		struct opponent_hypothesis *reading = &opponents->hypotheses[i];
		double squares = 0;

		if (reading->walk_count < WALKS_LEAST)
			reading->chance = 0;
		counts[i] = (int)(reading->chance * belief->world_count);
		total += counts[i];
		if (reading->chance <= 0)
			continue;
		for (int j = 0; j < reading->walk_count; j++)
			squares += reading->weights[j] * reading->weights[j];
		policy -= reading->chance;
		ess += reading->chance / squares;
	}
	for (int i = 0; i < OPPONENT_KINDS; i++) {
		pool_exchange(opponents, &opponents->hypotheses[i], first,
		    counts[i], total);
		first += counts[i];
	}
	belief->ess = ess + policy * belief->ess;
}

/*
 * Updates a pool that lists all worlds: each gets a weight by every hypothesis.
 */
static void
read_list(struct opponent_model *opponents)
{
	struct belief *belief = opponents->belief;
	double weights[OPPONENT_KINDS][BELIEF_WORLDS_MAX], policy = 1;
	double squares = 0;

	for (int i = 0; i < OPPONENT_KINDS; i++) {
		struct opponent_hypothesis *reading = &opponents->hypotheses[i];

		reading->likelier = 0;
		for (int j = 0; j < belief->world_count; j++) {
			if (too_late(opponents))
				return;
			weights[i][j] = belief->weights[j] *
			    exp(world_gap(opponents, (enum opponent_kind)i,
				belief->worlds[j]));
			reading->likelier += weights[i][j];
		}
	}
	chances_fill(opponents);
	for (int i = 0; i < OPPONENT_KINDS; i++)
		policy -= opponents->hypotheses[i].chance;
	for (int j = 0; j < belief->world_count; j++) {
		belief->weights[j] *= policy;
		for (int i = 0; i < OPPONENT_KINDS; i++)
			belief->weights[j] += weights[i][j] *
			    opponents->hypotheses[i].chance /
			    opponents->hypotheses[i].likelier;
		squares += belief->weights[j] * belief->weights[j];
	}
	belief->ess = 1 / squares;
	belief_reach(belief);
}

void
opponent_model_forget(struct opponent_model *opponents)
{
	for (int i = 0; i < OPPONENT_KINDS; i++) {
		opponents->hypotheses[i].likelier = 1;
		opponents->hypotheses[i].chance = 0;
		opponents->hypotheses[i].walk_count = 0;
	}
}

void
opponent_model_read(struct opponent_model *opponents,
    const struct opponent_model_config *config, struct belief *belief,
    uint64_t *random)
{
	const struct scopa_rules *rules = belief->rules;
	int own = scopa_team_of(rules, belief->deal.turn), plays = 0;

	memset(opponents->hands, 0, sizeof(opponents->hands));
	opponents->config = *config;
	opponents->belief = belief;
	opponents->random = random;
	opponents->judged = 0;
	opponent_model_forget(opponents);
	for (int i = 0; i < belief->holder_count; i++) {
		const struct belief_holder *holder = &belief->holders[i];

		opponents->by_rules[i] = holder->seat != SCOPA_SEAT_NONE &&
		    scopa_team_of(rules, holder->seat) != own;
		if (opponents->by_rules[i])
			plays += holder->play_count;
	}
	if (plays > 0 && belief->listed)
		read_list(opponents);
	else if (plays > 0)
		read_pool(opponents);
}
