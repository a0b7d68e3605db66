/*
 * Implements tradition.h, in this order: the probabilities of hidden cards; the
 * value of cards; the replies to a move; the traditional rules; the end of a
 * deal; the choice of a move.
 *
 * The value of a move is the sum of all rules' parts, in points of the deal.
 * The probabilities of hidden cards start equal, are lowered by what each seat
 * did not play, and are then scaled until every hand has its number of cards
 * and every card lies in one place (iterative proportional fitting).
 */
#include "tradition.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "greedy.h"
#include "policy.h"
#include "scopa/score.h"

/* What a seat could have done with another card than the one it played. */
enum missed {
	MISSED_NOTHING,
	MISSED_CAPTURE,
	MISSED_SETTEBELLO,
	MISSED_SWEEP,
	MISSED_COUNT
};

/* Factor on the probability that the hand has the card that it did not play. */
static const double beliefs[MISSED_COUNT] = {
	[MISSED_CAPTURE] = 0.5,
	[MISSED_SETTEBELLO] = 0.2,
	[MISSED_SWEEP] = 0.05,
};

/*
 * Factor for another card of the value that was played: to the table, or to
 * capture.  A player often plays a card to the table when the hand has another
 * one.
 */
static const double belief_laid = 1.4, belief_took = 0.75;

/* Iterations of the scaling; after these the values hardly change. */
enum { FIT_ROUNDS = 6, SETTEBELLO_VALUE = 7 };

static const scopa_card settebello = 4 * (SETTEBELLO_VALUE - 1) + SCOPA_DENARI;

/* Writes the values (bit v) that could have done each with this table. */
static void
chances_fill(const struct scopa_rules *rules, scopa_set table,
    uint32_t chances[MISSED_COUNT])
{
	chances[MISSED_CAPTURE] = values_taking(rules, totals_of(table));
	chances[MISSED_SETTEBELLO] = scopa_set_has(table, settebello)
	    ? values_taking(rules,
		  totals_of(table & ~scopa_set_of(settebello))
		      << SETTEBELLO_VALUE)
	    : 0;
	chances[MISSED_SWEEP] = position_sweepers(rules, table);
	if (ace_sweeps(rules, table))
		chances[MISSED_SWEEP] |= UINT32_C(1) << 1;
}

/* Returns the factor for a value after the seat made this move. */
static double
belief_after(const uint32_t chances[MISSED_COUNT], scopa_set table, int value,
    const struct scopa_move *move)
{
	bool lays = move->captured == SCOPA_SET_EMPTY;
	enum missed taken = lays                        ? MISSED_NOTHING
	    : move->captured == table                   ? MISSED_SWEEP
	    : scopa_set_has(move->captured, settebello) ? MISSED_SETTEBELLO
							: MISSED_CAPTURE;

	if (value == scopa_card_value(move->card))
		return lays ? belief_laid : belief_took;
	for (enum missed missed = MISSED_SWEEP; missed > taken; missed--)
		if (chances[missed] >> value & 1)
			return beliefs[missed];
	return 1;
}

/*
 * Lowers the probabilities of a seat by its plays.  The loop goes back play by
 * play; the table before a play is the table after it without the card, or with
 * the captured cards.  Only plays from the present hand count.
 */
static void
infer(const struct scopa_rules *rules, const struct scopa_view *view,
    struct holding *holding)
{
	int played[SCOPA_SEATS_MAX] = { 0 }; /* after this move */
	scopa_set table = view->table;

	for (int i = view->history_count - 1; i >= 0; i--) {
		const struct scopa_move *move = &view->history[i];
		int seat = move->seat;
		uint32_t chances[MISSED_COUNT];

		if (move->declaration != SCOPA_DECLARE_NOTHING)
			continue;
		table &= ~scopa_set_of(move->card);
		table |= move->captured;
		if (view->hand_counts[seat] + played[seat]++ >= rules->hand)
			continue;
		chances_fill(rules, table, chances);
		for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
			double belief =
			    belief_after(chances, table, value, move);

			for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++)
				holding->chance[seat][4 * (value - 1) + suit] *=
				    belief;
		}
	}
}

