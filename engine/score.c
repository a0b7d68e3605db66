/*
 * The points of a finished deal, and the tally of a match, which adds them up.
 *
 * For each item that the rules count, the quantity of every team is found
 * first; the row of the item says how it becomes points.  The total is the sum
 * over the items.
 */
#include "scopa/score.h"

#include <assert.h>
#include <stddef.h>

#include "internal.h"

enum { RUN_LEAST = 3 };

/* The four cards of a value, as a constant expression. */
#define FOUR(value) (UINT64_C(15) << (4 * ((value)-1)))

/*
 * The name of an item, the cards that it counts, and how quantities become
 * points.
 */
static const struct {
	const char *name;
	scopa_set cards; /* counts these in the pile; 0: see quantity_of */
	enum {
		POINTS_OWN,  /* by the team's own quantity: see points_of */
		POINTS_EACH, /* one point for each */
		/* one point for the team with the greatest number */
		POINTS_MOST
	} points;
} items[] = {
	[SCOPA_ITEM_CARDS] = { "cards", SCOPA_SET_ALL, POINTS_MOST },
	[SCOPA_ITEM_COINS] = { "coins", SCOPA_SET_DENARI, POINTS_MOST },
	[SCOPA_ITEM_SETTEBELLO] = { "settebello", FOUR(7) & SCOPA_SET_DENARI,
	    POINTS_EACH },
	[SCOPA_ITEM_PRIMIERA] = { "primiera", 0, POINTS_MOST },
	[SCOPA_ITEM_SCOPE] = { "scope", 0, POINTS_OWN },
	[SCOPA_ITEM_SEVENS] = { "sevens", FOUR(7), POINTS_MOST },
	[SCOPA_ITEM_ALL_SEVENS] = { "all-sevens", FOUR(7), POINTS_OWN },
	[SCOPA_ITEM_NAPOLA] = { "napola", 0, POINTS_OWN },
	[SCOPA_ITEM_RE_BELLO] = { "re-bello", FOUR(10) & SCOPA_SET_DENARI,
	    POINTS_EACH },
	[SCOPA_ITEM_PONINO] = { "ponino", FOUR(9), POINTS_OWN },
	[SCOPA_ITEM_TRENTE] = { "trente", INSTANT_TRENTE, POINTS_OWN },
	[SCOPA_ITEM_FRAC] = { "frac", FOUR(1) | FOUR(8) | FOUR(9) | FOUR(10),
	    POINTS_EACH },
	[SCOPA_ITEM_FRAC_KING] = { "frac-king", FOUR(10) & SCOPA_SET_DENARI,
	    POINTS_MOST },
	[SCOPA_ITEM_PICCOLA] = { "piccola", 0, POINTS_OWN },
	[SCOPA_ITEM_GRANDE] = { "grande",
	    (FOUR(8) | FOUR(9) | FOUR(10)) & SCOPA_SET_DENARI, POINTS_OWN },
	[SCOPA_ITEM_DECLARED] = { "declared", 0, POINTS_EACH },
	[SCOPA_ITEM_ALL_COINS] = { "all-coins", SCOPA_SET_DENARI, POINTS_OWN },
};

_Static_assert(COUNTOF(items) == SCOPA_ITEM_COUNT, "every item has a row");

const char *
scopa_item_name(enum scopa_item item)
{
	assert(item < SCOPA_ITEM_COUNT);
	return items[item].name;
}

