/*
 * The command replay: gives a deal of a record to a bot, and compares its
 * answers with the recorded moves.
 *
 * The bot gets the lines that its seat got in the game: the referee plays the
 * deal again with the recorded packs, and makes the recorded moves, not the
 * answers of the bot.  Only the ids of turns and the time left in a bank
 * differ, as they are not in the record.  A move that the arena made for a seat
 * is sent as if the seat had made it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "fault_text.h"
#include "game_options.h"
#include "record_walk.h"
#include "report_json.h"
#include "scopa/notation.h"
#include "text_format.h"
#include "version.h"

enum {
	PACKS_MAX = 64, /* packs of a deal that are read; see read_packs() */
	MOVE_SIZE = 128,
	ANSWER_SIZE = 33, /* of an illegal one */
	CARDS_SIZE = 2 * SCOPA_PACK_SIZE + 1
};

struct replay_settings {
	struct game_settings game;
	const char *match;
	int64_t deal, seat;
	bool lines;
};

#define FIELD(name) offsetof(struct replay_settings, name)

static const struct option own_options[] = {
	RECORD_MATCH_OPTION(struct replay_settings),
	INT_OPTION("deal", "N", FIELD(deal), 1, 1000000,
	    "The deal of this number.", .fallback = "1", .unit = "deals"),
	INT_OPTION("seat", "N", FIELD(seat), 1, SCOPA_SEATS_MAX,
	    "The seat that the bot takes.", .fallback = "1", .unit = "seats"),
	FLAG_OPTION("lines", FIELD(lines),
	    "Print every line that the bot is sent, and after `>` every line "
	    "that it writes."),
	FLAG_OPTION("json", FIELD(game.json), "Print one JSON object."),
	OPTIONS_END,
};

static const struct option control_options[] = {
	PARSED_OPTION("tc", "TIME", FIELD(game.control), entrant_control_read,
	    "The time of the bot, as `match` reads it. Without it, that of "
	    "the game."),
	OPTIONS_END,
};

static const struct option options[] = {
	TABLE_OPTION("deal", own_options, 0),
	TABLE_OPTION("the bot", single_bot_options, FIELD(game)),
	TABLE_OPTION(NULL, control_options, 0),
	TABLE_OPTION(NULL, game_process_options, FIELD(game)),
	OPTIONS_END,
};

/* An answer of the bot, with the recorded move. */
struct replayed_move {
	int play; /* number in the deal, from 1, as `record show` counts */
	scopa_set table, hand;
	char played[MOVE_SIZE], answer[MOVE_SIZE];
	const char *refusal; /* why the answer is illegal; NULL: it is legal */
	bool same;
	double ms;
};

/* The deal that is replayed, and the answers. */
struct replaying {
	const struct replay_settings *settings;
	bool found;
	char match[EVENT_ID_SIZE];
	struct record_head head;
	struct position last; /* of the deal */
	struct event_pack packs[PACKS_MAX];
	struct practice_script script;
	struct scopa_move moves[SCOPA_HISTORY_MAX];
	struct single_bot single;
	int64_t asked_ns;
	struct replayed_move answers[SCOPA_HISTORY_MAX];
	int answer_count, same_count, illegal_count;
};

/*
 * Reads the packs of the deal: those that were redealt, and the played one.  A
 * record without `pack` lines has only the cards of the last pack.
 */
static void
read_packs(struct replaying *replaying, const struct game_record *record)
{
	const struct position *last = &replaying->last;
	struct event event;
	int count = 0;

	for (size_t i = 0;
	     count < PACKS_MAX && record_event_next(record, &i, &event);)
		if (event.kind == EVENT_PACK &&
		    event.pack.number == last->number)
			replaying->packs[count++] = event.pack;
	if (count == 0) {
		replaying->packs[0].number = last->number;
		memcpy(replaying->packs[0].cards, last->deal.pack,
		    sizeof(last->deal.pack));
		count = 1;
	}
	replaying->script.packs = replaying->packs;
	replaying->script.pack_count = count;
}

/* Takes the deal out of the first record that has it.  0 or -errno. */
static int
search_deal(void *context, const struct record_visit *visit)
{
	struct replaying *replaying = context;
	struct positions positions = { .deal = replaying->settings->deal };
	struct position *last = &replaying->last;
	int error, count;

	if (replaying->found)
		return 0;
	error = positions_collect(&positions, visit);
	if (!error && positions.count > 0) {
		*last = positions.items[positions.count - 1];
		count = last->deal.history_count;
		replaying->found = true;
		replaying->head = *replay_head(visit->replay);
		memcpy(
		    replaying->match, visit->match, sizeof(replaying->match));
		memcpy(replaying->moves, last->deal.history,
		    (size_t)count * sizeof(replaying->moves[0]));
		replaying->moves[count] = last->move;
		replaying->script.head = &replaying->head.game;
		replaying->script.tally = &last->tally;
		replaying->script.moves = replaying->moves;
		replaying->script.move_count = count + 1;
		read_packs(replaying, visit->record);
	}
	free(positions.items);
	return error;
}

