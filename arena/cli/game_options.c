#include "game_options.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "error_message.h"
#include "game.h"
#include "self_test.h"
#include "user.h"
#include "version.h"

bool
byte_size_parse(const char *text, int64_t *bytes)
{
	static const char letters[] = "KMGT";
	const char *letter;
	long long value;
	int shift = 0;
	char *end;

	/* strtoll() takes signs and blanks. */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno != 0)
		return false;
	if (*end != '\0') {
		letter = strchr(letters, *end);
		if (letter == NULL || end[1] != '\0')
			return false;
		shift = 10 * (int)(letter - letters + 1);
	}
	if (value > INT64_MAX >> shift)
		return false;
	*bytes = value << shift;
	return true;
}

enum { REASON_SIZE = 512, PRESET_NAME_SIZE = 64 };

/* What stands before the first comma of a spec that was good. */
static const struct scopa_preset *
preset_of(const char *spec)
{
	char name[PRESET_NAME_SIZE];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ","), spec);
	return scopa_preset_find(name);
}

bool
rule_set_read(const char *spec, struct rule_set *set)
{
	char reason[REASON_SIZE];
	struct scopa_text why;

	scopa_text_init(&why, reason, sizeof(reason));
	if (!scopa_rules_parse(&set->rules, spec, &why)) {
		error_print("rules \"%s\": %s", spec, reason);
		error_detail("try", VERSION_NAME " rules");
		return false;
	}
	set->spec = spec;
	set->preset = preset_of(spec);
	assert(set->preset != NULL);
	return true;
}

/* What a runtime needs for a file or two; what no machine has. */
#define SCRATCH_MIN_BYTES (INT64_C(64) << 10)
#define SCRATCH_MAX_BYTES (INT64_C(1) << 40)
#define MEMORY_MIN_BYTES (INT64_C(16) << 20)
#define MEMORY_MAX_BYTES (INT64_C(1) << 40)

static bool
parse_control(const char *value, void *field, struct scopa_text *why)
{
	struct entrant_control *control = field;

	if (!entrant_control_parse(&control->control, value, why))
		return false;
	control->given = true;
	return true;
}

static bool
parse_scratch(const char *value, void *field, struct scopa_text *why)
{
	int64_t *bytes = field;
	int64_t parsed = 0;

	if (strcmp(value, "none") != 0 &&
	    (!byte_size_parse(value, &parsed) || parsed < SCRATCH_MIN_BYTES ||
		parsed > SCRATCH_MAX_BYTES)) {
		scopa_text_string(
		    why, "expects \"none\" or a size from 64K to 1T");
		return false;
	}
	*bytes = parsed;
	return true;
}

static bool
parse_memory(const char *value, void *field, struct scopa_text *why)
{
	int64_t *bytes = field;
	int64_t parsed = 0;

	if (strcmp(value, "none") != 0 &&
	    (!byte_size_parse(value, &parsed) || parsed < MEMORY_MIN_BYTES ||
		parsed > MEMORY_MAX_BYTES)) {
		scopa_text_string(
		    why, "expects \"none\" or a size from 16M to 1T");
		return false;
	}
	*bytes = parsed;
	return true;
}

