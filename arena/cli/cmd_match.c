#include "cmd_match.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "countof.h"
#include "entrants.h"
#include "error_message.h"
#include "json.h"
#include "sandbox.h"
#include "version.h"

struct match_report {
	const struct dispatcher_config *config;
	int64_t game_count; /* of the whole match */
	bool json, quiet;
	const char *record; /* path, or NULL */
	/* The seed is the arena's own: whoever reads the output before the last
	 * deal, as a bot that finds the file may, must not know it. */
	bool seed_drawn;
	int64_t shown_ns; /* when progress was last told */
	int64_t games, deals;
	int64_t forfeits;
	int64_t max_deals_games; /* drawn: nobody had won after max_deals */
	int64_t void_turns, lag_longest_ns; /* see game_result */
	struct match_total totals[PLAN_ENTRANTS_MAX];
	struct game_result *results; /* of all games, for JSON; owned */
	int64_t capacity;
	struct game_result last;
};

enum { ROUNDS_MAX = 1000000 };

#define FIELD(name) .offset = offsetof(struct match_settings, name)

static const struct option record_keys[] = {
	{ .name = "file",
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "The file.",
	    .is_path = true,
	    .offset = offsetof(struct game_file, path) },
	{ .name = "append",
	    .aliases = { "notation", "min", "fi" },
	    .kind = OPTION_REFUSED,
	    .sentence = "a record is appended whole, in its one format." },
};

static const struct option own_options[] = {
	{ .name = "rounds",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many sets of packs are played. Without it one.",
	    .unit = "rounds",
	    .min = 1,
	    .max = ROUNDS_MAX,
	    FIELD(rounds) },
	{ .name = "games",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many games are played, as other arenas count; "
			"with --rounds, in each of these.",
	    .unit = "games",
	    .min = 1,
	    .max = ROUNDS_MAX,
	    FIELD(games) },
	{ .name = "duplicate",
	    .aliases = { "repeat" },
	    .kind = OPTION_FLAG,
	    .sentence = "Play each round once for every way of seating the "
			"bots, with the same packs.",
	    .implied = "2",
	    FIELD(duplicate) },
	{ .name = "concurrency",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Games at once.",
	    .fallback = "1",
	    .unit = "games",
	    .min = 1,
	    .max = CONCURRENCY_MAX,
	    FIELD(game.concurrency) },
	{ .name = "record",
	    .aliases = { "pgnout" },
	    .kind = OPTION_GROUP,
	    .value = "FILE",
	    .sentence = "Append the record of every game to this file.",
	    .takes_plain = true,
	    .keys = record_keys,
	    .key_count = COUNTOF(record_keys),
	    .group_max = 1,
	    .group_size = sizeof(struct game_file),
	    .count_offset = offsetof(struct match_settings, record_count),
	    FIELD(record) },
	{ .name = "sprt",
	    .aliases = { "base" },
	    .kind = OPTION_REFUSED,
	    .sentence =
		"a bot is tested against its base by " VERSION_NAME " gate." },
	{ .name = "format",
	    .aliases = { "tournament" },
	    .kind = OPTION_REFUSED,
	    .sentence = "more bots than have a seat play in a " VERSION_NAME
			" tournament." },
};

#define GAME_TABLE(heading, rows) \
	GAME_OPTIONS(heading, rows, struct match_settings, game)

const struct option match_options[] = {
	GAME_TABLE("bots", game_bot_options),
	GAME_TABLE("game", game_rule_options),
	{ .kind = OPTION_TABLE,
	    .sentence = "match",
	    .keys = own_options,
	    .key_count = COUNTOF(own_options) },
	GAME_TABLE(NULL, game_analysis_options),
	GAME_TABLE(NULL, game_call_options),
	GAME_TABLE(NULL, game_config_options),
	GAME_TABLE("patience with bots", game_patience_options),
	GAME_TABLE(NULL, game_refused_options),
};

_Static_assert(COUNTOF(match_options) == MATCH_OPTION_COUNT,
    "the header says how many there are");

/*
 * The output of `match --json`.
 */

/* Milliseconds of a decision; 0 where there was none. */
static double
match_total_mean_ms(const struct match_total *total)
{
	if (total->decision_count == 0)
		return 0;
	return (double)total->think_ns / (double)total->decision_count / 1e6;
}

