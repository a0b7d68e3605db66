/*
 * What `solve` has found out about a position, for people and for programs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "error_message.h"
#include "event.h"
#include "game_options.h"
#include "knowledge.h"
#include "record_walk.h"
#include "report_json.h"
#include "scopa/notation.h"
#include "solve.h"
#include "version.h"
#include "world.h"

/* A position as it was asked about. */
struct solve_question {
	struct scopa_rules rules;
	struct scopa_deal deal;
	char spec[EVENT_SPEC_SIZE]; /* of the rules */
	char match[EVENT_ID_SIZE];  /* empty: no record was named */
	char name[EVENT_NAME_SIZE]; /* of the seat to move; may be empty */
	int number, play;           /* of the deal and the card, from 1 */
	struct scopa_move played;   /* as the record has it */
};

struct solve_answer {
	struct solve_result result;
	struct solve_move moves[SCOPA_MOVES_MAX];
	int move_count;
	struct scopa_move line[SCOPA_HISTORY_MAX];
	int line_count;
	struct scopa_score score; /* of the deal at the end of the line */
	int64_t time_ns;
};

enum {
	VALUE_SIZE = 32,
	/*
	 * A value beyond this is that of an instant win or loss of the match.
	 */
	WIN_LEAST = SOLVE_WIN / 2
};

/* 1: it wins the match instantly; -1: another does; 0: nobody. */
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

/* `+2`, `win +2` */
static const char *
value_text(int value, char bytes[VALUE_SIZE])
{
	int win = value_win(value);

	snprintf(bytes, VALUE_SIZE, "%s%+d",
	    win > 0       ? "win "
		: win < 0 ? "loss "
			  : "",
	    value_points(value));
	return bytes;
}

static char
turn_letter(const struct solve_question *question)
{
	return (
	    char)('A' + scopa_team_of(&question->rules, question->deal.turn));
}

/* Whether this is the move that stands in the record. */
static bool
is_played(const struct solve_question *question, const struct scopa_move *move)
{
	return question->match[0] != '\0' &&
	    scopa_move_equal(&question->played, move);
}

static void
print_question(
    const struct solve_question *question, const struct solve_answer *answer)
{
	const struct solve_result *result = &answer->result;
	char name[4 * EVENT_NAME_SIZE], match[4 * EVENT_ID_SIZE];

	safe_text(question->name, name, sizeof(name));
	safe_text(question->match, match, sizeof(match));
	fputs("position  ", stdout);
	if (match[0])
		printf("match %s, deal %d, play %d; ", match, question->number,
		    question->play);
	printf("seat %d%s%s of team %c is to move, %d %s left\n",
	    question->deal.turn + 1, name[0] ? " " : "", name,
	    turn_letter(question), result->plies,
	    result->plies == 1 ? "card is" : "cards are");
}

static void
print_value(
    const struct solve_question *question, const struct solve_answer *answer)
{
	const struct scopa_rules *rules = &question->rules;
	char value[VALUE_SIZE];

	printf("value     %s for %c%s%s: ",
	    value_text(answer->result.value, value), turn_letter(question),
	    scopa_team_count(rules) > 2 ? ", all others against it" : "",
	    rules->aim == SCOPA_AIM_LEAST ? ", few points being good" : "");
	for (int team = 0; team < scopa_team_count(rules); team++)
		printf("%s%c %d", team > 0 ? ", " : "", 'A' + team,
		    answer->score.total[team]);
	if (answer->score.winner != SCOPA_TEAM_NONE)
		printf("; %c wins the match", 'A' + answer->score.winner);
	putchar('\n');
}

