/*
 * Blocks as rows and back.  A row of a game has a column for each member of its
 * summary: `game_columns` says how each of them is written and read.
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

enum {
	HEX_SIZE = 2 * STORE_DIGEST_SIZE + 1,
	CHAIN_GAME_SIZE = 256,
	CHAIN_HEADING_SIZE = CONTRIBUTIONS_SIZE + 256,
	CHAIN_LINE_SIZE = BLOCK_GAMES_MAX * CHAIN_GAME_SIZE + 256
};

static const char chain_mark[] = "scopa-arena-chain-v1";

static void text_print(struct scopa_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
text_print(struct scopa_text *text, const char *format, ...)
{
	size_t room = text->size - text->length;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text->bytes + text->length, room, format, arguments);
	va_end(arguments);
	assert(length >= 0 && (size_t)length < room);
	text->length += (size_t)length;
}

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

static void
chain_hash(
    const struct scopa_text *text, unsigned char chain[STORE_DIGEST_SIZE])
{
	crypto_hash_sha256(
	    chain, (const unsigned char *)text->bytes, text->length);
}

void
store_chain_begin(
    const struct store_head *head, unsigned char chain[STORE_DIGEST_SIZE])
{
	char bytes[CHAIN_HEADING_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	text_print(&text, "%s %s %s %s\n", chain_mark,
	    word_or_dash(head->terms), word_or_dash(head->commitment),
	    word_or_dash(head->contributions));
	chain_hash(&text, chain);
}

void
store_chain_add(unsigned char chain[STORE_DIGEST_SIZE],
    const struct block_result *block,
    const unsigned char record[STORE_DIGEST_SIZE])
{
	char bytes[CHAIN_LINE_SIZE], last[HEX_SIZE], hex[HEX_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	sodium_bin2hex(last, sizeof(last), chain, STORE_DIGEST_SIZE);
	sodium_bin2hex(hex, sizeof(hex), record, STORE_DIGEST_SIZE);
	text_print(&text, "%s %s %lld %s%s", chain_mark, last,
	    (long long)block->plan.index + 1, hex,
	    block->skipped ? " skipped" : "");
	for (int i = 0; !block->skipped && i < block->plan.game_count; i++) {
		const struct summary *game = &block->games[i];

		text_print(&text, " m%lld", (long long)game->game + 1);
		for (int team = 0; team < game->team_count; team++)
			text_print(&text, "%c%d", team == 0 ? ':' : ',',
			    game->scores[team]);
		text_print(&text, ":%d:%c:%s:%c", game->deal_count,
		    team_letter(game->winner), game->reason,
		    team_letter(game->forfeiter));
	}
	text_print(&text, "\n");
	chain_hash(&text, chain);
}

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

/* Number `i` of a member that is one of so many bytes, or an array of these. */
static int64_t
number_get(const void *numbers, size_t width, int i)
{
	if (width == sizeof(int64_t))
		return ((const int64_t *)numbers)[i];
	return width == sizeof(int32_t) ? ((const int32_t *)numbers)[i]
					: ((const bool *)numbers)[i];
}

/* What does not fit shows when the number is written again. */
static void
number_put(void *numbers, size_t width, int i, int64_t number)
{
	if (width == sizeof(int64_t))
		((int64_t *)numbers)[i] = number;
	else if (width == sizeof(bool))
		((bool *)numbers)[i] = number != 0;
	else
		((int32_t *)numbers)[i] = (int32_t)number;
}

/* `[1,2]` */
static void
list_write(
    struct scopa_text *text, const void *numbers, size_t width, int count)
{
	for (int i = 0; i < count; i++) {
		scopa_text_char(text, i > 0 ? ',' : '[');
		scopa_text_int(text, number_get(numbers, width, i));
	}
	scopa_text_char(text, ']');
}

/*
 * Reads so many numbers, whatever stands between them.  The caller writes them
 * again to see whether the text was one of ours.
 */
static void
list_read(const char *text, void *numbers, size_t width, int count)
{
	for (int i = 0; i < count; i++) {
		char *end;

		text += strcspn(text, "-0123456789");
		number_put(numbers, width, i, strtoll(text, &end, 10));
		text = end;
	}
}

