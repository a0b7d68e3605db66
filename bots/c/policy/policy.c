/*
 * Implements policy.h, in this order: scores and probabilities from the
 * features; which cards can capture from a table; the position as the seat to
 * move sees it; the features of a move.
 *
 * The position is computed once for all moves.  For each of the next three
 * players it estimates the probability that the player lacks each card value:
 * hypergeometric from the unseen cards, then lowered for values with which the
 * player could have captured and did not.
 */
#include "policy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "greedy.h"
#include "policy_tables.inc"

/*
 * Features are computed for this many moves at a time, since a list may have
 * thousands of moves.
 */
enum { BATCH_SIZE = 64 };

/*
 * The score of a declaration.  It shows the hand and only gives points, so it
 * comes before any play when points are good, and after all plays when they are
 * bad.
 */
static const float DECLARATION_SCORE = 50;

/*
 * The limit of scores, so that odds and their sums stay within the range of a
 * float.
 */
static const float SCORE_MAX = 60;

static const struct policy learned = { .sharpness = 1 };

static const char *const family_names[POLICY_FAMILY_COUNT] = {
	[POLICY_SCOPONE] = "scopone",
	[POLICY_PAIR] = "pair",
	[POLICY_CROWD] = "crowd",
	[POLICY_PARTNERS] = "partners",
	[POLICY_FIFTEEN] = "fifteen",
	[POLICY_CIRULLA] = "cirulla",
};

const char *
policy_family_name(enum policy_family family)
{
	assert(family < POLICY_FAMILY_COUNT);
	return family_names[family];
}

enum policy_family
policy_family_of(const struct scopa_rules *rules)
{
	if (rules->capture == SCOPA_CAPTURE_FIFTEEN)
		return POLICY_FIFTEEN;
	if (rules->capture == SCOPA_CAPTURE_SUM_OR_FIFTEEN)
		return POLICY_CIRULLA;
	if (rules->table + rules->players * rules->hand == SCOPA_PACK_SIZE)
		return POLICY_SCOPONE;
	if (rules->players == 2)
		return POLICY_PAIR;
	return scopa_team_count(rules) == rules->players ? POLICY_CROWD
							 : POLICY_PARTNERS;
}

int
policy_phase_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	int plays = rules->players * rules->hand;

	if (rules->table + plays == SCOPA_PACK_SIZE)
		return POLICY_PHASE_COUNT * deal->play_count / plays;
	if (deal->dealt == SCOPA_PACK_SIZE)
		return 2;
	return scopa_set_count(deal->hands[deal->turn]) < rules->hand;
}

static float
score_of(const float features[POLICY_FEATURE_COUNT],
    const float weights[POLICY_FEATURE_COUNT])
{
	float scores[4] = { 0 };
	int i = 0;

	/*
	 * Four independent sums, which the processor can compute in parallel.
	 */
	for (; i + 4 <= POLICY_FEATURE_COUNT; i += 4)
		for (int lane = 0; lane < 4; lane++)
			scores[lane] += features[i + lane] * weights[i + lane];
	for (; i < POLICY_FEATURE_COUNT; i++)
		scores[0] += features[i] * weights[i];
	return scores[0] + scores[1] + (scores[2] + scores[3]);
}

/* Turns scores into probabilities; a share of `uniform` is divided equally. */
static void
spread(float *weights, int count, float sharpness, float uniform)
{
	float most = weights[0], total = 0;

	for (int i = 1; i < count; i++)
		if (weights[i] > most)
			most = weights[i];
	for (int i = 0; i < count; i++) {
		weights[i] = expf(sharpness * (weights[i] - most));
		total += weights[i];
	}
	for (int i = 0; i < count; i++)
		weights[i] =
		    (1 - uniform) * weights[i] / total + uniform / (float)count;
}

/* Computes the linear function of the features for each move. */
static void
scores_fill(const struct policy *policy, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *scores)
{
	const struct policy_table *tables =
	    policy->tables ? policy->tables : policy_tables;
	const float *weights = tables[policy_family_of(rules)]
				   .weights[policy_phase_of(rules, deal)];
	float features[BATCH_SIZE][POLICY_FEATURE_COUNT];

	assert(count > 0);
	for (int first = 0; first < count; first += BATCH_SIZE) {
		int size =
		    count - first < BATCH_SIZE ? count - first : BATCH_SIZE;

		policy_features(rules, deal, moves + first, size, features);
		for (int i = 0; i < size; i++)
			scores[first + i] = score_of(features[i], weights);
	}
	for (int i = 0; i < count; i++)
		if (moves[i].declaration != SCOPA_DECLARE_NOTHING)
			scores[i] = DECLARATION_SCORE *
			    (rules->aim == SCOPA_AIM_LEAST ? -1 : 1);
}

