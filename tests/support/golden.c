#include "golden.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

void
golden_open(struct golden *golden, const char *name)
{
	const char *root = getenv("SRC");
	char path[GOLDEN_LINE_SIZE];

	snprintf(path, sizeof(path), "%s/tests/golden/%s",
	    root != NULL ? root : ".", name);
	golden->name = name;
	golden->line = 0;
	golden->field_count = 0;
	golden->file = fopen(path, "r");
	if (golden->file == NULL)
		fail_msg("%s: cannot be opened", path);
}

void
golden_close(struct golden *golden)
{
	fclose(golden->file);
	golden->file = NULL;
}

bool
golden_next(struct golden *golden)
{
	char *rest = golden->bytes;

	do {
		if (fgets(golden->bytes, sizeof(golden->bytes), golden->file) ==
		    NULL)
			return false;
		golden->line++;
		if (strchr(golden->bytes, '\n') == NULL)
			fail_msg(
			    "%s:%d: line too long", golden->name, golden->line);
		golden->bytes[strcspn(golden->bytes, "\n")] = '\0';
	} while (golden->bytes[0] == '#' || golden->bytes[0] == '\0');
	golden->field_count = 0;
	while (rest != NULL && golden->field_count < GOLDEN_FIELDS_MAX)
		golden->fields[golden->field_count++] = strsep(&rest, "\t");
	if (rest != NULL)
		fail_msg("%s:%d: too many fields", golden->name, golden->line);
	return true;
}
