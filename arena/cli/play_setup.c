/*
 * Implements play_setup.h.
 */
#include "play_setup.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "countof.h"
#include "error_message.h"
#include "play_person.h"
#include "players.h"
#include "text_format.h"
#include "version.h"

static bool
parse_persons(const char *value, void *field, struct scopa_text *why)
{
	return play_seats_parse(value, field) ||
	    option_refuse(why, "expects a seat or several, such as 1,3");
}

#define FIELD(name) offsetof(struct play_settings, name)

const struct option play_person_options[] = {
	PARSED_OPTION("person", "SEAT[,SEAT...]", FIELD(persons), parse_persons,
	    "The seats of persons. Seat 1 plays first in the first deal.",
	    .fallback = "1"),
	TEXT_OPTION("name", "NAME[,NAME...]", FIELD(names),
	    "The names of the persons, in the order of their seats."),
	TEXT_OPTION("hint", "BOT", FIELD(hint),
	    "The bot that gives hints. It is shown what the seat knows, and "
	    "has a second.",
	    .fallback = PLAY_BOT_USUAL),
	TEXT_OPTION("record", "FILE|none", FIELD(record),
	    "Append the record of the game to this file.", .is_path = true,
	    .fallback = "play.scopa"),
	OPTIONS_END,
};

const char *
play_record_path(const struct play_settings *settings)
{
	return strcmp(settings->record, "none") == 0 ? NULL : settings->record;
}

enum status
play_record_open(const struct play_settings *settings, int *fd)
{
	const char *path = play_record_path(settings);

	*fd = path != NULL ? record_file_open(path) : -1;
	if (path == NULL || *fd >= 0)
		return STATUS_DONE;
	return error_status(STATUS_ENVIRONMENT,
	    "name a file in a folder that you may write to", NULL,
	    "record file \"%s\": %s", path, strerror(-*fd));
}

static int
person_count(const struct play_setup *setup)
{
	return __builtin_popcount(setup->settings.persons);
}

static bool
is_person(const struct play_setup *setup, int seat)
{
	return setup->settings.persons >> seat & 1;
}

/*
 * Names the bots of the record, if they are built in and no bots were named.
 * Bots of the same name are one bot at several seats.
 */
static enum status
name_bots(struct play_setup *setup)
{
	struct game_settings *game = &setup->settings.game;
	const struct event_seat *seats = setup->resume.head.game.seats;
	bool same = true;
	int count = 0;

	for (int seat = 0; seat < setup->resume.head.rules.players; seat++) {
		char *command = setup->commands[count];

		if (is_person(setup, seat))
			continue;
		snprintf(command, sizeof(setup->commands[count]), "@%s",
		    seats[seat].name);
		if (builtin_find(command + 1) == NULL)
			return error_usage("name the bots as for a new game",
			    "--resume: \"%s\" is not built in",
			    seats[seat].name);
		game->bots[count].command = command;
		same &= strcmp(command, setup->commands[0]) == 0;
		count++;
	}
	game->bot_count = same && count > 1 ? 1 : count;
	return STATUS_DONE;
}

/* Reads the game to go on with, if there is one. */
static enum status
read_resume(struct play_setup *setup)
{
	struct play_settings *settings = &setup->settings;
	enum status status;

	if (settings->resume == NULL)
		return STATUS_DONE;
	status = play_resume_read(&setup->resume, settings->resume);
	if (status != STATUS_DONE)
		return status;
	settings->persons = setup->resume.persons;
	settings->record = settings->resume;
	settings->game.seed.given = true;
	settings->game.seed.key = setup->resume.secret;
	settings->game.packs.path = NULL;
	return settings->game.bot_count == 0 ? name_bots(setup) : STATUS_DONE;
}

/* Sets the rules: those of the record, or those of the options. */
static enum status
read_rules(struct play_setup *setup)
{
	const struct record_head *head = &setup->resume.head;
	struct game_settings *game = &setup->settings.game;
	struct match_rules *rules = &setup->config.rules;

	if (setup->settings.resume != NULL) {
		rules->rules = head->rules;
		rules->preset = head->preset;
		rules->deals = head->deals;
		rules->max_deals = head->game.match.max_deals;
		return STATUS_DONE;
	}
	if (game->bot_count == 0 && person_count(setup) == 1) {
		game->bots[0].command = PLAY_BOT_USUAL;
		game->bot_count = 1;
	}
	/* A single bot may sit at several seats. */
	return game_setup_rules(game,
	    game->bot_count == 1 && person_count(setup) == 1
		? 0
		: person_count(setup) + game->bot_count,
	    rules);
}