/* Scales a row so that the hidden cards in it add up to `count`. */
static void
row_fit(double *row, scopa_set cards, double count)
{
	double sum = 0;

	for (scopa_set left = cards; left != SCOPA_SET_EMPTY;)
		sum += row[scopa_set_take(&left)];
	for (scopa_set left = cards; left != SCOPA_SET_EMPTY && sum > 0;)
		row[scopa_set_take(&left)] *= count / sum;
}

static void
columns_fit(struct holding *holding, const double *counts, scopa_set cards)
{
	while (cards != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&cards);
		double sum = 0;

		for (int row = 0; row < HOLDING_ROWS; row++)
			if (counts[row] > 0)
				sum += holding->chance[row][card];
		for (int row = 0; row < HOLDING_ROWS; row++)
			holding->chance[row][card] = counts[row] > 0 && sum > 0
			    ? holding->chance[row][card] / sum
			    : 0;
	}
}

static void
holding_guess(const struct scopa_rules *rules, const struct scopa_view *view,
    struct holding *holding)
{
	scopa_set hidden = scopa_view_unseen(view);
	double counts[HOLDING_ROWS] = { 0 };

	*holding = (struct holding){ 0 };
	for (int row = 0; row < HOLDING_ROWS; row++)
		for (scopa_set left = hidden; left != SCOPA_SET_EMPTY;)
			holding->chance[row][scopa_set_take(&left)] = 1;
	counts[HOLDING_DECK] = view->deck_count;
	for (int seat = 0; seat < rules->players; seat++)
		if (seat != view->seat && view->shown[seat] == SCOPA_SET_EMPTY)
			counts[seat] = view->hand_counts[seat];
	infer(rules, view, holding);
	for (int round = 0; round < FIT_ROUNDS; round++) {
		columns_fit(holding, counts, hidden);
		for (int row = 0; row < HOLDING_ROWS; row++)
			if (counts[row] > 0)
				row_fit(
				    holding->chance[row], hidden, counts[row]);
	}
	for (int seat = 0; seat < rules->players; seat++) {
		scopa_set known =
		    seat == view->seat ? view->hand : view->shown[seat];

		if (known == SCOPA_SET_EMPTY)
			continue;
		for (scopa_card card = 0; card < SCOPA_PACK_SIZE; card++)
			holding->chance[seat][card] =
			    scopa_set_has(known, card);
	}
}

/* The extra values are in hundredths of a point. */
static const double point_extra = 100;

/* The worth of one primiera point of a suit, in points of the deal. */
static const double primiera_weight = 0.017;

/*
 * A card below this value gains nothing for the primiera: every team is
 * expected to get a five of the suit.
 */
enum { PRIMIERA_FLOOR = 15 };

/*
 * Returns the probability that one more card decides a majority, when `left`
 * cards are undecided and the team leads by `lead`.  Each other card goes to a
 * random team, so the final lead is a random walk.  One card wins the point if
 * this walk ends at zero, and half of it if it ends at one or minus one.
 */
static double
pivot_chance(int left, int lead)
{
	int steps = left - 1, distance = abs(lead);
	double chance = 0, term = 1;

	if (left <= 0)
		return 0;
	/* `term` is the probability of `ups` steps in one direction. */
	for (int i = 0; i < steps; i++)
		term /= 2;
	for (int ups = 0; ups <= steps; ups++) {
		int end = 2 * ups - steps + distance;

		if (end == 0)
			chance += term;
		else if (end == 1 || end == -1)
			chance += term / 2;
		term = term * (steps - ups) / (ups + 1);
	}
	return chance;
}

static double
majority_value(const struct scopa_rules *rules, const scopa_set *captured,
    int team, scopa_set cards)
{
	int left, lead = lead_in_cards(rules, captured, team, cards, &left);

	return pivot_chance(left, lead);
}

