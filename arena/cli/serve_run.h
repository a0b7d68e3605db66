/*
 * A run that `serve` shows: what is known of it, its page, its report and its
 * games.  The run is only read.  While it is open, a look costs what was added
 * since the last one.
 */
#ifndef SERVE_RUN_H
#define SERVE_RUN_H

#include <bsd/sys/queue.h>
#include <limits.h>
#include <sys/stat.h>

#include "http.h"
#include "live.h"
#include "progress.h"
#include "run_play.h"

enum {
	SERVE_GAMES_SHOWN = 12,   /* links to games on the page of a run */
	SERVE_LIVE_SHOWN = 6,     /* games in progress on it */
	SERVE_REPORT_MAX = 50000, /* blocks of a run with a report on demand */
	/* The URL of a run: each byte of its name may become three. */
	SERVE_URL_SIZE = 3 * NAME_MAX + 32
};

struct curve;

/* A place for a game in progress. */
struct served_game {
	int64_t version; /* of its slot; 0: no game */
	char *event;     /* for all viewers; owned; NULL: nothing to send */
};

/* A run. */
struct served {
	TAILQ_ENTRY(served) link; /* of the caller */
	char path[PATH_MAX];
	char name[NAME_MAX + 1];   /* in URLs: the name of its folder */
	bool found;                /* by the last search */
	int viewers;               /* streams of its page */
	struct run_opened *opened; /* while somebody looks; owned */
	struct curve *curve;       /* of `opened`; NULL: no test; owned */
	dev_t device;              /* of the database that was opened */
	ino_t inode;
	struct timespec failed; /* when an unreadable database was changed */
	int64_t used_ns;        /* when somebody looked last */
	int64_t look_ns;        /* the next look, at the earliest */
	struct progress progress;

	/* What the last look has shown. */
	char *page;      /* HTML; owned; NULL before the first look */
	int64_t version; /* of the page, from 1 */
	char state[RUN_STATE_SIZE];
	char kind[16]; /* `tournament` or `gate` */
	char created[32];
	char result[512]; /* a sentence */
	int bots;
	int64_t taken, planned; /* blocks */

	struct served_game live[SERVE_LIVE_SHOWN];
};

/*
 * Looks at a run: takes what is new, and makes its page anew if that shows.
 * Returns whether something has changed.
 */
bool served_look(struct served *run, int64_t now_ns);

/* Says that somebody watches, and reads the games in progress. */
void served_watch(struct served *run, int64_t now_ns);

/* Closes the run; its page is kept. */
void served_drop(struct served *run);

/* Writes the URL of a run: `/run/NAME/`. */
void served_url(const struct served *run, char url[SERVE_URL_SIZE]);

/*
 * Reply with the report of a run that is open, as the command report writes it,
 * and with the page of a game.
 */
void served_reply_report(
    const struct served *run, struct http_request *request);
void served_reply_game(
    const struct served *run, const char *match, struct http_request *request);

#endif
