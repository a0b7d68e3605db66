/*
 * The command play: persons at the terminal play a game against bots.
 *
 * The record of the game also holds what --resume needs to go on with it: the
 * rules, the secret of the packs, who sits where, and all plays.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "countof.h"
#include "error_message.h"
#include "fault_text.h"
#include "game_options.h"
#include "play_game.h"
#include "play_person.h"
#include "play_resume.h"
#include "players.h"
#include "text_format.h"
#include "version.h"

#define BOT_USUAL "@maestro"
#define RECORD_NONE "none"

struct play_settings {
	struct game_settings game;
	unsigned persons; /* bit for each seat */
	const char *names, *hint, *record, *resume;
	int cards; /* enum card_style */
	int color; /* enum color_choice */
};

static bool
parse_persons(const char *value, void *field, struct scopa_text *why)
{
	return play_seats_parse(value, field) ||
	    option_refuse(why, "expects a seat or several, such as 1,3");
}

#define FIELD(name) offsetof(struct play_settings, name)

static const struct option person_options[] = {
	PARSED_OPTION("person", "SEAT[,SEAT...]", FIELD(persons), parse_persons,
	    "The seats of persons at this terminal. Where there are several, "
	    "the screen is handed over before it shows a hand. Seat 1 plays "
	    "first in the first deal.",
	    .fallback = "1"),
	TEXT_OPTION("name", "NAME[,NAME...]", FIELD(names),
	    "The names of the persons, in the order of their seats."),
	NAME_OPTION("cards", "it|es|fr|ascii", FIELD(cards), card_style_names,
	    "How cards look: Italian, Spanish or French ones, or as bots write "
	    "them.",
	    .fallback = "it"),
	NAME_OPTION("color", "auto|always|never", FIELD(color),
	    color_choice_names,
	    "Colours. auto: on a terminal, unless the environment has "
	    "NO_COLOR.",
	    .aliases = { "colour" }, .fallback = "auto"),
	TEXT_OPTION("hint", "BOT", FIELD(hint),
	    "The bot that gives hints. It is shown what the seat knows, and "
	    "has a second.",
	    .fallback = BOT_USUAL),
	TEXT_OPTION("record", "FILE|none", FIELD(record),
	    "Append the record of the game to this file.", .is_path = true,
	    .fallback = "play.scopa"),
	TEXT_OPTION("resume", "FILE", FIELD(resume),
	    "Go on with the last game of this record, which was stopped. Every "
	    "play is made again, also those of the deal that had begun, and "
	    "the whole game is appended to the file. Rules, seats, names and "
	    "cards are those of the record. Built-in bots need not be named "
	    "again.",
	    .is_path = true),
	OPTIONS_END,
};

static const struct option options[] = {
	TABLE_OPTION("persons", person_options, 0),
	TABLE_OPTION("bots", game_bot_options, FIELD(game)),
	TABLE_OPTION(NULL, game_process_options, FIELD(game)),
	TABLE_OPTION("game", game_rule_options, FIELD(game)),
	TABLE_OPTION(
	    "time limits and offences", game_time_options, FIELD(game)),
	OPTIONS_END,
};

/* A game that is being set up and played. */
struct playing {
	struct play_settings settings;
	struct play_resume resume;
	/* its rules point into this struct, which must not move */
	struct dispatcher_config config;
	struct game_bots bots;
	struct pack_file packs;
	struct sandbox sandbox;
	/* Persons in the order of their seats, then the bots. */
	struct entrant entrants[2 * SCOPA_SEATS_MAX];
	struct game_spec spec;
	char names[SCOPA_SEATS_MAX][EVENT_NAME_SIZE];
	char commands[SCOPA_SEATS_MAX][EVENT_NAME_SIZE + 1]; /* `@greedy` */
};

static int
person_count(const struct playing *playing)
{
	return __builtin_popcount(playing->settings.persons);
}

static bool
is_person(const struct playing *playing, int seat)
{
	return playing->settings.persons >> seat & 1;
}

/*
 * Names the bots of the record, if they are built in and no bots were named.
 * Bots of the same name are one bot at several seats.
 */
static enum status
name_bots(struct playing *playing)
{
	struct game_settings *game = &playing->settings.game;
	const struct event_seat *seats = playing->resume.head.game.seats;
	bool same = true;
	int count = 0;

	for (int seat = 0; seat < playing->resume.head.rules.players; seat++) {
		char *command = playing->commands[count];

		if (is_person(playing, seat))
			continue;
		snprintf(command, sizeof(playing->commands[count]), "@%s",
		    seats[seat].name);
		if (builtin_find(command + 1) == NULL)
			return error_usage("name the bots as for a new game",
			    "--resume: \"%s\" is not built in",
			    seats[seat].name);
		game->bots[count].command = command;
		same &= strcmp(command, playing->commands[0]) == 0;
		count++;
	}
	game->bot_count = same && count > 1 ? 1 : count;
	return STATUS_DONE;
}

