/*
 * Games that were begun and lost, and what is known of them later.
 */
#include "runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

static char path[] = "attempts.XXXXXX";

static int
make_file(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "attempts.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	return 0;
}

static int
remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

/* What is noted with a game that begins. */
static const char *
reasons_of(struct attempts *attempts, int index)
{
	static struct game_spec game;

	game = (struct game_spec){ .index = index };
	attempts_begin(attempts, &game);
	return game.voided;
}

TEST(test_games_without_a_result_were_lost_when_it_was_killed)
{
	struct attempts attempts;

	assert_int_equal(attempts_open(&attempts, path, 0), 0);
	for (int index = 0; index < 10; index++)
		assert_string_equal(reasons_of(&attempts, index), "");
	/* No word of an end: it was killed, and four were kept. */
	attempts_close(&attempts);
	assert_int_equal(attempts_open(&attempts, path, 4), 0);
	assert_int_equal(attempts.loss_count, 1);
	for (int index = 4; index < 12; index++)
		assert_string_equal(
		    reasons_of(&attempts, index), index < 10 ? "ENV_ERR" : "");
	attempts_close(&attempts);
}

TEST(test_reasons_add_up_from_call_to_call)
{
	struct attempts attempts;

	assert_int_equal(attempts_open(&attempts, path, 0), 0);
	reasons_of(&attempts, 5);
	attempts_end(&attempts, "ABORTED");
	attempts_close(&attempts);
	assert_int_equal(attempts_open(&attempts, path, 2), 0);
	assert_string_equal(reasons_of(&attempts, 2), "ABORTED");
	assert_string_equal(reasons_of(&attempts, 3), "ABORTED");
	attempts_close(&attempts);
	assert_int_equal(attempts_open(&attempts, path, 3), 0);
	assert_string_equal(reasons_of(&attempts, 3), "ABORTED,ENV_ERR");
	assert_string_equal(reasons_of(&attempts, 4), "ABORTED");
	assert_string_equal(reasons_of(&attempts, 5), "ABORTED");
	assert_string_equal(reasons_of(&attempts, 6), "");
	attempts_close(&attempts);
}

TEST(test_other_files_are_left_alone)
{
	struct attempts attempts;
	char text[16] = "";
	FILE *file = fopen(path, "w");

	fputs("my diary\n", file);
	fclose(file);
	assert_int_equal(attempts_open(&attempts, path, 0), -EBADMSG);
	assert_string_equal(reasons_of(&attempts, 3), "");
	attempts_end(&attempts, "ABORTED");
	attempts_close(&attempts);
	file = fopen(path, "r");
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	assert_string_equal(text, "my diary\n");
	assert_int_equal(
	    attempts_open(&attempts, "no/such/folder", 0), -ENOENT);
}

TEST_EACH(make_file, remove_file)
