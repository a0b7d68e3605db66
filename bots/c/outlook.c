#include "outlook.h"

#include "outlook_parts.h"
#include "solve.h"

enum {
	RUN_LEAST = 3,
	SUITS_FIRST_STEP = 100, /* as scopa_score_count has it */
	SEVEN = 7
};

/* Digits of the golden ratio and of pi. */
const uint64_t outlook_salts[OUTLOOK_SALT_COUNT] = {
	UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0x243f6a8885a308d3),
	UINT64_C(0x13198a2e03707345), UINT64_C(0xa4093822299f31d1),
	UINT64_C(0x082efa98ec4e6c89), UINT64_C(0x452821e638d01377),
	UINT64_C(0xbe5466cf34e90c6d), UINT64_C(0xc0ac29b7c97c50dd)
};

/* Level of a card of each value. */
static const uint8_t level_of_value[SCOPA_VALUE_MAX + 1] = { 0, 6, 2, 3, 4, 5,
	7, 8, 1, 1, 1 };

static int
run_points(const struct scopa_rules *rules, int run)
{
	int points = 0;

	if (run < RUN_LEAST)
		return 0;
	if (rules->piccola)
		points = run < rules->piccola ? run : rules->piccola;
	switch ((enum scopa_napola)rules->napola) {
	case SCOPA_NAPOLA_NONE:
		break;
	case SCOPA_NAPOLA_RUN:
		return points + run;
	case SCOPA_NAPOLA_ONEPLUS:
		return points + run - RUN_LEAST + 1;
	case SCOPA_NAPOLA_S1:
		return points + (run == RUN_LEAST ? 1 : run);
	}
	return points;
}

void
outlook_terms_init(struct outlook_terms *terms, const struct scopa_rules *rules,
    const struct scopa_deal *deal, int root)
{
	static const int16_t points[OUTLOOK_LEVEL_COUNT] = { 0, 10, 12, 13, 14,
		15, 16, 18, 21 };
	const uint16_t *words = (const uint16_t *)rules;

	*terms = (struct outlook_terms){
		.rules = rules,
		.sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1,
		.parties = scopa_party_count(rules),
		.all_suits = rules->primiera_missing == SCOPA_PRIMIERA_ALL4,
		.wild = rules->declare != SCOPA_DECLARE_OFF,
	};
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		terms->counts[item] =
		    scopa_item_counts(rules, (enum scopa_item)item);
	for (int i = 1; i < OUTLOOK_LEVEL_COUNT; i++) {
		terms->level_points[i] = i == OUTLOOK_LEVEL_TOP - 1
		    ? rules->primiera_six
		    : points[i];
		if (rules->primiera_missing == SCOPA_PRIMIERA_SUITS_FIRST)
			terms->level_points[i] += SUITS_FIRST_STEP;
	}
	for (int run = 0; run <= SCOPA_VALUE_MAX; run++)
		terms->run_points[run] = (int16_t)run_points(rules, run);
	terms->salt = outlook_salts[0] + (uint64_t)(deal->dealer * 8 + root);
	for (size_t i = 0; i < sizeof(*rules) / sizeof(*words); i++)
		terms->salt =
		    outlook_mix(terms->salt ^ words[i], outlook_salts[1]);
	for (int i = deal->dealt; i < SCOPA_PACK_SIZE; i++)
		terms->salt =
		    outlook_mix(terms->salt ^ deal->pack[i], outlook_salts[2]);
}

void
outlook_levels_add(struct outlook_levels *levels, int party, scopa_set cards)
{
	unsigned best = levels->best[party];

	while (cards) {
		scopa_card card = scopa_set_take(&cards);
		unsigned level = level_of_value[scopa_card_value(card)];
		int shift = OUTLOOK_LEVEL_BITS * (int)scopa_card_suit(card);

		if ((best >> shift & OUTLOOK_LEVEL_MASK) < level)
			best = (best & ~(15U << shift)) | level << shift;
	}
	levels->best[party] = (uint16_t)best;
}

struct outlook_levels
outlook_levels_of(const struct scopa_deal *deal)
{
	struct outlook_levels levels = { { 0, 0 } };

	for (int party = 0; party < 2; party++)
		outlook_levels_add(&levels, party, deal->captured[party]);
	return levels;
}

static void
order_words(uint64_t *a, uint64_t *b)
{
	uint64_t less = *a < *b ? *a : *b, more = *a < *b ? *b : *a;

	*a = less;
	*b = more;
}

/* Nibble by nibble, of which the highest bits are 0: the less to *a. */
static void
order_nibbles(uint64_t *a, uint64_t *b)
{
	uint64_t not_less =
	    ((*a | (OUTLOOK_RANKS << 3)) - *b) >> 3 & OUTLOOK_RANKS;
	uint64_t swap = (*a ^ *b) & ((not_less << 4) - not_less);

	*a ^= swap;
	*b ^= swap;
}

/*
 * Where each card of each suit is, a nibble each: 0 in no hand, 1 on the table,
 * 2 and up in the hand of a seat.
 */
static void
places_of(const struct outlook *outlook, uint64_t places[SCOPA_SUIT_COUNT])
{
	const struct scopa_deal *deal = outlook->deal;
	scopa_set planes[3] = { deal->table, 0, 0 };

	for (int seat = 0; seat < outlook->terms->rules->players; seat++) {
		unsigned code = (unsigned)seat + 2;

		for (int bit = 0; bit < 3; bit++)
			if (code >> bit & 1)
				planes[bit] |= deal->hands[seat];
	}
	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++)
		places[suit] = (planes[0] >> suit & OUTLOOK_RANKS) |
		    (planes[1] >> suit & OUTLOOK_RANKS) << 1 |
		    (planes[2] >> suit & OUTLOOK_RANKS) << 2;
}

