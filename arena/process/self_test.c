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
doors_space(void)
{
	struct stat space;

	return stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
}

unsigned
doors_try(pid_t arena, ino_t space)
{
	/* In a box of ours its number is another's, or nobody's. */
	bool boxed = doors_space() != space;
	unsigned open = 0;

	if (!boxed && kill(arena, 0) == 0)
		open |= DOOR_SIGNAL;
	/* The arena keeps private; who supervises us stands for siblings. */
	if (!(boxed && proc_is_own()) &&
	    (can_see(arena, "mem") || can_see(arena, "environ") ||
		can_see(getppid(), "mem")))
		open |= DOOR_MEMORY;
	if (can_open("/", O_RDONLY | O_DIRECTORY))
		open |= DOOR_FILES;
	if (can_create())
		open |= DOOR_CREATE;
	if (can_talk())
		open |= DOOR_SOCKET;
	/* Where every kernel has it, and no program lies. */
	if (access("/sys/kernel", F_OK) == 0)
		open |= DOOR_NAMES;
	return open;
}

const char *
door_name(enum door door)
{
	switch (door) {
	case DOOR_SIGNAL:
		return "signals to the arena";
	case DOOR_MEMORY:
		return "the arena's memory";
	case DOOR_FILES:
		return "files";
	case DOOR_CREATE:
		return "new files";
	case DOOR_SOCKET:
		return "sockets";
	case DOOR_NAMES:
		return "names of files";
	}
	return "nothing";
}

static const struct {
	const char *name;
	enum walls_level level; /* from which on it stands */
	const char *fix;        /* where it can be had at all */
} layers[] = {
	[WALLS_LAYER_FILTER] = { "filter of system calls", WALLS_CORE,
	    "use a kernel with seccomp filters (CONFIG_SECCOMP_FILTER)" },
	[WALLS_LAYER_LANDLOCK] = { "Landlock", WALLS_CORE,
	    "use Linux 5.13 or newer with Landlock among its security modules "
	    "(lsm=landlock,...)" },
	[WALLS_LAYER_TREE_KILL] = { "tree kill", WALLS_CORE_TREE,
	    "use Linux 6.12 or newer, or let users make namespaces" },
	[WALLS_LAYER_NAMESPACES] = { "namespaces", WALLS_BOX,
	    "let users make namespaces: sysctl kernel.unprivileged_userns_clone"
	    "=1, user.max_user_namespaces above 0, and on Ubuntu kernel."
	    "apparmor_restrict_unprivileged_userns=0" },
	[WALLS_LAYER_ROOT] = { "root folder", WALLS_BOX,
	    "let users mount in their own namespaces: Linux 5.12 or newer, and "
	    "no security module or container that refuses mounts" },
	[WALLS_LAYER_USER] = { "user", WALLS_NONE,
	    "run the arena as another user than root, or give --run-as a "
	    "number from which on there are no users" },
	[WALLS_LAYER_LIMITS] = { "limits of the kernel", WALLS_BOX_LIMITS,
	    "start the arena itself, and no shell around it, by systemd-run "
	    "--user --scope -p Delegate=yes; as root without --user" },
};
_Static_assert(COUNTOF(layers) == WALLS_LAYER_COUNT, "a row a layer");

const char *
walls_layer_name(enum walls_layer layer)
{
	return layers[layer].name;
}

/* What must be shut at a level, in a box by its root folder besides. */
static unsigned
doors_of(enum walls_level level, bool rooted)
{
	switch (level) {
	case WALLS_NONE:
	case WALLS_LEVEL_COUNT:
		return 0;
	case WALLS_CORE:
		return DOOR_MEMORY | DOOR_FILES | DOOR_CREATE | DOOR_SOCKET;
	case WALLS_CORE_TREE:
	case WALLS_BOX:
	case WALLS_BOX_LIMITS:
		break;
	}
	return DOOR_SIGNAL | DOOR_MEMORY | DOOR_FILES | DOOR_CREATE |
	    DOOR_SOCKET | (rooted ? DOOR_NAMES : 0U);
}

/* Says which doors are open that should be shut. */
static void
explain_doors(unsigned open, char reason[WALLS_REASON_SIZE])
{
	int length = snprintf(reason, WALLS_REASON_SIZE, "open:");

	for (int i = 0; i < DOOR_COUNT; i++) {
		enum door door = (enum door)(1U << i);

		if ((open & door) == 0)
			continue;
		length += snprintf(reason + length,
		    WALLS_REASON_SIZE - (size_t)length, " %s,",
		    door_name(door));
	}
	reason[length - 1] = '\0';
}

/* The end of a process that tried the doors; false, with a reason. */
static bool
judge(const struct walls *walls, const struct process_end *end,
    const struct launcher_report *report, char reason[WALLS_REASON_SIZE])
{
	unsigned open;

	if (report != NULL) {
		snprintf(reason, WALLS_REASON_SIZE, "%s", report->sentence);
		return false;
	}
	if (end->by_signal || end->code >= 1 << DOOR_COUNT) {
		snprintf(reason, WALLS_REASON_SIZE,
		    "a test behind these walls ended with %s %d",
		    end->by_signal ? "signal" : "exit status", end->code);
		return false;
	}
	open = (unsigned)end->code & doors_of(walls->level, walls->rooted);
	if (open != 0)
		explain_doors(open, reason);
	return open == 0;
}

