#include "belief.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "evidence.h"
#include "metropolis.h"
#include "splitmix.h"

/* Autocorrelation is followed so far along the chain. */
enum { LAG_MAX = 64 };

/* Worlds that are tried before the pool is filled. */
enum { WARM_UP = 16 };

/*
 * How many independent worlds the chain is worth: its length over the sum of
 * the autocorrelations of the logarithm of the weight, as far as they are
 * positive (Geyer's initial sequence, without pairs).
 */
static double
chain_ess(const double *logs, int count)
{
	double mean = 0, variance = 0, time = 1;

	for (int i = 0; i < count; i++)
		mean += logs[i] / count;
	for (int i = 0; i < count; i++)
		variance += (logs[i] - mean) * (logs[i] - mean) / count;
	if (variance < 1e-12)
		return count;
	for (int lag = 1; lag < LAG_MAX && lag < count; lag++) {
		double sum = 0;

		for (int i = lag; i < count; i++)
			sum += (logs[i] - mean) * (logs[i - lag] - mean);
		sum /= (count - lag) * variance;
		if (sum <= 0)
			break;
		time += 2 * sum;
	}
	return count / time;
}

static void
pool_by_chain(
    struct belief *belief, const struct belief_config *config, uint64_t *random)
{
	double logs[BELIEF_WORLDS_MAX];
	struct metropolis chain;

	metropolis_start(&chain, belief, random);
	belief->world_count = config->worlds;
	belief->evidence = 0;
	for (int i = 0; i < config->swaps * WARM_UP; i++)
		metropolis_swap(&chain, belief, random);
	for (int i = 0; i < config->worlds; i++) {
		for (int j = 0; j < config->swaps; j++)
			metropolis_swap(&chain, belief, random);
		memcpy(belief->worlds[i], chain.hands, sizeof(chain.hands));
		belief->weights[i] = 1.0 / config->worlds;
		logs[i] = metropolis_log_weight(&chain, belief);
		belief->evidence += logs[i] / config->worlds;
	}
	belief->ess = chain_ess(logs, config->worlds);
}

/* Number of ways to share out the unseen cards; no more than `max` + 1. */
static int
worlds_count(const struct belief *belief, int max)
{
	double count = 1;
	int left = scopa_set_count(belief->unseen);

	for (int i = 0; i < belief->holder_count; i++)
		for (int j = 1; j <= belief->holders[i].size; j++)
			count *= (double)left-- / j;
	return count > max ? max + 1 : (int)(count + 0.5);
}

/* The next set of as many bits in ascending order (Gosper). */
static uint64_t
subset_next(uint64_t subset)
{
	uint64_t lowest = subset & -subset, ripple = subset + lowest;

	return ripple | ((subset ^ ripple) >> 2) / lowest;
}

/* The cards of a set whose ranks in it are the bits of `ranks`. */
static scopa_set
set_choose(scopa_set set, uint64_t ranks)
{
	scopa_set chosen = SCOPA_SET_EMPTY;

	for (; ranks; ranks >>= 1) {
		scopa_card card = scopa_set_take(&set);

		if (ranks & 1)
			chosen |= scopa_set_of(card);
	}
	return chosen;
}

/* One step in listing the worlds: holder by holder. */
struct listing {
	scopa_set hands[BELIEF_HOLDERS_MAX];
	double weights[BELIEF_HOLDERS_MAX + 1]; /* of all holders before */
};

static void
list_worlds(
    struct belief *belief, struct listing *listing, int at, scopa_set left)
{
	const struct belief_holder *holder = &belief->holders[at];
	int count = scopa_set_count(left);
	uint64_t ranks;

	if (at == belief->holder_count) {
		assert(belief->world_count < BELIEF_WORLDS_MAX);
		memcpy(belief->worlds[belief->world_count], listing->hands,
		    sizeof(listing->hands));
		belief->weights[belief->world_count++] = listing->weights[at];
		return;
	}
	assert(holder->size > 0 && holder->size <= count);
	for (ranks = (UINT64_C(1) << holder->size) - 1; !(ranks >> count);
	     ranks = subset_next(ranks)) {
		scopa_set hand = set_choose(left, ranks);

		listing->hands[at] = hand;
		listing->weights[at + 1] = listing->weights[at] *
		    metropolis_hand_weight(belief, holder, hand);
		list_worlds(belief, listing, at + 1, left & ~hand);
	}
}

