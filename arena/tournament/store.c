#include "store.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "scopa/text.h"
#include "store_database.h"

/* Names of the numbers of a tally. */
static const char *
store_item_name(int index)
{
	return scopa_item_name((enum scopa_item)index);
}

static const char *
store_kind_name(int index)
{
	return offence_name((enum offence_kind)index);
}

/* The seats of all games of the run. */
static const struct scopa_seating *
store_seating(const struct store *store)
{
	return &scopa_seatings[store->head.teams];
}

/* `[1,2]` */
static void
store_list_write(struct scopa_text *text, const int64_t *numbers, int count)
{
	scopa_text_char(text, '[');
	for (int i = 0; i < count; i++) {
		if (i > 0)
			scopa_text_char(text, ',');
		scopa_text_int(text, numbers[i]);
	}
	scopa_text_char(text, ']');
}

/* `{"cards":1}`: what is not 0, by name. */
static void
store_tally_write(struct scopa_text *text, const int32_t *numbers, int count,
    const char *(*name)(int index))
{
	bool any = false;

	scopa_text_char(text, '{');
	for (int i = 0; i < count; i++) {
		if (numbers[i] == 0)
			continue;
		scopa_text_string(text, any ? ",\"" : "\"");
		scopa_text_string(text, name(i));
		scopa_text_string(text, "\":");
		scopa_text_int(text, numbers[i]);
		any = true;
	}
	scopa_text_char(text, '}');
}

/* Takes one byte. */
static bool
store_byte_read(const char **at, char byte)
{
	if (**at != byte)
		return false;
	++*at;
	return true;
}

static bool
read_number(const char **at, int64_t *number, int64_t min, int64_t max)
{
	const char *first = *at + (**at == '-');
	intmax_t value;
	char *end;

	/* strtoimax would take blanks and signs that nobody has written. */
	if (*first < '0' || *first > '9')
		return false;
	errno = 0;
	value = strtoimax(*at, &end, 10);
	if (errno != 0 || value < min || value > max)
		return false;
	*number = value;
	*at = end;
	return true;
}

/*
 * Each moves *at behind what it has read; false where that is not there.  Lists
 * have exactly `count` numbers, each within min..max.
 */
static bool
store_list_read(
    const char **at, int64_t *numbers, int count, int64_t min, int64_t max)
{
	for (int i = 0; i < count; i++)
		if (!store_byte_read(at, i > 0 ? ',' : '[') ||
		    !read_number(at, &numbers[i], min, max))
			return false;
	return store_byte_read(at, ']');
}

/* `"cards":1` */
static bool
read_entry(const char **at, int32_t *numbers, int count,
    const char *(*name)(int index))
{
	int64_t number;

	if (!store_byte_read(at, '"'))
		return false;
	for (int i = 0; i < count; i++) {
		size_t length = strlen(name(i));

		if (strncmp(*at, name(i), length) != 0 || (*at)[length] != '"')
			continue;
		*at += length + 1;
		if (numbers[i] != 0 || !store_byte_read(at, ':') ||
		    !read_number(at, &number, INT32_MIN, INT32_MAX))
			return false;
		numbers[i] = (int32_t)number;
		return true;
	}
	return false;
}

static bool
store_tally_read(const char **at, int32_t *numbers, int count,
    const char *(*name)(int index))
{
	memset(numbers, 0, (size_t)count * sizeof(*numbers));
	if (!store_byte_read(at, '{'))
		return false;
	if (store_byte_read(at, '}'))
		return true;
	do {
		if (!read_entry(at, numbers, count, name))
			return false;
	} while (store_byte_read(at, ','));
	return store_byte_read(at, '}');
}

static bool
flaw(char why[STORE_TEXT_SIZE], const struct block_plan *plan,
    const char *sentence)
{
	snprintf(why, STORE_TEXT_SIZE, "block %lld %s",
	    (long long)plan->index + 1, sentence);
	return false;
}

