#include "launcher.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capability.h"
#include "countof.h"
#include "doors.h"
#include "filter.h"
#include "jail.h"
#include "launch.h"
#include "program.h"
#include "supervisor.h"

/* More than this is no use to a bot, and some programs close them all. */
enum { LAUNCHER_DESCRIPTORS = 1024 };

/* A launch that is to become the bot, wherever that happens. */
struct becoming {
	const struct launch *launch;
	char *const *environment;
	struct allowance allowance; /* of one that is jailed */
};

/* Where no report is wanted the launcher was called by hand. */
static int
launch_report(
    int report_fd, enum launcher_step step, int error, const char *sentence)
{
	struct launcher_report report = { .step = (int32_t)step,
		.error = error };
	ssize_t written;

	snprintf(report.sentence, sizeof(report.sentence), "%s", sentence);
	if (report_fd < 0) {
		fprintf(stderr, "error: %s\n", report.sentence);
		return LAUNCHER_EXIT_FAILED;
	}
	written = write(report_fd, &report, sizeof(report));
	(void)written;
	return LAUNCHER_EXIT_FAILED;
}

static int
launch_fail(
    const struct launch *launch, enum launcher_step step, const char *what)
{
	char sentence[LAUNCHER_SENTENCE_SIZE];
	int error = errno;

	snprintf(sentence, sizeof(sentence), "%s: %s", what, strerror(error));
	return launch_report(launch->report_fd, step, error, sentence);
}

/*
 * The parent may have died before the request to die with it: then somebody
 * else is the parent by now.
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

/* Closes what lies between two descriptors that are kept. */
static int
close_between(int below, int above)
{
	if (above - below < 2)
		return 0;
	return close_range((unsigned)below + 1, (unsigned)above - 1, 0);
}

static int
compare_fds(const void *one, const void *other)
{
	return *(const int *)one - *(const int *)other;
}

