/*
 * The points of a position that are decided, the bounds of the others, and what
 * these depend on.
 */
#include "outlook_parts.h"
#include "solve.h"

enum { SEVEN = 7, KNIGHT = 9, KING = 10, DECLARATION_MAX = 10 };

#define PICTURES (OUTLOOK_RANK(8) | OUTLOOK_RANK(9) | OUTLOOK_RANK(10))
#define TRENTE (OUTLOOK_RANK(1) | OUTLOOK_RANK(2) | OUTLOOK_RANK(3))
#define FRAC ((OUTLOOK_RANK(1) | PICTURES) * 15)

/* Points a card: decided by who has it. */
static void
judge_cards(struct outlook *outlook, scopa_set cards)
{
	int open = scopa_set_count(outlook->open & cards);

	outlook->points.base += scopa_set_count(outlook->piles[0] & cards) -
	    scopa_set_count(outlook->piles[1] & cards);
	outlook->points.high += open;
	outlook->points.low -= open;
}

/*
 * One point for the most of these cards.  Returns whether that is open: then
 * the future depends on how many party A has.
 */
static bool
judge_most(struct outlook *outlook, scopa_set cards)
{
	int a = scopa_set_count(outlook->piles[0] & cards);
	int b = scopa_set_count(outlook->piles[1] & cards);
	int open = scopa_set_count(outlook->open & cards);

	if (a > b + open)
		outlook->points.base++;
	else if (b > a + open)
		outlook->points.base--;
	else if (open > 0) {
		outlook->points.high += a + open > b;
		outlook->points.low -= b + open > a;
		return true;
	}
	return false;
}

/* One more than what A has of these cards where that matters, else 0. */
static void
field_add_count(struct outlook *outlook, int bits, scopa_set cards, bool open)
{
	unsigned count = (unsigned)scopa_set_count(outlook->piles[0] & cards);

	outlook_field(&outlook->counts, bits, open ? count + 1 : 0);
}

/*
 * What one party gets for having all of these cards.  Where that is open for a
 * party, the future depends on which of them it has.
 */
static bool
judge_all(const struct outlook *outlook, struct outlook_share *share,
    scopa_set cards, int worth)
{
	scopa_set a = outlook->piles[0] & cards, b = outlook->piles[1] & cards;

	if (a && b)
		return false;
	if (a == cards || b == cards) {
		share->base += a == cards ? worth : -worth;
		return false;
	}
	share->high += b ? 0 : worth;
	share->low -= a ? 0 : worth;
	return true;
}

static void
judge_counts(struct outlook *outlook)
{
	const struct outlook_terms *terms = outlook->terms;
	const bool *counts = terms->counts;
	scopa_set coins = SCOPA_SET_DENARI;
	scopa_set sevens = scopa_set_of_value(SEVEN);
	bool open;

	open = counts[SCOPA_ITEM_CARDS] && judge_most(outlook, SCOPA_SET_ALL);
	field_add_count(outlook, 6, SCOPA_SET_ALL, open);
	open = counts[SCOPA_ITEM_COINS] && judge_most(outlook, coins);
	if (counts[SCOPA_ITEM_ALL_COINS])
		open |= judge_all(outlook, &outlook->wins, coins, SOLVE_WIN);
	field_add_count(outlook, 4, coins, open);
	open = counts[SCOPA_ITEM_SEVENS] && judge_most(outlook, sevens);
	if (counts[SCOPA_ITEM_ALL_SEVENS])
		open |= judge_all(outlook, &outlook->points, sevens, 1);
	field_add_count(outlook, 3, sevens, open);
	if (counts[SCOPA_ITEM_SETTEBELLO])
		judge_cards(outlook, OUTLOOK_RANK(SEVEN));
	if (counts[SCOPA_ITEM_RE_BELLO])
		judge_cards(outlook, OUTLOOK_RANK(KING));
	if (counts[SCOPA_ITEM_FRAC])
		judge_cards(outlook, FRAC);
}

/* The king of coins lifts its holder out of a tie for the most in frac. */
static void
judge_frac_king(struct outlook *outlook)
{
	int a = scopa_set_count(outlook->piles[0] & FRAC);
	int b = scopa_set_count(outlook->piles[1] & FRAC);
	int open = scopa_set_count(outlook->open & FRAC);
	int ahead = a > b ? a - b : b - a;
	int holder = outlook->piles[0] & OUTLOOK_RANK(KING) ? 1
	    : outlook->piles[1] & OUTLOOK_RANK(KING)        ? -1
							    : 0;
	bool tie =
	    outlook->terms->counts[SCOPA_ITEM_FRAC_KING] && ahead <= open;

	if (tie && open == 0)
		outlook->points.base += holder;
	if (tie && open > 0) {
		outlook->points.high += holder >= 0;
		outlook->points.low -= holder <= 0;
	}
	field_add_count(outlook, 5, FRAC, tie && open > 0);
	outlook_field(
	    &outlook->counts, 2, tie && open > 0 ? (unsigned)(holder + 1) : 0U);
}

static unsigned
run_from_ace(scopa_set ranks)
{
	scopa_set missing = ~ranks & OUTLOOK_RANKS;

	return missing ? (unsigned)scopa_set_first(missing) / 4
		       : SCOPA_VALUE_MAX;
}

