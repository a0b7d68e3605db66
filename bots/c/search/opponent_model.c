#include "opponent_model.h"

#include <math.h>
#include <string.h>

#include "belief.h"
#include "greedy.h"
#include "now.h"
#include "splitmix.h"
#include "tradition.h"
#include "world.h"

/* How often a player by known rules keeps them; else chance decides. */
static const double faith = 0.95;

/* Swaps of a world from one step to the next, and before the first. */
enum { SWAPS = 4, SWAPS_BEFORE = 400 };

/* Fewer walks tell nothing; after these a hypothesis may be lost. */
enum { WALKS_LEAST = 4 };
static const double lost = 0.002;

/* One world on its way. */
struct opponent_walk {
	struct metropolis chain;
	double gap; /* of its hands */
};

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

/* Whether the player makes the play with this hand after it. */
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

/* What the rules say of a hand more than the policy, as a logarithm. */
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

/* One step, at the share `warmth` of the way to the rules. */
static void
walk_step(struct opponent_model *opponents, enum opponent_kind player,
    struct opponent_walk *walk, double warmth, uint64_t *random)
{
	struct opponent_walk next = *walk;

	for (int i = 0; i < SWAPS; i++)
		metropolis_swap(&next.chain, opponents->belief, random);
	next.gap = world_gap(opponents, player, next.chain.hands);
	if (splitmix_unit(random) < exp(warmth * (next.gap - walk->gap)))
		*walk = next;
}

static bool
too_late(const struct opponent_model *opponents)
{
	if (opponents->judged_max != 0 &&
	    opponents->judged >= opponents->judged_max)
		return true;
	return opponents->deadline_ns != 0 &&
	    now_ns() >= opponents->deadline_ns;
}

/* A walk from a world of the policy to worlds of the rules, if in time. */
static bool
walk_make(struct opponent_model *opponents, enum opponent_kind player,
    uint64_t *random)
{
	struct opponent_hypothesis *reading = &opponents->hypotheses[player];
	int number = reading->walk_count;
	double weight = 0;
	struct opponent_walk walk;

	metropolis_start(&walk.chain, opponents->belief, random);
	for (int i = 0; i < SWAPS_BEFORE; i++)
		metropolis_swap(&walk.chain, opponents->belief, random);
	walk.gap = world_gap(opponents, player, walk.chain.hands);
	for (int i = 1; i <= OPPONENT_MODEL_ANNEALING; i++) {
		if (too_late(opponents))
			return false;
		weight += walk.gap / OPPONENT_MODEL_ANNEALING;
		walk_step(opponents, player, &walk,
		    (double)i / OPPONENT_MODEL_ANNEALING, random);
	}
	reading->logs[number] = weight;
	for (int i = 0; i < OPPONENT_MODEL_WORLDS; i++) {
		if (too_late(opponents))
			return false;
		walk_step(opponents, player, &walk, 1, random);
		memcpy(reading->worlds[number][i], walk.chain.hands,
		    sizeof(walk.chain.hands));
	}
	reading->walk_count++;
	return true;
}

/* What the walks so far weigh on average, and each of them. */
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

/* How likely each hypothesis is, by how likely the plays are. */
static void
chances_fill(struct opponent_model *opponents, double share)
{
	double each = share / OPPONENT_KINDS, sum = 1 - share;

	for (int i = 0; i < OPPONENT_KINDS; i++)
		sum += each * opponents->hypotheses[i].likelier;
	for (int i = 0; i < OPPONENT_KINDS; i++)
		opponents->hypotheses[i].chance =
		    each * opponents->hypotheses[i].likelier / sum;
}

