#include "record_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "run.h"
#include "support.h"
#include "test.h"

enum { LINE_SIZE = 4096 };

static struct record_fixture *fixture; /* of the running test */

void
record_fixture_configure(const char *spec, int bot_count, int rounds)
{
	struct scopa_rules rules = support_rules(spec);

	fixture->spec = spec;
	fixture->config.schedule = (struct schedule_config){
		.format = SCHEDULE_ROUND_ROBIN,
		.bot_count = bot_count,
		.rules = rules,
		.duplicate = true,
		.rounds = rounds,
		.seed = 7,
	};
	assert_null(schedule_flaw(&fixture->config.schedule));
	fixture->head = *rows_head((enum scopa_teams)rules.teams, bot_count,
	    schedule_game_count(&fixture->config.schedule));
}

int
record_fixture_setup(void **state)
{
	fixture = calloc(1, sizeof(*fixture));
	assert_non_null(fixture);
	folder_make(fixture->folder);
	snprintf(
	    fixture->path, sizeof(fixture->path), "%s/run", fixture->folder);
	fixture->bad_bot = -1;
	record_fixture_configure("scopa", 3, 2);
	record_init(&fixture->game);
	record_init(&fixture->record);
	*state = fixture;
	return 0;
}

int
record_fixture_teardown(void **state)
{
	(void)state;
	record_release(&fixture->game);
	record_release(&fixture->record);
	folder_remove(fixture->folder);
	free(fixture);
	return 0;
}

/* Writes a name as it is in a record. */
static void
encode(const char *name, char *text)
{
	for (; *name; name++)
		text += sprintf(text, *name == ' ' ? "%%%02X" : "%c", *name);
	*text = '\0';
}

/* Writes one line of the game, as it is in the run. */
static void
put_line(const struct block_plan *plan, int at, const char *line)
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

		encode(fixture->head.bots[plan->bots[plan->seating[at][seat]]]
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
	assert_int_equal(record_add(&fixture->record, text, strlen(text)), 0);
}

/* Plays a random game of the run, and adds its record after the others. */
static void
put_game(const struct block_plan *plan, int at)
{
	struct record whole = fixture->record;
	char *bytes = fixture->game.bytes;
	size_t size = fixture->game.size;
	char *line;

	record_init(&fixture->record);
	/* All lines except `sum`. */
	bytes[size - 1] = '\0';
	for (line = strtok(bytes, "\n"); line; line = strtok(NULL, "\n"))
		if (strncmp(line, "sum ", 4) != 0)
			put_line(plan, at, line);
	assert_int_equal(record_sum(&fixture->record), 0);
	record_clear(&fixture->game);
	assert_int_equal(
	    record_add(&whole, fixture->record.bytes, fixture->record.size), 0);
	record_add(&fixture->game, fixture->record.bytes, fixture->record.size);
	record_release(&fixture->record);
	fixture->record = whole;
}

/*
 * Whether the result is as required: the bad bot loses, because it does not
 * start.
 */
static bool
is_wanted(const struct block_plan *plan, int at, const struct summary *game)
{
	int bot;

	for (int i = 0; i < plan->bot_count; i++) {
		if (plan->bots[i] != fixture->bad_bot)
			continue;
		if (game->offender < 0)
			return false;
		bot = plan->bots[plan->seating[at][game->offender]];
		return bot == fixture->bad_bot;
	}
	return game->offender < 0;
}

static void
play_game(const struct block_plan *plan, int at, struct summary *game)
{
	size_t size = fixture->record.size;
	int64_t line_count = fixture->record.line_count;

	do {
		struct games_order order = {
			.spec = fixture->spec,
			.seed = support_random(&fixture->random),
			.deals = 1,
		};

		for (int i = 0; i < plan->bot_count; i++)
			if (plan->bots[i] == fixture->bad_bot)
				order.ending = "forfeit";
		fixture->record.size = size;
		fixture->record.line_count = line_count;
		games_play(&order, &fixture->game);
		put_game(plan, at);
		assert_int_equal(
		    summary_read(game, fixture->game.bytes, fixture->game.size),
		    0);
	} while (!is_wanted(plan, at, game));
}

/* Invents the result of a block and its record. */
static void
play_block(const struct block_plan *plan, struct block_result *block)
{
	memset(block, 0, sizeof(*block));
	record_clear(&fixture->record);
	block->plan = *plan;
	block->skipped = tournament_skips(&fixture->tournament, plan);
	if (block->skipped)
		return;
	for (int at = 0; at < plan->game_count; at++)
		play_game(plan, at, &block->games[at]);
}

void
record_fixture_make(int64_t block_count)
{
	struct tournament *tournament = &fixture->tournament;
	struct run *run = &fixture->run;
	struct block_result block;
	struct block_plan plan;
	struct shuffle_key digest;
	char *terms;

	assert_int_equal(tournament_open(tournament, &fixture->config), 0);
	terms = manifest_make("", &fixture->head);
	assert_non_null(terms);
	manifest_digest(terms, &digest);
	shuffle_key_format(&digest, fixture->head.terms);
	assert_int_equal(
	    run_create(run, fixture->path, &fixture->head,
		&(struct run_texts){ .config = "", .terms = terms },
		&fixture->error),
	    0);
	free(terms);
	while (tournament->counted < block_count) {
		assert_int_equal(
		    tournament_next(tournament, &plan), SCHEDULE_BLOCK);
		play_block(&plan, &block);
		memcpy(run_record_reserve(run, fixture->record.size),
		    fixture->record.bytes, fixture->record.size);
		assert_int_equal(run_add(run, &block), 0);
		assert_int_equal(tournament_add(tournament, &block), 0);
	}
	assert_int_equal(run_commit(run, &fixture->error), 0);
	run_close(run);
	tournament_close(tournament);
}

void
record_fixture_change_results(const char *sql)
{
	rows_meddle(folder_path(fixture->path, RUN_RESULTS), sql);
}
