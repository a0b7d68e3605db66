/*
 * What a bot tells of a decision, for the record and for charts: one `info`
 * line (protocol.md, section 6).
 */
#ifndef SCOPA_BOT_INFO_H
#define SCOPA_BOT_INFO_H

#include "scopa/move.h"
#include "scopa/text.h"

/* Bytes of a line from a bot, its end aside. */
enum { INFO_LINE_MAX = 4096 };

/* A line that is being written at the end of a text. */
struct info {
	struct scopa_text *text; /* NULL: nobody wants to know */
	size_t start;            /* where the line begins */
	bool empty;              /* it says nothing yet */
	bool commented;          /* a comment has begun: no keys any more */
};

/*
 * Begins a line at the end of `text`, which stays the caller's; where it is
 * NULL nothing is written.
 */
void info_init(struct info *info, struct scopa_text *text);

/*
 * Each adds `KEY=VALUE`.  The keys of the protocol are depth, nodes and time
 * (whole numbers from 0), value (points), pv (moves) and cut; a bot's own
 * numbers have keys that begin with `m.`.  Of a search, `m.iterations`, or else
 * `nodes`, tells its iterations, and `m.playouts` the deals that it has played
 * to their end, where these are other than the iterations:  `bench bots` counts
 * them.  A decimal has three digits after the point, and is left out where it
 * is no number.
 */
void info_whole(struct info *info, const char *key, int64_t number);
void info_decimal(struct info *info, const char *key, double number);
void info_moves(struct info *info, const char *key,
    const struct scopa_move *moves, int count);

/* Adds `cut=1` where the clock has ended a thought before all was done. */
void info_cut(struct info *info, bool cut);

/* Adds words to the comment that ends the line. */
void info_comment(struct info *info, const char *words);

/*
 * Ends the line.  One that says nothing, that the text had no room for or that
 * is too long for the protocol is taken back whole.
 */
void info_finish(struct info *info);

#endif
