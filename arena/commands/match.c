/*
 * match: bots play each other, here and now.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "complaint.h"
#include "countof.h"
#include "match_options.h"
#include "match_report.h"
#include "plan.h"
#include "rule_set.h"
#include "version.h"

enum {
	NS_PER_MS = 1000000,
	GRACE_MS = 1000, /* from `quit` to the kill: protocol.md */
	SPEC_SIZE = 1024
};

/* The rule set with what options and the number of bots add to it. */
static enum status
read_rules(const struct match_settings *settings, int bot_count,
    struct rule_set *set, char spec[SPEC_SIZE])
{
	const char *given = settings->rules;
	bool seats_known = settings->seats > 0 || settings->teams != NULL ||
	    strstr(given, "players=") || strstr(given, "teams=");
	struct scopa_text text;

	if (!rule_set_read(given, set))
		return STATUS_USAGE;
	if (bot_count < 2 || bot_count == 5 || bot_count > SCOPA_SEATS_MAX) {
		complaint_say("%d bot%s, but a game has 2, 3, 4 or 6 seats",
		    bot_count, bot_count == 1 ? "" : "s");
		complaint_add("hint", "name one bot a seat, or one a party");
		complaint_add("try", VERSION_NAME " match @greedy @random");
		return STATUS_USAGE;
	}
	scopa_text_init(&text, spec, SPEC_SIZE);
	scopa_text_string(&text, given);
	if (!seats_known && bot_count != set->rules.players &&
	    bot_count != scopa_party_count(&set->rules)) {
		scopa_text_string(&text, ",players=");
		scopa_text_int(&text, bot_count);
	}
	if (settings->seats > 0) {
		scopa_text_string(&text, ",players=");
		scopa_text_int(&text, settings->seats);
	}
	if (settings->teams) {
		scopa_text_string(&text, ",teams=");
		scopa_text_string(&text, settings->teams);
	}
	if (settings->target > 0) {
		scopa_text_string(&text, ",target=");
		scopa_text_int(&text, settings->target);
	}
	return rule_set_read(spec, set) ? STATUS_DONE : STATUS_USAGE;
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
read_bots(const struct match_settings *settings, int argc, char **argv,
    struct series_config *config)
{
	static struct entrant entrants[PLAN_ENTRANTS_MAX];
	int count = argc + settings->bot_count;

	if (count != config->rules.rules.players &&
	    count != scopa_party_count(&config->rules.rules))
		return complain_count(&config->rules.rules, count);
	config->entrants = entrants;
	config->entrant_count = count;
	for (int i = 0; i < count; i++) {
		struct entrant_words words = { .command = argv[i] };
		enum status status = entrant_read(&entrants[i],
		    i < argc ? &words : &settings->bots[i - argc]);

		if (status != STATUS_DONE)
			return status;
	}
	return STATUS_DONE;
}

static void
fill_referee(const struct match_settings *settings, struct match_rules *rules)
{
	rules->settings = (struct referee_settings){
		.arena = VERSION_NAME "/" VERSION_NUMBER,
		.control = settings->control,
		.margin_ns = settings->margin_ms * NS_PER_MS,
		.startup_ns = settings->startup_ms * NS_PER_MS,
		.hang_ns = settings->hang_ms * NS_PER_MS,
		.strikes_max = (int)settings->strikes,
		.observe = true,
		.policy = policy_default(scopa_party_count(&rules->rules)),
	};
	if (settings->policy > 0)
		(void)policy_find(
		    match_policies[settings->policy], &rules->settings.policy);
	rules->grace_ns = (int64_t)GRACE_MS * NS_PER_MS;
	rules->deals = (int)settings->deals;
}

static enum status
read_packs(const struct match_settings *settings, struct packs *packs)
{
	char reason[512];
	struct scopa_text why;
	int error;

	scopa_text_init(&why, reason, sizeof(reason));
	error = packs_open(packs, settings->packs, &why);
	if (error == -EBADMSG) {
		complaint_say("pack file \"%s\": %s", settings->packs, reason);
		complaint_add("hint",
		    "a pack is a line of 80 characters: the 40 cards in order "
		    "of dealing");
	} else if (error) {
		complaint_say(
		    "pack file \"%s\": %s", settings->packs, strerror(-error));
		complaint_add("hint",
		    "check the spelling, and the folder that the path starts "
		    "in");
	}
	return error ? STATUS_USAGE : STATUS_DONE;
}

/* Cores that cannot be had are found before anything starts. */
static enum status
read_pin(const struct match_pin *pin, struct series_config *config)
{
	struct cores allowed;
	char text[256];
	int error;

	config->pin = pin->kind;
	config->cores = pin->cores;
	error = cores_allowed(&allowed);
	for (int i = 0; error == 0 && i < pin->cores.count; i++) {
		if (cores_have(&allowed, pin->cores.ids[i]))
			continue;
		cores_format(&allowed, text, sizeof(text));
		complaint_say("core %d is not one that this program may use",
		    pin->cores.ids[i]);
		complaint_add("hint", "those that it may use: %s", text);
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}

static enum status
complain_machine(int error)
{
	if (error == -EBADMSG) {
		complaint_say("the rules throw in every pack of the file");
		return STATUS_USAGE;
	}
	complaint_say("the machine refused: %s", strerror(-error));
	if (error == -EMFILE)
		complaint_add("hint", "lower --concurrency or raise ulimit -n");
	return STATUS_ENVIRONMENT;
}

static enum status
complain_loss(const struct series_outcome *outcome)
{
	if (WIFSIGNALED(outcome->detail))
		complaint_say("a worker process of the arena was ended by "
			      "signal %d (%s)",
		    WTERMSIG(outcome->detail),
		    strsignal(WTERMSIG(outcome->detail)));
	else
		complaint_say("a worker process of the arena ended with exit "
			      "status %d",
		    WEXITSTATUS(outcome->detail));
	if (outcome->lost_count > 0)
		complaint_add("where", "%d game%s that it played %s lost",
		    outcome->lost_count, outcome->lost_count == 1 ? "" : "s",
		    outcome->lost_count == 1 ? "is" : "are");
	complaint_add("hint",
	    "somebody killed it, or memory ran out (see dmesg), or this is "
	    "an error in the arena");
	return STATUS_ENVIRONMENT;
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
			entrant_complain(&config->entrants[last->fault_entrant],
			    last->names[last->fault.seat], &last->fault,
			    config->rules.settings.startup_ns);
		return STATUS_BOT;
	case SERIES_INTERRUPTED:
		return (enum status)(128 + outcome->detail);
	case SERIES_LOST:
		return complain_loss(outcome);
	case SERIES_FAILED:
		break;
	}
	return complain_machine(outcome->detail);
}

/* A match on its way. */
struct course {
	const struct series_config *config;
	struct plan plan;
	int next; /* game to play */
	int record_fd;
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
	int error = 0;

