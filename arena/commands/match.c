/*
 * match: bots play each other, here and now.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "complaint.h"
#include "countof.h"
#include "game_options.h"
#include "match_options.h"
#include "match_report.h"
#include "plan.h"
#include "version.h"

/* A match is of as many bots as a game has seats or parties. */
static enum status
read_rules(const struct match_settings *settings, struct match_rules *rules)
{
	int count = settings->game.bot_count;

	if (count < 2 || count == 5 || count > SCOPA_SEATS_MAX) {
		struct match_rules only_read;

		/* Rules that are wrong, too, are said first. */
		if (game_setup_rules(&settings->game, 0, &only_read) !=
		    STATUS_DONE)
			return STATUS_USAGE;
		complaint_say("%d bot%s, but a game has 2, 3, 4 or 6 seats",
		    count, count == 1 ? "" : "s");
		complaint_add("hint", "name one bot a seat, or one a party");
		complaint_add("try", VERSION_NAME " match @greedy @random");
		return STATUS_USAGE;
	}
	return game_setup_rules(&settings->game, count, rules);
}

static enum status
complain_count(const struct scopa_rules *rules, int bot_count)
{
	int parties = scopa_party_count(rules);

	complaint_say(
	    "%d bots for a game of %d seats", bot_count, rules->players);
	if (parties < rules->players)
		complaint_add("hint",
		    "name %d bots, one a seat, or %d, one a party",
		    rules->players, parties);
	else
		complaint_add(
		    "hint", "name %d bots, one a seat", rules->players);
	complaint_add("try", VERSION_NAME " match --help");
	return STATUS_USAGE;
}

static enum status
read_bots(const struct match_settings *settings, struct series_config *config)
{
	static struct entrant_words words[PLAN_ENTRANTS_MAX];
	static struct entrant entrants[PLAN_ENTRANTS_MAX];
	int count = settings->game.bot_count;
	struct budget_control control;
	enum status status;

	if (count != config->rules.rules.players &&
	    count != scopa_party_count(&config->rules.rules))
		return complain_count(&config->rules.rules, count);
	memcpy(words, settings->game.bots, (size_t)count * sizeof(words[0]));
	status = game_setup_bots(
	    &settings->game, words, entrants, count, ENTRANT_TO_PLAY, &control);
	config->entrants = entrants;
	config->entrant_count = count;
	if (status == STATUS_DONE)
		game_setup_referee(&settings->game, &control, &config->rules);
	return status;
}

static enum status
end_status(const struct series_config *config,
    const struct series_outcome *outcome, const struct series_result *last)
{
	switch (outcome->end) {
	case SERIES_DONE:
		return STATUS_DONE;
	case SERIES_STOPPED:
		if (last->fault.kind == OFFENCE_STARTUP)
			return entrant_complain(
			    &config->entrants[last->fault_entrant],
			    last->names[last->fault.seat], &last->fault,
			    &config->rules);
		return STATUS_BOT;
	case SERIES_INTERRUPTED:
		return (enum status)(128 + outcome->detail);
	case SERIES_LOST:
		return loss_complain(outcome->detail, outcome->lost_count);
	case SERIES_FAILED:
		break;
	}
	return game_setup_complain(outcome->detail);
}

/* A match on its way. */
struct course {
	const struct series_config *config;
	struct plan plan;
	int next; /* game to play */
	int record_fd;
	int record_error; /* -errno: games from then on are not recorded */
	struct match_report report;
};

static enum series_supply
next_game(struct series *series, void *context, struct series_game *game)
{
	struct course *course = context;

	(void)series;
	if (course->next == plan_game_count(&course->plan))
		return SERIES_NO_MORE;
	*game = plan_game(&course->plan, course->next++);
	return SERIES_GAME;
}

/* A fault after which the remaining games make no sense. */
static bool
stops_match(const struct course *course, const struct series_result *result)
{
	return result->fault_entrant >= 0 &&
	    (result->fault.kind == OFFENCE_STARTUP ||
		course->config->rules.settings.policy == POLICY_DISQUALIFY);
}

static void
on_result(struct series *series, void *context,
    const struct series_result *result, const char *block, size_t size)
{
	struct course *course = context;

	/* What was refused was no game. */
	if (size > 0 && !entrant_is_misused(&result->fault) &&
	    course->record_error == 0)
		course->record_error =
		    record_file_append(course->record_fd, block, size);
	/* Only games that the file has are counted. */
	if (course->record_error) {
		series_end(
		    series, SERIES_FAILED, course->record_error, SERIES_ABORT);
		return;
	}
	match_report_take(&course->report, result);
	if (stops_match(course, result))
		series_end(series, SERIES_STOPPED, 0, SERIES_FINISH);
}

static const struct series_calls calls = {
	.next = next_game,
	.on_result = on_result,
};

static enum status
complain_record(const char *path, int error)
{
	complaint_say("record file \"%s\": %s", path, strerror(-error));
	complaint_add("hint",
	    error == -ENOSPC || error == -EDQUOT || error == -EFBIG
		? "make room on the disk; the result counts the games that "
		  "the file has"
		: "the result counts the games that the file has");
	return STATUS_ENVIRONMENT;
}

