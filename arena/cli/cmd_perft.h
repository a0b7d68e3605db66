/*
 * Counts the sequences of moves of a deal.
 */
#ifndef CMD_PERFT_H
#define CMD_PERFT_H

#include <stdint.h>

#include "scopa/deal.h"

/*
 * The number of sequences of exactly `depth` legal moves (plays and
 * declarations) from this deal on; there is one of none.  Sequences that the
 * end of the deal cuts short do not count.  `moves` is room for
 * SCOPA_MOVES_MAX moves for each move of the depth.
 */
uint64_t perft_count(const struct scopa_rules *rules,
    const struct scopa_deal *deal, int depth, struct scopa_move *moves);

#endif
