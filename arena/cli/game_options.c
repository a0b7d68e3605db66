/*
 * Implements game_options.h: the option tables of everything that plays games,
 * the parsers of their values, and the steps that turn the settings into what
 * is played: rules, bots, secret, packs, sandbox, cores, or one bot alone.
 */
#include "game_options.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "game.h"
#include "match_head.h"
#include "preflight.h"
#include "scopa/notation.h"
#include "self_test.h"
#include "text_format.h"
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

	/* strtoll() accepts signs and blanks, which a size must not have. */
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

/*
 * Reads rules that come of the options of these names; NULL ends them.  False
 * with an error printed.
 */
static bool
read_rule_set(
    const char *spec, const char *const options[], struct rule_set *set)
{
	struct scopa_text why = SCOPA_TEXT(REASON_SIZE);
	char name[PRESET_NAME_SIZE];

	if (!scopa_rules_parse(&set->rules, spec, &why)) {
		error_print("rules \"%s\": %s", spec, why.bytes);
		error_option_lines(options);
		error_detail("try", VERSION_NAME " rules");
		return false;
	}
	set->spec = spec;
	/* The name of the preset ends at the first comma. */
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ","), spec);
	set->preset = scopa_preset_find(name);
	assert(set->preset != NULL);
	return true;
}

bool
rule_set_read(const char *spec, struct rule_set *set)
{
	static const char *const names[] = { "rules", NULL };

	return read_rule_set(spec, names, set);
}

/*
 * The least scratch space (a runtime needs it for a file or two), the least
 * memory of a bot, and the most of both, which is more than any machine has.
 */
#define SCRATCH_MIN_BYTES (INT64_C(64) << 10)
#define MEMORY_MIN_BYTES (INT64_C(16) << 20)
#define SIZE_MAX_BYTES (INT64_C(1) << 40)

/* Parses `none`, or a size from `least` to SIZE_MAX_BYTES. */
static bool
parse_size(const char *value, int64_t least, const char *expected,
    int64_t *bytes, struct scopa_text *why)
{
	int64_t parsed = 0;

	if (strcmp(value, "none") != 0 &&
	    (!byte_size_parse(value, &parsed) || parsed < least ||
		parsed > SIZE_MAX_BYTES))
		return option_refuse(why, "%s", expected);
	*bytes = parsed;
	return true;
}

static bool
parse_scratch(const char *value, void *field, struct scopa_text *why)
{
	return parse_size(value, SCRATCH_MIN_BYTES,
	    "expects \"none\" or a size from 64K to 1T", field, why);
}

static bool
parse_memory(const char *value, void *field, struct scopa_text *why)
{
	return parse_size(value, MEMORY_MIN_BYTES,
	    "expects \"none\" or a size from 16M to 1T", field, why);
}

static void
format_size(const void *field, struct scopa_text *text)
{
	const int64_t *bytes = field;

	if (*bytes == 0)
		scopa_text_string(text, "none");
	else
		scopa_text_int(text, *bytes);
}

static bool
parse_seed(const char *value, void *field, struct scopa_text *why)
{
	struct game_seed *seed = field;

	if (strcmp(value, "auto") != 0 && !shuffle_key_parse(value, &seed->key))
		return option_refuse(
		    why, "expects \"auto\" or 1 to 64 hex digits");
	seed->given = strcmp(value, "auto") != 0;
	return true;
}

bool
secret_parse(const char *value, void *field, struct scopa_text *why)
{
	return shuffle_key_parse(value, field) ||
	    option_refuse(why, "expects 1 to 64 hex digits");
}

static void
format_seed(const void *field, struct scopa_text *text)
{
	const struct game_seed *seed = field;
	char hex[SHUFFLE_HEX_SIZE];

	if (!seed->given)
		return;
	shuffle_key_format(&seed->key, hex);
	scopa_text_string(text, hex);
}

static bool
parse_pin(const char *value, void *field, struct scopa_text *why)
{
	struct game_pin *pin = field;
	struct game_pin parsed = { .kind = DISPATCHER_PIN_AUTO };

	if (strcmp(value, "none") == 0)
		parsed.kind = DISPATCHER_PIN_NONE;
	else if (cores_parse(value, &parsed.cores))
		parsed.kind = DISPATCHER_PIN_LIST;
	else if (strcmp(value, "auto") != 0)
		return option_refuse(
		    why, "expects \"auto\", \"none\" or cores such as 0,2-5");
	*pin = parsed;
	return true;
}

static void
format_pin(const void *field, struct scopa_text *text)
{
	const struct game_pin *pin = field;
	char list[CORES_TEXT_SIZE];

	if (pin->kind == DISPATCHER_PIN_LIST)
		cores_format(&pin->cores, list, sizeof(list));
	scopa_text_string(text,
	    pin->kind == DISPATCHER_PIN_LIST       ? list
		: pin->kind == DISPATCHER_PIN_NONE ? "none"
						   : "auto");
}

static bool
parse_cpu_slots(const char *value, void *field, struct scopa_text *why)
{
	struct word word = { value, strlen(value) };
	int64_t count;

	if (strcmp(value, "auto") == 0)
		count = DISPATCHER_CPU_SLOTS_AUTO;
	else if (strcmp(value, "all") == 0)
		count = DISPATCHER_CPU_SLOTS_ALL;
	else if (!word_to_int(word, 1, CONCURRENCY_MAX, &count))
		return option_refuse(why,
		    "expects \"auto\", \"all\" or a number from 1 to 1024");
	*(int *)field = (int)count;
	return true;
}

