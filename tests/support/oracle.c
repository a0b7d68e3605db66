#include "oracle.h"

#include <assert.h>
#include <string.h>

/* Lists. */

static bool
same_card(struct oracle_card a, struct oracle_card b)
{
	return a.value == b.value && a.suit == b.suit;
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
list_has(const struct oracle_list *list, struct oracle_card card)
{
	for (int i = 0; i < list->count; i++)
		if (same_card(list->cards[i], card))
			return true;
	return false;
}

static void
list_remove(struct oracle_list *list, struct oracle_card card)
{
	int kept = 0;

	assert(list_has(list, card));
	for (int i = 0; i < list->count; i++)
		if (!same_card(list->cards[i], card))
			list->cards[kept++] = list->cards[i];
	list->count = kept;
}

/* As words in a dictionary: card by card, the beginning of a word first. */
static int
compare_lists(const struct oracle_list *a, const struct oracle_list *b)
{
	for (int i = 0; i < a->count && i < b->count; i++) {
		int order = compare_cards(a->cards[i], b->cards[i]);
		if (order != 0)
			return order;
	}
	return a->count - b->count;
}

struct oracle_card
oracle_card_of(scopa_card card)
{
	struct oracle_card out = { 0, 0 };

	if (card != SCOPA_CARD_NONE) {
		out.value = (signed char)scopa_card_value(card);
		out.suit = (signed char)scopa_card_suit(card);
	}
	return out;
}

struct oracle_list
oracle_list_of(scopa_set set)
{
	struct oracle_list list = { .count = 0 };

	for (int i = 0; i < 40; i++)
		if (set >> i & 1)
			list_add(&list, oracle_card_of((scopa_card)i));
	return list;
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

int
oracle_total(const struct oracle_list *list)
{
	int total = 0;

	for (int i = 0; i < list->count; i++)
		total += list->cards[i].value;
	return total;
}

int
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

static const struct oracle_card matta = { 7, 1 };

static int
value_in_hand(const struct scopa_rules *rules, const struct oracle_deal *deal,
    struct oracle_card card)
{
	if (same_card(card, matta) && deal->wild != 0 &&
	    rules->matta != SCOPA_MATTA_PLAIN)
		return deal->wild;
	return card.value;
}

static int
value_on_table(const struct scopa_rules *rules, const struct oracle_deal *deal,
    struct oracle_card card)
{
	if (same_card(card, matta) && deal->wild != 0 &&
	    rules->matta == SCOPA_MATTA_TABLE)
		return deal->wild;
	return card.value;
}

/* Captures. */

/* All subsets of a table, tried one by one. */
struct search {
	const struct scopa_rules *rules;
	const struct oracle_deal *deal;
	int value; /* of the card played */
	struct oracle_list chosen;
	struct oracle_moves *found;
};

/* Whether the card played may take a set of this total and size. */
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

/*
 * No card has a value below one and no capture adds up to more than fourteen,
 * so a branch whose total is beyond that can hold no capture.
 */
static void
search_subsets(struct search *search, int from, int total)
{
	const struct oracle_list *table = &search->deal->table;

	if (total > 14)
		return;
	if (from == table->count) {
		struct oracle_moves *found = search->found;
		if (search->chosen.count == 0 ||
		    !makes_capture(search->rules, search->value, total,
			search->chosen.count))
			return;
		assert(found->count < ORACLE_MOVES_MAX);
		found->moves[found->count++].captured = search->chosen;
		return;
	}
	search_subsets(search, from + 1, total);
	search->chosen.cards[search->chosen.count++] = table->cards[from];
	search_subsets(search, from + 1,
	    total +
		value_on_table(
		    search->rules, search->deal, table->cards[from]));
	search->chosen.count--;
}

/* An equal card on the table goes before several cards of its total. */
static void
drop_sums(const struct scopa_rules *rules, const struct oracle_deal *deal,
    int value, struct oracle_moves *found, int first)
{
	bool equal_lies = false;
	int kept = first;

	for (int i = 0; i < deal->table.count; i++)
		equal_lies = equal_lies ||
		    value_on_table(rules, deal, deal->table.cards[i]) == value;
	for (int i = first; i < found->count; i++) {
		const struct oracle_list *captured = &found->moves[i].captured;
		int total = 0;

		for (int j = 0; j < captured->count; j++)
			total +=
			    value_on_table(rules, deal, captured->cards[j]);
		if (!equal_lies || captured->count == 1 || total != value)
			found->moves[kept++] = found->moves[i];
	}
	found->count = kept;
}

/* A card that is taken by itself goes before all sets of several. */
static void
keep_single(struct oracle_moves *found, int first)
{
	int kept = first;

	for (int i = first; i < found->count; i++)
		if (found->moves[i].captured.count == 1)
			found->moves[kept++] = found->moves[i];
	if (kept > first)
		found->count = kept;
}

static void
keep_fewest(struct oracle_moves *found, int first)
{
	int least = 40;
	int kept = first;

	for (int i = first; i < found->count; i++)
		if (found->moves[i].captured.count < least)
			least = found->moves[i].captured.count;
	for (int i = first; i < found->count; i++)
		if (found->moves[i].captured.count == least)
			found->moves[kept++] = found->moves[i];
	found->count = kept;
}

static bool
may_sweep(
    const struct scopa_rules *rules, const struct oracle_deal *deal, int value)
{
	bool ace_lies = false;

	if (value != 1 || deal->table.count == 0)
		return false;
	for (int i = 0; i < deal->table.count; i++)
		if (value_on_table(rules, deal, deal->table.cards[i]) == 1)
			ace_lies = true;
	switch ((enum scopa_ace)rules->ace) {
	case SCOPA_ACE_PLAIN:
		return false;
	case SCOPA_ACE_SWEEP:
		return true;
	case SCOPA_ACE_SWEEP_UNLESS_ACE:
		return !ace_lies;
	case SCOPA_ACE_SWEEP_TRADITIONAL:
		return !ace_lies && deal->play_count > 0;
	}
	return false;
}

/* Adds the captures that a card would have if there were no sweeps by aces. */
static void
add_ordinary(const struct scopa_rules *rules, const struct oracle_deal *deal,
    int value, struct oracle_moves *found)
{
	int first = found->count;
	struct search search = {
		.rules = rules, .deal = deal, .value = value, .found = found
	};

	search_subsets(&search, 0, 0);
	if (rules->capture == SCOPA_CAPTURE_SUM_OR_FIFTEEN &&
	    rules->cirulla_equal == SCOPA_CIRULLA_EQUAL_FIRST)
		drop_sums(rules, deal, value, found, first);
	switch ((enum scopa_priority)rules->priority) {
	case SCOPA_PRIORITY_SINGLE:
		keep_single(found, first);
		break;
	case SCOPA_PRIORITY_FEWEST:
		keep_fewest(found, first);
		break;
	case SCOPA_PRIORITY_ANY:
		break;
	}
}

static bool
sweeps_only(const struct scopa_rules *rules)
{
	return rules->capture != SCOPA_CAPTURE_SUM_OR_FIFTEEN ||
	    rules->cirulla_ace == SCOPA_CIRULLA_ACE_SWEEP;
}

/* Insertion sort: the lists are short and it is plainly right. */
static void
sort_captures(struct oracle_moves *found, int first)
{
	static struct oracle_move moved;

	for (int i = first + 1; i < found->count; i++) {
		int at = i;
		moved = found->moves[i];
		while (at > first &&
		    compare_lists(
			&found->moves[at - 1].captured, &moved.captured) > 0) {
			found->moves[at] = found->moves[at - 1];
			at--;
		}
		found->moves[at] = moved;
	}
}

void
oracle_moves_of_card(const struct scopa_rules *rules,
    const struct oracle_deal *deal, struct oracle_card card,
    struct oracle_moves *moves)
{
	int first = moves->count;
	int value = value_in_hand(rules, deal, card);
	bool sweeps = may_sweep(rules, deal, value);
	bool listed = false;

	if (!sweeps || !sweeps_only(rules))
		add_ordinary(rules, deal, value, moves);
	for (int i = first; i < moves->count; i++)
		if (moves->moves[i].captured.count == deal->table.count)
			listed = true;
	if (sweeps && !listed)
		moves->moves[moves->count++].captured = deal->table;
	if (moves->count == first)
		moves->moves[moves->count++].captured.count = 0;
	sort_captures(moves, first);
	for (int i = first; i < moves->count; i++) {
		moves->moves[i].seat = deal->turn;
		moves->moves[i].card = card;
		moves->moves[i].declaration = 0;
		moves->moves[i].value = 0;
	}
}

/* Declarations. */

int
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
	if (!list_has(hand, matta)) {
		if (oracle_total(hand) < 10)
			moves[count++].declaration = 3;
		return count;
	}
	list_remove(&rest, matta);
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
