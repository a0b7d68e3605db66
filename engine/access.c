/* Implements access.h: reads fields, and checks numbers of seats and teams. */
#include "scopa/access.h"

#include <assert.h>
#include <string.h>

#include "scopa/notation.h"

static const struct {
	const char *name;
	size_t size;
} sizes[] = {
	{ "rules", sizeof(struct scopa_rules) },
	{ "deal", sizeof(struct scopa_deal) },
	{ "move", sizeof(struct scopa_move) },
	{ "score", sizeof(struct scopa_score) },
	{ "tally", sizeof(struct scopa_tally) },
	{ "text", sizeof(struct scopa_text) },
	{ "view", sizeof(struct scopa_view) },
};

size_t
scopa_struct_size(const char *name)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (strcmp(sizes[i].name, name) == 0)
			return sizes[i].size;
	}
	return 0;
}

const char *
scopa_preset_name(int index)
{
	assert(index >= 0);
	return index < scopa_preset_count ? scopa_presets[index].name : NULL;
}

int
scopa_rules_players(const struct scopa_rules *rules)
{
	return rules->players;
}

int
scopa_rules_teams(const struct scopa_rules *rules)
{
	return scopa_team_count(rules);
}

int
scopa_rules_team(const struct scopa_rules *rules, int seat)
{
	assert(seat >= 0 && seat < rules->players);
	return scopa_team_of(rules, seat);
}

int
scopa_deal_turn(const struct scopa_deal *deal)
{
	return scopa_deal_over(deal) ? -1 : deal->turn;
}

int
scopa_deal_dealer(const struct scopa_deal *deal)
{
	return deal->dealer;
}

int
scopa_deal_last(const struct scopa_deal *deal)
{
	return deal->last == SCOPA_SEAT_NONE ? -1 : deal->last;
}

int
scopa_deal_deck_count(const struct scopa_deal *deal)
{
	return SCOPA_PACK_SIZE - deal->dealt;
}

scopa_set
scopa_deal_table(const struct scopa_deal *deal)
{
	return deal->table;
}

scopa_set
scopa_deal_hand(const struct scopa_deal *deal, int seat)
{
	assert(seat >= 0 && seat < SCOPA_SEATS_MAX);
	return deal->hands[seat];
}

scopa_set
scopa_deal_pile(const struct scopa_deal *deal, int team)
{
	assert(team >= 0 && team < SCOPA_TEAMS_MAX);
	return deal->captured[team];
}

int
scopa_deal_sweeps(const struct scopa_deal *deal, int team)
{
	assert(team >= 0 && team < SCOPA_TEAMS_MAX);
	return deal->scopas[team];
}

int
scopa_deal_history_count(const struct scopa_deal *deal)
{
	return deal->history_count;
}

const struct scopa_move *
scopa_deal_history(const struct scopa_deal *deal, int index)
{
	assert(index >= 0 && index < deal->history_count);
	return &deal->history[index];
}

int
scopa_move_seat(const struct scopa_move *move)
{
	return move->seat;
}

int
scopa_deal_play(
    const struct scopa_rules *rules, struct scopa_deal *deal, const char *move)
{
	struct scopa_move parsed = { .seat = deal->turn };
	enum scopa_parse parse = scopa_move_parse(move, strlen(move), &parsed);
	enum scopa_refusal refusal;

	if (parse != SCOPA_PARSED)
		return -(int)parse;
	refusal = scopa_deal_check(rules, deal, &parsed);
	if (refusal != SCOPA_LEGAL)
		return (int)refusal;
	scopa_deal_apply(rules, deal, &parsed);
	return 0;
}

int
scopa_score_item_count(void)
{
	return SCOPA_ITEM_COUNT;
}

int
scopa_score_quantity(
    const struct scopa_score *score, int team, enum scopa_item item)
{
	assert(team >= 0 && team < SCOPA_TEAMS_MAX);
	assert((int)item >= 0 && item < SCOPA_ITEM_COUNT);
	return score->quantity[team][item];
}

int
scopa_score_points(
    const struct scopa_score *score, int team, enum scopa_item item)
{
	assert(team >= 0 && team < SCOPA_TEAMS_MAX);
	assert((int)item >= 0 && item < SCOPA_ITEM_COUNT);
	return score->points[team][item];
}

int
scopa_score_total(const struct scopa_score *score, int team)
{
	assert(team >= 0 && team < SCOPA_TEAMS_MAX);
	return score->total[team];
}

int
scopa_score_winner(const struct scopa_score *score)
{
	return score->winner == SCOPA_TEAM_NONE ? -1 : score->winner;
}

int
scopa_tally_score(const struct scopa_tally *tally, int team)
{
	assert(team >= 0 && team < SCOPA_TEAMS_MAX);
	return tally->scores[team];
}

int
scopa_tally_deal_count(const struct scopa_tally *tally)
{
	return tally->deal_count;
}

int
scopa_tally_dealer(const struct scopa_tally *tally)
{
	return tally->dealer;
}

enum scopa_tally_state
scopa_tally_state(const struct scopa_tally *tally)
{
	return (enum scopa_tally_state)tally->state;
}

int
scopa_tally_winner(const struct scopa_tally *tally)
{
	return tally->winner == SCOPA_TEAM_NONE ? -1 : tally->winner;
}
