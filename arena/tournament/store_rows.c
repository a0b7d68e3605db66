/*
 * Blocks as rows; store_read.c has the way back.
 */
#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "store_list.h"
#include "store_state.h"

enum {
	LIST_SIZE = 160,
	TALLIES_SIZE = 4096,
	HEX_SIZE = 2 * STORE_DIGEST_SIZE + 1
};

static void
bind_text(sqlite3_stmt *statement, int at, const char *text)
{
	sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

/* The columns are read before the next step, so nothing is copied. */
static int
finish(sqlite3_stmt *statement)
{
	int rc = sqlite3_step(statement);

	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static void
write_bots(const struct block_plan *plan, struct scopa_text *text)
{
	int64_t bots[SCOPA_SEATS_MAX];

	for (int i = 0; i < plan->bot_count; i++)
		bots[i] = plan->bots[i] + 1;
	store_list_write(text, bots, plan->bot_count);
}

static void
write_seating(
    const struct block_plan *plan, int seat_count, struct scopa_text *text)
{
	int64_t bots[SCOPA_SEATS_MAX];

	for (int game = 0; game < plan->game_count; game++) {
		for (int seat = 0; seat < seat_count; seat++)
			bots[seat] = plan->bots[plan->seating[game][seat]] + 1;
		scopa_text_char(text, game > 0 ? ',' : '[');
		store_list_write(text, bots, seat_count);
	}
	scopa_text_char(text, ']');
}

static int
add_block(struct store *store, const struct block_result *block,
    const struct store_place *place)
{
	const struct block_plan *plan = &block->plan;
	char bots[LIST_SIZE], seating[BLOCK_GAMES_MAX * LIST_SIZE];
	char hex[HEX_SIZE], chain[HEX_SIZE];
	struct scopa_text bots_text, seating_text;
	sqlite3_stmt *statement;
	int rc = store_prepare(store, STORE_ADD_BLOCK, &statement);

	if (rc != SQLITE_OK)
		return rc;
	scopa_text_init(&bots_text, bots, sizeof(bots));
	write_bots(plan, &bots_text);
	scopa_text_init(&seating_text, seating, sizeof(seating));
	write_seating(plan, store_seating(store)->players, &seating_text);
	assert(!bots_text.cut && !seating_text.cut);
	sodium_bin2hex(hex, sizeof(hex), place->digest, sizeof(place->digest));
	sodium_bin2hex(
	    chain, sizeof(chain), place->chain, sizeof(place->chain));
	sqlite3_bind_int64(statement, 1, plan->index + 1);
	sqlite3_bind_int64(statement, 2, (int64_t)plan->round + 1);
	sqlite3_bind_int64(statement, 3, (int64_t)plan->stage + 1);
	sqlite3_bind_int(statement, 4, plan->dealer + 1);
	bind_text(statement, 5, bots);
	bind_text(statement, 6, seating);
	sqlite3_bind_int(statement, 7, block->skipped);
	sqlite3_bind_int64(statement, 8, place->offset);
	sqlite3_bind_int64(statement, 9, place->size);
	bind_text(statement, 10, hex);
	bind_text(statement, 11, chain);
	return finish(statement);
}

static void
bind_team(sqlite3_stmt *statement, int at, int team)
{
	char letter = (char)('A' + team);

	if (team != SCOPA_TEAM_NONE)
		sqlite3_bind_text(statement, at, &letter, 1, SQLITE_TRANSIENT);
}

static void
bind_numbers(sqlite3_stmt *statement, int at, const int64_t *numbers, int count)
{
	char bytes[LIST_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	store_list_write(&text, numbers, count);
	assert(!text.cut);
	sqlite3_bind_text(
	    statement, at, bytes, (int)text.length, SQLITE_TRANSIENT);
}

static void
bind_small_numbers(
    sqlite3_stmt *statement, int at, const int32_t *numbers, int count)
{
	int64_t wide[SCOPA_SEATS_MAX];

	for (int i = 0; i < count; i++)
		wide[i] = numbers[i];
	bind_numbers(statement, at, wide, count);
}

/* `[{..},{..}]`: `rows` tallies of `count` numbers each. */
static void
bind_tallies(sqlite3_stmt *statement, int at, const int32_t *numbers, int rows,
    int count, const char *(*name)(int index))
{
	char bytes[TALLIES_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	for (int row = 0; row < rows; row++) {
		scopa_text_char(&text, row > 0 ? ',' : '[');
		store_tally_write(&text, numbers + row * count, count, name);
	}
	scopa_text_char(&text, ']');
	assert(!text.cut);
	sqlite3_bind_text(
	    statement, at, bytes, (int)text.length, SQLITE_TRANSIENT);
}

/* What the bots did behind our back, what we did to them, and the walls. */
static void
bind_conditions(sqlite3_stmt *statement, const struct summary *game)
{
	int32_t pondered[SCOPA_SEATS_MAX];

	for (int seat = 0; seat < game->seat_count; seat++)
		pondered[seat] = game->pondered[seat];
	bind_numbers(statement, 16, game->off_turn_ns, game->seat_count);
	bind_small_numbers(statement, 17, pondered, game->seat_count);
	sqlite3_bind_int(statement, 18, game->void_turns);
	sqlite3_bind_int64(statement, 19, game->lag_longest_ns);
	if (game->sandbox[0] != '\0')
		bind_text(statement, 20, game->sandbox);
	sqlite3_bind_int(statement, 21, game->analysis);
	bind_small_numbers(statement, 22, game->cut_short, game->seat_count);
}

static int
add_game(struct store *store, int64_t block, const struct summary *game)
{
	sqlite3_stmt *statement;
	int rc = store_prepare(store, STORE_ADD_GAME, &statement);

	if (rc != SQLITE_OK)
		return rc;
	sqlite3_bind_int64(statement, 1, block + 1);
	sqlite3_bind_int64(statement, 2, game->game + 1);
	bind_small_numbers(statement, 3, game->scores, game->team_count);
	bind_tallies(statement, 4, game->item_points[0], game->team_count,
	    SCOPA_ITEM_COUNT, store_item_name);
	sqlite3_bind_int(statement, 5, game->deal_count);
	bind_team(statement, 6, game->winner);
	bind_text(statement, 7, game->reason);
	bind_team(statement, 8, game->forfeiter);
	if (game->offender >= 0) {
		sqlite3_bind_int(statement, 9, game->offender + 1);
		bind_text(statement, 10, offence_name(game->offence));
		bind_text(statement, 11, game->offence_reason);
	}
	bind_tallies(statement, 12, game->offences[0], game->seat_count,
	    OFFENCE_KIND_COUNT, store_kind_name);
	bind_numbers(statement, 13, game->think_us, game->seat_count);
	bind_numbers(statement, 14, game->think_longest_us, game->seat_count);
	bind_small_numbers(
	    statement, 15, game->decision_count, game->seat_count);
	bind_conditions(statement, game);
	return finish(statement);
}

static int
add_voided(struct store *store, int64_t block, const struct summary *game)
{
	sqlite3_stmt *statement;
	int rc = SQLITE_OK;

	for (int i = 0; rc == SQLITE_OK && i < game->voided_count; i++) {
		rc = store_prepare(store, STORE_ADD_VOIDED, &statement);
		if (rc != SQLITE_OK)
			return rc;
		sqlite3_bind_int64(statement, 1, block + 1);
		sqlite3_bind_int64(statement, 2, game->game + 1);
		sqlite3_bind_int(statement, 3, i + 1);
		bind_text(statement, 4, game->voided[i]);
		rc = finish(statement);
	}
	return rc;
}

int
store_rows_add(struct store *store, const struct block_result *block,
    const struct store_place *place)
{
	int rc = add_block(store, block, place);

	if (block->skipped)
		return rc;
	for (int i = 0; rc == SQLITE_OK && i < block->plan.game_count; i++) {
		const struct summary *game = &block->games[i];

		rc = add_game(store, block->plan.index, game);
		if (rc == SQLITE_OK)
			rc = add_voided(store, block->plan.index, game);
	}
	return rc;
}
