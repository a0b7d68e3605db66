#include "json_parts.h"

#include "countof.h"

void
json_estimate(struct json *json, const char *key,
    const struct estimate *estimate, int digits)
{
	static const char *const beyond[2][2] = {
		{ "none", "high" },
		{ "low", "both" },
	};

	json_object_begin(json, key);
	json_real(json, "value", estimate->value, digits);
	json_real(json, "low", estimate->low, digits);
	json_real(json, "high", estimate->high, digits);
	json_string(json, "beyond",
	    beyond[estimate->low_beyond][estimate->high_beyond]);
	json_object_end(json);
}

void
json_strength(
    struct json *json, const char *key, const struct strength *strength)
{
	json_object_begin(json, key);
	json_int(json, "count", strength->count);
	json_estimate(json, "score", &strength->score, JSON_DIGITS_SHARE);
	json_estimate(json, "elo", &strength->elo, JSON_DIGITS_ELO);
	json_real(json, "elo_error", strength->elo_error, JSON_DIGITS_ELO);
	json_estimate(json, "nelo", &strength->nelo, JSON_DIGITS_ELO);
	json_real(json, "nelo_error", strength->nelo_error, JSON_DIGITS_ELO);
	json_real(json, "los", strength->los, JSON_DIGITS_SHARE);
	json_object_end(json);
}

void
json_results(
    struct json *json, const char *key, const struct trinomial *results)
{
	json_object_begin(json, key);
	json_int(json, "wins", results->wins);
	json_int(json, "draws", results->draws);
	json_int(json, "losses", results->losses);
	json_object_end(json);
}

void
json_offences(struct json *json, const char *key, const int64_t *offences)
{
	json_object_begin(json, key);
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
		json_int(json, offence_name((enum offence_kind)kind),
		    offences[kind]);
	json_object_end(json);
}

static void
json_sprt(struct json *json, const struct sprt *sprt,
    const struct gate_verdict *verdict)
{
	const struct sprt_state *state = &verdict->sprt;

	json_string(json, "model", sprt_model_name(sprt->model));
	json_string(json, "unit", sprt_unit_name(sprt));
	json_real(json, "h0", sprt->low, JSON_DIGITS_POINTS);
	json_real(json, "h1", sprt->high, JSON_DIGITS_POINTS);
	json_real(json, "alpha", sprt->alpha, JSON_DIGITS_SHARE);
	json_real(json, "beta", sprt->beta, JSON_DIGITS_SHARE);
	json_int(json, "minimum", sprt->minimum);
	json_real(json, "llr", state->llr, JSON_DIGITS_POINTS);
	json_real(json, "lower", state->lower, JSON_DIGITS_POINTS);
	json_real(json, "upper", state->upper, JSON_DIGITS_POINTS);
	json_string(json, "decision", sprt_decision_name(state->decision));
	json_bool(json, "certain", state->certain);
	if (state->remaining < 0)
		json_null(json, "remaining");
	else
		json_real(json, "remaining", state->remaining, 0);
	json_real(
	    json, "clean_llr", verdict->clean_sprt.llr, JSON_DIGITS_POINTS);
	json_string(json, "clean_decision",
	    sprt_decision_name(verdict->clean_sprt.decision));
}

/* A verdict by the interval has the same members. */
static void
json_sprt_none(struct json *json)
{
	static const char *const keys[] = { "model", "unit", "h0", "h1",
		"alpha", "beta", "minimum", "llr", "lower", "upper", "decision",
		"certain", "remaining", "clean_llr", "clean_decision" };

	for (int i = 0; i < COUNTOF(keys); i++)
		json_null(json, keys[i]);
}

void
json_verdict(struct json *json, const struct report_view *view)
{
	const struct gate_verdict *verdict = view->verdict;

	json_string(json, "verdict", gate_outcome_name(verdict->outcome));
	json_string(json, "reason", verdict->reason);
	json_bool(json, "final", verdict->final);
	json_int(json, "exit", report_exit_status(verdict->outcome));
	json_string(json, "candidate", report_name(view, 0));
	json_string(json, "base", report_name(view, 1));
	json_bool(json, "sequential", view->gate->sequential);
	if (view->gate->sequential)
		json_sprt(json, &view->gate->sprt, verdict);
	else
		json_sprt_none(json);
	if (view->gate->blocks_max > 0)
		json_int(json, "blocks_max", view->gate->blocks_max);
	else
		json_null(json, "blocks_max");
	if (verdict->has_unbiased)
		json_estimate(json, "unbiased", &verdict->unbiased,
		    verdict->unbiased_is_elo ? JSON_DIGITS_ELO
					     : JSON_DIGITS_POINTS);
	else
		json_null(json, "unbiased");
	json_string(json, "unbiased_unit",
	    !verdict->has_unbiased         ? NULL
		: verdict->unbiased_is_elo ? "Elo"
					   : "points a deal");
	json_estimate(json, "margin", &verdict->margin, JSON_DIGITS_POINTS);
	json_estimate(
	    json, "clean_margin", &verdict->clean, JSON_DIGITS_POINTS);
	json_real(json, "los", verdict->los, JSON_DIGITS_SHARE);
	json_int(json, "differing", verdict->differing);
	json_bool(json, "few_differing", verdict->is_rare);
	json_int(json, "forfeits", verdict->forfeits);
	json_int(json, "base_forfeits", verdict->base_forfeits);
}

static void
json_seating(struct json *json, const struct scopa_rules *rules)
{
	char bytes[32];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_param_format(scopa_param_find("teams"), rules, &text);
	json_int(json, "seats", rules->players);
	json_string(json, "teams", bytes);
}

/* What a run has not is null. */
static void
json_given(struct json *json, const char *key, const char *text)
{
	json_string(json, key, text[0] != '\0' ? text : NULL);
}

void
json_run(struct json *json, const struct report_view *view)
{
	const struct scopa_rules *rules = &view->standings->rules;
	const struct store_head *head = view->head;

	json_string(json, "command", head->command);
	json_string(json, "name", head->name);
	json_string(json, "tool", head->tool);
	json_string(json, "created", head->created);
	json_string(json, "path", view->path);
	json_string(json, "state", view->state);
	json_string(json, "format", view->format);
	json_string(json, "rules", view->rules);
	json_seating(json, rules);
	if (view->deals > 0) {
		json_int(json, "deals", view->deals);
		json_null(json, "target");
	} else {
		json_null(json, "deals");
		json_int(json, "target", rules->target);
	}
	json_string(json, "tc", view->time_control);
	json_string(json, "seed", view->seed);
	json_string(json, "packs", view->packs);
	json_given(json, "commitment", head->commitment);
	json_given(json, "terms", head->terms);
	json_given(json, "contributions", head->contributions);
	json_string(json, "chain", view->chain);
	json_bool(json, "duplicate", view->duplicate);
	json_bool(json, "mixed", view->mixed);
	json_int(json, "block_games", head->game_count);
	if (view->blocks_planned > 0)
		json_int(json, "blocks_planned", view->blocks_planned);
	else
		json_null(json, "blocks_planned");
	json_array_begin(json, "bots");
	for (int bot = 0; bot < head->bot_count; bot++) {
		json_object_begin(json, NULL);
		json_string(json, "name", head->bots[bot].name);
		json_string(json, "command", head->bots[bot].command);
		json_string(json, "digest", head->bots[bot].digest);
		json_object_end(json);
	}
	json_array_end(json);
}
