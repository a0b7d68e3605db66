/*
 * Counts the sequences of legal moves of a deal (perft), for comparing engines.
 */
#ifndef CMD_PERFT_H
#define CMD_PERFT_H

#include <stdint.h>

#include "scopa/deal.h"

/*
 * Returns the number of sequences of exactly `depth` legal moves (plays and
 * declarations) that begin with this deal.  For depth 0 this is 1.  A sequence
 * that the end of the deal makes shorter does not count.  `moves` has space for
 * SCOPA_MOVES_MAX moves for each level of the depth.
 */
uint64_t perft_count(const struct scopa_rules *rules,
    const struct scopa_deal *deal, int depth, struct scopa_move *moves);

#endif
