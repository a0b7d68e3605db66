#include "metropolis.h"

#include <assert.h>
#include <math.h>

#include "evidence.h"
#include "splitmix.h"

/* A hand that could be declared and was not is this likely. */
static const double silence = 0.02;

void
metropolis_sums_of(const struct belief_holder *holder, scopa_set hand,
    struct metropolis_sums *sums)
{
	for (int i = 0; i < holder->play_count; i++) {
		const struct belief_play *play = &holder->plays[i];
		double odds = (double)play->known_odds;
		double moves = (double)play->known_moves;

		for (scopa_set left = hand; left;) {
			scopa_card card = scopa_set_take(&left);

			odds += (double)play->odds[card];
			moves += (double)play->moves[card];
		}
		sums->odds[i] = odds;
		sums->moves[i] = moves;
	}
}

static void
sums_swap(const struct belief_holder *holder, scopa_card out, scopa_card in,
    const struct metropolis_sums *sums, struct metropolis_sums *next)
{
	for (int i = 0; i < holder->play_count; i++) {
		const struct belief_play *play = &holder->plays[i];

		next->odds[i] = sums->odds[i] + (double)play->odds[in] -
		    (double)play->odds[out];
		next->moves[i] = sums->moves[i] + (double)play->moves[in] -
		    (double)play->moves[out];
	}
}

double
metropolis_play_weight(
    const struct belief *belief, const struct metropolis_sums *sums, int play)
{
	return belief->trust / sums->odds[play] +
	    (1 - belief->trust) / sums->moves[play];
}

/* How likely the plays are: trust / odds + (1 - trust) / moves, each. */
static double
sums_weight(const struct belief *belief, const struct belief_holder *holder,
    const struct metropolis_sums *sums)
{
	double above = 1, below = 1, doubt = 1 - belief->trust;

	for (int i = 0; i < holder->play_count; i++) {
		above *= belief->trust * sums->moves[i] + doubt * sums->odds[i];
		below *= sums->odds[i] * sums->moves[i];
	}
	return above / below;
}

static double
silence_weight(const struct belief *belief, const struct belief_holder *holder,
    scopa_set hand)
{
	if (!holder->silent ||
	    !evidence_declares(
		belief->rules, holder->seat, hand | holder->known))
		return 1;
	return silence;
}

double
metropolis_hand_weight(const struct belief *belief,
    const struct belief_holder *holder, scopa_set hand)
{
	struct metropolis_sums sums;

	metropolis_sums_of(holder, hand, &sums);
	return sums_weight(belief, holder, &sums) *
	    silence_weight(belief, holder, hand);
}

void
metropolis_start(
    struct metropolis *chain, const struct belief *belief, uint64_t *random)
{
	int at = 0;

	chain->count = 0;
	for (scopa_set left = belief->unseen; left;)
		chain->cards[chain->count++] = scopa_set_take(&left);
	splitmix_shuffle(random, chain->cards, chain->count);
	for (int i = 0; i < belief->holder_count; i++) {
		const struct belief_holder *holder = &belief->holders[i];

		chain->hands[i] = SCOPA_SET_EMPTY;
		for (int j = 0; j < holder->size; j++, at++) {
			chain->holders[at] = (uint8_t)i;
			chain->hands[i] |= scopa_set_of(chain->cards[at]);
		}
		metropolis_sums_of(holder, chain->hands[i], &chain->sums[i]);
		chain->weights[i] =
		    metropolis_hand_weight(belief, holder, chain->hands[i]);
	}
	assert(at == chain->count);
}

void
metropolis_swap(
    struct metropolis *chain, const struct belief *belief, uint64_t *random)
{
	uint32_t i = splitmix_below(random, (uint32_t)chain->count);
	uint32_t j = splitmix_below(random, (uint32_t)chain->count);
	int a = chain->holders[i], b = chain->holders[j];
	scopa_card first = chain->cards[i], second = chain->cards[j];
	const struct belief_holder *holders = belief->holders;
	struct metropolis_sums sums_a, sums_b;
	double weight_a, weight_b;
	scopa_set both = scopa_set_of(first) | scopa_set_of(second);

	if (a == b)
		return;
	sums_swap(&holders[a], first, second, &chain->sums[a], &sums_a);
	sums_swap(&holders[b], second, first, &chain->sums[b], &sums_b);
	weight_a = sums_weight(belief, &holders[a], &sums_a) *
	    silence_weight(belief, &holders[a], chain->hands[a] ^ both);
	weight_b = sums_weight(belief, &holders[b], &sums_b) *
	    silence_weight(belief, &holders[b], chain->hands[b] ^ both);
	if (weight_a * weight_b <
	    splitmix_unit(random) * chain->weights[a] * chain->weights[b])
		return;
	chain->cards[i] = second;
	chain->cards[j] = first;
	chain->hands[a] ^= both;
	chain->hands[b] ^= both;
	chain->sums[a] = sums_a;
	chain->sums[b] = sums_b;
	chain->weights[a] = weight_a;
	chain->weights[b] = weight_b;
}

double
metropolis_log_weight(
    const struct metropolis *chain, const struct belief *belief)
{
	double sum = 0;

	for (int i = 0; i < belief->holder_count; i++)
		sum += log(chain->weights[i]);
	return sum;
}
