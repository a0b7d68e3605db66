/*
 * One deal: the start, the check of a move, and its application.
 *
 * A play moves the card to the table, or with the captured cards to the pile of
 * the team.  When all hands are empty, new hands are dealt; when the deck is
 * empty too, the deal ends.  Every card is always in exactly one place: table,
 * hand, pile or deck.
 */
#include "scopa/deal.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "capture.h"
#include "internal.h"

/*
 * Functions that few plays need.  They stay out of line, so that the normal
 * path is short.
 */
#define RARE __attribute__((noinline, cold))

/*
 * The totals of an opening table that are one sweep, or two sweeps, for the
 * dealer.
 */
enum { OPENING_SINGLE = 15, OPENING_DOUBLE = 30 };

const char *
scopa_start_name(enum scopa_start start)
{
	static const char *const names[] = {
		[SCOPA_START_PLAY] = NULL,
		[SCOPA_START_KINGS] = "kings",
		[SCOPA_START_ACES] = "aces",
		[SCOPA_START_ACE] = "ace",
	};

	return names[start];
}

static enum scopa_start
judge_table(const struct scopa_rules *rules, scopa_set table)
{
	int kings = scopa_set_count(table & scopa_set_of_value(10));
	int aces = scopa_set_count(table & scopa_set_of_value(1));

	switch ((enum scopa_redeal)rules->redeal) {
	case SCOPA_REDEAL_KINGS3:
		return kings >= 3 ? SCOPA_START_KINGS : SCOPA_START_PLAY;
	case SCOPA_REDEAL_NONE:
		return SCOPA_START_PLAY;
	case SCOPA_REDEAL_ACES2:
		return aces >= 2 ? SCOPA_START_ACES : SCOPA_START_PLAY;
	case SCOPA_REDEAL_ACE:
		return aces >= 1 ? SCOPA_START_ACE : SCOPA_START_PLAY;
	}
	return SCOPA_START_PLAY;
}

/* Returns the sweeps of the dealer for the opening table: 0, 1 or 2. */
static int
opening_sweeps(const struct scopa_rules *rules, scopa_set table)
{
	int total = scopa_set_total(table), span = 0;

	if (rules->opening == SCOPA_OPENING_OFF)
		return 0;
	if (rules->opening == SCOPA_OPENING_WILD &&
	    scopa_set_has(table, SCOPA_MATTA)) {
		/*
		 * The wild card counts from 1 to 10, so the total has a range.
		 */
		total += 1 - scopa_card_value(SCOPA_MATTA);
		span = SCOPA_VALUE_MAX - 1;
	}
	if (total <= OPENING_SINGLE && OPENING_SINGLE <= total + span)
		return 1;
	if (total <= OPENING_DOUBLE && OPENING_DOUBLE <= total + span)
		return 2;
	return 0;
}

static void
history_add(struct scopa_deal *deal, const struct scopa_move *move, int seat)
{
	struct scopa_move *entry = &deal->history[deal->history_count];

	assert(deal->history_count < SCOPA_HISTORY_MAX);
	/*
	 * Copies field by field.  A copy of the whole structure would read the
	 * fields in larger units than they were written, which delays the
	 * processor.
	 */
	entry->captured = move->captured;
	entry->card = move->card;
	entry->declaration = move->declaration;
	entry->value = move->value;
	entry->seat = (uint8_t)seat;
	deal->history_count++;
}

static void
apply_declaration(const struct scopa_rules *rules, struct scopa_deal *deal,
    const struct scopa_move *move, int seat)
{
	int points = scopa_declaration_points(move->declaration);
	int team = scopa_team_of(rules, seat);

	deal->declared[team] = (uint8_t)(deal->declared[team] + points);
	deal->shown |= (uint8_t)(1 << seat);
	if (move->value && rules->matta != SCOPA_MATTA_PLAIN)
		deal->matta = move->value;
	history_add(deal, move, seat);
}

/* Ends a deal in which a team has won the match instantly. */
static RARE struct scopa_effect
win_at_once(struct scopa_deal *deal, int team, bool scopa)
{
	deal->winner = (uint8_t)team;
	deal->turn = SCOPA_SEAT_NONE;
	return (struct scopa_effect){
		.rest_seat = SCOPA_SEAT_NONE,
		.scopa = scopa,
		.over = true,
	};
}

/* Deals a hand to every seat, and makes automatic declarations. */
static void
deal_hands(const struct scopa_rules *rules, struct scopa_deal *deal)
{
	const uint8_t *next = deal->pack + deal->dealt;
	int seat = deal->dealer;

	for (int i = 0; i < rules->players; i++) {
		scopa_set hand = SCOPA_SET_EMPTY;

		seat = seat + 1 == rules->players ? 0 : seat + 1;
		for (const uint8_t *end = next + rules->hand; next < end;)
			hand |= scopa_set_of(*next++);
		deal->hands[seat] = hand;
	}
	deal->dealt = (uint8_t)(next - deal->pack);
	deal->untouched = (uint8_t)((1 << rules->players) - 1);
	deal->shown = 0;
	if (rules->declare != SCOPA_DECLARE_AUTO || scopa_deal_over(deal))
		return;
	for (int i = 0; i < rules->players; i++) {
		struct scopa_move moves[DECLARATIONS_MAX];

		seat = seat + 1 == rules->players ? 0 : seat + 1;
		if (declare_list(rules, deal, seat, moves) > 0)
			apply_declaration(rules, deal, &moves[0], seat);
	}
}

