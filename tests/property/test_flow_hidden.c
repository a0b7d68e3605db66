/*
 * Nothing flows to a seat from cards that it may not see: with those cards
 * exchanged among other hands and the deck, every byte that it has received
 * is the same, until somebody acts on one of them.
 */
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "table.h"
#include "test.h"

enum { MOVES_MAX = 64, PACK_FILE_MAX = 32, TRIES = 2 };

/* How a game went, so that it can be played again. */
struct game_fixture {
	char moves[MOVES_MAX][64];
	int move_count;
	uint8_t packs[PACK_FILE_MAX][SCOPA_PACK_SIZE];
	int pack_count;
	int next_pack;  /* of a game that is played again */
	bool recording; /* packs are taken down, not handed out */
};

static struct game_fixture fixture;
static int compared_count;

static void
on_pack(struct table *table, struct event_pack *pack)
{
	(void)table;
	if (fixture.recording) {
		assert_true(fixture.pack_count < PACK_FILE_MAX);
		memcpy(fixture.packs[fixture.pack_count++], pack->cards,
		    sizeof(pack->cards));
		return;
	}
	/* Other cards may be thrown in where these were not. */
	if (fixture.next_pack < fixture.pack_count)
		memcpy(pack->cards, fixture.packs[fixture.next_pack++],
		    sizeof(pack->cards));
}

static struct table *
open_table(const struct table_order *order)
{
	struct table *table = table_open(order);
	uint64_t random = order->seed;

	table->before_pack = on_pack;
	for (int seat = 0; seat < table->rules.players; seat++) {
		table_start(table, seat);
		table_say(table, seat, "id name=x");
		if (support_random_below(&random, 2) == 0)
			table_say(table, seat, "feature observe=1");
		table_say(table, seat, "uspok 1");
		table_say(table, seat, "readyok");
	}
	return table;
}

/* Plays so many random moves, or fewer where the deal ends before. */
static struct table *
play_first(const struct table_order *order, int steps)
{
	struct table *table;

	memset(&fixture, 0, sizeof(fixture));
	fixture.recording = true;
	table = open_table(order);
	for (int i = 0; i < steps; i++) {
		const struct scopa_deal *deal = &table->referee.game.deal;
		struct scopa_text text;
		char moves[4096] = "";
		const char *move = moves;
		int cards = 0;

		for (int seat = 0; seat < table->rules.players; seat++)
			cards += scopa_set_count(deal->hands[seat]);
		if (cards + SCOPA_PACK_SIZE - deal->dealt < 2)
			break;
		scopa_text_init(&text, moves, sizeof(moves));
		support_moves(&table->rules, deal, &text);
		for (int skip = support_random_below(&table->random, 5);
		     skip > 0 && strchr(move, ' '); skip--)
			move = strchr(move, ' ') + 1;
		snprintf(fixture.moves[fixture.move_count],
		    sizeof(fixture.moves[0]), "%.*s", (int)strcspn(move, " "),
		    move);
		table_answer(table, fixture.moves[fixture.move_count++]);
	}
	fixture.recording = false;
	return table;
}

/*
 * Plays the same moves with other cards.  NULL where these cards would have
 * told everybody something else: a declaration that is made by itself.
 */
static struct table *
play_again(const struct table_order *order, const struct table *first)
{
	const struct scopa_deal *was = &first->referee.game.deal;
	struct table *table;
	const struct scopa_deal *deal;

	fixture.next_pack = 0;
	table = open_table(order);
	deal = &table->referee.game.deal;
	for (int i = 0; i < fixture.move_count; i++) {
		if (memcmp(deal->history, was->history,
			deal->history_count * sizeof(deal->history[0])) != 0)
			break;
		table_answer(table, fixture.moves[i]);
		assert_int_equal(
		    table_count(table->record.bytes, "offence *"), 0);
	}
	if (deal->history_count == was->history_count &&
	    memcmp(deal->history, was->history,
		deal->history_count * sizeof(deal->history[0])) == 0)
		return table;
	table_close(table);
	return NULL;
}