/* Prints it as text, or as one JSON object, to standard output. */
static void
solve_answer_print(
    const struct solve_question *question, const struct solve_answer *answer)
{
	char move[POSITION_MOVE_SIZE], value[VALUE_SIZE];

	print_question(question, answer);
	print_value(question, answer);
	fputs("line     ", stdout);
	for (int i = 0; i < answer->line_count; i++)
		printf(" %s", position_move_text(&answer->line[i], move));
	putchar('\n');
	for (int i = 0; i < answer->move_count; i++) {
		const struct solve_move *row = &answer->moves[i];

		printf("%-8s  %8s  %s%s\n", i == 0 ? "moves" : "",
		    value_text(row->value, value),
		    position_move_text(&row->move, move),
		    is_played(question, &row->move) ? "  played" : "");
	}
	printf("work      %" PRId64 " positions in %.3f s\n",
	    answer->result.nodes,
	    (double)answer->time_ns / (double)CLOCK_NS_PER_S);
}

/* Value and win, as members of the open object. */
static void
put_value(struct json *json, int value)
{
	json_int(json, "value", value_points(value));
	json_int(json, "win", value_win(value));
}

static void
put_question(struct json *json, const struct solve_question *question)
{
	bool recorded = question->match[0] != '\0';
	char move[POSITION_MOVE_SIZE];

	json_string(json, "match", recorded ? question->match : NULL);
	json_string(json, "rules", question->spec);
	if (recorded) {
		json_int(json, "deal", question->number);
		json_int(json, "play", question->play);
		json_string(json, "played",
		    position_move_text(&question->played, move));
	}
	json_int(json, "seat", question->deal.turn + 1);
	json_team(
	    json, "team", scopa_team_of(&question->rules, question->deal.turn));
}

static void
solve_answer_json(
    const struct solve_question *question, const struct solve_answer *answer)
{
	int team_count = scopa_team_count(&question->rules);
	int32_t points[SCOPA_TEAMS_MAX];
	char move[POSITION_MOVE_SIZE];
	struct json json;

	json_document_begin(&json, stdout);
	put_question(&json, question);
	json_int(&json, "plies", answer->result.plies);
	put_value(&json, answer->result.value);
	for (int team = 0; team < team_count; team++)
		points[team] = answer->score.total[team];
	json_team_points(&json, "points", points, team_count);
	json_team(&json, "winner", answer->score.winner);
	json_array_begin(&json, "line");
	for (int i = 0; i < answer->line_count; i++)
		json_string(
		    &json, NULL, position_move_text(&answer->line[i], move));
	json_array_end(&json);
	json_array_begin(&json, "moves");
	for (int i = 0; i < answer->move_count; i++) {
		json_object_begin(&json, NULL);
		json_string(&json, "move",
		    position_move_text(&answer->moves[i].move, move));
		put_value(&json, answer->moves[i].value);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_int(&json, "nodes", answer->result.nodes);
	json_real(&json, "seconds",
	    (double)answer->time_ns / (double)CLOCK_NS_PER_S, 6);
	json_document_end(&json);
}

/*
 * solve: exact play of a position whose cards are all known.
 */

enum {
	REASON_SIZE = 256,
	/* Where hands are large: some seconds at most. */
	PLIES_MAX_DEFAULT = 24,
	SMALL_HAND = 3
};

#define MEMORY_MAX_BYTES (INT64_C(1) << 36)

struct solve_settings {
	const char *match;
	int64_t deal;
	int64_t play; /* 0: the first with few enough cards to go */
	const char *state, *cards;
	int64_t plies_max; /* 0: what is quick */
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
	scopa_text_string(why, "not a size of 1M to 64G");
	return false;
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
	    "A position that stands in no record: the line `state` of the "
	    "protocol, of the seat that is to move."),
	TEXT_OPTION("cards", "LINE", FIELD(cards),
	    "With --state: the line `cards` of the protocol, with all hands "
	    "and what is still to be dealt."),
	INT_OPTION("plies-max", "N", FIELD(plies_max), 1, SCOPA_PACK_SIZE,
	    "Refuse positions with more cards to go. Without it 24 where all "
	    "cards are dealt at once, of which two more take four times as "
	    "long and longer; any number in games with a stock.",
	    .unit = "cards"),
	PARSED_OPTION("memory", "SIZE", FIELD(memory_bytes), memory_parse,
	    "Memory for positions that were seen: 1M to 64G.",
	    .fallback = "64M"),
	FLAG_OPTION("json", FIELD(json), "Print one JSON object."),
	OPTIONS_END,
};

