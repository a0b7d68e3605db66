#include "rule_set.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "complaint.h"
#include "version.h"

enum { REASON_SIZE = 512, PRESET_NAME_SIZE = 64 };

/* What stands before the first comma of a spec that was good. */
static const struct scopa_preset *
preset_of(const char *spec)
{
	char name[PRESET_NAME_SIZE];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ","), spec);
	return scopa_preset_find(name);
}

bool
rule_set_read(const char *spec, struct rule_set *set)
{
	char reason[REASON_SIZE];
	struct scopa_text why;

	scopa_text_init(&why, reason, sizeof(reason));
	if (!scopa_rules_parse(&set->rules, spec, &why)) {
		complaint_say("rules \"%s\": %s", spec, reason);
		complaint_add("try", VERSION_NAME " rules");
		return false;
	}
	set->spec = spec;
	set->preset = preset_of(spec);
	assert(set->preset != NULL);
	return true;
}
