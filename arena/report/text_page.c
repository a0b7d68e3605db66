/*
 * Implements text_page.h.
 */
#include "text_page.h"

#include <stdarg.h>

#include "countof.h"

enum {
	LABEL_WIDTH = 10,
	NOTE_INDENT = 2, /* of what does not fit a title or a note */
	RAW_SIZE = TEXT_LINE_SIZE / 2
};

struct text_page
text_page_of(const struct report_view *view, const struct report_style *style,
    FILE *file)
{
	return (struct text_page){
		.view = view,
		.style = style,
		.file = file,
		.label_width = LABEL_WIDTH,
	};
}

__attribute__((format(printf, 3, 0))) static void
line_add(struct text_page *page, enum look look, const char *format,
    va_list arguments)
{
	static const char *const colors[] = {
		[LOOK_PLAIN] = NULL,
		[LOOK_BOLD] = "\033[1m",
		[LOOK_GOOD] = "\033[1;32m",
		[LOOK_BAD] = "\033[1;31m",
		[LOOK_DOUBT] = "\033[1;33m",
	};
	bool colored = look != LOOK_PLAIN && page->style->color;
	struct scopa_text *line = &page->line;
	char raw[RAW_SIZE];

	_Static_assert(COUNTOF(colors) == LOOK_COUNT, "a color each");
	if (line->bytes == NULL)
		scopa_text_init(line, page->bytes, sizeof(page->bytes));
	vsnprintf(raw, sizeof(raw), format, arguments);
	if (colored)
		scopa_text_string(line, colors[look]);
	text_sanitize(line, raw);
	if (colored)
		scopa_text_string(line, "\033[0m");
}

void
text_put(struct text_page *page, enum look look, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	line_add(page, look, format, arguments);
	va_end(arguments);
}

/* Prints the line, wrapped to this width; 0: it is not wrapped. */
static void
line_print(struct text_page *page, int width, int indent)
{
	text_wrap(page->line.bytes, width, indent, page->file);
	if (page->line.cut && page->style->color)
		fputs("\033[0m", page->file);
	scopa_text_init(&page->line, page->bytes, sizeof(page->bytes));
}

void
text_end(struct text_page *page)
{
	line_print(page, page->style->wraps ? page->style->width : 0,
	    page->label_width);
}

void
text_end_whole(struct text_page *page)
{
	line_print(page, 0, 0);
}

void
text_label(struct text_page *page, const char *label)
{
	text_put(page, LOOK_PLAIN, "%-*s", page->label_width, label);
}

void
text_line(struct text_page *page, const char *label, const char *format, ...)
{
	va_list arguments;

	text_label(page, label);
	va_start(arguments, format);
	line_add(page, LOOK_PLAIN, format, arguments);
	va_end(arguments);
	text_end(page);
}

void
text_title(struct text_page *page, const char *format, ...)
{
	va_list arguments;

	fputc('\n', page->file);
	va_start(arguments, format);
	line_add(page, LOOK_BOLD, format, arguments);
	va_end(arguments);
	line_print(page, page->style->width, NOTE_INDENT);
}

void
text_note(struct text_page *page, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	line_add(page, LOOK_PLAIN, format, arguments);
	va_end(arguments);
	line_print(page, page->style->width, NOTE_INDENT);
}

void
text_put_table(struct text_page *page, struct text_table *table)
{
	int result = text_table_print(table, page->style->width, page->file);

	if (page->result == 0)
		page->result = result;
}
