/*
 * The handshake, line by line.
 */
#include "session.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

/* A session and what it has said since the last look. */
struct bench {
	struct session session;
	struct scopa_text text;
	char bytes[16 * 1024];
};

static struct bench bench;
static bool analysis; /* it is granted */

static void
begin(void)
{
	scopa_text_init(&bench.text, bench.bytes, sizeof(bench.bytes));
	session_start(&bench.session, "arena/1.0", &bench.text);
	scopa_text_init(&bench.text, bench.bytes, sizeof(bench.bytes));
}

/* Hands a line to the function of its verb. */
static void
hear_with(const char *line, bool observe, const char *const *options)
{
	struct words words;
	const struct session_line session_line = { &words, options, observe,
		analysis, &bench.text };

	scopa_text_init(&bench.text, bench.bytes, sizeof(bench.bytes));
	words_split(line, strlen(line), &words);
	if (word_is(words.word[0], "id"))
		session_on_id(&bench.session, &session_line);
	else if (word_is(words.word[0], "option"))
		session_on_option(&bench.session, &session_line);
	else if (word_is(words.word[0], "feature"))
		session_on_feature(&bench.session, &session_line);
	else
		session_on_uspok(&bench.session, &session_line);
}

static void
hear(const char *line)
{
	hear_with(line, true, NULL);
}

/* Hears a line and expects an error of this code that quotes this word. */
static void
assert_error(const char *line, const char *code, const char *word)
{
	char head[64], quoted[128];

	hear(line);
	snprintf(head, sizeof(head), "error %s # ", code);
	snprintf(quoted, sizeof(quoted), " \"%s\"\n", word);
	if (strncmp(bench.bytes, head, strlen(head)) != 0 ||
	    strstr(bench.bytes, quoted) == NULL)
		fail_msg("%s: \"%s\"", line, bench.bytes);
}

static void
assert_silent(const char *line)
{
	hear(line);
	if (bench.text.length > 0)
		fail_msg("%s: \"%s\"", line, bench.bytes);
}

TEST(test_arena_speaks_first_with_version_and_name)
{
	scopa_text_init(&bench.text, bench.bytes, sizeof(bench.bytes));
	session_start(&bench.session, "a b/1%", &bench.text);
	assert_string_equal(bench.bytes, "usp 1 arena=a%20b/1%25\n");
	assert_int_equal(bench.session.phase, SESSION_HELLO);
}

TEST(test_features_not_mentioned_have_their_defaults)
{
	const struct session_features *features = &bench.session.features;

	begin();
	assert_true(features->events && features->state && features->legal &&
	    features->declare);
	assert_false(features->stop || features->observe || features->position);
	assert_false(features->analysis);
	assert_silent("feature");
	assert_true(features->events && features->state && features->legal &&
	    features->declare);
}

TEST(test_features_are_set_one_by_one)
{
	const struct session_features *features = &bench.session.features;

	begin();
	assert_silent("feature legal=0 stop=1 observe=1 position=1 events=1");
	assert_true(features->events && features->state && features->declare);
	assert_true(features->stop && features->observe && features->position);
	assert_false(features->legal);
}

TEST(test_unknown_features_and_values_are_reported_and_skipped)
{
	begin();
	assert_error("feature dance=1", "feature", "dance=1");
	begin();
	assert_error("feature state=2", "feature", "state=2");
	assert_true(bench.session.features.state);
	begin();
	assert_error("feature state", "feature", "state");
	begin();
	assert_error("feature =0 state=0", "feature", "=0");
	assert_false(bench.session.features.state);
}

TEST(test_observe_that_is_not_granted_is_reported_and_off)
{
	begin();
	hear_with("feature observe=1 legal=0", false, NULL);
	assert_string_equal(
	    bench.bytes, "error feature # not granted: \"observe\"\n");
	assert_false(bench.session.features.observe);
	assert_false(bench.session.features.legal);
	begin();
	hear_with("feature observe=0", false, NULL);
	assert_string_equal(bench.bytes, "");
}

