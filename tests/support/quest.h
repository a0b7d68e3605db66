/*
 * A search made ready for one view, for the tests of what searches.
 */
#ifndef QUEST_H
#define QUEST_H

#include "playout.h"
#include "scopa/scopa.h"
#include "search.h"

enum { QUEST_MEMORY_SIZE = 1 << 20, QUEST_ITERATIONS = 40 };

/* Everything that a search needs, for one view. */
struct quest {
	struct scopa_rules rules;
	struct scopa_view view;
	struct world_uniform uniform;
	struct world_fixed fixed;
	struct playout playout;
	struct search_config config;
	struct search_result result;
	uint64_t random;
	char memory[QUEST_MEMORY_SIZE];
};

/*
 * The search of the seat to move: QUEST_ITERATIONS in the form of the paper.  The
 * deal stays the caller's and is `fixed`; the caller frees the quest.
 */
struct quest *quest_of(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* Searches; the result is in the quest. */
void quest_run(struct quest *quest);

const struct search_row *quest_best(const struct quest *quest);

#endif
