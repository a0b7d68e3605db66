/*
 * The functions of the arena and of libc that reach the machine, except those
 * on descriptors: the clock, CPU usage, bot processes, worker processes,
 * signals and memory.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child_tracker.h"
#include "clock.h"
#include "cpu_usage.h"
#include "process.h"
#include "sim.h"
#include "sim_real.h"

/* Each call of the clock advances the time by 500 ns. A call that the plan
 * names advances it by a long lag. */
int64_t
clock_now_ns(void)
{
	int64_t call = ++sim_machine.counts->clocks;
	const struct sim_faults *faults = sim_machine.faults;

	sim_machine.now_ns += 500;
	for (int i = 0; i < faults->lag_count; i++)
		if (faults->lags[i].call == call) {
			sim_log("the arena sleeps for %lld ms",
			    (long long)(faults->lags[i].ns / SIM_MS));
			sim_machine.now_ns += faults->lags[i].ns;
		}
	return sim_machine.now_ns;
}

int64_t
clock_cpu_ns(void)
{
	return sim_machine.now_ns / 2;
}

/* A script uses no CPU time. */
int
clock_process_cpu_ns(int pid, int64_t *cpu_ns)
{
	const struct sim_process *process = sim_process_find(pid);

	if (process == NULL || process->dead)
		return -ESRCH;
	*cpu_ns = 0;
	return 0;
}

int
cpu_usage_read(pid_t pid, int64_t recent_ns, struct cpu_usage *usage)
{
	(void)recent_ns;
	*usage = (struct cpu_usage){ .hides = false };
	return clock_process_cpu_ns(pid, &usage->cpu_ns);
}

void
scheduler_hurry(void)
{
}

/* No simulated process ever waits for a CPU. */
void
run_wait_begin(struct run_wait *run_wait, pid_t supervisor)
{
	(void)supervisor;
	run_wait->pid = -1;
}

int64_t
run_wait_ns(struct run_wait *run_wait, int64_t now_ns)
{
	(void)run_wait;
	(void)now_ns;
	return 0;
}

int
run_wait_descriptor_count(const struct run_wait *run_wait)
{
	(void)run_wait;
	return 0;
}

void
run_wait_end(struct run_wait *run_wait)
{
	(void)run_wait;
}

void
clock_utc(char text[CLOCK_UTC_SIZE])
{
	strcpy(text, "2026-11-21T10:05:48.123Z");
}

/* The last argument of the command is the number of the entrant. */
int
process_open(struct process *process, const struct process_order *order)
{
	struct sim_file *input, *output, *error, *report, *end;
	struct sim_process *made;

	if (sim_fails(SIM_REFUSE_SPAWN)) {
		sim_log("no bot can be started");
		return -sim_machine.faults->error;
	}
	process->fds[PROCESS_INPUT] = sim_pipe_open(&input, true);
	process->fds[PROCESS_OUTPUT] = sim_pipe_open(&output, false);
	process->fds[PROCESS_ERROR] = sim_pipe_open(&error, false);
	process->fds[PROCESS_REPORT] = sim_pipe_open(&report, false);
	/* No report of the supervisor: its end of this pipe is closed at
	 * once. */
	process->fds[PROCESS_END] = sim_pipe_open(&end, false);
	sim_file_close(end);
	made = sim_bot_open(
	    atoi(order->arguments[1]), input, output, error, report);
	process->pid = made->pid;
	process->pid_fd = sim_process_file(made);
	return 0;
}

bool
process_kill(const struct process *process)
{
	struct sim_process *killed = sim_process_find(process->pid);

	if (killed->dead)
		return false;
	sim_process_end(killed, SIGKILL);
	return true;
}

void
process_force_kill(const struct process *process)
{
	(void)process_kill(process);
}

int
process_freeze(const struct process *process, bool frozen)
{
	struct sim_process *held = sim_process_find(process->pid);

	if (!held->dead)
		sim_bot_freeze(held->bot, frozen);
	return 0;
}

int
process_reap(const struct process *process, struct process_end *end)
{
	struct sim_process *reaped = sim_process_find(process->pid);

	SIM_MUST(reaped->dead && !reaped->reaped);
	reaped->reaped = true;
	*end = (struct process_end){
		.by_signal = WIFSIGNALED(reaped->status),
		.code = WIFSIGNALED(reaped->status)
		    ? WTERMSIG(reaped->status)
		    : WEXITSTATUS(reaped->status),
	};
	return 0;
}

int
process_wait(const struct process *process, struct process_end *end)
{
	SIM_MUST(process_kill(process));
	return process_reap(process, end);
}

void
process_close(struct process *process)
{
	for (int i = 0; i < PROCESS_PIPE_COUNT; i++)
		close(process->fds[i]);
	close(process->pid_fd);
}

int
process_room(int other_count)
{
	return 4000 - other_count;
}

int
process_make_room(int child_count, int other_count)
{
	(void)child_count, (void)other_count;
	return 0;
}

