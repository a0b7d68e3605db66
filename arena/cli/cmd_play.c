/*
 * The command play: persons at the terminal play a game against bots.
 *
 * The record of the game also holds what --resume needs to go on with it: the
 * rules, the secret of the packs, who sits where, and all plays.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "error_message.h"
#include "fault_text.h"
#include "play_game.h"
#include "play_person.h"
#include "play_setup.h"
#include "text_format.h"
#include "version.h"

enum { REASON_SIZE = 256 };

struct terminal_settings {
	struct play_settings play;
	int cards; /* enum card_style */
	int color; /* enum color_choice */
};

#define FIELD(name) offsetof(struct terminal_settings, name)

static const struct option terminal_options[] = {
	NAME_OPTION("cards", "it|es|fr|ascii", FIELD(cards), card_style_names,
	    "How cards look: Italian, Spanish or French ones, or as bots write "
	    "them.",
	    .fallback = "it"),
	NAME_OPTION("color", "auto|always|never", FIELD(color),
	    color_choice_names,
	    "Colours. auto: on a terminal, unless the environment has "
	    "NO_COLOR.",
	    .aliases = { "colour" }, .fallback = "auto"),
	TEXT_OPTION("resume", "FILE", FIELD(play.resume),
	    "Go on with the last game of this record, which was stopped. Every "
	    "play is made again, also those of the deal that had begun, and "
	    "the whole game is appended to the file. Rules, seats, names and "
	    "cards are those of the record. Built-in bots need not be named "
	    "again.",
	    .is_path = true),
	OPTIONS_END,
};

static const struct option options[] = {
	TABLE_OPTION("persons", play_person_options, FIELD(play)),
	TABLE_OPTION(NULL, terminal_options, 0),
	TABLE_OPTION("bots", game_bot_options, FIELD(play.game)),
	TABLE_OPTION(NULL, game_process_options, FIELD(play.game)),
	TABLE_OPTION("game", game_rule_options, FIELD(play.game)),
	TABLE_OPTION(
	    "time limits and offences", game_time_options, FIELD(play.game)),
	OPTIONS_END,
};

static void
print_head(const struct play_setup *setup)
{
	const struct match_rules *rules = &setup->config.rules;
	char bytes[EVENT_SPEC_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_rules_spec(&rules->rules, rules->preset, &text);
	if (rules->deals > 0)
		text_printf(&text, ", %d deal%s", rules->deals,
		    text_plural(rules->deals));
	else
		text_printf(&text, ", to %d points", rules->rules.target);
	printf("%s, time of bots ", bytes);
	scopa_text_init(&text, bytes, sizeof(bytes));
	budget_control_show(&rules->settings.control, &text);
	printf("%s\n", bytes);
	fflush(stdout);
}

/* Prints the result of a game that is over. */
static void
print_result(const struct play_setup *setup, const struct summary *summary)
{
	const struct scopa_rules *rules = &setup->config.rules.rules;
	struct scopa_text text = SCOPA_TEXT(1024);

	for (int team = 0; team < scopa_team_count(rules); team++) {
		scopa_text_string(&text, team > 0 ? ", " : "");
		play_team_text(rules, summary->names, team, &text);
		text_printf(&text, " %d", summary->scores[team]);
	}
	scopa_text_string(&text, ": ");
	if (summary->winner == SCOPA_TEAM_NONE) {
		scopa_text_string(&text, "drawn");
	} else {
		scopa_text_string(&text, "the winner is ");
		play_team_text(rules, summary->names, summary->winner, &text);
	}
	printf("\nresult  %s%s\n", text.bytes,
	    strcmp(summary->reason, "forfeit") == 0 ? ", by forfeit" : "");
}

/* Prints the result and what to do next.  Returns the exit status. */
static enum status
print_end(const struct play_setup *setup, const struct play_outcome *outcome)
{
	const struct match_fault *fault = &outcome->fault;
	const char *record = setup->settings.record;
	const char *hint;
	char bytes[REASON_SIZE];
	struct scopa_text why;

	if (outcome->error)
		return game_setup_error(outcome->error);
	if (fault->seat >= 0 && fault->kind == OFFENCE_STARTUP)
		return entrant_error(
		    &setup->entrants[setup->spec.entrant[fault->seat]],
		    outcome->summary.names[fault->seat], fault,
		    &setup->config.rules);
	if (outcome->status == STATUS_DONE)
		print_result(setup, &outcome->summary);
	else
		printf("\nstopped\n");
	if (fault->seat >= 0) {
		scopa_text_init(&why, bytes, sizeof(bytes));
		fault_text_reason(
		    offence_name(fault->kind), fault->reason, NULL, &why);
		printf("fault   %s: %s\n", outcome->summary.names[fault->seat],
		    bytes);
		fault_text_print(fault, stdout);
		hint = entrant_end_hint(fault, &setup->config.rules);
		if (hint != NULL)
			printf("  %-8s: %s\n", "hint", hint);
	}
	if (outcome->record_error)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "record file \"%s\": %s", record,
		    strerror(-outcome->record_error));
	if (outcome->recorded && outcome->status == STATUS_DONE)
		printf("next    %s record show %s\n", program_invocation_name,
		    record);
	else if (outcome->recorded)
		printf("next    %s play --resume %s\n", program_invocation_name,
		    record);
	return outcome->status;
}

