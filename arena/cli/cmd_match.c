/*
 * The command match: plays games between the given bots and prints the result.
 *
 * A match has no run folder: results exist only in the memory of this process,
 * and records are written only to the file of --record.  The dispatcher hands
 * results on in the order of the plan.  The games of a round, which share their
 * packs, are a block: games are counted one by one, and margins by whole
 * blocks, as in a run.
 */
#include "game_options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "countof.h"
#include "entrants.h"
#include "machine.h"
#include "progress.h"
#include "report_json.h"
#include "sandbox.h"
#include "text_format.h"
#include "version.h"

/* A match that is being played, with its results so far. */
struct played_match {
	const struct match_settings *settings;
	/* its rules point into this struct, which must not move */
	struct dispatcher_config config;
	struct game_bots bots;
	struct pack_file packs;
	int *pack_sets; /* which packs repeat */
	struct sandbox sandbox;
	struct plan plan;
	struct record_output record;
	/* 0, or -errno: games after the error are not recorded */
	int record_error;

	struct progress progress;
	struct standings standings;
	struct block_result block; /* the block whose games are being played */
	int block_game_count;      /* those of its games that count so far */
	/* answers that a bot gave without being asked */
	int64_t unasked_count[PLAN_ENTRANTS_MAX];
	/* lines of a bot that are no message */
	int64_t stray_count[PLAN_ENTRANTS_MAX];
	/* the first fault by which each entrant lost a game */
	struct match_fault faults[SCOPA_SEATS_MAX];
	/* names of the bots, in the form that the report needs */
	struct store_head head;
	struct game_result *results; /* one for each game, for JSON; owned */
	int result_count, result_capacity;
	bool is_stopped;             /* by an offence; games may still end */
	struct game_result stopping; /* the first game with such an offence */
	struct game_result last_counted; /* of the games in the standings */
};

enum {
	ROUNDS_MAX = 1000000,
	FORMAT_VERSION = 1 /* of the JSON document */
};

#define FIELD(name) offsetof(struct match_settings, name)

static const struct option record_keys[] = {
	TEXT_OPTION("file", "FILE", offsetof(struct game_file, path),
	    "The file.", .is_path = true, .is_written = true),
	REFUSED_OPTION("append",
	    "a record is appended whole, in its one format.",
	    .aliases = { "notation", "min", "fi" }),
	REFUSED_OPTION("nodes",
	    "a record has what the bot says of each move (info), and no more.",
	    .aliases = { "nps", "seldepth", "pv" }),
	REFUSED_OPTION("hashfull",
	    "a record has what the bot says of each move (info), and no more.",
	    .aliases = { "tbhits", "match_line" }),
	REFUSED_OPTION("timeleft", "a record has the time of each answer, t=.",
	    .aliases = { "latency" }),
	OPTIONS_END,
};

