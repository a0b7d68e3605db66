/*
 * The database of a store as SQLite has it: its tables and their version, how it
 * is opened and checked, statements, and errors for people.
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
	STORE_LAST_BLOCK,
	STORE_LAST_PLACE,
	STORE_LAST_CHAIN,
	STORE_FIND_BLOCK,
	STORE_ADD_BLOCK,
	STORE_ADD_GAME,
	STORE_ADD_VOIDED,
	STORE_WALK,
	STORE_SET_STATE,
	STORE_SET_CONTRIBUTIONS,
	STORE_SET_SECRET,
	STORE_GET_STATE,
	STORE_QUERY_COUNT
};

struct store {
	sqlite3 *database;
	char path[PATH_MAX];
	struct store_head head;
	sqlite3_stmt *statements[STORE_QUERY_COUNT];
	bool writable;
};

/*
 * The -errno of what SQLite answered last, with the error for people; `rc` is
 * its answer.
 */
int store_fail(const struct store *store, int rc, struct store_error *error);

/* -EBADMSG: the database is damaged, as the formatted sentence says. */
int store_damaged(const struct store *store, struct store_error *error,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The run in which the database is: its folder. */
void store_folder(const char *path, char folder[PATH_MAX]);

/* A prepared statement without bindings; an answer of SQLite. */
int store_prepare(
    struct store *store, enum store_query query, sqlite3_stmt **statement);

/* Runs a prepared statement that gives no rows; an answer of SQLite. */
int store_run(struct store *store, enum store_query query);

/* Tables and views, application and version, the head: in one transaction. */
int store_schema_create(struct store *store, const struct store_head *head);

/*
 * Whether the tables are those that store_schema_create makes; others may be
 * there, too.  1, 0, or -(an answer of SQLite).
 */
int store_schema_check(struct store *store);

/* Reads the head: 0; -EBADMSG or another -errno, with the error. */
int store_head_read(struct store *store, struct store_error *error);

/* Copies a column of text; false where it is too long. */
bool store_column_copy(
    sqlite3_stmt *statement, int column, char *text, size_t size);

#endif