static void
format_cpu_slots(const void *field, struct scopa_text *text)
{
	int count = *(const int *)field;

	if (count == DISPATCHER_CPU_SLOTS_AUTO)
		scopa_text_string(text, "auto");
	else if (count == DISPATCHER_CPU_SLOTS_ALL)
		scopa_text_string(text, "all");
	else
		scopa_text_int(text, count);
}

/* Whether the word ends so. */
static bool
ends_in(const char *word, const char *ending)
{
	size_t length = strlen(word), size = strlen(ending);

	return length >= size && strcmp(word + length - size, ending) == 0;
}

/*
 * A word after `--trace` is its file only if no bot is called so.  Any other
 * file is named by `--trace=FILE`.
 */
static bool
is_trace_file(const char *word)
{
	static const char *const endings[] = { ".jsonl", ".log", ".txt" };

	for (int i = 0; i < COUNTOF(endings); i++)
		if (ends_in(word, endings[i]))
			return true;
	if (strcmp(word, "-") == 0)
		return true; /* parse_trace() refuses it */
	entrant_store_trace_word(word);
	return false;
}

static bool
parse_trace(const char *value, void *field, struct scopa_text *why)
{
	struct game_trace trace = { .form = GAME_TRACE_TEXT };

	if (value[0] == '\0' || strcmp(value, "-") == 0)
		return option_refuse(
		    why, "expects a file, or \"text\", \"jsonl\" or \"off\"");
	if (strcmp(value, "off") == 0)
		trace.form = GAME_TRACE_OFF;
	else if (strcmp(value, "text") != 0)
		trace.path = strcmp(value, "jsonl") != 0 ? value : NULL;
	if (strcmp(value, "jsonl") == 0 || ends_in(value, ".jsonl"))
		trace.form = GAME_TRACE_JSON;
	*(struct game_trace *)field = trace;
	return true;
}

/* The default, and enum verdict_policy.  NULL ends the list. */
static const char *const policies[] = { "auto", "forfeit", "substitute",
	"disqualify", NULL };
_Static_assert(COUNTOF(policies) == POLICY_COUNT + 2, "a name a policy");

const char *const game_sandboxes[SANDBOX_COUNT + 1] = {
	[SANDBOX_OFF] = "off",
	[SANDBOX_AUTO] = "auto",
	[SANDBOX_REQUIRE] = "require",
};

#define FIELD(name) offsetof(struct game_settings, name)

static const struct option packs_keys[] = {
	TEXT_OPTION("file", "FILE", offsetof(struct game_file, path),
	    "The file.", .is_path = true),
	REFUSED_OPTION("format",
	    "packs are dealt in the order of their lines, one a deal.",
	    .aliases = { "order", "plies", "start" }),
	REFUSED_OPTION("policy",
	    "the games of a block share their packs, and each round has new "
	    "ones."),
	OPTIONS_END,
};

const struct option game_rule_options[] = {
	TEXT_OPTION("rules", "PRESET[,KEY=VALUE...]", FIELD(rules),
	    "The game; `" VERSION_NAME " rules` lists them.",
	    .aliases = { "variant" }, .fallback = "scopa"),
	INT_OPTION("seats", "N", FIELD(seats), 2, SCOPA_SEATS_MAX,
	    "The number of seats. Without it, it follows from the bots and the "
	    "rules.",
	    .unit = "seats"),
	TEXT_OPTION("teams", "ABAB", FIELD(teams), "The team of each seat."),
	INT_OPTION("deals", "N", FIELD(deals), 1, 1000000,
	    "Each game has this number of deals, whatever the target.",
	    .unit = "deals"),
	INT_OPTION("max-deals", "N", FIELD(max_deals), 1, GAME_MAX_DEALS_MAX,
	    "A game to a target ends as a draw if nobody has won after this "
	    "number of deals. Without it: 1000, or the target if that is more.",
	    .unit = "deals"),
	INT_OPTION("target", "N", FIELD(target), 1, SCOPA_TARGET_MAX,
	    "The points that win a game.", .unit = "points"),
	PARSED_OPTION("seed", "HEX|auto", FIELD(seed), parse_seed,
	    "The secret that all packs come from, 1 to 64 hex digits; the same "
	    "seed gives the same cards.",
	    .aliases = { "srand" }, .fallback = "auto", .format = format_seed),
	GROUP_OPTION("packs", "FILE", packs_keys, sizeof(struct game_file),
	    FIELD(packs), FIELD(packs_count),
	    "Deal the packs of this file, one a line. Games that need more "
	    "packs begin again with the first one; packs that are played again "
	    "are no new evidence.",
	    .aliases = { "openings" }, .takes_plain = true),
	OPTIONS_END,
};

const struct option game_bot_options[] = {
	GROUP_OPTION("bot", "[CMD] KEY=VALUE...", entrant_keys,
	    sizeof(struct entrant_words), FIELD(bots), FIELD(bot_count),
	    "A bot, with more settings than its command. If the command line "
	    "names bots, those of the configuration file are not used.",
	    .aliases = { "engine" }, .takes_plain = true,
	    .takes_arguments = true, .title = "name",
	    .group_max = TOURNAMENT_BOTS_MAX),
	GROUP_OPTION("each", "KEY=VALUE...", entrant_keys,
	    sizeof(struct entrant_words), FIELD(each), FIELD(each_count),
	    "Settings for all bots; those of --bot override them. The keys are "
	    "those of --bot.",
	    .keys_described = true),
	OPTIONS_END,
};

const struct option game_control_options[] = {
	PARSED_OPTION("tc", "match:S+I|deal:S+I|move:S|none", FIELD(control),
	    entrant_control_read,
	    "The time of each bot, in seconds. match:S+I and deal:S+I: a bank "
	    "of S for a match or a deal, and I more for each answer. move:S: S "
	    "for each answer. S+I is the same as match:S+I, inf the same as "
	    "none, and 500ms the same as 0.5.",
	    .fallback = "move:10", .format = entrant_control_write,
	    .replaces_keys = true),
	OPTIONS_END,
};

