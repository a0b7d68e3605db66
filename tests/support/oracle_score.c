/* The oracle's count of a deal. */
#include "oracle.h"

#include <string.h>

static bool
pile_has(const struct oracle_list *pile, int value, int suit)
{
	for (int i = 0; i < pile->count; i++)
		if (pile->cards[i].value == value &&
		    pile->cards[i].suit == suit)
			return true;
	return false;
}

static int
count_coins(const struct oracle_list *pile)
{
	int count = 0;

	for (int i = 0; i < pile->count; i++)
		count += pile->cards[i].suit == 0;
	return count;
}

/* Ace, 2, 3, ... of coins without a gap. */
static int
coin_run(const struct oracle_list *pile)
{
	int run = 0;

	while (run < 10 && pile_has(pile, run + 1, 0))
		run++;
	return run;
}

static int
primiera_value(const struct scopa_rules *rules, int value)
{
	switch (value) {
	case 7:
		return 21;
	case 6:
		return rules->primiera_six;
	case 1:
		return 16;
	case 5:
		return 15;
	case 4:
		return 14;
	case 3:
		return 13;
	case 2:
		return 12;
	default:
		return 10;
	}
}

int
oracle_primiera_rank(
    const struct scopa_rules *rules, const struct oracle_list *pile)
{
	int total = 0;
	int suits = 0;

	for (int suit = 0; suit < 4; suit++) {
		int best = 0;
		for (int i = 0; i < pile->count; i++) {
			int worth = primiera_value(rules, pile->cards[i].value);
			if (pile->cards[i].suit == suit && worth > best)
				best = worth;
		}
		suits += best > 0;
		total += best;
	}
	switch ((enum scopa_primiera_missing)rules->primiera_missing) {
	case SCOPA_PRIMIERA_ALL4:
		return suits == 4 ? total : 0;
	case SCOPA_PRIMIERA_PARTIAL:
		return total;
	case SCOPA_PRIMIERA_SUITS_FIRST:
		break;
	}
	return 1000 * suits + total;
}

static int
napola_points(const struct scopa_rules *rules, int run)
{
	if (run < 3)
		return 0;
	switch ((enum scopa_napola)rules->napola) {
	case SCOPA_NAPOLA_NONE:
		return 0;
	case SCOPA_NAPOLA_RUN:
		return run;
	case SCOPA_NAPOLA_ONEPLUS:
		return run - 2;
	case SCOPA_NAPOLA_S1:
		return run == 3 ? 1 : run;
	}
	return 0;
}

static int
frac_points(const struct oracle_list *pile)
{
	return oracle_count_value(pile, 1) + oracle_count_value(pile, 8) +
	    oracle_count_value(pile, 9) + oracle_count_value(pile, 10);
}

/* A point to the one team that has the most, and to none of several. */
static void
award_most(struct oracle_score *score, int teams, enum scopa_item item,
    const int ranks[6])
{
	for (int team = 0; team < teams; team++) {
		bool alone = true;
		for (int other = 0; other < teams; other++)
			if (other != team && ranks[other] >= ranks[team])
				alone = false;
		if (alone)
			score->points[team][item] = 1;
	}
}

/* What a team gets for its own cards, whatever the others have. */
static void
count_own(const struct scopa_rules *rules, const struct oracle_list *pile,
    int scopas, int quantity[SCOPA_ITEM_COUNT], int points[SCOPA_ITEM_COUNT])
{
	int run = coin_run(pile);
	int low = 0;

	quantity[SCOPA_ITEM_SETTEBELLO] = pile_has(pile, 7, 0);
	if (rules->items & SCOPA_BASE_SETTEBELLO)
		points[SCOPA_ITEM_SETTEBELLO] = pile_has(pile, 7, 0);
	quantity[SCOPA_ITEM_SCOPE] = scopas;
	points[SCOPA_ITEM_SCOPE] = rules->scopa * scopas;
	quantity[SCOPA_ITEM_NAPOLA] = run;
	points[SCOPA_ITEM_NAPOLA] = napola_points(rules, run);
	quantity[SCOPA_ITEM_RE_BELLO] = pile_has(pile, 10, 0);
	if (rules->re_bello)
		points[SCOPA_ITEM_RE_BELLO] = pile_has(pile, 10, 0);
	quantity[SCOPA_ITEM_PONINO] = oracle_count_value(pile, 9);
	if (rules->ponino && oracle_count_value(pile, 9) == 4)
		points[SCOPA_ITEM_PONINO] = rules->scopa * scopas;
	for (int value = 1; value <= 3; value++)
		if (pile_has(pile, value, 0)) {
			low++;
			if (rules->trente)
				points[SCOPA_ITEM_TRENTE] += value;
		}
	quantity[SCOPA_ITEM_TRENTE] = low;
	quantity[SCOPA_ITEM_FRAC] = frac_points(pile);
	if (rules->frac)
		points[SCOPA_ITEM_FRAC] = frac_points(pile);
	quantity[SCOPA_ITEM_PICCOLA] = run;
	if (rules->piccola != 0 && run >= 3)
		points[SCOPA_ITEM_PICCOLA] =
		    run < rules->piccola ? run : rules->piccola;
	quantity[SCOPA_ITEM_GRANDE] =
	    pile_has(pile, 8, 0) + pile_has(pile, 9, 0) + pile_has(pile, 10, 0);
	if (quantity[SCOPA_ITEM_GRANDE] == 3)
		points[SCOPA_ITEM_GRANDE] = rules->grande;
	quantity[SCOPA_ITEM_ALL_COINS] = count_coins(pile);
}

