/*
 * What it takes to start a bot: from the call until it is ready.
 */
#ifndef BENCH_START_H
#define BENCH_START_H

#include <stdint.h>

#include "entrants.h"
#include "walls.h"

/*
 * Starts the bot so many times, in turns without walls and behind them, and ends
 * it each time.  The medians, in nanoseconds.  0 or -errno: -ENODATA where the
 * bot did not get ready.
 */
int bench_start(const struct entrant *entrant, const struct walls *walls,
    int count, int64_t medians_ns[2]);

#endif
