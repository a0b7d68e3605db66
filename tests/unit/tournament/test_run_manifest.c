/*
 * The terms of a run: all of its configuration but the secret.
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "test.h"

#define DIGEST_ONE                         \
	"11111111111111111111111111111111" \
	"11111111111111111111111111111111"
#define DIGEST_TWO                         \
	"22222222222222222222222222222222" \
	"22222222222222222222222222222222"

static const char config[] = "# As it was played.\n"
			     "\n"
			     "[tournament]\n"
			     "rules = scopa\n"
			     "seed = 05\n"
			     "contribution = alice=00|bob=01\n"
			     "rounds = 3\n"
			     "\n"
			     "[bot seed = 1]\n"
			     "cmd = ./a --x";

static struct store_head head;

static int
setup(void **state)
{
	(void)state;
	memset(&head, 0, sizeof(head));
	head.bot_count = 2;
	strcpy(head.created, "2025-01-31T18:30:00.000Z");
	strcpy(head.bots[0].name, "one");
	strcpy(head.bots[0].digest, DIGEST_ONE);
	strcpy(head.bots[1].name, "the other");
	strcpy(head.bots[1].digest, DIGEST_TWO);
	return 0;
}

TEST_WITH(test_terms_are_the_configuration_without_the_secret, setup, NULL)
{
	char *terms;

	head.committed = true;
	terms = manifest_make(config, &head);
	assert_string_equal(terms,
	    "scopa-arena-terms-v1\n"
	    "created 2025-01-31T18:30:00.000Z\n"
	    "packs committed\n"
	    "bot 1 " DIGEST_ONE " one\n"
	    "bot 2 " DIGEST_TWO " the other\n"
	    "[tournament]\n"
	    "rules = scopa\n"
	    "rounds = 3\n"
	    "[bot seed = 1]\n"
	    "cmd = ./a --x\n");
	free(terms);
}

TEST_WITH(test_strange_terms_do_no_harm, setup, NULL)
{
	manifest_read("", &head);
	manifest_read("bot\nbot 1\nbot 3 " DIGEST_TWO " x\nbot 99999999999 "
		      "0\nbot 1 22 x\nbot 1 " DIGEST_TWO "2 x\n"
		      "created 012345678901234567890123456789012345\n"
		      "packs given\n[x]\nbot 1 " DIGEST_TWO " one\n",
	    &head);
	assert_false(head.committed);
	assert_string_equal(head.created, "2025-01-31T18:30:00.000Z");
	assert_string_equal(head.bots[0].digest, DIGEST_ONE);
	assert_string_equal(head.bots[1].digest, DIGEST_TWO);
}

TEST(test_texts_part_at_the_first_line_that_differs)
{
	static const struct {
		const char *one, *other;
		int64_t number;
		const char *one_rest, *other_rest;
	} rows[] = {
		{ "", "", 0, "", "" },
		{ "a\nb\n", "a\nb\n", 0, "", "" },
		{ "a\nb\n", "a\nc\n", 2, "b\n", "c\n" },
		{ "a\n", "a", 1, "a\n", "a" },
		{ "a\nb", "a\n", 2, "b", "" },
		{ "\n\nab\n", "\n\na\n", 3, "ab\n", "a\n" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		const char *one = rows[i].one, *other = rows[i].other;

		assert_int_equal(manifest_diff(&one, &other), rows[i].number);
		assert_string_equal(one, rows[i].one_rest);
		assert_string_equal(other, rows[i].other_rest);
	}
}
