/*
 * The command ask: gives one position to a bot and prints its answer.
 *
 * The position is a `state` line of the protocol.  It has the history of the
 * deal, so the bot gets all lines of a match up to the question.
 */
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "countof.h"
#include "fault_text.h"
#include "game_options.h"
#include "report_json.h"
#include "scopa/notation.h"
#include "text_format.h"

enum { REASON_SIZE = 256, STATE_SIZE = 8192, INFO_LINES_MAX = 64 };

struct ask_settings {
	struct game_settings game;
	const char *state;
};

#define FIELD(name) offsetof(struct ask_settings, name)

static const struct option own_options[] = {
	TEXT_OPTION("state", "LINE", FIELD(state),
	    "The position: the line `state` of the protocol, of the seat that "
	    "is to move. `-` reads it from standard input."),
	FLAG_OPTION("json", FIELD(game.json), "Print one JSON object."),
	FLAG_OPTION("quiet", FIELD(game.quiet), "Print the move alone.",
	    .aliases = { "q" }),
	OPTIONS_END,
};

static const struct option options[] = {
	TABLE_OPTION("question", own_options, 0),
	SINGLE_BOT_TABLES(FIELD(game)),
	OPTIONS_END,
};

/* A position and the answer to it. */
struct asking {
	const struct ask_settings *settings;
	char state[STATE_SIZE]; /* the line, with its verb */
	struct rule_set set;
	char spec[EVENT_SPEC_SIZE];
	struct scopa_view view;
	struct scopa_deal deal; /* one that agrees with the view */
	struct single_bot single;

	int64_t asked_ns, answered_ns;
	char *infos[INFO_LINES_MAX];
	int info_count;
	char answer[SESSION_SAID_SIZE]; /* the line of the bot; empty: none */
	const char *refusal;    /* why the answer is not legal; NULL: it is */
	struct scopa_move move; /* of a legal answer */
};

static void
on_question(void *context, const struct game *game)
{
	struct asking *asking = context;

	(void)game;
	/* After a declaration the bot is asked again, which does not count. */
	if (!asking->answer[0])
		asking->asked_ns = clock_now_ns();
}

static void
on_answer(void *context, const struct game *game, const char *line)
{
	struct asking *asking = context;

	(void)game;
	if (strncmp(line, "info", 4) == 0) {
		if (asking->info_count < INFO_LINES_MAX)
			asking->infos[asking->info_count++] =
			    strcpy(command_memory(strlen(line) + 1), line);
		return;
	}
	asking->answered_ns = clock_now_ns();
	snprintf(asking->answer, sizeof(asking->answer), "%s", line);
}

/* Reads the line of --state, or of standard input, with or without its verb. */
static enum status
read_line(struct asking *asking)
{
	const char *given = asking->settings->state;
	char input[STATE_SIZE - 8];
	int length;

	if (given == NULL)
		return error_usage(
		    "give --state 'LINE': a trace has such lines, "
		    "and the explanation of a lost game",
		    "no position is given");
	if (strcmp(given, "-") == 0) {
		if (fgets(input, sizeof(input), stdin) == NULL)
			return error_usage(
			    NULL, "--state -: standard input has no line");
		given = input;
	}
	given += strspn(given, " \t");
	length = snprintf(asking->state, sizeof(asking->state), "%s%s",
	    strncmp(given, "state ", 6) == 0 ? "" : "state ", given);
	if (length >= (int)sizeof(asking->state))
		return error_usage(NULL, "--state: the line is too long");
	asking->state[strcspn(asking->state, "\r\n")] = '\0';
	return STATUS_DONE;
}

static enum status
read_position(struct asking *asking)
{
	struct scopa_text why = SCOPA_TEXT(REASON_SIZE);
	struct scopa_rules rules;
	struct words words;

	if (!scopa_state_parse(asking->state, &rules, &asking->view, &why))
		return error_usage("protocol.md describes the line `state`",
		    "--state: %s", why.bytes);
	if (asking->view.turn != asking->view.seat)
		return error_usage(
		    "the keys `you` and `turn` must name the same seat",
		    "--state: the seat of the line is not to move");
	words_split(asking->state, strlen(asking->state), &words);
	if (!word_decode(words_find(&words, "rules"), asking->spec,
		sizeof(asking->spec)) ||
	    !rule_set_read(asking->spec, &asking->set))
		return STATUS_USAGE;
	/* With the target and the teams of the line. */
	asking->set.rules = rules;
	scopa_view_deal(&rules, &asking->view, NULL, &asking->deal);
	return STATUS_DONE;
}

/* Plays the deal up to the question, and asks. */
static enum status
ask_in_match(struct asking *asking, const struct practice_script *script)
{
	struct scopa_tally tally;
	struct practice_script whole = *script;
	struct practice_result result;
	struct practice_game game = {
		.rules = asking->set.rules,
		.preset = asking->set.preset,
		.seat = asking->view.seat,
		.dealer = asking->view.dealer,
		.control = asking->single.play.rules.settings.control,
		.abort_after = 1,
		.is_abandoned = true,
		.script = &whole,
		.on_question = on_question,
		.on_answer = on_answer,
		.context = asking,
	};

	scopa_tally_init(&tally, asking->view.dealer, 0);
	tally.deal_count = asking->view.deal_number - 1;
	memcpy(tally.scores, asking->view.scores, sizeof(tally.scores));
	whole.tally = &tally;
	return single_bot_play(&asking->single, &game, &result);
}

