/*
 * Plays a run, new or resumed, and tells of it: progress, events, log, report.
 */
#ifndef RUN_PLAY_H
#define RUN_PLAY_H

#include "log.h"
#include "run.h"
#include "status.h"
#include "tournament.h"
#include "tournament_setup.h"

/* How this call tells of it. */
struct run_manner {
	bool resumed; /* it had begun before */
	bool json, quiet;
	const char *log; /* file; NULL: log.txt of the run */
	enum log_level log_level;
	struct call_words call;
};

/* Plays until the end.  All that went wrong has been said. */
enum status run_play(struct tournament_setup *setup, struct run *run,
    struct tournament *tournament, const struct run_manner *manner);

#endif
