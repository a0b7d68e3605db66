/*
 * What tells later that a game was for analysis: its record, and the report of
 * what was played.
 */
#include <stdio.h>
#include <string.h>

#include "example.h"
#include "games.h"
#include "output.h"
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
		bool analysis, whole;
		const char *fault; /* of the head; NULL: none */
	} rows[] = {
		{ "", "", false, true, NULL },
		{ " analysis=1", "", true, true, NULL },
		{ " analysis=1", " sees=all", true, true, NULL },
		/* Who takes the tag away has not hidden who was told. */
		{ "", " version=1 sees=all", true, true,
		    "no tag says analysis=1" },
		{ " analysis=1", " sees=hand", true, false, "sees" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		struct record_fault fault = { 0 };
		struct record_block block;
		struct record_head head;
		struct summary summary;
		char text[1024];

		write_record(rows[i].tag, rows[i].seat, text);
		assert_int_equal(
		    summary_read(&summary, text, strlen(text)) == 0,
		    rows[i].whole);
		if (rows[i].whole)
			assert_int_equal(summary.analysis, rows[i].analysis);
		record_block_init(&block);
		games_read(text, strlen(text), &block);
		assert_int_equal(record_head_read(&block, &head, &fault),
		    rows[i].fault == NULL);
		record_block_release(&block);
		if (rows[i].fault != NULL) {
			expect_parts(fault.text, rows[i].fault);
			assert_int_equal(fault.line, 4);
		}
	}
}

TEST(test_report_marks_its_result)
{
	struct block_result block;
	static struct example example;

	example_open(&example, "scopa", 2);
	example_play(&example, 0, 1, 10, 1);
	expect_none(example_text(&example, 100), "analysis");
	block = example_pair(&example, 0, 1, (int[]){ 0, 0, 2, 1 });
	block.games[1].analysis = true;
	example_count(&example, &block);
	expect_parts(example_text(&example, 100), ", for analysis\n",
	    "\nanalysis  some bots see all cards: this is not rated\n");
	example_close(&example);
}
