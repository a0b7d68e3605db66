#include "match_options.h"

#include <string.h>

#include "countof.h"
#include "version.h"

enum { CONCURRENCY_MAX = 1024 };

static bool
parse_control(const char *value, void *field, struct scopa_text *why)
{
	return budget_control_parse(field, value, why);
}

static bool
parse_seed(const char *value, void *field, struct scopa_text *why)
{
	struct match_seed *seed = field;

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
	struct match_pin *pin = field;

	if (strcmp(value, "auto") == 0) {
		pin->kind = SERIES_PIN_AUTO;
	} else if (strcmp(value, "none") == 0) {
		pin->kind = SERIES_PIN_NONE;
	} else if (cores_parse(value, &pin->cores)) {
		pin->kind = SERIES_PIN_LIST;
	} else {
		scopa_text_string(
		    why, "expects \"auto\", \"none\" or cores such as 0,2-5");
		return false;
	}
	return true;
}

const char *const match_policies[] = { "auto", "forfeit", "substitute",
	"disqualify", NULL };

#define FIELD(name) .offset = offsetof(struct match_settings, name)

const struct option match_options[] = {
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
	    .group_max = PLAN_ENTRANTS_MAX,
	    .group_size = sizeof(struct entrant_words),
	    .count_offset = offsetof(struct match_settings, bot_count),
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
	    .names = match_policies,
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
	{ .name = "pin",
	    .aliases = { "use-affinity" },
	    .kind = OPTION_PARSED,
	    .value = "auto|none|LIST",
	    .sentence = "The cores that games keep to, bots included: one for "
			"each group of games. auto: cores that no other arena "
			"has; none: for bots with several threads.",
	    .fallback = "auto",
	    .parse = parse_pin,
	    FIELD(pin) },
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

_Static_assert(COUNTOF(match_options) == MATCH_OPTION_COUNT,
    "the header says how many options there are");
