/*
 * Schedules: which ones can be played, the order of rounds, swiss pairings
 * compared with a search that tries all, knockout matches compared with a
 * second implementation (struct umpire), and that no plan depends on how many
 * blocks are planned before their results.
 */
#include "schedule.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "golden.h"
#include "support.h"
#include "test.h"

/*
 * The fixture: whole schedules, played with invented results.
 */
enum { SCHEDULE_FIXTURE_BLOCKS_MAX = 20000, SCHEDULE_FIXTURE_OUT_MAX = 8 };

/* How results are invented, and how late they are added. */
struct schedule_fixture_config {
	struct schedule_config schedule;
	/* Number of blocks that are planned before the result of the first of
	 * them is added; 0: drawn at random for each plan. */
	int look_ahead;
	/* Points of a bot in a game: its strength, and a random number up to
	 * `noise`. */
	int strengths[TOURNAMENT_BOTS_MAX];
	int noise;
	uint64_t seed; /* seed of the noise */
	/* Bots that are suspended after the result of a block was added. */
	int out_count;
	struct {
		int bot;
		int64_t block;
	} out[SCHEDULE_FIXTURE_OUT_MAX];
};

/* The schedule as it was played. */
struct schedule_fixture {
	struct schedule *schedule;
	int64_t count;
	struct block_plan plans[SCHEDULE_FIXTURE_BLOCKS_MAX];
	bool skipped[SCHEDULE_FIXTURE_BLOCKS_MAX];
	/* Margins of bots[0] of the plan. */
	double margins[SCHEDULE_FIXTURE_BLOCKS_MAX];
	int64_t waits;      /* answers SCHEDULE_WAIT */
	int64_t first_wait; /* blocks planned before the first wait, or -1 */
};

enum { LOOK_AHEAD_MAX = 64, PLAYED_MAX = 8 };

/* Reads the strengths of the bots, from the first on. */
static void
read_strengths(struct schedule_fixture_config *config, const char *text)
{
	for (int bot = 0; *text != '\0'; bot++) {
		char *end;

		config->strengths[bot] = (int)strtol(text, &end, 10);
		text = end + (*end == ',');
	}
}

static void
read_word(struct schedule_fixture_config *config, const char *word)
{
	struct schedule_config *schedule = &config->schedule;
	const struct {
		const char *key;
		int *number;
	} numbers[] = {
		{ "bots=", &schedule->bot_count },
		{ "rounds=", &schedule->rounds },
		{ "stages=", &schedule->stages },
		{ "challengers=", &schedule->challengers },
		{ "ahead=", &config->look_ahead },
		{ "noise=", &config->noise },
	};
	long long large = 0;

	for (size_t i = 0; i < COUNTOF(numbers); i++) {
		size_t length = strlen(numbers[i].key);

		if (strncmp(word, numbers[i].key, length) != 0)
			continue;
		*numbers[i].number = (int)strtol(word + length, NULL, 10);
		return;
	}
	if (strcmp(word, "mixed") == 0)
		schedule->mixed = true;
	else if (strcmp(word, "single") == 0)
		schedule->duplicate = false;
	else if (sscanf(word, "blocks=%lld", &large) == 1)
		schedule->blocks = large;
	else if (sscanf(word, "seed=%lld", &large) == 1)
		schedule->seed = (uint64_t)large;
	else if (sscanf(word, "draw=%lld", &large) == 1)
		config->seed = (uint64_t)large;
	else if (strncmp(word, "points=", 7) == 0)
		read_strengths(config, word + 7);
	else if (strcmp(word, "falling") == 0)
		for (int bot = 0; bot < schedule->bot_count; bot++)
			config->strengths[bot] = schedule->bot_count - bot;
	else if (sscanf(word, "out=%d@%lld",
		     &config->out[config->out_count].bot, &large) == 2)
		config->out[config->out_count++].block = large;
	else
		fail_msg("no such word: %s", word);
}

/*
 * `FORMAT RULES [bots=N] [mixed] [single] [rounds=N] [stages=N] [blocks=N]
 * [challengers=N] [seed=N]`: single is without duplicates; rounds=1 by default.
 * And how results are invented: `[ahead=N] [noise=N] [draw=N] [points=N,N...]
 * [falling] [out=BOT@BLOCK]...`: ahead=1 by default; falling: each bot is
 * stronger by a point than the next one.
 */
__attribute__((format(printf, 1, 2))) static struct schedule_fixture_config
schedule_fixture_read(const char *format, ...)
{
	va_list arguments;
	struct schedule_fixture_config config = {
		.schedule = { .duplicate = true, .rounds = 1 },
		.look_ahead = 1,
	};
	enum schedule_format *found = &config.schedule.format;
	char bytes[256], *rest = bytes, *word;

	va_start(arguments, format);
	vsnprintf(bytes, sizeof(bytes), format, arguments);
	va_end(arguments);
	word = strsep(&rest, " ");
	while (strcmp(schedule_format_names[*found], word) != 0)
		++*found;
	config.schedule.rules = support_rules(strsep(&rest, " "));
	while (rest != NULL)
		read_word(&config, strsep(&rest, " "));
	return config;
}

static struct block_result
schedule_fixture_result(
    const struct schedule_fixture_config *config, const struct block_plan *plan)
{
	const struct scopa_rules *rules = &config->schedule.rules;
	struct block_result block = blocks_of_plan(rules, plan);

	for (int game = 0; game < plan->game_count; game++) {
		int points[SCOPA_SEATS_MAX];

		for (int member = 0; member < plan->bot_count; member++) {
			int bot = plan->bots[member];
			uint64_t random = config->seed;

			/* Neighbouring seeds must give different numbers. */
			random = support_random(&random);
			random += (uint64_t)plan->index * 1000;
			random += (uint64_t)(game * 10 + member);
			points[member] = config->strengths[bot] +
			    support_random_below(&random, config->noise + 1);
		}
		blocks_scores(rules, &block, game, points);
	}
	return block;
}