	if (size > 0)
		error = record_file_append(course->record_fd, block, size);
	if (error)
		series_end(series, SERIES_FAILED, error, SERIES_FINISH);
	match_report_take(&course->report, result);
	if (stops_match(course, result))
		series_end(series, SERIES_STOPPED, 0, SERIES_FINISH);
}

static const struct series_calls calls = {
	.next = next_game,
	.on_result = on_result,
};

static enum status
play(const struct match_settings *settings, struct series_config *config)
{
	struct course course = {
		.config = config,
		.plan = { .rules = &config->rules.rules,
		    .entrant_count = config->entrant_count,
		    .rounds = (int)settings->rounds,
		    .duplicate = settings->duplicate },
		.record_fd = -1,
	};
	struct series_outcome outcome;

	if (config->concurrency > plan_game_count(&course.plan))
		config->concurrency = (int)plan_game_count(&course.plan);
	config->record = settings->record != NULL;
	if (config->record) {
		course.record_fd = record_file_open(settings->record);
		if (course.record_fd < 0) {
			complaint_say("record file \"%s\": %s",
			    settings->record, strerror(-course.record_fd));
			complaint_add("hint",
			    "name a file in a folder that you may write to");
			return STATUS_ENVIRONMENT;
		}
	}
	course.report = (struct match_report){
		.config = config,
		.game_count = plan_game_count(&course.plan),
		.json = settings->json,
		.quiet = settings->quiet,
		.record = settings->record,
	};
	match_report_begin(&course.report);
	outcome = series_run(config, &calls, &course);
	match_report_end(&course.report, outcome.end);
	if (course.record_fd >= 0)
		close(course.record_fd);
	return end_status(config, &outcome, &course.report.last);
}

static enum status
match_run(const void *given, int argc, char **argv)
{
	const struct match_settings *settings = given;
	static struct series_config config;
	struct rule_set set;
	struct packs packs = { 0 };
	char spec[SPEC_SIZE];
	enum status status;

	if (settings->deals > 0 && settings->target > 0) {
		complaint_say("--deals and --target exclude each other");
		complaint_add("hint",
		    "a game is a number of deals, or it goes to a number of "
		    "points");
		return STATUS_USAGE;
	}
	status = read_rules(settings, argc + settings->bot_count, &set, spec);
	if (status != STATUS_DONE)
		return status;
	config.rules.rules = set.rules;
	config.rules.preset = set.preset;
	config.concurrency = (int)settings->concurrency;
	config.rules.secret = settings->seed.key;
	fill_referee(settings, &config.rules);
	status = read_bots(settings, argc, argv, &config);
	if (status != STATUS_DONE)
		return status;
	status = read_pin(&settings->pin, &config);
	if (status != STATUS_DONE)
		return status;
	if (!settings->seed.given) {
		int error = shuffle_key_draw(&config.rules.secret);

		if (error)
			return complain_machine(error);
	}
	if (settings->packs) {
		status = read_packs(settings, &packs);
		if (status != STATUS_DONE)
			return status;
		config.rules.packs = &packs;
	}
	status = play(settings, &config);
	config.rules.packs = NULL;
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
	.argument_max = PLAN_ENTRANTS_MAX,
	.examples = examples,
	.options = match_options,
	.option_count = MATCH_OPTION_COUNT,
	.settings_size = sizeof(struct match_settings),
	.run = match_run,
};
