/*
 * A game as people read it, line by line of its record.
 */
#ifndef RECORD_PRINT_H
#define RECORD_PRINT_H

#include "event.h"

enum { RECORD_PRINT_NAME_SIZE = 4 * EVENT_NAME_SIZE };

/* What is known of the game at the line in hand. */
struct record_print {
	int64_t deal_wanted; /* that alone, or 0: all */
	bool colours;
	int64_t match_count; /* printed so far */
	struct event event;  /* the line in hand */
	struct scopa_rules rules;
	char names[SCOPA_SEATS_MAX][RECORD_PRINT_NAME_SIZE];
	int name_width;
	int deal_number;
	int play_number;
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer;
	struct scopa_deal deal;
	scopa_set table; /* after the move in hand */
	scopa_set hand;  /* of who made it */
	struct event_score scores[SCOPA_PARTIES_MAX];
};

/* Prints what the line in hand has to say; *print follows the game. */
void record_print_event(struct record_print *print);

#endif
