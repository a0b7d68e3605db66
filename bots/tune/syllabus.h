/*
 * What is played to learn from: the rule sets of each family.
 */
#ifndef SCOPA_TUNE_SYLLABUS_H
#define SCOPA_TUNE_SYLLABUS_H

#include "policy.h"

/* One rule set. */
struct syllabus_row {
	enum policy_family family;
	const char *spec; /* as scopa_rules_parse reads it */
	int share;        /* of the deals of its family, in parts */
};

extern const struct syllabus_row syllabus[];
extern const int syllabus_count;

/*
 * The rule set by which deal `number` of a family is played; the rows take
 * turns by their shares.
 */
void syllabus_rules(
    enum policy_family family, int number, struct scopa_rules *rules);

#endif