static const struct option own_options[] = {
	INT_OPTION("rounds", "N", FIELD(rounds), 1, ROUNDS_MAX,
	    "How many sets of packs are played. Without it one.",
	    .unit = "rounds"),
	INT_OPTION("games", "N", FIELD(games), 1, ROUNDS_MAX,
	    "How many games are played, as other arenas count; with --rounds, "
	    "how many in each round.",
	    .unit = "games"),
	FLAG_OPTION("duplicate", FIELD(duplicate),
	    "Play each round once for every seating, with the same packs: two "
	    "bots change sides, more move on by one place.",
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
	REFUSED_OPTION("report",
	    "a match keeps no run to report on: play a tournament of its "
	    "bots."),
	REFUSED_OPTION("format",
	    "more bots than have a seat play in a " VERSION_NAME " tournament.",
	    .aliases = { "tournament" }),
	REFUSED_OPTION("output", "write --json for one document."),
	REFUSED_OPTION(
	    "event", "a match has no name: play a tournament of its bots."),
	REFUSED_OPTION("log",
	    "messages go to stderr; --trace FILE has every line to and from "
	    "the bots."),
	REFUSED_OPTION("ratinginterval",
	    "a terminal always shows how a match stands; the result comes at "
	    "its end.",
	    .aliases = { "scoreinterval", "outcomeinterval" }),
	OPTIONS_END,
};

const struct option match_options[] = {
	GAME_BOT_TABLES(FIELD(game)),
	TABLE_OPTION("game", game_rule_options, FIELD(game)),
	TABLE_OPTION("match", own_options, 0),
	TABLE_OPTION(NULL, game_analysis_options, FIELD(game)),
	GAME_CALL_TABLES(FIELD(game)),
	GAME_TIME_TABLE(FIELD(game)),
	OPTIONS_END,
};

/*
 * The output of match as JSON.
 */

/*
 * Points in each deal on average; 0 if there was none.  A deal that was broken
 * off by a forfeit counts, as its points do.
 */
static double
points_per_deal(const struct played_match *played, int entrant)
{
	const struct standings *standings = &played->standings;
	int64_t deals = standings->deals + standings->forfeits;

	return (double)standings->bots[entrant].points / fmax((double)deals, 1);
}

/* The name of a scoring item, or NULL if these rules do not count it. */
static const char *
item_of(const struct played_match *played, int item)
{
	return scopa_item_counts(
		   &played->config.rules.rules, (enum scopa_item)item)
	    ? scopa_item_name((enum scopa_item)item)
	    : NULL;
}

static void
json_game(struct json *json, const struct played_match *played,
    const struct game_result *result)
{
	const struct scopa_rules *rules = &played->config.rules.rules;
	const struct summary *summary = &result->summary;

	json_object_begin(json, NULL);
	json_int(json, "game", summary->game + 1);
	json_int(json, "round", summary->round + 1);
	json_array_begin(json, "seats");
	for (int seat = 0; seat < rules->players; seat++)
		json_string(json, NULL, summary->names[seat]);
	json_array_end(json);
	json_team_points(
	    json, "scores", summary->scores, scopa_team_count(rules));
	json_team(json, "winner", summary->winner);
	json_string(json, "reason", summary->reason);
	json_int(json, "deals", summary->deal_count);
	json_int(json, "void_turns", summary->void_turns);
	json_real(
	    json, "lag_ms_longest", (double)summary->lag_longest_ns / 1e6, 3);
	if (result->fault_entrant >= 0) {
		json_object_begin(json, "fault");
		json_string(json, "name", summary->names[result->fault.seat]);
		json_string(json, "kind", offence_name(result->fault.kind));
		json_string(json, "reason", result->fault.reason);
		json_string(json, "received", result->fault.said);
		json_string(json, "state", result->fault.state);
		json_string(json, "ended", result->fault.ending);
		json_string(json, "stderr", result->fault.stderr_tail);
		json_object_end(json);
	}
	json_object_end(json);
}

static void
json_total(struct json *json, const struct played_match *played, int entrant)
{
	const struct standing *total = &played->standings.bots[entrant];
	const struct moments *margins = &total->margins;
	const struct estimate margin = mean_estimate(margins, REPORT_LEVEL);
	const struct entrant *given = &played->bots.entrants[entrant];
	const char *name = played->head.bots[entrant].name;

	/* Before its first game a bot has the name that the user has given. */
	if (name[0] == '\0')
		name = given->name;
	json_object_begin(json, NULL);
	json_string(json, "name", name[0] != '\0' ? name : given->command);
	json_string(json, "command", given->command);
	json_int(json, "wins", total->results.wins);
	json_int(json, "draws", total->results.draws);
	json_int(json, "losses", total->results.losses);
	json_int(json, "points", total->points);
	json_real(json, "points_per_deal", points_per_deal(played, entrant), 6);
	json_int(json, "blocks", margins->count);
	json_estimate(json, "margin", &margin, JSON_POINTS);
	json_real(json, "los", mean_los(margins), JSON_SHARE);
	json_object_begin(json, "items");
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (item_of(played, item) != NULL)
			json_int(json, item_of(played, item),
			    total->item_points[item]);
	json_object_end(json);
	json_offences(json, "offences", total->offences);
	json_int(json, "out_of_turn", played->unasked_count[entrant]);
	json_int(json, "stray_lines", played->stray_count[entrant]);
	json_int(json, "cut_short", total->cut_short);
	json_int(json, "ponder_games", total->ponder_games);
	json_real(json, "ponder_ms", (double)total->ponder_ns / 1e6, 3);
	/* Without any decision there is no mean, but NAN. */
	json_real(json, "think_ms_mean", fmax(report_think_ms(total), 0), 3);
	json_real(
	    json, "think_ms_max", (double)total->think_longest_us / 1e3, 3);
	json_object_end(json);
}

/* Prints the JSON document. */
static void
print_json(const struct played_match *played, enum dispatcher_end end)
{
	static const char *const ends[] = {
		[DISPATCHER_DONE] = "done",
		[DISPATCHER_STOPPED] = "stopped",
		[DISPATCHER_INTERRUPTED] = "interrupted",
		[DISPATCHER_FAILED] = "failed",
		[DISPATCHER_LOST] = "failed",
	};
	const struct match_rules *rules = &played->config.rules;
	const struct standings *standings = &played->standings;
	char hex[SHUFFLE_HEX_SIZE];
	struct scopa_text spec = SCOPA_TEXT(EVENT_SPEC_SIZE);
	struct scopa_text control = SCOPA_TEXT(EVENT_NAME_SIZE);
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "format", "scopa-arena-match");
	json_int(&json, "version", FORMAT_VERSION);
	scopa_rules_spec(&rules->rules, rules->preset, &spec);
	json_string(&json, "rules", spec.bytes);
	json_seating(&json, &rules->rules);
	json_int(&json, "target", rules->rules.target);
	if (rules->deals)
		json_int(&json, "deals", rules->deals);
	else
		json_int(&json, "max_deals", match_max_deals(rules));
	budget_control_format(&rules->settings.control, &control);
	json_string(&json, "tc", control.bytes);
	shuffle_key_format(&rules->root_key, hex);
	json_string(&json, "seed", rules->packs ? NULL : hex);
	json_string(&json, "sandbox", sandbox_name(rules->sandbox));
	json_bool(&json, "analysis", rules->settings.analysis != NULL);
	json_string(&json, "end", ends[end]);
	json_int(&json, "games_played", standings->games);
	json_int(&json, "deals_played", standings->deals);
	json_int(&json, "forfeits", standings->forfeits);
	json_int(&json, "max_deals_games", standings->max_deals_games);
	json_int(&json, "void_turns", standings->void_turns);
	json_real(&json, "lag_ms_longest",
	    (double)standings->lag_longest_ns / 1e6, 3);
	json_array_begin(&json, "bots");
	for (int i = 0; i < played->config.entrant_count; i++)
		json_total(&json, played, i);
	json_array_end(&json);
	json_array_begin(&json, "games");
	for (int i = 0; i < played->result_count; i++)
		json_game(&json, played, &played->results[i]);
	json_array_end(&json);
	json_document_end(&json);
}

