/*
 * Implements launcher.h: reads the command line, sets up the sandbox step by
 * step, and executes the bot. An error of any step is reported through the
 * report descriptor.
 */
#include "launcher.h"

#include <assert.h>
#include <bsd/stdlib.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "confinement.h"
#include "countof.h"
#include "cpu_usage.h"
#include "file_policy.h"
#include "program.h"
#include "self_test.h"
#include "supervisor.h"
#include "system_calls.h"
#include "user.h"

/* Returns the entry of this name, which ends in `=`, or NULL. */
static char *
entry_find(char *const *entries, const char *name)
{
	size_t length = strcspn(name, "=") + 1;

	for (char *const *entry = entries; *entry != NULL; entry++)
		if (strncmp(*entry, name, length) == 0)
			return *entry;
	return NULL;
}

/* Adds an entry, unless there is one of its name. */
static void
environment_add(struct environment *environment, char *entry)
{
	if (entry_find(environment->entries, entry) == NULL)
		environment->entries[environment->count++] = entry;
}

void
environment_init(struct environment *environment, bool scratch)
{
	static char scratch_home[] = "HOME=" FILE_POLICY_PLACE;
	static char scratch_temporary[] = "TMPDIR=" FILE_POLICY_PLACE;
	static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	static char lang[] = "LANG=C.UTF-8";
	static char home[] = "HOME=/";
	static char unbuffered[] = "PYTHONUNBUFFERED=1";
	char *const fallbacks[] = { path, lang, home, unbuffered };
	const size_t prefix = strlen(LAUNCHER_ENVIRONMENT_PREFIX);

	*environment = (struct environment){ .count = 0 };
	for (char **entry = environ; *entry != NULL; entry++)
		if (environment->count < LAUNCHER_ENVIRONMENT_MAX &&
		    strncmp(*entry, LAUNCHER_ENVIRONMENT_PREFIX, prefix) == 0)
			environment->entries[environment->count++] =
			    *entry + prefix;
	if (scratch) {
		environment_add(environment, scratch_home);
		environment_add(environment, scratch_temporary);
	}
	for (int i = 0; i < COUNTOF(fallbacks); i++) {
		char *callers = entry_find(environ, fallbacks[i]);

		environment_add(
		    environment, callers != NULL ? callers : fallbacks[i]);
	}
}

const char *
environment_value(char *const *environment, const char *name)
{
	const char *entry = entry_find(environment, name);

	return entry == NULL ? NULL : entry + strlen(name);
}

/*
 * The order of a launcher: its command line (launcher.h), and what was opened
 * for it.
 */
struct launch {
	struct file_policy_order files; /* the program, and what it may read */
	struct supervisor_order supervisor;
	const char *name;    /* argv[0] of the program */
	char **arguments;    /* argv; [0] is replaced by `name` */
	int parent;          /* 0: any process */
	int filter_fd;       /* -1: no filter of system calls */
	bool stale;          /* the file has changed, so it is not executed */
	bool confined;       /* files, limits and privileges */
	bool allows_futexes; /* shared by processes; system_calls.h */
	bool boxed;          /* in namespaces of its own */
	bool rooted;         /* in these with a root folder of its own */
	int user; /* the user that the bot becomes; 0: that of the arena */
	struct environment environment;
	struct file_policy file_policy; /* the file policy of a confined bot */
	struct access_check access_check; /* of another user than ours */
	int channel_fd; /* system_calls.h; -1: no supervisor */
};

/* Reads a number from 0 on; false for any other text. */
static bool
number_read(const char *text, int64_t max, int64_t *number)
{
	const char *error;

	*number = strtonum(text, 0, max, &error);
	return error == NULL;
}

/*
 * Reads an option.  False if there is no such option, or its number is
 * malformed.
 */
