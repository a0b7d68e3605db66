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
 * Reads the well-formed character at the beginning of `bytes`, which has `size`
 * bytes, into *character.  Returns its length, 1 to 4, or 0 if there is no
 * well-formed character.
 */
size_t utf8_read(const char *bytes, size_t size, uint32_t *character);

/* Whether all of a text is UTF-8. */
bool utf8_is_whole(const char *text);

/*
 * Whether a character is invisible but changes how the text around it is shown.
 * These are the controls of ASCII and Latin-1, which control a terminal; line
 * and paragraph separators; and the marks, embeddings, overrides and isolates
 * of Unicode's bidirectional algorithm (UAX #9), which change the visible order
 * of a text.
 */
bool utf8_steers(uint32_t character);

#endif
