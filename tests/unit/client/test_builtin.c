/*
 * The table of built-in bots, their options, and one of them run on standard
 * input.
 */
#include "builtin.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "players.h"
#include "test.h"

TEST(test_bots_are_found_by_their_names)
{
	static const char *const names[] = { "random", "first", "greedy",
		"chitarrella", "ismcts", "maestro", "oracle" };

	assert_int_equal(builtin_count, COUNTOF(names));
	for (int i = 0; i < builtin_count; i++) {
		const struct builtin *builtin = builtin_find(names[i]);

		assert_non_null(builtin);
		assert_string_equal(builtin->name, names[i]);
		assert_non_null(builtin->choose);
		assert_true(strlen(builtin->sentence) > 0);
	}
	assert_null(builtin_find("Greedy"));
	assert_null(builtin_find("@greedy"));
	assert_null(builtin_find(""));
}

/* Runs a bot in a child with `input` as its standard input. */
static int
run(const char *name, const char *input, char *output, size_t size)
{
	int in[2], out[2], status;
	pid_t child;
	ssize_t got;

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(write(in[1], input, strlen(input)), strlen(input));
	close(in[1]);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		_exit(builtin_run(name));
	}
	close(in[0]);
	close(out[1]);
	got = read(out[0], output, size - 1);
	close(out[0]);
	output[got > 0 ? got : 0] = '\0';
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

TEST(test_bot_runs_on_standard_input_until_quit)
{
	char output[256];

	assert_int_equal(run("first", "legal KS AD\ngo turn=7\nquit\n", output,
			     sizeof(output)),
	    0);
	assert_string_equal(output, "move KS turn=7\n");
}

static const struct builtin_option options[] = {
	{ .name = "depth", .fallback = 4, .min = -1, .max = 9 },
	{ .name = "style", .fallback = 2, .words = "calm|wild|wilder" },
};

static const struct builtin bot = {
	.name = "bot",
	.options = options,
	.option_count = 2,
};

static int64_t values[2];

static enum builtin_option_result
take(const char *word)
{
	struct token name;

	return builtin_option_set(
	    values, &bot, (struct token){ word, strlen(word) }, &name);
}

TEST(test_options_are_stated_with_their_types)
{
	char bytes[512];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	builtin_options_format(&bot, &text);
	assert_string_equal(bytes,
	    "option name=depth type=int default=4 min=-1 max=9\n"
	    "option name=style type=enum default=wilder "
	    "values=calm|wild|wilder\n");
}

TEST(test_values_are_taken_by_their_types)
{
	static const struct {
		const char *word;
		int index;
		int64_t value;
	} cases[] = {
		{ "depth=-1", 0, -1 },
		{ "depth=9", 0, 9 },
		{ "style=calm", 1, 0 },
		{ "style=wild", 1, 1 },
		{ "style=wilder", 1, 2 },
	};

	builtin_options_init(values, &bot);
	assert_int_equal(values[0], 4);
	assert_int_equal(values[1], 2);
	for (size_t i = 0; i < COUNTOF(cases); i++) {
		assert_int_equal(take(cases[i].word), BUILTIN_OPTION_SET);
		assert_int_equal(values[cases[i].index], cases[i].value);
	}
}

TEST(test_what_is_no_value_changes_nothing)
{
	static const char *const words[] = { "depth=10", "depth=", "depth",
		"depth=4x", "style=", "style", "style=wil", "style=wildest",
		"style=calm|wild", "style=0" };

	builtin_options_init(values, &bot);
	for (size_t i = 0; i < COUNTOF(words); i++)
		assert_int_equal(take(words[i]), BUILTIN_OPTION_REFUSED);
	assert_int_equal(take("Depth=4"), BUILTIN_OPTION_UNKNOWN);
	assert_int_equal(take("dept=4"), BUILTIN_OPTION_UNKNOWN);
	assert_int_equal(take(""), BUILTIN_OPTION_UNKNOWN);
	assert_int_equal(values[0], 4);
	assert_int_equal(values[1], 2);
}
