/*
 * What happens in a run, as it happens: one JSON object a line (formats.md).
 *
 * Each line is written by one write(2), so that a reader of the file sees whole
 * lines.  What is rare also goes to the log in words (log.h).
 */
#ifndef EVENTS_H
#define EVENTS_H

#include "progress.h"
#include "report.h"

enum { EVENTS_VERSION = 1 };

/* fd -1: there is no file of events, only the log. */
struct events {
	int fd;
	/* -errno of the first line that could not be written, or 0 */
	int error;
};

/*
 * Writes to the end of the file `path`; NULL: to none.  0 or -errno, and then
 * nothing is to be closed.
 */
int events_open(struct events *events, const char *path);

/* 0, or the -errno of the first line that could not be written. */
int events_close(struct events *events);

/* A run begins; or it goes on, after the blocks of view->standings. */
void events_run_begin(struct events *events, const struct report_view *view);
void events_resume(struct events *events, const struct report_view *view);

/*
 * A block was counted: `block`; `game_replayed`, `game_void`, `game_ponder`
 * and `game_forfeit` of its games.
 */
void events_block(struct events *events, const struct report_view *view,
    const struct block_result *block);

/* A bot plays no more. */
void events_suspend(
    struct events *events, const struct report_view *view, int bot);

/* The verdict of a gate; for when it is final, or changes. */
void events_verdict(struct events *events, const struct report_view *view);

/* The status line. */
void events_status(struct events *events, const struct progress_facts *facts);

/* The workers of a run on other machines, and which blocks were replayed. */
void events_workers(struct events *events, const struct report_view *view);

/* It ends, in view->state, with this status of the program. */
void events_run_end(
    struct events *events, const struct report_view *view, int status);

#endif