/* Adds what each card improves in the own pile and in those of the others. */
static void
primiera_add(const struct scopa_rules *rules, const scopa_set *captured,
    int team, double *card_values)
{
	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
		/*
		 * The best card of the suit in the own pile, and in the other
		 * piles.
		 */
		int own = PRIMIERA_FLOOR, rival = PRIMIERA_FLOOR;

		for (int i = 0; i < scopa_team_count(rules); i++)
			for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
				int *best = i == team ? &own : &rival;

				if (scopa_set_has(captured[i],
					(scopa_card)(4 * (value - 1) + suit)) &&
				    primiera_points[value] > *best)
					*best = primiera_points[value];
			}
		for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
			int points = primiera_points[value];
			int gain = (points > own ? points - own : 0) +
			    (points > rival ? points - rival : 0);

			card_values[4 * (value - 1) + suit] +=
			    primiera_weight * gain;
		}
	}
}

static void
set_add(double *card_values, scopa_set cards, double card_value)
{
	while (cards != SCOPA_SET_EMPTY)
		card_values[scopa_set_take(&cards)] += card_value;
}

/*
 * Computes the value of each card: the points of the deal that the team gains
 * or denies to the best other team by its capture, i.e. half the difference
 * between capturing it and leaving it.  A coin has a high value while the
 * majority of coins is open, and none when one pile has six of them.
 * Majorities count by the probability that one more card decides them.  The
 * primiera counts the difference from the best card of the suit in the piles.
 */
static void
card_value_fill(const struct scopa_rules *rules,
    const scopa_set captured[SCOPA_TEAMS_MAX], int team,
    double card_values[SCOPA_PACK_SIZE])
{
	int values[SCOPA_PACK_SIZE] = { 0 };

	extra_values_add(rules, values);
	for (scopa_card card = 0; card < SCOPA_PACK_SIZE; card++)
		card_values[card] = values[card] / point_extra;
	if (rules->items & SCOPA_BASE_CARDS)
		set_add(card_values, SCOPA_SET_ALL,
		    majority_value(rules, captured, team, SCOPA_SET_ALL));
	if (rules->items & SCOPA_BASE_COINS)
		set_add(card_values, SCOPA_SET_DENARI,
		    majority_value(rules, captured, team, SCOPA_SET_DENARI));
	if (rules->frac)
		set_add(card_values, frac_cards,
		    majority_value(rules, captured, team, frac_cards));
	if (rules->items & SCOPA_BASE_SETTEBELLO)
		card_values[settebello] += 1;
	if (rules->items & SCOPA_BASE_PRIMIERA)
		primiera_add(rules, captured, team, card_values);
}

static double
card_value_sum(const double card_values[SCOPA_PACK_SIZE], scopa_set cards)
{
	double sum = 0;

	while (cards != SCOPA_SET_EMPTY)
		sum += card_values[scopa_set_take(&cards)];
	return sum;
}

/* The least value of a capture, in points. */
static const double taking = 0.001;

void
reply_context_init(struct reply_context *context,
    const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal)
{
	context->rules = rules;
	context->view = view;
	context->deal = deal;
	holding_guess(rules, view, &context->holding);
	card_value_fill(rules, view->captured, scopa_team_of(rules, view->seat),
	    context->card_values);
}

/* Returns the probability that a seat holds a card after the move. */
static double
holding_chance(const struct reply_context *context,
    const struct reply_analysis *replies, int seat, scopa_card card)
{
	const struct holding *holding = &context->holding;

	if (replies->effect.dealt)
		return holding->chance[HOLDING_DECK][card] *
		    context->rules->hand / context->view->deck_count;
	if (seat == context->view->seat)
		return scopa_set_has(replies->next.hands[seat], card);
	return holding->chance[seat][card];
}

/*
 * Returns the value of the best capture with a card, without the card itself.
 * *sweeps says whether the card can sweep the table.
 */
static double
card_gain(const struct reply_context *context, struct scopa_deal *deal,
    scopa_card card, bool *sweeps)
{
	const struct scopa_rules *rules = context->rules;
	struct scopa_move moves[SCOPA_MOVES_MAX];
	double best = 0;
	int count;

	*sweeps = false;
	deal->hands[deal->turn] = scopa_set_of(card);
	count = scopa_moves_of_card(rules, deal, card, moves, SCOPA_MOVES_MAX);
	for (int i = 0; i < count; i++) {
		double gain =
		    card_value_sum(context->card_values, moves[i].captured);

		if (moves[i].captured == SCOPA_SET_EMPTY)
			continue;
		if (moves[i].captured == deal->table)
			*sweeps = rules->scopa &&
			    sweep_scores(rules, scopa_card_value(card),
				scopa_set_total(deal->table));
		/* A capture of worthless cards still counts as a capture. */
		gain += taking;
		if (gain > best)
			best = gain;
	}
	return best;
}

