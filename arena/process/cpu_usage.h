/*
 * CPU usage: requests to the kernel's scheduler, the CPU time of a process and
 * all that it has started, and the time that a bot waits in the run queue.
 */
#ifndef CPU_USAGE_H
#define CPU_USAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Asks for the shortest time slice (Linux 6.12 and later), so that the calling
 * thread runs soon after it wakes up. For threads that never compute for long.
 * Children get the default scheduling; so nothing is asked for if the thread
 * has a raised priority, which its children would lose.
 */
void scheduler_hurry(void);

/*
 * The calling thread and its children do not preempt the running process when
 * they wake up (SCHED_BATCH).
 */
void scheduler_yield(void);

/* The CPU time of a process and all that it has started. */

/* Most processes of a tree that are read. */
enum { CPU_USAGE_PROCESSES_MAX = 256 };

struct cpu_usage {
	int64_t cpu_ns;
	/*
	 * What the first thread of the process itself has used, which is not in
	 * cpu_ns: a supervisor stops the bot and checks its memory there.
	 */
	int64_t first_thread_ns;
	bool hides; /* it may have used more: see below */
	/*
	 * Numbers that stand for all processes, and for those that were started
	 * before the last `recent_ns`.
	 */
	uint64_t members, old_members;
};

/*
 * User and system time of the process, its threads, its children and theirs,
 * the dead ones as far as their parents have reaped them.  The difference of
 * two readings is what was used in between, to about 10 ms if a process has
 * ended.  Not counted are processes that have left the tree, because their
 * parent has died and no process in the tree is a subreaper; and children that
 * the kernel does not list (CONFIG_PROC_CHILDREN).  0, or -ESRCH if the process
 * has ended.
 *
 * A bot can hide CPU time: in children that nobody reaps, because it ignores
 * SIGCHLD, each of which computes for some ms; or among very many processes.
 * `hides` says that this is possible: a process runs that was started within the
 * last `recent_ns`, or there are more than CPU_USAGE_PROCESSES_MAX processes, or
 * more than TREE_THREADS_MAX threads (tree.h).  It is possible, too, if
 * `old_members` is not what `members` was `recent_ns` ago: then a process has
 * ended since.  An honest bot may be found so once, by chance, and hardly twice
 * in succession.
 *
 * Takes about ten microseconds a process.
 */
int cpu_usage_read(pid_t pid, int64_t recent_ns, struct cpu_usage *usage);

/*
 * Run-queue wait: for how long a bot could have computed, but other processes
 * had the processor.
 *
 * The source is what the kernel counts for its first thread (schedstat). A wait
 * that has not ended yet is not in that count. So if the bot is ready to run,
 * or waits for pages that the kernel has to fetch, up to RUN_WAIT_OPEN_MAX_NS
 * of the time in which it has not run is added; and if an earlier call found it
 * ready, too, and it has used no CPU time since, the time between the calls.
 * CPU time of its threads is subtracted. If the bot has been seen with other
 * processes since it was asked, the wait is unknown: it may have waited for them.
 */

/* The most that is counted of an open wait when it is first seen. */
#define RUN_WAIT_OPEN_MAX_NS INT64_C(250000000)

/* The run-queue wait of one bot; zeroed at first. */
struct run_wait {
	pid_t supervisor;
	pid_t pid; /* pid of the bot; 0: not looked for yet, -1: not found */
	/* schedstat of the bot while pid > 0; -1: the kernel has none */
	int schedstat_fd;
	int64_t asked_ns;
	/* CPU time and wait of the bot when it was asked. */
	int64_t cpu_ns, wait_ns;
	/*
	 * Since when the bot is ready without having run (0: it is not), and
	 * its CPU time then.
	 */
	int64_t ready_since_ns, ready_cpu_ns;
};

/*
 * The bot below this supervisor is asked now. Takes two microseconds; the first
 * call takes a hundred.
 */
void run_wait_begin(struct run_wait *run_wait, pid_t supervisor);

/*
 * Returns for how many ns the bot has waited since it was asked, until
 * `now_ns`; 0 if that is unknown. Takes some hundred microseconds.
 */
int64_t run_wait_ns(struct run_wait *run_wait, int64_t now_ns);

/* Returns the number of descriptors that are open for it. */
int run_wait_descriptor_count(const struct run_wait *run_wait);

void run_wait_end(struct run_wait *run_wait);

#endif
