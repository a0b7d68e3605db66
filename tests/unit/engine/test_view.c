/*
 * The view of a seat, in random deals of all rule sets: it depends on no hidden
 * card, and the `state` line reads back as the view.  SCOPA_TEST_DEALS sets the
 * number of deals.
 */
#include <string.h>

#include "support.h"
#include "test.h"

enum { DEALS_DEFAULT = 2000, SPECS = 200, STATE_SIZE = 4096 };

static struct scopa_move moves[SCOPA_MOVES_MAX];
static struct scopa_move other_moves[SCOPA_MOVES_MAX];

/* What a seat may know, and the `state` line with it. */
struct seen {
	struct scopa_view view;
	char line[STATE_SIZE];
};

static const struct scopa_preset *
preset_of(const char *spec)
{
	char name[64] = { 0 };

	strncpy(name, spec, sizeof(name) - 1);
	name[strcspn(name, ",")] = '\0';
	return scopa_preset_find(name);
}

static void
look(const char *spec, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_tally *tally, int seat,
    struct seen *seen)
{
	struct scopa_text text;

	memset(seen, 0, sizeof(*seen));
	scopa_view_make(rules, deal, tally, seat, &seen->view);
	scopa_text_init(&text, seen->line, sizeof(seen->line));
	scopa_state_format(rules, preset_of(spec), &seen->view, &text);
	assert_false(text.cut);
}

static void
assert_same_moves(const struct scopa_rules *rules, const struct scopa_deal *a,
    const struct scopa_deal *b)
{
	int count = scopa_moves(rules, a, moves, SCOPA_MOVES_MAX);

	assert_int_equal(
	    scopa_moves(rules, b, other_moves, SCOPA_MOVES_MAX), count);
	for (int i = 0; i < count; i++)
		assert_true(scopa_move_equal(&moves[i], &other_moves[i]));
}

static void
assert_same_seen(const struct seen *a, const struct seen *b)
{
	assert_string_equal(a->line, b->line);
	/* Moves are compared one by one: they contain padding bytes. */
	assert_memory_equal(
	    &a->view, &b->view, offsetof(struct scopa_view, history));
	for (int i = 0; i < a->view.history_count; i++) {
		const struct scopa_move *move = &a->view.history[i];
		const struct scopa_move *other = &b->view.history[i];
		assert_true(scopa_move_equal(move, other));
		assert_int_equal(move->seat, other->seat);
	}
}

/* The cards that the seat must not know: hidden hands and the deck. */
static int
hidden_cards(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int seat, scopa_card cards[SCOPA_PACK_SIZE])
{
	int count = 0;

	for (int holder = 0; holder < rules->players; holder++) {
		scopa_set hand = deal->hands[holder];
		if (scopa_view_sees(deal, seat, holder))
			continue;
		while (hand)
			cards[count++] = scopa_set_take(&hand);
	}
	for (int i = deal->dealt; i < SCOPA_PACK_SIZE; i++)
		cards[count++] = deal->pack[i];
	return count;
}

/* Checks what must be true of the view of any seat at any time. */
static void
check_view(const char *spec, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_tally *tally, int seat,
    uint64_t *rng)
{
	static struct seen seen, again;
	struct scopa_deal other;
	scopa_card hidden[SCOPA_PACK_SIZE];
	int count = hidden_cards(rules, deal, seat, hidden);
	scopa_set unseen = 0;

	look(spec, rules, deal, tally, seat, &seen);
	for (int i = 0; i < count; i++)
		unseen |= scopa_set_of(hidden[i]);
	assert_true(scopa_view_unseen(&seen.view) == unseen);
	assert_true(seen.view.hand == deal->hands[seat]);
	assert_true(seen.view.table == deal->table);
	for (int holder = 0; holder < rules->players; holder++)
		assert_int_equal(seen.view.hand_counts[holder],
		    scopa_set_count(deal->hands[holder]));
	scopa_view_deal(rules, &seen.view, hidden, &other);
	for (int holder = 0; holder < rules->players; holder++)
		assert_true(other.hands[holder] == deal->hands[holder]);
	assert_int_equal(other.dealt, deal->dealt);
	assert_int_equal(other.play_count, deal->play_count);
	assert_int_equal(other.shown, deal->shown);
	assert_memory_equal(other.pack + other.dealt, deal->pack + deal->dealt,
	    (size_t)(SCOPA_PACK_SIZE - deal->dealt));
	assert_same_moves(rules, deal, &other);
	look(spec, rules, &other, tally, seat, &again);
	assert_same_seen(&seen, &again);
	support_shuffle(rng, hidden, count);
	/* The view does not depend on the cards that the seat does not know. */
	scopa_view_deal(rules, &seen.view, hidden, &other);
	look(spec, rules, &other, tally, seat, &again);
	assert_same_seen(&seen, &again);
	if (deal->turn == seat)
		assert_same_moves(rules, deal, &other);
}

/* The `state` line of each view reads back as the same view. */
static void
check_state_line(const char *spec, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_tally *tally, int seat)
{
	static struct seen seen, read;
	struct scopa_rules read_rules;
	struct scopa_text why = SCOPA_TEXT(256);

	look(spec, rules, deal, tally, seat, &seen);
	memset(&read, 0, sizeof(read));
	if (!scopa_state_parse(seen.line, &read_rules, &read.view, &why))
		fail_msg("%s\n%s", why.bytes, seen.line);
	assert_memory_equal(&read_rules, rules, sizeof(read_rules));
	strcpy(read.line, seen.line);
	assert_same_seen(&seen, &read);
}

static void
check_deal(const char *spec, uint64_t *rng)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_tally tally;
	struct scopa_deal deal;
	int dealer = support_random_below(rng, rules.players);

	scopa_tally_init(&tally, dealer, 0);
	tally.deal_count = support_random_below(rng, 20);
	for (int team = 0; team < scopa_team_count(&rules); team++)
		tally.scores[team] = support_random_below(rng, 30);
	support_deal_random(&rules, rng, dealer, &deal);
	while (!scopa_deal_over(&deal)) {
		int seat = support_random_below(rng, rules.players);
		check_view(spec, &rules, &deal, &tally, seat, rng);
		check_view(spec, &rules, &deal, &tally, deal.turn, rng);
		check_state_line(spec, &rules, &deal, &tally, seat);
		check_state_line(spec, &rules, &deal, &tally, deal.turn);
		support_play_random(&rules, &deal, rng);
	}
	check_view(spec, &rules, &deal, &tally, dealer, rng);
}

static void
check_deals(const char *spec, uint64_t rng)
{
	long deals = support_number("SCOPA_TEST_DEALS", DEALS_DEFAULT);

	for (long i = 0; i < deals; i += SPECS)
		check_deal(spec, &rng);
}

TEST(test_hidden_cards_change_nothing_that_a_seat_knows)
{
	assert_true(support_each_spec(check_deals) > SPECS);
}
