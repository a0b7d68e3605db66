/*
 * The games of record files as blocks, for commands that count results.
 */
#ifndef GATHER_FILES_H
#define GATHER_FILES_H

#include "gather.h"
#include "standings.h"
#include "status.h"

/* What was gathered, and the sums of it: memory as bots, not as games. */
struct gathered {
	struct gather gather;
	struct standings
	    standings; /* bots as in gather.names; once it has any */
	uint32_t cluster_mask;
};

/*
 * Gathers the games of all files, standard input where none is named.  A block
 * of a file that is bad is said with its line and skipped.  STATUS_FAILED where
 * one was bad (the rest is gathered all the same) or nothing was there;
 * STATUS_ENVIRONMENT where a file cannot be read.  Without any game to count
 * gather.block_count is 0, and that, too, was said.
 */
enum status gather_files(
    struct gathered *gathered, int file_count, char **files);
void gathered_close(struct gathered *gathered);

/* Warns of what was not counted, or not as it should be: one line each. */
void gather_remarks_say(const struct gather *gather);

#endif
