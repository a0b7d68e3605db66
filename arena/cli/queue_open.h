/* The queue of commands that have --store, and its URL as users write it. */
#ifndef QUEUE_OPEN_H
#define QUEUE_OPEN_H

#include "command.h"
#include "option.h"
#include "queue.h"

enum { STORE_URL_MAX = 1024 }; /* bytes */

/* The row of --store; `field` is the offset of a const char pointer. */
#define STORE_OPTION(field)                                                  \
	TEXT_OPTION("store", "URL", field,                                   \
	    "The database of the queue: postgres://USER@HOST/DATABASE. "     \
	    "The password of the user may stand in the URL (behind USER:), " \
	    "in PGPASSWORD or in ~/.pgpass.")

/* Whether it begins like a URL of PostgreSQL and is not too long. */
bool store_url_valid(const char *url);

/*
 * Writes a valid URL without the passwords that stand in it; `role` takes the
 * place of its user, unless it is NULL.
 */
void store_url_write(
    const char *url, const char *role, struct scopa_text *text);

/* Opens the queue, or makes it, with the rights of an organiser.  Prints
 * errors. */
enum status queue_open(struct queue **queue, const char *url);
enum status queue_create(const char *url);

/* Prints why a call of the queue failed, and returns `status`. */
enum status queue_error(const struct store_error *error, enum status status);

/*
 * The status of -errno of a queue that did not open: STATUS_USAGE if no further
 * start mends it.
 */
enum status queue_failure_status(int failure);

#endif
