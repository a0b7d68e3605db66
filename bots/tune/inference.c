#include "inference.h"

#include <assert.h>
#include <math.h>

#include "scopa/scopa.h"
#include "world.h"

/* Gain in bits of one position; false where nothing is hidden. */
static bool
gain_of(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct belief_config *config, int worlds, uint64_t *random,
    double *bits)
{
	static struct belief belief;
	struct world_uniform uniform;
	struct scopa_tally tally;
	struct scopa_view view;
	struct scopa_deal world;
	double truth, mean = 0, weight;
	bool good;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, &view);
	good = world_uniform_init(&uniform, rules, &view);
	assert(good);
	(void)good;
	world_uniform_draw(&uniform, random, &world, &weight);
	belief_draw_pool(&belief, config, rules, &view, &world, random);
	if (belief.holder_count < 2)
		return false;
	truth = belief_log_weight(&belief, deal->hands);
	for (int i = 0; i < worlds; i++) {
		world_uniform_draw(&uniform, random, &world, &weight);
		mean += exp(belief_log_weight(&belief, world.hands) - truth) /
		    worlds;
	}
	*bits = -log2(mean);
	return true;
}

void
inference_measure(const struct scopa_rules *rules,
    const struct duel_player *player, const struct belief_config *config,
    int deals, int worlds, uint64_t *random,
    struct inference_part parts[INFERENCE_PARTS])
{
	int plays = SCOPA_PACK_SIZE - rules->table;

	for (int part = 0; part < INFERENCE_PARTS; part++)
		parts[part] = (struct inference_part){ 0 };
	for (int number = 0; number < deals; number++) {
		struct scopa_deal deal;

		teacher_deal(rules, random, &deal);
		while (!scopa_deal_over(&deal)) {
			struct inference_part *part =
			    &parts[INFERENCE_PARTS * deal.play_count / plays];
			struct scopa_move move;
			double bits;

			if (gain_of(
				rules, &deal, config, worlds, random, &bits)) {
				part->count++;
				part->bits += bits;
				part->squares += bits * bits;
			}
			move = duel_move(player, rules, &deal, random);
			scopa_deal_apply(rules, &deal, &move);
		}
	}
	for (int part = 0; part < INFERENCE_PARTS; part++) {
		if (parts[part].count == 0)
			continue;
		parts[part].bits /= parts[part].count;
		parts[part].squares /= parts[part].count;
	}
}
