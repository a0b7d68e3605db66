/*
 * A bot's side of the protocol, line by line.
 */
#include "dialog.h"

#include <stdio.h>
#include <string.h>

#include "players.h"
#include "scopa/scopa.h"
#include "test.h"

static struct dialog dialog;
static char answer_bytes[DIALOG_ANSWER_MAX];

static void
dialog_start(const char *name)
{
	const struct builtin *builtin = builtin_find(name);

	assert_non_null(builtin);
	dialog_init(&dialog, builtin);
}

/* What is answered to one line of `length` bytes. */
static const char *
hear_bytes(const char *line, size_t length)
{
	struct scopa_text answer;

	scopa_text_init(&answer, answer_bytes, sizeof(answer_bytes));
	assert_true(
	    dialog_hear(&dialog, (struct token){ line, length }, &answer));
	assert_false(answer.cut);
	return answer_bytes;
}

static const char *
hear(const char *line)
{
	return hear_bytes(line, strlen(line));
}

TEST(test_handshake_states_name_options_and_features)
{
	dialog_start("random");
	assert_string_equal(hear("usp 1 arena=scopa-arena/0.1.0"),
	    "id name=random version=1\n"
	    "option name=seed type=int default=0 min=0 "
	    "max=9223372036854775807\n"
	    "feature position=1\n"
	    "uspok 1\n");
	dialog_start("greedy");
	assert_string_equal(hear("usp 2"),
	    "id name=greedy version=1\n"
	    "option name=blunder type=int default=0 min=0 max=1000\n"
	    "feature position=1\n"
	    "uspok 1\n");
	assert_string_equal(hear("isready"), "readyok\n");
}

TEST(test_move_gives_the_turn_back)
{
	dialog_start("first");
	assert_string_equal(hear("legal 6Cx6D KS"), "");
	assert_string_equal(
	    hear("go turn=9f3ac01b move=10000"), "move 6Cx6D turn=9f3ac01b\n");
	hear("legal KS");
	assert_string_equal(hear("go"), "move KS\n");
}

TEST(test_line_is_read_past_blanks_comments_and_cr)
{
	dialog_start("first");
	assert_string_equal(hear("  legal\t 6Cx6D  KS # legal AD\r"), "");
	assert_string_equal(
	    hear(" go  turn=a#1\t# turn=b \r"), "move 6Cx6D turn=a#1\n");
	assert_string_equal(hear(""), "");
	assert_string_equal(hear("\r"), "");
	assert_string_equal(hear("# go"), "");
}

TEST(test_unknown_lines_are_skipped_and_a_few_are_reported)
{
	dialog_start("first");
	hear("legal AD KS");
	assert_string_equal(
	    hear("ponder x=1"), "error unknown # skipped ponder\n");
	assert_string_equal(hear("p\x01\xff"), "error unknown # skipped p??\n");
	for (int i = 2; i < DIALOG_ERRORS_MAX; i++)
		assert_string_not_equal(hear("Legal QD"), "");
	assert_string_equal(hear("legal2 QD"), "");
	assert_string_equal(hear("go turn=1"), "move AD turn=1\n");
}

TEST(test_verbs_that_need_no_answer_get_none)
{
	static const char *const lines[] = {
		"seat 1 team=A name=anon",
		"rules players=2 teams=AB",
		"deal 1 dealer=2 first=1 scores=A:0,B:0",
		"table 5D6DJDKS",
		"redeal reason=kings",
		"give 1 AD2D3D",
		"sweep 2 5D6D scopa=1 reason=fifteen",
		"declare 1 low points=3",
		"show 1 AD2D3D",
		"play 1 AD",
		"rest 1 KS",
		"score A points=3 total=3",
		"enddeal 1",
		"abort deal reason=interrupted",
		"endmatch m1 scores=A:1,B:2 winner=B you=loss reason=target",
		"illegal 7D reason=must-capture policy=substitute strikes=1",
		"error unexpected # no move was asked",
		"stop",
	};

	dialog_start("greedy");
	hear("match m1 rules=scopa seats=2 teams=AB you=1 target=11");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_string_equal(hear(lines[i]), "");
}

