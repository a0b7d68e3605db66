/*
 * Swiss: in each stage equals meet, and nobody meets the same bot twice if it
 * can be avoided.
 *
 * Bots are ordered by points, then margins, then numbers, and paired from the
 * top: the first of a group of equal points with the first of its lower half.
 * No pair is set that leaves bots further down without a new opponent, as long
 * as there is a way to pair all.
 */
#include <assert.h>
#include <limits.h>

#include "matching.h"
#include "schedule_state.h"

enum { POINTS_WIN = 2, POINTS_DRAW = 1 };

_Static_assert((int)SCHEDULE_PAIRINGS_MAX >= (int)TOURNAMENT_BOTS_MAX / 2,
    "all can be paired");
_Static_assert((int)MATCHING_NODES_MAX >= (int)TOURNAMENT_BOTS_MAX,
    "every bot has its node");
_Static_assert((int)SCHEDULE_STAGES_MAX <= UINT16_MAX, "for `met`");

/* Who plays a stage, from the best to the last. */
struct field {
	int count;
	int bots[TOURNAMENT_BOTS_MAX];
};

static int
stage_count(const struct schedule_config *config)
{
	int stages = 0;

	if (config->stages > 0)
		return config->stages;
	while (1 << stages < config->bot_count)
		stages++;
	return stages;
}

static int64_t
swiss_round_count(const struct schedule_config *config)
{
	return (int64_t)stage_count(config) * config->rounds;
}

static const char *
swiss_flaw(const struct schedule_config *config)
{
	if (schedule_bot_count(config) != 2)
		return "a swiss tournament needs games of two bots: two "
		       "parties without mixed partners";
	if (config->stages < 0)
		return "a swiss tournament cannot have less than 0 stages";
	if (config->stages > SCHEDULE_STAGES_MAX)
		return "a swiss tournament has at most 10000 stages";
	if (swiss_round_count(config) > INT_MAX)
		return "there are too many rounds";
	return NULL;
}
_Static_assert(SCHEDULE_STAGES_MAX == 10000, "as the sentence says");

static size_t
swiss_memory_size(const struct schedule_config *config)
{
	size_t cells = (size_t)config->bot_count * (size_t)config->bot_count;

	return cells * (sizeof(uint16_t) + sizeof(bool));
}

static void
swiss_init(struct schedule *schedule)
{
	struct schedule_swiss *swiss = &schedule->swiss;
	size_t bots = (size_t)schedule->config.bot_count;

	swiss->bot_count = (int)bots;
	swiss->met = (void *)schedule->memory;
	swiss->edges = (void *)(swiss->met + bots * bots);
}

/* How often two bots have met. */
static uint16_t *
met_of(const struct schedule_swiss *swiss, int one, int other)
{
	return &swiss->met[one * swiss->bot_count + other];
}

static int64_t
swiss_block_count(const struct schedule_config *config)
{
	return (int64_t)stage_count(config) * (config->bot_count / 2) *
	    config->rounds;
}

/* Above 0 where one bot stands above another by results alone. */
static int
compare(const struct schedule_swiss *swiss, int one, int other)
{
	int ahead = swiss->points[one] - swiss->points[other];

	if (ahead != 0)
		return ahead;
	return schedule_sign(swiss->margins[one] - swiss->margins[other]);
}

/* All that still play, ordered; insertion keeps the numbers of equals. */
static void
field_fill(const struct schedule *schedule, struct field *field)
{
	field->count = 0;
	for (int bot = 0; bot < schedule->config.bot_count; bot++) {
		int place = field->count;

		if (schedule->suspended[bot])
			continue;
		while (place > 0 &&
		    compare(&schedule->swiss, bot, field->bots[place - 1]) >
			0) {
			field->bots[place] = field->bots[place - 1];
			place--;
		}
		field->bots[place] = bot;
		field->count++;
	}
}

static void
field_remove(struct field *field, int place)
{
	field->count--;
	for (int i = place; i < field->count; i++)
		field->bots[i] = field->bots[i + 1];
}

/* Whether all can be paired when nobody meets who met more than `met` times. */
static bool
field_solve(const struct schedule_swiss *swiss, const struct field *field,
    int met, struct matching *matching)
{
	matching_init(matching, field->count, swiss->edges);
	for (int i = 0; i < field->count; i++)
		for (int k = 0; k < i; k++)
			if (*met_of(swiss, field->bots[i], field->bots[k]) <=
			    met)
				matching_join(matching, i, k);
	return matching_solve(matching);
}

/*
 * Finds who sits out where the number is odd, and then how often the bots of a
 * pair may have met before: the last of those with the fewest byes without whom
 * the others can all be paired with the fewest meetings.
 */
static int
field_settle(struct schedule_swiss *swiss, struct field *field,
    struct matching *matching)
{
	int fewest = INT_MAX;

	for (int i = 0; i < field->count; i++)
		if (swiss->byes[field->bots[i]] < fewest)
			fewest = swiss->byes[field->bots[i]];
	for (int met = 0;; met++) {
		assert(met <= swiss->stage);
		if (field->count % 2 == 0) {
			if (field_solve(swiss, field, met, matching))
				return met;
			continue;
		}
		for (int place = field->count - 1; place >= 0; place--) {
			struct field rest = *field;
			int bot = field->bots[place];

			field_remove(&rest, place);
			if (swiss->byes[bot] > fewest ||
			    !field_solve(swiss, &rest, met, matching))
				continue;
			swiss->byes[bot]++;
			swiss->points[bot] += POINTS_WIN;
			*field = rest;
			return met;
		}
	}
}

