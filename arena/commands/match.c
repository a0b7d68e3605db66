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
#include "entrants.h"
#include "match_report.h"
#include "rule_set.h"
#include "version.h"

enum {
	NS_PER_MS = 1000000,
	GRACE_MS = 1000, /* from `quit` to the kill: protocol.md */
	SPEC_SIZE = 1024,
	CONCURRENCY_MAX = 1024
};

struct seed {
	bool given;
	struct shuffle_key key;
};

struct settings {
	const char *rules, *teams, *packs, *record;
	int64_t seats, deals, target, rounds, concurrency, strikes;
	int64_t margin_ms, startup_ms, hang_ms;
	int policy; /* index into policies: 0 is the default by parties */
	bool duplicate, json, quiet;
	struct budget_control control;
	struct seed seed;
	struct entrant_words bots[SERIES_ENTRANTS_MAX];
	int bot_count;
};

static bool
parse_control(const char *value, void *field, struct scopa_text *why)
{
	return budget_control_parse(field, value, why);
}

static bool
parse_seed(const char *value, void *field, struct scopa_text *why)
{
	struct seed *seed = field;

	if (strcmp(value, "auto") == 0) {
		seed->given = false;
		return true;
	}
	if (!shuffle_key_parse(value, &seed->key)) {
		scopa_text_string(
		    why, "expects \"auto\" or 1 to 64 hex digits");
		return false;
	}
	seed->given = true;
	return true;
}

static const char *const policies[] = { "auto", "forfeit", "substitute",
	"disqualify", NULL };

#define FIELD(name) .offset = offsetof(struct settings, name)

static const struct option options[] = {
	{ .name = "rules",
	    .aliases = { "variant" },
	    .kind = OPTION_TEXT,
	    .value = "PRESET[,KEY=VALUE...]",
	    .sentence = "The game; `" VERSION_NAME " rules` lists them.",
	    .fallback = "scopa",
	    FIELD(rules) },
	{ .name = "bot",
	    .aliases = { "engine" },
	    .kind = OPTION_GROUP,
	    .value = "KEY=VALUE...",
	    .sentence = "A bot, with more to say of it than a command.",
	    .keys = entrant_keys,
	    .key_count = ENTRANT_KEY_COUNT,
	    .group_max = SERIES_ENTRANTS_MAX,
	    .group_size = sizeof(struct entrant_words),
	    .count_offset = offsetof(struct settings, bot_count),
	    FIELD(bots) },
	{ .name = "seats",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many seats. Without it, what bots and rules say.",
	    .unit = "seats",
	    .min = 2,
	    .max = SCOPA_SEATS_MAX,
	    FIELD(seats) },
	{ .name = "teams",
	    .kind = OPTION_TEXT,
	    .value = "ABAB",
	    .sentence = "The party of each seat.",
	    FIELD(teams) },
	{ .name = "deals",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "A game is so many deals, whatever the target.",
	    .unit = "deals",
	    .min = 1,
	    .max = 1000000,
	    FIELD(deals) },
	{ .name = "target",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "A game goes to so many points.",
	    .unit = "points",
	    .min = 1,
	    .max = SCOPA_TARGET_MAX,
	    FIELD(target) },
	{ .name = "rounds",
	    .aliases = { "games" },
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many sets of packs are played.",
	    .fallback = "1",
	    .unit = "rounds",
	    .min = 1,
	    .max = 1000000,
	    FIELD(rounds) },
	{ .name = "duplicate",
	    .aliases = { "repeat" },
	    .kind = OPTION_FLAG,
	    .sentence = "Play each round once for every way of seating the "
			"bots, with the same packs.",
	    FIELD(duplicate) },
	{ .name = "tc",
	    .kind = OPTION_PARSED,
	    .value = "match:S+I|deal:S+I|move:S|none",
	    .sentence = "The time of each bot, in seconds.",
	    .fallback = "move:10",
	    .parse = parse_control,
	    FIELD(control) },
	{ .name = "timemargin",
	    .kind = OPTION_INT,
	    .value = "MS",
	    .sentence = "How much later than that an answer may come.",
	    .fallback = "0",
	    .unit = "milliseconds",
	    .min = 0,
	    .max = 60000,
	    FIELD(margin_ms) },
	{ .name = "startup-ms",
	    .kind = OPTION_INT,
	    .value = "MS",
	    .sentence = "How long a bot may take to get ready.",
	    .fallback = "10000",
	    .unit = "milliseconds",
	    .min = 1,
	    .max = 3600000,
	    FIELD(startup_ms) },
	{ .name = "hang-ms",
	    .kind = OPTION_INT,
	    .value = "MS",
	    .sentence = "How long a bot that was late may take to answer "
			"`isready` before it is killed.",
	    .fallback = "5000",
	    .unit = "milliseconds",
	    .min = 1,
	    .max = 3600000,
	    FIELD(hang_ms) },
	{ .name = "seed",
	    .aliases = { "srand" },
	    .kind = OPTION_PARSED,
	    .value = "HEX|auto",
	    .sentence = "The secret that all packs come from; the same seed "
			"gives the same cards.",
	    .fallback = "auto",
	    .parse = parse_seed,
	    FIELD(seed) },
	{ .name = "packs",
	    .aliases = { "openings" },
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "Deal the packs of this file, one a line, and begin "
			"again after the last.",
	    FIELD(packs) },
	{ .name = "illegal",
	    .kind = OPTION_NAME,
	    .value = "POLICY",
	    .names = policies,
	    .sentence = "What follows an offence: the game is lost, or the "
			"arena moves for the bot, or no further game is "
			"played. auto: forfeit with two parties, else "
			"substitute.",
	    .fallback = "auto",
	    FIELD(policy) },
	{ .name = "strikes",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Under substitute, the offence that loses the game.",
	    .fallback = "3",
	    .unit = "offences",
	    .min = 1,
	    .max = 1000,
	    FIELD(strikes) },
	{ .name = "concurrency",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Games at once.",
	    .fallback = "1",
	    .unit = "games",
	    .min = 1,
	    .max = CONCURRENCY_MAX,
	    FIELD(concurrency) },
	{ .name = "record",
	    .aliases = { "pgnout" },
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "Append the record of every game to this file.",
	    FIELD(record) },
	{ .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "Print one JSON document.",
	    FIELD(json) },
	{ .name = "quiet",
	    .kind = OPTION_FLAG,
	    .sentence = "Print the result alone.",
	    FIELD(quiet) },
};

