# Makes the tables of pick.c for games of sums.  A set of distinct values is a
# mask: bit v - 1 stands for value v.  For every mask the tables have the number
# of subsets with each value as total, and the first of these subsets in
# canonical order.

# Returns the first subset with this total, in canonical order, as the set of
# all cards of its values; 0 when there is none.
function first(mask, total, from,    value, rest) {
	for (value = from; 2 * value < total; value++)
		if (has(mask, value) &&
		    (rest = first(mask, total - value, value + 1)))
			return rest + 15 * 16 ^ (value - 1)
	return total >= from && has(mask, total) ? 15 * 16 ^ (total - 1) : 0
}

function has(mask, value) {
	return int(mask / 2 ^ (value - 1)) % 2
}

# Returns a nibble for each total: the number of its subsets, without the first
# one.
function extra(mask,    counts, total, value, word) {
	for (total = 0; total <= 10; total++)
		counts[total] = total == 0
	for (value = 1; value <= 10; value++)
		for (total = 10; total >= value && has(mask, value); total--)
			counts[total] += counts[total - value]
	for (total = 1; total <= 10; total++)
		if (counts[total] > 1)
			word += (counts[total] - 1) * 16 ^ (total - 1)
	return word
}

BEGIN {
	print "static const uint64_t sums_extra[1 << 10] = {"
	for (mask = 0; mask < 2 ^ 10; mask++)
		printf "%.0f,\n", extra(mask)
	print "};\nstatic const uint64_t sums_first[1 << 11] = {\n0, 0,"
	for (value = 1; value <= 10; value++)
		for (mask = 0; mask < 2 ^ value; mask++)
			printf "%.0f,\n", first(mask, value, 1)
	print "};"
}
