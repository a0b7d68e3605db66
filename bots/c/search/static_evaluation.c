/*
 * The static evaluation of a position, in this order: the points that are
 * decided and the bounds of the others, for each item of the rules; the
 * primiera; the key of the position.
 *
 * Each judge_ function adds the decided points to the base and the possible
 * ones to the bounds.  It also adds to the key what the open part depends on:
 * to `counts` in fields of bits, or to `runs` as a hash.  When an item is
 * decided, it adds a constant instead, so that positions that differ only in
 * decided items get the same key.
 */
#include "static_evaluation.h"

#include <assert.h>
#include <string.h>

#include "solve.h"

enum {
	LEVEL_BITS = 4, /* of one level in a packed word */
	LEVEL_MASK = 15,
	LEVEL_TOP = EVALUATION_LEVEL_COUNT - 1
};

/*
 * One bit for each rank: the set of all cards of coins, which other suits are
 * shifted to.
 */
#define RANKS SCOPA_SET_DENARI
#define RANK(value) (UINT64_C(1) << (4 * ((value)-1)))

enum { SALT_COUNT = 8 };

/* Odd constants without a pattern: digits of the golden ratio and of pi. */
static const uint64_t salts[SALT_COUNT] = { UINT64_C(0x9e3779b97f4a7c15),
	UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707345),
	UINT64_C(0xa4093822299f31d1), UINT64_C(0x082efa98ec4e6c89),
	UINT64_C(0x452821e638d01377), UINT64_C(0xbe5466cf34e90c6d),
	UINT64_C(0xc0ac29b7c97c50dd) };

