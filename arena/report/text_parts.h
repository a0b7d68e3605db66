/*
 * The sections of the text report.
 */
#ifndef TEXT_PARTS_H
#define TEXT_PARTS_H

#include "report_parts.h"
#include "text_format.h"

/* What a section is printed with; `result` keeps the first -errno. */
struct text_page {
	const struct report_view *view;
	const struct report_style *style;
	FILE *file;
	int result;
};

enum text_color {
	TEXT_BOLD,
	TEXT_GOOD,
	TEXT_BAD,
	TEXT_DOUBT,
	TEXT_COLOR_COUNT
};

/* A word in color, where there is color. */
void text_paint(const struct report_style *style, FILE *file,
    enum text_color color, const char *word);

/* An empty line and the title of a section, with a line end. */
void text_title(struct text_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* `label     ` and the text, which is made fit for a terminal, as a line. */
void text_line(
    struct text_page *page, const char *label, const struct scopa_text *text);

/* Prints and releases a table. */
void text_grid(struct text_page *page, struct grid *grid);

/* A cell with what one of the functions of figure.h writes. */
void text_cell_estimate(struct grid *grid,
    void (*write)(struct scopa_text *text, const struct estimate *estimate),
    const struct estimate *estimate);
void text_cell_share(struct grid *grid,
    void (*write)(struct scopa_text *text, double share), double share);
void text_cell_signed(struct grid *grid, double value, int digits);
void text_cell_number(struct grid *grid, double value, int digits);

/* Two bots: all that can be said of bot 0 against bot 1. */
void text_pair(struct text_page *page);

/* Tables of all bots. */
void text_ranking(struct text_page *page);
void text_cross(struct text_page *page);
void text_stronger(struct text_page *page);
void text_sides(struct text_page *page);
void text_sources(struct text_page *page);
void text_conduct(struct text_page *page);
void text_variates(struct text_page *page);

#endif