static bool
read_option(struct launch *launch, const char *argument)
{
	struct file_policy_order *files = &launch->files;
	const struct {
		const char *option;
		bool *flag;
		const char **text;
		int *number;
	} rows[] = {
		{ "--dir=", NULL, &files->dir, NULL },
		{ "--read=", NULL, &files->read, NULL },
		{ "--as=", NULL, &launch->name, NULL },
		{ "--cores=", NULL, &launch->supervisor.cores, NULL },
		{ "--parent=", NULL, NULL, &launch->parent },
		{ "--report=", NULL, NULL, &launch->supervisor.report_fd },
		{ "--end=", NULL, NULL, &launch->supervisor.end_fd },
		{ "--cgroup=", NULL, NULL, &launch->supervisor.cgroup_fd },
		{ "--filter=", NULL, NULL, &launch->filter_fd },
		{ "--scratch=", NULL, NULL, &files->scratch_kib },
		{ "--user=", NULL, NULL, &launch->user },
		{ "--confine", &launch->confined, NULL, NULL },
		{ "--box", &launch->boxed, NULL, NULL },
		{ "--shared-futex", &launch->allows_futexes, NULL, NULL },
		{ "--root", &launch->rooted, NULL, NULL },
		{ "--stale", &launch->stale, NULL, NULL },
		{ "--memory=", NULL, NULL, NULL },
		{ "--hide=", NULL, &files->hidden[files->hidden_count], NULL },
	};

	for (int i = 0; i < COUNTOF(rows); i++) {
		size_t length = strlen(rows[i].option);
		const char *value = argument + length;
		int64_t number;

		if (strncmp(argument, rows[i].option, length) != 0)
			continue;
		if (rows[i].flag != NULL) {
			*rows[i].flag = true;
			return *value == '\0';
		}
		if (rows[i].text == NULL) {
			if (rows[i].number == NULL)
				return number_read(value, INT64_MAX,
				    &launch->supervisor.memory_max_bytes);
			if (!number_read(value, INT_MAX, &number))
				return false;
			*rows[i].number = (int)number;
			return true;
		}
		if (i == COUNTOF(rows) - 1 &&
		    files->hidden_count++ == FILE_POLICY_HIDDEN_MAX)
			return false;
		*rows[i].text = value;
		return true;
	}
	return false;
}

/*
 * Reads the command line, to whose strings the order points.  False if it is
 * wrong: *wrong is then the option at fault, or NULL if the file is missing.
 */
static bool
launch_parse(struct launch *launch, int argc, char **argv, const char **wrong)
{
	int i = 2;

	*launch = (struct launch){ .filter_fd = -1, .channel_fd = -1 };
	launch->supervisor.report_fd = launch->supervisor.end_fd =
	    launch->supervisor.cgroup_fd = -1;
	*wrong = NULL;
	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (argv[i][2] == '\0') {
			i++;
			break;
		}
		if (!read_option(launch, argv[i])) {
			*wrong = argv[i];
			return false;
		}
	}
	if (i >= argc)
		return false;
	launch->files.file = argv[i];
	launch->files.arguments = launch->arguments = argv + i;
	if (launch->name == NULL)
		launch->name = argv[i];
	return true;
}

/*
 * A bot needs no more descriptors. Some programs close all that the limit
 * allows when they start.
 */
enum { LAUNCHER_DESCRIPTORS = 1024 };

/*
 * Reports a failed step; the arguments are those of printf().  Without a report
 * descriptor the launcher was started by hand, and the text goes to stderr.
 * Returns an exit status.
 */
__attribute__((format(printf, 4, 5))) static int
launch_report(const struct launch *launch, enum launcher_step step, int error,
    const char *format, ...)
{
	struct launcher_report report = { .step = (int32_t)step,
		.error = error };
	va_list arguments;
	ssize_t written;

	va_start(arguments, format);
	vsnprintf(report.sentence, sizeof(report.sentence), format, arguments);
	va_end(arguments);
	if (launch->supervisor.report_fd < 0) {
		fprintf(stderr, "error: %s\n", report.sentence);
		return LAUNCHER_EXIT_FAILED;
	}
	written = write(launch->supervisor.report_fd, &report, sizeof(report));
	(void)written;
	return LAUNCHER_EXIT_FAILED;
}

/* The same, followed by the text of errno. */
static int
launch_fail(
    const struct launch *launch, enum launcher_step step, const char *what)
{
	return launch_report(
	    launch, step, errno, "%s: %s", what, strerror(errno));
}

/*
 * If the parent died before prctl() was called, another process is the parent
 * now.
 */
static int
launch_bind(const struct launch *launch)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return -1;
	if (launch->parent != 0 && getppid() != launch->parent)
		_exit(LAUNCHER_EXIT_FAILED);
	return 0;
}

static int
compare_fds(const void *one, const void *other)
{
	return *(const int *)one - *(const int *)other;
}

/*
 * Closes every descriptor but 0 to 2 and those of the order, which are set to
 * be closed by execve().
 */
