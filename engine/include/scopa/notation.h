/*
 * Cards, sets, moves and states as text: one notation for protocol, record,
 * bots and tests.
 */
#ifndef SCOPA_NOTATION_H
#define SCOPA_NOTATION_H

#include "scopa/view.h"

/* `7D`; `??` for SCOPA_CARD_NONE. */
void scopa_card_format(scopa_card card, struct scopa_text *text);

/* `3C4S` in canonical order; `-` where it is empty. */
void scopa_set_format(scopa_set set, struct scopa_text *text);

/* `7D`, `7Dx3C4S`, `!low:A`. */
void scopa_move_format(const struct scopa_move *move, struct scopa_text *text);

enum scopa_parse { SCOPA_PARSED, SCOPA_BAD_SYNTAX, SCOPA_DUPLICATE };

/*
 * Read `length` bytes, all of them, cards in any order.  SCOPA_DUPLICATE where
 * a card is named twice.  The result is written on SCOPA_PARSED only; a move's
 * seat is left alone.
 */
enum scopa_parse scopa_set_parse(
    const char *bytes, size_t length, scopa_set *set);
enum scopa_parse scopa_move_parse(
    const char *bytes, size_t length, struct scopa_move *move);

/*
 * The `state` line of a view, from `state` on, without a line end: these keys
 * in this order, seats numbered from 1 and teams from A.
 *
 *   rules   preset and overrides, `scopa,priority=fewest`
 *   seats, teams, target
 *           `seats=2 teams=AB target=11`
 *   you     the seat whose view it is
 *   hand    its cards, `-` for none, as everywhere
 *   deal    number of the deal, from 1
 *   dealer  seat
 *   turn    seat to move; `-` when the deal is over
 *   table   cards
 *   hands   how many cards each seat holds, `1:3,2:3`
 *   deck    how many cards are not yet dealt
 *   pile    cards that each team has taken, `A:6C6D,B:-`
 *   scopas  sweeps of each team in this deal, `A:1,B:0`
 *   scores  points of each team before this deal, `A:7,B:5`
 *   last    seat that captured last, `-` for none
 *   shown   what is left of declared hands, `1:AC2D,3:5B`, or `-`
 *   plays   plays and declarations of the deal, `1:6Cx6D/2:2C`, or `-`
 *
 * and only where the rules know of it:
 *
 *   declared  points of each team for declarations (declare other than off)
 *   matta     value that a wild 7 of cups holds now, `A`, or `-` (the same)
 *   opening   sweeps that the dealer made of the opening table, 0 to 2, which
 *             are in `scopas` too (opening other than off)
 *
 * What the line does not say follows from it: a hand is untouched when its seat
 * holds as many cards as a hand is dealt.
 */
void scopa_state_format(const struct scopa_rules *rules,
    const struct scopa_preset *preset, const struct scopa_view *view,
    struct scopa_text *text);

/*
 * Reads a `state` line back, rules included.  Unknown keys are skipped, so are
 * comments.  `target` may be left out (it is the preset's then), and so may
 * `deal`, `scopas`, `scores`, `last`, `shown`, `plays` and the extra keys where
 * they are 1, 0 or `-`.  A line that no deal could come to is refused as far
 * as counts and places of cards and whose turn it is tell.  On failure returns
 * false with a sentence in `why` and writes nothing else.
 */
bool scopa_state_parse(const char *line, struct scopa_rules *rules,
    struct scopa_view *view, struct scopa_text *why);

#endif
