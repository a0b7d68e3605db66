/*
 * The tables of a run.  Their comments are for whoever looks at them with the
 * shell of SQLite: `.schema` shows them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "countof.h"
#include "store_state.h"

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
    "    void_turns INTEGER NOT NULL, -- begun anew: the arena was late\n"
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

struct table {
	const char *name, *sql;
};

static const struct table tables[] = {
	{ "run", run_table },
	{ "bot", bot_table },
	{ "block", block_table },
	{ "game", game_table },
	{ "voided", voided_table },
};

static const struct table views[] = {
	{ "seat", seat_view },
	{ "source", source_view },
};

static void
format_teams(int teams, char text[SCOPA_SEATS_MAX + 1])
{
	const struct scopa_seating *seating = &scopa_seatings[teams];

	for (int seat = 0; seat < seating->players; seat++)
		text[seat] = (char)('A' + seating->team[seat]);
	text[seating->players] = '\0';
}

static int
prepare(struct store *store, const char *sql, sqlite3_stmt **statement)
{
	return sqlite3_prepare_v2(store->database, sql, -1, statement, NULL);
}

/* Runs a statement that gives no row, and forgets it. */
static int
finish(sqlite3_stmt *statement)
{
	int rc = sqlite3_step(statement);

	sqlite3_finalize(statement);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int
add_run(struct store *store, const struct store_head *head)
{
	char teams[SCOPA_SEATS_MAX + 1];
	sqlite3_stmt *statement;
	int rc;

	format_teams(head->teams, teams);
	rc = prepare(store,
	    "INSERT INTO run VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'running', "
	    "?8, ?9, ?10, ?11)",
	    &statement);
	if (rc != SQLITE_OK)
		return rc;
	sqlite3_bind_text(statement, 1, head->command, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 2, head->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 3, head->tool, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 4, head->created, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 5, teams, -1, SQLITE_STATIC);
	sqlite3_bind_int(statement, 6, head->game_count);
	sqlite3_bind_int(statement, 7, head->bot_count);
	sqlite3_bind_text(statement, 8, head->terms, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 9, head->commitment, -1, SQLITE_STATIC);
	sqlite3_bind_text(
	    statement, 10, head->contributions, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 11, head->secret, -1, SQLITE_STATIC);
	return finish(statement);
}

static int
add_bot(struct store *store, const struct store_head *head, int bot)
{
	sqlite3_stmt *statement;
	int rc = prepare(
	    store, "INSERT INTO bot VALUES (?1, ?2, ?3, ?4)", &statement);

	if (rc != SQLITE_OK)
		return rc;
	sqlite3_bind_int(statement, 1, bot + 1);
	sqlite3_bind_text(
	    statement, 2, head->bots[bot].name, -1, SQLITE_STATIC);
	sqlite3_bind_text(
	    statement, 3, head->bots[bot].command, -1, SQLITE_STATIC);
	sqlite3_bind_text(
	    statement, 4, head->bots[bot].digest, -1, SQLITE_STATIC);
	return finish(statement);
}

static int
add_tables(struct store *store, const struct store_head *head)
{
	char mark[96];
	int rc;

	snprintf(mark, sizeof(mark),
	    "PRAGMA application_id = %d; PRAGMA user_version = %d",
	    STORE_APPLICATION_ID, STORE_VERSION);
	rc = sqlite3_exec(store->database, mark, NULL, NULL, NULL);
	for (int i = 0; rc == SQLITE_OK && i < COUNTOF(tables); i++)
		rc = sqlite3_exec(
		    store->database, tables[i].sql, NULL, NULL, NULL);
	for (int i = 0; rc == SQLITE_OK && i < COUNTOF(views); i++)
		rc = sqlite3_exec(
		    store->database, views[i].sql, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = add_run(store, head);
	for (int bot = 0; rc == SQLITE_OK && bot < head->bot_count; bot++)
		rc = add_bot(store, head, bot);
	return rc;
}

int
store_schema_create(struct store *store, const struct store_head *head)
{
	int rc = store_run(store, STORE_BEGIN);

	if (rc != SQLITE_OK)
		return rc;
	rc = add_tables(store, head);
	/* The file is removed by whoever made it: nothing is rolled back. */
	return rc == SQLITE_OK ? store_run(store, STORE_COMMIT) : rc;
}

/* 1 where the table was made by this statement, 0, or -rc. */
static int
check_table(struct store *store, const struct table *table)
{
	sqlite3_stmt *statement;
	const char *sql;
	int rc = prepare(store,
	    "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1",
	    &statement);

	if (rc != SQLITE_OK)
		return -rc;
	sqlite3_bind_text(statement, 1, table->name, -1, SQLITE_STATIC);
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW) {
		sql = (const char *)sqlite3_column_text(statement, 0);
		rc = sql && strcmp(sql, table->sql) == 0;
	} else {
		rc = rc == SQLITE_DONE ? 0 : -rc;
	}
	sqlite3_finalize(statement);
	return rc;
}

int
store_schema_check(struct store *store)
{
	for (int i = 0; i < COUNTOF(tables); i++) {
		int answer = check_table(store, &tables[i]);

		if (answer <= 0)
			return answer;
	}
	return 1;
}

static bool
find_teams(const char *text, int16_t *teams)
{
	for (int16_t i = 0; i < SCOPA_TEAMS_COUNT; i++) {
		char known[SCOPA_SEATS_MAX + 1];

		format_teams(i, known);
		if (strcmp(text, known) != 0)
			continue;
		*teams = i;
		return true;
	}
	return false;
}

static bool
take_run(sqlite3_stmt *statement, struct store_head *head)
{
	char teams[SCOPA_SEATS_MAX + 1];

	if (!store_column_copy(
		statement, 0, head->command, sizeof(head->command)) ||
	    !store_column_copy(statement, 1, head->name, sizeof(head->name)) ||
	    !store_column_copy(statement, 2, head->tool, sizeof(head->tool)) ||
	    !store_column_copy(
		statement, 3, head->created, sizeof(head->created)) ||
	    !store_column_copy(statement, 4, teams, sizeof(teams)) ||
	    !find_teams(teams, &head->teams))
		return false;
	head->game_count = sqlite3_column_int(statement, 5);
	head->bot_count = sqlite3_column_int(statement, 6);
	if (!store_column_copy(
		statement, 7, head->terms, sizeof(head->terms)) ||
	    !store_column_copy(
		statement, 8, head->commitment, sizeof(head->commitment)) ||
	    !store_column_copy(statement, 9, head->contributions,
		sizeof(head->contributions)) ||
	    !store_column_copy(
		statement, 10, head->secret, sizeof(head->secret)))
		return false;
	head->committed = head->commitment[0] != '\0';
	return head->game_count >= 1 && head->game_count <= BLOCK_GAMES_MAX &&
	    head->bot_count >= 2 && head->bot_count <= TOURNAMENT_BOTS_MAX;
}

static bool
take_bot(sqlite3_stmt *statement, struct store_bot *bot)
{
	return store_column_copy(statement, 1, bot->name, sizeof(bot->name)) &&
	    store_column_copy(
		statement, 2, bot->command, sizeof(bot->command)) &&
	    store_column_copy(statement, 3, bot->digest, sizeof(bot->digest));
}

static int
read_run(struct store *store, struct store_error *error)
{
	sqlite3_stmt *statement;
	int rc = prepare(store,
	    "SELECT command, name, tool, created, teams, block_games, bots, "
	    "terms, commitment, contributions, secret FROM run",
	    &statement);
	bool good;

	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	rc = sqlite3_step(statement);
	good = rc == SQLITE_ROW && take_run(statement, &store->head);
	sqlite3_finalize(statement);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		return store_fail(store, rc, error);
	if (!good)
		return store_damaged(store, error,
		    "it does not say what run "
		    "it is of");
	return 0;
}

static int
read_bots(struct store *store, struct store_error *error)
{
	struct store_head *head = &store->head;
	sqlite3_stmt *statement;
	int count = 0, rc;

	rc = prepare(store,
	    "SELECT bot, name, command, sha256 FROM bot ORDER BY bot",
	    &statement);
	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
		if (count == head->bot_count ||
		    sqlite3_column_int(statement, 0) != count + 1 ||
		    !take_bot(statement, &head->bots[count]))
			break;
		count++;
	}
	sqlite3_finalize(statement);
	if (rc != SQLITE_DONE && rc != SQLITE_ROW)
		return store_fail(store, rc, error);
	if (rc == SQLITE_ROW || count != head->bot_count)
		return store_damaged(store, error,
		    "its bots are not the %d that it should have",
		    head->bot_count);
	return 0;
}

int
store_head_read(struct store *store, struct store_error *error)
{
	int status;

	memset(&store->head, 0, sizeof(store->head));
	status = read_run(store, error);
	return status ? status : read_bots(store, error);
}
