/*
 * What every fuzz target gives to libFuzzer.
 *
 * A target takes any bytes and must neither crash nor break an assertion; those
 * below say what must hold beside that.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Tries one input; always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
