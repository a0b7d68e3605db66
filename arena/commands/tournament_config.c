/*
 * The configuration of a tournament or gate as executed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "option.h"
#include "tournament_setup.h"
#include "version.h"

enum { NUMBER_SIZE = 24, STAND_INS_MAX = 16 + TOURNAMENT_BOTS_MAX };

/* The values that take the place of what was given, and their bytes. */
struct stand_ins {
	struct option_stand_in rows[STAND_INS_MAX];
	int count;
	char seed[SHUFFLE_HEX_SIZE];
	char contributions[CONTRIBUTIONS_SIZE];
	char low[NUMBER_SIZE], high[NUMBER_SIZE]; /* bounds of a test */
	char rounds[NUMBER_SIZE], blocks[NUMBER_SIZE], deals[NUMBER_SIZE];
};

static void
stand_in_add(struct stand_ins *stand_ins, const char *group, int element,
    const char *name, const char *value)
{
	stand_ins->rows[stand_ins->count++] =
	    (struct option_stand_in){ group, element, name, value };
}

/* How long it goes on, in whichever way that was said or left open. */
static void
add_length(struct stand_ins *stand_ins, const struct tournament_setup *setup)
{
	bool sequential = setup->is_gate && setup->gate.sequential;
	const char *rounds = stand_ins->rounds;

	snprintf(stand_ins->rounds, sizeof(stand_ins->rounds), "%d",
	    setup->schedule.rounds);
	stand_in_add(stand_ins, NULL, 0, "games", NULL);
	stand_in_add(stand_ins, NULL, 0, "rounds", sequential ? NULL : rounds);
	if (sequential)
		stand_in_add(stand_ins, "sprt", 0, "max", rounds);
	if (setup->schedule.format == SCHEDULE_LADDER) {
		snprintf(stand_ins->blocks, sizeof(stand_ins->blocks),
		    "%" PRId64, setup->schedule.blocks);
		stand_in_add(stand_ins, NULL, 0, "blocks", stand_ins->blocks);
	}
	if (setup->rules.deals > 0) {
		snprintf(stand_ins->deals, sizeof(stand_ins->deals), "%d",
		    setup->rules.deals);
		stand_in_add(stand_ins, NULL, 0, "deals", stand_ins->deals);
	}
}

/* Where the packs are from. */
static void
add_secret(struct stand_ins *stand_ins, const struct tournament_setup *setup)
{
	shuffle_key_format(&setup->secret, stand_ins->seed);
	stand_in_add(stand_ins, NULL, 0, "seed", stand_ins->seed);
	contributions_write(setup->contributions, stand_ins->contributions);
	stand_in_add(stand_ins, NULL, 0, "contribution",
	    setup->contributions->count > 0 ? stand_ins->contributions : NULL);
}

static void
add_bound(struct stand_ins *stand_ins, const char *name, double value,
    char text[NUMBER_SIZE])
{
	snprintf(text, NUMBER_SIZE, "%g", value);
	stand_in_add(stand_ins, "sprt", 0, name, text);
}

/* A test by bounds that nobody gave. */
static void
add_bounds(struct stand_ins *stand_ins,
    const struct tournament_settings *settings,
    const struct tournament_setup *setup)
{
	const struct sprt_bounds *bounds = &settings->sprt.bounds;
	const struct sprt *sprt = &setup->gate.sprt;

	if (!setup->is_gate || !setup->gate.sequential)
		return;
	if (sprt->unit == SPRT_UNIT_POINTS) {
		if (!bounds->points0.given)
			add_bound(
			    stand_ins, "points0", sprt->low, stand_ins->low);
		if (!bounds->points1.given)
			add_bound(
			    stand_ins, "points1", sprt->high, stand_ins->high);
		return;
	}
	if (!bounds->elo0.given)
		add_bound(stand_ins, "elo0", sprt->low, stand_ins->low);
	if (!bounds->elo1.given)
		add_bound(stand_ins, "elo1", sprt->high, stand_ins->high);
}

/* What bots were called, and the folder that those without one run in. */
static void
add_bots(struct stand_ins *stand_ins, const struct tournament_setup *setup,
    const struct tournament_settings *settings, const char *const *names,
    const char *folder)
{
	int bot_count = settings->game.bot_count;

	for (int i = 0; i < setup->entrant_count; i++) {
		bool is_base = i >= bot_count;

		if (names != NULL)
			stand_in_add(stand_ins, is_base ? "base" : "bot",
			    is_base ? 0 : i, "name", names[i]);
	}
	if (settings->game.each.dir == NULL && folder != NULL)
		stand_in_add(stand_ins, "each", 0, "dir", folder);
}

char *
tournament_setup_config(const struct tournament_setup *setup,
    const struct tournament_settings *settings, const char *const *names)
{
	char *text = NULL;
	size_t size;
	char *folder = getcwd(NULL, 0);
	FILE *file = open_memstream(&text, &size);
	struct stand_ins stand_ins = { .count = 0 };
	struct option_form form = {
		.options = setup->is_gate ? gate_options : tournament_options,
		.option_count = setup->is_gate ? GATE_OPTION_COUNT
					       : TOURNAMENT_OPTION_COUNT,
		.section = setup->is_gate ? "gate" : "tournament",
		.memory = &settings->game.memory,
		.folder = folder,
		.stand_ins = stand_ins.rows,
	};

	if (file == NULL)
		goto free_folder;
	add_secret(&stand_ins, setup);
	stand_in_add(&stand_ins, NULL, 0, "name", setup->name);
	add_length(&stand_ins, setup);
	add_bounds(&stand_ins, settings, setup);
	add_bots(&stand_ins, setup, settings, names, folder);
	form.stand_in_count = stand_ins.count;
	fprintf(file,
	    "# As it was played by " VERSION_NAME " " VERSION_NUMBER
	    ".  The same again: " VERSION_NAME " %s --config FILE\n\n",
	    form.section);
	option_write(file, &form);
	if (fclose(file) != 0) {
		free(text);
		text = NULL;
	}
free_folder:
	free(folder);
	return text;
}
