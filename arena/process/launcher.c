#include "launcher.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "call_proxy.h"
#include "confinement.h"
#include "countof.h"
#include "cpu_usage.h"
#include "file_policy.h"
#include "filter.h"
#include "program.h"
#include "self_test.h"
#include "supervisor.h"
#include "user.h"

static bool
environment_has(const struct environment *environment, const char *entry)
{
	size_t length = strcspn(entry, "=") + 1;

	for (size_t i = 0; i < environment->count; i++)
		if (strncmp(environment->entries[i], entry, length) == 0)
			return true;
	return false;
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

const char *
environment_value(char *const *environment, const char *name)
{
	size_t length = strlen(name);

	for (char *const *entry = environment; *entry != NULL; entry++)
		if (strncmp(*entry, name, length) == 0)
			return *entry + length;
	return NULL;
}

/*
 * What a launcher is to do: its command line (launcher.h).
 */

struct launch {
	const char *dir; /* NULL: stay */
	const char
	    *read; /* what it may read besides, colons between; or NULL */
	const char *name; /* argv[0] of the program */
	const char *file;
	char **arguments; /* argv; [0] is replaced by `name` */
	int parent;       /* 0: any process */
	int report_fd;    /* -1: stderr */
	int filter_fd;    /* -1: no filter of system calls */
	int end_fd;       /* -1: no last word of a supervisor is wanted */
	int cgroup_fd;    /* -1: no control group */
	int64_t memory_max_bytes; /* 0: no limit */
	bool stale;          /* the file is not what it was: it does not run */
	bool confined;       /* files, limits and privileges */
	bool allows_futexes; /* that processes share: call_proxy.h */
	bool boxed;          /* in namespaces of its own.. */
	bool rooted;         /* ..with a root folder of its own */
	int user;            /* that the bot is to be; 0: as the arena */
	int scratch_kib;     /* in that; 0: nothing can be written */
	const char *hidden[FILE_POLICY_HIDDEN_MAX];
	int hidden_count;
};

/* A number from 0 on; false for anything else. */
static bool
launch_number(const char *text, int *number)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || value < 0 ||
	    value > INT_MAX)
		return false;
	*number = (int)value;
	return true;
}

/* The value behind `--option=`, or NULL. */
static const char *
option_value(const char *argument, const char *option)
{
	size_t length = strlen(option);

	return strncmp(argument, option, length) == 0 ? argument + length
						      : NULL;
}

static bool
bytes_parse(const char *text, int64_t *bytes)
{
	char *end;

	errno = 0;
	*bytes = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0' && *bytes >= 0;
}

/* False for an option that does not exist or a number that is none. */
static bool
option_take(struct launch *launch, const char *argument)
{
	const struct {
		const char *option;
		bool *flag;
		const char **text;
		int *number;
	} rows[] = {
		{ "--dir=", NULL, &launch->dir, NULL },
		{ "--read=", NULL, &launch->read, NULL },
		{ "--as=", NULL, &launch->name, NULL },
		{ "--parent=", NULL, NULL, &launch->parent },
		{ "--report=", NULL, NULL, &launch->report_fd },
		{ "--end=", NULL, NULL, &launch->end_fd },
		{ "--cgroup=", NULL, NULL, &launch->cgroup_fd },
		{ "--filter=", NULL, NULL, &launch->filter_fd },
		{ "--scratch=", NULL, NULL, &launch->scratch_kib },
		{ "--user=", NULL, NULL, &launch->user },
		{ "--confine", &launch->confined, NULL, NULL },
		{ "--box", &launch->boxed, NULL, NULL },
		{ "--shared-futex", &launch->allows_futexes, NULL, NULL },
		{ "--root", &launch->rooted, NULL, NULL },
		{ "--stale", &launch->stale, NULL, NULL },
	};
	const char *value;

	for (int i = 0; i < COUNTOF(rows); i++) {
		value = option_value(argument, rows[i].option);
		if (value == NULL)
			continue;
		if (rows[i].number != NULL)
			return launch_number(value, rows[i].number);
		if (rows[i].text != NULL)
			*rows[i].text = value;
		else if (*value == '\0')
			*rows[i].flag = true;
		return rows[i].text != NULL || *value == '\0';
	}
	if ((value = option_value(argument, "--memory=")) != NULL)
		return bytes_parse(value, &launch->memory_max_bytes);
	value = option_value(argument, "--hide=");
	if (value == NULL || launch->hidden_count == FILE_POLICY_HIDDEN_MAX)
		return false;
	launch->hidden[launch->hidden_count++] = value;
	return true;
}

