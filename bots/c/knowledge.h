/*
 * What a bot knows of a deal when it is asked, and a deal that agrees with it.
 */
#ifndef SCOPA_BOT_KNOWLEDGE_H
#define SCOPA_BOT_KNOWLEDGE_H

#include "scopa/view.h"
#include "track.h"

struct knowledge {
	struct scopa_rules rules;
	struct scopa_view view;
	struct scopa_deal deal; /* imagined */
};

/*
 * From the events so far, or from a `state` line with its verb and a NUL (or
 * NULL: there was none).  False where that tells nothing, or contradicts
 * itself; *knowledge is not to be used then.
 */
bool knowledge_from_events(
    const struct track *track, struct knowledge *knowledge);
bool knowledge_from_state(const char *state, struct knowledge *knowledge);

/* All legal moves with blanks between. */
void knowledge_moves(
    const struct knowledge *knowledge, struct scopa_text *text);

#endif