static enum status
play(struct play_setup *setup, const struct terminal_settings *terminal)
{
	const struct play_settings *settings = &setup->settings;
	const char *record = play_record_path(settings);
	bool is_new = record != NULL && access(record, F_OK) != 0;
	struct play_outcome outcome;
	struct play_config config = {
		.rules = &setup->config.rules,
		.entrants = setup->entrants,
		.spec = &setup->spec,
		.moves = setup->resume.moves,
		.move_count = setup->resume.move_count,
		.style = (enum card_style)terminal->cards,
		.color = (enum color_choice)terminal->color,
		.hint_command = settings->hint,
		.hint_sandbox =
		    settings->game.sandbox == SANDBOX_OFF ? "off" : "auto",
		.record_fd = -1,
	};
	enum status status = play_record_open(settings, &config.record_fd);

	if (status != STATUS_DONE)
		return status;
	print_head(setup);
	play_game(&config, &outcome);
	if (record != NULL)
		close(config.record_fd);
	/* No new file is left where there was no game. */
	if (is_new && !outcome.recorded)
		unlink(record);
	return print_end(setup, &outcome);
}

static enum status
play_run(const void *given, char **argv)
{
	/* static, as it is too large for the stack */
	static struct play_setup setup;
	const struct terminal_settings *settings = given;
	enum status status = play_setup_open(&setup, &settings->play, NULL);

	(void)argv;
	if (status == STATUS_DONE)
		status = play(&setup, settings);
	play_setup_close(&setup);
	return status;
}

const struct command command_play = {
	.name = "play",
	.sentence = "Lets you play against bots in the terminal.",
	.detail =
	    "Type the number of a card to play it, ? for help. Where there "
	    "are several persons, the screen is handed over before it shows a "
	    "hand. You have no time limit. Ctrl-C, q or the end of the input "
	    "stops the game with "
	    "exit status 130, and --resume goes on with it.",
	.usage = "[BOT...]",
	.arguments = { { "BOT",
	    "A path, a command in quotes, or @NAME of a built-in bot: one for "
	    "each seat without a person, or one for all of them. Without "
	    "it " PLAY_BOT_USUAL "." } },
	.argument_max = 0, /* bots are read by the option --bot */
	.examples = { "play", "play @greedy --rules cirulla --cards es",
	    "play @maestro --rules scopone --person 1,3 --name anna,bruno",
	    "play --resume play.scopa" },
	.options = options,
	.settings_size = sizeof(struct terminal_settings),
	.run = play_run,
};