/* Reads the game to go on with, if there is one. */
static enum status
read_resume(struct playing *playing)
{
	struct play_settings *settings = &playing->settings;
	enum status status;

	if (settings->resume == NULL)
		return STATUS_DONE;
	status = play_resume_read(&playing->resume, settings->resume);
	if (status != STATUS_DONE)
		return status;
	settings->persons = playing->resume.persons;
	settings->record = settings->resume;
	settings->game.seed.given = true;
	settings->game.seed.key = playing->resume.secret;
	settings->game.packs.path = NULL;
	return settings->game.bot_count == 0 ? name_bots(playing) : STATUS_DONE;
}

/* Sets the rules: those of the record, or those of the options. */
static enum status
read_rules(struct playing *playing)
{
	const struct record_head *head = &playing->resume.head;
	struct game_settings *game = &playing->settings.game;
	struct match_rules *rules = &playing->config.rules;

	if (playing->settings.resume != NULL) {
		rules->rules = head->rules;
		rules->preset = head->preset;
		rules->deals = head->deals;
		rules->max_deals = head->game.match.max_deals;
		return STATUS_DONE;
	}
	if (game->bot_count == 0 && person_count(playing) == 1) {
		game->bots[0].command = BOT_USUAL;
		game->bot_count = 1;
	}
	/* A single bot may sit at several seats. */
	return game_setup_rules(game,
	    game->bot_count == 1 && person_count(playing) == 1
		? 0
		: person_count(playing) + game->bot_count,
	    rules);
}

/* Checks that persons and bots fill the seats. */
static enum status
check_seats(struct playing *playing)
{
	int seats = playing->config.rules.rules.players;
	int bots = playing->settings.game.bot_count;
	int free_count = seats - person_count(playing);

	if (playing->settings.persons >> seats != 0)
		return error_usage("--seats N gives a game of more seats, if "
				   "the rules allow it",
		    "--person names a seat that the game does not have: it has "
		    "%d",
		    seats);
	if (bots == free_count || (bots == 1 && free_count > 0))
		return STATUS_DONE;
	error_print("%d bot%s for %d seat%s without a person", bots,
	    text_plural(bots), free_count, text_plural(free_count));
	if (free_count > 0)
		error_detail(
		    "hint", "name one bot for all of them, or one a seat");
	error_detail("try", VERSION_NAME " play --help");
	return STATUS_USAGE;
}

/* Names the persons: as in the record, by --name, or `you`. */
static void
name_persons(struct playing *playing)
{
	const char *given = playing->settings.names;
	struct word rest = { given, given ? strlen(given) : 0 }, piece;

	for (int seat = 0; seat < playing->config.rules.rules.players; seat++) {
		char *name = playing->names[seat];

		if (!is_person(playing, seat))
			continue;
		if (playing->settings.resume != NULL)
			memcpy(name, playing->resume.head.game.seats[seat].name,
			    EVENT_NAME_SIZE);
		else if (given != NULL && word_next_piece(&rest, ',', &piece) &&
		    piece.length > 0)
			snprintf(name, EVENT_NAME_SIZE, "%.*s",
			    (int)piece.length, piece.bytes);
		else if (person_count(playing) == 1)
			snprintf(name, EVENT_NAME_SIZE, PERSON_NAME_USUAL);
		else
			snprintf(name, EVENT_NAME_SIZE, "person-%d", seat + 1);
	}
}

/* Reads the bots and seats everybody. */
static enum status
read_bots(struct playing *playing)
{
	const struct game_settings *game = &playing->settings.game;
	const struct plan plan = {
		.rules = &playing->config.rules.rules,
		.entrant_count = playing->config.rules.rules.players,
		.rounds = 1,
	};
	int persons = 0, bots = 0;
	enum status status = game_setup_bots(
	    game, NULL, ENTRANT_TO_PLAY, &playing->bots, &playing->config);

	if (status != STATUS_DONE)
		return status;
	name_persons(playing);
	playing->spec = plan_game(&plan, 0);
	for (int i = 0; i < game->bot_count; i++)
		playing->entrants[person_count(playing) + i] =
		    playing->bots.entrants[i];
	for (int seat = 0; seat < plan.rules->players; seat++) {
		struct entrant *entrant = &playing->entrants[persons];

		if (!is_person(playing, seat)) {
			playing->spec.entrant[seat] = person_count(playing) +
			    (game->bot_count == 1 ? 0 : bots++);
			continue;
		}
		entrant->is_person = true;
		memcpy(entrant->name, playing->names[seat], EVENT_NAME_SIZE);
		playing->spec.entrant[seat] = persons++;
	}
	return STATUS_DONE;
}

static enum status
read_packs(struct playing *playing)
{
	const struct game_settings *game = &playing->settings.game;
	enum status status = game_setup_secret(game, &playing->config.rules);

	return status == STATUS_DONE
	    ? game_setup_packs(game, &playing->packs, &playing->config.rules)
	    : status;
}

