/*
 * The command solve: computes the exact value of a position in which all cards
 * are known, and the best play for all seats (solve.h).  The position comes
 * from a record, or from a `state` line with the hidden cards.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "dialog.h"
#include "event.h"
#include "game_options.h"
#include "record_walk.h"
#include "report_json.h"
#include "scopa/notation.h"
#include "solve.h"
#include "version.h"
#include "world.h"

enum {
	REASON_SIZE = 256,
	/* For rules with large hands: this takes some seconds at most. */
	PLIES_MAX_DEFAULT = 24,
	SMALL_HAND = 3,
	/*
	 * A value above WIN_LEAST, or below -WIN_LEAST, is an instant win or
	 * loss of the match.
	 */
	WIN_LEAST = SOLVE_WIN / 2
};

#define MEMORY_MAX_BYTES (INT64_C(1) << 36)

struct solve_settings {
	const char *match;
	int64_t deal;
	int64_t play; /* 0: the first play with few enough cards left */
	const char *state, *cards;
	int64_t plies_max; /* 0: as many as are solved quickly */
	int64_t memory_bytes;
	bool json;
};

static bool
memory_parse(const char *value, void *field, struct scopa_text *why)
{
	int64_t *bytes = field, parsed;

	if (byte_size_parse(value, &parsed) && parsed >= SOLVE_MEMORY_MIN &&
	    parsed <= MEMORY_MAX_BYTES) {
		*bytes = parsed;
		return true;
	}
	return option_refuse(why, "not a size of 1M to 64G");
}

#define FIELD(name) offsetof(struct solve_settings, name)

static const struct option options[] = {
	RECORD_MATCH_OPTION(struct solve_settings),
	INT_OPTION("deal", "N", FIELD(deal), 1, 1000000,
	    "The deal of this number.", .fallback = "1", .unit = "deals"),
	INT_OPTION("play", "N", FIELD(play), 1, SCOPA_PACK_SIZE,
	    "The position before this play of the deal, numbered as by `record "
	    "show`. Without it, the first that is short enough for "
	    "--plies-max.",
	    .unit = "plays"),
	TEXT_OPTION("state", "LINE", FIELD(state),
	    "Instead of a record, a position: the line `state` of the "
	    "protocol, of the seat that is to move."),
	TEXT_OPTION("cards", "LINE", FIELD(cards),
	    "With --state: the line `cards` of the protocol, with all hands "
	    "and what is still to be dealt."),
	INT_OPTION("plies-max", "N", FIELD(plies_max), 1, SCOPA_PACK_SIZE,
	    "Refuse positions with more than N cards to go. Without it: 24 if "
	    "all cards are dealt at once, because two more cards take at least "
	    "four times as long; no limit in games with a stock.",
	    .unit = "cards"),
	PARSED_OPTION("memory", "SIZE", FIELD(memory_bytes), memory_parse,
	    "Memory for positions that have been solved: 1M to 64G.",
	    .fallback = "64M"),
	FLAG_OPTION("json", FIELD(json), "Print one JSON object."),
	OPTIONS_END,
};

/*
 * The most cards left to play with which a position is solved, as set by the
 * user or by default.
 */
static int
plies_limit(
    const struct solve_settings *settings, const struct scopa_rules *rules)
{
	if (settings->plies_max > 0)
		return (int)settings->plies_max;
	return rules->hand > SMALL_HAND ? PLIES_MAX_DEFAULT : SCOPA_PACK_SIZE;
}

/* A position and its solution. */
struct solving {
	const struct solve_settings *settings;

	/* The position that is solved. */
	/* of its game; without a record only the rules, and their text */
	struct record_head head;
	struct position position;
	/* id of the match; empty: the position is not from a record */
	char match[EVENT_ID_SIZE];
	bool found; /* the deal has plays, even if none is short enough */

	/* The solution. */
	struct solve_result result;
	struct solve_move moves[SCOPA_MOVES_MAX];
	int move_count;
	struct scopa_move line[SCOPA_HISTORY_MAX];
	int line_count;
	struct scopa_score score; /* score of the deal at the end of the line */
	int64_t time_ns;
};

/*
 * Returns 1: the seat to move wins the match instantly; -1: another seat wins
 * it; 0: no instant win.
 */
static int
value_win(int value)
{
	return value > WIN_LEAST ? 1 : value < -WIN_LEAST ? -1 : 0;
}

static int
value_points(int value)
{
	return value - value_win(value) * SOLVE_WIN;
}

/* A value: `+2`, `win +2`. */
static struct number
value_text(int value)
{
	int win = value_win(value);

	return number_format("%s%+d",
	    win > 0       ? "win "
		: win < 0 ? "loss "
			  : "",
	    value_points(value));
}

