/*
 * What `rate` rates, and how: results of bots from records or from a table of
 * counts, and the ratings that follow from them.
 */
#ifndef RATE_TABLE_H
#define RATE_TABLE_H

#include "rating_fit.h"
#include "record_walk.h"
#include "report.h"
#include "standings.h"

enum rate_model {
	RATE_ALL,
	RATE_MARGIN,
	RATE_ELO,
	RATE_PLACKETT_LUCE,
	RATE_MODEL_COUNT
};

/* What is known of one bot. */
struct rate_bot {
	char name[EVENT_NAME_SIZE];
	int64_t blocks, games, forfeits;
	struct trinomial results; /* win = beats all others */
	double score;             /* sum of the shares of games */
	struct skill skill;
};

/* Two bots that met, from the view of `first`, the lower number. */
struct rate_pair {
	int first, second;
	int joint; /* bots that met in each of their blocks */
	int64_t blocks, games;
	struct moments margins, clean; /* points a deal; without forfeits */
	struct moments scores; /* of blocks; empty where only games are known */
	struct trinomial results;
};

/* What is asked for. */
struct rate_order {
	enum rate_model model;
	double level;
	int replicates; /* of the bootstrap; 0: none */
	uint64_t seed;
	int anchor; /* a bot whose rating is given, or -1 */
	double anchor_value;
};

struct rate_table {
	bool has_margins, has_games, has_skills;
	int team_count; /* 2 for counts */
	char rules[EVENT_SPEC_SIZE];
	int64_t game_count, block_count; /* blocks: 0 for games alone */
	int64_t forfeits;
	struct rate_bot *bots; /* owned, as are all pointers below */
	int bot_count;
	struct rate_pair *pairs;
	int pair_count;
	struct rating_fit fit; /* open once the table is filled */

	/* Of rate_compute; NULL where the model was not asked for. */
	struct rating *margins, *clean, *elo; /* a bot */
	double *errors; /* [a * bot_count + b]: of differences, first model */
	struct ranking_range *ranges; /* places that are open to each */
	int64_t comparisons;
	int *order;     /* bots from the first to the last */
	int *groups;    /* of each bot: whom it can be compared with */
	double *better; /* the bot at a position than the next; -1: unknown */
	double *places; /* [bot * bot_count + place]; NULL: no bootstrap */
	int replicates;
};

void rate_table_close(struct rate_table *table);

/* Fills an empty table from records.  0 or -ENOMEM. */
int rate_table_regroup(
    struct rate_table *table, const struct regrouped *regrouped);

/* The same from a file of counts, `-` for standard input.  Errors are said. */
enum status rate_table_count(struct rate_table *table, const char *file);

/* Works out the ratings; the table has what the model needs.  0 or -ENOMEM. */
int rate_compute(struct rate_table *table, const struct rate_order *order);

/* The pair of two bots, or NULL: they have not met. */
const struct rate_pair *rate_pair_find(
    const struct rate_table *table, int a, int b);

/* What a pair shows from the view of its first bot. */
struct estimate rate_pair_margin(const struct rate_pair *pair, double level);
struct estimate rate_pair_score(const struct rate_pair *pair, double level);

/* A rating with its interval. */
struct estimate rate_estimate(const struct rating *rating, double level);

/* Which model decides the order. */
enum rate_model rate_model_first(
    const struct rate_table *table, enum rate_model model);

/* `margin`, ... */
extern const char *const rate_model_names[];

void rate_text_print(
    const struct rate_table *table, const struct rate_order *order);
void rate_csv_print(
    const struct rate_table *table, const struct rate_order *order);
void rate_json_print(
    const struct rate_table *table, const struct rate_order *order);

#endif
