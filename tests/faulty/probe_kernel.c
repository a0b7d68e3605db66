/*
 * Calls of the kernel that a bot could use, and resources that it got by
 * mistake.
 */
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
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

#include "probe.h"

/* Whether a child was made; the child ends at once. */
static bool
cloned(long child)
{
	if (child == 0)
		_exit(0);
	return child > 0;
}

ATTEMPT(ring)
{
	struct io_uring_params parameters = { 0 };

	return probe_opened((int)syscall(SYS_io_uring_setup, 1U, &parameters));
}

ATTEMPT_IF(page_faults,
    probe_opened(
	(int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY)))

ATTEMPT(performance)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1,
	};

	return probe_opened(
	    (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0UL));
}

ATTEMPT(kernel_program)
{
	union bpf_attr attributes;

	memset(&attributes, 0, sizeof(attributes));
	attributes.map_type = BPF_MAP_TYPE_ARRAY;
	attributes.key_size = 4;
	attributes.value_size = 4;
	attributes.max_entries = 1;
	return probe_opened((int)syscall(
	    SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes)));
}

ATTEMPT_IF(namespace_unshare, unshare(CLONE_NEWUSER) == 0)
ATTEMPT_IF(namespace_clone,
    cloned(syscall(SYS_clone, (long)CLONE_NEWUSER | SIGCHLD, 0L, 0L, 0L, 0L)))

ATTEMPT(namespace_clone3)
{
	struct clone_args arguments = { .flags = CLONE_NEWUSER,
		.exit_signal = SIGCHLD };

	return cloned(syscall(SYS_clone3, &arguments, sizeof(arguments)));
}

/* Enters its own namespace, which changes nothing. */
ATTEMPT(namespace_enter)
{
	int fd = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);

	return fd >= 0 && setns(fd, 0) == 0;
}

ATTEMPT(mount)
{
	/* In a mount namespace of its own, so that nothing changes outside. */
	return unshare(CLONE_NEWNS) == 0 &&
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

ATTEMPT_IF(mount_new,
    probe_opened((int)syscall(SYS_fsopen, "tmpfs", (unsigned)FSOPEN_CLOEXEC)))
ATTEMPT_IF(mount_copy,
    probe_opened((int)syscall(SYS_open_tree, AT_FDCWD, "/",
	(unsigned)(OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC))))
ATTEMPT_IF(root_change, chroot("/") == 0)
ATTEMPT_IF(personality, personality(ADDR_NO_RANDOMIZE) >= 0)

ATTEMPT(user_change)
{
	uid_t other = getuid() + 1;

	return setresuid(other, other, other) == 0;
}

/* Sets the host name to its current value. */
ATTEMPT(host_name)
{
	char name[256];

	return gethostname(name, sizeof(name)) == 0 &&
	    sethostname(name, strlen(name)) == 0;
}

/* Sets the frequency to its current value. */
ATTEMPT(clock)
{
	struct timex timex = { .modes = 0 };

	if (adjtimex(&timex) < 0)
		return false;
	timex.modes = ADJ_FREQUENCY;
	return adjtimex(&timex) >= 0;
}

ATTEMPT(capabilities)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct held[2] = { { 0 } };

	return syscall(SYS_capget, &header, held) == 0 &&
	    (held[0].effective | held[0].permitted | held[1].effective |
		held[1].permitted) != 0;
}

ATTEMPT(kernel_log)
{
	enum { SIZE_OF_BUFFER = 10 };

	return klogctl(SIZE_OF_BUFFER, NULL, 0) >= 0;
}

/* Input for the user at the terminal; a pipe has no terminal. */
ATTEMPT_IF(
    terminal_type, ioctl(STDIN_FILENO, TIOCSTI, "") == 0 || errno != EPERM)

/* Calls of the 32-bit architecture, which the filter does not describe. */
ATTEMPT(foreign_call)
{
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

ATTEMPT(descriptors_left)
{
	for (int fd = STDERR_FILENO + 1; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return true;
	return false;
}

/* Only the variables that a bot needs, and none of the arena. */
ATTEMPT(environment_left)
{
	static const char *const wanted[] = {
		"PATH=", "LANG=", "HOME=", "PYTHONUNBUFFERED="
	};

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
