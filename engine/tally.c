/*
 * The state of a match.  A match ends with an instant win; or after the fixed
 * number of deals; or when a team has reached the target and one team leads.  A
 * tie at the target leads to another deal.
 */
#include "scopa/tally.h"

#include <assert.h>

void
scopa_tally_init(struct scopa_tally *tally, int dealer, int deals)
{
	assert(dealer >= 0 && dealer < SCOPA_SEATS_MAX && deals >= 0);
	*tally = (struct scopa_tally){
		.deals = deals,
		.dealer = (uint8_t)dealer,
		.state = SCOPA_TALLY_OPEN,
		.winner = SCOPA_TEAM_NONE,
	};
}

/*
 * Returns the only team in the lead, by the aim of the rules, or
 * SCOPA_TEAM_NONE.
 */
static uint8_t
leader_of(const struct scopa_rules *rules, const struct scopa_tally *tally)
{
	int sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	int best = 0;
	bool alone = true;

	for (int team = 1; team < scopa_team_count(rules); team++) {
		int ahead = sign * (tally->scores[team] - tally->scores[best]);

		if (ahead > 0)
			best = team;
		if (ahead >= 0)
			alone = ahead > 0;
	}
	return alone ? (uint8_t)best : SCOPA_TEAM_NONE;
}

static bool
target_reached(const struct scopa_rules *rules, const struct scopa_tally *tally)
{
	for (int team = 0; team < scopa_team_count(rules); team++)
		if (tally->scores[team] >= rules->target)
			return true;
	return false;
}

void
scopa_tally_add(const struct scopa_rules *rules, struct scopa_tally *tally,
    const struct scopa_score *score)
{
	int players = rules->players;
	int step = rules->rotation == SCOPA_ROTATION_WITH ? 1 : players - 1;

	assert(tally->state == SCOPA_TALLY_OPEN);
	for (int team = 0; team < scopa_team_count(rules); team++)
		tally->scores[team] += score->total[team];
	tally->deal_count++;
	tally->dealer = (uint8_t)((tally->dealer + step) % players);
	if (score->winner != SCOPA_TEAM_NONE) {
		tally->state = SCOPA_TALLY_INSTANT;
		tally->winner = score->winner;
	} else if (tally->deals > 0) {
		if (tally->deal_count == tally->deals) {
			tally->state = SCOPA_TALLY_DEALS;
			tally->winner = leader_of(rules, tally);
		}
	} else if (target_reached(rules, tally) &&
	    leader_of(rules, tally) != SCOPA_TEAM_NONE) {
		tally->state = SCOPA_TALLY_TARGET;
		tally->winner = leader_of(rules, tally);
	}
}