/* Cards to go of a position that is solved without being asked twice. */
static int
plies_limit(
    const struct solve_settings *settings, const struct scopa_rules *rules)
{
	if (settings->plies_max > 0)
		return (int)settings->plies_max;
	return rules->hand > SMALL_HAND ? PLIES_MAX_DEFAULT : SCOPA_PACK_SIZE;
}

/* What the walk over the records is looking for. */
struct position_search {
	const struct solve_settings *settings;
	struct solve_question *question;
	bool found;
};

static void
question_take(struct position_search *search, const struct record_visit *visit,
    const struct position *position)
{
	const struct record_head *head = replay_head(visit->replay);
	struct solve_question *question = search->question;

	*question = (struct solve_question){
		.rules = head->rules,
		.deal = position->deal,
		.number = position->number,
		.play = position->play,
		.played = position->move,
	};
	memcpy(question->spec, head->game.match.rules, sizeof(question->spec));
	memcpy(question->match, visit->match, sizeof(question->match));
	memcpy(question->name, head->game.seats[position->deal.turn].name,
	    sizeof(question->name));
	search->found = true;
}

static int
search_block(void *context, const struct record_visit *visit)
{
	struct position_search *search = context;
	const struct solve_settings *settings = search->settings;
	struct positions positions = {
		.deal = settings->deal,
		.play = settings->play,
	};
	int error, limit;

	if (search->found)
		return 0;
	error = positions_gather(&positions, visit);
	limit = plies_limit(settings, &replay_head(visit->replay)->rules);
	for (int i = 0; !error && !search->found && i < positions.count; i++) {
		const struct position *position = &positions.items[i];

		if (settings->play > 0 || solve_plies(&position->deal) <= limit)
			question_take(search, visit, position);
	}
	free(positions.items);
	return error;
}

static enum status
say_not_found(const struct solve_settings *settings)
{
	if (settings->play > 0)
		error_print("there is no play %" PRId64 " of a deal %" PRId64,
		    settings->play, settings->deal);
	else
		error_print("there is no deal %" PRId64 " with a position "
			    "that is short enough",
		    settings->deal);
	error_detail("try", VERSION_NAME " record show FILE");
	return STATUS_FAILED;
}

static enum status
question_find(const struct solve_settings *settings, int argc, char **argv,
    struct solve_question *question)
{
	struct position_search search = { .settings = settings,
		.question = question };
	enum status status = record_walk_good(
	    search_block, &search, settings->match, argc, argv);

	if (search.found)
		return STATUS_DONE;
	return status == STATUS_DONE ? say_not_found(settings) : status;
}

/* The line without its verb, which need not be there. */
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
	    "protocol.md tells of both lines; an analysis shows them to bots",
	    "--%s: %s", option, reason);
}

/* The rules as the line has them. */
static void
spec_copy(const char *state, char spec[EVENT_SPEC_SIZE])
{
	struct token line = { .bytes = state, .length = strlen(state) };

	if (!token_copy(token_find(line, "rules"), spec, EVENT_SPEC_SIZE))
		spec[0] = '\0';
}