/* Hashes two words to one that depends on every bit of both. */
static inline uint64_t
mix(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 product = a;

	product *= b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Shifts the word left and inserts a field of `bits` bits. */
static inline void
field_push(uint64_t *word, int bits, unsigned value)
{
	assert(value < 1U << bits);
	*word = *word << bits | value;
}

enum { SEVEN = 7, KNIGHT = 9, KING = 10, DECLARATION_MAX = 10 };

#define PICTURES (RANK(8) | RANK(9) | RANK(10))
#define TRENTE (RANK(1) | RANK(2) | RANK(3))
#define FRAC ((RANK(1) | PICTURES) * 15)

/* The team has these points for certain. */
static inline void
gain(struct evaluation_share *share, int team, int worth)
{
	share->base += team == 0 ? worth : -worth;
}

/* The team may still get these points. */
static inline void
may_gain(struct evaluation_share *share, int team, int worth)
{
	if (team == 0)
		share->high += worth;
	else
		share->low -= worth;
}

/* Items in which every card gives `worth` points to its owner. */
static void
judge_cards(struct evaluation *evaluation, scopa_set cards, int worth)
{
	int open = worth * scopa_set_count(evaluation->open & cards);

	for (int team = 0; team < 2; team++) {
		gain(&evaluation->points, team,
		    worth * scopa_set_count(evaluation->piles[team] & cards));
		may_gain(&evaluation->points, team, open);
	}
}

/*
 * One point for most of these cards.  Returns whether the item is open.  Then
 * the future depends on the number that team A has.
 */
static bool
judge_most(struct evaluation *evaluation, scopa_set cards)
{
	int a = scopa_set_count(evaluation->piles[0] & cards);
	int b = scopa_set_count(evaluation->piles[1] & cards);
	int open = scopa_set_count(evaluation->open & cards);

	if (a > b + open || b > a + open) {
		gain(&evaluation->points, a < b, 1);
		return false;
	}
	may_gain(&evaluation->points, 0, a + open > b);
	may_gain(&evaluation->points, 1, b + open > a);
	return open > 0;
}

/*
 * Adds to the key: the number of these cards that A has, plus one, when the
 * item is open; else 0.
 */
static void
field_add_count(
    struct evaluation *evaluation, int bits, scopa_set cards, bool open)
{
	unsigned count =
	    (unsigned)scopa_set_count(evaluation->piles[0] & cards);

	field_push(&evaluation->counts, bits, open ? count + 1 : 0);
}

/*
 * A team that has all of these cards gets `worth`.  Returns whether a team may
 * still do so.  Then the future depends on which of the cards each team has.
 */
static bool
judge_all(const struct evaluation *evaluation, struct evaluation_share *share,
    scopa_set cards, int worth)
{
	scopa_set a = evaluation->piles[0] & cards,
		  b = evaluation->piles[1] & cards;

	if (a && b)
		return false;
	if (a == cards || b == cards) {
		gain(share, a != cards, worth);
		return false;
	}
	may_gain(share, 0, b ? 0 : worth);
	may_gain(share, 1, a ? 0 : worth);
	return true;
}

static void
judge_counts(struct evaluation *evaluation)
{
	const struct evaluation_terms *terms = evaluation->terms;
	const bool *counts = terms->counts;
	scopa_set coins = SCOPA_SET_DENARI;
	scopa_set sevens = scopa_set_of_value(SEVEN);
	bool open;

	open =
	    counts[SCOPA_ITEM_CARDS] && judge_most(evaluation, SCOPA_SET_ALL);
	field_add_count(evaluation, 6, SCOPA_SET_ALL, open);
	open = counts[SCOPA_ITEM_COINS] && judge_most(evaluation, coins);
	/* A team with all coins has also won by trente. */
	if (counts[SCOPA_ITEM_ALL_COINS] && !counts[SCOPA_ITEM_TRENTE])
		open |=
		    judge_all(evaluation, &evaluation->wins, coins, SOLVE_WIN);
	field_add_count(evaluation, 4, coins, open);
	open = counts[SCOPA_ITEM_SEVENS] && judge_most(evaluation, sevens);
	if (counts[SCOPA_ITEM_ALL_SEVENS])
		open |= judge_all(evaluation, &evaluation->points, sevens, 1);
	field_add_count(evaluation, 3, sevens, open);
	if (counts[SCOPA_ITEM_SETTEBELLO])
		judge_cards(evaluation, RANK(SEVEN), 1);
	if (counts[SCOPA_ITEM_RE_BELLO])
		judge_cards(evaluation, RANK(KING), 1);
	if (counts[SCOPA_ITEM_FRAC])
		judge_cards(evaluation, FRAC, 1);
}

/*
 * The king of coins breaks a tie in the item "most frac cards" for its owner.
 */
static void
judge_frac_king(struct evaluation *evaluation)
{
	int a = scopa_set_count(evaluation->piles[0] & FRAC);
	int b = scopa_set_count(evaluation->piles[1] & FRAC);
	int open = scopa_set_count(evaluation->open & FRAC);
	int ahead = a > b ? a - b : b - a;
	bool tie =
	    evaluation->terms->counts[SCOPA_ITEM_FRAC_KING] && ahead <= open;
	unsigned holder = 1; /* 2: team A, 0: team B */

	for (int team = 0; team < 2; team++)
		if (evaluation->piles[team] & RANK(KING))
			holder = team == 0 ? 2 : 0;
	if (tie && open == 0)
		evaluation->points.base += (int)holder - 1;
	if (tie && open > 0) {
		may_gain(&evaluation->points, 0, holder >= 1);
		may_gain(&evaluation->points, 1, holder <= 1);
	}
	field_add_count(evaluation, 5, FRAC, tie && open > 0);
	field_push(&evaluation->counts, 2, tie && open > 0 ? holder : 0U);
}

static unsigned
run_from_ace(scopa_set ranks)
{
	scopa_set missing = ~ranks & RANKS;

	return missing ? (unsigned)scopa_set_first(missing) / 4
		       : SCOPA_VALUE_MAX;
}

/* Points for a run of coins from the ace on. */
static void
judge_runs(struct evaluation *evaluation)
{
	const int16_t *points = evaluation->terms->run_points;

	for (int team = 0; team < 2; team++) {
		scopa_set own = evaluation->piles[team] & RANKS;
		unsigned most = run_from_ace(RANKS & ~evaluation->piles[!team]);
		int sure = points[run_from_ace(own)];
		int more = points[most] - sure;

		gain(&evaluation->points, team, sure);
		may_gain(&evaluation->points, team, more);
		if (more > 0)
			evaluation->runs ^=
			    mix((own & ((RANK(1) << 4 * most) - 1)) + 1,
				salts[3 + team]);
	}
}

/* Hashes which of these cards each team has. */
static uint64_t
key_of_piles(const struct evaluation *evaluation, scopa_set cards, int salt)
{
	return mix(evaluation->piles[0] & cards, salts[salt]) ^
	    mix(evaluation->piles[1] & cards, salts[salt + 1]);
}

/* Points and instant wins for sets of coins. */
static void
judge_coins(struct evaluation *evaluation)
{
	const struct evaluation_terms *terms = evaluation->terms;

	if (terms->counts[SCOPA_ITEM_NAPOLA] ||
	    terms->counts[SCOPA_ITEM_PICCOLA])
		judge_runs(evaluation);
	if (terms->counts[SCOPA_ITEM_GRANDE] &&
	    judge_all(evaluation, &evaluation->points, PICTURES,
		terms->rules->grande))
		evaluation->runs ^= key_of_piles(evaluation, PICTURES, 5);
	if (terms->counts[SCOPA_ITEM_TRENTE]) {
		for (int value = 1; value <= 3; value++)
			judge_cards(evaluation, RANK(value), value);
		if (judge_all(evaluation, &evaluation->wins, TRENTE, SOLVE_WIN))
			evaluation->runs ^= key_of_piles(evaluation, TRENTE, 6);
	}
}

/* Returns how many of the team's later plays may be sweeps. */
static int
sweeps_left(const struct evaluation *evaluation, int team)
{
	const struct scopa_rules *rules = evaluation->terms->rules;
	const struct scopa_deal *deal = evaluation->deal;
	int each = (SCOPA_PACK_SIZE - deal->dealt) / rules->players, plays = 0;

	for (int seat = 0; seat < rules->players; seat++)
		if (scopa_team_of(rules, seat) == team)
			plays += each + scopa_set_count(deal->hands[seat]);
	/*
	 * The dealer makes the last play, which is no sweep under these rules.
	 */
	if (plays > 0 && !rules->last_scopa &&
	    scopa_team_of(rules, deal->dealer) == team)
		plays--;
	if (plays > 0 && deal->table == SCOPA_SET_EMPTY &&
	    scopa_team_of(rules, deal->turn) == team)
		plays--;
	return plays;
}

/* Points for sweeps.  A team with all four knights gets twice as many. */
static void
judge_sweeps(struct evaluation *evaluation)
{
	const struct evaluation_terms *terms = evaluation->terms;
	scopa_set knights = scopa_set_of_value(KNIGHT);

	for (int team = 0; team < 2; team++) {
		scopa_set own = evaluation->piles[team] & knights;
		int made = evaluation->deal->scopas[team], worth = 1;
		int left = sweeps_left(evaluation, team), more = 0;
		bool ponino = terms->counts[SCOPA_ITEM_PONINO] &&
		    !(evaluation->piles[!team] & knights);

		if (ponino && own == knights)
			worth = 2;
		else if (ponino)
			more = made + left;
		gain(&evaluation->points, team, made * worth);
		may_gain(&evaluation->points, team, left * worth + more);
		/*
		 * 63: doubled already; made + 1: may still be doubled; 0: never
		 * doubled.
		 */
		field_push(&evaluation->counts, 6,
		    worth == 2   ? 63U
			: ponino ? (unsigned)made + 1
				 : 0U);
	}
}

/* Points for declarations: those made, and bounds of those to come. */
static void
judge_declarations(struct evaluation *evaluation)
{
	const struct scopa_rules *rules = evaluation->terms->rules;
	const struct scopa_deal *deal = evaluation->deal;
	int rounds =
	    (SCOPA_PACK_SIZE - deal->dealt) / (rules->players * rules->hand);

	evaluation->points.base += deal->declared[0] - deal->declared[1];
	for (int seat = 0; seat < rules->players; seat++) {
		int hands = rounds + (deal->untouched >> seat & 1);

		may_gain(&evaluation->points, scopa_team_of(rules, seat),
		    hands * DECLARATION_MAX);
	}
}

/*
 * The primiera: whether it is decided, and which cards and suits may still
 * change it.
 */

/* The ranks with more primiera points than each level. */
static const scopa_set ranks_above[EVALUATION_LEVEL_COUNT] = {
	RANKS,
	RANKS & ~PICTURES,
	RANKS & ~(PICTURES | RANK(2)),
	RANKS & ~(PICTURES | RANK(2) | RANK(3)),
	RANK(7) | RANK(6) | RANK(1) | RANK(5),
	RANK(7) | RANK(6) | RANK(1),
	RANK(7) | RANK(6),
	RANK(7),
};

/* The primieras of both teams. */
struct primieras {
	int least, most; /* bounds of A's points less B's */
	bool full[2];    /* the team has all suits that it needs */
	bool able[2];    /* the team may still get these suits */
};

static unsigned
top_level(scopa_set ranks)
{
	unsigned level = LEVEL_TOP;

	while (level > 0 && !(ranks & ranks_above[level - 1]))
		level--;
	return level;
}

/* Fills the open ranks and the levels of each suit; returns the sums. */
static struct primieras
primieras_of(struct evaluation *evaluation, struct evaluation_levels levels)
{
	const struct evaluation_terms *terms = evaluation->terms;
	const int16_t *points = terms->level_points;
	struct primieras both = { .full = { true, true },
		.able = { true, true } };

	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
		int shift = LEVEL_BITS * suit;
		unsigned a = levels.best[0] >> shift & LEVEL_MASK;
		unsigned b = levels.best[1] >> shift & LEVEL_MASK;
		scopa_set ranks =
		    evaluation->open >> suit & ranks_above[a < b ? a : b];
		unsigned top = top_level(ranks);
		unsigned high_a = a > top ? a : top, high_b = b > top ? b : top;

		both.most += points[high_a] - points[b];
		both.least += points[a] - points[high_b];
		if (terms->all_suits) {
			both.full[0] &= a > 0;
			both.full[1] &= b > 0;
			both.able[0] &= high_a > 0;
			both.able[1] &= high_b > 0;
		}
		evaluation->ranks[suit] = ranks;
		evaluation->levels[suit] = (uint16_t)(a | b << LEVEL_BITS);
	}
	return both;
}

