#include "byte_size.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
byte_size_parse(const char *text, int64_t *bytes)
{
	static const char letters[] = "KMGT";
	const char *letter;
	long long value;
	int shift = 0;
	char *end;

	/* strtoll() takes signs and blanks. */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno != 0)
		return false;
	if (*end != '\0') {
		letter = strchr(letters, *end);
		if (letter == NULL || end[1] != '\0')
			return false;
		shift = 10 * (int)(letter - letters + 1);
	}
	if (value > INT64_MAX >> shift)
		return false;
	*bytes = value << shift;
	return true;
}
