/*
 * The end of a deal, worked out: what the tradition calls the rule of 48, by
 * which the dealer knows the last cards from those that have gone.
 *
 * When few hands are possible, each is played to its end as if all cards lay
 * open, and the possible ones count by their chances.
 */
#ifndef SCOPA_BOT_ENDPLAY_H
#define SCOPA_BOT_ENDPLAY_H

#include "reply_analysis.h"

enum {
	ENDPLAY_PLAYS_MAX = 8,   /* cards left in all hands, at most */
	ENDPLAY_WORLDS_MAX = 90, /* ways to share the hidden ones: 2, 2 and 2 */
	ENDPLAY_STEPS_MAX = 200000 /* moves looked at: less than 0.1 s */
};

/*
 * Whether the end can be worked out: all cards are dealt, at most `plays` of
 * them are left in all hands (up to ENDPLAY_PLAYS_MAX), and no more of them are
 * hidden than the limit says.
 */
bool endplay_is_near(const struct reply_context *context, int plays);

/*
 * Writes for each of `count` moves the points of the deal by which the mover's
 * team will lead the best of the others, if everybody plays for the mover or
 * against as with open cards.  False where that takes too long, as it can with
 * many cards on the table; the values mean nothing then.
 */
bool endplay_judge(const struct reply_context *context,
    const struct scopa_move *moves, int count, double *values);

#endif
