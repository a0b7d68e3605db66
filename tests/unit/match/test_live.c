/*
 * Games in progress: when the file is written, what it contains, and what it
 * never contains.
 */
#include "live.h"

#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "record_write.h"
#include "test.h"

#define SECOND INT64_C(1000000000)

static const char head[] =
    "match m7 rules=scopa seats=2 teams=AB target=11 pack=it40 "
    "tc=move:10000 seeds=1fae80b155c77924,51f25aca3f1720e3\n"
    "tag secret=00000000000000000000000000000000000000000000000000000005\n"
    "seat 1 team=A name=ann version=1\n"
    "seat 2 team=B name=bob\n";
static const char deal[] =
    "pack 1 cards=7DQD5S4BAD3SJDQS7S2B2C5C7B2SQBKB3C5D3B4D2DKC6D4C5BASAB6BQC"
    "6C7CJSAC6SJBJCKD3DKS4S\n"
    "deal 1 dealer=2 first=1 scores=A:0,B:0\n"
    "table 4B5S7DQD\n"
    "give 1 AD3SJD\n"
    "give 2 2B7SQS\n";
static const char plays[] = "info 1 value=3 hand=AD3SJD\n"
			    "play 1 3S t=0.002784\n"
			    "play 2 7Sx7D t=0.000440\n";

static const char *path;
static struct live live;
static struct record record;
static struct live_place place;
static int viewer;

static void
open_live(bool cards)
{
	path = test_path("live");
	assert_int_equal(live_open(&live, path, 2, cards), 0);
	viewer = live_attach(path);
	assert_true(viewer >= 0);
	place = (struct live_place){ .slot = 1 };
	record_init(&record);
}

static int
close_live(void **state)
{
	record_release(&record);
	close(viewer);
	live_close(&live, path);
	assert_int_equal(access(path, F_OK), -1);
	return test_folder_remove(state);
}

TEST_EACH(test_folder_make, close_live)

static void
add(const char *lines)
{
	assert_int_equal(record_add(&record, lines, strlen(lines)), 0);
}

/* A game in the middle of a deal; `cards`: whether viewers may see cards. */
static void
open_game(bool cards)
{
	open_live(cards);
	add(head), add(deal), add(plays);
}

/* A viewer looks, and the game is written. */
static void
put_game(void)
{
	live_look(viewer, SECOND);
	live_put(&live, &place, 7, &record, SECOND);
}

/* The slot, read by the viewer. */
static const struct live_slot *
read_slot(void)
{
	static struct live_slot slot;

	assert_true(live_get(viewer, 1, &slot));
	return &slot;
}

TEST(test_viewer_sees_the_table_one_play_late)
{
	open_game(true);
	put_game();
	assert_int_equal(read_slot()->game, 7);
	assert_int_equal(read_slot()->deal, 1);
	assert_int_equal(read_slot()->plays, 1);
	assert_string_equal(read_slot()->text,
	    "seat 1 team=A name=ann\n"
	    "seat 2 team=B name=bob\n"
	    "deal 1 dealer=2 first=1 scores=A:0,B:0\n"
	    "table 4B5S7DQD\n"
	    "give 1 ??????\n"
	    "give 2 ??????\n"
	    "play 1 3S\n");
}

TEST(test_cards_are_hidden_if_bots_could_read_the_file)
{
	open_game(false);
	put_game();
	assert_int_equal(read_slot()->plays, 1);
	assert_string_equal(read_slot()->text,
	    "seat 1 team=A name=ann\nseat 2 team=B name=bob\n");
}

TEST(test_nothing_is_written_while_no_viewer_looks)
{
	open_game(true);
	live_put(&live, &place, 7, &record, 10 * SECOND);
	assert_int_equal(read_slot()->version, 0);
	assert_true(place.due_ns > 10 * SECOND);
	live_look(viewer, 10 * SECOND);
	live_put(&live, &place, 7, &record, 10 * SECOND + LIVE_LOOK_NS);
	assert_int_equal(read_slot()->version, 0);
	live_put(&live, &place, 7, &record, 10 * SECOND + LIVE_LOOK_NS - 1);
	assert_int_equal(read_slot()->game, 7);
}

TEST(test_slot_that_is_being_written_is_not_read)
{
	struct live_slot slot;
	int64_t half = 5;

	open_live(true);
	assert_int_equal(
	    pwrite(live.fd, &half, sizeof(half), 2 * LIVE_SLOT_SIZE),
	    sizeof(half));
	assert_false(live_get(viewer, 1, &slot));
	assert_false(live_get(viewer, 2, &slot));
}
