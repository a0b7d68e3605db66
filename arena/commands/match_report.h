/*
 * What `match` prints: games as they end, and the result.
 */
#ifndef MATCH_REPORT_H
#define MATCH_REPORT_H

#include "plan.h"
#include "series.h"
#include "status.h"

/* Totals of one entrant over the series. */
struct match_total {
	char name[EVENT_NAME_SIZE];
	int64_t wins, draws, losses;
	int64_t points; /* of its party, all games */
	int64_t item_points[SCOPA_ITEM_COUNT];
	int64_t offences[OFFENCE_KIND_COUNT];
	int64_t think_ns, think_longest_ns, decision_count;
	int64_t unasked_count, cut_short;
	int64_t ponder_ns, ponder_games; /* see series_result */
	bool hinted; /* told that it may have run into the walls */
};

struct match_report {
	const struct series_config *config;
	int64_t game_count; /* of the whole match */
	bool json, quiet;
	const char *record; /* path, or NULL */
	/* The seed is the arena's own: whoever reads the output before the last
	 * deal, as a bot that finds the file may, must not know it. */
	bool seed_drawn;
	int64_t told_ns; /* when progress was last told */
	int64_t games, deals;
	int64_t forfeits;
	int64_t max_deals_games; /* drawn: nobody had won after max_deals */
	int64_t void_turns, lag_longest_ns; /* see series_result */
	struct match_total totals[PLAN_ENTRANTS_MAX];
	struct series_result *results; /* of all games, for JSON; owned */
	int64_t capacity;
	struct series_result last;
};

/*
 * Begins a report whose first fields are set, up to `seed_drawn`, and whose others
 * are zero.  Prints the head unless it is quiet or JSON.
 */
void match_report_begin(struct match_report *report);

/* Takes the result of a game. */
void match_report_take(
    struct match_report *report, const struct series_result *result);

/* Milliseconds of a decision; 0 where there was none. */
double match_total_mean_ms(const struct match_total *total);

/* Prints the one document of `--json`. */
void match_report_json(const struct match_report *report, enum series_end end);

/* Prints the result and the next command to try; frees what it holds. */
void match_report_end(struct match_report *report, enum series_end end);

#endif