enum scopa_start
scopa_deal_start(const struct scopa_rules *rules,
    const uint8_t pack[SCOPA_PACK_SIZE], int dealer, struct scopa_deal *deal)
{
	enum scopa_start start;
	scopa_set all = SCOPA_SET_EMPTY;
	unsigned bits = 0;

	assert(dealer >= 0 && dealer < rules->players);
	*deal = (struct scopa_deal){
		.dealer = (uint8_t)dealer,
		.turn = (uint8_t)((dealer + 1) % rules->players),
		.last = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE,
	};
	memcpy(deal->pack, pack, SCOPA_PACK_SIZE);
	for (int i = 0; i < SCOPA_PACK_SIZE; i++) {
		bits |= pack[i];
		all |= scopa_set_of(pack[i] & 63);
	}
	/*
	 * If a number is 64 or more, `bits` shows it.  If all are below 64 and
	 * some card is missing, `all` shows it.
	 */
	assert(bits < 64 && all == SCOPA_SET_ALL);
	while (deal->dealt < rules->table)
		deal->table |= scopa_set_of(pack[deal->dealt++]);
	start = judge_table(rules, deal->table);
	if (start != SCOPA_START_PLAY)
		return start;
	deal->opening = (uint8_t)opening_sweeps(rules, deal->table);
	if (deal->opening) {
		int team = scopa_team_of(rules, dealer);

		deal->captured[team] = deal->table;
		deal->table = SCOPA_SET_EMPTY;
		deal->scopas[team] = deal->opening;
		deal->last = deal->dealer;
		if (rules->count == SCOPA_COUNT_AT_ONCE &&
		    instant_wins(rules, deal->captured[team]))
			win_at_once(deal, team, false);
	}
	deal_hands(rules, deal);
	return start;
}

static enum scopa_refusal
check_declaration(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *move)
{
	struct scopa_move moves[DECLARATIONS_MAX];
	int count;

	if (rules->declare != SCOPA_DECLARE_ASK)
		return SCOPA_NO_DECLARATION;
	count = declare_list(rules, deal, deal->turn, moves);
	for (int i = 0; i < count; i++)
		if (scopa_move_equal(&moves[i], move))
			return SCOPA_LEGAL;
	return SCOPA_NO_DECLARATION;
}

static enum scopa_refusal
check_lay(const struct capture_terms *terms, scopa_set table)
{
	if (terms->ace_sweeps || terms->alone)
		return SCOPA_MUST_CAPTURE;
	if (!(terms->targets & capture_reach(table, terms->held)))
		return SCOPA_LEGAL;
	return capture_least(terms, table) ? SCOPA_MUST_CAPTURE : SCOPA_LEGAL;
}

static enum scopa_refusal
check_capture(
    const struct capture_terms *terms, scopa_set table, scopa_set captured)
{
	int size = scopa_set_count(captured);

	if (terms->ace_sweeps && captured == table)
		return SCOPA_LEGAL;
	if (!terms->ordinary)
		return SCOPA_MUST_SWEEP;
	if (!capture_adds_up(terms, captured))
		return SCOPA_BAD_SUM;
	if (capture_is_barred(terms, captured))
		return SCOPA_MUST_TAKE_SINGLE;
	if (size > terms->size_max)
		return SCOPA_TOO_MANY;
	if (terms->fewest && size > capture_least(terms, table))
		return SCOPA_MUST_TAKE_FEWEST;
	return SCOPA_LEGAL;
}

enum scopa_refusal
scopa_deal_check(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *move)
{
	struct capture_terms terms;

	if (scopa_deal_over(deal))
		return SCOPA_NOT_TO_MOVE;
	if (move->declaration != SCOPA_DECLARE_NOTHING)
		return check_declaration(rules, deal, move);
	if (move->card >= SCOPA_PACK_SIZE ||
	    !scopa_set_has(deal->hands[deal->turn], move->card))
		return SCOPA_NOT_IN_HAND;
	if (move->captured & ~deal->table)
		return SCOPA_NOT_ON_TABLE;
	terms = capture_terms_of(rules, deal, move->card);
	if (move->captured == SCOPA_SET_EMPTY)
		return check_lay(&terms, deal->table);
	return check_capture(&terms, deal->table, move->captured);
}

/* Whether a capture of the whole table scores.  The move is not yet made. */
static RARE bool
sweep_scores(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *move)
{
	int plays = SCOPA_PACK_SIZE - rules->table;

	if (!rules->scopa ||
	    (!rules->last_scopa && deal->play_count + 1 == plays))
		return false;
	return rules->ace_scopa || !capture_needs_sweep(rules, deal, move);
}

