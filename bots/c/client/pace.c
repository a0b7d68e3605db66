/*
 * The time limit of a decision.
 *
 * pace_begin() and pace_end() stand around every answer.  They measure two
 * recent values: the lag, by which answers were later than the bot's own work,
 * and the longest work.  pace_search_limit() computes the limit from the clock
 * of `go`, from these values and from the options.
 */
#include "pace.h"

#include <sys/param.h>

#include "now.h"
#include "scopa/view.h"

/* The margin is 1/MARGIN_PART of the time, within these limits. */
enum { MARGIN_PART = 4 };
#define MARGIN_LEAST_NS (3 * NOW_NS_PER_MS / 2)
#define MARGIN_MOST_NS (50 * NOW_NS_PER_MS)

/* The number of answers over which recent work and recent lag are measured. */
enum { LATELY = 64, LATELY_LAG = 16 };

/* A lag above 1/CROWDED of the time means that the processor is shared. */
enum { CROWDED = 32 };

/*
 * On a shared processor a thought may be longer than recent ones by 1/GROWTH of
 * them, and a little.
 */
enum { GROWTH = 4 };

/* A thought may always grow by 1/STEP of the time, however short it was. */
enum { STEP = 32 };

/* The margin includes this many times the lag. */
enum { LAG_MARGIN = 3 };

/* The arena sends the bank in milliseconds, rounded. */
#define BANK_GRAIN_NS NOW_NS_PER_MS

/*
 * Early decisions may take 5/4 of their share of a bank, because the last
 * decisions of a hand have few moves to choose from.
 */
enum { SHARE_NUMERATOR = 5, SHARE_DENOMINATOR = 4 };

/* With a given number of iterations, a decision may take this many shares. */
enum { SHARES_MOST = 2 };

/* The number of deals that a match to a target is expected to last. */
enum { DEALS_LEFT_MIN = 2, POINTS_A_DEAL = 3 };

void
pace_begin(
    struct pace_record *record, struct builtin_turn *turn, int64_t wake_ns)
{
	record->lag_seen_ns = wake_ns;
	if (turn->bank_ns >= 0 && record->left_ns >= 0)
		record->lag_seen_ns +=
		    MAX(record->left_ns - turn->bank_ns - BANK_GRAIN_NS, 0);
	record->work_ns = MAX(record->work_ns, 1);
	record->left_ns = -1;
	record->asked = true;
	record->began_ns = turn->began_ns;
	record->heard_ns = turn->began_ns + wake_ns;
	record->bank_ns =
	    turn->bank_ns < 0 ? -1 : turn->bank_ns + MAX(turn->increment_ns, 0);
	turn->lag_ns = record->lag_ns;
	turn->work_ns = record->work_ns;
}

void
pace_end(struct pace_record *record, int64_t now_ns, int64_t wait_ns)
{
	int64_t lag_ns = record->lag_seen_ns + wait_ns;
	int64_t work_ns = now_ns - record->heard_ns - wait_ns;

	if (!record->asked)
		return;
	record->asked = false;
	if (record->bank_ns >= 0)
		record->left_ns = record->bank_ns - (now_ns - record->began_ns);
	/*
	 * lag_ns is the mean of the recent lags, since a single long wait
	 * cannot be avoided.  work_ns is the longest recent work.  Older
	 * answers count less with every new answer.
	 */
	record->lag_ns += (lag_ns - record->lag_ns) / LATELY_LAG;
	record->work_ns =
	    MAX(record->work_ns - record->work_ns / LATELY, MAX(work_ns, 0));
}

/* Returns the time without the margin; 0 when nothing is left. */
static int64_t
usable_ns(int64_t time_ns, int64_t lag_ns)
{
	int64_t margin_ns =
	    MIN(MAX(time_ns / MARGIN_PART, MARGIN_LEAST_NS), MARGIN_MOST_NS);

	margin_ns += LAG_MARGIN * lag_ns;
	return MAX(time_ns - margin_ns, 0);
}

/* Estimates the deals that the match still has, with this one. */
static int
deals_left(const struct builtin_turn *turn)
{
	const struct scopa_view *view = turn->view;
	int best = 0;

	if (turn->deal_count > 0)
		return MAX(turn->deal_count - view->deal_number, 0) + 1;
	for (int team = 0; team < SCOPA_TEAMS_MAX; team++)
		best = MAX(best, view->scores[team]);
	return MAX((turn->rules->target - best) / POINTS_A_DEAL + 1,
	    (int)DEALS_LEFT_MIN);
}

/*
 * Returns the time that this decision may take of a bank: `share_count` shares.
 */
static int64_t
bank_shares_ns(const struct builtin_turn *turn, int share_count)
{
	const struct scopa_view *view = turn->view;
	int64_t decisions = view->hand_counts[view->seat] +
	    view->deck_count / turn->rules->players;
	int64_t share_ns;

	if (turn->match_bank)
		decisions *= deals_left(turn);
	/* Every later decision may lose as much time to lag as this one. */
	share_ns = MAX(turn->bank_ns / decisions - turn->lag_ns, 0);
	if (decisions > 1)
		share_ns += share_ns / SHARE_DENOMINATOR *
		    (SHARE_NUMERATOR - SHARE_DENOMINATOR);
	share_ns *= share_count;
	return MIN(usable_ns(share_ns + MAX(turn->increment_ns, 0), 0),
	    usable_ns(turn->bank_ns, turn->lag_ns));
}

/*
 * Limits a time on a shared processor to this bot's part.  Thoughts may only
 * grow slowly from one to the next: when many bots think long at the same time,
 * a bot notices the loss of its processor too late.
 */
static int64_t
own_part_ns(const struct builtin_turn *turn, int64_t time_ns)
{
	int64_t work_ns = turn->work_ns;
	double part;

	if (time_ns == INT64_MAX || work_ns == 0)
		return time_ns;
	if (turn->lag_ns <= time_ns / CROWDED)
		return MIN(time_ns, 2 * work_ns + time_ns / STEP);
	part = (double)work_ns / ((double)work_ns + (double)turn->lag_ns);
	return MIN((int64_t)(part * (double)time_ns),
	    work_ns + work_ns / GROWTH + time_ns / STEP / GROWTH);
}

/*
 * Returns the most time that the clock allows, with `share_count` shares of a
 * bank.  INT64_MAX: no clock.
 */
static int64_t
clock_most_ns(const struct builtin_turn *turn, int share_count)
{
	int64_t time_ns = INT64_MAX;

	if (turn->move_ns >= 0)
		time_ns = usable_ns(turn->move_ns, turn->lag_ns);
	if (turn->bank_ns >= 0)
		time_ns = MIN(time_ns, bank_shares_ns(turn, share_count));
	return time_ns;
}

struct pace_limit
pace_search_limit(
    const struct builtin_turn *turn, int64_t ms, int64_t iterations)
{
	int64_t most_ns = ms * NOW_NS_PER_MS, time_ns;

	if (iterations > 0) {
		if (ms == 0)
			most_ns = PACE_MS_MAX * NOW_NS_PER_MS;
		time_ns = clock_most_ns(turn, SHARES_MOST);
		return (
		    struct pace_limit){ turn->began_ns + MIN(most_ns, time_ns),
			time_ns < most_ns };
	}
	time_ns = own_part_ns(turn, clock_most_ns(turn, 1));
	if (ms > 0)
		time_ns = MIN(time_ns, most_ns);
	if (time_ns == INT64_MAX)
		time_ns = PACE_FREE_NS;
	return (struct pace_limit){ turn->began_ns + time_ns, false };
}
