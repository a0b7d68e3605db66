/*
 * What help says of an option, and how it fits its lines.
 */
#include "command.h"
#include "option.h"

#include <string.h>

#include "output.h"
#include "test.h"

static const char *const policies[] = { "forfeit", "substitute", "disqualify",
	NULL };

#define DEALS                                                   \
	INT_OPTION("deals", "N", 0, 1, 64, "", .unit = "deals", \
	    .fallback = "2", .aliases = { "games", "rounds" })

TEST(test_options_are_written_as_they_are_typed)
{
	static const struct {
		struct option option;
		bool key; /* of a file */
		const char *name, *detail;
	} rows[] = {
		{ FLAG_OPTION("json", 0, ""), false, "--json", "" },
		{ FLAG_OPTION("json", 0, ""), true, "json=yes|no", "" },
		{ DEALS, false, "--deals N",
		    "1 to 64 deals; default 2; also -games; also -rounds" },
		{ DEALS, true, "deals=N",
		    "1 to 64 deals; default 2; also games; also rounds" },
		{ NAME_OPTION("illegal", "POLICY", 0, policies, "",
		      .fallback = "forfeit"),
		    false, "--illegal POLICY",
		    "forfeit, substitute or disqualify; default forfeit" },
		{ PAIRS_OPTION("option.", "NAME=V", 0, ""), true,
		    "option.NAME=V", "" },
		{ { .name = "bot",
		      .value = "cmd=CMD ...",
		      .kind = OPTION_GROUP,
		      .group_max = 6 },
		    false, "--bot cmd=CMD ...", "up to 6 times" },
		{ FLAG_OPTION("duplicate", 0, "", .fallback = "yes"), false,
		    "--duplicate",
		    "default yes, --no-duplicate takes it back" },
	};

	for (int i = 0; i < COUNTOF(rows); i++) {
		struct scopa_text name = SCOPA_TEXT(256);
		struct scopa_text detail = SCOPA_TEXT(256);

		describe_option(&rows[i].option, rows[i].key, &name);
		assert_string_equal(name.bytes, rows[i].name);
		describe_option_detail(&rows[i].option, rows[i].key, &detail);
		assert_string_equal(detail.bytes, rows[i].detail);
	}
}

TEST(test_words_are_wrapped_at_their_column)
{
#define TEN "xxxxxxxxxx"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
	static const struct {
		const char *words;
		int indent, column;
		const char *lines;
	} rows[] = {
		{ "one two", 0, 0, "one two\n" },
		{ "one two", 2, 4, "  one two\n" },
		{ "  one   two ", 0, 2, "  one two\n" },
		{ "", 0, 4, "\n" },
		/* 26 + 53 characters fill a line of 79; one more begins the
		 * next. */
		{ "aaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbb c", 26,
		    26,
		    "aaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
		    "                          c\n" },
		{ HUNDRED, 0, 4, "    " HUNDRED "\n" },
	};

	for (int i = 0; i < COUNTOF(rows); i++) {
		describe_words(output_open(), rows[i].words, rows[i].indent,
		    rows[i].column);
		assert_string_equal(output_close(), rows[i].lines);
	}
}
