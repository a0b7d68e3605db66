/*
 * The pages of `serve` that show runs: the list of all, the page of each with
 * its standings while it is played, its report, and its games.
 *
 * Runs are only read.  A run that somebody looks at is kept open, and a look at
 * it costs what was added since the last one.  Its page is made once for all
 * viewers, who are sent it by Server-Sent Events.  Nothing is done while nobody
 * looks.
 */
#ifndef SERVE_RUNS_H
#define SERVE_RUNS_H

#include "http.h"
#include "loop.h"

struct serve_runs;

/*
 * Adds the pages to a server.  Each of `paths`, ended by NULL, is the folder of
 * a run, or a folder with runs in it; without any it is runs/.  0 or -errno:
 * -ENOENT if a path is no folder; then *path_at_fault names it.
 */
int serve_runs_open(struct serve_runs **runs, struct loop *loop,
    struct http *http, char **paths, const char **path_at_fault);

/* After http_close().  NULL is allowed. */
void serve_runs_close(struct serve_runs *runs);

/* The path to show first: of the only run, or of the list. */
const char *serve_runs_first(struct serve_runs *runs);

#endif
