/*
 * record show: a game for people to read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "countof.h"
#include "record_print.h"
#include "record_walk.h"
#include "version.h"

struct settings {
	const char *match;
	int64_t deal; /* 0: all */
};

static const struct option options[] = {
	RECORD_MATCH_OPTION(struct settings),
	{
	    .name = "deal",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Only the deal of this number.",
	    .unit = "deals",
	    .min = 1,
	    .max = 1000000,
	    .offset = offsetof(struct settings, deal),
	},
};

static const char *const examples[] = {
	VERSION_NAME " record show games.scopa",
	VERSION_NAME " record show --match m1 --deal 3 games.scopa",
	NULL,
};

static int
show_block(void *given, const struct record_visit *visit)
{
	struct record_print *print = given;
	const struct record_block *block = visit->block;

	for (size_t i = 0; i < block->line_count; i++)
		if (record_line_event(
			block, &block->lines[i], &print->event, NULL))
			record_print_event(print);
	return 0;
}

/* Whether standard output is a terminal whose user likes colours. */
static bool
wants_colours(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && no_color[0]) &&
	    terminal && strcmp(terminal, "dumb") != 0;
}

static enum status
show_run(const void *given, int argc, char **argv)
{
	const struct settings *settings = given;
	struct record_print print = {
		.deal_wanted = settings->deal,
		.colours = wants_colours(),
	};
	struct record_pick pick = { .match = settings->match };
	struct record_walk walk = {
		.pick = &pick,
		.visit = show_block,
		.context = &print,
	};

	return record_walk_files(&walk, argc, argv);
}

const struct command command_record_show = {
	.name = "record show",
	.sentence = "Prints games for people to read.",
	.detail =
	    "Each play stands with the table and the hand that it leaves. "
	    "Blocks that do not verify are named and left out. Colours are "
	    "used on a terminal, unless NO_COLOR is set.",
	.usage = "[FILE...]",
	.arguments = &record_files_argument,
	.argument_kinds = 1,
	.argument_max = COMMAND_ANY_COUNT,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = show_run,
};
