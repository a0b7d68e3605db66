/*
 * The numbers of a run as plain tables, for programs and for other pages.
 *
 * A table is printed as a table of GitHub's Markdown, as comma-separated
 * values, or as an array of objects in the JSON document of a report
 * (docs/formats.md).  All forms have the same rows.
 */
#ifndef RUN_EXPORT_H
#define RUN_EXPORT_H

#include "json.h"
#include "run_facts.h"
#include "words.h"

enum export_form { EXPORT_MARKDOWN, EXPORT_CSV, EXPORT_JSON };

/* A table that is being printed, cell by cell. */
struct export
{
	enum export_form form;
	const struct report_view *view;
	const struct run_facts *facts;
	FILE *file;          /* for Markdown and CSV */
	struct json *json;   /* for JSON: in an open array */
	const char *columns; /* names of the columns, with | between them */
	int column;          /* of the next cell, from 0 */
	struct word rest;    /* names of the columns after it */
};

/*
 * Prints the line with the names of the columns; `rule`: the line that Markdown
 * has below it.
 */
void export_headings(struct export *export, bool rule);

/*
 * Print a cell, and the last cell of a row ends it: text (NULL: unknown); a
 * number (NAN: unknown).  export_estimate() prints three cells, the value, low
 * and high; an end beyond the scale is unknown.
 */
void export_text(struct export *export, const char *text);
void export_real(struct export *export, double value, int digits);
void export_estimate(
    struct export *export, const struct estimate *estimate, int digits);

/*
 * Prints text as a cell of Markdown.  It is escaped, so that it is no markup
 * and mentions no user of GitHub.
 */
void markdown_put(FILE *file, const char *string);

/*
 * The names of all tables.  The first name is `auto`: the ranking, or the
 * tables for people.  NULL ends the list.
 */
extern const char *const run_export_tables[];

/*
 * Prints one table, an index of run_export_tables, as Markdown; 0: the result
 * and the tables for people.  0 or -ENOMEM.
 */
int run_export_markdown(const struct report_view *view,
    const struct run_facts *facts, int table, FILE *file);

/*
 * Prints one table as comma-separated values with a line of headings; 0: the
 * ranking.
 */
void run_export_csv(const struct report_view *view,
    const struct run_facts *facts, int table, FILE *file);

/*
 * Adds the facts to the open object: an array of objects for each table whose
 * numbers the document of a report does not have elsewhere.
 */
void run_export_json(struct json *json, const struct report_view *view,
    const struct run_facts *facts);

#endif
