#include "search_tree.h"

#include <assert.h>
#include <math.h>

#include "splitmix.h"

void
branch_pool_init(struct branch_pool *pool, void *memory, size_t size)
{
	size_t step = sizeof(union branch_slot);
	size_t skip = (step - (uintptr_t)memory % step) % step;

	pool->slots = NULL;
	pool->size = 0;
	pool->used = 0;
	if (size < skip + step)
		return;
	pool->slots = (void *)((char *)memory + skip);
	size = (size - skip) / step;
	pool->used = 1;
	pool->size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

struct branch_block *
branch_add(struct branch_pool *pool, uint32_t *first, uint32_t count)
{
	uint32_t slot = pool->used;
	struct branch_block *block;

	assert(count > 0);
	if (pool->size <= slot || pool->size - slot <= count)
		return NULL;
	pool->used += count + 1;
	for (uint32_t at = *first; at != 0; at = *first)
		first = &pool->slots[at].block.next;
	*first = slot;
	block = &pool->slots[slot].block;
	*block = (struct branch_block){ .count = count };
	for (uint32_t i = 1; i <= count; i++)
		pool->slots[slot + i].branch = (struct branch){ 0 };
	return block;
}

/* The moves to choose from. */
struct selection {
	const struct search_config *config;
	struct branch *const *legal;
	int count;
	double priors; /* their sum */
};

/* One of the unvisited moves, all equally likely; NULL where there is none. */
static struct branch *
pick_unvisited(const struct selection *selection, uint64_t *random)
{
	uint32_t count = 0;

	for (int i = 0; i < selection->count; i++)
		count += selection->legal[i]->visits == 0;
	if (count == 0)
		return NULL;
	count = splitmix_below(random, count);
	for (int i = 0;; i++)
		if (selection->legal[i]->visits == 0 && count-- == 0)
			return selection->legal[i];
}

/* A move as the prior plays; without one, any. */
static struct branch *
pick_by_prior(const struct selection *selection, uint64_t *random)
{
	double at = selection->priors * splitmix_unit(random);
	int i = 0;

	if (selection->priors <= 0)
		return selection
		    ->legal[splitmix_below(random, (uint32_t)selection->count)];
	while (i < selection->count - 1 &&
	    (at -= (double)selection->legal[i]->prior) >= 0)
		i++;
	return selection->legal[i];
}

/* Mean reward of all visits of the legal moves; 0 without one. */
static double
mean_of(const struct selection *selection)
{
	double total = 0, visits = 0;

	for (int i = 0; i < selection->count; i++) {
		total += selection->legal[i]->total;
		visits += (double)selection->legal[i]->visits;
	}
	return visits > 0 ? total / visits : 0;
}

/* The move that is worth most by the formula of struct search_config. */
static struct branch *
pick_best(const struct selection *selection)
{
	const struct search_config *config = selection->config;
	double unvisited = mean_of(selection);
	double share = selection->priors > 0 ? 1 / selection->priors : 0;
	struct branch *best = selection->legal[0];
	double best_score = -HUGE_VAL;

	for (int i = 0; i < selection->count; i++) {
		struct branch *branch = selection->legal[i];
		double visits = (double)branch->visits;
		double available = (double)branch->available;
		double prior = (double)branch->prior * share;
		double score = visits > 0 ? branch->total / visits : unvisited;

		score += config->exploration *
			sqrt(log(available + 1) / (visits > 0 ? visits : 1)) +
		    config->prior_weight * prior / (visits + 1);
		if (score > best_score) {
			best_score = score;
			best = branch;
		}
	}
	return best;
}

struct branch *
selection_pick(const struct search_config *config, struct branch *const *legal,
    int count, double model, uint64_t *random)
{
	struct selection selection = {
		.config = config,
		.legal = legal,
		.count = count,
	};
	struct branch *branch = NULL;

	for (int i = 0; i < count; i++)
		selection.priors += (double)legal[i]->prior;
	if (model > 0 && splitmix_unit(random) < model)
		return pick_by_prior(&selection, random);
	if (config->eager)
		branch = pick_unvisited(&selection, random);
	return branch != NULL ? branch : pick_best(&selection);
}
