/*
 * The results of all blocks so far, added up: by bot, and by pair of bots.
 *
 * A pure function of the blocks in schedule order.  Blocks with a forfeit are
 * in the totals; the `clean` moments leave them out.
 */
#ifndef STANDINGS_H
#define STANDINGS_H

#include "block.h"
#include "estimate.h"
#include "ranking.h"
#include "sprt.h"

/* The side of a team in a deal: against the dealer, or the dealer's own. */
enum standing_side { STANDING_HAND, STANDING_DECK, STANDING_SIDE_COUNT };

/* The results of a bot on one side, in games of one deal. */
struct standing_deals {
	struct trinomial results;
	struct moments margins; /* of games, in points a deal */
};

/* A game that a bot lost by its own offence. */
struct standing_forfeit {
	int64_t game; /* from 1: that of match `m1`; 0: there is none */
	bool known;   /* the record names the offence */
	enum offence_kind kind;
	char reason[SUMMARY_REASON_SIZE];
};

/* One bot against all others. */
struct standing {
	int64_t blocks, games, deals; /* that it has played */
	struct trinomial results;     /* of games: win = beats all others */
	int64_t forfeits; /* games that it lost by its own offence */
	struct standing_forfeit first_forfeit; /* of these */
	struct moments margins, clean;         /* of blocks, in points a deal */
	struct standing_deals sides[STANDING_SIDE_COUNT];
	double score;   /* sum of the shares of games, 0..games */
	int64_t points; /* of its team */
	int64_t item_points[SCOPA_ITEM_COUNT];
	int64_t item_points_against[SCOPA_ITEM_COUNT]; /* of all others */
	int64_t offences[OFFENCE_KIND_COUNT];
	int64_t think_us, think_longest_us, decisions;
	/* decisions that a clock cut short: see struct summary */
	int64_t cut_short;
	int64_t ponder_games; /* games in which it was found pondering */
	int64_t ponder_ns;    /* its CPU time in them while not to move */
	int startup_failures; /* games that it lost by not starting */
	struct skill skill;   /* Plackett-Luce over games */
};

/*
 * One bot against another one, from the view of the first.  Games in which the
 * two were partners are left out, and so are blocks that the same bots have
 * played with the same packs before: they are no new evidence.
 */
struct encounter {
	int64_t blocks, games;
	int64_t repeats; /* blocks beside these, of packs that had been met */
	struct moments margins, clean; /* own team less the other's, a deal */
	struct moments scores;         /* of blocks, 0..1 */
	int company; /* bots of the largest block in which they met */
	/* Every block was a pair: two games of two teams.  `pairs` has all
	 * that were. */
	bool paired;
	struct pentanomial pairs, clean_pairs;
	struct trinomial results, clean_results; /* of games */
	int64_t mirrors;   /* blocks whose games were exact mirrors */
	int64_t differing; /* blocks whose margin was not 0 */
	double step;       /* the least between two margins; 0: no block yet */
	int64_t forfeits;  /* games forfeited by the first of the two */
};

enum { STANDINGS_SANDBOXES_MAX = 12 };

/* Games that were played at the same sandbox level. */
struct standings_sandbox {
	char name[SUMMARY_SANDBOX_SIZE]; /* `box`; empty: not said */
	int64_t games;
};

/* The packs of a file, which may repeat. Each round begins at one of them. */
struct standings_suite {
	/* a hash of each pack; equal hashes mean that a round would repeat */
	const int *sets;
	int count; /* of packs; 0: every round has packs of its own */
	int deals; /* packs from the begin of a round to the next */
};

/*
 * The margins of the games of one deal on one side.  A row has those of one bot
 * (first == second) with one set of packs: `blocks` is the number of games, and
 * `margin` the sum.  If there are very many rows, clusters are joined as by
 * standings_coarsen.
 */
struct standings_side {
	struct cluster_row *rows; /* owned */
	int64_t row_count;
	size_t row_capacity;
	uint32_t mask; /* the bits of a cluster's number that count */
};

/* Bets on the margin of one bot against another. */
struct standings_bets {
	bool open;
	int first, second;
	struct betting all, clean; /* clean: on blocks without a forfeit */
};

struct standings {
	struct scopa_rules rules;
	int bot_count;
	struct standings_suite suite;
	/* Blocks, games and deals that were played; blocks that were not;
	 * games that were forfeited. */
	int64_t blocks, skipped, games, deals, forfeits;
	/* Games to a target that were drawn, because no bot had won after the
	 * greatest number of deals. */
	int64_t max_deals_games;
	int64_t repeats; /* of the blocks, with packs that had been met */
	/*
	 * Turns whose clock began again because the arena was late, the games
	 * with such turns, and the longest delay.
	 */
	int64_t void_turns, void_games, lag_longest_ns;
	/*
	 * Games that were played again, because the arena or the system had
	 * failed.
	 */
	int64_t replayed;
	int64_t analysed; /* games in which bots may have seen all cards */
	/* Games by sandbox level, in the order in which the levels came.  If
	 * there are more levels, the last entry has the games of the rest. */
	struct standings_sandbox sandboxes[STANDINGS_SANDBOXES_MAX];
	int sandbox_count;
	struct standing *bots;        /* bot_count; owned */
	struct encounter *encounters; /* [a * bot_count + b]; owned */
	struct cluster_row *rows;     /* of all encounters, by rounds; owned */
	int64_t row_count;
	size_t row_capacity;
	/* Whether `sides` is filled; the caller sets it before the first block. */
	bool by_side;
	struct standings_side sides[STANDING_SIDE_COUNT];
	void *met; /* which bots met with which packs: a search tree; owned */
	struct standings_bets bets; /* none before standings_bet */
};

/*
 * Makes empty standings of so many bots. Every round has packs of its own,
 * unless the caller sets `suite`. Returns 0 or -ENOMEM.
 */
int standings_open(struct standings *standings, const struct scopa_rules *rules,
    int bot_count);
void standings_close(struct standings *standings);

/*
 * Begins to bet on the margin of `first` against `second`, who have not met
 * yet.  The hypotheses are that it is at most `low`, and that it is at least
 * `high`.  Both lie between -scopa_points_max() and scopa_points_max().
 */
void standings_bet(struct standings *standings, int first, int second,
    double low, double high);

/*
 * Makes room for further bots, or removes the last ones. Returns 0 or -ENOMEM.
 */
int standings_resize(struct standings *standings, int bot_count);

/* Adds the next block. Returns 0, or -ENOMEM with nothing added. */
int standings_add(
    struct standings *standings, const struct block_result *block);

/*
 * The two parts of standings_add, for games that are counted before their block
 * is whole: standings_add_game adds what follows from one game, and
 * standings_add_margins what follows only from all games of the block (margins
 * and encounters).  The latter returns 0, or -ENOMEM with nothing added.
 */
void standings_add_game(
    struct standings *standings, const struct block_result *block, int game);
int standings_add_margins(
    struct standings *standings, const struct block_result *block);

/*
 * Joins clusters at random until there are at most `row_max` rows.  Errors stay
 * right, because the joined clusters are independent of all others.  *mask has
 * the bits of a cluster's number that count.  Each step clears one of them, and
 * the caller clears the same bits in the clusters of further blocks.
 */
void standings_coarsen(
    struct standings *standings, int64_t row_max, uint32_t *mask);

/* Games whose bots had no sandbox, whether that was wanted or not. */
int64_t standings_unboxed(const struct standings *standings);

/* Returns the results of `first` against `second`, two different bots. */
struct encounter *standings_encounter(
    const struct standings *standings, int first, int second);

#endif
