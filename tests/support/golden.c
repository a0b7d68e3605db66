#include "golden.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "seeds.h"
#include "test.h"

static void
open_file(struct golden *golden, const char *name)
{
	const char *path = folder_source(folder_path("tests/golden", name));

	golden->file = fopen(path, "re");
	golden->name = name;
	golden->line = 0;
	if (golden->file == NULL)
		fail_msg("%s cannot be opened", path);
}

/* Reads one field up to a tab and decodes it in place. */
static char *
field_decode(char **rest)
{
	char *field = strsep(rest, "\t");

	field[seeds_decode("golden", field, (uint8_t *)field)] = '\0';
	return field;
}

bool
golden_next(struct golden *golden, const char *name)
{
	char *rest = golden->bytes;

	if (golden->file == NULL)
		open_file(golden, name);
	do {
		if (fgets(golden->bytes, sizeof(golden->bytes), golden->file) ==
		    NULL) {
			assert_int_equal(fclose(golden->file), 0);
			golden->file = NULL;
			return false;
		}
		golden->line++;
		if (strchr(golden->bytes, '\n') == NULL)
			fail_msg(
			    "%s:%d: line too long", golden->name, golden->line);
		golden->bytes[strcspn(golden->bytes, "\r\n")] = '\0';
	} while (golden->bytes[0] == '#' || golden->bytes[0] == '\0');
	for (golden->field_count = 0; rest != NULL;) {
		if (golden->field_count == GOLDEN_FIELDS_MAX)
			fail_msg("%s:%d: too many fields", golden->name,
			    golden->line);
		golden->fields[golden->field_count++] = field_decode(&rest);
	}
	return true;
}

int
golden_words(char *line, char **words, int max)
{
	int count = 0;

	while (line != NULL && *line != '\0') {
		char *word = strsep(&line, " ");

		assert_true(count < max - 1);
		words[count++] = word;
		for (char *byte = word; *byte != '\0'; byte++)
			*byte = *byte == '_' ? ' ' : *byte;
	}
	words[count] = NULL;
	return count;
}

int
golden_numbers(const char *text, double *numbers, int max)
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
