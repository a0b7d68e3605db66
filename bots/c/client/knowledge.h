/*
 * What a seat knows of its deal: read from a `state` line, and all cards from a
 * `cards` line.
 */
#ifndef SCOPA_BOT_KNOWLEDGE_H
#define SCOPA_BOT_KNOWLEDGE_H

#include "scopa/view.h"
#include "token.h"

/*
 * What a bot knows of a deal when it is asked, and a deal that agrees with it.
 */
struct knowledge {
	struct scopa_rules rules;
	struct scopa_view view;
	struct scopa_deal deal; /* imagined */
};

/*
 * From a `state` line with its verb and a NUL.  False where that contradicts
 * itself; *knowledge is not to be used then.
 */
bool knowledge_from_state(const char *state, struct knowledge *knowledge);

/* All legal moves with blanks between. */
void knowledge_moves(
    const struct knowledge *knowledge, struct scopa_text *text);

/*
 * Puts the cards of a `cards` line, without its verb, where they lie:  `deal`
 * is one that agrees with the view (see world.h), and then the true one.
 * False, and *deal left alone, where the line contradicts the view or itself.
 */
bool unveil_deal(struct token line, const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal);

#endif
