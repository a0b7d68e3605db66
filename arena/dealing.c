#include "dealing.h"

#include <assert.h>
#include <string.h>

enum { ROUNDS_MAX = SCOPA_PACK_SIZE / 3 };

/* The cards of a deal on their way into a pack. */
struct gathering {
	const struct dealing *dealing;
	const struct scopa_rules *rules;
	struct record_fault *fault;
	scopa_set table;
	scopa_set seen; /* all cards so far */
	scopa_set hands[SCOPA_SEATS_MAX][ROUNDS_MAX];
	int hand_counts[SCOPA_SEATS_MAX];
};

/* The next line from *at on with this verb, before `end`, or NULL. */
static const struct record_line *
find_line(
    const struct record_block *block, const char *verb, size_t *at, size_t end)
{
	for (; *at < end; ++*at) {
		const struct record_line *line = &block->lines[*at];

		if (record_line_is(
			record_line_bytes(block, line), line->length, verb)) {
			++*at;
			return line;
		}
	}
	return NULL;
}

/* The number on a `pack` or `deal` line, 0 where it has none; else -1. */
static int
number_of(const struct record_block *block, const struct record_line *line)
{
	const char *bytes = record_line_bytes(block, line);
	struct words words;
	int64_t number;

	if (!record_line_is(bytes, line->length, "pack") &&
	    !record_line_is(bytes, line->length, "deal"))
		return -1;
	words_split(bytes, line->length, &words);
	if (words.count < 2 ||
	    !word_to_int(words.word[1], 1, INT32_MAX, &number))
		return 0;
	return (int)number;
}

bool
dealing_begins(const struct record_block *block, const struct record_line *line,
    int number)
{
	int next = number_of(block, line);

	return next >= 0 && next != number;
}

int
dealing_count(const struct record_block *block)
{
	int count = 0, last = 0;

	for (size_t i = 0; i < block->line_count; i++) {
		int number = number_of(block, &block->lines[i]);

		if (number < 0 || number == last)
			continue;
		last = number;
		count++;
	}
	return count;
}

bool
dealing_find(const struct record_block *block, size_t begin,
    struct dealing *dealing, struct record_fault *fault)
{
	struct event event;

	*dealing = (struct dealing){ .block = block, .begin = begin };
	dealing->number = number_of(block, &block->lines[begin]);
	for (size_t i = begin; i < block->line_count; i++) {
		const struct record_line *line = &block->lines[i];
		const char *bytes = record_line_bytes(block, line);

		if (i > begin && dealing_begins(block, line, dealing->number))
			break;
		dealing->end = i + 1;
		if (record_line_is(bytes, line->length, "pack"))
			dealing->pack_count++;
		if (record_line_is(bytes, line->length, "table"))
			dealing->table_count++;
		if (!record_line_is(bytes, line->length, "deal"))
			continue;
		if (dealing->deal_line != 0) {
			record_fault_set(fault, line->number,
			    "a second line `deal %d`; the first is line %lld",
			    dealing->number, (long long)dealing->deal_line);
			return false;
		}
		if (!record_line_event(block, line, &event, fault))
			return false;
		dealing->deal = event.deal;
		dealing->deal_line = line->number;
	}
	return true;
}

/* Takes cards that a line deals; each may be dealt once. */
static bool
gather_cards(struct gathering *gathering, const struct record_line *line,
    const struct event_cards *cards, int count)
{
	scopa_set twice = gathering->seen & cards->cards;

	if (cards->hidden > 0) {
		record_fault_set(gathering->fault, line->number,
		    "the cards are hidden here; a game can only be derived "
		    "from all of them");
		return false;
	}
	if (scopa_set_count(cards->cards) != count) {
		record_fault_set(gathering->fault, line->number,
		    "%d cards stand where the rules deal %d",
		    scopa_set_count(cards->cards), count);
		return false;
	}
	if (twice != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_first(twice);

		record_fault_set(gathering->fault, line->number,
		    "%c%c is dealt twice",
		    scopa_value_letter(scopa_card_value(card)),
		    scopa_suit_letter(scopa_card_suit(card)));
		return false;
	}
	gathering->seen |= cards->cards;
	return true;
}

/* The cards turned up after so many tables were thrown in. */
static bool
gather_table(struct gathering *gathering, int redeal)
{
	const struct dealing *dealing = gathering->dealing;
	size_t at = dealing->begin;
	const struct record_line *line = NULL;
	struct event event;

	if (gathering->rules->table == 0 && dealing->table_count == 0)
		return true;
	for (int i = 0; i <= redeal; i++)
		line = find_line(dealing->block, "table", &at, dealing->end);
	if (line == NULL) {
		record_fault_set(gathering->fault,
		    dealing->block->lines[dealing->begin].number,
		    redeal == 0
			? "the cards of deal %d are missing: a `pack` line, "
			  "or `table` and `give` lines"
			: "deal %d is thrown in, and no new `table` follows",
		    dealing->number);
		return false;
	}
	if (!record_line_event(
		dealing->block, line, &event, gathering->fault) ||
	    !gather_cards(
		gathering, line, &event.cards, gathering->rules->table))
		return false;
	gathering->table = event.cards.cards;
	return true;
}

