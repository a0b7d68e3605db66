/*
 * An event loop over descriptors, deadlines and signals.  It is the only place
 * that blocks.
 *
 * Watches and deadlines are the caller's storage.  Callbacks may open, change
 * and close any watch or deadline, their own included; a closed one is never
 * called again.  Each round first serves all ready descriptors, and then the
 * deadlines that had passed when the kernel was asked.  So an answer that came
 * in time is always served before its deadline.  If the loop was late,
 * heartbeats are called between these two steps: the owner of a deadline that
 * was missed can move it before it is called.
 */
#ifndef LOOP_H
#define LOOP_H

#include <bsd/sys/queue.h>
#include <stdint.h>
#include <sys/epoll.h>

/*
 * A heartbeat is a pair of callbacks about the timing of the loop itself.  One
 * is called at regular intervals.  The other is called when the process of the
 * loop was stopped, or got no core, for so long that no time measured meanwhile
 * can be trusted.
 */

/* A loop with a longer lag is late. */
#define HEARTBEAT_LATE_NS INT64_C(250000000)

/* A loop that has a deadline wakes up this often, to measure its own delay. */
#define HEARTBEAT_NS INT64_C(50000000)

/* In the caller's storage. */
struct heartbeat {
	/* Called about every HEARTBEAT_NS. */
	void (*on_heartbeat)(struct heartbeat *heartbeat, int64_t now_ns);
	/*
	 * The loop did not run for `lag_ns`, until `now_ns`.  Descriptors that
	 * were ready have been served, deadlines have not.
	 */
	void (*on_late)(
	    struct heartbeat *heartbeat, int64_t now_ns, int64_t lag_ns);
	void *context;
	TAILQ_ENTRY(heartbeat) link;
};

enum {
	LOOP_BATCH = 64,           /* ready descriptors taken by one wait */
	LOOP_DEADLINES_MAX = 16384 /* deadlines open at once */
};

#define LOOP_NEVER INT64_MAX

struct loop;

/*
 * Watches one descriptor.  It is called in every round in which the descriptor
 * is ready.
 */
struct loop_watch {
	/* `events` is what epoll reports, such as EPOLLIN */
	void (*on_ready)(struct loop_watch *watch, uint32_t events);
	void *context;
	/* -1: not watched; the caller sets it to -1 before the first use */
	int fd;
};

/*
 * One point in time.  A zeroed deadline is closed.  To set it later, or to
 * clear it, only stores a number: the heap is corrected when the old time
 * comes.
 */
struct loop_deadline {
	/* Called once.  The deadline is clear again before the call. */
	void (*on_deadline)(struct loop_deadline *deadline, int64_t now_ns);
	void *context;
	int64_t deadline_ns; /* LOOP_NEVER: not set */
	uint32_t heap_index; /* in the heap of the loop */
};

/*
 * Makes a loop.  From then on, in the whole process, SIGPIPE is ignored and
 * SIGCHLD is not.  Returns 0 or -errno.
 */
int loop_open(struct loop **loop);

/*
 * Closes the loop and restores the signal settings.  No watch and no deadline
 * may be open.  NULL is allowed.
 */
void loop_close(struct loop *loop);

/*
 * For a child that was forked from the process with the loop: closes its
 * descriptors, restores the signal mask, and leaves the loop of the parent as it
 * is.  SIGPIPE stays ignored, and SIGCHLD is not.  The child may not use the
 * loop any more.
 */
void loop_abandon(const struct loop *loop);

/*
 * SIGINT and SIGTERM no longer end the process.  Each time one arrives,
 * `on_signal` is called.  To be called once a loop.  Returns 0 or -errno.
 */
int loop_signals(struct loop *loop,
    void (*on_signal)(void *context, int signal), void *context);

/*
 * Runs rounds until loop_stop() is called.  Returns 0, or -errno if the kernel
 * refuses to wait.
 */
int loop_run(struct loop *loop);

/*
 * Runs one round: waits until a descriptor is ready, a deadline has passed, or
 * `until_ns` has come (LOOP_NEVER: no limit; 0: does not wait).  Returns 0 or
 * -errno.
 */
int loop_step(struct loop *loop, int64_t until_ns);

/*
 * Makes loop_run() return after the present round, or at once when it is called
 * next.
 */
void loop_stop(struct loop *loop);

/*
 * Watches `fd`, which the caller still owns.  Returns 0; or -errno, and then
 * the watch is closed.
 */
int loop_watch_open(
    struct loop *loop, struct loop_watch *watch, int fd, uint32_t events);

/* Stops watching.  Call it before close(fd).  A closed watch is allowed. */
void loop_watch_close(struct loop *loop, struct loop_watch *watch);

/*
 * Opens a deadline and leaves it clear.  Returns 0, or -ENOSPC if
 * LOOP_DEADLINES_MAX are open.
 */
int loop_deadline_open(struct loop *loop, struct loop_deadline *deadline);

/* Clears and closes a deadline.  A closed deadline is allowed. */
void loop_deadline_close(struct loop *loop, struct loop_deadline *deadline);

/*
 * Sets the deadline to `deadline_ns`, in place of an earlier setting.  It is
 * called once.  A time that has passed is called at the end of the present
 * round or of the next.
 */
void loop_deadline_set(
    struct loop *loop, struct loop_deadline *deadline, int64_t deadline_ns);

static inline void
loop_deadline_clear(struct loop_deadline *deadline)
{
	deadline->deadline_ns = LOOP_NEVER;
}

/*
 * Returns the longest time that an input which is served at `now_ns` may have
 * been waiting, because the loop was busy or woke up late.  The arena subtracts
 * it from a bot's time, so that the arena's delay is not charged to the bot.
 */
int64_t loop_lag_ns(const struct loop *loop, int64_t now_ns);

/*
 * Calls `heartbeat` from now on, until it is closed.  Callbacks may open and
 * close heartbeats, their own included.
 */
void loop_heartbeat_open(struct loop *loop, struct heartbeat *heartbeat);
void loop_heartbeat_close(struct loop *loop, struct heartbeat *heartbeat);

#endif
