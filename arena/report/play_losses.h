/*
 * The losses of plays, as `analyse` judges them: sums for each bot, and the
 * file `analysis.tsv` of a run.
 *
 * The file is a table with a line of headings (formats.md).  Each analysis
 * appends its plays.  If a play was judged twice, the last line counts.
 */
#ifndef PLAY_LOSSES_H
#define PLAY_LOSSES_H

#include <stdio.h>

#include "event.h"

#define RUN_ANALYSIS "analysis.tsv" /* in the folder of a run */

enum {
	PLAY_LOSSES_MAX = 1
	    << 20, /* plays that are read; others are left out */
	LOSS_MOVE_SIZE = 96
};

/* Marks of a play, in the notation of chess programs. */
enum loss_mark { LOSS_FINE, LOSS_MISTAKE, LOSS_BLUNDER, LOSS_MARK_COUNT };

/* Three phases; each is a third of the plays of a deal. */
enum loss_phase { LOSS_OPENING, LOSS_MIDDLE, LOSS_ENDING, LOSS_PHASE_COUNT };

extern const char *const loss_phase_names[LOSS_PHASE_COUNT];

/*
 * How plays were judged: by what their seats could see, or with all cards
 * known.
 */
enum loss_kind { LOSS_BY_SEAT, LOSS_BY_SOLVER, LOSS_KIND_COUNT };

struct loss_tally {
	int64_t plays, marks[LOSS_MARK_COUNT];
	double loss;
};

/* The sums over a bot's plays, in all matches and at all its seats. */
struct loss_sum {
	char name[EVENT_NAME_SIZE];
	int64_t deals; /* deals of each of its seats, added up */
	struct loss_tally phases[LOSS_PHASE_COUNT][LOSS_KIND_COUNT];
};

struct loss_sums {
	struct loss_sum *items; /* owned */
	int count, capacity;
};

/* `?` or `??`, or an empty text. */
const char *loss_mark_text(double loss);

/*
 * The sums of a bot, which are empty ones if there are none yet.  NULL: no
 * memory.
 */
struct loss_sum *loss_sums_get(struct loss_sums *sums, const char *name);
void loss_sums_release(struct loss_sums *sums);

void loss_tally_add(struct loss_tally *tally, double loss);

/* Adds up the tallies of all phases. */
void loss_sum_all(
    const struct loss_sum *sum, struct loss_tally all[LOSS_KIND_COUNT]);

/* A play or a declaration that was analysed. */
struct play_loss {
	char match[EVENT_ID_SIZE];
	char bot[EVENT_NAME_SIZE];
	char move[LOSS_MOVE_SIZE];
	int deal, play, seat; /* from 1 */
	enum loss_phase phase;
	bool by_arena; /* the arena made the move for the seat */
	/*
	 * if false, as the play was forced or by the arena: the rest is unset
	 */
	bool judged;
	char best[LOSS_MOVE_SIZE];
	double value, loss;
	bool exact; /* the solver has set the three members below */
	char exact_best[LOSS_MOVE_SIZE];
	int exact_value, exact_loss;
};

/* Writes the headings of a table. */
void play_loss_head(FILE *file);

/* Appends a play to a table; an empty file gets the headings first. */
void play_loss_write(const struct play_loss *loss, FILE *file);

/* The table of a run.  Only matches with an id `mN` are read. */
struct play_losses;

/*
 * Reads a table.  0, and then the caller closes the losses; -ENOENT: there is
 * no file; -EBADMSG: the file is no such table; or another -errno.
 */
int play_losses_open(struct play_losses **losses, const char *path);
void play_losses_close(struct play_losses *losses);

/* The sums of all bots, in the order of their names. */
const struct loss_sums *play_losses_sums(const struct play_losses *losses);

/*
 * Finds a play of match `mN`, N being `game`.  Returns false if it was not
 * analysed.
 */
bool play_losses_find(struct play_losses *losses, int64_t game, int deal,
    int play, const char *move, struct play_loss *loss);

#endif
