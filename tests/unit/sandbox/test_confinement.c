/*
 * What a bot may do in its sandbox: the files that it needs and no others,
 * signals, connections, limits and capabilities.
 */
#include "confinement.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"
#include "trial.h"

enum { PATH_SIZE = 128 };

static int
folder_fill(void **state)
{
	static const char *const folders[] = { "bot", "bot/parts", "bot/run",
		"tool", "tool/bin", "tool/lib", "tool/notes", "other", NULL };
	static const char *const files[] = { "bot/bot", "bot/module",
		"bot/record", "bot/parts/part", "bot/parts/secret",
		"bot/run/store", "tool/bin/tool", "tool/lib/library",
		"tool/notes/note", "other/file", NULL };

	(void)state;
	trial_fill(folders, files);
	assert_int_equal(
	    symlink(test_path("bot/record"), test_path("bot/link")), 0);
	assert_int_equal(
	    symlink(test_path("other/file"), test_path("bot/way-out")), 0);
	return 0;
}

TEST_EACH(folder_fill, test_folder_remove)

struct attempt {
	const struct file_policy_order *order;
	const char *path;
	int flags;
};

static int
box_enter(const struct file_policy_order *order)
{
	struct file_policy file_policy;

	trial_need(file_policy_init(&file_policy, order) == 0);
	return confine_files(&file_policy);
}

static int
attempt_play(void *context)
{
	const struct attempt *attempt = context;

	trial_need(chdir(test_folder) == 0);
	trial_need(box_enter(attempt->order) == 0);
	return trial_open(attempt->path, attempt->flags);
}

static int
try(const struct file_policy_order *order, const char *path, int flags)
{
	struct attempt attempt = { order, path, flags };

	return trial_run(attempt_play, &attempt);
}

/*
 * Expects this result for reading each of these files and folders, which are
 * separated by blanks.
 */
static void
expect_all(const struct file_policy_order *order, const char *names, int wanted)
{
	char words[512], *rest = words, *name;

	snprintf(words, sizeof(words), "%s", names);
	while ((name = strsep(&rest, " ")) != NULL) {
		const char *path = *name == '/' ? name : test_path(name);
		int error = try(order, path, O_RDONLY);

		if (error != wanted)
			fail_msg("%s: %s", path, strerror(error));
	}
}

static void
expect(const struct file_policy_order *order, const char *may_read,
    const char *may_not_read)
{
	if (may_read != NULL)
		expect_all(order, may_read, 0);
	if (may_not_read != NULL)
		expect_all(order, may_not_read, EACCES);
}

/*
 * The order for a bot that is a program in its own folder; skips the test
 * without Landlock.
 */
static struct file_policy_order
order_make(const char *hidden)
{
	struct file_policy_order order = { .arguments = trial_arguments };

	if (landlock_abi() < LANDLOCK_ABI_FILES) {
		print_message("# this kernel has no Landlock\n");
		skip();
	}
	order.file = test_path("bot/bot");
	if (hidden != NULL)
		order.hidden[order.hidden_count++] = hidden;
	return order;
}

/*
 * The bot of order_make(): hidden files, its working folder, and files that it
 * may read and may not.
 */
