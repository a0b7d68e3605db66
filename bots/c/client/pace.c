#include "pace.h"

#include <sys/param.h>

#include "now.h"
#include "scopa/view.h"

/* A part of the time is kept back, but neither less nor more than this. */
enum { MARGIN_PART = 4 };
#define MARGIN_LEAST_NS (3 * NOW_NS_PER_MS / 2)
#define MARGIN_MOST_NS (50 * NOW_NS_PER_MS)

/* About how many answers ago something was lately: work, and lag. */
enum { LATELY = 64, LATELY_LAG = 16 };

/* A lag beyond this part of the time tells that the processor is shared. */
enum { CROWDED = 32 };

/*
 * By this part, and a little, a thought may then be longer than those before.
 */
enum { GROWTH = 4 };

/* So little of the time, at least, a thought may grow by. */
enum { STEP = 32 };

/* How many times the lag is kept back. */
enum { LAG_MARGIN = 3 };

/* The bank is told in milliseconds, rounded. */
#define BANK_GRAIN_NS NOW_NS_PER_MS

/*
 * Early decisions may take a little more than their share of a bank: the last
 * ones of a hand have little to choose from.
 */
enum { SHARE_NUMERATOR = 5, SHARE_DENOMINATOR = 4 };

/* How many shares of a bank one decision may take that is to be made whole. */
enum { SHARES_MOST = 2 };

/* A match to a target is taken to last so many deals at least. */
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
	 * The mean of the last waits, since a bot that thinks cannot avoid
	 * single long ones; and the longest work.  Older ones count less with
	 * every answer.
	 */
	record->lag_ns += (lag_ns - record->lag_ns) / LATELY_LAG;
	record->work_ns =
	    MAX(record->work_ns - record->work_ns / LATELY, MAX(work_ns, 0));
}

/* What is left of a time when the margin is taken off; 0: nothing. */
static int64_t
usable_ns(int64_t time_ns, int64_t lag_ns)
{
	int64_t margin_ns =
	    MIN(MAX(time_ns / MARGIN_PART, MARGIN_LEAST_NS), MARGIN_MOST_NS);

	margin_ns += LAG_MARGIN * lag_ns;
	return MAX(time_ns - margin_ns, 0);
}

/* The deals that the match may still have, this one included. */
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

/* What this decision may take of a bank: so many of equal shares. */
static int64_t
bank_shares_ns(const struct builtin_turn *turn, int share_count)
{
	const struct scopa_view *view = turn->view;
	int64_t decisions = view->hand_counts[view->seat] +
	    view->deck_count / turn->rules->players;
	int64_t share_ns;

	if (turn->match_bank)
		decisions *= deals_left(turn);
	/* Each of the others may have to wait as this one has. */
	share_ns = MAX(turn->bank_ns / decisions - turn->lag_ns, 0);
	if (decisions > 1)
		share_ns += share_ns / SHARE_DENOMINATOR *
		    (SHARE_NUMERATOR - SHARE_DENOMINATOR);
	share_ns *= share_count;
	return MIN(usable_ns(share_ns + MAX(turn->increment_ns, 0), 0),
	    usable_ns(turn->bank_ns, turn->lag_ns));
}

/*
 * What is the bot's of a time that it shares with others.  Thoughts grow from
 * one to the next, slowly where the processor is shared: a bot that loses the
 * processor in a long thought, among many that think as long, finds out too
 * late.
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
 * The longest that the clock allows, of a bank so many shares; INT64_MAX: there
 * is none.
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
