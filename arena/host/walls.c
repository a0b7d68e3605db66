#include "walls.h"

#include <errno.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"
#include "doors.h"
#include "filter.h"
#include "launcher.h"
#include "process.h"
#include "program.h"
#include "user.h"

const char *
walls_level_name(enum walls_level level)
{
	static const char *const names[WALLS_LEVEL_COUNT] = {
		[WALLS_NONE] = "none",
		[WALLS_CORE] = "core",
		[WALLS_CORE_TREE] = "core+tree",
		[WALLS_BOX] = "box",
		[WALLS_BOX_LIMITS] = "box+limits",
	};

	return names[level];
}

const char *
walls_name(const struct walls *walls)
{
	static const char *const weakened[WALLS_LEVEL_COUNT] = {
		[WALLS_NONE] = "none",
		[WALLS_CORE] = "core-shared-futex",
		[WALLS_CORE_TREE] = "core+tree-shared-futex",
		[WALLS_BOX] = "box-shared-futex",
		[WALLS_BOX_LIMITS] = "box+limits-shared-futex",
	};

	if (walls == NULL)
		return WALLS_UNBOXED;
	return walls->weakened ? weakened[walls->level]
			       : walls_level_name(walls->level);
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

void
walls_close(struct walls *walls)
{
	cgroup_close(&walls->cgroup);
	seats_close(walls->seats);
	walls->seats = NULL;
	if (walls->filter_fd >= 0)
		close(walls->filter_fd);
	walls->filter_fd = -1;
}

bool
walls_shut_signals(const struct walls *walls)
{
	return walls != NULL &&
	    (walls->level >= WALLS_CORE_TREE || walls->seats != NULL);
}

/*
 * As realpath(), also of a file that is to come: it will be made where a link
 * of its name leads to.
 */
static int
truth_find(const char *path, char truth[PATH_MAX])
{
	char folder[PATH_MAX], name[PATH_MAX], target[PATH_MAX];
	const char *above;
	ssize_t size;

	if (realpath(path, truth) != NULL)
		return 0;
	if (errno != ENOENT)
		return -errno;
	snprintf(folder, sizeof(folder), "%s", path);
	if (realpath(dirname(folder), truth) == NULL)
		return -errno;
	/* The root ends in a slash of its own. */
	above = strcmp(truth, "/") == 0 ? "" : truth;
	snprintf(name, sizeof(name), "%s", path);
	size = readlink(path, target, sizeof(target) - 1);
	if (size >= 0)
		target[size] = '\0';
	if (snprintf(folder, sizeof(folder), "%s/%s", above,
		size < 0 ? basename(name) : target) >= (int)sizeof(folder))
		return -ENAMETOOLONG;
	if (size >= 0)
		return truth_find(target[0] == '/' ? target : folder, truth);
	strcpy(truth, folder);
	return 0;
}

int
walls_hide(struct walls *walls, const char *path)
{
	struct stat found;
	int status;

	/* A device keeps nothing that could be read from it later. */
	if (stat(path, &found) == 0 && S_ISCHR(found.st_mode))
		return 0;
	if (walls->hidden_count == ALLOWANCE_HIDDEN_MAX)
		return -ENOSPC;
	status = truth_find(path, walls->hidden[walls->hidden_count]);
	walls->hidden_count += status == 0;
	return status;
}
