/*
 * Exact play of a deal whose cards are all known: what every team gets when
 * nobody errs ("double dummy").
 *
 * With two teams both try for the greatest difference of the deal's points.
 * With more there is no such value that all would agree on, so the team to
 * move takes the rest to play against it as one ("paranoid"): the value is what
 * it can be sure of, its points less those of the best other team.  (The other
 * usual choice, each for itself, has no unique value where a team does not
 * care, and no bounds to cut by.)
 */
#ifndef SCOPA_BOT_SOLVE_H
#define SCOPA_BOT_SOLVE_H

#include <stddef.h>

#include "belief.h"
#include "scopa/scopa.h"
#include "search.h"

enum {
	/*
	 * What an instant win of the match adds to a value: more than any
	 * points.
	 */
	SOLVE_WIN = 1000,
	/* The least memory that a search can do with, in bytes. */
	SOLVE_MEMORY_MIN = 1 << 20
};

/* What a search may use up. */
struct solve_limits {
	int plies_max;     /* cards still to be played; 0: any number */
	int64_t nodes_max; /* positions looked at; 0: any number */
	/*
	 * Aligned as by malloc, zero at first, and left alone from call to
	 * call: what is known of positions stays good for other deals and other
	 * rules.
	 */
	void *memory;
	size_t memory_size;  /* SOLVE_MEMORY_MIN or more */
	int64_t deadline_ns; /* CLOCK_MONOTONIC; 0: none */
	/* Asked now and then whether to give up; or NULL. */
	bool (*stopped)(void *context);
	void *context;
};

/*
 * A value is of the team to move: how much better it does than the others, in
 * points (fewer points, where the rules aim for the least), with SOLVE_WIN for
 * an instant win of the match, and less SOLVE_WIN for one that another wins.
 */
struct solve_result {
	int value;
	struct scopa_move best; /* the first of the best in canonical order */
	int64_t nodes;          /* positions looked at */
	int plies;              /* cards that were still to be played */
};

/* A legal move and its value for the team that makes it. */
struct solve_move {
	struct scopa_move move;
	int value;
};

/* Cards still to be played, in the hands and undealt. */
int solve_plies(const struct scopa_deal *deal);

/*
 * Value and best move of a deal that is not over.  0; -E2BIG with more than
 * `plies_max` plies left; -ECANCELED when the limit of nodes was reached or
 * the time, or `stopped` said so; -ENOBUFS where a position has more moves than there is
 * room for.
 */
int solve_deal(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct solve_result *result);

/*
 * The value of every legal move, best first and else in canonical order, at
 * most `max` (-ENOBUFS with more).  Returns the number of moves, or an error as
 * above.
 */
int solve_moves(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct solve_move *moves, int max,
    struct solve_result *result);

/*
 * One line of best play to the end of the deal, declarations included: the
 * number of moves written to `line`, which has room for SCOPA_HISTORY_MAX, or
 * an error as above.  *end becomes the deal after it.
 */
int solve_line(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct scopa_move *line,
    struct scopa_deal *end);

/* The value of a deal that is over, for one of its teams. */
int solve_settle(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team);

/*
 * The end of a deal, when only few worlds remain: each of them is solved, and
 * the move that is best on average is made.
 *
 * Where one world remains (the last hands of two players) that is perfect play.
 * With more it lets every player act on cards that he will not see; for the two
 * last cards of each hand (90 worlds of four players) that does less harm than
 * the chances of a search.
 */

/*
 * Judges every legal move by the mean of its exact values in all worlds of the
 * pool, by their weights, and writes them as rows, all worlds visited, with the
 * best move as the whole line.  False, and *result useless, where the pool is
 * not all worlds, there are more than two teams, the limits are reached or
 * their `stopped` said so.
 */
bool endgame_solve(const struct belief *belief,
    const struct solve_limits *limits, uint64_t *random,
    struct search_result *result);

#endif
