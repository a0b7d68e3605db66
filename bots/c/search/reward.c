#include "reward.h"

#include <float.h>
#include <math.h>

void
reward_points(void *context, const struct search_end *end, double *rewards)
{
	const struct scopa_score *score = end->score;
	int sign = end->rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	int winner = score->winner;

	(void)context;
	for (int team = 0; team < scopa_team_count(end->rules); team++)
		rewards[team] = sign * score->total[team];
	if (winner != SCOPA_TEAM_NONE &&
	    end->rules->target > end->view->scores[winner])
		rewards[winner] +=
		    end->rules->target - end->view->scores[winner];
}

void
reward_difference(void *context, const struct search_end *end, double *rewards)
{
	double points[SCOPA_TEAMS_MAX];
	int teams = scopa_team_count(end->rules);

	reward_points(context, end, points);
	for (int team = 0; team < teams; team++) {
		double best = -DBL_MAX;

		for (int other = 0; other < teams; other++)
			if (other != team && points[other] > best)
				best = points[other];
		rewards[team] = points[team] - best;
	}
}

void
reward_win(void *context, const struct search_end *end, double *rewards)
{
	reward_difference(context, end, rewards);
	for (int team = 0; team < scopa_team_count(end->rules); team++)
		rewards[team] = (rewards[team] > 0) - (rewards[team] < 0);
}

/* More than the points that anybody makes in a deal of most games. */
static const double blow_points = 16;

/* Nobody reaches the target from further away in one deal, mostly. */
enum { REACH = 7 };

/* Points that the winner of a deal makes, and the spread of differences. */
static const double deal_points = 4, deal_spread = 3.3;

/* What a match won is worth in points, and the difference besides. */
static const double match_points = 4, difference_share = 0.1;

static double
most_of_others(const double *values, int count, int team)
{
	double most = -HUGE_VAL;

	for (int i = 0; i < count; i++)
		if (i != team && values[i] > most)
			most = values[i];
	return most;
}

static void
differences(const struct search_end *end, int teams, double *rewards)
{
	double points[SCOPA_TEAMS_MAX], sum = 0;

	for (int i = 0; i < teams; i++) {
		points[i] = end->score->total[i];
		if (end->rules->aim == SCOPA_AIM_LEAST)
			points[i] = -points[i];
		if (end->score->winner == i)
			points[i] += blow_points;
		sum += points[i];
	}
	for (int i = 0; i < teams; i++)
		rewards[i] = points[i] - (sum - points[i]) / (teams - 1);
}

bool
match_equity_decides(const struct match_equity *equity,
    const struct scopa_rules *rules, const struct scopa_view *view)
{
	if (!equity->to_target || rules->aim == SCOPA_AIM_LEAST)
		return false;
	for (int i = 0; i < scopa_team_count(rules); i++)
		if (view->scores[i] + REACH >= rules->target)
			return true;
	return false;
}

/*
 * Chances lie on a logistic curve of the lead, which is the flatter the more
 * deals are still to come.  1.7 makes it the normal one, nearly.
 */
static double
chance_of(const struct scopa_rules *rules, double own, double other)
{
	double top = own > other ? own : other;
	double deals = (rules->target - top) / deal_points;

	if (top >= rules->target && own != other)
		return own > other;
	deals = deals < 1 ? 1 : deals;
	return 1 /
	    (1 + exp(-1.7 * (own - other) / (deal_spread * sqrt(deals))));
}

void
match_equity_count(void *context, const struct search_end *end, double *rewards)
{
	const struct match_equity *equity = context;
	int teams = scopa_team_count(end->rules);
	double scores[SCOPA_TEAMS_MAX];

	differences(end, teams, rewards);
	if (end->score->winner != SCOPA_TEAM_NONE ||
	    !match_equity_decides(equity, end->rules, end->view))
		return;
	for (int i = 0; i < teams; i++)
		scores[i] = end->view->scores[i] + end->score->total[i];
	for (int i = 0; i < teams; i++) {
		double chance = chance_of(
		    end->rules, scores[i], most_of_others(scores, teams, i));

		rewards[i] = difference_share * rewards[i] +
		    match_points * (2 * chance - 1);
	}
}
