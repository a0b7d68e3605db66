/*
 * A planned block as a line of text, for people.
 */
#ifndef SCHEDULE_PRINT_H
#define SCHEDULE_PRINT_H

#include "block.h"

/*
 * `block 12 round 3: greedy first | first greedy`: who sits in seats 1, 2, ...
 * of each game.  `names` are those of the bots by number.
 */
void schedule_print_block(const struct block_plan *plan,
    const char *const names[], const struct scopa_rules *rules,
    struct scopa_text *text);

#endif
