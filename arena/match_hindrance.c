/*
 * How the bots of a match get back the time in which other programs kept them
 * from the processor.
 */
#include "clock.h"
#include "match_state.h"

/* Where an answer usually may take longer, nobody looks. */
#define MINDS_HINDRANCE_NS CLOCK_NS_PER_S

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
