/*
 * The output of `match --json`.
 */
#include <stdio.h>

#include "json.h"
#include "match_report.h"
#include "walls.h"

double
match_total_mean_ms(const struct match_total *total)
{
	if (total->decision_count == 0)
		return 0;
	return (double)total->think_ns / (double)total->decision_count / 1e6;
}

static void
json_scores(struct json *json, const struct match_report *report,
    const struct series_result *result)
{
	const struct scopa_rules *rules = &report->config->rules.rules;

	json_object_begin(json, "scores");
	for (int party = 0; party < scopa_party_count(rules); party++) {
		char letter[] = { (char)('A' + party), '\0' };

		json_int(json, letter, result->scores[party]);
	}
	json_object_end(json);
}

static void
json_game(struct json *json, const struct match_report *report,
    const struct series_result *result)
{
	const struct scopa_rules *rules = &report->config->rules.rules;
	char winner[] = { (char)('A' + result->winner), '\0' };

	json_object_begin(json, NULL);
	json_int(json, "game", result->game + 1);
	json_int(json, "round", result->round + 1);
	json_array_begin(json, "seats");
	for (int seat = 0; seat < rules->players; seat++)
		json_string(json, NULL, result->names[seat]);
	json_array_end(json);
	json_scores(json, report, result);
	json_string(
	    json, "winner", result->winner == SCOPA_PARTY_NONE ? NULL : winner);
	json_string(json, "reason", result->reason);
	json_int(json, "deals", result->deal_count);
	json_int(json, "void_turns", result->void_count);
	json_real(
	    json, "lag_ms_longest", (double)result->lag_longest_ns / 1e6, 3);
	if (result->fault_entrant >= 0) {
		json_object_begin(json, "fault");
		json_string(json, "name", result->names[result->fault.seat]);
		json_string(json, "kind", offence_name(result->fault.kind));
		json_string(json, "reason", result->fault.reason);
		json_string(json, "ended", result->fault.ending);
		json_string(json, "stderr", result->fault.stderr_tail);
		json_object_end(json);
	}
	json_object_end(json);
}

static void
json_total(struct json *json, const struct match_report *report, int entrant)
{
	const struct series_config *config = report->config;
	const struct match_total *total = &report->totals[entrant];

	json_object_begin(json, NULL);
	json_string(json, "name", total->name);
	json_string(json, "command", config->entrants[entrant].command);
	json_int(json, "wins", total->wins);
	json_int(json, "draws", total->draws);
	json_int(json, "losses", total->losses);
	json_int(json, "points", total->points);
	json_real(json, "points_per_deal",
	    report->deals ? (double)total->points / (double)report->deals : 0.0,
	    6);
	json_object_begin(json, "items");
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (scopa_item_counts(
			&config->rules.rules, (enum scopa_item)item))
			json_int(json, scopa_item_name((enum scopa_item)item),
			    total->item_points[item]);
	json_object_end(json);
	json_object_begin(json, "offences");
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
		json_int(json, offence_name((enum offence_kind)kind),
		    total->offences[kind]);
	json_object_end(json);
	json_int(json, "out_of_turn", total->unasked_count);
	json_int(json, "cut_short", total->cut_short);
	json_int(json, "ponder_games", total->ponder_games);
	json_real(json, "ponder_ms", (double)total->ponder_ns / 1e6, 3);
	json_real(json, "think_ms_mean", match_total_mean_ms(total), 3);
	json_real(
	    json, "think_ms_max", (double)total->think_longest_ns / 1e6, 3);
	json_object_end(json);
}

static const char *
end_name(enum series_end end)
{
	switch (end) {
	case SERIES_DONE:
		return "done";
	case SERIES_STOPPED:
		return "stopped";
	case SERIES_INTERRUPTED:
		return "interrupted";
	case SERIES_FAILED:
	case SERIES_LOST:
		return "failed";
	}
	return NULL;
}

void
match_report_json(const struct match_report *report, enum series_end end)
{
	const struct series_config *config = report->config;
	const struct scopa_rules *rules = &config->rules.rules;
	char bytes[EVENT_SPEC_SIZE], hex[SHUFFLE_HEX_SIZE];
	struct scopa_text text;
	struct json json;

	json_init(&json, stdout);
	json_object_begin(&json, NULL);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_rules_spec(rules, config->rules.preset, &text);
	json_string(&json, "rules", bytes);
	json_int(&json, "seats", rules->players);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_param_format(scopa_param_find("teams"), rules, &text);
	json_string(&json, "teams", bytes);
	json_int(&json, "target", rules->target);
	if (config->rules.deals)
		json_int(&json, "deals", config->rules.deals);
	else
		json_int(&json, "max_deals", match_max_deals(&config->rules));
	scopa_text_init(&text, bytes, sizeof(bytes));
	budget_control_format(&config->rules.settings.control, &text);
	json_string(&json, "tc", bytes);
	shuffle_key_format(&config->rules.secret, hex);
	json_string(&json, "seed", config->rules.packs ? NULL : hex);
	json_string(&json, "sandbox", walls_name(config->rules.walls));
	json_bool(&json, "analysis", config->rules.settings.analysis != NULL);
	json_string(&json, "end", end_name(end));
	json_int(&json, "games_played", report->games);
	json_int(&json, "deals_played", report->deals);
	json_int(&json, "forfeits", report->forfeits);
	json_int(&json, "max_deals_games", report->max_deals_games);
	json_int(&json, "void_turns", report->void_turns);
	json_real(
	    &json, "lag_ms_longest", (double)report->lag_longest_ns / 1e6, 3);
	json_array_begin(&json, "bots");
	for (int i = 0; i < config->entrant_count; i++)
		json_total(&json, report, i);
	json_array_end(&json);
	json_array_begin(&json, "games");
	for (int64_t i = 0; i < report->games && i < report->capacity; i++)
		json_game(&json, report, &report->results[i]);
	json_array_end(&json);
	json_object_end(&json);
	json_finish(&json);
}
