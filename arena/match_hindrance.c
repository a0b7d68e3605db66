/*
 * How the bots of a match get back the time in which other programs kept them
 * from the processor, or the machine itself was kept from it.
 */
#include "clock.h"
#include "match_state.h"
#include "steal.h"

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
match_mind_steal(struct match *match, struct steal *steal)
{
	match->steal = steal;
}

void
match_begin_hindrance(struct match *match, int seat)
{
	const struct referee_seat *state = &match->referee.seats[seat];
	struct bot *bot = match->players[seat]->bot;

	if (bot == NULL || !minds_hindrance(match) || state->told ||
	    state->session.phase != SESSION_THINK)
		return;
	bot_begin_hindrance(bot);
	if (match->steal)
		steal_mind(match->steal, clock_now_ns());
}

static int64_t
hindered_ns(const struct match *match, int seat, int64_t now_ns)
{
	const struct referee_seat *state = &match->referee.seats[seat];
	int64_t stolen_ns =
	    match->steal ? steal_ns(match->steal, state->asked_ns) : 0;

	return bot_hindrance_ns(match->players[seat]->bot, now_ns, stolen_ns);
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
		    hindered_ns(match, seat, now_ns), now_ns);
	}
	return given;
}
