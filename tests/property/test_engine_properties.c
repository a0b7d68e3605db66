/*
 * Random deals of each preset and of many other rule sets, played both by the
 * engine and by the oracle, which must agree on everything.
 *
 * SCOPA_TEST_DEALS sets the number of deals, SCOPA_TEST_SEED the first seed.
 */
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "test.h"
#include "walk.h"

enum { DEALS_DEFAULT = 10000, SPEC_SIZE = 512, SPECS_MAX = 512 };

static char specs[SPECS_MAX][SPEC_SIZE];
static int spec_count;

static void
list_spec(const char *spec, uint64_t seed)
{
	(void)seed;
	assert_true(spec_count < SPECS_MAX);
	snprintf(specs[spec_count++], SPEC_SIZE, "%s", spec);
}

/* Plays one deal with the rules of the walk to its end, or to a redeal. */
static void
play_deal(struct walk *walk)
{
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer = support_random_below(&walk->rng, walk->rules.players);

	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		pack[i] = (uint8_t)i;
	support_shuffle(&walk->rng, pack, SCOPA_PACK_SIZE);
	walk->mood = support_random_below(&walk->rng, 3);
	if (!walk_start(walk, pack, dealer))
		return;
	while (!scopa_deal_over(&walk->deal))
		walk_step(walk);
}

static uint64_t
first_seed(void)
{
	return (uint64_t)support_number("SCOPA_TEST_SEED", 1);
}

TEST(test_engine_and_oracle_agree_on_presets)
{
	static struct walk walk;
	long deals = support_number("SCOPA_TEST_DEALS", DEALS_DEFAULT);

	spec_count = 0;
	support_each_spec(list_spec);
	for (long i = 0; i < deals; i++) {
		walk.spec = specs[i % spec_count];
		walk.rules = support_rules(walk.spec);
		walk.rng = first_seed() * 1000003 + (uint64_t)i;
		play_deal(&walk);
	}
}

TEST(test_engine_and_oracle_agree_on_random_rule_sets)
{
	static struct walk walk;
	long deals = support_number("SCOPA_TEST_DEALS", DEALS_DEFAULT);

	for (long i = 0; i < deals; i++) {
		walk.rng = first_seed() * 1000033 + (uint64_t)i;
		walk.spec = support_spec_random(&walk.rng);
		walk.rules = support_rules(walk.spec);
		play_deal(&walk);
	}
}
