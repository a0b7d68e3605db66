#include "cmd_match.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "entrants.h"
#include "error_message.h"
#include "report_json.h"
#include "sandbox.h"
#include "text_format.h"
#include "version.h"

/* What `match` prints: games as they end, and the result. */
struct match_report {
	const struct dispatcher_config *config;
	int64_t game_count; /* of the whole match */
	bool json, quiet;
	const char *record; /* path, or NULL */
	/*
	 * The seed is the arena's own.  A bot that finds the file of the output
	 * before the last deal must not learn it there.
	 */
	bool seed_drawn;
	int64_t shown_ns; /* when progress was last shown */
	struct standings standings;
	struct standing bots[PLAN_ENTRANTS_MAX];  /* of the standings */
	int64_t unasked_count[PLAN_ENTRANTS_MAX]; /* answers to no question */
	bool hinted[PLAN_ENTRANTS_MAX];           /* see hint_at_sandbox */
	struct store_head *head;                  /* names of bots */
	struct game_result *results; /* of all games, for JSON; owned */
	int64_t capacity;
	struct game_result last;
};

/* The names of the bots, as the report wants them. */
static struct store_head bot_names;

enum { ROUNDS_MAX = 1000000 };

#define FIELD(name) offsetof(struct match_settings, name)

static const struct option record_keys[] = {
	TEXT_OPTION("file", "FILE", offsetof(struct game_file, path),
	    "The file.", .is_path = true),
	REFUSED_OPTION("append",
	    "a record is appended whole, in its one format.",
	    .aliases = { "notation", "min", "fi" }),
	OPTIONS_END,
};

static const struct option own_options[] = {
	INT_OPTION("rounds", "N", FIELD(rounds), 1, ROUNDS_MAX,
	    "How many sets of packs are played. Without it one.",
	    .unit = "rounds"),
	INT_OPTION("games", "N", FIELD(games), 1, ROUNDS_MAX,
	    "How many games are played, as other arenas count; with --rounds, "
	    "in each of these.",
	    .unit = "games"),
	FLAG_OPTION("duplicate", FIELD(duplicate),
	    "Play each round once for every way of seating the bots, with the "
	    "same packs.",
	    .aliases = { "repeat" }, .implied = "2"),
	INT_OPTION("concurrency", "N", FIELD(game.concurrency), 1,
	    CONCURRENCY_MAX, "Games at once.", .fallback = "1",
	    .unit = "games"),
	GROUP_OPTION("record", "FILE", record_keys, sizeof(struct game_file),
	    FIELD(record), FIELD(record_count),
	    "Append the record of every game to this file.",
	    .aliases = { "pgnout" }, .takes_plain = true),
	REFUSED_OPTION("sprt",
	    "a bot is tested against its base by " VERSION_NAME " gate.",
	    .aliases = { "base" }),
	REFUSED_OPTION("format",
	    "more bots than have a seat play in a " VERSION_NAME " tournament.",
	    .aliases = { "tournament" }),
	OPTIONS_END,
};

const struct option match_options[] = {
	TABLE_OPTION("bots", game_bot_options, FIELD(game)),
	TABLE_OPTION("game", game_rule_options, FIELD(game)),
	TABLE_OPTION("match", own_options, 0),
	TABLE_OPTION(NULL, game_analysis_options, FIELD(game)),
	TABLE_OPTION(NULL, game_call_options, FIELD(game)),
	TABLE_OPTION(NULL, game_config_options, FIELD(game)),
	TABLE_OPTION(
	    "time limits and offences", game_time_options, FIELD(game)),
	TABLE_OPTION(NULL, game_refused_options, FIELD(game)),
	OPTIONS_END,
};

/*
 * The output of `match --json`.
 */

/* Milliseconds of a decision; 0 where there was none. */
static double
think_ms_of(const struct standing *standing)
{
	return fmax(report_think_ms(standing), 0);
}

/* Points of a deal; 0 where there was none. */
static double
points_per_deal(const struct match_report *report, int entrant)
{
	return (double)report->bots[entrant].points /
	    fmax((double)report->standings.deals, 1);
}

static const char *
name_of(const struct match_report *report, int entrant)
{
	return report->head->bots[entrant].name;
}

