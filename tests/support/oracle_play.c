/* The oracle's course of a deal: dealing, playing, the end. */
#include "oracle.h"

#include <assert.h>
#include <string.h>

static bool
is_card(struct oracle_card card, int value, int suit)
{
	return card.value == value && card.suit == suit;
}

static void
move_card(
    struct oracle_list *from, struct oracle_list *to, struct oracle_card card)
{
	struct oracle_list left = { .count = 0 };
	int at = to->count++;

	for (int i = 0; i < from->count; i++)
		if (!is_card(from->cards[i], card.value, card.suit))
			left.cards[left.count++] = from->cards[i];
	assert(left.count == from->count - 1);
	*from = left;
	while (at > 0 &&
	    (to->cards[at - 1].value > card.value ||
		(to->cards[at - 1].value == card.value &&
		    to->cards[at - 1].suit > card.suit))) {
		to->cards[at] = to->cards[at - 1];
		at--;
	}
	to->cards[at] = card;
}

static void
move_all(struct oracle_list *from, struct oracle_list *to)
{
	while (from->count > 0)
		move_card(from, to, from->cards[0]);
}

enum scopa_start
oracle_redeal(const struct scopa_rules *rules, const struct oracle_list *table)
{
	int aces = oracle_count_value(table, 1);
	int kings = oracle_count_value(table, 10);

	switch ((enum scopa_redeal)rules->redeal) {
	case SCOPA_REDEAL_KINGS3:
		return kings >= 3 ? SCOPA_START_KINGS : SCOPA_START_PLAY;
	case SCOPA_REDEAL_ACES2:
		return aces >= 2 ? SCOPA_START_ACES : SCOPA_START_PLAY;
	case SCOPA_REDEAL_ACE:
		return aces >= 1 ? SCOPA_START_ACE : SCOPA_START_PLAY;
	case SCOPA_REDEAL_NONE:
		break;
	}
	return SCOPA_START_PLAY;
}

int
oracle_opening(const struct scopa_rules *rules, const struct oracle_list *table)
{
	int total = oracle_total(table);

	if (rules->opening == SCOPA_OPENING_OFF)
		return 0;
	if (total == 15 || total == 30)
		return total / 15;
	if (rules->opening == SCOPA_OPENING_PLAIN)
		return 0;
	for (int i = 0; i < table->count; i++)
		for (int value = 1; value <= 10; value++) {
			int wild = total - 7 + value;
			if (is_card(table->cards[i], 7, 1) &&
			    (wild == 15 || wild == 30))
				return wild / 15;
		}
	return 0;
}

bool
oracle_wins(const struct scopa_rules *rules, const struct oracle_list *pile)
{
	int coins = 0;
	int low_coins = 0;

	for (int i = 0; i < pile->count; i++) {
		coins += pile->cards[i].suit == 0;
		low_coins +=
		    pile->cards[i].suit == 0 && pile->cards[i].value <= 3;
	}
	return (rules->trente && low_coins == 3) ||
	    (rules->all_coins == SCOPA_ALL_COINS_WIN && coins == 10);
}

/* Stops the deal where the seat's team has just won the match. */
static void
stop_at_once(
    const struct scopa_rules *rules, struct oracle_deal *deal, int seat)
{
	struct oracle_list pile;
	int team = oracle_team(rules, seat);

	if (rules->count != SCOPA_COUNT_AT_ONCE)
		return;
	pile = oracle_pile(rules, deal, team);
	if (!oracle_wins(rules, &pile))
		return;
	deal->winner = team;
	deal->turn = ORACLE_NOBODY;
}

static void
declare(struct oracle_deal *deal, int seat, const struct oracle_move *move)
{
	deal->declared[seat] += move->declaration;
	deal->shown[seat] = true;
	if (move->value != 0)
		deal->wild = move->value;
}

/* A hand for everybody, from the seat after the dealer on. */
static void
deal_hands(const struct scopa_rules *rules, struct oracle_deal *deal)
{
	struct oracle_move declarations[10];

	for (int i = 1; i <= rules->players; i++) {
		int seat = (deal->dealer + i) % rules->players;
		assert(deal->hands[seat].count == 0);
		for (int card = 0; card < rules->hand; card++)
			move_card(&deal->deck, &deal->hands[seat],
			    deal->deck.cards[0]);
		deal->untouched[seat] = true;
		deal->shown[seat] = false;
	}
	for (int i = 1; i <= rules->players; i++) {
		int seat = (deal->dealer + i) % rules->players;
		if (rules->declare == SCOPA_DECLARE_AUTO &&
		    oracle_declarations(&deal->hands[seat], declarations) > 0)
			declare(deal, seat, &declarations[0]);
	}
}