/* Returns the items that the rules count: a bit for each enum scopa_item. */
static uint32_t
items_counted(const struct scopa_rules *rules)
{
	const bool counted[SCOPA_ITEM_COUNT] = {
		[SCOPA_ITEM_CARDS] = rules->items & SCOPA_BASE_CARDS,
		[SCOPA_ITEM_COINS] = rules->items & SCOPA_BASE_COINS,
		[SCOPA_ITEM_SETTEBELLO] = rules->items & SCOPA_BASE_SETTEBELLO,
		[SCOPA_ITEM_PRIMIERA] = rules->items & SCOPA_BASE_PRIMIERA,
		[SCOPA_ITEM_SCOPE] = rules->scopa,
		[SCOPA_ITEM_SEVENS] = rules->sevens == SCOPA_SEVENS_ESCOBA,
		[SCOPA_ITEM_ALL_SEVENS] = rules->sevens == SCOPA_SEVENS_ESCOBA,
		[SCOPA_ITEM_NAPOLA] = rules->napola != SCOPA_NAPOLA_NONE,
		[SCOPA_ITEM_RE_BELLO] = rules->re_bello,
		[SCOPA_ITEM_PONINO] = rules->ponino,
		[SCOPA_ITEM_TRENTE] = rules->trente,
		[SCOPA_ITEM_FRAC] = rules->frac,
		[SCOPA_ITEM_FRAC_KING] =
		    rules->frac && rules->frac_tie == SCOPA_FRAC_TIE_KING,
		[SCOPA_ITEM_PICCOLA] = rules->piccola,
		[SCOPA_ITEM_GRANDE] = rules->grande,
		[SCOPA_ITEM_DECLARED] = rules->declare != SCOPA_DECLARE_OFF,
		[SCOPA_ITEM_ALL_COINS] =
		    rules->all_coins == SCOPA_ALL_COINS_WIN,
	};
	uint32_t mask = 0;

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		mask |= (uint32_t)counted[item] << item;
	return mask;
}

bool
scopa_item_counts(const struct scopa_rules *rules, enum scopa_item item)
{
	assert(item < SCOPA_ITEM_COUNT);
	return items_counted(rules) >> item & 1;
}

/*
 * Returns the sum of the best card of each suit in a pile, and the number of
 * suits that it has.  All suits are examined together, value by value, from the
 * best.
 */
static int
primiera_points(
    const struct scopa_rules *rules, scopa_set captured, int *suit_count)
{
	static const struct {
		int8_t value, points;
	} order[] = { { 7, 21 }, { 6, 0 /* primiera_six */ }, { 1, 16 },
		{ 5, 15 }, { 4, 14 }, { 3, 13 }, { 2, 12 }, { 8, 10 },
		{ 9, 10 }, { 10, 10 } };
	unsigned open = (1 << SCOPA_SUIT_COUNT) - 1;
	int points = 0;

	for (size_t i = 0; open && i < COUNTOF(order); i++) {
		unsigned found =
		    (unsigned)(captured >> (4 * (order[i].value - 1))) & open;

		points += __builtin_popcount(found) *
		    (order[i].value == 6 ? rules->primiera_six
					 : order[i].points);
		open &= ~found;
	}
	*suit_count = SCOPA_SUIT_COUNT - __builtin_popcount(open);
	return points;
}

int
scopa_primiera(const struct scopa_rules *rules, scopa_set captured)
{
	int suit_count, points = primiera_points(rules, captured, &suit_count);

	if (rules->primiera_missing == SCOPA_PRIMIERA_ALL4 &&
	    suit_count < SCOPA_SUIT_COUNT)
		return 0;
	return points;
}

/*
 * Returns a number that orders primieras: more suits beat fewer, by the rules.
 */
static int
primiera_rank(const struct scopa_rules *rules, scopa_set captured, int quantity)
{
	int suit_count;

	if (rules->primiera_missing != SCOPA_PRIMIERA_SUITS_FIRST)
		return quantity;
	(void)primiera_points(rules, captured, &suit_count);
	return 100 * suit_count + quantity;
}

/*
 * Returns the only team with the greatest number above 0, or SCOPA_TEAM_NONE.
 */
static int
team_with_most(const int numbers[], int team_count)
{
	int best = SCOPA_TEAM_NONE, most = 0;

	for (int team = 0; team < team_count; team++) {
		if (numbers[team] == most)
			best = SCOPA_TEAM_NONE;
		if (numbers[team] <= most)
			continue;
		most = numbers[team];
		best = team;
	}
	return best;
}

