/*
 * Creates and opens databases.  A file is first read in a way that cannot
 * change it.  It is opened for writing only if it is the database of a run and
 * has this version.
 */
#include "store_database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"
#include "version.h"
#include "words.h"

/*
 * What is wrong with a store, for people: what happened, and what to do.
 */

int
store_fail(struct store_error *error, int status, const char *hint,
    const char *format, ...)
{
	va_list arguments;

	snprintf(error->hint, sizeof(error->hint), "%s", hint);
	error->try[0] = '\0';
	va_start(arguments, format);
	vsnprintf(error->what, sizeof(error->what), format, arguments);
	va_end(arguments);
	return status;
}

/* The run in which the database is: its folder. */
static void
folder_of(const char *path, char folder[PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	if (slash && slash > path)
		snprintf(folder, PATH_MAX, "%.*s", (int)(slash - path), path);
	else
		snprintf(folder, PATH_MAX, "%s", slash ? "/" : ".");
}

void
store_error_try(
    struct store_error *error, const char *command, const char *path)
{
	struct scopa_text text;

	scopa_text_init(&text, error->try, sizeof(error->try));
	scopa_text_print(&text, VERSION_NAME " %s ", command);
	shell_word_format(path, &text);
	/* A command that was cut would be wrong. */
	if (text.cut)
		error->try[0] = '\0';
}

void
store_error_rebuild(struct store_error *error, const char *folder)
{
	snprintf(error->hint, sizeof(error->hint),
	    "nothing is lost as long as records.scopa is whole: results can "
	    "be made from it again");
	store_error_try(error, "db rebuild", folder);
}

int
store_damaged(const struct store *store, struct store_error *error,
    const char *format, ...)
{
	char why[STORE_TEXT_SIZE], folder[PATH_MAX];
	va_list arguments;

	/* Without memory a text that is there reads as NULL. */
	if (sqlite3_errcode(store->database) == SQLITE_NOMEM)
		return store_answer(store, SQLITE_NOMEM, error);
	va_start(arguments, format);
	vsnprintf(why, sizeof(why), format, arguments);
	va_end(arguments);
	store_fail(error, -EBADMSG, "", "the database \"%s\" is damaged: %s",
	    store->path, why);
	folder_of(store->path, folder);
	store_error_rebuild(error, folder);
	return -EBADMSG;
}

/* The meaning of the primary result codes of SQLite. */
static const struct meaning {
	int rc, error; /* -errno */
	const char *what, *hint;
} meanings[] = {
	{ SQLITE_FULL, -ENOSPC, "there is no room left on the disk",
	    "nothing is lost: make room there and try again" },
	{ SQLITE_TOOBIG, -ENOSPC, "the file would be too large",
	    "nothing is lost: raise ulimit -f and try again" },
	{ SQLITE_BUSY, -EBUSY, "another program holds it",
	    "close the other programs that have opened it" },
	{ SQLITE_READONLY, -EROFS, "it cannot be written to",
	    "see whether the file system is mounted to read only, and who may "
	    "write to the file and its folder" },
	{ SQLITE_NOMEM, -ENOMEM, "there is not enough memory", "" },
	{ SQLITE_PERM, -EACCES, "it may not be opened",
	    "see who may read and write the file and its folder" },
};

/* Finds the row of a result code. */
static int
stand_in(int rc, int system_error)
{
	int primary = rc & 0xFF;

	/* The shared memory of SQLite is a file, too. */
	if (rc == SQLITE_IOERR_SHMSIZE)
		return SQLITE_FULL;
	if (rc == SQLITE_IOERR_NOMEM)
		return SQLITE_NOMEM;
	if (primary == SQLITE_LOCKED)
		return SQLITE_BUSY;
	if (primary == SQLITE_AUTH)
		return SQLITE_PERM;
	if (primary != SQLITE_IOERR && primary != SQLITE_CANTOPEN)
		return primary;
	switch (system_error) {
	case ENOSPC:
	case EDQUOT:
		return SQLITE_FULL;
	case EFBIG:
		return SQLITE_TOOBIG;
	case EROFS:
		return SQLITE_READONLY;
	case EACCES:
	case EPERM:
		return SQLITE_PERM;
	default:
		return primary;
	}
}

/*
 * The errno of the last call on a file.  SQLite reads errno only after it has
 * cleaned up, but its file objects store it.
 */
static int
file_errno(sqlite3 *database, int which)
{
	sqlite3_file *file = NULL;
	int system_error = 0;

	if (sqlite3_file_control(database, "main", which, &file) != SQLITE_OK ||
	    !file || !file->pMethods)
		return 0;
	file->pMethods->xFileControl(
	    file, SQLITE_FCNTL_LAST_ERRNO, &system_error);
	return system_error;
}

static int
find_errno(sqlite3 *database, int rc)
{
	int system_error = 0;

	if (!database)
		return 0;
	/* Only the log is written to and synchronised. */
	if (rc == SQLITE_IOERR_WRITE || rc == SQLITE_IOERR_FSYNC ||
	    rc == SQLITE_IOERR_TRUNCATE) {
		system_error =
		    file_errno(database, SQLITE_FCNTL_JOURNAL_POINTER);
		if (system_error == 0)
			system_error =
			    file_errno(database, SQLITE_FCNTL_FILE_POINTER);
	}
	return system_error ? system_error : sqlite3_system_errno(database);
}

enum { DATABASE_PATH_MAX = 512 - 8 };

/*
 * Whether SQLite refuses the database because of the length of its path from
 * the root on: MAX_PATHNAME in os_unix.c, with room for `-journal`.
 */
static bool
path_is_too_long(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	char folder[PATH_MAX];
	char *whole;
	bool too_long;

	folder_of(path, folder);
	whole = realpath(folder, NULL);
	too_long = whole == NULL
	    ? errno == ENAMETOOLONG
	    : strlen(whole) + 1 + strlen(name) > DATABASE_PATH_MAX;
	free(whole);
	return too_long;
}

int
store_answer(const struct store *store, int rc, struct store_error *error)
{
	int primary = rc & 0xFF, system_error;

	if (rc == SQLITE_OK || rc == SQLITE_ROW || rc == SQLITE_DONE)
		return 0;
	system_error = find_errno(store->database, rc);
	/* A file that cannot be made is opened to read, too: the reason of the
	 * first attempt is lost, and what is missing is not the database. */
	if (primary == SQLITE_CANTOPEN && system_error == ENOENT &&
	    access(store->path, F_OK) == 0)
		system_error = 0;
	/* Keys of new rows are free unless the old rows were changed. */
	if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB ||
	    primary == SQLITE_CONSTRAINT)
		return store_damaged(
		    store, error, "%s", sqlite3_errmsg(store->database));
	for (int i = 0; i < COUNTOF(meanings); i++) {
		if (meanings[i].rc != stand_in(rc, system_error))
			continue;
		return store_fail(error, meanings[i].error, meanings[i].hint,
		    "the database \"%s\": %s", store->path, meanings[i].what);
	}
	if (primary == SQLITE_CANTOPEN && path_is_too_long(store->path))
		return store_fail(error, -ENAMETOOLONG,
		    "give a folder whose path is shorter",
		    "the database \"%s\": its path from the root on has more "
		    "than %d bytes, which SQLite does not open",
		    store->path, (int)DATABASE_PATH_MAX);
	return store_fail(error, system_error ? -system_error : -EIO, "",
	    "the database \"%s\": %s%s%s", store->path, sqlite3_errstr(rc),
	    system_error ? ": " : "",
	    system_error ? strerror(system_error) : "");
}

