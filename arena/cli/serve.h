/*
 * What the command serve puts together: the pages of runs (serve_runs.c), the
 * seats of persons in a browser (serve_play.c), and how both make a page.
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
 * Begin a document: HTML; a JSON object; or a page, up to <body>, to which the
 * caller adds a header and an element with the id `main`.  False without
 * memory: nothing can be written, and the document is ended as any other.
 */
bool document_begin(struct document *document);
bool document_begin_json(struct document *document);
bool document_begin_page(
    struct document *document, const struct html_page *page);

/* Returns the text of HTML or JSON, for free(); NULL without memory. */
char *document_end(struct document *document);

/* Ends a page, and replies with it. */
void document_reply_page(struct document *document,
    const struct html_page *page, struct http_request *request);

/*
 * The pages that show runs: the list of all, the page of each with its
 * standings while it is played, its report, and its games.
 *
 * Runs are only read.  A run that somebody looks at is kept open, and a look at
 * it costs what was added since the last one.  Its page is made once for all
 * viewers, who are sent it by Server-Sent Events.  Nothing is done while nobody
 * looks.
 */

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

/*
 * Seats in a browser: the pages at which persons begin games and play them.
 *
 * The address of the first page has a token that only this program's user is
 * shown; whoever has it may begin games and sit at any seat.  Each seat of a
 * person has an address with a token of its own, which opens this seat alone.
 * Every other address is answered as one that does not exist.
 *
 * A seat has one page: where it is opened once more, the new page takes over,
 * and the one before says so.  A game whose seat has no page is stopped after
 * some time, as `play` stops one at the end of its input.
 */

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
 * Stops all games.  Returns false if no bot runs.  Otherwise on_stopped follows
 * when the last one has ended.  A second call kills the bots.
 */
bool serve_play_stop(
    struct serve_play *play, void (*on_stopped)(void *context), void *context);

#endif
