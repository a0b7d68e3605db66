/*
 * The search of solve.h: one deal in which moves are made and taken back.
 */
#ifndef SCOPA_BOT_SOLVER_H
#define SCOPA_BOT_SOLVER_H

#include "outlook.h"
#include "solve.h"

struct solver_entry;

/* One search; all fields are its own, but for reading. */
struct solver {
	const struct scopa_rules *rules;
	const struct solve_limits *limits;
	struct outlook_terms terms;
	struct scopa_deal deal; /* moves are made in it, and taken back */
	int party;              /* whose value is greater where it is good */
	int worth[SCOPA_PACK_SIZE]; /* of a card, for the order of moves */
	struct scopa_move *moves;
	int32_t *marks;
	struct solver_entry *entries;
	uint64_t bucket_mask;
	int64_t nodes;
	int error; /* why the search ends early, or 0 */
};

/* All that a move changes in a deal but the history, which only grows. */
struct solver_saved {
	unsigned char bytes[offsetof(struct scopa_deal, history)];
};

/* A value up to alpha or from beta on need not be exact. */
struct solver_window {
	int alpha, beta;
};

/* 0, or -E2BIG with more plies left than the limits allow. */
int solver_init(struct solver *solver, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct solve_limits *limits);

/*
 * Writes the legal moves behind the first `used` of the solver's moves and
 * returns their number; 0 and solver->error without room.
 */
int solver_list(struct solver *solver, int used);

/* Makes a move in the deal of the search, and takes it back. */
void solver_make(struct solver *solver, const struct scopa_move *move,
    struct outlook_levels *levels, struct solver_saved *saved);
void solver_unmake(struct solver *solver, const struct solver_saved *saved);

/*
 * The value for the solver's party: exact within the window, beyond it a bound.
 * Nothing, where solver->error is set.
 */
int solver_search(struct solver *solver, struct outlook_levels levels,
    struct solver_window window, int used);

/* What is decided already: the first guess of a value. */
int solver_guess(const struct solver *solver, struct outlook_levels levels);

/* The exact value, by questions around a guess. */
int solver_exact(
    struct solver *solver, struct outlook_levels levels, int guess, int used);

#endif
