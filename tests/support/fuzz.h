/*
 * Functions for all fuzz targets.  tests/fuzz/README.md describes their use.
 *
 * A target accepts any bytes and must neither crash nor fail a check.  It is
 * linked with libFuzzer to search for inputs, and in all other builds with
 * corpus.c, which runs it with the stored inputs.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Ends the program if the condition is false; asserts may be off. */
#define fuzz_check(condition) \
	((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))

/* For slow functions of a target itself: they give libFuzzer no coverage. */
#ifdef __clang__
#define FUZZ_UNTRACED __attribute__((noinline, no_sanitize("coverage")))
#else
#define FUZZ_UNTRACED
#endif

_Noreturn void fuzz_fail(const char *condition, const char *file, int line);

/* Tries one input; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Changes an input of `size` bytes in place and returns its new size, up to
 * size_max.  Only in targets that have a mutator of their own: see FUZZ_PIECES.
 */
size_t LLVMFuzzerCustomMutator(
    uint8_t *data, size_t size, size_t size_max, unsigned seed);

/* The mutator of libFuzzer; missing in other builds. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_max)
    __attribute__((weak));

/*
 * A mutator for inputs that are pieces with a separator between them, such as
 * lines: removes, inserts, duplicates or changes pieces.  `words` are pieces
 * worth trying, up to NULL; the first `head` bytes are not part of any piece.
 */
struct fuzz_pieces {
	char separator;
	size_t head;
	const char *const *words;
};

size_t fuzz_mutate_pieces(const struct fuzz_pieces *pieces, uint8_t *data,
    size_t size, size_t size_max, unsigned seed);

/* Used once in a target: its mutator, with these pieces. */
#define FUZZ_PIECES(separator, head, ...)                                     \
	size_t LLVMFuzzerCustomMutator(                                       \
	    uint8_t *data, size_t size, size_t size_max, unsigned seed)       \
	{                                                                     \
		static const char *const words[] = { __VA_ARGS__, NULL };     \
		const struct fuzz_pieces pieces = { separator, head, words }; \
		return fuzz_mutate_pieces(                                    \
		    &pieces, data, size, size_max, seed);                     \
	}

#endif
