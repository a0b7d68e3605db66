/*
 * Implements schedule.h: a section for each format, then a table with a row for
 * each.
 */
#include "schedule.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "countof.h"
#include "pairing.h"

enum {
	SCHEDULE_SLOTS_MAX = 2048, /* of a knockout; a power of two */
	SCHEDULE_PAIRINGS_MAX = SCHEDULE_SLOTS_MAX / 2,
	/* A knockout with SCHEDULE_SLOTS_MAX slots has 11 stages. */
	TIE_BREAK_ROUNDS_MAX = 11 * SCHEDULE_TIE_BREAKS_MAX
};
_Static_assert((int)SCHEDULE_SLOTS_MAX >= (int)TOURNAMENT_BOTS_MAX,
    "every bot has its slot");

/* Two bots that meet, and their results from the view of `first`. */
struct schedule_pairing {
	int first, second;
	int counted;   /* blocks that were counted */
	int skipped;   /* number of these that were skipped */
	int lead;      /* blocks won less blocks lost; skipped ones too */
	int last;      /* result of the last decided block: 1 or -1; or 0 */
	double margin; /* sum, in points a deal */
	int winner;    /* bot, or -1; only in a knockout */
};

struct schedule_swiss {
	int bot_count;
	int stage;
	int64_t stage_start; /* number of its first block */
	int pairing_count;   /* 0: the stage is to be drawn */
	struct schedule_pairing pairings[SCHEDULE_PAIRINGS_MAX];
	int points[TOURNAMENT_BOTS_MAX]; /* in halves */
	double margins[TOURNAMENT_BOTS_MAX];
	int byes[TOURNAMENT_BOTS_MAX];
	/* [a * bot_count + b]; both lie in `memory` of struct schedule */
	uint16_t *met;
	bool *edges; /* of a matching */
	bool over;
};

struct schedule_knockout {
	int stage;
	/*
	 * The bots that are left, in the order of the bracket: neighbours meet.
	 */
	int slot_count;
	int slots[SCHEDULE_SLOTS_MAX]; /* a bot, or -1: a bye */
	int pairing_count;             /* half of slot_count; 0: to be drawn */
	struct schedule_pairing pairings[SCHEDULE_PAIRINGS_MAX];
	int round, pairing;              /* of the next block to plan */
	int round_count;                 /* rounds of this stage with a block */
	int round_start;                 /* rounds of all earlier stages */
	int places[TOURNAMENT_BOTS_MAX]; /* -1: not known yet */
	bool over;
};

struct schedule {
	struct schedule_config config;
	int64_t planned, counted; /* blocks */
	bool suspended[TOURNAMENT_BOTS_MAX];
	union {
		struct schedule_swiss swiss;
		struct schedule_knockout knockout;
		struct ladder ladder;
	};
	max_align_t memory[]; /* arrays of the format, by number of bots */
};

/* Greatest numbers of blocks and rounds of a schedule. */
struct schedule_counts {
	int64_t blocks, rounds;
};

/* A format.  Functions may be NULL. */
struct schedule_kind {
	const char *pairs_alone; /* why only two bots can meet; or NULL */
	const char *(*flaw)(const struct schedule_config *config);
	/*
	 * For formats whose rounds all have the same encounters: their number,
	 * and the bots of one of them. NULL for other formats.
	 */
	int64_t (*encounters)(const struct schedule_config *config);
	const char *crowd; /* the flaw if there are too many encounters */
	void (*meet)(const struct schedule *schedule, int64_t encounter,
	    struct block_plan *plan);
	/* For other formats: the counts; bots, round and stage of the next
	 * block. */
	struct schedule_counts (*count)(const struct schedule_config *config);
	enum schedule_answer (*next)(
	    struct schedule *schedule, struct block_plan *plan);
	size_t (*memory_size)(int bot_count);
	void (*init)(struct schedule *schedule);
	void (*add)(
	    struct schedule *schedule, const struct block_result *result);
	int (*place)(const struct schedule *schedule, int bot);
};

/* How often 1 must be doubled to reach `count`. */
static int
doublings(int count)
{
	int doublings = 0;

	while (1 << doublings < count)
		doublings++;
	return doublings;
}

