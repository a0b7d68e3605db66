/*
 * What has changed between two runs, such as the same tournament with a new
 * version of a bot.  Bots are the same where their names are.
 *
 * The change of an estimate has an interval.  Where both runs played the same
 * rounds with the same packs, the points of a bot are compared round by round,
 * which takes out most of the luck of the deals; elsewhere the variances of two
 * independent runs add up.  All formats print the same rows.
 */
#ifndef RUN_COMPARE_H
#define RUN_COMPARE_H

#include "report.h"

enum {
	COMPARE_NOTES_MAX = 24,
	COMPARE_NOTE_SIZE = 512,
	COMPARE_MEASURE_SIZE = 48
};

/* A number of a bot in both runs. */
struct compare_row {
	const char *name; /* of the bot */
	char measure[COMPARE_MEASURE_SIZE];
	int digits;       /* after the point */
	bool is_estimate; /* otherwise the values alone; NAN: not known */
	struct estimate before, after, change;
};

/* What is to be known of the comparison: `DIFFERS`, `rules: ...`. */
struct compare_note {
	const char *label;
	enum look look;
	char text[COMPARE_NOTE_SIZE];
};

struct run_compare {
	const struct report_view *before, *after;
	/* Of each bot that both have, in the order of the second ranking,
	 * row_count / bot_count rows: of these the first two are points per
	 * deal and Elo. */
	struct compare_row *rows;
	int row_count, bot_count;
	int64_t rounds; /* with the same packs; 0: runs count as independent */
	struct compare_note notes[COMPARE_NOTES_MAX];
	int note_count;
};

/*
 * Compares two runs whose views are computed and outlive the comparison.
 * 0 or -ENOMEM.
 */
int run_compare_open(struct run_compare *compare,
    const struct report_view *before, const struct report_view *after);
void run_compare_close(struct run_compare *compare);

/*
 * The comparison as text, as a page, as Markdown, as comma-separated values,
 * and as a JSON document (formats.md).  0 or -ENOMEM.
 */
int run_compare_text(const struct run_compare *compare,
    const struct report_style *style, FILE *file);
int run_compare_html(const struct run_compare *compare, FILE *file);
int run_compare_markdown(const struct run_compare *compare, FILE *file);
int run_compare_csv(const struct run_compare *compare, FILE *file);
int run_compare_json(const struct run_compare *compare, FILE *file);

#endif
