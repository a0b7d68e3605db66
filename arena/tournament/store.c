/*
 * Implements store.h: writes blocks as rows, and reads them.  A row of a game
 * has a column for each member of its summary.  `game_columns` says how each
 * column is written and read.
 */
#include "store.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <sodium.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "scopa/text.h"
#include "store_database.h"

/*
 * The chain over the results.
 */

enum { HEX_SIZE = 2 * STORE_DIGEST_SIZE + 1 };

static const char chain_mark[] = "scopa-arena-chain-v1";

static char
team_letter(int team)
{
	return team == SCOPA_TEAM_NONE ? '-' : (char)('A' + team);
}

static const char *
word_or_dash(const char *word)
{
	return word[0] ? word : "-";
}

void
store_chain_begin(
    const struct store_head *head, unsigned char chain[STORE_DIGEST_SIZE])
{
	char line[CONTRIBUTIONS_SIZE + 256];
	int length = snprintf(line, sizeof(line), "%s %s %s %s\n", chain_mark,
	    word_or_dash(head->terms), word_or_dash(head->commitment),
	    word_or_dash(head->contributions));

	crypto_hash_sha256(
	    chain, (const unsigned char *)line, (unsigned long long)length);
}

/* Adds formatted text to the hash. */
static void __attribute__((format(printf, 2, 3)))
chain_print(crypto_hash_sha256_state *state, const char *format, ...)
{
	char piece[256];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(piece, sizeof(piece), format, arguments);
	va_end(arguments);
	assert(length >= 0 && (size_t)length < sizeof(piece));
	crypto_hash_sha256_update(
	    state, (const unsigned char *)piece, (unsigned long long)length);
}

void
store_chain_add(
    unsigned char chain[STORE_DIGEST_SIZE], const struct block_result *block)
{
	char last[HEX_SIZE], hex[HEX_SIZE];
	crypto_hash_sha256_state state;

	crypto_hash_sha256_init(&state);
	sodium_bin2hex(last, sizeof(last), chain, STORE_DIGEST_SIZE);
	sodium_bin2hex(
	    hex, sizeof(hex), block->place.digest, STORE_DIGEST_SIZE);
	chain_print(&state, "%s %s %jd %s%s", chain_mark, last,
	    block->plan.index + 1, hex, block->skipped ? " skipped" : "");
	for (int i = 0; !block->skipped && i < block->plan.game_count; i++) {
		const struct summary *game = &block->games[i];

		chain_print(&state, " m%jd", game->game + 1);
		for (int team = 0; team < game->team_count; team++)
			chain_print(&state, "%c%d", team == 0 ? ':' : ',',
			    game->scores[team]);
		chain_print(&state, ":%d:%c:%s:%c", game->deal_count,
		    team_letter(game->winner), game->reason,
		    team_letter(game->forfeiter));
	}
	chain_print(&state, "\n");
	crypto_hash_sha256_final(&state, chain);
}

/*
 * Whether the games of a block are those of its plan.
 */

static bool
is_team(const struct summary *game, int team)
{
	return team == SCOPA_TEAM_NONE ||
	    (team >= 0 && team < game->team_count);
}

/* What is wrong with a game, as the end of a sentence, or NULL. */
static const char *
game_flaw(const struct store_head *head, const struct block_plan *plan, int at,
    const struct summary *game)
{
	const struct scopa_seating *seating = &scopa_seatings[head->teams];

	if (game->game != plan->index * plan->game_count + at)
		return "has another number";
	if (game->round != plan->round || game->rotation != at)
		return "was played as one of another round";
	if (game->seat_count != seating->players ||
	    game->team_count != seating->teams)
		return "has not the usual seats";
	for (int seat = 0; seat < game->seat_count; seat++) {
		int bot = plan->bots[plan->seating[at][seat]];

		if (game->team[seat] != seating->team[seat])
			return "has not the usual teams";
		if (strcmp(game->names[seat], head->bots[bot].name) != 0)
			return "has another bot at a seat";
	}
	if (!is_team(game, game->winner) || !is_team(game, game->forfeiter) ||
	    game->offender < -1 || game->offender >= game->seat_count)
		return "was lost by nobody there";
	if (strcmp(game->reason, "abort") == 0)
		return "was aborted";
	return NULL;
}