/*
 * The output of match as text.
 */

enum {
	/* games with a line of their own; further games are only counted */
	GAMES_SHOWN_MAX = 20,
	REMARK_LABEL_WIDTH = 8,
	NAME_WIDTH = 14,
	ROUNDS_NEXT = 100, /* rounds of the next match that is suggested */
	ROUNDS_NEXT_FACTOR = 4
};
/* Games of the next match: whole blocks, however many seats there are. */
#define GAMES_NEXT "600"

static void
print_seed(const struct played_match *played)
{
	char hex[SHUFFLE_HEX_SIZE];

	if (played->config.rules.packs != NULL)
		return;
	shuffle_key_format(&played->config.rules.root_key, hex);
	printf("seed %s\n", hex);
}

static void
print_head(const struct played_match *played)
{
	const struct match_rules *rules = &played->config.rules;
	struct scopa_text text = SCOPA_TEXT(EVENT_SPEC_SIZE);

	scopa_rules_spec(&rules->rules, rules->preset, &text);
	text_printf(&text, ", %d seats ", rules->rules.players);
	scopa_param_format(scopa_param_find("teams"), &rules->rules, &text);
	if (rules->deals > 0)
		text_printf(&text, ", %d deal%s, time ", rules->deals,
		    text_plural(rules->deals));
	else
		text_printf(&text, ", to %d point%s, time ",
		    rules->rules.target, text_plural(rules->rules.target));
	budget_control_show(&rules->settings.control, &text);
	printf("%s\n", text.bytes);
	/*
	 * The standard output may be a file that a bot can read.  A seed that
	 * the arena has drawn must not be in it before the last deal, so only a
	 * seed that the user has given is printed here.
	 */
	if (played->settings->game.seed.given)
		print_seed(played);
	printf("sandbox %s\n", sandbox_name(rules->sandbox));
	if (rules->settings.analysis != NULL)
		printf("analysis: some bots see all cards, and nothing of this "
		       "is rated\n");
	fflush(stdout);
}

