/*
 * Implements html_table.h.
 */
#include "html_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
	HEADINGS_SIZE = 512,
	LONG_NAME = 20, /* letters; longer ones go on in a second line */
	FACT_SIZE = 2048,
	LONG_FACT = 40 /* bytes; longer ones get a line of their own */
};

void
html_wide_begin(struct html *html, const char *label)
{
	html_begin(html, "div.wide");
	html_attribute(html, "role", "group");
	html_attribute(html, "tabindex", "0");
	html_attribute(html, "aria-label", "%s", label);
}

void
html_details_begin(struct html *html, const char *format, ...)
{
	char bytes[TEXT_CELL_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(bytes, sizeof(bytes), format, arguments);
	va_end(arguments);
	html_begin(html, "details");
	html_put(html, "summary", "%s", bytes);
}

void
html_fact(struct html *html, const char *name, const char *format, ...)
{
	char bytes[FACT_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(bytes, sizeof(bytes), format, arguments);
	va_end(arguments);
	if (bytes[0] == '\0')
		return;
	html_begin(html, strlen(bytes) > LONG_FACT ? "div.long" : "div");
	html_put(html, "dt", "%s", name);
	html_put(html, "dd", "%s", bytes);
	html_end(html, "div");
}

void
html_pre(struct html *html, const char *bytes, size_t size)
{
	html_begin(html, "pre");
	html_attribute(html, "tabindex", "0");
	html_lines(html, bytes, size);
	html_end(html, "pre");
}

static void
put_heading(struct html *html, const char *element, const char *heading)
{
	html_begin(html, element);
	html_attribute(html, "scope", "col");
	html_text(html, "%s", heading);
	html_end(html, "th");
}

void
html_table_heading(struct html *html, const char *heading)
{
	put_heading(html, "th", heading);
}

void
html_table_begin(
    struct html *html, const char *label, const char *headings, bool sortable)
{
	char bytes[HEADINGS_SIZE], *rest = bytes;

	html_wide_begin(html, label);
	html_begin(html, sortable ? "table.sortable" : "table");
	html_begin(html, "thead");
	html_begin(html, "tr");
	snprintf(bytes, sizeof(bytes), "%s", headings);
	while (rest != NULL) {
		const char *heading = strsep(&rest, "|");
		bool text = *heading == '^';

		put_heading(html, text ? "th.text" : "th", heading + text);
	}
}

void
html_table_rows(struct html *html)
{
	html_end(html, "tr");
	html_end(html, "thead");
	html_begin(html, "tbody");
}

void
html_table_end(struct html *html)
{
	html_end(html, "tbody");
	html_end(html, "table");
	html_end(html, "div");
	fputc('\n', html->file);
}

void
html_table_name(struct html *html, const char *name)
{
	html_begin(html, text_width(name) > LONG_NAME ? "th.long" : "th");
	html_attribute(html, "scope", "row");
	html_text(html, "%s", name);
	html_end(html, "th");
}

void
html_table_number(struct html *html, struct number number)
{
	html_put(html, "td", "%s", number_typeset(number).text);
}

void
html_table_count(struct html *html, int64_t count)
{
	html_put(html, "td", "%s", number_grouped(count).text);
}
