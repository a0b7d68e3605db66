/*
 * Knockout: who loses a match leaves; the last one left is the winner.
 *
 * Bots are seeded by their numbers, so that the first two can meet in the last
 * match only, and byes go to the first.  A match is the best of so many blocks.
 * It is planned block by block, but ahead of its results as far as no result
 * can make a block idle.
 */
#include <assert.h>
#include <limits.h>

#include "schedule_state.h"

/* What is known of a block of a pairing. */
enum need { NEED_SURE, NEED_NONE, NEED_UNKNOWN };

static int
bracket_size(int bot_count)
{
	int size = 2;

	while (size < bot_count)
		size *= 2;
	return size;
}

static int
stage_count(const struct schedule_config *config)
{
	int stages = 0;

	while (1 << stages < config->bot_count)
		stages++;
	return stages;
}

static const char *
knockout_flaw(const struct schedule_config *config)
{
	if (schedule_bot_count(config) != 2)
		return "a knockout needs games of two bots: two parties "
		       "without mixed partners";
	if (config->rounds >
	    INT_MAX / stage_count(config) - SCHEDULE_TIE_BREAKS_MAX)
		return "there are too many rounds";
	return NULL;
}

static int64_t
knockout_round_count(const struct schedule_config *config)
{
	return (int64_t)stage_count(config) * config->rounds;
}

static int64_t
knockout_block_count(const struct schedule_config *config)
{
	return (int64_t)(config->bot_count - 1) *
	    ((int64_t)config->rounds + SCHEDULE_TIE_BREAKS_MAX);
}

/*
 * Each doubling of the bracket gives every seed the opponent with which it
 * makes up one more than the size: 1-2, 1-4-3-2, 1-8-5-4-3-6-7-2.
 */
static void
knockout_init(struct schedule *schedule)
{
	struct schedule_knockout *knockout = &schedule->knockout;
	int bots = schedule->config.bot_count;
	int *slots = knockout->slots;

	knockout->slot_count = bracket_size(bots);
	slots[0] = 0;
	for (int size = 2; size <= knockout->slot_count; size *= 2) {
		for (int i = size / 2 - 1; i >= 0; i--) {
			int seed = slots[i];

			slots[2 * i] = i % 2 == 0 ? seed : size - 1 - seed;
			slots[2 * i + 1] = i % 2 == 0 ? size - 1 - seed : seed;
		}
	}
	for (int i = 0; i < knockout->slot_count; i++)
		if (slots[i] >= bots)
			slots[i] = -1;
	for (int bot = 0; bot < bots; bot++)
		knockout->places[bot] = -1;
}

/* Who passes without a block: a bye, or an opponent that plays no more. */
static int
walkover(const struct schedule *schedule, int first, int second)
{
	if (second < 0)
		return first;
	if (schedule->suspended[first] != schedule->suspended[second])
		return schedule->suspended[first] ? second : first;
	return schedule->suspended[first] ? first : -1;
}

/* Whether every pairing of the stage has its winner. */
static bool
stage_decided(const struct schedule_knockout *knockout)
{
	for (int i = 0; i < knockout->pairing_count; i++)
		if (knockout->pairings[i].winner < 0)
			return false;
	return true;
}

/* Sends winners on and gives losers their place. */
static void
stage_settle(struct schedule *schedule)
{
	struct schedule_knockout *knockout = &schedule->knockout;
	int left = 0;

	for (int i = 0; i < knockout->slot_count; i++)
		if (knockout->slots[i] >= 0)
			left++;
	for (int i = 0; i < knockout->pairing_count; i++)
		if (knockout->pairings[i].second >= 0)
			left--;
	for (int i = 0; i < knockout->pairing_count; i++) {
		const struct schedule_pairing *pairing = &knockout->pairings[i];
		int loser = pairing->winner == pairing->first ? pairing->second
							      : pairing->first;

		knockout->slots[i] = pairing->winner;
		if (loser >= 0)
			knockout->places[loser] = left;
	}
	knockout->slot_count = knockout->pairing_count;
	knockout->pairing_count = 0;
	knockout->round_start += knockout->round_count;
	knockout->stage++;
	if (knockout->slot_count == 1) {
		knockout->places[knockout->slots[0]] = 0;
		knockout->over = true;
	}
}