static enum status
find_deal(struct replaying *replaying, char **files)
{
	const struct replay_settings *settings = replaying->settings;
	enum status status =
	    record_walk_good(search_deal, replaying, settings->match, files);

	/* Bad records beside the one with the deal do no harm. */
	if (status != STATUS_DONE &&
	    !(status == STATUS_FAILED && replaying->found))
		return status;
	if (!replaying->found)
		return error_status(STATUS_FAILED, NULL,
		    VERSION_NAME " record show FILE",
		    "there is no deal %jd in which a card was played",
		    settings->deal);
	if (settings->seat > replaying->head.rules.players)
		return error_usage(NULL, "--seat %jd: there are %d seats",
		    settings->seat, replaying->head.rules.players);
	return STATUS_DONE;
}

/*
 * Returns the time control that was given for the bot, or else that of the
 * record, whose times are in milliseconds.
 */
static struct budget_control
find_control(const struct replaying *replaying)
{
	const struct entrant_control *given =
	    &replaying->single.bots.words[0].control;
	const char *tc = replaying->head.game.match.tc;
	struct budget_control control = { BUDGET_NONE, 0, 0 };
	char text[EVENT_NAME_SIZE + 8];
	struct scopa_text why = SCOPA_TEXT(256);
	size_t plus = strcspn(tc, "+");

	if (given->given)
		return given->control;
	/* Numbers that a user gives without a unit are seconds. */
	snprintf(text, sizeof(text), "%.*s%s%s%s", (int)plus, tc,
	    strchr(tc, ':') != NULL ? "ms" : "", tc + plus,
	    tc[plus] != '\0' ? "ms" : "");
	(void)budget_control_parse(&control, text, &why);
	return control;
}

/* Formats a set of cards: `3C4S`, or `-`. */
static const char *
set_text(scopa_set cards, char bytes[CARDS_SIZE])
{
	struct scopa_text text;

	scopa_text_init(&text, bytes, CARDS_SIZE);
	scopa_set_format(cards, &text);
	return bytes;
}

static void
print_answer(const struct replayed_move *answer)
{
	char table[CARDS_SIZE], hand[CARDS_SIZE];

	printf("%4d  %-20s  %-20s  %-12s  %-12s  %9.3f%s%s\n", answer->play,
	    set_text(answer->table, table), set_text(answer->hand, hand),
	    answer->played, answer->answer, answer->ms,
	    answer->refusal != NULL ? "  illegal: "
		: answer->same      ? ""
				    : "  other",
	    answer->refusal != NULL ? answer->refusal : "");
	fflush(stdout);
}

static void
on_question(void *context, const struct game *game)
{
	struct replaying *replaying = context;

	(void)game;
	replaying->asked_ns = clock_now_ns();
}

static void
on_answer(void *context, const struct game *game, const char *line)
{
	struct replaying *replaying = context;
	const struct scopa_deal *deal = &game->deal;
	/* If the game was lost by an offence here, no move was made. */
	const struct scopa_move *played =
	    deal->history_count < replaying->script.move_count
	    ? &replaying->moves[deal->history_count]
	    : NULL;
	struct replayed_move *answer =
	    &replaying->answers[replaying->answer_count];
	struct scopa_move move;
	struct words words;

	words_split(line, strlen(line), &words);
	if (!word_is(words.word[0], "move"))
		return;
	*answer = (struct replayed_move){
		.play = deal->play_count + 1,
		.table = deal->table,
		.hand = deal->hands[deal->turn],
		.played = "-",
		.refusal = answer_refusal(&game->rules, deal, line, &move),
		.ms = (double)(clock_now_ns() - replaying->asked_ns) / 1e6,
	};
	if (answer->refusal == NULL)
		snprintf(answer->answer, MOVE_SIZE, "%s", move_text(&move));
	else if (words.count > 1)
		word_copy(words.word[1], answer->answer, ANSWER_SIZE);
	if (played != NULL) {
		snprintf(answer->played, MOVE_SIZE, "%s", move_text(played));
		answer->same =
		    answer->refusal == NULL && scopa_move_equal(&move, played);
	}
	replaying->answer_count++;
	replaying->same_count += answer->same;
	replaying->illegal_count += answer->refusal != NULL;
	if (!replaying->settings->game.json && !replaying->settings->lines)
		print_answer(answer);
}

/* Prints the conversation; lines of the bot begin with `>`. */
static void
print_lines(struct replaying *replaying)
{
	const struct transcript *transcript =
	    &replaying->single.practice->transcript;

	for (int i = 0; i < transcript->count; i++) {
		const struct conversation_line *line =
		    transcript_line(transcript, i);

		printf("%s%s\n",
		    line->side == CONVERSATION_SENT       ? ""
			: line->side == CONVERSATION_SAID ? "> "
							  : "# ",
		    line->text);
	}
}