/*
 * Only one team can still get a primiera.  It then only needs one card of each
 * suit, so the key contains only which suits it has.
 */
static void
primiera_alone(struct evaluation *evaluation, int team)
{
	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
		unsigned level =
		    evaluation->levels[suit] >> (team * LEVEL_BITS) &
		    LEVEL_MASK;

		evaluation->levels[suit] = level > 0;
		evaluation->ranks[suit] =
		    level > 0 ? 0 : evaluation->open >> suit & RANKS;
	}
	may_gain(&evaluation->points, team, 1);
}

/* Adds the point or its bounds.  Returns whether the primiera is still open. */
static bool
primiera_decide(struct evaluation *evaluation, const struct primieras *both)
{
	const bool ahead[2] = { both->least > 0, both->most < 0 };
	bool high = both->most > 0 || !both->full[1];
	bool low = both->least < 0 || !both->full[0];

	if (!both->able[0] && !both->able[1])
		return false;
	for (int team = 0; team < 2; team++)
		if (both->full[team] && (!both->able[!team] || ahead[team])) {
			gain(&evaluation->points, team, 1);
			return false;
		}
	if (!both->able[0] || !both->able[1]) {
		primiera_alone(evaluation, both->able[0] ? 0 : 1);
		return true;
	}
	may_gain(&evaluation->points, 0, high);
	may_gain(&evaluation->points, 1, low);
	return high || low;
}