static void
gains_fill(const struct reply_context *context, struct reply_analysis *replies)
{
	struct scopa_deal deal = replies->next;
	scopa_set cards = scopa_view_unseen(context->view) |
	    (context->view->hand & ~scopa_set_of(replies->move.card));

	for (int seat = 0; seat < context->rules->players; seat++)
		cards |= context->view->shown[seat];
	if (scopa_deal_over(&deal) || deal.table == SCOPA_SET_EMPTY)
		return;
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		scopa_set left = cards & scopa_set_of_value(value);
		double gain = 0;
		bool known = false, sweeps = false;

		while (left != SCOPA_SET_EMPTY) {
			scopa_card card = scopa_set_take(&left);

			/*
			 * Cards of the same value capture the same, unless one
			 * is wild.
			 */
			if (!known || deal.matta != 0)
				gain = card_gain(context, &deal, card, &sweeps);
			known = true;
			if (gain <= 0)
				continue;
			replies->gains[card] =
			    gain + context->card_values[card];
			replies->takers |= scopa_set_of(card);
			if (sweeps)
				replies->sweepers |= scopa_set_of(card);
		}
	}
}

/* Sorts the cards that capture, the best first. */
static int
takers_sort(const struct reply_analysis *replies, scopa_card *cards)
{
	scopa_set left = replies->takers;
	int count = 0;

	while (left != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&left);
		int at = count++;

		for (; at > 0 &&
		     replies->gains[cards[at - 1]] < replies->gains[card];
		     at--)
			cards[at] = cards[at - 1];
		cards[at] = card;
	}
	return count;
}

void
reply_analysis_make(const struct reply_context *context,
    const struct scopa_move *move, struct reply_analysis *replies)
{
	const struct scopa_rules *rules = context->rules;
	scopa_card cards[SCOPA_PACK_SIZE];
	int count;

	*replies = (struct reply_analysis){
		.move = *move,
		.next = *context->deal,
	};
	replies->effect = scopa_deal_apply(rules, &replies->next, move);
	gains_fill(context, replies);
	count = takers_sort(replies, cards);
	for (int i = 0; i < rules->players; i++) {
		int seat = (context->view->seat + 1 + i) % rules->players;
		double none = 1, taken = 0, clean = 1;

		for (int j = 0; j < count; j++) {
			double chance =
			    holding_chance(context, replies, seat, cards[j]);

			if (chance > 1)
				chance = 1;
			taken += none * chance * replies->gains[cards[j]];
			none *= 1 - chance;
			if (scopa_set_has(replies->sweepers, cards[j]))
				clean *= 1 - chance;
		}
		replies->taken[i] = taken;
		replies->swept[i] = 1 - clean;
		replies->idle[i] = none;
	}
}

/* Returns +1 when the seat is in the mover's team, else -1. */
static int
side_of(const struct reply_context *context, int seat)
{
	return scopa_team_of(context->rules, seat) ==
		scopa_team_of(context->rules, context->view->seat)
	    ? 1
	    : -1;
}

enum rule {
	RULE_SCOPA,
	RULE_TAKE,
	RULE_GUARD,
	RULE_NO_SCOPA,
	RULE_PARTNER,
	RULE_PARTNER_SCOPA,
	RULE_THIRD,
	RULE_THIRD_SCOPA,
	RULE_PARITY,
	RULE_DOUBLE,
	RULE_SPARE,
	RULE_ANSWER,
	RULE_SEVENS,
	RULE_MILL
};

