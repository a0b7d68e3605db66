/*
 * Compares two runs, such as the same tournament with a new version of a bot.
 * Bots with the same name are the same bot.
 *
 * The change of an estimate has an interval.  If both runs played the same
 * rounds with the same packs, and each bot the same number of blocks in each of
 * its rounds, its points are compared round by round, which removes most of the
 * luck of the deals.  Otherwise the variances of two independent runs are
 * added.  All formats print the same rows.
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
	bool is_estimate; /* false: only values are set; NAN: not known */
	struct estimate before, after, change;
};

/* A line above the tables, such as `DIFFERS`, `rules: ...`. */
struct compare_note {
	const char *label;
	enum look look;
	char text[COMPARE_NOTE_SIZE];
};

struct run_compare {
	const struct report_view *before, *after;
	/*
	 * Each bot of both runs, in the order of the second ranking, has
	 * row_count / bot_count rows.  Its first two rows are points per deal
	 * and Elo.
	 */
	struct compare_row *rows;
	int row_count, bot_count;
	/* rounds with the same packs; 0: the runs count as independent */
	int64_t rounds;
	struct compare_note notes[COMPARE_NOTES_MAX];
	int note_count;
};

/*
 * Compares two runs.  Their views must be computed, and must outlive the
 * comparison.  0 or -ENOMEM.
 */
int run_compare_open(struct run_compare *compare,
    const struct report_view *before, const struct report_view *after);
void run_compare_close(struct run_compare *compare);

/*
 * Print the comparison as text, as a page, as Markdown, as comma-separated
 * values, and as a JSON document (formats.md).  0 or -ENOMEM.
 */
int run_compare_text(const struct run_compare *compare,
    const struct report_style *style, FILE *file);
int run_compare_html(const struct run_compare *compare, FILE *file);
int run_compare_markdown(const struct run_compare *compare, FILE *file);
int run_compare_csv(const struct run_compare *compare, FILE *file);
int run_compare_json(const struct run_compare *compare, FILE *file);

#endif
