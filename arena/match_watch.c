/*
 * What bots do while they are not to move, and what follows.
 *
 * A bot that computes then takes the processor from who is to move: it is
 * frozen whenever it is not to move, from then on in that game.  Where
 * pondering is allowed it is frozen only when a turn of another was lost by
 * it.  That turn is void; where pondering is not allowed, a bot by which
 * VOIDS_MAX turns of a game were void loses.
 *
 * A lower priority would not do: among sessions the kernel knows none, and who
 * has no privilege cannot take it back for the next move.
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

enum { VOIDS_MAX = 3 };

static void
begin_watch(struct match *match, struct player *player)
{
	if (bot_effort(player->bot, &player->effort_ns) < 0)
		return;
	player->watched_ns = clock_now_ns();
	player->look_ns = 0;
	match->watched_count++;
}

/* What a bot has done since it is watched. */
struct seen {
	int64_t cpu_ns, wall_ns;
	bool computes; /* and that was no tidying up */
};

static struct seen
see(const struct match *match, const struct player *player)
{
	const struct referee_seat *state = &match->referee.seats[player->seat];
	struct seen seen = { .computes = false };

	if (bot_effort(player->bot, &seen.cpu_ns) < 0)
		return seen;
	seen.cpu_ns -= player->effort_ns;
	seen.wall_ns = clock_now_ns() - player->watched_ns;
	seen.computes = verdict_computes(seen.cpu_ns, seen.wall_ns) ||
	    verdict_computes(seen.cpu_ns + state->off_cpu_ns,
		seen.wall_ns + state->off_wall_ns);
	return seen;
}

static void
note_ponder(struct match *match, struct player *player)
{
	player->ponders = player->held = true;
	referee_note_ponder(&match->referee, player->seat);
}

/* Each look is as far from the next as from the beginning: they cost time. */
static void
look(struct match *match, struct player *player, int64_t now_ns)
{
	if (match->rules->ponder || player->frozen || now_ns < player->look_ns)
		return;
	player->look_ns = 2 * now_ns - player->watched_ns;
	if (!see(match, player).computes)
		return;
	note_ponder(match, player);
	match_freeze(match);
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

		if (player->bot == NULL ||
		    match->referee.seats[seat].session.phase != SESSION_IDLE)
			continue;
		if (player->watched_ns == 0)
			begin_watch(match, player);
		else
			look(match, player, now_ns);
	}
}

/* Whether this may be the end of a turn, or of a game. */
static bool
ends_turn(const struct match *match, const struct referee_event *event)
{
	const struct session *session =
	    &match->referee.seats[event->seat].session;
	const char *line = event->line;

	if (event->kind == REFEREE_LAG || event->kind == REFEREE_VOID ||
	    event->kind == REFEREE_PONDER)
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
		struct seen seen;

		if (player->watched_ns == 0)
			continue;
		if (player->bot != NULL) {
			seen = see(match, player);
			if (seen.computes && !match->rules->ponder)
				note_ponder(match, player);
			referee_watched(
			    &match->referee, seat, seen.cpu_ns, seen.wall_ns);
		}
		player->watched_ns = 0;
	}
	match->watched_count = 0;
}

/* A seat whose bot has computed in the turn of another, and may still; or -1. */
static int
find_spoiler(struct match *match, int late)
{
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		const struct player *player = match->players[seat];

		if (seat != late && player->bot && player->watched_ns != 0 &&
		    player->void_count < VOIDS_MAX &&
		    see(match, player).computes)
			return seat;
	}
	return -1;
}

bool
match_void_turns(struct match *match, int64_t now_ns)
{
	bool voided = false;

	for (int seat = 0; seat < match_seat_count(match); seat++) {
		const struct referee_seat *state = &match->referee.seats[seat];
		struct referee_event event = { .now_ns = now_ns, .seat = seat };
		struct player *spoiler;

		if (state->session.phase != SESSION_THINK || !state->told ||
		    state->deadline_ns > now_ns)
			continue;
		event.by = find_spoiler(match, seat);
		if (event.by < 0)
			continue;
		spoiler = match->players[event.by];
		spoiler->held = true;
		if (!match->rules->ponder)
			note_ponder(match, spoiler);
		voided = true;
		event.kind = REFEREE_VOID;
		match_take(match, &event);
		if (++spoiler->void_count < VOIDS_MAX || match->rules->ponder)
			continue;
		event.kind = REFEREE_PONDER;
		event.seat = event.by;
		match_take(match, &event);
		/* The game may be over, and the next one on. */
		break;
	}
	return voided;
}
