#include "game_setup.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "complaint.h"
#include "input_file.h"
#include "rule_set.h"
#include "seats.h"
#include "version.h"

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
	bool seats_known = settings->seats > 0 || settings->teams != NULL ||
	    strstr(settings->rules, "players=") != NULL ||
	    strstr(settings->rules, "teams=") != NULL;

	if (bot_count > 0 && !seats_known && bot_count != rules->players &&
	    bot_count != scopa_party_count(rules)) {
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
		complaint_say("--ponder and --no-ponder exclude each other");
		complaint_add("hint",
		    "without both, bots that compute while they are not to "
		    "move are frozen then");
		return STATUS_USAGE;
	}
	if (settings->deals > 0 && settings->target > 0) {
		complaint_say("--deals and --target exclude each other");
		complaint_add("hint",
		    "a game is a number of deals, or it goes to a number of "
		    "points");
		return STATUS_USAGE;
	}
	if (settings->deals > 0 && settings->max_deals > 0) {
		complaint_say("--deals and --max-deals exclude each other");
		complaint_add("hint",
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
		complaint_say("rules \"%s\": too long", settings->rules);
		complaint_add("try", VERSION_NAME " rules");
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
complain_controls(
    const struct entrant_words *one, const struct entrant_words *other)
{
	complaint_say("bots \"%s\" and \"%s\" have different times",
	    one->name ? one->name : one->command,
	    other->name ? other->name : other->command);
	complaint_add("hint",
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
			return complain_controls(&words[0], &words[i]);
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
		.policy = policy_default(scopa_party_count(&rules->rules)),
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
	return error ? game_setup_complain(error) : STATUS_DONE;
}

enum status
game_setup_packs(const struct game_settings *settings, struct packs *packs,
    struct match_rules *rules)
{
	const char *path = settings->packs.path;
	char reason[512];
	struct scopa_text why;
	int error;

	if (path == NULL)
		return STATUS_DONE;
	scopa_text_init(&why, reason, sizeof(reason));
	error = packs_open(packs, path, &why);
	if (error == -EBADMSG) {
		complaint_say("pack file \"%s\": %s", path, reason);
		complaint_add("hint",
		    "a pack is a line of 80 characters: the 40 cards in order "
		    "of dealing");
		return STATUS_USAGE;
	}
	if (error) {
		complaint_say("pack file \"%s\": %s", path, strerror(-error));
		complaint_add("hint",
		    "check the spelling, and the folder that the path starts "
		    "in");
		return input_file_status(error);
	}
	rules->packs = packs;
	return STATUS_DONE;
}

/* Without a root folder of its own a bot has no place that is its own. */
static enum status
set_scratch(const struct game_settings *settings, struct walls *walls)
{
	const struct walls_finding *root = &walls->layers[WALLS_LAYER_ROOT];

	if (settings->scratch_bytes == 0)
		return STATUS_DONE;
	if (root->reached) {
		walls->scratch_kib =
		    (int)((settings->scratch_bytes + 1023) / 1024);
		return STATUS_DONE;
	}
	complaint_say("--scratch: bots have no root folder of their own here, "
		      "behind %s",
	    walls_level_name(walls->level));
	complaint_add("where", "%s", root->why);
	complaint_add("hint", "%s", root->fix);
	return STATUS_ENVIRONMENT;
}

/* No walls at all are wanted: nothing may need them. */
static enum status
refuse_without_walls(const struct game_settings *settings)
{
	if (settings->scratch_bytes == 0 && settings->run_as == 0)
		return STATUS_DONE;
	complaint_say("--%s needs walls around bots, and --sandbox is off",
	    settings->scratch_bytes != 0 ? "scratch" : "run-as");
	complaint_add("hint", "leave --sandbox off away");
	return STATUS_USAGE;
}

/* Whether a layer is missing for want of one before it. */
static bool
is_told(const struct walls *walls, int layer)
{
	for (int i = 0; i < layer; i++)
		if (walls->layers[i].fix == walls->layers[layer].fix)
			return true;
	return false;
}

/* What is missing, why, and what could be done about it: a line each. */
static void
tell_missing(const struct walls *walls)
{
	for (int i = 0; i < WALLS_LAYER_COUNT; i++) {
		const struct walls_finding *layer = &walls->layers[i];

		/* Users of their own are asked for: doctor names them. */
		if (i != WALLS_LAYER_USER && i != WALLS_LAYER_LIMITS &&
		    !layer->reached && !is_told(walls, i))
			fprintf(stderr, "walls   no %s: %s; to have it: %s\n",
			    walls_layer_name((enum walls_layer)i), layer->why,
			    layer->fix);
	}
}

/* --sandbox require: what a bot leaves behind could go on for ever. */
static enum status
refuse_walls(struct walls *walls)
{
	const struct walls_finding *layer =
	    &walls->layers[WALLS_LAYER_TREE_KILL];

	complaint_say("--sandbox require: what a bot has started cannot be "
		      "killed for certain here");
	complaint_add("where", "%s", layer->why);
	complaint_add("hint", "%s", layer->fix);
	complaint_add("try", VERSION_NAME " doctor");
	walls_close(walls);
	return STATUS_ENVIRONMENT;
}

/* A user of a bot must be nobody else, as all that is that user's is killed. */
static enum status
check_run_as(const struct game_settings *settings)
{
	struct seats_claim claim;

	if (settings->run_as == 0)
		return STATUS_DONE;
	if (geteuid() != 0) {
		complaint_say(
		    "--run-as: only root can run bots as other users");
		return STATUS_ENVIRONMENT;
	}
	seats_search((unsigned)settings->run_as, &claim);
	switch (claim.owner) {
	case SEATS_FREE:
		return STATUS_DONE;
	case SEATS_NAMED:
		complaint_say("--run-as %" PRId64 ": the user %u is \"%s\"",
		    settings->run_as, claim.user, claim.name);
		break;
	case SEATS_RUNNING:
		complaint_say("--run-as %" PRId64
			      ": process %s runs as user %u",
		    settings->run_as, claim.name, claim.user);
		break;
	}
	complaint_add("hint",
	    "give a number from which on %d are nobody's, such as 700000",
	    SEATS_MAX);
	return STATUS_USAGE;
}

enum status
game_setup_hide(struct walls *walls, const char *path)
{
	int error = path == NULL ? 0 : walls_hide(walls, path);

	/* Without a folder there is no file, as who opens it will say. */
	return error == 0 || error == -ENOENT ? STATUS_DONE
					      : game_setup_complain(error);
}

enum status
game_setup_walls(const struct game_settings *settings, const char *hidden,
    struct walls *walls, struct match_rules *rules)
{
	enum status status;
	int error;

	if (settings->sandbox == SANDBOX_OFF)
		return refuse_without_walls(settings);
	status = check_run_as(settings);
	if (status != STATUS_DONE)
		return status;
	error = settings->run_as == 0
	    ? walls_raise(walls)
	    : walls_raise_as(walls, (unsigned)settings->run_as);
	if (error)
		return game_setup_complain(error);
	if (settings->sandbox == SANDBOX_REQUIRE &&
	    walls->level < WALLS_CORE_TREE)
		return refuse_walls(walls);
	status = set_scratch(settings, walls);
	if (status != STATUS_DONE)
		goto close_walls;
	status = game_setup_hide(walls, hidden);
	if (status == STATUS_DONE)
		status = game_setup_hide(walls, settings->packs.path);
	if (status != STATUS_DONE)
		goto close_walls;
	rules->walls = walls;
	if (!settings->quiet)
		tell_missing(walls);
	return STATUS_DONE;
close_walls:
	walls_close(walls);
	return status;
}

enum status
game_setup_pin(const struct game_settings *settings, enum series_pin *pin,
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
		complaint_say("core %d is not one that this program may use",
		    cores->ids[i]);
		complaint_add("hint", "those that it may use: %s", text);
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
		complaint_say("%" PRId64 " games are no whole number of "
			      "blocks: each set of packs is played %d times, "
			      "once for every way of seating the bots",
		    all, game_count);
		complaint_add("hint",
		    "ask for a multiple of %d games, or say --no-duplicate",
		    game_count);
		return STATUS_USAGE;
	}
	if (all / game_count > ROUNDS_MAX) {
		complaint_say("%" PRId64 " games are too many", all);
		complaint_add(
		    "hint", "up to %d blocks can be played", (int)ROUNDS_MAX);
		return STATUS_USAGE;
	}
	*blocks = all / game_count;
	return STATUS_DONE;
}

enum status
game_setup_complain(int error)
{
	if (error == -EBADMSG) {
		complaint_say("the rules throw in every pack of the file");
		return STATUS_USAGE;
	}
	complaint_say("the machine refused: %s", strerror(-error));
	if (error == -EFBIG)
		complaint_add("hint",
		    "raise ulimit -f; the record of one game has room for %d "
		    "MiB: let it have fewer deals",
		    RECORD_BLOCK_SIZE_MAX >> 20);
	if (error == -EMFILE)
		complaint_add("hint", "lower --concurrency or raise ulimit -n");
	return STATUS_ENVIRONMENT;
}