const struct option game_process_options[] = {
	NAME_OPTION("sandbox", "off|auto|require", FIELD(sandbox),
	    game_sandboxes,
	    "off: bots are not confined, and results say so. auto: the best "
	    "sandbox of this machine. require: a sandbox in which all "
	    "processes of a bot die with it; if the machine has none, nothing "
	    "is played.",
	    .fallback = "auto"),
	PARSED_OPTION("memory", "SIZE|none", FIELD(memory_bytes), parse_memory,
	    "The memory limit of a bot with all its processes: 16M to 1T. A "
	    "bot that uses more is killed and loses the game (LIMIT_MEM).",
	    .fallback = "4G", .format = format_size),
	PARSED_OPTION("scratch", "SIZE|none", FIELD(scratch_bytes),
	    parse_scratch,
	    "Gives each bot an empty folder of its own in memory, of this size "
	    "(64K to 1T), in which it may write; TMPDIR and HOME are its path. "
	    "It needs a root folder (see doctor). Without it, bots in a "
	    "sandbox cannot write files.",
	    .fallback = "none", .format = format_size),
	INT_OPTION("run-as", "UID", FIELD(run_as), 1, UID_POOL_FIRST_MAX,
	    "For root, with a sandbox: each bot runs as a user of its own, "
	    "with this user id or one of the next ones. The ids must belong to "
	    "no user, and only the files of the bot may be open to them. "
	    "Without it, bots run as root without privileges."),
	OPTIONS_END,
};

const struct option game_time_options[] = {
	INT_OPTION("timemargin", "MS", FIELD(margin_ms), 0, 60000,
	    "An answer may come this much later than its time.",
	    .fallback = "0", .unit = "milliseconds"),
	INT_OPTION("startup-ms", "MS", FIELD(startup_ms), 1, 3600000,
	    "The time in which a bot must be ready.", .fallback = "10000",
	    .unit = "milliseconds"),
	INT_OPTION("hang-ms", "MS", FIELD(hang_ms), 1, 3600000,
	    "A bot that was late must answer `isready` in this time, or it is "
	    "killed.",
	    .fallback = "5000", .unit = "milliseconds"),
	FLAG_OPTION("no-ponder", FIELD(no_ponder),
	    "Freeze all bots while they are not to move. Without it, only a "
	    "bot that computes while it is not to move is frozen, for the rest "
	    "of the game."),
	FLAG_OPTION("ponder", FIELD(ponder),
	    "Let bots compute while they are not to move. If a bot is late "
	    "because of that, its turn is void and begins again, and the bots "
	    "that computed are frozen until it is over."),
	INT_OPTION("answer-grid", "MS", FIELD(answer_grid_ms), 0, 60000,
	    "Send the answers of a bot to the others in steps of this length, "
	    "so that they do not learn how long it has thought. Each bot is "
	    "charged its real time. 0: at once.",
	    .fallback = "0", .unit = "milliseconds"),
	NAME_OPTION("illegal", "POLICY", FIELD(policy), policies,
	    "What follows an offence. forfeit: the game is lost. substitute: "
	    "the arena moves for the bot. disqualify: the game is lost, and no "
	    "further game is played. auto: forfeit with two teams, else "
	    "substitute.",
	    .fallback = "auto"),
	INT_OPTION("strikes", "N", FIELD(strikes), 1, 1000,
	    "With substitute, this offence of a bot loses the game.",
	    .fallback = "3", .unit = "offences"),
	FLAG_OPTION("recover", FIELD(recover),
	    "Start a bot again if it has ended, for its next game. This is "
	    "always done; the option is known from other arenas.",
	    .is_passing = true),
	OPTIONS_END,
};

const struct option game_call_options[] = {
	PARSED_OPTION("pin", "auto|none|LIST", FIELD(pin), parse_pin,
	    "The cores on which games and their bots run. auto, the default: "
	    "cores that no other arena uses, one for each group of games. "
	    "none: all cores, for bots with several threads.",
	    .aliases = { "use-affinity" }, .implied = "auto",
	    .format = format_pin),
	PARSED_OPTION("thinkers", "auto|all|N", FIELD(cpu_slots),
	    parse_cpu_slots,
	    "How many bots may think at the same time. A bot beyond that is "
	    "asked later, and its clock does not run until then. auto, the "
	    "default: one for each core if there is a time control; bots that "
	    "answer fast are not counted. all: no limit, for bots that compute "
	    "on other machines. N: 1 to 1024.",
	    .implied = "auto", .format = format_cpu_slots),
	PARSED_OPTION("trace", "[FILE|text|jsonl|off]", FIELD(trace),
	    parse_trace,
	    "Write every line between the arena and its bots, what bots print "
	    "to stderr, and how they end: as text, or as JSON Lines if FILE "
	    "ends in .jsonl. FILE is appended to. A word after --trace is FILE "
	    "if it ends in .jsonl, .log or .txt; --trace=FILE may be any file. "
	    "Without FILE, `match` writes to stderr, and a run to trace.log or "
	    "trace.jsonl in its folder.",
	    .implied = "text", .is_value = is_trace_file, .is_passing = true),
	FLAG_OPTION("json", FIELD(json), "Print one JSON document.",
	    .is_passing = true),
	FLAG_OPTION("quiet", FIELD(quiet), "Print the result alone.",
	    .is_passing = true),
	OPTIONS_END,
};

