/*
 * Offences and verdicts: the names of offences and policies, and the verdict on
 * an offence.
 */
#include "verdict.h"

#include <assert.h>

static const char *const kind_names[] = {
	[OFFENCE_ILLEGAL] = "illegal",
	[OFFENCE_TIMEOUT] = "timeout",
	[OFFENCE_CRASH] = "crash",
	[OFFENCE_PROTOCOL] = "protocol",
	[OFFENCE_STARTUP] = "startup",
};

static const char *const policy_names[] = {
	[POLICY_FORFEIT] = "forfeit",
	[POLICY_SUBSTITUTE] = "substitute",
	[POLICY_DISQUALIFY] = "disqualify",
};

_Static_assert(sizeof(kind_names) / sizeof(kind_names[0]) == OFFENCE_KIND_COUNT,
    "every offence has a name");
_Static_assert(sizeof(policy_names) / sizeof(policy_names[0]) == POLICY_COUNT,
    "every policy has a name");

const char *
offence_name(enum offence_kind kind)
{
	assert(kind < OFFENCE_KIND_COUNT);
	return kind_names[kind];
}

enum offence_kind
offence_find(struct word name)
{
	enum offence_kind kind = OFFENCE_ILLEGAL;

	while (kind < OFFENCE_KIND_COUNT && !word_is(name, kind_names[kind]))
		kind++;
	return kind;
}

const char *
policy_name(enum verdict_policy policy)
{
	assert(policy < POLICY_COUNT);
	return policy_names[policy];
}

enum verdict_policy
policy_default(int team_count)
{
	return team_count == 2 ? POLICY_FORFEIT : POLICY_SUBSTITUTE;
}

enum verdict_policy
policy_at(enum verdict_policy policy, int strikes, int strikes_max)
{
	if (policy == POLICY_SUBSTITUTE && strikes >= strikes_max)
		return POLICY_FORFEIT;
	return policy;
}

enum verdict
verdict_of(enum verdict_policy policy, enum offence_kind kind, int strikes,
    int strikes_max)
{
	if (kind == OFFENCE_STARTUP ||
	    policy_at(policy, strikes, strikes_max) != POLICY_SUBSTITUTE)
		return VERDICT_FORFEIT;
	return VERDICT_MOVE_FOR;
}

static bool
uses_more(int64_t cpu_ns, int64_t wall_ns, int least_ms)
{
	return cpu_ns >= least_ms * INT64_C(1000000) &&
	    cpu_ns / VERDICT_PONDER_PERCENT > wall_ns / 100;
}

bool
verdict_ponders(int64_t cpu_ns, int64_t wall_ns)
{
	return uses_more(cpu_ns, wall_ns, VERDICT_PONDER_MS);
}

bool
verdict_computes(int64_t cpu_ns, int64_t wall_ns)
{
	return uses_more(cpu_ns, wall_ns, VERDICT_COMPUTE_MS);
}