static bool
check_plan(const struct store_head *head, const struct block_plan *plan,
    char why[STORE_TEXT_SIZE])
{
	int seat_count = scopa_seatings[head->teams].players;

	if (plan->index < 0 || plan->round < 0 || plan->stage < 0 ||
	    plan->dealer < 0 || plan->dealer >= seat_count)
		return flaw(why, plan, "has numbers that no block has");
	if (plan->game_count != head->game_count)
		return flaw(why, plan, "has not as many games as all others");
	if (plan->bot_count < 2 || plan->bot_count > seat_count)
		return flaw(why, plan, "has more bots than seats, or one");
	for (int i = 0; i < plan->bot_count; i++) {
		if (plan->bots[i] < 0 || plan->bots[i] >= head->bot_count)
			return flaw(why, plan, "has a bot that is not there");
		for (int other = 0; other < i; other++)
			if (plan->bots[i] == plan->bots[other])
				return flaw(why, plan, "has a bot twice");
	}
	for (int game = 0; game < plan->game_count; game++)
		for (int seat = 0; seat < seat_count; seat++)
			if (plan->seating[game][seat] >= plan->bot_count)
				return flaw(why, plan, "seats nobody");
	return true;
}

static bool
game_flaw(char why[STORE_TEXT_SIZE], const struct block_plan *plan, int at,
    const char *sentence)
{
	snprintf(why, STORE_TEXT_SIZE, "game %lld of block %lld %s",
	    (long long)plan->index * plan->game_count + at + 1,
	    (long long)plan->index + 1, sentence);
	return false;
}

static bool
is_team(const struct summary *game, int team)
{
	return team == SCOPA_TEAM_NONE ||
	    (team >= 0 && team < game->team_count);
}

static bool
check_game(const struct store_head *head, const struct block_plan *plan, int at,
    const struct summary *game, char why[STORE_TEXT_SIZE])
{
	const struct scopa_seating *seating = &scopa_seatings[head->teams];

	if (game->game != plan->index * plan->game_count + at)
		return game_flaw(why, plan, at, "has another number");
	if (game->round != plan->round || game->rotation != at)
		return game_flaw(
		    why, plan, at, "was played as one of another round");
	if (game->seat_count != seating->players ||
	    game->team_count != seating->teams)
		return game_flaw(why, plan, at, "has not the usual seats");
	for (int seat = 0; seat < game->seat_count; seat++) {
		int bot = plan->bots[plan->seating[at][seat]];

		if (game->team[seat] != seating->team[seat])
			return game_flaw(
			    why, plan, at, "has not the usual teams");
		if (strcmp(game->names[seat], head->bots[bot].name) != 0)
			return game_flaw(
			    why, plan, at, "has another bot at a seat");
	}
	if (!is_team(game, game->winner) || !is_team(game, game->forfeiter) ||
	    game->offender < -1 || game->offender >= game->seat_count)
		return game_flaw(why, plan, at, "was lost by nobody there");
	return true;
}

bool
store_block_check(const struct store_head *head,
    const struct block_result *block, char why[STORE_TEXT_SIZE])
{
	if (!check_plan(head, &block->plan, why))
		return false;
	if (block->skipped)
		return true;
	for (int i = 0; i < block->plan.game_count; i++)
		if (!check_game(head, &block->plan, i, &block->games[i], why))
			return false;
	return true;
}

