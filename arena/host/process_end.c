/*
 * How a process is held, killed and reaped.
 */
#include <errno.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "supervisor.h"

bool
process_kill(const struct process *process)
{
	siginfo_t info = { 0 };

	if (waitid(P_PIDFD, (id_t)process->pid_fd, &info,
		WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid != 0)
		return false;
	if (process->supervised) {
		pidfd_send_signal(process->pid_fd, SIGTERM, NULL, 0);
		return true;
	}
	kill(-process->pid, SIGKILL);
	pidfd_send_signal(process->pid_fd, SIGKILL, NULL, 0);
	return true;
}

/*
 * A word to the supervisor is queued behind those before it; signals without a
 * value would merge, and which was the last could not be told.
 */
static int
process_hold(const struct process *process, bool frozen)
{
	siginfo_t word = {
		.si_signo = SUPERVISOR_SIGNAL,
		.si_code = SI_QUEUE,
	};
	int status;

	word.si_pid = getpid();
	word.si_uid = getuid();
	word.si_value.sival_int = frozen ? SUPERVISOR_FREEZE : SUPERVISOR_THAW;
	if (process->supervised)
		status = pidfd_send_signal(
		    process->pid_fd, SUPERVISOR_SIGNAL, &word, 0);
	else
		status = kill(-process->pid, frozen ? SIGSTOP : SIGCONT);
	return status == 0 || errno == ESRCH ? 0 : -errno;
}

int
process_freeze(const struct process *process)
{
	return process_hold(process, true);
}

int
process_thaw(const struct process *process)
{
	return process_hold(process, false);
}

static int64_t
timeval_ns(struct timeval time)
{
	return time.tv_sec * INT64_C(1000000000) + time.tv_usec * INT64_C(1000);
}

int
process_reap(const struct process *process, struct process_end *end)
{
	siginfo_t info = { 0 };
	struct rusage usage = { 0 };
	int status = 0;

	/* As long as it is not reaped the group's number is its own. */
	if (!process->supervised)
		kill(-process->pid, SIGKILL);
	/* glibc's waitid() does not give the usage that the kernel's does. */
	if (syscall(SYS_waitid, P_PIDFD, process->pid_fd, &info, WEXITED,
		&usage) < 0)
		status = -errno;
	end->by_signal = status == 0 && info.si_code != CLD_EXITED;
	end->code = info.si_status;
	end->user_ns = timeval_ns(usage.ru_utime);
	end->system_ns = timeval_ns(usage.ru_stime);
	end->rss_max_bytes = usage.ru_maxrss * INT64_C(1024);
	return status;
}

int
process_wait(const struct process *process, struct process_end *end)
{
	siginfo_t info = { 0 };

	while (waitid(P_PIDFD, (id_t)process->pid_fd, &info,
		   WEXITED | WNOWAIT) < 0)
		if (errno != EINTR)
			return -errno;
	return process_reap(process, end);
}

void
process_close(struct process *process)
{
	close(process->input_fd);
	close(process->output_fd);
	close(process->error_fd);
	close(process->report_fd);
	close(process->pid_fd);
}
