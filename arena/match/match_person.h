/*
 * Seats whose questions the owner of a match answers: those of persons, those
 * of bots while a game that was interrupted is played again, and those of the
 * seats beside the bot of a practice game.
 *
 * The referee judges such an answer like any other line of a seat.
 */
#ifndef MATCH_PERSON_H
#define MATCH_PERSON_H

#include "match.h"

bool match_is_person(const struct match *match, int seat);

/* Seats a person, who has no program: answers the greeting of the referee. */
void match_greet_person(struct match *match, int seat);

/*
 * Offers the lines that are due for a seat to the owner of the match, by on_due
 * of struct match_events.  Returns true if they are not to be sent now.
 */
bool match_withholds(struct match *match, int seat);

/*
 * Gives the referee a line of a seat as if its bot had written it: the answer
 * to a question that on_due has withheld.
 */
void match_answer(struct match *match, int seat, const char *line);

#endif