/*
 * The primiera.  When it is open, the key contains the levels of the suits that
 * may change, the sum of the other suits, and the ranks that can raise a level.
 */
static void
judge_primiera(struct evaluation *evaluation, struct evaluation_levels levels)
{
	const int16_t *points = evaluation->terms->level_points;
	int closed = 0;

	if (evaluation->terms->counts[SCOPA_ITEM_PRIMIERA]) {
		struct primieras both = primieras_of(evaluation, levels);

		if (primiera_decide(evaluation, &both)) {
			bool alone = !both.able[0] || !both.able[1];

			for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
				unsigned level = evaluation->levels[suit];

				if (evaluation->ranks[suit] || alone)
					continue;
				closed += points[level & LEVEL_MASK] -
				    points[level >> LEVEL_BITS];
				evaluation->levels[suit] = 0;
			}
			evaluation->runs ^=
			    mix((uint64_t)(closed + (1 << 12)) << 2 |
				    (unsigned)both.able[0] << 1 |
				    (unsigned)both.able[1],
				salts[2]);
			return;
		}
	}
	memset(evaluation->ranks, 0, sizeof(evaluation->ranks));
	memset(evaluation->levels, 0, sizeof(evaluation->levels));
}

/* The same constant as in scopa_score_count(). */
enum { SUITS_FIRST_STEP = 100 };