/* Checks that persons and bots fill the seats. */
static enum status
check_seats(struct play_setup *setup)
{
	int seats = setup->config.rules.rules.players;
	int bots = setup->settings.game.bot_count;
	int free_count = seats - person_count(setup);

	if (setup->settings.persons >> seats != 0)
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
name_persons(struct play_setup *setup)
{
	const char *given = setup->settings.names;
	struct word rest = { given, given ? strlen(given) : 0 }, piece;

	for (int seat = 0; seat < setup->config.rules.rules.players; seat++) {
		char *name = setup->names[seat];

		if (!is_person(setup, seat))
			continue;
		if (setup->settings.resume != NULL)
			memcpy(name, setup->resume.head.game.seats[seat].name,
			    EVENT_NAME_SIZE);
		else if (given != NULL && word_next_piece(&rest, ',', &piece) &&
		    piece.length > 0)
			snprintf(name, EVENT_NAME_SIZE, "%.*s",
			    (int)piece.length, piece.bytes);
		else if (person_count(setup) == 1)
			snprintf(name, EVENT_NAME_SIZE, PERSON_NAME_USUAL);
		else
			snprintf(name, EVENT_NAME_SIZE, "person-%d", seat + 1);
	}
}

/* Reads the bots and seats everybody. */
static enum status
read_bots(struct play_setup *setup)
{
	const struct game_settings *game = &setup->settings.game;
	const struct plan plan = {
		.rules = &setup->config.rules.rules,
		.entrant_count = setup->config.rules.rules.players,
		.rounds = 1,
	};
	int persons = 0, bots = 0;
	enum status status = game_setup_bots(
	    game, NULL, ENTRANT_TO_PLAY, &setup->bots, &setup->config);

	if (status != STATUS_DONE)
		return status;
	name_persons(setup);
	setup->spec = plan_game(&plan, 0);
	for (int i = 0; i < game->bot_count; i++)
		setup->entrants[person_count(setup) + i] =
		    setup->bots.entrants[i];
	for (int seat = 0; seat < plan.rules->players; seat++) {
		struct entrant *entrant = &setup->entrants[persons];

		if (!is_person(setup, seat)) {
			setup->spec.entrant[seat] = person_count(setup) +
			    (game->bot_count == 1 ? 0 : bots++);
			continue;
		}
		entrant->is_person = true;
		memcpy(entrant->name, setup->names[seat], EVENT_NAME_SIZE);
		setup->spec.entrant[seat] = persons++;
	}
	return STATUS_DONE;
}

static enum status
read_packs(struct play_setup *setup)
{
	const struct game_settings *game = &setup->settings.game;
	enum status status = game_setup_secret(game, &setup->config.rules);

	return status == STATUS_DONE
	    ? game_setup_packs(game, &setup->packs, &setup->config.rules)
	    : status;
}

static enum status
read_sandbox(struct play_setup *setup)
{
	enum status status;

	if (setup->shared != NULL) {
		setup->config.rules.sandbox = setup->shared;
		return STATUS_DONE;
	}
	status = game_setup_sandbox(&setup->settings.game,
	    play_record_path(&setup->settings), &setup->sandbox,
	    &setup->config);

	if (status == STATUS_DONE)
		entrants_warn(setup->bots.entrants, setup->config.entrant_count,
		    setup->config.rules.sandbox);
	return status;
}

/* Each step needs the values that the steps before it have read. */
static enum status (*const steps[])(struct play_setup *setup) = {
	read_resume,
	read_rules,
	check_seats,
	read_bots,
	read_packs,
	read_sandbox,
};

enum status
play_setup_open(struct play_setup *setup, const struct play_settings *settings,
    const struct sandbox *shared)
{
	enum status status = STATUS_DONE;

	memset(setup, 0, sizeof(*setup));
	setup->settings = *settings;
	setup->shared = shared;
	for (int i = 0; i < COUNTOF(steps) && status == STATUS_DONE; i++)
		status = steps[i](setup);
	setup->config.rules.unrecorded =
	    play_record_path(&setup->settings) == NULL;
	return status;
}

void
play_setup_close(struct play_setup *setup)
{
	if (setup->config.rules.sandbox == &setup->sandbox)
		sandbox_close(&setup->sandbox);
	if (setup->config.rules.packs != NULL)
		pack_file_close(&setup->packs);
	game_bots_release(&setup->bots);
	play_resume_release(&setup->resume);
}
