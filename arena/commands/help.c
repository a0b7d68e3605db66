/*
 * help: the commands and their options, and the manual page.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "complaint.h"
#include "countof.h"
#include "describe.h"
#include "manual.h"
#include "version.h"

struct settings {
	bool man;
};

static const struct option options[] = {
	{
	    .name = "man",
	    .kind = OPTION_FLAG,
	    .sentence = "Print the manual page of the program, for man(1).",
	    .offset = offsetof(struct settings, man),
	},
};

static const struct command_argument arguments[] = {
	{ "COMMAND", "One command, or the first word of several." },
};

static const char *const examples[] = {
	VERSION_NAME " help match",
	VERSION_NAME " help --man | man -l -",
	NULL,
};

static enum status
help_run(const void *given, int argc, char **argv)
{
	const struct settings *settings = given;
	char name[64];

	if (settings->man) {
		if (argc > 0) {
			complaint_say(
			    "--man is one page of all commands, \"%s\" is one",
			    argv[0]);
			complaint_add("try", VERSION_NAME " help --man");
			return STATUS_USAGE;
		}
		manual_print(stdout);
		return STATUS_DONE;
	}
	if (argc == 0) {
		describe_commands(stdout);
		return STATUS_DONE;
	}
	snprintf(name, sizeof(name), argc > 1 ? "%s %s" : "%s", argv[0],
	    argc > 1 ? argv[1] : "");
	return command_describe(name);
}

const struct command command_help = {
	.name = "help",
	.sentence = "Lists the commands, or explains one.",
	.usage = "[COMMAND]",
	.arguments = arguments,
	.argument_kinds = COUNTOF(arguments),
	.argument_max = 2,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = help_run,
};
