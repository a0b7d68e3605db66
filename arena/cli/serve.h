/*
 * The parts of the command serve: the pages of runs (serve_runs.c), the seats
 * of persons in a browser (serve_play.c), and functions by which both make a
 * page (serve_document.c).
 */
#ifndef SERVE_H
#define SERVE_H

#include "html.h"
#include "http.h"
#include "json.h"
#include "play_game.h"

/*
 * Texts that are made in memory: HTML or JSON.
 */

struct document {
	struct html html;
	struct json json;
	char *text;
	size_t size;
};

/*
 * Begin a document: HTML; a JSON object; or a page up to <body>, to which the
 * caller adds a header and an element with the id `main`.  Return false without
 * memory: then nothing can be written.  The caller ends the document in any
 * case.
 */
bool document_begin(struct document *document);
bool document_begin_json(struct document *document);
bool document_begin_page(
    struct document *document, const struct html_page *page);

/* Returns the text, which the caller frees; NULL without memory. */
char *document_end(struct document *document);

/* Ends a page, and replies with it. */
void document_reply_page(struct document *document,
    const struct html_page *page, struct http_request *request);

/*
 * The pages that show runs: the list of all runs, and for each run its
 * standings while it is played, its report, and its games.
 *
 * Runs are only read.  A run with viewers stays open, so that each look reads
 * only new blocks.  Its page is made once for all viewers, who get it by
 * Server-Sent Events.  Without viewers nothing is done.
 */

struct serve_runs;

/*
 * Adds the pages to a server.  Each of `paths` is the folder of a run, or a
 * folder with runs in it; NULL ends them.  Without paths the folder is runs/.
 * Returns 0 or -errno; -ENOENT: *path_at_fault is not a folder.
 */
int serve_runs_open(struct serve_runs **runs, struct loop *loop,
    struct http *http, char **paths, const char **path_at_fault);

/* After http_close().  NULL is allowed. */
void serve_runs_close(struct serve_runs *runs);

/* Returns the path of the page of the only run, or of the list. */
const char *serve_runs_first(struct serve_runs *runs);

/*
 * Seats in a browser: the pages at which persons begin games and play them.
 *
 * The address of the first page has a token, which is printed for the user of
 * this program.  Anybody who has it can begin games and sit at any seat.  The
 * address of a seat has another token, which opens only this seat.  All other
 * addresses get the reply for an unknown page.
 *
 * A seat has one page.  If it is opened again, the new page takes over, and the
 * old page says so.  If a seat has no page for some time, its game is stopped.
 */

#define SERVE_GRACE_USUAL "600" /* seconds */

struct serve_play_settings {
	struct play_settings play;
	bool enabled; /* --play */
	int64_t grace_s;
};

/*
 * Option rows besides those of `play`: offsets from struct serve_play_settings.
 */
extern const struct option serve_play_options[];

struct serve_play;

/*
 * Reads the bots, and adds the pages to a server.  The settings must outlive
 * it.  Returns STATUS_DONE or prints an error.  The caller closes it in any
 * case.
 */
enum status serve_play_open(struct serve_play **play,
    const struct serve_play_settings *settings, struct loop *loop,
    struct http *http);
void serve_play_close(struct serve_play *play);

/* The path of the first page, with the token: `/play/TOKEN/`. */
const char *serve_play_path(const struct serve_play *play);

/*
 * Stops all games, and the loop when the last bot has ended.  A second call
 * kills the bots.
 */
void serve_play_stop(struct serve_play *play);

#endif
