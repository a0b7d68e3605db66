/*
 * What the scopes of a Landlock domain take away; test_confinement.c tries the
 * files that are left.
 */
#include "confinement.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "trial.h"

static void
skip_below(int abi)
{
	if (landlock_abi() >= abi)
		return;
	print_message(
	    "# Landlock of this kernel is %d, not %d\n", landlock_abi(), abi);
	skip();
}

/* Behind a domain of files, or one of signals. */
struct domain {
	unsigned scopes;
	int (*play)(void);
};

static int
domain_play(void *context)
{
	const struct domain *domain = context;
	struct landlock landlock;

	trial_need(landlock_open(&landlock, domain->scopes) == 0);
	trial_need(landlock_enter(&landlock) == 0);
	landlock_close(&landlock);
	return domain->play();
}

static int
signal_outside(void)
{
	return kill(getppid(), 0) < 0 ? errno : 0;
}

static int
signal_inside(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		for (;;)
			pause();
	if (kill(pid, SIGKILL) < 0)
		return errno;
	return waitpid(pid, &status, 0) == pid ? 0 : errno;
}

static int
connect_anywhere(void)
{
	/* Nobody listens there, or somebody does: it is not refused. */
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	trial_need(fd >= 0);
	return connect(fd, (const struct sockaddr *)&address, sizeof(address)) <
		0
	    ? errno
	    : 0;
}

static int
open_root(void)
{
	return trial_open("/", O_RDONLY | O_DIRECTORY);
}

static int
try_domain(unsigned scopes, int (*play)(void))
{
	struct domain domain = { scopes, play };

	return trial_run(domain_play, &domain);
}

TEST(test_signals_do_not_leave_a_scope)
{
	skip_below(LANDLOCK_ABI_SCOPE);
	assert_int_equal(try_domain(LANDLOCK_SIGNALS, signal_outside), EPERM);
	assert_int_equal(try_domain(LANDLOCK_SIGNALS, signal_inside), 0);
	assert_int_equal(
	    try_domain(LANDLOCK_FILES | LANDLOCK_SIGNALS, signal_outside),
	    EPERM);
	assert_int_equal(try_domain(LANDLOCK_FILES, signal_outside), 0);
}

TEST(test_scope_alone_takes_no_files)
{
	skip_below(LANDLOCK_ABI_SCOPE);
	assert_int_equal(try_domain(LANDLOCK_SIGNALS, open_root), 0);
	assert_int_equal(
	    try_domain(LANDLOCK_FILES | LANDLOCK_SIGNALS, open_root), EACCES);
}

TEST(test_ports_are_out_of_reach)
{
	skip_below(LANDLOCK_ABI_NETWORK);
	assert_int_equal(try_domain(LANDLOCK_FILES, connect_anywhere), EACCES);
	if (landlock_abi() >= LANDLOCK_ABI_SCOPE)
		assert_int_not_equal(
		    try_domain(LANDLOCK_SIGNALS, connect_anywhere), EACCES);
}

TEST(test_kernel_that_has_nothing_of_it_is_reported)
{
	struct landlock landlock;

	assert_int_equal(landlock_open(&landlock, 0), -ENOSYS);
	if (landlock_abi() < LANDLOCK_ABI_FILES)
		assert_int_equal(
		    landlock_open(&landlock, LANDLOCK_FILES | LANDLOCK_SIGNALS),
		    -ENOSYS);
	if (landlock_abi() < LANDLOCK_ABI_SCOPE)
		assert_int_equal(
		    landlock_open(&landlock, LANDLOCK_SIGNALS), -ENOSYS);
}
