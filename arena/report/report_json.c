/*
 * Implements report_json.h: one function for each object of the JSON document
 * (docs/formats.md).
 */
#include "report_json.h"

#include <assert.h>
#include <math.h>

#include "run_export.h"

void
json_team(struct json *json, const char *key, int team)
{
	char letter[] = { (char)('A' + team), '\0' };

	json_string(json, key, team == SCOPA_TEAM_NONE ? NULL : letter);
}

void
json_team_points(
    struct json *json, const char *key, const int32_t *points, int team_count)
{
	json_object_begin(json, key);
	for (int team = 0; team < team_count; team++) {
		char letter[] = { (char)('A' + team), '\0' };

		json_int(json, letter, points[team]);
	}
	json_object_end(json);
}

void
json_known(struct json *json, const char *key, double value, int digits)
{
	json_real(json, key, value < 0 ? (double)NAN : value, digits);
}

void
json_reals(struct json *json, const char *key, const double *values, int count,
    int digits)
{
	if (values == NULL) {
		json_null(json, key);
		return;
	}
	json_array_begin(json, key);
	for (int i = 0; i < count; i++)
		json_real(json, NULL, values[i], digits);
	json_array_end(json);
}

void
json_estimate(struct json *json, const char *key,
    const struct estimate *estimate, int digits)
{
	static const char *const beyond[2][2] = {
		{ "none", "high" },
		{ "low", "both" },
	};

	if (estimate == NULL) {
		json_null(json, key);
		return;
	}
	json_object_begin(json, key);
	json_real(json, "value", estimate->value, digits);
	json_real(json, "low", estimate->low, digits);
	json_real(json, "high", estimate->high, digits);
	json_string(json, "beyond",
	    beyond[estimate->low_beyond][estimate->high_beyond]);
	json_object_end(json);
}

