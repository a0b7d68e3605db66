/*
 * How likely each legal move is, for a player who knows what is public and his
 * own hand: prior of a search, and model of the others when what they hold is
 * inferred from what they have played.
 *
 * A softmax over a linear function of features, which enum policy_feature lists;
 * the weights are learned (policy_table.tsv, policy_model.tsv),
 * one set for each family of rules and phase of the deal.  Everything comes
 * from the rules as parameters; no variant is known by name.
 */
#ifndef SCOPA_BOT_POLICY_H
#define SCOPA_BOT_POLICY_H

#include "scopa/deal.h"

enum policy_feature {
	/* What the move takes. */
	POLICY_CAPTURE,         /* the move takes something */
	POLICY_SWEEP,           /* points for a sweep */
	POLICY_TAKE_CARDS,      /* change in the race for most cards */
	POLICY_TAKE_COINS,      /* change in the race for most coins */
	POLICY_TAKE_SETTEBELLO, /* the settebello is taken */
	POLICY_TAKE_SEVENS,     /* sevens taken while the primiera is open */
	POLICY_TAKE_PRIMIERA, /* what the cards add to the own primiera, or keep from the other */
	POLICY_TAKE_BONUS, /* points of special rules: runs of coins, kings, aces, sevens */
	POLICY_TAKE_OF_ALLY, /* cards taken that a partner has laid */
	POLICY_TAKE_HELD,    /* cards of the same value that stay in the hand */
	POLICY_TAKE_LATE, /* without a stock: the fewer plays left, the likelier the last */
	POLICY_UNPAIR_DEALER, /* the dealer's team: values more that are gone in odd number */
	POLICY_UNPAIR_HAND, /* the same for the other team */

	/* What it leaves to the next player. */
	POLICY_NEXT_SWEEP, /* probability that the next player can sweep */
	POLICY_NEXT_CAPTURE, /* probability that the next player can take anything */
	POLICY_NEXT_COINS, /* coins that the next player can take, times the probability */
	POLICY_NEXT_SETTEBELLO, /* probability that the next player can take the settebello */
	POLICY_NEXT_SEVENS, /* sevens that the next player can take, likewise */
	POLICY_NEXT_PRIMIERA, /* what the next player can take for the primiera, likewise */
	POLICY_NEXT_BONUS, /* special points that the next player can take, likewise */

	/* And to the one after, where the next one does not take it. */
	POLICY_AFTER_SWEEP, /* the player after the next can sweep, and the next takes nothing */
	POLICY_AFTER_CAPTURE, /* he can take anything, and the next takes nothing */
	POLICY_AFTER_COINS, /* coins that he can take and the next cannot */
	POLICY_AFTER_SETTEBELLO, /* the settebello, likewise */
	POLICY_AFTER_SEVENS,     /* sevens, likewise */
	POLICY_AFTER_PRIMIERA,   /* what counts for the primiera, likewise */
	POLICY_AFTER_BONUS,      /* special points, likewise */

	/* The table that it leaves. */
	POLICY_TABLE_EMPTY, /* nothing is left */
	POLICY_TABLE_LOW, /* so little is left that one card of some value sweeps it */
	POLICY_TABLE_TOTAL, /* total of what is left, in twenties */
	POLICY_TABLE_OWN, /* the own hand can take something of what is left */

	/* A card that is laid down. */
	POLICY_LAY_HELD, /* laid: cards of the same value that stay in the hand */
	POLICY_LAY_UNSEEN, /* laid: unseen cards of the same value */
	POLICY_LAY_LIKE_AFTER, /* laid: a value that the player after the next has laid */
	POLICY_LAY_LIKE_NEXT, /* laid: a value that the next player has laid */
	POLICY_LAY_COIN,      /* laid: a coin, by its worth */
	POLICY_LAY_PRIMIERA, /* laid: what the card is worth for the primiera */
	POLICY_LAY_BONUS,    /* laid: what it is worth by special rules */

	/* Points as they would be counted now, and what comes back. */
	POLICY_GAIN,       /* points of what is taken, roughly */
	POLICY_NEXT_REPLY, /* points of the next player's best capture, on average */
	POLICY_AFTER_REPLY, /* of the player after, where the next takes nothing */
	POLICY_THIRD_REPLY, /* of the third, where these two take nothing */
	POLICY_OWN_REPLY,   /* points of the own best capture of what is left */
	POLICY_REST_OWN, /* points left on the table, the last to capture a partner or oneself, by plays left */
	POLICY_REST_OTHER, /* the same where the last to capture is another */

	/* Values 1 to 10 of the card: ten features each. */
	POLICY_LAY_VALUE,
	POLICY_TAKE_VALUE = POLICY_LAY_VALUE + SCOPA_VALUE_MAX,

	POLICY_FEATURE_COUNT = POLICY_TAKE_VALUE + SCOPA_VALUE_MAX
};

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

/* Weights of one family. */
struct policy_table {
	float weights[POLICY_PHASE_COUNT][POLICY_FEATURE_COUNT];
};

/*
 * As learned: how to play well, and how players play, which reads them better.
 * policy_tables.awk makes them of policy_table.tsv and policy_model.tsv.
 */
extern const struct policy_table policy_tables[POLICY_FAMILY_COUNT];
extern const struct policy_table policy_models[POLICY_FAMILY_COUNT];

/* The names of the rows, and `scopone`, ... */
extern const char *const policy_feature_names[POLICY_FEATURE_COUNT];
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

/*
 * Values (bit v) that take this card, or the whole table, from such a table: as
 * the features see it.
 */
uint32_t position_takers(
    const struct scopa_rules *rules, scopa_set table, scopa_card card);
uint32_t position_sweepers(const struct scopa_rules *rules, scopa_set table);

/* The features of `count` moves, as policy_judge sees them. */
void policy_features(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float (*features)[POLICY_FEATURE_COUNT]);

#endif
