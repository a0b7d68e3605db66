/*
 * The explanation of a lost game for the author of the bot.
 */
#include "fault_text.h"

#include <string.h>

#include "countof.h"
#include "golden.h"
#include "output.h"
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

TEST(test_reason_has_a_sentence)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields; golden_next(&golden, "reasons.tsv");
	     count++)
		assert_string_equal(fault_text_reason(field[0], field[1],
					field[2][0] == '\0' ? NULL : field[2]),
		    field[3]);
	assert_int_equal(count, 17);
}

/* Every reason in the table of the protocol, except those of illegal moves. */
TEST(test_every_reason_of_the_protocol_has_a_sentence)
{
	static const char *const known[] = { "TIMEOUT", "FLAG", "UNREAD",
		"EXIT(1)", "CRASH(9)", "LIMIT_MEM", "EOF", "HANG", "FATAL",
		"BAD_LINE", "FLOOD", "PONDER", "HS_TIMEOUT", "HS_EXIT(1)",
		"HS_CRASH(9)", "HS_LIMIT_MEM", "HS_EOF", "HS_BAD",
		"HS_BAD(VERSION)", "HS_BAD(ID)", "HS_BAD(FATAL)",
		"HS_BAD(OPTION)", "HS_BAD(ANALYSIS)", "EXEC_FAIL(E)" };

	for (size_t i = 0; i < COUNTOF(known); i++)
		expect_none(fault_text_reason("kind", known[i], NULL), "kind");
}