/*
 * In a game, all seats of a team have the same bot, and no two teams have the
 * same.
 */
static void
check_game(const struct schedule_config *config, const struct block_plan *plan,
    int game)
{
	const struct scopa_rules *rules = &config->rules;
	const uint8_t *seating = plan->seating[game];

	for (int seat = 0; seat < rules->players; seat++) {
		assert_true(seating[seat] < plan->bot_count);
		for (int other = 0; other < seat; other++) {
			bool together = !config->mixed &&
			    scopa_team_of(rules, seat) ==
				scopa_team_of(rules, other);

			assert_int_equal(
			    seating[seat] == seating[other], together);
		}
	}
}

/* With duplicates every bot has every seat equally often. */
static void
check_seats(const struct schedule_config *config, const struct block_plan *plan)
{
	int expected = plan->game_count / plan->bot_count;

	for (int member = 0; member < plan->bot_count; member++) {
		for (int seat = 0; seat < config->rules.players; seat++) {
			int count = 0;

			for (int game = 0; game < plan->game_count; game++)
				count += plan->seating[game][seat] == member;
			assert_int_equal(count, expected);
		}
	}
	/* No two games have the same seating. */
	for (int game = 0; game < plan->game_count; game++)
		for (int other = 0; other < game; other++)
			assert_memory_not_equal(plan->seating[game],
			    plan->seating[other],
			    (size_t)config->rules.players);
}

static void
check_plan(const struct schedule_config *config, const struct block_plan *plan)
{
	int players = config->rules.players;

	assert_true(plan->round >= 0 && plan->stage >= 0);
	assert_int_equal(plan->dealer, (players - 1 + plan->round) % players);
	assert_int_equal(plan->bot_count, schedule_bot_count(config));
	assert_int_equal(plan->game_count, schedule_game_count(config));
	for (int i = 0; i < plan->bot_count; i++) {
		assert_in_range(plan->bots[i], 0, config->bot_count - 1);
		for (int k = 0; k < i; k++)
			assert_int_not_equal(plan->bots[i], plan->bots[k]);
	}
	for (int game = 0; game < plan->game_count; game++)
		check_game(config, plan, game);
	if (config->duplicate)
		check_seats(config, plan);
}

/* Adds one result, and suspends the bots that are suspended after it. */
static void
add_result(const struct schedule_fixture_config *config,
    struct schedule_fixture *fixture, int64_t number, bool *suspended)
{
	const struct block_plan *plan = &fixture->plans[number];
	struct block_result block = schedule_fixture_result(config, plan);

	for (int i = 0; i < plan->bot_count; i++)
		block.skipped |= suspended[plan->bots[i]];
	fixture->skipped[number] = block.skipped;
	fixture->margins[number] = 0;
	if (block.skipped)
		memset(block.games, 0, sizeof(block.games));
	else
		fixture->margins[number] =
		    block_mean(&config->schedule.rules, &block, 0).margin;
	schedule_add(fixture->schedule, &block);
	for (int i = 0; i < config->out_count; i++) {
		if (config->out[i].block != number)
			continue;
		suspended[config->out[i].bot] = true;
		schedule_suspend(fixture->schedule, config->out[i].bot);
	}
}

/*
 * Plays the whole schedule, and checks every plan by itself.  The result is
 * valid until PLAYED_MAX further schedules were played.
 */
static struct schedule_fixture *
schedule_fixture_play(const struct schedule_fixture_config *config)
{
	static struct schedule_fixture played[PLAYED_MAX];
	static int turn;
	struct schedule_fixture *fixture = &played[turn++ % PLAYED_MAX];
	bool suspended[TOURNAMENT_BOTS_MAX] = { false }, ended = false;
	uint64_t random = config->seed;
	int64_t added = 0;

	fixture->schedule =
	    realloc(fixture->schedule, schedule_size(&config->schedule));
	assert_non_null(fixture->schedule);
	schedule_init(fixture->schedule, &config->schedule);
	fixture->count = fixture->waits = 0;
	fixture->first_wait = -1;
	while (!ended || added < fixture->count) {
		struct block_plan *plan = &fixture->plans[fixture->count];
		int64_t limit = config->look_ahead > 0
		    ? config->look_ahead
		    : support_random_below(&random, LOOK_AHEAD_MAX) + 1;
		enum schedule_answer answer = SCHEDULE_WAIT;

		if (!ended && fixture->count - added < limit) {
			assert_true(
			    fixture->count < SCHEDULE_FIXTURE_BLOCKS_MAX);
			answer = schedule_next(fixture->schedule, plan);
			if (answer == SCHEDULE_WAIT && fixture->waits++ == 0)
				fixture->first_wait = fixture->count;
		}
		ended |= answer == SCHEDULE_END;
		if (answer == SCHEDULE_BLOCK) {
			assert_int_equal(plan->index, fixture->count);
			check_plan(&config->schedule, plan);
			fixture->count++;
		} else if (added < fixture->count) {
			add_result(config, fixture, added++, suspended);
		} else {
			/* If no result is missing, the schedule must not
			 * wait. */
			assert_int_equal(answer, SCHEDULE_END);
		}
	}
	assert_int_equal(
	    schedule_next(fixture->schedule, &fixture->plans[fixture->count]),
	    SCHEDULE_END);
	assert_true(fixture->count <= schedule_block_count(&config->schedule));
	return fixture;
}