/* Prints the entrants of a team: `greedy`, `greedy+first`. */
static void
print_team(const struct played_match *played, const struct game_result *result,
    int team)
{
	const struct scopa_rules *rules = &played->config.rules.rules;
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

/*
 * Prints the teams and their points in the order of the teams: `  greedy 11
 * random 4`.
 */
static void
print_scores(
    const struct played_match *played, const struct game_result *result)
{
	int teams = scopa_team_count(&played->config.rules.rules);

	for (int team = 0; team < teams; team++) {
		printf("  ");
		print_team(played, result, team);
		printf(" %d", result->summary.scores[team]);
	}
}

/* A game that the entrant lost by an offence. */
static struct lost_game
lost_game_of(const struct played_match *played, int entrant,
    const struct match_fault *fault)
{
	return (struct lost_game){
		.fault = fault,
		.entrant = &played->bots.entrants[entrant],
		.rules = &played->config.rules,
		.number = played->standings.bots[entrant].first_forfeit.game,
	};
}

static void
print_game(const struct played_match *played, const struct game_result *result)
{
	printf("game %-3jd", result->summary.game + 1);
	print_scores(played, result);
	if (strcmp(result->summary.reason, "deals") == 0)
		printf("  after %d deal%s", result->summary.deal_count,
		    text_plural(result->summary.deal_count));
	else
		printf("  %d deal%s, %s", result->summary.deal_count,
		    text_plural(result->summary.deal_count),
		    result->summary.reason);
	if (result->fault_entrant >= 0) {
		const struct lost_game lost =
		    lost_game_of(played, result->fault_entrant, &result->fault);

		printf(" by %s: %s", result->summary.names[result->fault.seat],
		    lost_game_reason(&lost));
	}
	printf("\n");
	fflush(stdout);
}

/* The view of the games so far. */
static struct report_view
view_of(const struct played_match *played)
{
	return (struct report_view){
		.head = &played->head,
		.standings = &played->standings,
		.blocks_planned = played->plan.rounds,
	};
}

/* Shows how the match stands, on a terminal and not too often. */
static void
show_progress(struct played_match *played)
{
	int64_t now_ns = clock_now_ns();
	struct report_view view = view_of(played);
	struct progress_facts facts;

	if (played->progress.fd < 0 || played->standings.blocks == 0 ||
	    !progress_due(&played->progress, now_ns))
		return;
	/* With more than two bots the line of progress needs ratings. */
	if (played->config.entrant_count > 2 && report_compute(&view, 0) < 0)
		return;
	facts = progress_collect(&view);
	progress_show(&played->progress, &facts, now_ns);
	report_close(&view);
}

/* Counts a game, and with the last game of a block its margins. */
static void
add_game(struct played_match *played, const struct game_result *result)
{
	const struct summary *summary = &result->summary;
	int64_t block_games =
	    plan_game_count(&played->plan) / played->plan.rounds;
	int round = (int)(summary->game / block_games);
	int game = (int)(summary->game % block_games);
	struct block_result *block = &played->block;

	/* The games of a round are a block. */
	if (block->plan.bot_count == 0 || block->plan.round != round) {
		played->block_game_count = 0;
		block->plan = (struct block_plan){
			.index = round,
			.round = round,
			.dealer =
			    plan_game(&played->plan, (int)summary->game).dealer,
			.bot_count = played->config.entrant_count,
		};
		for (int bot = 0; bot < block->plan.bot_count; bot++)
			block->plan.bots[bot] = bot;
	}
	block->plan.game_count = game + 1;
	block->games[game] = *summary;
	for (int seat = 0; seat < summary->seat_count; seat++) {
		int entrant = result->entrant[seat];

		block->plan.seating[game][seat] = (uint8_t)entrant;
		played->unasked_count[entrant] += result->unasked_count[seat];
		played->stray_count[entrant] += result->stray_count[seat];
		snprintf(played->head.bots[entrant].name, EVENT_NAME_SIZE, "%s",
		    summary->names[seat]);
	}
	standings_add_game(&played->standings, block, game);
	/* Without memory the margins lack this block. */
	if (++played->block_game_count == block_games)
		(void)standings_add_margins(&played->standings, block);
}

/* Warns of names with blanks, at the first game of each bot. */
static void
warn_of_names(
    const struct played_match *played, const struct game_result *result)
{
	for (int seat = 0; seat < result->summary.seat_count; seat++)
		if (played->head.bots[result->entrant[seat]].name[0] == '\0')
			entrant_warn_name(
			    &played->bots.entrants[result->entrant[seat]],
			    result->summary.names[seat],
			    result->name_rest[seat]);
}

/* Adds the result of a game to the statistics. */
static void
add_result(struct played_match *played, const struct game_result *result)
{
	const struct game_settings *game = &played->settings->game;
	int lost_by = result->fault_entrant;

	/*
	 * A game that was broken off, or whose bot did not start, does not
	 * count.
	 */
	if (strcmp(result->summary.reason, "abort") == 0 ||
	    (lost_by >= 0 && result->fault.kind == OFFENCE_STARTUP))
		return;
	played->last_counted = *result;
	warn_of_names(played, result);
	add_game(played, result);
	/* print_faults() explains the first one of each bot. */
	if (lost_by >= 0 && played->standings.bots[lost_by].forfeits == 1)
		played->faults[lost_by] = result->fault;
	if (!game->json && !game->quiet &&
	    plan_game_count(&played->plan) <= GAMES_SHOWN_MAX) {
		progress_clear(&played->progress);
		print_game(played, result);
	}
	/* Without memory the JSON document lacks the result. */
	if (game->json &&
	    ARRAY_GROW(played->results, played->result_count,
		played->result_capacity) == 0)
		played->results[played->result_count++] = *result;
	/* A trace on stderr replaces the line of progress. */
	if (!game->quiet && !game_trace_is_shown(game))
		show_progress(played);
}

/* Prints the name of an entrant with blanks up to the width of a column. */
static void
print_name(const struct played_match *played, int entrant)
{
	const char *name = played->head.bots[entrant].name;
	int width = text_width(name);

	printf("%s%*s", name, width < NAME_WIDTH ? NAME_WIDTH - width : 0, "");
}

/*
 * Prints the sources of the points: a column for each item, a row for each
 * entrant.
 */
static void
print_items(const struct played_match *played)
{
	printf("%-16s", "points");
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (item_of(played, item) != NULL)
			printf(" %10s", item_of(played, item));
	printf(" %10s\n", "total");
	for (int i = 0; i < played->config.entrant_count; i++) {
		const struct standing *total = &played->standings.bots[i];

		printf("  ");
		print_name(played, i);
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			if (item_of(played, item) != NULL)
				printf(" %10jd", total->item_points[item]);
		printf(" %10jd\n", total->points);
	}
}

static void
print_times(const struct played_match *played)
{
	for (int i = 0; i < played->config.entrant_count; i++) {
		const struct standing *total = &played->standings.bots[i];

		printf("time    ");
		print_name(played, i);
		printf(" %.3f ms a move, longest %.3f ms",
		    fmax(report_think_ms(total), 0),
		    (double)total->think_longest_us / 1e3);
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			if (total->offences[kind] > 0)
				printf(", %jd %s", total->offences[kind],
				    offence_name((enum offence_kind)kind));
		if (played->unasked_count[i] > 0)
			printf(", %jd answer%s to no open question",
			    played->unasked_count[i],
			    text_plural(played->unasked_count[i]));
		if (played->stray_count[i] > 0)
			printf(", %jd line%s on stdout that %s no message",
			    played->stray_count[i],
			    text_plural(played->stray_count[i]),
			    played->stray_count[i] == 1 ? "is" : "are");
		printf("\n");
	}
}

/*
 * Prints the margin of an entrant in points per deal, its interval, and how
 * probable it is that the entrant is stronger.
 */
static void
print_margin(const struct played_match *played, int entrant)
{
	const struct moments *margins =
	    &played->standings.bots[entrant].margins;
	struct estimate margin = mean_estimate(margins, REPORT_LEVEL);

	printf("margin  ");
	print_name(played, entrant);
	printf(" %s points per deal against %s",
	    number_points_half(&margin).text,
	    played->config.entrant_count == 2 ? played->head.bots[1].name
					      : "the others");
	if (margins->count < 2)
		printf(" (too few blocks to tell)\n");
	else if (margin.low_beyond)
		printf(" (%s likely to be stronger; no interval, as all %jd "
		       "blocks are equal)\n",
		    number_probability(mean_los(margins)).text, margins->count);
	else
		printf(" (%s likely to be stronger; %g%% interval of %jd "
		       "blocks)\n",
		    number_probability(mean_los(margins)).text,
		    100 * REPORT_LEVEL, margins->count);
}

/* Prints the margins, and of two bots the share of games that were won. */
static void
print_strength(const struct played_match *played)
{
	const struct report_view view = view_of(played);
	bool two = played->config.entrant_count == 2;
	struct report_pair pair;

	if (played->standings.blocks == 0)
		return;
	for (int i = 0; i < (two ? 1 : played->config.entrant_count); i++)
		print_margin(played, i);
	if (!two)
		return;
	pair = report_pair_of(&view, 0, 1);
	printf("score   ");
	print_name(played, 0);
	printf(" %s of %jd games, Elo %s (%s likely to be stronger)\n",
	    number_percent(pair.games.score.value).text, pair.encounter->games,
	    number_elo(
		pair.encounter->paired ? &pair.pairs.elo : &pair.games.elo)
		.text,
	    number_probability(
		pair.encounter->paired ? pair.pairs.los : pair.games.los)
		.text);
}

/* Prints the result of a single game, or the totals of several. */
static void
print_result(const struct played_match *played)
{
	const struct game_result *last = &played->last_counted;
	const struct report_view view = view_of(played);

	if (played->standings.games == 0) {
		printf("result  no game was finished\n");
		return;
	}
	if (played->standings.games > 1) {
		for (int i = 0; i < played->config.entrant_count; i++) {
			const struct trinomial *results =
			    &played->standings.bots[i].results;

			printf("result  ");
			print_name(played, i);
			printf(" %jd won, %jd drawn, %jd lost, %.3f points per "
			       "deal%s\n",
			    results->wins, results->draws, results->losses,
			    points_per_deal(played, i), report_mark(&view));
		}
		print_strength(played);
		return;
	}
	printf("result ");
	print_scores(played, last);
	if (last->summary.winner == SCOPA_TEAM_NONE) {
		printf(", drawn%s\n", report_mark(&view));
		return;
	}
	printf(", ");
	print_team(played, last, last->summary.winner);
	printf(" won%s%s\n",
	    strcmp(last->summary.reason, "forfeit") == 0 ? " by forfeit" : "",
	    report_mark(&view));
}

static void
print_next(const struct played_match *played)
{
	const struct match_settings *settings = played->settings;
	int64_t count = (int64_t)played->plan.rounds * ROUNDS_NEXT_FACTOR;
	struct plan round = played->plan; /* of the next match */
	char number[16], games[16];
	struct command_line_option options[] = { { "games", games },
		{ "rounds", number }, { "duplicate", NULL },
		{ "record", "games.scopa" } };
	int from = settings->games > 0 ? 0 : 1;

	if (settings->record.path) {
		next_print("record show", settings->record.path, "");
		return;
	}
	if (count < ROUNDS_NEXT)
		count = ROUNDS_NEXT;
	if (count > ROUNDS_MAX)
		count = ROUNDS_MAX;
	snprintf(number, sizeof(number), "%jd", count);
	round.rounds = 1;
	round.duplicate = true;
	snprintf(games, sizeof(games), "%jd", plan_game_count(&round));
	/* Without --rounds, --games sets the number of games. */
	if (settings->games > 0 && settings->rounds == 0)
		options[from = 1] =
		    (struct command_line_option){ "games", GAMES_NEXT };
	/* A file may have no packs for more games. */
	if (played->config.rules.packs != NULL)
		from = 3;
	printf("next    ");
	command_line_print(options + from, COUNTOF(options) - from);
	printf("\n");
}

/*
 * Prints how many games each bot has lost by offences, and explains its first
 * one.
 */
static void
print_faults(const struct played_match *played)
{
	for (int i = 0; i < played->config.entrant_count; i++) {
		const struct lost_game lost =
		    lost_game_of(played, i, &played->faults[i]);

		if (played->standings.bots[i].forfeits == 0)
			continue;
		printf("faults  ");
		print_name(played, i);
		printf(
		    " lost %jd of %jd game%s by an offence; in game %jd: %s\n",
		    played->standings.bots[i].forfeits, played->standings.games,
		    text_plural(played->standings.games), lost.number,
		    lost_game_reason(&lost));
		lost_game_explain(&lost, stdout);
	}
}

/* Prints the result and the next command to try. */
static void
print_end(const struct played_match *played, enum dispatcher_end end)
{
	const struct standings *standings = &played->standings;
	const struct report_view view = view_of(played);
	int most = match_max_deals(&played->config.rules);

	if (played->settings->game.json) {
		print_json(played, end);
		return;
	}
	print_result(played);
	print_faults(played);
	if (played->settings->game.quiet)
		return;
	if (standings->games > 0) {
		print_items(played);
		print_times(played);
		report_text_remarks(&view, REMARK_LABEL_WIDTH, stdout);
	}
	/*
	 * Some games had no winner within the most deals that a game may have.
	 */
	if (standings->max_deals_games > 0)
		printf("DRAWN   %jd game%s, as nobody had won after %d deal%s; "
		       "see --max-deals\n",
		    standings->max_deals_games,
		    text_plural(standings->max_deals_games), most,
		    text_plural(most));
	if (!played->settings->game.seed.given)
		print_seed(played);
	if (end == DISPATCHER_DONE)
		print_next(played);
}

/*
 * The command match.
 */

/*
 * Reads the rules.  The number of bots must be the number of seats or of teams
 * of a game.
 */
static enum status
read_rules(struct played_match *played)
{
	const struct game_settings *game = &played->settings->game;
	struct match_rules *rules = &played->config.rules;
	int count = game->bot_count;
	bool wrong = count < 2 || count == 5 || count > SCOPA_SEATS_MAX;
	/* If the rules are wrong, too, their error comes first. */
	enum status status = game_setup_rules(game, wrong ? 0 : count, rules);
	int seats = rules->rules.players, teams;

	if (status != STATUS_DONE)
		return status;
	if (wrong)
		return error_status(STATUS_USAGE,
		    "name one bot for each seat, or one for each team",
		    VERSION_NAME " match @greedy @random",
		    "%d bot%s, but a game has 2, 3, 4 or 6 seats", count,
		    text_plural(count));
	teams = scopa_team_count(&rules->rules);
	if (count == seats || count == teams)
		return STATUS_DONE;
	error_print("%d bots for a game of %d seats", count, seats);
	error_option_lines(game_rule_names);
	if (teams < seats)
		error_detail("hint",
		    "name %d bots, one for each seat, or %d, one for each team",
		    seats, teams);
	else
		error_detail("hint", "name %d bots, one for each seat", seats);
	error_detail("try", VERSION_NAME " match --help");
	return STATUS_USAGE;
}

static void
on_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *block, size_t size)
{
	struct played_match *played = context;

	/*
	 * A bot that may not play in such a game was refused: there is no game
	 * to record.
	 */
	if (played->record.path != NULL &&
	    !entrant_is_misused(&result->fault) && played->record_error == 0)
		played->record_error =
		    record_file_append(played->record.fd, block, size);
	/* A game counts only if its record is in the file. */
	if (played->record_error) {
		dispatcher_end(dispatcher, DISPATCHER_FAILED,
		    played->record_error, STOP_ABORT);
		return;
	}
	add_result(played, result);
	if (result->fault_entrant < 0 ||
	    (result->fault.kind != OFFENCE_STARTUP &&
		played->config.rules.settings.policy != POLICY_DISQUALIFY))
		return;
	if (!played->is_stopped)
		played->stopping = *result;
	played->is_stopped = true;
	dispatcher_end(dispatcher, DISPATCHER_STOPPED, 0, STOP_FINISH);
}

