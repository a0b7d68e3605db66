/*
 * Implements tournament.h: one schedule and one set of standings, and the rule
 * by which bots are suspended.
 */
#include "tournament.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "estimate.h"

int
shard_of(int64_t index, int count)
{
	uint64_t row = (uint64_t)(index / count);
	int turn = (int)(splitmix64(&row) % (uint64_t)count);

	return (int)(index % count + turn) % count;
}

int
tournament_open(
    struct tournament *tournament, const struct tournament_config *config)
{
	const struct schedule_config *plan = &config->schedule;
	const struct sprt *sprt = config->sprt;
	struct tournament made = { .config = *config };
	int error;

	assert(!schedule_flaw(plan));
	error = standings_open(&made.standings, &plan->rules, plan->bot_count);
	if (error)
		return error;
	made.schedule = malloc(schedule_size(plan));
	if (!made.schedule) {
		standings_close(&made.standings);
		return -ENOMEM;
	}
	schedule_init(made.schedule, plan);
	made.standings.suite = config->suite;
	if (sprt != NULL && sprt->model == SPRT_BETTING)
		standings_bet(&made.standings, 0, 1, sprt->low, sprt->high);
	*tournament = made;
	return 0;
}

void
tournament_close(struct tournament *tournament)
{
	standings_close(&tournament->standings);
	free(tournament->schedule);
	tournament->schedule = NULL;
}

enum schedule_answer
tournament_next(struct tournament *tournament, struct block_plan *plan)
{
	enum schedule_answer answer = schedule_next(tournament->schedule, plan);

	if (answer == SCHEDULE_BLOCK) {
		assert(plan->index == tournament->planned);
		tournament->planned++;
	}
	return answer;
}

bool
tournament_skips(
    const struct tournament *tournament, const struct block_plan *plan)
{
	const struct shard *shard = &tournament->config.shard;

	if (shard->count > 0 &&
	    shard_of(plan->index, shard->count) != shard->index)
		return true;
	for (int i = 0; i < plan->bot_count; i++)
		if (tournament->suspended[plan->bots[i]])
			return true;
	return false;
}

int
tournament_take(struct tournament *tournament, const struct block_result *block)
{
	int error;

	assert(block->plan.index == tournament->taken);
	assert(tournament->taken < tournament->planned);
	assert(block->skipped == tournament_skips(tournament, &block->plan));
	error = standings_take(&tournament->standings, block);
	if (error)
		return error;
	schedule_take(tournament->schedule, block);
	tournament->taken++;
	for (int i = 0; i < block->plan.bot_count; i++) {
		int bot = block->plan.bots[i];
		const struct standing *standing =
		    &tournament->standings.bots[bot];

		if (tournament->suspended[bot] ||
		    (standing->startup_failures < TOURNAMENT_STARTUPS_MAX &&
			!(tournament->config.disqualify &&
			    standing->forfeits > 0)))
			continue;
		tournament->suspended[bot] = true;
		tournament->suspended_count++;
		schedule_suspend(tournament->schedule, bot);
	}
	return 0;
}

bool
tournament_fits(
    const struct tournament_config *config, const struct store_head *head)
{
	return head->bot_count == config->schedule.bot_count &&
	    head->teams == config->schedule.rules.teams &&
	    head->game_count == schedule_game_count(&config->schedule);
}

bool
tournament_is_deserted(const struct tournament *tournament)
{
	const struct schedule_config *schedule = &tournament->config.schedule;

	return schedule->bot_count - tournament->suspended_count <
	    schedule_bot_count(schedule);
}