void
policy_judge(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *weights)
{
	const struct policy *policy = context ? context : &learned;

	scores_fill(policy, rules, deal, moves, count, weights);
	spread(weights, count, policy->sharpness, policy->uniform);
}

void
policy_odds(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *odds)
{
	const struct policy *policy = context ? context : &learned;

	scores_fill(policy, rules, deal, moves, count, odds);
	for (int i = 0; i < count; i++) {
		float score = fminf(policy->sharpness * odds[i], SCORE_MAX);

		odds[i] = expf(fmaxf(score, -SCORE_MAX));
	}
}

/* A set of card values: bit v stands for value v. */
typedef uint32_t value_bits;

/* One point for the most of some cards. */
struct race {
	int lead;  /* own team less the best other, may be negative */
	int left;  /* cards that are in no pile yet */
	bool open; /* the item counts and is not decided */
};

/*
 * What the capture of one card may gain, in points.  The order is that of the
 * features that use it.
 */
enum worth {
	WORTH_COIN,
	WORTH_SETTEBELLO,
	WORTH_SEVEN, /* a seven, while the primiera is open */
	WORTH_PRIMIERA,
	WORTH_BONUS, /* points of other rules */
	WORTH_COUNT
};

/*
 * One of the next three players; this may be the mover, when the turn returns.
 */
struct holder {
	value_bits laid; /* values played to the table from this hand */
	/* probability of no card of this value */
	float lacks[SCOPA_VALUE_MAX + 1];
};

enum { NEXT, AFTER, THIRD, HOLDERS };

/*
 * What the seat to move can see and compute before it looks at single moves:
 * the worth of cards for the open items, and the probabilities of the cards of
 * the next players.
 */
struct position {
	const struct scopa_rules *rules;
	const struct scopa_deal *deal;
	int team;                            /* of the mover */
	scopa_set hand, table, unseen, gone; /* gone: in the piles */
	scopa_set laid_by_ally; /* cards on the table that a partner played */
	struct holder holders[HOLDERS];
	float card; /* points for one more card in the pile */
	struct race cards, coins;
	float sign;       /* -1 when points are bad */
	int plays_left;   /* in the deal, with this one */
	bool dealer_team; /* the mover is in the dealer's team */
	/*
	 * Only for cards of hand and table.  `points` is the sum of all kinds
	 * of worth and of the card itself.
	 */
	float worth[SCOPA_PACK_SIZE][WORTH_COUNT], points[SCOPA_PACK_SIZE];
};

/* The values of all cards, 1 to 10. */
#define VALUES_ALL ((value_bits)0x7FE)

/* Bit 0 of the nibble of every value. */
#define NIBBLES_BIT_0 SCOPA_SET_DENARI

static value_bits
values_of(scopa_set set)
{
	uint64_t bits = set | set >> 2;

	/* Reduce each nibble to one bit, then move these bits together. */
	bits = (bits | bits >> 1) & NIBBLES_BIT_0;
	bits = (bits | bits >> 3) & UINT64_C(0x0303030303);
	bits = (bits | bits >> 6) & UINT64_C(0x0F000F000F);
	bits = (bits | bits >> 12) & UINT64_C(0x0F000000FF);
	return (value_bits)((bits | bits >> 24) & 0x3FF) << 1;
}

value_bits
position_takers(
    const struct scopa_rules *rules, scopa_set table, scopa_card card)
{
	int value = scopa_card_value(card);
	scopa_set others = table & ~scopa_set_of(card);
	uint64_t totals = rules->max_captured != 0 ? values_of(others) | 1
						   : totals_of(others);
	value_bits takers = values_taking(rules, totals << value);

	if (rules->capture == SCOPA_CAPTURE_SUM &&
	    rules->priority != SCOPA_PRIORITY_ANY)
		/*
		 * A card with an equal one on the table must capture the equal
		 * one.
		 */
		takers &= ~values_of(table) | UINT32_C(1) << value;
	if (rules->equal_fifteen)
		takers |= UINT32_C(1) << value;
	if (ace_sweeps(rules, table))
		takers |= UINT32_C(1) << 1;
	return takers;
}

