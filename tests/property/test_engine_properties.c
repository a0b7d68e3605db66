/*
 * Random deals of every preset and of many other rule sets, played at the same
 * time by the engine and by the oracle, which must agree about everything.
 *
 * SCOPA_TEST_DEALS sets how many deals are played, SCOPA_TEST_SEED which ones.
 */
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "test.h"
#include "walk.h"

enum { DEALS_DEFAULT = 10000, SPEC_SIZE = 512, SPECS_MAX = 512 };

/* What the presets leave untried: rare options and their meetings. */
static const char *const overrides[] = {
	"scopa,priority=any",
	"scopa,priority=fewest",
	"scopa,priority=any,max-captured=2",
	"scopa,priority=fewest,max-captured=2",
	"scopa,max-captured=2,last-scopa=yes,leftovers=dealer",
	"scopa,redeal=none,opening=wild",
	"scopa,redeal=ace,opening=plain,primiera-missing=suits-first",
	"scopa,declare=ask,matta=table,ace=sweep-traditional",
	"scopa,declare=auto,matta=hand,ace=sweep,ace-empty=take,ace-scopa=no",
	"scopa,declare=ask,matta=table,ace=sweep-unless-ace,ace-empty=take",
	"assi,ace-empty=take",
	"assi,ace-scopa=no,last-scopa=yes",
	"assi-traditional,ace-empty=take,ace-scopa=no",
	"scopone,capture=fifteen,priority=any",
	"scopone,capture=sum-or-fifteen,priority=any",
	"scopone,capture=sum-or-fifteen,priority=single,ace=sweep",
	"scopone,capture=fifteen,priority=single",
	"scientifico,capture=fifteen,priority=any",
	"scientifico,capture=fifteen,equal-fifteen=yes,priority=single",
	"scientifico,capture=fifteen,priority=fewest,ace=sweep-unless-ace",
	"scientifico,capture=sum-or-fifteen,priority=any,ace=sweep",
	"scientifico,capture=sum-or-fifteen,cirulla-equal=first",
	"scientifico,ace=sweep,ace-empty=take",
	"trente,count=at-once",
	"trente,count=at-once,opening=plain",
	"trentino,count=at-once,napola=oneplus",
	"scopa-napoli,re-bello=yes,ponino=yes,trente=yes,sevens=escoba",
	"quindici,equal-fifteen=yes",
	"quindici,equal-fifteen=yes,priority=single",
	"quindici,equal-fifteen=yes,priority=any,ace=sweep-traditional",
	"escoba,priority=single",
	"escoba,priority=single,max-captured=2,equal-fifteen=yes",
	"escoba,priority=single,declare=ask,matta=table,equal-fifteen=yes",
	"escoba,priority=single,ace=sweep-unless-ace,ace-scopa=no",
	"escoba,opening=plain",
	"escoba,opening=wild,declare=auto,matta=table",
	"escoba,ace=sweep,ace-scopa=no",
	"escoba,ace=sweep-unless-ace,ace-scopa=no,last-scopa=yes",
	"frac,frac-tie=king",
	"frac,leftovers=dealer,frac-tie=king",
	"cirulla,declare=ask",
	"cirulla,declare=ask,matta=plain",
	"cirulla,declare=ask,matta=table",
	"cirulla,declare=auto,matta=plain",
	"cirulla,declare=auto,matta=table",
	"cirulla,declare=off,opening=off",
	"cirulla,cirulla-ace=sweep",
	"cirulla,cirulla-equal=first",
	"cirulla,cirulla-ace=sweep,cirulla-equal=first,declare=ask",
	"cirulla,cirulla-equal=first,matta=table,declare=auto",
	"cirulla,cirulla-equal=first,ace=plain,max-captured=2",
	"cirulla,cirulla-equal=first,priority=fewest",
	"cirulla,cirulla-equal=first,priority=single,ace-scopa=no",
	"cirulla,ace=sweep,matta=table",
	"cirulla,ace=sweep-traditional,ace-empty=take",
	"cirulla,ace-scopa=no,declare=ask",
	"cirulla,priority=fewest",
	"cirulla,priority=single,matta=table",
	"cirulla,count=at-once,trente=yes,opening=plain",
	"cirulla,redeal=kings3,opening=plain",
	"cirulla,redeal=none,piccola=7",
};

/* Every way to sit that a preset may allow. */
static const char *const seatings[] = { "AB", "ABC", "ABCD", "ABAB", "ABABAB",
	"ABCABC", "ABCDEF" };

static char specs[SPECS_MAX][SPEC_SIZE];
static int spec_count;

static bool
is_rule_set(const char *spec)
{
	struct scopa_rules rules;
	struct scopa_text why = support_text();

	return scopa_rules_parse(&rules, spec, &why);
}

/* Every preset at every table that it allows, and the overrides. */
static void
list_specs(void)
{
	spec_count = 0;
	for (int i = 0; i < scopa_preset_count; i++)
		for (size_t j = 0; j < COUNTOF(seatings); j++) {
			assert_true(spec_count < SPECS_MAX);
			snprintf(specs[spec_count], SPEC_SIZE, "%s,teams=%s",
			    scopa_presets[i].name, seatings[j]);
			if (is_rule_set(specs[spec_count]))
				spec_count++;
		}
	for (size_t i = 0; i < COUNTOF(overrides); i++) {
		assert_true(spec_count < SPECS_MAX);
		snprintf(specs[spec_count++], SPEC_SIZE, "%s", overrides[i]);
	}
}

/* A value of a parameter, drawn from all that it may have. */
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

/* Some fields of a preset replaced at random, until the whole agrees. */
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

/* Plays one deal of the walk's rules to its end, or throws the cards in. */
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

	list_specs();
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
