/*
 * The inside of a schedule, and what a format has to offer.
 *
 * Plans must not depend on how many results are still due.  A format may
 * therefore use a result only to plan a block that waits for it at any
 * look-ahead, and what it knows of suspended bots only where nothing is due.
 */
#ifndef SCHEDULE_STATE_H
#define SCHEDULE_STATE_H

#include <stddef.h>

#include "schedule.h"

enum {
	SCHEDULE_SLOTS_MAX = 2048, /* of a knockout: the next power of two */
	SCHEDULE_PAIRINGS_MAX = SCHEDULE_SLOTS_MAX / 2,
	SCHEDULE_PICKS_MAX = 3 * TOURNAMENT_BOTS_MAX /* of a ladder at a time */
};
_Static_assert((int)SCHEDULE_SLOTS_MAX >= (int)TOURNAMENT_BOTS_MAX,
    "every bot has its slot");

/* Two bots that meet, and how that goes from the view of `first`. */
struct schedule_pairing {
	int first, second;
	int taken;     /* blocks */
	int skipped;   /* of these */
	int lead;      /* blocks won less blocks lost; skipped ones too */
	int last;      /* 1, 0, -1: the last of these */
	double margin; /* sum, in points a deal */
	int winner;    /* bot, or -1; of a knockout alone */
};

struct schedule_swiss {
	int bot_count;
	int stage;
	int64_t stage_start; /* number of its first block */
	int pairing_count;   /* 0: the stage is to be drawn */
	struct schedule_pairing pairings[SCHEDULE_PAIRINGS_MAX];
	int points[TOURNAMENT_BOTS_MAX]; /* in halves */
	double margins[TOURNAMENT_BOTS_MAX];
	int byes[TOURNAMENT_BOTS_MAX];
	uint16_t *met; /* [a * bot_count + b], in the memory */
	bool *edges;   /* of a matching, likewise */
	bool over;
};

struct schedule_knockout {
	int stage;
	/* Who is left, in the order of the bracket: neighbours meet. */
	int slot_count;
	int slots[SCHEDULE_SLOTS_MAX]; /* bot, or -1: a bye */
	int pairing_count; /* one for each two slots; 0: to be drawn */
	struct schedule_pairing pairings[SCHEDULE_PAIRINGS_MAX];
	int round, pairing; /* what is planned next */
	int round_count;    /* of the stage: rounds in which somebody plays */
	int round_start;    /* rounds of the stages before */
	int places[TOURNAMENT_BOTS_MAX]; /* -1: not known yet */
	bool over;
};

struct schedule_ladder {
	int generation;
	int64_t generation_start;      /* number of its first block */
	int pick_count;                /* 0: the generation is to be drawn */
	int picks[SCHEDULE_PICKS_MAX]; /* pairs, by their numbers */
	int pick_rounds[SCHEDULE_PICKS_MAX];
	struct rating ratings[TOURNAMENT_BOTS_MAX];
	/* In the memory, by number of the pair: results and blocks planned; */
	struct rating_margins *pairs;
	int *planned;
	/* the expected information, or at least no less, and the pick for which
	 * it was last worked out; */
	double *information;
	int *worked_out;
	/* [a * bot_count + b]: the variance of the difference of two ratings,
	 * below 0 where nothing joins them; and what ratings need. */
	double *spread, *work;
};

struct schedule {
	struct schedule_config config;
	int64_t planned, taken; /* blocks */
	bool suspended[TOURNAMENT_BOTS_MAX];
	union {
		struct schedule_swiss swiss;
		struct schedule_knockout knockout;
		struct schedule_ladder ladder;
	};
	max_align_t memory[]; /* of the format: it grows with the bots */
};

/* A format; functions that are NULL have nothing to do. */
struct schedule_kind {
	const char *name;
	const char *(*flaw)(const struct schedule_config *config);
	int64_t (*block_count)(const struct schedule_config *config);
	int64_t (*round_count)(const struct schedule_config *config);
	size_t (*memory_size)(const struct schedule_config *config);
	void (*init)(struct schedule *schedule);
	/* Sets bots, round and stage of the next block. */
	enum schedule_answer (*next)(
	    struct schedule *schedule, struct block_plan *plan);
	void (*take)(
	    struct schedule *schedule, const struct block_result *result);
	int (*place)(const struct schedule *schedule, int bot);
};

extern const struct schedule_kind schedule_round_robin, schedule_gauntlet,
    schedule_swiss, schedule_knockout, schedule_ladder;

/* Sets who meets: two bots, in the order in which they take seats. */
void schedule_pair(const struct schedule *schedule, int one, int other,
    struct block_plan *plan);

/* Counts a block of the two bots of a pairing. */
void schedule_pairing_take(const struct schedule *schedule,
    struct schedule_pairing *pairing, const struct block_result *result);

/*
 * The sign of a sum of margins: what is left by rounding is no difference.
 */
int schedule_sign(double margin);

/* Who sits where in the games of a block whose bots and number are set. */
void schedule_seat(
    const struct schedule_config *config, struct block_plan *plan);

#endif
