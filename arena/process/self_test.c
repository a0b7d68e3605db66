/*
 * Implements self_test.h. Each level is tried by a process of its own, from the
 * highest to the lowest; the first one that holds is used.
 */
#include "self_test.h"

#include <bsd/string.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"
#include "launcher.h"
#include "process.h"
#include "system_calls.h"
#include "user.h"

/* Returns whether `fd` is a descriptor, and closes it. */
static bool
is_open(int fd)
{
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/*
 * Whether /proc shows the processes of this PID namespace, by their pids in it.
 */
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
	return is_open(open(path, O_RDONLY | O_CLOEXEC));
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
	/*
	 * In another PID namespace the arena's pid means another process, or
	 * none.
	 */
	bool boxed = pid_namespace_id() != space;
	unsigned exposed = 0;

	if (!boxed && kill(arena, 0) == 0)
		exposed |= EXPOSED_SIGNAL;
	/*
	 * The arena itself is protected (no-dump). The supervisor of this
	 * process is tested in place of another bot.
	 */
	if (!(boxed && proc_is_own()) &&
	    (can_see(arena, "mem") || can_see(arena, "environ") ||
		can_see(getppid(), "mem")))
		exposed |= EXPOSED_MEMORY;
	if (is_open(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)))
		exposed |= EXPOSED_FILES;
	/* The file has no name, so nothing is left behind. */
	if (is_open(open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)))
		exposed |= EXPOSED_CREATE;
	if (is_open(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)))
		exposed |= EXPOSED_SOCKET;
	/* A folder that every kernel has, without programs in it. */
	if (access("/sys/kernel", F_OK) == 0)
		exposed |= EXPOSED_NAMES;
	return exposed;
}

/* In the order of their bits, for people. */
static const char *const exposure_names[] = { "signals to the arena",
	"the arena's memory", "files", "new files", "sockets",
	"names of files" };
_Static_assert(COUNTOF(exposure_names) == EXPOSURE_COUNT, "a name a bit");

static const struct {
	const char *name;
	const char *fix; /* where it can be had at all */
} layers[] = {
	[SANDBOX_LAYER_FILTER] = { "filter of system calls",
	    "use a kernel with seccomp filters (CONFIG_SECCOMP_FILTER)" },
	[SANDBOX_LAYER_LANDLOCK] = { "Landlock",
	    "use Linux 5.13 or newer with Landlock among its security modules "
	    "(lsm=landlock,...)" },
	[SANDBOX_LAYER_TREE_KILL] = { "tree kill",
	    "use Linux 6.12 or newer, or let users make namespaces" },
	[SANDBOX_LAYER_NAMESPACES] = { "namespaces",
	    "let users make namespaces: sysctl kernel.unprivileged_userns_clone"
	    "=1, user.max_user_namespaces above 0, and on Ubuntu kernel."
	    "apparmor_restrict_unprivileged_userns=0; give a container "
	    "--security-opt seccomp=unconfined and systempaths=unconfined" },
	[SANDBOX_LAYER_ROOT] = { "root folder",
	    "let users mount in their own namespaces: Linux 5.12 or newer, and "
	    "no security module or container that refuses mounts" },
	[SANDBOX_LAYER_USER] = { "user",
	    "run the arena as another user than root, or give --run-as a "
	    "number from which on there are no users" },
	[SANDBOX_LAYER_LIMITS] = { "limits of the kernel",
	    "start the arena itself, and no shell around it, by systemd-run "
	    "--user --scope -p Delegate=yes; as root without --user" },
};
_Static_assert(COUNTOF(layers) == SANDBOX_LAYER_COUNT, "a row a layer");

/*
 * The levels from the highest to the lowest, except limits.  A box without a
 * root folder of its own is still a box.  A process is still confined if it can
 * send signals to others.
 */