static void
json_game(struct json *json, const struct match_report *report,
    const struct game_result *result)
{
	const struct scopa_rules *rules = &report->config->rules.rules;

	json_object_begin(json, NULL);
	json_int(json, "game", result->summary.game + 1);
	json_int(json, "round", result->summary.round + 1);
	json_array_begin(json, "seats");
	for (int seat = 0; seat < rules->players; seat++)
		json_string(json, NULL, result->summary.names[seat]);
	json_array_end(json);
	json_team_points(
	    json, "scores", result->summary.scores, scopa_team_count(rules));
	json_team(json, "winner", result->summary.winner);
	json_string(json, "reason", result->summary.reason);
	json_int(json, "deals", result->summary.deal_count);
	json_int(json, "void_turns", result->summary.void_turns);
	json_real(json, "lag_ms_longest",
	    (double)result->summary.lag_longest_ns / 1e6, 3);
	if (result->fault_entrant >= 0) {
		json_object_begin(json, "fault");
		json_string(
		    json, "name", result->summary.names[result->fault.seat]);
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
	const struct standing *total = &report->bots[entrant];

	json_object_begin(json, NULL);
	json_string(json, "name", name_of(report, entrant));
	json_string(json, "command", config->entrants[entrant].command);
	json_int(json, "wins", total->results.wins);
	json_int(json, "draws", total->results.draws);
	json_int(json, "losses", total->results.losses);
	json_int(json, "points", total->points);
	json_real(json, "points_per_deal", points_per_deal(report, entrant), 6);
	json_object_begin(json, "items");
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (scopa_item_counts(
			&config->rules.rules, (enum scopa_item)item))
			json_int(json, scopa_item_name((enum scopa_item)item),
			    total->item_points[item]);
	json_object_end(json);
	json_offences(json, "offences", total->offences);
	json_int(json, "out_of_turn", report->unasked_count[entrant]);
	json_int(json, "cut_short", total->cut_short);
	json_int(json, "ponder_games", total->ponder_games);
	json_real(json, "ponder_ms", (double)total->ponder_ns / 1e6, 3);
	json_real(json, "think_ms_mean", think_ms_of(total), 3);
	json_real(
	    json, "think_ms_max", (double)total->think_longest_us / 1e3, 3);
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

	json_document_begin(&json, stdout);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_rules_spec(rules, config->rules.preset, &text);
	json_string(&json, "rules", bytes);
	json_seating(&json, rules);
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
	json_int(&json, "games_played", report->standings.games);
	json_int(&json, "deals_played", report->standings.deals);
	json_int(&json, "forfeits", report->standings.forfeits);
	json_int(&json, "max_deals_games", report->standings.max_deals_games);
	json_int(&json, "void_turns", report->standings.void_turns);
	json_real(&json, "lag_ms_longest",
	    (double)report->standings.lag_longest_ns / 1e6, 3);
	json_array_begin(&json, "bots");
	for (int i = 0; i < config->entrant_count; i++)
		json_total(&json, report, i);
	json_array_end(&json);
	json_array_begin(&json, "games");
	for (int64_t i = 0; i < report->standings.games && i < report->capacity;
	     i++)
		json_game(&json, report, &report->results[i]);
	json_array_end(&json);
	json_document_end(&json);
}

/*
 * The output of `match`.
 */

enum {
	GAMES_SHOWN_MAX = 20, /* a line each; more are only counted */
	REMARK_LABEL_WIDTH = 8,
	ERROR_LINES_MAX = 3, /* of a bot that lost a game by an offence */
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
	printf("sandbox %s\n", sandbox_name(config->rules.sandbox));
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

/* What an entrant and its team made of a game. */
static void
add_entrant(struct match_report *report, const struct game_result *result,
    const uint8_t *entrants, int entrant)
{
	const struct scopa_rules *rules = &report->config->rules.rules;
	const struct summary *summary = &result->summary;
	struct standing *total = &report->bots[entrant];
	int team = scopa_team_of(rules, seat_of_entrant(result, entrant));
	bool lost = result->fault_entrant >= 0 &&
	    scopa_team_of(rules, result->fault.seat) == team;

	total->points += summary->scores[team];
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		total->item_points[item] += summary->item_points[team][item];
	if (summary->winner == team)
		total->results.wins++;
	else if (summary->winner == SCOPA_TEAM_NONE && !lost)
		total->results.draws++;
	else
		total->results.losses++;
	standing_take_seats(total, summary, entrants, entrant);
}

static void
add_game(struct match_report *report, const struct game_result *result)
{
	const struct summary *summary = &result->summary;
	struct standings *standings = &report->standings;
	uint8_t entrants[SCOPA_SEATS_MAX];

	standings->games++;
	standings->deals += summary->deal_count;
	standings->forfeits += strcmp(summary->reason, "forfeit") == 0;
	standings->max_deals_games +=
	    strcmp(summary->reason, GAME_REASON_MAX_DEALS) == 0;
	standings->void_turns += summary->void_turns;
	standings->void_games += summary->void_turns > 0;
	if (summary->lag_longest_ns > standings->lag_longest_ns)
		standings->lag_longest_ns = summary->lag_longest_ns;
	for (int seat = 0; seat < summary->seat_count; seat++) {
		int entrant = result->entrant[seat];

		entrants[seat] = (uint8_t)entrant;
		report->unasked_count[entrant] += result->unasked_count[seat];
		snprintf(report->head->bots[entrant].name, EVENT_NAME_SIZE,
		    "%s", summary->names[seat]);
	}
	for (int i = 0; i < report->config->entrant_count; i++)
		add_entrant(report, result, entrants, i);
}

/* The entrants of a team: `greedy`, `greedy+first`. */
static void
print_team(const struct match_report *report, const struct game_result *result,
    int team)
{
	const struct scopa_rules *rules = &report->config->rules.rules;
	bool printed[PLAN_ENTRANTS_MAX] = { false };
	const char *before = "";

	for (int seat = 0; seat < rules->players; seat++) {
		int entrant = result->entrant[seat];

		if (scopa_team_of(rules, seat) != team || printed[entrant])
			continue;
		printed[entrant] = true;
		printf("%s%s", before, result->summary.names[seat]);
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
		printf(" %d", result->summary.scores[team]);
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
	printf("game %-3lld", (long long)result->summary.game + 1);
	print_scores(report, result);
	if (strcmp(result->summary.reason, "deals") == 0)
		printf("  after %d deal%s", result->summary.deal_count,
		    text_plural(result->summary.deal_count));
	else
		printf("  %d deal%s, %s", result->summary.deal_count,
		    text_plural(result->summary.deal_count),
		    result->summary.reason);
	if (result->fault_entrant >= 0)
		printf(" by %s: %s %s",
		    result->summary.names[result->fault.seat],
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
	    (long long)report->standings.games, (long long)games,
	    terminal && report->standings.games < games ? " " : "\n");
}

/* Stores a result for the JSON document; without memory it is left out. */
static void
store_result(struct match_report *report, const struct game_result *result)
{
	if (report->standings.games > report->capacity) {
		int64_t capacity = 2 * report->standings.games + 16;
		struct game_result *grown =
		    realloc(report->results, (size_t)capacity * sizeof(*grown));

		if (grown == NULL)
			return;
		report->results = grown;
		report->capacity = capacity;
	}
	report->results[report->standings.games - 1] = *result;
}

/* Says once a bot that the sandbox may have been in its way. */
static void
hint_at_sandbox(struct match_report *report, const struct game_result *result)
{
	const char *hint;

	if (result->fault_entrant < 0 || report->hinted[result->fault_entrant])
		return;
	hint = entrant_sandbox_hint(&result->fault, &report->config->rules);
	if (hint == NULL)
		return;
	report->hinted[result->fault_entrant] = true;
	fprintf(stderr, "sandbox %s: %s\n",
	    result->summary.names[result->fault.seat], hint);
}

/* Takes the result of a game. */
static void
match_report_take(struct match_report *report, const struct game_result *result)
{
	report->last = *result;
	/* A game that nobody could begin or end counts for nothing. */
	if (strcmp(result->summary.reason, "abort") == 0 ||
	    (result->fault_entrant >= 0 &&
		result->fault.kind == OFFENCE_STARTUP))
		return;
	add_game(report, result);
	if (report->json)
		store_result(report, result);
	else if (!report->quiet && report->game_count <= GAMES_SHOWN_MAX)
		print_game(report, result);
	if (!report->quiet) {
		hint_at_sandbox(report, result);
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
		const struct standing *total = &report->bots[i];

		printf("  %-14s", name_of(report, i));
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
		const struct standing *total = &report->bots[i];

		printf("time    %-14s %.3f ms a move, longest %.3f ms",
		    name_of(report, i), think_ms_of(total),
		    (double)total->think_longest_us / 1e3);
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			if (total->offences[kind] > 0)
				printf(", %lld %s",
				    (long long)total->offences[kind],
				    offence_name((enum offence_kind)kind));
		if (report->unasked_count[i] > 0)
			printf(", %lld answer%s with a wrong turn=",
			    (long long)report->unasked_count[i],
			    text_plural(report->unasked_count[i]));
		printf("\n");
	}
}

/* Games that would not end, if any. */
static void
print_max_deals(const struct match_report *report)
{
	if (report->standings.max_deals_games > 0)
		printf("DRAWN   %lld game%s, as nobody had won after %d deals; "
		       "see --max-deals\n",
		    (long long)report->standings.max_deals_games,
		    text_plural(report->standings.max_deals_games),
		    match_max_deals(&report->config->rules));
}

/* The verdict on one game, or the balance of many. */
static void
print_result(const struct match_report *report)
{
	const struct game_result *last = &report->last;

	if (report->standings.games == 0) {
		printf("result  no game was finished\n");
		return;
	}
	if (report->standings.games > 1) {
		for (int i = 0; i < report->config->entrant_count; i++) {
			const struct trinomial *results =
			    &report->bots[i].results;

			printf("result  %-14s %lld won, %lld drawn, %lld lost,"
			       " %.3f points per deal%s\n",
			    name_of(report, i), (long long)results->wins,
			    (long long)results->draws,
			    (long long)results->losses,
			    points_per_deal(report, i),
			    mark_of(report->config));
		}
		return;
	}
	printf("result ");
	print_scores(report, last);
	if (last->summary.winner == SCOPA_TEAM_NONE) {
		printf(", drawn%s\n", mark_of(report->config));
		return;
	}
	printf(", ");
	print_team(report, last, last->summary.winner);
	printf(" won%s%s\n",
	    strcmp(last->summary.reason, "forfeit") == 0 ? " by forfeit" : "",
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
	const struct report_view view = {
		.head = report->head,
		.standings = &report->standings,
	};

	if (report->json) {
		match_report_json(report, end);
	} else {
		print_result(report);
		if (!report->quiet && report->standings.games > 0) {
			print_items(report);
			print_times(report);
			report_text_remarks(&view, REMARK_LABEL_WIDTH, stdout);
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
		    count, text_plural(count));
		error_detail("hint", "name one bot a seat, or one a team");
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
		    "name %d bots, one a seat, or %d, one a team",
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
			    last->summary.names[last->fault.seat], &last->fault,
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
	if (course->record_fd >= 0 && !entrant_is_misused(&result->fault) &&
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
	config->rules.unrecorded = record == NULL;
	if (record != NULL) {
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
		.head = &bot_names,
	};
	bot_names.bot_count = config->entrant_count;
	course.report.standings.bots = course.report.bots;
	course.report.standings.bot_count = config->entrant_count;
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
	config.cpu_slots = game->cpu_slots.count;
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
		status = game_setup_sandbox(
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

const struct command command_match = {
	.name = "match",
	.sentence = "Lets bots play each other and prints the result.",
	.detail = "Bots are child processes that speak USP/1 over pipes. The "
		  "seed is printed and gives the same cards again.",
	.usage = "BOT BOT [BOT...]",
	.arguments = { { "BOT",
	    "A path, a command in quotes, or @NAME of a built-in bot: one a "
	    "seat, or one a team." } },
	.argument_max = 0, /* --bot takes them */
	.examples = { "match @greedy @random",
	    "match ./mybot.py @greedy --rounds 100 --duplicate --concurrency 4",
	    "match @greedy @random --rules scopone --deals 1 --seed 2a "
	    "--record games.scopa",
	    "match --bot ./mybot.py option.Depth=3 --bot @greedy --each "
	    "tc=move:0.5" },
	.options = match_options,
	.settings_size = sizeof(struct match_settings),
	.run = match_run,
};