/*
 * The tables of a run.  Their comments are for readers with the shell of
 * SQLite: `.schema` shows them.
 */

static const char run_table[] =
    "CREATE TABLE run ( -- what this run is: one row\n"
    "    run INTEGER PRIMARY KEY CHECK (run = 1),\n"
    "    command TEXT NOT NULL,\n"
    "    name TEXT NOT NULL,\n"
    "    tool TEXT NOT NULL,\n"
    "    created TEXT NOT NULL, -- UTC\n"
    "    teams TEXT NOT NULL, -- the party of each seat in turn\n"
    "    block_games INTEGER NOT NULL, -- games of a block\n"
    "    bots INTEGER NOT NULL,\n"
    "    state TEXT NOT NULL,\n"
    "    terms TEXT NOT NULL, -- SHA-256 of terms.txt\n"
    "    commitment TEXT NOT NULL, -- to the secret; empty: it was given\n"
    "    contributions TEXT NOT NULL, -- NAME=HEX|NAME=HEX\n"
    "    secret TEXT NOT NULL -- of the packs, once it is shown\n"
    ") STRICT";

static const char bot_table[] =
    "CREATE TABLE bot (\n"
    "    bot INTEGER PRIMARY KEY, -- from 1\n"
    "    name TEXT NOT NULL UNIQUE,\n"
    "    command TEXT NOT NULL,\n"
    "    sha256 TEXT NOT NULL -- of its files when the run began\n"
    ") STRICT";

