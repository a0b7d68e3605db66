/*
 * Games that are read from files, and the blocks that they make up.
 */
#include "regroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "support.h"
#include "test.h"

enum { TEXT_SIZE = 2048 };

/* A game in a few words. */
struct gist {
	int number;
	const char *rules;    /* NULL: scopa */
	const char *event;    /* of the tag; NULL: there is no tag */
	const char *names[6]; /* by seats */
	const char *teams;    /* NULL: AB */
	const char *end;      /* NULL: A has won by 3 */
};

enum { BLOCKS_KEPT = 4000 };

static struct regroup regroup;
static struct record_fault fault;
static struct block_result *blocks; /* that were given on */
static int block_count;
static int tested[2]; /* bots, where these are two */
static int met[BLOCKS_KEPT];

static int
keep_block(
    void *context, const struct regroup *from, const struct block_result *block)
{
	(void)context;
	assert_ptr_equal(from, &regroup);
	assert_true(block_count < BLOCKS_KEPT);
	assert_int_equal(block->plan.index, block_count);
	if (tested[0] != tested[1])
		met[block_count] =
		    regroup_meet(&regroup, block, tested[0], tested[1]);
	blocks[block_count++] = *block;
	return 0;
}

/* Gives on what waits. */
static void
end(void)
{
	assert_int_equal(regroup_finish(&regroup), 0);
	assert_int_equal(regroup.block_count, block_count);
}

/* Takes the game, whose sum has this hash. */
static int
take_hashed(const struct gist *game, char hash)
{
	const char *teams = game->teams != NULL ? game->teams : "AB";
	char text[TEXT_SIZE], hashes[65];
	struct record_block block;
	int length, lines = 1, status;

	length = snprintf(text, sizeof(text),
	    "match m%d rules=%s seats=%zu teams=%s target=11 pack=it40\n",
	    game->number, game->rules != NULL ? game->rules : "scopa",
	    strlen(teams), teams);
	if (game->event != NULL) {
		length += snprintf(text + length, sizeof(text) - (size_t)length,
		    "tag utc=2026-01-01T00:00:00Z tool=x/1 %s game=%d\n",
		    game->event, game->number);
		lines++;
	}
	for (size_t i = 0; i < strlen(teams); i++) {
		length += snprintf(text + length, sizeof(text) - (size_t)length,
		    "seat %zu team=%c name=%s\n", i + 1, teams[i],
		    game->names[i]);
		lines++;
	}
	memset(hashes, hash, 64);
	hashes[64] = '\0';
	length += snprintf(text + length, sizeof(text) - (size_t)length,
	    "enddeal 1\nendmatch m%d %s\nsum lines=%d sha256=%s\n",
	    game->number,
	    game->end != NULL ? game->end
			      : "scores=A:4,B:1 winner=A reason=target",
	    lines + 2, hashes);
	assert_true(length < TEXT_SIZE);
	record_block_init(&block);
	games_read(text, (size_t)length, &block);
	fault.line = 0;
	status = regroup_take(&regroup, &block, &fault);
	record_block_release(&block);
	return status;
}

static void
take(const struct gist *game)
{
	if (take_hashed(game, 'a') != 0)
		fail_msg("%s", fault.text);
}

