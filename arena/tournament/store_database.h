/*
 * The database of a store as SQLite has it: its tables and their version, how
 * it is opened and checked, statements, and errors for people.
 */
#ifndef STORE_DATABASE_H
#define STORE_DATABASE_H

#include <limits.h>
#include <sqlite3.h>

#include "store.h"

/* How long a change waits for another program that holds the file. */
enum { STORE_BUSY_MS = 5000 };

/* Statements that are prepared once. */
enum store_query {
	STORE_BEGIN,
	STORE_COMMIT,
	STORE_ROLLBACK,
	STORE_END,
	STORE_ADD_BLOCK,
	STORE_ADD_GAME,
	STORE_ADD_VOIDED,
	STORE_WALK,
	STORE_SET_STATE,
	STORE_SET_CONTRIBUTIONS,
	STORE_SET_SECRET,
	STORE_GET_STATE,
	STORE_ADD_RUN,
	STORE_ADD_BOT,
	STORE_GET_RUN,
	STORE_GET_BOTS,
	STORE_QUERY_COUNT
};

struct store {
	sqlite3 *database;
	char path[PATH_MAX];
	struct store_head head;
	char *commands[TOURNAMENT_BOTS_MAX];         /* of the bots of `head` */
	sqlite3_stmt *statements[STORE_QUERY_COUNT]; /* prepared */
	bool writable;
};

/*
 * Turns the last answer of SQLite into 0, or -errno with the error.
 */
int store_answer(const struct store *store, int rc, struct store_error *error);

/* -EBADMSG: the database is damaged, as the formatted sentence says. */
int store_damaged(const struct store *store, struct store_error *error,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Runs a statement that gives no rows, and clears its bindings.  Returns an
 * answer of SQLite.
 */
int store_finish(sqlite3_stmt *statement);

/*
 * Binds the arguments that follow, and runs a statement that gives no rows.
 * `types` has a letter for each argument: `i`, an int64_t; `t`, a text.
 */
int store_execute(
    struct store *store, enum store_query query, const char *types, ...);

/* Copies a column of text; false where it is too long. */
bool store_column_copy(
    sqlite3_stmt *statement, int column, char *text, size_t size);

#endif
