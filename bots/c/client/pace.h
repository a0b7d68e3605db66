/* How long a bot may think, computed from the clock in `go`. */
#ifndef SCOPA_BOT_PACE_H
#define SCOPA_BOT_PACE_H

#include "builtin.h"

/*
 * What earlier answers have shown about the machine, and the present turn.  It
 * is zero at first and lives as long as the process.
 */
struct pace_record {
	/*
	 * lag_ns is the mean time by which recent answers were later than the
	 * bot's own work, because other processes used the processor or the
	 * arena was slow.  work_ns is the longest recent work, in processor
	 * time.  Older answers count less with every new one.
	 */
	int64_t lag_ns, work_ns;
	/* of the bank, by the bot's clock; -1: unknown, or given afresh */
	int64_t left_ns;

	/* The present turn. */
	bool asked;          /* the question is not answered yet */
	int64_t began_ns;    /* when the bot could have received the question */
	int64_t heard_ns;    /* when it received the question */
	int64_t bank_ns;     /* with the increment; -1: no bank */
	int64_t lag_seen_ns; /* the lag of this turn so far */
};

/*
 * Begins a turn.  The process ran `wake_ns` later than it could have.  When the
 * bank is smaller than expected, the difference is lag, too.  Sets the turn's
 * lag_ns and its work_ns, which is then more than 0.
 */
void pace_begin(
    struct pace_record *record, struct builtin_turn *turn, int64_t wake_ns);

/*
 * Ends a turn: the answer was written at `now_ns`.  Between question and answer
 * the process was ready but had no processor for `wait_ns`.
 */
void pace_end(struct pace_record *record, int64_t now_ns, int64_t wait_ns);

/* The end of a search. */
struct pace_limit {
	int64_t deadline_ns; /* CLOCK_MONOTONIC */
	/*
	 * With a number of iterations: the deadline comes from the clock, and
	 * is earlier than the option `ms` allows.
	 */
	bool by_clock;
};

/*
 * Returns when the answer to a turn must be ready.  `ms` and `iterations` are
 * the options of a search bot; 0: no limit.
 *
 * The limit leaves a margin for the way to the arena, for the work between two
 * looks at the clock, and three times lag_ns.  On a shared processor the bot
 * takes of the rest only the part that it recently had, work_ns of work_ns +
 * lag_ns; if all bots on the processor do this, few wait too long.  A thought
 * may be only a little longer than the thoughts before.  work_ns of 0 means
 * that the bot has the processor alone.  A bank is divided among the decisions
 * of the deal, and among the deals that the match may still have.  The limit
 * may be in the past; then the bot answers at once.
 *
 * With a number of iterations the search should make all of them.  Then the
 * clock ends it only when the answer would be late, or when such a thought in
 * every decision would use twice the bank.  A shared processor changes only the
 * margin.
 */
struct pace_limit pace_search_limit(
    const struct builtin_turn *turn, int64_t ms, int64_t iterations);

/* The time of a thought when there is no other limit, in ns. */
#define PACE_FREE_NS INT64_C(1000000000)

/* The maximum of an option `ms`: one hour. */
enum { PACE_MS_MAX = 3600000 };

#endif
