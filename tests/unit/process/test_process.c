/*
 * Processes that the launcher starts: their environment, failures to start, and
 * no leaks.
 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "folder.h"
#include "launcher.h"
#include "sandbox.h"
#include "test.h"
#include "trial.h"
#include "user.h"

TEST_EACH(child_look_before, child_look_after)

enum { FIRST_USER = 730000, KILLS = 20 };

static struct process process;
static struct process_end end;

/* Opens a process that runs this script; returns the status. */
static int
start(const char *script)
{
	const char *arguments[] = { "bot", "-c", script, NULL };
	const struct process_order order = {
		.path = "/bin/sh",
		.arguments = arguments,
	};

	return process_open(&process, &order);
}

/* Reads until the end of file or the text `last`, and waits for more bytes. */
static void
read_until(int fd, const char *last, char *text, size_t size)
{
	size_t put = 0;

	text[0] = '\0';
	while (put < size - 1) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };
		ssize_t got;

		assert_int_equal(poll(&wait, 1, 20000), 1);
		got = read(fd, text + put, size - 1 - put);
		assert_true(got >= 0);
		if (got == 0)
			return;
		put += (size_t)got;
		text[put] = '\0';
		if (last != NULL && strstr(text, last) != NULL)
			return;
	}
}

static void
finish(void)
{
	process_kill(&process);
	assert_int_equal(process_reap(&process, &end), 0);
	process_close(&process);
}

TEST(test_descriptors_close_on_exec_and_do_not_block)
{
	char text[8];

	assert_int_equal(start("exec sleep 99"), 0);
	for (int i = 0; i < PROCESS_PIPE_COUNT; i++) {
		assert_int_equal(fcntl(process.fds[i], F_GETFD), FD_CLOEXEC);
		assert_true(fcntl(process.fds[i], F_GETFL) & O_NONBLOCK);
	}
	assert_int_equal(fcntl(process.pid_fd, F_GETFD), FD_CLOEXEC);
	read_until(process.fds[PROCESS_REPORT], NULL, text, sizeof(text));
	finish();
	assert_true(end.by_signal);
	assert_int_equal(end.code, SIGKILL);
}

TEST(test_child_has_a_clean_environment)
{
	static const char script[] =
	    "env | sed 's/^/env /'\n"
	    "echo descriptors; ls /proc/$$/fd\n"
	    /* The C library has two signals of its own, 32 and 33. */
	    "grep -E '^(Sig(Blk|Ign)|NoNewPrivs)' /proc/self/status |\n"
	    "	sed 's/180000000$/000000000/'\n"
	    "read -r pid name state parent group session rest </proc/$$/stat\n"
	    "[ $$ = $group ] && [ $$ = $session ] && echo leader\n"
	    "echo core $(ulimit -c)\n"
	    "[ $(ulimit -n) -le 1024 ] && echo files\n"
	    "chrt -p $$\n"
	    "echo dir $(pwd)\n"
	    "echo argument $0\n"
	    "echo end\n"
	    "exec sleep 99\n";
	const char *arguments[] = { "a name", "-c", script, "two words", NULL };
	const char *environment[] = { "LEVEL=7", "HOME=/nowhere",
		"LD_PRELOAD_X=y", NULL };
	const struct process_order order = {
		.path = "/bin/sh",
		.arguments = arguments,
		.environment = environment,
		.dir = "/usr",
	};
	static const char *const expected[] = {
		"env LEVEL=7\n",
		"env HOME=/nowhere\n",
		"env LD_PRELOAD_X=y\n",
		"env PYTHONUNBUFFERED=1\n",
		"env LANG=",
		"descriptors\n0\n1\n2\nSigBlk:\t0000000000000000\n",
		"SigIgn:\t0000000000000000\n",
		"NoNewPrivs:\t1\n",
		"leader\ncore 0\nfiles\n",
		" SCHED_BATCH\n",
		"dir /usr\n",
		"argument two words\n",
	};
	char text[8192], path[4200];
	int fd = open("/dev/null", O_RDONLY);
	sigset_t mask;

	setenv("SECRET", "1", 1);
	setenv("SCOPA_BOT_SECRET", "1", 1);
	/* The child does not inherit blocked or ignored signals either. */
	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(process_open(&process, &order), 0);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
	signal(SIGPIPE, SIG_DFL);
	read_until(process.fds[PROCESS_OUTPUT], "end\n", text, sizeof(text));
	assert_null(strstr(text, "SECRET"));
	snprintf(path, sizeof(path), "env PATH=%s\n", getenv("PATH"));
	assert_non_null(strstr(text, path));
	for (size_t i = 0; i < COUNTOF(expected); i++)
		if (!strstr(text, expected[i]))
			fail_msg("no %s in %s", expected[i], text);
	unsetenv("SECRET");
	unsetenv("SCOPA_BOT_SECRET");
	close(fd);
	finish();
}

static void
expect_report(const char *path, const char *dir, enum launcher_step step,
    int error, const char *sentence)
{
	const char *arguments[] = { path, NULL };
	const struct process_order order = {
		.path = path,
		.arguments = arguments,
		.dir = dir,
	};
	struct launcher_report report;
	struct pollfd wait;

	assert_int_equal(process_open(&process, &order), 0);
	wait = (struct pollfd){ .fd = process.fds[PROCESS_REPORT],
		.events = POLLIN };
	assert_int_equal(poll(&wait, 1, 20000), 1);
	assert_int_equal(
	    read(process.fds[PROCESS_REPORT], &report, sizeof(report)),
	    sizeof(report));
	assert_string_equal(report.sentence, sentence);
	assert_int_equal(report.step, step);
	assert_int_equal(report.error, error);
	wait.fd = process.pid_fd;
	assert_int_equal(poll(&wait, 1, 20000), 1);
	assert_false(process_kill(&process));
	finish();
	assert_int_equal(end.code, LAUNCHER_EXIT_FAILED);
}

