/*
 * The files of the pages, as the build has put them into page_file.inc.
 */
#include "page_file.h"

#include <stdlib.h>
#include <string.h>

#include "countof.h"

#include "page_file.inc"

const struct page_file *
page_file_find(const char *name)
{
	for (size_t i = 0; i < COUNTOF(page_files); i++)
		if (strcmp(page_files[i].name, name) == 0)
			return &page_files[i];
	return NULL;
}

char *
page_file_text(const struct page_file *file, size_t *size)
{
	char *text, *end;

	*size = 0;
	for (const char *const *line = file->lines; *line; line++)
		*size += strlen(*line) + 1;
	text = malloc(*size + 1);
	if (!text)
		return NULL;
	end = text;
	for (const char *const *line = file->lines; *line; line++) {
		end = stpcpy(end, *line);
		*end++ = '\n';
	}
	*end = '\0';
	return text;
}