static bool
parse_seed(const char *value, void *field, struct scopa_text *why)
{
	struct game_seed *seed = field;

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

static bool
parse_pin(const char *value, void *field, struct scopa_text *why)
{
	struct game_pin *pin = field;
	struct game_pin parsed = { .given = true, .kind = DISPATCHER_PIN_AUTO };

	if (strcmp(value, "none") == 0)
		parsed.kind = DISPATCHER_PIN_NONE;
	else if (cores_parse(value, &parsed.cores))
		parsed.kind = DISPATCHER_PIN_LIST;
	else if (strcmp(value, "auto") != 0) {
		scopa_text_string(
		    why, "expects \"auto\", \"none\" or cores such as 0,2-5");
		return false;
	}
	*pin = parsed;
	return true;
}

static bool
parse_thinkers(const char *value, void *field, struct scopa_text *why)
{
	struct game_thinkers *thinkers = field;
	struct word word = { value, strlen(value) };
	int64_t count;

	if (strcmp(value, "auto") == 0) {
		count = DISPATCHER_CPU_SLOTS_AUTO;
	} else if (strcmp(value, "all") == 0) {
		count = DISPATCHER_CPU_SLOTS_ALL;
	} else if (!word_to_int(word, 1, CONCURRENCY_MAX, &count)) {
		scopa_text_string(why,
		    "expects \"auto\", \"all\" or a number from 1 to 1024");
		return false;
	}
	*thinkers = (struct game_thinkers){ true, (int)count };
	return true;
}

const char *const game_policies[] = { "auto", "forfeit", "substitute",
	"disqualify", NULL };

const char *const game_sandboxes[SANDBOX_COUNT + 1] = {
	[SANDBOX_OFF] = "off",
	[SANDBOX_AUTO] = "auto",
	[SANDBOX_REQUIRE] = "require",
};

#define FIELD(name) .offset = offsetof(struct game_settings, name)

static const struct option packs_keys[] = {
	{ .name = "file",
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "The file.",
	    .is_path = true,
	    .offset = offsetof(struct game_file, path) },
	{ .name = "format",
	    .aliases = { "order", "plies", "start" },
	    .kind = OPTION_REFUSED,
	    .sentence = "packs are dealt in the order of their lines, one a "
			"deal." },
};

const struct option game_rule_options[] = {
	{ .name = "rules",
	    .aliases = { "variant" },
	    .kind = OPTION_TEXT,
	    .value = "PRESET[,KEY=VALUE...]",
	    .sentence = "The game; `" VERSION_NAME " rules` lists them.",
	    .fallback = "scopa",
	    FIELD(rules) },
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
	{ .name = "max-deals",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "A game to a target that nobody has won after so many "
			"deals ends as a draw. Without it after 1000, or as "
			"many as the target where that is more.",
	    .unit = "deals",
	    .min = 1,
	    .max = GAME_MAX_DEALS_MAX,
	    FIELD(max_deals) },
	{ .name = "target",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "A game goes to so many points.",
	    .unit = "points",
	    .min = 1,
	    .max = SCOPA_TARGET_MAX,
	    FIELD(target) },
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
	    .kind = OPTION_GROUP,
	    .value = "FILE",
	    .sentence = "Deal the packs of this file, one a line. Games that "
			"need more begin again after the last; what comes "
			"again is no new evidence.",
	    .takes_plain = true,
	    .keys = packs_keys,
	    .key_count = COUNTOF(packs_keys),
	    .group_max = 1,
	    .group_size = sizeof(struct game_file),
	    .count_offset = offsetof(struct game_settings, packs_count),
	    FIELD(packs) },
};

