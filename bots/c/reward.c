#include "reward.h"

#include <float.h>

void
reward_points(void *context, const struct search_end *end, double *rewards)
{
	const struct scopa_score *score = end->score;
	int sign = end->rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	int winner = score->winner;

	(void)context;
	for (int party = 0; party < scopa_party_count(end->rules); party++)
		rewards[party] = sign * score->total[party];
	if (winner != SCOPA_PARTY_NONE &&
	    end->rules->target > end->view->scores[winner])
		rewards[winner] +=
		    end->rules->target - end->view->scores[winner];
}

void
reward_difference(void *context, const struct search_end *end, double *rewards)
{
	double points[SCOPA_PARTIES_MAX];
	int parties = scopa_party_count(end->rules);

	reward_points(context, end, points);
	for (int party = 0; party < parties; party++) {
		double best = -DBL_MAX;

		for (int other = 0; other < parties; other++)
			if (other != party && points[other] > best)
				best = points[other];
		rewards[party] = points[party] - best;
	}
}

void
reward_win(void *context, const struct search_end *end, double *rewards)
{
	reward_difference(context, end, rewards);
	for (int party = 0; party < scopa_party_count(end->rules); party++)
		rewards[party] = (rewards[party] > 0) - (rewards[party] < 0);
}
