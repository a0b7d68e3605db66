/*
 * Strangers' bytes made fit for a terminal.
 */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes `length` bytes as printable ASCII, every other byte as \xNN, with a
 * NUL; LF and HT stay where `keep_lines`.  Where `text_size` does not suffice,
 * the text ends early, never within an escape.  The answer is the length of
 * the text.
 */
size_t escape_bytes(const char *bytes, size_t length, bool keep_lines,
    char *text, size_t text_size);

#endif
