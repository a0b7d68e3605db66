/* The queue of commands that have --store. */
#ifndef QUEUE_OPEN_H
#define QUEUE_OPEN_H

#include "command.h"
#include "option.h"
#include "queue.h"

/* The row of --store; `field` is the offset of a const char pointer. */
#define STORE_OPTION(field)                                                  \
	TEXT_OPTION("store", "URL", field,                                   \
	    "The database of the queue: postgres://USER@HOST/DATABASE. "     \
	    "The password of the user may stand in the URL (behind USER:), " \
	    "in PGPASSWORD or in ~/.pgpass.")

/* Opens the queue, or makes it; `worker`: with the rights of a worker.  Prints
 * errors. */
enum status queue_open(struct queue **queue, const char *url, bool worker);
enum status queue_create(const char *url);

/* Prints why a call of the queue failed, and returns `status`. */
enum status queue_error(const struct store_error *error, enum status status);

#endif
