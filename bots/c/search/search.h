/*
 * Information-set tree search (Cowling, Powley, Whitehouse: Information Set
 * Monte Carlo Tree Search, IEEE TCIAIG 4(2), 2012; the single-observer form).
 *
 * One tree, whose edges are moves.  Every iteration draws a world, goes down
 * the moves that are legal in it, adds one node, plays the deal out and credits
 * each move with the reward of the team that made it.  How often a move was
 * legal, rather than how often its node was seen, stands in the formula.
 *
 * A node is what has been played: all that happened in the open.  The hands
 * that come from the stock do not split it, neither those of others, which the
 * searching seat does not see, nor its own.  It will know its own then, and a
 * tree that told them apart would see almost no hand twice (there are
 * thousands) and so end where the hands are dealt.  In one node the moves of a
 * seat are those of its hand in this world all the same, and share what was
 * learnt of them in other hands; no move is ever credited to a hand that did
 * not hold it.
 */
#ifndef SCOPA_BOT_SEARCH_H
#define SCOPA_BOT_SEARCH_H

#include "greedy.h"
#include "world.h"

/*
 * What the points of a finished deal are worth to each team; greater is better.
 * The scores of the view are those before the deal.
 */
typedef void search_reward(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_score *score,
    double *rewards);

/*
 * Points of the team alone, negative where they are bad.  A team that has won
 * the match instantly is given what it was short of the target.
 */
search_reward reward_points;

/* These less those of the best other team; and no more than the sign of it. */
search_reward reward_difference, reward_win;

/*
 * Points less the mean of the others'; a match that is won instantly is worth
 * more than any points.
 */
search_reward reward_lead;

/*
 * The same far from the target.  In a deal that may decide the match it is the
 * chance to win it, scaled so that a point is worth about one where all is open,
 * and a tenth of the lead, which keeps playing where the match is as good as
 * over.
 */
search_reward reward_match;

/* Whether it is the match that counts in this deal. */
bool match_decides(
    const struct scopa_rules *rules, const struct scopa_view *view);

/* How likely moves are before anything was tried. */
struct search_prior {
	/*
	 * Writes the probabilities of all legal moves of the seat to move,
	 * which knows its own hand and what is public, or any multiple of them:
	 * those that are legal in one world are made to add up to 1.  A judge
	 * whose multiple is the same for every hand lets moves that come from
	 * hands of different worlds be compared.  NULL: there is no prior.
	 */
	void (*judge)(void *context, const struct scopa_rules *rules,
	    const struct scopa_deal *deal, const struct scopa_move *moves,
	    int count, float *weights);
	void *context;
	/* A move is judged the same whatever others it is shown with. */
	bool apart;
};

/* Random moves of playouts are counted of so many. */
enum { PLAYOUT_SHARE_MAX = 1000, PLAYOUT_EPSILON = 300 };

/*
 * How a deal is played out below the tree.  Of PLAYOUT_SHARE_MAX moves so many
 * are random, all legal ones equally likely; the others are those of
 * greedy_move.  PLAYOUT_SHARE_MAX makes the random playout, 0 the greedy one and
 * PLAYOUT_EPSILON what Di Palma and Lanzi call epsilon-greedy: at every move,
 * with probability epsilon = 0.3 a random one, else that of their Greedy.
 */
void playout_move(const struct greedy *greedy, int random_share,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random, struct scopa_move *move);

enum {
	/* Counts are single-precision numbers, which go no further by ones. */
	SEARCH_ITERATIONS_MAX = 1 << 24,
	/* Iterations before each look at the clock. */
	SEARCH_CLOCK_INTERVAL = 16
};

/*
 * A move is worth q + C sqrt(ln available / n) + W prior / (n + 1), where q is
 * its mean reward and n its visits; the best is gone down.
 */
struct search_config {
	const struct scopa_rules *rules;
	const struct scopa_view *view; /* of the seat that is to move */
	int64_t iterations;            /* at most; 0: SEARCH_ITERATIONS_MAX */
	int64_t deadline_ns;           /* CLOCK_MONOTONIC; 0: none */
	double exploration;            /* C, in units of the reward */
	double prior_weight;           /* W */

	/*
	 * How often each of the other seats is played by the prior alone, 0 to
	 * 1: they do not see what the searching seat sees.
	 */
	double model[SCOPA_SEATS_MAX];

	/*
	 * Unvisited moves go first, in random order.  Else they are worth what
	 * the visited ones are on average, and n is 1 under the root.
	 */
	bool eager;

	/*
	 * Where it is not 0, a deal with a stock is played on until all hands
	 * at the root have been played and each seat has played one card of the
	 * next ones; what is in no pile then is given out at random, so many
	 * times, to all teams in turn.  The reward is the mean.  Rules that count points at once are left alone.
	 */
	int completions;

	int random_share; /* of the moves of playouts */
	struct world_source worlds;
	search_reward *reward;
	struct search_prior prior;

	/* The one move of the root that is made; NULL: any. */
	const struct scopa_move *only;

	/* Asked as often as the clock; NULL: nobody to ask. */
	bool (*stopped)(void *context);
	void *stopped_context;

	/* For the tree, the caller's; when it is full nothing is added. */
	void *memory;
	size_t memory_size; /* bytes */
};

/* One legal move of the root. */
struct search_row {
	struct scopa_move move;
	double visits; /* worlds in which it was chosen */
	double value;  /* mean reward of the seat's team; 0 unvisited */
	double prior;  /* 0 without one */
};

enum { SEARCH_LINE_MAX = 8 };

struct search_result {
	int64_t iterations; /* and worlds drawn: one each */
	bool late;          /* the deadline ended it */
	bool exact;         /* no search: every world was solved */
	int64_t nodes;      /* positions that were added to the tree */
	int64_t plays;      /* moves made in playouts */
	int best;           /* row: most visits, then the greatest value */
	int line_count;
	struct scopa_move line[SEARCH_LINE_MAX]; /* principal variation */
	int row_count;
	struct search_row rows[SCOPA_MOVES_MAX]; /* in canonical order */
};

/*
 * Searches the position of the view, whose seat is to move.  *random goes on;
 * the same state gives the same result where no deadline ends the search.
 * False, and *result left alone, where the view contradicts itself.  With
 * world_fixed_draw it searches as a player that sees all cards.
 */
bool search_run(const struct search_config *config, uint64_t *random,
    struct search_result *result);

/*
 * Several searches of one position at once, each with a tree of its own, whose
 * visits are added up (root parallelization).
 */
enum { PARALLEL_SEARCH_MAX = 8 };

struct parallel_search {
	struct search_result results[PARALLEL_SEARCH_MAX - 1];
};

/*
 * search_run with `threads` threads, 1 to PARALLEL_SEARCH_MAX: iterations and
 * memory are shared out among them.  World source, playout, reward and prior
 * are called by all of them, so they may only read what they share; `stopped`
 * is asked by the calling thread alone.  A thread that the system does not give
 * is done without.  The same random state and number of threads give the same
 * result, where neither time nor `stopped` ends the search.
 */
bool parallel_search_run(struct parallel_search *parallel, int threads,
    const struct search_config *config, uint64_t *random,
    struct search_result *result);

#endif
