/*
 * How the author of a bot is told why it has lost a game.
 */
#include "fault_text.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

#define STATE                                                             \
	"state rules=scopa seats=2 teams=AB target=11 you=1 hand=AD3SJD " \
	"deal=1 dealer=2 turn=1 table=4B5S7DQD hands=1:3,2:3 deck=30 "    \
	"pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- plays=-"
#define POSITION                                       \
	"  position: deal 1, play 1, seat 1 to move\n" \
	"  table   : 4B 5S 7D QD\n"                    \
	"  hand    : AD 3S JD\n"
#define EXPECTED                            \
	"  expected: move MOVE turn=ab12\n" \
	"  legal   : AD 3S JD\n"

static void
check_text(
    const struct match_fault *fault, const char *command, const char *expected)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	fault_text_print(fault, command, out);
	fclose(out);
	assert_string_equal(bytes, expected);
	free(bytes);
}

TEST(test_an_illegal_move_is_told_with_its_position_and_the_legal_ones)
{
	struct match_fault fault = {
		.kind = OFFENCE_ILLEGAL,
		.reason = "not-in-hand",
		.said = "move KD turn=ab12",
		.turn_id = "ab12",
		.state = STATE,
	};

	check_text(&fault, "a command",
	    POSITION "  received: move KD turn=ab12\n"
		     "  wrong   : The card is not in your hand.\n" EXPECTED
		     "  state   : " STATE "\n"
		     "  try     : a command\n");
}

TEST(test_moves_that_are_none_are_told_as_such)
{
	static const struct {
		const char *said, *sentence;
	} rows[] = {
		{ "move", "The line names no move." },
		{ "move KD+KC", "A move is written like 7D, 7Dx3C4S or !low." },
		{ "move ADx4B4B", "The move names a card twice." },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct match_fault fault = {
			.kind = OFFENCE_ILLEGAL,
			.reason = "syntax",
			.turn_id = "ab12",
			.state = STATE,
		};
		char expected[2048];

		strcpy(fault.said, rows[i].said);
		snprintf(expected, sizeof(expected),
		    POSITION "  received: %s\n  wrong   : %s\n" EXPECTED
			     "  state   : " STATE "\n",
		    rows[i].said, rows[i].sentence);
		check_text(&fault, NULL, expected);
	}
}

TEST(test_words_of_another_protocol_are_named_where_no_answer_came)
{
	struct match_fault fault = {
		.kind = OFFENCE_TIMEOUT,
		.reason = "TIMEOUT",
		.turn_id = "ab12",
		.state = STATE,
		.stray_count = 2,
		.stray = "thinking...",
		.unused = "bestmove 7D",
	};

	check_text(&fault, NULL,
	    POSITION
	    "  received: bestmove 7D\n"
	    "  wrong   : No answer came within the time of a move.\n" EXPECTED
	    "  hint    : 2 lines of its stdout are no message of USP, the "
	    "first: \"thinking...\"\n"
	    "  hint    : \"bestmove\" is a word of UCI; a bot of USP says "
	    "\"move MOVE turn=ID\"\n"
	    "  state   : " STATE "\n");
}

TEST(test_an_answer_to_another_question_is_counted)
{
	struct match_fault fault = {
		.kind = OFFENCE_TIMEOUT,
		.reason = "TIMEOUT",
		.unused = "move AD turn=99",
		.wrong_turn_count = 1,
	};

	check_text(&fault, NULL,
	    "  received: move AD turn=99\n"
	    "  wrong   : No answer came within the time of a move.\n"
	    "  hint    : 1 answer had another turn= than the one that `go` "
	    "named; give back the first word of `go` as it is\n");
}

TEST(test_a_crash_shows_how_it_ended_and_its_traceback)
{
	struct match_fault fault = {
		.kind = OFFENCE_CRASH,
		.reason = "EXIT(1)",
		.ending = "exited with status 1",
		.stderr_tail = "Traceback\nKeyError: 'x'\n",
	};

	check_text(&fault, NULL,
	    "  ended   : exited with status 1\n"
	    "  stderr  : Traceback\n"
	    "  stderr  : KeyError: 'x'\n");
}

TEST(test_what_a_bot_has_said_cannot_steer_a_terminal)
{
	struct match_fault fault = {
		.kind = OFFENCE_PROTOCOL,
		.reason = "BAD_LINE",
		.said = "\033[2J",
		.stray_count = 1,
		.stray = "\033[2J",
		.unused = "x",
	};

	check_text(&fault, NULL,
	    "  received: \\x1b[2J\n"
	    "  hint    : 1 line of its stdout is no message of USP, the "
	    "first: \"\\x1b[2J\"\n"
	    "  hint    : print messages alone on stdout, and everything else "
	    "on stderr\n");
}
