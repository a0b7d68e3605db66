/*
 * What fuzz targets share.  tests/fuzz/README.md says how to work with them.
 *
 * A target takes any bytes and must neither crash nor break a check.  It is
 * linked with libFuzzer to look for inputs, and in all other builds with
 * corpus.c, which gives it the inputs that are kept.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Ends the program where the condition does not hold; asserts may be off. */
#define fuzz_check(condition) \
	((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))

/* Of a target's own slow functions: what they do is nothing to look for. */
#ifdef __clang__
#define FUZZ_UNTRACED __attribute__((noinline, no_sanitize("coverage")))
#else
#define FUZZ_UNTRACED
#endif

_Noreturn void fuzz_fail(const char *condition, const char *file, int line);

/* Tries one input; always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Changes an input of `size` bytes in place and answers its new size, up to
 * size_max.  Of targets that have one of their own: see FUZZ_PIECES.
 */
size_t LLVMFuzzerCustomMutator(
    uint8_t *data, size_t size, size_t size_max, unsigned seed);

/* libFuzzer's own changes; not there in other builds. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_max)
    __attribute__((weak));

/*
 * A mutator for inputs that are pieces with a separator between them, such as
 * lines: takes pieces out, puts some in, doubles, exchanges or changes them.
 * `words` are pieces worth trying, up to NULL; the first `head` bytes are none
 * of the pieces.
 */
struct fuzz_pieces {
	char separator;
	size_t head;
	const char *const *words;
};

size_t fuzz_mutate_pieces(const struct fuzz_pieces *pieces, uint8_t *data,
    size_t size, size_t size_max, unsigned seed);

/* Once in a target: its mutator, with these pieces. */
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