static void
print_row(const char *label, const char *text)
{
	printf("%-9s%s\n", label, text);
}

static void
print_position(const struct asking *asking)
{
	static char bytes[OUTBOX_SEAT_SIZE];
	struct scopa_text text;
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(
	    &asking->set.rules, &asking->deal, moves, SCOPA_MOVES_MAX);

	printf("%-9s%s, deal %d, seat %d of %d to move\n", "position",
	    asking->spec, asking->view.deal_number, asking->view.seat + 1,
	    asking->set.rules.players);
	print_row("table", cards_text(asking->view.table, "no cards"));
	print_row("hand", cards_text(asking->view.hand, "no cards"));
	scopa_text_init(&text, bytes, sizeof(bytes));
	text_moves(&text, moves, count);
	print_row("legal", bytes);
}

static void
print_text(const struct asking *asking)
{
	if (asking->settings->game.quiet) {
		struct words words;

		words_split(asking->answer, strlen(asking->answer), &words);
		if (asking->refusal == NULL)
			printf("%.*s\n", (int)words.word[1].length,
			    words.word[1].bytes);
		return;
	}
	print_position(asking);
	for (int i = 0; i < asking->info_count; i++) {
		const char *rest = asking->infos[i] + strlen("info");

		print_row("info", safe_text(rest + strspn(rest, " ")));
	}
	printf("%-9s%s    after %.3f ms\n", "answer", safe_text(asking->answer),
	    (double)(asking->answered_ns - asking->asked_ns) / 1e6);
}

static void
print_json(const struct asking *asking)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	bool answered = asking->answer[0] != '\0';
	struct json json;
	int count = scopa_moves(
	    &asking->set.rules, &asking->deal, moves, SCOPA_MOVES_MAX);

	json_document_begin(&json, stdout);
	json_string(&json, "state", asking->state);
	json_array_begin(&json, "legal");
	for (int i = 0; i < count; i++)
		json_string(&json, NULL, move_text(&moves[i]));
	json_array_end(&json);
	json_string(
	    &json, "bot", practice_session(asking->single.practice)->name);
	json_array_begin(&json, "info");
	for (int i = 0; i < asking->info_count; i++)
		json_string(&json, NULL, asking->infos[i]);
	json_array_end(&json);
	json_given(&json, "answer", asking->answer);
	json_string(&json, "move",
	    answered && asking->refusal == NULL ? move_text(&asking->move)
						: NULL);
	json_string(&json, "refused", asking->refusal);
	if (answered)
		json_real(&json, "ms",
		    (double)(asking->answered_ns - asking->asked_ns) / 1e6, 3);
	json_document_end(&json);
}

/* Prints why there is no legal answer.  Returns STATUS_BOT. */
static enum status
print_failure(const struct asking *asking)
{
	const struct match_fault *fault =
	    &asking->single.practice->match->fault;
	const char *command = asking->single.bots.entrants[0].command;

	if (asking->refusal != NULL)
		error_print("bot \"%s\" gave an answer that is not legal: %s",
		    command, asking->refusal);
	else
		error_print("bot \"%s\" gave no answer", command);
	if (fault->seat >= 0)
		fault_text_print(fault, stderr);
	return STATUS_BOT;
}

static enum status
ask_answered(struct asking *asking)
{
	bool answered = asking->answer[0] != '\0';

	if (answered)
		asking->refusal = answer_refusal(&asking->set.rules,
		    &asking->deal, asking->answer, &asking->move);
	if (asking->settings->game.json)
		print_json(asking);
	else if (answered)
		print_text(asking);
	return answered && asking->refusal == NULL ? STATUS_DONE
						   : print_failure(asking);
}

static enum status
ask_bot(struct asking *asking)
{
	struct practice_script script;
	struct event_pack pack;
	enum status status;

	if (!practice_script_of_view(
		&asking->set.rules, &asking->view, &pack, &script))
		return error_usage("give the line as a match sends it",
		    "--state: no course of the deal leads to this position");
	status = single_bot_start(&asking->single);
	if (status != STATUS_DONE)
		return status;
	status = ask_in_match(asking, &script);
	return status == STATUS_DONE ? ask_answered(asking) : status;
}

static enum status
ask_run(const void *given, char **argv)
{
	static struct asking asking;
	enum status status;

	(void)argv;
	asking.settings = given;
	status = read_line(&asking);
	if (status == STATUS_DONE)
		status = read_position(&asking);
	if (status == STATUS_DONE)
		status = single_bot_open(
		    &asking.single, &asking.settings->game, &asking.set);
	if (status == STATUS_DONE)
		status = ask_bot(&asking);
	single_bot_close(&asking.single);
	return status;
}

const struct command command_ask = {
	.name = "ask",
	.sentence = "Gives one position to a bot and prints its answer.",
	.detail = "The bot is sent the deal from its first card to the "
		  "position, as in a match, and then the question. Cards that "
		  "its seat cannot see do not matter.",
	.usage = "BOT --state LINE",
	.arguments = { BOT_ARGUMENT(".") },
	.argument_max = 0, /* the bot is read by the option --bot */
	.examples = { "ask ./mybot.py --state 'state rules=scopa seats=2 ...'",
	    "ask @maestro --tc move:2 --state - <position.txt" },
	.options = options,
	.settings_size = sizeof(struct ask_settings),
	.run = ask_run,
};
