/*
 * A game of persons that was stopped, read from its record so that it can go
 * on.
 */
#ifndef PLAY_RESUME_H
#define PLAY_RESUME_H

#include "record_read.h"
#include "report.h"
#include "shuffle.h"

struct play_resume {
	struct record_head head;
	struct shuffle_key secret; /* which the packs come from */
	unsigned persons;          /* bit for each seat: a person sits there */
	struct scopa_move *moves;  /* of all seats and deals, in order; owned */
	int move_count;
};

/*
 * Reads the last game of a record file.  Returns STATUS_DONE, or prints an error
 * if it was not stopped or was not played by persons.  The caller releases it in
 * any case.
 */
enum status play_resume_read(struct play_resume *resume, const char *path);
void play_resume_release(struct play_resume *resume);

/*
 * Reads seats of persons, `1` or `1,3`, into one bit for each seat.  Returns
 * false for any other text.
 */
bool play_seats_parse(const char *text, unsigned *seats);

#endif
