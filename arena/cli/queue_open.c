/*
 * Implements queue_open.h.  A password stands in one of two places of a URL:
 *
 *     postgres://USER:PASSWORD@HOST/DATABASE?password=PASSWORD&...
 */
#include "queue_open.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "countof.h"

bool
store_url_valid(const char *url)
{
	return (strncmp(url, "postgres://", 11) == 0 ||
		   strncmp(url, "postgresql://", 13) == 0) &&
	    strlen(url) <= STORE_URL_MAX;
}

void
store_url_write(const char *url, const char *role, struct scopa_text *text)
{
	/* The last one only where the role stands for the user. */
	static const char *const left_out[] = {
		"password=", "sslpassword=", "user="
	};
	int left_out_count = COUNTOF(left_out) - (role == NULL);
	const char *start = strstr(url, "://") + 3;
	/* Neither a `/` nor a `?` can stand in the part before the path. */
	size_t host = strcspn(start, "/?");
	const char *at = memrchr(start, '@', host);
	const char *query;
	char sign = '?';

	if (role != NULL) {
		scopa_text_print(text, "postgres://%s@", role);
		url = at != NULL ? at + 1 : start;
	} else if (at != NULL) {
		int user = (int)strcspn(start, ":@");

		scopa_text_print(
		    text, "%.*s%.*s", (int)(start - url), url, user, start);
		url = at;
	}
	query = url + strcspn(url, "?");
	scopa_text_print(text, "%.*s", (int)(query - url), url);
	while (*query != '\0') {
		const char *word = query + 1;
		size_t length = strcspn(word, "&");

		bool hidden = false;

		for (int i = 0; i < left_out_count; i++)
			hidden |= strncmp(word, left_out[i],
				      strlen(left_out[i])) == 0;
		if (!hidden) {
			scopa_text_print(
			    text, "%c%.*s", sign, (int)length, word);
			sign = '&';
		}
		query = word + length;
	}
}

enum status
queue_error(const struct store_error *error, enum status status)
{
	return error_status(status, error->hint, error->try, "%s", error->what);
}

enum status
queue_failure_status(int failure)
{
	/* A wrong URL, database or password, or a login without rights. */
	return failure == -EINVAL || failure == -EACCES ? STATUS_USAGE
							: STATUS_ENVIRONMENT;
}

/* Connects (`queue` not NULL), or makes the queue. */
static enum status
reach_queue(struct queue **queue, const char *url)
{
	struct store_error error;
	int failure;

	if (url == NULL)
		return error_status(STATUS_USAGE, NULL, NULL,
		    "--store is missing: it names the database of the queue");
	failure = queue != NULL ? queue_postgres_open(queue, url, false, &error)
				: queue_postgres_create(url, &error);
	if (!failure)
		return STATUS_DONE;
	return queue_error(&error, queue_failure_status(failure));
}

enum status
queue_open(struct queue **queue, const char *url)
{
	return reach_queue(queue, url);
}

enum status
queue_create(const char *url)
{
	return reach_queue(NULL, url);
}
