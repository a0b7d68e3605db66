#include "endplay.h"

#include <assert.h>

#include "scopa/score.h"

/* What an instant win of the match counts for, in points of the deal. */
enum { BLOW_POINTS = 20, LEAD_MAX = INT16_MAX };

/* A share of what no play has hinted at, so that no world is impossible. */
static const double least_chance = 1e-6;

/* All ways to share the hidden cards, and what each move leads to. */
struct endplay {
	const struct reply_context *context;
	const struct scopa_move *moves;
	int count;
	int team;       /* of the mover */
	double *values; /* of the moves: sums over the ways so far */
	double weight;  /* and of their chances */
	int steps_left;
	int room[SCOPA_SEATS_MAX]; /* hidden cards that hands still lack */
	struct scopa_deal deal;    /* with the hidden cards shared so far */
};

/* By how much the team leads the best of the others. */
static int
lead_of(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team)
{
	struct scopa_score score;
	int best = -LEAD_MAX;

	scopa_score_count(rules, deal, &score);
	if (score.winner != SCOPA_TEAM_NONE)
		score.total[score.winner] += BLOW_POINTS;
	for (int i = 0; i < scopa_team_count(rules); i++)
		if (i != team && score.total[i] > best)
			best = score.total[i];
	return score.total[team] - best;
}

/*
 * The lead at the end, between `low` and `high`, with open cards (alpha-beta);
 * anything once the steps have run out.
 */
static int
lead_play(
    struct endplay *endplay, const struct scopa_deal *deal, int low, int high)
{
	const struct scopa_rules *rules = endplay->context->rules;
	struct scopa_move moves[SCOPA_MOVES_MAX];
	bool own;
	int count;

	if (scopa_deal_over(deal))
		return lead_of(rules, deal, endplay->team);
	own = scopa_team_of(rules, deal->turn) == endplay->team;
	count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	for (int i = 0; i < count && low < high; i++) {
		struct scopa_deal next = *deal;
		int lead;

		if (endplay->steps_left-- <= 0)
			return low;
		scopa_deal_apply(rules, &next, &moves[i]);
		lead = lead_play(endplay, &next, low, high);
		if (own && lead > low)
			low = lead;
		if (!own && lead < high)
			high = lead;
	}
	return own ? low : high;
}

static void
world_judge(struct endplay *endplay, double chance)
{
	for (int i = 0; i < endplay->count; i++) {
		struct scopa_deal next = endplay->deal;

		scopa_deal_apply(
		    endplay->context->rules, &next, &endplay->moves[i]);
		endplay->values[i] +=
		    chance * lead_play(endplay, &next, -LEAD_MAX, LEAD_MAX);
	}
	endplay->weight += chance;
}

/* Gives the hidden cards to the hands in all ways; each is a world. */
static void
worlds_judge(struct endplay *endplay, scopa_set hidden, double chance)
{
	const struct reply_context *context = endplay->context;
	scopa_card card;

	if (hidden == SCOPA_SET_EMPTY) {
		world_judge(endplay, chance);
		return;
	}
	card = scopa_set_take(&hidden);
	for (int seat = 0; seat < context->rules->players; seat++) {
		if (endplay->room[seat] == 0)
			continue;
		endplay->room[seat]--;
		endplay->deal.hands[seat] |= scopa_set_of(card);
		worlds_judge(endplay, hidden,
		    chance *
			(context->holding.chance[seat][card] + least_chance));
		endplay->deal.hands[seat] &= ~scopa_set_of(card);
		endplay->room[seat]++;
	}
}

/* How many hidden cards the seat holds. */
static int
room_of(const struct reply_context *context, int seat)
{
	const struct scopa_view *view = context->view;

	return seat == view->seat || view->shown[seat] != SCOPA_SET_EMPTY
	    ? 0
	    : view->hand_counts[seat];
}

bool
endplay_is_near(const struct reply_context *context, int plays)
{
	const struct scopa_view *view = context->view;
	int left = 0, hidden = 0;
	int64_t worlds = 1;

	for (int seat = 0; seat < context->rules->players; seat++)
		left += view->hand_counts[seat];
	assert(plays <= ENDPLAY_PLAYS_MAX);
	if (view->deck_count > 0 || left > plays)
		return false;
	for (int seat = 0; seat < context->rules->players; seat++)
		for (int i = 1; i <= room_of(context, seat); i++)
			worlds = worlds * ++hidden / i;
	return worlds <= ENDPLAY_WORLDS_MAX;
}

bool
endplay_judge(const struct reply_context *context,
    const struct scopa_move *moves, int count, double *values)
{
	struct endplay endplay = {
		.context = context,
		.moves = moves,
		.count = count,
		.team = scopa_team_of(context->rules, context->view->seat),
		.values = values,
		.steps_left = ENDPLAY_STEPS_MAX,
		.deal = *context->deal,
	};

	for (int i = 0; i < count; i++)
		values[i] = 0;
	for (int seat = 0; seat < context->rules->players; seat++) {
		endplay.room[seat] = room_of(context, seat);
		if (endplay.room[seat] > 0)
			endplay.deal.hands[seat] = SCOPA_SET_EMPTY;
	}
	worlds_judge(&endplay, scopa_view_unseen(context->view), 1);
	for (int i = 0; i < count; i++)
		values[i] /= endplay.weight;
	return endplay.steps_left > 0;
}