/* The primiera level of each card value. */
static const uint8_t level_of_value[SCOPA_VALUE_MAX + 1] = { 0, 6, 2, 3, 4, 5,
	7, 8, 1, 1, 1 };

/* Returns the points of a team for a run of so many coins from the ace on. */
static int
run_points(const struct scopa_rules *rules, int run)
{
	const struct scopa_deal deal = {
		.captured = { RANKS & ((UINT64_C(1) << 4 * run) - 1) },
		.winner = SCOPA_TEAM_NONE,
	};
	struct scopa_score score;

	scopa_score_count(rules, &deal, &score);
	return score.points[0][SCOPA_ITEM_NAPOLA] +
	    score.points[0][SCOPA_ITEM_PICCOLA];
}

void
evaluation_terms_init(struct evaluation_terms *terms,
    const struct scopa_rules *rules, const struct scopa_deal *deal, int root)
{
	static const int16_t points[EVALUATION_LEVEL_COUNT] = { 0, 10, 12, 13,
		14, 15, 16, 18, 21 };
	const uint16_t *words = (const uint16_t *)rules;

	*terms = (struct evaluation_terms){
		.rules = rules,
		.sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1,
		.teams = scopa_team_count(rules),
		.all_suits = rules->primiera_missing == SCOPA_PRIMIERA_ALL4,
		.wild = rules->declare != SCOPA_DECLARE_OFF,
	};
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		terms->counts[item] =
		    scopa_item_counts(rules, (enum scopa_item)item);
	for (int i = 1; i < EVALUATION_LEVEL_COUNT; i++) {
		terms->level_points[i] =
		    i == LEVEL_TOP - 1 ? rules->primiera_six : points[i];
		if (rules->primiera_missing == SCOPA_PRIMIERA_SUITS_FIRST)
			terms->level_points[i] += SUITS_FIRST_STEP;
	}
	for (int run = 0; run <= SCOPA_VALUE_MAX; run++)
		terms->run_points[run] = (int16_t)run_points(rules, run);
	terms->salt = salts[0] + (uint64_t)(deal->dealer * 8 + root);
	for (size_t i = 0; i < sizeof(*rules) / sizeof(*words); i++)
		terms->salt = mix(terms->salt ^ words[i], salts[1]);
	for (int i = deal->dealt; i < SCOPA_PACK_SIZE; i++)
		terms->salt = mix(terms->salt ^ deal->pack[i], salts[2]);
}

