/*
 * A game of two persons in browsers, without any bot and without a server: what
 * each seat is sent, and which answers reach the referee.
 */
#include "serve_table.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static struct play_settings settings;
static struct serve_table_config config;
static struct serve_table *table;
static int gone_count;

static void
on_news(struct serve_seat *seat)
{
	(void)seat;
}

static void
on_gone(struct serve_table *over)
{
	assert_ptr_equal(over, table);
	gone_count++;
}

static void
open_table(int64_t grace_ns, bool timed)
{
	memset(&settings, 0, sizeof(settings));
	settings.persons = 3;
	settings.hint = "@first";
	settings.record = "none";
	settings.game.rules = "scopa";
	settings.game.seats = 2;
	settings.game.deals = 1;
	settings.game.strikes = 3;
	settings.game.seed.given = true;
	settings.game.startup_ms = settings.game.hang_ms = 1000;
	settings.game.control.control.kind = BUDGET_NONE;
	if (timed)
		settings.game.control.control = (struct budget_control){
			.kind = BUDGET_MOVE,
			.base_ms = 1,
		};
	config = (struct serve_table_config){
		.record_fd = -1,
		.grace_ns = grace_ns,
		.on_news = on_news,
		.on_gone = on_gone,
	};
	gone_count = 0;
	assert_int_equal(loop_open(&config.loop), 0);
	assert_int_equal(
	    serve_table_open(&table, &config, &settings, timed), STATUS_DONE);
}

static void
close_table(void)
{
	serve_table_close(table);
	loop_close(config.loop);
}

/* Steps the loop until the game is over. */
static void
run_to_end(void)
{
	while (table->state == SERVE_TABLE_PLAYING)
		assert_int_equal(loop_step(config.loop, LOOP_NEVER), 0);
}

/* All that a page of the seat is sent when it is loaded; for free(). */
static char *
page_of(int seat)
{
	char *text = NULL;
	size_t size = 0, position = 0;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	serve_seat_read(&table->seats[seat], &position, file);
	serve_seat_ask(&table->seats[seat], file);
	assert_int_equal(fclose(file), 0);
	return text;
}

static bool
page_has(int seat, const char *text)
{
	char *page = page_of(seat);
	bool found = strstr(page, text) != NULL;

	free(page);
	return found;
}

/* Writes `move MOVE turn=ID`, the first legal move of the open question. */
static void
answer_of(const struct serve_seat *seat, char answer[128])
{
	const char *legal = strstr(seat->question, "\nlegal ") + 7;
	const char *turn = strstr(strstr(seat->question, "\ngo "), "turn=");

	snprintf(answer, 128, "move %.*s %.*s", (int)strcspn(legal, " \n"),
	    legal, (int)strcspn(turn, " \n"), turn);
}

TEST(each_person_is_sent_the_own_hand_alone)
{
	char hands[2][64];

	open_table(INT64_MAX / 4, false);
	for (int seat = 0; seat < 2; seat++) {
		char *page = page_of(seat), own[16], other[16];
		const char *hand;

		snprintf(own, sizeof(own), "\ngive %d ", seat + 1);
		snprintf(other, sizeof(other), "\ngive %d ??????\n", 2 - seat);
		hand = strstr(page, own);
		assert_non_null(hand);
		snprintf(hands[seat], sizeof(hands[seat]), "%.6s",
		    hand + strlen(own));
		assert_non_null(strstr(page, other));
		free(page);
	}
	assert_false(page_has(0, hands[1]));
	assert_false(page_has(1, hands[0]));
	assert_true(page_has(0, "\nstate "));
	assert_false(page_has(1, "\nstate "));
	close_table();
}

TEST(an_answer_counts_once_and_for_its_seat)
{
	char answer[128], other[128];

	open_table(INT64_MAX / 4, false);
	answer_of(&table->seats[0], answer);
	assert_non_null(serve_seat_answer(&table->seats[1], answer));
	assert_non_null(serve_seat_answer(&table->seats[0], "move"));
	snprintf(
	    other, sizeof(other), "move 7Dx7D %s", strrchr(answer, ' ') + 1);
	assert_non_null(serve_seat_answer(&table->seats[0], other));
	assert_null(serve_seat_answer(&table->seats[0], answer));
	assert_non_null(serve_seat_answer(&table->seats[0], answer));
	/* Both hear of the play at once, and the other one is asked. */
	assert_true(page_has(0, "\nplay 1 "));
	assert_true(page_has(1, "\nplay 1 "));
	assert_null(table->seats[0].question);
	assert_non_null(table->seats[1].question);
	close_table();
}

TEST(a_deal_of_two_persons_is_played_to_its_end)
{
	open_table(INT64_MAX / 4, false);
	while (table->state == SERVE_TABLE_PLAYING) {
		int seat = table->seats[0].question == NULL;
		char answer[128];

		answer_of(&table->seats[seat], answer);
		assert_null(serve_seat_answer(&table->seats[seat], answer));
	}
	assert_true(page_has(0, "\nendmatch "));
	assert_true(page_has(1, "\nx-over done\n"));
	assert_int_equal(gone_count, 1);
	close_table();
}

TEST(a_game_is_stopped_by_its_owner)
{
	open_table(INT64_MAX / 4, false);
	serve_table_stop(table);
	assert_true(page_has(1, "\nabort match reason=interrupted\n"));
	assert_true(page_has(1, "\nx-over stopped\n"));
	assert_null(table->seats[0].question);
	assert_int_equal(gone_count, 1);
	close_table();
}

TEST(a_game_that_nobody_looks_at_is_stopped)
{
	open_table(1, false);
	run_to_end();
	assert_true(page_has(0, "\nx-over stopped\n"));
	close_table();
}

TEST(a_game_that_all_look_at_goes_on)
{
	open_table(1, false);
	serve_seat_watch(&table->seats[0], true);
	serve_seat_watch(&table->seats[1], true);
	assert_int_equal(loop_step(config.loop, 0), 0);
	assert_int_equal(table->state, SERVE_TABLE_PLAYING);
	serve_seat_watch(&table->seats[1], false);
	run_to_end();
	assert_true(page_has(0, "\nx-over stopped\n"));
	close_table();
}

TEST(a_person_with_a_clock_is_late)
{
	open_table(INT64_MAX / 4, true);
	assert_true(page_has(0, "\nx-left "));
	run_to_end();
	assert_true(page_has(1, "\nx-fault 1 timeout TIMEOUT\n"));
	assert_true(page_has(1, "\nx-over done\n"));
	close_table();
}

TEST(hints_are_given_where_they_are_allowed)
{
	open_table(INT64_MAX / 4, false);
	assert_non_null(serve_seat_hint(&table->seats[0]));
	table->hints = true;
	assert_non_null(serve_seat_hint(&table->seats[1]));
	close_table();
}

TEST(tokens_differ_and_are_compared_whole)
{
	char one[SERVE_TOKEN_SIZE], two[SERVE_TOKEN_SIZE];
	static const char none[SERVE_TOKEN_SIZE] = "";

	assert_int_equal(serve_token_draw(one), 0);
	assert_int_equal(serve_token_draw(two), 0);
	assert_int_equal(strlen(one), SERVE_TOKEN_SIZE - 1);
	assert_string_not_equal(one, two);
	assert_true(serve_token_is(one, one));
	assert_false(serve_token_is(one, two));
	assert_false(serve_token_is(one, one + 1));
	assert_false(serve_token_is(one, ""));
	assert_false(serve_token_is(none, ""));
	two[0] = '\0';
	assert_false(serve_token_is(two, one));
}