static const struct dispatcher_calls calls = {
	.on_result = on_result,
};

static enum status
record_error(const struct played_match *played)
{
	const char *room = machine_room_hint(played->record_error);
	char hint[128];

	snprintf(hint, sizeof(hint),
	    "%s%sthe result counts the games that the file has",
	    room != NULL ? room : "", room != NULL ? "; " : "");
	return record_output_error(&played->record, played->record_error, hint);
}

static enum status
play(struct played_match *played)
{
	const struct game_settings *game = &played->settings->game;
	const char *record = played->settings->record.path;
	const struct game_result *stopping = &played->stopping;
	struct dispatcher_config *config = &played->config;
	struct dispatcher_outcome outcome;
	enum status status = record_output_open(&played->record, record);
	bool unstarted;

	if (status != STATUS_DONE)
		return status;
	if (config->concurrency > plan_game_count(&played->plan))
		config->concurrency = (int)plan_game_count(&played->plan);
	config->rules.unrecorded = record == NULL;
	played->head.bot_count = config->entrant_count;
	progress_begin(&played->progress,
	    !game->quiet && isatty(STDERR_FILENO) ? STDERR_FILENO : -1, 0,
	    clock_now_ns(), 0, 0);
	if (!game->json && !game->quiet)
		print_head(played);
	outcome = dispatcher_run(config, &calls, played);
	progress_clear(&played->progress);
	/* If a bot did not start and no game ended, the error is enough. */
	unstarted = outcome.end == DISPATCHER_STOPPED &&
	    stopping->fault.kind == OFFENCE_STARTUP;
	if (!unstarted || game->json || played->standings.games > 0)
		print_end(played, outcome.end);
	/* This removes a new file without any game. */
	record_output_close(&played->record);
	if (played->record_error)
		return record_error(played);
	return unstarted
	    ? entrant_error(&played->bots.entrants[stopping->fault_entrant],
		  stopping->summary.names[stopping->fault.seat],
		  &stopping->fault, &config->rules)
	    : game_end_status(&outcome);
}

