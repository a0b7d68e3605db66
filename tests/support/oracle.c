#include "oracle.h"

#include <assert.h>
#include <string.h>

/* Lists. */

static bool
is_card(struct oracle_card card, int value, int suit)
{
	return card.value == value && card.suit == suit;
}

static int
compare_cards(struct oracle_card a, struct oracle_card b)
{
	if (a.value != b.value)
		return a.value < b.value ? -1 : 1;
	return a.suit == b.suit ? 0 : a.suit < b.suit ? -1 : 1;
}

static void
list_add(struct oracle_list *list, struct oracle_card card)
{
	int at = list->count++;

	assert(list->count <= 40);
	while (at > 0 && compare_cards(list->cards[at - 1], card) > 0) {
		list->cards[at] = list->cards[at - 1];
		at--;
	}
	list->cards[at] = card;
}

static bool
list_has(const struct oracle_list *list, int value, int suit)
{
	for (int i = 0; i < list->count; i++)
		if (is_card(list->cards[i], value, suit))
			return true;
	return false;
}

static void
list_remove(struct oracle_list *list, struct oracle_card card)
{
	int kept = 0;

	for (int i = 0; i < list->count; i++)
		if (compare_cards(list->cards[i], card) != 0)
			list->cards[kept++] = list->cards[i];
	assert(kept == list->count - 1);
	list->count = kept;
}

static struct oracle_card
oracle_card_of(scopa_card card)
{
	struct oracle_card out = { 0, 0 };

	if (card != SCOPA_CARD_NONE) {
		out.value = (signed char)scopa_card_value(card);
		out.suit = (signed char)scopa_card_suit(card);
	}
	return out;
}

scopa_set
oracle_set(const struct oracle_list *list)
{
	scopa_set set = 0;

	for (int i = 0; i < list->count; i++) {
		struct oracle_card card = list->cards[i];
		int bit = 4 * (card.value - 1) + card.suit;
		assert((set >> bit & 1) == 0);
		set |= UINT64_C(1) << bit;
	}
	return set;
}

struct scopa_move
oracle_engine_move(const struct oracle_move *move)
{
	struct scopa_move out = {
		.captured = oracle_set(&move->captured),
		.card = SCOPA_CARD_NONE,
		.declaration = SCOPA_DECLARE_NOTHING,
		.value = (uint8_t)move->value,
		.seat = (uint8_t)move->seat,
	};

	if (move->card.value != 0)
		out.card = scopa_card_of(
		    move->card.value, (enum scopa_suit)move->card.suit);
	else
		out.declaration = move->declaration == 10 ? SCOPA_DECLARE_THREE
							  : SCOPA_DECLARE_LOW;
	return out;
}

static int
oracle_total(const struct oracle_list *list)
{
	int total = 0;

	for (int i = 0; i < list->count; i++)
		total += list->cards[i].value;
	return total;
}

static int
oracle_count_value(const struct oracle_list *list, int value)
{
	int count = 0;

	for (int i = 0; i < list->count; i++)
		count += list->cards[i].value == value;
	return count;
}

/* Teams. */

static const char *const team_letters[] = { "AB", "ABC", "ABCD", "ABAB",
	"ABABAB", "ABCABC", "ABCDEF" };

int
oracle_team(const struct scopa_rules *rules, int seat)
{
	return team_letters[rules->teams][seat] - 'A';
}

int
oracle_team_count(const struct scopa_rules *rules)
{
	int count = 0;

	for (int seat = 0; seat < rules->players; seat++)
		if (oracle_team(rules, seat) >= count)
			count = oracle_team(rules, seat) + 1;
	return count;
}

int
oracle_sum(const struct scopa_rules *rules, const int of_seats[6], int team)
{
	int sum = 0;

	for (int seat = 0; seat < rules->players; seat++)
		if (oracle_team(rules, seat) == team)
			sum += of_seats[seat];
	return sum;
}

