/*
 * Rows as blocks: exactly those that were added.
 */
#include <limits.h>
#include <sodium.h>
#include <string.h>

#include "store_list.h"
#include "store_state.h"

/* Columns of STORE_WALK. */
enum {
	WALK_BLOCK,
	WALK_ROUND,
	WALK_STAGE,
	WALK_DEALER,
	WALK_BOTS,
	WALK_SEATING,
	WALK_SKIPPED,
	WALK_RECORD_OFFSET,
	WALK_RECORD_SIZE,
	WALK_RECORD_SHA256,
	WALK_CHAIN,
	WALK_GAME,
	WALK_SCORES,
	WALK_POINTS,
	WALK_DEALS,
	WALK_WINNER,
	WALK_REASON,
	WALK_FORFEITER,
	WALK_OFFENDER,
	WALK_OFFENCE,
	WALK_OFFENCE_REASON,
	WALK_OFFENCES,
	WALK_THINK,
	WALK_THINK_LONGEST,
	WALK_DECISIONS,
	WALK_OFF_TURN,
	WALK_PONDERED,
	WALK_VOID_TURNS,
	WALK_LAG_LONGEST,
	WALK_SANDBOX,
	WALK_ANALYSIS,
	WALK_CUT_SHORT,
	WALK_VOIDED
};

bool
store_column_copy(sqlite3_stmt *statement, int column, char *text, size_t size)
{
	const char *from = (const char *)sqlite3_column_text(statement, column);

	if (!from || strlen(from) >= size)
		return false;
	memcpy(text, from, strlen(from) + 1);
	return true;
}

/* The text of a column; what is NULL reads as empty, which no list is. */
static const char *
column_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return text ? text : "";
}

/* A number that stands in the column one higher than here. */
static bool
take_int(sqlite3_stmt *statement, int column, int max, int *number)
{
	int64_t value = sqlite3_column_int64(statement, column);

	if (value < 1 || value > (int64_t)max + 1)
		return false;
	*number = (int)(value - 1);
	return true;
}

static bool
take_bots(const struct store *store, const char *text, struct block_plan *plan)
{
	int64_t bots[SCOPA_SEATS_MAX];

	plan->bot_count = 1;
	for (const char *at = text; *at; at++)
		plan->bot_count += *at == ',';
	if (plan->bot_count > SCOPA_SEATS_MAX ||
	    !store_list_read(
		&text, bots, plan->bot_count, 1, store->head.bot_count))
		return false;
	for (int i = 0; i < plan->bot_count; i++)
		plan->bots[i] = (int)bots[i] - 1;
	return *text == '\0';
}

static bool
find_member(const struct block_plan *plan, int64_t bot, uint8_t *member)
{
	for (int i = 0; i < plan->bot_count; i++) {
		if (plan->bots[i] != bot)
			continue;
		*member = (uint8_t)i;
		return true;
	}
	return false;
}

static bool
take_seating(
    const struct store *store, const char *text, struct block_plan *plan)
{
	int seat_count = store_seating(store)->players;
	int64_t bots[SCOPA_SEATS_MAX];

	plan->game_count = store->head.game_count;
	for (int game = 0; game < plan->game_count; game++) {
		if (!store_byte_read(&text, game > 0 ? ',' : '[') ||
		    !store_list_read(
			&text, bots, seat_count, 1, store->head.bot_count))
			return false;
		for (int seat = 0; seat < seat_count; seat++)
			if (!find_member(plan, bots[seat] - 1,
				&plan->seating[game][seat]))
				return false;
	}
	return store_byte_read(&text, ']') && *text == '\0';
}

bool
store_digest_read(const char *hex, unsigned char digest[STORE_DIGEST_SIZE])
{
	size_t size;

	return strlen(hex) == 2 * STORE_DIGEST_SIZE &&
	    sodium_hex2bin(digest, STORE_DIGEST_SIZE, hex, strlen(hex), NULL,
		&size, NULL) == 0 &&
	    size == STORE_DIGEST_SIZE;
}

static bool
take_block(const struct store *store, sqlite3_stmt *statement,
    struct block_result *block, struct store_place *place)
{
	struct block_plan *plan = &block->plan;

