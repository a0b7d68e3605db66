/*
 * What was to be known before the first deal.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fair_state.h"
#include "run.h"
#include "terms.h"

enum { QUOTE_MAX = 120 };

static int
quoted_length(const char *line)
{
	size_t length = strcspn(line, "\n");

	return length < QUOTE_MAX ? (int)length : QUOTE_MAX;
}

/* The number of the line that begins like this, or 0. */
static int64_t
line_find(const char *text, const char *begin)
{
	int64_t number = 1;

	while (*text != '\0' && strncmp(text, begin, strlen(begin)) != 0) {
		text += strcspn(text, "\n");
		text += *text == '\n';
		number++;
	}
	return *text != '\0' ? number : 0;
}

/* Line by line, as whoever changed one must be told which. */
static bool
compare_terms(struct fair *fair, const char *terms, const char *expected)
{
	int64_t number = terms_part(&terms, &expected);

	if (number == 0)
		return true;
	return fair_differs(fair, RUN_TERMS, number,
	    "\"%.*s\" stands where configuration and results have \"%.*s\"",
	    quoted_length(terms), terms, quoted_length(expected), expected);
}

static bool
check_contributions(struct fair *fair, const char *config)
{
	const struct store_head *head = &fair->head;
	const char *found = fair->report->contributions;

	contributions_write(
	    fair->order->contributions, fair->report->contributions);
	if (strcmp(found, head->contributions) == 0)
		return true;
	return fair_differs(fair, RUN_CONFIG,
	    line_find(config, TERMS_CONTRIBUTION),
	    "the contributions are \"%.*s\", and the results are of \"%.*s\"",
	    quoted_length(found), found, quoted_length(head->contributions),
	    head->contributions);
}

static bool
check_commitment(
    struct fair *fair, const char *config, const struct shuffle_key *terms)
{
	const struct store_head *head = &fair->head;
	struct shuffle_key commitment;
	int64_t line = line_find(config, TERMS_SEED);
	char hex[SHUFFLE_HEX_SIZE];

	if (!head->committed)
		return true;
	shuffle_commit(fair->order->secret, terms, &commitment);
	shuffle_key_format(&commitment, hex);
	if (strcmp(hex, head->commitment) != 0)
		return fair_differs(fair, line > 0 ? RUN_CONFIG : RUN_SECRET,
		    line,
		    "the seed is not the one that was committed to: %s is "
		    "the commitment, and this one makes %s",
		    head->commitment, hex);
	shuffle_key_format(fair->order->secret, hex);
	if (head->secret[0] != '\0' && strcmp(hex, head->secret) != 0)
		return fair_differs(fair, RUN_RESULTS, 0,
		    "the secret that was shown is not the one that was "
		    "committed to");
	return true;
}

static bool
check_texts(struct fair *fair, const char *config, const char *terms)
{
	char *expected = terms_make(config, &fair->head);
	char hex[SHUFFLE_HEX_SIZE];
	struct shuffle_key digest;
	bool same;

	if (expected == NULL) {
		fair->status = -ENOMEM;
		return false;
	}
	same = compare_terms(fair, terms, expected);
	free(expected);
	if (!same)
		return false;
	terms_digest(terms, &digest);
	shuffle_key_format(&digest, hex);
	if (strcmp(hex, fair->head.terms) != 0)
		return fair_differs(fair, RUN_TERMS, 0,
		    "its SHA-256 is %s, and that of the terms was %s", hex,
		    fair->head.terms);
	return check_commitment(fair, config, &digest) &&
	    check_contributions(fair, config);
}

/* A file of the run; one that is gone is a difference. */
static char *
read_text(struct fair *fair, const char *name)
{
	char *text;
	int error = run_text_read(fair->order->path, name, &text);

	if (!error)
		return text;
	if (error == -ENOENT || error == -EBADMSG)
		fair_differs(fair, name, 0,
		    error == -ENOENT ? "the file is gone"
				     : "this is no text of a run");
	else
		fair->status = error;
	return NULL;
}

bool
fair_check_terms(struct fair *fair)
{
	char *config = read_text(fair, RUN_CONFIG);
	char *terms = config != NULL ? read_text(fair, RUN_TERMS) : NULL;
	bool good = terms != NULL && check_texts(fair, config, terms);

	free(config);
	free(terms);
	return good;
}
