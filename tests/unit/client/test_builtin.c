/*
 * The table of built-in bots, and one of them run on standard input.
 */
#include "players.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

TEST(test_bots_are_found_by_their_names)
{
	static const char *const names[] = { "random", "first", "greedy",
		"chitarrella", "ismcts", "maestro", "oracle" };

	assert_int_equal(builtin_count, sizeof(names) / sizeof(names[0]));
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

TEST(test_unknown_bot_is_a_usage_error)
{
	char output[256];

	assert_int_equal(run("nobody", "isready\n", output, sizeof(output)), 2);
	assert_string_equal(output, "");
}
