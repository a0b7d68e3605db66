/*
 * First what can be taken from a table, then what the seat to move sees.
 */
#include "position_features.h"

#include <assert.h>
#include <math.h>

/* Sums end at the king. */
#define VALUES_ALL ((position_values)0x7FE)

/* Bit 0 of the nibble of every value. */
#define NIBBLES_BIT_0 SCOPA_SET_DENARI

position_values
position_values_of(scopa_set set)
{
	uint64_t bits = set | set >> 2;

	/* One bit of a nibble each; then they move together. */
	bits = (bits | bits >> 1) & NIBBLES_BIT_0;
	bits = (bits | bits >> 3) & UINT64_C(0x0303030303);
	bits = (bits | bits >> 6) & UINT64_C(0x0F000F000F);
	bits = (bits | bits >> 12) & UINT64_C(0x0F000000FF);
	return (position_values)((bits | bits >> 24) & 0x3FF) << 1;
}

/* Values that make fifteen with a total of which bit t is set. */
static position_values
values_to_fifteen(uint32_t totals)
{
	position_values values = 0;

	for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
		values |= (totals >> (15 - value) & 1) << value;
	return values;
}

static bool
ace_sweeps(const struct scopa_rules *rules, scopa_set table)
{
	return rules->ace != SCOPA_ACE_PLAIN &&
	    (rules->ace == SCOPA_ACE_SWEEP || !(table & scopa_set_of_value(1)));
}

position_values
position_takers(
    const struct scopa_rules *rules, scopa_set table, scopa_card card)
{
	scopa_set others = table & ~scopa_set_of(card);
	int value = scopa_card_value(card);
	position_values takers = 0;
	uint32_t totals = 1;

	while (others != SCOPA_SET_EMPTY)
		totals |= totals << scopa_card_value(scopa_set_take(&others));
	totals <<= value;
	if (rules->capture != SCOPA_CAPTURE_FIFTEEN)
		takers |= totals & VALUES_ALL;
	if (rules->capture == SCOPA_CAPTURE_SUM &&
	    rules->priority != SCOPA_PRIORITY_ANY)
		/* A value that lies there takes its like and nothing else. */
		takers &= ~position_values_of(table) | UINT32_C(1) << value;
	if (rules->capture != SCOPA_CAPTURE_SUM)
		takers |= values_to_fifteen(totals);
	if (rules->equal_fifteen)
		takers |= UINT32_C(1) << value;
	if (ace_sweeps(rules, table))
		takers |= UINT32_C(1) << 1;
	return takers;
}

position_values
position_sweepers(const struct scopa_rules *rules, scopa_set table)
{
	int total = scopa_set_total(table);
	position_values sweepers = 0;

	if (table == SCOPA_SET_EMPTY)
		return 0;
	if (rules->capture != SCOPA_CAPTURE_FIFTEEN && total <= SCOPA_VALUE_MAX)
		sweepers |= UINT32_C(1) << total;
	if (rules->capture != SCOPA_CAPTURE_SUM && total < 15 && total >= 5)
		sweepers |= UINT32_C(1) << (15 - total);
	if (rules->ace_scopa && ace_sweeps(rules, table))
		sweepers |= UINT32_C(1) << 1;
	return sweepers;
}

float
position_holds(const struct position_holder *holder, position_values values)
{
	float lacks = 1;

	while (values) {
		lacks *= holder->lacks[__builtin_ctz(values)];
		values &= values - 1;
	}
	return 1 - lacks;
}

/* Totals of table cards that one card can take: up to 14, in fifteens. */
enum { TOTAL_MAX = 14 };

/* The most points of table cards with each total; -1 where there are none. */
static void
totals_fill(const struct position_features *position, scopa_set table,
    float best[TOTAL_MAX + 1])
{
	for (int total = 1; total <= TOTAL_MAX; total++)
		best[total] = -1;
	best[0] = 0;
	while (table != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&table);
		int value = scopa_card_value(card);
		float points = position->worth[card].points;

		for (int total = TOTAL_MAX; total >= value; total--)
			if (best[total - value] >= 0 &&
			    best[total - value] + points > best[total])
				best[total] = best[total - value] + points;
	}
}

void
position_replies(const struct position_features *position, scopa_set table,
    float replies[SCOPA_VALUE_MAX + 1])
{
	const struct scopa_rules *rules = position->rules;
	position_values sweepers = position_sweepers(rules, table);
	bool sums = rules->capture != SCOPA_CAPTURE_FIFTEEN;
	bool fifteens = rules->capture != SCOPA_CAPTURE_SUM;
	float best[TOTAL_MAX + 1], all = 0;

	totals_fill(position, table, best);
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		float reply = sums ? best[value] : -1;

		if (sums && !fifteens && rules->priority != SCOPA_PRIORITY_ANY)
			for (scopa_set equal =
				 table & scopa_set_of_value(value);
			     equal != SCOPA_SET_EMPTY; equal &= equal - 1)
				reply = position->worth[scopa_set_first(equal)]
					    .points;
		if (fifteens && value > 15 - TOTAL_MAX - 1 &&
		    best[15 - value] > reply)
			reply = best[15 - value];
		replies[value] = reply < 0 ? 0 : reply + position->card;
	}
	if (ace_sweeps(rules, table) && table != SCOPA_SET_EMPTY) {
		for (scopa_set left = table; left != SCOPA_SET_EMPTY;)
			all += position->worth[scopa_set_take(&left)].points;
		replies[1] = all + position->card;
	}
	if (!rules->scopa || (!rules->last_scopa && position->plays_left <= 2))
		return;
	for (; sweepers; sweepers &= sweepers - 1)
		replies[__builtin_ctz(sweepers)] += 1;
}

