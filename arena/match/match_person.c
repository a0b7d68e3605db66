/*
 * Implements match_person.h.  A person's session with the referee is the same
 * as that of a bot, but its lines come from the owner of the match and not from
 * a process.
 */
#include "match_person.h"

#include <string.h>

#include "clock.h"

bool
match_is_person(const struct match *match, int seat)
{
	return match->entrants[match->players[seat]->entrant].is_person;
}

void
match_answer(struct match *match, int seat, const char *line)
{
	struct referee_input input =
	    match_input(match, REFEREE_LINE, seat, clock_now_ns());

	input.line = line;
	input.length = strlen(line);
	match_step(match, &input);
}

void
match_greet_person(struct match *match, int seat)
{
	const struct entrant *entrant =
	    &match->entrants[match->players[seat]->entrant];
	struct referee_input input =
	    match_input(match, REFEREE_START, seat, clock_now_ns());

	match->referee.seats[seat].untimed = !entrant->is_timed;
	match_step(match, &input);
	match_answer(match, seat, "id name=person");
	if (entrant->observes)
		match_answer(match, seat, "feature observe=1");
	match_answer(match, seat, "uspok 1");
	match_answer(match, seat, "readyok");
}

bool
match_withholds(struct match *match, int seat)
{
	struct outbox *outbox = &match->outbox;

	if (match->events->on_due == NULL ||
	    !match->events->on_due(match, seat, outbox->seats[seat].bytes))
		return false;
	if (match_is_person(match, seat))
		outbox_clear_seat(outbox, seat);
	else
		outbox_drop_question(outbox, seat);
	referee_sent(&match->referee, seat, clock_now_ns(), 0);
	return true;
}