bool
store_block_check(const struct store_head *head,
    const struct block_result *block, char why[STORE_TEXT_SIZE])
{
	const struct block_plan *plan = &block->plan;
	int games = block->skipped ? 0 : plan->game_count;

	for (int i = 0; i < games; i++) {
		const char *flaw = game_flaw(head, plan, i, &block->games[i]);

		if (flaw == NULL)
			continue;
		snprintf(why, STORE_TEXT_SIZE, "game %jd of block %jd %s",
		    plan->index * plan->game_count + i + 1, plan->index + 1,
		    flaw);
		return false;
	}
	return true;
}

/*
 * Texts of columns.  The same functions write a text and read it.  Writing
 * appends each piece; reading accepts a piece only in the form in which it is
 * written.
 */

enum { COLUMN_SIZE = 4096 };

struct codec {
	char bytes[COLUMN_SIZE];
	struct scopa_text text; /* in `bytes`, if a text is written */
	const char *at; /* rest of the text that is read; NULL: writing */
	bool good;      /* the text so far is as it would be written */
};

static void
codec_init(struct codec *codec, const char *stored)
{
	scopa_text_init(&codec->text, codec->bytes, sizeof(codec->bytes));
	codec->at = stored;
	codec->good = true;
}

/*
 * Whether reading has reached the end of a good text, or whether a written text
 * has had room.
 */
static bool
codec_end(const struct codec *codec)
{
	return codec->at != NULL ? codec->good && *codec->at == '\0'
				 : !codec->text.cut;
}

static void
code_string(struct codec *codec, const char *string)
{
	size_t length = strlen(string);

	if (codec->at == NULL)
		scopa_text_bytes(&codec->text, string, length);
	else if (strncmp(codec->at, string, length) == 0)
		codec->at += length;
	else
		codec->good = false;
}

/* Number `i` of a member that is an array of numbers of `width` bytes. */
static int64_t
number_get(const void *numbers, size_t width, int i)
{
	if (width == sizeof(int64_t))
		return ((const int64_t *)numbers)[i];
	return width == sizeof(int32_t) ? ((const int32_t *)numbers)[i]
					: ((const bool *)numbers)[i];
}

static void
code_number(struct codec *codec, void *numbers, size_t width, int i)
{
	int64_t max =
	    width == sizeof(int64_t) ? STORE_LONG_NUMBER_MAX : STORE_NUMBER_MAX;
	int64_t number;
	struct scopa_text text = SCOPA_TEXT(24);

	if (codec->at == NULL) {
		scopa_text_int(&codec->text, number_get(numbers, width, i));
		return;
	}
	number = strtoll(codec->at, NULL, 10);
	if (number < -max || number > max) {
		codec->good = false;
		return;
	}
	if (width == sizeof(int64_t))
		((int64_t *)numbers)[i] = number;
	else if (width == sizeof(bool))
		((bool *)numbers)[i] = number != 0;
	else
		((int32_t *)numbers)[i] = (int32_t)number;
	/* A value that does not fit is noticed when it is formatted. */
	scopa_text_int(&text, number_get(numbers, width, i));
	code_string(codec, text.bytes);
}

/* `[1,2]` */
static void
code_list(struct codec *codec, void *numbers, size_t width, int count)
{
	for (int i = 0; i < count; i++) {
		code_string(codec, i > 0 ? "," : "[");
		code_number(codec, numbers, width, i);
	}
	code_string(codec, "]");
}

/* A number that counts from 0, and in the text from 1. */
static void
code_index(struct codec *codec, int *index)
{
	int number = *index + 1;

	code_number(codec, &number, sizeof(number), 0);
	*index = number - 1;
}

static const char *
item_name(int index)
{
	return scopa_item_name((enum scopa_item)index);
}

static const char *
kind_name(int index)
{
	return offence_name((enum offence_kind)index);
}

