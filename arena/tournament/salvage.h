/*
 * Blocks of a run whose record follows one that was lost: `salvage.scopa` in the
 * folder of the run.
 *
 * Results follow one another in the order of the schedule.  Where the record of
 * a block is damaged, `db rebuild` ends the results before it and puts whole
 * blocks from behind it here.  Whoever goes on with the run plays the lost block
 * again and then takes these in place of playing them, as long as the schedule
 * still has them: one that depends on results may have come to others.
 */
#ifndef SALVAGE_H
#define SALVAGE_H

#include "reread.h"
#include "run.h"

#define SALVAGE_FILE "salvage.scopa"

struct salvage;

enum { SALVAGE_DAMAGES_MAX = 8 };

/* Games of a file that are broken in themselves. */
struct salvage_damages {
	int64_t count; /* the first of these: */
	struct salvage_damage {
		int64_t block; /* its number from 1; 0: not known */
		struct record_fault fault;
	} damages[SALVAGE_DAMAGES_MAX];
};

/*
 * Writes the file from the records of a folder: all blocks from number `from` on
 * whose games, `game_count` each, are there and good.  Without any an older file
 * is removed.  0 or -errno; *saved is how many there are, and *damages are the
 * broken games of the whole file, but for one at its end that was cut off.
 */
int salvage_write(const char *folder, int64_t from, int game_count,
    int64_t *saved, struct salvage_damages *damages, struct store_error *error);

/*
 * Opens what the run has; NULL, which has no block, where it has nothing.  What
 * cannot be read is told in the log, and its blocks are played again.
 */
struct salvage *salvage_open(const struct run *run);

/*
 * Whether it has this block: then its results, and where its record is in the
 * file.  Blocks are asked for in the order of the schedule.
 */
bool salvage_take(struct salvage *salvage, const struct block_plan *plan,
    struct block_result *block, struct store_place *place);

/* Reads the record of a block that was taken: 0 or -errno. */
int salvage_read(const struct salvage *salvage, const struct store_place *place,
    char *bytes);

/*
 * Closes it, and removes the file where no block is left in it and all that were
 * taken are `kept` by the run.
 */
void salvage_close(struct salvage *salvage, bool kept);

#endif