/* Coins that follow each other from the ace on. */
static void
judge_runs(struct outlook *outlook)
{
	const int16_t *points = outlook->terms->run_points;

	for (int party = 0; party < 2; party++) {
		scopa_set own = outlook->piles[party] & OUTLOOK_RANKS;
		unsigned most =
		    run_from_ace(OUTLOOK_RANKS & ~outlook->piles[!party]);
		int sure = points[run_from_ace(own)];
		int more = points[most] - sure;

		outlook->points.base += party == 0 ? sure : -sure;
		if (party == 0)
			outlook->points.high += more;
		else
			outlook->points.low -= more;
		if (more > 0)
			outlook->runs ^= outlook_mix(
			    (own & ((OUTLOOK_RANK(1) << 4 * most) - 1)) + 1,
			    outlook_salts[3 + party]);
	}
}

/* Points and wins for sets of coins. */
static void
judge_coins(struct outlook *outlook)
{
	const struct outlook_terms *terms = outlook->terms;

	if (terms->counts[SCOPA_ITEM_NAPOLA] ||
	    terms->counts[SCOPA_ITEM_PICCOLA])
		judge_runs(outlook);
	if (terms->counts[SCOPA_ITEM_GRANDE] &&
	    judge_all(
		outlook, &outlook->points, PICTURES, terms->rules->grande))
		outlook->runs ^= outlook_mix(outlook->piles[0] & PICTURES,
				     outlook_salts[5]) ^
		    outlook_mix(outlook->piles[1] & PICTURES, outlook_salts[6]);
	if (terms->counts[SCOPA_ITEM_TRENTE]) {
		for (int value = 1; value <= 3; value++)
			for (int i = 0; i < value; i++)
				judge_cards(outlook, OUTLOOK_RANK(value));
		if (judge_all(outlook, &outlook->wins, TRENTE, SOLVE_WIN))
			outlook->runs ^= outlook_mix(outlook->piles[0] & TRENTE,
					     outlook_salts[6]) ^
			    outlook_mix(
				outlook->piles[1] & TRENTE, outlook_salts[7]);
	}
}

/* Cards that a party will still play. */
static int
plays_left(const struct outlook *outlook, int party)
{
	const struct scopa_rules *rules = outlook->terms->rules;
	const struct scopa_deal *deal = outlook->deal;
	int each = (SCOPA_PACK_SIZE - deal->dealt) / rules->players, plays = 0;

	for (int seat = 0; seat < rules->players; seat++)
		if (scopa_party_of(rules, seat) == party)
			plays += each + scopa_set_count(deal->hands[seat]);
	return plays;
}

/* How many of them may be sweeps. */
static int
sweeps_left(const struct outlook *outlook, int party)
{
	const struct scopa_rules *rules = outlook->terms->rules;
	const struct scopa_deal *deal = outlook->deal;
	int plays = plays_left(outlook, party);

	if (plays == 0)
		return 0;
	/* The dealer plays last. */
	if (!rules->last_scopa && scopa_party_of(rules, deal->dealer) == party)
		plays--;
	if (plays > 0 && deal->table == SCOPA_SET_EMPTY &&
	    scopa_party_of(rules, deal->turn) == party)
		plays--;
	return plays;
}

/* Sweeps, which all four knights double. */
static void
judge_sweeps(struct outlook *outlook)
{
	const struct outlook_terms *terms = outlook->terms;
	scopa_set knights = scopa_set_of_value(KNIGHT);

	for (int party = 0; party < 2; party++) {
		scopa_set own = outlook->piles[party] & knights;
		int made = outlook->deal->scopas[party], worth = 1;
		int left = sweeps_left(outlook, party), more = 0;
		bool ponino = terms->counts[SCOPA_ITEM_PONINO] &&
		    !(outlook->piles[!party] & knights);

		if (ponino && own == knights)
			worth = 2;
		else if (ponino)
			more = made + left;
		outlook->points.base += (party == 0 ? made : -made) * worth;
		if (party == 0)
			outlook->points.high += left * worth + more;
		else
			outlook->points.low -= left * worth + more;
		/* Doubled already, or with so many that may be; or neither. */
		outlook_field(&outlook->counts, 6,
		    worth == 2   ? 63U
			: ponino ? (unsigned)made + 1
				 : 0U);
	}
}

/* Points of declarations, made and possible. */
static void
judge_declarations(struct outlook *outlook)
{
	const struct scopa_rules *rules = outlook->terms->rules;
	const struct scopa_deal *deal = outlook->deal;
	int rounds =
	    (SCOPA_PACK_SIZE - deal->dealt) / (rules->players * rules->hand);

	outlook->points.base += deal->declared[0] - deal->declared[1];
	for (int seat = 0; seat < rules->players; seat++) {
		int hands = rounds + (deal->untouched >> seat & 1);

		if (scopa_party_of(rules, seat) == 0)
			outlook->points.high += hands * DECLARATION_MAX;
		else
			outlook->points.low -= hands * DECLARATION_MAX;
	}
}

void
outlook_judge_points(struct outlook *outlook)
{
	judge_counts(outlook);
	judge_frac_king(outlook);
	judge_coins(outlook);
	if (outlook->terms->counts[SCOPA_ITEM_SCOPE])
		judge_sweeps(outlook);
	if (outlook->terms->counts[SCOPA_ITEM_DECLARED])
		judge_declarations(outlook);
}