/* `[{"cards":1},{}]`: of `rows` rows, what is not 0 of `count`, by name. */
static void
code_tallies(struct codec *codec, int32_t *numbers, int rows, int count,
    const char *(*name)(int index))
{
	for (int row = 0; row < rows; row++) {
		bool any = false;

		code_string(codec, row > 0 ? ",{" : "[{");
		for (int i = row * count; i < (row + 1) * count; i++) {
			const char *begin = any ? ",\"" : "\"";
			const char *item = name(i - row * count);
			size_t length = strlen(item), mark = strlen(begin);

			if (codec->at == NULL
				? numbers[i] == 0
				: strncmp(codec->at, begin, mark) != 0 ||
				    strncmp(codec->at + mark, item, length) !=
					0 ||
				    codec->at[mark + length] != '"')
				continue;
			any = true;
			code_string(codec, begin);
			code_string(codec, item);
			code_string(codec, "\":");
			code_number(codec, numbers, sizeof(*numbers), i);
			codec->good = codec->good && numbers[i] != 0;
		}
		code_string(codec, "}");
	}
	code_string(codec, "]");
}

static void
code_bots(struct codec *codec, struct block_plan *plan)
{
	if (codec->at != NULL) {
		plan->bot_count = 1;
		for (const char *at = codec->at; *at; at++)
			plan->bot_count += *at == ',';
		codec->good = plan->bot_count <= SCOPA_SEATS_MAX;
	}
	for (int i = 0; codec->good && i < plan->bot_count; i++) {
		code_string(codec, i > 0 ? "," : "[");
		code_index(codec, &plan->bots[i]);
	}
	code_string(codec, "]");
}

/* `[[1,2],[2,1]]`: game by game the bot of each seat. */
static void
code_seating(struct codec *codec, struct block_plan *plan, int seat_count)
{
	for (int game = 0; game < plan->game_count; game++) {
		for (int seat = 0; seat < seat_count; seat++) {
			int bot = plan->bots[plan->seating[game][seat]];
			int member = 0;

			if (seat == 0)
				code_string(codec, game == 0 ? "[" : ",");
			code_string(codec, seat == 0 ? "[" : ",");
			code_index(codec, &bot);
			while (member < plan->bot_count &&
			    plan->bots[member] != bot)
				member++;
			if (member == plan->bot_count)
				codec->good = false;
			else
				plan->seating[game][seat] = (uint8_t)member;
		}
		code_string(codec, "]");
	}
	code_string(codec, "]");
}

/*
 * The columns of a game, after `block` and `game`.
 */

enum column_form {
	FORM_NUMBER,
	FORM_TEAMS, /* a number each */
	FORM_SEATS,
	FORM_ITEMS,    /* of each team a tally of its points */
	FORM_OFFENCES, /* of each seat */
	FORM_TEXT,
	FORM_SANDBOX, /* NULL: not said */
	FORM_TEAM,    /* its letter; NULL: none */
	/* The offence that lost the game; NULL: there is none. */
	FORM_OFFENDER,
	FORM_OFFENCE,
	FORM_OFFENCE_REASON
};

struct game_column {
	const char *name;
	enum column_form form;
	size_t offset, size; /* of the member */
	size_t width;        /* of a number */
};

#define MEMBER(member) ((struct summary *)NULL)->member
#define COLUMN(name, form, member)                                 \
	{                                                          \
		name, form, offsetof(struct summary, member),      \
		    sizeof(MEMBER(member)), sizeof(MEMBER(member)) \
	}
#define COLUMN_LIST(name, form, member)                               \
	{                                                             \
		name, form, offsetof(struct summary, member),         \
		    sizeof(MEMBER(member)), sizeof(MEMBER(member)[0]) \
	}

static const struct game_column game_columns[] = {
	COLUMN_LIST("scores", FORM_TEAMS, scores),
	COLUMN("points", FORM_ITEMS, item_points),
	COLUMN("deals", FORM_NUMBER, deal_count),
	COLUMN("winner", FORM_TEAM, winner),
	COLUMN("reason", FORM_TEXT, reason),
	COLUMN("forfeiter", FORM_TEAM, forfeiter),
	COLUMN("offender", FORM_OFFENDER, offender),
	COLUMN("offence", FORM_OFFENCE, offence),
	COLUMN("offence_reason", FORM_OFFENCE_REASON, offence_reason),
	COLUMN("offences", FORM_OFFENCES, offences),
	COLUMN_LIST("think_us", FORM_SEATS, think_us),
	COLUMN_LIST("think_longest_us", FORM_SEATS, think_longest_us),
	COLUMN_LIST("decisions", FORM_SEATS, decision_count),
	COLUMN_LIST("off_turn_ns", FORM_SEATS, off_turn_ns),
	COLUMN_LIST("pondered", FORM_SEATS, pondered),
	COLUMN("void_turns", FORM_NUMBER, void_turns),
	COLUMN("lag_longest_ns", FORM_NUMBER, lag_longest_ns),
	COLUMN("sandbox", FORM_SANDBOX, sandbox),
	COLUMN("analysis", FORM_NUMBER, analysis),
	COLUMN_LIST("cut_short", FORM_SEATS, cut_short),
};

