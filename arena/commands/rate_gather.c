/*
 * The table of `rate` from the blocks of record files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rate_table.h"

/* Index of the pair of two bots, in the order of a triangle. */
static int
triangle(int first, int second, int bot_count)
{
	return first * (2 * bot_count - first - 1) / 2 + second - first - 1;
}

/* All pairs are there at first; those that never met are left out at last. */
static int
pairs_open(struct rate_table *table)
{
	size_t count = (size_t)table->bot_count;

	table->pairs = calloc(count * (count - 1) / 2, sizeof(*table->pairs));
	if (table->pairs == NULL)
		return -ENOMEM;
	for (int a = 0; a < table->bot_count; a++) {
		for (int b = a + 1; b < table->bot_count; b++) {
			struct rate_pair *pair =
			    &table->pairs[table->pair_count++];

			pair->first = a;
			pair->second = b;
		}
	}
	return 0;
}

static void
pairs_compact(struct rate_table *table)
{
	int kept = 0;

	for (int i = 0; i < table->pair_count; i++)
		if (table->pairs[i].blocks > 0)
			table->pairs[kept++] = table->pairs[i];
	table->pair_count = kept;
}

/* The rows of all encounters, by clusters; 0 or -ENOMEM. */
static int
rows_take(struct rate_table *table, const struct standings *standings)
{
	size_t count = (size_t)standings->row_count;

	table->rows = calloc(count + 1, sizeof(*table->rows));
	table->starts = calloc(count + 1, sizeof(*table->starts));
	if (table->rows == NULL || table->starts == NULL)
		return -ENOMEM;
	memcpy(table->rows, standings->rows, count * sizeof(*table->rows));
	table->clusters =
	    clusters_make(table->rows, standings->row_count, table->starts);
	for (size_t i = 0; i < count; i++) {
		const struct cluster_row *row = &table->rows[i];
		bool turned = row->first > row->second;
		int first = turned ? row->second : row->first;
		int second = turned ? row->first : row->second;
		double score = (double)row->score / (double)row->games;

		moments_add(
		    &table->pairs[triangle(first, second, table->bot_count)]
			 .scores,
		    turned ? 1.0 - score : score);
	}
	return 0;
}

/* In how large a company each two met. */
static void
joint_take(struct rate_table *table, const struct block_plan *plan)
{
	for (int one = 0; one < plan->bot_count; one++) {
		for (int two = 0; two < plan->bot_count; two++) {
			int first = plan->bots[one], second = plan->bots[two];
			struct rate_pair *pair;

			if (first >= second)
				continue;
			pair = &table->pairs[triangle(
			    first, second, table->bot_count)];
			if (plan->bot_count > pair->joint)
				pair->joint = plan->bot_count;
		}
	}
}

static void
standings_copy(struct rate_table *table, const struct standings *standings,
    const struct gather *gather)
{
	for (int i = 0; i < table->bot_count; i++) {
		const struct standing *standing = &standings->bots[i];
		struct rate_bot *bot = &table->bots[i];

		memcpy(bot->name, gather->names[i], sizeof(bot->name));
		bot->blocks = standing->blocks;
		bot->games = standing->games;
		bot->forfeits = standing->forfeits;
		bot->results = standing->results;
		bot->score = standing->score;
		bot->skill = standing->skill;
	}
	for (int i = 0; i < table->pair_count; i++) {
		struct rate_pair *pair = &table->pairs[i];
		const struct encounter *encounter =
		    standings_encounter(standings, pair->first, pair->second);

		pair->blocks = encounter->blocks;
		pair->games = encounter->games;
		pair->margins = encounter->margins;
		pair->clean = encounter->clean;
		pair->results = encounter->results;
	}
	table->game_count = standings->games;
	table->block_count = standings->blocks;
	table->forfeits = standings->forfeits;
}

int
rate_table_gather(struct rate_table *table, const struct gather *gather)
{
	struct scopa_text rules;
	struct standings standings;

	if (rate_table_open(table, gather->bot_count) < 0)
		return -ENOMEM;
	if (standings_open(&standings, &gather->rules, gather->bot_count) < 0)
		goto close_table;
	if (pairs_open(table) < 0)
		goto close_standings;
	for (int64_t i = 0; i < gather->block_count; i++) {
		struct block_result block;

		gather_get(gather, i, &block);
		if (standings_take(&standings, &block) < 0)
			goto close_standings;
		joint_take(table, &block.plan);
	}
	if (rows_take(table, &standings) < 0)
		goto close_standings;
	table->has_margins = table->has_games = table->has_skills = true;
	table->party_count = scopa_party_count(&gather->rules);
	scopa_text_init(&rules, table->rules, sizeof(table->rules));
	scopa_rules_spec(&gather->rules, gather->preset, &rules);
	standings_copy(table, &standings, gather);
	standings_close(&standings);
	pairs_compact(table);
	return 0;
close_standings:
	standings_close(&standings);
close_table:
	rate_table_close(table);
	return -ENOMEM;
}
