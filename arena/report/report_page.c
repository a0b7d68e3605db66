/*
 * Implements report_page.h.
 */
#include "report_page.h"

#include <stdlib.h>

const char *
report_page_name(const struct report_page *page, int position)
{
	return report_name(page->view, page->view->ratings.order[position]);
}

const struct standing *
report_page_standing(const struct report_page *page, int position)
{
	return &page->view->standings
		    ->bots[page->view->ratings.order[position]];
}

bool
report_page_has_blocks(const struct report_page *page)
{
	return page->view->standings->blocks > 0;
}

void
report_page_row(struct report_page *page, int position)
{
	html_begin(page->html, "tr");
	html_table_count(page->html, position + 1);
	html_table_name(page->html, report_page_name(page, position));
}

struct number
report_page_think(const struct standing *standing)
{
	double think_ms = report_think_ms(standing);

	return think_ms < 0 ? (struct number){ "-" }
			    : number_fixed(think_ms, 2);
}

bool
page_values_init(struct page_values *values, struct report_page *page,
    int columns,
    double (*value)(const struct report_page *page, int position, int column))
{
	size_t count = (size_t)page->count * (size_t)columns;

	values->names = calloc((size_t)page->count, sizeof(*values->names));
	values->values = calloc(count, sizeof(*values->values));
	if (values->names == NULL || values->values == NULL) {
		page->html->failed = true;
		return false;
	}
	for (int i = 0; i < page->count; i++) {
		values->names[i] = report_page_name(page, i);
		for (int column = 0; column < columns; column++)
			values->values[i * columns + column] =
			    value(page, i, column);
	}
	return true;
}

void
page_values_release(struct page_values *values)
{
	free(values->names);
	free(values->values);
}

void
report_page_bars(struct report_page *page, const struct chart *chart,
    const char *const *columns, int column_count,
    double (*value)(const struct report_page *page, int position, int column))
{
	struct page_values values;

	if (page_values_init(&values, page, column_count, value))
		chart_bars(page->html,
		    &(struct chart_bars){
			.chart = *chart,
			.rows = values.names,
			.columns = columns,
			.row_count = page->count,
			.column_count = column_count,
			.values = values.values,
			.digits = 2,
		    });
	page_values_release(&values);
}