TEST(test_lines_that_are_no_message_have_a_hint)
{
	const struct {
		const char *line, *hint;
	} rows[] = {
		{ "bestmove 7D", "a word of UCI" },
		{ "READYOK", "lower case" },
		{ "Move 7D turn=1", "lower case" },
		{ "7Dx3C4S turn=1", "begins with its verb" },
		{ "!low:A", "begins with its verb" },
		{ "7D is my move", "begins with its verb" },
		{ "move: 7D", "is written \"move MOVE turn=ID\"" },
		{ "{\"move\": \"7D\"}", "is written \"move MOVE turn=ID\"" },
		{ "moves: 7D 3C", "on stderr" },
		{ "thinking", "on stderr" },
		{ "INFO thinking", "on stderr" },
		{ "", "on stderr" },
		{ "move 9X turn=1", "on stderr" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++)
		if (strstr(fault_text_stray_hint(rows[i].line), rows[i].hint) ==
		    NULL)
			fail_msg("%s", rows[i].line);
}

TEST(test_fault_is_explained_with_position_and_legal_moves)
{
	static const struct {
		struct match_fault fault;
		const char *expected;
	} rows[] = {
		{ { .kind = OFFENCE_ILLEGAL,
		      .said = "move KD turn=ab12",
		      .refusal = "The card is not in your hand.",
		      .turn_id = "ab12",
		      .state = STATE },
		    POSITION
		    "  received: move KD turn=ab12\n"
		    "  wrong   : The card is not in your hand.\n" EXPECTED
		    "  state   : " STATE "\n" },
		/* A card in other signs. */
		{ { .kind = OFFENCE_ILLEGAL,
		      .reason = "syntax",
		      .said = "move 10H turn=ab12" },
		    "  received: move 10H turn=ab12\n"
		    "  hint    : a card is a rank, one of A234567JQK, and a "
		    "suit, one of DCSB; the cards that it captures follow an "
		    "x\n" },
		/* A word of another protocol instead of an answer. */
		{ { .kind = OFFENCE_TIMEOUT,
		      .reason = "TIMEOUT",
		      .turn_id = "ab12",
		      .state = STATE,
		      .stray_count = 2,
		      .stray = "thinking...",
		      .said = "bestmove 7D" },
		    POSITION
		    "  received: bestmove 7D\n"
		    "  wrong   : No answer came within the time of a "
		    "move.\n" EXPECTED
		    "  hint    : 2 lines of its stdout are no message of USP, "
		    "the first: \"thinking...\"\n"
		    "  hint    : \"bestmove\" is a word of UCI; a bot of USP "
		    "says \"move MOVE turn=ID\"\n"
		    "  state   : " STATE "\n" },
		/* An answer to another question. */
		{ { .kind = OFFENCE_TIMEOUT,
		      .reason = "TIMEOUT",
		      .said = "move AD turn=99",
		      .wrong_turn_count = 1 },
		    "  received: move AD turn=99\n"
		    "  wrong   : No answer came within the time of a move.\n"
		    "  hint    : 1 answer had another turn= than the one that "
		    "`go` named; give back the first word of `go` as it is\n" },
		/* No output at all; and a line without its end. */
		{ { .kind = OFFENCE_TIMEOUT,
		      .reason = "TIMEOUT",
		      .mute = true },
		    "  wrong   : No answer came within the time of a move.\n"
		    "  hint    : it has said nothing in this game: flush "
		    "stdout after every line (python: print(..., flush=True)), "
		    "or, if it thinks for so long, give it more time: --tc\n" },
		{ { .kind = OFFENCE_TIMEOUT,
		      .reason = "TIMEOUT",
		      .unfinished = "move AD",
		      .mute = true },
		    "  wrong   : No answer came within the time of a move.\n"
		    "  hint    : the last of its stdout, \"move AD\", has no "
		    "line end: end each line with LF, and flush\n" },
		/* Blanks in a move; the next line has no end yet. */
		{ { .kind = OFFENCE_ILLEGAL,
		      .said = "move 7D x 3C 4S turn=ab12",
		      .unfinished = "move 3C" },
		    "  received: move 7D x 3C 4S turn=ab12\n"
		    "  hint    : a move is one word, without blanks, such as "
		    "7Dx3C4S\n" },
		/* A traceback. */
		{ { .kind = OFFENCE_CRASH,
		      .reason = "EXIT(1)",
		      .ending = "exited with status 1",
		      .stderr_tail = "Traceback\nKeyError: 'x'\n" },
		    "  ended   : exited with status 1\n"
		    "  stderr  : Traceback\n"
		    "  stderr  : KeyError: 'x'\n" },
		/*
		 * A line with a byte that is no text, and a line that is too
		 * long.
		 */
		{ { .kind = OFFENCE_PROTOCOL,
		      .reason = "BAD_LINE",
		      .said = "gr\\xC3\\xBCn" },
		    "  received: gr\\xC3\\xBCn\n"
		    "  wrong   : A line has bytes 0x20 to 0x7E and tabs; "
		    "another is written %XX.\n" },
		{ { .kind = OFFENCE_PROTOCOL,
		      .reason = "BAD_LINE",
		      .said = "aaaa" },
		    "  received: aaaa\n"
		    "  wrong   : A line has at most 4096 bytes, and all of "
		    "them are text.\n" },
		{ { .kind = OFFENCE_PROTOCOL, .reason = "FLOOD" },
		    "  wrong   : It wrote more than 64 lines or 64 KiB that "
		    "were not asked for: info and move belong between go and "
		    "the answer.\n" },
		/* Output before the game. */
		{ { .kind = OFFENCE_STARTUP,
		      .reason = "HS_EXIT(1)",
		      .received = "hello",
		      .ending = "exited with status 1" },
		    "  received: hello\n"
		    "  ended   : exited with status 1\n" },
		/* Control characters for a terminal. */
		{ { .kind = OFFENCE_PROTOCOL,
		      .said = "\033[2J",
		      .stray_count = 1,
		      .stray = "\033[2J" },
		    "  received: \\x1b[2J\n"
		    "  hint    : 1 line of its stdout is no message of USP, "
		    "the "
		    "first: \"\\x1b[2J\"\n"
		    "  hint    : print messages alone on stdout, and "
		    "everything "
		    "else on stderr\n" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		fault_text_print(&rows[i].fault, output_open());
		assert_string_equal(output_close(), rows[i].expected);
	}
}
