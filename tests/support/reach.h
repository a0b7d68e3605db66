/*
 * Which tables can come about, to bound how many moves a hand can have.
 *
 * Suits do not matter here: a table is how many cards of each value lie on it.
 * The search admits a table when it holds no more cards than are turned up at
 * the start, or when one of its cards could have been laid on the others, which
 * means that it captures nothing there.  Nothing else is asked, so the tables
 * admitted include all that any game can reach:
 *
 * - A capture takes cards away.  The tables admitted are closed under that: a
 *   card that captures nothing from a table captures nothing from a part of it,
 *   so the same cards can be laid in the same order without those taken away.
 * - Aces that sweep, aces that take themselves, equal cards in games of fifteen
 *   and every rule of precedence only make it harder to lay a card.
 */
#ifndef REACH_H
#define REACH_H

#include "scopa/rules.h"

enum { REACH_TOTAL_MAX = 14 };

/* The largest numbers over all tables admitted. */
struct reach {
	int table_count;
	int cards_max;                     /* on one table */
	int sets_max[REACH_TOTAL_MAX + 1]; /* of each total */
	/* Captures of one card that does not lie on the table. */
	int any_max;
	int single_max;
	int fewest_max; /* 0 but for sums */
	/* Captures of all cards of a hand. */
	int hand_any_max;
	int hand_single_max;
};

/*
 * Goes through all tables of a game of `capture` with `opening` cards turned up
 * (0 or 4) and hands of `hand` cards.  Not reentrant: it fills a big table.
 */
void reach_search(
    enum scopa_capture capture, int opening, int hand, struct reach *reach);

/* Sets of this total, of up to `cards_max` cards, in a pack without `card`. */
int reach_pack_sets(int total, int without_value, int cards_max);

#endif