static const struct attempt {
	enum sandbox_layer layer; /* that is missing where it fails */
	enum sandbox_level level;
	bool rooted;
	bool kill_is_certain;
	unsigned closed; /* what must be out of reach */
} attempts[] = {
	{ SANDBOX_LAYER_ROOT, SANDBOX_BOX, true, true,
	    EXPOSED_CONFINED | EXPOSED_SIGNAL | EXPOSED_NAMES },
	{ SANDBOX_LAYER_NAMESPACES, SANDBOX_BOX, false, true,
	    EXPOSED_CONFINED | EXPOSED_SIGNAL },
	{ SANDBOX_LAYER_TREE_KILL, SANDBOX_PROCESS, false, true,
	    EXPOSED_CONFINED | EXPOSED_SIGNAL },
	{ SANDBOX_LAYER_LANDLOCK, SANDBOX_PROCESS, false, false,
	    EXPOSED_CONFINED },
};

const char *
sandbox_layer_name(enum sandbox_layer layer)
{
	return layers[layer].name;
}

/*
 * Evaluates the end of a process that tested its sandbox. Returns false, with a
 * reason, if the test failed.
 */
static bool
judge(unsigned closed, const struct process_end *end,
    const struct launcher_report *report, char reason[SANDBOX_REASON_SIZE])
{
	unsigned open = (unsigned)end->code & closed;
	size_t length;

	if (report != NULL) {
		snprintf(reason, SANDBOX_REASON_SIZE, "%s", report->sentence);
		return false;
	}
	if (end->by_signal || end->code >= 1 << EXPOSURE_COUNT) {
		snprintf(reason, SANDBOX_REASON_SIZE,
		    "a test in this sandbox ended with %s %d",
		    end->by_signal ? "signal" : "exit status", end->code);
		return false;
	}
	if (open == 0)
		return true;
	length = strlcpy(reason, "open:", SANDBOX_REASON_SIZE);
	for (int i = 0; i < EXPOSURE_COUNT; i++)
		if ((open & 1U << i) != 0)
			length += (size_t)snprintf(reason + length,
			    SANDBOX_REASON_SIZE - length, " %s,",
			    exposure_names[i]);
	reason[length - 1] = '\0';
	return false;
}

/*
 * Tests a level with a process. Returns 1 if the level works, 0 with a reason,
 * or -errno.
 */
static int
try_level(struct sandbox *sandbox, const struct attempt *attempt)
{
	char arena[16], space[32];
	const char *const arguments[] = { "scopa-arena", LAUNCHER_ROLE,
		LAUNCHER_TEST, arena, space, NULL };
	struct launcher_report report;
	struct process process;
	struct process_end end;
	ssize_t got;
	int status;

	snprintf(arena, sizeof(arena), "%d", getpid());
	snprintf(
	    space, sizeof(space), "%lu", (unsigned long)pid_namespace_id());
	sandbox->level = attempt->level;
	sandbox->rooted = attempt->rooted;
	sandbox->kill_is_certain = attempt->kill_is_certain;
	status = process_open(&process,
	    &(struct process_order){
		.path = "/proc/self/exe",
		.arguments = arguments,
		.sandbox = sandbox,
	    });
	if (status < 0)
		return status;
	status = process_wait(&process, &end);
	got = read(process.fds[PROCESS_REPORT], &report, sizeof(report));
	process_close(&process);
	if (status < 0)
		return status;
	/* Without memory a layer is not missing. pthread_create(3): EAGAIN. */
	if (got == (ssize_t)sizeof(report) &&
	    (report.error == ENOMEM || report.error == EAGAIN))
		return -report.error;
	return judge(attempt->closed, &end,
	    got == (ssize_t)sizeof(report) ? &report : NULL,
	    sandbox->layers[attempt->layer].why);
}

