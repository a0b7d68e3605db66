/*
 * Stands for pg.c and queue_postgres.c in a program that is built without libpq
 * (REMOTE=0).
 */
#include <errno.h>

#include "queue.h"

static int
refuse(struct store_error *error)
{
	return store_fail(error, -ENOPKG,
	    "install libpq (libpq-dev) and build the program again",
	    "this program was built without stores in a database");
}

int
queue_postgres_open(struct queue **queue, const char *url, bool worker,
    struct store_error *error)
{
	(void)queue;
	(void)url;
	(void)worker;
	return refuse(error);
}

int
queue_postgres_create(const char *url, struct store_error *error)
{
	(void)url;
	return refuse(error);
}