static const char block_table[] =
    "CREATE TABLE block ( -- the same packs, seated in different ways\n"
    "    block INTEGER PRIMARY KEY, -- from 1, in the order of the schedule\n"
    "    round INTEGER NOT NULL, -- from 1: names the packs\n"
    "    stage INTEGER NOT NULL, -- from 1: of swiss, knockout and ladder\n"
    "    dealer INTEGER NOT NULL, -- the seat that deals first, from 1\n"
    "    bots TEXT NOT NULL, -- [1,2]: who meet\n"
    "    seating TEXT NOT NULL, -- [[1,2],[2,1]]: game by game, seat by seat\n"
    "    skipped INTEGER NOT NULL CHECK (skipped IN (0, 1)),\n"
    "    record_offset INTEGER NOT NULL, -- in records.scopa\n"
    "    record_size INTEGER NOT NULL,\n"
    "    record_sha256 TEXT NOT NULL, -- of these bytes\n"
    "    chain TEXT NOT NULL -- of the results up to here\n"
    ") STRICT";

static const char game_table[] =
    "CREATE TABLE game (\n"
    "    block INTEGER NOT NULL REFERENCES block,\n"
    "    game INTEGER NOT NULL, -- the N of `match mN`\n"
    "    scores TEXT NOT NULL, -- [11,7]: of party A, B, ...\n"
    "    points TEXT NOT NULL, -- [{\"cards\":2},{}]: of each, by source\n"
    "    deals INTEGER NOT NULL,\n"
    "    winner TEXT, -- a party; NULL: a draw\n"
    "    reason TEXT NOT NULL, -- why it ended\n"
    "    forfeiter TEXT, -- the party that lost it by an offence\n"
    "    offender INTEGER, -- the seat of that offence\n"
    "    offence TEXT, -- its kind\n"
    "    offence_reason TEXT,\n"
    "    offences TEXT NOT NULL, -- [{},{\"timeout\":1}]: all, seat by seat\n"
    "    think_us TEXT NOT NULL, -- [120,80]: in all, seat by seat\n"
    "    think_longest_us TEXT NOT NULL,\n"
    "    decisions TEXT NOT NULL, -- [18,18]: its own, seat by seat\n"
    "    off_turn_ns TEXT NOT NULL, -- [0,0]: CPU time when not to move\n"
    "    pondered TEXT NOT NULL, -- [0,1]: so much that it is pondering\n"
    "    void_turns INTEGER NOT NULL, -- restarted: the arena was late\n"
    "    lag_longest_ns INTEGER NOT NULL, -- by which it was late\n"
    "    sandbox TEXT, -- the walls around its bots: box, ..., unboxed\n"
    "    analysis INTEGER NOT NULL, -- 1: bots may have seen all cards\n"
    "    cut_short TEXT NOT NULL, -- [0,3]: decisions, by its clock\n"
    "    PRIMARY KEY (block, game)\n"
    ") STRICT, WITHOUT ROWID";

static const char voided_table[] =
    "CREATE TABLE voided ( -- attempts at games that do not count\n"
    "    block INTEGER NOT NULL,\n"
    "    game INTEGER NOT NULL, -- played again with the same cards\n"
    "    attempt INTEGER NOT NULL, -- from 1\n"
    "    reason TEXT NOT NULL, -- a code of the arena: ENV_ERR, ...\n"
    "    PRIMARY KEY (block, game, attempt),\n"
    "    FOREIGN KEY (block, game) REFERENCES game\n"
    ") STRICT, WITHOUT ROWID";

static const char seat_view[] =
    "CREATE VIEW seat AS -- who sat where, and what came of it\n"
    "SELECT game.block AS block, round, game, chair.key + 1 AS seat,\n"
    "    bot.name AS bot, substr(teams, chair.key + 1, 1) AS party,\n"
    "    json_extract(scores, '$['\n"
    "        || (unicode(substr(teams, chair.key + 1, 1)) - 65) || ']')\n"
    "        AS score,\n"
    "    coalesce(winner = substr(teams, chair.key + 1, 1), 0) AS won,\n"
    "    coalesce(forfeiter = substr(teams, chair.key + 1, 1), 0)\n"
    "        AS forfeited,\n"
    "    json_extract(think_us, '$[' || chair.key || ']') AS think_us,\n"
    "    json_extract(think_longest_us, '$[' || chair.key || ']')\n"
    "        AS think_longest_us,\n"
    "    json_extract(decisions, '$[' || chair.key || ']') AS decisions,\n"
    "    json_extract(off_turn_ns, '$[' || chair.key || ']')\n"
    "        AS off_turn_ns,\n"
    "    json_extract(pondered, '$[' || chair.key || ']') AS pondered,\n"
    "    json_extract(cut_short, '$[' || chair.key || ']') AS cut_short\n"
    "FROM run CROSS JOIN block CROSS JOIN game USING (block)\n"
    "    CROSS JOIN json_each(seating,\n"
    "        '$[' || ((game.game - 1) % block_games) || ']') AS chair\n"
    "    CROSS JOIN bot ON bot.bot = chair.value";

