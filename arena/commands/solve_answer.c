#include "solve_answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "escape.h"
#include "json.h"
#include "record_walk.h"

enum {
	VALUE_SIZE = 32,
	/* A value beyond this is that of a match won or lost at a blow. */
	WIN_LEAST = SOLVE_WIN / 2
};

/* 1: it wins the match at a blow; -1: another does; 0: nobody. */
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
	    char)('A' + scopa_party_of(&question->rules, question->deal.turn));
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

	escape_bytes(
	    question->name, strlen(question->name), false, name, sizeof(name));
	escape_bytes(question->match, strlen(question->match), false, match,
	    sizeof(match));
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
	    scopa_party_count(rules) > 2 ? ", all others against it" : "",
	    rules->aim == SCOPA_AIM_LEAST ? ", few points being good" : "");
	for (int party = 0; party < scopa_party_count(rules); party++)
		printf("%s%c %d", party > 0 ? ", " : "", 'A' + party,
		    answer->score.total[party]);
	if (answer->score.winner != SCOPA_PARTY_NONE)
		printf("; %c wins the match", 'A' + answer->score.winner);
	putchar('\n');
}

void
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
put_party(struct json *json, const char *key, int party)
{
	char letter[2] = { (char)('A' + party), '\0' };

	json_string(json, key, party == SCOPA_PARTY_NONE ? NULL : letter);
}

static void
put_points(struct json *json, const struct solve_question *question,
    const struct scopa_score *score)
{
	json_object_begin(json, "points");
	for (int party = 0; party < scopa_party_count(&question->rules);
	     party++) {
		char letter[2] = { (char)('A' + party), '\0' };

		json_int(json, letter, score->total[party]);
	}
	json_object_end(json);
	put_party(json, "winner", score->winner);
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
	put_party(json, "team",
	    scopa_party_of(&question->rules, question->deal.turn));
}

void
solve_answer_json(
    const struct solve_question *question, const struct solve_answer *answer)
{
	char move[POSITION_MOVE_SIZE];
	struct json json;

	json_init(&json, stdout);
	json_object_begin(&json, NULL);
	put_question(&json, question);
	json_int(&json, "plies", answer->result.plies);
	put_value(&json, answer->result.value);
	put_points(&json, question, &answer->score);
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
	json_object_end(&json);
	json_finish(&json);
}