static enum status
question_parse(
    const struct solve_settings *settings, struct solve_question *question)
{
	char reason[REASON_SIZE];
	struct scopa_text why;
	struct scopa_view view;
	struct token cards;

	*question = (struct solve_question){ .number = 0 };
	scopa_text_init(&why, reason, sizeof(reason));
	if (!scopa_state_parse(settings->state, &question->rules, &view, &why))
		return say_bad_position("state", reason);
	cards = token_behind(settings->cards, "cards");
	if (view.turn != view.seat ||
	    !imagine_deal(&question->rules, &view, &question->deal))
		return say_bad_position(
		    "state", "not the position of the seat that is to move");
	if (!unveil_deal(cards, &question->rules, &view, &question->deal))
		return say_bad_position(
		    "cards", "the cards are not those that the state leaves");
	spec_copy(settings->state, question->spec);
	return STATUS_DONE;
}

static enum status
say_unsolved(const struct solve_limits *limits, int plies, int error)
{
	if (error == -E2BIG) {
		error_print("%d cards are still to be played: more than "
			    "--plies-max %d",
		    plies, limits->plies_max);
		error_detail(
		    "hint", "say --plies-max %d to wait for it", plies);
		return STATUS_USAGE;
	}
	error_print("the position cannot be solved: %s",
	    error == -ENOBUFS ? "it has too many moves" : strerror(-error));
	return STATUS_ENVIRONMENT;
}

/* 0, or an error of solve.h. */
static int
answer_find(const struct solve_question *question,
    const struct solve_limits *limits, struct solve_answer *answer)
{
	const struct scopa_rules *rules = &question->rules;
	int64_t began_ns = clock_now_ns();
	struct scopa_deal end;

	answer->move_count = solve_moves(rules, &question->deal, limits,
	    answer->moves, SCOPA_MOVES_MAX, &answer->result);
	if (answer->move_count < 0)
		return answer->move_count;
	answer->line_count =
	    solve_line(rules, &question->deal, limits, answer->line, &end);
	if (answer->line_count < 0)
		return answer->line_count;
	scopa_score_count(rules, &end, &answer->score);
	answer->time_ns = clock_now_ns() - began_ns;
	return 0;
}

static enum status
question_answer(const struct solve_settings *settings,
    const struct solve_question *question)
{
	struct solve_limits limits = {
		.plies_max = plies_limit(settings, &question->rules),
		.memory = calloc(1, (size_t)settings->memory_bytes),
		.memory_size = (size_t)settings->memory_bytes,
	};
	struct solve_answer *answer = malloc(sizeof(*answer));
	enum status status = STATUS_DONE;
	int error = -ENOMEM;

	if (limits.memory && answer)
		error = answer_find(question, &limits, answer);
	if (error)
		status =
		    say_unsolved(&limits, solve_plies(&question->deal), error);
	else if (settings->json)
		solve_answer_json(question, answer);
	else
		solve_answer_print(question, answer);
	free(answer);
	free(limits.memory);
	return status;
}

static enum status
solve_run(const void *given, int argc, char **argv)
{
	const struct solve_settings *settings = given;
	struct solve_question question;
	enum status status;

	if (!settings->state != !settings->cards)
		return say_bad_position(settings->state ? "state" : "cards",
		    "--state and --cards go together");
	if (settings->state && argc > 0)
		return say_bad_position(
		    "state", "a record is named, too: one of the two");
	status = settings->state
	    ? question_parse(settings, &question)
	    : question_find(settings, argc, argv, &question);
	return status == STATUS_DONE ? question_answer(settings, &question)
				     : status;
}

const struct command command_solve = {
	.name = "solve",
	.sentence = "Finds the best play of a position whose cards are all "
		    "known.",
	.detail =
	    "The value is what the party to move is sure of: its points of the "
	    "deal less those of the other, under best play of both. With more "
	    "than two parties the others are taken to play together against "
	    "it, "
	    "and it is compared with the best of them. A match won at a blow "
	    "counts for more than any points. Each move has the value that it "
	    "leads to.",
	.usage = "[FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "solve games.scopa --deal 2 --play 25",
	    "solve games.scopa --match m3 --plies-max 16 --json" },
	.options = options,
	.settings_size = sizeof(struct solve_settings),
	.run = solve_run,
};