static const char source_view[] =
    "CREATE VIEW source AS -- the points of each party by source\n"
    "SELECT block, game, char(65 + party.key) AS party,\n"
    "    item.key AS item, item.value AS points\n"
    "FROM game, json_each(game.points) AS party,\n"
    "    json_each(party.value) AS item";

enum { TABLE_COUNT = 5 };

/*
 * In the order in which they are made; the tables first. check_whole() compares
 * the text of each table, comments included, with that in the database: another
 * word there would make all databases that exist count as damaged.
 */
static const char *const schema[] = { run_table, bot_table, block_table,
	game_table, voided_table, seat_view, source_view };

/* Statements that are prepared once. */
static const char *const queries[] = {
	/* A snapshot that becomes a writer would be BUSY at once. */
	[STORE_BEGIN] = "BEGIN IMMEDIATE",
	[STORE_COMMIT] = "COMMIT",
	[STORE_ROLLBACK] = "ROLLBACK",
	[STORE_END] =
	    "SELECT last.block, last.chain, recorded.record_offset, "
	    "recorded.record_size, recorded.record_sha256 "
	    "FROM block AS last LEFT JOIN block AS recorded "
	    "ON recorded.block = (SELECT block FROM block WHERE skipped = 0 "
	    "ORDER BY block DESC LIMIT 1) "
	    "ORDER BY last.block DESC LIMIT 1",
	[STORE_ADD_BLOCK] = "INSERT INTO block VALUES "
			    "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
	[STORE_ADD_GAME] = "INSERT INTO game VALUES (?1, ?2, ?3, ?4, ?5, ?6, "
			   "?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, "
			   "?17, ?18, ?19, ?20, ?21, ?22)",
	[STORE_ADD_VOIDED] = "INSERT INTO voided VALUES (?1, ?2, ?3, ?4)",
	[STORE_WALK] =
	    "SELECT block.*, game.*, "
	    "(SELECT group_concat(reason) FROM (SELECT reason FROM voided "
	    "WHERE voided.block = game.block AND voided.game = game.game "
	    "ORDER BY attempt)) "
	    "FROM block LEFT JOIN game ON game.block = block.block "
	    "WHERE block.block > ?1 ORDER BY block.block, game.game",
	[STORE_ADD_RUN] = "INSERT INTO run VALUES (1, ?2, ?3, ?4, ?5, ?6, ?7, "
			  "?8, 'running', ?10, ?11, ?12, ?13)",
	[STORE_ADD_BOT] = "INSERT INTO bot VALUES (?1, ?2, ?3, ?4)",
	[STORE_GET_RUN] = "SELECT * FROM run",
	[STORE_GET_BOTS] = "SELECT * FROM bot ORDER BY bot",
	[STORE_SET_STATE] = "UPDATE run SET state = ?1",
	[STORE_SET_CONTRIBUTIONS] = "UPDATE run SET contributions = ?1",
	[STORE_SET_SECRET] = "UPDATE run SET secret = ?1",
	[STORE_GET_STATE] = "SELECT state FROM run",
};

_Static_assert(COUNTOF(queries) == STORE_QUERY_COUNT, "a text for each query");

/* Returns a result code of SQLite. */
static int
prepare_all(struct store *store)
{
	int rc = SQLITE_OK;

	for (int i = 0; rc == SQLITE_OK && i < STORE_QUERY_COUNT; i++)
		rc = sqlite3_prepare_v3(store->database, queries[i], -1,
		    SQLITE_PREPARE_PERSISTENT, &store->statements[i], NULL);
	return rc;
}