/* Whether an ace played to an empty table goes to the pile of its team. */
static bool
takes_itself(const struct scopa_rules *rules, const struct scopa_deal *deal,
    scopa_card card)
{
	return rules->ace_empty == SCOPA_ACE_EMPTY_TAKE &&
	    deal->table == SCOPA_SET_EMPTY && capture_value(deal, card) == 1;
}

/*
 * Moves the cards of a play; returns whether it was a scopa.  Whether a card
 * captures is unpredictable for the processor, so the code uses arithmetic
 * instead of branches on it.
 */
static inline bool
move_cards(const struct scopa_rules *rules, struct scopa_deal *deal,
    const struct scopa_move *move, int seat, int team)
{
	scopa_set table = deal->table, captured = move->captured;
	scopa_card card = move->card;
	scopa_set hand = deal->hands[seat] & ~scopa_set_of(card);
	bool takes = captured != SCOPA_SET_EMPTY, scopa = false;
	int last = deal->last;

	if (rules->ace_empty == SCOPA_ACE_EMPTY_TAKE)
		takes |= takes_itself(rules, deal, card);
	if (captured != SCOPA_SET_EMPTY && captured == table) {
		scopa = sweep_scores(rules, deal, move);
		deal->scopas[team] = (uint8_t)(deal->scopas[team] + scopa);
	}
	deal->hands[seat] = hand;
	deal->untouched &= (uint8_t) ~(1 << seat);
	if (hand == SCOPA_SET_EMPTY)
		deal->shown &= (uint8_t) ~(1 << seat);
	deal->captured[team] |= captured | (scopa_set)takes << card;
	deal->table = (table & ~captured) | (scopa_set)!takes << card;
	deal->last = (uint8_t)(takes ? seat : last);
	return scopa;
}

/*
 * Resets the declared value of the wild 7 of cups when the card is played or
 * captured, unless the rules preserve the value on the table.
 */
static RARE void
release_matta(const struct scopa_rules *rules, struct scopa_deal *deal,
    const struct scopa_move *move)
{
	if ((move->card == SCOPA_MATTA ||
		scopa_set_has(move->captured, SCOPA_MATTA)) &&
	    !capture_held(rules, deal))
		deal->matta = 0;
}

/* Gives the cards left on the table to the right team and ends the deal. */
static void
end_deal(const struct scopa_rules *rules, struct scopa_deal *deal,
    struct scopa_effect *effect)
{
	int seat = deal->last;

	if (rules->leftovers == SCOPA_LEFTOVERS_DEALER ||
	    deal->last == SCOPA_SEAT_NONE)
		seat = deal->dealer;
	if (deal->table) {
		effect->rest = deal->table;
		effect->rest_seat = (uint8_t)seat;
		deal->captured[scopa_team_of(rules, seat)] |= deal->table;
		deal->table = SCOPA_SET_EMPTY;
	}
	deal->turn = SCOPA_SEAT_NONE;
	effect->over = true;
}

/* All hands are empty: deals new hands, or ends the deal. */
static RARE struct scopa_effect
renew_hands(
    const struct scopa_rules *rules, struct scopa_deal *deal, bool scopa)
{
	struct scopa_effect effect = {
		.rest_seat = SCOPA_SEAT_NONE,
		.scopa = scopa,
	};

	if (deal->dealt == SCOPA_PACK_SIZE) {
		end_deal(rules, deal, &effect);
	} else {
		deal_hands(rules, deal);
		effect.dealt = true;
	}
	return effect;
}

static RARE struct scopa_effect
declare_now(const struct scopa_rules *rules, struct scopa_deal *deal,
    const struct scopa_move *move)
{
	apply_declaration(rules, deal, move, deal->turn);
	return (struct scopa_effect){ .rest_seat = SCOPA_SEAT_NONE };
}

struct scopa_effect
scopa_deal_apply(const struct scopa_rules *rules, struct scopa_deal *deal,
    const struct scopa_move *move)
{
	int seat = deal->turn, team;
	bool scopa;

	assert(!scopa_deal_over(deal));
	if (move->declaration != SCOPA_DECLARE_NOTHING)
		return declare_now(rules, deal, move);
	assert(scopa_set_has(deal->hands[seat], move->card));
	assert(!(move->captured & ~deal->table));
	team = scopa_team_of(rules, seat);
	history_add(deal, move, seat);
	scopa = move_cards(rules, deal, move, seat, team);
	if (deal->matta != 0)
		release_matta(rules, deal, move);
	deal->play_count++;
	if (rules->count == SCOPA_COUNT_AT_ONCE &&
	    instant_wins(rules, deal->captured[team]))
		return win_at_once(deal, team, scopa);
	seat = (seat + 1) & -(seat + 1 != rules->players);
	deal->turn = (uint8_t)seat;
	if (deal->hands[seat] == SCOPA_SET_EMPTY)
		return renew_hands(rules, deal, scopa);
	return (struct scopa_effect){ .rest_seat = SCOPA_SEAT_NONE,
		.scopa = scopa };
}
