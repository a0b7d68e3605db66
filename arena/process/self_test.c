#include "self_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"
#include "filter.h"
#include "launcher.h"
#include "process.h"
#include "program.h"
#include "user.h"

static bool
can_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Does /proc show the processes of our own box, under their numbers there? */
static bool
proc_is_own(void)
{
	char number[16] = "";

	return readlink("/proc/self", number, sizeof(number) - 1) > 0 &&
	    atoi(number) == getpid();
}

static bool
can_see(pid_t process, const char *what)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)process, what);
	return can_open(path, O_RDONLY);
}

static bool
can_create(void)
{
	/* Leaves nothing: it has no name. */
	int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool
can_talk(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

ino_t
pid_namespace_id(void)
{
	struct stat space;

	return stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
}

unsigned
self_test_probe(pid_t arena, ino_t space)
{
	/* In a box of ours its number is another's, or nobody's. */
	bool boxed = pid_namespace_id() != space;
	unsigned open = 0;

	if (!boxed && kill(arena, 0) == 0)
		open |= EXPOSED_SIGNAL;
	/* The arena keeps private; who supervises us stands for siblings. */
	if (!(boxed && proc_is_own()) &&
	    (can_see(arena, "mem") || can_see(arena, "environ") ||
		can_see(getppid(), "mem")))
		open |= EXPOSED_MEMORY;
	if (can_open("/", O_RDONLY | O_DIRECTORY))
		open |= EXPOSED_FILES;
	if (can_create())
		open |= EXPOSED_CREATE;
	if (can_talk())
		open |= EXPOSED_SOCKET;
	/* Where every kernel has it, and no program lies. */
	if (access("/sys/kernel", F_OK) == 0)
		open |= EXPOSED_NAMES;
	return open;
}

const char *
exposure_name(enum exposure exposure)
{
	switch (exposure) {
	case EXPOSED_SIGNAL:
		return "signals to the arena";
	case EXPOSED_MEMORY:
		return "the arena's memory";
	case EXPOSED_FILES:
		return "files";
	case EXPOSED_CREATE:
		return "new files";
	case EXPOSED_SOCKET:
		return "sockets";
	case EXPOSED_NAMES:
		return "names of files";
	}
	return "nothing";
}

static const struct {
	const char *name;
	enum sandbox_level level; /* from which on it stands */
	const char *fix;          /* where it can be had at all */
} layers[] = {
	[SANDBOX_LAYER_FILTER] = { "filter of system calls", SANDBOX_CORE,
	    "use a kernel with seccomp filters (CONFIG_SECCOMP_FILTER)" },
	[SANDBOX_LAYER_LANDLOCK] = { "Landlock", SANDBOX_CORE,
	    "use Linux 5.13 or newer with Landlock among its security modules "
	    "(lsm=landlock,...)" },
	[SANDBOX_LAYER_TREE_KILL] = { "tree kill", SANDBOX_CORE_TREE,
	    "use Linux 6.12 or newer, or let users make namespaces" },
	[SANDBOX_LAYER_NAMESPACES] = { "namespaces", SANDBOX_BOX,
	    "let users make namespaces: sysctl kernel.unprivileged_userns_clone"
	    "=1, user.max_user_namespaces above 0, and on Ubuntu kernel."
	    "apparmor_restrict_unprivileged_userns=0" },
	[SANDBOX_LAYER_ROOT] = { "root folder", SANDBOX_BOX,
	    "let users mount in their own namespaces: Linux 5.12 or newer, and "
	    "no security module or container that refuses mounts" },
	[SANDBOX_LAYER_USER] = { "user", SANDBOX_NONE,
	    "run the arena as another user than root, or give --run-as a "
	    "number from which on there are no users" },
	[SANDBOX_LAYER_LIMITS] = { "limits of the kernel", SANDBOX_BOX_LIMITS,
	    "start the arena itself, and no shell around it, by systemd-run "
	    "--user --scope -p Delegate=yes; as root without --user" },
};
_Static_assert(COUNTOF(layers) == SANDBOX_LAYER_COUNT, "a row a layer");

const char *
sandbox_layer_name(enum sandbox_layer layer)
{
	return layers[layer].name;
}

/* What must be shut at a level, in a box by its root folder besides. */
static unsigned
must_be_closed(enum sandbox_level level, bool rooted)
{
	switch (level) {
	case SANDBOX_NONE:
	case SANDBOX_LEVEL_COUNT:
		return 0;
	case SANDBOX_CORE:
		return EXPOSED_MEMORY | EXPOSED_FILES | EXPOSED_CREATE |
		    EXPOSED_SOCKET;
	case SANDBOX_CORE_TREE:
	case SANDBOX_BOX:
	case SANDBOX_BOX_LIMITS:
		break;
	}
	return EXPOSED_SIGNAL | EXPOSED_MEMORY | EXPOSED_FILES |
	    EXPOSED_CREATE | EXPOSED_SOCKET | (rooted ? EXPOSED_NAMES : 0U);
}

/* Says which exposures there are that should not be. */
static void
explain_exposures(unsigned open, char reason[SANDBOX_REASON_SIZE])
{
	int length = snprintf(reason, SANDBOX_REASON_SIZE, "open:");

	for (int i = 0; i < EXPOSURE_COUNT; i++) {
		enum exposure exposure = (enum exposure)(1U << i);

		if ((open & exposure) == 0)
			continue;
		length += snprintf(reason + length,
		    SANDBOX_REASON_SIZE - (size_t)length, " %s,",
		    exposure_name(exposure));
	}
	reason[length - 1] = '\0';
}

/* The end of a process that tested its sandbox; false, with a reason. */
static bool
judge(const struct sandbox *sandbox, const struct process_end *end,
    const struct launcher_report *report, char reason[SANDBOX_REASON_SIZE])
{
	unsigned open;

	if (report != NULL) {
		snprintf(reason, SANDBOX_REASON_SIZE, "%s", report->sentence);
		return false;
	}
	if (end->by_signal || end->code >= 1 << EXPOSURE_COUNT) {
		snprintf(reason, SANDBOX_REASON_SIZE,
		    "a test behind these walls ended with %s %d",
		    end->by_signal ? "signal" : "exit status", end->code);
		return false;
	}
	open = (unsigned)end->code &
	    must_be_closed(sandbox->level, sandbox->rooted);
	if (open != 0)
		explain_exposures(open, reason);
	return open == 0;
}

static int
try_level(struct sandbox *sandbox, enum sandbox_level level, bool rooted,
    char reason[SANDBOX_REASON_SIZE])
{
	char arena[16], space[32];
	const char *role[] = { LAUNCHER_ROLE, LAUNCHER_TEST, arena, space,
		NULL };
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	struct launcher_report report;
	struct program program;
	struct process process;
	struct process_end end;
	ssize_t got;
	int status;

	snprintf(arena, sizeof(arena), "%d", getpid());
	snprintf(
	    space, sizeof(space), "%lu", (unsigned long)pid_namespace_id());
	if (program_self(&program, "scopa-arena", role) != PROGRAM_GOOD)
		return -ENOENT;
	program_arguments(&program, arguments);
	sandbox->level = level;
	sandbox->rooted = rooted;
	status = process_open(&process,
	    &(struct process_order){
		.path = program.path,
		.arguments = arguments,
		.sandbox = sandbox,
	    });
	if (status < 0)
		return status;
	status = process_wait(&process, &end);
	got = read(process.report_fd, &report, sizeof(report));
	process_close(&process);
	if (status < 0)
		return status;
	return judge(sandbox, &end,
	    got == (ssize_t)sizeof(report) ? &report : NULL, reason);
}

/* A level's layers stand with it. */
static bool
is_reached(const struct sandbox *sandbox, enum sandbox_layer layer)
{
	if (layer == SANDBOX_LAYER_FILTER)
		return sandbox->filter_fd >= 0;
	if (layer == SANDBOX_LAYER_ROOT && !sandbox->rooted)
		return false;
	if (layer == SANDBOX_LAYER_USER)
		return geteuid() != 0 || sandbox->uid_pool != NULL;
	return sandbox->level >= layers[layer].level;
}

/* What is missing for the same reason as a layer below it was not tried. */
static void
refer_layer(struct sandbox *sandbox, int layer)
{
	struct sandbox_finding *finding = &sandbox->layers[layer];

	for (int i = 0; i < layer && !finding->reached; i++) {
		if (strcmp(sandbox->layers[i].why, finding->why) != 0)
			continue;
		snprintf(finding->why, SANDBOX_REASON_SIZE,
		    "not tried without %s", layers[i].name);
		finding->fix = sandbox->layers[i].fix;
		return;
	}
}

static void
find_layers(struct sandbox *sandbox)
{
	for (int i = 0; i < SANDBOX_LAYER_COUNT; i++) {
		struct sandbox_finding *finding = &sandbox->layers[i];

		finding->reached = is_reached(sandbox, (enum sandbox_layer)i);
		finding->fix = finding->reached ? "" : layers[i].fix;
		if (finding->reached)
			finding->why[0] = '\0';
		else if (i == SANDBOX_LAYER_USER)
			snprintf(finding->why, SANDBOX_REASON_SIZE,
			    "bots are root's, if without privileges");
		else if (sandbox->level < layers[i].level)
			memcpy(finding->why, sandbox->reasons[layers[i].level],
			    SANDBOX_REASON_SIZE);
		refer_layer(sandbox, i);
	}
}

/*
 * Without a root of its own a box is one all the same.  1 where one of the
 * levels is reached, 0 or -errno.
 */
static int
find_level(struct sandbox *sandbox)
{
	char *why = sandbox->layers[SANDBOX_LAYER_ROOT].why;
	int status = try_level(sandbox, SANDBOX_BOX, true, why);

	for (int level = SANDBOX_BOX; level > SANDBOX_NONE && status == 0;
	     level--) {
		status = try_level(sandbox, (enum sandbox_level)level, false,
		    sandbox->reasons[level]);
		if (level != SANDBOX_CORE_TREE || status != 0 ||
		    sandbox->uid_pool == NULL)
			continue;
		sandbox->tree_by_user = true;
		status = try_level(sandbox, (enum sandbox_level)level, false,
		    sandbox->reasons[level]);
		sandbox->tree_by_user = status != 0;
	}
	return status;
}

/* 1, as a box without limits is one, too, or -errno. */
static int
find_limits(struct sandbox *sandbox)
{
	char *why = sandbox->reasons[SANDBOX_BOX_LIMITS];
	int status;

	if (!sandbox->cgroup.limited) {
		snprintf(why, SANDBOX_REASON_SIZE, "%s", sandbox->cgroup.why);
		return 1;
	}
	status = try_level(sandbox, SANDBOX_BOX_LIMITS, sandbox->rooted, why);
	if (status == 0)
		sandbox->level = SANDBOX_BOX;
	return status < 0 ? status : 1;
}

static void
explain_filter(struct sandbox *sandbox)
{
	for (int level = SANDBOX_CORE; level < SANDBOX_LEVEL_COUNT; level++)
		snprintf(sandbox->reasons[level], SANDBOX_REASON_SIZE,
		    "system calls cannot be filtered: %s",
		    strerror(-sandbox->filter_fd));
}

static int
raise_best(struct sandbox *sandbox)
{
	int status = 0;

	cgroup_open(&sandbox->cgroup);
	sandbox->filter_fd = filter_make();
	if (sandbox->filter_fd < 0)
		explain_filter(sandbox);
	else
		status = find_level(sandbox);
	if (status > 0 && sandbox->level == SANDBOX_BOX)
		status = find_limits(sandbox);
	else
		memcpy(sandbox->reasons[SANDBOX_BOX_LIMITS],
		    sandbox->reasons[SANDBOX_BOX], SANDBOX_REASON_SIZE);
	if (status < 0) {
		sandbox_close(sandbox);
		return status;
	}
	if (status == 0)
		sandbox->level = SANDBOX_NONE;
	find_layers(sandbox);
	return 0;
}

int
sandbox_detect(struct sandbox *sandbox)
{
	memset(sandbox, 0, sizeof(*sandbox));
	return raise_best(sandbox);
}

int
sandbox_detect_as(struct sandbox *sandbox, unsigned first_user)
{
	int status;

	memset(sandbox, 0, sizeof(*sandbox));
	sandbox->filter_fd = sandbox->cgroup.fd = -1;
	status = uid_pool_open(&sandbox->uid_pool, first_user);
	return status == 0 ? raise_best(sandbox) : status;
}
