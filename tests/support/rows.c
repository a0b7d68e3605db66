#include "rows.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "test.h"

const struct store_head *
rows_head(enum scopa_teams teams, int bot_count, int game_count)
{
	static struct store_head head;

	memset(&head, 0, sizeof(head));
	head.teams = (int16_t)teams;
	head.bot_count = bot_count;
	head.game_count = game_count;
	strcpy(head.command, "tournament");
	strcpy(head.name, "evening");
	strcpy(head.tool, "scopa-arena/0.1.0");
	strcpy(head.created, "2025-01-31T18:30:00Z");
	for (int bot = 0; bot < bot_count; bot++) {
		struct store_bot *made = &head.bots[bot];

		snprintf(made->name, sizeof(made->name), "bot \"%d\"", bot);
		made->command = bot % 2 == 0 ? "./bot" : "./bot --fast";
		snprintf(made->digest, sizeof(made->digest), "%064d", bot);
	}
	return &head;
}

bool
rows_heads_equal(const struct store_head *one, const struct store_head *other)
{
	static struct store_head copy;

	copy = *one;
	for (int bot = 0; bot < one->bot_count; bot++) {
		const char *command = other->bots[bot].command;

		if (strcmp(one->bots[bot].command, command) != 0)
			return false;
		copy.bots[bot].command = command;
	}
	return memcmp(&copy, other, sizeof(copy)) == 0;
}

/* The state of the random numbers of rows_random. */
static uint64_t *random_state;

static int
below(int limit)
{
	return support_random_below(random_state, limit);
}

/* A random number of the range; its ends are frequent. */
static int64_t
any_number(int64_t min, int64_t max)
{
	uint64_t bits = support_random(random_state) >> 1;

	switch (below(8)) {
	case 0:
		return min;
	case 1:
		return max;
	case 2:
		return min > 0 ? min : 0;
	default:
		bits >>= below(63);
		return (int64_t)bits < min || (int64_t)bits > max
		    ? min
		    : (int64_t)bits;
	}
}

static int32_t
any_count(void)
{
	return (int32_t)any_number(0, STORE_NUMBER_MAX);
}

static int64_t
any_time(void)
{
	return any_number(0, STORE_LONG_NUMBER_MAX);
}

/* A random text of any bytes. */
static void
any_text(char *text, int size)
{
	int length = below(size);

	memset(text, 0, (size_t)size);
	for (int i = 0; i < length; i++)
		text[i] = (char)(1 + below(255));
}

static int
any_team(int count)
{
	int team = below(count + 1);

	return team == count ? SCOPA_TEAM_NONE : team;
}

static void
any_plan(const struct store_head *head, int64_t index, struct block_plan *plan)
{
	int seats = scopa_seatings[head->teams].players, i = 0;

	plan->index = index;
	plan->round = any_count();
	plan->stage = any_count();
	plan->dealer = below(seats);
	plan->bot_count = seats < head->bot_count ? seats : head->bot_count;
	plan->bot_count = 2 + below(plan->bot_count - 1);
	while (i < plan->bot_count) {
		int same = 0;

		plan->bots[i] = below(head->bot_count);
		while (plan->bots[same] != plan->bots[i])
			same++;
		i += same == i;
	}
	plan->game_count = head->game_count;
	for (int game = 0; game < plan->game_count; game++)
		for (int seat = 0; seat < seats; seat++)
			plan->seating[game][seat] =
			    (uint8_t)below(plan->bot_count);
}

static void
any_seats(const struct store_head *head, const struct block_plan *plan, int at,
    struct summary *game)
{
	const struct scopa_seating *seating = &scopa_seatings[head->teams];

	game->seat_count = seating->players;
	for (int seat = 0; seat < game->seat_count; seat++) {
		int bot = plan->bots[plan->seating[at][seat]];

		game->team[seat] = seating->team[seat];
		memcpy(
		    game->names[seat], head->bots[bot].name, EVENT_NAME_SIZE);
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			game->offences[seat][kind] = any_count();
		game->think_us[seat] = any_time();
		game->think_longest_us[seat] = any_time();
		game->decision_count[seat] = any_count();
		game->off_turn_ns[seat] = any_time();
		game->pondered[seat] = below(2) == 1;
		game->cut_short[seat] = any_count();
	}
}

/* Random sandbox levels, and times used by other processes. */
static void
any_conditions(struct summary *game)
{
	static const char *const words[] = { "", "box", "core+tree",
		"unboxed" };
	static const char *const codes[] = { "VOID", "ENV_ERR", "BOX_ERR" };

	strcpy(game->sandbox, words[below(4)]);
	game->analysis = below(2) == 1;
	game->voided_count = below(SUMMARY_VOIDED_MAX + 1);
	for (int i = 0; i < game->voided_count; i++)
		strcpy(game->voided[i], codes[below(3)]);
	game->void_turns = any_count();
	game->lag_longest_ns = any_time();
}

static void
any_game(const struct store_head *head, const struct block_plan *plan, int at,
    struct summary *game)
{
	game->game = plan->index * plan->game_count + at;
	game->round = plan->round;
	game->rotation = at;
	game->team_count = scopa_seatings[head->teams].teams;
	any_seats(head, plan, at, game);
	any_conditions(game);
	for (int team = 0; team < game->team_count; team++) {
		game->scores[team] =
		    (int32_t)any_number(-STORE_NUMBER_MAX, STORE_NUMBER_MAX);
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			game->item_points[team][item] = (int32_t)any_number(
			    -STORE_NUMBER_MAX, STORE_NUMBER_MAX);
	}
	game->deal_count = any_count();
	game->winner = any_team(game->team_count);
	game->forfeiter = any_team(game->team_count);
	any_text(game->reason, sizeof(game->reason));
	game->offender = below(game->seat_count + 1) - 1;
	if (game->offender < 0)
		return;
	game->offence = (enum offence_kind)below(OFFENCE_KIND_COUNT);
	any_text(game->offence_reason, sizeof(game->offence_reason));
}

void
rows_random(uint64_t *state, const struct store_head *head, int64_t index,
    struct block_result *block)
{
	struct block_place *place = &block->place;

	random_state = state;
	memset(block, 0, sizeof(*block));
	any_plan(head, index, &block->plan);
	for (int i = 0; i < STORE_DIGEST_SIZE; i++) {
		place->digest[i] = (unsigned char)below(256);
		place->chain[i] = (unsigned char)below(256);
	}
	block->skipped = below(5) == 0;
	if (block->skipped)
		return;
	place->offset = any_number(0, INT64_MAX / 2);
	place->size = any_number(1, INT64_MAX / 2);
	for (int at = 0; at < block->plan.game_count; at++)
		any_game(head, &block->plan, at, &block->games[at]);
}

size_t
rows_record(uint64_t *state, const struct store_head *head, int64_t index,
    struct block_result *block, char *record, size_t size)
{
	size_t length = 1 + (size_t)support_random_below(state, (int)size);

	rows_random(state, head, index, block);
	for (size_t i = 0; i < length; i++)
		record[i] = (char)('a' + support_random_below(state, 26));
	record[length - 1] = '\n';
	return block->skipped ? 0 : length;
}

bool
rows_equal(const struct block_result *a, const struct block_result *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

void
rows_meddle(const char *path, const char *sql)
{
	sqlite3 *database;

	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(database);
}
