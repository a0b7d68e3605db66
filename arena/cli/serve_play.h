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
#ifndef SERVE_PLAY_H
#define SERVE_PLAY_H

#include "http.h"
#include "play_setup.h"

enum { SERVE_TABLES_MAX = 4 /* games at once */ };

struct serve_play_settings {
	struct play_settings play;
	bool enabled; /* --play */
	bool clock;   /* persons have a time limit */
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
