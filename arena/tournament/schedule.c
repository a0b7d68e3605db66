#include "schedule.h"

#include <assert.h>
#include <string.h>

#include "countof.h"
#include "schedule_state.h"

/* Margins are sums of fractions: less than this comes from rounding. */
#define TIE_MAX 1e-9

static const struct schedule_kind *const kinds[] = {
	[SCHEDULE_ROUND_ROBIN] = &schedule_round_robin,
	[SCHEDULE_GAUNTLET] = &schedule_gauntlet,
	[SCHEDULE_SWISS] = &schedule_swiss,
	[SCHEDULE_KNOCKOUT] = &schedule_knockout,
	[SCHEDULE_LADDER] = &schedule_ladder,
};
_Static_assert(COUNTOF(kinds) == SCHEDULE_FORMAT_COUNT, "a row a format");

static const struct schedule_kind *
kind_of(const struct schedule_config *config)
{
	assert((int)config->format < SCHEDULE_FORMAT_COUNT);
	return kinds[config->format];
}

const char *
schedule_format_name(enum schedule_format format)
{
	assert((int)format < SCHEDULE_FORMAT_COUNT);
	return kinds[format]->name;
}

int
schedule_bot_count(const struct schedule_config *config)
{
	return config->mixed ? config->rules.players
			     : scopa_team_count(&config->rules);
}

/* Three can sit in six orders; more only move round. */
int
schedule_game_count(const struct schedule_config *config)
{
	int bots = schedule_bot_count(config);

	if (!config->duplicate)
		return 1;
	return bots == 3 ? 6 : bots;
}

/* Why this is no table for so many bots, or NULL. */
static const char *
table_flaw(const struct schedule_config *config)
{
	static const char *const too_few[SCOPA_SEATS_MAX + 1] = {
		[2] = "a tournament needs at least 2 bots",
		[3] = "this game needs at least 3 bots, one a party",
		[4] = "this game needs at least 4 bots, one a seat",
		[6] = "this game needs at least 6 bots, one a seat",
	};
	int needed = schedule_bot_count(config);

	if (config->bot_count > TOURNAMENT_BOTS_MAX)
		return "a tournament has at most 2000 bots";
	if (config->mixed &&
	    config->rules.players == scopa_team_count(&config->rules))
		return "mixed partners need parties of more than one seat";
	assert(too_few[needed] != NULL);
	return config->bot_count < needed ? too_few[needed] : NULL;
}
_Static_assert(TOURNAMENT_BOTS_MAX == 2000, "as the sentence says");

const char *
schedule_flaw(const struct schedule_config *config)
{
	const char *flaw = table_flaw(config);

	if (flaw != NULL)
		return flaw;
	if (config->rounds < 1 && config->format != SCHEDULE_LADDER)
		return "an encounter has at least 1 round";
	flaw = kind_of(config)->flaw(config);
	if (flaw != NULL)
		return flaw;
	if (schedule_block_count(config) > SCHEDULE_BLOCKS_MAX)
		return "there are too many blocks: make it fewer rounds";
	return NULL;
}

int64_t
schedule_block_count(const struct schedule_config *config)
{
	return kind_of(config)->block_count(config);
}

int64_t
schedule_round_count(const struct schedule_config *config)
{
	return kind_of(config)->round_count(config);
}

size_t
schedule_size(const struct schedule_config *config)
{
	const struct schedule_kind *kind = kind_of(config);

	return sizeof(struct schedule) +
	    (kind->memory_size != NULL ? kind->memory_size(config) : 0);
}

void
schedule_init(struct schedule *schedule, const struct schedule_config *config)
{
	const struct schedule_kind *kind = kind_of(config);

	assert(schedule_flaw(config) == NULL);
	memset(schedule, 0, schedule_size(config));
	schedule->config = *config;
	if (kind->init != NULL)
		kind->init(schedule);
}

enum schedule_answer
schedule_next(struct schedule *schedule, struct block_plan *plan)
{
	const struct schedule_config *config = &schedule->config;
	int seats = config->rules.players;
	enum schedule_answer answer;
	struct block_plan next;

	memset(&next, 0, sizeof(next));
	next.index = schedule->planned;
	answer = kind_of(config)->next(schedule, &next);
	/* Somebody must be able to give what is waited for. */
	assert(answer != SCHEDULE_WAIT || schedule->taken < schedule->planned);
	if (answer != SCHEDULE_BLOCK)
		return answer;
	assert(next.bot_count == schedule_bot_count(config));
	next.dealer = (int)(((int64_t)seats - 1 + next.round) % seats);
	schedule_seat(config, &next);
	schedule->planned++;
	*plan = next;
	return SCHEDULE_BLOCK;
}

void
schedule_take(struct schedule *schedule, const struct block_result *result)
{
	const struct schedule_kind *kind = kind_of(&schedule->config);

	assert(result->plan.index == schedule->taken);
	assert(schedule->taken < schedule->planned);
	schedule->taken++;
	if (kind->take != NULL)
		kind->take(schedule, result);
}

void
schedule_suspend(struct schedule *schedule, int bot)
{
	assert(bot >= 0 && bot < schedule->config.bot_count);
	schedule->suspended[bot] = true;
}

int
schedule_place(const struct schedule *schedule, int bot)
{
	const struct schedule_kind *kind = kind_of(&schedule->config);

	assert(bot >= 0 && bot < schedule->config.bot_count);
	return kind->place != NULL ? kind->place(schedule, bot) : -1;
}

void
schedule_pair(const struct schedule *schedule, int one, int other,
    struct block_plan *plan)
{
	int low = one < other ? one : other;
	int high = one < other ? other : one;

	/* Where seats are not changed, everybody comes first against half. */
	bool turned = !schedule->config.duplicate && (low + high) % 2 == 0;

	plan->bot_count = 2;
	plan->bots[0] = turned ? high : low;
	plan->bots[1] = turned ? low : high;
}

int
schedule_sign(double margin)
{
	return (margin > TIE_MAX) - (margin < -TIE_MAX);
}

/* Who is not suspended wins a block that is skipped. */
static int
skipped_sign(const struct schedule *schedule, int first, int second)
{
	return (int)schedule->suspended[second] -
	    (int)schedule->suspended[first];
}

void
schedule_pairing_take(const struct schedule *schedule,
    struct schedule_pairing *pairing, const struct block_result *result)
{
	int first = pairing->first, second = pairing->second;
	bool turned = result->plan.bots[0] == second;
	double margin;

	assert(result->plan.bots[turned] == first);
	assert(result->plan.bots[!turned] == second);
	pairing->taken++;
	pairing->last = skipped_sign(schedule, first, second);
	if (result->skipped) {
		pairing->skipped++;
	} else {
		margin =
		    block_mean(&schedule->config.rules, result, turned).margin;
		pairing->margin += margin;
		pairing->last = schedule_sign(margin);
	}
	pairing->lead += pairing->last;
}