/*
 * Cards are told apart only as far as it matters.  Coins are all different.  Of
 * the plain suits, cards that cannot better a primiera any more are the same as
 * all others of their rank; and the suits may change places, but for those of
 * cards that are still to be dealt.
 */
static uint64_t
cards_key(const struct outlook *outlook)
{
	uint64_t suits[SCOPA_SUIT_COUNT], pools[SCOPA_SUIT_COUNT], key;
	bool wild = outlook->terms->wild;

	places_of(outlook, suits);
	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
		scopa_set ranks = outlook->ranks[suit];
		uint64_t kept = (ranks << 4) - ranks;

		if (wild && suit == SCOPA_COPPE)
			kept |= 15 * OUTLOOK_RANK(SEVEN);
		if (suit == SCOPA_DENARI)
			kept = OUTLOOK_RANKS * 15;
		pools[suit] = suits[suit] & ~kept;
		suits[suit] = (suits[suit] & kept) |
		    (uint64_t)outlook->levels[suit] << SCOPA_PACK_SIZE;
	}
	order_nibbles(&pools[1], &pools[2]);
	order_nibbles(&pools[2], &pools[3]);
	order_nibbles(&pools[1], &pools[2]);
	if (outlook->deal->dealt == SCOPA_PACK_SIZE) {
		order_words(&suits[2], &suits[3]);
		if (!wild) {
			order_words(&suits[1], &suits[2]);
			order_words(&suits[2], &suits[3]);
		}
	}
	key = outlook_mix(
	    suits[0] ^ outlook_salts[1], suits[1] ^ outlook_salts[2]);
	key ^= outlook_mix(
	    suits[2] ^ outlook_salts[3], suits[3] ^ outlook_salts[4]);
	key ^= outlook_mix(
	    pools[1] ^ outlook_salts[5], pools[2] ^ outlook_salts[6]);
	return outlook_mix(key ^ outlook_salts[7], pools[3] ^ outlook_salts[0]);
}

/* Who captured last: 1 and up, a party; 0 where it does not matter. */
static unsigned
last_party(const struct outlook *outlook)
{
	const struct scopa_rules *rules = outlook->terms->rules;
	const struct scopa_deal *deal = outlook->deal;
	int seat = deal->last == SCOPA_SEAT_NONE ? deal->dealer : deal->last;

	return rules->leftovers == SCOPA_LEFTOVERS_DEALER
	    ? 0
	    : (unsigned)scopa_party_of(rules, seat) + 1;
}

/* Whose turn it is, and what cards do not say. */
static uint64_t
rest_key(const struct outlook *outlook)
{
	const struct scopa_deal *deal = outlook->deal;
	uint64_t rest = 0;

	outlook_field(&rest, 8, deal->turn);
	outlook_field(&rest, 6, deal->dealt);
	outlook_field(&rest, 3, last_party(outlook));
	if (outlook->terms->wild) {
		outlook_field(&rest, 4, deal->matta);
		outlook_field(&rest, 8, deal->untouched);
		outlook_field(&rest, 8, deal->shown);
	}
	return rest;
}

/* With more than two parties every card is itself, and nothing is dropped. */
static uint64_t
whole_key(const struct outlook *outlook)
{
	const struct scopa_deal *deal = outlook->deal;
	uint64_t key = outlook->terms->salt ^ rest_key(outlook);

	key = outlook_mix(key, deal->table ^ outlook_salts[1]);
	for (int seat = 0; seat < outlook->terms->rules->players; seat++)
		key = outlook_mix(key ^ outlook_salts[2],
		    deal->hands[seat] ^ outlook_salts[3]);
	for (int party = 0; party < outlook->terms->parties; party++) {
		unsigned points =
		    deal->scopas[party] * 256U + deal->declared[party];

		key = outlook_mix(
		    key ^ points, deal->captured[party] ^ outlook_salts[4]);
	}
	return key;
}

uint64_t
outlook_key(const struct outlook *outlook)
{
	uint64_t rest;

	if (outlook->terms->parties > 2)
		return whole_key(outlook);
	rest = outlook_mix(outlook->counts ^ outlook_salts[6],
	    rest_key(outlook) ^ outlook_salts[7]);
	return outlook_mix(
	    outlook->terms->salt ^ cards_key(outlook), rest ^ outlook->runs);
}

void
outlook_make(const struct outlook_terms *terms, const struct scopa_deal *deal,
    struct outlook_levels levels, struct outlook *outlook)
{
	const struct outlook_share *points = &outlook->points;
	const struct outlook_share *wins = &outlook->wins;

	*outlook = (struct outlook){
		.terms = terms,
		.deal = deal,
		.piles = { deal->captured[0], deal->captured[1] },
		.open =
		    SCOPA_SET_ALL & ~(deal->captured[0] | deal->captured[1]),
	};
	if (terms->parties > 2) {
		outlook->low = -2 * SOLVE_WIN;
		outlook->high = 2 * SOLVE_WIN;
		return;
	}
	outlook_judge_points(outlook);
	outlook_judge_primiera(outlook, levels);
	outlook->base = terms->sign * points->base + wins->base;
	outlook->low =
	    wins->low + (terms->sign > 0 ? points->low : -points->high);
	outlook->high =
	    wins->high + (terms->sign > 0 ? points->high : -points->low);
}