/* Pairs neighbours.  Each two have a bot, because byes are fewer than bots. */
static void
stage_draw(struct schedule *schedule)
{
	struct schedule_knockout *knockout = &schedule->knockout;

	knockout->round = knockout->pairing = knockout->round_count = 0;
	knockout->pairing_count = knockout->slot_count / 2;
	for (int i = 0; i < knockout->pairing_count; i++) {
		int one = knockout->slots[2 * i];
		int other = knockout->slots[2 * i + 1];
		bool turned = one < 0 || (other >= 0 && other < one);
		int first = turned ? other : one;
		int second = turned ? one : other;

		knockout->pairings[i] = (struct schedule_pairing){
			.first = first,
			.second = second,
			.winner = walkover(schedule, first, second),
		};
	}
}

/*
 * Whether a pairing needs its block of that round.  Blocks that are not taken
 * yet may all go to the one that leads.
 */
static enum need
need_of(const struct schedule_pairing *pairing, int round, int rounds)
{
	int lead = pairing->lead < 0 ? -pairing->lead : pairing->lead;
	int due = round - pairing->taken;

	if (pairing->winner >= 0)
		return NEED_NONE;
	if (due == 0 || (round < rounds && lead + due <= rounds - round))
		return NEED_SURE;
	return NEED_UNKNOWN;
}

/* What comes next in the stage; pairings take turns. */
static enum schedule_answer
stage_next(struct schedule *schedule, struct block_plan *plan)
{
	struct schedule_knockout *knockout = &schedule->knockout;

	for (;;) {
		const struct schedule_pairing *pairing =
		    &knockout->pairings[knockout->pairing];
		int round = knockout->round;
		enum need need =
		    need_of(pairing, round, schedule->config.rounds);

		if (need == NEED_UNKNOWN)
			return SCHEDULE_WAIT;
		if (++knockout->pairing == knockout->pairing_count) {
			knockout->pairing = 0;
			knockout->round++;
		}
		if (need == NEED_NONE)
			continue;
		knockout->round_count = round + 1;
		plan->stage = knockout->stage;
		plan->round = knockout->round_start + round;
		schedule_pair(schedule, pairing->first, pairing->second, plan);
		return SCHEDULE_BLOCK;
	}
}

static enum schedule_answer
knockout_next(struct schedule *schedule, struct block_plan *plan)
{
	struct schedule_knockout *knockout = &schedule->knockout;

	while (knockout->pairing_count == 0 && !knockout->over) {
		stage_draw(schedule);
		if (stage_decided(knockout))
			stage_settle(schedule);
	}
	return knockout->over ? SCHEDULE_END : stage_next(schedule, plan);
}

/*
 * More blocks won than the rest can turn; when all are played, the sum of the
 * margins; then the first block that is no draw.  Who plays no more at that
 * point loses.  After all of that, or when neither plays on, the better seed
 * passes.
 */
static int
decide(const struct schedule_pairing *pairing, int rounds, bool skipped)
{
	int left = rounds - pairing->taken;
	int sign = (pairing->lead > left) - (pairing->lead < -left);

	if (left < 0 || (left == 0 && skipped))
		sign = pairing->last;
	else if (left == 0 && sign == 0)
		sign = schedule_sign(pairing->margin);
	if (sign != 0)
		return sign > 0 ? pairing->first : pairing->second;
	if (left <= 0 && (skipped || -left == SCHEDULE_TIE_BREAKS_MAX))
		return pairing->first;
	return -1;
}

/* A bot has one match a stage. */
static struct schedule_pairing *
pairing_of(struct schedule_knockout *knockout, int bot)
{
	struct schedule_pairing *pairing = knockout->pairings;

	while (pairing->first != bot && pairing->second != bot) {
		pairing++;
		assert(pairing - knockout->pairings < knockout->pairing_count);
	}
	return pairing;
}

static void
knockout_take(struct schedule *schedule, const struct block_result *result)
{
	struct schedule_knockout *knockout = &schedule->knockout;
	struct schedule_pairing *pairing =
	    pairing_of(knockout, result->plan.bots[0]);

	assert(pairing->winner < 0);
	schedule_pairing_take(schedule, pairing, result);
	pairing->winner =
	    decide(pairing, schedule->config.rounds, result->skipped);
	if (stage_decided(knockout))
		stage_settle(schedule);
}

static int
knockout_place(const struct schedule *schedule, int bot)
{
	return schedule->knockout.places[bot];
}

const struct schedule_kind schedule_knockout = {
	.name = "knockout",
	.flaw = knockout_flaw,
	.block_count = knockout_block_count,
	.round_count = knockout_round_count,
	.init = knockout_init,
	.next = knockout_next,
	.take = knockout_take,
	.place = knockout_place,
};