void
evaluation_levels_add(
    struct evaluation_levels *levels, int team, scopa_set cards)
{
	unsigned best = levels->best[team];

	while (cards) {
		scopa_card card = scopa_set_take(&cards);
		unsigned level = level_of_value[scopa_card_value(card)];
		int shift = LEVEL_BITS * (int)scopa_card_suit(card);

		if ((best >> shift & LEVEL_MASK) < level)
			best = (best & ~(15U << shift)) | level << shift;
	}
	levels->best[team] = (uint16_t)best;
}

struct evaluation_levels
evaluation_levels_of(const struct scopa_deal *deal)
{
	struct evaluation_levels levels = { { 0, 0 } };

	for (int team = 0; team < 2; team++)
		evaluation_levels_add(&levels, team, deal->captured[team]);
	return levels;
}

static void
order_words(uint64_t *a, uint64_t *b)
{
	uint64_t words[2] = { *a, *b };

	*a = words[words[0] >= words[1]];
	*b = words[words[0] < words[1]];
}

/*
 * Sorts each pair of nibbles: the smaller one to *a.  The highest bit of each
 * nibble must be 0.
 */
static void
order_nibbles(uint64_t *a, uint64_t *b)
{
	uint64_t not_less = ((*a | (RANKS << 3)) - *b) >> 3 & RANKS;
	uint64_t swap = (*a ^ *b) & ((not_less << 4) - not_less);

	*a ^= swap;
	*b ^= swap;
}

/*
 * Writes the place of each card of each suit, one nibble a card: 0 in no hand,
 * 1 on the table, 2 or more in the hand of a seat.
 */
static void
places_of(
    const struct evaluation *evaluation, uint64_t places[SCOPA_SUIT_COUNT])
{
	const struct scopa_deal *deal = evaluation->deal;
	scopa_set planes[3] = { deal->table, 0, 0 };

	for (unsigned seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		for (int bit = 0; bit < 3; bit++)
			if ((seat + 2) >> bit & 1)
				planes[bit] |= deal->hands[seat];
	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++)
		places[suit] = (planes[0] >> suit & RANKS) |
		    (planes[1] >> suit & RANKS) << 1 |
		    (planes[2] >> suit & RANKS) << 2;
}

/*
 * Hashes the places of the cards, without differences that do not matter.
 * Coins are all different.  In the other suits, cards that cannot raise a
 * primiera level count as equal to all others of their rank.  Suits may be
 * swapped, unless cards are still to be dealt.
 */
static uint64_t
cards_key(const struct evaluation *evaluation)
{
	uint64_t suits[SCOPA_SUIT_COUNT], pools[SCOPA_SUIT_COUNT], key;
	bool wild = evaluation->terms->wild;

	places_of(evaluation, suits);
	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
		scopa_set ranks = evaluation->ranks[suit];
		uint64_t kept = (ranks << 4) - ranks;

		if (wild && suit == SCOPA_COPPE)
			kept |= 15 * RANK(SEVEN);
		if (suit == SCOPA_DENARI)
			kept = RANKS * 15;
		pools[suit] = suits[suit] & ~kept;
		suits[suit] = (suits[suit] & kept) |
		    (uint64_t)evaluation->levels[suit] << SCOPA_PACK_SIZE;
	}
	order_nibbles(&pools[1], &pools[2]);
	order_nibbles(&pools[2], &pools[3]);
	order_nibbles(&pools[1], &pools[2]);
	if (evaluation->deal->dealt == SCOPA_PACK_SIZE) {
		order_words(&suits[2], &suits[3]);
		if (!wild) {
			order_words(&suits[1], &suits[2]);
			order_words(&suits[2], &suits[3]);
		}
	}
	key = mix(suits[0] ^ salts[1], suits[1] ^ salts[2]);
	key ^= mix(suits[2] ^ salts[3], suits[3] ^ salts[4]);
	key ^= mix(pools[1] ^ salts[5], pools[2] ^ salts[6]);
	return mix(key ^ salts[7], pools[3] ^ salts[0]);
}