/* Plays the schedule that such a text describes. */
#define schedule_fixture_open(...)                                      \
	schedule_fixture_play((const struct schedule_fixture_config[]){ \
	    schedule_fixture_read(__VA_ARGS__) })

static void
schedule_fixture_compare(
    const struct block_plan *one, const struct block_plan *two)
{
	assert_int_equal(one->index, two->index);
	assert_int_equal(one->round, two->round);
	assert_int_equal(one->stage, two->stage);
	assert_int_equal(one->dealer, two->dealer);
	assert_int_equal(one->bot_count, two->bot_count);
	assert_int_equal(one->game_count, two->game_count);
	assert_memory_equal(one->bots, two->bots, sizeof(one->bots));
	assert_memory_equal(one->seating, two->seating, sizeof(one->seating));
}

/* Draws which bots are suspended, and after which block of the first rounds. */
static void
draw_out(struct schedule_fixture_config *config, uint64_t *random, int rounds)
{
	int bots = config->schedule.bot_count;

	for (int i = 0; i < config->out_count; i++) {
		config->out[i].bot = support_random_below(random, bots);
		config->out[i].block =
		    support_random_below(random, rounds * bots);
	}
}

TEST(test_schedules_are_those_of_the_golden_file)
{
	/* Each bot is stronger by a point than the next one. */
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g",
		"h", "i", "j" };
	struct schedule_fixture_config config;
	struct schedule_fixture *fixture = NULL;
	static struct golden golden;
	int64_t next = 0;
	int cases = 0;

	while (golden_next(&golden, "schedule.txt")) {
		struct scopa_text text = support_text();

		if (strncmp(golden.bytes, "block ", 6) != 0) {
			assert_true(fixture == NULL || next == fixture->count);
			config =
			    schedule_fixture_read("%s falling", golden.bytes);
			fixture = schedule_fixture_play(&config);
			next = 0;
			cases++;
			continue;
		}
		assert_non_null(fixture);
		assert_true(next < fixture->count);
		schedule_print_block(&fixture->plans[next++], names,
		    &config.schedule.rules, &text);
		if (strcmp(text.bytes, golden.bytes) != 0)
			fail_msg("line %d: %s", golden.line, text.bytes);
	}
	assert_true(cases >= 10);
	assert_int_equal(next, fixture->count);
}

TEST(test_schedule_that_cannot_be_played_is_refused_with_a_reason)
{
	static struct golden golden;

	while (golden_next(&golden, "schedule_flaws.tsv")) {
		char **field = golden.fields;
		struct schedule_fixture_config config =
		    schedule_fixture_read("%s", field[0]);
		const char *found = schedule_flaw(&config.schedule);

		assert_int_equal(golden.field_count, 2);
		if (strcmp(field[1], "-") == 0
			? found != NULL
			: found == NULL || strstr(found, field[1]) == NULL)
			fail_msg("schedule_flaws.tsv:%d: %s", golden.line,
			    found ? found : "-");
	}
	assert_true(golden.line > 40);
}

/* The bots of a plan as bits. */
static uint64_t
bots_of(const struct block_plan *plan)
{
	uint64_t bots = 0;

	for (int i = 0; i < plan->bot_count; i++)
		bots |= UINT64_C(1) << plan->bots[i];
	return bots;
}

/* Every round has the same encounters, each once. */
static void
check_rounds(const char *text)
{
	struct schedule_config config =
	    schedule_fixture_read("%s", text).schedule;
	struct schedule_fixture *fixture =
	    schedule_fixture_open("%s ahead=1000 noise=5", text);
	int64_t encounters = fixture->count / config.rounds;

	assert_int_equal(fixture->count, schedule_block_count(&config));
	assert_int_equal(fixture->waits, 0);
	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];

		assert_int_equal(plan->stage, 0);
		assert_int_equal(plan->round, i / encounters);
		assert_int_equal(
		    bots_of(plan), bots_of(&fixture->plans[i % encounters]));
		for (int64_t k = i - i % encounters; k < i; k++)
			assert_true(
			    bots_of(plan) != bots_of(&fixture->plans[k]));
		assert_int_equal(schedule_place(fixture->schedule, 0), -1);
	}
}

TEST(test_round_has_every_encounter_once)
{
	static const char *const tables[] = { "scopa", "scopa,players=3",
		"scopa,teams=ABCD", "scopone,teams=ABAB", "scopa,teams=ABCABC",
		"scopa,teams=ABCDEF" };

	for (int table = 0; table < 6; table++) {
		for (int bots = 6; bots <= 9; bots++) {
			char text[128];

			snprintf(text, sizeof(text),
			    "roundrobin %s bots=%d rounds=3", tables[table],
			    bots);
			check_rounds(text);
			snprintf(text, sizeof(text),
			    "gauntlet %s bots=%d challengers=%d rounds=2 "
			    "single",
			    tables[table], bots, 1 + bots % 2);
			if (table < 5 || bots % 2 == 0)
				check_rounds(text);
		}
	}
	check_rounds("roundrobin scopa bots=2 rounds=5");
	check_rounds("roundrobin scopone,teams=ABAB bots=7 mixed rounds=3");
	check_rounds("gauntlet scopa,teams=ABABAB bots=8 mixed challengers=2");
}