/* Plans the games: as many as --rounds or --games say. */
static enum status
read_plan(struct played_match *played)
{
	const struct match_settings *settings = played->settings;
	int64_t rounds;
	enum status status;

	played->config.plan = &played->plan;
	played->plan = (struct plan){
		.rules = &played->config.rules.rules,
		.entrant_count = played->config.entrant_count,
		.rounds = 1,
		.duplicate = settings->duplicate,
	};
	status = game_setup_rounds(settings->rounds, settings->games,
	    (int)plan_game_count(&played->plan), &rounds);
	if (status == STATUS_DONE && rounds > 0)
		played->plan.rounds = (int)rounds;
	return status;
}

/* Opens the pack file and finds out which of its packs repeat. */
static enum status
read_packs(struct played_match *played)
{
	struct match_rules *rules = &played->config.rules;
	struct pack_file *packs = &played->packs;
	enum status status =
	    game_setup_packs(&played->settings->game, packs, rules);
	int repeated;

	if (status != STATUS_DONE || packs->count == 0)
		return status;
	played->pack_sets =
	    command_memory((size_t)packs->count * sizeof(*played->pack_sets));
	return pack_file_sets(packs, rules->deals > 0 ? rules->deals : 1,
		   played->pack_sets, &repeated) < 0
	    ? game_setup_error(-ENOMEM)
	    : STATUS_DONE;
}

