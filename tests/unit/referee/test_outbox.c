/*
 * The lines that wait for a seat, when its question is withheld.
 */
#include "outbox.h"

#include <string.h>

#include "test.h"

TEST(test_dropped_question_leaves_the_events_before_it)
{
	static const struct {
		const char *lines, *left;
	} cases[] = {
		{ "play 1 7D\nstate deal=1\nlegal AC 2C\ncards hands=-\n"
		  "go turn=2\n",
		    "play 1 7D\n" },
		{ "legal\ngo turn=2\n", "" },
		{ "go turn=1\nplay 1 7D\ngo turn=2\n",
		    "go turn=1\nplay 1 7D\n" },
		{ "play 1 7D\n", "play 1 7D\n" },
		{ "", "" },
	};
	static struct outbox outbox;

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		outbox_init(&outbox, 2);
		scopa_text_string(&outbox.seats[1], cases[i].lines);
		outbox.due[0] = outbox.due[1] = true;
		outbox_drop_question(&outbox, 1);
		assert_string_equal(outbox.seats[1].bytes, cases[i].left);
		assert_int_equal(outbox.seats[1].length, strlen(cases[i].left));
		assert_false(outbox.due[1]);
		assert_true(outbox.due[0]);
	}
}