static bool
gather_hands(struct gathering *gathering)
{
	const struct dealing *dealing = gathering->dealing;
	size_t at = dealing->begin;
	const struct record_line *line;

	while ((line = find_line(dealing->block, "give", &at, dealing->end)) !=
	    NULL) {
		struct event event;
		int seat, *count;

		if (!record_line_event(
			dealing->block, line, &event, gathering->fault))
			return false;
		seat = event.cards.seat;
		if (seat >= gathering->rules->players) {
			record_fault_set(gathering->fault, line->number,
			    "there is no seat %d in this game", seat + 1);
			return false;
		}
		if (!gather_cards(
			gathering, line, &event.cards, gathering->rules->hand))
			return false;
		/* As no card is dealt twice, nobody gets too many hands. */
		count = &gathering->hand_counts[seat];
		assert(*count < ROUNDS_MAX);
		gathering->hands[seat][(*count)++] = event.cards.cards;
	}
	return true;
}

static int
put_cards(uint8_t *cards, int count, scopa_set set)
{
	while (set != SCOPA_SET_EMPTY)
		cards[count++] = scopa_set_take(&set);
	return count;
}

/* Puts what was gathered into the order of dealing; the count of it. */
static int
put_gathered(const struct gathering *gathering, int dealer, uint8_t *cards)
{
	int count = put_cards(cards, 0, gathering->table);
	int seat = dealer;

	for (int round = 0; round < ROUNDS_MAX; round++) {
		for (int i = 0; i < gathering->rules->players; i++) {
			seat = (seat + 1) % gathering->rules->players;
			if (round >= gathering->hand_counts[seat])
				return count;
			count = put_cards(
			    cards, count, gathering->hands[seat][round]);
		}
	}
	return count;
}

/* The pack that `table` and `give` lines tell of; how many cards, or -1. */
static int
gather_pack(struct gathering *gathering, int dealer, int redeal,
    struct event_pack *pack)
{
	const struct dealing *dealing = gathering->dealing;
	bool last = redeal + 1 >= dealing->table_count;
	int count;

	if (!gather_table(gathering, redeal) ||
	    (last && !gather_hands(gathering)))
		return -1;
	count = put_gathered(gathering, dealer, pack->cards);
	if (count != scopa_set_count(gathering->seen)) {
		record_fault_set(gathering->fault,
		    dealing->block->lines[dealing->begin].number,
		    "a hand of deal %d is missing: its `give` lines are not "
		    "the same number for every seat",
		    dealing->number);
		return -1;
	}
	put_cards(pack->cards, count, SCOPA_SET_ALL & ~gathering->seen);
	pack->has_key = false;
	return count;
}

int
dealing_pack(const struct dealing *dealing, const struct scopa_rules *rules,
    int dealer, int redeal, struct event_pack *pack, struct record_fault *fault)
{
	struct gathering gathering = {
		.dealing = dealing,
		.rules = rules,
		.fault = fault,
	};
	size_t at = dealing->begin;
	const struct record_line *line = NULL;
	struct event event;

	pack->number = dealing->number;
	pack->redeal = redeal;
	if (dealing->pack_count == 0)
		return gather_pack(&gathering, dealer, redeal, pack);
	if (redeal >= dealing->pack_count) {
		record_fault_set(fault,
		    dealing->block->lines[dealing->begin].number,
		    "deal %d is thrown in, and the next `pack %d redeal=%d` "
		    "is missing",
		    dealing->number, dealing->number, redeal);
		return -1;
	}
	for (int i = 0; i <= redeal; i++)
		line = find_line(dealing->block, "pack", &at, dealing->end);
	assert(line != NULL);
	if (!record_line_event(dealing->block, line, &event, fault))
		return -1;
	if (event.pack.redeal != 0 && event.pack.redeal != redeal) {
		record_fault_set(fault, line->number,
		    "redeal=%d stands where pack %d of the deal is expected",
		    event.pack.redeal, redeal);
		return -1;
	}
	event.pack.redeal = redeal;
	*pack = event.pack;
	return SCOPA_PACK_SIZE;
}

bool
dealing_check_packs(
    const struct dealing *dealing, int used, struct record_fault *fault)
{
	bool packs = dealing->pack_count > 0;
	size_t at = dealing->begin;
	const struct record_line *line = NULL;

	if (used >= (packs ? dealing->pack_count : dealing->table_count))
		return true;
	for (int i = 0; i <= used; i++)
		line = find_line(dealing->block, packs ? "pack" : "table", &at,
		    dealing->end);
	assert(line != NULL);
	record_fault_set(fault, line->number,
	    "this is never dealt: the cards before it were not thrown in");
	return false;
}
