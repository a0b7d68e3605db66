/*
 * Exact play of a deal whose cards are all known: the result of every team when
 * no seat makes a mistake ("double dummy").
 *
 * With two teams, both try to get the greatest difference of the deal's points.
 * With more teams no single value is right for all.  The solver assumes that
 * all other teams play together against the team to move ("paranoid").  Its
 * value is what this team can be sure of: its points less those of the best
 * other team.  (The other usual assumption, that each team plays for itself,
 * gives no unique value when a team is indifferent, and no bounds for cuts.)
 */
#ifndef SCOPA_BOT_SOLVE_H
#define SCOPA_BOT_SOLVE_H

#include <stddef.h>

#include "scopa/scopa.h"
#include "search.h"
#include "world.h"

enum {
	/* The value of an instant win of the match, more than any points. */
	SOLVE_WIN = 1000,
	/* The least memory for a search, in bytes. */
	SOLVE_MEMORY_MIN = 1 << 20
};

/* The limits of a search. */
struct solve_limits {
	int plies_max;     /* most cards left to play; 0: no limit */
	int64_t nodes_max; /* most positions; 0: no limit */
	/*
	 * The table of positions, aligned as by malloc and zero at first.  The
	 * caller must not change it between calls: its entries stay valid for
	 * other deals and other rules.
	 */
	void *memory;
	size_t memory_size;  /* SOLVE_MEMORY_MIN or more */
	int64_t deadline_ns; /* CLOCK_MONOTONIC; 0: none */
	/* Called from time to time; true ends the search.  NULL: none. */
	bool (*stopped)(void *context);
	void *context;
};

/*
 * A value is the advantage of the team to move over the best other team, in
 * points (fewer points, when the rules aim for the least).  An instant win of
 * the match adds SOLVE_WIN; an instant win of another team subtracts it.
 */
struct solve_result {
	int value;
	struct scopa_move best; /* first of the best moves in canonical order */
	int64_t nodes;          /* positions visited */
	int plies;              /* cards left to play */
};

/* A legal move, and its value for the team that makes it. */
struct solve_move {
	struct scopa_move move;
	int value;
};

/* Returns the number of cards in the hands and the deck. */
int solve_plies(const struct scopa_deal *deal);

/*
 * Computes value and best move of a deal that is not over.  Returns 0; -E2BIG
 * when more than `plies_max` plies are left; -ECANCELED when the limit of nodes
 * or the deadline is reached or `stopped` returns true; -ENOBUFS when a
 * position has too many moves for the memory.  After an error *result is
 * unchanged.
 */
int solve_deal(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct solve_result *result);

/*
 * Computes the value of every legal move and writes at most `max` of them, best
 * first, equal ones in canonical order.  Returns the number of moves; -ENOBUFS
 * when there are more than `max`; or an error as above.
 */
int solve_moves(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct solve_move *moves, int max,
    struct solve_result *result);

/*
 * Writes one line of best play to the end of the deal, with declarations, to
 * `line`, which has room for SCOPA_HISTORY_MAX moves.  *end becomes the deal
 * after it.  Returns the number of moves, or an error as above.
 */
int solve_line(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct scopa_move *line,
    struct scopa_deal *end);

/* Returns the value of a finished deal for the given team. */
int solve_value(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team);

/*
 * The end of a deal, when only few worlds are left: each of them is solved, and
 * the move with the best mean value is played.
 *
 * With one world (the last hands of two players) this is perfect play.  With
 * several, the solution assumes that players know cards that they do not see.
 * For the last two cards of each hand (90 worlds with four players) this costs
 * less than the randomness of a search.
 */

/*
 * Computes for every legal move the mean of its exact values in all worlds of
 * the pool, by their weights.  Writes them as rows; in each row all worlds
 * count as visits, and the best move is the whole line.  Returns false, with
 * *result undefined, when the pool does not list all worlds, there are more
 * than two teams, a limit is reached or `stopped` returns true.
 */
bool endgame_solve(const struct belief *belief,
    const struct solve_limits *limits, uint64_t *random,
    struct search_result *result);

#endif