TEST(test_program_may_read_the_files_that_it_needs)
{
	static const struct {
		const char *hidden, *other_hidden, *dir;
		const char *may_read, *may_not_read;
	} rows[] = {
		/* Its folder, installed files, and its working folder. */
		{ NULL, NULL, NULL,
		    "bot/bot bot/module bot/parts/part bot /bin/sh /usr "
		    "/etc/passwd",
		    "other/file other / bot/way-out . /etc /tmp" },
		{ NULL, NULL, "other", "other/file", "tool/lib/library" },
		/*
		 * Files beside hidden ones, and folders, are readable:
		 * interpreters search them for modules.
		 */
		{ "bot/parts/secret", "bot/record", NULL,
		    "bot/bot bot/module bot/parts/part bot bot/parts",
		    "bot/record bot/parts/secret" },
		{ "bot/run", NULL, NULL, "bot/module", "bot/run/store" },
		/* Hidden even if it is the working folder of the bot. */
		{ "bot/run", NULL, "bot/run", NULL, "bot/run/store" },
		/* Links lead neither to hidden files nor out of the folder. */
		{ "bot/record", NULL, NULL, NULL, "bot/link bot/way-out" },
		{ "bot/record", NULL, "alias", "alias/module", "alias/record" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		struct file_policy_order order = order_make(NULL);

		if (rows[i].hidden != NULL)
			order.hidden[order.hidden_count++] =
			    test_path(rows[i].hidden);
		if (rows[i].other_hidden != NULL)
			order.hidden[order.hidden_count++] =
			    test_path(rows[i].other_hidden);
		if (rows[i].dir != NULL)
			order.dir = test_path(rows[i].dir);
		expect(&order, rows[i].may_read, rows[i].may_not_read);
	}
}

TEST(test_nothing_except_devices_can_be_written)
{
	struct file_policy_order order = order_make(NULL);

	assert_int_equal(
	    try(&order, test_path("bot/module"), O_WRONLY), EACCES);
	assert_int_equal(
	    try(&order, test_path("bot/new"), O_WRONLY | O_CREAT), EACCES);
	assert_int_equal(access(test_path("bot/new"), F_OK), -1);
	assert_int_equal(try(&order, "/tmp", O_TMPFILE | O_RDWR), EACCES);
	assert_int_equal(try(&order, "/dev/null", O_RDWR), 0);
	assert_int_equal(try(&order, "/dev/urandom", O_RDONLY), 0);
}

TEST(test_files_and_folders_in_arguments_are_readable)
{
	struct file_policy_order order = order_make(NULL);
	char file[2 * PATH_SIZE], nothing[] = "/no/such/file", option[] = "-x";
	char *arguments[] = { trial_arguments[0], option, nothing, file, NULL };

	snprintf(file, sizeof(file), "%s", test_path("tool/notes/note"));
	order.arguments = arguments;
	expect(&order, "tool/notes/note", "tool/lib/library other/file");
	snprintf(file, sizeof(file), "%s:%s", test_path("other"),
	    test_path("tool/notes/note"));
	expect(&order, "other/file tool/notes/note", "tool/lib/library");
	/* If a part does not exist, the argument is no list of paths. */
	snprintf(file, sizeof(file), "%s:word", test_path("other"));
	expect(&order, NULL, "other/file");
}

TEST(test_folders_of_the_search_path_are_readable)
{
	struct file_policy_order order = order_make(NULL);
	char path[2 * PATH_SIZE];

	snprintf(path, sizeof(path), "/no/such/bin::other:%s:/bin",
	    test_path("tool/bin"));
	order.search_path = path;
	expect(&order, "tool/bin/tool tool/lib/library",
	    "tool/notes/note tool other/file");
	/* A record there is hidden, even after an empty part. */
	trial_write(test_path("tool/bin/game.scopa"));
	snprintf(path, sizeof(path), "/no/such/bin::%s", test_path("tool/bin"));
	expect(&order, "tool/bin/tool", "tool/bin/game.scopa");
}

TEST(test_program_that_is_a_link_may_read_its_library)
{
	struct file_policy_order order = order_make(NULL);

	assert_int_equal(
	    symlink(test_path("bot/bot"), test_path("tool/bin/python")), 0);
	order.file = test_path("tool/bin/python");
	expect(&order, "bot/module tool/bin/python tool/lib/library",
	    "tool/notes/note");
}

TEST(test_link_to_installed_files_does_not_uncover_hidden_files)
{
	struct file_policy_order order = order_make("/usr/bin/cat");
	char resolved[16];

	expect(&order, "/usr/bin/env", "/usr/bin/cat");
	if (readlink("/bin", resolved, sizeof(resolved)) > 0)
		expect(&order, NULL, "/bin/cat");
}

/* Opens a file that is made after the sandbox was entered. */
static int
open_later(void *context)
{
	const struct attempt *attempt = context;
	int fds[2], status;
	char byte;
	pid_t outside;

	trial_need(pipe(fds) == 0);
	outside = fork();
	if (outside == 0) {
		trial_need(read(fds[0], &byte, 1) == 1);
		_exit(trial_open(attempt->path, O_WRONLY | O_CREAT));
	}
	trial_need(box_enter(attempt->order) == 0);
	trial_need(write(fds[1], "x", 1) == 1);
	trial_need(waitpid(outside, &status, 0) == outside && status == 0);
	return trial_open(attempt->path, O_RDONLY);
}

TEST(test_hidden_file_may_be_made_later)
{
	struct file_policy_order order = order_make(test_path("bot/later"));
	struct attempt attempt = { &order, order.hidden[0], 0 };

	assert_int_equal(trial_run(open_later, &attempt), EACCES);
	assert_int_equal(access(attempt.path, F_OK), 0);
	unlink(attempt.path);
	order.hidden_count = 0;
	assert_int_equal(trial_run(open_later, &attempt), 0);
}

static int
see_processes(void *context)
{
	trial_need(box_enter(context) == 0);
	if (trial_open("/proc/self/status", O_RDONLY) != 0)
		return 1;
	return trial_open("/proc", O_RDONLY) == 0 ? 2 : 0;
}

TEST(test_proc_is_readable_only_in_namespaces)
{
	struct file_policy_order order = order_make(NULL);

	assert_int_equal(trial_run(see_processes, &order), 0);
	order.boxed = true;
	assert_int_equal(trial_run(see_processes, &order), 2);
}

static int
signal_outside(void *context)
{
	trial_need(box_enter(context) == 0);
	return kill(getppid(), 0) < 0 ? errno : 0;
}

/* With or without a listener at this port, connect() is not refused. */
static int
connect_anywhere(void *context)
{
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	trial_need(fd >= 0 && box_enter(context) == 0);
	return connect(fd, (const struct sockaddr *)&address, sizeof(address)) <
		0
	    ? errno
	    : 0;
}

TEST(test_signals_and_connections_do_not_leave_the_sandbox)
{
	struct file_policy_order order = order_make(NULL);

	if (landlock_abi() < LANDLOCK_ABI_NETWORK)
		skip();
	assert_int_equal(trial_run(connect_anywhere, &order), EACCES);
	if (landlock_abi() < LANDLOCK_ABI_SCOPE)
		skip();
	assert_int_equal(trial_run(signal_outside, &order), EPERM);
}

TEST(test_domain_that_takes_nothing_away_is_refused)
{
	struct landlock landlock;

	assert_int_equal(landlock_open(&landlock, 0), -ENOSYS);
}

static rlim_t
limit_of(__rlimit_resource_t resource)
{
	struct rlimit limit;

	trial_need(getrlimit(resource, &limit) == 0 &&
	    limit.rlim_cur <= limit.rlim_max);
	return limit.rlim_max;
}

/* A bit for each wrong limit. */
static int
limits_set(void *context)
{
	const bool *boxed = context;
	rlim_t before = limit_of(RLIMIT_NPROC);

	trial_need(confine_limits(*boxed, 0) == 0);
	return (limit_of(RLIMIT_CORE) > 0) << 0 |
	    (limit_of(RLIMIT_NOFILE) > 64) << 1 |
	    (limit_of(RLIMIT_FSIZE) > CONFINED_FILE_BYTES) << 2 |
	    (limit_of(RLIMIT_MEMLOCK) > 0 || limit_of(RLIMIT_RTPRIO) > 0) << 3 |
	    (limit_of(RLIMIT_MSGQUEUE) > 0) << 4 |
	    (limit_of(RLIMIT_SIGPENDING) > 256) << 5 |
	    (*boxed ? limit_of(RLIMIT_NPROC) > CONFINED_PROCESSES
		    : limit_of(RLIMIT_NPROC) != before)
	    << 6;
}

TEST(test_limits_are_set)
{
	bool boxed = true;

	assert_int_equal(trial_run(limits_set, &boxed), 0);
	boxed = false;
	assert_int_equal(trial_run(limits_set, &boxed), 0);
}

static int
limits_lower(void *context)
{
	struct rlimit low = { 8, 16 };

	(void)context;
	trial_need(setrlimit(RLIMIT_NOFILE, &low) == 0);
	trial_need(
	    confine_limits(true, 0) == 0 && confine_limits(true, 0) == 0);
	return (int)limit_of(RLIMIT_NOFILE);
}

TEST(test_lower_limits_are_not_raised)
{
	assert_int_equal(trial_run(limits_lower, *state), 16);
}

/*
 * Capabilities that were dropped cannot be used, even by programs that are
 * executed afterwards.
 */
/*
 * Whether the command, which prints lines of /proc/self/status, has a
 * capability.
 */
static int
has_any(const char *command)
{
	FILE *pipe = popen(command, "re");
	char line[128];
	int lines = 0, any = 0;

	trial_need(pipe != NULL);
	while (fgets(line, sizeof(line), pipe) != NULL) {
		const char *digits = strchr(line, '\t');

		trial_need(digits != NULL);
		lines++;
		any |= strspn(digits + 1, "0") + 1 != strlen(digits + 1);
	}
	pclose(pipe);
	trial_need(lines > 0);
	return any;
}

static int
drop_and_execute(void *context)
{
	trial_need(capability_drop() == 0 && capability_drop() == 0);
	return chroot("/") == 0 ? 2 : has_any(context);
}

static int
may_bound(void *context)
{
	(void)context;
	return prctl(PR_CAPBSET_DROP, 0, 0, 0, 0) == 0;
}

TEST(test_dropped_capabilities_are_gone_for_good)
{
	char held[] = "exec grep -E 'Cap(Inh|Prm|Eff|Amb)' /proc/self/status";
	char bounding[] = "exec grep CapBnd /proc/self/status";

	assert_int_equal(trial_run(drop_and_execute, held), 0);
	if (trial_run(may_bound, NULL) != 1) {
		print_message("# this process cannot gain capabilities\n");
		skip();
	}
	assert_int_equal(trial_run(drop_and_execute, bounding), 0);
}
