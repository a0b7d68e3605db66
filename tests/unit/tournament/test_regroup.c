/*
 * Games that are read from files, and the blocks that they form.
 */
#include "regroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "output.h"
#include "support.h"
#include "test.h"

enum { TEXT_SIZE = 2048 };

enum { BLOCKS_KEPT = 4000 };

static struct regroup regroup;
static struct record_fault fault;
static struct block_result *blocks; /* blocks that were passed on */
static int block_count;
static int tested[2]; /* the bots of the test, if these are two */
static int met[BLOCKS_KEPT];

static int
store_block(
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

/* Passes on the blocks that wait. */
static void
end(void)
{
	assert_int_equal(regroup_finish(&regroup), 0);
	assert_int_equal(regroup.block_count, block_count);
}

/*
 * Reads a game of these bots, in the order of their seats, with this tag and
 * this hash in its `sum` line.  Two, three or four seats have the teams AB,
 * ABC, ABAB.
 */
static int
read_game(const char *rules, int number, const char *tag, const char *names,
    const char *end, char hash)
{
	char text[TEXT_SIZE], hashes[65], copy[64], *rest = copy, *name;
	struct scopa_text game;
	struct game_record record;
	const char *teams;
	int seats = 1, status;

	for (const char *at = names; *at != '\0'; at++)
		seats += *at == ' ';
	teams = seats == 2 ? "AB" : seats == 3 ? "ABC" : "ABAB";
	scopa_text_init(&game, text, sizeof(text));
	scopa_text_print(&game,
	    "match m%d rules=%s seats=%d teams=%s target=11 pack=it40\n"
	    "tag utc=2026-01-01T00:00:00Z tool=x/1 %s game=%d\n",
	    number, rules, seats, teams, tag, number);
	strcpy(copy, names);
	for (int i = 0; (name = strsep(&rest, " ")) != NULL; i++)
		scopa_text_print(
		    &game, "seat %d team=%c name=%s\n", i + 1, teams[i], name);
	memset(hashes, hash, 64);
	hashes[64] = '\0';
	scopa_text_print(&game,
	    "enddeal 1\nendmatch m%d %s\nsum lines=%d sha256=%s\n", number, end,
	    seats + 4, hashes);
	assert_false(game.cut);
	game_record_init(&record);
	games_read(text, game.length, &record);
	fault.line = 0;
	status = regroup_add(&regroup, &record, &fault);
	game_record_release(&record);
	return status;
}

/* The first team wins by 3. */
#define WON_BY_TWO "scores=A:4,B:1 winner=A reason=target"
#define WON_BY_THREE "scores=A:4,B:1,C:1 winner=A reason=target"

/* Adds a game of two bots. */
static void
add(int number, const char *tag, const char *names)
{
	if (read_game("scopa", number, tag, names, WON_BY_TWO, 'a') != 0)
		fail_msg("%s", fault.text);
}

/* Adds a game of three bots, each alone in its team. */
static void
add_three(int number, const char *tag, const char *names)
{
	assert_int_equal(
	    read_game("scopa,players=3", number, tag, names, WON_BY_THREE, 'a'),
	    0);
}

static void
refuse(const char *rules, const char *names, const char *end, const char *why)
{
	assert_int_equal(
	    read_game(rules, 2, "round=1", names, end, 'a'), -EBADMSG);
	expect_parts(fault.text, why);
	assert_int_equal(fault.line, 1);
}

/* Expects these numbers of games, of blocks, and of incomplete blocks. */
static void
expect(int games, int blocks_made, int incomplete)
{
	assert_int_equal(regroup.game_count, games);
	assert_int_equal(regroup.block_count, blocks_made);
	assert_int_equal(regroup.incomplete, incomplete);
}

static int
setup(void **state)
{
	(void)state;
	regroup_init(&regroup, store_block, NULL);
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

	add(1, "event=round-7 round=7", "ada bob");
	add(2, "event=round-7 round=7", "bob ada");
	/* The block is complete, and does not wait. */
	expect(2, 1, 0);
	assert_int_equal(regroup.bot_count, 2);
	assert_int_equal(regroup_bot_find(&regroup, "bob"), 1);
	assert_int_equal(regroup_bot_find(&regroup, "eve"), -1);
	block = blocks[0];
	assert_int_equal(block.games[0].round, 6);
	assert_int_equal(block.games[1].game, 1);
	assert_int_equal(block.plan.bot_count, 2);
	assert_int_equal(block.plan.game_count, 2);
	assert_false(block.skipped);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(block.plan.bots[i], i);
		assert_int_equal(block.plan.seating[i][0], i);
	}
	/* The bot in the first seat has won by 3: each bot once. */
	assert_true(block_mean(&regroup.rules, &block, 0).margin == 0.0);
	assert_true(block_share(&regroup.rules, &block, 1, 1).margin == 3.0);
}

TEST(test_block_is_given_as_soon_as_it_is_complete)
{
	static const int second[] = { 2, 0, 1 }, rounds[] = { 0, 1, 0 };

	add(1, "round=1", "ada bob");
	add(2, "round=1", "ada cid");
	add(3, "round=2", "bob ada");
	add(4, "round=1", "cid ada");
	add(5, "round=2", "ada bob");
	add(6, "round=1", "bob ada");
	expect(6, 3, 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(blocks[i].plan.game_count, 2);
		assert_int_equal(blocks[i].games[0].round, rounds[i]);
		assert_int_equal(blocks[i].plan.bots[1], second[i]);
	}
	/* The encounters of a round share its packs, and encounters of other
	 * rounds do not. */
	assert_int_equal(blocks[0].plan.round, blocks[2].plan.round);
	assert_int_not_equal(blocks[0].plan.round, blocks[1].plan.round);
}

