#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void
fuzz_fail(const char *condition, const char *file, int line)
{
	/* Targets may have closed stdio streams. */
	dprintf(
	    STDERR_FILENO, "%s:%d: this is false: %s\n", file, line, condition);
	abort();
}