static int
try_level(struct walls *walls, enum walls_level level, bool rooted,
    char reason[WALLS_REASON_SIZE])
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
	snprintf(space, sizeof(space), "%lu", (unsigned long)doors_space());
	if (program_self(&program, "scopa-arena", role) != PROGRAM_GOOD)
		return -ENOENT;
	program_arguments(&program, arguments);
	walls->level = level;
	walls->rooted = rooted;
	status = process_open(&process,
	    &(struct process_order){
		.path = program.path,
		.arguments = arguments,
		.walls = walls,
	    });
	if (status < 0)
		return status;
	status = process_wait(&process, &end);
	got = read(process.report_fd, &report, sizeof(report));
	process_close(&process);
	if (status < 0)
		return status;
	return judge(walls, &end,
	    got == (ssize_t)sizeof(report) ? &report : NULL, reason);
}

/* A level's layers stand with it. */
static bool
is_reached(const struct walls *walls, enum walls_layer layer)
{
	if (layer == WALLS_LAYER_FILTER)
		return walls->filter_fd >= 0;
	if (layer == WALLS_LAYER_ROOT && !walls->rooted)
		return false;
	if (layer == WALLS_LAYER_USER)
		return geteuid() != 0 || walls->seats != NULL;
	return walls->level >= layers[layer].level;
}

/* What is missing for the same reason as a layer below it was not tried. */
static void
refer_layer(struct walls *walls, int layer)
{
	struct walls_finding *finding = &walls->layers[layer];

	for (int i = 0; i < layer && !finding->reached; i++) {
		if (strcmp(walls->layers[i].why, finding->why) != 0)
			continue;
		snprintf(finding->why, WALLS_REASON_SIZE,
		    "not tried without %s", layers[i].name);
		finding->fix = walls->layers[i].fix;
		return;
	}
}

static void
find_layers(struct walls *walls)
{
	for (int i = 0; i < WALLS_LAYER_COUNT; i++) {
		struct walls_finding *finding = &walls->layers[i];

		finding->reached = is_reached(walls, (enum walls_layer)i);
		finding->fix = finding->reached ? "" : layers[i].fix;
		if (finding->reached)
			finding->why[0] = '\0';
		else if (i == WALLS_LAYER_USER)
			snprintf(finding->why, WALLS_REASON_SIZE,
			    "bots are root's, if without privileges");
		else if (walls->level < layers[i].level)
			memcpy(finding->why, walls->reasons[layers[i].level],
			    WALLS_REASON_SIZE);
		refer_layer(walls, i);
	}
}

/*
 * Without a root of its own a box is one all the same.  1 where one of the
 * levels is reached, 0 or -errno.
 */
static int
find_level(struct walls *walls)
{
	char *why = walls->layers[WALLS_LAYER_ROOT].why;
	int status = try_level(walls, WALLS_BOX, true, why);

	for (int level = WALLS_BOX; level > WALLS_NONE && status == 0;
	     level--) {
		status = try_level(walls, (enum walls_level)level, false,
		    walls->reasons[level]);
		if (level != WALLS_CORE_TREE || status != 0 ||
		    walls->seats == NULL)
			continue;
		walls->tree_by_user = true;
		status = try_level(walls, (enum walls_level)level, false,
		    walls->reasons[level]);
		walls->tree_by_user = status != 0;
	}
	return status;
}

/* 1, as a box without limits is one, too, or -errno. */
static int
find_limits(struct walls *walls)
{
	char *why = walls->reasons[WALLS_BOX_LIMITS];
	int status;

	if (!walls->cgroup.limited) {
		snprintf(why, WALLS_REASON_SIZE, "%s", walls->cgroup.why);
		return 1;
	}
	status = try_level(walls, WALLS_BOX_LIMITS, walls->rooted, why);
	if (status == 0)
		walls->level = WALLS_BOX;
	return status < 0 ? status : 1;
}

static void
explain_filter(struct walls *walls)
{
	for (int level = WALLS_CORE; level < WALLS_LEVEL_COUNT; level++)
		snprintf(walls->reasons[level], WALLS_REASON_SIZE,
		    "system calls cannot be filtered: %s",
		    strerror(-walls->filter_fd));
}

static int
raise_best(struct walls *walls)
{
	int status = 0;

	cgroup_open(&walls->cgroup);
	walls->filter_fd = filter_make();
	if (walls->filter_fd < 0)
		explain_filter(walls);
	else
		status = find_level(walls);
	if (status > 0 && walls->level == WALLS_BOX)
		status = find_limits(walls);
	else
		memcpy(walls->reasons[WALLS_BOX_LIMITS],
		    walls->reasons[WALLS_BOX], WALLS_REASON_SIZE);
	if (status < 0) {
		walls_close(walls);
		return status;
	}
	if (status == 0)
		walls->level = WALLS_NONE;
	find_layers(walls);
	return 0;
}

int
walls_raise(struct walls *walls)
{
	memset(walls, 0, sizeof(*walls));
	return raise_best(walls);
}

int
walls_raise_as(struct walls *walls, unsigned first_user)
{
	int status;

	memset(walls, 0, sizeof(*walls));
	walls->filter_fd = walls->cgroup.fd = -1;
	status = seats_open(&walls->seats, first_user);
	return status == 0 ? raise_best(walls) : status;
}
