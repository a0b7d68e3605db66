/*
 * Commands split into words, the files that they name, files that cannot run,
 * and changes of their fingerprints.
 */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"
#include "trial.h"

TEST_EACH(test_folder_enter, test_folder_leave)

static void
file_make(const char *path, const char *text, mode_t mode)
{
	folder_write(path, text);
	assert_int_equal(chmod(path, mode), 0);
}

/* Expects these words of a text, each in brackets. */
static void
expect_words(const char *text, const char *expected)
{
	struct program program;
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	char found[PROGRAM_SIZE * 3];
	size_t put = 0;

	assert_int_equal(program_parse(&program, text), PROGRAM_GOOD);
	program_arguments(&program, arguments);
	for (int i = 0; arguments[i] != NULL; i++)
		put += (size_t)sprintf(found + put, "[%s]", arguments[i]);
	assert_string_equal(found, expected);
	assert_string_equal(program.path, "");
}

TEST(test_command_is_split_at_blanks_and_quotes)
{
	expect_words("./bot.py", "[./bot.py]");
	expect_words("  python3\t-u  bot.py \n", "[python3][-u][bot.py]");
	expect_words("a 'b  \"c' \"d 'e\"", "[a][b  \"c][d 'e]");
	expect_words("a '' \"\" b", "[a][][][b]");
	expect_words("a\\ b \\'c \"d\\\"\\\\e\\f\" 'g\\h'",
	    "[a b]['c][d\"\\e\\f][g\\h]");
	expect_words("x'y'z\"w\"", "[xyzw]");
	expect_words("no $HOME *.c ~ | ; &", "[no][$HOME][*.c][~][|][;][&]");
}

static void
expect_refused(const char *text, enum program_flaw flaw)
{
	struct program program;

	assert_int_equal(program_parse(&program, text), flaw);
}

TEST(test_texts_that_are_no_command_are_refused)
{
	static char text[PROGRAM_SIZE + 1];

	expect_refused("", PROGRAM_EMPTY);
	expect_refused(" \t ", PROGRAM_EMPTY);
	expect_refused("'' a", PROGRAM_EMPTY);
	expect_refused("a 'b", PROGRAM_UNCLOSED);
	expect_refused("a \"b", PROGRAM_UNCLOSED);
	expect_refused("a b\\", PROGRAM_UNCLOSED);
	memset(text, 'x', PROGRAM_SIZE);
	expect_refused(text, PROGRAM_TOO_LONG);
	text[PROGRAM_SIZE - 1] = '\0';
	expect_refused(text, PROGRAM_GOOD);
	for (size_t i = 0; i < PROGRAM_ARGUMENTS_MAX + 1; i++)
		memcpy(text + 2 * i, "a ", 3);
	expect_refused(text, PROGRAM_TOO_MANY);
	text[2 * (PROGRAM_ARGUMENTS_MAX - 1) + 1] = '\0';
	expect_refused(text, PROGRAM_GOOD);
}

/* Expects this file for a command that is started in `dir`. */
static void
expect_found(
    const char *text, const char *dir, enum program_flaw flaw, const char *path)
{
	struct program program;
	char expected[PROGRAM_PATH_SIZE];

	assert_int_equal(program_parse(&program, text), PROGRAM_GOOD);
	assert_int_equal(program_resolve(&program, dir), flaw);
	if (path == NULL)
		return;
	snprintf(expected, sizeof(expected), "%s%s%s",
	    path[0] == '/' ? "" : test_folder, path[0] == '/' ? "" : "/", path);
	assert_string_equal(program.path, expected);
}

TEST(test_name_without_a_slash_is_searched_in_path)
{
	char path[4096];
	const char *before = getenv("PATH");
	char *saved = strdup(before);

	assert_int_equal(mkdir("one", 0700), 0);
	assert_int_equal(mkdir("two", 0700), 0);
	file_make("one/bot", "#!/bin/sh\n", 0644);
	file_make("two/bot", "#!/bin/sh\n", 0755);
	file_make("one/lame", "#!/bin/sh\n", 0644);
	snprintf(path, sizeof(path), "%s/none:%s/one:%s/two", test_folder,
	    test_folder, test_folder);
	setenv("PATH", path, 1);
	expect_found("bot", NULL, PROGRAM_GOOD, "two/bot");
	expect_found("lame", NULL, PROGRAM_NO_EXEC, "one/lame");
	expect_found("other", NULL, PROGRAM_NOT_ON_PATH, NULL);
	/* As in any shell, a file of this folder is not found. */
	file_make("here", "#!/bin/sh\n", 0755);
	expect_found("here", NULL, PROGRAM_NOT_ON_PATH, NULL);
	setenv("PATH", saved, 1);
	free(saved);
}