static void
print_text(const struct solving *solving)
{
	const struct scopa_rules *rules = &solving->head.rules;
	const struct solve_result *result = &solving->result;
	int turn = solving->position.deal.turn;
	const char *name = solving->head.game.seats[turn].name;
	int teams = scopa_team_count(rules);
	char letter = (char)('A' + scopa_team_of(rules, turn));

	fputs("position  ", stdout);
	if (solving->match[0])
		printf("match %s, deal %d, play %d; ",
		    safe_text(solving->match), solving->position.number,
		    solving->position.play);
	printf("seat %d%s%s of team %c is to move, %d %s left\n", turn + 1,
	    name[0] ? " " : "", safe_text(name), letter, result->plies,
	    result->plies == 1 ? "card is" : "cards are");
	printf("value     %s for %c%s%s: ", value_text(result->value).text,
	    letter, teams > 2 ? ", all others against it" : "",
	    rules->aim == SCOPA_AIM_LEAST ? ", few points being good" : "");
	for (int team = 0; team < teams; team++)
		printf("%s%c %d", team > 0 ? ", " : "", 'A' + team,
		    solving->score.total[team]);
	if (solving->score.winner != SCOPA_TEAM_NONE)
		printf("; %c wins the match", 'A' + solving->score.winner);
	fputs("\nline     ", stdout);
	for (int i = 0; i < solving->line_count; i++)
		printf(" %s", move_text(&solving->line[i]));
	putchar('\n');
	for (int i = 0; i < solving->move_count; i++) {
		const struct solve_move *row = &solving->moves[i];
		bool played = solving->match[0] != '\0' &&
		    scopa_move_equal(&solving->position.move, &row->move);

		printf("%-8s  %8s  %s%s\n", i == 0 ? "moves" : "",
		    value_text(row->value).text, move_text(&row->move),
		    played ? "  played" : "");
	}
	printf("work      %jd positions in %.3f s\n", solving->result.nodes,
	    (double)solving->time_ns / (double)CLOCK_NS_PER_S);
}

/* Adds the members `value` and `win` to the open object. */
static void
put_value(struct json *json, int value)
{
	json_int(json, "value", value_points(value));
	json_int(json, "win", value_win(value));
}

static void
print_json(const struct solving *solving)
{
	const struct position *position = &solving->position;
	int team_count = scopa_team_count(&solving->head.rules);
	bool recorded = solving->match[0] != '\0';
	int32_t points[SCOPA_TEAMS_MAX];
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "match", recorded ? solving->match : NULL);
	json_string(&json, "rules", solving->head.game.match.rules);
	if (recorded) {
		json_int(&json, "deal", position->number);
		json_int(&json, "play", position->play);
		json_string(&json, "played", move_text(&position->move));
	}
	json_int(&json, "seat", position->deal.turn + 1);
	json_team(&json, "team",
	    scopa_team_of(&solving->head.rules, position->deal.turn));
	json_int(&json, "plies", solving->result.plies);
	put_value(&json, solving->result.value);
	for (int team = 0; team < team_count; team++)
		points[team] = solving->score.total[team];
	json_team_points(&json, "points", points, team_count);
	json_team(&json, "winner", solving->score.winner);
	json_array_begin(&json, "line");
	for (int i = 0; i < solving->line_count; i++)
		json_string(&json, NULL, move_text(&solving->line[i]));
	json_array_end(&json);
	json_array_begin(&json, "moves");
	for (int i = 0; i < solving->move_count; i++) {
		json_object_begin(&json, NULL);
		json_string(&json, "move", move_text(&solving->moves[i].move));
		put_value(&json, solving->moves[i].value);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_int(&json, "nodes", solving->result.nodes);
	json_real(&json, "seconds",
	    (double)solving->time_ns / (double)CLOCK_NS_PER_S, 6);
	json_document_end(&json);
}

/*
 * Takes the first wanted position of a record, unless one was found before.  0
 * or -errno.
 */
static int
search_block(void *context, const struct record_visit *visit)
{
	struct solving *solving = context;
	const struct solve_settings *settings = solving->settings;
	const struct record_head *head;
	struct positions positions = {
		.deal = settings->deal,
		.play = settings->play,
	};
	int error, limit, i = 0;

	if (solving->match[0] != '\0')
		return 0;
	error = positions_collect(&positions, visit);
	head = replay_head(visit->replay);
	limit = settings->play > 0 ? SCOPA_PACK_SIZE
				   : plies_limit(settings, &head->rules);
	solving->found |= positions.count > 0;
	while (!error && i < positions.count &&
	    solve_plies(&positions.items[i].deal) > limit)
		i++;
	if (!error && i < positions.count) {
		solving->position = positions.items[i];
		solving->head = *head;
		memcpy(solving->match, visit->match, sizeof(solving->match));
	}
	free(positions.items);
	return error;
}

static enum status
position_find(struct solving *solving, char **argv)
{
	const struct solve_settings *settings = solving->settings;
	enum status status =
	    record_walk_good(search_block, solving, settings->match, argv);

	/* Bad records beside the one with the position do no harm. */
	if (solving->match[0] != '\0' && status == STATUS_FAILED)
		return STATUS_DONE;
	if (solving->match[0] != '\0' || status != STATUS_DONE)
		return status;
	if (settings->play > 0)
		return error_status(STATUS_FAILED, NULL,
		    VERSION_NAME " record show FILE",
		    "there is no play %jd in deal %jd", settings->play,
		    settings->deal);
	if (solving->found)
		return error_status(STATUS_FAILED,
		    "allow more with --plies-max N", NULL,
		    "every position of deal %jd has too many cards to go",
		    settings->deal);
	return error_status(STATUS_FAILED, NULL,
	    VERSION_NAME " record show FILE",
	    "there is no deal %jd in which a card was played", settings->deal);
}

