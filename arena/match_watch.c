/*
 * What bots do while they are not to move.
 *
 * Looking costs some ten microseconds a process, as much as a whole move of an
 * instant bot: so only those turns are watched that a beat of the loop finds
 * open, from then on.  Of many short turns it is as many as chance will have.
 */
#include <string.h>

#include "clock.h"
#include "match_state.h"

/* A turn must have been open for so long: whoever has just moved tidies up. */
#define WATCH_AFTER_NS INT64_C(5000000)

static void
begin_watch(struct match *match, struct player *player)
{
	if (bot_effort(player->bot, &player->effort_ns) < 0)
		return;
	player->watched_ns = clock_now_ns();
	match->watched_count++;
}

/* When the seat that is to move was asked; INT64_MAX: nobody is. */
static int64_t
open_since_ns(const struct match *match)
{
	for (int seat = 0; seat < match_seat_count(match); seat++)
		if (match->referee.seats[seat].session.phase == SESSION_THINK)
			return match->referee.seats[seat].asked_ns;
	return INT64_MAX;
}

void
match_on_beat(struct pulse *pulse, int64_t now_ns)
{
	struct match *match = pulse->context;

	if (!match->playing || !match->referee.opened ||
	    open_since_ns(match) > now_ns - WATCH_AFTER_NS)
		return;
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct player *player = match->players[seat];

		if (player->bot && player->watched_ns == 0 &&
		    match->referee.seats[seat].session.phase == SESSION_IDLE)
			begin_watch(match, player);
	}
}

/* Whether this may be the end of a turn, or of a game. */
static bool
ends_turn(const struct match *match, const struct referee_event *event)
{
	const struct session *session =
	    &match->referee.seats[event->seat].session;
	const char *line = event->line;

	if (event->kind == REFEREE_LAG)
		return false;
	if (event->kind != REFEREE_LINE)
		return true;
	return session->phase == SESSION_THINK &&
	    line[strspn(line, " \t")] != 'i';
}

void
match_end_watch(struct match *match, const struct referee_event *event)
{
	if (match->watched_count == 0 || !ends_turn(match, event))
		return;
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct player *player = match->players[seat];
		int64_t effort_ns;

		if (player->watched_ns == 0)
			continue;
		if (player->bot && bot_effort(player->bot, &effort_ns) == 0)
			referee_watched(&match->referee, seat,
			    effort_ns - player->effort_ns,
			    clock_now_ns() - player->watched_ns);
		player->watched_ns = 0;
	}
	match->watched_count = 0;
}
