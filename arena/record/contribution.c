#include "contribution.h"

#include <ctype.h>
#include <string.h>

#include "words.h"

static bool
refuse(struct scopa_text *why, const char *sentence)
{
	scopa_text_string(why, sentence);
	return false;
}

static bool
name_fits(const char *name, size_t length)
{
	if (length < 1 || length > CONTRIBUTION_NAME_MAX)
		return false;
	for (size_t i = 0; i < length; i++)
		if (name[i] < '!' || name[i] > '~')
			return false;
	return true;
}

static bool
digits_fit(const char *digits, size_t length)
{
	if (length < 1 || length > CONTRIBUTION_HEX_MAX)
		return false;
	for (size_t i = 0; i < length; i++)
		if (hex_value((char)tolower((unsigned char)digits[i])) < 0)
			return false;
	return true;
}

/* Whether two rows have the same name. */
static bool
is_namesake(const char *one, const char *other)
{
	size_t length = strcspn(one, "=");

	return length == strcspn(other, "=") && memcmp(one, other, length) == 0;
}

/* Puts one row where its bytes belong. */
static bool
row_put(struct contributions *contributions, const char *row,
    struct scopa_text *why)
{
	int at = contributions->count;

	if (at == CONTRIBUTIONS_MAX)
		return refuse(why, "there are too many contributions");
	for (int i = 0; i < at; i++)
		if (is_namesake(contributions->rows[i], row))
			return refuse(
			    why, "each name can contribute only once");
	for (; at > 0 && strcmp(contributions->rows[at - 1], row) > 0; at--)
		memcpy(contributions->rows[at], contributions->rows[at - 1],
		    CONTRIBUTION_SIZE);
	memcpy(contributions->rows[at], row, strlen(row) + 1);
	contributions->count++;
	return true;
}

/* Takes `length` bytes as one contribution. */
static bool
row_add(struct contributions *contributions, const char *text, size_t length,
    struct scopa_text *why)
{
	const char *equals = memchr(text, '=', length);
	size_t name = equals ? (size_t)(equals - text) : 0;
	char row[CONTRIBUTION_SIZE];

	if (!equals || !name_fits(text, name) ||
	    !digits_fit(equals + 1, length - name - 1))
		return refuse(why,
		    "expects NAME=HEX: up to 64 letters, digits and signs "
		    "without blanks, and 1 to 128 hex digits");
	memcpy(row, text, length);
	row[length] = '\0';
	for (char *digit = row + name; *digit; digit++)
		*digit = (char)tolower((unsigned char)*digit);
	return row_put(contributions, row, why);
}

bool
contributions_add(struct contributions *contributions, const char *text,
    struct scopa_text *why)
{
	struct contributions made = *contributions;

	for (;;) {
		size_t length = strcspn(text, "|");

		if (!row_add(&made, text, length, why))
			return false;
		if (text[length] == '\0')
			break;
		text += length + 1;
	}
	*contributions = made;
	return true;
}

void
contributions_write(
    const struct contributions *contributions, char text[CONTRIBUTIONS_SIZE])
{
	struct scopa_text all;

	scopa_text_init(&all, text, CONTRIBUTIONS_SIZE);
	for (int i = 0; i < contributions->count; i++) {
		if (i > 0)
			scopa_text_char(&all, '|');
		scopa_text_string(&all, contributions->rows[i]);
	}
}

void
contributions_mix(const struct contributions *contributions,
    const struct shuffle_key *secret, struct shuffle_key *key)
{
	const char *rows[CONTRIBUTIONS_MAX];

	for (int i = 0; i < contributions->count; i++)
		rows[i] = contributions->rows[i];
	shuffle_mix(secret, rows, (size_t)contributions->count, key);
}
