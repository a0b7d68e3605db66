#include "imagine.h"

bool
imagine_deal(const struct scopa_rules *rules, const struct scopa_view *view,
    struct scopa_deal *deal)
{
	scopa_card cards[SCOPA_PACK_SIZE];
	scopa_set unseen = scopa_view_unseen(view);
	int hidden = view->deck_count, count = 0;

	if (view->seat >= rules->players || view->dealer >= rules->players ||
	    view->hand == SCOPA_SET_EMPTY ||
	    scopa_set_count(view->hand) != view->hand_counts[view->seat])
		return false;
	for (int seat = 0; seat < rules->players; seat++)
		if (seat != view->seat && view->shown[seat] == SCOPA_SET_EMPTY)
			hidden += view->hand_counts[seat];
	if (hidden != scopa_set_count(unseen))
		return false;
	while (unseen != SCOPA_SET_EMPTY)
		cards[count++] = scopa_set_take(&unseen);
	scopa_view_deal(rules, view, cards, deal);
	deal->turn = view->seat;
	return true;
}