/* Each step needs the values that the steps before it have read. */
static enum status
played_match_open(struct played_match *played)
{
	const struct game_settings *game = &played->settings->game;
	struct dispatcher_config *config = &played->config;
	struct match_rules *rules = &config->rules;
	enum status status = read_rules(played);

	if (status == STATUS_DONE)
		status = game_setup_bots(
		    game, NULL, ENTRANT_TO_PLAY, &played->bots, config);
	if (status == STATUS_DONE)
		status = read_plan(played);
	if (status == STATUS_DONE)
		status = game_setup_cores(game, config);
	if (status == STATUS_DONE)
		status = game_setup_secret(game, rules);
	if (status == STATUS_DONE)
		status = read_packs(played);
	if (status == STATUS_DONE)
		status = game_setup_sandbox(game, played->settings->record.path,
		    &played->sandbox, config);
	if (status != STATUS_DONE)
		return status;
	if (standings_open(
		&played->standings, &rules->rules, config->entrant_count) < 0)
		return game_setup_error(-ENOMEM);
	played->standings.suite = (struct standings_suite){ played->pack_sets,
		played->packs.count, rules->deals };
	entrants_warn(
	    played->bots.entrants, config->entrant_count, rules->sandbox);
	return game_setup_trace(game, NULL, &played->sandbox, rules);
}

