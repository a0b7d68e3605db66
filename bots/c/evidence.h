/*
 * What each play of the others says about the cards they hold.
 */
#ifndef SCOPA_BOT_EVIDENCE_H
#define SCOPA_BOT_EVIDENCE_H

#include "belief.h"

/*
 * Fills the holders of unseen cards and what their plays say, by playing the
 * deal again from its beginning.  Where the history of the view is not whole
 * (a position that was set up), or there is no judge, plays say nothing.
 */
void evidence_gather(struct belief *belief, const struct belief_config *config,
    const struct scopa_view *view);

/* Whether the seat could have declared this hand as it was dealt. */
bool evidence_declares(
    const struct scopa_rules *rules, int seat, scopa_set hand);

#endif
