/*
 * How a process is held, killed and reaped.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "census.h"
#include "process.h"
#include "seats.h"
#include "supervisor.h"

bool
process_kill(const struct process *process)
{
	siginfo_t info = { 0 };

	if (waitid(P_PIDFD, (id_t)process->pid_fd, &info,
		WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid != 0)
		return false;
	pidfd_send_signal(process->pid_fd, SIGTERM, NULL, 0);
	/* Somebody may have stopped it. */
	pidfd_send_signal(process->pid_fd, SIGCONT, NULL, 0);
	return true;
}

void
process_crush(const struct process *process)
{
	pidfd_send_signal(process->pid_fd, SIGKILL, NULL, 0);
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

	word.si_pid = getpid();
	word.si_uid = getuid();
	word.si_value.sival_int = frozen ? SUPERVISOR_FREEZE : SUPERVISOR_THAW;
	return pidfd_send_signal(
		   process->pid_fd, SUPERVISOR_SIGNAL, &word, 0) == 0 ||
		errno == ESRCH
	    ? 0
	    : -errno;
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

/* How the program has ended, from who has seen it. */
static void
take_last_word(const struct process *process, struct process_end *end)
{
	struct supervisor_end word;

	if (read(process->end_fd, &word, sizeof(word)) != sizeof(word)) {
		/* A launcher that could go no further has exited. */
		end->lost = end->by_signal;
		return;
	}
	end->limit = (enum supervisor_limit)word.limit;
	end->by_signal = WIFSIGNALED(word.wait_status);
	end->code = end->by_signal ? WTERMSIG(word.wait_status)
				   : WEXITSTATUS(word.wait_status);
}

void
process_give_seat(const struct process *process)
{
	if (process->seats != NULL)
		seats_give(process->seats, process->user);
}

int
process_reap(const struct process *process, struct process_end *end)
{
	struct pollfd wait = { .fd = process->pid_fd, .events = POLLIN };
	siginfo_t info = { 0 };
	struct rusage usage = { 0 };

	*end = (struct process_end){ .code = 0 };
	if (poll(&wait, 1, PROCESS_OBEY_MS) == 0)
		process_crush(process);
	/* glibc's waitid() does not give the usage that the kernel's does. */
	if (syscall(SYS_waitid, P_PIDFD, process->pid_fd, &info, WEXITED,
		&usage) < 0)
		return -errno;
	census_leave(process->pid);
	end->by_signal = info.si_code != CLD_EXITED;
	end->code = info.si_status;
	end->user_ns = timeval_ns(usage.ru_utime);
	end->system_ns = timeval_ns(usage.ru_stime);
	end->rss_max_bytes = usage.ru_maxrss * INT64_C(1024);
	take_last_word(process, end);
	/* Somebody may still be that user. */
	if (!end->lost)
		process_give_seat(process);
	return 0;
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
	close(process->end_fd);
	close(process->pid_fd);
}
