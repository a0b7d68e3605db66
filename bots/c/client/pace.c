#include "pace.h"

#include <assert.h>

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

int
pace_decisions_left(
    const struct scopa_rules *rules, const struct scopa_view *view)
{
	int dealt = view->deck_count / rules->players;

	return view->hand_counts[view->seat] + dealt;
}

static int64_t
lesser(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

static int64_t
greater(int64_t one, int64_t other)
{
	return one > other ? one : other;
}

void
pace_begin(struct pace_record *record, int64_t bank_ns, int64_t wake_ns)
{
	int64_t missing_ns = record->bank_ns - bank_ns - BANK_GRAIN_NS;

	record->lag_new_ns = wake_ns;
	if (record->answered && bank_ns >= 0 && record->bank_ns >= 0)
		record->lag_new_ns += greater(missing_ns, 0);
	record->answered = false;
	record->work_ns = greater(record->work_ns, 1);
}

/*
 * The mean of the last waits: older ones count less with every answer.  A bot
 * that thinks cannot avoid single long waits.
 */
static int64_t
mean_ns(int64_t before_ns, int64_t new_ns)
{
	return before_ns + (new_ns - before_ns) / LATELY_LAG;
}

/* The longest so far, or of late, likewise. */
static int64_t
longest_ns(int64_t before_ns, int64_t new_ns)
{
	return greater(before_ns - before_ns / LATELY, new_ns);
}

void
pace_end(struct pace_record *record, int64_t used_ns, int64_t wait_ns,
    int64_t left_ns)
{
	record->answered = true;
	record->bank_ns = left_ns;
	record->lag_ns = mean_ns(record->lag_ns, record->lag_new_ns + wait_ns);
	record->work_ns =
	    longest_ns(record->work_ns, greater(used_ns - wait_ns, 0));
}

/* What is left of a time when the margin is taken off; 0: nothing. */
static int64_t
usable_ns(int64_t time_ns, int64_t lag_ns)
{
	int64_t margin_ns = lesser(
	    greater(time_ns / MARGIN_PART, MARGIN_LEAST_NS), MARGIN_MOST_NS);

	margin_ns += LAG_MARGIN * lag_ns;
	return greater(time_ns - margin_ns, 0);
}

/* The deals that the match may still have, this one included. */
static int
deals_left(const struct builtin_turn *turn)
{
	const struct scopa_view *view = turn->view;
	int best = 0;

	if (view == NULL)
		return DEALS_LEFT_MIN;
	if (turn->deal_count > 0)
		return (int)greater(turn->deal_count - view->deal_number, 0) +
		    1;
	for (int team = 0; team < SCOPA_TEAMS_MAX; team++)
		best = (int)greater(best, view->scores[team]);
	return (int)greater(
	    (turn->rules->target - best) / POINTS_A_DEAL + 1, DEALS_LEFT_MIN);
}

/* What this decision may take of a bank: so many of equal shares. */
static int64_t
bank_shares_ns(
    const struct builtin_turn *turn, int decisions_left, int share_count)
{
	int64_t decisions = decisions_left;
	int64_t increment_ns = greater(turn->increment_ns, 0);
	int64_t share_ns;

	if (turn->match_bank)
		decisions *= deals_left(turn);
	/* Each of the others may have to wait as this one has. */
	share_ns = greater(turn->bank_ns / decisions - turn->lag_ns, 0);
	if (decisions > 1)
		share_ns += share_ns / SHARE_DENOMINATOR *
		    (SHARE_NUMERATOR - SHARE_DENOMINATOR);
	share_ns *= share_count;
	return lesser(usable_ns(share_ns + increment_ns, 0),
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
		return lesser(time_ns, 2 * work_ns + time_ns / STEP);
	part = (double)work_ns / ((double)work_ns + (double)turn->lag_ns);
	return lesser((int64_t)(part * (double)time_ns),
	    work_ns + work_ns / GROWTH + time_ns / STEP / GROWTH);
}

int64_t
pace_deadline_ns(
    const struct builtin_turn *turn, int64_t most_ns, int decisions_left)
{
	int64_t time_ns = INT64_MAX;

	assert(most_ns >= 0 && decisions_left > 0);
	if (turn->move_ns >= 0)
		time_ns =
		    lesser(time_ns, usable_ns(turn->move_ns, turn->lag_ns));
	if (turn->bank_ns >= 0)
		time_ns =
		    lesser(time_ns, bank_shares_ns(turn, decisions_left, 1));
	time_ns = own_part_ns(turn, time_ns);
	time_ns = lesser(time_ns, most_ns > 0 ? most_ns : INT64_MAX);
	if (time_ns == INT64_MAX)
		time_ns = PACE_FREE_NS;
	return turn->began_ns + time_ns;
}

/* The longest that the clock allows; INT64_MAX: there is none. */
static int64_t
clock_most_ns(const struct builtin_turn *turn, int decisions_left)
{
	int64_t time_ns = INT64_MAX;

	if (turn->move_ns >= 0)
		time_ns = usable_ns(turn->move_ns, turn->lag_ns);
	if (turn->bank_ns >= 0)
		time_ns = lesser(
		    time_ns, bank_shares_ns(turn, decisions_left, SHARES_MOST));
	return time_ns;
}

struct pace_limit
pace_search_limit(
    const struct builtin_turn *turn, int64_t ms, int64_t iterations)
{
	int decisions_left = pace_decisions_left(turn->rules, turn->view);
	int64_t most_ns = ms * NOW_NS_PER_MS, clock_ns;

	if (iterations == 0)
		return (struct pace_limit){
			pace_deadline_ns(turn, most_ns, decisions_left), false
		};
	if (most_ns == 0)
		most_ns = PACE_MS_MAX * NOW_NS_PER_MS;
	clock_ns = clock_most_ns(turn, decisions_left);
	return (struct pace_limit){ turn->began_ns + lesser(most_ns, clock_ns),
		clock_ns < most_ns };
}