/* The columns of STORE_WALK: all of a block, all of a game, `voided`. */
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
	WALK_GAME = WALK_CHAIN + 2,
	WALK_GAME_COLUMNS,
	WALK_VOIDED = WALK_GAME_COLUMNS + COUNTOF(game_columns)
};

const char *
store_game_difference(const struct summary *a, const struct summary *b)
{
	for (int i = 0; i < COUNTOF(game_columns); i++) {
		const struct game_column *column = &game_columns[i];
		const char *one = (const char *)a + column->offset;
		const char *other = (const char *)b + column->offset;
		bool is_text = column->form == FORM_TEXT ||
		    column->form == FORM_SANDBOX ||
		    column->form == FORM_OFFENCE_REASON;

		if (is_text ? strcmp(one, other) != 0
			    : memcmp(one, other, column->size) != 0)
			return column->name;
	}
	return NULL;
}

/* Whether the column of a game is NULL. */
static bool
column_is_null(const struct game_column *column, const struct summary *game)
{
	const void *member = (const char *)game + column->offset;

	if (column->form == FORM_TEAM)
		return *(const int *)member == SCOPA_TEAM_NONE;
	if (column->form == FORM_SANDBOX)
		return game->sandbox[0] == '\0';
	return column->form >= FORM_OFFENDER && game->offender < 0;
}

static void
code_column(
    struct codec *codec, const struct game_column *column, struct summary *game)
{
	void *member = (char *)game + column->offset;
	const char *at = codec->at;
	int *team = member;

	switch (column->form) {
	case FORM_NUMBER:
		code_number(codec, member, column->width, 0);
		break;
	case FORM_TEAMS:
		code_list(codec, member, column->width, game->team_count);
		break;
	case FORM_SEATS:
		code_list(codec, member, column->width, game->seat_count);
		break;
	case FORM_ITEMS:
		code_tallies(codec, member, game->team_count, SCOPA_ITEM_COUNT,
		    item_name);
		break;
	case FORM_OFFENCES:
		code_tallies(codec, member, game->seat_count,
		    OFFENCE_KIND_COUNT, kind_name);
		break;
	case FORM_TEXT:
	case FORM_SANDBOX:
	case FORM_OFFENCE_REASON:
		if (at != NULL)
			snprintf(member, column->size, "%s", at);
		code_string(codec, member);
		break;
	case FORM_TEAM:
		if (at != NULL)
			*team = at[0] - 'A';
		codec->good = *team >= 0 && *team < game->team_count;
		code_string(codec, (const char[]){ (char)('A' + *team), '\0' });
		break;
	case FORM_OFFENDER:
		code_index(codec, &game->offender);
		codec->good = codec->good && game->offender < game->seat_count;
		break;
	case FORM_OFFENCE:
		if (at != NULL)
			game->offence = offence_find(word_of(at));
		codec->good = game->offence < OFFENCE_KIND_COUNT;
		if (codec->good)
			code_string(codec, offence_name(game->offence));
		break;
	}
}

/*
 * Writing blocks as rows.
 */