TEST(test_without_duplicates_all_bots_are_first_equally_often)
{
	struct schedule_fixture *fixture =
	    schedule_fixture_open("roundrobin scopa bots=9 single");
	int first[9] = { 0 };

	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];

		first[plan->bots[plan->seating[0][0]]]++;
	}
	for (int bot = 0; bot < 9; bot++)
		assert_int_equal(first[bot], 4);
}

TEST(test_cyclic_order_is_drawn_for_each_block)
{
	static const char text[] =
	    "roundrobin scopone,teams=ABAB bots=4 mixed rounds=600";
	struct schedule_fixture *one = schedule_fixture_open("%s", text);
	struct schedule_fixture *other =
	    schedule_fixture_open("%s seed=1", text);
	int partners[4] = { 0 }, first[4] = { 0 };
	int64_t differences = 0;

	for (int i = 0; i < 600; i++) {
		const uint8_t *seats = one->plans[i].seating[0];

		differences +=
		    memcmp(seats, other->plans[i].seating[0], 4) != 0;
		first[seats[0]]++;
		for (int seat = 0; seat < 4; seat++)
			if (seats[seat] == 0)
				partners[seats[(seat + 2) % 4]]++;
	}
	/* A third each, and a quarter each, within four standard deviations. */
	for (int bot = 1; bot < 4; bot++)
		assert_in_range(partners[bot], 200 - 46, 200 + 46);
	for (int bot = 0; bot < 4; bot++)
		assert_in_range(first[bot], 150 - 42, 150 + 42);
	assert_true(differences > 500);
}

TEST(test_suspended_bot_changes_no_plan_of_a_round_robin)
{
	static const char text[] = "roundrobin scopa bots=5 rounds=4 ahead=3";
	struct schedule_fixture *fixture =
	    schedule_fixture_open("%s out=2@7", text);
	struct schedule_fixture *whole = schedule_fixture_open("%s", text);

	assert_int_equal(fixture->count, whole->count);
	for (int64_t i = 0; i < fixture->count; i++) {
		schedule_fixture_compare(&fixture->plans[i], &whole->plans[i]);
		assert_int_equal(fixture->skipped[i],
		    i > 7 && (bots_of(&fixture->plans[i]) & 4) != 0);
	}
}

enum { BOTS_MAX = 8 };

/* The encounters and results before a stage, taken from its plans. */
struct history {
	int bots;
	int met[BOTS_MAX][BOTS_MAX];
	int byes[BOTS_MAX];
	int points[BOTS_MAX]; /* in half points */
	double margins[BOTS_MAX];
};

/* The least `met` of the worst pair, over all ways to pair these bots. */
static int
least_met(const struct history *history, unsigned bots)
{
	int first = 0, best = INT_MAX;

	if (bots == 0)
		return 0;
	while ((bots >> first & 1) == 0)
		first++;
	bots &= ~(1U << first);
	for (int other = first + 1; other < history->bots; other++) {
		int met;

		if ((bots >> other & 1) == 0)
			continue;
		met = least_met(history, bots & ~(1U << other));
		if (history->met[first][other] > met)
			met = history->met[first][other];
		best = met < best ? met : best;
	}
	return best;
}

/* The same if one bot has a bye, which must be one with the fewest byes. */
static int
least_met_of(const struct history *history, unsigned bots)
{
	int fewest = INT_MAX, best = INT_MAX;

	if (__builtin_popcount(bots) % 2 == 0)
		return least_met(history, bots);
	for (int bot = 0; bot < history->bots; bot++)
		if ((bots >> bot & 1) != 0 && history->byes[bot] < fewest)
			fewest = history->byes[bot];
	for (int bot = 0; bot < history->bots; bot++) {
		int met;

		if ((bots >> bot & 1) == 0 || history->byes[bot] > fewest)
			continue;
		met = least_met(history, bots & ~(1U << bot));
		best = met < best ? met : best;
	}
	return best;
}

/* Checks the pairings of a stage, and adds them to the history. */
static void
check_stage(struct history *history, const struct schedule_fixture *fixture,
    int64_t start, int pairings, int rounds, unsigned active)
{
	int worst = 0, least = least_met_of(history, active);
	unsigned idle = active;

	for (int i = 0; i < pairings; i++) {
		const struct block_plan *plan = &fixture->plans[start + i];
		int one = plan->bots[0], other = plan->bots[1];
		double margin = 0;

		/* No bot is paired twice, and no suspended bot is paired. */
		assert_true((idle >> one & 1) != 0 && (idle >> other & 1) != 0);
		idle &= ~(1U << one) & ~(1U << other);
		if (history->met[one][other] > worst)
			worst = history->met[one][other];
		history->met[one][other]++;
		history->met[other][one]++;
		for (int round = 0; round < rounds; round++) {
			int64_t block = start + round * pairings + i;

			assert_int_equal(fixture->plans[block].bots[0], one);
			assert_int_equal(fixture->plans[block].bots[1], other);
			margin += fixture->margins[block];
		}
		history->points[one] += 1 + (margin > 0) - (margin < 0);
		history->points[other] += 1 - (margin > 0) + (margin < 0);
		history->margins[one] += margin;
		history->margins[other] -= margin;
	}
	assert_int_equal(worst, least);
	assert_int_equal(
	    __builtin_popcount(idle), __builtin_popcount(active) % 2);
	for (int bot = 0; bot < history->bots; bot++) {
		if ((idle >> bot & 1) == 0)
			continue;
		for (int other = 0; other < history->bots; other++)
			if ((active >> other & 1) != 0)
				assert_true(
				    history->byes[bot] <= history->byes[other]);
		history->byes[bot]++;
		history->points[bot] += 2;
	}
}