TEST(test_second_id_and_second_feature_line_are_unexpected)
{
	begin();
	assert_silent("id name=one");
	assert_error("id name=two", "unexpected", "id");
	assert_string_equal(bench.session.name, "one");
	assert_silent("feature state=0");
	assert_error("feature state=1", "unexpected", "feature");
	assert_false(bench.session.features.state);
}

TEST(test_name_that_is_missing_broken_or_long_is_reported_and_left_out)
{
	char line[256];

	begin();
	assert_error("id version=1", "syntax", "id");
	begin();
	assert_error("id name=%zz", "syntax", "id");
	assert_string_equal(bench.session.name, "");
	begin();
	snprintf(line, sizeof(line), "id name=%0*d", SESSION_NAME_SIZE, 0);
	assert_error(line, "syntax", "id");
	assert_string_equal(bench.session.name, "");
	begin();
	assert_error("id name=a version=%0", "syntax", "%0");
	assert_string_equal(bench.session.name, "a");
	assert_string_equal(bench.session.version, "");
}

TEST(test_sound_options_are_taken_silently)
{
	static const char *const lines[] = {
		"option name=depth type=int default=4 min=1 max=9",
		"option name=seed type=int",
		"option name=low type=int min=-5 default=-5",
		"option name=calm type=bool default=true",
		"option name=style type=enum default=calm values=calm|wild",
		"option name=one type=enum values=one",
		"option name=book.file_2 type=string default=a%20b",
		"option name=blank type=string default=",
		"option name=Clear-Cache type=button",
	};

	begin();
	for (size_t i = 0; i < COUNTOF(lines); i++)
		assert_silent(lines[i]);
	assert_int_equal(bench.session.error_count, 0);
}

TEST(test_options_that_contradict_themselves_are_reported)
{
	static const char *const lines[] = {
		"option",
		"option name=x",
		"option type=int",
		"option name= type=int",
		"option name=a:b type=int",
		"option name=x type=float",
		"option name=x type=int default=4.5",
		"option name=x type=int min=one",
		"option name=x type=int min=5 max=4",
		"option name=x type=int default=10 max=9",
		"option name=x type=int default=0 min=1",
		"option name=x type=bool default=1",
		"option name=x type=enum",
		"option name=x type=enum values=",
		"option name=x type=enum values=a||b",
		"option name=x type=enum default=c values=a|b",
		"option name=x type=enum default=a|b values=a|b",
	};

	for (size_t i = 0; i < COUNTOF(lines); i++) {
		begin();
		assert_error(lines[i], "option", "option");
		assert_string_equal(bench.session.options, "");
	}
}

TEST(test_option_declared_twice_is_reported)
{
	begin();
	assert_silent("option name=depth type=int");
	assert_silent("option name=dep type=int");
	assert_error("option name=depth type=bool", "option", "option");
}

TEST(test_options_beyond_the_room_for_their_names_are_reported)
{
	int taken = 0;

	begin();
	for (int i = 0; bench.session.error_count == 0 && i < 1000; i++) {
		char line[64];

		snprintf(line, sizeof(line), "option name=%04d type=button", i);
		hear(line);
		taken += bench.session.error_count == 0;
	}
	assert_int_equal(taken, (SESSION_OPTIONS_SIZE - 1) / 5);
	assert_int_equal(strlen(bench.session.options), 5 * taken);
}

TEST(test_wanted_options_are_set_before_isready)
{
	static const char *const options[] = { "depth=6", "book=a b#c%=d",
		"cache=-", "blank=", NULL };

	begin();
	hear("id name=x");
	hear("option name=depth type=int");
	hear("option name=book type=string");
	hear("option name=cache type=button");
	hear("option name=blank type=string");
	hear_with("uspok 1", true, options);
	assert_string_equal(bench.bytes,
	    "setoption depth=6\n"
	    "setoption book=a%20b#c%25=d\n"
	    "setoption cache=-\n"
	    "setoption blank=\n"
	    "isready\n");
	assert_int_equal(bench.session.phase, SESSION_SETUP);
}