static void
print_json(const struct replaying *replaying)
{
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "match", replaying->match);
	json_int(&json, "deal", replaying->settings->deal);
	json_int(&json, "seat", replaying->settings->seat);
	json_string(&json, "rules", replaying->head.game.match.rules);
	json_string(
	    &json, "bot", practice_session(replaying->single.practice)->name);
	json_int(&json, "same", replaying->same_count);
	json_int(&json, "illegal", replaying->illegal_count);
	json_array_begin(&json, "decisions");
	for (int i = 0; i < replaying->answer_count; i++) {
		const struct replayed_move *answer = &replaying->answers[i];
		char cards[CARDS_SIZE];

		json_object_begin(&json, NULL);
		json_int(&json, "play", answer->play);
		json_string(&json, "table", set_text(answer->table, cards));
		json_string(&json, "hand", set_text(answer->hand, cards));
		json_string(&json, "played", answer->played);
		json_string(&json, "answer", answer->answer);
		json_string(&json, "refused", answer->refusal);
		json_real(&json, "ms", answer->ms, 3);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_document_end(&json);
}

/* Prints the sum and the fault of the bot.  Returns the exit status. */
static enum status
print_end(const struct replaying *replaying)
{
	const struct match_fault *fault =
	    &replaying->single.practice->match->fault;
	const struct entrant *entrant = &replaying->single.bots.entrants[0];
	int same = replaying->same_count, illegal = replaying->illegal_count;

	if (!replaying->settings->game.json && !replaying->settings->lines)
		printf("%d decision%s: %d as played, %d other, %d illegal\n",
		    replaying->answer_count,
		    text_plural(replaying->answer_count), same,
		    replaying->answer_count - same - illegal, illegal);
	if (fault->seat >= 0) {
		error_print("bot \"%s\" did not answer to the end: %s",
		    entrant->command,
		    fault_text_reason(
			offence_name(fault->kind), fault->reason, NULL));
		fault_text_print(fault, stderr);
	}
	return fault->seat >= 0 || illegal > 0 ? STATUS_BOT : STATUS_DONE;
}

/* The number of moves that the seat was asked for in the deal. */
static int
own_moves(const struct replaying *replaying)
{
	int count = 0;

	for (int i = 0; i < replaying->script.move_count; i++) {
		const struct scopa_move *move = &replaying->moves[i];

		count += move->seat == replaying->settings->seat - 1 &&
		    (move->declaration == SCOPA_DECLARE_NOTHING ||
			replaying->head.rules.declare == SCOPA_DECLARE_ASK);
	}
	return count;
}

static enum status
replay_deal(struct replaying *replaying)
{
	const struct replay_settings *settings = replaying->settings;
	const struct record_head *head = &replaying->head;
	struct practice_result result;
	struct practice_game game = {
		.rules = head->rules,
		.preset = head->preset,
		.seat = (int)settings->seat - 1,
		.dealer = replaying->last.deal.dealer,
		.deals = head->deals,
		.control = find_control(replaying),
		/* The question at which the game was lost counts too. */
		.abort_after = own_moves(replaying) + 1,
		.script = &replaying->script,
		.on_question = on_question,
		.on_answer = on_answer,
		.context = replaying,
	};
	enum status status = single_bot_start(&replaying->single);

	if (status != STATUS_DONE)
		return status;
	if (!settings->game.json && !settings->lines)
		printf("match %s, %s, deal %jd, seat %jd as %s played it\n"
		       "%4s  %-20s  %-20s  %-12s  %-12s  %9s\n",
		    safe_text(replaying->match),
		    safe_text(head->game.match.rules), settings->deal,
		    settings->seat,
		    safe_text(head->game.seats[settings->seat - 1].name),
		    "play", "table", "hand", "played", "answer", "ms");
	status = single_bot_play(&replaying->single, &game, &result);
	if (status != STATUS_DONE)
		return status;
	if (settings->game.json)
		print_json(replaying);
	else if (settings->lines)
		print_lines(replaying);
	return print_end(replaying);
}

static enum status
replay_command_run(const void *given, char **argv)
{
	static struct replaying replaying;
	struct rule_set set;
	enum status status;

	replaying.settings = given;
	status = find_deal(&replaying, argv);
	if (status != STATUS_DONE)
		return status;
	set = (struct rule_set){ .preset = replaying.head.preset,
		.rules = replaying.head.rules };
	status =
	    single_bot_open(&replaying.single, &replaying.settings->game, &set);
	if (status == STATUS_DONE)
		status = replay_deal(&replaying);
	single_bot_close(&replaying.single);
	return status;
}

const struct command command_replay = {
	.name = "replay",
	.sentence = "Gives a deal of a record to a bot, and prints its answers "
		    "beside the moves that were played.",
	.detail = "The bot is sent the lines that its seat was sent in the "
		  "game, with new ids of turns and another rest of its time. "
		  "The recorded moves are made, whatever the bot answers. The "
		  "exit status is 4 if an answer is illegal or missing.",
	.usage = "[RECORD] --bot BOT",
	.arguments = { { "RECORD",
	    "A game record; `-`, or no file at all, is standard input." } },
	.argument_max = 1,
	.examples = { "replay games.scopa --bot ./mybot.py",
	    "replay games.scopa --match m3 --deal 2 --seat 2 --bot @maestro",
	    "replay games.scopa --bot ./mybot.py --lines" },
	.options = options,
	.settings_size = sizeof(struct replay_settings),
	.run = replay_command_run,
};