/* The rule set with what options and the number of bots add to it. */
static enum status
read_rules(const struct settings *settings, int bot_count, struct rule_set *set,
    char spec[SPEC_SIZE])
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
read_bots(const struct settings *settings, int argc, char **argv,
    struct series_config *config)
{
	int count = argc + settings->bot_count;

	if (count != config->rules.rules.players &&
	    count != scopa_party_count(&config->rules.rules))
		return complain_count(&config->rules.rules, count);
	config->entrant_count = count;
	for (int i = 0; i < count; i++) {
		struct entrant_words words = { .command = argv[i] };
		enum status status = entrant_read(&config->entrants[i],
		    i < argc ? &words : &settings->bots[i - argc]);

		if (status != STATUS_DONE)
			return status;
	}
	return STATUS_DONE;
}

static void
fill_referee(const struct settings *settings, struct match_rules *rules)
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
		    policies[settings->policy], &rules->settings.policy);
	rules->grace_ns = (int64_t)GRACE_MS * NS_PER_MS;
	rules->deals = (int)settings->deals;
}

static enum status
read_packs(const struct settings *settings, struct packs *packs)
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
	}
	return error ? STATUS_USAGE : STATUS_DONE;
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
end_status(const struct series_config *config, enum series_end end, int detail,
    const struct series_result *last)
{
	switch (end) {
	case SERIES_DONE:
		return STATUS_DONE;
	case SERIES_STOPPED:
		if (last->fault.kind == OFFENCE_STARTUP)
			entrant_complain(&config->entrants[last->fault_entrant],
			    last->names[last->fault_entrant], &last->fault,
			    config->rules.settings.startup_ns);
		return STATUS_BOT;
	case SERIES_INTERRUPTED:
		return (enum status)(128 + detail);
	case SERIES_FAILED:
		break;
	}
	return complain_machine(detail);
}

static enum status
play(const struct settings *settings, struct series_config *config)
{
	struct match_report report;
	enum series_end end;
	int detail;

	config->record_fd = -1;
	if (settings->record) {
		config->record_fd = record_file_open(settings->record);
		if (config->record_fd < 0) {
			complaint_say("record file \"%s\": %s",
			    settings->record, strerror(-config->record_fd));
			return STATUS_ENVIRONMENT;
		}
	}
	match_report_begin(
	    &report, config, settings->json, settings->quiet, settings->record);
	end = series_run(config, match_report_take, &report, &detail);
	match_report_end(&report, end);
	if (config->record_fd >= 0)
		close(config->record_fd);
	return end_status(config, end, detail, &report.last);
}

static enum status
match_run(const void *given, int argc, char **argv)
{
	const struct settings *settings = given;
	static struct series_config config;
	struct rule_set set;
	struct packs packs = { 0 };
	char spec[SPEC_SIZE];
	enum status status;

	if (settings->deals > 0 && settings->target > 0) {
		complaint_say("--deals and --target exclude each other");
		return STATUS_USAGE;
	}
	status = read_rules(settings, argc + settings->bot_count, &set, spec);
	if (status != STATUS_DONE)
		return status;
	config.rules.rules = set.rules;
	config.rules.preset = set.preset;
	config.rounds = (int)settings->rounds;
	config.duplicate = settings->duplicate;
	config.concurrency = (int)settings->concurrency;
	config.rules.secret = settings->seed.key;
	fill_referee(settings, &config.rules);
	status = read_bots(settings, argc, argv, &config);
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
	.argument_max = SERIES_ENTRANTS_MAX,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = match_run,
};
