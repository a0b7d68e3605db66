/*
 * What a player who is to move can see and work out, before any one move is
 * looked at: what cards are worth to the races for points as they stand, and
 * how likely the next two players hold a card of each value.
 */
#ifndef SCOPA_BOT_POSITION_FEATURES_H
#define SCOPA_BOT_POSITION_FEATURES_H

#include "scopa/deal.h"

/* Bit v stands for the cards of value v. */
typedef uint32_t position_values;

/* A point for the most of something. */
struct position_race {
	int lead;  /* of the own team over the best other, may be negative */
	int left;  /* not yet in any pile */
	bool open; /* it counts, and is not decided */
};

/* What may be gained by taking one card, in shares of a point. */
struct position_worth {
	float coin;
	float settebello;
	float seven; /* one that may decide the primiera */
	float primiera;
	float bonus;  /* points of other rules */
	float points; /* all of that and the card itself, roughly */
};

/* Another player, or the mover himself where the turn comes back to him. */
struct position_holder {
	position_values laid; /* values that he has laid down in this hand */
	float lacks[SCOPA_VALUE_MAX + 1]; /* probability: no card of it */
};

struct position_features {
	const struct scopa_rules *rules;
	const struct scopa_deal *deal;
	scopa_set hand, table, unseen, gone; /* gone: in the piles */
	scopa_set laid_by_ally; /* cards on the table that a partner laid */
	struct position_holder next, after, third;
	float card; /* points of one card more */
	struct position_race cards, coins;
	float sign;       /* -1 where points are bad */
	int plays_left;   /* in the deal, this one included */
	bool dealer_team; /* of the mover */
	struct position_worth
	    worth[SCOPA_PACK_SIZE]; /* of hand and table only */
};

void position_init(struct position_features *position,
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/*
 * What taking `count` of a race changes, -2 to 2: from the points that it would
 * give at the present lead to those after; `count` is negative where others
 * take.
 */
float position_race_change(const struct position_race *race, int count);

/* Values of a set. */
position_values position_values_of(scopa_set set);

/* Values that take this card, or the whole table, from such a table. */
position_values position_takers(
    const struct scopa_rules *rules, scopa_set table, scopa_card card);
position_values position_sweepers(
    const struct scopa_rules *rules, scopa_set table);

/* Probability that he holds a card of one of these values. */
float position_holds(
    const struct position_holder *holder, position_values values);

/*
 * Points of the best capture of each value from such a table, a sweep
 * included; index 0 is unused, and 0 where it takes nothing.
 */
void position_replies(const struct position_features *position, scopa_set table,
    float replies[SCOPA_VALUE_MAX + 1]);

/* What the best card of a holder is worth on average. */
float position_expectation(const struct position_holder *holder,
    const float replies[SCOPA_VALUE_MAX + 1]);

#endif
