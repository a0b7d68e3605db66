/*
 * A player after the tradition of Scopone, @chitarrella: what a move leaves to
 * the others and who may hold which card; the rules that have been handed down,
 * each with what it counts and how much that weighs; and the last cards.
 *
 * The player adds up what all rules say of a move, in points of the deal.  The
 * rules come from what has been handed down since Chitarrella; the weights are
 * measured, most of them in duplicate deals against the greedy bot.
 */
#ifndef SCOPA_BOT_TRADITION_H
#define SCOPA_BOT_TRADITION_H

#include "scopa/rules.h"
#include "scopa/view.h"

/*
 * Who may hold what: chances of the hidden cards, by counting and by negative
 * inference.
 *
 * A player that could have swept the table with a card and played another does
 * not hold it: so the tradition says, and less strictly the same of a
 * settebello that was left lying and of any capture that was not made.  A
 * player that lays a card may well have another of its rank; a player that
 * takes is less likely to.
 */

/* Row of the cards that are not yet dealt. */
enum { HOLDING_DECK = SCOPA_SEATS_MAX, HOLDING_ROWS };

struct holding {
	/*
	 * How likely the seat holds the card, 0 to 1.  Hands that the view
	 * sees are certain; a row adds up to the cards that its seat holds.
	 */
	double chance[HOLDING_ROWS][SCOPA_PACK_SIZE];
};

/* What all moves of one decision are judged by. */
struct reply_context {
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	const struct scopa_deal *deal; /* agrees with the view */
	struct holding holding;
	double card_values[SCOPA_PACK_SIZE];
};

/* One move and what comes after it. */
struct reply_analysis {
	struct scopa_move move;
	struct scopa_effect effect;
	struct scopa_deal next; /* after the move */

	/* Of each card that a hand may hold: the best it takes; 0: nothing. */
	double gains[SCOPA_PACK_SIZE];
	scopa_set takers;   /* cards that take something */
	scopa_set sweepers; /* cards that sweep the table for a point */

	/*
	 * Of each player from the next one on (the last one is the mover):
	 * what the best card expected in the hand takes, sweeps aside; the
	 * chance that it sweeps; the chance that it takes nothing.
	 */
	double taken[SCOPA_SEATS_MAX];
	double swept[SCOPA_SEATS_MAX];
	double idle[SCOPA_SEATS_MAX];
};

/* The decision from the view; `deal` agrees with it. */
void reply_context_init(struct reply_context *context,
    const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal);

/* Makes the move, which plays a card, and looks at what it leaves. */
void reply_analysis_make(const struct reply_context *context,
    const struct scopa_move *move, struct reply_analysis *replies);

/* The chance that a seat holds a card after the move. */
double reply_analysis_chance(const struct reply_context *context,
    const struct reply_analysis *replies, int seat, scopa_card card);

enum { TRADITION_RULE_COUNT = 14 };

struct tradition_rule {
	const char *name;     /* one word */
	const char *sentence; /* what it asks for */
	double weight;        /* points for each of what is counted */
};

extern const struct tradition_rule tradition_rules[TRADITION_RULE_COUNT];

/* What each rule says of a move, by its weight; returns their sum. */
double tradition_judge(const struct reply_context *context,
    const struct reply_analysis *replies, double parts[TRADITION_RULE_COUNT]);

/*
 * The end of a deal, worked out: what the tradition calls the rule of 48, by
 * which the dealer knows the last cards from those that have gone.
 *
 * When few hands are possible, each is played to its end as if all cards lay
 * open, and the possible ones count by their chances.
 */
enum {
	ENDPLAY_PLAYS_MAX = 8,   /* cards left in all hands, at most */
	ENDPLAY_WORLDS_MAX = 90, /* ways to share the hidden ones: 2, 2 and 2 */
	ENDPLAY_STEPS_MAX = 200000 /* moves looked at: less than 0.1 s */
};

/*
 * Writes for each of `count` moves the points of the deal by which the mover's
 * team will lead the best of the others, if everybody plays for the mover or
 * against as with open cards.  False, and the values mean nothing, unless all
 * cards are dealt, at most `plays` of them (up to ENDPLAY_PLAYS_MAX) are left in
 * all hands, and no more of them are hidden than the limit says; and where it
 * takes too long, as it can with many cards on the table.
 */
bool endplay_judge(const struct reply_context *context,
    const struct scopa_move *moves, int count, int plays, double *values);

/* Why a move was chosen. */
struct tradition_reason {
	const char *rule;     /* the rule that decided, one word */
	const char *sentence; /* and what it asks for */
	double lead;          /* points by which it is better than the next */
	int count;            /* legal moves, of which it was chosen */
};

/*
 * The move for the seat of the view: of equal ones the first in canonical
 * order.  `deal` agrees with the view, and the seat is to move in it.  With
 * `endplay` cards or fewer left in all hands (0 to ENDPLAY_PLAYS_MAX), the end
 * is worked out.  Where points are bad, and for what is declared, it is the
 * greedy move.
 */
struct scopa_move tradition_move(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal, int endplay,
    struct tradition_reason *reason);

/*
 * Whether the rules alone, where nothing is worked out, make this legal move:
 * no slower than they must.
 */
bool tradition_makes(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal,
    const struct scopa_move *move);

/*
 * How far a player by these rules prefers each of `count` legal moves of the
 * seat to move, a card each: odds, which compare with those of moves that are
 * not in the list.
 */
void tradition_odds(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count, float *odds);

#endif
