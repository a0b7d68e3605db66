/*
 * Every rule set at every kind of table that it can be played at.
 */
#include <stdio.h>
#include <string.h>

#include "table.h"

enum { SPEC_SIZE = 128, WHY_SIZE = 512 };

/* What no preset has, or not at every table. */
static const char *const additions[] = { "", ",declare=ask", ",declare=auto",
	",declare=auto,matta=table", ",declare=ask,matta=plain",
	",opening=wild", ",redeal=ace" };

static bool
spec_is_good(const char *spec)
{
	struct scopa_rules rules;
	struct scopa_text why;
	char bytes[WHY_SIZE];

	scopa_text_init(&why, bytes, sizeof(bytes));
	return scopa_rules_parse(&rules, spec, &why);
}

/* Calls `visit` where the preset takes the addition at this table. */
static int
visit_spec(const char *preset, const char *addition, int teams,
    void (*visit)(const char *spec, uint64_t seed))
{
	const struct scopa_param *param = scopa_param_find("teams");
	char spec[SPEC_SIZE];
	uint64_t seed = 0;

	snprintf(spec, sizeof(spec), "%s%s,teams=%s", preset, addition,
	    param->names[teams]);
	if (!spec_is_good(spec))
		return 0;
	for (const char *byte = spec; *byte; byte++)
		seed = seed * 131 + (uint64_t)*byte;
	visit(spec, seed);
	return 1;
}

int
table_each_spec(void (*visit)(const char *spec, uint64_t seed))
{
	int count = 0;

	for (int preset = 0; preset < scopa_preset_count; preset++) {
		const char *name = scopa_presets[preset].name;
		bool first = preset == 0 || strcmp(name, "cirulla") == 0;
		size_t last =
		    first ? sizeof(additions) / sizeof(additions[0]) : 1;

		for (size_t i = 0; i < last; i++)
			for (int teams = 0; teams < SCOPA_TEAMS_COUNT; teams++)
				count += visit_spec(
				    name, additions[i], teams, visit);
	}
	return count;
}