/* Exchanges what is hidden from the seat; false where that is one card. */
static bool
exchange_hidden(const struct table *table, int seat, uint64_t *random)
{
	const struct scopa_deal *deal = &table->referee.game.deal;
	uint8_t *pack = fixture.packs[fixture.pack_count - 1];
	uint8_t cards[SCOPA_PACK_SIZE];
	int places[SCOPA_PACK_SIZE], count = 0;

	for (int place = 0; place < SCOPA_PACK_SIZE; place++) {
		scopa_set card = scopa_set_of(pack[place]);
		bool hidden = place >= deal->dealt;

		for (int other = 0; other < table->rules.players; other++)
			hidden |= other != seat &&
			    !(deal->shown >> other & 1) &&
			    (deal->hands[other] & card);
		if (!hidden)
			continue;
		cards[count] = pack[place];
		places[count++] = place;
	}
	support_shuffle(random, cards, count);
	for (int i = 0; i < count; i++)
		pack[places[i]] = cards[i];
	return count > 1;
}

static void
assert_same_for(const struct table *a, const struct table *b, int seat)
{
	assert_string_equal(
	    a->seats[seat].heard.bytes, b->seats[seat].heard.bytes);
	assert_int_equal(
	    a->seats[seat].write_count, b->seats[seat].write_count);
	compared_count++;
}

/* An answer from the seat's own hand tells it nothing of other cards. */
static void
assert_same_after_own_move(struct table *a, struct table *b, int seat)
{
	int dealt = a->referee.game.deal.dealt;
	char move[64];

	snprintf(move, sizeof(move), "%s", table_move(a, 0));
	table_answer(a, move);
	table_answer(b, move);
	if (!table_over(a) && a->referee.game.deal.dealt == dealt)
		assert_same_for(a, b, seat);
}

static void
compare_for(
    const struct table_order *order, int steps, int seat, uint64_t *random)
{
	struct table *first = play_first(order, steps);
	struct table *second = NULL;
	uint8_t pack[SCOPA_PACK_SIZE];

	memcpy(pack, fixture.packs[fixture.pack_count - 1], sizeof(pack));
	for (int i = 0; i < TRIES && second == NULL; i++)
		if (exchange_hidden(first, seat, random))
			second = play_again(order, first);
	if (second) {
		assert_same_for(first, second, seat);
		if (table_turn(first) == seat)
			assert_same_after_own_move(first, second, seat);
		table_close(second);
	}
	table_close(first);
}

static void
exchange(const char *spec, uint64_t seed)
{
	struct table_order order = { .spec = spec, .deals = 1 };
	struct scopa_rules rules = support_rules(spec);
	long games = support_number("FLOW_GAMES", 2);
	uint64_t random = seed;

	for (long game = 0; game < games; game++) {
		int steps = support_random_below(&random, 40);

		order.seed = seed + (uint64_t)game;
		for (int seat = 0; seat < rules.players; seat++)
			compare_for(&order, steps, seat, &random);
	}
}

TEST(test_exchanging_hidden_cards_changes_no_byte_for_the_seat)
{
	int specs;

	compared_count = 0;
	specs = table_each_spec(exchange);
	assert_true(specs > 100);
	/* Nearly all exchanges leave the public fixture as it was. */
	assert_true(compared_count > 4 * specs);
}

TEST(test_exchange_is_seen_by_the_seats_whose_cards_were_exchanged)
{
	struct table_order order = { .spec = "scopone", .deals = 1, .seed = 3 };
	struct table *first = play_first(&order, 5), *second;
	uint64_t random = 1;
	int differing = 0;

	assert_true(exchange_hidden(first, 0, &random));
	second = play_again(&order, first);
	assert_non_null(second);
	for (int seat = 1; seat < 4; seat++)
		differing += strcmp(first->seats[seat].heard.bytes,
				 second->seats[seat].heard.bytes) != 0;
	assert_int_equal(differing, 3);
	table_close(first);
	table_close(second);
}