const struct option game_config_options[] = {
	CONFIG_OPTION("config", "FILE",
	    "Read options from this file first. Options are lines KEY = VALUE "
	    "in a section [COMMAND] for each command; options with several "
	    "words are sections of their own, such as [each] and [bot NAME]."),
	REFUSED_OPTION("no-recover",
	    "write --illegal disqualify to play no further game with a bot "
	    "that has failed."),
	REFUSED_OPTION("resign",
	    "every game is played to its end: there is no score of a position "
	    "to go by.",
	    .aliases = { "draw", "maxmoves" }),
	REFUSED_OPTION("tb", "it has no meaning in a game of cards.",
	    .aliases = { "tbpieces", "tbignore50", "tbadjudicate" }),
	REFUSED_OPTION("book", "packs of a file are dealt by --packs FILE.",
	    .aliases = { "bookmode" }),
	REFUSED_OPTION(
	    "noswap", "write --no-duplicate to play each pack once."),
	REFUSED_OPTION("reverse",
	    "write --duplicate to play each pack with every seating."),
	REFUSED_OPTION("force-concurrency",
	    "write --concurrency N alone: it may be more than there are "
	    "cores."),
	REFUSED_OPTION("quick",
	    "name two bots and no more: " VERSION_NAME " match BOT BOT."),
	REFUSED_OPTION("epdout",
	    "the record of a game has all its positions: " VERSION_NAME
	    " record show."),
	REFUSED_OPTION("crc32",
	    "records end with a checksum: " VERSION_NAME " record verify."),
	REFUSED_OPTION("resultformat",
	    "the tables have one form; --json is for programs."),
	REFUSED_OPTION("ucinewgame-ms",
	    "write --startup-ms MS, for all that a bot does to get ready."),
	REFUSED_OPTION(
	    "ping-ms", "write --hang-ms MS, for a bot that was late."),
	REFUSED_OPTION(
	    "compliance", "one bot is checked by " VERSION_NAME " check BOT."),
	REFUSED_OPTION(
	    "autosaveinterval", "every block is kept as soon as it is played."),
	REFUSED_OPTION("site", "records have no such entry."),
	REFUSED_OPTION(
	    "crosstable", "write --full of a tournament, or of status RUN."),
	REFUSED_OPTION("debug",
	    "write --trace, which shows every line to and from the bots."),
	REFUSED_OPTION("wait",
	    "a bot plays many games in one process, and no pause is needed."),
	REFUSED_OPTION("seeds",
	    "a knockout seeds bots in the order in which they are named."),
	REFUSED_OPTION("show-latency",
	    "the time of each answer is t= in the record, and a table has the "
	    "mean and the longest."),
	REFUSED_OPTION("st", "write --tc move:S, S seconds for each answer."),
	OPTIONS_END,
};

const struct option game_analysis_options[] = {
	FLAG_OPTION("analysis", FIELD(analysis),
	    "Allow cheating bots, and show them all cards. Such games are "
	    "marked, and never rated."),
	OPTIONS_END,
};

enum {
	NS_PER_MS = 1000000,
	GRACE_MS = 1000, /* time from `quit` to the kill: see protocol.md */
	SPEC_SIZE = 1024,
	RECORD_TRIES = 100, /* to open a file that others remove */
	ROUNDS_MAX = 10000000
};

const char *const game_rule_names[] = { "rules", "seats", "teams", "target",
	NULL };

/* Refuses options that exclude each other. */
static enum status
check_words(const struct game_settings *settings)
{
	if (settings->no_ponder && settings->ponder)
		return error_usage("without both, bots that compute while they "
				   "are not to move are frozen then",
		    "--ponder and --no-ponder exclude each other");
	if (settings->deals > 0 && settings->target > 0)
		return error_usage("a game is a number of deals, or it goes to "
				   "a number of points",
		    "--deals and --target exclude each other");
	if (settings->deals > 0 && settings->max_deals > 0)
		return error_usage("a game of so many deals ends after them; "
				   "--max-deals is for a game to a target",
		    "--deals and --max-deals exclude each other");
	return STATUS_DONE;
}

enum status
game_setup_rules(const struct game_settings *settings, int bot_count,
    struct match_rules *rules)
{
	struct scopa_text spec = SCOPA_TEXT(SPEC_SIZE);
	bool seats_known = settings->seats > 0 || settings->teams != NULL ||
	    strstr(settings->rules, "players=") != NULL ||
	    strstr(settings->rules, "teams=") != NULL;
	struct rule_set set;

	if (check_words(settings) != STATUS_DONE ||
	    !rule_set_read(settings->rules, &set))
		return STATUS_USAGE;
	scopa_text_string(&spec, settings->rules);
	if (bot_count > 0 && !seats_known && bot_count != set.rules.players &&
	    bot_count != scopa_team_count(&set.rules))
		text_printf(&spec, ",players=%d", bot_count);
	if (settings->seats > 0)
		text_printf(&spec, ",players=%jd", settings->seats);
	if (settings->teams != NULL)
		text_printf(&spec, ",teams=%s", settings->teams);
	if (settings->target > 0)
		text_printf(&spec, ",target=%jd", settings->target);
	if (spec.cut)
		return error_status(STATUS_USAGE, NULL, VERSION_NAME " rules",
		    "rules \"%s\": too long", settings->rules);
	if (!read_rule_set(spec.bytes, game_rule_names, &set))
		return STATUS_USAGE;
	rules->rules = set.rules;
	rules->preset = set.preset;
	rules->deals = (int)settings->deals;
	rules->max_deals = (int)settings->max_deals;
	return STATUS_DONE;
}

/*
 * Sets the settings of the referee, and the time from `quit` until a bot is
 * killed.  The rules must be set.
 */