value_bits
position_sweepers(const struct scopa_rules *rules, scopa_set table)
{
	int total = scopa_set_total(table), count = scopa_set_count(table);
	value_bits sweepers;

	if (count == 0 ||
	    (rules->max_captured != 0 && count > rules->max_captured))
		return 0;
	sweepers = values_of(cards_sweeping(rules, total));
	if (rules->equal_fifteen && count == 1)
		sweepers |= values_of(table);
	if (rules->ace_scopa && ace_sweeps(rules, table))
		sweepers |= UINT32_C(1) << 1;
	return sweepers;
}

static float
holds(const struct holder *holder, value_bits values)
{
	float lacks = 1;

	while (values) {
		lacks *= holder->lacks[__builtin_ctz(values)];
		values &= values - 1;
	}
	return 1 - lacks;
}

/*
 * Writes the most points of table cards with each total; -1 when no cards have
 * this total.
 */
static void
totals_fill(const struct position *position, scopa_set table,
    float best[CAPTURE_TOTAL_MAX + 1])
{
	for (int total = 1; total <= CAPTURE_TOTAL_MAX; total++)
		best[total] = -1;
	best[0] = 0;
	while (table != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&table);
		int value = scopa_card_value(card);
		float points = position->points[card];

		for (int total = CAPTURE_TOTAL_MAX; total >= value; total--)
			if (best[total - value] >= 0 &&
			    best[total - value] + points > best[total])
				best[total] = best[total - value] + points;
	}
}

static void
replies_of(const struct position *position, scopa_set table,
    float replies[SCOPA_VALUE_MAX + 1])
{
	const struct scopa_rules *rules = position->rules;
	value_bits sweepers = position_sweepers(rules, table);
	bool sums = rules->capture != SCOPA_CAPTURE_FIFTEEN;
	bool fifteens = rules->capture != SCOPA_CAPTURE_SUM;
	float best[CAPTURE_TOTAL_MAX + 1], all = 0;

	totals_fill(position, table, best);
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		float reply = sums ? best[value] : -1;

		if (sums && !fifteens && rules->priority != SCOPA_PRIORITY_ANY)
			for (scopa_set equal =
				 table & scopa_set_of_value(value);
			     equal != SCOPA_SET_EMPTY; equal &= equal - 1)
				reply =
				    position->points[scopa_set_first(equal)];
		if (fifteens && best[15 - value] > reply)
			reply = best[15 - value];
		replies[value] = reply < 0 ? 0 : reply + position->card;
	}
	if (ace_sweeps(rules, table)) {
		for (scopa_set left = table; left != SCOPA_SET_EMPTY;)
			all += position->points[scopa_set_take(&left)];
		replies[1] = all + position->card;
	}
	if (!rules->scopa || (!rules->last_scopa && position->plays_left <= 2))
		return;
	for (; sweepers; sweepers &= sweepers - 1)
		replies[__builtin_ctz(sweepers)] += 1;
}

static float
expectation(
    const struct holder *holder, const float replies[SCOPA_VALUE_MAX + 1])
{
	value_bits left = VALUES_ALL;
	float mean = 0, chance = 1;

	/*
	 * From the best value down: each counts if the holder has no better
	 * one.
	 */
	while (left && chance > 0) {
		int best = __builtin_ctz(left);

		for (value_bits rest = left & (left - 1); rest;
		     rest &= rest - 1)
			if (replies[__builtin_ctz(rest)] > replies[best])
				best = __builtin_ctz(rest);
		if (replies[best] <= 0)
			break;
		mean += replies[best] * chance * (1 - holder->lacks[best]);
		chance *= holder->lacks[best];
		left &= ~(UINT32_C(1) << best);
	}
	return mean;
}

/* The least and the greatest primiera points of a card. */
enum { PRIME_LEAST = 10, PRIME_MOST = 21 };

/*
 * The factor on the odds that a player holds a value, after this player has
 * played another card to the table although this value could have captured.
 */
static const float ODDS_OF_DECLINED = 0.35F;