/* Returns the length of the run of coins from the ace. */
static int
coin_run(scopa_set captured)
{
	int run = 0;

	while (run < SCOPA_VALUE_MAX &&
	    scopa_set_has(captured, scopa_card_of(run + 1, SCOPA_DENARI)))
		run++;
	return run;
}

static int
napola_points(const struct scopa_rules *rules, int run)
{
	if (run < RUN_LEAST)
		return 0;
	switch ((enum scopa_napola)rules->napola) {
	case SCOPA_NAPOLA_NONE:
		return 0;
	case SCOPA_NAPOLA_RUN:
		return run;
	case SCOPA_NAPOLA_ONEPLUS:
		return run - RUN_LEAST + 1;
	case SCOPA_NAPOLA_S1:
		return run == RUN_LEAST ? 1 : run;
	}
	return 0;
}

/* Returns the quantity of an item for a team. */
static int
quantity_of(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int team, enum scopa_item item)
{
	scopa_set pile = deal->captured[team];

	if (items[item].cards)
		return scopa_set_count(pile & items[item].cards);
	if (item == SCOPA_ITEM_PRIMIERA)
		return scopa_primiera(rules, pile);
	if (item == SCOPA_ITEM_SCOPE)
		return deal->scopas[team];
	if (item == SCOPA_ITEM_DECLARED)
		return deal->declared[team];
	return coin_run(pile);
}

/*
 * Returns the points of an item that depend on the team alone, not on the
 * others.
 */
static int
points_of(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int team, enum scopa_item item, int quantity)
{
	int scope = deal->scopas[team] * rules->scopa;

	if (items[item].points != POINTS_OWN)
		return items[item].points == POINTS_EACH ? quantity : 0;
	if (item == SCOPA_ITEM_SCOPE)
		return scope;
	if (item == SCOPA_ITEM_ALL_SEVENS)
		return quantity == SCOPA_SUIT_COUNT;
	if (item == SCOPA_ITEM_NAPOLA)
		return napola_points(rules, quantity);
	if (item == SCOPA_ITEM_PONINO)
		return quantity == SCOPA_SUIT_COUNT ? scope : 0;
	if (item == SCOPA_ITEM_TRENTE)
		return scopa_set_total(deal->captured[team] & INSTANT_TRENTE);
	if (item == SCOPA_ITEM_GRANDE)
		return quantity == 3 ? rules->grande : 0;
	if (item != SCOPA_ITEM_PICCOLA || quantity < RUN_LEAST)
		return 0;
	return quantity < rules->piccola ? quantity : rules->piccola;
}

/*
 * Returns the team with the king of coins, if it shares the most frac cards
 * with other teams; else SCOPA_TEAM_NONE.
 */
static int
frac_king_team(const struct scopa_score *score, int team_count)
{
	int most = 0, holders = 0, king = SCOPA_TEAM_NONE;

	for (int team = 0; team < team_count; team++)
		if (score->quantity[team][SCOPA_ITEM_FRAC] > most)
			most = score->quantity[team][SCOPA_ITEM_FRAC];
	for (int team = 0; team < team_count; team++) {
		if (score->quantity[team][SCOPA_ITEM_FRAC] != most)
			continue;
		holders++;
		if (score->quantity[team][SCOPA_ITEM_FRAC_KING])
			king = team;
	}
	return holders > 1 ? king : SCOPA_TEAM_NONE;
}

/*
 * Returns the team that gets one point for most of an item, or SCOPA_TEAM_NONE.
 */
static int
item_point_team(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_score *score, int team_count, enum scopa_item item)
{
	int numbers[SCOPA_TEAMS_MAX];

	if (item == SCOPA_ITEM_FRAC_KING)
		return frac_king_team(score, team_count);
	if (items[item].points != POINTS_MOST)
		return SCOPA_TEAM_NONE;
	for (int team = 0; team < team_count; team++)
		numbers[team] = item == SCOPA_ITEM_PRIMIERA
		    ? primiera_rank(rules, deal->captured[team],
			  score->quantity[team][item])
		    : score->quantity[team][item];
	return team_with_most(numbers, team_count);
}

