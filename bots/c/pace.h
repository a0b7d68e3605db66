/*
 * How long a bot may think, out of what `go` says of its clock.
 */
#ifndef SCOPA_BOT_PACE_H
#define SCOPA_BOT_PACE_H

#include "builtin.h"

/*
 * When the answer to a turn must be ready, CLOCK_MONOTONIC.  It leaves a margin
 * to the clock: for the way to the arena, for a turn on the processor beside
 * other bots, and for the piece of work between two looks at the time.
 *
 * `most_ns` is the longest that the bot wants to think (its option `ms`), or 0:
 * as long as the clock allows, and without a clock PACE_FREE_NS.
 * `decisions_left` is how many times the seat will be asked in this deal, this
 * time included: a bank is divided among them, and among the deals that the
 * match may still have.  The time may be the present or past: then the bot
 * answers at once.
 */
int64_t pace_deadline_ns(
    const struct builtin_turn *turn, int64_t most_ns, int decisions_left);

/* The decisions of the seat in this deal from now on, declarations aside. */
int pace_decisions_left(
    const struct scopa_rules *rules, const struct scopa_view *view);

/* How long a bot thinks that nobody has set a limit. */
#define PACE_FREE_NS INT64_C(1000000000)

#endif
