/*
 * Plays a run, new or resumed, and tells of it: progress, events, log, report.
 */
#ifndef RUN_PLAY_H
#define RUN_PLAY_H

#include "log.h"
#include "report.h"
#include "run.h"
#include "tournament.h"
#include "tournament_setup.h"
#include "variates.h"

/* Plays until the end; `resumed`: the run had begun before.  All that went wrong has been said. */
enum status run_play(struct tournament_setup *setup, struct run *run,
    struct tournament *tournament, bool resumed);

/*
 * The view of a report for a run, filled from the setup, the run and the
 * tournament.
 */

enum { RUN_STATE_SIZE = 64 };

/* Must not move: the view points into it. */
struct run_view {
	struct report_view view;
	const struct tournament_setup *setup;
	const struct run *run;
	const struct tournament *tournament;
	struct gate_verdict verdict;
	char rules[EVENT_SPEC_SIZE];
	char time_control[EVENT_NAME_SIZE], time_shown[EVENT_NAME_SIZE];
	char seed[SHUFFLE_HEX_SIZE];
	char chain[SHUFFLE_HEX_SIZE];
	char state[RUN_STATE_SIZE];
	int places[TOURNAMENT_BOTS_MAX];
	struct variates variates;
};

/* What it points to must outlive it. */
void run_view_open(struct run_view *view, const struct tournament_setup *setup,
    const struct run *run, const struct tournament *tournament);
void run_view_close(struct run_view *view);

/* Brings verdict and places up to date.  `ended`: no further block follows. */
void run_view_update(struct run_view *view, bool ended);

/* Prints the report, as text or as one JSON document, or the verdict alone. */
enum status run_view_print(struct run_view *view, bool json, bool quiet);

#endif
