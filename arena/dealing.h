/*
 * The lines of one deal in a block, and the packs that they tell of: by `pack`
 * lines, or card by card in `table` and `give` lines.
 */
#ifndef DEALING_H
#define DEALING_H

#include "event.h"
#include "record_read.h"

struct dealing {
	const struct record_block *block;
	size_t begin, end;      /* lines of the block, from its first */
	int number;             /* of the deal, as it says itself */
	struct event_deal deal; /* its `deal` line, if any */
	int64_t deal_line;      /* number of that line, or 0 */
	int pack_count;         /* `pack` lines */
	int table_count;        /* `table` lines */
};

/* The deals of a block: how many begin in it. */
int dealing_count(const struct record_block *block);

/*
 * Whether this line begins another deal than the one of `number`: a `pack` or
 * `deal` line with another number.
 */
bool dealing_begins(const struct record_block *block,
    const struct record_line *line, int number);

/* The deal whose first line is line `begin`; false with the fault. */
bool dealing_find(const struct record_block *block, size_t begin,
    struct dealing *dealing, struct record_fault *fault);

/*
 * The pack that was dealt after `redeal` others were thrown in.  The answer is
 * how many of its cards, from the first, the lines name: where they are those
 * that were dealt and no others, the rest follows in canonical order.  -1 with
 * the fault where there is none, or it cannot be.
 */
int dealing_pack(const struct dealing *dealing, const struct scopa_rules *rules,
    int dealer, int redeal, struct event_pack *pack,
    struct record_fault *fault);

/* Finds a pack that nobody asked for; false with the fault. */
bool dealing_check_packs(
    const struct dealing *dealing, int used, struct record_fault *fault);

#endif