static void
pool_by_list(struct belief *belief)
{
	struct listing listing = { .weights = { 1 } };
	double sum = 0, squares = 0, logs = 0;

	belief->world_count = 0;
	list_worlds(belief, &listing, 0, belief->unseen);
	for (int i = 0; i < belief->world_count; i++)
		sum += belief->weights[i];
	for (int i = 0; i < belief->world_count; i++) {
		double weight = belief->weights[i] / sum;

		logs += weight * log(belief->weights[i]);
		squares += weight * weight;
		belief->weights[i] = weight;
	}
	belief->evidence = logs;
	belief->ess = 1 / squares;
}

void
belief_reach(struct belief *belief)
{
	double sum = 0;

	for (int i = 0; i < belief->world_count; i++) {
		sum += belief->weights[i];
		belief->reach[i] = sum;
	}
}

void
belief_draw_pool(struct belief *belief, const struct belief_config *config,
    const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, uint64_t *random)
{
	assert(config->worlds > 0 && config->worlds <= BELIEF_WORLDS_MAX);
	assert(config->swaps > 0 && config->listed_max <= BELIEF_WORLDS_MAX);
	belief->rules = rules;
	belief->trust = config->trust;
	belief->deal = *deal;
	belief->unseen = scopa_view_unseen(view);
	evidence_gather(belief, config, view);
	belief->listed =
	    worlds_count(belief, config->listed_max) <= config->listed_max;
	if (belief->listed)
		pool_by_list(belief);
	else
		pool_by_chain(belief, config, random);
	belief_reach(belief);
}

/* The deck in any order, as the pack deals it. */
static void
deck_shuffle(struct scopa_deal *deal, scopa_set deck, uint64_t *random)
{
	int first = deal->dealt, count = 0;

	while (deck)
		deal->pack[first + count++] = scopa_set_take(&deck);
	assert(first + count == SCOPA_PACK_SIZE);
	splitmix_shuffle(random, &deal->pack[first], count);
}

void
belief_world(const struct belief *belief, int world, uint64_t *random,
    struct scopa_deal *deal)
{
	const scopa_set *hands = belief->worlds[world];

	assert(world >= 0 && world < belief->world_count);
	*deal = belief->deal;
	for (int i = 0; i < belief->holder_count; i++) {
		int seat = belief->holders[i].seat;

		if (seat == SCOPA_SEAT_NONE)
			deck_shuffle(deal, hands[i], random);
		else
			deal->hands[seat] = hands[i];
	}
}

void
belief_pick(
    const struct belief *belief, uint64_t *random, struct scopa_deal *deal)
{
	int low = 0, high = belief->world_count - 1;
	double at = splitmix_unit(random);

	if (!belief->listed) {
		low = (int)splitmix_below(random, (uint32_t)high + 1);
		belief_world(belief, low, random, deal);
		return;
	}
	while (low < high) {
		int middle = (low + high) / 2;

		if (belief->reach[middle] > at)
			high = middle;
		else
			low = middle + 1;
	}
	belief_world(belief, low, random, deal);
}

double
belief_chance(const struct belief *belief, int seat, scopa_card card)
{
	double chance = 0;

	if (!scopa_set_has(belief->unseen, card))
		return scopa_set_has(belief->deal.hands[seat], card);
	for (int i = 0; i < belief->holder_count; i++) {
		if (belief->holders[i].seat != seat)
			continue;
		for (int j = 0; j < belief->world_count; j++)
			if (scopa_set_has(belief->worlds[j][i], card))
				chance += belief->weights[j];
	}
	return chance;
}

double
belief_log_weight(
    const struct belief *belief, const scopa_set hands[SCOPA_SEATS_MAX])
{
	double sum = 0;

	for (int i = 0; i < belief->holder_count; i++) {
		const struct belief_holder *holder = &belief->holders[i];

		if (holder->seat != SCOPA_SEAT_NONE)
			sum += log(metropolis_hand_weight(
			    belief, holder, hands[holder->seat]));
	}
	return sum;
}
