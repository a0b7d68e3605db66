/*
 * How long a bot may think, out of what `go` says of its clock.
 */
#ifndef SCOPA_BOT_PACE_H
#define SCOPA_BOT_PACE_H

#include "builtin.h"

/*
 * What earlier answers have taught about the machine: all zero at first, and
 * kept as long as the process lives.
 */
struct pace_record {
	/*
	 * By how much answers were lately later than the bot's own work,
	 * because others had the processor or the arena was slow, in the mean;
	 * and the longest work, in time of its own on the processor.  Both are
	 * forgotten by and by.
	 */
	int64_t lag_ns, work_ns;
	int64_t lag_new_ns; /* what was seen of the lag in this turn so far */
	bool answered;      /* the one that follows is of the last answer */
	int64_t bank_ns; /* that there should be after it, by the bot's clock */
};

/*
 * A turn begins with this bank (-1: there is none), `wake_ns` after it could
 * have: a bank that is smaller than it should be tells of a lag, too.  From
 * then on work_ns is more than 0.
 */
void pace_begin(struct pace_record *record, int64_t bank_ns, int64_t wake_ns);

/*
 * The answer went out `used_ns` after pace_begin().  For `wait_ns` of this the
 * bot had no processor.  `left_ns` is what the bank should be now, or -1.
 */
void pace_end(struct pace_record *record, int64_t used_ns, int64_t wait_ns,
    int64_t left_ns);

/*
 * When the answer to a turn must be ready, CLOCK_MONOTONIC.  It leaves a margin
 * to the clock: for the way to the arena and for the piece of work between two
 * looks at the time, and three times the turn's lag_ns.  Where the processor is
 * shared, it takes of what is left the part that the bot has lately had of it,
 * work_ns of work_ns + lag_ns: where all who share it do that, few wait longer
 * than they can afford.  Thoughts grow from one to the next, too.  A turn whose
 * work_ns is 0 has the processor for itself.
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

/* Until when a search may go on. */
struct pace_limit {
	int64_t deadline_ns; /* CLOCK_MONOTONIC */
	/* It is the clock's, where all iterations and all of `ms` are meant. */
	bool by_clock;
};

/*
 * The same by the options of a bot that searches, `ms` and `iterations`, 0
 * where there is none.  Without a number of iterations it is
 * pace_deadline_ns().  With one, the search is to make them all: then the clock
 * ends it only where an answer would be late, or where as long a thought each
 * time would use up a bank twice.  What others take of the processor shortens
 * it by the margin alone.
 */
struct pace_limit pace_search_limit(
    const struct builtin_turn *turn, int64_t ms, int64_t iterations);

/* The decisions of the seat in this deal from now on, declarations aside. */
int pace_decisions_left(
    const struct scopa_rules *rules, const struct scopa_view *view);

/* How long a bot thinks that nobody has set a limit. */
#define PACE_FREE_NS INT64_C(1000000000)

/* The most that an option `ms` may say: an hour. */
enum { PACE_MS_MAX = 3600000 };

#endif
