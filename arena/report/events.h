/*
 * The run events of --events: one JSON object in each line (formats.md).
 *
 * Each line is written by one write(2), so that a reader of the file sees whole
 * lines.  Rare events are also written to the log in words (log.h).
 */
#ifndef EVENTS_H
#define EVENTS_H

#include "progress.h"
#include "report.h"

enum { EVENTS_VERSION = 1 };

struct events {
	int fd; /* -1: there is no file of events, only the log */
	/* -errno of the first line that could not be written, or 0 */
	int error;
};

/*
 * Opens the file `path` to append events; NULL: there is no file.  0; or
 * -errno, and then it must not be closed.
 */
int events_open(struct events *events, const char *path);

/* Closes the file.  0, or -errno of the first line that was not written. */
int events_close(struct events *events);

/* A run begins; or a run is resumed after the blocks of view->standings. */
void events_run_begin(struct events *events, const struct report_view *view);
void events_resume(struct events *events, const struct report_view *view);

/*
 * A block was counted.  Writes `block`, and `game_replayed`, `game_void`,
 * `game_ponder` and `game_forfeit` for its games.
 */
void events_block(struct events *events, const struct report_view *view,
    const struct block_result *block);

/* A bot is suspended: it plays no more games of the run. */
void events_suspend(
    struct events *events, const struct report_view *view, int bot);

/* The verdict of a gate. */
void events_verdict(struct events *events, const struct report_view *view);

/* The facts of the progress line. */
void events_status(struct events *events, const struct progress_facts *facts);

/* The workers of a run on other machines, and which blocks were replayed. */
void events_workers(struct events *events, const struct report_view *view);

/* The run ends in the state view->state, with this exit status. */
void events_run_end(
    struct events *events, const struct report_view *view, int status);

#endif
