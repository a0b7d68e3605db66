/*
 * The table of `rate` from the blocks of record files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rate_table.h"

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
	return 0;
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
		pair->scores = encounter->scores;
		pair->joint = encounter->company;
		pair->results = encounter->results;
	}
	table->game_count = standings->games;
	table->block_count = standings->blocks;
	table->forfeits = standings->forfeits;
}

int
rate_table_gather(struct rate_table *table, const struct gathered *gathered)
{
	const struct gather *gather = &gathered->gather;
	struct scopa_text rules;

	if (rate_table_open(table, gather->bot_count) < 0)
		return -ENOMEM;
	if (pairs_open(table) < 0 ||
	    rows_take(table, &gathered->standings) < 0) {
		rate_table_close(table);
		return -ENOMEM;
	}
	table->has_margins = table->has_games = table->has_skills = true;
	table->party_count = scopa_party_count(&gather->rules);
	scopa_text_init(&rules, table->rules, sizeof(table->rules));
	scopa_rules_spec(&gather->rules, gather->preset, &rules);
	standings_copy(table, &gathered->standings, gather);
	pairs_compact(table);
	return 0;
}
