/*
 * A player that follows the tradition of Scopone, @chitarrella.  This header
 * declares, in this order: the probabilities of hidden cards; the analysis of
 * what a move leaves to the other players; the traditional rules with their
 * weights; the search at the end of a deal; the player.
 *
 * The player adds up the parts of all rules for a move, in points of the deal.
 * The rules come from the tradition since Chitarrella.  The weights are
 * measured, most of them in duplicate deals against the greedy bot.
 */
#ifndef SCOPA_BOT_TRADITION_H
#define SCOPA_BOT_TRADITION_H

#include "scopa/rules.h"
#include "scopa/view.h"

/*
 * The probability that each seat holds each hidden card, by counting and by
 * negative inference.
 *
 * By the tradition, a player who could have swept the table with a card and
 * played another does not hold this card.  The same is likely, but less
 * certain, for a card that could have captured the settebello, or anything.  A
 * player who plays a card to the table is likely to hold another of its rank; a
 * player who captures with it is less likely to.
 */

/* The row of the deck. */
enum { HOLDING_DECK = SCOPA_SEATS_MAX, HOLDING_ROWS };

struct holding {
	/*
	 * The probability that the seat holds the card, 0 to 1.  Hands in the
	 * view are certain.  Each row adds up to the seat's number of cards.
	 */
	double chance[HOLDING_ROWS][SCOPA_PACK_SIZE];
};

/* What the analysis of all moves of one decision has in common. */
struct reply_context {
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	const struct scopa_deal *deal; /* fits the view */
	struct holding holding;
	/* In points of the deal, for the team of the view. */
	double card_values[SCOPA_PACK_SIZE];
};

/* One move and the replies to it. */
struct reply_analysis {
	struct scopa_move move;
	struct scopa_effect effect;
	struct scopa_deal next; /* the deal after the move */

	/*
	 * For each card: the value of its best capture; 0: it captures nothing.
	 */
	double gains[SCOPA_PACK_SIZE];
	scopa_set takers;   /* cards that capture something */
	scopa_set sweepers; /* cards that sweep the table and score */

	/*
	 * For each player, from the next one to the mover: the expected value
	 * of the best capture, without sweeps; the probability that a card of
	 * the hand sweeps; the probability that the hand captures nothing.
	 */
	double taken[SCOPA_SEATS_MAX];
	double swept[SCOPA_SEATS_MAX];
	double idle[SCOPA_SEATS_MAX];
};

/*
 * Prepares a decision for the seat of the view.  `deal` must fit the view.  The
 * context keeps pointers to all three.
 */
void reply_context_init(struct reply_context *context,
    const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal);

/* Makes the move, which must play a card, and analyses the replies. */
void reply_analysis_make(const struct reply_context *context,
    const struct scopa_move *move, struct reply_analysis *replies);

enum { TRADITION_RULE_COUNT = 14 };

struct tradition_rule {
	const char *name;     /* one word */
	const char *sentence; /* what the rule asks for */
	double weight;        /* points for each unit that it counts */
};

extern const struct tradition_rule tradition_rules[TRADITION_RULE_COUNT];

/* Writes the part of each rule, count times weight.  Returns their sum. */
double tradition_judge(const struct reply_context *context,
    const struct reply_analysis *replies, double parts[TRADITION_RULE_COUNT]);

/*
 * The search at the end of a deal.  The tradition has the rule of 48 for it, by
 * which the dealer knows the last cards from those that are gone.
 *
 * When few worlds are possible, each is played to its end with all cards
 * visible, and the results are weighted by the probabilities of the worlds.
 */
enum {
	ENDPLAY_PLAYS_MAX = 8, /* most cards left in all hands */
	/* most worlds: two hidden cards in each of three hands */
	ENDPLAY_WORLDS_MAX = 90,
	ENDPLAY_STEPS_MAX = 200000 /* most moves searched: less than 0.1 s */
};

/*
 * Writes for each of `count` moves the lead of the mover's team over the best
 * other team at the end of the deal, in points, when all players see all cards
 * and every other team plays against the mover's.  Returns false, with
 * undefined values, when cards are left in the deck, more than `plays` cards
 * (up to ENDPLAY_PLAYS_MAX) are left in the hands, there are more worlds than
 * the limit, or the search needs too many steps, as it can with many cards on
 * the table.
 */
bool endplay_judge(const struct reply_context *context,
    const struct scopa_move *moves, int count, int plays, double *values);

/* Why a move was chosen. */
struct tradition_reason {
	const char *rule;     /* the rule that decided, one word */
	const char *sentence; /* what this rule asks for */
	double lead;          /* difference to the next best move, in points */
	int count;            /* number of legal moves */
};

/*
 * Returns the move for the seat of the view; of equal moves the first in
 * canonical order.  `deal` must fit the view, with this seat to move.  When at
 * most `endplay` cards (0 to ENDPLAY_PLAYS_MAX) are left in all hands, the end
 * is searched.  When points are bad, or a declaration is possible, the greedy
 * move is returned.
 */
struct scopa_move tradition_move(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal, int endplay,
    struct tradition_reason *reason);

/*
 * Whether the rules alone, without a search, choose this legal move.  Stops at
 * the first better move, so it is faster than tradition_move().
 */
bool tradition_makes(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal,
    const struct scopa_move *move);

/*
 * Writes how much a player by these rules prefers each of `count` legal moves,
 * each of which must play a card.  The odds are comparable with those of moves
 * that are not in the list.
 */
void tradition_odds(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count, float *odds);

#endif
