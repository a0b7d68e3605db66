/*
 * Implements worker_list.h.  The table of columns reads and writes all of them.
 */
#include "worker_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "run.h"

static const char heading[] = "# scopa-workers 1 ";

enum kind { TEXT, INT, INT64, REAL };

/* A column and its field; `size`: of a text. */
static const struct column {
	const char *name;
	enum kind kind;
	size_t offset, size;
} columns[] = {
#define COLUMN(kind, field)                                       \
	{                                                         \
#field, kind, offsetof(struct worker_row, field), \
		    sizeof(((struct worker_row *)0)->field)       \
	}
	COLUMN(TEXT, name),
	COLUMN(TEXT, state),
	COLUMN(INT, cores),
	COLUMN(REAL, speed),
	COLUMN(REAL, games_per_s),
	COLUMN(INT64, blocks),
	COLUMN(INT64, games),
	COLUMN(INT64, faults),
	COLUMN(REAL, lag_s),
	COLUMN(REAL, seen_s),
	COLUMN(REAL, clock_ahead_s),
	COLUMN(TEXT, labels),
	COLUMN(TEXT, host),
#undef COLUMN
};

static const void *
field_of(const struct worker_row *row, const struct column *column)
{
	return (const char *)row + column->offset;
}

/* Bytes that are no printable ASCII become `?`; an empty text is `-`. */
static void
put_text(FILE *file, const char *text)
{
	if (*text == '\0')
		fputc('-', file);
	for (; *text != '\0'; text++)
		fputc(*text > ' ' && *text < 0x7F ? *text : '?', file);
}

static void
put_row(FILE *file, const struct worker_row *row)
{
	for (int i = 0; i < COUNTOF(columns); i++) {
		const void *field = field_of(row, &columns[i]);

		if (i > 0)
			fputc('\t', file);
		switch (columns[i].kind) {
		case TEXT:
			put_text(file, field);
			break;
		case INT:
			fprintf(file, "%d", *(const int *)field);
			break;
		case INT64:
			fprintf(file, "%" PRId64, *(const int64_t *)field);
			break;
		case REAL:
			fprintf(file, "%.3f", *(const double *)field);
			break;
		}
	}
	fputc('\n', file);
}

int
worker_list_write(const char *folder, const struct worker_row *rows, int count)
{
	char utc[CLOCK_UTC_SIZE];
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	int error;

	if (file == NULL)
		return -ENOMEM;
	clock_utc(utc);
	fprintf(file, "%s%s\n", heading, utc);
	for (int i = 0; i < COUNTOF(columns); i++)
		fprintf(file, "%s%s", i > 0 ? "\t" : "", columns[i].name);
	fputc('\n', file);
	for (int i = 0; i < count && i < WORKER_LIST_MAX; i++)
		put_row(file, &rows[i]);
	error = fclose(file) == 0 ? run_text_put(folder, WORKER_LIST_FILE, text)
				  : -ENOMEM;
	free(text);
	return error;
}

/* Reads one field, which ends with the text. */
static bool
read_field(
    const char *text, const struct column *column, struct worker_row *row)
{
	void *field = (char *)row + column->offset;
	char *end = NULL;

	switch (column->kind) {
	case TEXT:
		if (strlen(text) >= column->size)
			return false;
		strcpy(field, text);
		return *text != '\0';
	case INT:
		*(int *)field = (int)strtol(text, &end, 10);
		break;
	case INT64:
		*(int64_t *)field = strtoll(text, &end, 10);
		break;
	case REAL:
		*(double *)field = strtod(text, &end);
		break;
	}
	return end != text && *end == '\0';
}

static bool
read_row(char *line, struct worker_row *row)
{
	for (int i = 0; i < COUNTOF(columns); i++) {
		char *field = strsep(&line, "\t");

		if (field == NULL || !read_field(field, &columns[i], row))
			return false;
	}
	return line == NULL;
}

/* Whether the line with the names of the columns is the one of this version. */
static bool
names_columns(char *line)
{
	for (int i = 0; i < COUNTOF(columns); i++) {
		const char *name = strsep(&line, "\t");

		if (name == NULL || strcmp(name, columns[i].name) != 0)
			return false;
	}
	return line == NULL;
}

/* Reads the text, which it changes. */
static int
read_text(char *text, struct worker_list *list)
{
	char *line = strsep(&text, "\n");

	if (strncmp(line, heading, strlen(heading)) != 0 ||
	    strlen(line) != strlen(heading) + CLOCK_UTC_SIZE - 1 ||
	    text == NULL)
		return -EBADMSG;
	strcpy(list->written, line + strlen(heading));
	if (!names_columns(strsep(&text, "\n")) || text == NULL)
		return -EBADMSG;
	while (*text != '\0') {
		line = strsep(&text, "\n");
		if (list->count == WORKER_LIST_MAX || text == NULL ||
		    !read_row(line, &list->rows[list->count]))
			return -EBADMSG;
		list->count++;
	}
	return 0;
}

int
worker_list_read(const char *folder, struct worker_list *list)
{
	char *text;
	int error = run_text_read(folder, WORKER_LIST_FILE, &text);

	if (error)
		return error;
	*list = (struct worker_list){
		.rows = calloc(WORKER_LIST_MAX, sizeof(*list->rows)),
	};
	error = list->rows != NULL ? read_text(text, list) : -ENOMEM;
	free(text);
	if (error)
		worker_list_release(list);
	return error;
}

void
worker_list_release(struct worker_list *list)
{
	free(list->rows);
	*list = (struct worker_list){ .count = 0 };
}

bool
worker_is_live(double seen_s)
{
	enum { LIVE_S = 120 };

	return seen_s >= 0 && seen_s < LIVE_S;
}

struct worker_total
worker_list_total(const struct worker_list *list)
{
	struct worker_total total = { .live = 0 };

	for (int i = 0; i < list->count; i++) {
		const struct worker_row *row = &list->rows[i];

		if (!worker_is_live(row->seen_s))
			continue;
		total.live++;
		total.cores += row->cores;
		total.games_per_s += row->games_per_s;
	}
	return total;
}