/* Returns the line without its verb.  The verb may be missing. */
static struct token
token_behind(const char *text, const char *verb)
{
	struct token line =
	    token_trim((struct token){ .bytes = text, .length = strlen(text) });
	struct token rest = line;

	return token_is(token_next(&rest), verb) ? rest : line;
}

static enum status
say_bad_position(const char *option, const char *reason)
{
	return error_usage(
	    "protocol.md describes both lines; an analysis shows them to bots",
	    "--%s: %s", option, reason);
}

static enum status
position_parse(struct solving *solving)
{
	const struct solve_settings *settings = solving->settings;
	struct token state = { settings->state, strlen(settings->state) };
	struct scopa_deal *deal = &solving->position.deal;
	struct scopa_text why = SCOPA_TEXT(REASON_SIZE);
	struct scopa_view view;
	struct token cards;

	if (!scopa_state_parse(
		settings->state, &solving->head.rules, &view, &why))
		return say_bad_position("state", why.bytes);
	cards = token_behind(settings->cards, "cards");
	if (view.turn != view.seat ||
	    !imagine_deal(&solving->head.rules, &view, deal))
		return say_bad_position(
		    "state", "not the position of the seat that is to move");
	if (!unveil_deal(cards, &solving->head.rules, &view, deal))
		return say_bad_position(
		    "cards", "the cards are not those that the state leaves");
	/* The rules from the state line. */
	if (!token_copy(token_find(state, "rules"),
		solving->head.game.match.rules,
		sizeof(solving->head.game.match.rules)))
		solving->head.game.match.rules[0] = '\0';
	return STATUS_DONE;
}

static enum status
say_unsolved(const struct solve_limits *limits, int plies, int error)
{
	if (error == -E2BIG) {
		error_print(
		    "%d cards are still to be played: more than --plies-max %d",
		    plies, limits->plies_max);
		error_detail(
		    "hint", "say --plies-max %d to wait for it", plies);
		return STATUS_USAGE;
	}
	return error_status(STATUS_ENVIRONMENT, NULL, NULL,
	    "the position cannot be solved: %s",
	    error == -ENOBUFS ? "it has too many moves" : strerror(-error));
}

/* Solves the position.  0, or an error of solve.h. */
static int
position_solve(struct solving *solving, const struct solve_limits *limits)
{
	const struct scopa_rules *rules = &solving->head.rules;
	const struct scopa_deal *deal = &solving->position.deal;
	int64_t began_ns = clock_now_ns();
	struct scopa_deal end;

	solving->move_count = solve_moves(rules, deal, limits, solving->moves,
	    SCOPA_MOVES_MAX, &solving->result);
	if (solving->move_count < 0)
		return solving->move_count;
	solving->line_count =
	    solve_line(rules, deal, limits, solving->line, &end);
	if (solving->line_count < 0)
		return solving->line_count;
	scopa_score_count(rules, &end, &solving->score);
	solving->time_ns = clock_now_ns() - began_ns;
	return 0;
}

static enum status
solve_run(const void *given, char **argv)
{
	const struct solve_settings *settings = given;
	static struct solving solving;
	struct solve_limits limits;
	enum status status;
	int error;

	solving.settings = settings;
	if (!settings->state != !settings->cards)
		return settings->state
		    ? say_bad_position("state", "it needs --cards, too")
		    : say_bad_position("cards", "it needs --state, too");
	if (settings->state && argv[0] != NULL)
		return say_bad_position(
		    "state", "a record is named, too: one of the two");
	status = settings->state ? position_parse(&solving)
				 : position_find(&solving, argv);
	if (status != STATUS_DONE)
		return status;
	limits = (struct solve_limits){
		.plies_max = plies_limit(settings, &solving.head.rules),
		.memory = calloc(1, (size_t)settings->memory_bytes),
		.memory_size = (size_t)settings->memory_bytes,
	};
	error = limits.memory ? position_solve(&solving, &limits) : -ENOMEM;
	if (error)
		status = say_unsolved(
		    &limits, solve_plies(&solving.position.deal), error);
	else if (settings->json)
		print_json(&solving);
	else
		print_text(&solving);
	free(limits.memory);
	return status;
}

const struct command command_solve = {
	.name = "solve",
	.sentence =
	    "Finds the best play of a position in which all cards are known.",
	.detail = "The value is the result of the team to move if all seats "
		  "play best: its points of the deal less those of the other "
		  "team. With more than two teams, the others play together "
		  "against it, and its points are compared with the best of "
		  "them. Winning the match at once counts more than any "
		  "points. The value of each move is shown.",
	.usage = "[FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "solve games.scopa --deal 2 --play 25",
	    "solve games.scopa --match m3 --plies-max 16 --json" },
	.options = options,
	.settings_size = sizeof(struct solve_settings),
	.run = solve_run,
};
