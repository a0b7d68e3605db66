#include "csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

void
csv_open(struct csv *csv, const char *name)
{
	const char *root = getenv("SRC");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/golden/%s",
	    root != NULL ? root : ".", name);
	*csv = (struct csv){ .file = fopen(path, "re"), .name = name };
	if (csv->file == NULL)
		fail_msg("%s cannot be opened", path);
	if (!csv_next(csv))
		fail_msg("%s is empty", path);
}

void
csv_close(struct csv *csv)
{
	assert_int_equal(fclose(csv->file), 0);
}

/* Cuts off one field, unquoted in place; NULL after the last one. */
static char *
field_cut(char **rest)
{
	char *field = *rest, *from = field, *to = field;
	bool quoted = *from == '"';

	if (quoted)
		from++;
	while (*from != '\0') {
		if (quoted && from[0] == '"' && from[1] != '"')
			break;
		if (!quoted && *from == ',')
			break;
		if (quoted && *from == '"')
			from++;
		*to++ = *from++;
	}
	if (quoted && *from == '"')
		from++;
	*rest = *from == ',' ? from + 1 : NULL;
	*to = '\0';
	return field;
}

bool
csv_next(struct csv *csv)
{
	char *rest = csv->bytes;

	if (fgets(csv->bytes, sizeof(csv->bytes), csv->file) == NULL)
		return false;
	csv->line++;
	if (strchr(csv->bytes, '\n') == NULL)
		fail_msg("%s:%d: no end", csv->name, csv->line);
	csv->bytes[strcspn(csv->bytes, "\r\n")] = '\0';
	for (csv->field_count = 0; rest != NULL;) {
		if (csv->field_count == CSV_FIELDS_MAX)
			fail_msg("%s:%d: too wide", csv->name, csv->line);
		csv->fields[csv->field_count++] = field_cut(&rest);
	}
	return true;
}

int
csv_numbers(const char *text, double *numbers, int max)
{
	int count = 0;

	while (*text != '\0') {
		char *end;
		double number;

		if (*text == '"') {
			text = strchr(text + 1, '"');
			assert_non_null(text);
			text++;
			continue;
		}
		if (strchr("+-0123456789", *text) == NULL) {
			text++;
			continue;
		}
		number = strtod(text, &end);
		if (end == text) {
			text++;
			continue;
		}
		if (count < max)
			numbers[count] = number;
		count++;
		text = end;
	}
	return count;
}
