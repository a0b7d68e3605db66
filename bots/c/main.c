/*
 * scopa-bot NAME: a built-in bot as a program of its own.
 */
#include <stdio.h>

#include "builtin.h"

int
main(int argc, char **argv)
{
	if (argc == 2)
		return builtin_run(argv[1]);
	fprintf(stderr, "error: name one bot\n");
	for (int i = 0; i < builtin_count; i++)
		fprintf(stderr, "  %-8s: %s\n", builtins[i].name,
		    builtins[i].sentence);
	fprintf(stderr, "  try     : scopa-bot %s\n", builtins[0].name);
	return 2;
}