	memset(block, 0, sizeof(*block));
	memset(place, 0, sizeof(*place));
	plan->index = sqlite3_column_int64(statement, WALK_BLOCK) - 1;
	block->skipped = sqlite3_column_int(statement, WALK_SKIPPED) != 0;
	place->offset = sqlite3_column_int64(statement, WALK_RECORD_OFFSET);
	place->size = sqlite3_column_int64(statement, WALK_RECORD_SIZE);
	return plan->index >= 0 && place->offset >= 0 && place->size >= 0 &&
	    take_int(statement, WALK_ROUND, INT_MAX, &plan->round) &&
	    take_int(statement, WALK_STAGE, INT_MAX, &plan->stage) &&
	    take_int(statement, WALK_DEALER, store_seating(store)->players - 1,
		&plan->dealer) &&
	    take_bots(store, column_text(statement, WALK_BOTS), plan) &&
	    take_seating(store, column_text(statement, WALK_SEATING), plan) &&
	    store_digest_read(
		column_text(statement, WALK_RECORD_SHA256), place->digest) &&
	    store_digest_read(column_text(statement, WALK_CHAIN), place->chain);
}

static bool
take_team(
    const struct store *store, sqlite3_stmt *statement, int column, int *team)
{
	const char *text = column_text(statement, column);

	*team = SCOPA_TEAM_NONE;
	if (text[0] == '\0')
		return sqlite3_column_type(statement, column) == SQLITE_NULL;
	if (text[0] < 'A' || text[1] != '\0' ||
	    text[0] - 'A' >= store_seating(store)->teams)
		return false;
	*team = text[0] - 'A';
	return true;
}

static bool
take_numbers(sqlite3_stmt *statement, int column, int64_t *numbers, int count)
{
	const char *text = column_text(statement, column);

	return store_list_read(&text, numbers, count, INT64_MIN, INT64_MAX) &&
	    *text == '\0';
}

static bool
take_small_numbers(
    sqlite3_stmt *statement, int column, int32_t *numbers, int count)
{
	const char *text = column_text(statement, column);
	int64_t wide[SCOPA_SEATS_MAX];

	if (!store_list_read(&text, wide, count, INT32_MIN, INT32_MAX))
		return false;
	for (int i = 0; i < count; i++)
		numbers[i] = (int32_t)wide[i];
	return *text == '\0';
}

static bool
take_tallies(sqlite3_stmt *statement, int column, int32_t *numbers, int rows,
    int count, const char *(*name)(int index))
{
	const char *text = column_text(statement, column);

	for (int row = 0; row < rows; row++)
		if (!store_byte_read(&text, row > 0 ? ',' : '[') ||
		    !store_tally_read(
			&text, numbers + row * count, count, name))
			return false;
	return store_byte_read(&text, ']') && *text == '\0';
}

/* The offence that lost the game, if any did. */
static bool
take_offence(sqlite3_stmt *statement, struct summary *game)
{
	const char *kind = column_text(statement, WALK_OFFENCE);
	int at = 0;

	game->offender = -1;
	if (sqlite3_column_type(statement, WALK_OFFENDER) == SQLITE_NULL)
		return sqlite3_column_type(statement, WALK_OFFENCE) ==
		    SQLITE_NULL;
	while (
	    at < OFFENCE_KIND_COUNT && strcmp(kind, store_kind_name(at)) != 0)
		at++;
	if (at == OFFENCE_KIND_COUNT)
		return false;
	game->offence = (enum offence_kind)at;
	return take_int(statement, WALK_OFFENDER, game->seat_count - 1,
		   &game->offender) &&
	    store_column_copy(statement, WALK_OFFENCE_REASON,
		game->offence_reason, sizeof(game->offence_reason));
}

/* `ENV_ERR,VOID`, or NULL: there was no other attempt. */
static bool
take_voided(sqlite3_stmt *statement, struct summary *game)
{
	const char *at = column_text(statement, WALK_VOIDED);

	bool more = sqlite3_column_type(statement, WALK_VOIDED) != SQLITE_NULL;

	game->voided_count = 0;
	while (more) {
		size_t length = strcspn(at, ",");

		if (length == 0 || length >= SUMMARY_VOIDED_SIZE ||
		    game->voided_count == SUMMARY_VOIDED_MAX)
			return false;
		memcpy(game->voided[game->voided_count++], at, length);
		more = at[length] == ',';
		at += length + more;
	}
	return true;
}