TEST(test_files_that_cannot_run_are_distinguished)
{
	static const struct {
		const char *path;
		enum program_flaw flaw;
	} rows[] = {
		{ "missing", PROGRAM_MISSING },
		{ "good/below", PROGRAM_MISSING },
		{ "dangling", PROGRAM_DANGLING },
		{ "circle", PROGRAM_LINK_LOOP },
		{ "folder", PROGRAM_DIRECTORY },
		/* Opening a FIFO would block: the test would not end. */
		{ "fifo", PROGRAM_SPECIAL },
		{ "/dev/null", PROGRAM_SPECIAL },
		{ "plain", PROGRAM_NO_EXEC },
		{ "hollow", PROGRAM_HOLLOW },
		{ "orphan", PROGRAM_INTERPRETER },
		{ "dos", PROGRAM_CARRIAGE },
		{ "mark", PROGRAM_MARK },
		{ "good", PROGRAM_GOOD },
		{ "/proc/self/exe", PROGRAM_GOOD },
	};

	assert_int_equal(symlink("nowhere", "dangling"), 0);
	assert_int_equal(symlink("circle", "circle"), 0);
	assert_int_equal(mkdir("folder", 0700), 0);
	assert_int_equal(mkfifo("fifo", 0777), 0);
	file_make("plain", "#!/bin/sh\n", 0644);
	file_make("hollow", "", 0755);
	file_make("orphan", "#!/no/such/python3 -u\n", 0755);
	file_make("dos", "#!/bin/sh\r\necho\r\n", 0755);
	file_make("mark", "\xEF\xBB\xBF#!/bin/sh\n", 0755);
	file_make("good", "#! /bin/sh -e\n", 0755);
	for (size_t i = 0; i < COUNTOF(rows); i++)
		assert_int_equal(program_check(rows[i].path), rows[i].flaw);
}

/* Root may enter any folder: another user has to check. */
static int
check_as_other(void *context)
{
	trial_need(geteuid() != 0 || seteuid(65534) == 0);
	return (int)program_check(context);
}

TEST(test_folder_that_cannot_be_entered_is_reported)
{
	char path[] = "shut/bot";

	assert_int_equal(chmod(test_folder, 0755), 0);
	assert_int_equal(mkdir("shut", 0700), 0);
	file_make(path, "#!/bin/sh\n", 0755);
	assert_int_equal(chmod("shut", 0000), 0);
	assert_int_equal(trial_run(check_as_other, path), PROGRAM_OUT_OF_REACH);
	assert_int_equal(chmod("shut", 0700), 0);
}

static void
expect_hint(enum program_flaw flaw, const char *name, const char *sentence,
    const char *hint)
{
	char text[PROGRAM_SENTENCE_SIZE];

	program_flaw_explain(flaw, name, name, text);
	assert_string_equal(text, sentence);
	program_flaw_hint(flaw, name, text);
	assert_string_equal(text, hint);
}

TEST(test_flaws_have_a_sentence_and_a_hint)
{
	char text[PROGRAM_SENTENCE_SIZE];

	file_make("orphan", "#!/no/such/python3 -u\n", 0755);
	expect_hint(PROGRAM_NO_EXEC, "./bot.py", "./bot.py is not executable",
	    "chmod +x ./bot.py");
	expect_hint(PROGRAM_NO_EXEC, "it's my bot",
	    "it's my bot is not executable", "chmod +x 'it'\\''s my bot'");
	expect_hint(PROGRAM_INTERPRETER, "orphan",
	    "the interpreter /no/such/python3 in the first line of orphan does "
	    "not exist",
	    "install it, or mend the first line of orphan");
	expect_hint(PROGRAM_CARRIAGE, "dos.sh",
	    "the first line of dos.sh ends in CR LF, so that its interpreter "
	    "is not found",
	    "sed -i 's/\\r$//' dos.sh");
	expect_hint(PROGRAM_MARK, "mark.py",
	    "mark.py begins with a byte order mark, which hides its first line",
	    "sed -i '1s/^\\xEF\\xBB\\xBF//' mark.py");
	expect_hint(PROGRAM_DIRECTORY, "a\033b", "a\\x1Bb is a directory",
	    "name the program in it");
	for (enum program_flaw i = 0; i < PROGRAM_FLAW_COUNT; i++) {
		program_flaw_explain(i, "orphan", "orphan", text);
		assert_true(strlen(text) > 10);
		assert_null(strchr(text, '%'));
		program_flaw_hint(i, "orphan", text);
		assert_true(i == PROGRAM_GOOD || strlen(text) > 0);
	}
}

