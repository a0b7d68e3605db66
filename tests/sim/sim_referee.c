/*
 * Checks after every step of a referee: no card is lost or doubled, no bot is
 * blamed for what it did not do, each bot has its full time, and a game that
 * has ended does not change its end.
 */
#include <stddef.h>

#include "match.h"
#include "sim.h"
#include "sim_real.h"
#include "support.h"

static struct match *
match_of(struct referee *referee)
{
	return (
	    struct match *)((char *)referee - offsetof(struct match, referee));
}

/* Whether the bot in a seat has done what the referee blames it for. */
static bool
has_committed(struct match *match, int seat, enum offence_kind kind)
{
	const struct bot *bot = match->players[seat]->bot;
	const struct sim_process *process;

	if (bot == NULL)
		return sim_misbehaviour_explains(
		    sim_machine.plan->misbehaviours[match->game.entrant[seat]],
		    (int)kind);
	process = sim_process_find(bot->process.pid);
	return sim_bot_has_committed(process->bot, (int)kind);
}

static void
check_blame(struct match *match, const struct referee *before)
{
	const struct referee *after = &match->referee;

	for (int seat = 0; seat < after->seat_count; seat++) {
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++) {
			int more = after->seats[seat].offences[kind] -
			    before->seats[seat].offences[kind];

			if (more <= 0)
				continue;
			sim_machine.counts->offences++;
			if (!has_committed(
				match, seat, (enum offence_kind)kind))
				sim_bad("m%d: bot %d is blamed for %s",
				    match->game.index + 1,
				    match->game.entrant[seat] + 1,
				    offence_name((enum offence_kind)kind));
		}
	}
	if (after->offender != REFEREE_SEAT_NONE &&
	    before->offender == REFEREE_SEAT_NONE)
		SIM_MUST(has_committed(match, after->offender, after->offence));
}

static void
check_deadlines(const struct referee *referee)
{
	for (int i = 0; i < referee->seat_count; i++) {
		const struct referee_seat *seat = &referee->seats[i];

		if (seat->session.phase != SESSION_THINK ||
		    seat->deadline_ns == BUDGET_NEVER)
			continue;
		SIM_MUST(
		    seat->deadline_ns - seat->begin_ns >= SIM_MOVE_MS * SIM_MS);
	}
}

void
__wrap_referee_step(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	static struct referee before;

	before = *referee;
	sim_trace("m%d: input %d of seat %d at %lld us",
	    match_of(referee)->game.index + 1, (int)input->kind,
	    input->seat + 1, (long long)(input->now_ns / 1000));
	__real_referee_step(referee, input, outbox);
	if (referee->opened && referee->game.phase == GAME_MOVE)
		SIM_MUST(support_deal_is_whole(&referee->game.deal));
	check_blame(match_of(referee), &before);
	check_deadlines(referee);
	/* The end of a game must not change. */
	if (before.ended && input->kind != REFEREE_OPEN && referee->opened) {
		SIM_MUST(referee->offender == before.offender);
		SIM_MUST(
		    referee->game.tally.winner == before.game.tally.winner);
	}
	sim_machine.counts->games += referee->ended && !before.ended;
}
