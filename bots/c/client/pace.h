/*
 * How long a bot may think, out of what `go` says of its clock.
 */
#ifndef SCOPA_BOT_PACE_H
#define SCOPA_BOT_PACE_H

#include "builtin.h"

/*
 * What earlier answers have taught about the machine, and the turn in hand: all
 * zero at first, and kept as long as the process lives.
 */
struct pace_record {
	/*
	 * By how much answers were lately later than the bot's own work,
	 * because others had the processor or the arena was slow, in the mean;
	 * and the longest work, in time of its own on the processor.  Both are
	 * forgotten by and by.
	 */
	int64_t lag_ns, work_ns;
	int64_t left_ns; /* of the bank, by the bot's clock; -1: nobody knows */

	/* Of the turn in hand. */
	bool asked;          /* it has not been answered */
	int64_t began_ns;    /* when it could have been heard of */
	int64_t heard_ns;    /* when it was */
	int64_t bank_ns;     /* with the increment; -1: there is none */
	int64_t lag_seen_ns; /* so far */
};

/*
 * A turn begins `wake_ns` after it could have:  a bank that is smaller than it
 * should be tells of a lag, too.  Tells the turn its lag_ns and its work_ns,
 * which from then on is more than 0.
 */
void pace_begin(
    struct pace_record *record, struct builtin_turn *turn, int64_t wake_ns);

/*
 * All that was answered has gone out at `now_ns`.  The bot had no processor for
 * `wait_ns` since it has heard the question.
 */
void pace_end(struct pace_record *record, int64_t now_ns, int64_t wait_ns);

/* Until when a search may go on. */
struct pace_limit {
	int64_t deadline_ns; /* CLOCK_MONOTONIC */
	/* It is the clock's, where all iterations and all of `ms` are meant. */
	bool by_clock;
};

/*
 * When the answer to a turn must be ready, by the options of a bot that
 * searches, `ms` and `iterations`, 0 where there is none.
 *
 * It leaves a margin to the clock: for the way to the arena and for the piece
 * of work between two looks at the time, and three times the turn's lag_ns.
 * Where the processor is shared, it takes of what is left the part that the bot
 * has lately had of it, work_ns of work_ns + lag_ns: where all who share it do
 * that, few wait longer than they can afford.  Thoughts grow from one to the
 * next, too.  A turn whose work_ns is 0 has the processor for itself.  A bank
 * is divided among the decisions of the deal, and among the deals that the
 * match may still have.  The time may be the present or past: then the bot
 * answers at once.
 *
 * With a number of iterations, the search is to make them all: then the clock
 * ends it only where an answer would be late, or where as long a thought each
 * time would use up a bank twice.  What others take of the processor shortens
 * it by the margin alone.
 */
struct pace_limit pace_search_limit(
    const struct builtin_turn *turn, int64_t ms, int64_t iterations);

/* How long a bot thinks that nobody has set a limit. */
#define PACE_FREE_NS INT64_C(1000000000)

/* The most that an option `ms` may say: an hour. */
enum { PACE_MS_MAX = 3600000 };

#endif
