/*
 * One loop over descriptors, deadlines and signals: the only place that blocks.
 *
 * Watches and deadlines are the caller's storage.  Callbacks may open, change
 * and close any watch or deadline, their own included; a closed one is never
 * called again.  In a round all ready descriptors are served first and then
 * the deadlines that had passed when the kernel was asked: an answer that was
 * there in time is never overtaken by its own deadline.  Between the two, if the
 * loop was away for long, the heartbeats are called: an owner whose deadline was
 * missed may move it before it counts.
 */
#ifndef LOOP_H
#define LOOP_H

#include <bsd/sys/queue.h>
#include <stdint.h>
#include <sys/epoll.h>

/*
 * A heartbeat is a pair of callbacks about the loop's own timing: one at regular
 * intervals, one when the loop was away for so long that nothing it measured
 * meanwhile can be trusted.  A process that was stopped, or that found no core to
 * run on, wakes up to deadlines that it had no chance to meet.
 */

/* A loop that is away for longer than this is late. */
#define HEARTBEAT_LATE_NS INT64_C(250000000)

/* How often a loop that has a deadline wakes up, if only to see that it can. */
#define HEARTBEAT_NS INT64_C(50000000)

/* The caller's storage. */
struct heartbeat {
	/* About every HEARTBEAT_NS.  NULL is allowed. */
	void (*on_heartbeat)(struct heartbeat *heartbeat, int64_t now_ns);
	/*
	 * The loop was away for `lag_ns`, until `now_ns`.  What was ready then
	 * has been told, deadlines have not.  NULL is allowed.
	 */
	void (*on_late)(
	    struct heartbeat *heartbeat, int64_t now_ns, int64_t lag_ns);
	void *context;
	TAILQ_ENTRY(heartbeat) link;
};

/* Those of one loop. */
struct heartbeat_list {
	TAILQ_HEAD(heartbeat_head, heartbeat) heartbeats;
	struct heartbeat *next; /* to be told, while they are */
	int64_t beat_ns;        /* of the next beat */
};

void heartbeat_list_init(struct heartbeat_list *list);

/* Calls may add and remove heartbeats, their own included. */
void heartbeat_add(struct heartbeat_list *list, struct heartbeat *heartbeat);
void heartbeat_remove(struct heartbeat_list *list, struct heartbeat *heartbeat);

/* Tells all of a round that began at `now_ns`, `lag_ns` late. */
void heartbeat_tell(
    struct heartbeat_list *list, int64_t now_ns, int64_t lag_ns);

enum {
	LOOP_BATCH = 64,           /* ready descriptors taken by one wait */
	LOOP_DEADLINES_MAX = 16384 /* deadlines open at once */
};

#define LOOP_NEVER INT64_MAX

struct loop;

/*
 * One descriptor.  It is told of in every round in which it is ready; with
 * EPOLLET only when something is new, which spares the kernel a second look
 * at all that was read.
 */
struct loop_watch {
	/* `events` is what epoll says: EPOLLIN, EPOLLHUP.. */
	void (*on_ready)(struct loop_watch *watch, uint32_t events);
	void *context;
	int fd;          /* -1: not watched; to be set so at first */
	uint32_t events; /* what is asked for */
};

/*
 * One point in time; zeroed memory is a closed one.  Setting it later than before, and clearing it, is a
 * store; the heap catches up when the old time has come.
 */
struct loop_deadline {
	/* Called once; the deadline is clear again by then. */
	void (*on_deadline)(struct loop_deadline *deadline, int64_t now_ns);
	void *context;
	int64_t deadline_ns; /* LOOP_NEVER: not set */
	uint32_t place;      /* in the loop's heap */
};

/*
 * Makes a loop.  From now on SIGPIPE is ignored and SIGCHLD is not, in the
 * whole process.  0 or -errno.
 */
int loop_open(struct loop **loop);

/* No watch or deadline may be open.  Gives back the signals; NULL is allowed. */
void loop_close(struct loop *loop);

/*
 * In a process that was forked from the one with the loop: closes what it has
 * open and gives back the signals that it held, and leaves the parent's loop as
 * it is.  Nothing of it may be used any more.
 */
void loop_abandon(const struct loop *loop);

/*
 * SIGINT and SIGTERM no longer end the process but call `on_signal`, each time
 * one arrives.  Once a loop.  0 or -errno.
 */
int loop_signals(struct loop *loop,
    void (*on_signal)(void *context, int signal), void *context);

/* Serves until loop_stop(): 0, or -errno when the kernel refuses to wait. */
int loop_run(struct loop *loop);

/*
 * One round: waits until something is ready, a deadline has passed or
 * `until_ns` has come (LOOP_NEVER: no such limit; 0: does not wait).
 * 0 or -errno.
 */
int loop_step(struct loop *loop, int64_t until_ns);

/* loop_run() returns after the present round, or at once when it starts. */
void loop_stop(struct loop *loop);

/*
 * Watches `fd`, which stays the caller's.  0 or -errno; after an error the
 * watch is closed.
 */
int loop_watch_open(
    struct loop *loop, struct loop_watch *watch, int fd, uint32_t events);

/* With EPOLLET: what is ready now counts as new. */
void loop_watch_again(struct loop *loop, struct loop_watch *watch);

/* Stops watching; call it before close(fd).  A closed watch is allowed. */
void loop_watch_close(struct loop *loop, struct loop_watch *watch);

/* Reserves a place for a deadline and leaves it clear.  0 or -ENOSPC. */
int loop_deadline_open(struct loop *loop, struct loop_deadline *deadline);

/* Gives the place back.  Clears it too; a closed deadline is allowed. */
void loop_deadline_close(struct loop *loop, struct loop_deadline *deadline);

/*
 * Calls at `deadline_ns`, once; replaces an earlier setting.  A time that has
 * passed means the end of the present round, or of the next.
 */
void loop_deadline_set(
    struct loop *loop, struct loop_deadline *deadline, int64_t deadline_ns);

static inline void
loop_deadline_clear(struct loop_deadline *deadline)
{
	deadline->deadline_ns = LOOP_NEVER;
}

/*
 * How long, at most, what is served at `now_ns` may have lain waiting because
 * the loop was busy with others or had overslept.  Taken off a bot's time, it
 * keeps the arena's slowness from being charged to the bot.
 */
int64_t loop_lag_ns(const struct loop *loop, int64_t now_ns);

/* Calls `heartbeat` from now on. */
void loop_heartbeat_open(struct loop *loop, struct heartbeat *heartbeat);
void loop_heartbeat_close(struct loop *loop, struct heartbeat *heartbeat);

#endif