TEST(test_option_that_the_bot_does_not_have_ends_the_session)
{
	static const char *const options[] = { "dept=6", NULL };

	begin();
	hear("id name=x");
	hear("option name=depth type=int");
	hear_with("uspok 1", true, options);
	assert_int_equal(bench.session.phase, SESSION_GONE);
	assert_int_equal(bench.session.fault, OFFENCE_STARTUP);
	assert_string_equal(bench.session.reason, "HS_BAD(OPTION)");
	assert_string_equal(bench.session.said, "dept=6");
	assert_int_equal(bench.session.ended_in, SESSION_HELLO);
}

/* The bot of these tests, set up so; the text is what would be right. */
static void
assert_refused(
    const char *assignment, enum bot_option_flaw flaw, const char *allowed)
{
	const char *const options[] = { assignment, NULL };
	static const char *const lines[] = { "id name=x",
		"option name=depth type=int default=4 min=-1 max=9",
		"option name=least type=int min=3",
		"option name=most type=int max=3",
		"option name=fast type=bool default=true",
		"option name=style type=enum values=calm|very%20wild|%1B",
		"option name=clear type=button" };

	begin();
	for (size_t i = 0; i < COUNTOF(lines); i++)
		hear_with(lines[i], true, options);
	hear_with("uspok 1", true, options);
	assert_int_equal(bench.session.phase, SESSION_GONE);
	assert_int_equal(bench.session.fault, OFFENCE_STARTUP);
	assert_string_equal(bench.session.reason, SESSION_BAD_OPTION);
	assert_string_equal(bench.session.said, assignment);
	assert_int_equal(bench.session.option_flaw, flaw);
	assert_string_equal(bench.session.allowed, allowed);
	assert_string_equal(bench.bytes, "");
}

