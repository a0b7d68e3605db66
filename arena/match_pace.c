/*
 * When bots may run, and when they hear.
 *
 * With no_ponder, who is not to move is frozen; else who has computed when it
 * was not, unless that is allowed (match_watch.c).  With answer_grid_ns, what an
 * answer brings is held back until the end of a step, so that others learn no
 * more of the time that it took than in how many steps.
 */
#include "clock.h"
#include "match_state.h"

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
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct player *player = match->players[seat];

		if (player->bot == NULL || player->frozen ||
		    !(match->rules->no_ponder || player->held) ||
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
	player->held = player->ponders;
	return MATCH_THAW_NS;
}

void
match_set_deadline(struct match *match)
{
	loop_deadline_set(match->loop, &match->deadline,
	    match->release_ns != 0 ? match->release_ns
				   : referee_deadline_ns(&match->referee));
}