struct oracle_list
oracle_pile(
    const struct scopa_rules *rules, const struct oracle_deal *deal, int team)
{
	struct oracle_list pile = { .count = 0 };

	for (int seat = 0; seat < rules->players; seat++)
		if (oracle_team(rules, seat) == team)
			for (int i = 0; i < deal->piles[seat].count; i++)
				list_add(&pile, deal->piles[seat].cards[i]);
	return pile;
}

/* The value of the 7 of cups depends on where it lies. */

static bool
is_matta(struct oracle_card card)
{
	return is_card(card, 7, 1);
}

static int
value_in_hand(const struct scopa_rules *rules, const struct oracle_deal *deal,
    struct oracle_card card)
{
	return is_matta(card) && deal->wild != 0 &&
		rules->matta != SCOPA_MATTA_PLAIN
	    ? deal->wild
	    : card.value;
}

static int
value_on_table(const struct scopa_rules *rules, const struct oracle_deal *deal,
    struct oracle_card card)
{
	return rules->matta == SCOPA_MATTA_TABLE
	    ? value_in_hand(rules, deal, card)
	    : card.value;
}

/* Captures. */

/* Whether the card played may capture a set of this total and size. */
static bool
makes_capture(const struct scopa_rules *rules, int value, int total, int count)
{
	bool sum = total == value;
	bool fifteen = total + value == 15;

	if (rules->max_captured != 0 && count > rules->max_captured)
		return false;
	switch ((enum scopa_capture)rules->capture) {
	case SCOPA_CAPTURE_SUM:
		return sum;
	case SCOPA_CAPTURE_FIFTEEN:
		return fifteen || (rules->equal_fifteen && sum && count == 1);
	case SCOPA_CAPTURE_SUM_OR_FIFTEEN:
		return sum || fifteen;
	}
	return false;
}

/* Whether a card of this value lies on the table. */
static bool
value_lies(
    const struct scopa_rules *rules, const struct oracle_deal *deal, int value)
{
	for (int i = 0; i < deal->table.count; i++)
		if (value_on_table(rules, deal, deal->table.cards[i]) == value)
			return true;
	return false;
}

static bool
may_sweep(
    const struct scopa_rules *rules, const struct oracle_deal *deal, int value)
{
	if (value != 1 || deal->table.count == 0)
		return false;
	switch ((enum scopa_ace)rules->ace) {
	case SCOPA_ACE_PLAIN:
		return false;
	case SCOPA_ACE_SWEEP:
		return true;
	case SCOPA_ACE_SWEEP_UNLESS_ACE:
		return !value_lies(rules, deal, 1);
	case SCOPA_ACE_SWEEP_TRADITIONAL:
		return !value_lies(rules, deal, 1) && deal->play_count > 0;
	}
	return false;
}

/* The captures of one card, found by trying each subset of the table. */
struct search {
	const struct scopa_rules *rules;
	const struct oracle_deal *deal;
	int value; /* of the card played */
	bool sweeps;
	bool ordinary;    /* captures that are no sweep are possible, too */
	bool equal_first; /* an equal card precedes several cards */
	struct oracle_list chosen;
	struct oracle_moves *found;
};

static bool
is_sweep(const struct search *search, const struct oracle_list *set)
{
	return search->sweeps && set->count == search->deal->table.count;
}

static bool
may_capture(const struct search *search, int total)
{
	int count = search->chosen.count;

	if (is_sweep(search, &search->chosen))
		return true;
	if (search->equal_first && count > 1 && total == search->value)
		return false;
	return search->ordinary && count > 0 &&
	    makes_capture(search->rules, search->value, total, count);
}

/*
 * Tries the chosen set, and then with more cards from this place on: so sets
 * are found like words in a dictionary, card by card, a beginning first.
 *
 * No card has a value below one and no ordinary capture adds up to more than
 * fourteen, so beyond that only the first cards of the table are tried: they
 * lead to a sweep.
 */
