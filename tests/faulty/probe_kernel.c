/* What a bot could ask of the kernel, and what it was left by mistake. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <linux/mount.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

#include "probe.h"

/* A child that is not wanted any more ends at once. */
static bool
cloned(long child)
{
	if (child == 0)
		_exit(0);
	return child > 0;
}

static bool
ring(const struct targets *targets)
{
	struct io_uring_params parameters = { 0 };

	(void)targets;
	return probe_opened((int)syscall(SYS_io_uring_setup, 1U, &parameters));
}

static bool
page_faults(const struct targets *targets)
{
	(void)targets;
	return probe_opened(
	    (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY));
}

static bool
performance(const struct targets *targets)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1,
	};

	(void)targets;
	return probe_opened(
	    (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0UL));
}

static bool
kernel_program(const struct targets *targets)
{
	union bpf_attr attributes;

	(void)targets;
	memset(&attributes, 0, sizeof(attributes));
	attributes.map_type = BPF_MAP_TYPE_ARRAY;
	attributes.key_size = 4;
	attributes.value_size = 4;
	attributes.max_entries = 1;
	return probe_opened((int)syscall(
	    SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes)));
}

static bool
namespace_unshare(const struct targets *targets)
{
	(void)targets;
	return unshare(CLONE_NEWUSER) == 0;
}

static bool
namespace_clone(const struct targets *targets)
{
	(void)targets;
	return cloned(
	    syscall(SYS_clone, (long)CLONE_NEWUSER | SIGCHLD, 0L, 0L, 0L, 0L));
}

static bool
namespace_clone3(const struct targets *targets)
{
	struct clone_args arguments = { .flags = CLONE_NEWUSER,
		.exit_signal = SIGCHLD };

	(void)targets;
	return cloned(syscall(SYS_clone3, &arguments, sizeof(arguments)));
}

/* Its own, which changes nothing. */
static bool
namespace_enter(const struct targets *targets)
{
	int fd = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);

	(void)targets;
	return fd >= 0 && setns(fd, 0) == 0;
}

static bool
mount_old(const struct targets *targets)
{
	(void)targets;
	/* In a space of its own, as it is not to be seen. */
	return unshare(CLONE_NEWNS) == 0 &&
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static bool
mount_new(const struct targets *targets)
{
	(void)targets;
	return probe_opened(
	    (int)syscall(SYS_fsopen, "tmpfs", (unsigned)FSOPEN_CLOEXEC));
}

static bool
mount_copy(const struct targets *targets)
{
	(void)targets;
	return probe_opened((int)syscall(SYS_open_tree, AT_FDCWD, "/",
	    (unsigned)(OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC)));
}

static bool
change_root(const struct targets *targets)
{
	(void)targets;
	return chroot("/") == 0;
}

static bool
change_personality(const struct targets *targets)
{
	(void)targets;
	return personality(ADDR_NO_RANDOMIZE) >= 0;
}

static bool
change_user(const struct targets *targets)
{
	uid_t other = getuid() + 1;

	(void)targets;
	return setresuid(other, other, other) == 0;
}

/* The name that it has. */
static bool
change_host_name(const struct targets *targets)
{
	char name[256];

	(void)targets;
	return gethostname(name, sizeof(name)) == 0 &&
	    sethostname(name, strlen(name)) == 0;
}

/* By the frequency that it has. */
static bool
change_clock(const struct targets *targets)
{
	struct timex timex = { .modes = 0 };

	(void)targets;
	if (adjtimex(&timex) < 0)
		return false;
	timex.modes = ADJ_FREQUENCY;
	return adjtimex(&timex) >= 0;
}

static bool
capabilities(const struct targets *targets)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct held[2] = { { 0 } };

	(void)targets;
	return syscall(SYS_capget, &header, held) == 0 &&
	    (held[0].effective | held[0].permitted | held[1].effective |
		held[1].permitted) != 0;
}

static bool
kernel_log(const struct targets *targets)
{
	enum { SIZE_OF_BUFFER = 10 };

	(void)targets;
	return klogctl(SIZE_OF_BUFFER, NULL, 0) >= 0;
}

/* Typing for whoever sits at the terminal; a pipe has nobody. */
static bool
type(const struct targets *targets)
{
	(void)targets;
	return ioctl(STDIN_FILENO, TIOCSTI, "") == 0 || errno != EPERM;
}

/* Calls that the filter was not written for: of the older machine. */
static bool
foreign_call(const struct targets *targets)
{
	(void)targets;
#ifdef __x86_64__
	enum { GETPID_OF_I386 = 20 };
	long number = GETPID_OF_I386;

	__asm__ volatile("int $0x80"
			 : "+a"(number)
			 :
			 : "memory", "cc", "r8", "r9", "r10", "r11");
	return number > 0;
#else
	return false;
#endif
}

static bool
descriptors_left(const struct targets *targets)
{
	(void)targets;
	for (int fd = STDERR_FILENO + 1; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return true;
	return false;
}

/* What a bot needs, and nothing of the arena's own. */
static bool
environment_left(const struct targets *targets)
{
	static const char *const wanted[] = {
		"PATH=", "LANG=", "HOME=", "PYTHONUNBUFFERED="
	};

	(void)targets;
	for (char **entry = environ; *entry != NULL; entry++) {
		size_t i = 0;

		while (i < COUNTOF(wanted) &&
		    strncmp(*entry, wanted[i], strlen(wanted[i])) != 0)
			i++;
		if (i == COUNTOF(wanted))
			return true;
	}
	return false;
}

const struct attempt kernel_attempts[] = {
	{ "ring", ring },
	{ "page-faults", page_faults },
	{ "performance", performance },
	{ "kernel-program", kernel_program },
	{ "namespace-unshare", namespace_unshare },
	{ "namespace-clone", namespace_clone },
	{ "namespace-clone3", namespace_clone3 },
	{ "namespace-enter", namespace_enter },
	{ "mount", mount_old },
	{ "mount-new", mount_new },
	{ "mount-copy", mount_copy },
	{ "root-change", change_root },
	{ "personality", change_personality },
	{ "user-change", change_user },
	{ "host-name", change_host_name },
	{ "clock", change_clock },
	{ "capabilities", capabilities },
	{ "kernel-log", kernel_log },
	{ "terminal-type", type },
	{ "foreign-call", foreign_call },
	{ "descriptors-left", descriptors_left },
	{ "environment-left", environment_left },
};

const size_t kernel_attempt_count = COUNTOF(kernel_attempts);
