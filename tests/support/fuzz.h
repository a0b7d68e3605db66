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

#endif
