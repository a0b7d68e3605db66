/*
 * When bots may run, and when they hear.
 *
 * With no_ponder, who is not to move is frozen.  With answer_grid_ns, what an
 * answer brings is held back until the end of a step, so that others learn no
 * more of the time that it took than in how many steps.
 *
 * With thinkers, who is to move is asked when there is a place to think at.
 */
#include "clock.h"
#include "match_state.h"

/* Of match->decision: what there was to note of it is noted. */
enum { NO_DECISION = -1 };

/* Where an answer usually may take longer, nobody looks. */
#define MINDS_HINDRANCE_NS CLOCK_NS_PER_S

static bool
is_on(const struct match *match)
{
	return match->playing && match->referee.opened && !match->referee.ended;
}

/* Everything in a game is held but its beginning, and its end by the user. */
bool
match_must_hold(struct match *match, const struct referee_event *event)
{
	int64_t step_ns = match->rules->answer_grid_ns;

	if (match->release_ns != 0 && event->kind != REFEREE_ABORT)
		return true;
	match->release_ns = 0;
	if (step_ns == 0 || !match->playing || !match->referee.opened ||
	    event->kind == REFEREE_ABORT)
		return false;
	if (match->grid_origin_ns == 0) {
		match->grid_origin_ns = clock_now_ns();
		return false;
	}
	match->release_ns =
	    budget_release_ns(match->grid_origin_ns, step_ns, event->now_ns);
	return true;
}

bool
match_is_early(const struct match *match, int seat)
{
	return (match->release_ns != 0 ||
		   match->thinker.state == THINKER_WAITING) &&
	    match->referee.seats[seat].session.phase == SESSION_THINK &&
	    match->outbox.due[seat];
}

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
		match_leave_line(match);
}

/* A look at every question is worth its cost where little time is given. */
static bool
minds_hindrance(const struct match *match)
{
	return budget_usual_ns(&match->rules->settings.control) <=
	    MINDS_HINDRANCE_NS;
}

void
match_begin_hindrance(struct match *match, int seat)
{
	const struct referee_seat *state = &match->referee.seats[seat];
	struct bot *bot = match->players[seat]->bot;

	if (bot && minds_hindrance(match) && !state->told &&
	    state->session.phase == SESSION_THINK)
		bot_begin_hindrance(bot);
}

bool
match_give_rest(struct match *match, int64_t now_ns)
{
	bool given = false;

	if (!minds_hindrance(match))
		return false;
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		const struct referee_seat *state = &match->referee.seats[seat];
		struct bot *bot = match->players[seat]->bot;

		if (bot == NULL || state->session.phase != SESSION_THINK ||
		    !state->told || state->deadline_ns > now_ns)
			continue;
		given |= referee_give_rest(&match->referee, seat,
		    bot_hindrance_ns(bot, now_ns), now_ns);
	}
	return given;
}

void
match_leave_line(struct match *match)
{
	if (match->thinker.state != THINKER_AWAY)
		thinkers_leave(match->thinkers, &match->thinker);
}

void
match_on_place(struct thinker *thinker)
{
	struct match *match = thinker->context;

	/* What is held back until the end of a step goes out with it. */
	if (match->release_ns == 0)
		match_tell_bots(match);
}

/* Who is asked something, or not in a game, may run. */
static bool
may_run(const struct match *match, int seat)
{
	return !is_on(match) ||
	    match->referee.seats[seat].session.phase != SESSION_IDLE;
}

void
match_freeze(struct match *match)
{
	if (!match->rules->no_ponder)
		return;
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct player *player = match->players[seat];

		if (player->bot == NULL || player->frozen ||
		    may_run(match, seat))
			continue;
		bot_freeze(player->bot);
		player->frozen = true;
	}
}

int64_t
match_thaw(struct match *match, int seat)
{
	struct player *player = match->players[seat];

	if (player->bot == NULL || !player->frozen || !may_run(match, seat))
		return 0;
	bot_thaw(player->bot);
	player->frozen = false;
	return MATCH_THAW_NS;
}

void
match_set_deadline(struct match *match)
{
	loop_deadline_set(match->loop, &match->deadline,
	    match->release_ns != 0 ? match->release_ns
				   : referee_deadline_ns(&match->referee));
}
