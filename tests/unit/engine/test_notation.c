/*
 * Cards, sets and moves as text and back.
 */
#include <string.h>

#include "scopa/notation.h"
#include "support.h"
#include "test.h"

enum { TEXT_SIZE = 128, SEAT = 5 };

static const char *
set_text(scopa_set set)
{
	struct scopa_text text = support_text();

	scopa_set_format(set, &text);
	assert_false(text.cut);
	return text.bytes;
}

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

TEST(test_cards_have_two_letters)
{
	struct scopa_text text;
	char bytes[TEXT_SIZE];

	for (int i = 0; i < SCOPA_PACK_SIZE; i++) {
		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_card_format((scopa_card)i, &text);
		assert_int_equal(text.length, 2);
		assert_int_equal(support_card(bytes), i);
	}
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_card_format(SCOPA_CARD_NONE, &text);
	assert_string_equal(bytes, "??");
}

TEST(test_sets_are_written_in_canonical_order)
{
	assert_string_equal(set_text(SCOPA_SET_EMPTY), "-");
	assert_string_equal(set_text(support_set("4S3C")), "3C4S");
	assert_string_equal(
	    set_text(support_set("KBKSKCKDQDJDAB")), "ABJDQDKDKCKSKB");
	assert_string_equal(set_text(SCOPA_SET_ALL),
	    "ADACASAB2D2C2S2B3D3C3S3B4D4C4S4B5D5C5S5B"
	    "6D6C6S6B7D7C7S7BJDJCJSJBQDQCQSQBKDKCKSKB");
}

TEST(test_sets_are_read_in_any_order)
{
	uint64_t rng = 3;
	scopa_set set = 1;

	assert_int_equal(scopa_set_parse("-", 1, &set), SCOPA_PARSED);
	assert_true(set == SCOPA_SET_EMPTY);
	assert_int_equal(scopa_set_parse("KB4S3CAD", 8, &set), SCOPA_PARSED);
	assert_true(set == support_set("AD3C4SKB"));
	/* No byte behind the length counts. */
	assert_int_equal(scopa_set_parse("4S3C??", 4, &set), SCOPA_PARSED);
	assert_true(set == support_set("3C4S"));
	for (int i = 0; i < 10000; i++) {
		scopa_set random = support_random(&rng) & SCOPA_SET_ALL;
		const char *text = set_text(random);

		assert_true(support_set(text) == random);
		assert_int_equal(
		    scopa_set_parse(text, strlen(text), &set), SCOPA_PARSED);
		assert_true(set == random);
	}
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

TEST(test_plays_are_read_and_written)
{
	struct scopa_move move = move_of("7D");

	assert_int_equal(move.card, support_card("7D"));
	assert_true(move.captured == SCOPA_SET_EMPTY);
	assert_int_equal(move.declaration, SCOPA_DECLARE_NOTHING);
	assert_int_equal(move.value, 0);
	assert_string_equal(move_text(&move), "7D");

	move = move_of("7Dx4S3C");
	assert_int_equal(move.card, support_card("7D"));
	assert_true(move.captured == support_set("3C4S"));
	assert_string_equal(move_text(&move), "7Dx3C4S");
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
