/*
 * The text form of cards, sets, moves and states.  Protocol, record, bots and
 * tests use the same notation.
 */
#ifndef SCOPA_NOTATION_H
#define SCOPA_NOTATION_H

#include "scopa/view.h"

/* Appends `7D`, or `??`  for SCOPA_CARD_NONE. */
void scopa_card_format(scopa_card card, struct scopa_text *text);

/* Appends `3C4S` in canonical order, or `-` for the empty set. */
void scopa_set_format(scopa_set set, struct scopa_text *text);

/* Appends `7D`, `7Dx3C4S` or `!low:A`. */
void scopa_move_format(const struct scopa_move *move, struct scopa_text *text);

enum scopa_parse { SCOPA_PARSED, SCOPA_BAD_SYNTAX, SCOPA_DUPLICATE };

/*
 * Parse exactly `length` bytes; cards may be in any order.  Return
 * SCOPA_DUPLICATE when a card occurs twice.  The result is written only with
 * SCOPA_PARSED.  The seat of a move is not changed.
 */
enum scopa_parse scopa_set_parse(
    const char *bytes, size_t length, scopa_set *set);
enum scopa_parse scopa_move_parse(
    const char *bytes, size_t length, struct scopa_move *move);

/*
 * Appends the `state` line of a view, from the word `state`, without a line
 * end.  The keys have this order; seats are numbered from 1, teams from A.
 *
 *   rules   preset and overrides, `scopa,priority=fewest`
 *   seats, teams, target
 *           `seats=2 teams=AB target=11`
 *   you     the seat of the view
 *   hand    the cards of this seat; `-` means none, here and below
 *   deal    number of the deal, from 1
 *   dealer  seat
 *   turn    seat to move; `-` when the deal is over
 *   table   cards
 *   hands   number of cards of each seat, `1:3,2:3`
 *   deck    number of cards not yet dealt
 *   pile    cards that each team has captured, `A:6C6D,B:-`
 *   scopas  sweeps of each team in this deal, `A:1,B:0`
 *   scores  points of each team before this deal, `A:7,B:5`
 *   last    seat that captured last, `-` for none
 *   shown   remaining cards of declared hands, `1:AC2D,3:5B`, or `-`
 *   plays   plays and declarations of the deal, `1:6Cx6D/2:2C`, or `-`
 *
 * These keys follow only if the rules use them:
 *
 *   declared  points of each team for declarations (declare other than off)
 *   matta     present value of a wild 7 of cups, `A`, or `-` (the same)
 *   opening   sweeps of the dealer for the opening table, 0 to 2, which are
 *             included in `scopas` (opening other than off)
 *
 * The other fields of a view follow from the line: no card of a hand is played
 * when its seat has as many cards as it was dealt.
 */
void scopa_state_format(const struct scopa_rules *rules,
    const struct scopa_preset *preset, const struct scopa_view *view,
    struct scopa_text *text);

/*
 * Parses a `state` line, with its rules.  Unknown keys and comments are
 * skipped.  `target` may be missing; then the preset's is used.  `deal`,
 * `scopas`, `scores`, `last`, `shown`, `plays` and the extra keys may be
 * missing when they are 1, 0 or `-`.  A line that cannot result from a deal is
 * refused; the check compares the numbers of cards, their places and the turn.
 * On failure the function returns false with a sentence in `why` and writes
 * nothing else.
 */
bool scopa_state_parse(const char *line, struct scopa_rules *rules,
    struct scopa_view *view, struct scopa_text *why);

#endif
