/*
 * doctor: what this machine offers to an arena, and what could be done about
 * what it lacks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <time.h>

#include "command.h"
#include "complaint.h"
#include "cores.h"
#include "countof.h"
#include "json.h"
#include "landlock.h"
#include "process.h"
#include "version.h"
#include "walls.h"

enum { CORES_TEXT_SIZE = 256, OTHER_DESCRIPTORS = 64 };

struct settings {
	bool json;
};

struct findings {
	struct utsname kernel;
	struct walls walls;
	int landlock; /* its version; 0: none */
	struct cores cores;
	int room; /* bots at once, as descriptors go */
	struct rlimit processes;
	int64_t clock_ns;   /* smallest step of the clock */
	int64_t free_bytes; /* where runs would go: the present folder */
};

static const struct option options[] = {
	{ .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "Print one JSON object.",
	    .offset = offsetof(struct settings, json) },
};

/* What opens the way to a level, where it can be had at all. */
static const char *const remedies[WALLS_LEVEL_COUNT] = {
	[WALLS_CORE] = "use Linux 5.13 or newer with Landlock among its "
		       "security modules (lsm=landlock,...) and seccomp",
	[WALLS_CORE_TREE] = "use Linux 6.12 or newer, or let users make "
			    "namespaces",
	[WALLS_BOX] = "let users make namespaces: sysctl "
		      "kernel.unprivileged_userns_clone=1, user.max_user_"
		      "namespaces above 0, and on Ubuntu kernel.apparmor_"
		      "restrict_unprivileged_userns=0",
};

static int
find_all(struct findings *findings)
{
	struct statvfs disk;
	struct timespec step;
	int error;

	memset(findings, 0, sizeof(*findings));
	error = walls_raise(&findings->walls);
	if (error)
		return error;
	findings->landlock = landlock_abi();
	findings->room = process_room(OTHER_DESCRIPTORS);
	error = cores_allowed(&findings->cores);
	if (error)
		return error;
	if (uname(&findings->kernel) < 0 ||
	    getrlimit(RLIMIT_NPROC, &findings->processes) < 0 ||
	    clock_getres(CLOCK_MONOTONIC, &step) < 0 || statvfs(".", &disk) < 0)
		return -errno;
	findings->clock_ns = step.tv_sec * INT64_C(1000000000) + step.tv_nsec;
	findings->free_bytes = (int64_t)(disk.f_bavail * disk.f_frsize);
	return 0;
}

static bool
is_certain(const struct walls *walls)
{
	return walls->level >= WALLS_CORE_TREE;
}

static void
print_walls(const struct walls *walls)
{
	printf("walls      %s\n", walls_level_name(walls->level));
	for (int level = (int)walls->level + 1; level < WALLS_LEVEL_COUNT;
	     level++) {
		printf("  no %s: %s\n",
		    walls_level_name((enum walls_level)level),
		    walls->reasons[level]);
		printf("    %s\n", remedies[level]);
	}
	printf("tree kill  %s\n",
	    is_certain(walls) ? "certain: --sandbox require plays"
			      : "not certain: --sandbox require refuses");
}

static void
print_text(const struct findings *findings)
{
	char cores[CORES_TEXT_SIZE];

	cores_format(&findings->cores, cores, sizeof(cores));
	printf("kernel     %s %s %s\n", findings->kernel.sysname,
	    findings->kernel.release, findings->kernel.machine);
	if (findings->landlock > 0)
		printf("landlock   version %d\n", findings->landlock);
	else
		printf("landlock   none\n");
	print_walls(&findings->walls);
	printf("cores      %d: %s\n", findings->cores.count, cores);
	printf("bots       %d at once, as descriptors go\n", findings->room);
	if (findings->processes.rlim_cur == RLIM_INFINITY)
		printf("processes  no limit\n");
	else
		printf("processes  %llu at most\n",
		    (unsigned long long)findings->processes.rlim_cur);
	printf("clock      steps of %" PRId64 " ns\n", findings->clock_ns);
	printf("disk       %.1f GB free here\n",
	    (double)findings->free_bytes / 1e9);
}

static void
print_json(const struct findings *findings)
{
	const struct walls *walls = &findings->walls;
	struct json json;

	json_init(&json, stdout);
	json_object_begin(&json, NULL);
	json_string(&json, "kernel", findings->kernel.release);
	json_string(&json, "machine", findings->kernel.machine);
	json_int(&json, "landlock", findings->landlock);
	json_string(&json, "walls", walls_level_name(walls->level));
	json_object_begin(&json, "missing");
	for (int level = (int)walls->level + 1; level < WALLS_LEVEL_COUNT;
	     level++)
		json_string(&json, walls_level_name((enum walls_level)level),
		    walls->reasons[level]);
	json_object_end(&json);
	json_bool(&json, "tree_kill", is_certain(walls));
	json_int(&json, "cores", findings->cores.count);
	json_int(&json, "bots_at_once", findings->room);
	json_int(&json, "clock_ns", findings->clock_ns);
	json_int(&json, "free_bytes", findings->free_bytes);
	json_object_end(&json);
	json_finish(&json);
}

static enum status
doctor_run(const void *given, int argc, char **argv)
{
	static struct findings findings;
	const struct settings *settings = given;
	int error = find_all(&findings);

	(void)argc;
	(void)argv;
	if (error) {
		complaint_say("the machine refused: %s", strerror(-error));
		return STATUS_ENVIRONMENT;
	}
	if (settings->json)
		print_json(&findings);
	else
		print_text(&findings);
	walls_close(&findings.walls);
	return is_certain(&findings.walls) ? STATUS_DONE : STATUS_FAILED;
}

const struct command command_doctor = {
	.name = "doctor",
	.sentence = "Shows what this machine offers: walls around bots, cores, "
		    "limits, clock, disk.",
	.detail = "The walls are found out by trying them. Exit 1 where what a "
		  "bot has started cannot be killed for certain.",
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = doctor_run,
};
