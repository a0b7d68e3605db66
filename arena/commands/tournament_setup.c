#include "tournament_setup.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "complaint.h"
#include "version.h"

enum {
	ROUNDS_DEFAULT = 10,       /* of a tournament */
	GATE_DEALS_DEFAULT = 1,    /* of a game */
	GATE_BLOCKS_MAX = 1000000, /* where nothing else ends a gate */
	NAME_SIZE = 48
};

static const char *
command_of(const struct tournament_setup *setup)
{
	return setup->is_gate ? "gate" : "tournament";
}

static void
add_try(const struct tournament_setup *setup)
{
	complaint_add("try", VERSION_NAME " help %s", command_of(setup));
}

/* The name becomes part of a path. */
static enum status
read_name(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const char *name = settings->name;

	setup->name = name != NULL ? name : command_of(setup);
	for (const char *byte = setup->name; *byte != '\0'; byte++) {
		if (isgraph((unsigned char)*byte) && *byte != '/')
			continue;
		complaint_say("--name \"%s\": letters, digits and signs are "
			      "expected, without blanks and /",
		    name);
		add_try(setup);
		return STATUS_USAGE;
	}
	if (strlen(setup->name) >= NAME_SIZE || setup->name[0] == '.') {
		complaint_say(
		    "--name \"%s\": expected are up to %d characters, "
		    "the first of them no point",
		    name, NAME_SIZE - 1);
		add_try(setup);
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}

/* A gate has one candidate and one base. */
static enum status
check_pair(const struct tournament_setup *setup,
    const struct tournament_settings *settings)
{
	int count = settings->game.bot_count;

	if (count == 1 && settings->base_count == 0)
		complaint_say("a gate needs a base to compare with");
	else if (count == 0)
		complaint_say("a gate needs a candidate");
	else if (count + settings->base_count > 2)
		complaint_say("a gate compares two bots, but %d are named",
		    count + settings->base_count);
	else
		return STATUS_DONE;
	complaint_add("hint", "name one --bot, and one --base");
	add_try(setup);
	return STATUS_USAGE;
}

static enum status
read_bots(struct tournament_setup *setup,
    const struct tournament_settings *settings, enum entrant_use use,
    struct budget_control *control)
{
	const struct game_settings *game = &settings->game;
	int count = game->bot_count;
	int all = count + settings->base_count;

	if (setup->is_gate) {
		enum status status = check_pair(setup, settings);

		if (status != STATUS_DONE)
			return status;
	} else if (all < 2) {
		complaint_say(
		    "a tournament needs two bots, but %d is named", all);
		complaint_add(
		    "try", VERSION_NAME " tournament @greedy @random @first");
		return STATUS_USAGE;
	}
	setup->words = calloc((size_t)all, sizeof(*setup->words));
	setup->entrants = calloc((size_t)all, sizeof(*setup->entrants));
	if (setup->words == NULL || setup->entrants == NULL)
		return game_setup_complain(-ENOMEM);
	memcpy(setup->words, game->bots, (size_t)count * sizeof(*game->bots));
	if (settings->base_count > 0)
		setup->words[count] = settings->base;
	setup->entrant_count = all;
	return game_setup_bots(
	    game, setup->words, setup->entrants, all, use, control);
}

static enum status
complain_flaw(const struct tournament_setup *setup, const char *flaw)
{
	complaint_say("%s", flaw);
	add_try(setup);
	return STATUS_USAGE;
}

/* How many blocks an encounter has, once it is known how many games one is. */
/* Packs of a round: a game to a target is known by its first one. */
static int
round_packs(const struct tournament_setup *setup)
{
	return setup->rules.deals > 0 ? setup->rules.deals : 1;
}

/* A file of packs is played once. */
static int
suite_rounds(const struct tournament_setup *setup)
{
	int rounds = setup->suite.count / round_packs(setup);

	return rounds > 0 ? rounds : 1;
}

static void
warn_repeats(const struct tournament_setup *setup, int repeated)
{
	if (repeated > 0)
		fprintf(stderr,
		    "warning: pack file \"%s\": %d of %d packs stand there "
		    "before: what comes again is no new evidence\n",
		    setup->packs_path, repeated, setup->suite.count);
}

/* Where a round robin or gate goes on after the last pack. */
static void
warn_rounds(const struct tournament_setup *setup)
{
	int rounds = setup->schedule.rounds;
	bool known = setup->is_gate ||
	    setup->schedule.format == SCHEDULE_ROUND_ROBIN ||
	    setup->schedule.format == SCHEDULE_GAUNTLET;

	if (known && setup->suite.count > 0 && rounds > suite_rounds(setup))
		fprintf(stderr,
		    "warning: %d rounds of %d pack%s each, but pack file "
		    "\"%s\" has %d: what comes again is no new evidence\n",
		    rounds, round_packs(setup),
		    round_packs(setup) == 1 ? "" : "s", setup->packs_path,
		    setup->suite.count);
}

/* The packs of a file, and which of them repeat. */
static enum status
read_packs(struct tournament_setup *setup,
    const struct tournament_settings *settings, enum entrant_use use)
{
	bool plays = use == ENTRANT_TO_PLAY;
	enum status status;
	int repeated;

	if (setup->packs_path == NULL)
		return STATUS_DONE;
	if (!plays && access(setup->packs_path, R_OK) < 0) {
		fprintf(stderr,
		    "warning: pack file \"%s\": %s: it is not known which "
		    "packs repeat\n",
		    setup->packs_path, strerror(errno));
		return STATUS_DONE;
	}
	status =
	    game_setup_packs(&settings->game, &setup->packs, &setup->rules);
	if (status != STATUS_DONE)
		return status;
	setup->pack_sets =
	    calloc((size_t)setup->packs.count, sizeof(*setup->pack_sets));
	if (setup->pack_sets == NULL ||
	    packs_sets(&setup->packs, round_packs(setup), setup->pack_sets,
		&repeated) < 0) {
		complaint_say("no memory");
		return STATUS_ENVIRONMENT;
	}
	setup->suite = (struct standings_suite){ setup->pack_sets,
		setup->packs.count, round_packs(setup) };
	if (plays)
		warn_repeats(setup, repeated);
	return STATUS_DONE;
}

static enum status
read_rounds(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	struct schedule_config *schedule = &setup->schedule;
	int64_t rounds;
	enum status status = game_setup_rounds(settings->rounds,
	    settings->games, schedule_game_count(schedule), &rounds);

	if (status != STATUS_DONE)
		return status;
	schedule->rounds = rounds > 0 ? (int)rounds
	    : setup->suite.count > 0  ? suite_rounds(setup)
				      : ROUNDS_DEFAULT;
	if (schedule->format == SCHEDULE_LADDER && settings->blocks == 0) {
		struct schedule_config all = *schedule;

		all.format = SCHEDULE_ROUND_ROBIN;
		schedule->blocks = schedule_block_count(&all);
	}
	return STATUS_DONE;
}

/* The secret, and the key of the packs that it is with all contributions. */
static enum status
read_secret(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const struct game_settings *game = &settings->game;
	enum status status = game_setup_secret(game, &setup->rules);

	if (status != STATUS_DONE)
		return status;
	setup->contributions = &settings->contributions;
	if (setup->packs_path != NULL && settings->contributions.count > 0) {
		complaint_say(
		    "--contribution: packs of a file come from no secret");
		add_try(setup);
		return STATUS_USAGE;
	}
	setup->drawn = !game->seed.given && setup->packs_path == NULL;
	(void)sodium_mlock(&setup->secret, sizeof(setup->secret));
	setup->secret = setup->rules.secret;
	contributions_mix(
	    setup->contributions, &setup->secret, &setup->rules.secret);
	return STATUS_DONE;
}

/* What is said of another format than the one that is played, or NULL. */
static const char *
find_idle_word(const struct tournament_settings *settings)
{
	const enum schedule_format format =
	    (enum schedule_format)settings->format;

	if (settings->stages > 0 && format != SCHEDULE_SWISS)
		return "--stages is for --format swiss";
	if (settings->blocks > 0 && format != SCHEDULE_LADDER)
		return "--blocks is for --format ladder";
	if (settings->challengers > 1 && format != SCHEDULE_GAUNTLET)
		return "--challengers is for --format gauntlet";
	return NULL;
}

static enum status
read_schedule(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const char *flaw;
	enum status status;

	setup->schedule = (struct schedule_config){
		.format = setup->is_gate
		    ? SCHEDULE_ROUND_ROBIN
		    : (enum schedule_format)settings->format,
		.bot_count = setup->entrant_count,
		.rules = setup->rules.rules,
		.mixed = settings->partners > 0,
		.duplicate = settings->duplicate,
		.rounds = 1,
		.stages = (int)settings->stages,
		.blocks = settings->blocks > 0 ? settings->blocks : 1,
		.challengers = (int)settings->challengers,
		.seed =
		    shuffle_seat_seed(&setup->rules.secret, "schedule", 1, 0),
	};
	if (setup->is_gate && schedule_bot_count(&setup->schedule) != 2) {
		complaint_say("a gate compares two bots, but %d meet in this "
			      "game",
		    schedule_bot_count(&setup->schedule));
		complaint_add(
		    "hint", "choose seats of two parties: AB, ABAB or ABABAB");
		return STATUS_USAGE;
	}
	flaw = setup->is_gate ? NULL : find_idle_word(settings);
	if (flaw == NULL)
		flaw = schedule_flaw(&setup->schedule);
	if (flaw != NULL)
		return complain_flaw(setup, flaw);
	status = read_rounds(setup, settings);
	if (status != STATUS_DONE)
		return status;
	flaw = schedule_flaw(&setup->schedule);
	return flaw != NULL ? complain_flaw(setup, flaw) : STATUS_DONE;
}

static enum status
complain_sprt(const char *why)
{
	complaint_say("--sprt: %s", why);
	complaint_add("try", VERSION_NAME " help gate");
	return STATUS_USAGE;
}

/* No verdict could ever be given. */
static enum status
complain_minimum(const struct gate_config *gate, const char *key)
{
	complaint_say("--sprt: %s%lld blocks at most are fewer than min=%lld",
	    key, (long long)gate->blocks_max, (long long)gate->sprt.minimum);
	complaint_add("hint",
	    "min=%lld allows a verdict after so many, with errors more often "
	    "than agreed",
	    (long long)gate->blocks_max);
	complaint_add("try", VERSION_NAME " help gate");
	return STATUS_USAGE;
}

/* The sequential test, and when a gate ends in any case. */
static enum status
read_sprt(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const struct sprt_words *words = &settings->sprt;
	bool limited = settings->rounds > 0 || settings->games > 0;
	struct gate_config *gate = &setup->gate;
	struct sprt *sprt = &gate->sprt;
	char bytes[SPRT_WHY_SIZE];
	struct scopa_text why;

	if (words->max > 0 && limited)
		return complain_sprt(
		    "max= and --rounds or --games are two limits");
	gate->sequential = settings->sprt_count > 0 || !limited;
	gate->blocks_max = limited || setup->suite.count > 0
	    ? setup->schedule.rounds
	    : GATE_BLOCKS_MAX;
	if (words->max > 0)
		gate->blocks_max = words->max;
	setup->schedule.rounds = (int)gate->blocks_max;
	*sprt = (struct sprt){
		.model = (enum sprt_model)words->model,
		.alpha = words->alpha,
		.beta = words->beta,
		.minimum = words->min,
	};
	scopa_text_init(&why, bytes, sizeof(bytes));
	if (!sprt_bounds_set(&words->bounds, sprt, &why))
		return complain_sprt(bytes);
	/* A file of few packs is played as far as it goes. */
	if (gate->sequential && (limited || words->max > 0) &&
	    gate->blocks_max < sprt->minimum)
		return complain_minimum(gate, words->max > 0 ? "max=" : "");
	if (sprt->model == SPRT_BETTING &&
	    fmax(fabs(sprt->low), fabs(sprt->high)) >=
		scopa_points_max(&setup->rules.rules))
		return complain_sprt("the model betting: a bound lies beyond "
				     "what a deal can give");
	return STATUS_DONE;
}

static enum status
read_verdict(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	enum status status = STATUS_DONE;

	if (!(settings->level >= 0.5 && settings->level < 1)) {
		complaint_say("--level %g: at least 0.5 and below 1 is "
			      "expected",
		    settings->level);
		add_try(setup);
		return STATUS_USAGE;
	}
	setup->level = settings->level;
	setup->gate.level = settings->level;
	if (setup->is_gate)
		status = read_sprt(setup, settings);
	return status;
}

/* As many games at once as there are cores, unless told. */
static enum status
read_machine(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const struct game_settings *game = &settings->game;
	enum status status = game_setup_pin(game, &setup->pin, &setup->cores);
	struct cores cores;
	int error = 0;

	if (status != STATUS_DONE)
		return status;
	setup->concurrency = (int)game->concurrency;
	setup->thinkers = game->thinkers.count;
	if (setup->concurrency > 0)
		return STATUS_DONE;
	if (setup->pin == SERIES_PIN_LIST)
		cores = setup->cores;
	else
		error = cores_allowed(&cores);
	setup->concurrency = error || cores.count == 0 ? 1 : cores.count;
	return STATUS_DONE;
}

/* The rules; a game of a gate is one deal unless told. */
static enum status
read_rules(
    struct tournament_setup *setup, const struct tournament_settings *settings)
{
	const struct game_settings *game = &settings->game;
	enum status status = game_setup_rules(game, 0, &setup->rules);

	if (status == STATUS_DONE && setup->is_gate && game->deals == 0 &&
	    game->target == 0 && game->max_deals == 0)
		setup->rules.deals = GATE_DEALS_DEFAULT;
	return status;
}

enum status
tournament_setup_open(struct tournament_setup *setup,
    const struct tournament_settings *settings, bool gate, enum entrant_use use)
{
	struct budget_control control;
	enum status status;

	memset(setup, 0, sizeof(*setup));
	setup->is_gate = gate;
	setup->packs_path = settings->game.packs.path;
	status = read_name(setup, settings);
	if (status == STATUS_DONE)
		status = read_rules(setup, settings);
	if (status == STATUS_DONE)
		status = read_bots(setup, settings, use, &control);
	if (status != STATUS_DONE)
		goto close_setup;
	game_setup_referee(&settings->game, &control, &setup->rules);
	assert(!gate || setup->rules.settings.analysis == NULL);
	status = read_secret(setup, settings);
	if (status == STATUS_DONE)
		status = read_packs(setup, settings, use);
	if (status == STATUS_DONE)
		status = read_schedule(setup, settings);
	if (status == STATUS_DONE)
		status = read_verdict(setup, settings);
	if (status == STATUS_DONE && use == ENTRANT_TO_PLAY)
		status = read_machine(setup, settings);
	if (status == STATUS_DONE && use == ENTRANT_TO_PLAY)
		warn_rounds(setup);
	if (status == STATUS_DONE)
		return status;
close_setup:
	tournament_setup_close(setup);
	return status;
}

void
tournament_setup_close(struct tournament_setup *setup)
{
	if (setup->rules.packs != NULL)
		packs_close(&setup->packs);
	free(setup->pack_sets);
	if (setup->rules.walls != NULL)
		walls_close(&setup->walls);
	free(setup->entrants);
	free(setup->words);
	memset(setup, 0, sizeof(*setup));
}

enum status
tournament_setup_call(const struct tournament_setup *setup, const bool *excused,
    struct roll *rolls)
{
	static struct entrant called[TOURNAMENT_BOTS_MAX];
	static struct roll answers[TOURNAMENT_BOTS_MAX];
	enum status status = STATUS_DONE;
	int count = 0, signal = 0, error;

	for (int bot = 0; bot < setup->entrant_count; bot++)
		if (excused == NULL || !excused[bot])
			called[count++] = setup->entrants[bot];
	error = roll_call(&setup->rules, called, count, answers, &signal);
	if (error == -EINTR)
		return (enum status)(128 + signal);
	if (error)
		return game_setup_complain(error);
	for (int bot = 0, i = 0; bot < setup->entrant_count; bot++) {
		if (excused != NULL && excused[bot])
			continue;
		rolls[bot] = answers[i];
		if (!answers[i].ready) {
			status = entrant_complain(&called[i], answers[i].name,
			    &answers[i].fault, &setup->rules);
		}
		i++;
	}
	return status;
}