float
position_expectation(const struct position_holder *holder,
    const float replies[SCOPA_VALUE_MAX + 1])
{
	position_values left = VALUES_ALL;
	float mean = 0, chance = 1;

	/* From the best reply down, each where none of the better ones is. */
	while (left && chance > 0) {
		int best = __builtin_ctz(left);

		for (position_values rest = left & (left - 1); rest;
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

/* Points of a card of each value in the primiera, and the least there is. */
static const int8_t prime_points[SCOPA_VALUE_MAX + 1] = { 0, 16, 12, 13, 14, 15,
	18, 21, 10, 10, 10 };
enum { PRIME_LEAST = 10, PRIME_MOST = 21 };

/*
 * What is left of the odds that a player holds a value when he has laid a card
 * although that value would have taken one from the table.
 */
static const float ODDS_OF_DECLINED = 0.35F;

/* Where a capture would have been a sweep, nobody declines. */
static const float ODDS_OF_SWEEP_DECLINED = 0.03F;

/* -1 to 1: who gets the point, by the lead and what is left to win. */
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
	/* Close to the integral of the normal distribution. */
	return margin / sqrtf(1 + margin * margin);
}

float
position_race_change(const struct position_race *race, int count)
{
	int taken = count < 0 ? -count : count;

	if (!race->open || count == 0)
		return 0;
	if (taken > race->left)
		taken = race->left;
	return race_standing(race->lead + count, race->left - taken) -
	    race_standing(race->lead, race->left);
}

/* How a reply adds up: of sevens and primiera only a part is a point. */
static const float POINTS_OF_SEVEN = 0.15F, POINTS_OF_PRIMIERA = 0.35F;

static void
race_init(struct position_race *race, const struct position_features *position,
    int team, scopa_set cards, bool counts)
{
	int own = 0, best = 0, all = 0;

	for (int i = 0; i < scopa_team_count(position->rules); i++) {
		int count =
		    scopa_set_count(position->deal->captured[i] & cards);

		all += count;
		if (i == team)
			own = count;
		else if (count > best)
			best = count;
	}
	race->lead = own - best;
	race->left = scopa_set_count(cards) - all;
	race->open =
	    counts && race->lead <= race->left && race->lead >= -race->left;
}

/* Points of the best card of each suit in a pile, PRIME_LEAST for none. */
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
					   : prime_points[order[i]];
		unsigned found = (unsigned)(pile >> 4 * (order[i] - 1)) & open;

		open &= ~found;
		for (; found; found &= found - 1)
			primes[__builtin_ctz(found)] = (int8_t)points;
	}
}

/* Piles of the own team and of whoever else is best in the primiera. */
struct rivals {
	int8_t own[SCOPA_SUIT_COUNT], other[SCOPA_SUIT_COUNT];
	bool open; /* the primiera counts, and can still be won and lost */
};

static void
rivals_init(
    struct rivals *rivals, const struct position_features *position, int team)
{
	const struct scopa_rules *rules = position->rules;
	scopa_set left = SCOPA_SET_ALL & ~position->gone;
	int8_t hopes[SCOPA_SUIT_COUNT];
	int own = 0, other = 0, own_most = 0, other_most = 0;

