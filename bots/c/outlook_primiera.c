/*
 * The primiera of a position: whether it is decided, and which cards and which
 * suits may still change it.
 */
#include <string.h>

#include "outlook_parts.h"

#define PICTURES (OUTLOOK_RANK(8) | OUTLOOK_RANK(9) | OUTLOOK_RANK(10))

/* The ranks that are above a level. */
static const scopa_set ranks_above[OUTLOOK_LEVEL_COUNT] = {
	OUTLOOK_RANKS,
	OUTLOOK_RANKS & ~PICTURES,
	OUTLOOK_RANKS & ~(PICTURES | OUTLOOK_RANK(2)),
	OUTLOOK_RANKS & ~(PICTURES | OUTLOOK_RANK(2) | OUTLOOK_RANK(3)),
	OUTLOOK_RANK(7) | OUTLOOK_RANK(6) | OUTLOOK_RANK(1) | OUTLOOK_RANK(5),
	OUTLOOK_RANK(7) | OUTLOOK_RANK(6) | OUTLOOK_RANK(1),
	OUTLOOK_RANK(7) | OUTLOOK_RANK(6),
	OUTLOOK_RANK(7),
	0,
};

/* Both parties' primieras: what they are sure of and what they may come to. */
struct primieras {
	int least, most; /* of A less B */
	bool full[2];    /* has all suits that are needed */
	bool able[2];    /* may still have them */
};

static unsigned
top_level(scopa_set ranks)
{
	unsigned level = OUTLOOK_LEVEL_TOP;

	while (level > 0 && !(ranks & ranks_above[level - 1]))
		level--;
	return level;
}

/* The open ranks and levels of each suit, and the sums over them. */
static struct primieras
primieras_of(struct outlook *outlook, struct outlook_levels levels)
{
	const struct outlook_terms *terms = outlook->terms;
	const int16_t *points = terms->level_points;
	struct primieras both = { .full = { true, true },
		.able = { true, true } };

	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
		int shift = OUTLOOK_LEVEL_BITS * suit;
		unsigned a = levels.best[0] >> shift & OUTLOOK_LEVEL_MASK;
		unsigned b = levels.best[1] >> shift & OUTLOOK_LEVEL_MASK;
		scopa_set ranks =
		    outlook->open >> suit & ranks_above[a < b ? a : b];
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
		outlook->ranks[suit] = ranks;
		outlook->levels[suit] = (uint16_t)(a | b << OUTLOOK_LEVEL_BITS);
	}
	return both;
}

/* One party will have no primiera: the other one needs but a card a suit. */
static void
primiera_alone(struct outlook *outlook, int party)
{
	for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
		unsigned level =
		    outlook->levels[suit] >> (party * OUTLOOK_LEVEL_BITS) &
		    OUTLOOK_LEVEL_MASK;

		outlook->levels[suit] = level > 0;
		outlook->ranks[suit] =
		    level > 0 ? 0 : outlook->open >> suit & OUTLOOK_RANKS;
	}
	if (party == 0)
		outlook->points.high++;
	else
		outlook->points.low--;
}

/* Whether the primiera is open still; points and bounds. */
static bool
primiera_decide(struct outlook *outlook, const struct primieras *both)
{
	bool high, low;

	if (!both->able[0] && !both->able[1])
		return false;
	if ((!both->able[1] && both->full[0]) ||
	    (both->least > 0 && both->full[0])) {
		outlook->points.base++;
		return false;
	}
	if ((!both->able[0] && both->full[1]) ||
	    (both->most < 0 && both->full[1])) {
		outlook->points.base--;
		return false;
	}
	if (!both->able[0] || !both->able[1]) {
		primiera_alone(outlook, both->able[0] ? 0 : 1);
		return true;
	}
	high = both->most > 0 || !both->full[1];
	low = both->least < 0 || !both->full[0];
	outlook->points.high += high;
	outlook->points.low -= low;
	return high || low;
}

void
outlook_judge_primiera(struct outlook *outlook, struct outlook_levels levels)
{
	const int16_t *points = outlook->terms->level_points;
	int closed = 0;

	if (outlook->terms->counts[SCOPA_ITEM_PRIMIERA]) {
		struct primieras both = primieras_of(outlook, levels);

		if (primiera_decide(outlook, &both)) {
			bool alone = !both.able[0] || !both.able[1];

			for (int suit = 0; suit < SCOPA_SUIT_COUNT; suit++) {
				unsigned level = outlook->levels[suit];

				if (outlook->ranks[suit] || alone)
					continue;
				closed += points[level & OUTLOOK_LEVEL_MASK] -
				    points[level >> OUTLOOK_LEVEL_BITS];
				outlook->levels[suit] = 0;
			}
			outlook->runs ^=
			    outlook_mix((uint64_t)(closed + (1 << 12)) << 2 |
				    (unsigned)both.able[0] << 1 |
				    (unsigned)both.able[1],
				outlook_salts[2]);
			return;
		}
	}
	memset(outlook->ranks, 0, sizeof(outlook->ranks));
	memset(outlook->levels, 0, sizeof(outlook->levels));
}