/*
 * The opponent that the first in the field should have by rank, as the
 * attempt of that number: of its group from the first of the lower half to the
 * end, then from there back to the top, then those below the group.
 */
static int
candidate(
    const struct schedule_swiss *swiss, const struct field *field, int attempt)
{
	int group = 1, half;

	while (group < field->count &&
	    swiss->points[field->bots[group]] == swiss->points[field->bots[0]])
		group++;
	half = group / 2;
	if (group == 1 || attempt >= group - 1)
		return attempt + 1;
	return attempt < group - half ? half + attempt : group - 1 - attempt;
}

static void
pairing_add(struct schedule_swiss *swiss, int first, int second)
{
	assert(swiss->pairing_count < SCHEDULE_PAIRINGS_MAX);
	swiss->pairings[swiss->pairing_count++] = (struct schedule_pairing){
		.first = first,
		.second = second,
		.winner = -1,
	};
	++*met_of(swiss, first, second);
	++*met_of(swiss, second, first);
}

/*
 * Pairs the first in the field; where bots must meet again, with one that it
 * has met less often if possible.  `nodes` are those of the field.
 */
static void
pair_first(struct schedule_swiss *swiss, struct field *field,
    struct field *nodes, struct matching *matching, int met_max)
{
	for (int met = 0;; met++) {
		assert(met <= met_max);
		for (int attempt = 0; attempt < field->count - 1; attempt++) {
			int place = candidate(swiss, field, attempt);
			int first = field->bots[0];
			int second = field->bots[place];

			if (*met_of(swiss, first, second) != met ||
			    !matching_take(
				matching, nodes->bots[0], nodes->bots[place]))
				continue;
			pairing_add(swiss, first, second);
			field_remove(field, place);
			field_remove(field, 0);
			field_remove(nodes, place);
			field_remove(nodes, 0);
			return;
		}
	}
}

static void
stage_draw(struct schedule *schedule)
{
	struct schedule_swiss *swiss = &schedule->swiss;
	struct matching matching;
	struct field field, nodes;
	int met_max;

	field_fill(schedule, &field);
	swiss->pairing_count = 0;
	swiss->stage_start = schedule->planned;
	if (field.count < 2) {
		swiss->over = true;
		return;
	}
	met_max = field_settle(swiss, &field, &matching);
	nodes.count = field.count;
	for (int i = 0; i < field.count; i++)
		nodes.bots[i] = i;
	while (field.count > 0)
		pair_first(swiss, &field, &nodes, &matching, met_max);
}

static enum schedule_answer
swiss_next(struct schedule *schedule, struct block_plan *plan)
{
	struct schedule_swiss *swiss = &schedule->swiss;
	int rounds = schedule->config.rounds;
	int64_t number = schedule->planned - swiss->stage_start;
	const struct schedule_pairing *pairing;

	if (swiss->pairing_count > 0 &&
	    number == (int64_t)swiss->pairing_count * rounds)
		return SCHEDULE_WAIT;
	if (swiss->pairing_count == 0 && !swiss->over) {
		stage_draw(schedule);
		number = 0;
	}
	if (swiss->over)
		return SCHEDULE_END;
	pairing = &swiss->pairings[number % swiss->pairing_count];
	plan->stage = swiss->stage;
	plan->round =
	    swiss->stage * rounds + (int)(number / swiss->pairing_count);
	schedule_pair(schedule, pairing->first, pairing->second, plan);
	return SCHEDULE_BLOCK;
}

/* Points and margins of a pairing whose blocks were all taken. */
static void
pairing_settle(
    struct schedule *schedule, const struct schedule_pairing *pairing)
{
	struct schedule_swiss *swiss = &schedule->swiss;
	int first = pairing->first, second = pairing->second;
	int sign = schedule_sign(pairing->margin);

	if (pairing->skipped > 0 &&
	    (schedule->suspended[first] || schedule->suspended[second]))
		sign = (int)schedule->suspended[second] -
		    (int)schedule->suspended[first];
	swiss->points[first] += POINTS_DRAW + sign;
	swiss->points[second] += POINTS_DRAW - sign;
	swiss->margins[first] += pairing->margin;
	swiss->margins[second] -= pairing->margin;
}

static void
swiss_take(struct schedule *schedule, const struct block_result *result)
{
	struct schedule_swiss *swiss = &schedule->swiss;
	int64_t number = result->plan.index - swiss->stage_start;
	int count = swiss->pairing_count;

	schedule_pairing_take(
	    schedule, &swiss->pairings[number % count], result);
	if (number + 1 < (int64_t)count * schedule->config.rounds)
		return;
	for (int i = 0; i < count; i++)
		pairing_settle(schedule, &swiss->pairings[i]);
	swiss->pairing_count = 0;
	swiss->stage++;
	swiss->over = swiss->stage == stage_count(&schedule->config);
}

static int
swiss_place(const struct schedule *schedule, int bot)
{
	int place = 0;

	if (!schedule->swiss.over)
		return -1;
	for (int other = 0; other < schedule->config.bot_count; other++)
		if (compare(&schedule->swiss, other, bot) > 0)
			place++;
	return place;
}

const struct schedule_kind schedule_swiss = {
	.name = "swiss",
	.flaw = swiss_flaw,
	.block_count = swiss_block_count,
	.round_count = swiss_round_count,
	.memory_size = swiss_memory_size,
	.init = swiss_init,
	.next = swiss_next,
	.take = swiss_take,
	.place = swiss_place,
};