/* The same when the capture would have been a sweep. */
static const float ODDS_OF_SWEEP_DECLINED = 0.03F;

/* Estimates who wins the point, -1 to 1, from the lead and the cards left. */
static float
race_standing(int lead, int left)
{
	float margin;

	if (lead > left)
		return 1;
	if (lead < -left)
		return -1;
	if (left == 0)
		return 0;
	margin = (float)lead / sqrtf((float)left + 0.5F);
	/* An approximation of the integral of the normal distribution. */
	return margin / sqrtf(1 + margin * margin);
}

static float
race_change(const struct race *race, int count)
{
	if (!race->open || count == 0)
		return 0;
	return race_standing(race->lead + count, race->left - count) -
	    race_standing(race->lead, race->left);
}

/* The weights of a seven and of primiera points in the points of a reply. */
static const float POINTS_OF_SEVEN = 0.15F, POINTS_OF_PRIMIERA = 0.35F;

static void
race_init(struct race *race, const struct position *position, scopa_set cards,
    bool counts)
{
	race->lead = lead_in_cards(position->rules, position->deal->captured,
	    position->team, cards, &race->left);
	race->open =
	    counts && race->lead <= race->left && race->lead >= -race->left;
}

/*
 * Writes the points of the best card of each suit in a pile; PRIME_LEAST for
 * none.
 */
static void
primes_fill(scopa_set pile, const struct scopa_rules *rules,
    int8_t primes[SCOPA_SUIT_COUNT])
{
	static const int8_t order[] = { 7, 6, 1, 5, 4, 3, 2 };
	unsigned open = (1 << SCOPA_SUIT_COUNT) - 1;

	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++)
		primes[suit] = PRIME_LEAST;
	for (unsigned i = 0; i < sizeof(order) && open; i++) {
		int points = order[i] == 6 ? rules->primiera_six
					   : primiera_points[order[i]];
		unsigned found = (unsigned)(pile >> 4 * (order[i] - 1)) & open;

		open &= ~found;
		for (; found; found &= found - 1)
			primes[__builtin_ctz(found)] = (int8_t)points;
	}
}

/* The primiera points of the own pile and of the other piles. */
struct rivals {
	int8_t own[SCOPA_SUIT_COUNT], other[SCOPA_SUIT_COUNT];
	bool open; /* the primiera counts and is not decided */
};

static void
rivals_init(struct rivals *rivals, const struct position *position)
{
	const struct scopa_rules *rules = position->rules;
	scopa_set left = SCOPA_SET_ALL & ~position->gone;
	int8_t hopes[SCOPA_SUIT_COUNT];
	int own = 0, other = 0, own_most = 0, other_most = 0;

	primes_fill(
	    position->deal->captured[position->team], rules, rivals->own);
	/*
	 * With several other teams their cards are put together.  This is close
	 * to the best of them.
	 */
	primes_fill(position->gone & ~position->deal->captured[position->team],
	    rules, rivals->other);
	primes_fill(left, rules, hopes);
	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
		int hope = hopes[suit];

		own += rivals->own[suit];
		other += rivals->other[suit];
		own_most += hope > rivals->own[suit] ? hope : rivals->own[suit];
		other_most +=
		    hope > rivals->other[suit] ? hope : rivals->other[suit];
	}
	rivals->open = (rules->items & SCOPA_BASE_PRIMIERA) &&
	    own_most >= other && other_most >= own;
}

/* Whether no other team has captured any of these cards. */
static bool
unspoilt(const struct position *position, scopa_set cards)
{
	return !(
	    position->gone & ~position->deal->captured[position->team] & cards);
}

#define COIN(value) (UINT64_C(1) << (4 * ((value)-1) + SCOPA_DENARI))

/*
 * The points of a card by special rules, divided among the cards that make
 * them.
 */
