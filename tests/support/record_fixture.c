#include "record_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "run.h"
#include "support.h"
#include "test.h"

struct record_fixture *fixture;

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
	(void)state;
	fixture = calloc(1, sizeof(*fixture));
	assert_non_null(fixture);
	folder_make(fixture->folder);
	snprintf(
	    fixture->path, sizeof(fixture->path), "%s/run", fixture->folder);
	fixture->bad_bot = -1;
	record_fixture_configure("scopa", 3, 2);
	record_init(&fixture->game);
	record_init(&fixture->record);
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

/* Plays a random game of the run, and adds its record after the others. */
static void
play_game(const struct block_plan *plan, int at, struct summary *game)
{
	char id[32], tag[128];
	struct games_order order = {
		.spec = fixture->spec,
		.seed = support_random(&fixture->random),
		.deals = 1,
		.id = id,
		.tag = tag,
	};
	int seats = fixture->config.schedule.rules.players;

	snprintf(id, sizeof(id), "m%lld",
	    (long long)plan->index * plan->game_count + at + 1);
	snprintf(tag, sizeof(tag), "%s%sevent=round-%d round=%d game=%d",
	    fixture->tool != NULL ? "tool=" : "",
	    fixture->tool != NULL ? fixture->tool : "", plan->round + 1,
	    plan->round + 1, at + 1);
	for (int seat = 0; seat < seats; seat++) {
		int bot = plan->bots[plan->seating[at][seat]];

		order.names[seat] = fixture->head.bots[bot].name;
		if (bot == fixture->bad_bot)
			order.absent = seat + 1;
	}
	games_play(&order, &fixture->game);
	assert_int_equal(
	    summary_read(game, fixture->game.bytes, fixture->game.size), 0);
	assert_int_equal(record_add(&fixture->record, fixture->game.bytes,
			     fixture->game.size),
	    0);
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
	terms = terms_make("", &fixture->head);
	assert_non_null(terms);
	terms_digest(terms, &digest);
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