/*
 * Reads the command line, whose strings are kept.  False for an option that does
 * not exist or a number that is none, which is *wrong then, and without a file,
 * when nothing is: NULL.
 */
static bool
launch_parse(struct launch *launch, int argc, char **argv, const char **wrong)
{
	int i = 2;

	*launch = (struct launch){
		.report_fd = -1,
		.filter_fd = -1,
		.end_fd = -1,
		.cgroup_fd = -1,
	};
	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (argv[i][2] == '\0') {
			i++;
			break;
		}
		if (!option_take(launch, argv[i])) {
			*wrong = argv[i];
			return false;
		}
	}
	*wrong = NULL;
	if (i >= argc)
		return false;
	launch->file = argv[i];
	launch->arguments = argv + i;
	if (launch->name == NULL)
		launch->name = launch->file;
	return true;
}

/* More than this is no use to a bot, and some programs close them all. */
enum { LAUNCHER_DESCRIPTORS = 1024 };

/* A launch that is to become the bot, wherever that happens. */
struct becoming {
	const struct launch *launch;
	char *const *environment;
	struct file_policy file_policy;   /* of one that is confined */
	struct access_check access_check; /* of another user than ours */
	int channel_fd;                   /* call_proxy.h; -1: no supervisor */
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
	int fds[] = { launch->report_fd, launch->filter_fd, launch->end_fd,
		launch->cgroup_fd };
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

/* Reports that the supervisor or the sandbox cannot be. */
static int
launch_refuse(void *context, const char *what, int error)
{
	const struct becoming *becoming = context;

	errno = error;
	return launch_fail(becoming->launch, LAUNCHER_SANDBOX, what);
}

/* While the machine's own files can still be seen. */
static int
launch_allow(struct becoming *becoming)
{
	const struct launch *launch = becoming->launch;
	struct file_policy_order order = {
		.file = launch->file,
		.arguments = launch->arguments,
		.dir = launch->dir,
		.read = launch->read,
		.search_path =
		    environment_value(becoming->environment, "PATH="),
		.boxed = launch->boxed && launch->rooted,
		.scratch_kib = launch->scratch_kib,
		.hidden_count = launch->hidden_count,
	};
	int status;

	if (!launch->confined)
		return 0;
	memcpy(order.hidden, launch->hidden, sizeof(order.hidden));
	status = file_policy_init(&becoming->file_policy, &order);
	if (status == 0)
		return 0;
	if (status == -E2BIG)
		return launch_report(launch->report_fd, LAUNCHER_SANDBOX, E2BIG,
		    "there are too many files beside the bot to look for "
		    "records and runs that must be hidden from it: move it to "
		    "a folder of its own");
	errno = -status;
	return launch_fail(launch, LAUNCHER_SANDBOX, "files");
}

static int
launch_confine(const struct becoming *becoming)
{
	const struct launch *launch = becoming->launch;
	int status = confine_limits(launch->boxed, launch->scratch_kib);

	if (status == 0)
		status = confine_files(&becoming->file_policy);
	return status == 0 ? capability_drop() : status;
}

/* Asked by the other user. */
static int
launch_check_access(const struct becoming *becoming)
{
	const struct launch *launch = becoming->launch;
	char sentence[LAUNCHER_SENTENCE_SIZE];
	const char *file = access_check_run(&becoming->access_check);

	if (file == NULL)
		return 0;
	snprintf(sentence, sizeof(sentence),
	    "user %d, who it is to run as, may not %s %.400s", launch->user,
	    file == launch->file ? "execute" : "read", file);
	return launch_report(
	    launch->report_fd, LAUNCHER_EXECUTE, EACCES, sentence);
}

/*
 * Before the namespaces, which belong to the user.  Without them the supervisor
 * stays as it is, so that the bot cannot signal it, and the bot alone changes.
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
	/*
	 * A bot that wakes up would push aside the arena in the middle of its
	 * round: with 64 games at once that costs a fifth of the arena's time.
	 */
	scheduler_yield();
	if (launch->user != 0)
		status = launch_check_access(becoming);
	if (status != 0)
		return status;
	if (launch->confined)
		status = launch_confine(becoming);
	if (status < 0)
		return launch_refuse(context, "confinement", -status);
	if (launch->filter_fd >= 0)
		status = call_proxy_enter(
		    becoming->channel_fd, launch->allows_futexes);
	/* Last: it would refuse some of what goes before. */
	if (launch->filter_fd >= 0 && status == 0)
		status = filter_enter(launch->filter_fd);
	if (status < 0)
		return launch_refuse(context, "filter", -status);
	/* Not execvp(): what the kernel cannot run must not go to a shell. */
	execve(launch->file, launch->arguments, becoming->environment);
	return launch_explain(launch, errno);
}