static float
bonus_of(const struct position *position, scopa_card card)
{
	const struct scopa_rules *rules = position->rules;
	static const scopa_set run = COIN(1) | COIN(2) | COIN(3);
	static const scopa_set grande = COIN(8) | COIN(9) | COIN(10);
	bool coin = scopa_card_suit(card) == SCOPA_DENARI;
	int value = scopa_card_value(card);
	float bonus = 0;

	if (coin && (rules->napola || rules->piccola) && value <= 6 &&
	    unspoilt(position, run))
		bonus += value <= 3 ? 1 : 0.3F;
	if (coin && value <= 3 && (rules->napola || rules->piccola) &&
	    !(position->deal->captured[position->team] & run))
		/* the capture prevents a run of the other teams */
		bonus += 0.4F;
	if (coin && rules->grande && value >= 8)
		bonus += unspoilt(position, grande) ? 1.2F : 0.3F;
	if (coin && rules->re_bello && value == 10)
		bonus += 1;
	if (coin && rules->trente && value <= 3)
		bonus += (float)value;
	if (rules->frac && (value == 1 || value >= 8))
		bonus += 1;
	if (rules->sevens && value == 7)
		bonus += 0.4F;
	if (rules->ponino && value == 9 &&
	    unspoilt(position, scopa_set_of_value(9)))
		bonus += 0.4F;
	return bonus;
}

static void
worth_fill(struct position *position)
{
	const struct scopa_rules *rules = position->rules;
	scopa_set cards = position->hand | position->table;
	float coin = race_change(&position->coins, 1);
	struct rivals rivals;
	bool extras = rules->napola || rules->piccola || rules->grande ||
	    rules->re_bello || rules->trente || rules->frac || rules->sevens ||
	    rules->ponino;

	position->card = race_change(&position->cards, 1);
	rivals_init(&rivals, position);
	while (cards != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&cards);
		float *worth = position->worth[card];
		int suit = (int)scopa_card_suit(card), gain = 0;
		int value = scopa_card_value(card);
		int points =
		    value == 6 ? rules->primiera_six : primiera_points[value];

		memset(worth, 0, sizeof(position->worth[card]));
		if (suit == SCOPA_DENARI) {
			worth[WORTH_COIN] = coin;
			worth[WORTH_SETTEBELLO] = value == 7 &&
			    (rules->items & SCOPA_BASE_SETTEBELLO);
		}
		if (rivals.open) {
			if (points > rivals.own[suit])
				gain += points - rivals.own[suit];
			if (points > rivals.other[suit])
				gain += points - rivals.other[suit];
			worth[WORTH_SEVEN] = value == 7;
			worth[WORTH_PRIMIERA] =
			    (float)gain / (2 * (PRIME_MOST - PRIME_LEAST));
		}
		if (extras)
			worth[WORTH_BONUS] = bonus_of(position, card);
		position->points[card] = position->card + worth[WORTH_COIN] +
		    worth[WORTH_SETTEBELLO] + worth[WORTH_BONUS] +
		    POINTS_OF_SEVEN * worth[WORTH_SEVEN] +
		    POINTS_OF_PRIMIERA * worth[WORTH_PRIMIERA];
	}
}

/* What a player could have captured and did not. */
struct past {
	value_bits declined, sweep_declined;
};

/* Returns the seat of one of the next players. */
static int
seat_of(const struct position *position, int which)
{
	return (position->deal->turn + 1 + which) % position->rules->players;
}

/*
 * Goes back through the plays from the present hands.  For games of fifteen the
 * declined captures are left out, since they would be sums, which say little
 * about single values.
 */
static void
past_fill(struct position *position, struct past pasts[HOLDERS])
{
	const struct scopa_rules *rules = position->rules;
	const struct scopa_deal *deal = position->deal;
	int round = rules->players * rules->hand;
	int plays = deal->play_count % round, seen = 0;
	bool sums = rules->capture != SCOPA_CAPTURE_FIFTEEN;
	scopa_set table = deal->table;

	for (int i = deal->history_count - 1; i >= 0; i--) {
		const struct scopa_move *move = &deal->history[i];
		bool lays = move->captured == SCOPA_SET_EMPTY;
		int total;

		if (move->declaration != SCOPA_DECLARE_NOTHING)
			continue;
		table = lays ? table & ~scopa_set_of(move->card)
			     : table | move->captured;
		if (lays && move->seat != deal->turn &&
		    scopa_team_of(rules, move->seat) == position->team)
			position->laid_by_ally |= scopa_set_of(move->card);
		if (!lays || seen++ >= plays)
			continue;
		for (int which = 0; which < HOLDERS; which++) {
			struct past *past = &pasts[which];

			if (move->seat != seat_of(position, which))
				continue;
			position->holders[which].laid |= UINT32_C(1)
			    << scopa_card_value(move->card);
			if (!sums)
				continue;
			past->declined |= values_of(table);
			total = scopa_set_total(table);
			if (rules->scopa && total > 0 &&
			    total <= SCOPA_VALUE_MAX)
				past->sweep_declined |= UINT32_C(1) << total;
		}
	}
	position->laid_by_ally &= deal->table;
}

