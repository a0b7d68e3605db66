/*
 * The scheduler of the simulation: the time, and the processes that share it.
 *
 * A process of the arena is a coroutine that runs until it waits. At each step
 * the scheduler lets the bots act that are due, then continues one process that
 * is ready. If several are ready, one of them is drawn. If none is ready, the
 * time advances to the next moment at which something happens. There is no
 * parallelism, so a seed always gives the same order.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "sim.h"

enum {
	TASKS_MAX = 8,
	PROCESSES_MAX = 8192,
	STACK_SIZE = 1 << 20,
	FIRST_PID = 5000000, /* above every pid of the real kernel */
	STEPS_MAX = 4000000
};

/* A simulation that takes longer has failed. */
#define TIME_MAX_NS (INT64_C(100000) * 1000 * SIM_MS)

struct sim_task {
	struct sim_process *process;
	struct sim_files files;
	ucontext_t context;
	void *stack;
	void (*run)(void *context);
	void *run_context;
	/* What the task waits for; NULL: for nothing. */
	bool (*ready)(void *context);
	void *ready_context;
	int64_t until_ns;
	int64_t memory; /* number of allocated memory blocks */
	bool used;
};

struct sim_machine sim_machine;

static struct sim_task tasks[TASKS_MAX];
static struct sim_task *now_task;
static struct sim_process processes[PROCESSES_MAX];
static int process_count;
static int first_living; /* all processes before it are reaped bots */
static ucontext_t scheduler;

bool
sim_fails(enum sim_failure failure)
{
	return ++sim_machine.counts->failures[failure] ==
	    sim_machine.faults->failures[failure];
}

struct sim_files *
sim_files_now(void)
{
	SIM_MUST(now_task != NULL);
	return &now_task->files;
}

struct sim_task *
sim_become(struct sim_task *task)
{
	struct sim_task *before = now_task;

	now_task = task;
	return before;
}

void
sim_memory(int count)
{
	if (now_task != NULL)
		now_task->memory += count;
}

int64_t
sim_memory_count(void)
{
	return now_task->memory;
}

struct sim_process *
sim_process_add(struct sim_bot *bot)
{
	struct sim_process *process = &processes[process_count];

	SIM_MUST(process_count < PROCESSES_MAX);
	process->pid = FIRST_PID + process_count++;
	process->parent = now_task != NULL ? now_task->process->pid : 0;
	process->bot = bot;
	return process;
}

struct sim_process *
sim_process_find(pid_t pid)
{
	int index = pid - FIRST_PID;

	return index >= 0 && index < process_count ? &processes[index] : NULL;
}

/*
 * The bots of a worker that is killed die with it, as their pipes close. A
 * worker that exits must have ended and reaped its bots before.
 */
static void
end_children(const struct sim_process *parent)
{
	for (int i = first_living; i < process_count; i++) {
		struct sim_process *child = &processes[i];

		if (child->parent != parent->pid || child->bot == NULL)
			continue;
		if (!WIFSIGNALED(parent->status) && !child->reaped)
			sim_bad("process %d leaves its child %d", parent->pid,
			    child->pid);
		sim_process_end(child, SIGKILL);
		child->reaped = true;
	}
}

void
sim_process_end(struct sim_process *process, int status)
{
	if (process->dead)
		return;
	sim_log("process %d ends by %d", process->pid, status);
	process->dead = true;
	process->status = status;
	if (process->bot != NULL) {
		sim_bot_end(process->bot);
		return;
	}
	end_children(process);
	sim_files_close(&process->task->files);
	munmap(process->task->stack, STACK_SIZE);
	memset(process->task, 0, sizeof(*process->task));
	process->task = NULL;
}

/* The entry point of a coroutine. */
static void
begin_task(void)
{
	now_task->run(now_task->run_context);
	sim_exit(0);
}

struct sim_process *
sim_fork(void (*run)(void *context), void *context)
{
	struct sim_task *task = tasks;

	while (task < tasks + TASKS_MAX && task->used)
		task++;
	SIM_MUST(task < tasks + TASKS_MAX);
	*task = (struct sim_task){
		.used = true,
		.run = run,
		.run_context = context,
		.process = sim_process_add(NULL),
	};
	task->process->task = task;
	if (now_task != NULL)
		sim_files_copy(&task->files, &now_task->files);
	task->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	SIM_MUST(task->stack != MAP_FAILED);
	SIM_MUST(getcontext(&task->context) == 0);
	task->context.uc_stack.ss_sp = task->stack;
	task->context.uc_stack.ss_size = STACK_SIZE;
	task->context.uc_link = NULL;
	makecontext(&task->context, begin_task, 0);
	return task->process;
}

void
sim_wait(bool (*ready)(void *context), void *context, int64_t until_ns)
{
	struct sim_task *task = now_task;

	task->ready = ready;
	task->ready_context = context;
	task->until_ns = until_ns;
	SIM_MUST(swapcontext(&task->context, &scheduler) == 0);
}

_Noreturn void
sim_exit(int status)
{
	struct sim_task *task = now_task;

	/* The stack is in use until the scheduler has taken over, so the
	 * scheduler frees it. */
	task->process->status = status << 8;
	task->ready = NULL;
	task->used = false;
	setcontext(&scheduler);
	abort();
}

