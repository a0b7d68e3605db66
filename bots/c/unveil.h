/*
 * All cards, where an arena shows them: the line `cards` of a game for analysis.
 */
#ifndef SCOPA_BOT_UNVEIL_H
#define SCOPA_BOT_UNVEIL_H

#include "scopa/view.h"
#include "token.h"

/*
 * Puts the cards of the line, without its verb, where they lie: `deal` is one
 * that agrees with the view (see imagine.h), and then the true one.  False, and
 * *deal left alone, where the line contradicts the view or itself.
 */
bool unveil_deal(struct token line, const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal);

#endif
