/*
 * The name of a player: before the bot has sent a name, and if the name must
 * differ from others.
 */
#include "match_head.h"

#include <string.h>

#include "test.h"

static void
expect_name(const struct entrant *entrant, const char *sent, const char *named)
{
	struct session session = { .name = "" };
	char name[EVENT_NAME_SIZE];

	strcpy(session.name, sent);
	match_head_name(entrant, &session, name);
	assert_string_equal(name, named);
}

TEST(test_name_is_that_of_the_user_or_the_bot_or_its_file)
{
	static struct entrant script = { .command = "dir/bot.py --fast",
		.program.path = "/anna/dir/bot.py" };
	static struct entrant builtin = { .command = "@greedy",
		.program.path = "/proc/self/exe" };

	expect_name(&script, "", "bot.py");
	expect_name(&script, "sent", "sent");
	expect_name(&builtin, "", "greedy");
	expect_name(&builtin, "sent", "sent");
	strcpy(script.name, "given");
	strcpy(builtin.name, "given");
	expect_name(&script, "sent", "given");
	expect_name(&builtin, "", "given");
}

TEST(test_long_name_is_cut_after_a_whole_character)
{
	char plain[EVENT_NAME_SIZE] = "", name[EVENT_NAME_SIZE];

	match_head_name_extend(name, "anna", "-2");
	assert_string_equal(name, "anna-2");
	/* 21 characters of three bytes. */
	while (strlen(plain) + 3 < EVENT_NAME_SIZE)
		strcat(plain, "\xe2\x99\xa5");
	assert_int_equal(strlen(plain), 63);
	match_head_name_extend(name, plain, "-2");
	assert_int_equal(strlen(name), 60 + 2);
	assert_memory_equal(name, plain, 60);
	assert_string_equal(name + 60, "-2");
	match_head_name_extend(name, plain, "-10");
	assert_string_equal(name + 60, "-10");
	match_head_name_extend(name, plain, "-base");
	assert_string_equal(name + 57, "-base");
}
