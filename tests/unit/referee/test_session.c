/*
 * The handshake, line by line.
 */
#include "session.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

/* A session and the lines that it has sent since the last line of the bot. */
struct bench {
	struct session session;
	struct scopa_text text;
	char bytes[16 * 1024];
};

static struct bench bench;
static bool analysis; /* `feature analysis=1` is granted */

static void
begin(void)
{
	scopa_text_init(&bench.text, bench.bytes, sizeof(bench.bytes));
	session_start(&bench.session, "arena/1.0", &bench.text);
	scopa_text_init(&bench.text, bench.bytes, sizeof(bench.bytes));
}

/* Calls the function of the line's verb. */
static void
put_line(const char *line, const char *const *options)
{
	struct words words;
	const struct session_line session_line = { &words, options, analysis,
		&bench.text };

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

/*
 * Starts a new session with these options of the user and these lines of the
 * bot, separated by `;`.  Returns the answer to the last line.
 */
static const char *
answer_with(const char *lines, const char *const *options)
{
	begin();
	while (*lines) {
		size_t length = strcspn(lines, ";");
		char line[256];

		snprintf(line, sizeof(line), "%.*s", (int)length, lines);
		put_line(line, options);
		lines += length;
		lines += strspn(lines, "; ");
	}
	return bench.bytes;
}

static const char *
answer(const char *lines)
{
	return answer_with(lines, NULL);
}

/* Expects that these lines give an error of this code that quotes this word. */
static void
assert_error(const char *lines, const char *code, const char *word)
{
	char head[64], quoted[128];

	answer(lines);
	snprintf(head, sizeof(head), "error %s # ", code);
	snprintf(quoted, sizeof(quoted), " \"%s\"\n", word);
	if (strncmp(bench.bytes, head, strlen(head)) != 0 ||
	    strstr(bench.bytes, quoted) == NULL)
		fail_msg("%s: \"%s\"", lines, bench.bytes);
}

/* The session has ended, for this reason. */
static void
assert_ended(const char *reason)
{
	assert_int_equal(bench.session.phase, SESSION_GONE);
	assert_int_equal(bench.session.fault, OFFENCE_STARTUP);
	assert_string_equal(bench.session.reason, reason);
}

TEST(test_unknown_features_and_values_are_reported_and_skipped)
{
	assert_error("feature dance=1", "feature", "dance=1");
	assert_error("feature state=2", "feature", "state=2");
	assert_true(bench.session.features.state);
	assert_error("feature state", "feature", "state");
	assert_error("feature =0 state=0", "feature", "=0");
	assert_false(bench.session.features.state);
}

TEST(test_name_that_is_missing_broken_or_long_is_reported_and_left_out)
{
	char line[256], begin[41];

	assert_error("id version=1", "syntax", "id");
	assert_error("id name=%zz", "syntax", "%zz");
	assert_string_equal(bench.session.name, "");
	snprintf(line, sizeof(line), "id name=%0*d", SESSION_NAME_SIZE, 0);
	snprintf(begin, sizeof(begin), "%040d", 0);
	assert_error(line, "syntax", begin);
	assert_string_equal(bench.session.name, "");
	assert_error("id name=a version=%0", "syntax", "%0");
	assert_string_equal(bench.session.name, "a");
	assert_string_equal(bench.session.version, "");
}

TEST(test_version_that_is_not_offered_is_refused_before_the_session_ends)
{
	assert_error("id name=x; uspok 2", "version", "2");
	assert_ended("HS_BAD(VERSION)");
	assert_error("id name=x; uspok", "version", "uspok");
	assert_ended("HS_BAD(VERSION)");
}

TEST(test_valid_options_are_accepted_without_an_answer)
{
	static const char *const lines[] = {
		"option name=depth type=int default=4 min=1 max=9",
		"option name=seed type=int",
		"option name=low type=int min=-5 default=-5",
		"option name=calm type=bool default=false",
		"option name=style type=enum default=calm values=calm|wild",
		"option name=one type=enum values=one",
		"option name=book.file_2 type=string default=a%20b",
		"option name=blank type=string default=",
		"option name=Clear-Cache type=button",
	};

	for (size_t i = 0; i < COUNTOF(lines); i++)
		assert_string_equal(answer(lines[i]), "");
}

TEST(test_errors_in_an_option_are_reported)
{
	static const struct {
		const char *line, *refusal;
	} rows[] = {
		{ "option", "name= is missing" },
		{ "option type=int", "name= is missing" },
		{ "option name= type=int", "name= is missing" },
		{ "option name=a:b type=int", "name= is missing" },
		{ "option name=x", "type= is none of int, bool" },
		{ "option name=x type=spin", "type= is none of int, bool" },
		{ "option name=x type=int default=4.5", "whole numbers" },
		{ "option name=x type=int min=one", "whole numbers" },
		{ "option name=x type=int min=5 max=4", "min= is above max=" },
		{ "option name=x type=int default=10 max=9",
		    "default= is not from min= to max= in \"x\"" },
		{ "option name=x type=int default=0 min=1",
		    "default= is not from min= to max= in \"x\"" },
		{ "option name=x type=bool default=1", "neither true nor" },
		{ "option name=x type=enum", "values=A|B is missing" },
		{ "option name=x type=enum values=", "an empty value" },
		{ "option name=x type=enum values=a||b", "an empty value" },
		{ "option name=x type=enum default=c values=a|b",
		    "none of the words of values= in \"x\"" },
		{ "option name=x type=enum default=a|b values=a|b",
		    "none of the words of values= in \"x\"" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		const struct session *session = &bench.session;
		char sent[SESSION_REFUSAL_SIZE + 8];

		answer(rows[i].line);
		if (strncmp(session->refusal, "option # ", 9) != 0 ||
		    strstr(session->refusal, rows[i].refusal) == NULL)
			fail_msg("%s: %s", rows[i].line, session->refusal);
		snprintf(sent, sizeof(sent), "error %s\n", session->refusal);
		assert_string_equal(bench.bytes, sent);
		assert_string_equal(session->options, "");
	}
}

TEST(test_options_beyond_the_space_for_their_names_are_reported)
{
	int accepted = 0;

	begin();
	for (int i = 0; bench.session.error_count == 0 && i < 1000; i++) {
		char line[64];

		snprintf(line, sizeof(line), "option name=%04d type=button", i);
		put_line(line, NULL);
		accepted += bench.session.error_count == 0;
	}
	assert_int_equal(accepted, (SESSION_OPTIONS_SIZE - 1) / 5);
	assert_int_equal(strlen(bench.session.options), 5 * accepted);
}

TEST(test_options_of_the_user_are_set_before_isready)
{
	static const char *const options[] = { "depth=6", "depth=-1",
		"book=a b#c%=d", "cache=-", "blank=", "style=very wild",
		"fast=false", NULL };

	assert_string_equal(
	    answer_with("id name=x; option name=depth type=int min=-1 max=9;"
			"option name=book type=string;"
			"option name=cache type=button;"
			"option name=blank type=string;"
			"option name=fast type=bool;"
			"option name=style type=enum values=calm|very%20wild;"
			"uspok 1",
		options),
	    "setoption depth=6\nsetoption depth=-1\n"
	    "setoption book=a%20b#c%25=d\nsetoption cache=-\n"
	    "setoption blank=\nsetoption style=very%20wild\n"
	    "setoption fast=false\nisready\n");
	assert_int_equal(bench.session.phase, SESSION_SETUP);
	assert_int_equal(bench.session.option_flaw, BOT_OPTION_GOOD);
}

/* A bot with these options is refused; `allowed`: what would be valid. */
static void
assert_refused(
    const char *assignment, enum bot_option_flaw flaw, const char *allowed)
{
	const char *const options[] = { assignment, NULL };

	assert_string_equal(
	    answer_with("id name=x;"
			"option name=depth type=int default=4 min=-1 max=9;"
			"option name=least type=int min=3;"
			"option name=most type=int max=3;"
			"option name=fast type=bool default=true;"
			"option name=style type=enum "
			"values=calm|very%20wild|%1B;"
			"option name=clear type=button; uspok 1",
		options),
	    "");
	assert_ended(SESSION_BAD_OPTION);
	assert_int_equal(bench.session.ended_in, SESSION_HELLO);
	assert_string_equal(bench.session.said, assignment);
	assert_int_equal(bench.session.option_flaw, flaw);
	assert_string_equal(bench.session.allowed, allowed);
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

TEST(test_name_that_is_not_declared_is_reported_with_the_nearest)
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

TEST(test_declarations_that_were_refused_are_reported)
{
	static const char *const options[] = { "depth=4", NULL };

	answer_with(
	    "id name=x; option name=depth type=integer; uspok 1", options);
	assert_int_equal(bench.session.option_flaw, BOT_OPTION_NO_NAME);
	assert_string_equal(bench.session.allowed,
	    "1 `option` line that contradicts itself: error option # type= is "
	    "none of int, bool, enum, string, button in \"depth\"");
	answer_with("id name=x; option name=fast type=bool;"
		    "option name=depth type=int min=5 max=4;"
		    "option name=depth type=int default=x; uspok 1",
	    options);
	assert_string_equal(bench.session.allowed,
	    "fast, and 2 `option` lines that contradict themselves, the last: "
	    "error option # default=, min= and max= are whole numbers where "
	    "type=int, unlike in \"depth\"");
}

/* The bot sends an `error` line. */
static bool
put_error_line(void)
{
	return session_on_option_error(
	    &bench.session, word_of("error option # too deep"));
}

TEST(test_bot_that_refuses_an_option_ends_the_session_while_it_is_set)
{
	static const char *const options[] = { "depth=9", NULL };
	static const char set[] =
	    "id name=x; option name=depth type=int; uspok 1";

	/* No option has been set yet. */
	answer_with("id name=x; option name=depth type=int", options);
	assert_false(put_error_line());
	answer_with(set, options);
	assert_true(put_error_line());
	assert_ended(SESSION_BAD_OPTION);
	assert_string_equal(bench.session.said, "error option # too deep");
	assert_int_equal(bench.session.option_flaw, BOT_OPTION_REFUSED);
	/* Later `error` lines are ignored: options do not change any more. */
	answer_with(set, options);
	session_on_readyok(&bench.session);
	assert_int_equal(bench.session.phase, SESSION_IDLE);
	assert_false(put_error_line());
	session_ask_ready(&bench.session, &bench.text);
	assert_false(put_error_line());
}

TEST(test_name_cut_at_a_blank_is_noted)
{
	answer_with("id name=My Cool Bot version=1", NULL);
	assert_string_equal(bench.session.name, "My");
	assert_string_equal(bench.session.name_rest, "Cool%20Bot");
	answer_with("id name=My%20Cool%20Bot version=1", NULL);
	assert_string_equal(bench.session.name, "My Cool Bot");
	assert_string_equal(bench.session.name_rest, "");
	answer_with("id new version=1 name=A", NULL);
	assert_string_equal(bench.session.name_rest, "");
}