int
store_finish(sqlite3_stmt *statement)
{
	int rc = sqlite3_step(statement);

	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int
store_execute(
    struct store *store, enum store_query query, const char *types, ...)
{
	sqlite3_stmt *statement = store->statements[query];
	va_list arguments;

	va_start(arguments, types);
	for (int i = 0; types[i] != '\0'; i++) {
		if (types[i] == 'i')
			sqlite3_bind_int64(
			    statement, i + 1, va_arg(arguments, int64_t));
		else
			sqlite3_bind_text(statement, i + 1,
			    va_arg(arguments, const char *), -1, SQLITE_STATIC);
	}
	va_end(arguments);
	return store_finish(statement);
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
	for (int i = 0; i < TOURNAMENT_BOTS_MAX; i++)
		free(store->commands[i]);
	free(store);
}

int
store_checkpoint(struct store *store, struct store_error *error)
{
	int rc = sqlite3_wal_checkpoint_v2(
	    store->database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);

	return store_answer(store, rc, error);
}

bool
store_column_copy(sqlite3_stmt *statement, int column, char *text, size_t size)
{
	const char *from = (const char *)sqlite3_column_text(statement, column);

	if (!from || strlen(from) >= size)
		return false;
	memcpy(text, from, strlen(from) + 1);
	return true;
}

static void
format_teams(int teams, char text[SCOPA_SEATS_MAX + 1])
{
	const struct scopa_seating *seating = &scopa_seatings[teams];

	for (int seat = 0; seat < seating->players; seat++)
		text[seat] = (char)('A' + seating->team[seat]);
	text[seating->players] = '\0';
}

/* The texts of a head, and the columns of `run` where they stand. */
static const struct {
	int column;
	size_t offset, size;
} run_texts[] = {
#define TEXT(column, member)                                    \
	{                                                       \
		column, offsetof(struct store_head, member),    \
		    sizeof(((struct store_head *)NULL)->member) \
	}
	TEXT(1, command),
	TEXT(2, name),
	TEXT(3, tool),
	TEXT(4, created),
	TEXT(9, terms),
	TEXT(10, commitment),
	TEXT(11, contributions),
	TEXT(12, secret),
#undef TEXT
};

/* The other columns of the table of the run. */
enum { RUN_TEAMS = 5, RUN_GAME_COUNT, RUN_BOT_COUNT };

static int
add_run(struct store *store, const struct store_head *head)
{
	sqlite3_stmt *statement = store->statements[STORE_ADD_RUN];
	char teams[SCOPA_SEATS_MAX + 1];

	format_teams(head->teams, teams);
	for (int i = 0; i < COUNTOF(run_texts); i++)
		sqlite3_bind_text(statement, run_texts[i].column + 1,
		    (const char *)head + run_texts[i].offset, -1,
		    SQLITE_STATIC);
	sqlite3_bind_text(statement, RUN_TEAMS + 1, teams, -1, SQLITE_STATIC);
	sqlite3_bind_int(statement, RUN_GAME_COUNT + 1, head->game_count);
	sqlite3_bind_int(statement, RUN_BOT_COUNT + 1, head->bot_count);
	return store_finish(statement);
}

static int
execute(struct store *store, const char *sql)
{
	return sqlite3_exec(store->database, sql, NULL, NULL, NULL);
}

/* The caller that made the file removes it: nothing is rolled back. */
static int
schema_create(struct store *store, const struct store_head *head)
{
	char mark[96];
	int rc = execute(store, queries[STORE_BEGIN]);

	snprintf(mark, sizeof(mark),
	    "PRAGMA application_id = %d; PRAGMA user_version = %d",
	    STORE_APPLICATION_ID, STORE_VERSION);
	if (rc == SQLITE_OK)
		rc = execute(store, mark);
	for (int i = 0; rc == SQLITE_OK && i < COUNTOF(schema); i++)
		rc = execute(store, schema[i]);
	if (rc == SQLITE_OK)
		rc = prepare_all(store);
	if (rc == SQLITE_OK)
		rc = add_run(store, head);
	for (int i = 0; rc == SQLITE_OK && i < head->bot_count; i++)
		rc = store_execute(store, STORE_ADD_BOT, "ittt", (int64_t)i + 1,
		    head->bots[i].name, head->bots[i].command,
		    head->bots[i].digest);
	return rc == SQLITE_OK ? store_execute(store, STORE_COMMIT, "") : rc;
}

/* The first column of the first row as text, cut to so many bytes. */
static int
ask(struct store *store, const char *sql, char *text, size_t size)
{
	sqlite3_stmt *statement;
	int rc = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);

	if (rc != SQLITE_OK)
		return rc;
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW) {
		const char *found =
		    (const char *)sqlite3_column_text(statement, 0);

		rc = found == NULL ? SQLITE_NOMEM : SQLITE_OK;
		if (found != NULL)
			snprintf(text, size, "%s", found);
	}
	sqlite3_finalize(statement);
	return rc;
}

static bool
parse_run(sqlite3_stmt *statement, struct store_head *head)
{
	char teams[SCOPA_SEATS_MAX + 1], known[SCOPA_SEATS_MAX + 1] = "";

	for (int i = 0; i < COUNTOF(run_texts); i++)
		if (!store_column_copy(statement, run_texts[i].column,
			(char *)head + run_texts[i].offset, run_texts[i].size))
			return false;
	head->game_count = sqlite3_column_int(statement, RUN_GAME_COUNT);
	head->bot_count = sqlite3_column_int(statement, RUN_BOT_COUNT);
	head->committed = head->commitment[0] != '\0';
	if (!store_column_copy(statement, RUN_TEAMS, teams, sizeof(teams)))
		return false;
	for (int16_t i = 0; strcmp(teams, known) != 0; i++) {
		if (i == SCOPA_TEAMS_COUNT)
			return false;
		format_teams(i, known);
		head->teams = i;
	}
	return head->game_count >= 1 && head->game_count <= BLOCK_GAMES_MAX &&
	    head->bot_count >= 2 && head->bot_count <= TOURNAMENT_BOTS_MAX;
}

