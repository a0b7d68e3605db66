#include "sums.h"

enum { FIFTEEN = 15, SUM_BITS = 64 };

sum_set
sums_of(scopa_set cards)
{
	sum_set sums = 1;

	while (cards != SCOPA_SET_EMPTY)
		sums |= sums << scopa_card_value(scopa_set_take(&cards));
	return sums;
}

sum_set
sums_taken(const struct scopa_rules *rules, int value)
{
	const sum_set equal = UINT64_C(1) << value;
	const sum_set fifteen = UINT64_C(1) << (FIFTEEN - value);

	switch ((enum scopa_capture)rules->capture) {
	case SCOPA_CAPTURE_SUM:
		return equal;
	case SCOPA_CAPTURE_FIFTEEN:
		return fifteen;
	case SCOPA_CAPTURE_SUM_OR_FIFTEEN:
		return equal | fifteen;
	}
	return 0;
}

bool
sums_sweep(const struct scopa_rules *rules, scopa_set table, int value)
{
	int total = scopa_set_total(table);

	return total > 0 && total < SUM_BITS &&
	    (sums_taken(rules, value) >> total & 1);
}
