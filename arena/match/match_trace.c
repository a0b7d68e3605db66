/*
 * Implements match_trace.h. A bot has one name in the trace from its first line
 * on: the one that the user gave, or else its command.
 */
#include "match_trace.h"

#include "clock.h"
#include "match_head.h"

/* Where the bot of the player sits now. */
static struct trace_place
place_of(const struct player *player)
{
	return (struct trace_place){ player->match->game.index, player->seat };
}

void
match_trace_begin(struct player *player)
{
	const struct match *match = player->match;
	const struct entrant *entrant = &match->entrants[player->entrant];
	const struct trace_place place = place_of(player);
	char name[EVENT_NAME_SIZE];

	if (match->rules->trace == NULL)
		return;
	match_head_plain(entrant->name[0] ? entrant->name : entrant->command,
	    name, sizeof(name));
	trace_begin(
	    match->rules->trace, &player->trace, &place, name, clock_now_ns());
}

void
match_trace_traffic(struct bot *bot, const struct bot_traffic *traffic)
{
	struct player *player = bot->context;
	const struct trace_place place = place_of(player);

	trace_traffic(
	    player->match->rules->trace, &player->trace, &place, traffic);
}

void
match_trace_end(struct player *player, const struct bot_exit *exit)
{
	const struct trace_place place = place_of(player);

	if (player->match->rules->trace != NULL)
		trace_end(player->match->rules->trace, &player->trace, &place,
		    exit->sentence, clock_now_ns());
}
