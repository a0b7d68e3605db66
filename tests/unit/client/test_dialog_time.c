/*
 * A bot's side of the protocol: what it is told of its time, and its options.
 */
#include "dialog.h"

#include <string.h>

#include "test.h"

static struct dialog dialog;
static char answer_bytes[DIALOG_ANSWER_MAX];

/* What is answered to one line. */
static const char *
hear(const char *line)
{
	struct scopa_text answer;

	scopa_text_init(&answer, answer_bytes, sizeof(answer_bytes));
	assert_true(dialog_hear(
	    &dialog, (struct token){ line, strlen(line) }, &answer));
	assert_false(answer.cut);
	return answer_bytes;
}

/* Says what it was told of its turn. */
static bool
tell_times(const struct builtin_turn *turn, struct scopa_text *answer)
{
	const int64_t times[] = { turn->began_ns, turn->bank_ns,
		turn->increment_ns, turn->move_ns, turn->match_bank,
		turn->deal_count, turn->lag_ns, turn->stopped(turn->context) };

	assert_null(turn->all_cards);
	scopa_text_string(turn->info, "info # first try\n");
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		scopa_text_int(answer, times[i]);
		scopa_text_char(answer, ',');
	}
	return true;
}

static const struct builtin_option teller_options[] = {
	{ .name = "depth", .fallback = 4, .min = 1, .max = 9 },
	{ .name = "calm", .type = BUILTIN_BOOL, .fallback = 1 },
	{ .name = "style", .type = BUILTIN_ENUM, .words = "calm|wild" },
};

static const struct builtin teller = {
	.name = "teller",
	.sentence = "Tells what it was told.",
	.options = teller_options,
	.option_count = 3,
	.need = BUILTIN_NEED_LEGAL,
	.stops = true,
	.choose = tell_times,
};

TEST(test_bot_is_told_its_time_and_may_say_more_than_its_move)
{
	dialog_init(&dialog, &teller);
	hear("legal AD");
	assert_string_equal(hear("go turn=1"),
	    "info # first try\nmove 0,-1,-1,-1,0,0,0,0, turn=1\n");
	hear("match m1 rules=scopa deals=7 tc=match:60000+10");
	dialog.heard_ns = 123;
	hear("legal AD");
	assert_string_equal(hear("go turn=2 time=59999 inc=10"),
	    "info # first try\n"
	    "move 123,59999000000,10000000,-1,1,7,0,0, turn=2\n");
	hear("match m2 rules=scopa tc=deal:60000+10");
	hear("legal AD");
	assert_string_equal(hear("go move=5 time=x inc=99999999999999"),
	    "info # first try\nmove 123,-1,-1,5000000,0,0,0,0,\n");
}

TEST(test_lag_is_told_with_the_next_question)
{
	dialog_init(&dialog, &teller);
	dialog.heard_ns = 1000000000;
	dialog.wake_ns = 2000000;
	hear("legal AD");
	hear("go turn=1 time=1000 inc=50");
	/* It has used 102 ms, and had no processor for 5. */
	dialog_answered(&dialog, 1100000000, 5000000);
	/* Nothing was asked, so that it tells nothing of a turn. */
	dialog_answered(&dialog, 1200000000, 2000000);
	dialog.heard_ns = 2000000000;
	dialog.wake_ns = 0;
	hear("legal AD");
	assert_string_equal(hear("go turn=2 time=948 inc=50"),
	    "info # first try\n"
	    "move 2000000000,948000000,50000000,-1,0,0,437500,0, turn=2\n");
	dialog_answered(&dialog, 2000000000, 0);
	hear("legal AD");
	/* By its own clock there should be 998 ms, as is told the next time. */
	assert_string_equal(hear("go turn=3 time=968 inc=50"),
	    "info # first try\n"
	    "move 2000000000,968000000,50000000,-1,0,0,410157,0, turn=3\n");
	dialog_answered(&dialog, 2000000000, 0);
	hear("legal AD");
	assert_string_equal(hear("go turn=4 time=1018 inc=50"),
	    "info # first try\n"
	    "move 2000000000,1018000000,50000000,-1,0,0,2197022,0, turn=4\n");
}

TEST(test_handshake_states_options_of_all_types_and_stop)
{
	dialog_init(&dialog, &teller);
	assert_string_equal(hear("usp 1"),
	    "id name=teller version=1\n"
	    "option name=depth type=int default=4 min=1 max=9\n"
	    "option name=calm type=bool default=true\n"
	    "option name=style type=enum default=calm values=calm|wild\n"
	    "feature position=1 stop=1\nuspok 1\n");
	assert_string_equal(hear("setoption style=wild"), "");
	assert_int_equal(dialog.options[2], 1);
	assert_string_equal(hear("setoption style=tame"),
	    "error option # no such value of style\n");
}
