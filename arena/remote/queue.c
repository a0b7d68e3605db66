/*
 * Implements the part of queue.h that is the same for each kind of queue.  A
 * password stands in one of two places of a URL:
 *
 *     postgres://USER:PASSWORD@HOST/DATABASE?password=PASSWORD&...
 */
#include "queue.h"

#include <stdio.h>
#include <string.h>

#include "countof.h"

bool
queue_role(const char *name, char role[QUEUE_NAME_SIZE])
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_");

	if (length == 0 || length > QUEUE_WORKER_MAX || name[length] != '\0' ||
	    name[0] < 'a' || strcmp(name, "worker") == 0)
		return false;
	snprintf(role, QUEUE_NAME_SIZE, "scopa_%s", name);
	return true;
}

bool
queue_url_valid(const char *url)
{
	return (strncmp(url, "postgres://", 11) == 0 ||
		   strncmp(url, "postgresql://", 13) == 0) &&
	    strlen(url) <= QUEUE_URL_MAX;
}

void
queue_url_write(const char *url, const char *role, struct scopa_text *text)
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
