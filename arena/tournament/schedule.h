/*
 * Who plays whom: a pure function of the configuration, the number of the
 * block, and, where pairings follow results, the blocks before it.
 *
 * The caller gets plans in order and adds results in the same order.  It may
 * get any number of plans before it adds the first result: the plans do not
 * depend on how many blocks are played at the same time.  If the next pairing
 * depends on a result, schedule_next() says so.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "block.h"

enum {
	/* Ways to fill a table; blocks of a ladder. */
	SCHEDULE_ENCOUNTERS_MAX = 1000000000,
	SCHEDULE_STAGES_MAX = 10000, /* of swiss */
	SCHEDULE_TIE_BREAKS_MAX = 16 /* blocks of a drawn knockout */
};
#define SCHEDULE_BLOCKS_MAX ((int64_t)1000000000000000)

enum schedule_format {
	/* all pairs that can meet, interleaved by block */
	SCHEDULE_ROUND_ROBIN,
	SCHEDULE_GAUNTLET, /* the challengers against all others */
	SCHEDULE_SWISS,    /* equals meet; no pair twice if possible */
	SCHEDULE_KNOCKOUT, /* a bot that loses leaves */
	SCHEDULE_LADDER,   /* the pair that adds most to the ranking */
	SCHEDULE_FORMAT_COUNT
};

struct schedule_config {
	enum schedule_format format;
	int bot_count; /* 2..TOURNAMENT_BOTS_MAX */
	struct scopa_rules rules;
	bool mixed;      /* each seat has another bot, also within a team */
	bool duplicate;  /* a block has a game for each seating; else one */
	int rounds;      /* blocks of an encounter (knockout: best of); unused
			    by a ladder */
	int stages;      /* swiss rounds; 0: as many as find one best */
	int64_t blocks;  /* of a ladder, in all */
	int challengers; /* of a gauntlet: the first so many bots */
	uint64_t seed;   /* of the cyclic orders */
};

/* `roundrobin`, `gauntlet`, `swiss`, `knockout`, `ladder`; NULL ends them. */
extern const char *const schedule_format_names[];

/*
 * Returns why a configuration is impossible, as a sentence; NULL if it is
 * possible.
 */
const char *schedule_flaw(const struct schedule_config *config);

/* Returns the number of games in each block. */
int schedule_game_count(const struct schedule_config *config);

/* Returns the number of bots that meet in a block. */
int schedule_bot_count(const struct schedule_config *config);

/*
 * Returns the number of blocks of the whole schedule.  If it depends on results
 * (knockout) or on suspended bots (swiss, knockout, ladder), it is the greatest
 * possible number.
 */
int64_t schedule_block_count(const struct schedule_config *config);

/*
 * Returns the number of rounds, each of which has packs of its own.  For a
 * ladder it is the most that one pair may play; for a knockout it does not
 * count rounds that break ties.
 */
int64_t schedule_round_count(const struct schedule_config *config);

enum schedule_answer { SCHEDULE_BLOCK, SCHEDULE_WAIT, SCHEDULE_END };

/* It lies in schedule_size() bytes of the caller, which must not move. */
struct schedule;

size_t schedule_size(const struct schedule_config *config);
void schedule_init(
    struct schedule *schedule, const struct schedule_config *config);

/*
 * Plans the next block; SCHEDULE_WAIT: it depends on results that must be given
 * first.
 */
enum schedule_answer schedule_next(
    struct schedule *schedule, struct block_plan *plan);

/* Adds the result of the next block, in the order of the plans. */
void schedule_add(struct schedule *schedule, const struct block_result *result);

/*
 * Suspends a bot from the block after the last one counted. This must be called
 * before anything else is planned or counted. Blocks with the bot may still be
 * planned, and must be counted as skipped. In formats in which encounters are
 * won, the bot loses them.
 */
void schedule_suspend(struct schedule *schedule, int bot);

/*
 * Returns the place of a bot, from 0, if the format itself decides places;
 * equal bots have equal places.  -1: the format does not (round robin,
 * gauntlet, ladder), or not yet.
 */
int schedule_place(const struct schedule *schedule, int bot);

/*
 * Prints a planned block for people, with the bots in seats 1, 2, ... of each
 * game: `block 12 round 3: greedy first | first greedy`.  `names` are those of
 * the bots by number.
 */
void schedule_print_block(const struct block_plan *plan,
    const char *const names[], const struct scopa_rules *rules,
    struct scopa_text *text);

#endif