static int
launch_close(const struct launch *launch)
{
	const struct supervisor_order *order = &launch->supervisor;
	int fds[] = { order->report_fd, launch->filter_fd, order->end_fd,
		order->cgroup_fd };
	int last = STDERR_FILENO;

	qsort(fds, COUNTOF(fds), sizeof(fds[0]), compare_fds);
	for (int i = 0; i < COUNTOF(fds); i++) {
		if (fds[i] <= last)
			continue;
		if (fcntl(fds[i], F_SETFD, FD_CLOEXEC) < 0 ||
		    (fds[i] - last > 1 &&
			close_range(
			    (unsigned)last + 1, (unsigned)fds[i] - 1, 0) < 0))
			return -1;
		last = fds[i];
	}
	return close_range((unsigned)last + 1, ~0U, 0);
}

static int
launch_limit(void)
{
	struct rlimit core = { 0, 0 };
	struct rlimit files;

	if (setrlimit(RLIMIT_CORE, &core) < 0)
		return -1;
	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return -1;
	if (files.rlim_cur > LAUNCHER_DESCRIPTORS)
		files.rlim_cur = LAUNCHER_DESCRIPTORS;
	if (setrlimit(RLIMIT_NOFILE, &files) < 0)
		return -1;
	/* The kernel clears the parent-death signal of a setuid program. */
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/*
 * Finds why execve() has failed: because of the file, or of what the file
 * needs.
 */
static int
launch_explain(const struct launch *launch, int error)
{
	const char *file = launch->files.file, *name = launch->name;
	char sentence[PROGRAM_SENTENCE_SIZE];
	enum program_flaw flaw = program_check(file);

	if (flaw != PROGRAM_GOOD) {
		program_flaw_explain(flaw, file, name, sentence);
		return launch_report(
		    launch, LAUNCHER_EXECUTE, error, "%.490s", sentence);
	}
	if (error == ENOEXEC)
		return launch_report(launch, LAUNCHER_EXECUTE, error,
		    "%.200s is neither a program for this machine nor a script "
		    "with a first line such as #!/usr/bin/env python3",
		    name);
	if (error == ENOENT)
		return launch_report(launch, LAUNCHER_EXECUTE, error,
		    "the loader that %.200s asks for does not exist", name);
	return launch_report(launch, LAUNCHER_EXECUTE, error,
	    "cannot execute %.200s: %s", name, strerror(error));
}

/* Reports that the supervisor or the sandbox cannot be set up. */
static int
launch_refuse(void *context, const char *what, int error)
{
	errno = error;
	return launch_fail(context, LAUNCHER_SANDBOX, what);
}

/* This needs the files of the machine, which the sandbox hides later. */
static int
launch_allow(struct launch *launch)
{
	int status;

	if (!launch->confined)
		return 0;
	launch->files.search_path =
	    environment_value(launch->environment.entries, "PATH=");
	launch->files.boxed = launch->boxed && launch->rooted;
	status = file_policy_init(&launch->file_policy, &launch->files);
	if (status == -E2BIG)
		return launch_report(launch, LAUNCHER_SANDBOX, E2BIG,
		    "there are too many files beside the bot to look for "
		    "records and runs that must be hidden from it: move it to "
		    "a folder of its own");
	return status == 0 ? 0 : launch_refuse(launch, "files", -status);
}

static int
launch_confine(const struct launch *launch)
{
	int status = confine_limits(launch->boxed, launch->files.scratch_kib);

	if (status == 0)
		status = confine_files(&launch->file_policy);
	return status == 0 ? capability_drop() : status;
}

/* This check runs as the bot's user. */
static int
launch_check_access(const struct launch *launch)
{
	const char *file = access_check_run(&launch->access_check);

	return file == NULL
	    ? 0
	    : launch_report(launch, LAUNCHER_EXECUTE, EACCES,
		  "user %d, as which it is to run, may not %s %.400s",
		  launch->user, file == launch->files.file ? "execute" : "read",
		  file);
}

/*
 * With namespaces the supervisor changes its user, too, before it makes them,
 * because they belong to that user. Without namespaces only the bot changes its
 * user, so that it cannot signal the supervisor.
 */
static int
launch_become_user(const struct launch *launch)
{
	int status;

	if (launch->user == 0 || !launch->boxed)
		return 0;
	status = user_become((unsigned)launch->user);
	errno = -status;
	return status == 0 ? 0 : launch_fail(launch, LAUNCHER_PREPARE, "user");
}

/* Runs in the process that becomes the bot. */
static int
launch_become(void *context)
{
	const struct launch *launch = context;
	char name[PROGRAM_PATH_SIZE];
	int status = 0;

	snprintf(name, sizeof(name), "%s", launch->name);
	launch->arguments[0] = name;
	/*
	 * A bot that wakes up would preempt the arena in the middle of its
	 * work. With 64 games at once that costs a fifth of the arena's time.
	 */
	scheduler_yield();
	if (launch->user != 0)
		status = launch_check_access(launch);
	if (status != 0)
		return status;
	if (launch->confined)
		status = launch_confine(launch);
	if (status < 0)
		return launch_refuse(context, "confinement", -status);
	if (launch->filter_fd >= 0)
		status = call_proxy_enter(
		    launch->channel_fd, launch->allows_futexes);
	/*
	 * The filter comes last, because it refuses some calls that the steps
	 * before need.
	 */
	if (launch->filter_fd >= 0 && status == 0)
		status = filter_enter(launch->filter_fd);
	if (status < 0)
		return launch_refuse(context, "filter", -status);
	/* Not execvp(): what the kernel cannot run must not go to a shell. */
	execve(
	    launch->files.file, launch->arguments, launch->environment.entries);
	return launch_explain(launch, errno);
}

/*
 * Turns this process into the supervisor and the bot. Returns only if something
 * fails.
 */
static int
launch_run(struct launch *launch)
{
	struct supervisor_order *order = &launch->supervisor;
	int status;

	if (launch->files.dir != NULL && chdir(launch->files.dir) < 0)
		return launch_fail(
		    launch, LAUNCHER_DIRECTORY, launch->files.dir);
	/* From here on a relative path would begin in the folder itself. */
	if (launch->files.dir != NULL)
		launch->files.dir = ".";
	access_check_init(
	    &launch->access_check, launch->files.file, launch->arguments);
	status = launch_become_user(launch);
	if (status != 0)
		return status;
	if (launch_bind(launch) < 0)
		return launch_fail(launch, LAUNCHER_PREPARE, "parent");
	if (launch_close(launch) < 0)
		return launch_fail(launch, LAUNCHER_PREPARE, "descriptors");
	/*
	 * The error is reported here, so that the arena gets it like every
	 * other failure.
	 */
	if (launch->stale)
		return launch_report(launch, LAUNCHER_EXECUTE, ESTALE,
		    "its file has changed since the bot was entered");
	environment_init(&launch->environment, launch->files.scratch_kib > 0);
	if (launch_limit() < 0)
		return launch_fail(launch, LAUNCHER_PREPARE, "limits");
	status = launch_allow(launch);
	if (status != 0)
		return status;
	order->tree = launch->boxed ? TREE_NAMESPACE : TREE_DOMAIN;
	order->user = (unsigned)launch->user;
	order->rootfs = launch->rooted ? &launch->file_policy : NULL;
	order->become = launch_become;
	order->fail = launch_refuse;
	order->context = launch;
	order->channel_fd = launch->filter_fd >= 0 ? &launch->channel_fd : NULL;
	/* Handlers of exit() must not run in this process. */
	_exit(supervise(order));
}

int
launcher_main(int argc, char **argv)
{
	struct launch launch;
	const char *wrong;
	int64_t arena;

	assert(argc >= 2 && strcmp(argv[1], LAUNCHER_ROLE) == 0);
	/* The role of a process that tests its own sandbox. */
	if (argc == 5 && strcmp(argv[2], LAUNCHER_TEST) == 0)
		_exit(number_read(argv[3], INT_MAX, &arena)
			? (int)self_test_probe(
			      (pid_t)arena, strtoul(argv[4], NULL, 10))
			: LAUNCHER_EXIT_FAILED);
	if (launch_parse(&launch, argc, argv, &wrong))
		return launch_run(&launch);
	errno = EINVAL;
	return wrong != NULL
	    ? launch_fail(&launch, LAUNCHER_USAGE, wrong)
	    : launch_report(&launch, LAUNCHER_USAGE, EINVAL,
		  "usage: scopa-arena launch [--dir=DIR] [--as=NAME] "
		  "[--parent=PID] [--report=FD] FILE [ARGUMENT..]");
}