static void
search_subsets(struct search *search, int from, int total)
{
	const struct oracle_list *table = &search->deal->table;
	struct oracle_list *chosen = &search->chosen;

	if (total > 14 && chosen->count < from)
		return;
	if (may_capture(search, total)) {
		assert(search->found->count < ORACLE_MOVES_MAX);
		search->found->moves[search->found->count++].captured = *chosen;
	}
	for (int i = from; i < table->count; i++) {
		chosen->cards[chosen->count++] = table->cards[i];
		search_subsets(search, i + 1,
		    total +
			value_on_table(
			    search->rules, search->deal, table->cards[i]));
		chosen->count--;
	}
}

/* Some rules prefer one captured card, or as few as possible, to more cards. */
static void
drop_large(const struct search *search, int first)
{
	struct oracle_moves *found = search->found;
	int least = 40;
	int kept = first;

	for (int i = first; i < found->count; i++)
		if (found->moves[i].captured.count < least)
			least = found->moves[i].captured.count;
	if (search->rules->priority == SCOPA_PRIORITY_ANY ||
	    (search->rules->priority == SCOPA_PRIORITY_SINGLE && least > 1))
		return;
	for (int i = first; i < found->count; i++)
		if (found->moves[i].captured.count == least ||
		    is_sweep(search, &found->moves[i].captured))
			found->moves[kept++] = found->moves[i];
	found->count = kept;
}

static void
oracle_moves_of_card(const struct scopa_rules *rules,
    const struct oracle_deal *deal, struct oracle_card card,
    struct oracle_moves *moves)
{
	bool cirulla = rules->capture == SCOPA_CAPTURE_SUM_OR_FIFTEEN;
	int first = moves->count;
	int value = value_in_hand(rules, deal, card);
	bool sweeps = may_sweep(rules, deal, value);
	struct search search = {
		.rules = rules,
		.deal = deal,
		.value = value,
		.sweeps = sweeps,
		.ordinary = !sweeps ||
		    (cirulla && rules->cirulla_ace != SCOPA_CIRULLA_ACE_SWEEP),
		.equal_first = cirulla &&
		    rules->cirulla_equal == SCOPA_CIRULLA_EQUAL_FIRST &&
		    value_lies(rules, deal, value),
		.found = moves,
	};

	search_subsets(&search, 0, 0);
	drop_large(&search, first);
	if (moves->count == first)
		moves->moves[moves->count++].captured.count = 0;
	for (int i = first; i < moves->count; i++) {
		moves->moves[i].seat = deal->turn;
		moves->moves[i].card = card;
		moves->moves[i].declaration = 0;
		moves->moves[i].value = 0;
	}
}

/* Declarations. */

/* The declarations of a hand as dealt; returns their number. */
static int
oracle_declarations(
    const struct oracle_list *hand, struct oracle_move moves[10])
{
	int count = 0;
	int others = oracle_total(hand) - 7;
	struct oracle_list rest = *hand;

	assert(hand->count == 3);
	memset(moves, 0, 10 * sizeof(*moves));
	if (oracle_count_value(hand, hand->cards[0].value) == 3) {
		moves[count++].declaration = 10;
		return count;
	}
	if (!list_has(hand, 7, 1)) {
		if (oracle_total(hand) < 10)
			moves[count++].declaration = 3;
		return count;
	}
	list_remove(&rest, (struct oracle_card){ 7, 1 });
	if (rest.cards[0].value == rest.cards[1].value) {
		moves[count].declaration = 10;
		moves[count++].value = rest.cards[0].value;
		return count;
	}
	for (int value = 1; value <= 10; value++)
		if (others + value < 10) {
			moves[count].declaration = 3;
			moves[count++].value = value;
		}
	return count;
}

void
oracle_moves(const struct scopa_rules *rules, const struct oracle_deal *deal,
    struct oracle_moves *moves)
{
	const struct oracle_list *hand;
	struct oracle_move declarations[10];