const struct tradition_rule tradition_rules[TRADITION_RULE_COUNT] = {
	[RULE_SCOPA] = { "scopa", "a scopa is a point", 1 },
	[RULE_TAKE] = { "take", "take what still decides something", 0.7 },
	[RULE_GUARD] = { "guard", "leave little to the next player", 1 },
	[RULE_NO_SCOPA] = { "no-scopa",
	    "leave no table that the next player can sweep", 1.95 },
	[RULE_PARTNER] = { "partner", "leave something to the partner", 0.25 },
	[RULE_PARTNER_SCOPA] = { "partner-scopa",
	    "leave the partner a table to sweep", 0.2 },
	[RULE_THIRD] = { "third", "leave little to the others", 0.25 },
	[RULE_THIRD_SCOPA] = { "third-scopa",
	    "leave the others no table to sweep", 0.2 },
	[RULE_PARITY] = { "parity",
	    "the dealer's side keeps ranks paired, the others unpair them",
	    0.05 },
	[RULE_DOUBLE] = { "double", "lay a card that is held twice", 0.17 },
	[RULE_SPARE] = { "spare", "leave the partner's card to the partner",
	    -0.03 },
	[RULE_ANSWER] = { "answer",
	    "lay the like of a card that the partner has lost", 0.08 },
	[RULE_SEVENS] = { "sevens",
	    "with the settebello or two sevens take a seven", 0.1 },
	[RULE_MILL] = { "mill",
	    "keep the mill turning in which the next player feeds", 0.5 },
};

/*
 * Pairs of ranks.  The tradition of Scopone counts the cards of each rank that
 * are gone.
 *
 * As long as every card is captured by a card of the same rank, ranks are gone
 * in pairs, and the dealer, who plays last, always has the equal of the card
 * before.  A capture of a sum unpairs ranks (the spariglio) and helps the other
 * team.
 */

/* Returns the number of ranks of which an odd number of cards is gone. */
static int
parity_unpaired(const struct scopa_deal *deal)
{
	scopa_set gone = SCOPA_SET_EMPTY;

	for (int team = 0; team < SCOPA_TEAMS_MAX; team++)
		gone |= deal->captured[team];
	return values_unpaired(gone);
}

/* Whether a partner, not the mover, has played the first of these cards. */
static bool
partner_laid(const struct reply_context *context, scopa_set cards)
{
	const struct scopa_view *view = context->view;

	for (int i = view->history_count - 1; i >= 0; i--)
		if (view->history[i].card == scopa_set_first(cards))
			return view->history[i].seat != view->seat &&
			    side_of(context, view->history[i].seat) > 0;
	return false;
}

/*
 * Whether another team has captured one of `cards` that a partner had played.
 */
static bool
partner_lost(const struct reply_context *context, scopa_set cards)
{
	const struct scopa_view *view = context->view;

	for (int i = 0; i < view->history_count; i++) {
		scopa_set same = view->history[i].captured & cards;

		if (same != SCOPA_SET_EMPTY &&
		    side_of(context, view->history[i].seat) < 0 &&
		    partner_laid(context, same))
			return true;
	}
	return false;
}

/* Returns the probability that a seat holds a card that sweeps this table. */
static double
sweep_chance(const struct reply_context *context,
    const struct reply_analysis *replies, scopa_set table, int seat)
{
	double none = 1;

	for (uint32_t values = position_sweepers(context->rules, table); values;
	     values &= values - 1) {
		scopa_set cards = scopa_set_of_value(__builtin_ctz(values));

		while (cards != SCOPA_SET_EMPTY)
			none *= 1 -
			    holding_chance(
				context, replies, seat, scopa_set_take(&cards));
	}
	return 1 - none;
}

/*
 * The "mill": a player who cannot capture must add a card to the table, and the
 * next player sweeps it.  Returns the probability of such a sweep, over the
 * cards that may be added; negative when the other team profits.
 */
static double
count_mill(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	int players = context->rules->players;
	int first = (context->view->seat + 1) % players;
	int second = (first + 1) % players;
	double fed = 0, swept = 0;

	/* With two players the mover profits, which other rules count. */
	if (scopa_deal_over(&replies->next) || players == 2 ||
	    replies->effect.dealt)
		return 0;
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		scopa_set cards = scopa_set_of_value(value);
		double answer = -1; /* the same for all cards of a value */

		while (cards != SCOPA_SET_EMPTY) {
			scopa_card card = scopa_set_take(&cards);
			double chance =
			    holding_chance(context, replies, first, card);

			if (scopa_set_has(replies->takers, card) || chance <= 0)
				continue;
			if (answer < 0)
				answer = sweep_chance(context, replies,
				    replies->next.table | scopa_set_of(card),
				    second);
			fed += chance;
			swept += chance * answer;
		}
	}
	return fed > 0
	    ? side_of(context, second) * replies->idle[0] * swept / fed
	    : 0;
}

