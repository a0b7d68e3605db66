/*
 * bot: a built-in bot in this process, as the arena's child or by hand.
 */
#include <stdio.h>

#include "command.h"
#include "entrants.h"
#include "players.h"
#include "version.h"

static enum status
bot_run(const void *given, int argc, char **argv)
{
	const char *name;

	(void)given;
	if (argc == 0) {
		for (int i = 0; i < builtin_count; i++)
			printf("@%-11s %s\n", builtins[i].name,
			    builtins[i].sentence);
		return STATUS_DONE;
	}
	name = argv[0][0] == '@' ? argv[0] + 1 : argv[0];
	if (builtin_find(name) == NULL)
		return builtin_error("", argv[0]);
	return (enum status)builtin_run(name);
}

const struct command command_bot = {
	.name = "bot",
	.sentence =
	    "Runs a built-in bot, which speaks USP on standard input and "
	    "output.",
	.usage = "[NAME]",
	.arguments = { { "NAME", "Which bot; without it, all are listed." } },
	.argument_max = 1,
	.examples = { "bot greedy" },
	.run = bot_run,
};