static int
read_head(struct store *store, struct store_error *error)
{
	sqlite3_stmt *statement = store->statements[STORE_GET_RUN];
	struct store_head *head = &store->head;
	int rc = sqlite3_step(statement), count = 0;
	bool good = rc == SQLITE_ROW && parse_run(statement, head);
	int status = store_answer(store, rc, error);

	sqlite3_reset(statement);
	if (status)
		return status;
	if (!good)
		return store_damaged(store, error, "it does not name its run");
	statement = store->statements[STORE_GET_BOTS];
	while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *command =
		    (const char *)sqlite3_column_text(statement, 2);
		struct store_bot *bot = &head->bots[count++];

		good = count <= head->bot_count && command != NULL &&
		    sqlite3_column_int(statement, 0) == count &&
		    store_column_copy(
			statement, 1, bot->name, sizeof(bot->name)) &&
		    store_column_copy(
			statement, 3, bot->digest, sizeof(bot->digest));
		if (!good)
			break;
		bot->command = store->commands[count - 1] = strdup(command);
		if (bot->command == NULL) {
			rc = SQLITE_NOMEM;
			break;
		}
	}
	status = store_answer(store, rc, error);
	sqlite3_reset(statement);
	if (status == 0 && (!good || count != head->bot_count))
		status = store_damaged(store, error,
		    "its bots are not the %d that it should have",
		    head->bot_count);
	return status;
}

enum {
	HEADER_SIZE = 100,
	SQLITE_OLDEST = 3037000, /* knows STRICT tables */
	/* Every byte of a path may become three. */
	URI_SIZE = 3 * PATH_MAX + 64
};

/* How a file is opened. */
enum mode {
	MODE_WRITE,
	MODE_READ,
	/* As a file that never changes: without locks and files beside it. */
	MODE_FROZEN
};

static void
format_uri(const char *path, enum mode mode, char uri[URI_SIZE])
{
	static const char *const suffixes[] = {
		[MODE_WRITE] = "?mode=rw",
		[MODE_READ] = "?mode=ro",
		[MODE_FROZEN] = "?mode=ro&immutable=1",
	};
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-._~/";
	size_t length = 0;

	/* A path that begins with a slash, so that no host can be meant. */
	length += (size_t)snprintf(
	    uri, URI_SIZE, "file:%s", path[0] == '/' ? "" : "./");
	for (const char *at = path; *at && length < URI_SIZE - 40; at++)
		length += (size_t)snprintf(uri + length, URI_SIZE - length,
		    strchr(plain, *at) ? "%c" : "%%%02X", (unsigned char)*at);
	snprintf(uri + length, URI_SIZE - length, "%s", suffixes[mode]);
}

/* Opens the file and sets what every connection has. */
static int
connect(struct store *store, enum mode mode)
{
	static const struct {
		int option, value;
	} switches[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_DQS_DML, 0 },
		{ SQLITE_DBCONFIG_DQS_DDL, 0 },
	};
	char uri[URI_SIZE];
	int rc;

	format_uri(store->path, mode, uri);
	rc = sqlite3_open_v2(uri, &store->database,
	    SQLITE_OPEN_URI |
		(mode == MODE_WRITE ? SQLITE_OPEN_READWRITE
				    : SQLITE_OPEN_READONLY),
	    NULL);
	if (rc != SQLITE_OK)
		return rc;
	sqlite3_extended_result_codes(store->database, 1);
	sqlite3_busy_timeout(store->database, STORE_BUSY_MS);
	for (int i = 0; rc == SQLITE_OK && i < COUNTOF(switches); i++)
		rc = sqlite3_db_config(store->database, switches[i].option,
		    switches[i].value, NULL);
	if (rc != SQLITE_OK)
		return rc;
	return execute(store,
	    "PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; "
	    "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY");
}

static void
disconnect(struct store *store)
{
	sqlite3_close(store->database);
	store->database = NULL;
}