double
tradition_judge(const struct reply_context *context,
    const struct reply_analysis *replies, double parts[TRADITION_RULE_COUNT])
{
	const struct scopa_rules *rules = context->rules;
	const struct scopa_view *view = context->view;
	const struct scopa_effect *effect = &replies->effect;
	const scopa_set sevens = scopa_set_of_value(7);
	scopa_card card = replies->move.card;
	scopa_set captured = replies->move.captured;
	scopa_set like = scopa_set_of_value(scopa_card_value(card));
	bool lays = captured == SCOPA_SET_EMPTY;
	double idle = replies->idle[0], sum = 0;

	for (int i = 0; i < TRADITION_RULE_COUNT; i++)
		parts[i] = 0;
	if (effect->scopa)
		parts[RULE_SCOPA] = rules->scopa;
	if (!lays)
		parts[RULE_TAKE] = card_value_sum(
		    context->card_values, captured | scopa_set_of(card));
	if (effect->rest != SCOPA_SET_EMPTY)
		parts[RULE_TAKE] += side_of(context, effect->rest_seat) *
		    card_value_sum(context->card_values, effect->rest);
	parts[RULE_GUARD] = -replies->taken[0];
	parts[RULE_NO_SCOPA] = -replies->swept[0];
	/*
	 * What the players after the next one can capture, if the players
	 * before them capture nothing.
	 */
	for (int i = 1; i < rules->players; i++) {
		int side =
		    side_of(context, (view->seat + 1 + i) % rules->players);

		parts[side > 0 ? RULE_PARTNER : RULE_THIRD] +=
		    side * idle * replies->taken[i];
		parts[side > 0 ? RULE_PARTNER_SCOPA : RULE_THIRD_SCOPA] +=
		    side * idle * replies->swept[i];
		idle *= replies->idle[i];
	}
	/*
	 * Pairs matter when all cards are dealt and equal cards capture each
	 * other.
	 */
	if (rules->capture != SCOPA_CAPTURE_FIFTEEN &&
	    context->deal->dealt == SCOPA_PACK_SIZE)
		parts[RULE_PARITY] = side_of(context, view->dealer) *
		    (parity_unpaired(context->deal) -
			parity_unpaired(&replies->next));
	if (lays) {
		parts[RULE_DOUBLE] = scopa_set_count(view->hand & like) > 1;
		parts[RULE_ANSWER] = partner_lost(context, like);
	} else if ((captured & like) != SCOPA_SET_EMPTY && !effect->scopa) {
		parts[RULE_SPARE] = partner_laid(context, captured & like);
	}
	if (captured & sevens)
		parts[RULE_SEVENS] = scopa_set_has(view->hand, settebello) ||
		    scopa_set_count(view->hand & sevens) > 1;
	parts[RULE_MILL] = count_mill(context, replies);
	for (int i = 0; i < TRADITION_RULE_COUNT; i++) {
		parts[i] *= tradition_rules[i].weight;
		sum += parts[i];
	}
	return sum;
}

/* The value of an instant win of the match, in points of the deal. */
enum { BLOW_POINTS = 20, LEAD_MAX = INT16_MAX };

/*
 * A small probability is added to each card in each hand, so that no world is
 * impossible.
 */
static const double least_chance = 1e-6;

/* The enumeration of all worlds, with the result of each move. */
struct endplay {
	const struct reply_context *context;
	const struct scopa_move *moves;
	int count;
	int team;       /* of the mover */
	double *values; /* of the moves: weighted sums over the worlds so far */
	double weight;  /* sum of the weights of these worlds */
	int steps_left;
	int room[SCOPA_SEATS_MAX]; /* hidden cards that each hand still needs */
	struct scopa_deal deal;    /* with the hidden cards given out so far */
};