const struct option game_bot_options[] = {
	{ .name = "bot",
	    .aliases = { "engine" },
	    .kind = OPTION_GROUP,
	    .value = "[CMD] KEY=VALUE...",
	    .sentence = "A bot, with more to say of it than a command. Bots "
			"of the command line take the place of those of a "
			"file.",
	    .takes_plain = true,
	    .takes_arguments = true,
	    .title = "name",
	    .keys = entrant_keys,
	    .key_count = ENTRANT_KEY_COUNT,
	    .group_max = TOURNAMENT_BOTS_MAX,
	    .group_size = sizeof(struct entrant_words),
	    .count_offset = offsetof(struct game_settings, bot_count),
	    FIELD(bots) },
	{ .name = "each",
	    .kind = OPTION_GROUP,
	    .value = "KEY=VALUE...",
	    .sentence = "The same of every bot that does not say otherwise; "
			"the keys are those of --bot.",
	    .keys = entrant_keys,
	    .key_count = ENTRANT_KEY_COUNT,
	    .group_max = 1,
	    .group_size = sizeof(struct entrant_words),
	    .count_offset = offsetof(struct game_settings, each_count),
	    .keys_described = true,
	    FIELD(each) },
	{ .name = "tc",
	    .kind = OPTION_PARSED,
	    .value = "match:S+I|deal:S+I|move:S|none",
	    .sentence = "The time of each bot, in seconds: a bank of S and I "
			"more for each answer, or S for each answer. S+I alone "
			"is a bank for the match, inf is none; 500ms is 0.5.",
	    .fallback = "move:10",
	    .parse = parse_control,
	    FIELD(control) },
	{ .name = "sandbox",
	    .kind = OPTION_NAME,
	    .value = "off|auto|require",
	    .names = game_sandboxes,
	    .sentence = "Walls around bots: none, and results say so; the "
			"best that this machine has; or those behind which "
			"all that a bot starts dies with it, else nothing is "
			"played.",
	    .fallback = "auto",
	    FIELD(sandbox) },
	{ .name = "memory",
	    .kind = OPTION_PARSED,
	    .value = "SIZE|none",
	    .sentence = "The most memory of a bot with all that it starts: "
			"one that has more is killed and has lost (LIMIT_MEM).",
	    .fallback = "4G",
	    .parse = parse_memory,
	    FIELD(memory_bytes) },
	{ .name = "scratch",
	    .kind = OPTION_PARSED,
	    .value = "SIZE",
	    .sentence = "A folder of this size (64K, 16M, 2G) in memory that "
			"each bot may write in, new and its own: TMPDIR and "
			"HOME name it. Needs walls that are a box; without it "
			"bots behind walls write nowhere.",
	    .fallback = "none",
	    .parse = parse_scratch,
	    FIELD(scratch_bytes) },
	{ .name = "run-as",
	    .kind = OPTION_INT,
	    .value = "UID",
	    .sentence = "As root, with walls: run each bot as a user of its "
			"own, this number and those that follow, which nobody "
			"may have and all but a bot's files must be closed to. "
			"Without it bots are root's, without privileges.",
	    .min = 1,
	    .max = UID_POOL_FIRST_MAX,
	    FIELD(run_as) },
};

