/*
 * The engine and the oracle, a second and slow implementation of the rules:
 * both play the same deal of any rule set and must agree on everything.
 *
 * An input is a rule set as text, a line end, and bytes: for the dealer, for
 * the mood (see walk.h), and for random numbers.  Pairs of bytes exchange two
 * cards of the pack before it is dealt.
 */
#include <string.h>

#include "fuzz.h"
#include "support.h"
#include "walk.h"

enum { SPEC_SIZE = 512, STEPS_MAX = 200 };

/* The rule set before the first line end; NULL: there is none. */
static const uint8_t *
read_spec(
    const uint8_t *data, size_t size, char *spec, struct scopa_rules *rules)
{
	const uint8_t *end = memchr(data, '\n', size);
	struct scopa_text why = SCOPA_TEXT(512);
	size_t length = end ? (size_t)(end - data) : 0;

	if (end == NULL || length >= SPEC_SIZE || memchr(data, '\0', length))
		return NULL;
	memcpy(spec, data, length);
	spec[length] = '\0';
	return scopa_rules_parse(rules, spec, &why) ? end + 1 : NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct walk walk;
	uint8_t pack[SCOPA_PACK_SIZE];
	char spec[SPEC_SIZE];
	const uint8_t *rest = read_spec(data, size, spec, &walk.rules);
	size_t left;
	int dealer;

	if (rest == NULL)
		return 0;
	left = size - (size_t)(rest - data);
	if (left < 3)
		return 0;
	walk.spec = spec;
	dealer = rest[0] % walk.rules.players;
	walk.mood = rest[1] % 3;
	walk.rng = rest[2];
	support_pack("", pack);
	support_shuffle(&walk.rng, pack, SCOPA_PACK_SIZE);
	for (size_t i = 3; i + 1 < left; i += 2) {
		uint8_t *one = &pack[rest[i] % SCOPA_PACK_SIZE];
		uint8_t *other = &pack[rest[i + 1] % SCOPA_PACK_SIZE];
		uint8_t card = *one;

		*one = *other;
		*other = card;
	}
	if (!walk_start(&walk, pack, dealer))
		return 0;
	for (int i = 0; i < STEPS_MAX && !scopa_deal_over(&walk.deal); i++)
		walk_step(&walk);
	fuzz_check(scopa_deal_over(&walk.deal));
	return 0;
}
