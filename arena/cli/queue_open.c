/* Implements queue_open.h. */
#include "queue_open.h"

#include <errno.h>
#include <stddef.h>

enum status
queue_error(const struct store_error *error, enum status status)
{
	return error_status(status, error->hint[0] ? error->hint : NULL,
	    error->try[0] ? error->try : NULL, "%s", error->what);
}

static enum status
store_missing(void)
{
	return error_status(STATUS_USAGE, NULL, NULL,
	    "--store is missing: it names the database of the queue");
}

/* 0 or -errno. */
static enum status
outcome(int failure, const struct store_error *error)
{
	if (!failure)
		return STATUS_DONE;
	return queue_error(
	    error, failure == -EINVAL ? STATUS_USAGE : STATUS_ENVIRONMENT);
}

enum status
queue_open(struct queue **queue, const char *url, bool worker)
{
	struct store_error error;

	if (url == NULL)
		return store_missing();
	return outcome(queue_postgres_open(queue, url, worker, &error), &error);
}

enum status
queue_create(const char *url)
{
	struct store_error error;

	if (url == NULL)
		return store_missing();
	return outcome(queue_postgres_create(url, &error), &error);
}
