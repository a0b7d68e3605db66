#include "store_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

void
store_list_write(struct scopa_text *text, const int64_t *numbers, int count)
{
	scopa_text_char(text, '[');
	for (int i = 0; i < count; i++) {
		if (i > 0)
			scopa_text_char(text, ',');
		scopa_text_int(text, numbers[i]);
	}
	scopa_text_char(text, ']');
}

void
store_tally_write(struct scopa_text *text, const int32_t *numbers, int count,
    const char *(*name)(int index))
{
	bool any = false;

	scopa_text_char(text, '{');
	for (int i = 0; i < count; i++) {
		if (numbers[i] == 0)
			continue;
		scopa_text_string(text, any ? ",\"" : "\"");
		scopa_text_string(text, name(i));
		scopa_text_string(text, "\":");
		scopa_text_int(text, numbers[i]);
		any = true;
	}
	scopa_text_char(text, '}');
}

bool
store_byte_read(const char **at, char byte)
{
	if (**at != byte)
		return false;
	++*at;
	return true;
}

static bool
read_number(const char **at, int64_t *number, int64_t min, int64_t max)
{
	const char *first = *at + (**at == '-');
	intmax_t value;
	char *end;

	/* strtoimax would take blanks and signs that nobody has written. */
	if (*first < '0' || *first > '9')
		return false;
	errno = 0;
	value = strtoimax(*at, &end, 10);
	if (errno != 0 || value < min || value > max)
		return false;
	*number = value;
	*at = end;
	return true;
}

bool
store_list_read(
    const char **at, int64_t *numbers, int count, int64_t min, int64_t max)
{
	for (int i = 0; i < count; i++)
		if (!store_byte_read(at, i > 0 ? ',' : '[') ||
		    !read_number(at, &numbers[i], min, max))
			return false;
	return store_byte_read(at, ']');
}

/* `"cards":1` */
static bool
read_entry(const char **at, int32_t *numbers, int count,
    const char *(*name)(int index))
{
	int64_t number;

	if (!store_byte_read(at, '"'))
		return false;
	for (int i = 0; i < count; i++) {
		size_t length = strlen(name(i));

		if (strncmp(*at, name(i), length) != 0 || (*at)[length] != '"')
			continue;
		*at += length + 1;
		if (numbers[i] != 0 || !store_byte_read(at, ':') ||
		    !read_number(at, &number, INT32_MIN, INT32_MAX))
			return false;
		numbers[i] = (int32_t)number;
		return true;
	}
	return false;
}

bool
store_tally_read(const char **at, int32_t *numbers, int count,
    const char *(*name)(int index))
{
	memset(numbers, 0, (size_t)count * sizeof(*numbers));
	if (!store_byte_read(at, '{'))
		return false;
	if (store_byte_read(at, '}'))
		return true;
	do {
		if (!read_entry(at, numbers, count, name))
			return false;
	} while (store_byte_read(at, ','));
	return store_byte_read(at, '}');
}
