/*
 * Margins with the luck of the deal taken out, where a block does not cancel
 * it: x is what the deals of a block were worth to a bot by the reference, y
 * the margin of the bot.
 *
 * The expectation of x is 0.  Packs are drawn for seats and not for bots; and
 * the dealer changes from block to block, in games of so many deals.  A game to
 * a target may end with any deal: which dealers there were then depends on the
 * bots, and the dealer's place is worth something.  So each deal beyond those
 * that all games have counts for what it was worth more than a deal of that
 * dealer is worth to the reference on average.  That holds for the sum over a
 * game, as no end can be chosen by packs that were not dealt yet.  It would not
 * hold for the mean over its deals: games that good cards make short would
 * count more.  So x is the sum, over what a game has deals on average.
 *
 * Blocks of a round share their packs, so the observations are the means of
 * rounds, as of ratings.
 *
 * Where every bot takes every seat on the same packs, and for equally many
 * deals, x is 0 in each block: there is nothing to correct.
 */
#ifndef VARIATES_H
#define VARIATES_H

#include "record_read.h"
#include "report.h"
#include "run.h"
#include "scopa/rules.h"

/*
 * What a deal alone is worth to each team: the points that it makes where the
 * same bot, the built-in greedy one, plays every seat.
 *
 * Each seat plays by what it may see, as the bot does in a match, and nothing
 * is left to chance: the same pack always gives the same points, and they are
 * those of a match of that bot against itself.
 */

enum { REFERENCE_DEALS_MAX = 32 };

/* One deal. */
struct reference_deal {
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer; /* seat */
	/*
	 * Of each team: its points less another team's, summed over all
	 * others.  More is better in every rule set.  Whole numbers, so that
	 * what cancels out leaves nothing.
	 */
	int64_t leads[SCOPA_TEAMS_MAX];
};

/* All deals of a game. */
struct reference {
	/* The leads of each team (the second index), by dealer. */
	int64_t leads[SCOPA_TEAMS_MAX][SCOPA_TEAMS_MAX];
	int dealt[SCOPA_TEAMS_MAX]; /* how many deals each team dealt */
};

/*
 * Deals that were played already: the games of a block have the same packs.
 * Zero: none yet.
 */
struct reference_memory {
	bool full[REFERENCE_DEALS_MAX];
	struct reference_deal deals[REFERENCE_DEALS_MAX];
};

/*
 * Plays the deal of this pack, a permutation of the cards, and this dealer, and
 * fills the leads.  False where the rules throw such a pack in.
 */
bool reference_play(
    const struct scopa_rules *rules, struct reference_deal *deal);

/*
 * Plays all deals of a recorded game that were played to their end, each with
 * its dealer, from the packs that were not redealt; what the memory knows is
 * not played again.  One memory is of one rule set.  False with the fault where
 * the record does not tell dealers and packs.
 */
bool reference_read(struct reference *reference,
    struct reference_memory *memory, const struct scopa_rules *rules,
    const struct record_block *block, struct record_fault *fault);

/* Rounds of a bot that are kept apart; further ones join them at random. */
enum { VARIATES_ROUNDS_MAX = 4096 };

struct variates {
	const struct scopa_rules *rules;
	int deals; /* that all games have; 0 in games to a target */
	/*
	 * Of all deals: the leads of teams by how many places they sit after
	 * the dealer's.
	 */
	int64_t leads[SCOPA_TEAMS_MAX];
	int64_t dealt;
	struct variates_bot {
		/*
		 * x in parts: the leads; then, for each place after the
		 * dealer's, the deals beyond `deals` in which the bot had it,
		 * less those in which it was the dealer's team.
		 */
		struct variates_round *rounds; /* owned; NULL: none yet */
		int64_t blocks, games, deals;
	} bots[TOURNAMENT_BOTS_MAX];
	struct report_variate rows[TOURNAMENT_BOTS_MAX];
	int row_count;
};

/* No blocks yet; the rules must outlive it.  `deals` of a game, or 0. */
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
 * Adds all blocks that the store of a run has, from its records.  0 or -errno;
 * -EBADMSG where the records are not those of the store.
 */
int variates_read(struct variates *variates, const struct run *run,
    struct store_error *error);

/* The rounds of a bot: the means of their blocks. */
struct variate_parts variates_rounds(const struct variates_bot *bot);

/*
 * Makes the rows: one for each bot whose deals were worth more at times than at
 * others, and that has played enough rounds to tell.
 */
void variates_estimate(struct variates *variates, double level);

#endif