TEST(test_games_of_other_events_or_secrets_are_other_blocks)
{
	static const char *const events[] = { "event=a secret=11 round=1",
		"event=b secret=11 round=1", "event=a secret=12 round=1",
		"event=a round=1", "secret=11 round=1", "round=1" };
	enum { COUNT = COUNTOF(events) };

	for (int half = 0; half < 2; half++)
		for (int i = 0; i < COUNT; i++)
			add(2 * i + half, events[i],
			    half ? "bob ada" : "ada bob");
	assert_int_equal(regroup.block_count, COUNT);
	assert_int_equal(regroup.sizes[2][2], COUNT);
}

/* Without packs and secret it is unknown whether the deal is the same. */
TEST(test_game_with_the_same_seating_again_is_in_another_block)
{
	add(1, "round=1", "ada bob");
	add(2, "round=1", "ada bob");
	add(3, "round=1", "bob ada");
	add(4, "round=1", "bob ada");
	end();
	expect(4, 3, 2);
	assert_int_equal(regroup.again, 0);
}

TEST(test_same_deal_in_the_same_seats_is_not_counted_again)
{
	static const char *const events[] = {
		"event=round-1 secret=11 round=1",
		"event=round-1 secret=12 round=1",
	};

	for (int run = 0; run < 3; run++)
		for (int half = 0; half < 2; half++)
			add(10 * run + half, events[run / 2],
			    half ? "bob ada" : "ada bob");
	end();
	/* The second run has the secret of the first, the third another. */
	expect(4, 2, 0);
	assert_int_equal(regroup.again, 2);
	assert_int_equal(regroup.repeated, 0);
	/* Other bots with these packs are new evidence, in the same cluster. */
	add(50, events[0], "ada eve");
	end();
	assert_int_equal(regroup.block_count, 3);
	assert_int_equal(blocks[2].plan.round, blocks[0].plan.round);
	assert_int_not_equal(blocks[1].plan.round, blocks[0].plan.round);
}

/*
 * Ada and bob meet twice with the packs of each round: in a game with cid, and
 * in a game with eve.
 */
TEST(test_second_meeting_of_two_bots_with_the_same_packs_is_marked)
{
	add_three(0, "event=a secret=11 round=1", "ada bob cid");
	add_three(1, "event=a secret=11 round=2", "ada bob cid");
	add_three(2, "event=a secret=11 round=1", "ada bob eve");
	add_three(3, "event=a secret=11 round=2", "ada bob eve");
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
	add(1, "round=1", "ada bob");
	add(1, "round=1", "ada bob");
	assert_int_equal(regroup.game_count, 1);
	assert_int_equal(regroup.repeated, 1);
	assert_int_equal(
	    read_game("scopa", 1, "round=1", "ada bob", WON_BY_TWO, 'b'), 0);
	assert_int_equal(regroup.game_count, 2);
}

TEST(test_blocks_keep_the_seats_of_teams_and_of_three_bots)
{
	/* Two bots with two seats each; partners that are different bots, whose
	 * block is incomplete without four games; and the second game of the
	 * first two. */
	static const char *const pairs[] = { "ada bob ada bob",
		"bob eve ada cid", "bob ada bob ada" };
	static const char *const threes[] = { "ada bob cid", "bob cid ada",
		"cid ada bob", "ada cid bob", "bob ada cid", "cid bob ada" };

	for (int i = 0; i < COUNTOF(pairs); i++)
		assert_int_equal(read_game("scopone", 1 + i, "round=1",
				     pairs[i], WON_BY_TWO, 'a'),
		    0);
	end();
	expect(3, 2, 0);
	assert_int_equal(blocks[0].plan.bot_count, 2);
	assert_int_equal(blocks[0].plan.seating[0][2], 0);
	assert_int_equal(blocks[1].plan.bot_count, 4);
	for (int seat = 0; seat < 4; seat++)
		assert_int_equal(blocks[1].plan.seating[0][seat], seat);
	assert_int_equal(blocks[1].plan.bots[0], 1);
	assert_int_equal(blocks[1].plan.bots[1], 2);
	regroup_release(&regroup);
	block_count = 0;
	for (int i = 0; i < COUNTOF(threes); i++)
		add_three(i, "round=1", threes[i]);
	assert_int_equal(regroup.block_count, 1);
	assert_int_equal(regroup.sizes[3][6], 1);
}

TEST(test_game_that_cannot_be_counted_is_refused)
{
	add(1, "round=1", "ada bob");
	refuse("scopa", "ada ada", WON_BY_TWO, "\"ada\" plays against itself");
	refuse(
	    "escoba", "ada bob", WON_BY_TWO, "not those of the games before");
	refuse("scopa", "ada bob", "winner=A reason=target",
	    "not the record of a whole game");
	assert_int_equal(regroup.game_count, 1);
	/* Another target is accepted: it makes games longer, and does not
	 * change the points per deal. */
	assert_int_equal(read_game("scopa,target=21", 2, "round=1", "bob ada",
			     WON_BY_TWO, 'a'),
	    0);
	end();
	assert_int_equal(regroup.block_count, 1);
}

TEST(test_bots_beyond_the_limit_are_refused)
{
	char names[32];

	for (int i = 0; i < TOURNAMENT_BOTS_MAX; i += 2) {
		snprintf(names, sizeof(names), "b%d b%d", i, i + 1);
		add(1, "round=1", names);
	}
	assert_int_equal(regroup.bot_count, TOURNAMENT_BOTS_MAX);
	refuse("scopa", "more b1999", WON_BY_TWO, "more than 2000 bots");
	add(1, "round=1", "b0 b1999");
	assert_string_equal(regroup.names[TOURNAMENT_BOTS_MAX - 1], "b1999");
}

TEST_EACH(setup, teardown)
