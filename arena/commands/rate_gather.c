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

/* One member against another over the games in which they were opponents. */
static bool
duels_mean(const struct gather *gather, const struct block_result *block,
    int one, int two, struct block_share *mean)
{
	int games = 0;

	*mean = (struct block_share){ 0 };
	for (int game = 0; game < block->plan.game_count; game++) {
		const struct scopa_rules *rules = &gather->rules;
		struct block_share duel;

		if (block_party(rules, &block->plan, game, one) ==
		    block_party(rules, &block->plan, game, two))
			continue;
		duel = block_duel(rules, block, game, one, two);
		mean->margin += duel.margin;
		mean->score += duel.score;
		games++;
	}
	if (games == 0)
		return false;
	mean->margin /= games;
	mean->score /= games;
	return true;
}

/* Rows for the bootstrap, and how the scores of whole blocks vary. */
static void
rows_add(struct rate_table *table, const struct gather *gather,
    const struct block_result *block, bool by_scores)
{
	const struct block_plan *plan = &block->plan;
	int64_t start = table->row_count;

	for (int one = 0; one < plan->bot_count; one++) {
		for (int two = 0; two < plan->bot_count; two++) {
			int first = plan->bots[one], second = plan->bots[two];
			struct rate_pair *pair;
			struct block_share mean;

			if (first >= second ||
			    !duels_mean(gather, block, one, two, &mean))
				continue;
			pair = &table->pairs[triangle(
			    first, second, table->bot_count)];
			moments_add(&pair->scores, mean.score);
			if (plan->bot_count > pair->joint)
				pair->joint = plan->bot_count;
			table->rows[table->row_count] = (struct ranking_block){
				.first = (int16_t)first,
				.second = (int16_t)second,
				.margin = (float)(by_scores ? mean.score - 0.5
							    : mean.margin),
				.joined = table->row_count > start,
			};
			table->row_count++;
		}
	}
}

/* How many rows all blocks have at most. */
static int64_t
rows_max(const struct gather *gather)
{
	int64_t most = gather->rules.players;

	return gather->block_count * most * (most - 1) / 2;
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
rate_table_gather(
    struct rate_table *table, const struct gather *gather, bool by_scores)
{
	struct scopa_text rules;
	struct standings standings;

	if (rate_table_open(table, gather->bot_count) < 0)
		return -ENOMEM;
	if (standings_open(&standings, &gather->rules, gather->bot_count) < 0)
		goto close_table;
	table->rows =
	    calloc((size_t)rows_max(gather) + 1, sizeof(*table->rows));
	if (table->rows == NULL || pairs_open(table) < 0)
		goto close_standings;
	for (int64_t i = 0; i < gather->block_count; i++) {
		struct block_result block;

		gather_get(gather, i, &block);
		if (standings_take(&standings, &block) < 0)
			goto close_standings;
		rows_add(table, gather, &block, by_scores);
	}
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