/* The writer's own: one log beside the file, which it alone puts back. */
static int
begin_writing(struct store *store, struct store_error *error)
{
	char mode[16] = "";
	int rc = ask(store, "PRAGMA journal_mode = WAL", mode, sizeof(mode));

	if (rc == SQLITE_OK)
		rc = execute(store,
		    "PRAGMA synchronous = FULL; "
		    "PRAGMA wal_autocheckpoint = 1000");
	/* A folder that cannot be written to is reported before any result. */
	if (rc == SQLITE_OK)
		rc = store_execute(store, STORE_BEGIN, "");
	if (rc == SQLITE_OK)
		rc = store_execute(store, STORE_ROLLBACK, "");
	if (rc != SQLITE_OK)
		return store_answer(store, rc, error);
	if (strcmp(mode, "wal") == 0)
		return 0;
	return store_fail(error, -ENOTSUP,
	    "the folder of a run must be on a disk of this machine",
	    "the database \"%s\" cannot have a write-ahead log where it is",
	    store->path);
}

/* Reports why the file is refused. The file itself is not changed. */
static int
refuse(const struct store *store, const char *what, struct store_error *error)
{
	char folder[PATH_MAX];

	store_fail(error, -EBADMSG, "", "\"%s\" %s", store->path, what);
	folder_of(store->path, folder);
	store_error_rebuild(error, folder);
	return -EBADMSG;
}

/* Application and version: 0; -EBADMSG, -EPROTO or -ESTALE. */
static int
judge_mark(const struct store *store, int64_t application, int64_t version,
    struct store_error *error)
{
	if (application != STORE_APPLICATION_ID)
		return refuse(store, "is not the database of a run", error);
	if (version > STORE_VERSION)
		return store_fail(error, -EPROTO,
		    "nothing was changed; go on with the newer program",
		    "the database \"%s\" was written by a newer scopa-arena: "
		    "its version is %jd, and this one knows up to %d",
		    store->path, version, STORE_VERSION);
	if (version == STORE_VERSION)
		return 0;
	refuse(store, "was written by an older scopa-arena", error);
	return -ESTALE;
}

static int
check_mark(struct store *store, struct store_error *error)
{
	char application[24] = "", version[24] = "";
	int rc = ask(
	    store, "PRAGMA application_id", application, sizeof(application));

	if (rc == SQLITE_OK)
		rc =
		    ask(store, "PRAGMA user_version", version, sizeof(version));
	if (rc != SQLITE_OK)
		return store_answer(store, rc, error);
	return judge_mark(store, atol(application), atol(version), error);
}

static int64_t
number_at(const unsigned char *bytes)
{
	return (int64_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	    (uint32_t)bytes[2] << 8 | bytes[3]);
}

/*
 * The same from the header of the file alone: without its log the rest of it
 * may be of another time. It is read through SQLite, as closing a second
 * descriptor of the file would release the locks of this process.
 */
