/*
 * What can be taken from a table.
 */
#include "sight.h"

/* Sums end at the king. */
#define VALUES_ALL ((sight_values)0x7FE)

/* Bit 0 of the nibble of every value. */
#define NIBBLES_BIT_0 SCOPA_SET_DENARI

/* Cards whose value has this bit set: 1, 2, 4 or 8. */
static const scopa_set cards_of_bit[] = {
	UINT64_C(0x0F0F0F0F0F),
	UINT64_C(0xF00FF00FF0),
	UINT64_C(0x000FFFF000),
	UINT64_C(0xFFF0000000),
};

int
sight_total(scopa_set set)
{
	int total = 0;

	for (int bit = 0; bit < 4; bit++)
		total += scopa_set_count(set & cards_of_bit[bit]) << bit;
	return total;
}

sight_values
sight_values_of(scopa_set set)
{
	uint64_t bits = set | set >> 2;

	/* One bit of a nibble each; then they move together. */
	bits = (bits | bits >> 1) & NIBBLES_BIT_0;
	bits = (bits | bits >> 3) & UINT64_C(0x0303030303);
	bits = (bits | bits >> 6) & UINT64_C(0x0F000F000F);
	bits = (bits | bits >> 12) & UINT64_C(0x0F000000FF);
	return (sight_values)((bits | bits >> 24) & 0x3FF) << 1;
}

/* Values that make fifteen with a total of which bit t is set. */
static sight_values
values_to_fifteen(uint32_t totals)
{
	sight_values values = 0;

	for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
		values |= (totals >> (15 - value) & 1) << value;
	return values;
}

static bool
ace_sweeps(const struct scopa_rules *rules, scopa_set table)
{
	return rules->ace != SCOPA_ACE_PLAIN &&
	    (rules->ace == SCOPA_ACE_SWEEP || !(table & scopa_set_of_value(1)));
}

sight_values
sight_takers(const struct scopa_rules *rules, scopa_set table, scopa_card card)
{
	scopa_set others = table & ~scopa_set_of(card);
	int value = scopa_card_value(card);
	sight_values takers = 0;
	uint32_t totals = 1;

	while (others != SCOPA_SET_EMPTY)
		totals |= totals << scopa_card_value(scopa_set_take(&others));
	totals <<= value;
	if (rules->capture != SCOPA_CAPTURE_FIFTEEN)
		takers |= totals & VALUES_ALL;
	if (rules->capture == SCOPA_CAPTURE_SUM &&
	    rules->priority != SCOPA_PRIORITY_ANY)
		/* A value that lies there takes its like and nothing else. */
		takers &= ~sight_values_of(table) | UINT32_C(1) << value;
	if (rules->capture != SCOPA_CAPTURE_SUM)
		takers |= values_to_fifteen(totals);
	if (rules->equal_fifteen)
		takers |= UINT32_C(1) << value;
	if (ace_sweeps(rules, table))
		takers |= UINT32_C(1) << 1;
	return takers;
}

sight_values
sight_sweepers(const struct scopa_rules *rules, scopa_set table)
{
	int total = sight_total(table);
	sight_values sweepers = 0;

	if (table == SCOPA_SET_EMPTY)
		return 0;
	if (rules->capture != SCOPA_CAPTURE_FIFTEEN && total <= SCOPA_VALUE_MAX)
		sweepers |= UINT32_C(1) << total;
	if (rules->capture != SCOPA_CAPTURE_SUM && total < 15 && total >= 5)
		sweepers |= UINT32_C(1) << (15 - total);
	if (rules->ace_scopa && ace_sweeps(rules, table))
		sweepers |= UINT32_C(1) << 1;
	return sweepers;
}

float
sight_holds(const struct sight_holder *holder, sight_values values)
{
	float lacks = 1;

	while (values) {
		lacks *= holder->lacks[__builtin_ctz(values)];
		values &= values - 1;
	}
	return 1 - lacks;
}

/* Totals of table cards that one card can take: up to 14, in fifteens. */
enum { TOTAL_MAX = 14 };

/* The most points of table cards with each total; -1 where there are none. */
static void
totals_fill(
    const struct sight *sight, scopa_set table, float best[TOTAL_MAX + 1])
{
	for (int total = 1; total <= TOTAL_MAX; total++)
		best[total] = -1;
	best[0] = 0;
	while (table != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&table);
		int value = scopa_card_value(card);
		float points = sight->worth[card].points;

		for (int total = TOTAL_MAX; total >= value; total--)
			if (best[total - value] >= 0 &&
			    best[total - value] + points > best[total])
				best[total] = best[total - value] + points;
	}
}

void
sight_replies(const struct sight *sight, scopa_set table,
    float replies[SCOPA_VALUE_MAX + 1])
{
	const struct scopa_rules *rules = sight->rules;
	sight_values sweepers = sight_sweepers(rules, table);
	bool sums = rules->capture != SCOPA_CAPTURE_FIFTEEN;
	bool fifteens = rules->capture != SCOPA_CAPTURE_SUM;
	float best[TOTAL_MAX + 1], all = 0;

	totals_fill(sight, table, best);
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		float reply = sums ? best[value] : -1;

		if (sums && !fifteens && rules->priority != SCOPA_PRIORITY_ANY)
			for (scopa_set equal =
				 table & scopa_set_of_value(value);
			     equal != SCOPA_SET_EMPTY; equal &= equal - 1)
				reply =
				    sight->worth[scopa_set_first(equal)].points;
		if (fifteens && value > 15 - TOTAL_MAX - 1 &&
		    best[15 - value] > reply)
			reply = best[15 - value];
		replies[value] = reply < 0 ? 0 : reply + sight->card;
	}
	if (ace_sweeps(rules, table) && table != SCOPA_SET_EMPTY) {
		for (scopa_set left = table; left != SCOPA_SET_EMPTY;)
			all += sight->worth[scopa_set_take(&left)].points;
		replies[1] = all + sight->card;
	}
	if (!rules->scopa || (!rules->last_scopa && sight->plays_left <= 2))
		return;
	for (; sweepers; sweepers &= sweepers - 1)
		replies[__builtin_ctz(sweepers)] += 1;
}

float
sight_expectation(
    const struct sight_holder *holder, const float replies[SCOPA_VALUE_MAX + 1])
{
	sight_values left = VALUES_ALL;
	float mean = 0, chance = 1;

	/* From the best reply down, each where none of the better ones is. */
	while (left && chance > 0) {
		int best = __builtin_ctz(left);

		for (sight_values rest = left & (left - 1); rest;
		     rest &= rest - 1)
			if (replies[__builtin_ctz(rest)] > replies[best])
				best = __builtin_ctz(rest);
		if (replies[best] <= 0)
			break;
		mean += replies[best] * chance * (1 - holder->lacks[best]);
		chance *= holder->lacks[best];
		left &= ~(UINT32_C(1) << best);
	}
	return mean;
}
