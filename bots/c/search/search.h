/*
 * Information-set tree search (Cowling, Powley, Whitehouse: Information Set
 * Monte Carlo Tree Search, IEEE TCIAIG 4(2), 2012; the single-observer form).
 *
 * There is one tree, whose edges are moves.  Every iteration draws a world,
 * follows moves that are legal in this world down the tree, adds one node,
 * plays the deal to its end and credits each move with the reward of the team
 * that made it.  The formula counts how often a move was legal, not how often
 * its node was visited.
 *
 * A node stands for the sequence of open moves.  Hands that are dealt later do
 * not split a node.  The searching seat does not see the later hands of other
 * seats.  It will see its own, but there are thousands of them: a tree with a
 * node for each would visit almost none twice, and would end where the hands
 * are dealt.  So in one node a seat has the moves of its hand in the present
 * world, and these share their statistics with other worlds.  A move is only
 * credited in worlds in which the hand holds its card.
 */
#ifndef SCOPA_BOT_SEARCH_H
#define SCOPA_BOT_SEARCH_H

#include "greedy.h"
#include "world.h"

/*
 * Writes for each team what the points of a finished deal are worth; more is
 * better.  The scores in the view are those before the deal.
 */
typedef void search_reward(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_score *score,
    double *rewards);

/*
 * The points of the team, negative when the rules aim at few points.  A team
 * that has won the match instantly also gets the points that it lacked to the
 * target.
 */
search_reward reward_points;

/*
 * reward_difference: these points less those of the best other team.
 * reward_win: the sign of this difference.
 */
search_reward reward_difference, reward_win;

/*
 * Points less the mean of the other teams.  Winning the match instantly is
 * worth more than any points.
 */
search_reward reward_lead;

/*
 * reward_lead as long as the target is far.  In a deal that may decide the
 * match: the chance to win the match, scaled so that one point is worth about
 * one when the match is open, and a tenth of reward_lead, so that the bot still
 * plays well when the match is almost decided.
 */
search_reward reward_match;

/* Whether this deal may decide the match. */
bool match_decides(
    const struct scopa_rules *rules, const struct scopa_view *view);

/* The probabilities of moves before the search has tried them. */
struct search_prior {
	/*
	 * Writes a weight for each legal move of the seat to move.  The
	 * function may use this seat's hand and public information.  Weights
	 * are probabilities or a multiple of them: the search scales the moves
	 * that are legal in one world to a sum of 1.  If the multiple is the
	 * same for every hand, moves from hands of different worlds can be
	 * compared.  NULL: no prior.
	 */
	void (*judge)(void *context, const struct scopa_rules *rules,
	    const struct scopa_deal *deal, const struct scopa_move *moves,
	    int count, float *weights);
	void *context;
	/* The weight of a move does not depend on the other moves shown. */
	bool apart;
};

/* Random moves of playouts are given in parts of PLAYOUT_SHARE_MAX. */
enum { PLAYOUT_SHARE_MAX = 1000, PLAYOUT_EPSILON = 300 };

/*
 * Chooses a move of the playout below the tree.  `random_share` of
 * PLAYOUT_SHARE_MAX moves are random, all legal moves equally likely; the
 * others are those of greedy_choose().  PLAYOUT_SHARE_MAX gives the random
 * playout, 0 the greedy one, and PLAYOUT_EPSILON the epsilon-greedy one of Di
 * Palma and Lanzi: every move is random with probability epsilon = 0.3, else
 * that of their Greedy.
 */
void playout_move(const struct greedy *greedy, int random_share,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random, struct scopa_move *move);

enum {
	/*
	 * Visits are single-precision numbers, which can count by ones up to
	 * this number.
	 */
	SEARCH_ITERATIONS_MAX = 1 << 24,
	/* The number of iterations between two looks at the clock. */
	SEARCH_CLOCK_INTERVAL = 16
};

/*
 * The value of a move is q + C sqrt(ln available / n) + W prior / (n + 1),
 * where q is its mean reward and n its visits.  The search follows the move
 * with the greatest value.
 */