/*
 * Blocks as rows; the way back comes below.
 */

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
write_block_row(struct store *store, const struct block_result *block,
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

/* Adds the rows of one block; an answer of SQLite. */
static int
store_rows_add(struct store *store, const struct block_result *block,
    const struct store_place *place)
{
	int rc = write_block_row(store, block, place);

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

/*
 * Rows as blocks: exactly those that were added.
 */

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

/* Reads a digest in hex, 64 digits. */
static bool
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

/*
 * Takes a block out of the rows of STORE_WALK, the first of which is in hand,
 * and steps on to the first of the next block.  An answer of SQLite, or 0 with
 * *good false where a row cannot be read.
 */
static int
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

static const char *const queries[] = {
	/* A snapshot that becomes a writer would be BUSY at once. */
	[STORE_BEGIN] = "BEGIN IMMEDIATE",
	[STORE_COMMIT] = "COMMIT",
	[STORE_ROLLBACK] = "ROLLBACK",
	[STORE_LAST_BLOCK] = "SELECT coalesce(max(block), 0) FROM block",
	[STORE_LAST_PLACE] = "SELECT record_offset, record_size, record_sha256 "
			     "FROM block WHERE skipped = 0 "
			     "ORDER BY block DESC LIMIT 1",
	[STORE_LAST_CHAIN] =
	    "SELECT chain FROM block ORDER BY block DESC LIMIT 1",
	[STORE_FIND_BLOCK] = "SELECT record_sha256 = lower(hex(?2)) "
			     "FROM block WHERE block = ?1",
	[STORE_ADD_BLOCK] = "INSERT INTO block VALUES "
			    "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
	[STORE_ADD_GAME] = "INSERT INTO game VALUES (?1, ?2, ?3, ?4, ?5, ?6, "
			   "?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, "
			   "?17, ?18, ?19, ?20, ?21, ?22)",
	[STORE_ADD_VOIDED] = "INSERT INTO voided VALUES (?1, ?2, ?3, ?4)",
	[STORE_WALK] =
	    "SELECT block.block, round, stage, dealer, bots, "
	    "seating, skipped, record_offset, record_size, "
	    "record_sha256, chain, game, scores, points, deals, winner, "
	    "reason, forfeiter, offender, offence, offence_reason, "
	    "offences, think_us, think_longest_us, decisions, "
	    "off_turn_ns, pondered, void_turns, lag_longest_ns, sandbox, "
	    "analysis, cut_short, "
	    "(SELECT group_concat(reason) FROM (SELECT reason FROM voided "
	    "WHERE voided.block = game.block AND voided.game = game.game "
	    "ORDER BY attempt)) "
	    "FROM block LEFT JOIN game ON game.block = block.block "
	    "WHERE block.block > ?1 ORDER BY block.block, game.game",
	[STORE_SET_STATE] = "UPDATE run SET state = ?1",
	[STORE_SET_CONTRIBUTIONS] = "UPDATE run SET contributions = ?1",
	[STORE_SET_SECRET] = "UPDATE run SET secret = ?1",
	[STORE_GET_STATE] = "SELECT state FROM run",
};

_Static_assert(COUNTOF(queries) == STORE_QUERY_COUNT, "a text for each query");

int
store_prepare(
    struct store *store, enum store_query query, sqlite3_stmt **statement)
{
	sqlite3_stmt **kept = &store->statements[query];
	int rc = SQLITE_OK;

	if (!*kept)
		rc = sqlite3_prepare_v3(store->database, queries[query], -1,
		    SQLITE_PREPARE_PERSISTENT, kept, NULL);
	*statement = *kept;
	return rc;
}

int
store_run(struct store *store, enum store_query query)
{
	sqlite3_stmt *statement;
	int rc = store_prepare(store, query, &statement);

	if (rc != SQLITE_OK)
		return rc;
	rc = sqlite3_step(statement);
	sqlite3_reset(statement);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

void
store_close(struct store *store)
{
	if (!store)
		return;
	for (int i = 0; i < STORE_QUERY_COUNT; i++)
		sqlite3_finalize(store->statements[i]);
	if (store->database && store->writable) {
		/* Readers must not hold up the end of a run. */
		sqlite3_busy_timeout(store->database, 0);
		sqlite3_wal_checkpoint_v2(store->database, NULL,
		    SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	}
	sqlite3_close(store->database);
	free(store);
}

int
store_checkpoint(struct store *store, struct store_error *error)
{
	int rc = sqlite3_wal_checkpoint_v2(
	    store->database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);

	return rc == SQLITE_OK ? 0 : store_fail(store, rc, error);
}

/* The number that a query without bindings gives; 0 where it gives no row. */
static int
query_number(struct store *store, enum store_query query, int64_t *number)
{
	sqlite3_stmt *statement;
	int rc = store_prepare(store, query, &statement);

	if (rc != SQLITE_OK)
		return rc;
	rc = sqlite3_step(statement);
	*number = rc == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
	sqlite3_reset(statement);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int
store_last_place(
    struct store *store, struct store_place *place, struct store_error *error)
{
	sqlite3_stmt *statement;
	const char *digest;
	bool good = true;
	int rc = store_prepare(store, STORE_LAST_PLACE, &statement);

	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	rc = sqlite3_step(statement);
	*place = (struct store_place){ .size = 0 };
	if (rc == SQLITE_ROW) {
		place->offset = sqlite3_column_int64(statement, 0);
		place->size = sqlite3_column_int64(statement, 1);
		digest = (const char *)sqlite3_column_text(statement, 2);
		good = place->offset >= 0 && place->size >= 0 && digest &&
		    store_digest_read(digest, place->digest);
	}
	sqlite3_reset(statement);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		return store_fail(store, rc, error);
	return good ? 0
		    : store_damaged(store, error,
			  "it does not say where the last record is");
}

int
store_last_chain(struct store *store, unsigned char chain[STORE_DIGEST_SIZE],
    struct store_error *error)
{
	sqlite3_stmt *statement;
	const char *hex;
	bool good = true;
	int rc = store_prepare(store, STORE_LAST_CHAIN, &statement);

	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW) {
		hex = (const char *)sqlite3_column_text(statement, 0);
		good = hex && store_digest_read(hex, chain);
	}
	sqlite3_reset(statement);
	if (rc == SQLITE_DONE)
		return -ENOENT;
	if (rc != SQLITE_ROW)
		return store_fail(store, rc, error);
	return good ? 0
		    : store_damaged(store, error,
			  "the chain of its results cannot be read");
}

int
store_extent(struct store *store, int64_t *block_count, int64_t *record_size,
    struct store_error *error)
{
	struct store_place place;
	int64_t blocks;
	int rc = query_number(store, STORE_LAST_BLOCK, &blocks), status;

	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	status = store_last_place(store, &place, error);
	if (status)
		return status;
	*block_count = blocks;
	*record_size = place.offset + place.size;
	return 0;
}

enum presence { PRESENCE_NONE, PRESENCE_SAME, PRESENCE_OTHER };

/* Whether a block is there, and with this digest; an answer of SQLite. */
static int
find_block(struct store *store, int64_t block, const unsigned char *digest,
    enum presence *presence)
{
	sqlite3_stmt *statement;
	int rc = store_prepare(store, STORE_FIND_BLOCK, &statement);

	if (rc != SQLITE_OK)
		return rc;
	sqlite3_bind_int64(statement, 1, block + 1);
	sqlite3_bind_blob(
	    statement, 2, digest, STORE_DIGEST_SIZE, SQLITE_STATIC);
	rc = sqlite3_step(statement);
	*presence = rc != SQLITE_ROW           ? PRESENCE_NONE
	    : sqlite3_column_int(statement, 0) ? PRESENCE_SAME
					       : PRESENCE_OTHER;
	sqlite3_reset(statement);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Adds one block where `next` is the first number that is free. */
static int
add_block(struct store *store, const struct block_result *block,
    const struct store_place *place, int64_t *next, struct store_error *error)
{
	int64_t index = block->plan.index;
	enum presence presence = PRESENCE_NONE;
	char why[STORE_TEXT_SIZE];
	int rc;

	if (!store_block_check(&store->head, block, why)) {
		store_error_set(error, "%s", why);
		return -EINVAL;
	}
	if (index < *next) {
		rc = find_block(store, index, place->digest, &presence);
		if (rc != SQLITE_OK)
			return store_fail(store, rc, error);
	}
	if (presence == PRESENCE_SAME)
		return 0;
	if (presence == PRESENCE_OTHER) {
		store_error_set(error,
		    "block %lld is in the database \"%s\" already, with "
		    "another record",
		    (long long)index + 1, store->path);
		return -EEXIST;
	}
	if (index != *next) {
		store_error_set(error,
		    "block %lld does not follow on the %lld of the database "
		    "\"%s\"",
		    (long long)index + 1, (long long)*next, store->path);
		return -EINVAL;
	}
	rc = store_rows_add(store, block, place);
	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	++*next;
	return 0;
}

/* Where SQLite has not done so by itself. */
static void
roll_back(struct store *store)
{
	if (!sqlite3_get_autocommit(store->database))
		store_run(store, STORE_ROLLBACK);
}

/* Nobody would find what is added to a file that has lost its name. */
static int
check_place(struct store *store, struct store_error *error)
{
	int moved = 0;

	sqlite3_file_control(
	    store->database, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	if (!moved)
		return 0;
	store_error_set(
	    error, "the database \"%s\" is not there any more", store->path);
	store_error_hint(error,
	    "bring it back with the files beside it, whatever they are called "
	    "now, and go on");
	return -ESTALE;
}

/*
 * Waits for a program that holds the file; but who was told once of it may try
 * again when he likes, and has other things to do.
 */
static int
begin(struct store *store, struct store_error *error)
{
	int rc = store_run(store, STORE_BEGIN);

	sqlite3_busy_timeout(
	    store->database, (rc & 0xFF) == SQLITE_BUSY ? 0 : STORE_BUSY_MS);
	return rc == SQLITE_OK ? 0 : store_fail(store, rc, error);
}

int
store_add(struct store *store, const struct block_result *blocks,
    const struct store_place *places, int count, struct store_error *error)
{
	int64_t next;
	int rc, status = check_place(store, error);

	assert(store->writable);
	if (status == 0)
		status = begin(store, error);
	if (status != 0)
		return status;
	rc = query_number(store, STORE_LAST_BLOCK, &next);
	if (rc != SQLITE_OK)
		status = store_fail(store, rc, error);
	for (int i = 0; status == 0 && i < count; i++)
		status = add_block(store, &blocks[i], &places[i], &next, error);
	if (status == 0) {
		rc = store_run(store, STORE_COMMIT);
		if (rc != SQLITE_OK)
			status = store_fail(store, rc, error);
	}
	if (status != 0)
		roll_back(store);
	return status;
}

int
store_walk(struct store *store, int64_t from,
    int (*take)(void *context, const struct block_result *block,
	const struct store_place *place),
    void *context, struct store_error *error)
{
	int64_t expected = from;
	sqlite3_stmt *statement;
	int rc = store_prepare(store, STORE_WALK, &statement), status = 0;

	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	sqlite3_bind_int64(statement, 1, from);
	rc = sqlite3_step(statement);
	while (status == 0 && rc == SQLITE_ROW) {
		struct block_result block;
		struct store_place place;
		bool good;

		rc = store_rows_take(store, statement, &block, &place, &good);
		if (!good || block.plan.index != expected)
			status = store_damaged(store, error,
			    good ? "block %lld is missing"
				 : "the rows of block %lld cannot be read",
			    (long long)expected + 1);
		else if (rc == SQLITE_ROW || rc == SQLITE_DONE)
			status = take(context, &block, &place);
		expected++;
	}
	if (status == 0 && rc != SQLITE_DONE)
		status = store_fail(store, rc, error);
	sqlite3_reset(statement);
	return status;
}

/* Runs an UPDATE of one text. */
static int
set_text(struct store *store, enum store_query query, const char *text,
    struct store_error *error)
{
	sqlite3_stmt *statement;
	int rc = store_prepare(store, query, &statement);

	assert(store->writable);
	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
	rc = store_run(store, query);
	sqlite3_clear_bindings(statement);
	return rc == SQLITE_OK ? 0 : store_fail(store, rc, error);
}

int
store_set_state(
    struct store *store, const char *state, struct store_error *error)
{
	assert(strlen(state) < STORE_STATE_SIZE);
	return set_text(store, STORE_SET_STATE, state, error);
}

int
store_set_contributions(
    struct store *store, const char *contributions, struct store_error *error)
{
	assert(strlen(contributions) < CONTRIBUTIONS_SIZE);
	return set_text(store, STORE_SET_CONTRIBUTIONS, contributions, error);
}

int
store_set_secret(
    struct store *store, const char *secret, struct store_error *error)
{
	assert(strlen(secret) < SHUFFLE_HEX_SIZE);
	return set_text(store, STORE_SET_SECRET, secret, error);
}

int
store_state(struct store *store, char *state, size_t size)
{
	sqlite3_stmt *statement;
	int rc = store_prepare(store, STORE_GET_STATE, &statement);
	bool good;

	if (rc != SQLITE_OK)
		return -EIO;
	good = sqlite3_step(statement) == SQLITE_ROW &&
	    store_column_copy(statement, 0, state, size);
	sqlite3_reset(statement);
	return good ? 0 : -EBADMSG;
}

/*
 * Two databases, row by row: are they the same, and if not, where?
 */

enum { QUOTE_MAX = 120 };

/* What is compared; the first columns are the key. */
static const struct {
	const char *sql;
	const char *row; /* what a row is, for people */
	int key_columns;
} compared_tables[] = {
	{ "SELECT * FROM bot ORDER BY bot", "bot", 1 },
	{ "SELECT * FROM block ORDER BY block", "block", 1 },
	{ "SELECT * FROM game ORDER BY block, game", "block, game", 2 },
	{ "SELECT * FROM voided ORDER BY block, game, attempt",
	    "block, game, attempt", 3 },
};

/* A column as text, cut to what can be shown; NULL is told from "". */
static void
quote(sqlite3_stmt *statement, int column, char text[QUOTE_MAX + 8])
{
	const char *value =
	    (const char *)sqlite3_column_text(statement, column);

	if (!value)
		snprintf(text, QUOTE_MAX + 8, "nothing");
	else
		snprintf(text, QUOTE_MAX + 8, "%.*s%s", QUOTE_MAX, value,
		    strlen(value) > QUOTE_MAX ? "..." : "");
}

static bool
is_same(sqlite3_stmt *a, sqlite3_stmt *b, int column)
{
	int size;

	if (sqlite3_column_type(a, column) != sqlite3_column_type(b, column))
		return false;
	if (sqlite3_column_type(a, column) == SQLITE_NULL)
		return true;
	if (sqlite3_column_type(a, column) == SQLITE_INTEGER)
		return sqlite3_column_int64(a, column) ==
		    sqlite3_column_int64(b, column);
	size = sqlite3_column_bytes(a, column);
	return size == sqlite3_column_bytes(b, column) &&
	    memcmp(sqlite3_column_text(a, column),
		sqlite3_column_text(b, column), (size_t)size) == 0;
}

/* Whether two rows are the same. */
static bool
compare_rows(sqlite3_stmt *a, sqlite3_stmt *b, int table,
    char difference[STORE_TEXT_SIZE])
{
	char a_text[QUOTE_MAX + 8], b_text[QUOTE_MAX + 8], key[80] = "";
	int column = 0, columns = sqlite3_column_count(a);
	size_t length = 0;

	while (column < columns && is_same(a, b, column))
		column++;
	if (column == columns)
		return true;
	quote(a, column, a_text);
	quote(b, column, b_text);
	for (int i = 0; i < compared_tables[table].key_columns; i++)
		length += (size_t)snprintf(key + length, sizeof(key) - length,
		    "%s%lld", i > 0 ? ", " : "",
		    (long long)sqlite3_column_int64(a, i));
	snprintf(difference, STORE_TEXT_SIZE, "%s %s: `%s` is %s, and not %s",
	    compared_tables[table].row, key, sqlite3_column_name(a, column),
	    a_text, b_text);
	return false;
}

/* A statement of one of the two. */
struct side {
	struct store *store;
	sqlite3_stmt *statement;
	int rc;
};

static int
side_open(struct side *side, struct store *store, int table)
{
	side->store = store;
	side->rc = sqlite3_prepare_v2(store->database,
	    compared_tables[table].sql, -1, &side->statement, NULL);
	return side->rc;
}

static int
compare_table(struct store *a, struct store *b, int table,
    char difference[STORE_TEXT_SIZE], struct store_error *error)
{
	struct side sides[2] = { { .store = a }, { .store = b } };
	bool same = true;
	int status = 1;

	if (side_open(&sides[0], a, table) == SQLITE_OK &&
	    side_open(&sides[1], b, table) == SQLITE_OK) {
		do {
			for (int i = 0; i < 2; i++)
				sides[i].rc = sqlite3_step(sides[i].statement);
			if (sides[0].rc != SQLITE_ROW ||
			    sides[1].rc != SQLITE_ROW)
				break;
			same = compare_rows(sides[0].statement,
			    sides[1].statement, table, difference);
		} while (same);
	}
	for (int i = 0; i < 2 && status == 1; i++)
		if (sides[i].rc != SQLITE_OK && sides[i].rc != SQLITE_ROW &&
		    sides[i].rc != SQLITE_DONE)
			status = store_fail(sides[i].store, sides[i].rc, error);
	for (int i = 0; i < 2; i++)
		sqlite3_finalize(sides[i].statement);
	return status == 1 ? same : status;
}

int
store_compare(struct store *a, struct store *b,
    char difference[STORE_TEXT_SIZE], struct store_error *error)
{
	int answer = 1;

	for (int i = 0; answer == 1 && i < COUNTOF(compared_tables); i++)
		answer = compare_table(a, b, i, difference, error);
	return answer;
}
