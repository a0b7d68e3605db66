#include "match_options.h"

#include "version.h"

enum { ROUNDS_MAX = 1000000 };

#define FIELD(name) .offset = offsetof(struct match_settings, name)

static const struct option record_keys[] = {
	{ .name = "file",
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "The file.",
	    .is_path = true,
	    .offset = offsetof(struct game_file, path) },
	{ .name = "append",
	    .aliases = { "notation", "min", "fi" },
	    .kind = OPTION_REFUSED,
	    .sentence = "a record is appended whole, in its one format." },
};

static const struct option own_options[] = {
	{ .name = "rounds",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many sets of packs are played. Without it one.",
	    .unit = "rounds",
	    .min = 1,
	    .max = ROUNDS_MAX,
	    FIELD(rounds) },
	{ .name = "games",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "How many games are played, as other arenas count; "
			"with --rounds, in each of these.",
	    .unit = "games",
	    .min = 1,
	    .max = ROUNDS_MAX,
	    FIELD(games) },
	{ .name = "duplicate",
	    .aliases = { "repeat" },
	    .kind = OPTION_FLAG,
	    .sentence = "Play each round once for every way of seating the "
			"bots, with the same packs.",
	    .implied = "2",
	    FIELD(duplicate) },
	{ .name = "concurrency",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Games at once.",
	    .fallback = "1",
	    .unit = "games",
	    .min = 1,
	    .max = CONCURRENCY_MAX,
	    FIELD(game.concurrency) },
	{ .name = "record",
	    .aliases = { "pgnout" },
	    .kind = OPTION_GROUP,
	    .value = "FILE",
	    .sentence = "Append the record of every game to this file.",
	    .takes_plain = true,
	    .keys = record_keys,
	    .key_count = COUNTOF(record_keys),
	    .group_max = 1,
	    .group_size = sizeof(struct game_file),
	    .count_offset = offsetof(struct match_settings, record_count),
	    FIELD(record) },
	{ .name = "sprt",
	    .aliases = { "base" },
	    .kind = OPTION_REFUSED,
	    .sentence =
		"a bot is tested against its base by " VERSION_NAME " gate." },
	{ .name = "format",
	    .aliases = { "tournament" },
	    .kind = OPTION_REFUSED,
	    .sentence = "more bots than have a seat play in a " VERSION_NAME
			" tournament." },
};

#define GAME_TABLE(heading, rows) \
	GAME_OPTIONS(heading, rows, struct match_settings, game)

const struct option match_options[] = {
	GAME_TABLE("bots", game_bot_options),
	GAME_TABLE("game", game_rule_options),
	{ .kind = OPTION_TABLE,
	    .sentence = "match",
	    .keys = own_options,
	    .key_count = COUNTOF(own_options) },
	GAME_TABLE(NULL, game_analysis_options),
	GAME_TABLE(NULL, game_call_options),
	GAME_TABLE(NULL, game_config_options),
	GAME_TABLE("patience with bots", game_patience_options),
	GAME_TABLE(NULL, game_refused_options),
};

_Static_assert(COUNTOF(match_options) == MATCH_OPTION_COUNT,
    "the header says how many there are");
