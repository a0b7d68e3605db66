#include "lot.h"

#include <assert.h>

#include "splitmix.h"
#include "world.h"

/* Cards that go together. */
enum { LOT_CARDS = 2 };

static scopa_set
open_cards(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	scopa_set taken = SCOPA_SET_EMPTY;

	for (int party = 0; party < scopa_party_count(rules); party++)
		taken |= deal->captured[party];
	return SCOPA_SET_ALL & ~taken;
}

static int
shuffle(scopa_set set, uint64_t *random, scopa_card cards[SCOPA_PACK_SIZE])
{
	int count = 0;

	while (set != SCOPA_SET_EMPTY)
		cards[count++] = scopa_set_take(&set);
	splitmix_shuffle(random, cards, count);
	return count;
}

void
lot_draw(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random, struct lot *lot)
{
	uint32_t parties = (uint32_t)scopa_party_count(rules);
	scopa_card cards[SCOPA_PACK_SIZE];
	int count = shuffle(open_cards(rules, deal), random, cards);

	for (uint32_t party = 0; party < parties; party++)
		lot->shares[party] = SCOPA_SET_EMPTY;
	for (int i = 0; i < count; i += LOT_CARDS) {
		scopa_set *share =
		    &lot->shares[splitmix_below(random, parties)];

		for (int j = i; j < i + LOT_CARDS && j < count; j++)
			*share |= scopa_set_of(cards[j]);
	}
	world_copy(&lot->end, deal);
	for (int seat = 0; seat < rules->players; seat++)
		lot->end.hands[seat] = SCOPA_SET_EMPTY;
	lot->end.table = SCOPA_SET_EMPTY;
	lot->end.dealt = SCOPA_PACK_SIZE;
	lot->end.turn = SCOPA_SEAT_NONE;
}

void
lot_give(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int turn, struct lot *lot)
{
	int parties = scopa_party_count(rules);

	assert(turn >= 0 && turn < parties);
	for (int party = 0; party < parties; party++)
		lot->end.captured[party] = deal->captured[party] |
		    lot->shares[(party + turn) % parties];
}
