#include "schedule_fixture.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "support.h"
#include "test.h"

enum { LOOK_AHEAD_MAX = 64 };

/* Points of the bots from the first on. */
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

struct schedule_fixture_config
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
	while (strcmp(schedule_format_name(*found), word) != 0)
		++*found;
	config.schedule.rules = support_rules(strsep(&rest, " "));
	while (rest != NULL)
		read_word(&config, strsep(&rest, " "));
	return config;
}

struct block_result
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

			/* Neighbouring seeds must not give the same numbers. */
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

/* Who is in the block meets the others once, and sits with its team. */
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

/* With duplicates every bot takes every seat equally often. */
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
	/* And no two games are seated alike. */
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

/* Takes one result and suspends who is to go after it. */
static void
add_block(const struct schedule_fixture_config *config,
    struct schedule_fixture *fixture, int64_t number, bool *suspended)
{
	const struct block_plan *plan = &fixture->plans[number];
	struct block_result block = schedule_fixture_result(config, plan);

	for (int i = 0; i < plan->bot_count; i++)
		block.skipped |= suspended[plan->bots[i]];
	fixture->skipped[number] = block.skipped;
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

static struct schedule_fixture *open_fixtures;

struct schedule_fixture *
schedule_fixture_play(const struct schedule_fixture_config *config)
{
	struct schedule_fixture *fixture = calloc(1, sizeof(*fixture));
	bool suspended[TOURNAMENT_BOTS_MAX] = { false }, ended = false;
	uint64_t random = config->seed;
	int64_t taken = 0;

	assert_non_null(fixture);
	fixture->schedule = malloc(schedule_size(&config->schedule));
	assert_non_null(fixture->schedule);
	schedule_init(fixture->schedule, &config->schedule);
	fixture->first_wait = -1;
	fixture->next = open_fixtures;
	open_fixtures = fixture;
	while (!ended || taken < fixture->count) {
		struct block_plan *plan = &fixture->plans[fixture->count];
		int64_t limit = config->look_ahead > 0
		    ? config->look_ahead
		    : support_random_below(&random, LOOK_AHEAD_MAX) + 1;
		enum schedule_answer answer = SCHEDULE_WAIT;

		if (!ended && fixture->count - taken < limit) {
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
		} else if (taken < fixture->count) {
			add_block(config, fixture, taken++, suspended);
		} else {
			/* With nothing due there is nothing to wait for. */
			assert_int_equal(answer, SCHEDULE_END);
		}
	}
	assert_int_equal(
	    schedule_next(fixture->schedule, &fixture->plans[fixture->count]),
	    SCHEDULE_END);
	assert_true(fixture->count <= schedule_block_count(&config->schedule));
	return fixture;
}

void
schedule_fixture_close(struct schedule_fixture *fixture)
{
	struct schedule_fixture **at = &open_fixtures;

	while (*at != fixture)
		at = &(*at)->next;
	*at = fixture->next;
	free(fixture->schedule);
	free(fixture);
}

int
schedule_fixture_teardown(void **state)
{
	(void)state;
	while (open_fixtures != NULL)
		schedule_fixture_close(open_fixtures);
	return 0;
}

void
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
