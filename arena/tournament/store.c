#include "store.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "store_state.h"

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
