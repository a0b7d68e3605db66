/*
 * What one step of the referee has to say: lines for each seat and for the
 * record.  The referee fills it, the match empties it.
 */
#ifndef OUTBOX_H
#define OUTBOX_H

#include "event.h"

enum {
	/* A deal's events, `state`, and the longest `legal` line. */
	OUTBOX_SEAT_SIZE = 128 * 1024,
	/* The events of one step, with the `info` lines of a turn. */
	OUTBOX_RECORD_SIZE = 128 * 1024
};

struct outbox {
	struct scopa_text record;
	struct scopa_text seats[SCOPA_SEATS_MAX];
	bool due[SCOPA_SEATS_MAX];   /* send now; otherwise hold it back */
	bool hears[SCOPA_SEATS_MAX]; /* events are written for this seat */
	int seat_count;              /* 0: for the record alone */
	char record_bytes[OUTBOX_RECORD_SIZE];
	char seat_bytes[SCOPA_SEATS_MAX][OUTBOX_SEAT_SIZE];
};

void outbox_init(struct outbox *outbox, int seat_count);

/* Forgets what the record has taken, or what a seat was sent. */
void outbox_clear_record(struct outbox *outbox);
void outbox_clear_seat(struct outbox *outbox, int seat);

/* Writes an event to the record, and to every seat what it may receive. */
void outbox_put_event(struct outbox *outbox, const struct scopa_rules *rules,
    const struct event *event);

#endif
