/*
 * One event, and what of it goes where.
 */
#include "outbox.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "test.h"

static struct outbox *outbox;
static struct scopa_rules rules;

static void
put(const char *line)
{
	static struct event event;
	struct scopa_text why;
	char bytes[256];

	scopa_text_init(&why, bytes, sizeof(bytes));
	assert_int_equal(
	    event_parse(line, strlen(line), &event, &why), EVENT_PARSED);
	outbox_put_event(outbox, &rules, &event);
}

TEST(test_hand_is_recorded_whole_and_shown_to_its_seat)
{
	outbox_init(outbox, 3);
	put("give 2 AB3CKS");
	assert_string_equal(outbox->record.bytes, "give 2 AB3CKS\n");
	assert_string_equal(outbox->seats[0].bytes, "give 2 ??????\n");
	assert_string_equal(outbox->seats[1].bytes, "give 2 AB3CKS\n");
	assert_string_equal(outbox->seats[2].bytes, "give 2 ??????\n");
	assert_string_equal(outbox->seats[3].bytes, "");
}

TEST(test_lines_gather_until_they_are_taken)
{
	outbox_init(outbox, 3);
	put("table AS5D7DJS");
	put("play 1 7D t=0.5");
	outbox_clear_record(outbox);
	outbox_clear_seat(outbox, 1);
	put("enddeal 1");
	assert_string_equal(outbox->record.bytes, "enddeal 1\n");
	assert_string_equal(
	    outbox->seats[0].bytes, "table AS5D7DJS\nplay 1 7D\nenddeal 1\n");
	assert_string_equal(outbox->seats[1].bytes, "enddeal 1\n");
}

TEST(test_seat_that_does_not_hear_gets_nothing)
{
	for (int deaf = 0; deaf < 3; deaf++) {
		outbox_init(outbox, 3);
		outbox->hears[deaf] = false;
		put("table AS5D7DJS");
		put("give 1 7D");
		for (int seat = 0; seat < 3; seat++)
			assert_int_equal(
			    outbox->seats[seat].length > 0, seat != deaf);
	}
}

TEST(test_record_only_lines_reach_no_seat)
{
	outbox_init(outbox, 3);
	put("info 1 value=1");
	put("offence 1 kind=crash policy=forfeit");
	put("tag utc=now");
	assert_true(outbox->record.length > 0);
	for (int seat = 0; seat < 3; seat++)
		assert_int_equal(outbox->seats[seat].length, 0);
}

TEST(test_outbox_without_seats_serves_the_record_alone)
{
	outbox_init(outbox, 0);
	put("give 2 AB3CKS");
	assert_string_equal(outbox->record.bytes, "give 2 AB3CKS\n");
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		assert_int_equal(outbox->seats[seat].length, 0);
}

static int
setup(void **state)
{
	(void)state;
	rules = support_rules("scopa,players=3");
	outbox = malloc(sizeof(*outbox));
	return outbox == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	free(outbox);
	return 0;
}

TEST_GROUP(setup, teardown)