/* Returns the team's points less those of the best other team. */
static int
lead_of(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team)
{
	struct scopa_score score;
	int best = -LEAD_MAX;

	scopa_score_count(rules, deal, &score);
	if (score.winner != SCOPA_TEAM_NONE)
		score.total[score.winner] += BLOW_POINTS;
	for (int i = 0; i < scopa_team_count(rules); i++)
		if (i != team && score.total[i] > best)
			best = score.total[i];
	return score.total[team] - best;
}

/*
 * Returns the lead at the end of the deal within [low, high], when all players
 * see all cards (alpha-beta search).  The result is undefined when steps_left
 * has reached 0.
 */
static int
lead_play(
    struct endplay *endplay, const struct scopa_deal *deal, int low, int high)
{
	const struct scopa_rules *rules = endplay->context->rules;
	struct scopa_move moves[SCOPA_MOVES_MAX];
	bool own;
	int count;

	if (scopa_deal_over(deal))
		return lead_of(rules, deal, endplay->team);
	own = scopa_team_of(rules, deal->turn) == endplay->team;
	count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	for (int i = 0; i < count && low < high; i++) {
		struct scopa_deal next = *deal;
		int lead;

		if (endplay->steps_left-- <= 0)
			return low;
		scopa_deal_apply(rules, &next, &moves[i]);
		lead = lead_play(endplay, &next, low, high);
		if (own && lead > low)
			low = lead;
		if (!own && lead < high)
			high = lead;
	}
	return own ? low : high;
}

/*
 * Gives the hidden cards to the hands in all possible ways.  Each way is a
 * world, in which every move is searched.
 */
static void
worlds_judge(struct endplay *endplay, scopa_set hidden, double chance)
{
	const struct reply_context *context = endplay->context;
	scopa_card card;

	if (hidden == SCOPA_SET_EMPTY) {
		for (int i = 0; i < endplay->count; i++) {
			struct scopa_deal next = endplay->deal;

			scopa_deal_apply(
			    context->rules, &next, &endplay->moves[i]);
			endplay->values[i] += chance *
			    lead_play(endplay, &next, -LEAD_MAX, LEAD_MAX);
		}
		endplay->weight += chance;
		return;
	}
	card = scopa_set_take(&hidden);
	for (int seat = 0; seat < context->rules->players; seat++) {
		if (endplay->room[seat] == 0)
			continue;
		endplay->room[seat]--;
		endplay->deal.hands[seat] |= scopa_set_of(card);
		worlds_judge(endplay, hidden,
		    chance *
			(context->holding.chance[seat][card] + least_chance));
		endplay->deal.hands[seat] &= ~scopa_set_of(card);
		endplay->room[seat]++;
	}
}

bool
endplay_judge(const struct reply_context *context,
    const struct scopa_move *moves, int count, int plays, double *values)
{
	const struct scopa_view *view = context->view;
	struct endplay endplay = {
		.context = context,
		.moves = moves,
		.count = count,
		.team = scopa_team_of(context->rules, view->seat),
		.values = values,
		.steps_left = ENDPLAY_STEPS_MAX,
		.deal = *context->deal,
	};
	int left = 0, hidden = 0;
	int64_t worlds = 1;

	assert(plays <= ENDPLAY_PLAYS_MAX);
	for (int seat = 0; seat < context->rules->players; seat++)
		left += view->hand_counts[seat];
	if (view->deck_count > 0 || left > plays)
		return false;
	for (int seat = 0; seat < context->rules->players; seat++) {
		if (seat == view->seat || view->shown[seat] != SCOPA_SET_EMPTY)
			continue;
		endplay.room[seat] = view->hand_counts[seat];
		endplay.deal.hands[seat] = SCOPA_SET_EMPTY;
		for (int i = 1; i <= endplay.room[seat]; i++)
			worlds = worlds * ++hidden / i;
	}
	if (worlds > ENDPLAY_WORLDS_MAX)
		return false;
	for (int i = 0; i < count; i++)
		values[i] = 0;
	worlds_judge(&endplay, scopa_view_unseen(view), 1);
	for (int i = 0; i < count; i++)
		values[i] /= endplay.weight;
	return endplay.steps_left > 0;
}

/* A move, its value, and the part of each rule. */
struct judged_move {
	struct scopa_move move;
	double worth; /* sum of the parts */
	double exact; /* value by endplay_judge(), else 0 */
	double parts[TRADITION_RULE_COUNT];
};