TEST(test_program_itself_is_a_command)
{
	static char words[PROGRAM_SIZE];
	const char *const few[] = { "bot", "greedy", "", NULL };
	const char *const huge[] = { words, NULL };
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	struct program program;

	assert_int_equal(program_self(&program, "arena", few), PROGRAM_GOOD);
	assert_int_equal(program_check(program.path), PROGRAM_GOOD);
	program_arguments(&program, arguments);
	assert_string_equal(arguments[0], "arena");
	assert_string_equal(arguments[1], "bot");
	assert_string_equal(arguments[2], "greedy");
	assert_string_equal(arguments[3], "");
	assert_null(arguments[4]);
	memset(words, 'x', sizeof(words) - 1);
	assert_int_equal(program_self(&program, "a", huge), PROGRAM_TOO_LONG);
}

static void
put(const char *path, const char *text)
{
	file_make(path, text, 0755);
}

/* Makes the fingerprint of the file of a command. */
static void
make_of_command(
    struct fingerprint *fingerprint, const char *command, const char *dir)
{
	struct program program;

	memset(fingerprint, 0, sizeof(*fingerprint));
	assert_int_equal(program_parse(&program, command), PROGRAM_GOOD);
	assert_int_equal(program_resolve(&program, dir), PROGRAM_GOOD);
	fingerprint_make(fingerprint, &program, dir);
}

TEST(test_only_other_bytes_change_a_fingerprint)
{
	const struct timespec old[2] = { { 1, 0 }, { 1, 0 } };
	struct fingerprint fingerprint;
	struct stat before;

	put("bot", "#!/bin/sh\n");
	make_of_command(&fingerprint, "./bot", NULL);
	assert_int_equal(fingerprint_check(&fingerprint), 0);
	assert_int_equal(utimensat(AT_FDCWD, "bot", old, 0), 0);
	assert_int_equal(fingerprint_check(&fingerprint), 0);
	put("twin", "#!/bin/sh\n");
	assert_int_equal(rename("twin", "bot"), 0);
	assert_int_equal(fingerprint_check(&fingerprint), 0);
	/* The other file has the same size and times. */
	assert_int_equal(stat("bot", &before), 0);
	put("other", "#!/bin/ls\n");
	assert_int_equal(
	    utimensat(AT_FDCWD, "other",
		(struct timespec[]){ before.st_atim, before.st_mtim }, 0),
	    0);
	assert_int_equal(rename("other", "bot"), 0);
	assert_int_equal(fingerprint_check(&fingerprint), -ESTALE);
	put("bot", "#!/bin/sh\n");
	assert_int_equal(fingerprint_check(&fingerprint), 0);
	assert_int_equal(unlink("bot"), 0);
	assert_int_equal(fingerprint_check(&fingerprint), -ENOENT);
	assert_int_equal(mkfifo("bot", 0755), 0);
	assert_int_equal(fingerprint_check(&fingerprint), -ESTALE);
}

TEST(test_file_of_an_interpreter_is_its_script)
{
	struct fingerprint fingerprint;

	assert_int_equal(mkdir("bots", 0755), 0);
	put("bots/bot.sh", "exit 0\n");
	put("bots/log", "");
	make_of_command(&fingerprint, "sh -e bot.sh log", "bots");
	assert_string_equal(fingerprint.path, "bots/bot.sh");
	put("bots/log", "written since");
	assert_int_equal(fingerprint_check(&fingerprint), 0);
	put("bots/bot.sh", "exit 1\n");
	assert_int_equal(fingerprint_check(&fingerprint), -ESTALE);
	/* A program with a path is the bot itself, with any arguments. */
	put("bots/bot", "#!/bin/sh\n");
	make_of_command(&fingerprint, "./bot log", "bots");
	put("bots/log", "written again");
	assert_int_equal(fingerprint_check(&fingerprint), 0);
	make_of_command(&fingerprint, "sh -c 'exit 0'", NULL);
	assert_string_equal(strrchr(fingerprint.path, '/'), "/sh");
}