/* {"score":..,"elo":..,"elo_error":..,"nelo":..,"nelo_error":..,"los":..} */
static void
json_strength(
    struct json *json, const char *key, const struct strength *strength)
{
	json_object_begin(json, key);
	json_int(json, "count", strength->count);
	json_estimate(json, "score", &strength->score, JSON_SHARE);
	json_estimate(json, "elo", &strength->elo, JSON_ELO);
	json_real(json, "elo_error", strength->elo_error, JSON_ELO);
	json_estimate(json, "nelo", &strength->nelo, JSON_ELO);
	json_real(json, "nelo_error", strength->nelo_error, JSON_ELO);
	json_real(json, "los", strength->los, JSON_SHARE);
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
json_skill(struct json *json, const struct skill *skill)
{
	json_object_begin(json, "skill");
	json_real(json, "mu", skill->mu, JSON_POINTS);
	json_real(json, "sigma", skill->sigma, JSON_POINTS);
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

void
json_sprt_bounds(struct json *json, const struct sprt *sprt, int digits)
{
	json_string(json, "unit", sprt_unit_name(sprt));
	json_real(json, "h0", sprt->low, digits);
	json_real(json, "h1", sprt->high, digits);
	json_real(json, "alpha", sprt->alpha, digits);
	json_real(json, "beta", sprt->beta, digits);
	json_int(json, "minimum", sprt->minimum);
}

void
json_sprt_state(struct json *json, const struct sprt_state *state, int digits)
{
	json_real(json, "llr", state->llr, digits);
	json_real(json, "lower", state->lower, digits);
	json_real(json, "upper", state->upper, digits);
	json_string(json, "decision", sprt_decision_names[state->decision]);
	json_bool(json, "certain", state->certain);
	json_known(json, "remaining", state->remaining, 0);
}

static void
json_sprt(struct json *json, const struct sprt *sprt,
    const struct gate_verdict *verdict)
{
	json_string(json, "model", sprt_model_names[sprt->model]);
	json_sprt_bounds(json, sprt, JSON_POINTS);
	json_sprt_state(json, &verdict->sprt, JSON_POINTS);
	json_real(json, "clean_llr", verdict->clean_sprt.llr, JSON_POINTS);
	json_string(json, "clean_decision",
	    sprt_decision_names[verdict->clean_sprt.decision]);
}

void
json_verdict(struct json *json, const struct report_view *view)
{
	const struct gate_verdict *verdict = view->verdict;
	const struct encounter *met =
	    standings_encounter(view->standings, 0, 1);

	json_string(json, "verdict", gate_outcome_name(verdict->outcome));
	json_string(json, "reason", verdict->reason);
	json_bool(json, "final", verdict->final);
	json_int(json, "exit", gate_exit_status(verdict->outcome));
	json_string(json, "candidate", report_name(view, 0));
	json_string(json, "base", report_name(view, 1));
	json_bool(json, "sequential", view->gate->sequential);
	/* Without a sequential test its members are there, as null. */
	json->unknown = !view->gate->sequential;
	json_sprt(json, &view->gate->sprt, verdict);
	json->unknown = false;
	json_int_if(json, "blocks_max", view->gate->blocks_max > 0,
	    view->gate->blocks_max);
	json_estimate(json, "unbiased",
	    verdict->has_unbiased ? &verdict->unbiased : NULL,
	    verdict->unbiased_is_elo ? JSON_ELO : JSON_POINTS);
	json_string(json, "unbiased_unit",
	    !verdict->has_unbiased         ? NULL
		: verdict->unbiased_is_elo ? "Elo"
					   : "points a deal");
	json_estimate(json, "margin", &verdict->margin, JSON_POINTS);
	json_estimate(json, "clean_margin", &verdict->clean, JSON_POINTS);
	json_real(json, "los", verdict->los, JSON_SHARE);
	json_int(json, "differing", met->differing);
	json_bool(json, "few_differing", verdict->few_differing);
	json_int(json, "forfeits", met->forfeits);
	json_int(json, "base_forfeits",
	    standings_encounter(view->standings, 1, 0)->forfeits);
}

void
json_seating(struct json *json, const struct scopa_rules *rules)
{
	struct scopa_text text = SCOPA_TEXT(32);

	scopa_param_format(scopa_param_find("teams"), rules, &text);
	json_int(json, "seats", rules->players);
	json_string(json, "teams", text.bytes);
}

void
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
	if (view->shard != NULL)
		json_string(json, "shard", view->shard);
	json_string(json, "rules", view->rules);
	json_seating(json, rules);
	json_int_if(json, "deals", view->deals > 0, view->deals);
	json_int_if(json, "target", view->deals == 0, rules->target);
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
	json_int_if(json, "blocks_planned", view->blocks_planned > 0,
	    view->blocks_planned);
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

enum { REPORT_JSON_VERSION = 1 };

static void
json_totals(struct json *json, const struct standings *standings)
{
	json_object_begin(json, "totals");
	json_int(json, "blocks", standings->blocks);
	json_int(json, "skipped", standings->skipped);
	json_int(json, "repeated", standings->repeats);
	json_int(json, "games", standings->games);
	json_int(json, "deals", standings->deals);
	json_int(json, "forfeits", standings->forfeits);
	json_int(json, "max_deals_games", standings->max_deals_games);
	json_int(json, "replayed", standings->replayed);
	json_int(json, "void_turns", standings->void_turns);
	json_int(json, "void_games", standings->void_games);
	json_real(
	    json, "lag_ms_longest", (double)standings->lag_longest_ns / 1e6, 3);
	json_object_begin(json, "sandbox");
	for (int i = 0; i < standings->sandbox_count; i++) {
		const struct standings_sandbox *sandbox =
		    &standings->sandboxes[i];

		json_int(json, sandbox->name[0] ? sandbox->name : "unknown",
		    sandbox->games);
	}
	json_object_end(json);
	json_bool(json, "unboxed", standings_unboxed(standings) > 0);
	json_int(json, "analysis", standings->analysed);
	json_object_end(json);
}

static void
json_pentanomial(
    struct json *json, const char *key, const struct pentanomial *pairs)
{
	json_array_begin(json, key);
	for (int i = 0; i < 5; i++)
		json_int(json, NULL, pairs->counts[i]);
	json_array_end(json);
}

/* Writes the members of an encounter of two bots. */
static void
json_encounter(struct json *json, const struct report_pair *pair)
{
	const struct encounter *encounter = pair->encounter;

	json_int(json, "blocks", encounter->blocks);
	json_int(json, "repeated", encounter->repeats);
	json_int(json, "clean_blocks", encounter->clean.count);
	json_int(json, "games", encounter->games);
	json_estimate(json, "margin", &pair->margin, JSON_POINTS);
	json_real(json, "margin_sd",
	    sqrt(moments_sample_variance(&encounter->margins)), JSON_POINTS);
	json_real(json, "los", pair->los, JSON_SHARE);
	json_estimate(json, "clean_margin", &pair->clean, JSON_POINTS);
	json_real(json, "clean_los", pair->clean_los, JSON_SHARE);
	json_results(json, "results", &encounter->results);
	json_results(json, "clean_results", &encounter->clean_results);
	json_bool(json, "paired", encounter->paired);
	json_pentanomial(json, "pentanomial", &encounter->pairs);
	json_pentanomial(json, "clean_pentanomial", &encounter->clean_pairs);
	json_int(json, "mirrors", encounter->mirrors);
	json_int(json, "forfeits", encounter->forfeits);
	json_int(json, "base_forfeits", pair->base_forfeits);
	json_strength(json, "by_games", &pair->games);
	if (encounter->paired)
		json_strength(json, "by_pairs", &pair->pairs);
	else
		json_null(json, "by_pairs");
	json->unknown = !pair->residual.judged;
	json_real(json, "expected", pair->residual.expected, JSON_POINTS);
	json_real(json, "residual_z", pair->residual.z, 3);
	json->unknown = false;
	json_bool(json, "odd", pair->residual.odd);
}

/* Writes all encounters, the higher bot first. */
static void
json_cross(struct json *json, const struct report_view *view)
{
	const int *order = view->ratings.order;
	int count = report_bot_count(view);

	json_bool(json, "pairs_left_out", !report_shows_pairs(view));
	json_array_begin(json, "encounters");
	for (int a = 0; report_shows_pairs(view) && a < count; a++) {
		for (int b = a + 1; b < count; b++) {
			/* In a gate the candidate is always first. */
			int first = view->verdict != NULL ? 0 : order[a];
			int second = view->verdict != NULL ? 1 : order[b];
			struct report_pair pair;

			if (standings_encounter(view->standings, first, second)
				->blocks == 0)
				continue;
			pair = report_pair_of(view, first, second);
			json_object_begin(json, NULL);
			json_string(json, "name", report_name(view, first));
			json_string(json, "against", report_name(view, second));
			json_encounter(json, &pair);
			json_object_end(json);
		}
	}
	json_array_end(json);
}

static void
json_sources(struct json *json, const struct report_view *view, int bot)
{
	const struct standing *standing = &view->standings->bots[bot];

	json_object_begin(json, "sources");
	for (int i = 0; i < SCOPA_ITEM_COUNT; i++) {
		enum scopa_item item = (enum scopa_item)i;
		struct report_source source = report_source_of(view, bot, item);

		if (!scopa_item_counts(&view->standings->rules, item))
			continue;
		json_object_begin(json, scopa_item_name(item));
		json_int(json, "points", standing->item_points[item]);
		json_real(json, "own", source.own, JSON_POINTS);
		json_real(json, "others", source.others, JSON_POINTS);
		json_object_end(json);
	}
	json_object_end(json);
}

/* Writes the results as hand and as deck, if a game is one deal. */
static void
json_sides(struct json *json, const struct report_view *view, int bot)
{
	static const char *const names[] = {
		[STANDING_HAND] = "hand",
		[STANDING_DECK] = "deck",
	};

	if (view->ratings.sides[STANDING_HAND] == NULL) {
		json_null(json, "sides");
		return;
	}
	json_object_begin(json, "sides");
	for (int side = 0; side < STANDING_SIDE_COUNT; side++) {
		const struct standing_deals *deals =
		    &view->standings->bots[bot].sides[side];

		json_object_begin(json, names[side]);
		json_results(json, "results", &deals->results);
		json_estimate(json, "points", &view->ratings.sides[side][bot],
		    JSON_POINTS);
		json_object_end(json);
	}
	json_object_end(json);
}

/* Writes the first game that the bot lost by its own offence, or null. */
static void
json_first_forfeit(struct json *json, const struct standing_forfeit *first)
{
	if (first->game == 0) {
		json_string(json, "first_forfeit", NULL);
		return;
	}
	json_object_begin(json, "first_forfeit");
	json_string(json, "match", number_format("m%jd", first->game).text);
	json_string(
	    json, "kind", first->known ? offence_name(first->kind) : NULL);
	json_string(json, "reason", first->known ? first->reason : NULL);
	json_object_end(json);
}

static void
json_conduct(struct json *json, const struct report_view *view, int bot)
{
	const struct standing *standing = &view->standings->bots[bot];

	json_int(json, "forfeits", standing->forfeits);
	json_first_forfeit(json, &standing->first_forfeit);
	json_offences(json, "offences", standing->offences);
	json_int(json, "startup_failures", standing->startup_failures);
	json_bool(
	    json, "suspended", view->suspended != NULL && view->suspended[bot]);
	json_int(json, "ponder_games", standing->ponder_games);
	json_real(json, "ponder_ms", (double)standing->ponder_ns / 1e6, 3);
	json_int(json, "decisions", standing->decisions);
	json_int(json, "cut_short", standing->cut_short);
	json_real(json, "think_ms_mean", report_think_ms(standing), 3);
	json_real(json, "think_ms_longest",
	    (double)standing->think_longest_us / 1e3, 3);
}

static void
json_standing(struct json *json, const struct report_view *view, int position)
{
	int bot = view->ratings.order[position];
	const struct standing *standing = &view->standings->bots[bot];
	double games = standing->games > 0 ? (double)standing->games : 1;
	int place = view->places != NULL ? view->places[bot] : -1;
	int count = report_bot_count(view);
	const double *places = view->ratings.places;
	struct estimate rating = report_rating(view, view->ratings.margin, bot);
	struct estimate elo = report_rating(view, view->ratings.elo, bot);

	json_object_begin(json, NULL);
	json_int(json, "position", position + 1);
	json_int_if(json, "place", place >= 0, place + 1);
	json_string(json, "name", report_name(view, bot));
	json_estimate(json, "rating", &rating, JSON_POINTS);
	json_int(json, "group", view->ratings.margin[bot].group + 1);
	json_known(
	    json, "above_next", report_above_next(view, position), JSON_SHARE);
	json_int(json, "rank_low", view->ratings.ranges[bot].low + 1);
	json_int(json, "rank_high", view->ratings.ranges[bot].high + 1);
	json_reals(json, "place_probabilities",
	    places != NULL && report_shows_pairs(view) ? places + bot * count
						       : NULL,
	    count, 4);
	json_estimate(json, "points", &view->ratings.points[bot], JSON_POINTS);
	json_estimate(json, "elo", &elo, JSON_ELO);
	json_skill(json, &standing->skill);
	json_int(json, "blocks", standing->blocks);
	json_int(json, "clean_blocks", standing->clean.count);
	json_int(json, "games", standing->games);
	json_int(json, "deals", standing->deals);
	json_real(json, "score", standing->score / games, JSON_SHARE);
	json_results(json, "results", &standing->results);
	json_int(json, "points_total", standing->points);
	json_sides(json, view, bot);
	json_sources(json, view, bot);
	json_conduct(json, view, bot);
	json_object_end(json);
}

/* Writes a matrix: rows and columns have the order of the ranking. */
static void
json_stronger(struct json *json, const struct report_view *view)
{
	const int *order = view->ratings.order;
	int count = report_bot_count(view);

	json_object_begin(json, "stronger");
	json_string(json, "by", "errors");
	json_int(json, "rounds", view->ratings.fit.clusters.count);
	json_int(json, "comparisons", view->ratings.comparisons);
	json_int(json, "replicates", view->ratings.replicates);
	json_array_begin(json, "matrix");
	for (int row = 0; report_shows_pairs(view) && row < count; row++) {
		json_array_begin(json, NULL);
		for (int column = 0; column < count; column++)
			json_real(json, NULL,
			    row == column
				? (double)NAN
				: report_above(view, order[row], order[column]),
			    4);
		json_array_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void
json_variates(struct json *json, const struct report_view *view)
{
	json_array_begin(json, "variates");
	for (int i = 0; i < view->variate_count; i++) {
		const struct report_variate *variate = &view->variates[i];
		const struct variate_estimate *estimate = &variate->estimate;

		json_object_begin(json, NULL);
		json_string(json, "name", report_name(view, variate->bot));
		json_string(json, "reference", variate->reference);
		json_int(json, "blocks", variate->blocks);
		json_estimate(json, "plain", &estimate->plain, JSON_POINTS);
		json_estimate(
		    json, "corrected", &estimate->corrected, JSON_POINTS);
		json_real(
		    json, "coefficient", estimate->coefficient, JSON_POINTS);
		json_real(json, "variance_ratio", estimate->variance_ratio,
		    JSON_POINTS);
		json_object_end(json);
	}
	json_array_end(json);
}

void
json_workers(struct json *json, const struct report_view *view)
{
	const struct audit_history *audits = view->audits;

	json_array_begin(json, "workers");
	for (int i = 0; view->workers != NULL && i < view->workers->count;
	     i++) {
		const struct worker_row *row = &view->workers->rows[i];

		json_object_begin(json, NULL);
		json_string(json, "name", row->name);
		json_string(json, "state", row->state);
		json_bool(json, "live", worker_is_live(row->seen_s));
		json_int(json, "cores", row->cores);
		json_real(json, "speed", row->speed, 3);
		json_real(json, "games_per_s", row->games_per_s, 3);
		json_int(json, "blocks", row->blocks);
		json_int(json, "games", row->games);
		json_int(json, "faults", row->faults);
		json_real(json, "lag_s", row->lag_s, 3);
		json_object_end(json);
	}
	json_array_end(json);
	json_array_begin(json, "replays");
	for (int i = 0; audits != NULL && i < audits->case_count; i++) {
		const struct audit_case *audit = &audits->cases[i];

		json_object_begin(json, NULL);
		json_string(
		    json, "worker", audits->workers[audit->worker].name);
		json_string(json, "reason", audit->reason);
		json_int(json, "same", audit->same_count);
		json_array_begin(json, "replaced");
		for (int j = 0; j < audit->replaced_count; j++)
			json_int(json, NULL, audit->replaced[j] + 1);
		json_array_end(json);
		json_int(json, "left", audit->left);
		json_object_end(json);
	}
	json_array_end(json);
}

void
report_json(
    const struct report_view *view, const struct run_facts *facts, FILE *file)
{
	struct json json;

	assert(view->ratings.order != NULL);
	json_document_begin(&json, file);
	json_string(&json, "format", "scopa-arena-report");
	json_int(&json, "version", REPORT_JSON_VERSION);
	json_object_begin(&json, "run");
	json_run(&json, view);
	json_object_end(&json);
	json_real(&json, "level", report_level(view), JSON_SHARE);
	json_totals(&json, view->standings);
	if (view->verdict != NULL) {
		json_object_begin(&json, "gate");
		json_verdict(&json, view);
		json_object_end(&json);
	} else {
		json_null(&json, "gate");
	}
	json_array_begin(&json, "ranking");
	for (int i = 0; i < report_bot_count(view); i++)
		json_standing(&json, view, i);
	json_array_end(&json);
	json_cross(&json, view);
	json_stronger(&json, view);
	json_variates(&json, view);
	if (view->workers != NULL || view->audits != NULL)
		json_workers(&json, view);
	if (facts != NULL) {
		json_object_begin(&json, "facts");
		run_export_json(&json, view, facts);
		json_object_end(&json);
	}
	json_document_end(&json);
}
