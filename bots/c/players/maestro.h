/*
 * The strongest bot: one search of what the seat can see, with a learned
 * policy as prior, over worlds that are weighted by what all others have
 * played.
 */
#ifndef SCOPA_BOT_MAESTRO_H
#define SCOPA_BOT_MAESTRO_H

#include "belief.h"
#include "builtin.h"
#include "opponent_model.h"
#include "search.h"

/* Options, in the order of their rows. */
enum {
	MAESTRO_MS,
	MAESTRO_ITERATIONS,
	MAESTRO_SEED,
	MAESTRO_THREADS,
	MAESTRO_STRENGTH,
	MAESTRO_PRIOR,       /* visits that the prior is worth */
	MAESTRO_EXPLORATION, /* hundredths of a point */
	MAESTRO_MODEL,       /* thousandths of the others' decisions */
	MAESTRO_WORLDS,
	MAESTRO_TRUST,     /* thousandths */
	MAESTRO_SHARPNESS, /* hundredths */
	MAESTRO_OPPONENTS, /* thousandths */
	MAESTRO_OPTION_COUNT
};

enum {
	/* Of the option: MAESTRO_MS_USUAL, or no limit where there is one of
	 * iterations. */
	MAESTRO_MS_AUTO = -1,
	MAESTRO_MS_USUAL = 100,
	/* Worlds of an endgame that are solved, where there are no more. */
	MAESTRO_ENDGAME_WORLDS = 90
};

extern const struct builtin_option maestro_options[MAESTRO_OPTION_COUNT];

enum { MAESTRO_TREE_SIZE = 32 << 20, MAESTRO_TABLE_SIZE = 4 << 20 };

/* What one decision works with and leaves behind. */
struct maestro {
	struct belief belief;
	struct opponent_model opponents;
	struct search_result result;
	struct parallel_search parallel;
	_Alignas(64) unsigned char tree[MAESTRO_TREE_SIZE];
	_Alignas(64) unsigned char table[MAESTRO_TABLE_SIZE]; /* of endings */
};

/* One turn as text, with a line for the record. */
bool maestro_choose(const struct builtin_turn *turn, struct scopa_text *answer);

/*
 * What a strong player (@maestro) thinks of a move that another one has made,
 * from what that seat knew and nothing else.
 *
 * A search of all moves finds the best one; where another one was made, either
 * gets a search of its own, so that what it is worth does not depend on how
 * often the first search cared to look at it.
 */

/* What may be used. */
struct opinion_means {
	int64_t iterations; /* of all searches of a move; 0: the time decides */
	int64_t time_ns;    /* the same; nothing where iterations are said */
	struct maestro *maestro; /* room for the work, the caller's */
};

/* Values are points of the seat's team less those of the others on average. */
struct opinion {
	struct scopa_move best;
	double value; /* of the best move */
	double loss;  /* by making another one, 0 or more */
	int64_t iterations;
};

/*
 * The seat of the view is to move, and `played` is legal.  The same *random,
 * which goes on, and iterations give the same opinion.  False where the view
 * contradicts itself.
 */
bool opinion_form(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_move *played,
    const struct opinion_means *means, uint64_t *random,
    struct opinion *opinion);

#endif