/*
 * Writes the probability that `drawn` of `unseen` cards contain none of n
 * wanted ones, for n up to 4.
 */
static void
lacks_fill(float lacks[SCOPA_SUIT_COUNT + 1], int unseen, int drawn)
{
	lacks[0] = 1;
	for (int wanted = 1; wanted <= SCOPA_SUIT_COUNT; wanted++) {
		int others = unseen - wanted + 1;

		lacks[wanted] = others <= drawn ? 0
						: lacks[wanted - 1] *
			(float)(others - drawn) / (float)others;
	}
}

static void
holder_fill(struct position *position, int which, const struct past *past)
{
	struct holder *holder = &position->holders[which];
	const struct scopa_deal *deal = position->deal;
	int seat = seat_of(position, which);
	int unseen = scopa_set_count(position->unseen);
	int drawn = scopa_set_count(deal->hands[seat]);
	bool self = seat == deal->turn;
	float lacks[SCOPA_SUIT_COUNT + 1];

	/*
	 * A player without cards, or the mover, gets a new hand before the next
	 * turn.
	 */
	if (self || drawn == 0)
		drawn =
		    deal->dealt < SCOPA_PACK_SIZE ? position->rules->hand : 0;
	lacks_fill(lacks, unseen, drawn);
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		scopa_set cards = position->unseen & scopa_set_of_value(value);
		float odds = 1, lack = lacks[scopa_set_count(cards)];

		if (!self && deal->shown >> seat & 1) {
			cards = deal->hands[seat] & scopa_set_of_value(value);
			holder->lacks[value] = cards ? 0 : 1;
			continue;
		}
		if (!self && past->declined >> value & 1)
			odds = ODDS_OF_DECLINED;
		if (!self && past->sweep_declined >> value & 1)
			odds = ODDS_OF_SWEEP_DECLINED;
		if (odds < 1 && lack > 0)
			lack = lack / (lack + (1 - lack) * odds);
		holder->lacks[value] = lack;
	}
}

static void
position_init(struct position *position, const struct scopa_rules *rules,
    const struct scopa_deal *deal)
{
	int seat = deal->turn;
	struct past pasts[HOLDERS] = { 0 };
	scopa_set shown = SCOPA_SET_EMPTY;

	assert(seat < rules->players);
	position->rules = rules;
	position->deal = deal;
	position->team = scopa_team_of(rules, seat);
	position->hand = deal->hands[seat];
	position->table = deal->table;
	position->gone = SCOPA_SET_EMPTY;
	position->laid_by_ally = SCOPA_SET_EMPTY;
	for (int i = 0; i < scopa_team_count(rules); i++)
		position->gone |= deal->captured[i];
	for (int i = 0; i < rules->players; i++)
		if (deal->shown >> i & 1)
			shown |= deal->hands[i];
	position->unseen = SCOPA_SET_ALL &
	    ~(position->hand | position->table | position->gone | shown);
	position->sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	position->plays_left =
	    SCOPA_PACK_SIZE - rules->table - deal->play_count;
	position->dealer_team =
	    scopa_team_of(rules, deal->dealer) == position->team;
	race_init(&position->cards, position, SCOPA_SET_ALL,
	    rules->items & SCOPA_BASE_CARDS);
	race_init(&position->coins, position, SCOPA_SET_DENARI,
	    rules->items & SCOPA_BASE_COINS);
	worth_fill(position);
	for (int i = 0; i < HOLDERS; i++)
		position->holders[i].laid = 0;
	past_fill(position, pasts);
	for (int i = 0; i < HOLDERS; i++)
		holder_fill(position, i, &pasts[i]);
}

/* The features of each move. */

/* One move whose features are computed. */
struct step {
	const struct position *position;
	const struct scopa_move *move;
	/* captured cards, and the card played if it captures */
	scopa_set taken;
	scopa_set table; /* after the move */
	scopa_set hand;  /* after the move */
	int value;       /* of the card played */
	bool takes;
	float *features;
};

