/*
 * Games for analysis: a bot that asks for all cards is sent them.
 *
 * Only this file writes a `cards` line, and analysis_put_cards requires a
 * permit.  The caller gets a permit if the user has explicitly asked for
 * analysis.  A referee without a permit cannot write the line.  Results of such
 * games are never rated.
 */
#ifndef ANALYSIS_H
#define ANALYSIS_H

#include "scopa/scopa.h"

/* The type is incomplete, so no other file can make a permit. */
struct analysis_permit;

/*
 * Returns the permit, for games that the user wants for analysis.  It is static
 * and never freed.
 */
const struct analysis_permit *analysis_allow(void);

/*
 * Adds the line `cards hands=SEAT:CARDS,... deck=CARDS`: the hands of all
 * seats, and the cards that are not dealt yet, in the order of dealing.
 */
void analysis_put_cards(const struct analysis_permit *permit,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_text *text);

#endif