/* All but the pipes and what ends with the launcher. */
static int
launch_close(const struct launch *launch)
{
	int fds[] = { launch->report_fd, launch->filter_fd, launch->end_fd };
	int last = STDERR_FILENO;

	qsort(fds, COUNTOF(fds), sizeof(fds[0]), compare_fds);
	for (int i = 0; i < COUNTOF(fds); i++) {
		int kept = fds[i];

		if (kept <= last)
			continue;
		if (fcntl(kept, F_SETFD, FD_CLOEXEC) < 0 ||
		    close_between(last, kept) < 0)
			return -1;
		last = kept;
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
	/* A setuid program would slip the parent's grip. */
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/*
 * A bot that wakes up does not push aside whoever runs on its core, which is
 * the arena in the middle of its round: with 64 games at once that costs a
 * fifth of the arena's time.  Where it is not allowed bots play all the same.
 */
static void
launch_schedule(void)
{
	const struct sched_param param = { .sched_priority = 0 };

	(void)sched_setscheduler(0, SCHED_BATCH, &param);
}

struct environment {
	char *entries[LAUNCHER_ENVIRONMENT_MAX + 6];
	size_t count;
};

static bool
environment_has(const struct environment *environment, const char *entry)
{
	size_t length = strcspn(entry, "=") + 1;

	for (size_t i = 0; i < environment->count; i++)
		if (strncmp(environment->entries[i], entry, length) == 0)
			return true;
	return false;
}

/*
 * The bot's own entries come first, and what they do not name after them.  With
 * a scratch folder the user's own home is of no use.
 */
static void
environment_make(struct environment *environment, bool scratch)
{
	static char scratch_home[] = "HOME=" ALLOWANCE_PLACE;
	static char scratch_temporary[] = "TMPDIR=" ALLOWANCE_PLACE;
	static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	static char lang[] = "LANG=C.UTF-8";
	static char home[] = "HOME=/";
	static char unbuffered[] = "PYTHONUNBUFFERED=1";
	char *const fallbacks[] = { path, lang, scratch ? scratch_home : home,
		unbuffered, scratch_temporary };
	const int count = COUNTOF(fallbacks) - !scratch;
	const size_t prefix = strlen(LAUNCHER_ENVIRONMENT_PREFIX);

	environment->count = 0;
	for (char **entry = environ; *entry != NULL; entry++)
		if (environment->count < LAUNCHER_ENVIRONMENT_MAX &&
		    strncmp(*entry, LAUNCHER_ENVIRONMENT_PREFIX, prefix) == 0)
			environment->entries[environment->count++] =
			    *entry + prefix;
	for (int i = 0; i < count; i++) {
		char *chosen = fallbacks[i];
		size_t name = strcspn(chosen, "=") + 1;

		if (environment_has(environment, chosen))
			continue;
		for (char **entry = environ; *entry != NULL; entry++)
			if (chosen != scratch_home &&
			    strncmp(*entry, chosen, name) == 0)
				chosen = *entry;
		environment->entries[environment->count++] = chosen;
	}
	environment->entries[environment->count] = NULL;
}

/* What stands behind `NAME=`, or NULL. */
static const char *
environment_value(char *const *environment, const char *name)
{
	size_t length = strlen(name);

	for (char *const *entry = environment; *entry != NULL; entry++)
		if (strncmp(*entry, name, length) == 0)
			return *entry + length;
	return NULL;
}

/* Why execve() would not: the file, or what the file needs. */
static int
launch_explain(const struct launch *launch, int error)
{
	char sentence[PROGRAM_SENTENCE_SIZE];
	char whole[LAUNCHER_SENTENCE_SIZE];
	enum program_flaw flaw = program_check(launch->file);

	if (flaw != PROGRAM_GOOD) {
		program_flaw_explain(
		    flaw, launch->file, launch->name, sentence);
		snprintf(whole, sizeof(whole), "%.490s", sentence);
	} else if (error == ENOEXEC) {
		snprintf(whole, sizeof(whole),
		    "%.200s is neither a program "
		    "for this machine nor a script with a first line such as "
		    "#!/usr/bin/env python3",
		    launch->name);
	} else if (error == ENOENT) {
		snprintf(whole, sizeof(whole),
		    "the loader that %.200s asks "
		    "for does not exist",
		    launch->name);
	} else {
		snprintf(whole, sizeof(whole), "cannot execute %.200s: %s",
		    launch->name, strerror(error));
	}
	return launch_report(launch->report_fd, LAUNCHER_EXECUTE, error, whole);
}

/* A supervisor's first words, before it is one. */
static int
launch_refuse(void *context, const char *what, int error)
{
	const struct becoming *becoming = context;

	errno = error;
	return launch_fail(becoming->launch, LAUNCHER_WALLS, what);
}

/* While the machine's own files can still be seen. */
static int
launch_allow(struct becoming *becoming)
{
	const struct launch *launch = becoming->launch;
	struct allowance_order order = {
		.file = launch->file,
		.arguments = launch->arguments,
		.dir = launch->dir,
		.read = launch->read,
		.search_path =
		    environment_value(becoming->environment, "PATH="),
		.boxed = launch->supervised && launch->tree == TREE_BOX,
		.scratch_kib = launch->scratch_kib,
		.hidden_count = launch->hidden_count,
	};
	int status;

	if (!launch->jailed)
		return 0;
	memcpy(order.hidden, launch->hidden, sizeof(order.hidden));
	status = allowance_init(&becoming->allowance, &order);
	if (status == 0)
		return 0;
	errno = -status;
	return launch_fail(launch, LAUNCHER_WALLS, "files");
}

static int
launch_jail(const struct becoming *becoming)
{
	const struct launch *launch = becoming->launch;
	bool boxed = launch->supervised && launch->tree == TREE_BOX;
	int status = jail_limit(boxed, launch->scratch_kib);

	if (status == 0)
		status = jail_files(&becoming->allowance);
	return status == 0 ? capability_drop() : status;
}

static int
launch_refuse_usage(const struct launch *launch, const char *wrong)
{
	errno = EINVAL;
	if (wrong != NULL)
		return launch_fail(launch, LAUNCHER_USAGE, wrong);
	return launch_report(launch->report_fd, LAUNCHER_USAGE, EINVAL,
	    "usage: scopa-arena launch [--dir=DIR] [--as=NAME] "
	    "[--parent=PID] [--report=FD] FILE [ARGUMENT..]");
}

/* In the process that is the bot from here on. */
static int
launch_become(void *context)
{
	const struct becoming *becoming = context;
	const struct launch *launch = becoming->launch;
	char name[PROGRAM_PATH_SIZE];
	int status = 0;

	snprintf(name, sizeof(name), "%s", launch->name);
	launch->arguments[0] = name;
	if (launch->jailed)
		status = launch_jail(becoming);
	if (status < 0)
		return launch_refuse(context, "jail", -status);
	/* Last: it would refuse some of what goes before. */
	if (launch->filter_fd >= 0)
		status = filter_enter(launch->filter_fd);
	if (status < 0)
		return launch_refuse(context, "filter", -status);
	/* Not execvp(): what the kernel cannot run must not go to a shell. */
	execve(launch->file, launch->arguments, becoming->environment);
	return launch_explain(launch, errno);
}

/* The role of a process that tries the doors of its walls. */
static int
launch_test(const char *arena, const char *space)
{
	int pid;

	if (!launch_number(arena, &pid))
		return LAUNCHER_EXIT_FAILED;
	return (int)doors_try(pid, strtoul(space, NULL, 10));
}

int
launcher_main(int argc, char **argv)
{
	struct launch launch;
	struct environment environment;
	const char *wrong = NULL;
	struct becoming becoming = { &launch, environment.entries, { 0 } };
	int status;

	assert(argc >= 2 && strcmp(argv[1], LAUNCHER_ROLE) == 0);
	if (argc == 5 && strcmp(argv[2], LAUNCHER_TEST) == 0)
		_exit(launch_test(argv[3], argv[4]));
	if (!launch_parse(&launch, argc, argv, &wrong))
		return launch_refuse_usage(&launch, wrong);
	if (launch_bind(&launch) < 0)
		return launch_fail(&launch, LAUNCHER_PREPARE, "parent");
	if (launch_close(&launch) < 0)
		return launch_fail(&launch, LAUNCHER_PREPARE, "descriptors");
	/* Told here, so that it comes to the arena as every failure does. */
	if (launch.stale)
		return launch_report(launch.report_fd, LAUNCHER_EXECUTE, ESTALE,
		    "its file is not what it was when the bot was entered");
	environment_make(&environment, launch.scratch_kib > 0);
	if (launch_limit() < 0)
		return launch_fail(&launch, LAUNCHER_PREPARE, "limits");
	launch_schedule();
	if (launch.dir != NULL && chdir(launch.dir) < 0)
		return launch_fail(&launch, LAUNCHER_DIRECTORY, launch.dir);
	status = launch_allow(&becoming);
	if (status != 0)
		return status;
	if (launch.supervised) {
		const struct supervisor_order order = {
			.tree = launch.tree,
			.cell = launch.rooted ? &becoming.allowance : NULL,
			.become = launch_become,
			.fail = launch_refuse,
			.context = &becoming,
			.report_fd = launch.report_fd,
			.end_fd = launch.end_fd,
			.memory_max_bytes = launch.memory_max_bytes,
		};

		/* What runs at the end of a program is not for this place. */
		_exit(supervise(&order));
	}
	return launch_become(&becoming);
}
