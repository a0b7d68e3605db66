/*
 * The page of a run: the sections from its records (facts_html.c), and helpers
 * for all sections (report_html.c): rows of bots, and charts of a value of each
 * bot.
 */
#ifndef FACTS_HTML_H
#define FACTS_HTML_H

#include "chart.h"
#include "play_losses.h"
#include "run_facts.h"

enum { REPORT_PAGE_BOTS = 6 }; /* bots that have charts of their own */

struct report_page {
	struct html *html;
	const struct report_view *view;
	const struct run_facts *facts; /* empty ones if there are none */
	struct play_losses *losses;    /* NULL: none */
	int count;                     /* of bots */
	int shown; /* number of bots with charts, at most REPORT_PAGE_BOTS */
};

/* A part of the page, with a heading. */
struct page_section {
	const char *id, *title;
	/* whether there is something to show; NULL: always */
	bool (*has)(const struct report_page *page);
	void (*put)(struct report_page *page);
	bool live; /* the section changes while the run is played */
};

/* The name and the results of the bot at a position of the ranking. */
const char *report_page_name(const struct report_page *page, int position);
const struct standing *report_page_standing(
    const struct report_page *page, int position);

bool report_page_has_blocks(const struct report_page *page);

/* Begins a row of a table: the number of the line, and the name of the bot. */
void report_page_row(struct report_page *page, int position);

/*
 * Writes a command that has the path of the run, with `file` after it and
 * quoted for a shell, between its words.
 */
void report_page_command(struct report_page *page, const char *command,
    const char *file, const char *rest);

/* The mean time of a decision in ms; a dash if there was no decision. */
struct number report_page_think(const struct standing *standing);

/*
 * Draws the values of all bots as bars.  `value` returns NAN if there is no
 * value.
 */
void report_page_bars(struct report_page *page, const struct chart *chart,
    const char *const *columns, int column_count,
    double (*value)(const struct report_page *page, int position, int column));

/* In the order of the page. */
extern const struct page_section section_llr, section_margins, section_seats,
    section_times, section_metrics, section_failures, section_losses,
    section_games;

#endif
