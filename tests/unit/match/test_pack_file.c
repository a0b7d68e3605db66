/*
 * Pack files: valid and invalid lines and files, and the packs of rounds.
 */
#include "pack_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "test.h"

/* All cards by suit and value. */
#define COINS "AD2D3D4D5D6D7DJDQDKD"
#define CUPS "AC2C3C4C5C6C7CJCQCKC"
#define SWORDS "AS2S3S4S5S6S7SJSQSKS"
#define CLUBS "AB2B3B4B5B6B7BJBQBKB"
#define WHOLE COINS CUPS SWORDS CLUBS

static char why_bytes[256];

static int
line_read(const char *line, uint8_t pack[SCOPA_PACK_SIZE])
{
	struct scopa_text why;

	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	return pack_file_line_read(line, strlen(line), pack, &why);
}

/* Reads a file with this text as packs. */
static int
file_read(const char *text, struct pack_file *packs)
{
	const char *path = test_path("packs");
	struct scopa_text why;

	folder_write(path, text);
	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	return pack_file_open(packs, path, &why);
}

TEST(test_blanks_and_comments_are_skipped)
{
	uint8_t pack[SCOPA_PACK_SIZE];
	uint8_t spaced[SCOPA_PACK_SIZE];

	assert_int_equal(line_read(WHOLE, pack), 1);
	assert_int_equal(line_read(" AD 2D3D4D5D6D7DJDQDKD\t" CUPS "  " SWORDS
				   " " CLUBS " # 7D is good\r",
			     spaced),
	    1);
	assert_memory_equal(pack, spaced, sizeof(pack));
}

TEST(test_line_without_cards_is_no_pack)
{
	uint8_t pack[SCOPA_PACK_SIZE];

	assert_int_equal(line_read("", pack), 0);
	assert_int_equal(line_read(" \t\r", pack), 0);
	assert_int_equal(line_read("# " WHOLE, pack), 0);
}

#define NO_CARD(number, quoted)                             \
	"card " number " is no card: \"" quoted             \
	"\"; a card is one of A234567JQK and one of DCSB, " \
	"as in 7D"

TEST(test_line_that_is_no_pack_is_refused_with_its_reason)
{
	static const char *const rows[][2] = {
		{ COINS CUPS SWORDS "AB2B3B4B5B6B7BJBQB",
		    "39 cards instead of 40; missing: KB" },
		{ "7D" CUPS SWORDS CLUBS,
		    "31 cards instead of 40; missing: AD 2D 3D 4D 5D 6D JD QD "
		    "KD" },
		{ "7D" COINS CUPS SWORDS CLUBS,
		    "7D occurs twice, as card 1 and as card 8" },
		{ WHOLE "7D", "more than 40 cards" },
		{ "8D" CUPS, NO_CARD("1", "8D") },
		{ "AD2d", NO_CARD("2", "2d") },
		{ "AD2", NO_CARD("2", "2") },
		{ "AD 2 D", NO_CARD("2", "2 ") },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		uint8_t pack[SCOPA_PACK_SIZE];

		memset(pack, 99, sizeof(pack));
		assert_int_equal(line_read(rows[i][0], pack), -EBADMSG);
		assert_string_equal(why_bytes, rows[i][1]);
		for (int card = 0; card < SCOPA_PACK_SIZE; card++)
			assert_int_equal(pack[card], 99);
	}
}

TEST(test_packs_of_a_file_are_read_in_order)
{
	static const char bytes[] =
	    "# two packs\n\n" WHOLE "\n" CLUBS SWORDS " " CUPS COINS;
	struct pack_file packs;

	assert_int_equal(file_read(bytes, &packs), 0);
	assert_int_equal(packs.count, 2);
	assert_int_equal(packs.packs[0][0], scopa_card_of(1, SCOPA_DENARI));
	assert_int_equal(packs.packs[1][39], scopa_card_of(10, SCOPA_DENARI));
	pack_file_close(&packs);
	assert_null(packs.packs);
}

TEST(test_bad_line_of_a_file_is_numbered)
{
	static const char bytes[] = "# one\n" WHOLE "\n\n" COINS "\n";
	struct pack_file packs = { NULL, 77 };

	assert_int_equal(file_read(bytes, &packs), -EBADMSG);
	assert_memory_equal(why_bytes, "line 4: 10 cards instead of 40", 30);
	assert_int_equal(packs.count, 77);
}

TEST(test_too_long_line_is_refused)
{
	char bytes[PACK_FILE_LINE_SIZE_MAX + 1];
	struct pack_file packs;

	snprintf(bytes, sizeof(bytes), "%-*s", PACK_FILE_LINE_SIZE_MAX, WHOLE);
	assert_int_equal(file_read(bytes, &packs), -EBADMSG);
	assert_string_equal(why_bytes, "line 1: 4096 bytes or more");
	assert_int_equal(file_read(bytes + 80, &packs), -EBADMSG);
	assert_string_equal(why_bytes, "no pack stands in it");
	bytes[PACK_FILE_LINE_SIZE_MAX - 1] = '\0';
	assert_int_equal(file_read(bytes, &packs), 0);
	pack_file_close(&packs);
}

TEST(test_missing_file_is_an_error_of_the_machine)
{
	struct pack_file packs;
	struct scopa_text why;

	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	assert_int_equal(
	    pack_file_open(&packs, "/tmp/no such folder/packs", &why), -ENOENT);
	assert_int_equal(pack_file_open(&packs, "/", &why), -EISDIR);
}

/*
 * Checks the sets of packs that these letters stand for; equal letters are
 * equal packs.
 */
static void
check_sets(
    const char *letters, int deals, int expected_repeats, const int *expected)
{
	uint8_t bytes[16][SCOPA_PACK_SIZE];
	struct pack_file packs = { bytes, (int)strlen(letters) };
	int sets[16], repeated;

	for (int i = 0; i < packs.count; i++)
		for (int card = 0; card < SCOPA_PACK_SIZE; card++)
			bytes[i][card] =
			    (uint8_t)((card + letters[i]) % SCOPA_PACK_SIZE);
	assert_int_equal(pack_file_sets(&packs, deals, sets, &repeated), 0);
	assert_int_equal(repeated, expected_repeats);
	for (int i = 0; i < packs.count; i++)
		assert_int_equal(sets[i], expected[i]);
}

TEST(test_rounds_that_share_a_pack_are_in_one_set)
{
	check_sets("abcd", 1, 0, (int[]){ 0, 1, 2, 3 });
	check_sets("aaaa", 1, 3, (int[]){ 0, 0, 0, 0 });
	check_sets("abab", 1, 2, (int[]){ 0, 1, 0, 1 });
	/* Two packs in a round; no round begins at pack 1 or 3. */
	check_sets("abcd", 2, 0, (int[]){ 0, -1, 2, -1 });
	check_sets("abca", 2, 1, (int[]){ 0, -1, 0, -1 });
	/* In the second pass the rounds begin at the other packs. */
	check_sets("abc", 2, 0, (int[]){ 0, 0, 0 });
	check_sets("a", 3, 0, (int[]){ 0 });
}

TEST(test_first_pack_of_a_round_is_right_even_after_many_packs)
{
	assert_int_equal(pack_file_place(4, 0, 3), 0);
	assert_int_equal(pack_file_place(4, 3, 3), 1);
	assert_int_equal(pack_file_place(4, 5, 0), 1);
	/* The number of packs exceeds an int. */
	assert_int_equal(pack_file_place(7, 300000, 10000), 3000000000U % 7);
}

TEST_EACH(test_folder_make, test_folder_remove)
