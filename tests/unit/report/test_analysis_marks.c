/*
 * What tells later that a game was for analysis: its record, and the report of
 * what was played.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"
#include "games.h"
#include "record_read.h"
#include "summary.h"
#include "test.h"

#define HEAD "match m1 rules=scopa seats=2 teams=AB target=11 pack=it40\n"
#define END "endmatch m1 scores=A:1,B:0 winner=A reason=target\n"
#define SUM                                                   \
	"sum lines=5 sha256=0123456789abcdef0123456789abcdef" \
	"0123456789abcdef0123456789abcdef\n"

/* A record with this tag, and with this behind the name of seat 2. */
static void
write_record(const char *tag, const char *seat, char text[1024])
{
	snprintf(text, 1024,
	    HEAD "tag utc=x%s\nseat 1 team=A name=x\nseat 2 team=B "
		 "name=y%s\n" END SUM,
	    tag, seat);
}

TEST(test_games_are_known_by_tag_and_by_seat)
{
	static const struct {
		const char *tag, *seat;
		bool analysis;
	} rows[] = {
		{ "", "", false },
		{ " analysis=1", "", true },
		{ " analysis=1", " sees=all", true },
		/* Who takes the tag away has not hidden who was told. */
		{ "", " version=1 sees=all", true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct summary summary;
		char text[1024];

		write_record(rows[i].tag, rows[i].seat, text);
		assert_int_equal(summary_read(&summary, text, strlen(text)), 0);
		assert_int_equal(summary.analysis, rows[i].analysis);
	}
}

static bool
head_is_good(const char *tag, const char *seat, struct record_fault *fault)
{
	struct record_block block;
	struct record_head head;
	char text[1024];
	bool good;

	write_record(tag, seat, text);
	record_block_init(&block);
	games_read(text, strlen(text), &block);
	good = record_head_read(&block, &head, fault);
	record_block_release(&block);
	return good;
}

TEST(test_who_sees_all_without_the_tag_is_a_fault)
{
	struct record_fault fault = { 0 };

	assert_true(head_is_good("", "", &fault));
	assert_true(head_is_good(" analysis=1", "", &fault));
	assert_true(head_is_good(" analysis=1", " sees=all", &fault));
	assert_false(head_is_good("", " sees=all", &fault));
	assert_non_null(strstr(fault.text, "no tag says analysis=1"));
	assert_int_equal(fault.line, 4);
	assert_false(head_is_good(" analysis=1", " sees=hand", &fault));
}

TEST(test_report_marks_its_result)
{
	const int bots[] = { 0, 1 };
	int32_t scores[2][SCOPA_SEATS_MAX] = { { 0, 0 }, { 2, 1 } };
	struct block_result block;
	static struct example example;
	char *text;

	example_open(&example, "scopa", 2);
	example_play(&example, 0, 1, 10, 1);
	text = example_text(&example, 100);
	assert_null(strstr(text, "analysis"));
	free(text);
	block = example_block(&example, bots, 2, 2, scores);
	block.games[1].analysis = true;
	example_count(&example, &block);
	text = example_text(&example, 100);
	assert_non_null(strstr(text, ", for analysis\n"));
	assert_non_null(strstr(
	    text, "\nanalysis  some bots see all cards: this is not rated\n"));
	free(text);
	example_close(&example);
}
