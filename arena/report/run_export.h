/*
 * The numbers of a run as plain tables, for programs and for other pages.
 *
 * All forms are made of the same rows: a table of GitHub's Markdown, one of
 * comma-separated values, or an array of objects in the JSON document of a
 * report (docs/formats.md).
 */
#ifndef RUN_EXPORT_H
#define RUN_EXPORT_H

#include "json.h"
#include "run_facts.h"

enum export_form { EXPORT_MARKDOWN, EXPORT_CSV, EXPORT_JSON };

/*
 * Text as a cell of Markdown: nothing in it is markup, or calls anybody by his
 * name on GitHub.
 */
void markdown_put(FILE *file, const char *string);

/*
 * The names of all tables, behind `auto`, which is the ranking or the tables
 * for people; NULL ends.
 */
extern const char *const run_export_tables[];

/*
 * Prints one table, an index of run_export_tables, as Markdown; of 0 the result
 * and the tables for people.  Text of bots is made fit for it.
 */
void run_export_markdown(const struct report_view *view,
    const struct run_facts *facts, int table, FILE *file);

/*
 * Prints one table as comma-separated values with a line of headings; of 0 the
 * ranking.
 */
void run_export_csv(const struct report_view *view,
    const struct run_facts *facts, int table, FILE *file);

/*
 * Adds the facts to the open object: an array of objects for each table that
 * the document of a report does not have.
 */
void run_export_json(struct json *json, const struct report_view *view,
    const struct run_facts *facts);

#endif