	primes_fill(position->deal->captured[team], rules, rivals->own);
	/* The others together, where there are several: nearly the best one. */
	primes_fill(position->gone & ~position->deal->captured[team], rules,
	    rivals->other);
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

/* Whether nobody but the own team has taken any of these. */
static bool
unspoilt(const struct position_features *position, int team, scopa_set cards)
{
	return !(position->gone & ~position->deal->captured[team] & cards);
}

#define COIN(value) (UINT64_C(1) << (4 * ((value)-1) + SCOPA_DENARI))

/* Shares of points for a card beside the four items of the plain game. */
static float
bonus_of(const struct position_features *position, int team, scopa_card card)
{
	const struct scopa_rules *rules = position->rules;
	static const scopa_set run = COIN(1) | COIN(2) | COIN(3);
	static const scopa_set grande = COIN(8) | COIN(9) | COIN(10);
	bool coin = scopa_card_suit(card) == SCOPA_DENARI;
	int value = scopa_card_value(card);
	float bonus = 0;

	if (coin && (rules->napola || rules->piccola) && value <= 6 &&
	    unspoilt(position, team, run))
		bonus += value <= 3 ? 1 : 0.3F;
	if (coin && value <= 3 && (rules->napola || rules->piccola) &&
	    !(position->deal->captured[team] & run))
		bonus += 0.4F; /* it spoils the run of the others */
	if (coin && rules->grande && value >= 8)
		bonus += unspoilt(position, team, grande) ? 1.2F : 0.3F;
	if (coin && rules->re_bello && value == 10)
		bonus += 1;
	if (coin && rules->trente && value <= 3)
		bonus += (float)value;
	if (rules->frac && (value == 1 || value >= 8))
		bonus += 1;
	if (rules->sevens && value == 7)
		bonus += 0.4F;
	if (rules->ponino && value == 9 &&
	    unspoilt(position, team, scopa_set_of_value(9)))
		bonus += 0.4F;
	return bonus;
}

static void
worth_fill(struct position_features *position, int team)
{
	const struct scopa_rules *rules = position->rules;
	scopa_set cards = position->hand | position->table;
	float coin = position_race_change(&position->coins, 1);
	struct rivals rivals;
	bool extras = rules->napola || rules->piccola || rules->grande ||
	    rules->re_bello || rules->trente || rules->frac || rules->sevens ||
	    rules->ponino;

	position->card = position_race_change(&position->cards, 1);
	rivals_init(&rivals, position, team);
	while (cards != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&cards);
		struct position_worth *worth = &position->worth[card];
		int suit = (int)scopa_card_suit(card), points, gain = 0;
		int value = scopa_card_value(card);

		*worth = (struct position_worth){ 0 };
		points = value == 6 ? rules->primiera_six : prime_points[value];
		if (suit == SCOPA_DENARI) {
			worth->coin = coin;
			worth->settebello = value == 7 &&
			    (rules->items & SCOPA_BASE_SETTEBELLO);
		}
		if (rivals.open) {
			if (points > rivals.own[suit])
				gain += points - rivals.own[suit];
			if (points > rivals.other[suit])
				gain += points - rivals.other[suit];
			worth->seven = value == 7;
			worth->primiera =
			    (float)gain / (2 * (PRIME_MOST - PRIME_LEAST));
		}
		if (extras)
			worth->bonus = bonus_of(position, team, card);
		worth->points = position->card + worth->coin +
		    worth->settebello + worth->bonus +
		    POINTS_OF_SEVEN * worth->seven +
		    POINTS_OF_PRIMIERA * worth->primiera;
	}
}

/* What a player has declined to take, and what has been laid. */
struct past {
	position_values declined, sweep_declined, laid;
};

/*
 * Goes back through the plays of the present hands.  In games of fifteen what
 * is declined is a sum, which is no more than a guess: it is left out.
 */
static void
past_fill(struct position_features *position, const int seats[3],
    struct past pasts[3])
{
	const struct scopa_rules *rules = position->rules;
	const struct scopa_deal *deal = position->deal;
	int own_team = scopa_team_of(rules, deal->turn);
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
		    scopa_team_of(rules, move->seat) == own_team)
			position->laid_by_ally |= scopa_set_of(move->card);
		if (!lays || seen++ >= plays)
			continue;
		for (int which = 0; which < 3; which++) {
			struct past *past = &pasts[which];

			if (move->seat != seats[which])
				continue;
			past->laid |= UINT32_C(1)
			    << scopa_card_value(move->card);
			if (!sums)
				continue;
			past->declined |= position_values_of(table);
			total = scopa_set_total(table);
			if (rules->scopa && total > 0 &&
			    total <= SCOPA_VALUE_MAX)
				past->sweep_declined |= UINT32_C(1) << total;
		}
	}
	position->laid_by_ally &= deal->table;
}

/* Probability that of `unseen` cards `drawn` are none of `wanted` ones. */
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
holder_fill(struct position_holder *holder,
    const struct position_features *position, int seat, const struct past *past)
{
	const struct scopa_deal *deal = position->deal;
	int unseen = scopa_set_count(position->unseen);
	int drawn = scopa_set_count(deal->hands[seat]);
	bool self = seat == deal->turn;
	float lacks[SCOPA_SUIT_COUNT + 1];

	holder->laid = past->laid;
	/* A player without cards, or with his last one now, gets a new hand. */
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

void
position_init(struct position_features *position,
    const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	int seat = deal->turn, team = scopa_team_of(rules, seat);
	int seats[3] = { (seat + 1) % rules->players,
		(seat + 2) % rules->players, (seat + 3) % rules->players };
	struct past pasts[3] = { 0 };
	scopa_set shown = SCOPA_SET_EMPTY;

	assert(seat < rules->players);
	position->rules = rules;
	position->deal = deal;
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
	position->dealer_team = scopa_team_of(rules, deal->dealer) == team;
	race_init(&position->cards, position, team, SCOPA_SET_ALL,
	    rules->items & SCOPA_BASE_CARDS);
	race_init(&position->coins, position, team, SCOPA_SET_DENARI,
	    rules->items & SCOPA_BASE_COINS);
	worth_fill(position, team);
	past_fill(position, seats, pasts);
	holder_fill(&position->next, position, seats[0], &pasts[0]);
	holder_fill(&position->after, position, seats[1], &pasts[1]);
	holder_fill(&position->third, position, seats[2], &pasts[2]);
}