TEST(test_long_list_of_legal_moves_is_kept_whole)
{
	static char line[DIALOG_LINE_MAX];
	static const char verb[] = "legal", move[] = " 7Dx3C4S";
	size_t length = sizeof(verb) - 1;
	int count = 0;

	memcpy(line, verb, length);
	while (length + sizeof(move) + 3 < sizeof(line)) {
		memcpy(line + length, move, sizeof(move) - 1);
		length += sizeof(move) - 1;
		count++;
	}
	assert_true(count > 7000);
	memcpy(line + length, " KS", 3);
	length += 3;
	dialog_start("random");
	/* About one choice in 7,281 is the last move; it must be reached. */
	for (int i = 0; i < 100000; i++) {
		hear_bytes(line, length);
		if (strcmp(hear("go"), "move KS\n") == 0)
			return;
	}
	fail_msg("the last move was never chosen");
}

TEST(test_option_is_checked)
{
	dialog_start("random");
	assert_string_equal(hear("setoption seed=17"), "");
	assert_int_equal(dialog.options[0], 17);
	assert_string_equal(hear("setoption seed=-1"),
	    "error option # no such value of seed\n");
	assert_string_equal(hear("setoption seed=9223372036854775808"),
	    "error option # no such value of seed\n");
	assert_string_equal(
	    hear("setoption seed"), "error option # no such value of seed\n");
	assert_string_equal(hear("setoption depth=3"),
	    "error option # there is no option depth\n");
	assert_string_equal(
	    hear("setoption"), "error option # there is no option \n");
	assert_int_equal(dialog.options[0], 17);
}

/* Thirty choices after a match line, one letter each. */
static const char *
choices_after(const char *match)
{
	static char choices[2][31];
	static int which;

	which = 1 - which;
	hear(match);
	for (int i = 0; i < 30; i++) {
		hear("legal AD 2D 3D 4D 5D 6D 7D JD");
		choices[which][i] = hear("go")[5];
	}
	return choices[which];
}

TEST(test_random_repeats_a_match_by_its_seed)
{
	static const char one[] = "match m1 rules=scopa seed=5d1f0c2e9a7b3c48";
	static const char two[] = "match m2 rules=scopa seed=5d1f0c2e9a7b3c49";

	dialog_start("random");
	assert_string_equal(choices_after(one), choices_after(one));
	assert_string_not_equal(choices_after(one), choices_after(two));
	hear("setoption seed=17");
	assert_string_equal(choices_after(one), choices_after(two));
}

static const char deal_lines[][80] = {
	"deal 1 dealer=2 first=1 scores=A:0,B:0",
	"table 3C4S7DKS",
	"give 1 7BKBQC",
	"give 2 ??????",
};

TEST(test_greedy_plays_by_events_alone)
{
	dialog_start("greedy");
	hear("match m1 rules=scopa seats=2 teams=AB you=1 target=11");
	for (size_t i = 0; i < sizeof(deal_lines) / sizeof(deal_lines[0]); i++)
		hear(deal_lines[i]);
	assert_string_equal(hear("go turn=1"), "move 7Bx7D turn=1\n");
	hear("play 1 7Bx7D");
	hear("play 2 KCxKS");
	/* Knight and king are worth the same: the first of them is laid. */
	assert_string_equal(hear("go turn=2"), "move QC turn=2\n");
}

static const char state_line[] =
    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=7BKBQC deal=1 "
    "dealer=2 turn=1 table=3C4S7DKS hands=1:3,2:3 deck=30 pile=A:-,B:- "
    "scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- plays=-";

/* The moves of greedy in one position, again and again. */
static const char *
blunders_after(const char *match)
{
	enum { TIMES = 40 };
	static char moves[TIMES * 16];
	size_t length = 0;

	hear(match);
	for (int i = 0; i < TIMES; i++) {
		const char *move;

		hear(state_line);
		move = hear("go");
		assert_true(length + strlen(move) < sizeof(moves));
		memcpy(moves + length, move, strlen(move) + 1);
		length += strlen(move);
	}
	return moves;
}

