/*
 * Whose turn it is: asking, taking an answer, and judging an offence.
 */
#ifndef TURN_H
#define TURN_H

#include "referee.h"

/*
 * Goes on until a bot must answer, a pack is needed or the game is over: asks
 * the seat to move, moves for a seat that is gone, ends a decided game.
 */
void turn_advance(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox);

/* The seat answers the open decision with this word (bytes NULL: none). */
void turn_answer(struct referee *referee, struct word word,
    const struct referee_event *event, struct outbox *outbox);

/* The seat that is to answer has done so, well or badly: its time in ns. */
int64_t turn_stop_clock(
    struct referee *referee, const struct referee_event *event);

/*
 * Asks a seat that had a decision open whether it is ready: whatever it says
 * before belongs to that decision and is dropped.
 */
void turn_raise_barrier(struct referee *referee,
    const struct referee_event *event, struct outbox *outbox);

/* The seat that is to answer has not, in time. */
void turn_miss(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox);

/* Before the end of a game: records who has pondered in it. */
void turn_tell_ponderers(const struct referee *referee, struct outbox *outbox);

/* What a seat has done. */
struct offence {
	enum offence_kind kind;
	const char *reason; /* one word, as in the record */
	const char *said;   /* the line at fault, of said_length bytes */
	size_t said_length;
};

/*
 * The one place where an offence is counted, recorded and judged: the arena
 * moves for the seat, or the seat's party forfeits the game.
 */
void turn_offend(struct referee *referee, int seat,
    const struct offence *offence, struct outbox *outbox);

#endif