/* If a lower layer is missing for the same reason, refers to that layer. */
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
	const bool boxed = sandbox->level >= SANDBOX_BOX;
	const bool reached[SANDBOX_LAYER_COUNT] = {
		[SANDBOX_LAYER_FILTER] = sandbox->filter_fd >= 0,
		[SANDBOX_LAYER_LANDLOCK] = sandbox->level >= SANDBOX_PROCESS,
		[SANDBOX_LAYER_TREE_KILL] = sandbox->kill_is_certain,
		[SANDBOX_LAYER_NAMESPACES] = boxed,
		[SANDBOX_LAYER_ROOT] = boxed && sandbox->rooted,
		[SANDBOX_LAYER_USER] =
		    geteuid() != 0 || sandbox->uid_pool != NULL,
		[SANDBOX_LAYER_LIMITS] = sandbox->level == SANDBOX_BOX_LIMITS,
	};
	const char *no_box = sandbox->layers[SANDBOX_LAYER_NAMESPACES].why;
	struct sandbox_finding *found = sandbox->layers;

	snprintf(found[SANDBOX_LAYER_USER].why, SANDBOX_REASON_SIZE,
	    "bots are root's, if without privileges");
	if (!boxed) {
		memcpy(
		    found[SANDBOX_LAYER_ROOT].why, no_box, SANDBOX_REASON_SIZE);
		memcpy(found[SANDBOX_LAYER_LIMITS].why, no_box,
		    SANDBOX_REASON_SIZE);
	}
	for (int i = 0; i < SANDBOX_LAYER_COUNT; i++) {
		found[i].reached = reached[i];
		found[i].fix = reached[i] ? "" : layers[i].fix;
		if (reached[i])
			found[i].why[0] = '\0';
		refer_layer(sandbox, i);
	}
}

/* Returns 0 or -errno; 0 also without limits, which a box may lack. */
static int
find_limits(struct sandbox *sandbox)
{
	const struct attempt attempt = { SANDBOX_LAYER_LIMITS,
		SANDBOX_BOX_LIMITS, sandbox->rooted, true,
		EXPOSED_CONFINED | EXPOSED_SIGNAL |
		    (sandbox->rooted ? EXPOSED_NAMES : 0U) };
	int status;

	if (!sandbox->cgroup.limited) {
		snprintf(sandbox->layers[SANDBOX_LAYER_LIMITS].why,
		    SANDBOX_REASON_SIZE, "%s", sandbox->cgroup.why);
		return 0;
	}
	status = try_level(sandbox, &attempt);
	if (status == 0)
		sandbox->level = SANDBOX_BOX;
	return status < 0 ? status : 0;
}

static void
explain_filter(struct sandbox *sandbox)
{
	for (int i = 0; i < SANDBOX_LAYER_COUNT; i++)
		snprintf(sandbox->layers[i].why, SANDBOX_REASON_SIZE,
		    "system calls cannot be filtered: %s",
		    strerror(-sandbox->filter_fd));
}

static int
find_best(struct sandbox *sandbox)
{
	int status = 0;

	cgroup_open(&sandbox->cgroup);
	sandbox->filter_fd = filter_make();
	if (sandbox->filter_fd == -ENOSYS)
		explain_filter(sandbox);
	else if (sandbox->filter_fd < 0)
		status = sandbox->filter_fd;
	for (int i = 0;
	     i < COUNTOF(attempts) && status == 0 && sandbox->filter_fd >= 0;
	     i++)
		status = try_level(sandbox, &attempts[i]);
	if (status == 0) {
		sandbox->level = SANDBOX_NONE;
		sandbox->kill_is_certain = false;
	} else if (status > 0 && sandbox->level == SANDBOX_BOX) {
		status = find_limits(sandbox);
	}
	if (status < 0) {
		sandbox_close(sandbox);
		return status;
	}
	find_layers(sandbox);
	return 0;
}

int
sandbox_detect(struct sandbox *sandbox, unsigned first_user)
{
	int status = 0;

	memset(sandbox, 0, sizeof(*sandbox));
	sandbox->filter_fd = sandbox->cgroup.fd = -1;
	if (first_user != 0)
		status = uid_pool_open(&sandbox->uid_pool, first_user);
	return status == 0 ? find_best(sandbox) : status;
}