/* Places by points, then margins. */
static void
check_places(
    const struct history *history, const struct schedule_fixture *fixture)
{
	for (int bot = 0; bot < history->bots; bot++) {
		int place = 0;

		for (int other = 0; other < history->bots; other++) {
			int ahead =
			    history->points[other] - history->points[bot];
			double margin =
			    history->margins[other] - history->margins[bot];

			if (ahead > 0 || (ahead == 0 && margin > 1e-9))
				place++;
		}
		assert_int_equal(schedule_place(fixture->schedule, bot), place);
	}
}

static void
check_fixture(const struct schedule_fixture_config *config)
{
	struct schedule_fixture *fixture = schedule_fixture_play(config);
	struct history history = { .bots = config->schedule.bot_count };
	unsigned active = (1U << history.bots) - 1;
	int rounds = config->schedule.rounds, stage = 0;
	int64_t start = 0;

	while (start < fixture->count) {
		int pairings = __builtin_popcount(active) / 2;
		int64_t end = start + (int64_t)pairings * rounds;

		assert_true(end <= fixture->count);
		for (int64_t i = start; i < end; i++) {
			assert_int_equal(fixture->plans[i].stage, stage);
			assert_int_equal(fixture->plans[i].round,
			    stage * rounds + (i - start) / pairings);
		}
		check_stage(&history, fixture, start, pairings, rounds, active);
		for (int i = 0; i < config->out_count; i++)
			if (config->out[i].block < end)
				active &= ~(1U << config->out[i].bot);
		start = end;
		stage++;
	}
	if (config->out_count == 0) {
		assert_int_equal(stage, config->schedule.stages);
		check_places(&history, fixture);
	}
}

TEST(test_swiss_bots_meet_again_only_if_no_other_pairing_exists)
{
	for (int bots = 2; bots <= BOTS_MAX; bots++) {
		for (int i = 0; i < 60; i++) {
			struct schedule_fixture_config config =
			    schedule_fixture_read(
				"swiss scopa bots=%d "
				"stages=%d rounds=%d noise=%d "
				"draw=%d",
				bots, 1 + i % (2 * bots), 1 + i % 3, i % 4,
				100 * bots + i);

			for (int bot = 0; bot < bots; bot++)
				config.strengths[bot] = bot * (i % 3);
			check_fixture(&config);
		}
	}
}

TEST(test_swiss_bots_that_are_suspended_are_not_paired)
{
	uint64_t random = 5;

	for (int i = 0; i < 300; i++) {
		int bots = 3 + support_random_below(&random, BOTS_MAX - 2);
		struct schedule_fixture_config config = schedule_fixture_read(
		    "swiss scopa bots=%d stages=%d ahead=4 noise=%d draw=%d",
		    bots, 3 * bots, i % 4, i);

		config.out_count = 1 + i % 3;
		draw_out(&config, &random, 2);
		check_fixture(&config);
	}
}

TEST(test_largest_swiss_field_is_paired)
{
	struct schedule_fixture *fixture = schedule_fixture_open(
	    "swiss scopa bots=127 stages=130 ahead=1000 noise=20");
	static int met[127][127];

	assert_int_equal(fixture->count, 63 * 130);
	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];
		int low = plan->bots[0], high = plan->bots[1];

		if (i < 63 * 90)
			assert_int_equal(met[low][high], 0);
		met[low][high]++;
	}
}

/* A match of a knockout, as its blocks were counted. */
struct match {
	int first, second;
	int blocks, lead; /* blocks won less blocks lost by `first` */
	double margin;
	int winner; /* or -1 */
};

/* Adds a block to a match that is not decided yet. */
static void
match_add(struct match *match, double margin, bool skipped,
    const bool *suspended, int rounds)
{
	int sign = (margin > 1e-9) - (margin < -1e-9);
	int left, verdict = 0;

	assert_int_equal(match->winner, -1);
	if (skipped)
		sign = suspended[match->second] - suspended[match->first];
	else
		match->margin += margin;
	match->lead += sign;
	match->blocks++;
	left = rounds - match->blocks;
	if (left >= 0 && match->lead > left)
		verdict = 1;
	else if (left >= 0 && -match->lead > left)
		verdict = -1;
	if (left == 0 && verdict == 0)
		verdict = (match->margin > 1e-9) - (match->margin < -1e-9);
	if (left < 0 || (left == 0 && skipped))
		verdict = sign;
	if (verdict == 0 && (left == -16 || (left <= 0 && skipped)))
		verdict = 1;
	if (verdict != 0)
		match->winner = verdict > 0 ? match->first : match->second;
}

/* The bots that are not eliminated, and the matches of a stage. */
struct umpire {
	int bots;
	bool in[TOURNAMENT_BOTS_MAX], suspended[TOURNAMENT_BOTS_MAX];
	struct match matches[TOURNAMENT_BOTS_MAX / 2];
	int match_count, match_total;
};

static struct match *
match_of(struct umpire *umpire, const struct block_plan *plan)
{
	int low = plan->bots[0] < plan->bots[1] ? plan->bots[0] : plan->bots[1];
	int high = plan->bots[0] + plan->bots[1] - low;
	struct match *match;

	for (int i = 0; i < umpire->match_count; i++) {
		match = &umpire->matches[i];
		if (match->first == low && match->second == high)
			return match;
		/* A bot plays only one match in a stage. */
		assert_true(match->first != low && match->first != high);
		assert_true(match->second != low && match->second != high);
	}
	assert_true(umpire->in[low] && umpire->in[high]);
	match = &umpire->matches[umpire->match_count++];
	*match = (struct match){ .first = low, .second = high, .winner = -1 };
	return match;
}

