/*
 * Writes the bots of a match to the trace of its rules. See trace.h.
 */
#ifndef MATCH_TRACE_H
#define MATCH_TRACE_H

#include "match.h"

/* The bot of the player was started. Without a trace nothing is done. */
void match_trace_begin(struct player *player);

/* A callback of struct bot_options, for the bots of a match with a trace. */
void match_trace_traffic(struct bot *bot, const struct bot_traffic *traffic);

/* The bot of the player has ended. Without a trace nothing is done. */
void match_trace_end(struct player *player, const struct bot_exit *exit);

#endif