/* `[{"cards":1},{}]`: of `rows` rows, what is not 0 of `count`, by name. */
static void
tallies_write(struct scopa_text *text, const int32_t *numbers, int rows,
    int count, const char *(*name)(int index))
{
	for (int row = 0; row < rows; row++) {
		bool any = false;

		scopa_text_string(text, row > 0 ? ",{" : "[{");
		for (int i = 0; i < count; i++) {
			int32_t number = numbers[row * count + i];

			if (number == 0)
				continue;
			text_print(text, "%s\"%s\":%d", any ? "," : "", name(i),
			    number);
			any = true;
		}
		scopa_text_char(text, '}');
	}
	scopa_text_char(text, ']');
}

/* As list_read; names stand in their order. */
static void
tallies_read(const char *text, int32_t *numbers, int rows, int count,
    const char *(*name)(int index))
{
	for (int i = 0; i < rows * count; i++) {
		size_t length = strlen(name(i % count));

		if (i % count == 0) {
			text += strcspn(text, "{");
			text += strspn(text, "{\"");
		}
		numbers[i] = 0;
		if (strncmp(text, name(i % count), length) != 0 ||
		    text[length] != '"')
			continue;
		text += length + strspn(text + length, "\":");
		numbers[i] = (int32_t)strtol(text, NULL, 10);
		text += strspn(text, "-0123456789");
		text += strspn(text, ",\"");
	}
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
 * The columns of a game, behind `block` and `game`.
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
	/* Of the offence that lost the game; NULL: none has. */
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

static bool
is_text(enum column_form form)
{
	return form == FORM_TEXT || form == FORM_SANDBOX ||
	    form == FORM_OFFENCE_REASON;
}

const char *
store_game_difference(const struct summary *a, const struct summary *b)
{
	for (int i = 0; i < COUNTOF(game_columns); i++) {
		const struct game_column *column = &game_columns[i];
		const char *one = (const char *)a + column->offset;
		const char *other = (const char *)b + column->offset;

		if (is_text(column->form)
			? strcmp(one, other) != 0
			: memcmp(one, other, column->size) != 0)
			return column->name;
	}
	return NULL;
}

/*
 * Blocks as rows; the way back comes below.
 */

enum { LIST_SIZE = 160, COLUMN_SIZE = 4096 };

static void
write_bots(const struct block_plan *plan, struct scopa_text *text)
{
	int bots[SCOPA_SEATS_MAX];

	for (int i = 0; i < plan->bot_count; i++)
		bots[i] = plan->bots[i] + 1;
	list_write(text, bots, sizeof(*bots), plan->bot_count);
}

static void
write_seating(
    const struct block_plan *plan, int seat_count, struct scopa_text *text)
{
	int bots[SCOPA_SEATS_MAX];

	for (int game = 0; game < plan->game_count; game++) {
		for (int seat = 0; seat < seat_count; seat++)
			bots[seat] = plan->bots[plan->seating[game][seat]] + 1;
		scopa_text_char(text, game > 0 ? ',' : '[');
		list_write(text, bots, sizeof(*bots), seat_count);
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

	scopa_text_init(&bots_text, bots, sizeof(bots));
	write_bots(plan, &bots_text);
	scopa_text_init(&seating_text, seating, sizeof(seating));
	write_seating(plan, store_seating(store)->players, &seating_text);
	assert(!bots_text.cut && !seating_text.cut);
	sodium_bin2hex(hex, sizeof(hex), place->digest, sizeof(place->digest));
	sodium_bin2hex(
	    chain, sizeof(chain), place->chain, sizeof(place->chain));
	return store_execute(store, STORE_ADD_BLOCK, "iiiittiiitt",
	    plan->index + 1, (int64_t)plan->round + 1, (int64_t)plan->stage + 1,
	    (int64_t)plan->dealer + 1, bots, seating, (int64_t)block->skipped,
	    place->offset, place->size, hex, chain);
}

/* Writes the member of a game for its column; false: it is NULL there. */
static bool
write_column(const struct game_column *column, const struct summary *game,
    struct scopa_text *text)
{
	const void *member = (const char *)game + column->offset;
	const int *team = member;

	switch (column->form) {
	case FORM_NUMBER:
		scopa_text_int(text, number_get(member, column->width, 0));
		return true;
	case FORM_TEAMS:
		list_write(text, member, column->width, game->team_count);
		return true;
	case FORM_SEATS:
		list_write(text, member, column->width, game->seat_count);
		return true;
	case FORM_ITEMS:
		tallies_write(text, member, game->team_count, SCOPA_ITEM_COUNT,
		    store_item_name);
		return true;
	case FORM_OFFENCES:
		tallies_write(text, member, game->seat_count,
		    OFFENCE_KIND_COUNT, store_kind_name);
		return true;
	case FORM_TEXT:
		scopa_text_string(text, member);
		return true;
	case FORM_SANDBOX:
		scopa_text_string(text, member);
		return game->sandbox[0] != '\0';
	case FORM_TEAM:
		scopa_text_char(text, team_letter(*team));
		return *team != SCOPA_TEAM_NONE;
	case FORM_OFFENDER:
		scopa_text_int(text, (int64_t)game->offender + 1);
		break;
	case FORM_OFFENCE:
		scopa_text_string(text, offence_name(game->offence));
		break;
	case FORM_OFFENCE_REASON:
		scopa_text_string(text, member);
		break;
	}
	return game->offender >= 0;
}

static int
add_game(struct store *store, int64_t block, const struct summary *game)
{
	sqlite3_stmt *statement = store->statements[STORE_ADD_GAME];

	sqlite3_bind_int64(statement, 1, block + 1);
	sqlite3_bind_int64(statement, 2, game->game + 1);
	for (int i = 0; i < COUNTOF(game_columns); i++) {
		char bytes[COLUMN_SIZE];
		struct scopa_text text;

		scopa_text_init(&text, bytes, sizeof(bytes));
		if (!write_column(&game_columns[i], game, &text))
			continue;
		assert(!text.cut);
		sqlite3_bind_text(statement, i + 3, bytes, (int)text.length,
		    SQLITE_TRANSIENT);
	}
	return store_finish(statement);
}

/* Adds the rows of one block; an answer of SQLite. */
static int
store_rows_add(struct store *store, const struct block_result *block,
    const struct store_place *place)
{
	int64_t index = block->plan.index;
	int rc = write_block_row(store, block, place);

	if (block->skipped)
		return rc;
	for (int i = 0; rc == SQLITE_OK && i < block->plan.game_count; i++) {
		const struct summary *game = &block->games[i];

		rc = add_game(store, index, game);
		for (int k = 0; rc == SQLITE_OK && k < game->voided_count; k++)
			rc = store_execute(store, STORE_ADD_VOIDED, "iiit",
			    index + 1, game->game + 1, (int64_t)k + 1,
			    game->voided[k]);
	}
	return rc;
}

/*
 * Rows as blocks: exactly those that were added.
 */

/* The text of a column; what is NULL reads as empty, which no list is. */
static const char *
column_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return text ? text : "";
}

/* A number that stands in the column one higher than here. */
static bool
read_int(sqlite3_stmt *statement, int column, int max, int *number)
{
	int64_t value = sqlite3_column_int64(statement, column);

	if (value < 1 || value > (int64_t)max + 1)
		return false;
	*number = (int)(value - 1);
	return true;
}

/* Whether what was read is written as the text that it was read from. */
static bool
is_same_text(const struct scopa_text *text, const char *stored)
{
	return !text->cut && strcmp(text->bytes, stored) == 0;
}

static bool
read_bots(
    const struct store *store, const char *stored, struct block_plan *plan)
{
	char bytes[LIST_SIZE];
	struct scopa_text text;

	plan->bot_count = 1;
	for (const char *at = stored; *at; at++)
		plan->bot_count += *at == ',';
	if (plan->bot_count > SCOPA_SEATS_MAX)
		return false;
	list_read(stored, plan->bots, sizeof(*plan->bots), plan->bot_count);
	for (int i = 0; i < plan->bot_count; i++)
		if (plan->bots[i] < 1 ||
		    plan->bots[i]-- > store->head.bot_count)
			return false;
	scopa_text_init(&text, bytes, sizeof(bytes));
	write_bots(plan, &text);
	return is_same_text(&text, stored);
}

/* The index of a bot in the plan; bot_count where it is not there. */
static uint8_t
find_member(const struct block_plan *plan, int bot)
{
	int member = 0;

	while (member < plan->bot_count && plan->bots[member] != bot)
		member++;
	return (uint8_t)member;
}

static bool
read_seating(
    const struct store *store, const char *stored, struct block_plan *plan)
{
	int seat_count = store_seating(store)->players;
	int bots[BLOCK_GAMES_MAX * SCOPA_SEATS_MAX];
	char bytes[BLOCK_GAMES_MAX * LIST_SIZE];
	struct scopa_text text;

	plan->game_count = store->head.game_count;
	list_read(stored, bots, sizeof(*bots), plan->game_count * seat_count);
	for (int i = 0; i < plan->game_count * seat_count; i++) {
		uint8_t member = bots[i] < 1 ? (uint8_t)plan->bot_count
					     : find_member(plan, bots[i] - 1);

		if (member == plan->bot_count)
			return false;
		plan->seating[i / seat_count][i % seat_count] = member;
	}
	scopa_text_init(&text, bytes, sizeof(bytes));
	write_seating(plan, seat_count, &text);
	return is_same_text(&text, stored);
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
read_block(const struct store *store, sqlite3_stmt *statement,
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
	    read_int(statement, WALK_ROUND, INT_MAX, &plan->round) &&
	    read_int(statement, WALK_STAGE, INT_MAX, &plan->stage) &&
	    read_int(statement, WALK_DEALER, store_seating(store)->players - 1,
		&plan->dealer) &&
	    read_bots(store, column_text(statement, WALK_BOTS), plan) &&
	    read_seating(store, column_text(statement, WALK_SEATING), plan) &&
	    store_digest_read(
		column_text(statement, WALK_RECORD_SHA256), place->digest) &&
	    store_digest_read(column_text(statement, WALK_CHAIN), place->chain);
}

/* The kind of an offence by its name; any where it has none. */
static enum offence_kind
find_offence(const char *name)
{
	int kind = OFFENCE_KIND_COUNT - 1;

	while (kind > 0 && strcmp(name, store_kind_name(kind)) != 0)
		kind--;
	return (enum offence_kind)kind;
}

/*
 * Reads the member of a game from its column.  False where it is not written in
 * the same way: the column is nothing that write_column has made.
 */
static bool
read_column(sqlite3_stmt *statement, int at, const struct game_column *column,
    struct summary *game)
{
	char *member = (char *)game + column->offset;
	bool null = sqlite3_column_type(statement, at) == SQLITE_NULL;
	const char *stored = column_text(statement, at);
	char bytes[COLUMN_SIZE];
	struct scopa_text text;
	int64_t number;

	switch (column->form) {
	case FORM_NUMBER:
		list_read(stored, member, column->width, 1);
		break;
	case FORM_TEAMS:
		list_read(stored, member, column->width, game->team_count);
		break;
	case FORM_SEATS:
		list_read(stored, member, column->width, game->seat_count);
		break;
	case FORM_ITEMS:
		tallies_read(stored, (int32_t *)(void *)member,
		    game->team_count, SCOPA_ITEM_COUNT, store_item_name);
		break;
	case FORM_OFFENCES:
		tallies_read(stored, (int32_t *)(void *)member,
		    game->seat_count, OFFENCE_KIND_COUNT, store_kind_name);
		break;
	case FORM_TEXT:
	case FORM_SANDBOX:
	case FORM_OFFENCE_REASON:
		snprintf(member, column->size, "%s", stored);
		break;
	case FORM_TEAM:
		number = null ? SCOPA_TEAM_NONE : stored[0] - 'A';
		if (!null && (number < 0 || number >= game->team_count))
			return false;
		number_put(member, column->width, 0, number);
		break;
	case FORM_OFFENDER:
		number = sqlite3_column_int64(statement, at) - 1;
		if (number < -1 || number >= game->seat_count)
			return false;
		game->offender = (int)number;
		break;
	case FORM_OFFENCE:
		game->offence = find_offence(stored);
		break;
	}
	scopa_text_init(&text, bytes, sizeof(bytes));
	return write_column(column, game, &text) == !null &&
	    (null || is_same_text(&text, stored));
}

/* `ENV_ERR,VOID`, or NULL: there was no other attempt. */
static bool
read_voided(sqlite3_stmt *statement, struct summary *game)
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

static bool
read_game(const struct store *store, sqlite3_stmt *statement,
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
	if (sqlite3_column_int64(statement, WALK_GAME) != game->game + 1)
		return false;
	for (int i = 0; i < COUNTOF(game_columns); i++)
		if (!read_column(statement, WALK_GAME_COLUMNS + i,
			&game_columns[i], game))
			return false;
	return read_voided(statement, game);
}

/*
 * Takes a block out of the rows of STORE_WALK, the first of which is in hand,
 * and steps on to the first of the next block.  An answer of SQLite, or 0 with
 * *good false where a row cannot be read.
 */
static int
store_rows_read(const struct store *store, sqlite3_stmt *statement,
    struct block_result *block, struct store_place *place, bool *good)
{
	int count = 0, rc;

	*good = read_block(store, statement, block, place);
	if (!*good)
		return 0;
	do {
		bool any =
		    sqlite3_column_type(statement, WALK_GAME) != SQLITE_NULL;

		*good = any
		    ? !block->skipped && count < block->plan.game_count &&
			read_game(store, statement, &block->plan, count,
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

int
store_end(struct store *store, int64_t *block_count, struct store_place *place,
    struct store_error *error)
{
	struct store_place end = { .size = 0 };
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
		    store_digest_read(column_text(statement, 1), end.chain) &&
		    (!any ||
			store_digest_read(
			    column_text(statement, 4), end.digest));
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

/*
 * Whether a block is there, and with this digest: 1; 0, it is not; -errno,
 * -EEXIST where it is there with another one.
 */
static int
find_block(struct store *store, int64_t index, const unsigned char *digest,
    struct store_error *error)
{
	sqlite3_stmt *statement = store->statements[STORE_FIND_BLOCK];
	char hex[HEX_SIZE];
	int rc, status;

	sodium_bin2hex(hex, sizeof(hex), digest, STORE_DIGEST_SIZE);
	sqlite3_bind_int64(statement, 1, index + 1);
	rc = sqlite3_step(statement);
	status = store_answer(store, rc, error);
	if (rc == SQLITE_ROW)
		status =
		    strcmp(column_text(statement, 0), hex) == 0 ? 1 : -EEXIST;
	sqlite3_reset(statement);
	if (status == -EEXIST)
		store_error_set(error,
		    "block %lld is in the database \"%s\" already, with "
		    "another record",
		    (long long)index + 1, store->path);
	return status;
}

/* Adds one block where `next` is the first number that is free. */
static int
add_block(struct store *store, const struct block_result *block,
    const struct store_place *place, int64_t *next, struct store_error *error)
{
	int64_t index = block->plan.index;
	char why[STORE_TEXT_SIZE];
	int status = 0;

	if (!store_block_check(&store->head, block, why)) {
		store_error_set(error, "%s", why);
		return -EINVAL;
	}
	if (index < *next)
		status = find_block(store, index, place->digest, error);
	if (status != 0)
		return status < 0 ? status : 0;
	if (index != *next) {
		store_error_set(error,
		    "block %lld does not follow on the %lld of the database "
		    "\"%s\"",
		    (long long)index + 1, (long long)*next, store->path);
		return -EINVAL;
	}
	status =
	    store_answer(store, store_rows_add(store, block, place), error);
	if (status == 0)
		++*next;
	return status;
}

/* Where SQLite has not done so by itself. */
static void
roll_back(struct store *store)
{
	if (!sqlite3_get_autocommit(store->database))
		store_execute(store, STORE_ROLLBACK, "");
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
 * Waits for a program that holds the file.  But a caller that has got -EBUSY
 * once does not wait again: it has other work, and tries again later.
 */
static int
begin(struct store *store, struct store_error *error)
{
	int rc = store_execute(store, STORE_BEGIN, "");

	sqlite3_busy_timeout(
	    store->database, (rc & 0xFF) == SQLITE_BUSY ? 0 : STORE_BUSY_MS);
	return store_answer(store, rc, error);
}

int
store_add(struct store *store, const struct block_result *blocks,
    const struct store_place *places, int count, struct store_error *error)
{
	struct store_place last;
	int64_t next;
	int status = check_place(store, error);

	assert(store->writable);
	if (status == 0)
		status = begin(store, error);
	if (status != 0)
		return status;
	status = store_end(store, &next, &last, error);
	for (int i = 0; status == 0 && i < count; i++)
		status = add_block(store, &blocks[i], &places[i], &next, error);
	if (status == 0)
		status = store_answer(
		    store, store_execute(store, STORE_COMMIT, ""), error);
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
	sqlite3_stmt *statement = store->statements[STORE_WALK];
	int rc, status = 0;

	sqlite3_bind_int64(statement, 1, from);
	rc = sqlite3_step(statement);
	while (status == 0 && rc == SQLITE_ROW) {
		struct block_result block;
		struct store_place place;
		bool good;

		rc = store_rows_read(store, statement, &block, &place, &good);
		if (!good || block.plan.index != expected)
			status = store_damaged(store, error,
			    good ? "block %lld is missing"
				 : "the rows of block %lld cannot be read",
			    (long long)expected + 1);
		else if (rc == SQLITE_ROW || rc == SQLITE_DONE)
			status = take(context, &block, &place);
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

/* 1: a table is the same in both, as far as both reach; 0; -errno. */
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
	for (int i = 0; i < 2; i++) {
		int status = store_answer(stores[i], rc[i], error);

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