/* Every match of the stage is decided; the losers are eliminated. */
static void
stage_end(struct umpire *umpire)
{
	for (int i = 0; i < umpire->match_count; i++) {
		struct match *match = &umpire->matches[i];

		assert_true(match->winner >= 0);
		umpire->in[match->first + match->second - match->winner] =
		    false;
	}
	umpire->match_total += umpire->match_count;
	umpire->match_count = 0;
}

/*
 * Places are 0, 1, 2, 2, 4, ...: before a loser are all bots that were not
 * eliminated in its stage.
 */
static void
check_places_knockout(
    const struct umpire *umpire, const struct schedule_fixture *fixture)
{
	int counts[TOURNAMENT_BOTS_MAX] = { 0 };

	for (int bot = 0; bot < umpire->bots; bot++) {
		int place = schedule_place(fixture->schedule, bot);

		assert_in_range(place, 0, umpire->bots - 1);
		counts[place]++;
	}
	assert_int_equal(counts[0], 1);
	for (int place = 1, next; place < umpire->bots; place = next) {
		next = 2 * place < umpire->bots ? 2 * place : umpire->bots;
		assert_int_equal(counts[place], next - place);
	}
}

static void
check_fixture_knockout(const struct schedule_fixture_config *config)
{
	struct schedule_fixture *fixture = schedule_fixture_play(config);
	struct umpire umpire = { .bots = config->schedule.bot_count };
	int stage = 0, round = -1, left = 0, winner = -1;

	memset(umpire.in, true, (size_t)umpire.bots);
	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];
		struct match *match;
		double margin = fixture->margins[i];

		if (plan->stage != stage) {
			assert_true(plan->stage > stage);
			stage_end(&umpire);
			stage = plan->stage;
			/* Each stage has new rounds, and so new packs. */
			assert_int_equal(plan->round, round + 1);
		}
		if (config->look_ahead == 1)
			assert_in_range(plan->round - round, 0, 1);
		round = plan->round > round ? plan->round : round;
		match = match_of(&umpire, plan);
		if (plan->bots[0] != match->first)
			margin = -margin;
		match_add(match, margin, fixture->skipped[i], umpire.suspended,
		    config->schedule.rounds);
		for (int k = 0; k < config->out_count; k++)
			if (config->out[k].block == i)
				umpire.suspended[config->out[k].bot] = true;
	}
	stage_end(&umpire);
	for (int bot = 0; bot < umpire.bots; bot++) {
		if (schedule_place(fixture->schedule, bot) == 0)
			winner = bot;
		/* A suspended bot may be eliminated without a block. */
		left += umpire.in[bot] && !umpire.suspended[bot];
	}
	assert_true(winner >= 0 && umpire.in[winner]);
	check_places_knockout(&umpire, fixture);
	if (config->out_count == 0) {
		assert_int_equal(left, 1);
		assert_int_equal(umpire.match_total, umpire.bots - 1);
	}
}

TEST(test_knockout_has_one_winner)
{
	for (int bots = 2; bots <= 17; bots++) {
		for (int i = 0; i < 40; i++) {
			struct schedule_fixture_config config =
			    schedule_fixture_read("knockout scopa bots=%d "
						  "rounds=%d ahead=%d noise=%d "
						  "draw=%d%s",
				bots, 1 + i % 7, 1 + 30 * (i % 2), 1 + i % 4, i,
				i % 3 == 0 ? " single" : "");

			check_fixture_knockout(&config);
		}
	}
}

TEST(test_knockout_with_suspended_bots_has_one_winner)
{
	uint64_t random = 6;

	for (int i = 0; i < 500; i++) {
		struct schedule_fixture_config config = schedule_fixture_read(
		    "knockout scopa bots=%d rounds=%d ahead=0 noise=%d draw=%d",
		    2 + support_random_below(&random, 16), 1 + i % 5, 1 + i % 4,
		    i);

		config.out_count = 1 + i % 7;
		draw_out(&config, &random, 3);
		check_fixture_knockout(&config);
	}
}

TEST(test_largest_bracket_is_played)
{
	struct schedule_fixture_config config = schedule_fixture_read(
	    "knockout scopa bots=128 rounds=3 ahead=50 falling");
	struct schedule_fixture *fixture = schedule_fixture_play(&config);

	/* Good seeds meet late: the lower its number, the further a bot
	 * gets. */
	for (int bot = 0; bot < 128; bot++) {
		int place = 0;

		while (bot >= (place == 0 ? 1 : 2 * place))
			place = place == 0 ? 1 : 2 * place;
		assert_int_equal(schedule_place(fixture->schedule, bot), place);
	}
	assert_int_equal(fixture->count, 127 * 2);
	check_fixture_knockout(&config);
}

/*
 * Blocks are planned and counted one by one, and places are compared after each
 * of them.
 */