/* The turn, the last team to capture, and the other state outside the cards. */
static uint64_t
rest_key(const struct evaluation *evaluation)
{
	const struct scopa_rules *rules = evaluation->terms->rules;
	const struct scopa_deal *deal = evaluation->deal;
	int last = deal->last == SCOPA_SEAT_NONE ? deal->dealer : deal->last;
	uint64_t rest = 0;

	field_push(&rest, 8, deal->turn);
	field_push(&rest, 6, deal->dealt);
	field_push(&rest, 3,
	    rules->leftovers == SCOPA_LEFTOVERS_DEALER
		? 0
		: (unsigned)scopa_team_of(rules, last) + 1);
	if (evaluation->terms->wild) {
		field_push(&rest, 4, deal->matta);
		field_push(&rest, 8, deal->untouched);
		field_push(&rest, 8, deal->shown);
	}
	return rest;
}

/* The key with more than two teams: no simplification is made. */
static uint64_t
whole_key(const struct evaluation *evaluation)
{
	const struct scopa_deal *deal = evaluation->deal;
	uint64_t key = evaluation->terms->salt ^ rest_key(evaluation);

	key = mix(key, deal->table ^ salts[1]);
	for (int seat = 0; seat < evaluation->terms->rules->players; seat++)
		key = mix(key ^ salts[2], deal->hands[seat] ^ salts[3]);
	for (int team = 0; team < evaluation->terms->teams; team++) {
		unsigned points =
		    deal->scopas[team] * 256U + deal->declared[team];

		key = mix(key ^ points, deal->captured[team] ^ salts[4]);
	}
	return key;
}

uint64_t
evaluation_key(const struct evaluation *evaluation)
{
	uint64_t rest;

	if (evaluation->terms->teams > 2)
		return whole_key(evaluation);
	rest =
	    mix(evaluation->counts ^ salts[6], rest_key(evaluation) ^ salts[7]);
	return mix(evaluation->terms->salt ^ cards_key(evaluation),
	    rest ^ evaluation->runs);
}

_Static_assert(SCOPA_ITEM_COUNT == 17,
    "evaluation_make() judges every item: the solver is exact");

void
evaluation_make(const struct evaluation_terms *terms,
    const struct scopa_deal *deal, struct evaluation_levels levels,
    struct evaluation *evaluation)
{
	const struct evaluation_share *points = &evaluation->points;
	const struct evaluation_share *wins = &evaluation->wins;

	*evaluation = (struct evaluation){
		.terms = terms,
		.deal = deal,
		.piles = { deal->captured[0], deal->captured[1] },
		.open =
		    SCOPA_SET_ALL & ~(deal->captured[0] | deal->captured[1]),
	};
	if (terms->teams > 2) {
		evaluation->low = -2 * SOLVE_WIN;
		evaluation->high = 2 * SOLVE_WIN;
		return;
	}
	judge_counts(evaluation);
	judge_frac_king(evaluation);
	judge_coins(evaluation);
	if (terms->counts[SCOPA_ITEM_SCOPE])
		judge_sweeps(evaluation);
	if (terms->counts[SCOPA_ITEM_DECLARED])
		judge_declarations(evaluation);
	judge_primiera(evaluation, levels);
	evaluation->base = terms->sign * points->base + wins->base;
	evaluation->low =
	    wins->low + (terms->sign > 0 ? points->low : -points->high);
	evaluation->high =
	    wins->high + (terms->sign > 0 ? points->high : -points->low);
}