static enum status
match_run(const void *given, char **argv)
{
	struct played_match *played = command_memory(sizeof(*played));
	enum status status;

	(void)argv;
	played->settings = given;
	status = played_match_open(played);
	if (status == STATUS_DONE)
		status = play(played);
	game_trace_end(&played->settings->game, &played->config.rules);
	if (played->config.rules.sandbox != NULL)
		sandbox_close(&played->sandbox);
	pack_file_close(&played->packs);
	standings_close(&played->standings);
	free(played->results);
	game_bots_release(&played->bots);
	return status;
}

const struct command command_match = {
	.name = "match",
	.sentence = "Lets bots play each other and prints the result.",
	.detail = "Bots are child processes that speak USP/1 over pipes. The "
		  "seed is printed and gives the same cards again.",
	.usage = "BOT BOT [BOT...]",
	.arguments = { BOT_ARGUMENT(
	    ": one for each seat, or one for each team.") },
	.argument_max = 0, /* bots are read by the option --bot */
	.examples = { "match @greedy @random",
	    "match ./mybot.py @greedy --rounds 100 --duplicate --concurrency 4",
	    "match @greedy @random --rules scopone --deals 1 --seed 2a "
	    "--record games.scopa",
	    "match --bot ./mybot.py option.Depth=3 --bot @greedy --each "
	    "tc=move:0.5",
	    "match ./mybot.py @greedy --deals 1 --trace" },
	.options = match_options,
	.settings_size = sizeof(struct match_settings),
	.run = match_run,
};
