/*
 * What the parts of a check of fairness share.
 */
#ifndef FAIR_STATE_H
#define FAIR_STATE_H

#include "fair.h"
#include "reread.h"

struct fair {
	const struct fair_order *order;
	struct fair_report *report;
	struct store_error *error; /* why it cannot go on */
	struct store *store;
	struct store_head head;
	struct shuffle_key key; /* of all packs */
	struct reread reread;
	struct tournament tournament;
	unsigned char chain[STORE_DIGEST_SIZE];
	struct event event; /* of the line in hand */
	bool seeds_by_game; /* a game had seeds by the rule of this version */
	int status;         /* -errno where something failed */
};

/* Writes the difference; false, for whoever found it. */
bool fair_differs(struct fair *fair, const char *file, int64_t line,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Terms, commitment and contributions; false with the difference or status. */
bool fair_check_terms(struct fair *fair);

/* Of a game of a block: its packs and seeds are those of the key. */
bool fair_check_game(void *context, const struct block_plan *plan, int at,
    const struct record_block *record, struct record_fault *fault);

/* The column in which a result is not what its record says, or NULL. */
const char *fair_result_difference(
    const struct summary *row, const struct summary *record);

#endif
