/*
 * Which bytes are UTF-8.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * The number of bytes (1..4) of the well-formed character at the beginning of
 * `bytes`, of which `size` are there; 0 where there is none.  The character is
 * written to *character.
 */
size_t utf8_read(const char *bytes, size_t size, uint32_t *character);

#endif