/* A script has no children, so there is nothing to track. sim_process_end
 * ends the bots of a dead worker. */
int
child_tracker_add(pid_t child)
{
	return sim_process_find(child) != NULL ? 0 : -ESRCH;
}

void
child_tracker_remove(pid_t child)
{
	SIM_MUST(sim_process_find(child) != NULL);
}

void
child_tracker_clear(void)
{
}

int
child_tracker_adopt(void)
{
	return 0;
}

void
child_tracker_end_orphans(void)
{
}

int
child_tracker_strangers(void)
{
	return 0;
}

int
child_tracker_sweep(void)
{
	return 0;
}

void
child_tracker_reap(void)
{
}

int
child_tracker_descriptors(void)
{
	return sim_files_count(sim_files_now());
}

int
__wrap_cores_allowed(struct cores *cores)
{
	*cores = (struct cores){ .count = sim_machine.plan->worker_count };
	return 0;
}

/* --- processes of the arena */

struct worker_start {
	const struct dispatcher_config *config;
	struct worker_place place;
};

static void
work(void *context)
{
	struct worker_start worker_start = *(struct worker_start *)context;

	__real_free(context);
	sim_exit(worker_run(worker_start.config, &worker_start.place));
}

pid_t
__wrap_worker_open(const struct dispatcher_config *config,
    const struct worker_place *place, void (*leave)(const void *context),
    const void *context)
{
	struct worker_start *worker_start =
	    __real_malloc(sizeof(*worker_start));
	struct sim_process *process;
	struct sim_task *before;

	SIM_MUST(worker_start != NULL);
	if (sim_fails(SIM_REFUSE_SPAWN)) {
		__real_free(worker_start);
		return -sim_machine.faults->error;
	}
	*worker_start = (struct worker_start){ config, *place };
	/* worker_run compares the parent with getppid(), and the simulated
	 * worker runs in the real process. */
	worker_start->place.parent = getppid();
	worker_start->place.core = -1;
	process = sim_fork(work, worker_start);
	before = sim_become(process->task);
	leave(context);
	sim_become(before);
	return process->pid;
}

/* No new session: all simulated processes are one real process. */
pid_t
__wrap_setsid(void)
{
	return getsid(0);
}

int
__wrap_kill(pid_t pid, int signal)
{
	struct sim_process *process = sim_process_find(pid);

	if (process == NULL)
		return __real_kill(pid, signal);
	SIM_MUST(signal == SIGKILL);
	if (!process->dead)
		sim_process_end(process, SIGKILL);
	return 0;
}

static bool
is_dead(void *context)
{
	return ((const struct sim_process *)context)->dead;
}

pid_t
__wrap_waitpid(pid_t pid, int *status, int flags)
{
	struct sim_process *process = sim_process_find(pid);

	if (process == NULL)
		return __real_waitpid(pid, status, flags);
	SIM_MUST(!process->reaped && flags == 0);
	sim_wait(is_dead, process, INT64_MAX);
	process->reaped = true;
	if (status != NULL)
		*status = process->status;
	return pid;
}

_Noreturn void
__wrap__exit(int status)
{
	if (!sim_machine.on)
		__real__exit(status);
	sim_exit(status);
}

static bool
is_signalled(void *context)
{
	(void)context;
	return sim_machine.signal != 0;
}

int
__wrap_sigtimedwait(
    const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	int signal;

	SIM_MUST(sigismember(set, SIGINT) && info == NULL);
	sim_wait(is_signalled, NULL, sim_machine.now_ns + timeout->tv_nsec);
	signal = sim_machine.signal;
	sim_machine.signal = 0;
	if (signal == 0)
		errno = EAGAIN;
	return signal == 0 ? -1 : signal;
}

/* --- memory */

static bool
refuses_memory(void)
{
	if (!sim_machine.on || !sim_fails(SIM_REFUSE_MEMORY))
		return false;
	sim_log("no memory");
	errno = ENOMEM;
	return true;
}

void *
__wrap_malloc(size_t size)
{
	if (refuses_memory())
		return NULL;
	sim_memory(1);
	return __real_malloc(size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
	if (refuses_memory())
		return NULL;
	sim_memory(1);
	return __real_calloc(count, size);
}

void *
__wrap_realloc(void *bytes, size_t size)
{
	if (refuses_memory())
		return NULL;
	sim_memory(bytes == NULL);
	return __real_realloc(bytes, size);
}

void *
__wrap_reallocarray(void *bytes, size_t count, size_t size)
{
	if (refuses_memory())
		return NULL;
	sim_memory(bytes == NULL);
	return __real_reallocarray(bytes, count, size);
}

char *
__wrap_strdup(const char *text)
{
	if (refuses_memory())
		return NULL;
	sim_memory(1);
	return __real_strdup(text);
}

void
__wrap_free(void *bytes)
{
	sim_memory(bytes == NULL ? 0 : -1);
	__real_free(bytes);
}
