/*
 * Estimates of margins without the luck of the deal, for tournaments whose
 * blocks do not cancel it.  For a bot, x is what the deals of a block were
 * worth to it, measured by a reference bot, and y is its margin.
 * stats/estimate.h estimates y with x as a control variate, which needs a known
 * expectation of x: it is 0.
 *
 * Why it is 0: packs are drawn for seats and not for bots, and in games of a
 * fixed number of deals the dealer changes from block to block.  A game to a
 * target may end after any deal.  Which seats have dealt then depends on the
 * bots, and the dealer's place is worth something.  Therefore each deal beyond
 * those that all games have counts as its worth less the average worth, to the
 * reference, of a deal with that dealer.  The expectation of the sum over a
 * game is then 0, as bots cannot end a game depending on packs that were not
 * dealt yet.  This would not hold for the mean over the deals of a game: games
 * that good cards make short would have too much weight.  So x is the sum over
 * a game, divided by the average number of deals of a game.
 *
 * Blocks of a round share their packs.  Therefore an observation is a round, as
 * for ratings.
 *
 * If every bot takes every seat with the same packs for the same number of
 * deals, x is 0 in each block, and there is nothing to correct.
 */
#ifndef VARIATES_H
#define VARIATES_H

#include "record_read.h"
#include "report.h"
#include "run.h"
#include "scopa/rules.h"

/*
 * What a deal is worth to each team: the points that the team makes if the
 * built-in bot greedy plays every seat.
 *
 * Each seat plays by what it may see, as the bot does in a match, and there is
 * no random choice.  So the same pack always gives the same points, and they
 * are the points of a match of this bot against itself.
 */

enum { REFERENCE_DEALS_MAX = 32 };

/* A deal and its worth. */
struct reference_deal {
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer; /* the seat that deals */
	/*
	 * For each team: the sum, over all other teams, of its own points less
	 * the other team's points.  More is better in every rule set; if few
	 * points win, the sign is changed.  These are integers, so equal deals
	 * cancel exactly.
	 */
	int64_t leads[SCOPA_TEAMS_MAX];
};

/* The worth of all deals of a game. */
struct reference {
	/* [dealer's team][team]: the sum of the leads of `team`. */
	int64_t leads[SCOPA_TEAMS_MAX][SCOPA_TEAMS_MAX];
	/* number of deals that each team has dealt */
	int dealt[SCOPA_TEAMS_MAX];
};

/*
 * A cache of played deals, as the games of a block have the same packs.  A
 * zeroed struct is empty.
 */
struct reference_memory {
	bool full[REFERENCE_DEALS_MAX];
	struct reference_deal deals[REFERENCE_DEALS_MAX];
};

/*
 * Plays the deal of the pack, a permutation of the cards, with the dealer, and
 * fills the leads.  False: the rules do not accept the pack.
 */
bool reference_play(
    const struct scopa_rules *rules, struct reference_deal *deal);

/*
 * Computes the reference of a recorded game: plays each deal that was played to
 * its end, with its dealer and with the pack that was not redealt.  Deals in
 * `memory` are not played again; a memory may only be used with one rule set.
 * Returns false with the fault if the record does not give dealers and packs.
 */
bool reference_read(struct reference *reference,
    struct reference_memory *memory, const struct scopa_rules *rules,
    const struct game_record *record, struct record_fault *fault);

/*
 * The number of rounds of a bot that are kept separate.  Each further round is
 * added to a random one of them.
 */
enum { VARIATES_ROUNDS_MAX = 4096 };

struct variates {
	const struct scopa_rules *rules;
	/* number of deals that all games have; 0 in games to a target */
	int deals;
	/*
	 * Sums over all deals: the leads of teams, by the number of places that
	 * the team sits after the dealer's team.
	 */
	int64_t leads[SCOPA_TEAMS_MAX];
	int64_t dealt;
	struct variates_bot {
		/*
		 * The parts of x: part 0 is the leads.  Part N, for the place N
		 * after the dealer's, is the number of deals beyond `deals` in
		 * which the bot had this place, less the number of those that
		 * its team dealt.
		 */
		struct variates_round *rounds; /* owned; NULL: no block yet */
		int64_t blocks, games, deals;
	} bots[TOURNAMENT_BOTS_MAX];
	struct report_variate rows[TOURNAMENT_BOTS_MAX];
	int row_count;
};

/*
 * Begins without blocks.  `rules` must outlive `variates`.  `deals` is the
 * number of deals of each game, or 0.
 */
void variates_init(
    struct variates *variates, const struct scopa_rules *rules, int deals);
void variates_close(struct variates *variates);

/*
 * Adds a block, with the reference of each of its games.  A block that was
 * skipped, or in which a game was forfeited, is left out.  0 or -ENOMEM.
 */
int variates_add(struct variates *variates, const struct block_result *block,
    const struct reference *references);

/*
 * Adds all blocks in the store of a run; the deals come from its records.  0 or
 * -errno with `error` set; -EBADMSG: the records do not belong to the results
 * in the store.
 */
int variates_read(struct variates *variates, const struct run *run,
    struct store_error *error);

/*
 * Returns the sums over the rounds of a bot.  The mean of the observations is
 * that of all blocks.
 */
struct variate_parts variates_rounds(const struct variates_bot *bot);

/*
 * Fills `rows`: a row for each bot that has played enough rounds, and for which
 * x was not always the same.  `level` is the confidence level of intervals.
 */
void variates_estimate(struct variates *variates, double level);

#endif
