/* The URL of the database of a queue, as users write it. */
#ifndef STORE_URL_H
#define STORE_URL_H

#include <stdbool.h>

#include "scopa/text.h"

enum { STORE_URL_MAX = 1024 }; /* bytes */

/* Whether it begins like a URL of PostgreSQL and is not too long. */
bool store_url_valid(const char *url);

/* Writes it without the passwords that stand in it. */
void store_url_write(const char *url, struct scopa_text *text);

#endif