TEST(test_greedy_blunders_as_its_option_says_and_by_its_seed)
{
	static const char one[] = "match m1 rules=scopa seed=5d1f0c2e9a7b3c48";
	static const char two[] = "match m2 rules=scopa seed=5d1f0c2e9a7b3c49";
	char first[1024];

	dialog_start("greedy");
	assert_null(strstr(blunders_after(one), "QC"));
	assert_string_equal(hear("setoption blunder=500"), "");
	snprintf(first, sizeof(first), "%s", blunders_after(one));
	assert_non_null(strstr(first, "QC"));
	assert_string_equal(blunders_after(one), first);
	assert_string_not_equal(blunders_after(two), first);
	assert_string_equal(hear("setoption blunder=1001"),
	    "error option # no such value of blunder\n");
	assert_int_equal(dialog.options[0], 500);
}

TEST(test_bots_answer_a_position_without_a_match)
{
	dialog_start("greedy");
	hear(state_line);
	assert_string_equal(hear("go turn=1"), "move 7Bx7D turn=1\n");
	dialog_start("first");
	hear(state_line);
	assert_string_equal(hear("go turn=2"), "move 7Bx7D turn=2\n");
}

TEST(test_what_was_told_serves_one_decision)
{
	static const char nothing[] =
	    "error unexpected # go without legal, state or events\n";

	dialog_start("first");
	hear("legal AD");
	hear(state_line);
	assert_string_equal(hear("go"), "move AD\n");
	assert_string_equal(hear("go"), nothing);
	hear("legal AD");
	hear("match m2 rules=scopa seats=2 teams=AB you=1 target=11");
	assert_string_equal(hear("go"), nothing);
}

TEST(test_greedy_without_a_view_plays_a_legal_move)
{
	dialog_start("greedy");
	hear("state rules=scopa nonsense");
	hear("legal 6Cx6D KS");
	assert_string_equal(hear("go turn=1"), "move 6Cx6D turn=1\n");
	assert_string_equal(hear("go turn=1"),
	    "error unexpected # go without legal, state or events\n");
}

TEST(test_greedy_trusts_the_legal_moves_before_the_events)
{
	dialog_start("greedy");
	hear("match m1 rules=scopa seats=2 teams=AB you=1 target=11");
	hear("deal 1 dealer=2 first=1 scores=A:0,B:0");
	hear("table 5C6CQDKD");
	hear("give 1 AB2B3B");
	hear("give 2 ??????");
	hear("legal 7Bx7D KBxKS QC");
	hear(state_line);
	assert_string_equal(hear("go turn=1"), "move 7Bx7D turn=1\n");
	hear("legal KD QC");
	assert_string_equal(hear("go turn=2"), "move KD turn=2\n");
	hear("legal KD QC ...");
	assert_string_equal(hear("go turn=3"), "move 2B turn=3\n");
}

TEST(test_second_match_forgets_the_first)
{
	dialog_start("greedy");
	for (int i = 0; i < 3; i++) {
		hear("match m1 rules=scopa seats=2 teams=AB you=1 target=11");
		for (size_t line = 0;
		     line < sizeof(deal_lines) / sizeof(deal_lines[0]); line++)
			hear(deal_lines[line]);
		assert_string_equal(hear("go turn=1"), "move 7Bx7D turn=1\n");
		hear("play 1 7Bx7D");
		hear("abort match reason=interrupted");
		hear("endmatch m1 scores=A:0,B:0 winner=- you=draw "
		     "reason=abort");
		assert_string_equal(hear("isready"), "readyok\n");
	}
}

TEST(test_quit_is_the_end)
{
	struct scopa_text answer;

	dialog_start("greedy");
	scopa_text_init(&answer, answer_bytes, sizeof(answer_bytes));
	assert_false(
	    dialog_hear(&dialog, (struct token){ "quit", 4 }, &answer));
	assert_int_equal(answer.length, 0);
}