	moves->count = 0;
	if (deal->turn == ORACLE_NOBODY)
		return;
	hand = &deal->hands[deal->turn];
	for (int i = 0; i < hand->count; i++)
		oracle_moves_of_card(rules, deal, hand->cards[i], moves);
	if (rules->declare != SCOPA_DECLARE_ASK ||
	    !deal->untouched[deal->turn] || deal->shown[deal->turn])
		return;
	for (int i = 0, count = oracle_declarations(hand, declarations);
	     i < count; i++) {
		declarations[i].seat = deal->turn;
		moves->moves[moves->count++] = declarations[i];
	}
}

static void
move_card(
    struct oracle_list *from, struct oracle_list *to, struct oracle_card card)
{
	list_remove(from, card);
	list_add(to, card);
}

static void
move_all(struct oracle_list *from, struct oracle_list *to)
{
	while (from->count > 0)
		move_card(from, to, from->cards[0]);
}

/* Whether this opening table is redealt, and for which reason. */
static enum scopa_start
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

/* Total of an opening table is 15 or 30: 1 or 2; else 0. */
static int
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
			if (is_matta(table->cards[i]) &&
			    (wild == 15 || wild == 30))
				return wild / 15;
		}
	return 0;
}

/* Whether these cards win the match at once. */
static bool
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

/* Stops the deal if the team of the seat has just won the match. */
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

/* Deals a hand to each seat, from the seat after the dealer on. */
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
		    deal->turn != ORACLE_NOBODY &&
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
		stop_at_once(rules, deal, dealer);
	}
	deal_hands(rules, deal);
	return SCOPA_START_PLAY;
}

/* Whether the table was captured only because an ace sweeps. */
static bool
swept_as_ace_only(const struct scopa_rules *rules,
    const struct oracle_deal *before, struct oracle_card card)
{
	const struct oracle_list *table = &before->table;
	int total = 0;

	for (int i = 0; i < table->count; i++)
		total += value_on_table(rules, before, table->cards[i]);
	return !makes_capture(
	    rules, value_in_hand(rules, before, card), total, table->count);
}

static int
cards_to_play(const struct scopa_rules *rules, const struct oracle_deal *deal)
{
	int count = deal->deck.count;

	for (int seat = 0; seat < rules->players; seat++)
		count += deal->hands[seat].count;
	return count;
}

/* Assigns the cards left on the table, and ends the deal. */
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
	return rules->ace_empty == SCOPA_ACE_EMPTY_TAKE &&
	    value_in_hand(rules, deal, move->card) == 1 &&
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
	    swept_as_ace_only(rules, deal, move->card);
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

static int
count_coins(const struct oracle_list *pile)
{
	int count = 0;

	for (int i = 0; i < pile->count; i++)
		count += pile->cards[i].suit == 0;
	return count;
}

/* Ace, 2, 3, ... of coins without a gap. */
static int
coin_run(const struct oracle_list *pile)
{
	int run = 0;

	while (run < 10 && list_has(pile, run + 1, 0))
		run++;
	return run;
}

static int
primiera_value(const struct scopa_rules *rules, int value)
{
	static const int worth[] = { 0, 16, 12, 13, 14, 15, 18, 21, 10, 10,
		10 };

	return value == 6 ? rules->primiera_six : worth[value];
}

/* Number of suits, times 1000, plus the best total; see primiera-missing. */
static int
oracle_primiera_rank(
    const struct scopa_rules *rules, const struct oracle_list *pile)
{
	int total = 0;
	int suits = 0;

	for (int suit = 0; suit < 4; suit++) {
		int best = 0;
		for (int i = 0; i < pile->count; i++) {
			int worth = primiera_value(rules, pile->cards[i].value);
			if (pile->cards[i].suit == suit && worth > best)
				best = worth;
		}
		suits += best > 0;
		total += best;
	}
	switch ((enum scopa_primiera_missing)rules->primiera_missing) {
	case SCOPA_PRIMIERA_ALL4:
		return suits == 4 ? total : 0;
	case SCOPA_PRIMIERA_PARTIAL:
		return total;
	case SCOPA_PRIMIERA_SUITS_FIRST:
		break;
	}
	return 1000 * suits + total;
}