/* The points that only one team can have, and only by having the most. */
static void
count_most(const struct scopa_rules *rules, const struct oracle_list piles[6],
    struct oracle_score *score)
{
	int teams = oracle_team_count(rules);
	int ranks[4][6] = { { 0 } };

	for (int team = 0; team < teams; team++) {
		int primiera = oracle_primiera_rank(rules, &piles[team]);
		ranks[0][team] = piles[team].count;
		ranks[1][team] = count_coins(&piles[team]);
		ranks[2][team] = primiera;
		ranks[3][team] = oracle_count_value(&piles[team], 7);
		score->quantity[team][SCOPA_ITEM_CARDS] = ranks[0][team];
		score->quantity[team][SCOPA_ITEM_COINS] = ranks[1][team];
		score->quantity[team][SCOPA_ITEM_PRIMIERA] = primiera % 1000;
		score->quantity[team][SCOPA_ITEM_SEVENS] = ranks[3][team];
		score->quantity[team][SCOPA_ITEM_ALL_SEVENS] = ranks[3][team];
		if (rules->sevens == SCOPA_SEVENS_ESCOBA && ranks[3][team] == 4)
			score->points[team][SCOPA_ITEM_ALL_SEVENS] = 1;
	}
	if (rules->items & SCOPA_BASE_CARDS)
		award_most(score, teams, SCOPA_ITEM_CARDS, ranks[0]);
	if (rules->items & SCOPA_BASE_COINS)
		award_most(score, teams, SCOPA_ITEM_COINS, ranks[1]);
	if (rules->items & SCOPA_BASE_PRIMIERA)
		award_most(score, teams, SCOPA_ITEM_PRIMIERA, ranks[2]);
	if (rules->sevens == SCOPA_SEVENS_ESCOBA)
		award_most(score, teams, SCOPA_ITEM_SEVENS, ranks[3]);
}

/* The king of coins breaks a tie of the most frac points. */
static void
count_frac_king(const struct scopa_rules *rules,
    const struct oracle_list piles[6], struct oracle_score *score)
{
	int teams = oracle_team_count(rules);
	int best = 0;
	int holders = 0;

	if (!rules->frac || rules->frac_tie != SCOPA_FRAC_TIE_KING)
		return;
	for (int team = 0; team < teams; team++)
		if (frac_points(&piles[team]) > best)
			best = frac_points(&piles[team]);
	for (int team = 0; team < teams; team++) {
		holders += frac_points(&piles[team]) == best;
		score->quantity[team][SCOPA_ITEM_FRAC_KING] =
		    pile_has(&piles[team], 10, 0);
	}
	for (int team = 0; team < teams; team++)
		if (holders > 1 && frac_points(&piles[team]) == best &&
		    pile_has(&piles[team], 10, 0))
			score->points[team][SCOPA_ITEM_FRAC_KING] = 1;
}

void
oracle_score(const struct scopa_rules *rules, const struct oracle_deal *deal,
    struct oracle_score *score)
{
	int teams = oracle_team_count(rules);
	struct oracle_list piles[6];

	memset(score, 0, sizeof(*score));
	memset(piles, 0, sizeof(piles));
	score->winner = ORACLE_NOBODY;
	for (int team = 0; team < teams; team++) {
		int scopas = 0;
		int declared = 0;
		for (int seat = 0; seat < rules->players; seat++)
			if (oracle_team(rules, seat) == team) {
				scopas += deal->scopas[seat];
				declared += deal->declared[seat];
			}
		piles[team] = oracle_pile(rules, deal, team);
		count_own(rules, &piles[team], scopas, score->quantity[team],
		    score->points[team]);
		score->quantity[team][SCOPA_ITEM_DECLARED] = declared;
		score->points[team][SCOPA_ITEM_DECLARED] = declared;
		if (oracle_wins(rules, &piles[team]))
			score->winner = team;
	}
	count_most(rules, piles, score);
	count_frac_king(rules, piles, score);
	for (int team = 0; team < teams; team++)
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			score->total[team] += score->points[team][item];
}
