/*
 * Sets and moves that are refused, and declarations.  That what is read is
 * written again: tests/fuzz/fuzz_notation.c.
 */
#include <string.h>

#include "scopa/notation.h"
#include "support.h"
#include "test.h"

enum { SEAT = 5 };

static const char *
move_text(const struct scopa_move *move)
{
	struct scopa_text text = support_text();

	scopa_move_format(move, &text);
	assert_false(text.cut);
	return text.bytes;
}

/* Reads a move that must be good; its seat is left alone. */
static struct scopa_move
move_of(const char *text)
{
	struct scopa_move move;

	memset(&move, 0x5A, sizeof(move));
	move.seat = SEAT;
	assert_int_equal(
	    scopa_move_parse(text, strlen(text), &move), SCOPA_PARSED);
	assert_int_equal(move.seat, SEAT);
	return move;
}

/* What becomes of a bad move, which must write nothing. */
static enum scopa_parse
refused_move(const char *text, size_t length)
{
	struct scopa_move move, before;
	enum scopa_parse result;

	memset(&move, 0x5A, sizeof(move));
	before = move;
	result = scopa_move_parse(text, length, &move);
	assert_memory_equal(&move, &before, sizeof(move));
	return result;
}

static enum scopa_parse
refused_set(const char *text)
{
	scopa_set set = 12345;
	enum scopa_parse result = scopa_set_parse(text, strlen(text), &set);

	assert_true(set == 12345);
	return result;
}

TEST(test_bad_sets_are_refused)
{
	static const char *const cases[] = { "", "7", "7D3", "7d", "D7", "1D",
		"10D", "8D", "7H", "7D,3C", "7D 3C", " 7D", "7D ", "--", "-7D",
		"7D-", "??", "7D??", "7Dx3C", "7D3C3" };

	for (size_t i = 0; i < COUNTOF(cases); i++)
		assert_int_equal(refused_set(cases[i]), SCOPA_BAD_SYNTAX);
	assert_int_equal(refused_set("7D7D"), SCOPA_DUPLICATE);
	assert_int_equal(refused_set("3C7D4S3C"), SCOPA_DUPLICATE);
	/* What cannot be read at all is not called a duplicate. */
	assert_int_equal(refused_set("7D7DXX"), SCOPA_BAD_SYNTAX);
}

TEST(test_declarations_are_read_and_written)
{
	static const struct {
		const char *text;
		int declaration, value;
	} cases[] = {
		{ "!low", SCOPA_DECLARE_LOW, 0 },
		{ "!low:A", SCOPA_DECLARE_LOW, 1 },
		{ "!low:7", SCOPA_DECLARE_LOW, 7 },
		{ "!three", SCOPA_DECLARE_THREE, 0 },
		{ "!three:K", SCOPA_DECLARE_THREE, 10 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct scopa_move move = move_of(cases[i].text);

		assert_int_equal(move.declaration, cases[i].declaration);
		assert_int_equal(move.value, cases[i].value);
		assert_int_equal(move.card, SCOPA_CARD_NONE);
		assert_true(move.captured == SCOPA_SET_EMPTY);
		assert_string_equal(move_text(&move), cases[i].text);
	}
}

TEST(test_bad_moves_are_refused)
{
	static const char *const cases[] = { "", "7", "7DX3C", "7Dx", "7Dx-",
		"7Dx3", "7Dx3C4", "7D3C", "7Dx3Cx4S", "x3C", "-", "7D ", " 7D",
		"??", "7Dx??", "??x7D", "!", "!lo", "!low:", "!low:AA",
		"!low:1", "!low:X", "!lowA", "!low 7", "!three:", "!threeK",
		"!LOW", "low", "!three:10", "7D!low" };

	for (size_t i = 0; i < COUNTOF(cases); i++)
		assert_int_equal(
		    refused_move(cases[i], strlen(cases[i])), SCOPA_BAD_SYNTAX);
	assert_int_equal(refused_move("7D\0", 3), SCOPA_BAD_SYNTAX);
	assert_int_equal(refused_move("7Dx3C3C", 7), SCOPA_DUPLICATE);
	assert_int_equal(refused_move("7Dx7D", 5), SCOPA_DUPLICATE);
	assert_int_equal(refused_move("7Dx3C7D", 7), SCOPA_DUPLICATE);
}