static int
check_header(struct store *store, struct store_error *error)
{
	static const char magic[] = "SQLite format 3";
	unsigned char header[HEADER_SIZE];
	sqlite3_file *file = NULL;
	int rc = connect(store, MODE_FROZEN);

	if (rc == SQLITE_OK)
		rc = sqlite3_file_control(
		    store->database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
	if (rc == SQLITE_OK)
		rc = file->pMethods->xRead(file, header, sizeof(header), 0);
	if (rc == SQLITE_IOERR_SHORT_READ ||
	    (rc == SQLITE_OK && memcmp(header, magic, sizeof(magic)) != 0))
		return refuse(store, "is not the database of a run", error);
	if (rc != SQLITE_OK)
		return store_answer(store, rc, error);
	return judge_mark(
	    store, number_at(header + 68), number_at(header + 60), error);
}

/* Whether this can be the database of a run at all, without touching it. */
static int
look(struct store *store, struct store_error *error)
{
	struct stat status;
	int answer;

	if (stat(store->path, &status) < 0) {
		answer = -errno;
		return store_fail(error, answer, "", "the database \"%s\": %s",
		    store->path, strerror(-answer));
	}
	if (!S_ISREG(status.st_mode) || status.st_size == 0)
		return refuse(store,
		    S_ISREG(status.st_mode) ? "is empty" : "is not a file",
		    error);
	answer = check_header(store, error);
	/* SQLite would read it, with files beside it that are read-only. */
	if (answer == 0 && store->writable && access(store->path, W_OK) < 0)
		answer = store_answer(store, SQLITE_READONLY, error);
	disconnect(store);
	return answer;
}

/*
 * A reader of SQLite shares memory with the writer in a file beside the
 * database. If this file cannot be created and the log is empty, there is no
 * writer.
 */
static int
connect_reader(struct store *store)
{
	char version[24], log[PATH_MAX + 8];
	struct stat status;
	int rc = connect(store, MODE_READ);

	if (rc == SQLITE_OK)
		rc = ask(
		    store, "PRAGMA schema_version", version, sizeof(version));
	snprintf(log, sizeof(log), "%s-wal", store->path);
	if (((rc & 0xFF) != SQLITE_CANTOPEN &&
		(rc & 0xFF) != SQLITE_READONLY) ||
	    (stat(log, &status) == 0 && status.st_size > 0))
		return rc;
	disconnect(store);
	return connect(store, MODE_FROZEN);
}

/* The tables are those that schema_create makes; others may be there, too. */
static int
check_whole(struct store *store, struct store_error *error)
{
	static const char count_tables[] =
	    "SELECT count(*) FROM sqlite_schema "
	    "WHERE type = 'table' AND sql IN (?1, ?2, ?3, ?4, ?5)";
	char answer[STORE_TEXT_SIZE / 2] = "";
	const char *text;
	sqlite3_stmt *statement = NULL;
	int rc = sqlite3_prepare_v2(
	    store->database, count_tables, -1, &statement, NULL);
	int status, count = 0;

	if (rc == SQLITE_OK) {
		for (int i = 0; i < TABLE_COUNT; i++)
			sqlite3_bind_text(
			    statement, i + 1, schema[i], -1, SQLITE_STATIC);
		rc = sqlite3_step(statement);
		count = sqlite3_column_int(statement, 0);
	}
	status = store_answer(store, rc, error);
	sqlite3_finalize(statement);
	if (status == 0 && count != TABLE_COUNT)
		return store_damaged(
		    store, error, "its tables are not those of a run");
	if (status == 0)
		status = store_answer(store,
		    ask(store, "PRAGMA quick_check(1)", answer, sizeof(answer)),
		    error);
	if (status == 0 && strcmp(answer, "ok") == 0)
		status = store_answer(store, prepare_all(store), error);
	if (status != 0 || strcmp(answer, "ok") == 0)
		return status;
	/* `*** in database main ***` may stand above what is wrong. */
	text = strncmp(answer, "***", 3) == 0 ? strchr(answer, '\n') : NULL;
	text = text ? text + 1 : answer;
	return store_damaged(
	    store, error, "%.*s", (int)strcspn(text, "\n"), text);
}

/* 0 or -errno. */
static int
store_new(struct store **store, const char *path, bool writable,
    struct store_error *error)
{
	if (sqlite3_libversion_number() < SQLITE_OLDEST)
		return store_fail(error, -ENOTSUP, "",
		    "the SQLite library is version %s; 3.37 or later is needed",
		    sqlite3_libversion());
	*store = calloc(1, sizeof(**store));
	if (!*store)
		return store_fail(
		    error, -ENOMEM, "", "there is not enough memory");
	(*store)->writable = writable;
	snprintf((*store)->path, sizeof((*store)->path), "%s", path);
	return 0;
}

int
store_open(struct store **store, const char *path, bool writable,
    struct store_head *head, struct store_error *error)
{
	struct store *made;
	int status = store_new(&made, path, writable, error);

	if (status)
		return status;
	status = look(made, error);
	if (status == 0)
		status = store_answer(made,
		    writable ? connect(made, MODE_WRITE) : connect_reader(made),
		    error);
	if (status == 0)
		status = check_mark(made, error);
	if (status == 0)
		status = check_whole(made, error);
	if (status == 0)
		status = read_head(made, error);
	if (status == 0 && writable)
		status = begin_writing(made, error);
	if (status) {
		/* A refused database must not be changed, not even by a
		 * checkpoint. */
		made->writable = false;
		store_close(made);
		return status;
	}
	*head = made->head;
	*store = made;
	return 0;
}

void
store_remove(const char *path)
{
	static const char *const suffixes[] = { "", "-journal", "-wal",
		"-shm" };
	char name[PATH_MAX + 16];

	for (int i = 0; i < COUNTOF(suffixes); i++) {
		snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
		unlink(name);
	}
}

int
store_create(struct store **store, const char *path,
    const struct store_head *head, struct store_error *error)
{
	struct store *made;
	int fd, rc, status = store_new(&made, path, true, error);

	if (status)
		return status;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		status = -errno;
		store_fail(error, status, "",
		    "cannot make the database \"%s\": %s", path,
		    strerror(-status));
		store_close(made);
		return status;
	}
	close(fd);
	rc = connect(made, MODE_WRITE);
	if (rc == SQLITE_OK)
		rc = schema_create(made, head);
	status = store_answer(made, rc, error);
	if (status == 0)
		status = begin_writing(made, error);
	if (status == 0)
		status = read_head(made, error);
	if (status) {
		store_close(made);
		store_remove(path);
		return status;
	}
	*store = made;
	return 0;
}
