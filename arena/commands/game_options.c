#include "game_options.h"

#include <string.h>

#include "byte_size.h"
#include "game.h"
#include "scopa/rules.h"
#include "seats.h"
#include "version.h"

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
	struct game_pin parsed = { .given = true, .kind = SERIES_PIN_AUTO };

	if (strcmp(value, "none") == 0)
		parsed.kind = SERIES_PIN_NONE;
	else if (cores_parse(value, &parsed.cores))
		parsed.kind = SERIES_PIN_LIST;
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
		count = SERIES_THINKERS_AUTO;
	} else if (strcmp(value, "all") == 0) {
		count = SERIES_THINKERS_ALL;
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
	    .keys_told = true,
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
	    .max = SEATS_FIRST_MAX,
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
	    .sentence = "Let bots play that see all cards, and show them. "
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