enum scopa_start
oracle_start(const struct scopa_rules *rules, const unsigned char pack[40],
    int dealer, struct oracle_deal *deal)
{
	enum scopa_start start;

	memset(deal, 0, sizeof(*deal));
	deal->dealer = dealer;
	deal->last = ORACLE_NOBODY;
	deal->winner = ORACLE_NOBODY;
	for (int i = 0; i < 40; i++)
		deal->deck.cards[deal->deck.count++] = oracle_card_of(pack[i]);
	for (int i = 0; i < rules->table; i++)
		move_card(&deal->deck, &deal->table, deal->deck.cards[0]);
	start = oracle_redeal(rules, &deal->table);
	if (start != SCOPA_START_PLAY)
		return start;
	deal->turn = (dealer + 1) % rules->players;
	deal->opening = oracle_opening(rules, &deal->table);
	if (deal->opening > 0) {
		deal->scopas[dealer] = deal->opening;
		deal->last = dealer;
		move_all(&deal->table, &deal->piles[dealer]);
	}
	deal_hands(rules, deal);
	return SCOPA_START_PLAY;
}

/* Whether the ace took the whole table for no other reason than being one. */
static bool
swept_as_ace_only(const struct scopa_rules *rules,
    const struct oracle_deal *before, const struct oracle_move *move)
{
	static struct oracle_moves moves;
	struct scopa_rules plain = *rules;

	plain.ace = SCOPA_ACE_PLAIN;
	plain.priority = SCOPA_PRIORITY_ANY;
	plain.cirulla_equal = SCOPA_CIRULLA_EQUAL_CHOICE;
	moves.count = 0;
	oracle_moves_of_card(&plain, before, move->card, &moves);
	for (int i = 0; i < moves.count; i++)
		if (moves.moves[i].captured.count == before->table.count)
			return false;
	return true;
}

static int
cards_to_play(const struct scopa_rules *rules, const struct oracle_deal *deal)
{
	int count = deal->deck.count;

	for (int seat = 0; seat < rules->players; seat++)
		count += deal->hands[seat].count;
	return count;
}

/* The cards left on the table, and the end. */
static void
end_deal(const struct scopa_rules *rules, struct oracle_deal *deal,
    struct oracle_effect *effect)
{
	int seat = deal->last;

	deal->turn = ORACLE_NOBODY;
	if (deal->table.count == 0)
		return;
	if (rules->leftovers == SCOPA_LEFTOVERS_DEALER || seat == ORACLE_NOBODY)
		seat = deal->dealer;
	effect->rest = deal->table;
	effect->rest_seat = seat;
	move_all(&deal->table, &deal->piles[seat]);
}

static bool
takes_alone(const struct scopa_rules *rules, const struct oracle_deal *deal,
    const struct oracle_move *move)
{
	bool wild = is_card(move->card, 7, 1) && deal->wild != 0 &&
	    rules->matta != SCOPA_MATTA_PLAIN;
	int value = wild ? deal->wild : move->card.value;

	return rules->ace_empty == SCOPA_ACE_EMPTY_TAKE && value == 1 &&
	    deal->table.count == 0;
}

/* Plays a card; returns whether it scored a scopa. */
static bool
play_card(const struct scopa_rules *rules, struct oracle_deal *deal,
    const struct oracle_move *move)
{
	int seat = move->seat;
	struct oracle_list *pile = &deal->piles[seat];
	bool cleared = move->captured.count > 0 &&
	    move->captured.count == deal->table.count;
	bool bare = cleared && !rules->ace_scopa &&
	    swept_as_ace_only(rules, deal, move);
	bool counts = rules->scopa && cleared && !bare &&
	    (rules->last_scopa || cards_to_play(rules, deal) > 1);

	if (move->captured.count > 0 || takes_alone(rules, deal, move)) {
		move_card(&deal->hands[seat], pile, move->card);
		for (int i = 0; i < move->captured.count; i++)
			move_card(&deal->table, pile, move->captured.cards[i]);
		deal->last = seat;
	} else {
		move_card(&deal->hands[seat], &deal->table, move->card);
	}
	deal->play_count++;
	deal->untouched[seat] = false;
	if (counts)
		deal->scopas[seat]++;
	return counts;
}

struct oracle_effect
oracle_apply(const struct scopa_rules *rules, struct oracle_deal *deal,
    const struct oracle_move *move)
{
	struct oracle_effect effect = { .rest_seat = ORACLE_NOBODY };
	bool hands_empty = true;

	assert(move->seat == deal->turn);
	if (move->card.value == 0) {
		declare(deal, move->seat, move);
		return effect;
	}
	effect.scopa = play_card(rules, deal, move);
	stop_at_once(rules, deal, move->seat);
	if (deal->turn == ORACLE_NOBODY) {
		effect.over = true;
		return effect;
	}
	for (int seat = 0; seat < rules->players; seat++)
		hands_empty = hands_empty && deal->hands[seat].count == 0;
	deal->turn = (deal->turn + 1) % rules->players;
	if (hands_empty && deal->deck.count > 0) {
		deal_hands(rules, deal);
		effect.dealt = true;
	} else if (hands_empty) {
		end_deal(rules, deal, &effect);
		effect.over = true;
	}
	return effect;
}