const struct option game_patience_options[] = {
	{ .name = "timemargin",
	    .kind = OPTION_INT,
	    .value = "MS",
	    .sentence = "How much later than its time an answer may come.",
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
	{ .name = "no-ponder",
	    .kind = OPTION_FLAG,
	    .sentence = "Freeze all bots while they are not to move. Without "
			"it only those are frozen that were seen to compute "
			"then, for the rest of the game.",
	    FIELD(no_ponder) },
	{ .name = "ponder",
	    .kind = OPTION_FLAG,
	    .sentence = "Let bots compute while they are not to move, unless "
			"another is late by it: that turn is void, and they "
			"are frozen until it is over.",
	    FIELD(ponder) },
	{ .name = "answer-grid",
	    .kind = OPTION_INT,
	    .value = "MS",
	    .sentence = "Tell bots of answers in steps of so many "
			"milliseconds, so that the time to think tells others "
			"nothing; each pays its real time. 0: at once.",
	    .fallback = "0",
	    .unit = "milliseconds",
	    .min = 0,
	    .max = 60000,
	    FIELD(answer_grid_ms) },
	{ .name = "illegal",
	    .kind = OPTION_NAME,
	    .value = "POLICY",
	    .names = game_policies,
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
	{ .name = "recover",
	    .kind = OPTION_FLAG,
	    .sentence = "Start a bot that has ended anew for its next game. "
			"This is always done; the word is known from other "
			"arenas.",
	    .is_passing = true,
	    FIELD(recover) },
};

const struct option game_call_options[] = {
	{ .name = "pin",
	    .aliases = { "use-affinity" },
	    .kind = OPTION_PARSED,
	    .value = "auto|none|LIST",
	    .sentence = "The cores that games keep to, bots included: one for "
			"each group of games. auto, without it: cores that no "
			"other arena has; none: for bots with several "
			"threads.",
	    .implied = "auto",
	    .parse = parse_pin,
	    FIELD(pin) },
	{ .name = "thinkers",
	    .kind = OPTION_PARSED,
	    .value = "auto|all|N",
	    .sentence = "How many bots may think at once: who is to be asked "
			"while so many do waits for it, and no clock runs. "
			"auto, without it: one a core where there is a time "
			"control, not counting those that answer fast; all: "
			"as many as there are games, for bots that do not "
			"compute on this machine.",
	    .implied = "auto",
	    .parse = parse_thinkers,
	    FIELD(thinkers) },
	{ .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "Print one JSON document.",
	    .is_passing = true,
	    FIELD(json) },
	{ .name = "quiet",
	    .kind = OPTION_FLAG,
	    .sentence = "Print the result alone.",
	    .is_passing = true,
	    FIELD(quiet) },
};

const struct option game_config_options[] = {
	{ .name = "config",
	    .kind = OPTION_CONFIG,
	    .value = "FILE",
	    .sentence = "Read options from this file first: lines KEY = VALUE "
			"with the names of options, in a section [COMMAND] "
			"for each command, and sections [each], [bot NAME] and "
			"the like for options of several words.",
	    FIELD(memory) },
};

const struct option game_analysis_options[] = {
	{ .name = "analysis",
	    .kind = OPTION_FLAG,
	    .sentence = "Allow cheating bots, and show them all cards. "
			"Such games are marked, and never rated.",
	    FIELD(analysis) },
};

const struct option game_refused_options[] = {
	{ .name = "no-recover",
	    .kind = OPTION_REFUSED,
	    .sentence = "write --illegal disqualify to play no further game "
			"with a bot that has failed." },
	{ .name = "resign",
	    .aliases = { "draw", "maxmoves" },
	    .kind = OPTION_REFUSED,
	    .sentence = "every game is played to its end: there is no score "
			"of a position to go by." },
	{ .name = "tb",
	    .aliases = { "tbpieces", "book" },
	    .kind = OPTION_REFUSED,
	    .sentence = "it has no meaning in a game of cards." },
	{ .name = "noswap",
	    .kind = OPTION_REFUSED,
	    .sentence = "write --no-duplicate to play each pack once." },
	{ .name = "autosaveinterval",
	    .kind = OPTION_REFUSED,
	    .sentence = "every block is kept as soon as it is played." },
	{ .name = "site",
	    .kind = OPTION_REFUSED,
	    .sentence = "records have no such entry." },
	{ .name = "st",
	    .kind = OPTION_REFUSED,
	    .sentence = "write --tc move:S, S seconds for each answer." },
};

enum {
	NS_PER_MS = 1000000,
	GRACE_MS = 1000, /* from `quit` to the kill: protocol.md */
	SPEC_SIZE = 1024,
	ROUNDS_MAX = 10000000
};

/* What options and the number of bots add to the rule set as given. */
static void
spec_add(const struct game_settings *settings, int bot_count,
    const struct scopa_rules *rules, struct scopa_text *spec)
{
	bool uid_pool_known = settings->seats > 0 || settings->teams != NULL ||
	    strstr(settings->rules, "players=") != NULL ||
	    strstr(settings->rules, "teams=") != NULL;

	if (bot_count > 0 && !uid_pool_known && bot_count != rules->players &&
	    bot_count != scopa_team_count(rules)) {
		scopa_text_string(spec, ",players=");
		scopa_text_int(spec, bot_count);
	}
	if (settings->seats > 0) {
		scopa_text_string(spec, ",players=");
		scopa_text_int(spec, settings->seats);
	}
	if (settings->teams != NULL) {
		scopa_text_string(spec, ",teams=");
		scopa_text_string(spec, settings->teams);
	}
	if (settings->target > 0) {
		scopa_text_string(spec, ",target=");
		scopa_text_int(spec, settings->target);
	}
}

enum status
game_setup_rules(const struct game_settings *settings, int bot_count,
    struct match_rules *rules)
{
	char bytes[SPEC_SIZE];
	struct scopa_text spec;
	struct rule_set set;

	if (settings->no_ponder && settings->ponder) {
		error_print("--ponder and --no-ponder exclude each other");
		error_detail("hint",
		    "without both, bots that compute while they are not to "
		    "move are frozen then");
		return STATUS_USAGE;
	}
	if (settings->deals > 0 && settings->target > 0) {
		error_print("--deals and --target exclude each other");
		error_detail("hint",
		    "a game is a number of deals, or it goes to a number of "
		    "points");
		return STATUS_USAGE;
	}
	if (settings->deals > 0 && settings->max_deals > 0) {
		error_print("--deals and --max-deals exclude each other");
		error_detail("hint",
		    "a game of so many deals ends after them; --max-deals is "
		    "for a game to a target");
		return STATUS_USAGE;
	}
	if (!rule_set_read(settings->rules, &set))
		return STATUS_USAGE;
	scopa_text_init(&spec, bytes, sizeof(bytes));
	scopa_text_string(&spec, settings->rules);
	spec_add(settings, bot_count, &set.rules, &spec);
	if (spec.cut) {
		error_print("rules \"%s\": too long", settings->rules);
		error_detail("try", VERSION_NAME " rules");
		return STATUS_USAGE;
	}
	if (!rule_set_read(bytes, &set))
		return STATUS_USAGE;
	rules->rules = set.rules;
	rules->preset = set.preset;
	rules->deals = (int)settings->deals;
	rules->max_deals = (int)settings->max_deals;
	return STATUS_DONE;
}

/* The time of one bot. */
static const struct budget_control *
control_of(
    const struct game_settings *settings, const struct entrant_words *words)
{
	return words->control.given ? &words->control.control
				    : &settings->control.control;
}

static bool
is_same_control(
    const struct budget_control *one, const struct budget_control *other)
{
	return one->kind == other->kind && one->base_ms == other->base_ms &&
	    one->increment_ms == other->increment_ms;
}

static enum status
error_of_controls(
    const struct entrant_words *one, const struct entrant_words *other)
{
	error_print("bots \"%s\" and \"%s\" have different times",
	    one->name ? one->name : one->command,
	    other->name ? other->name : other->command);
	error_detail("hint",
	    "all bots of a game have the same: give --tc, or tc= in --each");
	return STATUS_USAGE;
}

enum status
game_setup_bots(const struct game_settings *settings,
    struct entrant_words *words, struct entrant *entrants, int count,
    enum entrant_use use, struct budget_control *control)
{
	for (int i = 0; i < count; i++) {
		enum status status =
		    entrant_inherit(&words[i], &settings->each);

		if (status == STATUS_DONE)
			status = entrant_read(&entrants[i], &words[i], use);
		if (status != STATUS_DONE)
			return status;
		if (!is_same_control(control_of(settings, &words[i]),
			control_of(settings, &words[0])))
			return error_of_controls(&words[0], &words[i]);
	}
	*control = count > 0 ? *control_of(settings, &words[0])
			     : settings->control.control;
	return STATUS_DONE;
}

void
game_setup_referee(const struct game_settings *settings,
    const struct budget_control *control, struct match_rules *rules)
{
	rules->settings = (struct referee_settings){
		.arena = VERSION_NAME "/" VERSION_NUMBER,
		.control = *control,
		.margin_ns = settings->margin_ms * NS_PER_MS,
		.startup_ns = settings->startup_ms * NS_PER_MS,
		.hang_ns = settings->hang_ms * NS_PER_MS,
		.strikes_max = (int)settings->strikes,
		.observe = true,
		.analysis = settings->analysis ? analysis_allow() : NULL,
		.policy = policy_default(scopa_team_count(&rules->rules)),
	};
	if (settings->policy > 0)
		(void)policy_find(
		    game_policies[settings->policy], &rules->settings.policy);
	rules->grace_ns = (int64_t)GRACE_MS * NS_PER_MS;
	rules->memory_max_bytes = settings->memory_bytes;
	rules->no_ponder = settings->no_ponder;
	rules->ponder = settings->ponder;
	rules->answer_grid_ns = settings->answer_grid_ms * NS_PER_MS;
}

enum status
game_setup_secret(
    const struct game_settings *settings, struct match_rules *rules)
{
	int error;

	/* Never swapped out, where the machine allows it. */
	(void)sodium_mlock(&rules->secret, sizeof(rules->secret));
	rules->secret = settings->seed.key;
	if (settings->seed.given)
		return STATUS_DONE;
	error = shuffle_key_draw(&rules->secret);
	return error ? game_setup_error(error) : STATUS_DONE;
}

enum status
game_setup_packs(const struct game_settings *settings, struct pack_file *packs,
    struct match_rules *rules)
{
	const char *path = settings->packs.path;
	char reason[512];
	struct scopa_text why;
	int error;

	if (path == NULL)
		return STATUS_DONE;
	scopa_text_init(&why, reason, sizeof(reason));
	error = pack_file_open(packs, path, &why);
	if (error == -EBADMSG) {
		error_print("pack file \"%s\": %s", path, reason);
		error_detail("hint",
		    "a pack is a line of 80 characters: the 40 cards in order "
		    "of dealing");
		return STATUS_USAGE;
	}
	if (error) {
		error_print("pack file \"%s\": %s", path, strerror(-error));
		error_detail("hint",
		    "check the spelling, and the folder that the path starts "
		    "in");
		return input_file_status(error);
	}
	rules->packs = packs;
	return STATUS_DONE;
}

/* Without a root folder of its own a bot has no place that is its own. */
static enum status
set_scratch(const struct game_settings *settings, struct sandbox *sandbox)
{
	const struct sandbox_finding *root =
	    &sandbox->layers[SANDBOX_LAYER_ROOT];

	if (settings->scratch_bytes == 0)
		return STATUS_DONE;
	if (root->reached) {
		sandbox->scratch_kib =
		    (int)((settings->scratch_bytes + 1023) / 1024);
		return STATUS_DONE;
	}
	error_print("--scratch: bots have no root folder of their own here, "
		    "behind %s",
	    sandbox_level_name(sandbox->level));
	error_detail("where", "%s", root->why);
	error_detail("hint", "%s", root->fix);
	return STATUS_ENVIRONMENT;
}

/* No walls at all are wanted: nothing may need them. */
static enum status
refuse_without_walls(const struct game_settings *settings)
{
	if (settings->scratch_bytes == 0 && settings->run_as == 0)
		return STATUS_DONE;
	error_print("--%s needs walls around bots, and --sandbox is off",
	    settings->scratch_bytes != 0 ? "scratch" : "run-as");
	error_detail("hint", "leave --sandbox off away");
	return STATUS_USAGE;
}

/* Whether a layer is missing for want of one before it. */
static bool
is_told(const struct sandbox *sandbox, int layer)
{
	for (int i = 0; i < layer; i++)
		if (sandbox->layers[i].fix == sandbox->layers[layer].fix)
			return true;
	return false;
}

/* What is missing, why, and what could be done about it: a line each. */
static void
tell_missing(const struct sandbox *sandbox)
{
	for (int i = 0; i < SANDBOX_LAYER_COUNT; i++) {
		const struct sandbox_finding *layer = &sandbox->layers[i];

		/* Users of their own are asked for: doctor names them. */
		if (i != SANDBOX_LAYER_USER && i != SANDBOX_LAYER_LIMITS &&
		    !layer->reached && !is_told(sandbox, i))
			fprintf(stderr, "walls   no %s: %s; to have it: %s\n",
			    sandbox_layer_name((enum sandbox_layer)i),
			    layer->why, layer->fix);
	}
}

/* --sandbox require: what a bot leaves behind could go on for ever. */
static enum status
refuse_walls(struct sandbox *sandbox)
{
	const struct sandbox_finding *layer =
	    &sandbox->layers[SANDBOX_LAYER_TREE_KILL];

	error_print("--sandbox require: what a bot has started cannot be "
		    "killed for certain here");
	error_detail("where", "%s", layer->why);
	error_detail("hint", "%s", layer->fix);
	error_detail("try", VERSION_NAME " doctor");
	sandbox_close(sandbox);
	return STATUS_ENVIRONMENT;
}

/* A user of a bot must be nobody else, as all that is that user's is killed. */
static enum status
check_run_as(const struct game_settings *settings)
{
	struct uid_pool_claim claim;

	if (settings->run_as == 0)
		return STATUS_DONE;
	if (geteuid() != 0) {
		error_print("--run-as: only root can run bots as other users");
		return STATUS_ENVIRONMENT;
	}
	uid_pool_search((unsigned)settings->run_as, &claim);
	switch (claim.owner) {
	case UID_POOL_FREE:
		return STATUS_DONE;
	case UID_POOL_NAMED:
		error_print("--run-as %" PRId64 ": the user %u is \"%s\"",
		    settings->run_as, claim.user, claim.name);
		break;
	case UID_POOL_RUNNING:
		error_print("--run-as %" PRId64 ": process %s runs as user %u",
		    settings->run_as, claim.name, claim.user);
		break;
	}
	error_detail("hint",
	    "give a number from which on %d are nobody's, such as 700000",
	    UID_POOL_MAX);
	return STATUS_USAGE;
}

enum status
game_setup_hide(struct sandbox *sandbox, const char *path)
{
	int error = path == NULL ? 0 : sandbox_hide(sandbox, path);

	/* Without a folder there is no file, as who opens it will say. */
	return error == 0 || error == -ENOENT ? STATUS_DONE
					      : game_setup_error(error);
}

enum status
game_setup_walls(const struct game_settings *settings, const char *hidden,
    struct sandbox *sandbox, struct match_rules *rules)
{
	enum status status;
	int error;

	if (settings->sandbox == SANDBOX_OFF)
		return refuse_without_walls(settings);
	status = check_run_as(settings);
	if (status != STATUS_DONE)
		return status;
	error = settings->run_as == 0
	    ? sandbox_detect(sandbox)
	    : sandbox_detect_as(sandbox, (unsigned)settings->run_as);
	if (error)
		return game_setup_error(error);
	if (settings->sandbox == SANDBOX_REQUIRE &&
	    sandbox->level < SANDBOX_CORE_TREE)
		return refuse_walls(sandbox);
	status = set_scratch(settings, sandbox);
	if (status != STATUS_DONE)
		goto close_walls;
	status = game_setup_hide(sandbox, hidden);
	if (status == STATUS_DONE)
		status = game_setup_hide(sandbox, settings->packs.path);
	if (status != STATUS_DONE)
		goto close_walls;
	rules->sandbox = sandbox;
	if (!settings->quiet)
		tell_missing(sandbox);
	return STATUS_DONE;
close_walls:
	sandbox_close(sandbox);
	return status;
}

enum status
game_setup_pin(const struct game_settings *settings, enum dispatcher_pin *pin,
    struct cores *cores)
{
	struct cores allowed;
	char text[256];
	int error;

	*pin = settings->pin.kind;
	*cores = settings->pin.cores;
	error = cores_allowed(&allowed);
	for (int i = 0; error == 0 && i < cores->count; i++) {
		if (cores_have(&allowed, cores->ids[i]))
			continue;
		cores_format(&allowed, text, sizeof(text));
		error_print("core %d is not one that this program may use",
		    cores->ids[i]);
		error_detail("hint", "those that it may use: %s", text);
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}

enum status
game_setup_rounds(
    int64_t rounds, int64_t games, int game_count, int64_t *blocks)
{
	int64_t all = games * (rounds > 0 ? rounds : 1);

	if (games == 0) {
		*blocks = rounds;
		return STATUS_DONE;
	}
	if (all % game_count != 0) {
		error_print("%" PRId64 " games are no whole number of "
			    "blocks: each set of packs is played %d times, "
			    "once for every way of seating the bots",
		    all, game_count);
		error_detail("hint",
		    "ask for a multiple of %d games, or say --no-duplicate",
		    game_count);
		return STATUS_USAGE;
	}
	if (all / game_count > ROUNDS_MAX) {
		error_print("%" PRId64 " games are too many", all);
		error_detail(
		    "hint", "up to %d blocks can be played", (int)ROUNDS_MAX);
		return STATUS_USAGE;
	}
	*blocks = all / game_count;
	return STATUS_DONE;
}

enum status
game_setup_error(int error)
{
	if (error == -EBADMSG) {
		error_print("the rules throw in every pack of the file");
		return STATUS_USAGE;
	}
	error_print("the machine refused: %s", strerror(-error));
	if (error == -EFBIG)
		error_detail("hint",
		    "raise ulimit -f; the record of one game has room for %d "
		    "MiB: let it have fewer deals",
		    RECORD_BLOCK_SIZE_MAX >> 20);
	if (error == -EMFILE)
		error_detail("hint", "lower --concurrency or raise ulimit -n");
	return STATUS_ENVIRONMENT;
}