/* Whether a capture of the whole table scores. */
static bool
step_sweeps(const struct step *step)
{
	const struct scopa_rules *rules = step->position->rules;

	if (!rules->scopa || step->move->captured == SCOPA_SET_EMPTY ||
	    step->move->captured != step->position->table ||
	    (!rules->last_scopa && step->position->plays_left == 1))
		return false;
	return sweep_scores(
	    rules, step->value, scopa_set_total(step->position->table));
}

static void
fill_capture(struct step *step)
{
	const struct position *position = step->position;
	float *features = step->features, sign = position->sign;
	scopa_set like = scopa_set_of_value(step->value);
	int unpaired = values_unpaired(position->gone | step->taken) -
	    values_unpaired(position->gone);

	features[POLICY_CAPTURE] = 1;
	features[POLICY_SWEEP] = step_sweeps(step) ? sign : 0;
	features[POLICY_TAKE_CARDS] =
	    sign * race_change(&position->cards, scopa_set_count(step->taken));
	features[POLICY_TAKE_COINS] = sign *
	    race_change(&position->coins,
		scopa_set_count(step->taken & SCOPA_SET_DENARI));
	for (scopa_set cards = step->taken; cards;) {
		scopa_card card = scopa_set_take(&cards);

		for (int i = WORTH_SETTEBELLO; i < WORTH_COUNT; i++)
			features[POLICY_TAKE_SETTEBELLO - WORTH_SETTEBELLO +
			    i] += sign * position->worth[card][i];
		features[POLICY_GAIN] += sign * position->points[card];
	}
	features[POLICY_GAIN] += features[POLICY_SWEEP];
	features[POLICY_TAKE_OF_ALLY] =
	    (float)scopa_set_count(step->taken & position->laid_by_ally);
	features[POLICY_TAKE_HELD] = (float)scopa_set_count(step->hand & like);
	if (position->deal->dealt == SCOPA_PACK_SIZE)
		features[POLICY_TAKE_LATE] = sign / (float)position->plays_left;
	features[position->dealer_team ? POLICY_UNPAIR_DEALER
				       : POLICY_UNPAIR_HAND] = (float)unpaired;
	features[POLICY_TAKE_VALUE + step->value - 1] = 1;
}

static void
lay_fill(struct step *step)
{
	const struct position *position = step->position;
	const float *worth = position->worth[step->move->card];
	float *features = step->features, sign = position->sign;
	scopa_set like = scopa_set_of_value(step->value);

	features[POLICY_LAY_HELD] = (float)scopa_set_count(step->hand & like);
	features[POLICY_LAY_UNSEEN] =
	    (float)scopa_set_count(position->unseen & like);
	features[POLICY_LAY_LIKE_AFTER] =
	    (float)(position->holders[AFTER].laid >> step->value & 1);
	features[POLICY_LAY_LIKE_NEXT] =
	    (float)(position->holders[NEXT].laid >> step->value & 1);
	features[POLICY_LAY_COIN] = sign * worth[WORTH_COIN];
	features[POLICY_LAY_PRIMIERA] = sign * worth[WORTH_PRIMIERA];
	features[POLICY_LAY_BONUS] = sign * worth[WORTH_BONUS];
	features[POLICY_LAY_VALUE + step->value - 1] = 1;
}

/*
 * In games of two the player after the next is the mover, whose hand is known.
 */
static float
after_holds(const struct step *step, value_bits values)
{
	if (step->position->rules->players == 2 &&
	    step->hand != SCOPA_SET_EMPTY)
		return values_of(step->hand) & values ? 1 : 0;
	return holds(&step->position->holders[AFTER], values);
}