/* The role of a process that tests its own sandbox. */
static int
launch_test(const char *arena, const char *space)
{
	int pid;

	if (!launch_number(arena, &pid))
		return LAUNCHER_EXIT_FAILED;
	return (int)self_test_probe(pid, strtoul(space, NULL, 10));
}

int
launcher_main(int argc, char **argv)
{
	struct launch launch;
	struct environment environment;
	const char *wrong = NULL;
	struct becoming becoming = {
		.launch = &launch,
		.environment = environment.entries,
		.channel_fd = -1,
	};
	int status;

	assert(argc >= 2 && strcmp(argv[1], LAUNCHER_ROLE) == 0);
	if (argc == 5 && strcmp(argv[2], LAUNCHER_TEST) == 0)
		_exit(launch_test(argv[3], argv[4]));
	if (!launch_parse(&launch, argc, argv, &wrong))
		return launch_refuse_usage(&launch, wrong);
	if (launch.dir != NULL && chdir(launch.dir) < 0)
		return launch_fail(&launch, LAUNCHER_DIRECTORY, launch.dir);
	access_check_init(
	    &becoming.access_check, launch.file, launch.arguments);
	status = launch_become_user(&launch);
	if (status != 0)
		return status;
	if (launch_bind(&launch) < 0)
		return launch_fail(&launch, LAUNCHER_PREPARE, "parent");
	if (launch_close(&launch) < 0)
		return launch_fail(&launch, LAUNCHER_PREPARE, "descriptors");
	/* Told here, so that it comes to the arena as every failure does. */
	if (launch.stale)
		return launch_report(launch.report_fd, LAUNCHER_EXECUTE, ESTALE,
		    "its file is not what it was when the bot was entered");
	environment_init(&environment, launch.scratch_kib > 0);
	if (launch_limit() < 0)
		return launch_fail(&launch, LAUNCHER_PREPARE, "limits");
	status = launch_allow(&becoming);
	if (status != 0)
		return status;
	/* What runs at the end of a program is not for this place. */
	_exit(supervise(&(struct supervisor_order){
	    .tree = launch.boxed ? TREE_NAMESPACE : TREE_DOMAIN,
	    .user = (unsigned)launch.user,
	    .rootfs = launch.rooted ? &becoming.file_policy : NULL,
	    .become = launch_become,
	    .fail = launch_refuse,
	    .context = &becoming,
	    .channel_fd = launch.filter_fd >= 0 ? &becoming.channel_fd : NULL,
	    .report_fd = launch.report_fd,
	    .end_fd = launch.end_fd,
	    .cgroup_fd = launch.cgroup_fd,
	    .memory_max_bytes = launch.memory_max_bytes,
	}));
}
