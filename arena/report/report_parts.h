/*
 * What the text and the JSON document of a report have in common.
 */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "report.h"

/* Two bots that met: all that can be said of the first against the second. */
struct report_pair {
	const struct encounter *encounter;
	struct estimate margin, clean; /* points a deal; without forfeits */
	double los, clean_los;         /* of these */
	struct strength games, pairs;  /* `pairs` where encounter->paired */
	int64_t base_forfeits;         /* games forfeited by the second */
	struct residual residual;      /* none before report_compute */
};

struct report_pair report_pair_of(
    const struct report_view *view, int first, int second);

/* The level of intervals. */
double report_level(const struct report_view *view);

/*
 * Degrees of freedom of the difference of two margin ratings; 0: nothing is
 * known of its error.
 */
double report_freedom(const struct report_view *view, int a, int b);

/* The name of a bot, and how many there are. */
const char *report_name(const struct report_view *view, int bot);
int report_bot_count(const struct report_view *view);

/*
 * The rating of a bot with its interval, of view->ratings.margin or .elo.  Who
 * has met nobody may be anywhere.
 */
struct estimate report_rating(
    const struct report_view *view, const struct rating *ratings, int bot);

/* The difference of two margin ratings with its interval. */
struct estimate report_gap(
    const struct report_view *view, int first, int second);

/* Points a deal that a bot made by an item, and the mean of the others. */
struct report_source {
	double own, others;
};

struct report_source report_source_of(
    const struct report_view *view, int bot, enum scopa_item item);

/*
 * The probability of being stronger than the next in order; -1 for the last,
 * NAN where nothing is known of it.
 */
double report_above_next(const struct report_view *view, int position);

/*
 * The probability that the bot at a position of the order belongs there, by the
 * ratings alone; -1 without a bootstrap.
 */
double report_place_sure(const struct report_view *view, int position);

/* Mean of a decision in ms; negative: there was none. */
double report_think_ms(const struct standing *standing);

/* Whether each two bots are told of. */
bool report_tells_pairs(const struct report_view *view);

/* Whether the format gives places. */
bool report_has_places(const struct report_view *view);

#endif