void
scopa_score_count(const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_score *score)
{
	int team_count = scopa_team_count(rules);

	*score = (struct scopa_score){ .winner = deal->winner };
	for (uint32_t left = items_counted(rules); left; left &= left - 1) {
		enum scopa_item item = (enum scopa_item)__builtin_ctz(left);
		int best;

		for (int team = 0; team < team_count; team++) {
			int quantity = quantity_of(rules, deal, team, item);

			score->quantity[team][item] = (int16_t)quantity;
			score->points[team][item] = (int16_t)points_of(
			    rules, deal, team, item, quantity);
		}
		best = item_point_team(rules, deal, score, team_count, item);
		if (best != SCOPA_TEAM_NONE)
			score->points[best][item] = 1;
		for (int team = 0; team < team_count; team++)
			score->total[team] = (int16_t)(score->total[team] +
			    score->points[team][item]);
	}
	for (int team = 0; team < team_count; team++)
		if (instant_wins(rules, deal->captured[team]))
			score->winner = (uint8_t)team;
}

/*
 * The tally.  A match ends with an instant win; or after the fixed number of
 * deals; or when a team has reached the target and one team leads.  A tie at
 * the target leads to another deal.
 */
void
scopa_tally_init(struct scopa_tally *tally, int dealer, int deals)
{
	assert(dealer >= 0 && dealer < SCOPA_SEATS_MAX && deals >= 0);
	*tally = (struct scopa_tally){
		.deals = deals,
		.dealer = (uint8_t)dealer,
		.state = SCOPA_TALLY_OPEN,
		.winner = SCOPA_TEAM_NONE,
	};
}

/*
 * Returns the only team in the lead, by the aim of the rules, or
 * SCOPA_TEAM_NONE.
 */
static uint8_t
leader_of(const struct scopa_rules *rules, const struct scopa_tally *tally)
{
	int sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	int best = 0;
	bool alone = true;

	for (int team = 1; team < scopa_team_count(rules); team++) {
		int ahead = sign * (tally->scores[team] - tally->scores[best]);

		if (ahead > 0)
			best = team;
		if (ahead >= 0)
			alone = ahead > 0;
	}
	return alone ? (uint8_t)best : SCOPA_TEAM_NONE;
}

static bool
target_reached(const struct scopa_rules *rules, const struct scopa_tally *tally)
{
	for (int team = 0; team < scopa_team_count(rules); team++)
		if (tally->scores[team] >= rules->target)
			return true;
	return false;
}

void
scopa_tally_add(const struct scopa_rules *rules, struct scopa_tally *tally,
    const struct scopa_score *score)
{
	int players = rules->players;
	int step = rules->rotation == SCOPA_ROTATION_WITH ? 1 : players - 1;

	assert(tally->state == SCOPA_TALLY_OPEN);
	for (int team = 0; team < scopa_team_count(rules); team++)
		tally->scores[team] += score->total[team];
	tally->deal_count++;
	tally->dealer = (uint8_t)((tally->dealer + step) % players);
	if (score->winner != SCOPA_TEAM_NONE) {
		tally->state = SCOPA_TALLY_INSTANT;
		tally->winner = score->winner;
	} else if (tally->deals > 0) {
		if (tally->deal_count == tally->deals) {
			tally->state = SCOPA_TALLY_DEALS;
			tally->winner = leader_of(rules, tally);
		}
	} else if (target_reached(rules, tally) &&
	    leader_of(rules, tally) != SCOPA_TEAM_NONE) {
		tally->state = SCOPA_TALLY_TARGET;
		tally->winner = leader_of(rules, tally);
	}
}