/* What bind_conditions has written. */
static bool
take_conditions(sqlite3_stmt *statement, struct summary *game)
{
	int32_t pondered[SCOPA_SEATS_MAX];

	if (!take_numbers(statement, WALK_OFF_TURN, game->off_turn_ns,
		game->seat_count) ||
	    !take_small_numbers(
		statement, WALK_PONDERED, pondered, game->seat_count) ||
	    !take_small_numbers(
		statement, WALK_CUT_SHORT, game->cut_short, game->seat_count) ||
	    !take_voided(statement, game))
		return false;
	for (int seat = 0; seat < game->seat_count; seat++)
		game->pondered[seat] = pondered[seat] != 0;
	game->void_turns = sqlite3_column_int(statement, WALK_VOID_TURNS);
	game->lag_longest_ns =
	    sqlite3_column_int64(statement, WALK_LAG_LONGEST);
	game->analysis = sqlite3_column_int(statement, WALK_ANALYSIS) != 0;
	return sqlite3_column_type(statement, WALK_SANDBOX) == SQLITE_NULL ||
	    store_column_copy(
		statement, WALK_SANDBOX, game->sandbox, sizeof(game->sandbox));
}

static bool
take_game(const struct store *store, sqlite3_stmt *statement,
    const struct block_plan *plan, int at, struct summary *game)
{
	const struct scopa_seating *seating = store_seating(store);
	int teams = seating->teams, seats = seating->players;

	game->game = plan->index * plan->game_count + at;
	game->round = plan->round;
	game->rotation = at;
	game->seat_count = seats;
	game->team_count = teams;
	for (int seat = 0; seat < seats; seat++) {
		int bot = plan->bots[plan->seating[at][seat]];

		game->team[seat] = seating->team[seat];
		memcpy(game->names[seat], store->head.bots[bot].name,
		    EVENT_NAME_SIZE);
	}
	game->deal_count = sqlite3_column_int(statement, WALK_DEALS);
	return sqlite3_column_int64(statement, WALK_GAME) == game->game + 1 &&
	    take_small_numbers(statement, WALK_SCORES, game->scores, teams) &&
	    take_tallies(statement, WALK_POINTS, game->item_points[0], teams,
		SCOPA_ITEM_COUNT, store_item_name) &&
	    take_team(store, statement, WALK_WINNER, &game->winner) &&
	    store_column_copy(
		statement, WALK_REASON, game->reason, sizeof(game->reason)) &&
	    take_team(store, statement, WALK_FORFEITER, &game->forfeiter) &&
	    take_offence(statement, game) &&
	    take_tallies(statement, WALK_OFFENCES, game->offences[0], seats,
		OFFENCE_KIND_COUNT, store_kind_name) &&
	    take_numbers(statement, WALK_THINK, game->think_us, seats) &&
	    take_numbers(
		statement, WALK_THINK_LONGEST, game->think_longest_us, seats) &&
	    take_small_numbers(
		statement, WALK_DECISIONS, game->decision_count, seats) &&
	    take_conditions(statement, game);
}

int
store_rows_take(const struct store *store, sqlite3_stmt *statement,
    struct block_result *block, struct store_place *place, bool *good)
{
	int count = 0, rc;

	*good = take_block(store, statement, block, place);
	if (!*good)
		return 0;
	do {
		bool any =
		    sqlite3_column_type(statement, WALK_GAME) != SQLITE_NULL;

		*good = any
		    ? !block->skipped && count < block->plan.game_count &&
			take_game(store, statement, &block->plan, count,
			    &block->games[count])
		    : block->skipped;
		if (!*good)
			return 0;
		count += any;
		rc = sqlite3_step(statement);
	} while (rc == SQLITE_ROW &&
	    sqlite3_column_int64(statement, WALK_BLOCK) ==
		block->plan.index + 1);
	*good = block->skipped || count == block->plan.game_count;
	return rc;
}
