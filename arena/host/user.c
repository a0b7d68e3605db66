#include "user.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_REFUSED = 1 };

int
user_become(unsigned id)
{
	if (setgroups(0, NULL) < 0 || setresgid(id, id, id) < 0 ||
	    setresuid(id, id, id) < 0)
		return -errno;
	/* What /proc has of it would be root's: it could not map itself. */
	return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 ? -errno : 0;
}

/* In a process of its own, which nobody may look into. */
static int
signal_all(unsigned id, int number)
{
	if (setgroups(0, NULL) < 0 || setresgid(id, id, id) < 0 ||
	    setresuid(id, id, id) < 0)
		return EXIT_REFUSED;
	return kill(-1, number) < 0 && errno != ESRCH ? EXIT_REFUSED : 0;
}

int
user_signal(unsigned id, int number)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(signal_all(id, number));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	/* One of that user may have killed it in turn. */
	if (!WIFEXITED(status))
		return -EAGAIN;
	return WEXITSTATUS(status) == 0 ? 0 : -EPERM;
}