struct search_config {
	const struct scopa_rules *rules;
	const struct scopa_view *view; /* of the seat to move */
	int64_t iterations;            /* limit; 0: SEARCH_ITERATIONS_MAX */
	int64_t deadline_ns;           /* CLOCK_MONOTONIC; 0: none */
	double exploration;            /* C, in units of the reward */
	double prior_weight;           /* W */

	/*
	 * For each other seat, the share of visits, 0 to 1, in which its move
	 * is drawn from the prior alone.  These seats do not see what the
	 * searching seat sees, so they should not always follow its statistics.
	 */
	double model[SCOPA_SEATS_MAX];

	/*
	 * True: unvisited moves are tried first, in random order.  False: an
	 * unvisited move counts as the mean of the visited ones, with n = 1
	 * under the root.
	 */
	bool eager;

	/*
	 * More than 0: a deal with cards in the deck is followed until the
	 * hands at the root are played and each seat has played one card of the
	 * next hands.  Then all cards outside the piles are given to the teams
	 * at random, this many times for each rotation of the teams.  The
	 * reward is the mean.  Rules that end the deal at an instant win do not
	 * use it.
	 */
	int completions;

	int random_share; /* of the moves of playouts */
	struct world_source worlds;
	search_reward *reward;
	struct search_prior prior;

	/* The only move of the root that is searched; NULL: all moves. */
	const struct scopa_move *only;

	/*
	 * Called as often as the clock is read; true ends the search.  NULL:
	 * none.
	 */
	bool (*stopped)(void *context);
	void *stopped_context;

	/*
	 * Memory for the tree; it belongs to the caller.  When it is full, no
	 * more nodes are added.
	 */
	void *memory;
	size_t memory_size; /* bytes */
};

/* One legal move of the root. */
struct search_row {
	struct scopa_move move;
	double visits; /* iterations that chose this move */
	double value;  /* mean reward of the seat's team; 0 unvisited */
	double prior;  /* 0 without a prior */
};

enum { SEARCH_LINE_MAX = 8 };

struct search_result {
	int64_t iterations; /* with one world each */
	bool late;          /* the deadline ended the search */
	bool exact;         /* every world was solved instead of searched */
	int64_t nodes;      /* added to the tree, or searched by the solver */
	int64_t plays;      /* moves made in playouts */
	/*
	 * The row with the most visits.  Of equal ones, the one with the
	 * greatest value; in several threads, the first one, or the best row of
	 * the calling thread's search if it is among them.
	 */
	int best;
	int line_count;
	struct scopa_move line[SEARCH_LINE_MAX]; /* principal variation */
	int row_count;
	struct search_row rows[SCOPA_MOVES_MAX]; /* in canonical order */
};

/*
 * Searches the position of the view, whose seat must move.  *random advances.
 * The same state gives the same result unless the deadline or `stopped` ends
 * the search.  Returns false and leaves *result unchanged when the view
 * contradicts itself.  With world_fixed_draw the search sees all cards.
 */
bool search_run(const struct search_config *config, uint64_t *random,
    struct search_result *result);

/*
 * Several searches of one position at the same time.  Each has its own tree;
 * the visits are added up (root parallelization).
 */
enum { PARALLEL_SEARCH_MAX = 8 };

struct parallel_search {
	struct search_result results[PARALLEL_SEARCH_MAX - 1];
};

/*
 * Runs search_run() in `threads` threads, 1 to PARALLEL_SEARCH_MAX.  Iterations
 * and memory are divided among them.  All threads call the world source, the
 * playout, the reward and the prior, which may therefore only read shared data.
 * Only the calling thread calls `stopped`.  A thread that cannot be created is
 * left out.  The same random state and number of threads give the same result,
 * unless time or `stopped` ends the search.
 */
bool parallel_search_run(struct parallel_search *parallel, int threads,
    const struct search_config *config, uint64_t *random,
    struct search_result *result);

#endif
