/*
 * Several searches of one position at once, each with a tree of its own, whose
 * visits are added up (root parallelization).
 */
#ifndef SCOPA_BOT_PARALLEL_SEARCH_H
#define SCOPA_BOT_PARALLEL_SEARCH_H

#include "search.h"

enum { PARALLEL_SEARCH_MAX = 8 };

struct parallel_search {
	struct search_result results[PARALLEL_SEARCH_MAX - 1];
};

/*
 * search_run with `threads` threads, 1 to PARALLEL_SEARCH_MAX: iterations and
 * memory are shared out among them.  World source, playout, reward and prior
 * are called by all of them, so they may only read what they share; `stopped`
 * is asked by the calling thread alone.  A thread that the system does not give
 * is done without.  The same random state and number of threads give the same
 * result, where neither time nor `stopped` ends the search.
 */
bool parallel_search_run(struct parallel_search *parallel, int threads,
    const struct search_config *config, const struct scopa_rules *rules,
    const struct scopa_view *view, uint64_t *random,
    struct search_result *result);

#endif
