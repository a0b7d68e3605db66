/*
 * Random deals of each preset and of many other rule sets, played both by the
 * engine and by the oracle, which must agree on everything.
 *
 * SCOPA_TEST_DEALS sets the number of deals, SCOPA_TEST_SEED the first seed.
 */
#include "support.h"
#include "test.h"
#include "walk.h"

enum { DEALS_DEFAULT = 10000 };

static struct walk walk;

/* Plays one deal of a rule set to its end, or to a redeal. */
static void
play_deal(const char *spec)
{
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer;

	walk.spec = spec;
	walk.rules = support_rules(spec);
	walk.mood = support_random_below(&walk.rng, 3);
	dealer = support_random_below(&walk.rng, walk.rules.players);
	support_pack("", pack);
	support_shuffle(&walk.rng, pack, SCOPA_PACK_SIZE);
	if (!walk_start(&walk, pack, dealer))
		return;
	while (!scopa_deal_over(&walk.deal))
		walk_step(&walk);
}

static uint64_t
first_seed(void)
{
	return (uint64_t)support_number("SCOPA_TEST_SEED", 1);
}

static long
deal_count(void)
{
	return support_number("SCOPA_TEST_DEALS", DEALS_DEFAULT);
}

/* There are more than 200 rule sets. */
static void
play_deals(const char *spec, uint64_t seed)
{
	walk.rng = first_seed() * 1000003 + seed;
	for (long i = 0; i <= deal_count() / 200; i++)
		play_deal(spec);
}

TEST(test_engine_and_oracle_agree_on_presets)
{
	assert_true(support_each_spec(play_deals) > 200);
}

TEST(test_engine_and_oracle_agree_on_random_rule_sets)
{
	for (long i = 0; i < deal_count(); i++) {
		walk.rng = first_seed() * 1000033 + (uint64_t)i;
		play_deal(support_spec_random(&walk.rng));
	}
}
