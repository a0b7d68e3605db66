/*
 * The grammar of events: each kind of line is read and written back, and each
 * kind of mistake is refused.
 */
#include "event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "golden.h"
#include "test.h"

static struct golden golden;
static struct event event;
static char why_bytes[512];

static enum event_parse
parse(const char *line)
{
	struct scopa_text why;

	memset(&event, 0xA5, sizeof(event));
	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	return event_parse(line, strlen(line), &event, &why);
}

static void
must_parse(const char *line)
{
	if (parse(line) != EVENT_PARSED)
		fail_msg("%s: %s", line, why_bytes);
}

static const char *
format(const struct event *written)
{
	static char bytes[EVENT_LINE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	event_format(written, &text);
	assert_false(text.cut);
	return bytes;
}

static void
assert_reads_as(const char *line, const char *wanted)
{
	must_parse(line);
	assert_string_equal(format(&event), wanted);
}

/* The next row of events.tsv of this kind; false if there is no other. */
static bool
next_row(const char *kind)
{
	while (golden_next(&golden, "events.tsv"))
		if (strcmp(golden.fields[0], kind) == 0)
			return true;
	return false;
}

TEST(test_every_event_is_written_as_it_was_read)
{
	unsigned kinds = 0;

	while (next_row("line")) {
		assert_reads_as(golden.fields[1], golden.fields[1]);
		assert_string_equal(why_bytes, "");
		kinds |= 1u << event.kind;
	}
	assert_int_equal(kinds, (1u << EVENT_KIND_COUNT) - 1);
}

TEST(test_pairs_may_have_any_order_and_unknown_keys_are_skipped)
{
	static const struct {
		const char *line, *wanted, *why;
	} cases[] = {
		/* If a key occurs twice, the last one counts. */
		{ "play 1 KBxKS t=1.5 scopa=1 t=2.5",
		    "play 1 KBxKS scopa=1 t=2.500000", "" },
		{ "deal 2 scores=A:1,B:2 first=2 dealer=1",
		    "deal 2 dealer=1 first=2 scores=A:1,B:2", "" },
		{ "score B scope=2:2 total=2 cards=20:0 points=2",
		    "score B points=2 total=2 cards=20:0 scope=2:2", "" },
		{ "play 1 7Dx4S3C", "play 1 7Dx3C4S", "" },
		{ "table KDAC", "table ACKD", "" },
		{ "play 1 7D mood=good scopa=1 extra", "play 1 7D scopa=1",
		    "skipped: mood, extra" },
		{ "enddeal 1 x-a=1 x-b=2", "enddeal 1", "skipped: x-a, x-b" },
		{ "give 1 AB3CKS points=3", "give 1 AB3CKS",
		    "skipped: points" },
		{ "redeal reason=kings colour=red", "redeal reason=kings",
		    "skipped: colour" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		assert_reads_as(cases[i].line, cases[i].wanted);
		assert_string_equal(why_bytes, cases[i].why);
	}
}

TEST(test_lines_with_other_verbs_are_no_events)
{
	static const char *const lines[] = { "", "  # play 1 7D", "go turn=1",
		"state rules=scopa", "legal 7D", "Play 1 7D", "plays 1 7D",
		"pla", "%scopa-record 1", "move 7D", "error unknown" };
	static const char verb[64] = "tag";

	for (size_t i = 0; i < COUNTOF(lines); i++)
		assert_int_equal(parse(lines[i]), EVENT_UNKNOWN);
	/* A NUL is a byte of the verb. */
	for (size_t length = 4; length <= sizeof(verb); length++)
		assert_int_equal(event_kind_find((struct word){ verb, length }),
		    EVENT_KIND_COUNT);
}

TEST(test_values_out_of_their_range_are_refused_with_a_reason)
{
	int count = 0;

	for (; next_row("bad"); count++) {
		if (parse(golden.fields[1]) != EVENT_BAD)
			fail_msg("\"%s\" was accepted", golden.fields[1]);
		if (why_bytes[0] == '\0')
			fail_msg("\"%s\" was refused without a reason",
			    golden.fields[1]);
	}
	assert_int_equal(count, 90);
}

TEST(test_texts_that_do_not_fit_are_refused)
{
	char line[EVENT_LINE_SIZE], longest[EVENT_LINE_SIZE];

	snprintf(line, sizeof(line), "seat 1 team=A name=%063d", 0);
	must_parse(line);
	snprintf(line, sizeof(line), "seat 1 team=A name=%064d", 0);
	assert_int_equal(parse(line), EVENT_BAD);
	snprintf(longest, sizeof(longest), "info 1 %04095d", 0);
	assert_reads_as(longest, longest);
	snprintf(line, sizeof(line), "info 1 %04096d", 0);
	assert_int_equal(parse(line), EVENT_BAD);
	snprintf(line, sizeof(line), "redeal reason=%032d", 0);
	assert_int_equal(parse(line), EVENT_BAD);
}

TEST(test_a_time_that_no_reader_accepts_is_written_as_the_longest_one)
{
	event = (struct event){ .kind = EVENT_PONDER,
		.ponder = { .cpu_us = INT64_MAX, .wall_us = 1 } };
	assert_reads_as(
	    format(&event), "ponder 1 cpu=1000000.000000 wall=0.000001");
}

/* What a seat of four, ABAB, receives of a line; `-` for nothing. */
static const char *
seen(const char *line, int seat)
{
	const struct scopa_rules rules = scopa_preset_find("scopone")->rules;
	static struct event redacted;

	must_parse(line);
	memset(&redacted, 0x5A, sizeof(redacted));
	if (!event_redact(&event, &rules, seat, &redacted))
		return "-";
	return format(&redacted);
}

TEST(test_only_a_line_that_ends_in_any_text_may_have_any_number_of_words)
{
	static const char *const begins[] = { "play 1 7D", "info 1", "tag" };

	for (size_t i = 0; i < COUNTOF(begins); i++) {
		char line[1024];
		int length = snprintf(line, sizeof(line), "%s", begins[i]);

		for (int k = 0; k < 200; k++)
			length += snprintf(line + length,
			    sizeof(line) - (size_t)length, " a=1");
		if (i > 0) {
			assert_reads_as(line, line);
			continue;
		}
		assert_int_equal(parse(line), EVENT_BAD);
		assert_string_equal(why_bytes, "play: too many words");
	}
}

TEST(test_record_only_lines_are_sent_to_no_seat)
{
	int hidden = 0;

	while (next_row("line")) {
		bool no_seat = true;

		for (int seat = 0; seat < 4; seat++)
			no_seat &=
			    strcmp(seen(golden.fields[1], seat), "-") == 0;
		assert_int_equal(no_seat, event_is_record_only(event.kind));
		hidden += no_seat;
	}
	/* tag, 2 pack, 2 info, 2 offence, 2 void, ponder, sum */
	assert_int_equal(hidden, 11);
}

TEST(test_seats_are_sent_only_what_they_may_know)
{
	int count = 0;

	for (; next_row("seen"); count++)
		assert_string_equal(
		    seen(golden.fields[2], atoi(golden.fields[1])),
		    golden.fields[3]);
	assert_int_equal(count, 16);
}