static enum status
play(const struct match_settings *settings, struct series_config *config,
    const struct plan *plan)
{
	const char *record = settings->record.path;
	struct course course = {
		.config = config,
		.plan = *plan,
		.record_fd = -1,
	};
	struct series_outcome outcome;
	bool record_is_new = false;
	enum status status;

	if (config->concurrency > plan_game_count(plan))
		config->concurrency = (int)plan_game_count(plan);
	config->record = record != NULL;
	config->rules.unrecorded = !config->record;
	if (config->record) {
		record_is_new = access(record, F_OK) != 0;
		course.record_fd = record_file_open(record);
		if (course.record_fd < 0) {
			complaint_say("record file \"%s\": %s", record,
			    strerror(-course.record_fd));
			complaint_add("hint",
			    "name a file in a folder that you may write to");
			return STATUS_ENVIRONMENT;
		}
	}
	course.report = (struct match_report){
		.config = config,
		.game_count = plan_game_count(plan),
		.json = settings->game.json,
		.quiet = settings->game.quiet,
		.record = record,
		.seed_drawn = !settings->game.seed.given,
	};
	match_report_begin(&course.report);
	outcome = series_run(config, &calls, &course);
	match_report_end(&course.report, outcome.end);
	if (course.record_fd >= 0)
		close(course.record_fd);
	if (course.record_error)
		return complain_record(record, course.record_error);
	status = end_status(config, &outcome, &course.report.last);
	/* Of a call that was refused nothing is left. */
	if (status == STATUS_USAGE && record_is_new)
		unlink(record);
	return status;
}

/* Which games there are, by rounds or by games. */
static enum status
read_plan(const struct match_settings *settings,
    const struct series_config *config, struct plan *plan)
{
	int64_t rounds;
	enum status status;

	*plan = (struct plan){
		.rules = &config->rules.rules,
		.entrant_count = config->entrant_count,
		.rounds = 1,
		.duplicate = settings->duplicate,
	};
	status = game_setup_rounds(settings->rounds, settings->games,
	    (int)plan_game_count(plan), &rounds);
	if (status == STATUS_DONE && rounds > 0)
		plan->rounds = (int)rounds;
	return status;
}

static enum status
match_run(const void *given, int argc, char **argv)
{
	const struct match_settings *settings = given;
	const struct game_settings *game = &settings->game;
	static struct series_config config;
	struct packs packs = { 0 };
	static struct walls walls;
	struct plan plan;
	enum status status;

	(void)argc;
	(void)argv;
	config.concurrency = (int)game->concurrency;
	config.thinkers = game->thinkers.count;
	status = read_rules(settings, &config.rules);
	if (status == STATUS_DONE)
		status = read_bots(settings, &config);
	if (status == STATUS_DONE)
		status = read_plan(settings, &config, &plan);
	if (status == STATUS_DONE)
		status = game_setup_pin(game, &config.pin, &config.cores);
	if (status == STATUS_DONE)
		status = game_setup_secret(game, &config.rules);
	if (status == STATUS_DONE)
		status = game_setup_packs(game, &packs, &config.rules);
	if (status == STATUS_DONE)
		status = game_setup_walls(
		    game, settings->record.path, &walls, &config.rules);
	if (status == STATUS_DONE) {
		entrants_weaken(
		    config.entrants, config.entrant_count, game->quiet, &walls);
		entrants_warn(
		    config.entrants, config.entrant_count, config.rules.walls);
		status = play(settings, &config, &plan);
	}
	if (config.rules.walls != NULL)
		walls_close(&walls);
	if (config.rules.packs != NULL)
		packs_close(&packs);
	return status;
}

static const struct command_argument arguments[] = {
	{ "BOT",
	    "A path, a command in quotes, or @NAME of a built-in bot: one a "
	    "seat, or one a party." },
};

static const char *const examples[] = {
	VERSION_NAME " match @greedy @random",
	VERSION_NAME " match ./mybot.py @greedy --rounds 100 --duplicate "
		     "--concurrency 4",
	VERSION_NAME " match @greedy @random --rules scopone --deals 1 --seed "
		     "2a --record games.scopa",
	VERSION_NAME " match --bot ./mybot.py option.Depth=3 --bot @greedy "
		     "--each tc=move:0.5",
	NULL,
};

const struct command command_match = {
	.name = "match",
	.sentence = "Lets bots play each other and prints the result.",
	.detail = "Bots are child processes that speak USP/1 over pipes. The "
		  "seed is printed and gives the same cards again.",
	.usage = "BOT BOT [BOT...]",
	.arguments = arguments,
	.argument_kinds = COUNTOF(arguments),
	.argument_min = 0,
	.argument_max = 0, /* --bot takes them */
	.examples = examples,
	.options = match_options,
	.option_count = MATCH_OPTION_COUNT,
	.settings_size = sizeof(struct match_settings),
	.run = match_run,
};
