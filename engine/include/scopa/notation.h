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

/* The `state` line of a view, from `state` on, without a line end. */
void scopa_state_format(const struct scopa_rules *rules,
    const struct scopa_preset *preset, const struct scopa_view *view,
    struct scopa_text *text);

/*
 * Reads a `state` line back, rules included.  Unknown keys are skipped.  On
 * failure returns false with a sentence in `why`.
 */
bool scopa_state_parse(const char *line, struct scopa_rules *rules,
    struct scopa_view *view, struct scopa_text *why);

#endif
