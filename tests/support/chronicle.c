#include "chronicle.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "support.h"
#include "terms.h"
#include "test.h"

enum { LINE_SIZE = 4096 };

void
chronicle_configure(
    struct chronicle *chronicle, const char *spec, int bot_count, int rounds)
{
	struct scopa_rules rules = support_rules(spec);

	chronicle->spec = spec;
	chronicle->config.schedule = (struct schedule_config){
		.format = SCHEDULE_ROUND_ROBIN,
		.bot_count = bot_count,
		.rules = rules,
		.duplicate = true,
		.rounds = rounds,
		.seed = 7,
	};
	assert_null(schedule_flaw(&chronicle->config.schedule));
	chronicle->head = *rows_head((enum scopa_teams)rules.teams, bot_count,
	    schedule_game_count(&chronicle->config.schedule));
}

int
chronicle_setup(void **state)
{
	struct chronicle *chronicle = calloc(1, sizeof(*chronicle));

	assert_non_null(chronicle);
	folder_make(chronicle->folder);
	snprintf(chronicle->path, sizeof(chronicle->path), "%s/run",
	    chronicle->folder);
	chronicle->bad_bot = -1;
	chronicle_configure(chronicle, "scopa", 3, 2);
	record_init(&chronicle->game);
	record_init(&chronicle->record);
	*state = chronicle;
	return 0;
}

int
chronicle_teardown(void **state)
{
	struct chronicle *chronicle = *state;

	record_release(&chronicle->game);
	record_release(&chronicle->record);
	folder_remove(chronicle->folder);
	free(chronicle);
	return 0;
}

/* A name as it stands in a record. */
static void
encode(const char *name, char *text)
{
	for (; *name; name++)
		text += sprintf(text, *name == ' ' ? "%%%02X" : "%c", *name);
	*text = '\0';
}

/* One line of the game, as the run has it. */
static void
put_line(struct chronicle *chronicle, const struct block_plan *plan, int at,
    const char *line)
{
	long long game = plan->index * plan->game_count + at + 1;
	char text[LINE_SIZE], name[4 * EVENT_NAME_SIZE];
	const char *rest;

	snprintf(text, sizeof(text), "%s\n", line);
	if (strncmp(line, "match ", 6) == 0) {
		rest = strchr(line + 6, ' ');
		snprintf(text, sizeof(text),
		    "match m%lld%s\ntag event=round-%d round=%d game=%d\n",
		    game, rest, plan->round + 1, plan->round + 1, at + 1);
	} else if (strncmp(line, "endmatch ", 9) == 0) {
		rest = strchr(line + 9, ' ');
		snprintf(text, sizeof(text), "endmatch m%lld%s\n", game, rest);
	} else if (strncmp(line, "seat ", 5) == 0) {
		int seat = line[5] - '1';

		encode(chronicle->head.bots[plan->bots[plan->seating[at][seat]]]
			   .name,
		    name);
		snprintf(text, sizeof(text), "%.*s name=%s\n",
		    (int)(strstr(line, " name=") - line), line, name);
	} else if (strncmp(line, "offence ", 8) == 0) {
		snprintf(text, sizeof(text),
		    "offence %c kind=startup reason=no-answer policy=forfeit "
		    "strikes=1\n",
		    line[8]);
	}
	assert_int_equal(record_add(&chronicle->record, text, strlen(text)), 0);
}

/* A random game as one of the run; its record is behind the others. */
static void
put_game(struct chronicle *chronicle, const struct block_plan *plan, int at)
{
	struct record whole = chronicle->record;
	char *bytes = chronicle->game.bytes;
	size_t size = chronicle->game.size;
	char *line;

	record_init(&chronicle->record);
	/* All lines but `sum`. */
	bytes[size - 1] = '\0';
	for (line = strtok(bytes, "\n"); line; line = strtok(NULL, "\n"))
		if (strncmp(line, "sum ", 4) != 0)
			put_line(chronicle, plan, at, line);
	assert_int_equal(record_sum(&chronicle->record), 0);
	record_clear(&chronicle->game);
	assert_int_equal(
	    record_add(&whole, chronicle->record.bytes, chronicle->record.size),
	    0);
	record_add(
	    &chronicle->game, chronicle->record.bytes, chronicle->record.size);
	record_release(&chronicle->record);
	chronicle->record = whole;
}

