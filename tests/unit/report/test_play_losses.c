/*
 * The table of losses of a run: plays are read as they were written, and if a
 * play was judged twice, the last line counts.
 */
#include "play_losses.h"

#include <errno.h>

#include "folder.h"
#include "test.h"

static const char *path;
static FILE *table;

static int
table_open(void **state)
{
	test_folder_make(state);
	path = test_path("losses.tsv");
	table = fopen(path, "a");
	return table != NULL ? 0 : -1;
}

#define TABLE_TEST(name) TEST_WITH(name, table_open, test_folder_remove)

static void
write_play(const char *match, int deal, int play, const char *move, double loss)
{
	struct play_loss row = {
		.deal = deal,
		.play = play,
		.seat = 1 + play % 2,
		.phase = play > 24 ? LOSS_ENDING : LOSS_OPENING,
		.judged = loss >= 0,
		.by_arena = (loss < -1),
		.value = 0.25,
		.loss = loss,
		.best = "7DxAS6B",
		.exact = (play > 24),
		.exact_best = "KB",
		.exact_value = -2,
		.exact_loss = 3,
	};

	snprintf(row.match, sizeof(row.match), "%s", match);
	snprintf(row.bot, sizeof(row.bot), "%s", play % 2 ? "a\tb" : "z");
	snprintf(row.move, sizeof(row.move), "%s", move);
	play_loss_write(&row, table);
}

static struct play_losses *
read_table(void)
{
	struct play_losses *losses;

	fclose(table);
	assert_int_equal(play_losses_open(&losses, path), 0);
	return losses;
}

TABLE_TEST(test_play_is_found_as_it_was_written)
{
	struct play_losses *losses;
	struct play_loss play;

	write_play("m12", 3, 14, "!low:A", 0.5);
	write_play("m12", 3, 14, "7D", 1.5);
	write_play("m2", 1, 30, "QB", 0);
	losses = read_table();
	assert_true(play_losses_find(losses, 12, 3, 14, "7D", &play));
	assert_true(play.judged && !play.exact && !play.by_arena);
	assert_true(play.loss == 1.5 && play.value == 0.25);
	assert_string_equal(play.best, "7DxAS6B");
	assert_true(play_losses_find(losses, 12, 3, 14, "!low:A", &play));
	assert_true(play.loss == 0.5);
	assert_true(play_losses_find(losses, 2, 1, 30, "QB", &play));
	assert_true(play.exact && play.exact_value == -2);
	assert_true(play.exact_loss == 3);
	assert_string_equal(play.exact_best, "KB");
	assert_false(play_losses_find(losses, 2, 1, 30, "QD", &play));
	assert_false(play_losses_find(losses, 2, 1, 31, "QB", &play));
	play_losses_close(losses);
}

/* The sums of a bot in a phase, judged from its own seat or by the solver. */
static const struct loss_tally *
sum_of(const struct play_losses *losses, int bot, int phase, int judge)
{
	return &play_losses_sums(losses)->items[bot].phases[phase][judge];
}

TABLE_TEST(test_last_line_of_a_play_counts)
{
	const struct loss_sums *sums;
	struct play_losses *losses;
	struct play_loss play;

	write_play("m1", 1, 1, "7D", 0.5);
	write_play("m1", 1, 2, "6D", 2);
	write_play("m1", 1, 3, "5D", -1);
	write_play("m1", 1, 4, "4D", -2);
	write_play("m1", 1, 1, "7D", 0.25);
	write_play("m1", 2, 26, "6D", 1);
	losses = read_table();
	assert_true(play_losses_find(losses, 1, 1, 1, "7D", &play));
	assert_true(play.loss == 0.25);
	sums = play_losses_sums(losses);
	assert_int_equal(sums->count, 2);
	assert_string_equal(sums->items[0].name, "a\\x09b");
	assert_int_equal(sums->items[0].deals, 1);
	assert_int_equal(sums->items[1].deals, 2);
	/* A forced play counts as a play without loss, ... */
	assert_int_equal(
	    sum_of(losses, 0, LOSS_OPENING, LOSS_BY_SEAT)->plays, 2);
	assert_true(
	    sum_of(losses, 0, LOSS_OPENING, LOSS_BY_SEAT)->loss == 0.25);
	/* ... and a play of the arena is not counted. */
	assert_int_equal(
	    sum_of(losses, 1, LOSS_OPENING, LOSS_BY_SEAT)->plays, 1);
	assert_int_equal(
	    sum_of(losses, 1, LOSS_ENDING, LOSS_BY_SOLVER)->marks[LOSS_BLUNDER],
	    1);
	play_losses_close(losses);
}

TABLE_TEST(test_lines_that_are_no_plays_are_skipped)
{
	struct play_losses *losses;

	write_play("m1", 1, 1, "7D", 0.5);
	write_play("x1", 1, 1, "7D", 0.5);
	fputs("m1\t1\t2\n", table);
	write_play("m1", 1, 3, "7D", 0.5);
	fputs("m1\t1\t5\t1\tz\topening\t7D\tbot\t0.1\t0.2\t7D\t-", table);
	losses = read_table();
	assert_int_equal(play_losses_sums(losses)->count, 1);
	assert_int_equal(
	    sum_of(losses, 0, LOSS_OPENING, LOSS_BY_SEAT)->plays, 2);
	play_losses_close(losses);
}

TABLE_TEST(test_file_that_is_no_table_is_refused)
{
	struct play_losses *losses;

	fputs("match\tdeal\n", table);
	fclose(table);
	assert_int_equal(play_losses_open(&losses, path), -EBADMSG);
	assert_int_equal(play_losses_open(&losses, "/nowhere"), -ENOENT);
}