/* Margins are sums of fractions; a smaller difference comes from rounding. */
#define TIE_MAX 1e-9

/* Sets the two bots of a block; the first one has the first seat. */
static void
pair_meets(const struct schedule *schedule, int one, int other,
    struct block_plan *plan)
{
	int low = one < other ? one : other;
	int high = one < other ? other : one;

	/* Without duplicates each bot has the first seat in half its pairs. */
	bool turned = !schedule->config.duplicate && (low + high) % 2 == 0;

	plan->bot_count = 2;
	plan->bots[0] = turned ? high : low;
	plan->bots[1] = turned ? low : high;
}

/* The sign of a sum of margins, without its rounding error. */
static int
schedule_sign(double margin)
{
	return (margin > TIE_MAX) - (margin < -TIE_MAX);
}

/* The result of a skipped block: the bot that is not suspended wins. */
static int
skipped_sign(const struct schedule *schedule, int first, int second)
{
	return (int)schedule->suspended[second] -
	    (int)schedule->suspended[first];
}

/* Counts a block of the two bots of a pairing. */
static void
pairing_count(const struct schedule *schedule, struct schedule_pairing *pairing,
    const struct block_result *result)
{
	int first = pairing->first, second = pairing->second;
	bool turned = result->plan.bots[0] == second;
	double margin;

	assert(result->plan.bots[turned] == first);
	assert(result->plan.bots[!turned] == second);
	pairing->counted++;
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

/*
 * The seatings of a block: two bots change sides, three sit in all orders, more
 * move on by one place.  Without `duplicate` there is only one.
 */

/* The orders of three bots, sorted by the bot at the first seat. */
static const uint8_t orders_of_three[][3] = {
	{ 0, 1, 2 },
	{ 0, 2, 1 },
	{ 1, 2, 0 },
	{ 1, 0, 2 },
	{ 2, 0, 1 },
	{ 2, 1, 0 },
};
_Static_assert(COUNTOF(orders_of_three) <= BLOCK_GAMES_MAX &&
	(int)SCOPA_SEATS_MAX <= (int)BLOCK_GAMES_MAX,
    "a block has room for every order");

/* Draws a random order of `count` bots for a block. */
static void
draw_order(uint64_t seed, int64_t index, uint8_t *order, int count)
{
	uint64_t state = seed;

	/* Mixed, so that seed + 1 does not give the orders of the next block. */
	state = splitmix64(&state) ^ (uint64_t)index;
	for (int i = 0; i < count; i++)
		order[i] = (uint8_t)i;
	for (int i = count - 1; i > 0; i--) {
		int k = (int)(splitmix64(&state) % (uint64_t)(i + 1));
		uint8_t swapped = order[i];

		order[i] = order[k];
		order[k] = swapped;
	}
}

/* The seatings of a block whose bots and number are set. */
static void
schedule_seat(const struct schedule_config *config, struct block_plan *plan)
{
	const struct scopa_rules *rules = &config->rules;
	int bots = plan->bot_count;
	bool all_orders = bots == 3 && config->duplicate;
	uint8_t order[SCOPA_SEATS_MAX] = { 0, 1 };

	assert(bots == schedule_bot_count(config));
	plan->game_count = schedule_game_count(config);
	/* Two bots can only change seats. */
	if (bots > 2 && !all_orders)
		draw_order(config->seed, plan->index, order, bots);
	for (int game = 0; game < plan->game_count; game++) {
		for (int seat = 0; seat < rules->players; seat++) {
			int place =
			    config->mixed ? seat : scopa_team_of(rules, seat);

			assert(place < bots);
			plan->seating[game][seat] = all_orders
			    ? orders_of_three[game][place]
			    : order[(place + game) % bots];
		}
	}
}

void
schedule_print_block(const struct block_plan *plan, const char *const names[],
    const struct scopa_rules *rules, struct scopa_text *text)
{
	scopa_text_print(text, "block %jd round %d:", (intmax_t)plan->index + 1,
	    plan->round + 1);
	for (int game = 0; game < plan->game_count; game++) {
		if (game > 0)
			scopa_text_string(text, " |");
		for (int seat = 0; seat < rules->players; seat++) {
			int member = plan->seating[game][seat];

			scopa_text_print(
			    text, " %s", names[plan->bots[member]]);
		}
	}
}

/*
 * Round robin and gauntlet: which bots meet follows from the number of the
 * block alone.  Each round has every encounter once.
 */

/* The number of ways to choose `count` of `from` bots. */
static int64_t
choices(int from, int count)
{
	int64_t ways = 1;

	for (int i = 1; i <= count; i++)
		ways = ways * (from - count + i) / i;
	return from < count ? 0 : ways;
}

/*
 * Writes choice `number`, in lexical order, of `count` of the `from` bots from
 * `base` on.
 */
static void
choose(int base, int from, int count, int64_t number, int *chosen)
{
	int item = 0;

	assert(number >= 0 && number < choices(from, count));
	while (count > 0) {
		int64_t with = choices(from - item - 1, count - 1);

		if (number < with) {
			*chosen++ = base + item;
			count--;
		} else {
			number -= with;
		}
		item++;
	}
}

static int64_t
common_divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * Walks over 0..count-1 in long strides.  Neighbours in lexical order have most
 * of their bots in common, and would be played at the same time.
 */
static int64_t
stride(int64_t number, int64_t count)
{
	int64_t step = count * 618 / 1000;

	while (step < 1 || common_divisor(step, count) != 1)
		step++;
	return number * step % count;
}

static int64_t
robin_encounters(const struct schedule_config *config)
{
	return choices(config->bot_count, schedule_bot_count(config));
}

/*
 * Pairs by the circle method: one bot stays, the others move round it, and all
 * play in each turn of the circle.  If the number of bots is odd, the place
 * that stays is empty, and the bot opposite it does not play in this turn.
 */
static void
robin_meet(
    const struct schedule *schedule, int64_t encounter, struct block_plan *plan)
{
	const struct schedule_config *config = &schedule->config;
	int bots = config->bot_count, odd = bots % 2;
	int circle = bots - 1 + odd;
	int turn = (int)(encounter / (bots / 2));
	int place = (int)(encounter % (bots / 2)) + odd;

	plan->bot_count = schedule_bot_count(config);
	if (plan->bot_count > 2)
		choose(0, bots, plan->bot_count,
		    stride(encounter, robin_encounters(config)), plan->bots);
	else if (place == 0)
		pair_meets(schedule, turn, bots - 1, plan);
	else
		pair_meets(schedule, (turn + place) % circle,
		    (turn - place + circle) % circle, plan);
}

/* The number of ways to choose the opponents of one challenger. */
static int64_t
gauntlet_tables(const struct schedule_config *config)
{
	return choices(config->bot_count - config->challengers,
	    schedule_bot_count(config) - 1);
}

static int64_t
gauntlet_encounters(const struct schedule_config *config)
{
	return config->challengers * gauntlet_tables(config);
}

static const char *
gauntlet_flaw(const struct schedule_config *config)
{
	int others = config->bot_count - config->challengers;

	if (config->challengers < 1)
		return "a gauntlet needs at least 1 challenger";
	if (others < 1)
		return "a gauntlet needs bots that are no challengers";
	if (others < schedule_bot_count(config) - 1)
		return "a gauntlet needs enough others to fill the table of a "
		       "challenger";
	return NULL;
}

static void
gauntlet_meet(
    const struct schedule *schedule, int64_t encounter, struct block_plan *plan)
{
	const struct schedule_config *config = &schedule->config;
	int challengers = config->challengers;
	int challenger = (int)(encounter % challengers);
	int64_t tables = gauntlet_tables(config);
	/* Each challenger begins with another bot, so that no bot waits. */
	int64_t table = (encounter / challengers + challenger) % tables;

	plan->bot_count = schedule_bot_count(config);
	plan->bots[0] = challenger;
	if (plan->bot_count == 2)
		pair_meets(
		    schedule, challenger, challengers + (int)table, plan);
	else
		choose(challengers, config->bot_count - challengers,
		    plan->bot_count - 1, stride(table, tables), plan->bots + 1);
}

/*
 * Swiss: in each stage bots of equal results meet, and no two bots meet twice
 * if that can be avoided.
 *
 * Bots are ordered by points, then margins, then numbers, and paired from the
 * top: the first of a group of equal points with the first of its lower half.
 * A pair is not chosen if the bots below it could then not all have new
 * opponents, as long as there is a way to pair all.
 */

enum { POINTS_WIN = 2, POINTS_DRAW = 1 };

_Static_assert((int)SCHEDULE_PAIRINGS_MAX >= (int)TOURNAMENT_BOTS_MAX / 2,
    "all can be paired");
_Static_assert((int)MATCHING_NODES_MAX >= (int)TOURNAMENT_BOTS_MAX,
    "every bot has its node");
_Static_assert((int)SCHEDULE_STAGES_MAX <= UINT16_MAX, "for `met`");

/* The bots of a stage, from the best to the last. */
struct field {
	int count;
	int bots[TOURNAMENT_BOTS_MAX];
};

static int
swiss_stage_count(const struct schedule_config *config)
{
	return config->stages > 0 ? config->stages
				  : doublings(config->bot_count);
}

static struct schedule_counts
swiss_count(const struct schedule_config *config)
{
	int64_t rounds = (int64_t)swiss_stage_count(config) * config->rounds;

	return (
	    struct schedule_counts){ rounds * (config->bot_count / 2), rounds };
}

static const char *
swiss_flaw(const struct schedule_config *config)
{
	if (config->stages < 0)
		return "a swiss tournament cannot have less than 0 stages";
	if (config->stages > SCHEDULE_STAGES_MAX)
		return "a swiss tournament has at most 10000 stages";
	return NULL;
}
_Static_assert(SCHEDULE_STAGES_MAX == 10000, "as the sentence says");

static size_t
swiss_memory_size(int bot_count)
{
	return (size_t)bot_count * (size_t)bot_count *
	    (sizeof(uint16_t) + sizeof(bool));
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

/* Above 0 if the results of `one` are better than those of `other`. */
static int
swiss_compare(const struct schedule_swiss *swiss, int one, int other)
{
	int ahead = swiss->points[one] - swiss->points[other];

	if (ahead != 0)
		return ahead;
	return schedule_sign(swiss->margins[one] - swiss->margins[other]);
}

/* Sorts all bots that still play; equal bots stay in order of number. */
static void
field_fill(const struct schedule *schedule, struct field *field)
{
	field->count = 0;
	for (int bot = 0; bot < schedule->config.bot_count; bot++) {
		int place = field->count;

		if (schedule->suspended[bot])
			continue;
		while (place > 0 &&
		    swiss_compare(
			&schedule->swiss, bot, field->bots[place - 1]) > 0) {
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

/*
 * Whether all bots can be paired so that no pair has met more than `met` times.
 */
static bool
field_solve(const struct schedule_swiss *swiss, const struct field *field,
    int met, struct matching *matching)
{
	matching_init(matching, swiss->bot_count, swiss->edges);
	memset(matching->gone, true, (size_t)swiss->bot_count);
	for (int i = 0; i < field->count; i++) {
		int one = field->bots[i];

		matching->gone[one] = false;
		for (int k = 0; k < i; k++)
			if (*met_of(swiss, one, field->bots[k]) <= met)
				matching_join(matching, one, field->bots[k]);
	}
	return matching_solve(matching);
}

/*
 * If the number of bots is odd, removes the bot that sits out from the field:
 * among the bots with the fewest byes, the last one without which all others
 * can be paired.  Returns the least number of earlier meetings that must be
 * allowed for a pair.
 */
static int
field_give_bye(struct schedule_swiss *swiss, struct field *field,
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
 * The candidate with this number for the opponent of the first bot of the
 * field: in its group from the first bot of the lower half to the end, then
 * from there back to the top, then the bots below the group.
 */
static int
swiss_candidate(
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
 * Pairs the first bot of the field.  If bots must meet again, it gets an
 * opponent that it has met less often, if possible.
 */
static void
pair_first(struct schedule_swiss *swiss, struct field *field,
    struct matching *matching, int met_max)
{
	for (int met = 0;; met++) {
		assert(met <= met_max);
		for (int attempt = 0; attempt < field->count - 1; attempt++) {
			int place = swiss_candidate(swiss, field, attempt);
			int first = field->bots[0];
			int second = field->bots[place];

			if (*met_of(swiss, first, second) != met ||
			    !matching_remove(matching, first, second))
				continue;
			pairing_add(swiss, first, second);
			field_remove(field, place);
			field_remove(field, 0);
			return;
		}
	}
}

static void
swiss_draw(struct schedule *schedule)
{
	struct schedule_swiss *swiss = &schedule->swiss;
	struct matching matching;
	struct field field;
	int met_max;

	field_fill(schedule, &field);
	swiss->pairing_count = 0;
	swiss->stage_start = schedule->planned;
	if (field.count < 2) {
		swiss->over = true;
		return;
	}
	met_max = field_give_bye(swiss, &field, &matching);
	while (field.count > 0)
		pair_first(swiss, &field, &matching, met_max);
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
		swiss_draw(schedule);
		number = 0;
	}
	if (swiss->over)
		return SCHEDULE_END;
	pairing = &swiss->pairings[number % swiss->pairing_count];
	plan->stage = swiss->stage;
	plan->round =
	    swiss->stage * rounds + (int)(number / swiss->pairing_count);
	pair_meets(schedule, pairing->first, pairing->second, plan);
	return SCHEDULE_BLOCK;
}

/*
 * Adds the points and margins of a pairing whose blocks were all counted to
 * those of its bots.
 */
static void
pairing_add_points(
    struct schedule *schedule, const struct schedule_pairing *pairing)
{
	struct schedule_swiss *swiss = &schedule->swiss;
	int first = pairing->first, second = pairing->second;
	int sign = schedule_sign(pairing->margin);

	if (pairing->skipped > 0 &&
	    (schedule->suspended[first] || schedule->suspended[second]))
		sign = skipped_sign(schedule, first, second);
	swiss->points[first] += POINTS_DRAW + sign;
	swiss->points[second] += POINTS_DRAW - sign;
	swiss->margins[first] += pairing->margin;
	swiss->margins[second] -= pairing->margin;
}

static void
swiss_add(struct schedule *schedule, const struct block_result *result)
{
	struct schedule_swiss *swiss = &schedule->swiss;
	int64_t number = result->plan.index - swiss->stage_start;
	int count = swiss->pairing_count;

	pairing_count(schedule, &swiss->pairings[number % count], result);
	if (number + 1 < (int64_t)count * schedule->config.rounds)
		return;
	for (int i = 0; i < count; i++)
		pairing_add_points(schedule, &swiss->pairings[i]);
	swiss->pairing_count = 0;
	swiss->stage++;
	swiss->over = swiss->stage == swiss_stage_count(&schedule->config);
}

static int
swiss_place(const struct schedule *schedule, int bot)
{
	int place = 0;

	if (!schedule->swiss.over)
		return -1;
	for (int other = 0; other < schedule->config.bot_count; other++)
		if (swiss_compare(&schedule->swiss, other, bot) > 0)
			place++;
	return place;
}

/*
 * Knockout: a bot that loses a match leaves; the last one left is the winner.
 *
 * Bots are seeded by their numbers, so that the first two can meet in the last
 * match only, and byes go to the first.  A match is the best of `rounds`
 * blocks. Blocks are planned before the results of earlier blocks are known, as
 * long as these results cannot make a block needless.
 */

/* Whether a pairing needs its next block. */
enum need { NEED_SURE, NEED_NONE, NEED_UNKNOWN };

static struct schedule_counts
knockout_count(const struct schedule_config *config)
{
	int64_t rounds = config->rounds;

	return (struct schedule_counts){
		.blocks = (config->bot_count - 1) *
		    (rounds + SCHEDULE_TIE_BREAKS_MAX),
		.rounds = doublings(config->bot_count) * rounds,
	};
}

/*
 * Each doubling of the bracket gives every seed its opponent: the two seeds add
 * up to the new size + 1.  1-2, 1-4-3-2, 1-8-5-4-3-6-7-2.
 */
static void
knockout_init(struct schedule *schedule)
{
	struct schedule_knockout *knockout = &schedule->knockout;
	int bots = schedule->config.bot_count;
	int *slots = knockout->slots;

	knockout->slot_count = 1 << doublings(bots);
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

/* The bot that wins without a block: its opponent is a bye or suspended. */
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

/* Moves winners to the next stage and gives losers their place. */
static void
stage_end(struct schedule *schedule)
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

/*
 * Pairs neighbours.  At least one of two neighbours is a bot, because there are
 * fewer byes than bots.
 */
static void
knockout_draw(struct schedule *schedule)
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
 * Whether a pairing needs its block of that round.  The leading bot may win all
 * blocks that are not counted yet.
 */
static enum need
need_of(const struct schedule_pairing *pairing, int round, int rounds)
{
	int lead = pairing->lead < 0 ? -pairing->lead : pairing->lead;
	int due = round - pairing->counted;

	if (pairing->winner >= 0)
		return NEED_NONE;
	if (due == 0 || (round < rounds && lead + due <= rounds - round))
		return NEED_SURE;
	return NEED_UNKNOWN;
}

/* Plans the next block of the stage; pairings play by turns. */
static enum schedule_answer
knockout_stage_next(struct schedule *schedule, struct block_plan *plan)
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
		pair_meets(schedule, pairing->first, pairing->second, plan);
		return SCHEDULE_BLOCK;
	}
}

static enum schedule_answer
knockout_next(struct schedule *schedule, struct block_plan *plan)
{
	struct schedule_knockout *knockout = &schedule->knockout;

	while (knockout->pairing_count == 0 && !knockout->over) {
		knockout_draw(schedule);
		if (stage_decided(knockout))
			stage_end(schedule);
	}
	return knockout->over ? SCHEDULE_END
			      : knockout_stage_next(schedule, plan);
}

/*
 * Decides a pairing: by a lead in won blocks that the other blocks cannot turn;
 * when all blocks are played, by the sum of margins; then by the first further
 * block that is no draw.  A bot that is suspended then loses.  If nothing
 * decides, or both are suspended, the better seed wins.
 */
static int
decide(const struct schedule_pairing *pairing, int rounds, bool skipped)
{
	int left = rounds - pairing->counted;
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

static void
knockout_add(struct schedule *schedule, const struct block_result *result)
{
	struct schedule_knockout *knockout = &schedule->knockout;
	struct schedule_pairing *pairing = knockout->pairings;
	int bot = result->plan.bots[0];

	/* A bot has one match a stage. */
	while (pairing->first != bot && pairing->second != bot)
		pairing++;
	assert(pairing - knockout->pairings < knockout->pairing_count);
	assert(pairing->winner < 0);
	pairing_count(schedule, pairing, result);
	pairing->winner =
	    decide(pairing, schedule->config.rounds, result->skipped);
	if (stage_decided(knockout))
		stage_end(schedule);
}

static int
knockout_place(const struct schedule *schedule, int bot)
{
	return schedule->knockout.places[bot];
}

/*
 * Ladder: the pair that adds most to the ranking (pairing.h).
 */

static const char *
ladder_flaw(const struct schedule_config *config)
{
	if (config->blocks < 1)
		return "a ladder needs a number of blocks";
	if (config->blocks > SCHEDULE_ENCOUNTERS_MAX)
		return "a ladder has at most 1000000000 blocks";
	return NULL;
}
_Static_assert(SCHEDULE_ENCOUNTERS_MAX == 1000000000, "as the sentence says");

/* One pair may play all blocks except those of the ring. */
static struct schedule_counts
ladder_count(const struct schedule_config *config)
{
	int others = config->bot_count == 2 ? 0 : config->bot_count - 1;
	int64_t left = config->blocks - (int64_t)LADDER_RING_ROUNDS * others;

	return (struct schedule_counts){
		.blocks = config->blocks,
		.rounds = left > LADDER_RING_ROUNDS ? left : LADDER_RING_ROUNDS,
	};
}

static void
ladder_begin(struct schedule *schedule)
{
	ladder_init(&schedule->ladder, schedule->config.bot_count,
	    schedule->suspended, schedule->memory);
}

static enum schedule_answer
ladder_next(struct schedule *schedule, struct block_plan *plan)
{
	struct ladder *ladder = &schedule->ladder;
	int64_t number = schedule->planned - ladder->generation_start;
	const struct rating_pair *pair;

	if (schedule->planned == schedule->config.blocks)
		return SCHEDULE_END;
	if (ladder->pick_count > 0 && number == ladder->pick_count) {
		if (schedule->counted < schedule->planned)
			return SCHEDULE_WAIT;
		ladder->generation++;
		ladder->generation_start = schedule->planned;
		ladder->pick_count = 0;
		number = 0;
	}
	if (ladder->pick_count == 0)
		ladder_draw(ladder);
	if (ladder->pick_count == 0)
		return SCHEDULE_END;
	pair = &ladder->pairs[ladder->picks[number]];
	plan->stage = ladder->generation;
	plan->round = ladder->pick_rounds[number];
	pair_meets(schedule, pair->first, pair->second, plan);
	return SCHEDULE_BLOCK;
}

static void
ladder_add(struct schedule *schedule, const struct block_result *result)
{
	const struct block_plan *plan = &result->plan;
	struct rating_pair *pair =
	    ladder_pair(&schedule->ladder, plan->bots[0], plan->bots[1]);
	int member = plan->bots[0] == pair->first ? 0 : 1;

	if (!result->skipped)
		moments_add(&pair->margins,
		    block_mean(&schedule->config.rules, result, member).margin);
}

#define PAIRS_ALONE(what)                           \
	what " needs games of two bots: two teams " \
	     "without mixed partners"

static const struct schedule_kind kinds[] = {
	[SCHEDULE_ROUND_ROBIN] = {
		.encounters = robin_encounters,
		.crowd = "there are too many ways to choose who meets: play a "
			 "gauntlet, or with fewer bots",
		.meet = robin_meet,
	},
	[SCHEDULE_GAUNTLET] = {
		.flaw = gauntlet_flaw,
		.encounters = gauntlet_encounters,
		.crowd = "there are too many ways to choose who meets: play "
			 "with fewer bots",
		.meet = gauntlet_meet,
	},
	[SCHEDULE_SWISS] = {
		.pairs_alone = PAIRS_ALONE("a swiss tournament"),
		.flaw = swiss_flaw,
		.count = swiss_count,
		.next = swiss_next,
		.memory_size = swiss_memory_size,
		.init = swiss_init,
		.add = swiss_add,
		.place = swiss_place,
	},
	[SCHEDULE_KNOCKOUT] = {
		.pairs_alone = PAIRS_ALONE("a knockout"),
		.count = knockout_count,
		.next = knockout_next,
		.init = knockout_init,
		.add = knockout_add,
		.place = knockout_place,
	},
	[SCHEDULE_LADDER] = {
		.pairs_alone = PAIRS_ALONE("a ladder"),
		.flaw = ladder_flaw,
		.count = ladder_count,
		.next = ladder_next,
		.memory_size = ladder_memory_size,
		.init = ladder_begin,
		.add = ladder_add,
	},
};
_Static_assert(COUNTOF(kinds) == SCHEDULE_FORMAT_COUNT, "a row a format");

const char *const schedule_format_names[] = { "roundrobin", "gauntlet", "swiss",
	"knockout", "ladder", NULL };
_Static_assert(COUNTOF(schedule_format_names) == SCHEDULE_FORMAT_COUNT + 1,
    "a name a format");

static const struct schedule_kind *
kind_of(const struct schedule_config *config)
{
	assert((int)config->format < SCHEDULE_FORMAT_COUNT);
	return &kinds[config->format];
}

int
schedule_bot_count(const struct schedule_config *config)
{
	return config->mixed ? config->rules.players
			     : scopa_team_count(&config->rules);
}

/* Three bots sit in all six orders; more bots only move round. */
int
schedule_game_count(const struct schedule_config *config)
{
	int bots = schedule_bot_count(config);

	if (!config->duplicate)
		return 1;
	return bots == 3 ? 6 : bots;
}

/* Why the bots cannot sit at this table, or NULL. */
static const char *
table_flaw(const struct schedule_config *config)
{
	static const char *const too_few[SCOPA_SEATS_MAX + 1] = {
		[2] = "a tournament needs at least 2 bots",
		[3] = "this game needs at least 3 bots, one for each team",
		[4] = "this game needs at least 4 bots, one for each seat",
		[6] = "this game needs at least 6 bots, one for each seat",
	};
	int needed = schedule_bot_count(config);

	if (config->bot_count > TOURNAMENT_BOTS_MAX)
		return "a tournament has at most 2000 bots";
	if (config->mixed &&
	    config->rules.players == scopa_team_count(&config->rules))
		return "mixed partners need teams of more than one seat";
	assert(too_few[needed] != NULL);
	return config->bot_count < needed ? too_few[needed] : NULL;
}
_Static_assert(TOURNAMENT_BOTS_MAX == 2000, "as the sentence says");

const char *
schedule_flaw(const struct schedule_config *config)
{
	const struct schedule_kind *kind = kind_of(config);
	const char *flaw = table_flaw(config);

	if (flaw != NULL)
		return flaw;
	if (config->rounds < 1 && config->format != SCHEDULE_LADDER)
		return "an encounter has at least 1 round";
	if (schedule_bot_count(config) > 2 && kind->pairs_alone != NULL)
		return kind->pairs_alone;
	flaw = kind->flaw != NULL ? kind->flaw(config) : NULL;
	if (flaw != NULL)
		return flaw;
	if (kind->encounters != NULL &&
	    kind->encounters(config) > SCHEDULE_ENCOUNTERS_MAX)
		return kind->crowd;
	if (kind->count != NULL &&
	    kind->count(config).rounds > INT_MAX - TIE_BREAK_ROUNDS_MAX)
		return "there are too many rounds";
	if (schedule_block_count(config) > SCHEDULE_BLOCKS_MAX)
		return "there are too many blocks: make it fewer rounds";
	return NULL;
}

static struct schedule_counts
counts_of(const struct schedule_config *config)
{
	const struct schedule_kind *kind = kind_of(config);

	if (kind->count != NULL)
		return kind->count(config);
	return (struct schedule_counts){
		.blocks = kind->encounters(config) * config->rounds,
		.rounds = config->rounds,
	};
}

int64_t
schedule_block_count(const struct schedule_config *config)
{
	return counts_of(config).blocks;
}

int64_t
schedule_round_count(const struct schedule_config *config)
{
	return counts_of(config).rounds;
}

size_t
schedule_size(const struct schedule_config *config)
{
	const struct schedule_kind *kind = kind_of(config);

	return sizeof(struct schedule) +
	    (kind->memory_size != NULL ? kind->memory_size(config->bot_count)
				       : 0);
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

/* The next block of a format whose rounds have the same encounters. */
static enum schedule_answer
encounter_next(const struct schedule *schedule, struct block_plan *plan)
{
	const struct schedule_kind *kind = kind_of(&schedule->config);
	int64_t encounters = kind->encounters(&schedule->config);

	assert(encounters > 0);
	if (plan->index == encounters * schedule->config.rounds)
		return SCHEDULE_END;
	plan->round = (int)(plan->index / encounters);
	kind->meet(schedule, plan->index % encounters, plan);
	return SCHEDULE_BLOCK;
}

enum schedule_answer
schedule_next(struct schedule *schedule, struct block_plan *plan)
{
	const struct schedule_config *config = &schedule->config;
	const struct schedule_kind *kind = kind_of(config);
	int seats = config->rules.players;
	enum schedule_answer answer;
	struct block_plan next = { .index = schedule->planned };

	answer = kind->next != NULL ? kind->next(schedule, &next)
				    : encounter_next(schedule, &next);
	/* Only a block that is not counted yet can end the wait. */
	assert(
	    answer != SCHEDULE_WAIT || schedule->counted < schedule->planned);
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
schedule_add(struct schedule *schedule, const struct block_result *result)
{
	const struct schedule_kind *kind = kind_of(&schedule->config);

	assert(result->plan.index == schedule->counted);
	assert(schedule->counted < schedule->planned);
	schedule->counted++;
	if (kind->add != NULL)
		kind->add(schedule, result);
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