/* Whether the game came out as it should: the bad bot did not start. */
static bool
is_wanted(const struct chronicle *chronicle, const struct block_plan *plan,
    int at, const struct summary *game)
{
	int bot;

	for (int i = 0; i < plan->bot_count; i++) {
		if (plan->bots[i] != chronicle->bad_bot)
			continue;
		if (game->offender < 0)
			return false;
		bot = plan->bots[plan->seating[at][game->offender]];
		return bot == chronicle->bad_bot;
	}
	return game->offender < 0;
}

static void
play_game(struct chronicle *chronicle, const struct block_plan *plan, int at,
    struct summary *game)
{
	size_t size = chronicle->record.size;
	int64_t line_count = chronicle->record.line_count;

	do {
		struct games_order order = {
			.spec = chronicle->spec,
			.seed = support_random(&chronicle->random),
			.deals = 1,
		};

		for (int i = 0; i < plan->bot_count; i++)
			if (plan->bots[i] == chronicle->bad_bot)
				order.ending = "forfeit";
		chronicle->record.size = size;
		chronicle->record.line_count = line_count;
		games_play(&order, &chronicle->game);
		put_game(chronicle, plan, at);
		assert_int_equal(summary_read(game, chronicle->game.bytes,
				     chronicle->game.size),
		    0);
	} while (!is_wanted(chronicle, plan, at, game));
}

void
chronicle_play(struct chronicle *chronicle, const struct block_plan *plan,
    struct block_result *block)
{
	memset(block, 0, sizeof(*block));
	record_clear(&chronicle->record);
	block->plan = *plan;
	block->skipped = tournament_skips(&chronicle->tournament, plan);
	if (block->skipped)
		return;
	for (int at = 0; at < plan->game_count; at++)
		play_game(chronicle, plan, at, &block->games[at]);
}

void
chronicle_make(struct chronicle *chronicle, int64_t block_count)
{
	struct tournament *tournament = &chronicle->tournament;
	struct run *run = &chronicle->run;
	struct block_result block;
	struct block_plan plan;
	struct shuffle_key digest;
	char *terms;

	assert_int_equal(tournament_open(tournament, &chronicle->config), 0);
	terms = terms_make("", &chronicle->head);
	assert_non_null(terms);
	terms_digest(terms, &digest);
	shuffle_key_format(&digest, chronicle->head.terms);
	assert_int_equal(
	    run_create(run, chronicle->path, &chronicle->head,
		&(struct run_texts){ .config = "", .terms = terms },
		&chronicle->error),
	    0);
	free(terms);
	while (tournament->taken < block_count) {
		assert_int_equal(
		    tournament_next(tournament, &plan), SCHEDULE_BLOCK);
		chronicle_play(chronicle, &plan, &block);
		assert_int_equal(
		    run_add(run, &block, chronicle->record.bytes,
			block.skipped ? 0 : chronicle->record.size),
		    0);
		assert_int_equal(tournament_take(tournament, &block), 0);
	}
	assert_int_equal(run_commit(run, &chronicle->error), 0);
	run_close(run);
	tournament_close(tournament);
}

const char *
chronicle_file(const struct chronicle *chronicle, const char *name)
{
	static char path[FOLDER_SIZE + 64];

	snprintf(path, sizeof(path), "%s/%s", chronicle->path, name);
	return path;
}

void
chronicle_meddle(struct chronicle *chronicle, const char *sql)
{
	sqlite3 *database;

	assert_int_equal(
	    sqlite3_open(chronicle_file(chronicle, RUN_RESULTS), &database),
	    SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(database);
}
