/*
 * Rule sets as text: a rule set that is accepted has no contradiction, and its
 * short and long forms give the same rules; one that is refused has a reason
 * and does not change the old rules.
 */
#include <string.h>

#include "fuzz.h"
#include "scopa/rules.h"

/* The preset that a spec begins with. */
static const struct scopa_preset *
preset_of(const char *spec)
{
	char name[64];
	size_t length = strcspn(spec, ",");

	fuzz_check(length < sizeof(name));
	memcpy(name, spec, length);
	name[length] = '\0';
	return scopa_preset_find(name);
}

static void
add_param(
    struct scopa_text *text, const char *key, const struct scopa_rules *rules)
{
	scopa_text_char(text, ',');
	scopa_text_string(text, key);
	scopa_text_char(text, '=');
	scopa_param_format(scopa_param_find(key), rules, text);
}

/* The short form, with the other fields of `match`, gives the same rules. */
static void
try_spec(const struct scopa_rules *rules, const struct scopa_preset *preset)
{
	char spec[2048], why_bytes[512];
	struct scopa_text text, why;
	struct scopa_rules again;

	scopa_text_init(&text, spec, sizeof(spec));
	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	scopa_rules_spec(rules, preset, &text);
	add_param(&text, "players", rules);
	add_param(&text, "teams", rules);
	add_param(&text, "target", rules);
	fuzz_check(!text.cut);
	fuzz_check(scopa_rules_parse(&again, spec, &why));
	fuzz_check(memcmp(rules, &again, sizeof(again)) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char spec[1025], why_bytes[512], long_bytes[2048];
	struct scopa_rules rules, before;
	struct scopa_text why, text;

	if (size >= sizeof(spec) || memchr(data, '\0', size) != NULL)
		return 0;
	memcpy(spec, data, size);
	spec[size] = '\0';
	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	rules = before = scopa_presets[0].rules;
	if (!scopa_rules_parse(&rules, spec, &why)) {
		fuzz_check(memcmp(&rules, &before, sizeof(rules)) == 0);
		fuzz_check(why.length > 0);
		return 0;
	}
	fuzz_check(scopa_rules_check(&rules, &why));
	fuzz_check(scopa_team_count(&rules) >= 2);
	fuzz_check(scopa_points_max(&rules) > 0);
	scopa_text_init(&text, long_bytes, sizeof(long_bytes));
	scopa_rules_format(&rules, &text);
	fuzz_check(!text.cut);
	try_spec(&rules, preset_of(spec));
	return 0;
}
