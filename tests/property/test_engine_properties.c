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

/* A random value of a parameter. */
static int16_t
random_value(uint64_t *rng, const struct scopa_param *param)
{
	switch (param->kind) {
	case SCOPA_PARAM_NAME:
		return (int16_t)support_random_below(rng, param->value_count);
	case SCOPA_PARAM_BITS:
		return (int16_t)support_random_below(
		    rng, 1 << param->value_count);
	case SCOPA_PARAM_NUMBER:
		if (param->value_count > 0)
			return param->numbers[support_random_below(
			    rng, param->value_count)];
		return (int16_t)(param->min +
		    support_random_below(rng, param->max - param->min + 1));
	}
	return 0;
}

/* A preset with random values in some fields, without contradictions. */
static struct scopa_rules
random_rules(uint64_t *rng)
{
	struct scopa_text why;
	struct scopa_rules rules;
	char bytes[256];

	do {
		rules =
		    scopa_presets[support_random_below(rng, scopa_preset_count)]
			.rules;
		for (int i = 0; i < scopa_param_count; i++) {
			int16_t value = random_value(rng, &scopa_params[i]);
			if (support_random_below(rng, 4) == 0)
				memcpy((char *)&rules + scopa_params[i].offset,
				    &value, sizeof(value));
		}
		scopa_text_init(&why, bytes, sizeof(bytes));
	} while (!scopa_rules_check(&rules, &why));
	return rules;
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
	static char bytes[SPEC_SIZE * 2];
	struct scopa_text text;
	long deals = support_number("SCOPA_TEST_DEALS", DEALS_DEFAULT);

	for (long i = 0; i < deals; i++) {
		walk.rng = first_seed() * 1000033 + (uint64_t)i;
		walk.rules = random_rules(&walk.rng);
		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_rules_format(&walk.rules, &text);
		walk.spec = bytes;
		play_deal(&walk);
	}
}
