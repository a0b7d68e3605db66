/*
 * How likely each legal move is, for a player who knows what is public and his
 * own hand: prior of a search, and model of the others when what they hold is
 * inferred from what they have played.
 *
 * A softmax over a linear function of features.  Each feature is a row with a
 * sentence (policy_rows); the weights are learned (policy_table.c says how),
 * one set for each family of rules and phase of the deal.  Everything comes
 * from the rules as parameters; no variant is known by name.
 */
#ifndef SCOPA_BOT_POLICY_H
#define SCOPA_BOT_POLICY_H

#include "scopa/deal.h"

enum policy_feature {
	/* What the move takes. */
	POLICY_CAPTURE,
	POLICY_SWEEP,
	POLICY_TAKE_CARDS,
	POLICY_TAKE_COINS,
	POLICY_TAKE_SETTEBELLO,
	POLICY_TAKE_SEVENS,
	POLICY_TAKE_PRIMIERA,
	POLICY_TAKE_BONUS,
	POLICY_TAKE_OF_ALLY,
	POLICY_TAKE_HELD,
	POLICY_TAKE_LATE,
	POLICY_UNPAIR_DEALER,
	POLICY_UNPAIR_HAND,

	/* What it leaves to the next player. */
	POLICY_NEXT_SWEEP,
	POLICY_NEXT_CAPTURE,
	POLICY_NEXT_COINS,
	POLICY_NEXT_SETTEBELLO,
	POLICY_NEXT_SEVENS,
	POLICY_NEXT_PRIMIERA,
	POLICY_NEXT_BONUS,

	/* And to the one after, where the next one does not take it. */
	POLICY_AFTER_SWEEP,
	POLICY_AFTER_CAPTURE,
	POLICY_AFTER_COINS,
	POLICY_AFTER_SETTEBELLO,
	POLICY_AFTER_SEVENS,
	POLICY_AFTER_PRIMIERA,
	POLICY_AFTER_BONUS,

	/* The table that it leaves. */
	POLICY_TABLE_EMPTY,
	POLICY_TABLE_LOW,
	POLICY_TABLE_TOTAL,
	POLICY_TABLE_OWN,

	/* A card that is laid down. */
	POLICY_LAY_HELD,
	POLICY_LAY_UNSEEN,
	POLICY_LAY_LIKE_AFTER,
	POLICY_LAY_LIKE_NEXT,
	POLICY_LAY_COIN,
	POLICY_LAY_PRIMIERA,
	POLICY_LAY_BONUS,

	/* Points as they would be counted now, and what comes back. */
	POLICY_GAIN,
	POLICY_NEXT_REPLY,
	POLICY_AFTER_REPLY,
	POLICY_THIRD_REPLY,
	POLICY_OWN_REPLY,
	POLICY_REST_OWN,
	POLICY_REST_OTHER,

	/* Values 1 to 10 of the card: ten features each. */
	POLICY_LAY_VALUE,
	POLICY_TAKE_VALUE = POLICY_LAY_VALUE + SCOPA_VALUE_MAX,

	POLICY_FEATURE_COUNT = POLICY_TAKE_VALUE + SCOPA_VALUE_MAX
};

/* What a feature is called, and what it says. */
struct policy_row {
	const char *name;
	const char *sentence;
};

extern const struct policy_row policy_rows[POLICY_FEATURE_COUNT];

/* Rules that are played alike. */
enum policy_family {
	POLICY_SCOPONE,  /* all cards are dealt at once */
	POLICY_PAIR,     /* a stock, two players */
	POLICY_CROWD,    /* a stock, more players, each for himself */
	POLICY_PARTNERS, /* a stock, and teams of several players */
	POLICY_FIFTEEN,  /* captures are of fifteen */
	POLICY_CIRULLA,  /* sums and fifteen */
	POLICY_FAMILY_COUNT
};

/*
 * Of a deal with a stock: the whole hand is there, part of it is there, the
 * stock has run out.  Of a deal without: thirds of the plays.
 */
enum { POLICY_PHASE_COUNT = 3 };

/* Weights of one family, a column a phase. */
struct policy_table {
	float weights[POLICY_FEATURE_COUNT][POLICY_PHASE_COUNT];
};

/*
 * As learned: how to play well, and how players play, which reads them better.
 */
extern const struct policy_table policy_tables[POLICY_FAMILY_COUNT];
extern const struct policy_table policy_models[POLICY_FAMILY_COUNT];

/* `scopone`, ... */
const char *policy_family_name(enum policy_family family);
enum policy_family policy_family_of(const struct scopa_rules *rules);
int policy_phase_of(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* What may be asked for instead of the learned policy as it is. */
struct policy {
	const struct policy_table
	    *tables;     /* one a family; NULL: policy_tables */
	float sharpness; /* factor of all weights: 0 makes all moves equal */
	float uniform;   /* share of the probability given out evenly, 0 to 1 */
};

/*
 * Writes the probability of each of `count` moves, all legal moves of the
 * player to move or some of them; they add up to 1.  `context` is a struct
 * policy or NULL for the learned one.  Reads of other hands no more than how
 * many cards they have, unless they are shown, and nothing of the stock.
 */
void policy_judge(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *weights);

/*
 * The same before it is made to add up to 1: odds that compare with those of
 * other moves of the same player at the same time, whatever else is in his hand
 * (but for features that look at the hand).  `uniform` is not looked at.
 */
void policy_odds(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *odds);

/* The features of `count` moves, as policy_judge sees them. */
void policy_features(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float (*features)[POLICY_FEATURE_COUNT]);

#endif
