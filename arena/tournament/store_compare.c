/*
 * Two databases, row by row: are they the same, and if not, where?
 */
#include <stdio.h>
#include <string.h>

#include "countof.h"
#include "store_state.h"

enum { QUOTE_MAX = 120 };

/* What is compared; the first columns are the key. */
static const struct {
	const char *sql;
	const char *row; /* what a row is, for people */
	int key_columns;
} tables[] = {
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
	for (int i = 0; i < tables[table].key_columns; i++)
		length += (size_t)snprintf(key + length, sizeof(key) - length,
		    "%s%lld", i > 0 ? ", " : "",
		    (long long)sqlite3_column_int64(a, i));
	snprintf(difference, STORE_TEXT_SIZE, "%s %s: `%s` is %s, and not %s",
	    tables[table].row, key, sqlite3_column_name(a, column), a_text,
	    b_text);
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
	side->rc = sqlite3_prepare_v2(
	    store->database, tables[table].sql, -1, &side->statement, NULL);
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

	for (int i = 0; answer == 1 && i < COUNTOF(tables); i++)
		answer = compare_table(a, b, i, difference, error);
	return answer;
}