static int
add_block_row(struct store *store, const struct block_result *block)
{
	const struct block_place *place = &block->place;
	struct block_plan plan = block->plan;
	struct codec bots, seating;
	char hex[HEX_SIZE], chain[HEX_SIZE];

	codec_init(&bots, NULL);
	code_bots(&bots, &plan);
	codec_init(&seating, NULL);
	code_seating(
	    &seating, &plan, scopa_seatings[store->head.teams].players);
	assert(codec_end(&bots) && codec_end(&seating));
	sodium_bin2hex(hex, sizeof(hex), place->digest, sizeof(place->digest));
	sodium_bin2hex(
	    chain, sizeof(chain), place->chain, sizeof(place->chain));
	return store_execute(store, STORE_ADD_BLOCK, "iiiittiiitt",
	    plan.index + 1, (int64_t)plan.round + 1, (int64_t)plan.stage + 1,
	    (int64_t)plan.dealer + 1, bots.bytes, seating.bytes,
	    (int64_t)block->skipped, place->offset, place->size, hex, chain);
}

static int
add_game(struct store *store, int64_t block, struct summary game)
{
	sqlite3_stmt *statement = store->statements[STORE_ADD_GAME];
	int rc = SQLITE_OK;

	sqlite3_bind_int64(statement, 1, block + 1);
	sqlite3_bind_int64(statement, 2, game.game + 1);
	for (int i = 0; i < COUNTOF(game_columns) && rc == SQLITE_OK; i++) {
		struct codec codec;

		if (column_is_null(&game_columns[i], &game))
			continue;
		codec_init(&codec, NULL);
		code_column(&codec, &game_columns[i], &game);
		assert(codec_end(&codec));
		rc = sqlite3_bind_text(statement, i + 3, codec.bytes,
		    (int)codec.text.length, SQLITE_TRANSIENT);
	}
	if (rc == SQLITE_OK)
		return store_finish(statement);
	sqlite3_clear_bindings(statement);
	return rc;
}

/* Adds the rows of one block; an answer of SQLite. */
static int
store_rows_add(struct store *store, const struct block_result *block)
{
	int64_t index = block->plan.index;
	int games = block->skipped ? 0 : block->plan.game_count;
	int rc = add_block_row(store, block);

	for (int i = 0; rc == SQLITE_OK && i < games; i++) {
		const struct summary *game = &block->games[i];

		rc = add_game(store, index, *game);
		for (int k = 0; rc == SQLITE_OK && k < game->voided_count; k++)
			rc = store_execute(store, STORE_ADD_VOIDED, "iiit",
			    index + 1, game->game + 1, (int64_t)k + 1,
			    game->voided[k]);
	}
	return rc;
}

/*
 * Reading rows as blocks.
 */

/* The text of a column; NULL reads as "", which is no list. */
static const char *
column_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return text ? text : "";
}

/* A number that counts from 0, and in the column from 1. */
static bool
read_int(sqlite3_stmt *statement, int column, int max, int *number)
{
	int64_t value = sqlite3_column_int64(statement, column);

	if (value < 1 || value > (int64_t)max + 1)
		return false;
	*number = (int)(value - 1);
	return true;
}

/* Reads a digest: 64 hex digits in lower case. */
static bool
read_digest(sqlite3_stmt *statement, int column,
    unsigned char digest[STORE_DIGEST_SIZE])
{
	return word_to_hex(
	    word_of(column_text(statement, column)), digest, STORE_DIGEST_SIZE);
}

static bool
read_block(const struct store *store, sqlite3_stmt *statement,
    struct block_result *block)
{
	struct block_place *place = &block->place;
	int seat_count = scopa_seatings[store->head.teams].players;
	struct block_plan *plan = &block->plan;
	struct codec bots, seating;

	memset(block, 0, sizeof(*block));
	plan->index = sqlite3_column_int64(statement, WALK_BLOCK) - 1;
	plan->game_count = store->head.game_count;
	block->skipped = sqlite3_column_int(statement, WALK_SKIPPED) != 0;
	place->offset = sqlite3_column_int64(statement, WALK_RECORD_OFFSET);
	place->size = sqlite3_column_int64(statement, WALK_RECORD_SIZE);
	codec_init(&bots, column_text(statement, WALK_BOTS));
	code_bots(&bots, plan);
	if (!codec_end(&bots))
		return false;
	for (int i = 0; i < plan->bot_count; i++)
		if (plan->bots[i] < 0 || plan->bots[i] >= store->head.bot_count)
			return false;
	codec_init(&seating, column_text(statement, WALK_SEATING));
	code_seating(&seating, plan, seat_count);
	return codec_end(&seating) && place->offset >= 0 && place->size >= 0 &&
	    read_int(statement, WALK_ROUND, INT_MAX, &plan->round) &&
	    read_int(statement, WALK_STAGE, INT_MAX, &plan->stage) &&
	    read_int(statement, WALK_DEALER, seat_count - 1, &plan->dealer) &&
	    read_digest(statement, WALK_RECORD_SHA256, place->digest) &&
	    read_digest(statement, WALK_CHAIN, place->chain);
}

