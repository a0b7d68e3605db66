/*
 * A second, slow implementation of the rules, to test the engine.
 *
 * It shares no code and no representation with libscopa: cards are pairs of a
 * value and a suit, sets are sorted lists, captures are found by trying each
 * subset of the table, and nothing is stored that can be computed.  Only the
 * description of the rules (struct scopa_rules) and the names of the score
 * items are those of the engine.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>

#include "scopa/move.h"
#include "scopa/rules.h"
#include "scopa/score.h"

enum { ORACLE_MOVES_MAX = 8192, ORACLE_NOBODY = -1 };

/* A value of 0 means no card. */
struct oracle_card {
	signed char value; /* 1 (ace) to 10 (king) */
	signed char suit;  /* 0 coins, 1 cups, 2 swords, 3 clubs */
};

struct oracle_list {
	int count;
	struct oracle_card cards[40];
};

struct oracle_move {
	int seat;
	struct oracle_card card;     /* none in a declaration */
	struct oracle_list captured; /* sorted; empty: the card is laid */
	int declaration;             /* 0, or 3 or 10: the points */
	int value;                   /* declared value of the 7 of cups, or 0 */
};

/* Every legal move of a position, in canonical order. */
struct oracle_moves {
	int count;
	struct oracle_move moves[ORACLE_MOVES_MAX];
};

struct oracle_deal {
	struct oracle_list deck; /* cards not yet dealt, next card first */
	struct oracle_list table;
	struct oracle_list hands[6];
	struct oracle_list
	    piles[6];    /* piles of seats; those of a team are added */
	int scopas[6];   /* by seat */
	int declared[6]; /* points by seat */
	bool untouched[6];
	bool shown[6];
	int dealer;
	int turn; /* or ORACLE_NOBODY when the deal is over */
	int last; /* seat, or ORACLE_NOBODY */
	int wild; /* value declared for the 7 of cups, or 0 */
	int opening;
	int play_count;
	int winner; /* team with an instant win, or ORACLE_NOBODY */
};

/* The effect of a move. */
struct oracle_effect {
	bool scopa;
	bool dealt;
	bool over;
	struct oracle_list rest;
	int rest_seat;
};

struct oracle_score {
	int quantity[6][SCOPA_ITEM_COUNT];
	int points[6][SCOPA_ITEM_COUNT];
	int total[6];
	int winner; /* team, or ORACLE_NOBODY */
};

/* Conversion to the representation of the engine. */
scopa_set oracle_set(const struct oracle_list *list);
struct scopa_move oracle_engine_move(const struct oracle_move *move);

enum scopa_start oracle_start(const struct scopa_rules *rules,
    const unsigned char pack[40], int dealer, struct oracle_deal *deal);
void oracle_moves(const struct scopa_rules *rules,
    const struct oracle_deal *deal, struct oracle_moves *moves);
struct oracle_effect oracle_apply(const struct scopa_rules *rules,
    struct oracle_deal *deal, const struct oracle_move *move);

/* The team (0 = A) of a seat, from the letters of `teams`. */
int oracle_team(const struct scopa_rules *rules, int seat);
int oracle_team_count(const struct scopa_rules *rules);

/* The sum over the seats of a team; all cards that they have captured. */
int oracle_sum(
    const struct scopa_rules *rules, const int of_seats[6], int team);
struct oracle_list oracle_pile(
    const struct scopa_rules *rules, const struct oracle_deal *deal, int team);

void oracle_score(const struct scopa_rules *rules,
    const struct oracle_deal *deal, struct oracle_score *score);

#endif