static int
napola_points(const struct scopa_rules *rules, int run)
{
	if (run < 3)
		return 0;
	switch ((enum scopa_napola)rules->napola) {
	case SCOPA_NAPOLA_NONE:
		return 0;
	case SCOPA_NAPOLA_RUN:
		return run;
	case SCOPA_NAPOLA_ONEPLUS:
		return run - 2;
	case SCOPA_NAPOLA_S1:
		return run == 3 ? 1 : run;
	}
	return 0;
}

static int
frac_points(const struct oracle_list *pile)
{
	return oracle_count_value(pile, 1) + oracle_count_value(pile, 8) +
	    oracle_count_value(pile, 9) + oracle_count_value(pile, 10);
}

/* Gives a point to the team with the most, and none if several are equal. */
static void
award_most(struct oracle_score *score, int teams, enum scopa_item item,
    const int ranks[6])
{
	for (int team = 0; team < teams; team++) {
		bool alone = true;
		for (int other = 0; other < teams; other++)
			if (other != team && ranks[other] >= ranks[team])
				alone = false;
		if (alone)
			score->points[team][item] = 1;
	}
}

/* The points of a team that depend only on its own cards. */
static void
count_own(const struct scopa_rules *rules, const struct oracle_list *pile,
    int scopas, int quantity[SCOPA_ITEM_COUNT], int points[SCOPA_ITEM_COUNT])
{
	int run = coin_run(pile);
	int low = 0;

	quantity[SCOPA_ITEM_SETTEBELLO] = list_has(pile, 7, 0);
	if (rules->items & SCOPA_BASE_SETTEBELLO)
		points[SCOPA_ITEM_SETTEBELLO] = list_has(pile, 7, 0);
	quantity[SCOPA_ITEM_SCOPE] = scopas;
	points[SCOPA_ITEM_SCOPE] = rules->scopa * scopas;
	quantity[SCOPA_ITEM_NAPOLA] = run;
	points[SCOPA_ITEM_NAPOLA] = napola_points(rules, run);
	quantity[SCOPA_ITEM_RE_BELLO] = list_has(pile, 10, 0);
	if (rules->re_bello)
		points[SCOPA_ITEM_RE_BELLO] = list_has(pile, 10, 0);
	quantity[SCOPA_ITEM_PONINO] = oracle_count_value(pile, 9);
	if (rules->ponino && oracle_count_value(pile, 9) == 4)
		points[SCOPA_ITEM_PONINO] = rules->scopa * scopas;
	for (int value = 1; value <= 3; value++)
		if (list_has(pile, value, 0)) {
			low++;
			if (rules->trente)
				points[SCOPA_ITEM_TRENTE] += value;
		}
	quantity[SCOPA_ITEM_TRENTE] = low;
	quantity[SCOPA_ITEM_FRAC] = frac_points(pile);
	if (rules->frac)
		points[SCOPA_ITEM_FRAC] = frac_points(pile);
	quantity[SCOPA_ITEM_PICCOLA] = run;
	if (rules->piccola != 0 && run >= 3)
		points[SCOPA_ITEM_PICCOLA] =
		    run < rules->piccola ? run : rules->piccola;
	quantity[SCOPA_ITEM_GRANDE] =
	    list_has(pile, 8, 0) + list_has(pile, 9, 0) + list_has(pile, 10, 0);
	if (quantity[SCOPA_ITEM_GRANDE] == 3)
		points[SCOPA_ITEM_GRANDE] = rules->grande;
	quantity[SCOPA_ITEM_ALL_COINS] = count_coins(pile);
}

