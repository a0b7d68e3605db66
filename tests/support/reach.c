#include "reach.h"

#include <string.h>

/* Five counts (0 to 4) of each of ten values. */
enum { TABLE_COUNT = 9765625, ADMITTED = 1 << 15, SIZES = 15 };

/* Bit t: some set has total t, 0 to 14; and whether the table is admitted. */
static uint16_t tables[TABLE_COUNT];

/* Number of sets by total. */
struct sets {
	int of[REACH_TOTAL_MAX + 1];
};

struct search {
	enum scopa_capture capture;
	int opening;
	int hand;
	int counts[SCOPA_VALUE_MAX + 1];
	int powers[SCOPA_VALUE_MAX + 1]; /* index of one card of a value */
	struct reach *reach;
};

/* Totals that a card of this value captures, as a mask. */
static unsigned
targets_of(enum scopa_capture capture, int value)
{
	unsigned sum = 1U << value;
	unsigned fifteen = 1U << (15 - value);

	switch (capture) {
	case SCOPA_CAPTURE_SUM:
		return sum;
	case SCOPA_CAPTURE_FIFTEEN:
		return fifteen;
	case SCOPA_CAPTURE_SUM_OR_FIFTEEN:
		return sum | fifteen;
	}
	return 0;
}

/* The sets of a table with one more card of a value. */
static void
add_card(struct sets *sets, int value)
{
	for (int total = REACH_TOTAL_MAX; total >= value; total--)
		sets->of[total] += sets->of[total - value];
}

static int
captures_of(const struct search *search, const struct sets *sets, int value)
{
	unsigned targets = targets_of(search->capture, value);
	int count = 0;

	for (int total = 1; total <= REACH_TOTAL_MAX; total++)
		if (targets >> total & 1)
			count += sets->of[total];
	return count;
}

/* As captures_of where an equal card comes first. */
static int
single_captures_of(
    const struct search *search, const struct sets *sets, int value)
{
	if (search->capture != SCOPA_CAPTURE_FIFTEEN &&
	    search->counts[value] > 0)
		return search->counts[value];
	return captures_of(search, sets, value);
}

/* As captures_of where only the smallest sets may be taken. */
static int
fewest_captures_of(const struct search *search, int value)
{
	int of[SIZES][SCOPA_VALUE_MAX + 1] = { { 1 } };

	for (int card = 1; card <= value; card++)
		for (int copy = 0; copy < search->counts[card]; copy++)
			for (int size = SIZES - 1; size > 0; size--)
				for (int total = value; total >= card; total--)
					of[size][total] +=
					    of[size - 1][total - card];
	for (int size = 1; size < SIZES; size++)
		if (of[size][value] > 0)
			return of[size][value];
	return 0;
}

static void
raise_to(int *most, int number)
{
	if (number > *most)
		*most = number;
}

/* The most captures of a hand: its cards are those that have the most. */
static int
hand_captures(const struct search *search, const int captures[])
{
	int left[SCOPA_VALUE_MAX + 1];
	int count = 0;

	for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
		left[value] = 4 - search->counts[value];
	for (int card = 0; card < search->hand; card++) {
		int best = 0;
		for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
			if (left[value] > 0 &&
			    (best == 0 || captures[value] > captures[best]))
				best = value;
		if (best == 0)
			break;
		/* A card that captures nothing has one move, to be laid. */
		count += captures[best] > 0 ? captures[best] : 1;
		left[best]--;
	}
	return count;
}

static void
measure(const struct search *search, const struct sets *sets)
{
	struct reach *reach = search->reach;
	int any[SCOPA_VALUE_MAX + 1] = { 0 };
	int single[SCOPA_VALUE_MAX + 1] = { 0 };
	int cards = 0;

	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		cards += search->counts[value];
		any[value] = captures_of(search, sets, value);
		single[value] = single_captures_of(search, sets, value);
		if (search->counts[value] == 4)
			continue;
		raise_to(&reach->any_max, any[value]);
		raise_to(&reach->single_max, single[value]);
		if (search->capture == SCOPA_CAPTURE_SUM &&
		    any[value] > reach->fewest_max)
			raise_to(&reach->fewest_max,
			    fewest_captures_of(search, value));
	}
	reach->table_count++;
	raise_to(&reach->cards_max, cards);
	for (int total = 0; total <= REACH_TOTAL_MAX; total++)
		raise_to(&reach->sets_max[total], sets->of[total]);
	raise_to(&reach->hand_any_max, hand_captures(search, any));
	raise_to(&reach->hand_single_max, hand_captures(search, single));
}

/* Whether the table can come about; all smaller ones are known. */
static bool
admit(const struct search *search, int index)
{
	int cards = 0;
	bool admitted = false;

	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		unsigned before;
		cards += search->counts[value];
		if (search->counts[value] == 0)
			continue;
		before = tables[index - search->powers[value]];
		tables[index] |=
		    (uint16_t)((before | before << value) & 0x7fff);
		if ((before & ADMITTED) &&
		    (before & targets_of(search->capture, value)) == 0)
			admitted = true;
	}
	if (cards == 0)
		tables[index] = 1;
	if (!admitted && cards > search->opening)
		return false;
	tables[index] |= ADMITTED;
	return true;
}

/*
 * The table, and all that have more cards of up to a value.  Parts of a table
 * come before it, and where a table cannot come about no larger one can.
 */
static void
search_tables(struct search *search, int highest, int index, struct sets sets)
{
	if (!admit(search, index))
		return;
	measure(search, &sets);
	for (int value = 1; value <= highest; value++) {
		struct sets larger = sets;
		if (search->counts[value] == 4)
			continue;
		add_card(&larger, value);
		search->counts[value]++;
		search_tables(
		    search, value, index + search->powers[value], larger);
		search->counts[value]--;
	}
}

void
reach_search(
    enum scopa_capture capture, int opening, int hand, struct reach *reach)
{
	struct search search = { .capture = capture,
		.opening = opening,
		.hand = hand,
		.reach = reach };
	struct sets none = { .of = { 1 } };
	int power = 1;

	memset(reach, 0, sizeof(*reach));
	memset(tables, 0, sizeof(tables));
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		search.powers[value] = power;
		power *= 5;
	}
	search_tables(&search, SCOPA_VALUE_MAX, 0, none);
}

int
reach_pack_sets(int total, int without_value, int cards_max)
{
	static int of[SCOPA_PACK_SIZE + 1][REACH_TOTAL_MAX + 1];
	int count = 0;

	memset(of, 0, sizeof(of));
	of[0][0] = 1;
	for (int card = 0; card < SCOPA_PACK_SIZE; card++) {
		int value = card / 4 + 1;
		if (card % 4 == 0 && value == without_value)
			continue;
		for (int size = SCOPA_PACK_SIZE; size > 0; size--)
			for (int sum = REACH_TOTAL_MAX; sum >= value; sum--)
				of[size][sum] += of[size - 1][sum - value];
	}
	for (int size = 1; size <= cards_max; size++)
		count += of[size][total];
	return count;
}