/* Features of the best captures of the next three players. */
static void
replies_fill(struct step *step, float next, float after)
{
	const struct position *position = step->position;
	const struct scopa_rules *rules = position->rules;
	const struct scopa_deal *deal = position->deal;
	float *features = step->features, sign = position->sign, own = 0,
	      rest = 0;
	float replies[SCOPA_VALUE_MAX + 1];
	int last = step->takes ? deal->turn : deal->last;

	replies_of(position, step->table, replies);
	for (value_bits held = values_of(step->hand); held; held &= held - 1)
		if (replies[__builtin_ctz(held)] > own)
			own = replies[__builtin_ctz(held)];
	features[POLICY_OWN_REPLY] = sign * own;
	features[POLICY_NEXT_REPLY] =
	    sign * expectation(&position->holders[NEXT], replies);
	features[POLICY_AFTER_REPLY] = sign * (1 - next) *
	    (rules->players == 2 && step->hand != SCOPA_SET_EMPTY
		    ? own
		    : expectation(&position->holders[AFTER], replies));
	features[POLICY_THIRD_REPLY] = sign * (1 - next) * (1 - after) *
	    expectation(&position->holders[THIRD], replies);
	if (deal->dealt < SCOPA_PACK_SIZE || last >= rules->players)
		return;
	for (scopa_set cards = step->table; cards;)
		rest += position->points[scopa_set_take(&cards)];
	features[scopa_team_of(rules, last) == scopa_team_of(rules, deal->turn)
		? POLICY_REST_OWN
		: POLICY_REST_OTHER] =
	    sign * rest / (float)position->plays_left;
}

/*
 * Features of what the next two players can do with the table after the move.
 */
static void
table_fill(struct step *step)
{
	const struct position *position = step->position;
	const struct scopa_rules *rules = position->rules;
	float *features = step->features, sign = position->sign, next, after;
	value_bits all = 0, sweepers = position_sweepers(rules, step->table);
	bool counts =
	    rules->scopa && (rules->last_scopa || position->plays_left > 2);
	int total = scopa_set_total(step->table);

	features[POLICY_TABLE_EMPTY] = step->table == SCOPA_SET_EMPTY;
	features[POLICY_TABLE_LOW] = sweepers != 0;
	features[POLICY_TABLE_TOTAL] = (float)total / 20;
	for (scopa_set cards = step->table; cards;) {
		scopa_card card = scopa_set_take(&cards);
		const float *worth = position->worth[card];
		value_bits takers = position_takers(rules, step->table, card);

		all |= takers;
		next = sign * holds(&position->holders[NEXT], takers);
		after = (sign - next) * after_holds(step, takers);
		for (int i = 0; i < WORTH_COUNT; i++) {
			features[POLICY_NEXT_COINS + i] += next * worth[i];
			features[POLICY_AFTER_COINS + i] += after * worth[i];
		}
	}
	next = holds(&position->holders[NEXT], all);
	features[POLICY_NEXT_CAPTURE] = sign * next;
	after = after_holds(step, all);
	features[POLICY_AFTER_CAPTURE] = sign * (1 - next) * after;
	replies_fill(step, next, after);
	features[POLICY_TABLE_OWN] = (values_of(step->hand) & all) != 0;
	if (!counts)
		return;
	features[POLICY_NEXT_SWEEP] =
	    sign * holds(&position->holders[NEXT], sweepers);
	features[POLICY_AFTER_SWEEP] =
	    sign * (1 - next) * after_holds(step, sweepers);
}

static void
move_fill(const struct position *position, const struct scopa_move *move,
    float features[POLICY_FEATURE_COUNT])
{
	struct step step = {
		.position = position, .move = move, .features = features
	};
	scopa_set played;

	memset(features, 0, POLICY_FEATURE_COUNT * sizeof(features[0]));
	/* Declarations have no features; scores_fill() handles them. */
	if (move->declaration != SCOPA_DECLARE_NOTHING)
		return;
	played = scopa_set_of(move->card);
	step.value = scopa_card_value(move->card);
	step.takes = move->captured != SCOPA_SET_EMPTY ||
	    (position->rules->ace_empty == SCOPA_ACE_EMPTY_TAKE &&
		step.value == 1 && position->table == SCOPA_SET_EMPTY);
	step.taken = step.takes ? move->captured | played : SCOPA_SET_EMPTY;
	step.table = (position->table & ~move->captured) |
	    (step.takes ? SCOPA_SET_EMPTY : played);
	step.hand = position->hand & ~played;
	if (step.takes)
		fill_capture(&step);
	else
		lay_fill(&step);
	table_fill(&step);
}

void
policy_features(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count,
    float (*features)[POLICY_FEATURE_COUNT])
{
	struct position position;

	assert(!scopa_deal_over(deal));
	position_init(&position, rules, deal);
	for (int i = 0; i < count; i++)
		move_fill(&position, &moves[i], features[i]);
}
