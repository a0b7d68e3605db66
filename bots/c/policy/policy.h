/*
 * The policy: how likely each legal move is, for a player who knows the public
 * information and the own hand.  It is the prior of a search, and a model of
 * other players when their cards are inferred from their plays.
 *
 * The policy is a softmax over a linear function of the features in enum
 * policy_feature.  The weights are learned (policy_table.tsv,
 * policy_model.tsv): one set for each family of rules and each phase of the
 * deal.  All features depend only on the parameters of the rules; no preset is
 * known by name.
 */
#ifndef SCOPA_BOT_POLICY_H
#define SCOPA_BOT_POLICY_H

#include "scopa/deal.h"

enum policy_feature {
	/* The capture. */
	POLICY_CAPTURE,         /* the move captures something */
	POLICY_SWEEP,           /* points for a sweep */
	POLICY_TAKE_CARDS,      /* change in the race for most cards */
	POLICY_TAKE_COINS,      /* change in the race for most coins */
	POLICY_TAKE_SETTEBELLO, /* the settebello is captured */
	POLICY_TAKE_SEVENS,     /* sevens captured, if the primiera is open */
	/* primiera points won, or denied to the other team */
	POLICY_TAKE_PRIMIERA,
	/* points of special rules: runs of coins, kings, aces, sevens */
	POLICY_TAKE_BONUS,
	POLICY_TAKE_OF_ALLY, /* captured cards that a partner has played */
	POLICY_TAKE_HELD,    /* cards of the same value that stay in the hand */
	/*
	 * deck empty: greater when fewer plays are left, since this capture may
	 * be the last
	 */
	POLICY_TAKE_LATE,
	/*
	 * the dealer's team: increase in the number of values with an odd
	 * number of cards gone
	 */
	POLICY_UNPAIR_DEALER,
	POLICY_UNPAIR_HAND, /* the same for the other team */

	/* What the next player can capture afterwards. */
	POLICY_NEXT_SWEEP,   /* probability of a sweep */
	POLICY_NEXT_CAPTURE, /* probability of any capture */
	POLICY_NEXT_COINS,   /* coins, times the probability of their capture */
	POLICY_NEXT_SETTEBELLO, /* probability of a capture of the settebello */
	POLICY_NEXT_SEVENS,     /* sevens, times the probability */
	POLICY_NEXT_PRIMIERA,   /* primiera points, times the probability */
	POLICY_NEXT_BONUS, /* points of special rules, times the probability */

	/*
	 * What the player after the next can capture, if the next player
	 * captures nothing.
	 */
	POLICY_AFTER_SWEEP,      /* probability of a sweep */
	POLICY_AFTER_CAPTURE,    /* probability of any capture */
	POLICY_AFTER_COINS,      /* coins that the next player cannot capture */
	POLICY_AFTER_SETTEBELLO, /* the settebello, likewise */
	POLICY_AFTER_SEVENS,     /* sevens, likewise */
	POLICY_AFTER_PRIMIERA,   /* primiera points, likewise */
	POLICY_AFTER_BONUS,      /* points of special rules, likewise */

	/* The table after the move. */
	POLICY_TABLE_EMPTY, /* the table is empty */
	POLICY_TABLE_LOW,   /* one card of some value can sweep the table */
	POLICY_TABLE_TOTAL, /* total of the table, divided by 20 */
	POLICY_TABLE_OWN,   /* the own hand can capture something */

	/* A card that is played without a capture. */
	POLICY_LAY_HELD,   /* cards of the same value that stay in the hand */
	POLICY_LAY_UNSEEN, /* unseen cards of the same value */
	/* the player after the next has also played this value to the table */
	POLICY_LAY_LIKE_AFTER,
	/* the next player has also played this value to the table */
	POLICY_LAY_LIKE_NEXT,
	POLICY_LAY_COIN,     /* a coin, by its value */
	POLICY_LAY_PRIMIERA, /* its primiera points */
	POLICY_LAY_BONUS,    /* its points by special rules */

	/* Estimated points of the capture and of later captures. */
	POLICY_GAIN,       /* points of the capture */
	POLICY_NEXT_REPLY, /* mean points of the next player's best capture */
	/* of the player after the next, if the next captures nothing */
	POLICY_AFTER_REPLY,
	/* of the third player, if these two capture nothing */
	POLICY_THIRD_REPLY,
	POLICY_OWN_REPLY, /* points of the own best capture later */
	/* points on the table when the own team captured last, by plays left */
	POLICY_REST_OWN,
	POLICY_REST_OTHER, /* the same when another team captured last */

	/* The value of the card, 1 to 10: ten features each. */
	POLICY_LAY_VALUE,
	POLICY_TAKE_VALUE = POLICY_LAY_VALUE + SCOPA_VALUE_MAX,

	POLICY_FEATURE_COUNT = POLICY_TAKE_VALUE + SCOPA_VALUE_MAX
};

/* Groups of rules that need similar play. */
enum policy_family {
	POLICY_SCOPONE,  /* all cards are dealt at once */
	POLICY_PAIR,     /* with a deck, two players */
	POLICY_CROWD,    /* with a deck, more players, no partners */
	POLICY_PARTNERS, /* with a deck and partners */
	POLICY_FIFTEEN,  /* captures sum to fifteen */
	POLICY_CIRULLA,  /* captures sum to the card or to fifteen */
	POLICY_FAMILY_COUNT
};

/*
 * Phases of a deal with a deck: full hands; hands partly played; the deck is
 * empty.  Without a deck: thirds of the plays.
 */
enum { POLICY_PHASE_COUNT = 3 };

/* Weights of one family. */
struct policy_table {
	float weights[POLICY_PHASE_COUNT][POLICY_FEATURE_COUNT];
};

/*
 * The learned weights: policy_tables for good play, policy_models for the play
 * of typical players, which fits better when their plays are read.
 * policy_tables.awk makes both from policy_table.tsv and policy_model.tsv.
 */
extern const struct policy_table policy_tables[POLICY_FAMILY_COUNT];
extern const struct policy_table policy_models[POLICY_FAMILY_COUNT];

/* Names of the rows in these files. */
extern const char *const policy_feature_names[POLICY_FEATURE_COUNT];
const char *policy_family_name(enum policy_family family);
enum policy_family policy_family_of(const struct scopa_rules *rules);
int policy_phase_of(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* A policy other than the learned one. */
struct policy {
	const struct policy_table *tables; /* by family; NULL: policy_tables */
	float sharpness; /* factor of all weights; 0: all moves equal */
	float uniform;   /* share of a uniform choice, 0 to 1 */
};

/*
 * Writes the probability of each of `count` moves, which are all or some of the
 * legal moves of the player to move; the probabilities add up to 1.  `context`
 * is a struct policy, or NULL for the learned one.  The function uses only the
 * sizes of other hands, unless they are shown, and no cards of the deck.
 */
void policy_judge(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *weights);

/*
 * Writes the same without the scaling to 1.  The odds are comparable with those
 * of other moves of the same player at the same time, whatever other cards are
 * in the hand (except for features of the hand).  `uniform` is ignored.
 */
void policy_odds(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *odds);

/*
 * Return the values (bit v) that can capture this card, or sweep this table, as
 * the features see it.
 */
uint32_t position_takers(
    const struct scopa_rules *rules, scopa_set table, scopa_card card);
uint32_t position_sweepers(const struct scopa_rules *rules, scopa_set table);

/* Writes the features of `count` moves, as policy_judge() sees them. */
void policy_features(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float (*features)[POLICY_FEATURE_COUNT]);

#endif
