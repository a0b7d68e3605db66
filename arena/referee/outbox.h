/*
 * The output of one step of the referee: lines for each seat and for the
 * record.  The referee fills the outbox, and the match empties it.
 */
#ifndef OUTBOX_H
#define OUTBOX_H

#include "event.h"

enum {
	/* The events of a deal, `state`, and the longest `legal` line. */
	OUTBOX_SEAT_SIZE = 128 * 1024,
	/* The events of one step, with the `info` lines of a turn. */
	OUTBOX_RECORD_SIZE = 128 * 1024
};

struct outbox {
	struct scopa_text record;
	struct scopa_text seats[SCOPA_SEATS_MAX];
	bool due[SCOPA_SEATS_MAX];   /* send the lines now; otherwise later */
	bool hears[SCOPA_SEATS_MAX]; /* the seat receives events */
	char record_bytes[OUTBOX_RECORD_SIZE];
	char seat_bytes[SCOPA_SEATS_MAX][OUTBOX_SEAT_SIZE];
};

/* The first seats receive events; 0: there are lines for the record only. */
void outbox_init(struct outbox *outbox, int seat_count);

/*
 * outbox_clear_record removes the lines of the record after they were stored;
 * outbox_clear_seat those of a seat after they were sent.
 */
void outbox_clear_record(struct outbox *outbox);
void outbox_clear_seat(struct outbox *outbox, int seat);

/*
 * Removes the question (`state`, `legal`, `cards`, `go`) from the end of the
 * lines of a seat.  The events before it are not due.
 */
void outbox_drop_question(struct outbox *outbox, int seat);

/*
 * Writes an event to the record and, to each seat, the part that it may
 * receive.
 */
void outbox_put_event(struct outbox *outbox, const struct scopa_rules *rules,
    const struct event *event);

#endif