static void
refuse(const struct gist *game, const char *why)
{
	assert_int_equal(take_hashed(game, 'a'), -EBADMSG);
	if (strstr(fault.text, why) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", fault.text, why);
	assert_int_equal(fault.line, 1);
}

static int
setup(void **state)
{
	(void)state;
	regroup_init(&regroup, keep_block, NULL);
	blocks = calloc(BLOCKS_KEPT, sizeof(*blocks));
	block_count = 0;
	memset(tested, 0, sizeof(tested));
	return blocks == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	regroup_release(&regroup);
	free(blocks);
	return 0;
}

TEST(test_games_of_one_round_and_pair_are_a_block)
{
	struct block_result block;

	take(&(struct gist){
	    1, .event = "event=round-7 round=7", .names = { "ada", "bob" } });
	take(&(struct gist){
	    2, .event = "event=round-7 round=7", .names = { "bob", "ada" } });
	/* It is whole, and need not wait. */
	assert_int_equal(regroup.block_count, 1);
	assert_int_equal(regroup.game_count, 2);
	assert_int_equal(regroup.incomplete, 0);
	assert_int_equal(regroup.bot_count, 2);
	assert_int_equal(regroup_bot_find(&regroup, "bob"), 1);
	assert_int_equal(regroup_bot_find(&regroup, "eve"), -1);
	block = blocks[0];
	assert_int_equal(block.games[0].round, 6);
	assert_int_equal(block.plan.bot_count, 2);
	assert_int_equal(block.plan.game_count, 2);
	assert_false(block.skipped);
	assert_int_equal(block.plan.bots[0], 0);
	assert_int_equal(block.plan.bots[1], 1);
	assert_int_equal(block.plan.seating[0][0], 0);
	assert_int_equal(block.plan.seating[1][0], 1);
	assert_int_equal(block.games[1].game, 1);
	/* Whoever sat first has won by 3: each once. */
	assert_true(block_mean(&regroup.rules, &block, 0).margin == 0.0);
	assert_true(block_share(&regroup.rules, &block, 1, 1).margin == 3.0);
}

TEST(test_blocks_come_as_they_are_whole)
{
	static const struct gist games[] = {
		{ 1, .event = "round=1", .names = { "ada", "bob" } },
		{ 2, .event = "round=1", .names = { "ada", "cid" } },
		{ 3, .event = "round=2", .names = { "bob", "ada" } },
		{ 4, .event = "round=1", .names = { "cid", "ada" } },
		{ 5, .event = "round=2", .names = { "ada", "bob" } },
		{ 6, .event = "round=1", .names = { "bob", "ada" } },
	};
	static const int second[] = { 2, 0, 1 }, rounds[] = { 0, 1, 0 };

	for (size_t i = 0; i < COUNTOF(games); i++)
		take(&games[i]);
	assert_int_equal(regroup.block_count, 3);
	assert_int_equal(regroup.incomplete, 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(blocks[i].plan.game_count, 2);
		assert_int_equal(blocks[i].games[0].round, rounds[i]);
		assert_int_equal(blocks[i].plan.bots[1], second[i]);
	}
	/* The encounters of a round share its packs, and no others. */
	assert_int_equal(blocks[0].plan.round, blocks[2].plan.round);
	assert_int_not_equal(blocks[0].plan.round, blocks[1].plan.round);
}

TEST(test_other_events_and_secrets_are_other_blocks)
{
	static const char *const events[] = { "event=a secret=11 round=1",
		"event=b secret=11 round=1", "event=a secret=12 round=1",
		"event=a round=1", "secret=11 round=1", "round=1" };
	enum { COUNT = COUNTOF(events) };

	for (int half = 0; half < 2; half++)
		for (int i = 0; i < COUNT; i++)
			take(&(struct gist){ 2 * i + half, .event = events[i],
			    .names = {
				half ? "bob" : "ada", half ? "ada" : "bob" } });
	assert_int_equal(regroup.block_count, COUNT);
	assert_int_equal(regroup.sizes[2][2], COUNT);
}

/* Without packs and secret nobody knows whether it is the same deal. */
TEST(test_same_seating_once_more_is_another_block)
{
	static const struct gist games[] = {
		{ 1, .event = "round=1", .names = { "ada", "bob" } },
		{ 2, .event = "round=1", .names = { "ada", "bob" } },
		{ 3, .event = "round=1", .names = { "bob", "ada" } },
		{ 4, .event = "round=1", .names = { "bob", "ada" } },
	};

	for (size_t i = 0; i < COUNTOF(games); i++)
		take(&games[i]);
	end();
	assert_int_equal(regroup.block_count, 3);
	assert_int_equal(regroup.incomplete, 2);
	assert_int_equal(regroup.again, 0);
}

TEST(test_same_deal_in_the_same_seats_is_no_new_evidence)
{
	static const char *const events[] = {
		"event=round-1 secret=11 round=1",
		"event=round-1 secret=12 round=1",
	};

	for (int run = 0; run < 3; run++)
		for (int half = 0; half < 2; half++)
			take(&(struct gist){ 10 * run + half,
			    .event = events[run / 2],
			    .names = {
				half ? "bob" : "ada", half ? "ada" : "bob" } });
	end();
	/* The second run has the secret of the first, the third another. */
	assert_int_equal(regroup.game_count, 4);
	assert_int_equal(regroup.again, 2);
	assert_int_equal(regroup.repeated, 0);
	assert_int_equal(regroup.block_count, 2);
	/* Others with these packs are news, and of the same cluster. */
	take(&(struct gist){
	    50, .event = events[0], .names = { "ada", "eve" } });
	end();
	assert_int_equal(regroup.block_count, 3);
	assert_int_equal(blocks[2].plan.round, blocks[0].plan.round);
	assert_int_not_equal(blocks[1].plan.round, blocks[0].plan.round);
}

/* Ada and bob meet with the packs of each round beside cid, and beside eve. */
TEST(test_two_meet_once_with_the_same_packs)
{
	static const char *const thirds[] = { "cid", "eve" };
	char tag[40];

	for (int i = 0; i < 4; i++) {
		snprintf(
		    tag, sizeof(tag), "event=a secret=11 round=%d", 1 + i % 2);
		take(&(struct gist){ i, .rules = "scopa,players=3",
		    .event = tag, .teams = "ABC",
		    .names = { "ada", "bob", thirds[i / 2] },
		    .end = "scores=A:4,B:1,C:1 winner=A reason=target" });
	}
	tested[0] = 1;
	tested[1] = 0;
	end();
	assert_int_equal(block_count, 4);
	assert_memory_equal(
	    met, ((const int[]){ 0, 0, 1, 1 }), 4 * sizeof(*met));
	assert_int_equal(regroup.met_again, 2);
}

TEST(test_same_record_is_counted_once)
{
	const struct gist game = { 1, .event = "round=1",
		.names = { "ada", "bob" } };

	take(&game);
	take(&game);
	assert_int_equal(regroup.game_count, 1);
	assert_int_equal(regroup.repeated, 1);
	assert_int_equal(take_hashed(&game, 'b'), 0);
	assert_int_equal(regroup.game_count, 2);
}

TEST(test_games_that_came_to_no_end_are_not_counted)
{
	take(&(struct gist){ 1, .event = "round=1", .names = { "ada", "bob" },
	    .end = "scores=A:4,B:1 winner=- reason=abort" });
	assert_int_equal(regroup.game_count, 0);
	assert_int_equal(regroup.bot_count, 0);
	assert_int_equal(regroup.aborted, 1);
}

TEST(test_seats_of_teams_and_of_three_are_kept)
{
	struct block_result block;

	/* Two bots, each with two seats. */
	take(&(struct gist){ 1, .rules = "scopone", .event = "round=1",
	    .names = { "ada", "bob", "ada", "bob" }, .teams = "ABAB" });
	/* Partners that are different bots. */
	take(&(struct gist){ 2, .rules = "scopone", .event = "round=1",
	    .names = { "bob", "eve", "ada", "cid" }, .teams = "ABAB" });
	/* The second game of ada and bob; no fewer than four make theirs. */
	take(&(struct gist){ 3, .rules = "scopone", .event = "round=1",
	    .names = { "bob", "ada", "bob", "ada" }, .teams = "ABAB" });
	end();
	assert_int_equal(regroup.incomplete, 0);
	assert_int_equal(regroup.block_count, 2);
	block = blocks[0];
	assert_int_equal(block.plan.bot_count, 2);
	assert_int_equal(block.plan.seating[0][2], 0);
	block = blocks[1];
	assert_int_equal(block.plan.bot_count, 4);
	for (int seat = 0; seat < 4; seat++)
		assert_int_equal(block.plan.seating[0][seat], seat);
	assert_int_equal(block.plan.bots[0], 1);
	assert_int_equal(block.plan.bots[1], 2);
	regroup_release(&regroup);
	block_count = 0;
	for (int i = 0; i < 6; i++) {
		static const char *const names[] = { "ada", "bob", "cid" };
		int first = i % 3, step = i < 3 ? 1 : 2;

		take(&(struct gist){ i, .rules = "scopa,players=3",
		    .event = "round=1", .teams = "ABC",
		    .names = { names[first], names[(first + step) % 3],
			names[(first + 2 * step) % 3] },
		    .end = "scores=A:4,B:1,C:1 winner=A reason=target" });
	}
	assert_int_equal(regroup.block_count, 1);
	assert_int_equal(regroup.sizes[3][6], 1);
}

TEST(test_what_cannot_be_counted_is_refused)
{
	take(
	    &(struct gist){ 1, .event = "round=1", .names = { "ada", "bob" } });
	refuse(
	    &(struct gist){ 2, .event = "round=1", .names = { "ada", "ada" } },
	    "\"ada\" plays against itself");
	refuse(&(struct gist){ 2, .rules = "escoba", .event = "round=1",
		   .names = { "ada", "bob" } },
	    "not those of the games before");
	refuse(&(struct gist){ 2, .event = "round=1", .names = { "ada", "bob" },
		   .end = "winner=A reason=target" },
	    "not the record of a whole game");
	assert_int_equal(regroup.game_count, 1);
	/* Another target makes games longer, and points a deal no others. */
	take(&(struct gist){ 2, .rules = "scopa,target=21", .event = "round=1",
	    .names = { "bob", "ada" } });
	end();
	assert_int_equal(regroup.block_count, 1);
}

TEST(test_bots_beyond_the_limit_are_refused)
{
	char names[2][8];
	struct gist game = { .event = "round=1",
		.names = { names[0], names[1] } };

	for (int i = 0; i < TOURNAMENT_BOTS_MAX; i += 2) {
		snprintf(names[0], sizeof(names[0]), "b%d", i);
		snprintf(names[1], sizeof(names[1]), "b%d", i + 1);
		take(&game);
	}
	assert_int_equal(regroup.bot_count, TOURNAMENT_BOTS_MAX);
	snprintf(names[0], sizeof(names[0]), "more");
	refuse(&game, "more than 2000 bots");
	snprintf(names[0], sizeof(names[0]), "b0");
	take(&game);
	assert_string_equal(regroup.names[TOURNAMENT_BOTS_MAX - 1], "b1999");
}

TEST(test_games_for_analysis_are_never_counted)
{
	take(&(struct gist){
	    1, .event = "event=a round=1", .names = { "ada", "bob" } });
	assert_int_equal(take_hashed(&(struct gist){ 2,
					 .event = "event=a round=1 analysis=1",
					 .names = { "bob", "ada" } },
			     'a'),
	    -EPERM);
	assert_non_null(strstr(fault.text, "for analysis"));
	assert_int_equal(regroup.game_count, 1);
	assert_int_equal(regroup.aborted, 0);
}

TEST_EACH(setup, teardown)
