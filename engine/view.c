/*
 * What one seat may know of a deal: the view is made from a deal, and a deal
 * from the view.
 */
#include "scopa/view.h"

#include <assert.h>
#include <string.h>

bool
scopa_view_sees(const struct scopa_deal *deal, int seat, int holder)
{
	return seat == holder || (deal->shown >> holder & 1);
}

void
scopa_view_make(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_tally *tally, int seat, struct scopa_view *view)
{
	assert(seat >= 0 && seat < rules->players);
	*view = (struct scopa_view){
		.hand = deal->hands[seat],
		.table = deal->table,
		.deal_number = tally->deal_count + 1,
		.deck_count = (uint8_t)(SCOPA_PACK_SIZE - deal->dealt),
		.seat = (uint8_t)seat,
		.dealer = deal->dealer,
		.turn = deal->turn,
		.last = deal->last,
		.untouched = deal->untouched,
		.matta = deal->matta,
		.opening = deal->opening,
		.history_count = deal->history_count,
	};
	for (int holder = 0; holder < rules->players; holder++) {
		view->hand_counts[holder] =
		    (uint8_t)scopa_set_count(deal->hands[holder]);
		if (deal->shown >> holder & 1)
			view->shown[holder] = deal->hands[holder];
	}
	for (int team = 0; team < scopa_team_count(rules); team++) {
		view->captured[team] = deal->captured[team];
		view->scores[team] = tally->scores[team];
		view->scopas[team] = deal->scopas[team];
		view->declared[team] = deal->declared[team];
	}
	memcpy(view->history, deal->history,
	    deal->history_count * sizeof(deal->history[0]));
}

scopa_set
scopa_view_unseen(const struct scopa_view *view)
{
	scopa_set seen = view->hand | view->table;

	for (int i = 0; i < SCOPA_SEATS_MAX; i++)
		seen |= view->shown[i];
	for (int i = 0; i < SCOPA_TEAMS_MAX; i++)
		seen |= view->captured[i];
	return SCOPA_SET_ALL & ~seen;
}

void
scopa_view_deal(const struct scopa_rules *rules, const struct scopa_view *view,
    const scopa_card *unseen, struct scopa_deal *deal)
{
	scopa_card ascending[SCOPA_PACK_SIZE];
	int played = 0;

	if (unseen == NULL) {
		scopa_set cards = scopa_view_unseen(view);

		for (int i = 0; cards; i++)
			ascending[i] = scopa_set_take(&cards);
		unseen = ascending;
	}
	*deal = (struct scopa_deal){
		.table = view->table,
		.dealt = (uint8_t)(SCOPA_PACK_SIZE - view->deck_count),
		.dealer = view->dealer,
		.turn = view->turn,
		.last = view->last,
		.untouched = view->untouched,
		.matta = view->matta,
		.opening = view->opening,
		.winner = SCOPA_TEAM_NONE,
		.history_count = view->history_count,
	};
	for (int seat = 0; seat < rules->players; seat++) {
		scopa_set known =
		    seat == view->seat ? view->hand : view->shown[seat];

		deal->hands[seat] = known;
		if (view->shown[seat])
			deal->shown |= (uint8_t)(1 << seat);
		if (known == SCOPA_SET_EMPTY)
			for (int i = 0; i < view->hand_counts[seat]; i++)
				deal->hands[seat] |= scopa_set_of(*unseen++);
	}
	for (int i = deal->dealt; i < SCOPA_PACK_SIZE; i++)
		deal->pack[i] = *unseen++;
	for (int team = 0; team < scopa_team_count(rules); team++) {
		deal->captured[team] = view->captured[team];
		deal->scopas[team] = view->scopas[team];
		deal->declared[team] = view->declared[team];
	}
	for (int i = 0; i < view->history_count; i++) {
		deal->history[i] = view->history[i];
		played += view->history[i].declaration == SCOPA_DECLARE_NOTHING;
	}
	deal->play_count = (uint8_t)played;
}
