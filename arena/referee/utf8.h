/*
 * Which bytes are UTF-8, and which characters of untrusted text must not be
 * shown.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The number of bytes (1..4) of the well-formed character at the beginning of
 * `bytes`, of which `size` are there; 0 where there is none.  The character is
 * written to *character.
 */
size_t utf8_read(const char *bytes, size_t size, uint32_t *character);

/*
 * Whether a character is none to look at but acts on those around it: controls of
 * ASCII and Latin-1, which steer a terminal, line and paragraph separators, and
 * the marks, embeddings, overrides and isolates of Unicode's bidirectional
 * algorithm (UAX #9), which make text read otherwise than it is.
 */
bool utf8_steers(uint32_t character);

#endif
