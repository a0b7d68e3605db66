/*
 * The strongest bot: a tree search over worlds that are weighted by the plays
 * so far, with a learned policy as prior.
 */
#ifndef SCOPA_BOT_MAESTRO_H
#define SCOPA_BOT_MAESTRO_H

#include "builtin.h"
#include "opponent_model.h"
#include "search.h"
#include "world.h"

/* Options, in the order of their rows. */
enum {
	MAESTRO_MS,
	MAESTRO_ITERATIONS,
	MAESTRO_SEED,
	MAESTRO_THREADS,
	MAESTRO_STRENGTH,
	MAESTRO_PRIOR,       /* in visits */
	MAESTRO_EXPLORATION, /* hundredths of a point */
	MAESTRO_MODEL,       /* thousandths of the other seats' visits */
	MAESTRO_WORLDS,
	MAESTRO_TRUST,     /* thousandths */
	MAESTRO_SHARPNESS, /* hundredths */
	MAESTRO_OPPONENTS, /* thousandths */
	MAESTRO_OPTION_COUNT
};

enum {
	/*
	 * Value of the option `ms`: no limit when iterations are given, else
	 * MAESTRO_MS_USUAL.
	 */
	MAESTRO_MS_AUTO = -1,
	MAESTRO_MS_USUAL = 100,
	/* The most worlds that are all solved late in a deal. */
	MAESTRO_ENDGAME_WORLDS = 90
};

extern const struct builtin_option maestro_options[MAESTRO_OPTION_COUNT];

enum { MAESTRO_TREE_SIZE = 32 << 20, MAESTRO_TABLE_SIZE = 4 << 20 };

/* The memory of the bot: working memory and results of one decision. */
struct maestro {
	struct belief belief;
	struct opponent_model opponents;
	struct search_result result;
	struct parallel_search parallel;
	_Alignas(64) unsigned char tree[MAESTRO_TREE_SIZE];
	_Alignas(64) unsigned char table[MAESTRO_TABLE_SIZE]; /* of solve.h */
};

/* Writes the move of a turn as text, and an `info` line. */
bool maestro_choose(const struct builtin_turn *turn, struct scopa_text *answer);

/*
 * The judgement of a strong player (@maestro) about a move of another player,
 * from what that player's seat knew.
 *
 * A search of all moves finds the best move.  When another move was played,
 * each of the two gets a search of its own.  So the value of a move does not
 * depend on how often the first search visited it.
 */

/* The limits and the memory. */
struct opinion_means {
	int64_t iterations; /* of all searches for a move; 0: use time_ns */
	int64_t time_ns;    /* the same in time; ignored if iterations > 0 */
	int deal_count;     /* of the match; 0: to the target */
	struct maestro *maestro; /* working memory of the caller */
};

/*
 * Values are rewards of the seat's team (search.h): reward_match in a match to
 * the target, otherwise reward_lead.  They differ only in a deal that may
 * decide the match.
 */
struct opinion {
	struct scopa_move best;
	double value; /* of the best move */
	double loss;  /* value lost by the move played, 0 or more */
	int64_t iterations;
};

/*
 * Judges the move `played`, which must be legal for the seat of the view.
 * *random advances; the same random state and iterations give the same opinion.
 * Returns false and leaves *opinion unchanged when the view contradicts itself.
 */
bool opinion_form(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_move *played,
    const struct opinion_means *means, uint64_t *random,
    struct opinion *opinion);

#endif
