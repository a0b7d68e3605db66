/*
 * What a seat is sent does not depend on hidden cards: if these cards are
 * exchanged among other hands and the deck, each byte sent to the seat is the
 * same, until a play depends on one of them.
 */
#include <stdio.h>
#include <string.h>

#include "mock_match.h"
#include "support.h"
#include "test.h"

enum { MOVES_MAX = 64, TRIES = 2 };

/* The moves and packs of a game, to play it again. */
struct replayed_game {
	char moves[MOVES_MAX][64];
	int move_count;
	struct mock_packs packs;
};

static struct replayed_game replayed;
static int compared_count;

static void
on_pack(struct mock_match *match, struct event_pack *pack)
{
	(void)match;
	mock_packs_pass(&replayed.packs, pack);
}

static struct mock_match *
open_match(const struct mock_order *order)
{
	struct mock_match *match = mock_open(order);
	uint64_t random = order->seed;

	match->before_pack = on_pack;
	for (int seat = 0; seat < match->rules.players; seat++) {
		match->order.feature = support_random_below(&random, 2) == 0
		    ? "feature observe=1"
		    : NULL;
		mock_start_ready(match, seat);
	}
	return match;
}

/* Plays `steps` random moves, or fewer if the deal or the game ends before. */
static struct mock_match *
play_first(const struct mock_order *order, int steps)
{
	struct mock_match *match;

	memset(&replayed, 0, sizeof(replayed));
	match = open_match(order);
	for (int i = 0; i < steps && !mock_over(match); i++) {
		const struct scopa_deal *deal = &match->referee.game.deal;
		struct scopa_text text;
		char moves[4096] = "";
		const char *move = moves;
		int cards = 0;

		for (int seat = 0; seat < match->rules.players; seat++)
			cards += scopa_set_count(deal->hands[seat]);
		if (cards + SCOPA_PACK_SIZE - deal->dealt < 2)
			break;
		scopa_text_init(&text, moves, sizeof(moves));
		support_moves(&match->rules, deal, &text);
		for (int skip = support_random_below(&match->random, 5);
		     skip > 0 && strchr(move, ' '); skip--)
			move = strchr(move, ' ') + 1;
		snprintf(replayed.moves[replayed.move_count],
		    sizeof(replayed.moves[0]), "%.*s", (int)strcspn(move, " "),
		    move);
		mock_answer(match, replayed.moves[replayed.move_count++]);
	}
	replayed.packs.again = true;
	return match;
}

/*
 * Plays the same moves with other cards.  NULL if these cards cause another
 * public event: an automatic declaration.
 */
static struct mock_match *
play_again(const struct mock_order *order, const struct mock_match *first)
{
	const struct scopa_deal *was = &first->referee.game.deal;
	struct mock_match *match;
	const struct scopa_deal *deal;

	replayed.packs.next = 0;
	match = open_match(order);
	deal = &match->referee.game.deal;
	for (int i = 0; i < replayed.move_count && !mock_over(match); i++) {
		if (memcmp(deal->history, was->history,
			deal->history_count * sizeof(deal->history[0])) != 0)
			break;
		mock_answer(match, replayed.moves[i]);
		assert_int_equal(
		    mock_count(match->record.bytes, "offence *"), 0);
	}
	if (deal->history_count == was->history_count &&
	    memcmp(deal->history, was->history,
		deal->history_count * sizeof(deal->history[0])) == 0)
		return match;
	mock_close(match);
	return NULL;
}

static void
assert_same_for(
    const struct mock_match *a, const struct mock_match *b, int seat)
{
	assert_string_equal(
	    a->seats[seat].sent.bytes, b->seats[seat].sent.bytes);
	assert_int_equal(
	    a->seats[seat].write_count, b->seats[seat].write_count);
	compared_count++;
}

/* The answer of a seat from its own hand depends on no other card. */
static void
assert_same_after_own_move(struct mock_match *a, struct mock_match *b, int seat)
{
	int dealt = a->referee.game.deal.dealt;
	char move[64];

	snprintf(move, sizeof(move), "%s", mock_move(a, 0));
	mock_answer(a, move);
	mock_answer(b, move);
	if (!mock_over(a) && a->referee.game.deal.dealt == dealt)
		assert_same_for(a, b, seat);
}

static void
compare_for(
    const struct mock_order *order, int steps, int seat, uint64_t *random)
{
	struct mock_match *first = play_first(order, steps);
	struct mock_match *second = NULL;

	for (int i = 0; i < TRIES && second == NULL; i++)
		if (mock_packs_exchange(&replayed.packs, first, seat, random))
			second = play_again(order, first);
	if (second) {
		assert_same_for(first, second, seat);
		if (mock_turn(first) == seat)
			assert_same_after_own_move(first, second, seat);
		mock_close(second);
	}
	mock_close(first);
}

static void
exchange(const char *spec, uint64_t seed)
{
	struct mock_order order = { .spec = spec, .deals = 1 };
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
	specs = support_each_spec(exchange);
	assert_true(specs > 100);
	/* Nearly all exchanges do not change public events. */
	assert_true(compared_count > 4 * specs);
}

TEST(test_seats_with_exchanged_cards_are_sent_other_bytes)
{
	struct mock_order order = { .spec = "scopone", .deals = 1, .seed = 3 };
	struct mock_match *first = play_first(&order, 5), *second;
	uint64_t random = 1;
	int differing = 0;

	assert_true(mock_packs_exchange(&replayed.packs, first, 0, &random));
	second = play_again(&order, first);
	assert_non_null(second);
	for (int seat = 1; seat < 4; seat++)
		differing += strcmp(first->seats[seat].sent.bytes,
				 second->seats[seat].sent.bytes) != 0;
	assert_int_equal(differing, 3);
	mock_close(first);
	mock_close(second);
}
