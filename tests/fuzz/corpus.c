/*
 * Runs a fuzz target with all its stored inputs, without libFuzzer, so that
 * each build tests the inputs that once found an error: corpus_NAME, run in the
 * folder of the sources.
 *
 * The name of each input is printed before its run: if the program ends early,
 * the last name is the input with the error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "seeds.h"

/*
 * A copy with exactly the size of the input, so that AddressSanitizer finds a
 * read behind its end.
 */
static void
try_input(const char *label, const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size > 0 ? size : 1);

	fuzz_check(copy != NULL);
	memcpy(copy, data, size);
	printf("# %s\n", label);
	fflush(stdout);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

int
main(int argc, char **argv)
{
	static const char begin[] = "corpus_";
	const char *name = argc > 0 ? strrchr(argv[0], '/') : NULL;
	int count;

	name = name ? name + 1 : argv[0];
	if (strncmp(name, begin, strlen(begin)) != 0) {
		fprintf(stderr, "%s: not named corpus_NAME\n", name);
		return 2;
	}
	name += strlen(begin);
	count = seeds_each(name, try_input);
	printf("%sok 1 - all %d inputs of %s pass\n1..1\n",
	    count > 0 ? "" : "not ", count, name);
	return count > 0 ? 0 : 1;
}