static void
json_scores(struct json *json, const struct match_report *report,
    const struct game_result *result)
{
	const struct scopa_rules *rules = &report->config->rules.rules;

	json_object_begin(json, "scores");
	for (int team = 0; team < scopa_team_count(rules); team++) {
		char letter[] = { (char)('A' + team), '\0' };

		json_int(json, letter, result->scores[team]);
	}
	json_object_end(json);
}

static void
json_game(struct json *json, const struct match_report *report,
    const struct game_result *result)
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
	    json, "winner", result->winner == SCOPA_TEAM_NONE ? NULL : winner);
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
	const struct dispatcher_config *config = report->config;
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
end_name(enum dispatcher_end end)
{
	switch (end) {
	case DISPATCHER_DONE:
		return "done";
	case DISPATCHER_STOPPED:
		return "stopped";
	case DISPATCHER_INTERRUPTED:
		return "interrupted";
	case DISPATCHER_FAILED:
	case DISPATCHER_LOST:
		return "failed";
	}
	return NULL;
}

/* Prints the one document of `--json`. */
static void
match_report_json(const struct match_report *report, enum dispatcher_end end)
{
	const struct dispatcher_config *config = report->config;
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
	json_string(&json, "sandbox", sandbox_name(config->rules.sandbox));
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

/*
 * The output of `match`.
 */

enum {
	GAMES_SHOWN_MAX = 20, /* a line each; more are only counted */
	ERROR_LINES_MAX = 3,  /* of a bot that lost a game by an offence */
	PROGRESS_NS_TERMINAL = 500000000
};
#define PROGRESS_NS INT64_C(10000000000)

/* What a result is not worth by itself: its bots could do as they liked. */
static const char *
mark_of(const struct dispatcher_config *config)
{
	static const char *const marks[2][2] = {
		{ ", " SANDBOX_UNBOXED, "" },
		{ ", for analysis, " SANDBOX_UNBOXED, ", for analysis" },
	};
	const struct sandbox *sandbox = config->rules.sandbox;

	return marks[config->rules.settings.analysis != NULL]
		    [sandbox && sandbox->level > SANDBOX_NONE];
}

static void
print_seed(const struct match_report *report)
{
	char hex[SHUFFLE_HEX_SIZE];

	if (report->config->rules.packs != NULL)
		return;
	shuffle_key_format(&report->config->rules.secret, hex);
	printf("seed %s\n", hex);
}

static void
print_head(const struct match_report *report)
{
	const struct dispatcher_config *config = report->config;
	const struct scopa_rules *rules = &config->rules.rules;
	char bytes[EVENT_SPEC_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_rules_spec(rules, config->rules.preset, &text);
	scopa_text_string(&text, ", ");
	scopa_text_int(&text, rules->players);
	scopa_text_string(&text, " seats ");
	scopa_param_format(scopa_param_find("teams"), rules, &text);
	scopa_text_string(&text, config->rules.deals ? ", " : ", to ");
	scopa_text_int(
	    &text, config->rules.deals ? config->rules.deals : rules->target);
	scopa_text_string(&text,
	    config->rules.deals == 1  ? " deal"
		: config->rules.deals ? " deals"
				      : " points");
	scopa_text_string(&text, ", time ");
	budget_control_show(&config->rules.settings.control, &text);
	printf("%s\n", bytes);
	if (!report->seed_drawn)
		print_seed(report);
	printf("walls %s\n", sandbox_name(config->rules.sandbox));
	if (config->rules.settings.analysis != NULL)
		printf("analysis: some bots see all cards, and nothing of this "
		       "is rated\n");
	fflush(stdout);
}

/*
 * Begins a report whose first fields are set, up to `seed_drawn`, and whose others
 * are zero.  Prints the head unless it is quiet or JSON.
 */
static void
match_report_begin(struct match_report *report)
{
	report->shown_ns = clock_now_ns();
	if (!report->json && !report->quiet)
		print_head(report);
}

/* A seat of an entrant in this game. */
static int
seat_of_entrant(const struct game_result *result, int entrant)
{
	int seat = 0;

	while (result->entrant[seat] != entrant)
		seat++;
	return seat;
}

static void
add_game(struct match_report *report, const struct game_result *result)
{
	const struct dispatcher_config *config = report->config;
	int offender = result->fault_entrant < 0
	    ? SCOPA_TEAM_NONE
	    : scopa_team_of(&config->rules.rules, result->fault.seat);

	report->games++;
	report->deals += result->deal_count;
	report->forfeits += strcmp(result->reason, "forfeit") == 0;
	report->max_deals_games +=
	    strcmp(result->reason, GAME_REASON_MAX_DEALS) == 0;
	report->void_turns += result->void_count;
	if (result->lag_longest_ns > report->lag_longest_ns)
		report->lag_longest_ns = result->lag_longest_ns;
	for (int i = 0; i < config->entrant_count; i++) {
		struct match_total *total = &report->totals[i];
		int seat = seat_of_entrant(result, i);
		int team = scopa_team_of(&config->rules.rules, seat);

		snprintf(total->name, sizeof(total->name), "%s",
		    result->names[seat]);
		total->points += result->scores[team];
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			total->item_points[item] +=
			    result->item_points[team][item];
		if (result->winner == team)
			total->wins++;
		else if (result->winner == SCOPA_TEAM_NONE && team != offender)
			total->draws++;
		else
			total->losses++;
	}
	for (int seat = 0; seat < config->rules.rules.players; seat++) {
		struct match_total *total =
		    &report->totals[result->entrant[seat]];

		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			total->offences[kind] += result->offences[seat][kind];
		total->think_ns += result->think_ns[seat];
		total->decision_count += result->decision_count[seat];
		total->unasked_count += result->unasked_count[seat];
		total->cut_short += result->cut_short[seat];
		if (result->pondered[seat]) {
			total->ponder_ns += result->off_turn_ns[seat];
			total->ponder_games++;
		}
		if (result->think_longest_ns[seat] > total->think_longest_ns)
			total->think_longest_ns =
			    result->think_longest_ns[seat];
	}
}

/* The entrants of a team: `greedy`, `greedy+first`. */
static void
print_team(const struct match_report *report, const struct game_result *result,
    int team)
{
	const struct scopa_rules *rules = &report->config->rules.rules;
	bool told[PLAN_ENTRANTS_MAX] = { false };
	const char *before = "";

	for (int seat = 0; seat < rules->players; seat++) {
		int entrant = result->entrant[seat];

		if (scopa_team_of(rules, seat) != team || told[entrant])
			continue;
		told[entrant] = true;
		printf("%s%s", before, result->names[seat]);
		before = "+";
	}
}

/* `  greedy 11  random 4`, in the order of the teams. */
static void
print_scores(
    const struct match_report *report, const struct game_result *result)
{
	int teams = scopa_team_count(&report->config->rules.rules);

	for (int team = 0; team < teams; team++) {
		printf("  ");
		print_team(report, result, team);
		printf(" %d", result->scores[team]);
	}
}

/* The last lines that a bot at fault wrote to stderr. */
static void
print_errors(const struct match_fault *fault)
{
	const char *line = fault->stderr_tail;
	int left = 0;

	for (const char *at = line; *at != '\0'; at++)
		left += *at == '\n';
	while (*line != '\0') {
		int length = (int)strcspn(line, "\n");

		if (--left < ERROR_LINES_MAX)
			printf("  stderr  : %.*s\n", length, line);
		line += length + (line[length] == '\n');
	}
}

static void
print_game(const struct match_report *report, const struct game_result *result)
{
	printf("game %-3d", result->game + 1);
	print_scores(report, result);
	if (strcmp(result->reason, "deals") == 0)
		printf("  after %d deal%s", result->deal_count,
		    result->deal_count == 1 ? "" : "s");
	else
		printf("  %d deal%s, %s", result->deal_count,
		    result->deal_count == 1 ? "" : "s", result->reason);
	if (result->fault_entrant >= 0)
		printf(" by %s: %s %s", result->names[result->fault.seat],
		    offence_name(result->fault.kind), result->fault.reason);
	printf("\n");
	print_errors(&result->fault);
	fflush(stdout);
}

static void
show_progress(struct match_report *report)
{
	int64_t now_ns = clock_now_ns();
	bool terminal = isatty(STDERR_FILENO);
	int64_t games = report->game_count;

	if (now_ns - report->shown_ns <
	    (terminal ? PROGRESS_NS_TERMINAL : PROGRESS_NS))
		return;
	report->shown_ns = now_ns;
	fprintf(stderr, "%s%lld of %lld games%s", terminal ? "\r" : "",
	    (long long)report->games, (long long)games,
	    terminal && report->games < games ? " " : "\n");
}

/* Keeps a result for the JSON document; without memory it is left out. */
static void
keep_result(struct match_report *report, const struct game_result *result)
{
	if (report->games > report->capacity) {
		int64_t capacity = 2 * report->games + 16;
		struct game_result *grown =
		    realloc(report->results, (size_t)capacity * sizeof(*grown));

		if (grown == NULL)
			return;
		report->results = grown;
		report->capacity = capacity;
	}
	report->results[report->games - 1] = *result;
}

/* Once a bot: it may have run into the walls. */
static void
tell_walls(struct match_report *report, const struct game_result *result)
{
	const char *hint;

	if (result->fault_entrant < 0 ||
	    report->totals[result->fault_entrant].hinted)
		return;
	hint = entrant_walls_hint(&result->fault, &report->config->rules);
	if (hint == NULL)
		return;
	report->totals[result->fault_entrant].hinted = true;
	fprintf(stderr, "walls   %s: %s\n", result->names[result->fault.seat],
	    hint);
}

/* Takes the result of a game. */
static void
match_report_take(struct match_report *report, const struct game_result *result)
{
	report->last = *result;
	/* A game that nobody could begin or end counts for nothing. */
	if (strcmp(result->reason, "abort") == 0 ||
	    (result->fault_entrant >= 0 &&
		result->fault.kind == OFFENCE_STARTUP))
		return;
	add_game(report, result);
	if (report->json)
		keep_result(report, result);
	else if (!report->quiet && report->game_count <= GAMES_SHOWN_MAX)
		print_game(report, result);
	if (!report->quiet) {
		tell_walls(report, result);
		show_progress(report);
	}
}

/* Where the points came from: a column an item, a row an entrant. */
static void
print_items(const struct match_report *report)
{
	const struct dispatcher_config *config = report->config;

	printf("%-16s", "points");
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (scopa_item_counts(
			&config->rules.rules, (enum scopa_item)item))
			printf(" %10s", scopa_item_name((enum scopa_item)item));
	printf(" %10s\n", "total");
	for (int i = 0; i < config->entrant_count; i++) {
		const struct match_total *total = &report->totals[i];

		printf("  %-14s", total->name);
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			if (scopa_item_counts(
				&config->rules.rules, (enum scopa_item)item))
				printf(" %10lld",
				    (long long)total->item_points[item]);
		printf(" %10lld\n", (long long)total->points);
	}
}

static void
print_times(const struct match_report *report)
{
	for (int i = 0; i < report->config->entrant_count; i++) {
		const struct match_total *total = &report->totals[i];

		printf("time    %-14s %.3f ms a move, longest %.3f ms",
		    total->name, match_total_mean_ms(total),
		    (double)total->think_longest_ns / 1e6);
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			if (total->offences[kind] > 0)
				printf(", %lld %s",
				    (long long)total->offences[kind],
				    offence_name((enum offence_kind)kind));
		if (total->unasked_count > 0)
			printf(", %lld answer%s with a wrong turn=",
			    (long long)total->unasked_count,
			    total->unasked_count == 1 ? "" : "s");
		printf("\n");
	}
}

/* Games that would not end, if any. */
static void
print_max_deals(const struct match_report *report)
{
	if (report->max_deals_games > 0)
		printf("DRAWN   %lld game%s, as nobody had won after %d deals; "
		       "see --max-deals\n",
		    (long long)report->max_deals_games,
		    report->max_deals_games == 1 ? "" : "s",
		    match_max_deals(&report->config->rules));
}

/* Turns that were timed anew, if any: nobody lost by them. */
static void
print_voids(const struct match_report *report)
{
	if (report->void_turns == 0)
		return;
	printf("VOID    %lld clock%s restarted: ",
	    (long long)report->void_turns, report->void_turns == 1 ? "" : "s");
	if (report->lag_longest_ns > 0)
		printf("the arena itself was delayed, by up to %.3f s\n",
		    (double)report->lag_longest_ns / 1e9);
	else
		printf("another bot computed when it was not to move\n");
}

/* Who thought on the time of others: nobody lost by it. */
static void
print_ponderers(const struct match_report *report)
{
	for (int i = 0; i < report->config->entrant_count; i++) {
		const struct match_total *total = &report->totals[i];

		if (total->ponder_games > 0)
			printf("PONDER  %-14s %.3f s of CPU time when it was "
			       "not to move, in %lld game%s\n",
			    total->name, (double)total->ponder_ns / 1e9,
			    (long long)total->ponder_games,
			    total->ponder_games == 1 ? "" : "s");
	}
}

/* Bots that said that the clock cut decisions short. */
static void
print_cuts(const struct match_report *report)
{
	for (int i = 0; i < report->config->entrant_count; i++) {
		const struct match_total *total = &report->totals[i];

		if (total->cut_short > 0)
			printf("CUT     %-14s %lld of %lld decisions were cut "
			       "short by the clock\n",
			    total->name, (long long)total->cut_short,
			    (long long)total->decision_count);
	}
}

/* The verdict on one game, or the balance of many. */
static void
print_result(const struct match_report *report)
{
	const struct game_result *last = &report->last;

	if (report->games == 0) {
		printf("result  no game was finished\n");
		return;
	}
	if (report->games > 1) {
		for (int i = 0; i < report->config->entrant_count; i++) {
			const struct match_total *total = &report->totals[i];

			printf("result  %-14s %lld won, %lld drawn, %lld lost,"
			       " %.3f points per deal%s\n",
			    total->name, (long long)total->wins,
			    (long long)total->draws, (long long)total->losses,
			    report->deals
				? (double)total->points / (double)report->deals
				: 0.0,
			    mark_of(report->config));
		}
		return;
	}
	printf("result ");
	print_scores(report, last);
	if (last->winner == SCOPA_TEAM_NONE) {
		printf(", drawn%s\n", mark_of(report->config));
		return;
	}
	printf(", ");
	print_team(report, last, last->winner);
	printf(" won%s%s\n",
	    strcmp(last->reason, "forfeit") == 0 ? " by forfeit" : "",
	    mark_of(report->config));
}

static void
print_next(const struct match_report *report)
{
	const struct dispatcher_config *config = report->config;

	if (report->record) {
		printf("next    %s record show %s\n", program_invocation_name,
		    report->record);
		return;
	}
	printf("next    %s match", program_invocation_name);
	for (int i = 0; i < config->entrant_count; i++) {
		const char *command = config->entrants[i].command;

		printf(strchr(command, ' ') ? " \"%s\"" : " %s", command);
	}
	printf(" --rounds 100 --duplicate --record games.scopa\n");
}

/* Prints the result and the next command to try; frees what it holds. */
static void
match_report_end(struct match_report *report, enum dispatcher_end end)
{
	if (report->json) {
		match_report_json(report, end);
	} else {
		print_result(report);
		if (!report->quiet && report->games > 0) {
			print_items(report);
			print_times(report);
			print_cuts(report);
			print_ponderers(report);
			print_voids(report);
			print_max_deals(report);
		}
		if (!report->quiet && report->seed_drawn)
			print_seed(report);
		if (!report->quiet && end == DISPATCHER_DONE)
			print_next(report);
	}
	free(report->results);
	report->results = NULL;
}

/*
 * match: bots play each other, here and now.
 */

/* A match is of as many bots as a game has seats or teams. */
static enum status
read_rules(const struct match_settings *settings, struct match_rules *rules)
{
	int count = settings->game.bot_count;

	if (count < 2 || count == 5 || count > SCOPA_SEATS_MAX) {
		struct match_rules only_read;

		/* Rules that are wrong, too, are said first. */
		if (game_setup_rules(&settings->game, 0, &only_read) !=
		    STATUS_DONE)
			return STATUS_USAGE;
		error_print("%d bot%s, but a game has 2, 3, 4 or 6 seats",
		    count, count == 1 ? "" : "s");
		error_detail("hint", "name one bot a seat, or one a party");
		error_detail("try", VERSION_NAME " match @greedy @random");
		return STATUS_USAGE;
	}
	return game_setup_rules(&settings->game, count, rules);
}

static enum status
error_of_count(const struct scopa_rules *rules, int bot_count)
{
	int teams = scopa_team_count(rules);

	error_print(
	    "%d bots for a game of %d seats", bot_count, rules->players);
	if (teams < rules->players)
		error_detail("hint",
		    "name %d bots, one a seat, or %d, one a party",
		    rules->players, teams);
	else
		error_detail(
		    "hint", "name %d bots, one a seat", rules->players);
	error_detail("try", VERSION_NAME " match --help");
	return STATUS_USAGE;
}

static enum status
read_bots(
    const struct match_settings *settings, struct dispatcher_config *config)
{
	static struct entrant_words words[PLAN_ENTRANTS_MAX];
	static struct entrant entrants[PLAN_ENTRANTS_MAX];
	int count = settings->game.bot_count;
	struct budget_control control;
	enum status status;

	if (count != config->rules.rules.players &&
	    count != scopa_team_count(&config->rules.rules))
		return error_of_count(&config->rules.rules, count);
	memcpy(words, settings->game.bots, (size_t)count * sizeof(words[0]));
	status = game_setup_bots(
	    &settings->game, words, entrants, count, ENTRANT_TO_PLAY, &control);
	config->entrants = entrants;
	config->entrant_count = count;
	if (status == STATUS_DONE)
		game_setup_referee(&settings->game, &control, &config->rules);
	return status;
}

static enum status
end_status(const struct dispatcher_config *config,
    const struct dispatcher_outcome *outcome, const struct game_result *last)
{
	switch (outcome->end) {
	case DISPATCHER_DONE:
		return STATUS_DONE;
	case DISPATCHER_STOPPED:
		if (last->fault.kind == OFFENCE_STARTUP)
			return entrant_error(
			    &config->entrants[last->fault_entrant],
			    last->names[last->fault.seat], &last->fault,
			    &config->rules);
		return STATUS_BOT;
	case DISPATCHER_INTERRUPTED:
		return (enum status)(128 + outcome->detail);
	case DISPATCHER_LOST:
		return worker_death_error(outcome->detail, outcome->lost_count);
	case DISPATCHER_FAILED:
		break;
	}
	return game_setup_error(outcome->detail);
}

/* A match on its way. */
struct course {
	const struct dispatcher_config *config;
	struct plan plan;
	int next; /* game to play */
	int record_fd;
	int record_error; /* -errno: games from then on are not recorded */
	struct match_report report;
};

static enum dispatcher_supply
next_game(struct dispatcher *dispatcher, void *context, struct game_spec *game)
{
	struct course *course = context;

	(void)dispatcher;
	if (course->next == plan_game_count(&course->plan))
		return DISPATCHER_NO_MORE;
	*game = plan_game(&course->plan, course->next++);
	return DISPATCHER_GAME;
}

/* A fault after which the remaining games make no sense. */
static bool
stops_match(const struct course *course, const struct game_result *result)
{
	return result->fault_entrant >= 0 &&
	    (result->fault.kind == OFFENCE_STARTUP ||
		course->config->rules.settings.policy == POLICY_DISQUALIFY);
}

static void
on_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *block, size_t size)
{
	struct course *course = context;

	/* What was refused was no game. */
	if (size > 0 && !entrant_is_misused(&result->fault) &&
	    course->record_error == 0)
		course->record_error =
		    record_file_append(course->record_fd, block, size);
	/* Only games that the file has are counted. */
	if (course->record_error) {
		dispatcher_end(dispatcher, DISPATCHER_FAILED,
		    course->record_error, STOP_ABORT);
		return;
	}
	match_report_take(&course->report, result);
	if (stops_match(course, result))
		dispatcher_end(dispatcher, DISPATCHER_STOPPED, 0, STOP_FINISH);
}

static const struct dispatcher_calls calls = {
	.next = next_game,
	.on_result = on_result,
};

static enum status
error_of_record(const char *path, int error)
{
	error_print("record file \"%s\": %s", path, strerror(-error));
	error_detail("hint",
	    error == -ENOSPC || error == -EDQUOT || error == -EFBIG
		? "make room on the disk; the result counts the games that "
		  "the file has"
		: "the result counts the games that the file has");
	return STATUS_ENVIRONMENT;
}

static enum status
play(const struct match_settings *settings, struct dispatcher_config *config,
    const struct plan *plan)
{
	const char *record = settings->record.path;
	struct course course = {
		.config = config,
		.plan = *plan,
		.record_fd = -1,
	};
	struct dispatcher_outcome outcome;
	bool record_is_new = false;
	enum status status;

	if (config->concurrency > plan_game_count(plan))
		config->concurrency = (int)plan_game_count(plan);
	config->record = record != NULL;
	config->rules.unrecorded = !config->record;
	if (config->record) {
		record_is_new = access(record, F_OK) != 0;
		course.record_fd = record_file_open(record);
		if (course.record_fd < 0) {
			error_print("record file \"%s\": %s", record,
			    strerror(-course.record_fd));
			error_detail("hint",
			    "name a file in a folder that you may write to");
			return STATUS_ENVIRONMENT;
		}
	}
	course.report = (struct match_report){
		.config = config,
		.game_count = plan_game_count(plan),
		.json = settings->game.json,
		.quiet = settings->game.quiet,
		.record = record,
		.seed_drawn = !settings->game.seed.given,
	};
	match_report_begin(&course.report);
	outcome = dispatcher_run(config, &calls, &course);
	match_report_end(&course.report, outcome.end);
	if (course.record_fd >= 0)
		close(course.record_fd);
	if (course.record_error)
		return error_of_record(record, course.record_error);
	status = end_status(config, &outcome, &course.report.last);
	/* Of a call that was refused nothing is left. */
	if (status == STATUS_USAGE && record_is_new)
		unlink(record);
	return status;
}

/* Which games there are, by rounds or by games. */
static enum status
read_plan(const struct match_settings *settings,
    const struct dispatcher_config *config, struct plan *plan)
{
	int64_t rounds;
	enum status status;

	*plan = (struct plan){
		.rules = &config->rules.rules,
		.entrant_count = config->entrant_count,
		.rounds = 1,
		.duplicate = settings->duplicate,
	};
	status = game_setup_rounds(settings->rounds, settings->games,
	    (int)plan_game_count(plan), &rounds);
	if (status == STATUS_DONE && rounds > 0)
		plan->rounds = (int)rounds;
	return status;
}

static enum status
match_run(const void *given, int argc, char **argv)
{
	const struct match_settings *settings = given;
	const struct game_settings *game = &settings->game;
	static struct dispatcher_config config;
	struct pack_file packs = { 0 };
	static struct sandbox sandbox;
	struct plan plan;
	enum status status;

	(void)argc;
	(void)argv;
	config.concurrency = (int)game->concurrency;
	config.cpu_slots = game->thinkers.count;
	status = read_rules(settings, &config.rules);
	if (status == STATUS_DONE)
		status = read_bots(settings, &config);
	if (status == STATUS_DONE)
		status = read_plan(settings, &config, &plan);
	if (status == STATUS_DONE)
		status = game_setup_pin(game, &config.pin, &config.cores);
	if (status == STATUS_DONE)
		status = game_setup_secret(game, &config.rules);
	if (status == STATUS_DONE)
		status = game_setup_packs(game, &packs, &config.rules);
	if (status == STATUS_DONE)
		status = game_setup_walls(
		    game, settings->record.path, &sandbox, &config.rules);
	if (status == STATUS_DONE) {
		entrants_weaken(config.entrants, config.entrant_count,
		    game->quiet, &sandbox);
		entrants_warn(config.entrants, config.entrant_count,
		    config.rules.sandbox);
		status = play(settings, &config, &plan);
	}
	if (config.rules.sandbox != NULL)
		sandbox_close(&sandbox);
	if (config.rules.packs != NULL)
		pack_file_close(&packs);
	return status;
}

static const struct command_argument arguments[] = {
	{ "BOT",
	    "A path, a command in quotes, or @NAME of a built-in bot: one a "
	    "seat, or one a party." },
};

static const char *const examples[] = {
	VERSION_NAME " match @greedy @random",
	VERSION_NAME " match ./mybot.py @greedy --rounds 100 --duplicate "
		     "--concurrency 4",
	VERSION_NAME " match @greedy @random --rules scopone --deals 1 --seed "
		     "2a --record games.scopa",
	VERSION_NAME " match --bot ./mybot.py option.Depth=3 --bot @greedy "
		     "--each tc=move:0.5",
	NULL,
};

const struct command command_match = {
	.name = "match",
	.sentence = "Lets bots play each other and prints the result.",
	.detail = "Bots are child processes that speak USP/1 over pipes. The "
		  "seed is printed and gives the same cards again.",
	.usage = "BOT BOT [BOT...]",
	.arguments = arguments,
	.argument_kinds = COUNTOF(arguments),
	.argument_min = 0,
	.argument_max = 0, /* --bot takes them */
	.examples = examples,
	.options = match_options,
	.option_count = MATCH_OPTION_COUNT,
	.settings_size = sizeof(struct match_settings),
	.run = match_run,
};
