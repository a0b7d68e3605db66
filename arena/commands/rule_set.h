/*
 * A rule set as people name it on the command line.
 */
#ifndef RULE_SET_H
#define RULE_SET_H

#include <stdbool.h>

#include "scopa/rules.h"

struct rule_set {
	const char *spec; /* as given: `scopa,priority=fewest` */
	const struct scopa_preset *preset;
	struct scopa_rules rules;
};

/* Reads a spec; on failure says why on stderr and returns false. */
bool rule_set_read(const char *spec, struct rule_set *set);

#endif