TEST(test_places_are_given_as_soon_as_they_are_certain)
{
	static const struct {
		const char *text;
		int blocks;
		int places[5][4]; /* after each block */
	} cases[] = {
		/* All blocks are drawn: all bots are first, and no more blocks
		 * are planned. */
		{ "swiss scopa bots=4 stages=2", 4,
		    { { -1, -1, -1, -1 }, { -1, -1, -1, -1 },
			{ -1, -1, -1, -1 }, { -1, -1, -1, -1 },
			{ 0, 0, 0, 0 } } },
		{ "knockout scopa bots=4 points=4,3,2,1", 3,
		    { { -1, -1, -1, -1 }, { -1, -1, -1, -1 }, { -1, -1, 2, 2 },
			{ 0, 1, 2, 2 } } },
	};

	for (size_t k = 0; k < COUNTOF(cases); k++) {
		struct schedule_fixture_config config =
		    schedule_fixture_read("%s", cases[k].text);
		struct schedule *schedule =
		    test_malloc(schedule_size(&config.schedule));

		schedule_init(schedule, &config.schedule);
		for (int i = 0; i <= cases[k].blocks; i++) {
			struct block_plan plan;
			struct block_result block;

			for (int bot = 0; bot < 4; bot++)
				assert_int_equal(schedule_place(schedule, bot),
				    cases[k].places[i][bot]);
			if (i == cases[k].blocks)
				break;
			assert_int_equal(
			    schedule_next(schedule, &plan), SCHEDULE_BLOCK);
			block = schedule_fixture_result(&config, &plan);
			schedule_add(schedule, &block);
		}
		test_free(schedule);
	}
}

TEST(test_suspended_bot_loses_its_match)
{
	static const struct {
		const char *text;
		int count, places[4];
	} cases[] = {
		/* The suspended bot has a large lead when its second block is
		 * skipped. */
		{ "swiss scopa bots=2 stages=1 rounds=2 points=9,0 out=0@0", 2,
		    { 1, 0 } },
		/* It leads by a large margin, and one more block cannot be
		 * played. */
		{ "knockout scopa bots=3 rounds=2 points=0,9,1 out=1@0", 4,
		    { 1, 2, 0 } },
		/* Suspended after the stage: the opponent wins without a
		 * block. */
		{ "knockout scopa bots=3 rounds=2 points=0,9,1 out=1@1", 2,
		    { 0, 1, 2 } },
		/* Both winners of the first stage are suspended at its end. */
		{ "knockout scopa bots=4 rounds=5 points=4,3,2,1 out=0@5 "
		  "out=1@5",
		    6, { 0, 1, 2, 2 } },
		/* If all blocks are drawn, the better seed wins. */
		{ "knockout scopa bots=4 rounds=2",
		    3 * (2 + SCHEDULE_TIE_BREAKS_MAX), { 0, 1, 2, 2 } },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct schedule_fixture_config config =
		    schedule_fixture_read("%s", cases[i].text);
		struct schedule_fixture *fixture =
		    schedule_fixture_play(&config);

		assert_int_equal(fixture->count, cases[i].count);
		for (int bot = 0; bot < config.schedule.bot_count; bot++)
			assert_int_equal(schedule_place(fixture->schedule, bot),
			    cases[i].places[bot]);
	}
}

static const char *const schedules[] = {
	"roundrobin scopa bots=6 rounds=3",
	"roundrobin scopa,teams=ABCD bots=6 rounds=2",
	"roundrobin scopone,teams=ABAB bots=6 mixed rounds=2",
	"gauntlet scopa,players=3 bots=6 challengers=2 rounds=2",
	"swiss scopa bots=2 rounds=3",
	"swiss scopa bots=9 rounds=3",
	"swiss scopa bots=6 rounds=1 stages=12",
	"swiss scopa bots=7 rounds=2 stages=11 single",
	"swiss perdere bots=16 rounds=2",
	"knockout scopa bots=2 rounds=4",
	"knockout scopa bots=11 rounds=1",
	"knockout scopa bots=16 rounds=2",
	"knockout scopa bots=13 rounds=7",
	"knockout perdere bots=8 rounds=5 single",
	"ladder scopa bots=2 blocks=100",
	"ladder scopa bots=5 blocks=170",
	"ladder scopa bots=12 blocks=200",
};

enum { SCHEDULE_COUNT = COUNTOF(schedules) };

/* 0: drawn at random for each plan. */
static const int look_aheads[] = { 1, 2, 7, 64, 100000, 0 };

static void
check_look_aheads(struct schedule_fixture_config *config, const char *what)
{
	struct schedule_fixture *fixture, *other;

	config->look_ahead = look_aheads[0];
	fixture = schedule_fixture_play(config);
	for (int i = 1; i < 6; i++) {
		config->look_ahead = look_aheads[i];
		other = schedule_fixture_play(config);
		if (fixture->count != other->count)
			fail_msg("%s: %d blocks, not %d", what,
			    (int)other->count, (int)fixture->count);
		for (int64_t k = 0; k < fixture->count; k++) {
			schedule_fixture_compare(
			    &fixture->plans[k], &other->plans[k]);
			assert_int_equal(
			    fixture->skipped[k], other->skipped[k]);
		}
		for (int bot = 0; bot < config->schedule.bot_count; bot++)
			assert_int_equal(schedule_place(fixture->schedule, bot),
			    schedule_place(other->schedule, bot));
	}
}

/* From the fourth repetition on, bots are suspended. */
TEST(test_plans_do_not_depend_on_the_look_ahead)
{
	uint64_t random = 3;

	for (int i = 0; i < SCHEDULE_COUNT; i++) {
		for (int round = 0; round < 11; round++) {
			bool out = round >= 3;
			struct schedule_fixture_config config =
			    schedule_fixture_read("%s noise=%d draw=%d",
				schedules[i], out ? round % 3 + 1 : 2 * round,
				out ? round : i);

			config.out_count = out ? 1 + round % 4 : 0;
			draw_out(&config, &random, 5);
			check_look_aheads(&config, schedules[i]);
		}
	}
}

