/*
 * Plays a run, new or resumed, with progress line, events, log and report.
 */
#ifndef RUN_PLAY_H
#define RUN_PLAY_H

#include "log.h"
#include "report.h"
#include "run.h"
#include "run_remote.h"
#include "tournament.h"
#include "tournament_setup.h"
#include "variates.h"

/*
 * Plays until the end of the run or until it is stopped, and prints the report.
 * `remote` says on which machines.  `resumed`: an earlier call has begun the
 * run.  Returns the exit status of the command; all errors have been printed.
 */
enum status run_play(struct tournament_setup *setup, struct run *run,
    struct tournament *tournament, struct run_remote *remote, bool resumed);

/*
 * Opens the trace of the run, if the user wants one: in its file, or in the
 * folder of the run (`path`; NULL: there is none yet, and only the file of the
 * user is opened).  Errors are printed.
 */
enum status run_trace_open(struct tournament_setup *setup, const char *path);

/*
 * The view of a run that reports and events are made from.  It is filled from
 * the setup, the run and the tournament.
 */

enum { RUN_STATE_SIZE = 64 };

/* It must not move, as `view` points into it. */
struct run_view {
	struct report_view view;
	const struct tournament_setup *setup;
	const struct run *run;
	const struct tournament *tournament;
	struct gate_verdict verdict;
	char rules[EVENT_SPEC_SIZE], shard[16];
	char time_control[EVENT_NAME_SIZE];
	char time_shown[EVENT_NAME_SIZE + 64 + QUEUE_LABELS_SIZE];
	char seed[SHUFFLE_HEX_SIZE];
	char chain[SHUFFLE_HEX_SIZE];
	char state[RUN_STATE_SIZE];
	int places[TOURNAMENT_BOTS_MAX];
	struct variates variates;
	struct worker_list workers;
	bool full; /* the text report has all tables */
};

/* Opens a view.  The three arguments must outlive it. */
void run_view_open(struct run_view *view, const struct tournament_setup *setup,
    const struct run *run, const struct tournament *tournament);
void run_view_close(struct run_view *view);

/* Reads anew which workers play the run on other machines, if any do. */
void run_view_look_for_workers(struct run_view *view);

/* Updates the verdict and the places.  `ended`: no block follows. */
void run_view_update(struct run_view *view, bool ended);

/* Corrects the state `running` of a run that no process plays any more. */
void run_view_correct_state(struct run_view *view);

/*
 * Works out the ratings, and the estimates without the luck of the deal.  0 or
 * -ENOMEM.  Records that cannot be read leave the latter out: then *lost says
 * why, else its `what` is empty.
 */
int run_view_compute(struct run_view *view, struct store_error *lost);

/* Prints that records could not be read.  STATUS_ENVIRONMENT. */
enum status run_view_lost(const struct store_error *lost);

/*
 * Prints the report: as text, as one JSON document, or only its verdict if
 * `quiet`.  STATUS_DONE, or STATUS_ENVIRONMENT with an error printed.
 */
enum status run_view_print(struct run_view *view, bool json, bool quiet);

/* Prints the next commands, as the end of the text report. */
void run_view_print_next(const struct run_view *view);

#endif