TEST(test_value_that_the_declaration_does_not_allow_ends_the_session)
{
	static const char *const cases[][2] = {
		{ "depth=abc", "a whole number from -1 to 9" },
		{ "depth=10", "a whole number from -1 to 9" },
		{ "depth=-2", "a whole number from -1 to 9" },
		{ "depth=07", "a whole number from -1 to 9" },
		{ "depth=", "a whole number from -1 to 9" },
		{ "least=2", "a whole number of at least 3" },
		{ "most=4", "a whole number of at most 3" },
		{ "fast=1", "true or false" },
		{ "fast=True", "true or false" },
		{ "style=wild", "one of calm, very wild, %1B" },
		{ "style=very%20wild", "one of calm, very wild, %1B" },
		{ "style=calm|very", "one of calm, very wild, %1B" },
		{ "clear=true", "-, as the option is a button" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++)
		assert_refused(cases[i][0], BOT_OPTION_NO_VALUE, cases[i][1]);
}

TEST(test_name_that_is_not_declared_is_told_with_the_nearest)
{
	static const char all[] = "depth, least, most, fast, style, clear";

	assert_refused("dept=4", BOT_OPTION_NO_NAME, all);
	assert_string_equal(bench.session.nearest, "depth");
	assert_refused("stile=calm", BOT_OPTION_NO_NAME, all);
	assert_string_equal(bench.session.nearest, "style");
	assert_refused("nothing=4", BOT_OPTION_NO_NAME, all);
	assert_string_equal(bench.session.nearest, "");
	assert_refused("depth", BOT_OPTION_NO_NAME, all);
}

TEST(test_declarations_that_were_refused_are_told_of)
{
	static const char *const options[] = { "depth=4", NULL };

	begin();
	hear("id name=x");
	hear_with("option name=depth type=integer", true, options);
	hear_with("uspok 1", true, options);
	assert_int_equal(bench.session.option_flaw, BOT_OPTION_NO_NAME);
	assert_string_equal(
	    bench.session.allowed, "1 `option` line that contradicts itself");
	begin();
	hear("id name=x");
	hear_with("option name=fast type=bool", true, options);
	hear_with("option name=depth type=int min=5 max=4", true, options);
	hear_with("option name=depth type=int default=x", true, options);
	hear_with("uspok 1", true, options);
	assert_string_equal(bench.session.allowed,
	    "fast, and 2 `option` lines that contradict themselves");
}

TEST(test_values_that_are_allowed_are_sent)
{
	static const char *const options[] = { "depth=9", "depth=-1",
		"style=very wild", "fast=false", NULL };

	begin();
	hear("id name=x");
	hear_with("option name=depth type=int min=-1 max=9", true, options);
	hear_with("option name=fast type=bool", true, options);
	hear_with("option name=style type=enum values=calm|very%20wild", true,
	    options);
	hear_with("uspok 1", true, options);
	assert_string_equal(bench.bytes,
	    "setoption depth=9\n"
	    "setoption depth=-1\n"
	    "setoption style=very%20wild\n"
	    "setoption fast=false\n"
	    "isready\n");
	assert_int_equal(bench.session.option_flaw, BOT_OPTION_GOOD);
}

TEST(test_bot_that_refuses_an_option_ends_the_session_while_it_is_set)
{
	static const char *const options[] = { "depth=9", NULL };
	static const char line[] = "error option # too deep";

	begin();
	hear("id name=x");
	hear_with("option name=depth type=int", true, options);
	/* Nothing has been set yet. */
	assert_false(
	    session_on_option_error(&bench.session, line, sizeof(line) - 1));
	hear_with("uspok 1", true, options);
	assert_true(
	    session_on_option_error(&bench.session, line, sizeof(line) - 1));
	assert_int_equal(bench.session.phase, SESSION_GONE);
	assert_string_equal(bench.session.reason, SESSION_BAD_OPTION);
	assert_string_equal(bench.session.said, line);
	assert_int_equal(bench.session.option_flaw, BOT_OPTION_REFUSED);
	/* Later complaints are only heard: options do not change any more. */
	begin();
	hear("id name=x");
	hear_with("option name=depth type=int", true, options);
	hear_with("uspok 1", true, options);
	session_on_readyok(&bench.session);
	assert_int_equal(bench.session.phase, SESSION_IDLE);
	assert_false(
	    session_on_option_error(&bench.session, line, sizeof(line) - 1));
	session_ask_ready(&bench.session, &bench.text);
	assert_false(
	    session_on_option_error(&bench.session, line, sizeof(line) - 1));
}

TEST(test_version_that_was_not_offered_ends_the_session)
{
	static const char *const lines[] = { "uspok", "uspok 0", "uspok 2",
		"uspok one", "uspok 1.0", "uspok -1", "uspok 01" };

	for (size_t i = 0; i < COUNTOF(lines); i++) {
		const char *word = strrchr(lines[i], ' ');

		begin();
		hear("id name=x");
		assert_error(lines[i], "version", word ? word + 1 : "uspok");
		assert_int_equal(bench.session.phase, SESSION_GONE);
		assert_int_equal(bench.session.fault, OFFENCE_STARTUP);
		assert_string_equal(bench.session.reason, "HS_BAD(VERSION)");
	}
}

TEST(test_bot_without_an_id_does_not_get_ready)
{
	begin();
	assert_silent("uspok 1");
	assert_int_equal(bench.session.phase, SESSION_GONE);
	assert_string_equal(bench.session.reason, "HS_BAD(ID)");
}

TEST(test_bot_that_wants_all_cards_gets_ready_only_where_it_may)
{
	for (int granted = 0; granted < 2; granted++) {
		begin();
		hear("id name=peek");
		assert_silent("feature analysis=1");
		analysis = granted;
		hear("uspok 1");
		analysis = false;
		assert_string_equal(bench.bytes, granted ? "isready\n" : "");
		assert_int_equal(bench.session.phase,
		    granted ? SESSION_SETUP : SESSION_GONE);
		assert_string_equal(bench.session.reason,
		    granted ? "" : SESSION_NEEDS_ANALYSIS);
	}
}

TEST(test_a_hundred_errors_are_told_and_all_are_counted)
{
	struct word word = { "w", 1 };

	begin();
	for (int i = 1; i <= SESSION_ERRORS_MAX + 20; i++) {
		scopa_text_init(&bench.text, bench.bytes, sizeof(bench.bytes));
		session_error(
		    &bench.session, "unknown", "no verb", word, &bench.text);
		assert_string_equal(bench.bytes,
		    i <= SESSION_ERRORS_MAX ? "error unknown # no verb \"w\"\n"
					    : "");
		assert_int_equal(bench.session.error_count, i);
	}
}
