/*
 * The main function of scopa-arena.  One program holds the arena, the built-in
 * bots and the tools.  The first argument decides what the process is: the
 * launcher of a bot (LAUNCHER_ROLE), or a command of the command line.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "command.h"
#include "launcher.h"
#include "user.h"

enum { STACK_BYTES = 8 << 20 }; /* the usual soft limit */

/*
 * Opens /dev/null for each of the descriptors 0, 1 and 2 that the calling
 * process has closed.  Otherwise the next file that this process opens, perhaps
 * a record, would get that number, and printed text would go into it.  Standard
 * output is opened to read only: what a command prints there is lost, so its
 * write must fail.
 */
static void
descriptors_fill(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			/* NOLINTNEXTLINE: child processes inherit it. */
			(void)open("/dev/null",
			    fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
	}
}

/* Raises the soft limit of a resource to `least`, or as far as it may go. */
static void
limit_raise(__rlimit_resource_t resource, rlim_t least)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) < 0 || limit.rlim_cur >= least)
		return;
	limit.rlim_cur = limit.rlim_max < least ? limit.rlim_max : least;
	(void)setrlimit(resource, &limit);
}

int
main(int argc, char **argv)
{
	/*
	 * Every bot starts this way, so this path does as little as possible.
	 */
	if (argc > 1 && strcmp(argv[1], LAUNCHER_ROLE) == 0)
		return launcher_main(argc, argv);
	descriptors_fill();
	/* Bots inherit these limits, and would lose games by them. */
	limit_raise(RLIMIT_CPU, RLIM_INFINITY);
	limit_raise(RLIMIT_STACK, STACK_BYTES);
	/*
	 * When a file reaches its size limit, the write fails with EFBIG.  The
	 * signal would end the process.
	 */
	signal(SIGXFSZ, SIG_IGN);
	/*
	 * A parent process that ignores SIGCHLD hands this on.  The kernel
	 * would then discard the exit statuses of child processes.
	 */
	signal(SIGCHLD, SIG_DFL);
	/*
	 * The memory of this process holds the secrets of packs and all hands.
	 */
	if (no_dump_begin() < 0 || atexit(no_dump_end) != 0) {
		error_print("this process cannot be protected from being read "
			    "by others");
		return STATUS_ENVIRONMENT;
	}
	if (sodium_init() < 0) {
		error_print("libsodium cannot be initialised");
		return STATUS_ENVIRONMENT;
	}
	return (int)command_main(argc, argv);
}