static enum status
read_sandbox(struct playing *playing)
{
	const char *record = playing->settings.record;
	enum status status = game_setup_sandbox(&playing->settings.game,
	    strcmp(record, RECORD_NONE) == 0 ? NULL : record, &playing->sandbox,
	    &playing->config);

	if (status == STATUS_DONE)
		entrants_warn(playing->bots.entrants,
		    playing->config.entrant_count,
		    playing->config.rules.sandbox);
	return status;
}

static void
print_head(const struct playing *playing)
{
	const struct match_rules *rules = &playing->config.rules;
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
print_result(const struct playing *playing, const struct summary *summary)
{
	const struct scopa_rules *rules = &playing->config.rules.rules;
	char bytes[1024];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
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
	printf("\nresult  %s%s\n", bytes,
	    strcmp(summary->reason, "forfeit") == 0 ? ", by forfeit" : "");
}

/* Prints the result and what to do next.  Returns the exit status. */
static enum status
print_end(const struct playing *playing, const struct play_outcome *outcome)
{
	const struct match_fault *fault = &outcome->fault;
	const char *record = playing->settings.record;
	const char *hint;

	if (outcome->error)
		return game_setup_error(outcome->error);
	if (fault->seat >= 0 && fault->kind == OFFENCE_STARTUP)
		return entrant_error(
		    &playing->entrants[playing->spec.entrant[fault->seat]],
		    outcome->summary.names[fault->seat], fault,
		    &playing->config.rules);
	if (outcome->status == STATUS_DONE)
		print_result(playing, &outcome->summary);
	else
		printf("\nstopped\n");
	if (fault->seat >= 0) {
		printf("fault   %s: %s %s\n",
		    outcome->summary.names[fault->seat],
		    offence_name(fault->kind), fault->reason);
		fault_text_print(fault, stdout);
		hint = entrant_end_hint(fault, &playing->config.rules);
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
play(struct playing *playing)
{
	const struct play_settings *settings = &playing->settings;
	bool records = strcmp(settings->record, RECORD_NONE) != 0;
	bool is_new = access(settings->record, F_OK) != 0;
	struct play_outcome outcome;
	struct play_config config = {
		.rules = &playing->config.rules,
		.entrants = playing->entrants,
		.spec = &playing->spec,
		.moves = playing->resume.moves,
		.move_count = playing->resume.move_count,
		.style = (enum card_style)settings->cards,
		.color = (enum color_choice)settings->color,
		.hint_command = settings->hint,
		.hint_sandbox =
		    settings->game.sandbox == SANDBOX_OFF ? "off" : "auto",
		.record_fd = records ? record_file_open(settings->record) : -1,
	};

	if (records && config.record_fd < 0)
		return error_status(STATUS_ENVIRONMENT,
		    "name a file in a folder that you may write to", NULL,
		    "record file \"%s\": %s", settings->record,
		    strerror(-config.record_fd));
	playing->config.rules.unrecorded = !records;
	print_head(playing);
	play_game(&config, &outcome);
	if (records)
		close(config.record_fd);
	/* No new file is left where there was no game. */
	if (records && is_new && !outcome.recorded)
		unlink(settings->record);
	return print_end(playing, &outcome);
}

/* Each step needs the values that the steps before it have read. */
static enum status (*const steps[])(struct playing *playing) = {
	read_resume,
	read_rules,
	check_seats,
	read_bots,
	read_packs,
	read_sandbox,
	play,
};

static enum status
play_run(const void *given, char **argv)
{
	/* static, as it is too large for the stack */
	static struct playing playing;
	enum status status = STATUS_DONE;

	(void)argv;
	playing.settings = *(const struct play_settings *)given;
	for (int i = 0; i < COUNTOF(steps) && status == STATUS_DONE; i++)
		status = steps[i](&playing);
	if (playing.config.rules.sandbox != NULL)
		sandbox_close(&playing.sandbox);
	if (playing.config.rules.packs != NULL)
		pack_file_close(&playing.packs);
	game_bots_release(&playing.bots);
	play_resume_release(&playing.resume);
	return status;
}

const struct command command_play = {
	.name = "play",
	.sentence = "Lets you play against bots in the terminal.",
	.detail =
	    "Type the number of a card to play it, ? for help. You have no "
	    "time limit. Ctrl-C, q or the end of the input stops the game with "
	    "exit status 130, and --resume goes on with it.",
	.usage = "[BOT...]",
	.arguments = { { "BOT",
	    "A path, a command in quotes, or @NAME of a built-in bot: one for "
	    "each seat without a person, or one for all of them. Without "
	    "it " BOT_USUAL "." } },
	.argument_max = 0, /* bots are read by the option --bot */
	.examples = { "play", "play @greedy --rules cirulla --cards es",
	    "play @maestro --rules scopone --person 1,3 --name anna,bruno",
	    "play --resume play.scopa" },
	.options = options,
	.settings_size = sizeof(struct play_settings),
	.run = play_run,
};