/* Exchanges `count` worlds of the pool, from number `first` of `total` on. */
static void
pool_exchange(struct belief *belief, const struct opponent_hypothesis *reading,
    int first, int count, int total, uint64_t *random)
{
	double at = splitmix_unit(random), reached = reading->weights[0];
	int walk = 0;

	for (int i = 0; i < count; i++) {
		/* Evenly over all walks, and over the pool. */
		double place = (i + at) / count;
		int world = (first + i) * belief->world_count / total;

		while (reached < place && walk < reading->walk_count - 1)
			reached += reading->weights[++walk];
		memcpy(belief->worlds[world],
		    reading->worlds[walk][splitmix_below(
			random, OPPONENT_MODEL_WORLDS)],
		    sizeof(belief->worlds[world]));
	}
}

/*
 * The effective size of the pool, of which the policy's share was worth `ess`:
 * all that a walk has found counts for one world, which is the least.
 */
static double
ess_of(const struct opponent_model *opponents, double ess)
{
	double policy = 1, sum = 0;

	for (int i = 0; i < OPPONENT_KINDS; i++) {
		const struct opponent_hypothesis *reading =
		    &opponents->hypotheses[i];
		double squares = 0;

		if (reading->chance <= 0)
			continue;
		for (int j = 0; j < reading->walk_count; j++)
			squares += reading->weights[j] * reading->weights[j];
		policy -= reading->chance;
		sum += reading->chance / squares;
	}
	return sum + policy * ess;
}

/*
 * Whether the work that is allowed will not do for the least number of walks,
 * when one has been made.  Those that follow find some hands judged already.
 */
static bool
is_hopeless(const struct opponent_model *opponents)
{
	const int64_t walks = WALKS_LEAST * OPPONENT_KINDS;

	return opponents->judged_max != 0 &&
	    opponents->judged * walks > 2 * opponents->judged_max;
}

/* Where not all worlds are known. */
static void
read_pool(struct opponent_model *opponents,
    const struct opponent_model_config *config, struct belief *belief,
    uint64_t *random)
{
	int counts[OPPONENT_KINDS], total = 0, first = 0;

	for (int i = 0; i < OPPONENT_MODEL_WALKS * OPPONENT_KINDS; i++) {
		enum opponent_kind player =
		    (enum opponent_kind)(i % OPPONENT_KINDS);
		struct opponent_hypothesis *reading =
		    &opponents->hypotheses[player];

		if (reading->walk_count >= WALKS_LEAST &&
		    reading->chance < lost)
			continue;
		if (!walk_make(opponents, player, random))
			break;
		walks_weigh(reading);
		chances_fill(opponents, config->share);
		if (i == 0 && is_hopeless(opponents))
			break;
	}
	for (int i = 0; i < OPPONENT_KINDS; i++) {
		struct opponent_hypothesis *reading = &opponents->hypotheses[i];

		if (reading->walk_count < WALKS_LEAST)
			reading->chance = 0;
		counts[i] = (int)(reading->chance * belief->world_count);
		total += counts[i];
	}
	for (int i = 0; i < OPPONENT_KINDS; i++) {
		pool_exchange(belief, &opponents->hypotheses[i], first,
		    counts[i], total, random);
		first += counts[i];
	}
	belief->ess = ess_of(opponents, belief->ess);
}

/* Where they are: each has its weight by every hypothesis. */
static void
read_list(struct opponent_model *opponents,
    const struct opponent_model_config *config, struct belief *belief)
{
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
	chances_fill(opponents, config->share);
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
	opponents->belief = belief;
	opponents->deadline_ns = config->deadline_ns;
	opponents->judged = 0;
	opponents->judged_max = config->judged_max;
	opponent_model_forget(opponents);
	for (int i = 0; i < belief->holder_count; i++) {
		const struct belief_holder *holder = &belief->holders[i];

		opponents->by_rules[i] = holder->seat != SCOPA_SEAT_NONE &&
		    scopa_team_of(rules, holder->seat) != own;
		if (opponents->by_rules[i])
			plays += holder->play_count;
	}
	if (plays == 0)
		return;
	if (belief->listed)
		read_list(opponents, config, belief);
	else
		read_pool(opponents, config, belief, random);
}