static bool
task_ready(const struct sim_task *task)
{
	return task->ready == NULL || task->ready(task->ready_context) ||
	    task->until_ns <= sim_machine.now_ns;
}

/* One of the tasks that are ready, drawn; NULL if none is. */
static struct sim_task *
choose_task(void)
{
	struct sim_task *ready[TASKS_MAX];
	int count = 0;

	for (int i = 0; i < TASKS_MAX; i++)
		if (tasks[i].used && task_ready(&tasks[i]))
			ready[count++] = &tasks[i];
	if (count == 0)
		return NULL;
	return ready[count == 1 ? 0 : sim_below(&sim_machine.random, count)];
}

/* The living bot that acts first, or NULL; its time goes to *due_ns. */
static struct sim_bot *
first_bot(int64_t *due_ns)
{
	struct sim_bot *first = NULL;

	*due_ns = INT64_MAX;
	for (int i = first_living; i < process_count; i++) {
		struct sim_process *process = &processes[i];
		int64_t ns;

		if (process->dead && process->reaped && i == first_living)
			first_living++;
		if (process->bot == NULL || process->dead)
			continue;
		ns = sim_bot_due(process->bot);
		if (ns >= *due_ns)
			continue;
		*due_ns = ns;
		first = process->bot;
	}
	return first;
}

/*
 * Lets every bot act that is due by now. A bot acts at its own time `bot_ns`: a
 * lag of the arena does not delay the bots. Returns the time at which the next
 * bot is due; INT64_MAX: none is.
 */
static int64_t
wake_bots(void)
{
	struct sim_bot *bot;
	int64_t due_ns;

	while ((bot = first_bot(&due_ns)) != NULL &&
	    due_ns <= sim_machine.now_ns) {
		sim_machine.bot_ns = due_ns;
		sim_bot_wake(bot);
	}
	return due_ns;
}

/* The earliest time at which something happens without a process: `due_ns`,
 * the end of a wait, a timer, or the end of "disk full". */
static int64_t
next_time(int64_t due_ns)
{
	for (int i = 0; i < TASKS_MAX; i++) {
		int64_t ns = tasks[i].used ? tasks[i].until_ns : INT64_MAX;

		due_ns = ns < due_ns ? ns : due_ns;
		ns = tasks[i].used ? sim_files_due(&tasks[i].files) : INT64_MAX;
		due_ns = ns < due_ns ? ns : due_ns;
	}
	if (sim_machine.full_until_ns > 0 && sim_machine.full_until_ns < due_ns)
		due_ns = sim_machine.full_until_ns;
	return due_ns;
}

static void
run_task(struct sim_task *task)
{
	struct sim_process *process = task->process;

	task->ready = NULL;
	now_task = task;
	SIM_MUST(swapcontext(&scheduler, &task->context) == 0);
	now_task = NULL;
	if (!task->used)
		sim_process_end(process, process->status);
}

/* Applies the faults that the plan has for this step. */
static void
apply_step_faults(void)
{
	SIM_MUST(sim_machine.counts->failures[SIM_KILL_ARENA] < STEPS_MAX);
	SIM_MUST(sim_machine.now_ns < TIME_MAX_NS);
	if (sim_fails(SIM_KILL_ARENA))
		raise(SIGKILL);
	if (sim_fails(SIM_INTERRUPT))
		sim_machine.signal = SIGINT;
	if (sim_machine.full_until_ns > 0 &&
	    sim_machine.full_until_ns <= sim_machine.now_ns) {
		faults_disarm();
		sim_machine.full_until_ns = 0;
	}
	if (!sim_fails(SIM_KILL_WORKER))
		return;
	/* Task 0 is the arena itself; the first worker after it is killed. */
	for (int i = 1; i < TASKS_MAX; i++) {
		if (!tasks[i].used)
			continue;
		sim_log("worker %d is killed", tasks[i].process->pid);
		tasks[i].used = false;
		sim_process_end(tasks[i].process, SIGKILL);
		break;
	}
}

void
sim_kernel_run(const struct sim_plan *plan, const struct sim_faults *faults,
    struct sim_counts *counts, void (*main)(void *context), void *context)
{
	struct sim_process *process;

	sim_machine = (struct sim_machine){
		.plan = plan,
		.faults = faults,
		.counts = counts,
		.now_ns = 1000 * SIM_MS,
		.random = sim_mix(plan->seed, 1000),
		.verbose = sim_machine.verbose,
		.on = true,
	};
	process = sim_fork(main, context);
	while (!process->dead) {
		int64_t due_ns;
		struct sim_task *task;

		apply_step_faults();
		due_ns = wake_bots();
		task = choose_task();
		if (task != NULL) {
			run_task(task);
			continue;
		}
		due_ns = next_time(due_ns);
		if (due_ns == INT64_MAX)
			sim_bad("nothing will ever happen again");
		if (due_ns > sim_machine.now_ns)
			sim_machine.now_ns = due_ns;
	}
	for (int i = 0; i < process_count; i++)
		if (!processes[i].dead || (!processes[i].reaped && i > 0))
			sim_bad("process %d is left", processes[i].pid);
	for (int i = 0; i < process_count; i++)
		if (processes[i].bot != NULL)
			sim_bot_close(processes[i].bot);
	sim_machine.on = false;
	counts->end_ns = sim_machine.now_ns;
}
