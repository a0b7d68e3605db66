/*
 * scopa-bot NAME: a built-in bot as a program of its own.
 */
#include <stdio.h>
#include <string.h>

#include "players.h"

static void
bots_list(FILE *file)
{
	for (int i = 0; i < builtin_count; i++)
		fprintf(file, "  %-11s: %s\n", builtins[i].name,
		    builtins[i].sentence);
}

static int
usage_refuse(const char *what, const char *name)
{
	fprintf(stderr, "error: %s%s\n", what, name);
	bots_list(stderr);
	fprintf(stderr, "  try     : scopa-bot %s\n", builtins[0].name);
	return 2;
}

int
main(int argc, char **argv)
{
	const struct builtin *builtin;

	if (argc != 2)
		return usage_refuse("name one built-in bot", "");
	if (strcmp(argv[1], "--help") == 0) {
		printf("scopa-bot NAME: a bot that speaks USP on its standard "
		       "input and output\n");
		bots_list(stdout);
		return 0;
	}
	builtin = builtin_find(argv[1]);
	return builtin != NULL
	    ? builtin_run(builtin)
	    : usage_refuse("there is no built-in bot ", argv[1]);
}
