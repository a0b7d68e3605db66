/*
 * Games for analysis: a bot that asks for all cards is told them.
 *
 * This is the only writer of a `cards` line, and it wants a permit, a value
 * that the caller gets where the user has asked for analysis by name.  A
 * referee without it cannot write the line.  Results of such games are never
 * rated.
 */
#ifndef ANALYSIS_H
#define ANALYSIS_H

#include "scopa/scopa.h"

/* Nobody can make one: the type has no members. */
struct analysis_permit;

/* The permit, for games that the user wants for analysis. */
const struct analysis_permit *analysis_allow(void);

/*
 * Adds the line `cards hands=SEAT:CARDS,... deck=CARDS`: what every seat holds,
 * and what is still to be dealt, in order of dealing.
 */
void analysis_put_cards(const struct analysis_permit *permit,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_text *text);

#endif