static void
set_referee(const struct game_settings *settings,
    const struct budget_control *control, struct match_rules *rules)
{
	rules->settings = (struct referee_settings){
		.arena = VERSION_NAME "/" VERSION_NUMBER,
		.control = *control,
		.margin_ns = settings->margin_ms * NS_PER_MS,
		.startup_ns = settings->startup_ms * NS_PER_MS,
		.hang_ns = settings->hang_ms * NS_PER_MS,
		.strikes_max = (int)settings->strikes,
		.analysis = settings->analysis ? analysis_allow() : NULL,
		.policy = settings->policy > 0
		    ? (enum verdict_policy)(settings->policy - 1)
		    : policy_default(scopa_team_count(&rules->rules)),
	};
	rules->grace_ns = (int64_t)GRACE_MS * NS_PER_MS;
	rules->memory_max_bytes = settings->memory_bytes;
	rules->no_ponder = settings->no_ponder;
	rules->ponder = settings->ponder;
	rules->answer_grid_ns = settings->answer_grid_ms * NS_PER_MS;
}

static bool
is_same_control(
    const struct budget_control *one, const struct budget_control *other)
{
	return one->kind == other->kind && one->base_ms == other->base_ms &&
	    one->increment_ms == other->increment_ms;
}

enum status
game_setup_bots(const struct game_settings *settings,
    const struct entrant_words *base, enum entrant_use use,
    struct game_bots *bots, struct dispatcher_config *play)
{
	const struct budget_control *control = &settings->control.control;
	int count = settings->bot_count + (base != NULL);
	struct entrant_words *words =
	    calloc((size_t)count, sizeof(*bots->words));

	bots->words = words;
	bots->entrants = calloc((size_t)count, sizeof(*bots->entrants));
	if (words == NULL || bots->entrants == NULL)
		return game_setup_error(-ENOMEM);
	play->entrants = bots->entrants;
	play->entrant_count = count;
	for (int i = 0; i < count; i++) {
		enum status status;

		words[i] = i < settings->bot_count ? settings->bots[i] : *base;
		status = entrant_inherit(&words[i], &settings->each);
		if (status != STATUS_DONE)
			return status;
		status = entrant_read(&bots->entrants[i], &words[i], use);
		if (status != STATUS_DONE) {
			error_value_line(words[i].command ? words[i].command
							  : words[i].name);
			return status;
		}
		if (!words[i].control.given)
			words[i].control = settings->control;
		control = &words[0].control.control;
		if (!is_same_control(control, &words[i].control.control))
			return error_usage("all bots of a game have the same: "
					   "give --tc, or tc= in --each",
			    "bots \"%s\" and \"%s\" have different times",
			    words->name ? words->name : words->command,
			    words[i].name ? words[i].name : words[i].command);
	}
	set_referee(settings, control, &play->rules);
	return STATUS_DONE;
}

void
game_bots_release(struct game_bots *bots)
{
	free(bots->entrants);
	free(bots->words);
}

enum status
game_setup_secret(
    const struct game_settings *settings, struct match_rules *rules)
{
	int error;

	/*
	 * Keeps the secret from being swapped to disk, if the machine allows
	 * it.
	 */
	(void)sodium_mlock(&rules->root_key, sizeof(rules->root_key));
	rules->root_key = settings->seed.key;
	if (settings->seed.given)
		return STATUS_DONE;
	error = shuffle_key_draw(&rules->root_key);
	return error ? game_setup_error(error) : STATUS_DONE;
}

enum status
game_setup_packs(const struct game_settings *settings, struct pack_file *packs,
    struct match_rules *rules)
{
	const char *path = settings->packs.path;
	struct scopa_text why = SCOPA_TEXT(512);
	int error;

	if (path == NULL)
		return STATUS_DONE;
	error = pack_file_open(packs, path, &why);
	if (error == -EBADMSG)
		return error_usage("a pack is a line of 80 characters: the 40 "
				   "cards in order of dealing",
		    "pack file \"%s\": %s", path, why.bytes);
	if (error)
		return error_status(input_file_status(error),
		    "check the spelling, and the folder that the path starts "
		    "in",
		    NULL, "pack file \"%s\": %s", path, strerror(-error));
	rules->packs = packs;
	return STATUS_DONE;
}

/*
 * Sets the size of the scratch space.  A bot without its own root folder has no
 * place for one: STATUS_ENVIRONMENT.
 */
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
	error_print(
	    "--scratch: bots have no root folder of their own here, in %s",
	    sandbox_level_name(sandbox->level));
	error_detail("where", "%s", root->why);
	error_detail("hint", "%s", root->fix);
	return STATUS_ENVIRONMENT;
}

/* Whether an earlier layer has the same fix, which was then printed already. */
static bool
is_reported(const struct sandbox *sandbox, int layer)
{
	for (int i = 0; i < layer; i++)
		if (sandbox->layers[i].fix == sandbox->layers[layer].fix)
			return true;
	return false;
}

/* Prints a line for each missing layer: what, why, and how to get it. */
static void
report_missing_layers(const struct sandbox *sandbox)
{
	for (int i = 0; i < SANDBOX_LAYER_COUNT; i++) {
		const struct sandbox_finding *layer = &sandbox->layers[i];

		/*
		 * Separate users and cgroup limits are only used if the user
		 * asks for them; the command doctor lists them.
		 */
		if (i != SANDBOX_LAYER_USER && i != SANDBOX_LAYER_LIMITS &&
		    !layer->reached && !is_reported(sandbox, i))
			fprintf(stderr, "sandbox no %s: %s; to have it: %s\n",
			    sandbox_layer_name((enum sandbox_layer)i),
			    layer->why, layer->fix);
	}
}

/*
 * Reports that --sandbox require cannot be met: processes that a bot has
 * started could survive it.
 */