/*
 * The factor on the rules when the end of the deal was searched: they then only
 * choose between moves with equal results.
 */
static const double rules_share_at_the_end = 0.02;

/* Smaller differences in worth count as equal. */
static const double equal_worth = 1e-9;

static struct judged_move
move_judge(const struct reply_context *context, const struct scopa_move *move)
{
	struct judged_move judged = { .move = *move };
	struct reply_analysis replies;

	reply_analysis_make(context, move, &replies);
	judged.worth = tradition_judge(context, &replies, judged.parts);
	return judged;
}

/* Finds the rule with the greatest part in the difference of two moves. */
static void
reason_find(const struct judged_move *best, const struct judged_move *second,
    struct tradition_reason *reason)
{
	double most = best->exact - second->exact;

	reason->lead = best->worth - second->worth;
	reason->rule = "endplay";
	reason->sentence = "the last cards are known";
	for (int i = 0; i < TRADITION_RULE_COUNT; i++) {
		double lead = best->parts[i] - second->parts[i];

		if (lead <= most)
			continue;
		most = lead;
		reason->rule = tradition_rules[i].name;
		reason->sentence = tradition_rules[i].sentence;
	}
}

struct scopa_move
tradition_move(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, int endplay, struct tradition_reason *reason)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	double values[SCOPA_MOVES_MAX];
	struct judged_move best = { .worth = -HUGE_VAL }, second = best;
	struct reply_context context;
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	bool exact;

	assert(count > 0 && count <= SCOPA_MOVES_MAX);
	*reason = (struct tradition_reason){
		.rule = "any",
		.sentence = "all moves are alike",
		.count = count,
	};
	if (count == 1)
		return moves[0];
	if (rules->aim == SCOPA_AIM_LEAST ||
	    moves[count - 1].declaration != SCOPA_DECLARE_NOTHING) {
		reason->rule = "greedy";
		reason->sentence = "the tradition says nothing of this";
		return greedy_move(rules, deal);
	}
	reply_context_init(&context, rules, view, deal);
	exact = endplay_judge(&context, moves, count, endplay, values);
	/*
	 * Finds the first of the best moves, and the best of the others that
	 * are worse.
	 */
	for (int i = 0; i < count; i++) {
		struct judged_move judged = move_judge(&context, &moves[i]);

		if (exact) {
			for (int j = 0; j < TRADITION_RULE_COUNT; j++)
				judged.parts[j] *= rules_share_at_the_end;
			judged.exact = values[i];
			judged.worth =
			    values[i] + rules_share_at_the_end * judged.worth;
		}
		if (judged.worth > best.worth + equal_worth) {
			second = best;
			best = judged;
		} else if (judged.worth < best.worth - equal_worth &&
		    judged.worth > second.worth) {
			second = judged;
		}
	}
	if (second.worth > -HUGE_VAL)
		reason_find(&best, &second, reason);
	return best.move;
}

/*
 * The temperature of the odds: a difference of this many points multiplies the
 * odds by e.
 */
static const double temper = 0.05;

/*
 * The limit of exponents, so that odds and their sums stay within the range of
 * a float.
 */
static const float exponent_max = 60;

bool
tradition_makes(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, const struct scopa_move *move)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	struct reply_context context;
	bool later = false;
	double worth;

	assert(count <= SCOPA_MOVES_MAX);
	reply_context_init(&context, rules, view, deal);
	worth = move_judge(&context, move).worth;
	for (int i = 0; i < count; i++) {
		double lead;

		if (scopa_move_equal(&moves[i], move)) {
			later = true;
			continue;
		}
		/* Of moves with equal worth, the first one is played. */
		lead = move_judge(&context, &moves[i]).worth - worth;
		if (later ? lead > equal_worth : lead > -equal_worth)
			return false;
	}
	return true;
}

void
tradition_odds(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *odds)
{
	struct reply_context context;

	reply_context_init(&context, rules, view, deal);
	for (int i = 0; i < count; i++) {
		float exponent =
		    (float)(move_judge(&context, &moves[i]).worth / temper);

		odds[i] =
		    expf(fmaxf(fminf(exponent, exponent_max), -exponent_max));
	}
}