/* False if add_game() cannot have written the column of the game. */
static bool
read_column(sqlite3_stmt *statement, int at, const struct game_column *column,
    struct summary *game)
{
	bool null = sqlite3_column_type(statement, at) == SQLITE_NULL;
	struct codec codec;

	codec_init(&codec, column_text(statement, at));
	if (!null)
		code_column(&codec, column, game);
	else if (column->form == FORM_TEAM)
		*(int *)(void *)((char *)game + column->offset) =
		    SCOPA_TEAM_NONE;
	else if (column->form == FORM_OFFENDER)
		game->offender = -1;
	return codec_end(&codec) && column_is_null(column, game) == null;
}

/* `ENV_ERR,VOID`, or NULL: there was no other attempt. */
static bool
read_voided(sqlite3_stmt *statement, struct summary *game)
{
	const char *at = column_text(statement, WALK_VOIDED);
	bool more = sqlite3_column_type(statement, WALK_VOIDED) != SQLITE_NULL;

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

static bool
read_game(const struct store *store, sqlite3_stmt *statement,
    const struct block_plan *plan, int at, struct summary *game)
{
	const struct scopa_seating *seating =
	    &scopa_seatings[store->head.teams];

	game->game = plan->index * plan->game_count + at;
	game->round = plan->round;
	game->rotation = at;
	game->seat_count = seating->players;
	game->team_count = seating->teams;
	for (int seat = 0; seat < game->seat_count; seat++) {
		int bot = plan->bots[plan->seating[at][seat]];

		game->team[seat] = seating->team[seat];
		memcpy(game->names[seat], store->head.bots[bot].name,
		    EVENT_NAME_SIZE);
	}
	if (sqlite3_column_int64(statement, WALK_GAME) != game->game + 1)
		return false;
	for (int i = 0; i < COUNTOF(game_columns); i++)
		if (!read_column(statement, WALK_GAME_COLUMNS + i,
			&game_columns[i], game))
			return false;
	return read_voided(statement, game);
}

/*
 * Reads a block from the rows of STORE_WALK, of which the first is the present
 * one, and steps to the first row of the next block.  Returns an answer of
 * SQLite; *good is false if a row cannot be read.
 */
static int
store_rows_read(const struct store *store, sqlite3_stmt *statement,
    struct block_result *block, bool *good)
{
	int count = 0, rc = SQLITE_ROW;

	*good = read_block(store, statement, block);
	while (*good && rc == SQLITE_ROW &&
	    sqlite3_column_int64(statement, WALK_BLOCK) ==
		block->plan.index + 1) {
		bool any =
		    sqlite3_column_type(statement, WALK_GAME) != SQLITE_NULL;

		*good = any
		    ? !block->skipped && count < block->plan.game_count &&
			read_game(store, statement, &block->plan, count,
			    &block->games[count])
		    : block->skipped;
		count += any;
		rc = sqlite3_step(statement);
	}
	*good = *good && (block->skipped || count == block->plan.game_count);
	return rc;
}

int
store_end(struct store *store, int64_t *block_count, struct block_place *place,
    struct store_error *error)
{
	struct block_place end = { .size = 0 };
	sqlite3_stmt *statement = store->statements[STORE_END];
	int rc = sqlite3_step(statement), status;
	int64_t count = 0;
	bool good = true;

	if (rc == SQLITE_DONE) {
		store_chain_begin(&store->head, end.chain);
	} else if (rc == SQLITE_ROW) {
		bool any = sqlite3_column_type(statement, 2) != SQLITE_NULL;

		count = sqlite3_column_int64(statement, 0);
		end.offset = sqlite3_column_int64(statement, 2);
		end.size = sqlite3_column_int64(statement, 3);
		good = end.offset >= 0 && end.size >= 0 &&
		    read_digest(statement, 1, end.chain) &&
		    (!any || read_digest(statement, 4, end.digest));
	}
	status = store_answer(store, rc, error);
	sqlite3_reset(statement);
	if (status == 0 && !good)
		status = store_damaged(
		    store, error, "it does not say where its results end");
	if (status == 0) {
		*block_count = count;
		*place = end;
	}
	return status;
}

/* Adds one block; `next` is the first free number. */
static int
add_block(struct store *store, const struct block_result *block, int64_t *next,
    struct store_error *error)
{
	int64_t index = block->plan.index;
	char why[STORE_TEXT_SIZE];
	int status;

	if (!store_block_check(&store->head, block, why))
		return store_fail(error, -EINVAL, "", "%s", why);
	/* A commit that failed may have taken effect. */
	if (index < *next)
		return 0;
	if (index > *next)
		return store_fail(error, -EINVAL, "",
		    "block %jd does not follow on the %jd of the database "
		    "\"%s\"",
		    index + 1, *next, store->path);
	status = store_answer(store, store_rows_add(store, block), error);
	if (status == 0)
		++*next;
	return status;
}

/* Blocks that are added to a file that was removed or renamed would be lost. */
static int
check_place(struct store *store, struct store_error *error)
{
	int moved = 0;

	sqlite3_file_control(
	    store->database, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	if (!moved)
		return 0;
	return store_fail(error, -ESTALE,
	    "bring it back with the files beside it, and go on",
	    "the database \"%s\" is not there any more", store->path);
}

int
store_add(struct store *store, const struct block_result *blocks, int count,
    struct store_error *error)
{
	struct block_place last;
	int64_t next;
	int rc, status = check_place(store, error);

	assert(store->writable);
	if (status != 0)
		return status;
	/*
	 * SQLite waits for a program that holds the file, but not again after
	 * -EBUSY: the caller has other work, and tries again later.
	 */
	rc = store_execute(store, STORE_BEGIN, "");
	sqlite3_busy_timeout(
	    store->database, (rc & 0xFF) == SQLITE_BUSY ? 0 : STORE_BUSY_MS);
	if (rc != SQLITE_OK)
		return store_answer(store, rc, error);
	status = store_end(store, &next, &last, error);
	for (int i = 0; status == 0 && i < count; i++)
		status = add_block(store, &blocks[i], &next, error);
	if (status == 0)
		status = store_answer(
		    store, store_execute(store, STORE_COMMIT, ""), error);
	/* After some errors SQLite has rolled back by itself. */
	if (status != 0 && !sqlite3_get_autocommit(store->database))
		store_execute(store, STORE_ROLLBACK, "");
	return status;
}

int
store_cut(struct store *store, int64_t block_count, struct store_error *error)
{
	char statements[256];
	int status = check_place(store, error);

	assert(store->writable);
	if (status != 0)
		return status;
	snprintf(statements, sizeof(statements),
	    "BEGIN IMMEDIATE; DELETE FROM voided WHERE block > %jd; "
	    "DELETE FROM game WHERE block > %jd; "
	    "DELETE FROM block WHERE block > %jd; COMMIT",
	    block_count, block_count, block_count);
	sqlite3_busy_timeout(store->database, STORE_BUSY_MS);
	status = store_answer(store,
	    sqlite3_exec(store->database, statements, NULL, NULL, NULL), error);
	if (status != 0 && !sqlite3_get_autocommit(store->database))
		store_execute(store, STORE_ROLLBACK, "");
	return status;
}

int
store_walk_from(struct store *store, int64_t first,
    int (*visit)(void *context, const struct block_result *block),
    void *context, struct store_error *error)
{
	int64_t expected = first;
	sqlite3_stmt *statement = store->statements[STORE_WALK];
	int rc, status = 0;

	sqlite3_bind_int64(statement, 1, first);
	rc = sqlite3_step(statement);
	while (status == 0 && rc == SQLITE_ROW) {
		struct block_result block;
		bool good;

		if (sqlite3_column_int64(statement, WALK_BLOCK) !=
		    expected + 1) {
			status = store_damaged(
			    store, error, "block %jd is missing", expected + 1);
			break;
		}
		rc = store_rows_read(store, statement, &block, &good);
		if (!good)
			status = store_damaged(store, error,
			    "the rows of block %jd cannot be read",
			    expected + 1);
		else if (rc == SQLITE_ROW || rc == SQLITE_DONE)
			status = visit(context, &block);
		expected++;
	}
	if (status == 0)
		status = store_answer(store, rc, error);
	sqlite3_reset(statement);
	return status;
}

/* Runs an UPDATE of one text. */
static int
set_text(struct store *store, enum store_query query, const char *text,
    struct store_error *error)
{
	assert(store->writable);
	return store_answer(
	    store, store_execute(store, query, "t", text), error);
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
	/* The chain begins with them. */
	snprintf(store->head.contributions, sizeof(store->head.contributions),
	    "%s", contributions);
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
	sqlite3_stmt *statement = store->statements[STORE_GET_STATE];
	bool good = sqlite3_step(statement) == SQLITE_ROW &&
	    store_column_copy(statement, 0, state, size);
	int error =
	    sqlite3_errcode(store->database) == SQLITE_NOMEM ? ENOMEM : EBADMSG;

	sqlite3_reset(statement);
	return good ? 0 : -error;
}

/*
 * Comparing two databases row by row.
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

/* Whether two rows are the same; NULL is not the same as "". */
static bool
compare_rows(sqlite3_stmt *a, sqlite3_stmt *b, int table,
    char difference[STORE_TEXT_SIZE])
{
	int column = 0, columns = sqlite3_column_count(a);
	const char *one = NULL, *other = NULL;
	char key[80] = "";
	size_t length = 0;

	for (; column < columns; column++) {
		one = (const char *)sqlite3_column_text(a, column);
		other = (const char *)sqlite3_column_text(b, column);
		if (one && other ? strcmp(one, other) != 0 : one != other)
			break;
	}
	if (column == columns)
		return true;
	one = one ? one : "nothing";
	other = other ? other : "nothing";
	for (int i = 0; i < compared_tables[table].key_columns; i++)
		length += (size_t)snprintf(key + length, sizeof(key) - length,
		    "%s%jd", i > 0 ? ", " : "",
		    (int64_t)sqlite3_column_int64(a, i));
	snprintf(difference, STORE_TEXT_SIZE,
	    "%s %s: `%s` is %.*s%s, and not %.*s%s", compared_tables[table].row,
	    key, sqlite3_column_name(a, column), QUOTE_MAX, one,
	    strlen(one) > QUOTE_MAX ? "..." : "", QUOTE_MAX, other,
	    strlen(other) > QUOTE_MAX ? "..." : "");
	return false;
}

/* 1: the common rows of a table are the same in both; 0; or -errno. */
static int
compare_table(struct store *const stores[2], int table,
    char difference[STORE_TEXT_SIZE], struct store_error *error)
{
	sqlite3_stmt *rows[2] = { NULL, NULL };
	int rc[2], answer = 1;
	bool more = true;

	for (int i = 0; i < 2; i++)
		rc[i] = sqlite3_prepare_v2(stores[i]->database,
		    compared_tables[table].sql, -1, &rows[i], NULL);
	more = rc[0] == SQLITE_OK && rc[1] == SQLITE_OK;
	while (more && answer == 1) {
		for (int i = 0; i < 2; i++)
			rc[i] = sqlite3_step(rows[i]);
		more = rc[0] == SQLITE_ROW && rc[1] == SQLITE_ROW;
		if (more)
			answer =
			    compare_rows(rows[0], rows[1], table, difference);
	}
	/* Also of reading a text, which is NULL without memory. */
	for (int i = 0; i < 2; i++) {
		int status = store_answer(
		    stores[i], sqlite3_errcode(stores[i]->database), error);

		answer = status ? status : answer;
		sqlite3_finalize(rows[i]);
	}
	return answer;
}

int
store_compare(struct store *a, struct store *b,
    char difference[STORE_TEXT_SIZE], struct store_error *error)
{
	struct store *const stores[] = { a, b };
	int answer = 1;

	for (int i = 0; answer == 1 && i < COUNTOF(compared_tables); i++)
		answer = compare_table(stores, i, difference, error);
	return answer;
}
