/*
 * A game on a page: the data for the viewer (page/replay.js), and a form that
 * can be read without scripts.
 *
 * The viewer reads most of the data from the record itself.  A JSON document
 * adds what follows from the rules:
 *
 *	match   id of the match
 *	exact   whether the page can hold the record byte for byte
 *	fault   why the record cannot be replayed; then `deals` ends before it
 *	deals   the `number` and the `steps` of each deal
 *
 * A step is a position before a play, a declaration or an offence.  The last
 * step of a deal is its end, and has no `play`:
 *
 *	play    number of the card, as `record show` counts
 *	line    number of the line in the record, from 1
 *	legal   number of legal moves
 *	state   the `state` line of the seat to move
 *	hands   the cards of all seats, `1=AD2B 2=-`
 *	score   of each team: a `score` line as if the deal had ended here
 *	loss    what `analyse` says of the move: value, loss, best, exact
 *
 * `state`, `hands` and `score` of a step have only the words that differ from
 * the step before it in the same deal, and no verb.  `plays+=/1:7D` appends to
 * the value that `plays=` had.
 */
#ifndef GAME_VIEW_H
#define GAME_VIEW_H

#include <stddef.h>

#include "html.h"
#include "play_losses.h"

struct game_view_source {
	const char *record; /* one record, from `match` to its last line */
	size_t size;
	struct play_losses *losses; /* of its run, or NULL */
	const char *why;            /* why the game is shown, or NULL */
};

/*
 * Writes the game into a page: a <section class="game" id="m12"> with the
 * result, the points of the deals, the record as it is, and the JSON document.
 * Returns 0, also for a record with a fault; -EBADMSG if it has no `match`
 * line; -ENOMEM; or another -errno if the machine refused something.
 */
int game_view_html(const struct game_view_source *source, struct html *html);

#endif
