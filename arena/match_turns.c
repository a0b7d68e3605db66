/*
 * How the bots of a match think by turns with those of other tables: who is to
 * move is asked when there is a place to think at.
 */
#include "match_state.h"

/* Of match->decision: what there was to note of it is noted. */
enum { NO_DECISION = -1 };

bool
match_must_wait(struct match *match, int seat)
{
	const struct referee_seat *state = &match->referee.seats[seat];

	if (match->thinkers == NULL || state->session.phase != SESSION_THINK ||
	    state->told)
		return false;
	match->think_seat = seat;
	match->think_ns = state->think_ns;
	match->decision = state->decision_count;
	if (thinkers_enter(match->thinkers, &match->thinker,
		match->players[seat]->work_ns))
		return false;
	referee_put_off(&match->referee, seat);
	return true;
}

/* Keeps, once, how long the seat has taken that was asked. */
static void
note_work(struct match *match)
{
	const struct referee_seat *state =
	    &match->referee.seats[match->think_seat];
	struct player *player = match->players[match->think_seat];

	if (match->decision == NO_DECISION ||
	    match->decision == state->decision_count)
		return;
	match->decision = NO_DECISION;
	player->work_ns = thinker_work_ns(&match->thinker, player->work_ns,
	    state->think_ns - match->think_ns);
}

/*
 * Who was late has the place until it is heard of again: it may go on to
 * compute, and others are not to pay for that.
 */
static bool
needs_place(const struct match *match)
{
	bool waits = match->thinker.state == THINKER_WAITING;

	for (int seat = 0; seat < match_seat_count(match); seat++) {
		const struct referee_seat *state = &match->referee.seats[seat];

		if (state->session.phase == SESSION_STALE && !waits)
			return true;
		if (state->session.phase == SESSION_THINK &&
		    state->decision_count == match->decision)
			return true;
	}
	return false;
}

void
match_end_thought(struct match *match)
{
	if (match->thinker.state == THINKER_AWAY)
		return;
	note_work(match);
	if (!needs_place(match))
		thinkers_leave(match->thinkers, &match->thinker);
}

void
match_leave_line(struct match *match)
{
	if (match->thinkers != NULL)
		thinkers_quit(match->thinkers, &match->thinker);
}

void
match_on_place(struct thinker *thinker)
{
	struct match *match = thinker->context;

	/* What is held back until the end of a step goes out with it. */
	if (match->release_ns == 0)
		match_tell_bots(match);
}
