#include "card_value.h"

#include <stddef.h>
#include <stdlib.h>

#define CARD(value, suit) (UINT64_C(1) << (4 * ((value)-1) + (suit)))
#define FOUR(value) (UINT64_C(15) << (4 * ((value)-1)))

const scopa_set card_value_frac_cards = FOUR(1) | FOUR(8) | FOUR(9) | FOUR(10);

static const struct {
	size_t field; /* offset of the rule; where it is 0, nothing is added */
	scopa_set cards;
	int value;
} extras[] = {
	{ offsetof(struct scopa_rules, re_bello), CARD(10, SCOPA_DENARI), 100 },
	{ offsetof(struct scopa_rules, trente), CARD(1, SCOPA_DENARI), 100 },
	{ offsetof(struct scopa_rules, trente), CARD(2, SCOPA_DENARI), 200 },
	{ offsetof(struct scopa_rules, trente), CARD(3, SCOPA_DENARI), 300 },
	{ offsetof(struct scopa_rules, napola),
	    CARD(1, SCOPA_DENARI) | CARD(2, SCOPA_DENARI) |
		CARD(3, SCOPA_DENARI),
	    33 },
	{ offsetof(struct scopa_rules, piccola),
	    CARD(1, SCOPA_DENARI) | CARD(2, SCOPA_DENARI) |
		CARD(3, SCOPA_DENARI),
	    33 },
	{ offsetof(struct scopa_rules, grande),
	    CARD(8, SCOPA_DENARI) | CARD(9, SCOPA_DENARI) |
		CARD(10, SCOPA_DENARI),
	    30 },
	{ offsetof(struct scopa_rules, sevens), FOUR(7), 20 },
	{ offsetof(struct scopa_rules, ponino), FOUR(9), 20 },
};

static int
rule_get(const struct scopa_rules *rules, size_t field)
{
	return *(const int16_t *)((const char *)rules + field);
}

void
card_value_add_extras(
    const struct scopa_rules *rules, int values[SCOPA_PACK_SIZE])
{
	for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); i++) {
		scopa_set cards = extras[i].cards;

		if (rule_get(rules, extras[i].field) == 0)
			continue;
		while (cards != SCOPA_SET_EMPTY)
			values[scopa_set_take(&cards)] += extras[i].value;
	}
}

/* Hundredths of a point, in which extra values are given. */
static const double point_extra = 100;

/* Of the primiera point, for each of its 84 points at most. */
static const double primiera_weight = 0.017;

/* What a suit is worth in the primiera anyway: everybody gets a five. */
enum { PRIMIERA_FLOOR = 15, SEVEN = 7 };

/* Values of cards in the primiera. */
static const int primiera_points[SCOPA_VALUE_MAX + 1] = { 0, 16, 12, 13, 14, 15,
	18, 21, 10, 10, 10 };

/*
 * How likely one more card decides a majority: `left` are undecided, and the
 * team is ahead by `lead`.  The others fall like tossed coins, so the lead
 * that results is a random walk; it must end at zero (then one card is the
 * whole point) or one to a side (then half of it).
 */
static double
pivot_chance(int left, int lead)
{
	int steps = left - 1, distance = abs(lead);
	double chance = 0, term = 1;

	if (left <= 0)
		return 0;
	/* term: chance that `ups` of the steps go one way. */
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

/* The cards of the other team that has most of them. */
static int
rival_count(const struct scopa_rules *rules, const scopa_set *captured,
    int team, scopa_set cards)
{
	int most = 0;

	for (int other = 0; other < scopa_team_count(rules); other++) {
		int count = scopa_set_count(captured[other] & cards);

		if (other != team && count > most)
			most = count;
	}
	return most;
}

static double
majority_value(const struct scopa_rules *rules, const scopa_set *captured,
    int team, scopa_set cards)
{
	int left = scopa_set_count(cards);
	int own = scopa_set_count(captured[team] & cards);

	for (int i = 0; i < scopa_team_count(rules); i++)
		left -= scopa_set_count(captured[i] & cards);
	return pivot_chance(
	    left, own - rival_count(rules, captured, team, cards));
}

/* The best card of a suit in a pile, as the primiera counts. */
static int
primiera_best(scopa_set captured, int suit)
{
	int best = PRIMIERA_FLOOR;

	for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
		if (scopa_set_has(captured,
			scopa_card_of(value, (enum scopa_suit)suit)) &&
		    primiera_points[value] > best)
			best = primiera_points[value];
	return best;
}

/* Adds what a card would better in the own pile and in a rival's. */
static void
primiera_add(const struct scopa_rules *rules, const scopa_set *captured,
    int team, double *card_values)
{
	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
		int own = primiera_best(captured[team], suit);
		int rival = PRIMIERA_FLOOR;

		for (int i = 0; i < scopa_team_count(rules); i++) {
			int best = primiera_best(captured[i], suit);

			if (i != team && best > rival)
				rival = best;
		}
		for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
			int points = primiera_points[value];
			int gain = (points > own ? points - own : 0) +
			    (points > rival ? points - rival : 0);

			card_values[scopa_card_of(value,
			    (enum scopa_suit)suit)] += primiera_weight * gain;
		}
	}
}

static void
set_add(double *card_values, scopa_set cards, double card_value)
{
	while (cards != SCOPA_SET_EMPTY)
		card_values[scopa_set_take(&cards)] += card_value;
}

void
card_value_fill(const struct scopa_rules *rules,
    const scopa_set captured[SCOPA_TEAMS_MAX], int team,
    double card_values[SCOPA_PACK_SIZE])
{
	int values[SCOPA_PACK_SIZE] = { 0 };

	card_value_add_extras(rules, values);
	for (scopa_card card = 0; card < SCOPA_PACK_SIZE; card++)
		card_values[card] = values[card] / point_extra;
	if (rules->items & SCOPA_BASE_CARDS)
		set_add(card_values, SCOPA_SET_ALL,
		    majority_value(rules, captured, team, SCOPA_SET_ALL));
	if (rules->items & SCOPA_BASE_COINS)
		set_add(card_values, SCOPA_SET_DENARI,
		    majority_value(rules, captured, team, SCOPA_SET_DENARI));
	if (rules->frac)
		set_add(card_values, card_value_frac_cards,
		    majority_value(
			rules, captured, team, card_value_frac_cards));
	if (rules->items & SCOPA_BASE_SETTEBELLO)
		card_values[scopa_card_of(SEVEN, SCOPA_DENARI)] += 1;
	if (rules->items & SCOPA_BASE_PRIMIERA)
		primiera_add(rules, captured, team, card_values);
}

double
card_value_sum(const double card_values[SCOPA_PACK_SIZE], scopa_set cards)
{
	double sum = 0;

	while (cards != SCOPA_SET_EMPTY)
		sum += card_values[scopa_set_take(&cards)];
	return sum;
}