static enum status
refuse_weak_sandbox(const struct sandbox *sandbox)
{
	const struct sandbox_finding *layer =
	    &sandbox->layers[SANDBOX_LAYER_TREE_KILL];

	error_print("--sandbox require: what a bot has started cannot be "
		    "killed for certain here");
	error_detail("where", "%s", layer->why);
	error_detail("hint", "%s", layer->fix);
	error_detail("try", VERSION_NAME " doctor");
	return STATUS_ENVIRONMENT;
}

/*
 * Checks that no other process uses the users of --run-as, as the arena kills
 * all processes of such a user.
 */
static enum status
check_run_as(const struct game_settings *settings)
{
	struct uid_pool_claim claim;
	int error;

	if (settings->run_as == 0)
		return STATUS_DONE;
	if (geteuid() != 0)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "--run-as: only root can run bots as other users");
	error = uid_pool_search((unsigned)settings->run_as, &claim);
	if (error)
		return game_setup_error(error);
	switch (claim.owner) {
	case UID_POOL_FREE:
		return STATUS_DONE;
	case UID_POOL_NAMED:
		error_print("--run-as %jd: the user %u is \"%s\"",
		    settings->run_as, claim.user, claim.name);
		break;
	case UID_POOL_RUNNING:
		error_print("--run-as %jd: process %s runs as user %u",
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

	/*
	 * If the folder is missing there is no file to hide; opening the file
	 * reports the error.
	 */
	return error == 0 || error == -ENOENT ? STATUS_DONE
					      : game_setup_error(error);
}

enum status
game_setup_sandbox(const struct game_settings *settings, const char *hidden,
    struct sandbox *sandbox, struct dispatcher_config *play)
{
	int64_t cpu_limit_s = machine_cpu_limit_s();
	enum status status;
	int error;

	if (cpu_limit_s > 0)
		fprintf(stderr,
		    "cpu time limit: a bot that computes for %" PRId64
		    " s in all is killed here, and loses: start this without "
		    "ulimit -t\n",
		    cpu_limit_s);
	if (settings->sandbox == SANDBOX_OFF && settings->scratch_bytes == 0 &&
	    settings->run_as == 0)
		return STATUS_DONE;
	if (settings->sandbox == SANDBOX_OFF)
		return error_usage("leave out --sandbox off",
		    "--%s needs a sandbox, and --sandbox is off",
		    settings->scratch_bytes != 0 ? "scratch" : "run-as");
	status = check_run_as(settings);
	if (status != STATUS_DONE)
		return status;
	error = sandbox_detect(sandbox, (unsigned)settings->run_as);
	if (error)
		return game_setup_error(error);
	if (settings->sandbox == SANDBOX_REQUIRE && !sandbox->kill_is_certain)
		status = refuse_weak_sandbox(sandbox);
	if (status == STATUS_DONE)
		status = set_scratch(settings, sandbox);
	if (status == STATUS_DONE)
		status = game_setup_hide(sandbox, hidden);
	if (status == STATUS_DONE)
		status = game_setup_hide(sandbox, settings->packs.path);
	if (status != STATUS_DONE) {
		sandbox_close(sandbox);
		return status;
	}
	play->rules.sandbox = sandbox;
	if (!settings->quiet)
		report_missing_layers(sandbox);
	entrants_weaken(
	    play->entrants, play->entrant_count, settings->quiet, sandbox);
	return STATUS_DONE;
}

bool
game_trace_is_shown(const struct game_settings *settings)
{
	return settings->trace.form != GAME_TRACE_OFF &&
	    settings->trace.path == NULL;
}

/*
 * Where the trace goes, for messages and to hide it.  If stderr is a file, its
 * path is found by `buffer`; empty: stderr is none.
 */
static const char *
trace_path(const char *path, char buffer[PATH_MAX])
{
	ssize_t length;
	struct stat found;

	if (path != NULL)
		return path;
	buffer[0] = '\0';
	if (fstat(STDERR_FILENO, &found) < 0 || !S_ISREG(found.st_mode))
		return buffer;
	length = readlink("/proc/self/fd/2", buffer, PATH_MAX - 1);
	buffer[length > 0 ? length : 0] = '\0';
	return buffer;
}

enum status
game_setup_trace(const struct game_settings *settings, const char *path,
    struct sandbox *sandbox, struct match_rules *rules)
{
	char buffer[PATH_MAX];
	enum status status = STATUS_DONE;
	int error;

	if (settings->trace.form == GAME_TRACE_OFF || rules->trace != NULL)
		return STATUS_DONE;
	if (settings->trace.path != NULL)
		path = settings->trace.path;
	error = trace_open(
	    &rules->trace, path, settings->trace.form == GAME_TRACE_JSON);
	if (error)
		return error_status(STATUS_ENVIRONMENT, output_open_hint(error),
		    NULL, "trace file \"%s\": %s", path ? path : "stderr",
		    strerror(-error));
	path = trace_path(path, buffer);
	if (rules->sandbox != NULL && path[0] != '\0')
		status = game_setup_hide(sandbox, path);
	return status;
}

void
game_trace_end(const struct game_settings *settings, struct match_rules *rules)
{
	int error;

	if (rules->trace == NULL)
		return;
	error = trace_error(rules->trace);
	if (error)
		fprintf(stderr,
		    "warning: the trace%s%s lacks its end: %s; results are not "
		    "concerned\n",
		    settings->trace.path ? " " : "",
		    settings->trace.path ? settings->trace.path : "",
		    strerror(-error));
	trace_close(rules->trace);
	rules->trace = NULL;
}

enum status
game_setup_cores(
    const struct game_settings *settings, struct dispatcher_config *play)
{
	const struct cores *cores = &settings->pin.cores;
	struct cores allowed = { .count = 0 };
	char text[256];
	int error = cores_allowed(&allowed);

	play->pin = settings->pin.kind;
	play->cores = *cores;
	for (int i = 0; error == 0 && i < cores->count; i++) {
		if (cores_have(&allowed, cores->ids[i]))
			continue;
		cores_format(&allowed, text, sizeof(text));
		error_print("this program may not use core %d", cores->ids[i]);
		error_detail("hint", "those that it may use: %s", text);
		return STATUS_USAGE;
	}
	play->cpu_slots = settings->cpu_slots;
	if (settings->concurrency > 0)
		play->concurrency = (int)settings->concurrency;
	if (play->concurrency == 0)
		play->concurrency = play->pin == DISPATCHER_PIN_LIST
		    ? cores->count
		    : machine_cores("", &allowed);
	if (play->concurrency == 0)
		play->concurrency = 1;
	return STATUS_DONE;
}

enum status
game_setup_rounds(
    int64_t rounds, int64_t games, int game_count, int64_t *blocks)
{
	int64_t all = games * (rounds > 0 ? rounds : 1);

	if (all % game_count != 0) {
		error_print("%jd game%s no whole number of blocks: each set of "
			    "packs is played %d times, until each bot has "
			    "had every seat",
		    all, all == 1 ? " is" : "s are", game_count);
		error_detail("hint",
		    "ask for a multiple of %d games, or say --no-duplicate",
		    game_count);
		return STATUS_USAGE;
	}
	if (all / game_count > ROUNDS_MAX) {
		error_print("%jd games are too many", all);
		error_detail(
		    "hint", "up to %d blocks can be played", (int)ROUNDS_MAX);
		return STATUS_USAGE;
	}
	*blocks = games == 0 ? rounds : all / game_count;
	return STATUS_DONE;
}

enum status
game_end_status(const struct dispatcher_outcome *outcome)
{
	switch (outcome->end) {
	case DISPATCHER_DONE:
		return STATUS_DONE;
	case DISPATCHER_STOPPED:
		return STATUS_BOT;
	case DISPATCHER_INTERRUPTED:
		return (enum status)(128 + outcome->detail);
	case DISPATCHER_LOST:
		return worker_death_error(outcome->detail, outcome->lost_count);
	case DISPATCHER_FAILED:
		break;
	}
	return game_setup_error(outcome->detail);
}

enum status
game_setup_error(int error)
{
	if (error == -EBADMSG)
		return error_status(STATUS_USAGE, NULL, NULL,
		    "the rules throw in every pack of the file, or "
		    "1,000 in a row");
	error_print("the machine refused: %s", strerror(-error));
	if (error == -EFBIG)
		error_detail("hint",
		    "raise ulimit -f; the record of one game has room for %d "
		    "MiB: let it have fewer deals",
		    RECORD_SIZE_MAX >> 20);
	if (error == -EMFILE)
		error_detail("hint", "lower --concurrency or raise ulimit -n");
	if (error == -EAGAIN)
		error_detail("hint", "lower --concurrency or raise ulimit -u");
	if (error == -E2BIG)
		error_detail("hint",
		    "a bot runs in a folder that has too many files to look "
		    "for records and runs that must be hidden from it: give it "
		    "a folder of its own");
	if (error == -ENOENT && access("/proc/self/exe", F_OK) < 0)
		error_detail(
		    "hint", "bots are started through /proc: mount it");
	return STATUS_ENVIRONMENT;
}

/* Whether the open file is the one at the path, and was not removed. */
static bool
is_at(int fd, const char *path)
{
	struct stat open_file, file;

	return fstat(fd, &open_file) == 0 && stat(path, &file) == 0 &&
	    open_file.st_ino == file.st_ino && open_file.st_dev == file.st_dev;
}

/*
 * Whether no other process has the file open.  One that opens it from now on
 * waits until it is closed here, as it would break a lease.  False, too, if
 * the file system has no leases.
 */
static bool
is_alone(int fd)
{
	/* Breaking a lease sends SIGIO, which would end us, or this signal. */
	return fcntl(fd, F_SETSIG, SIGURG) == 0 &&
	    fcntl(fd, F_SETLEASE, F_WRLCK) == 0;
}

enum status
record_output_open(struct record_output *output, const char *path)
{
	*output = (struct record_output){ .path = path, .fd = -1 };
	if (path == NULL)
		return STATUS_DONE;
	if (refuse_file_of_run(path) != STATUS_DONE)
		return STATUS_USAGE;
	/* Another process may remove the file at this moment. */
	for (int i = 0; i < RECORD_TRIES; i++) {
		if (output->fd >= 0)
			close(output->fd);
		output->is_new = access(path, F_OK) != 0;
		output->fd = record_file_open(path);
		if (output->fd < 0 || is_at(output->fd, path))
			break;
	}
	if (output->fd == -EBADMSG)
		return error_usage("name another file",
		    "record file \"%s\": there is something else in it", path);
	return output->fd >= 0 ? STATUS_DONE
			       : record_output_error(output, output->fd,
				     output_open_hint(output->fd));
}

void
record_output_close(struct record_output *output)
{
	if (output->path == NULL || output->fd < 0)
		return;
	if (output->is_new && is_alone(output->fd) &&
	    lseek(output->fd, 0, SEEK_END) == 0 &&
	    is_at(output->fd, output->path))
		unlink(output->path);
	close(output->fd);
}

enum status
record_output_error(
    const struct record_output *output, int error, const char *hint)
{
	return error_status(STATUS_ENVIRONMENT, hint, NULL,
	    "record file \"%s\": %s", output->path, strerror(-error));
}

/*
 * The preflight.
 */

/*
 * Prints the errors of the bots that did not become ready.  A bot with a hint
 * of its own gets none about its sandbox.
 */
static enum status
preflight_report(const struct dispatcher_config *play,
    const struct entrant *called, const struct preflight_result *answers,
    int count, void (*hint)(const struct entrant *bot))
{
	enum status status = STATUS_DONE;
	struct match_rules rules = play->rules;

	if (hint != NULL)
		rules.sandbox = NULL;
	for (int i = 0; i < count; i++) {
		entrant_warn_name(
		    &called[i], answers[i].name, answers[i].name_rest);
		if (answers[i].fault.seat < 0)
			continue;
		status = entrant_error(
		    &called[i], answers[i].name, &answers[i].fault, &rules);
		if (hint != NULL)
			hint(&called[i]);
	}
	return status;
}

/*
 * The answers are not static: they would be 80 MB for the most bots, which a
 * leak check looks through at the end of each process.
 */
enum status
game_preflight(const struct dispatcher_config *play, const bool *excused,
    char (*names)[EVENT_NAME_SIZE], void (*hint)(const struct entrant *bot))
{
	size_t room = (size_t)play->entrant_count;
	struct entrant *called = calloc(room, sizeof(*called));
	struct preflight_result *answers = calloc(room, sizeof(*answers));
	int count = 0, signal = 0, error = -ENOMEM;
	enum status status;

	for (int bot = 0; called != NULL && bot < play->entrant_count; bot++)
		if (excused == NULL || !excused[bot])
			called[count++] = play->entrants[bot];
	if (called != NULL && answers != NULL)
		error =
		    preflight(&play->rules, called, count, answers, &signal);
	for (int i = 0; error == 0 && names != NULL && i < count; i++)
		memcpy(names[i], answers[i].name, EVENT_NAME_SIZE);
	if (error == -EINTR)
		status = (enum status)(128 + signal);
	else if (error)
		status = game_setup_error(error);
	else
		status = preflight_report(play, called, answers, count, hint);
	free(answers);
	free(called);
	return status;
}

/*
 * A single bot.
 */

const struct option single_bot_options[] = {
	GROUP_OPTION("bot", "[CMD] KEY=VALUE...", entrant_keys,
	    sizeof(struct entrant_words), FIELD(bots), FIELD(bot_count),
	    "The bot: a path, a command in quotes, or @NAME of a built-in bot. "
	    "`option.NAME=V` sets an option.",
	    .takes_plain = true, .takes_arguments = true, .title = "name",
	    .group_max = TOURNAMENT_BOTS_MAX),
	INT_OPTION("startup-ms", "MS", FIELD(startup_ms), 1, 3600000,
	    "The time in which the bot must be ready.", .fallback = "10000",
	    .unit = "milliseconds"),
	INT_OPTION("hang-ms", "MS", FIELD(hang_ms), 1, 3600000,
	    "If the bot was late, it must answer `isready` in this time.",
	    .fallback = "2000", .unit = "milliseconds"),
	OPTIONS_END,
};

enum status
single_bot_open(struct single_bot *single, const struct game_settings *settings,
    const struct rule_set *set)
{
	enum status status;

	memset(single, 0, sizeof(*single));
	single->play.rules.rules = set->rules;
	single->play.rules.preset = set->preset;
	if (settings->bot_count != 1)
		return error_usage("name one bot: a path, a command in quotes, "
				   "or @NAME of a built-in bot",
		    "%d bots are named", settings->bot_count);
	status = game_setup_bots(
	    settings, NULL, ENTRANT_TO_PLAY, &single->bots, &single->play);
	if (status == STATUS_DONE)
		status = game_setup_sandbox(
		    settings, NULL, &single->sandbox, &single->play);
	return status;
}

void
single_bot_close(struct single_bot *single)
{
	practice_close(single->practice);
	if (single->play.rules.sandbox != NULL)
		sandbox_close(&single->sandbox);
	game_bots_release(&single->bots);
}

enum status
single_bot_start(struct single_bot *single)
{
	const struct entrant *entrant = &single->bots.entrants[0];
	const struct match_fault *fault;
	char name[EVENT_NAME_SIZE];
	int error =
	    practice_open(&single->practice, &single->play.rules, entrant);

	if (error)
		return game_setup_error(error);
	fault = &single->practice->match->fault;
	if (fault->seat < 0)
		return STATUS_DONE;
	match_head_name(entrant, practice_session(single->practice), name);
	return entrant_error(entrant, name, fault, &single->play.rules);
}

enum status
single_bot_play(struct single_bot *single, const struct practice_game *game,
    struct practice_result *result)
{
	int error = practice_play(single->practice, game, result);

	if (error)
		return game_setup_error(error);
	if (!result->declined)
		return STATUS_DONE;
	error_print("bot \"%s\" sent `error feature`: it does not play these "
		    "rules",
	    single->bots.entrants[0].command);
	return STATUS_BOT;
}

const char *
answer_refusal(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const char *line, struct scopa_move *move)
{
	enum scopa_refusal refusal;
	struct words words;

	words_split(line, strlen(line), &words);
	if (words.count < 2)
		return "The answer has no move.";
	switch (
	    scopa_move_parse(words.word[1].bytes, words.word[1].length, move)) {
	case SCOPA_BAD_SYNTAX:
		return "This is not a move.";
	case SCOPA_DUPLICATE:
		return "The move names a card twice.";
	case SCOPA_PARSED:
		break;
	}
	move->seat = deal->turn;
	refusal = scopa_deal_check(rules, deal, move);
	return refusal == SCOPA_LEGAL ? NULL : scopa_refusal_sentence(refusal);
}