TEST(test_file_that_cannot_be_executed_is_reported)
{
	const char *path;
	char sentence[256];

	test_folder_make(state);
	path = test_path("bot");
	expect_report("/no/such/bot", NULL, LAUNCHER_EXECUTE, ENOENT,
	    "/no/such/bot does not exist");
	expect_report("/proc/self/exe", "/no/such/folder", LAUNCHER_DIRECTORY,
	    ENOENT, "/no/such/folder: No such file or directory");
	expect_report(test_folder, NULL, LAUNCHER_EXECUTE, EACCES,
	    strcat(strcpy(sentence, test_folder), " is a directory"));
	/* A shell would run this file; the launcher must not. */
	folder_write(path, "echo hello\n");
	assert_int_equal(chmod(path, 0755), 0);
	snprintf(sentence, sizeof(sentence),
	    "%s is neither a program for this "
	    "machine nor a script with a first line such as "
	    "#!/usr/bin/env python3",
	    path);
	expect_report(path, NULL, LAUNCHER_EXECUTE, ENOEXEC, sentence);
	folder_write(path, "#!/no/such/interpreter\n");
	snprintf(sentence, sizeof(sentence),
	    "the interpreter "
	    "/no/such/interpreter in the first line of %s does not exist",
	    path);
	expect_report(path, NULL, LAUNCHER_EXECUTE, ENOENT, sentence);
	assert_int_equal(chmod(path, 0644), 0);
	snprintf(sentence, sizeof(sentence), "%s is not executable", path);
	expect_report(path, NULL, LAUNCHER_EXECUTE, EACCES, sentence);
	test_folder_remove(state);
}

TEST(test_too_many_environment_entries_are_refused)
{
	static const char *many[LAUNCHER_ENVIRONMENT_MAX + 2];
	const char *arguments[] = { "bot", NULL };
	struct process_order order = {
		.path = "/proc/self/exe",
		.arguments = arguments,
		.environment = many,
	};

	for (size_t i = 0; i < LAUNCHER_ENVIRONMENT_MAX + 1; i++)
		many[i] = "A=1";
	assert_int_equal(process_open(&process, &order), -E2BIG);
}

TEST(test_failed_start_for_lack_of_descriptors_leaves_nothing)
{
	int before_count = child_descriptors();
	struct rlimit before, limit;
	int status = -EMFILE;

	getrlimit(RLIMIT_NOFILE, &before);
	limit = before;
	for (int free_count = 1; status == -EMFILE; free_count++) {
		limit.rlim_cur = (rlim_t)(before_count + free_count);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		status = start("exec sleep 99");
		setrlimit(RLIMIT_NOFILE, &before);
		if (status == 0)
			finish();
		assert_int_equal(child_descriptors(), before_count);
		assert_true(child_none());
	}
	assert_int_equal(status, 0);
}

TEST(test_limit_of_descriptors_is_raised_for_many_children)
{
	struct rlimit before, limit;

	getrlimit(RLIMIT_NOFILE, &before);
	limit = before;
	limit.rlim_cur = 64;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(process_make_room(4, 10), 0);
	getrlimit(RLIMIT_NOFILE, &limit);
	assert_int_equal(limit.rlim_cur, 64);
	assert_int_equal(process_make_room(30, 50), 0);
	getrlimit(RLIMIT_NOFILE, &limit);
	assert_true(limit.rlim_cur >= 200);
	if (before.rlim_max < 1000000000)
		assert_int_equal(process_make_room(500000000, 0), -EMFILE);
	assert_int_equal(process_make_room(process_room(10), 10), 0);
	if (before.rlim_max < 1000000000)
		assert_int_equal(
		    process_make_room(process_room(10) + 1, 10), -EMFILE);
	setrlimit(RLIMIT_NOFILE, &before);
}

/* A launcher that is killed has started no process of that user. */
TEST(test_user_is_free_again_if_the_launcher_is_killed)
{
	const char *arguments[] = { "bot", NULL };
	struct sandbox sandbox = { .filter_fd = -1 };
	const struct process_order order = {
		.path = "/bin/true", .arguments = arguments, .sandbox = &sandbox
	};
	unsigned user;

	if (geteuid() != 0)
		skip();
	assert_int_equal(uid_pool_open(&sandbox.uid_pool, FIRST_USER), 0);
	for (int i = 0; i < KILLS; i++) {
		assert_int_equal(process_open(&process, &order), 0);
		assert_int_equal(process.user, FIRST_USER);
		finish();
	}
	assert_int_equal(uid_pool_reserve(sandbox.uid_pool, &user), 0);
	assert_int_equal(user, FIRST_USER);
	uid_pool_close(sandbox.uid_pool);
}

static int
start_without_stdin(void *context)
{
	struct pollfd wait = { .events = POLLIN };
	char text[8];

	(void)context;
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	trial_need(start("echo hello") == 0);
	wait.fd = process.fds[PROCESS_OUTPUT];
	trial_need(poll(&wait, 1, 20000) == 1 &&
	    read(process.fds[PROCESS_OUTPUT], text, 6) > 0);
	return text[0];
}

TEST(test_arena_without_stdin_can_start_bots)
{
	assert_int_equal(trial_run(start_without_stdin, NULL), 'h');
}
