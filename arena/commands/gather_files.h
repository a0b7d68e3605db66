/*
 * The games of record files as blocks, for commands that count results.
 */
#ifndef GATHER_FILES_H
#define GATHER_FILES_H

#include "gather.h"
#include "standings.h"
#include "status.h"

/* What bets are to be made on; names may be NULL, as in gather_opponents. */
struct gather_bets {
	const char *candidate, *base;
	double low, high;
};

/* What was gathered, and the sums of it: memory as bots, not as games. */
struct gathered {
	struct gather gather;
	struct standings
	    standings; /* bots as in gather.names; once it has any */
	uint32_t cluster_mask;
	const struct gather_bets *bets; /* NULL: none */
};

/*
 * Gathers the games of all files, standard input where none is named.  A block
 * of a file that is bad is said with its line and skipped.  STATUS_FAILED where
 * one was bad (the rest is gathered all the same) or nothing was there;
 * STATUS_ENVIRONMENT where a file cannot be read.  Without any game to count
 * gather.block_count is 0, and that, too, was said.
 * Bets (NULL: none) are made in standings.bets while the games are read, unless
 * a bound lies beyond what a deal can give; they must outlive the call.
 */
enum status gather_files(struct gathered *gathered,
    const struct gather_bets *bets, int file_count, char **files);
void gathered_close(struct gathered *gathered);

/*
 * The numbers of the candidate and of whom it is compared with, by their names;
 * without a name the first bot seen, and the only other one.  -1 where there is
 * no such bot, or the other one is not alone.
 */
void gather_opponents(const struct gather *gather, const char *candidate,
    const char *base, int bots[2]);

/* Warns of what was not counted, or not as it should be: one line each. */
void gather_remarks_say(const struct gather *gather);

#endif
