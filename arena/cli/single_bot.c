/*
 * Implements single_bot.h.
 */
#include "single_bot.h"

#include <string.h>

#include "command.h"
#include "match_head.h"
#include "scopa/notation.h"

#define FIELD(name) offsetof(struct game_settings, name)

const struct option single_bot_options[] = {
	INT_OPTION("startup-ms", "MS", FIELD(startup_ms), 1, 3600000,
	    "How long the bot may take to get ready.", .fallback = "10000",
	    .unit = "milliseconds"),
	INT_OPTION("hang-ms", "MS", FIELD(hang_ms), 1, 3600000,
	    "How long the bot may take to answer `isready` after it was late.",
	    .fallback = "2000", .unit = "milliseconds"),
	OPTIONS_END,
};

const struct option single_bot_argument[] = {
	GROUP_OPTION("bot", "[CMD] KEY=VALUE...", entrant_keys,
	    sizeof(struct entrant_words), FIELD(bots), FIELD(bot_count),
	    "The bot, with more to say of it than a command: `option.NAME=V` "
	    "sets an option.",
	    .takes_plain = true, .takes_arguments = true, .title = "name",
	    .group_max = TOURNAMENT_BOTS_MAX),
	OPTIONS_END,
};

enum status
single_bot_open(struct single_bot *single, const struct game_settings *settings,
    const struct rule_set *set)
{
	enum status status;

	memset(single, 0, sizeof(*single));
	single->play.rules.rules = set->rules;
	single->play.rules.preset = set->preset;
	if (settings->bot_count != 1)
		return error_usage("name one bot: a path, a command in quotes, "
				   "or @NAME of a built-in bot",
		    "%d bots are named", settings->bot_count);
	status = game_setup_bots(
	    settings, NULL, ENTRANT_TO_PLAY, &single->bots, &single->play);
	if (status == STATUS_DONE)
		status = game_setup_sandbox(
		    settings, NULL, &single->sandbox, &single->play);
	return status;
}

void
single_bot_close(struct single_bot *single)
{
	practice_close(single->practice);
	if (single->play.rules.sandbox != NULL)
		sandbox_close(&single->sandbox);
	game_bots_release(&single->bots);
}

enum status
single_bot_start(struct single_bot *single)
{
	const struct entrant *entrant = &single->bots.entrants[0];
	const struct match_fault *fault;
	char name[EVENT_NAME_SIZE];
	int error =
	    practice_open(&single->practice, &single->play.rules, entrant);

	if (error)
		return game_setup_error(error);
	fault = &single->practice->fault;
	if (fault->seat < 0)
		return STATUS_DONE;
	match_head_name(entrant, practice_session(single->practice), name);
	return entrant_error(entrant, name, fault, &single->play.rules);
}

enum status
single_bot_play(struct single_bot *single, const struct practice_game *game,
    struct practice_result *result)
{
	int error = practice_play(single->practice, game, result);

	return error ? game_setup_error(error) : STATUS_DONE;
}

const char *
answer_refusal(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const char *line, struct scopa_move *move)
{
	enum scopa_refusal refusal;
	struct words words;

	words_split(line, strlen(line), &words);
	if (words.count < 2)
		return "The answer has no move.";
	switch (
	    scopa_move_parse(words.word[1].bytes, words.word[1].length, move)) {
	case SCOPA_BAD_SYNTAX:
		return "This is not a move.";
	case SCOPA_DUPLICATE:
		return "The move names a card twice.";
	case SCOPA_PARSED:
		break;
	}
	move->seat = deal->turn;
	refusal = scopa_deal_check(rules, deal, move);
	return refusal == SCOPA_LEGAL ? NULL : scopa_refusal_sentence(refusal);
}
