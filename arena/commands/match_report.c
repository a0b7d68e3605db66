/*
 * The output of `match`.
 */
#include "match_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "entrants.h"
#include "walls.h"

enum {
	GAMES_SHOWN_MAX = 20, /* a line each; more are only counted */
	ERROR_LINES_MAX = 3,  /* of a bot that lost a game by an offence */
	PROGRESS_NS_TERMINAL = 500000000
};
#define PROGRESS_NS INT64_C(10000000000)

/* What a result is not worth by itself: its bots could do as they liked. */
static const char *
mark_of(const struct series_config *config)
{
	static const char *const marks[2][2] = {
		{ ", " WALLS_UNBOXED, "" },
		{ ", for analysis, " WALLS_UNBOXED, ", for analysis" },
	};
	const struct walls *walls = config->rules.walls;

	return marks[config->rules.settings.analysis != NULL]
		    [walls && walls->level > WALLS_NONE];
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
	const struct series_config *config = report->config;
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
	scopa_text_string(&text, config->rules.deals ? " deals" : " points");
	scopa_text_string(&text, ", time ");
	budget_control_show(&config->rules.settings.control, &text);
	printf("%s\n", bytes);
	if (!report->seed_drawn)
		print_seed(report);
	printf("walls %s\n", walls_name(config->rules.walls));
	if (config->rules.settings.analysis != NULL)
		printf("analysis: some bots see all cards, and nothing of this "
		       "is rated\n");
	fflush(stdout);
}

void
match_report_begin(struct match_report *report)
{
	report->told_ns = clock_now_ns();
	if (!report->json && !report->quiet)
		print_head(report);
}

/* A seat of an entrant in this game. */
static int
seat_of_entrant(const struct series_result *result, int entrant)
{
	int seat = 0;

	while (result->entrant[seat] != entrant)
		seat++;
	return seat;
}

static void
add_game(struct match_report *report, const struct series_result *result)
{
	const struct series_config *config = report->config;
	int offender = result->fault_entrant < 0
	    ? SCOPA_PARTY_NONE
	    : scopa_party_of(&config->rules.rules, result->fault.seat);

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
		int party = scopa_party_of(&config->rules.rules, seat);

		snprintf(total->name, sizeof(total->name), "%s",
		    result->names[seat]);
		total->points += result->scores[party];
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			total->item_points[item] +=
			    result->item_points[party][item];
		if (result->winner == party)
			total->wins++;
		else if (result->winner == SCOPA_PARTY_NONE &&
		    party != offender)
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

/* The entrants of a party: `greedy`, `greedy+first`. */
static void
print_party(const struct match_report *report,
    const struct series_result *result, int party)
{
	const struct scopa_rules *rules = &report->config->rules.rules;
	bool told[PLAN_ENTRANTS_MAX] = { false };
	const char *before = "";

	for (int seat = 0; seat < rules->players; seat++) {
		int entrant = result->entrant[seat];

		if (scopa_party_of(rules, seat) != party || told[entrant])
			continue;
		told[entrant] = true;
		printf("%s%s", before, result->names[seat]);
		before = "+";
	}
}

/* `  greedy 11  random 4`, in the order of the parties. */
static void
print_scores(
    const struct match_report *report, const struct series_result *result)
{
	int parties = scopa_party_count(&report->config->rules.rules);

	for (int party = 0; party < parties; party++) {
		printf("  ");
		print_party(report, result, party);
		printf(" %d", result->scores[party]);
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
print_game(
    const struct match_report *report, const struct series_result *result)
{
	printf("game %-3d", result->game + 1);
	print_scores(report, result);
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
tell_progress(struct match_report *report)
{
	int64_t now_ns = clock_now_ns();
	bool terminal = isatty(STDERR_FILENO);
	int64_t games = report->game_count;

	if (now_ns - report->told_ns <
	    (terminal ? PROGRESS_NS_TERMINAL : PROGRESS_NS))
		return;
	report->told_ns = now_ns;
	fprintf(stderr, "%s%lld of %lld games%s", terminal ? "\r" : "",
	    (long long)report->games, (long long)games,
	    terminal && report->games < games ? " " : "\n");
}

/* Keeps a result for the JSON document; without memory it is left out. */
static void
keep_result(struct match_report *report, const struct series_result *result)
{
	if (report->games > report->capacity) {
		int64_t capacity = 2 * report->games + 16;
		struct series_result *grown =
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
tell_walls(struct match_report *report, const struct series_result *result)
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

void
match_report_take(
    struct match_report *report, const struct series_result *result)
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
		tell_progress(report);
	}
}

/* Where the points came from: a column an item, a row an entrant. */
static void
print_items(const struct match_report *report)
{
	const struct series_config *config = report->config;

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
			printf(", %lld out of turn",
			    (long long)total->unasked_count);
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
	printf(
	    "VOID    %lld turn%s timed anew: ", (long long)report->void_turns,
	    report->void_turns == 1 ? " was" : "s were");
	if (report->lag_longest_ns > 0)
		printf("the arena was late, by up to %.3f s\n",
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
	const struct series_result *last = &report->last;

	if (report->games == 0) {
		printf("result  no game was finished\n");
		return;
	}
	if (report->games > 1) {
		for (int i = 0; i < report->config->entrant_count; i++) {
			const struct match_total *total = &report->totals[i];

			printf("result  %-14s %lld won, %lld drawn, %lld lost,"
			       " %.3f points a deal%s\n",
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
	if (last->winner == SCOPA_PARTY_NONE) {
		printf(", drawn%s\n", mark_of(report->config));
		return;
	}
	printf(", ");
	print_party(report, last, last->winner);
	printf(" won%s%s\n",
	    strcmp(last->reason, "forfeit") == 0 ? " by forfeit" : "",
	    mark_of(report->config));
}

static void
print_next(const struct match_report *report)
{
	const struct series_config *config = report->config;

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

void
match_report_end(struct match_report *report, enum series_end end)
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
		if (!report->quiet && end == SERIES_DONE)
			print_next(report);
	}
	free(report->results);
	report->results = NULL;
}
