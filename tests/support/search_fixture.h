/*
 * A search made ready for one view, for the tests of what searches.
 */
#ifndef SEARCH_FIXTURE_H
#define SEARCH_FIXTURE_H

#include "scopa/scopa.h"
#include "search.h"

enum { SEARCH_FIXTURE_MEMORY_SIZE = 1 << 20, SEARCH_FIXTURE_ITERATIONS = 40 };

/* Everything that a search needs, for one view. */
struct search_fixture {
	struct scopa_rules rules;
	struct scopa_view view;
	struct world_uniform uniform;
	struct scopa_deal fixed;
	struct search_config config;
	struct search_result result;
	uint64_t random;
	char memory[SEARCH_FIXTURE_MEMORY_SIZE];
};

/*
 * The search of the seat to move: SEARCH_FIXTURE_ITERATIONS in the form of the paper.  The
 * caller frees the fixture, whose `fixed` is the deal.
 */
struct search_fixture *search_fixture_of(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* Searches; the result is in the fixture. */
void search_fixture_run(struct search_fixture *fixture);

/*
 * The seat to move sees the same in both deals, and in the world every card is
 * there once.
 */
void search_fixture_fits(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_deal *world);

const struct search_row *search_fixture_best(
    const struct search_fixture *fixture);

#endif