TEST(test_blocks_are_planned_until_a_result_is_needed)
{
	/* Blocks that are planned before the first result; -1: all. */
	static const struct {
		const char *text;
		int count;
	} cases[] = {
		{ "roundrobin scopa bots=6 rounds=3", -1 },
		{ "gauntlet scopa bots=6 challengers=2 rounds=3", -1 },
		/* One stage of a swiss tournament. */
		{ "swiss scopa bots=9 rounds=3", 12 },
		/* The fewest blocks that decide a best of five, in each
		 * match. */
		{ "knockout scopa bots=8 rounds=5", 4 * 3 },
		{ "knockout scopa bots=5 rounds=5", 3 },
		{ "knockout scopa bots=2 rounds=6", 4 },
		{ "knockout scopa bots=4 rounds=1", 2 },
		/* Three times the ring. */
		{ "ladder scopa bots=9 blocks=100", 27 },
		{ "ladder scopa bots=2 blocks=100", 3 },
		{ "ladder scopa bots=9 blocks=10", -1 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct schedule_fixture *fixture =
		    schedule_fixture_open("%s ahead=%d noise=3", cases[i].text,
			(int)SCHEDULE_FIXTURE_BLOCKS_MAX);

		assert_int_equal(fixture->first_wait, cases[i].count);
	}
}

/*
 * Ladders, in which the next blocks are those that give the most information.
 */

/* Number of blocks of each pair, skipped ones included. */
struct meetings {
	int counts[TOURNAMENT_BOTS_MAX][TOURNAMENT_BOTS_MAX];
};

static const struct meetings *
meetings_of(const struct schedule_fixture *fixture, int64_t from)
{
	static struct meetings meetings;

	memset(&meetings, 0, sizeof(meetings));
	for (int64_t i = from; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];

		meetings.counts[plan->bots[0]][plan->bots[1]]++;
		meetings.counts[plan->bots[1]][plan->bots[0]]++;
	}
	return &meetings;
}

TEST(test_ladder_begins_with_a_ring_of_all_bots)
{
	for (int bots = 2; bots <= 40; bots++) {
		int ring = bots == 2 ? 1 : bots;
		struct schedule_fixture *fixture = schedule_fixture_open(
		    "ladder scopa bots=%d blocks=%d noise=9", bots, 3 * ring);

		assert_int_equal(fixture->count, 3 * ring);
		for (int i = 0; i < 3 * ring; i++) {
			const struct block_plan *plan = &fixture->plans[i];
			int one = i % ring, other = (one + 1) % bots;

			assert_int_equal(
			    plan->bots[0] + plan->bots[1], one + other);
			assert_true(
			    plan->bots[0] == one || plan->bots[1] == one);
			assert_int_equal(plan->round, i / ring);
			assert_int_equal(plan->stage, 0);
		}
	}
}

TEST(test_each_ladder_block_of_a_pair_has_new_packs)
{
	struct schedule_fixture *fixture =
	    schedule_fixture_open("ladder scopa bots=7 blocks=300 noise=9");
	int rounds[7][7] = { { 0 } };

	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];

		assert_int_equal(
		    plan->round, rounds[plan->bots[0]][plan->bots[1]]++);
	}
}

/*
 * Two bots are equal; the strengths of the others differ much from theirs and
 * from each other.
 */
TEST(test_ladder_plays_most_blocks_between_similar_bots)
{
	static const char *const texts[] = { "scopa bots=6 blocks=400",
		"scopa bots=6 blocks=400 single", "perdere bots=6 blocks=400" };

	for (size_t i = 0; i < COUNTOF(texts); i++) {
		const struct meetings *meetings =
		    meetings_of(schedule_fixture_open("ladder %s noise=6 "
						      "points=0,20,40,60,40,80",
				    texts[i]),
			0);

		assert_true(meetings->counts[2][4] > 200);
		for (int one = 0; one < 6; one++)
			for (int other = 0; other < one; other++)
				if (one != 4 || other != 2)
					assert_true(
					    meetings->counts[one][other] < 40);
	}
}

TEST(test_ladder_never_chooses_a_suspended_bot)
{
	/* Without these two bots the ring is divided into two parts. */
	const struct meetings *meetings = meetings_of(
	    schedule_fixture_open("ladder scopa bots=6 blocks=200 "
				  "ahead=64 noise=6 out=1@0 out=4@0"),
	    18);

	for (int bot = 0; bot < 6; bot++) {
		int blocks = 0;

		assert_int_equal(meetings->counts[1][bot], 0);
		assert_int_equal(meetings->counts[4][bot], 0);
		for (int other = 0; other < 6; other++)
			blocks += meetings->counts[bot][other];
		if (bot != 1 && bot != 4)
			assert_in_range(blocks, 20, 160);
	}
}

TEST(test_ladder_ends_if_one_bot_is_left)
{
	struct schedule_fixture *fixture =
	    schedule_fixture_open("ladder scopa bots=3 blocks=200 ahead=64 "
				  "noise=6 out=2@8 out=0@20");

	/* The ring, and the generation in which the last opponent is
	 * suspended. */
	assert_int_equal(fixture->count, 9 + 32);
	assert_true(fixture->skipped[40]);
}

TEST(test_largest_ladder_field_is_played)
{
	struct schedule_fixture *fixture = schedule_fixture_open(
	    "ladder scopa bots=128 blocks=512 ahead=1000 noise=6 falling");
	int far = 0;

	assert_int_equal(fixture->count, 512);
	assert_int_equal(fixture->plans[511].stage, 1);
	/* At the end most blocks are between bots of similar strength. */
	for (int64_t i = 384; i < 512; i++)
		far += abs(fixture->plans[i].bots[0] -
			   fixture->plans[i].bots[1]) > 16;
	assert_true(far < 32);
}