/* The points of the team that has the most. */
static void
count_most(const struct scopa_rules *rules, const struct oracle_list piles[6],
    struct oracle_score *score)
{
	int teams = oracle_team_count(rules);
	int ranks[4][6] = { { 0 } };

	for (int team = 0; team < teams; team++) {
		int primiera = oracle_primiera_rank(rules, &piles[team]);
		ranks[0][team] = piles[team].count;
		ranks[1][team] = count_coins(&piles[team]);
		ranks[2][team] = primiera;
		ranks[3][team] = oracle_count_value(&piles[team], 7);
		score->quantity[team][SCOPA_ITEM_CARDS] = ranks[0][team];
		score->quantity[team][SCOPA_ITEM_COINS] = ranks[1][team];
		score->quantity[team][SCOPA_ITEM_PRIMIERA] = primiera % 1000;
		score->quantity[team][SCOPA_ITEM_SEVENS] = ranks[3][team];
		score->quantity[team][SCOPA_ITEM_ALL_SEVENS] = ranks[3][team];
		if (rules->sevens == SCOPA_SEVENS_ESCOBA && ranks[3][team] == 4)
			score->points[team][SCOPA_ITEM_ALL_SEVENS] = 1;
	}
	if (rules->items & SCOPA_BASE_CARDS)
		award_most(score, teams, SCOPA_ITEM_CARDS, ranks[0]);
	if (rules->items & SCOPA_BASE_COINS)
		award_most(score, teams, SCOPA_ITEM_COINS, ranks[1]);
	if (rules->items & SCOPA_BASE_PRIMIERA)
		award_most(score, teams, SCOPA_ITEM_PRIMIERA, ranks[2]);
	if (rules->sevens == SCOPA_SEVENS_ESCOBA)
		award_most(score, teams, SCOPA_ITEM_SEVENS, ranks[3]);
}

/* The king of coins breaks a tie of the most frac points. */
static void
count_frac_king(const struct scopa_rules *rules,
    const struct oracle_list piles[6], struct oracle_score *score)
{
	int teams = oracle_team_count(rules);
	int best = 0;
	int holders = 0;

	if (!rules->frac || rules->frac_tie != SCOPA_FRAC_TIE_KING)
		return;
	for (int team = 0; team < teams; team++)
		if (frac_points(&piles[team]) > best)
			best = frac_points(&piles[team]);
	for (int team = 0; team < teams; team++) {
		holders += frac_points(&piles[team]) == best;
		score->quantity[team][SCOPA_ITEM_FRAC_KING] =
		    list_has(&piles[team], 10, 0);
	}
	for (int team = 0; team < teams; team++)
		if (holders > 1 && frac_points(&piles[team]) == best &&
		    list_has(&piles[team], 10, 0))
			score->points[team][SCOPA_ITEM_FRAC_KING] = 1;
}

void
oracle_score(const struct scopa_rules *rules, const struct oracle_deal *deal,
    struct oracle_score *score)
{
	int teams = oracle_team_count(rules);
	struct oracle_list piles[6];

	memset(score, 0, sizeof(*score));
	memset(piles, 0, sizeof(piles));
	score->winner = ORACLE_NOBODY;
	for (int team = 0; team < teams; team++) {
		int scopas = oracle_sum(rules, deal->scopas, team);
		int declared = oracle_sum(rules, deal->declared, team);

		piles[team] = oracle_pile(rules, deal, team);
		count_own(rules, &piles[team], scopas, score->quantity[team],
		    score->points[team]);
		score->quantity[team][SCOPA_ITEM_DECLARED] = declared;
		score->points[team][SCOPA_ITEM_DECLARED] = declared;
		if (oracle_wins(rules, &piles[team]))
			score->winner = team;
	}
	count_most(rules, piles, score);
	count_frac_king(rules, piles, score);
	for (int team = 0; team < teams; team++)
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			score->total[team] += score->points[team][item];
}
