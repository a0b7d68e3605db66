/*
 * What `rate` prints for programs.
 */
#include "json.h"
#include "rate_table.h"
#include "report_json.h"

enum { FORMAT_VERSION = 1 };

/* Which models the document is about. */
static bool
wants(const struct rate_order *order, enum rate_model model)
{
	return order->model == RATE_ALL || order->model == model;
}

static void
put_estimate(struct json *json, const char *key, bool known,
    struct estimate estimate, int digits)
{
	if (known)
		json_estimate(json, key, &estimate, digits);
	else
		json_null(json, key);
}

static void
put_places(struct json *json, const struct rate_table *table, int bot)
{
	if (table->places == NULL) {
		json_null(json, "place_probabilities");
		return;
	}
	json_array_begin(json, "place_probabilities");
	for (int place = 0; place < table->bot_count; place++)
		json_real(json, NULL,
		    table->places[bot * table->bot_count + place],
		    JSON_DIGITS_SHARE);
	json_array_end(json);
}

static void
put_skill(struct json *json, const struct skill *skill, bool known)
{
	if (!known) {
		json_null(json, "skill");
		return;
	}
	json_object_begin(json, "skill");
	json_real(json, "mu", skill->mu, JSON_DIGITS_POINTS);
	json_real(json, "sigma", skill->sigma, JSON_DIGITS_POINTS);
	json_object_end(json);
}

/* The places that stay open; null where no two bots were compared. */
static void
put_ranks(struct json *json, const struct rate_table *table,
    const struct ranking_range *range)
{
	if (table->comparisons == 0) {
		json_null(json, "rank_low");
		json_null(json, "rank_high");
		return;
	}
	json_int(json, "rank_low", range->low + 1);
	json_int(json, "rank_high", range->high + 1);
}

static void
put_bot(struct json *json, const struct rate_table *table,
    const struct rate_order *order, int position)
{
	int number = table->order[position];
	const struct rate_bot *bot = &table->bots[number];
	bool margins = table->has_margins && wants(order, RATE_MARGIN);

	json_object_begin(json, NULL);
	json_int(json, "position", position + 1);
	json_string(json, "name", bot->name);
	json_int(json, "group", table->groups[number] + 1);
	put_estimate(json, "rating", margins,
	    rate_estimate(&table->margins[number], order->level),
	    JSON_DIGITS_POINTS);
	put_estimate(json, "clean_rating", margins,
	    rate_estimate(&table->clean[number], order->level),
	    JSON_DIGITS_POINTS);
	put_estimate(json, "elo", table->has_games && wants(order, RATE_ELO),
	    rate_estimate(&table->elo[number], order->level), JSON_DIGITS_ELO);
	put_skill(json, &bot->skill,
	    table->has_skills && wants(order, RATE_PLACKETT_LUCE));
	if (table->better[position] >= 0.0)
		json_real(json, "above_next", table->better[position],
		    JSON_DIGITS_SHARE);
	else
		json_null(json, "above_next");
	put_ranks(json, table, &table->ranges[number]);
	put_places(json, table, number);
	json_int(json, "blocks", bot->blocks);
	json_int(json, "games", bot->games);
	json_real(json, "score", bot->score, JSON_DIGITS_SHARE);
	json_results(json, "results", &bot->results);
	json_int(json, "forfeits", bot->forfeits);
	json_object_end(json);
}

static void
put_pair(struct json *json, const struct rate_table *table,
    const struct rate_order *order, const struct rate_pair *pair)
{
	json_object_begin(json, NULL);
	json_string(json, "name", table->bots[pair->first].name);
	json_string(json, "against", table->bots[pair->second].name);
	json_int(json, "blocks", pair->blocks);
	json_int(json, "games", pair->games);
	put_estimate(json, "margin", pair->margins.count > 0,
	    rate_pair_margin(pair, order->level), JSON_DIGITS_POINTS);
	put_estimate(json, "score", pair->games > 0,
	    rate_pair_score(pair, order->level), JSON_DIGITS_SHARE);
	json_results(json, "results", &pair->results);
	json_object_end(json);
}

void
rate_json_print(const struct rate_table *table, const struct rate_order *order)
{
	struct json json;

	json_init(&json, stdout);
	json_object_begin(&json, NULL);
	json_string(&json, "format", "scopa-arena-ratings");
	json_int(&json, "version", FORMAT_VERSION);
	json_string(
	    &json, "rules", table->rules[0] != '\0' ? table->rules : NULL);
	json_string(&json, "model", rate_model_names[order->model]);
	json_string(&json, "order_by",
	    rate_model_names[rate_model_first(table, order->model)]);
	json_real(&json, "level", order->level, JSON_DIGITS_SHARE);
	json_int(&json, "rounds", table->clusters.count);
	json_int(&json, "comparisons", table->comparisons);
	json_int(&json, "replicates", table->replicates);
	json_int(&json, "seed", (int64_t)order->seed);
	json_int(&json, "blocks", table->block_count);
	json_int(&json, "games", table->game_count);
	json_int(&json, "forfeits", table->forfeits);
	json_array_begin(&json, "ranking");
	for (int i = 0; i < table->bot_count; i++)
		put_bot(&json, table, order, i);
	json_array_end(&json);
	json_array_begin(&json, "encounters");
	for (int i = 0; i < table->pair_count; i++)
		put_pair(&json, table, order, &table->pairs[i]);
	json_array_end(&json);
	json_object_end(&json);
	json_finish(&json);
}
