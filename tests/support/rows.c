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
		snprintf(made->command, sizeof(made->command), "./bot %d", bot);
		snprintf(made->digest, sizeof(made->digest), "%064d", bot);
	}
	return &head;
}

/* A number of any size, the ends of the range among them. */
static int64_t
any_number(uint64_t *state, int64_t min, int64_t max)
{
	uint64_t bits = support_random(state) >> 1;

	switch (support_random_below(state, 8)) {
	case 0:
		return min;
	case 1:
		return max;
	case 2:
		return min > 0 ? min : 0;
	default:
		bits >>= support_random_below(state, 63);
		return (int64_t)bits < min || (int64_t)bits > max
		    ? min
		    : (int64_t)bits;
	}
}

/* Any text, of strange bytes too. */
static void
any_text(uint64_t *state, char *text, int size)
{
	int length = support_random_below(state, size);

	memset(text, 0, (size_t)size);
	for (int i = 0; i < length; i++)
		text[i] = (char)(1 + support_random_below(state, 255));
}

static int
any_team(uint64_t *state, int count)
{
	int team = support_random_below(state, count + 1);

	return team == count ? SCOPA_TEAM_NONE : team;
}

/* A bot that is none of those. */
static int
any_other_bot(
    uint64_t *state, const struct store_head *head, const int *bots, int count)
{
	int bot = support_random_below(state, head->bot_count), i = 0;

	while (i < count) {
		bool same = bots[i++] == bot;

		if (same) {
			bot = support_random_below(state, head->bot_count);
			i = 0;
		}
	}
	return bot;
}

static void
any_plan(uint64_t *state, const struct store_head *head, int64_t index,
    struct block_plan *plan)
{
	int seats = scopa_seatings[head->teams].players;

	plan->index = index;
	plan->round = (int)any_number(state, 0, INT32_MAX);
	plan->stage = (int)any_number(state, 0, INT32_MAX);
	plan->dealer = support_random_below(state, seats);
	plan->bot_count = seats < head->bot_count ? seats : head->bot_count;
	plan->bot_count = 2 + support_random_below(state, plan->bot_count - 1);
	for (int i = 0; i < plan->bot_count; i++)
		plan->bots[i] = any_other_bot(state, head, plan->bots, i);
	plan->game_count = head->game_count;
	for (int game = 0; game < plan->game_count; game++)
		for (int seat = 0; seat < seats; seat++)
			plan->seating[game][seat] =
			    (uint8_t)support_random_below(
				state, plan->bot_count);
}

static void
any_seats(uint64_t *state, const struct store_head *head,
    const struct block_plan *plan, int at, struct summary *game)
{
	const struct scopa_seating *seating = &scopa_seatings[head->teams];

	game->seat_count = seating->players;
	for (int seat = 0; seat < game->seat_count; seat++) {
		int bot = plan->bots[plan->seating[at][seat]];

		game->team[seat] = seating->team[seat];
		memcpy(
		    game->names[seat], head->bots[bot].name, EVENT_NAME_SIZE);
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			game->offences[seat][kind] =
			    (int32_t)any_number(state, 0, INT32_MAX);
		game->think_us[seat] = any_number(state, 0, INT64_MAX);
		game->think_longest_us[seat] = any_number(state, 0, INT64_MAX);
		game->decision_count[seat] =
		    (int32_t)any_number(state, 0, INT32_MAX);
		game->off_turn_ns[seat] = any_number(state, 0, INT64_MAX);
		game->pondered[seat] = support_random_below(state, 2) == 1;
		game->cut_short[seat] =
		    (int32_t)any_number(state, 0, INT32_MAX);
	}
}

/* Sandbox levels, and times that others took. */
static void
any_conditions(uint64_t *state, struct summary *game)
{
	static const char *const words[] = { "", "box", "core+tree",
		"unboxed" };
	static const char *const codes[] = { "VOID", "ENV_ERR", "BOX_ERR" };

	strcpy(game->sandbox, words[support_random_below(state, 4)]);
	game->analysis = support_random_below(state, 2) == 1;
	game->voided_count =
	    support_random_below(state, SUMMARY_VOIDED_MAX + 1);
	for (int i = 0; i < game->voided_count; i++)
		strcpy(game->voided[i], codes[support_random_below(state, 3)]);
	game->void_turns = (int32_t)any_number(state, 0, INT32_MAX);
	game->lag_longest_ns = any_number(state, 0, INT64_MAX);
}

static void
any_game(uint64_t *state, const struct store_head *head,
    const struct block_plan *plan, int at, struct summary *game)
{
	const struct scopa_seating *seating = &scopa_seatings[head->teams];

	game->game = plan->index * plan->game_count + at;
	game->round = plan->round;
	game->rotation = at;
	game->team_count = seating->teams;
	any_seats(state, head, plan, at, game);
	any_conditions(state, game);
	for (int team = 0; team < game->team_count; team++) {
		game->scores[team] =
		    (int32_t)any_number(state, INT32_MIN, INT32_MAX);
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			game->item_points[team][item] =
			    (int32_t)any_number(state, INT32_MIN, INT32_MAX);
	}
	game->deal_count = (int)any_number(state, 0, INT32_MAX);
	game->winner = any_team(state, game->team_count);
	game->forfeiter = any_team(state, game->team_count);
	any_text(state, game->reason, sizeof(game->reason));
	game->offender = support_random_below(state, game->seat_count + 1) - 1;
	if (game->offender < 0)
		return;
	game->offence =
	    (enum offence_kind)support_random_below(state, OFFENCE_KIND_COUNT);
	any_text(state, game->offence_reason, sizeof(game->offence_reason));
}

void
rows_random(uint64_t *state, const struct store_head *head, int64_t index,
    struct block_result *block)
{
	struct block_place *place = &block->place;

	memset(block, 0, sizeof(*block));
	any_plan(state, head, index, &block->plan);
	for (int i = 0; i < STORE_DIGEST_SIZE; i++) {
		place->digest[i] =
		    (unsigned char)support_random_below(state, 256);
		place->chain[i] =
		    (unsigned char)support_random_below(state, 256);
	}
	block->skipped = support_random_below(state, 5) == 0;
	if (block->skipped)
		return;
	place->offset = any_number(state, 0, INT64_MAX / 2);
	place->size = any_number(state, 1, INT64_MAX / 2);
	for (int at = 0; at < block->plan.game_count; at++)
		any_game(state, head, &block->plan, at, &block->games[at]);
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
