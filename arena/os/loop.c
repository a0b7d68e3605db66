/*
 * Implements loop.h: descriptors are watched by epoll, and all deadlines share
 * one timerfd.
 *
 * Deadlines are in a binary heap whose keys may be too early but never too
 * late: to set a deadline later, or to clear it, changes only the deadline
 * itself.  When the old key has expired, the heap gets the new time as key.
 *
 * The lag of a round is the longest time that an input may have been ready
 * before the loop served it: the time since the last wait returned, plus the
 * time by which the kernel woke the process too late.
 */
#include "loop.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "clock.h"

/*
 * Values of loop_deadline.heap_index that are no index.  A zeroed deadline is
 * closed, so the heap counts from 1.
 */
enum { HEAP_INDEX_CLOSED = 0 };
#define HEAP_INDEX_NONE UINT32_MAX

/* An entry of the heap.  The key is never later than its deadline. */
struct loop_key {
	int64_t key_ns;
	struct loop_deadline *deadline;
};

struct loop {
	int epoll_fd;
	int batch_count; /* ready descriptors in `batch` in the present round */
	int batch_next;
	uint32_t watch_count;
	uint32_t deadline_count; /* open deadlines */
	uint32_t heap_count;     /* deadlines in the heap, at 1..heap_count */
	uint32_t full_count;     /* consecutive rounds with a full batch */
	bool stopping;
	bool signals_open;
	struct loop_watch timer_watch;
	int64_t armed_ns; /* the time that the timer is set to, or LOOP_NEVER */
	/* The last wait; it returned `overslept_ns` too late. */
	int64_t wait_begin_ns, wait_end_ns, overslept_ns;
	int64_t lag_ns; /* longest time for which an input was ready by then */
	TAILQ_HEAD(, heartbeat) heartbeats;
	struct heartbeat *next_heartbeat; /* while they are called */
	int64_t heartbeat_ns;             /* when on_heartbeat is due */
	struct loop_watch signal_watch;
	void (*on_signal)(void *context, int signal);
	void *signal_context;
	sigset_t mask_before;
	struct sigaction pipe_before, child_before;
	struct epoll_event batch[LOOP_BATCH];
	struct loop_key heap[LOOP_DEADLINES_MAX + 1];
};

static void
loop_on_timer(struct loop_watch *watch, uint32_t events)
{
	struct loop *loop = watch->context;
	uint64_t count;

	(void)events;
	(void)!read(watch->fd, &count, sizeof(count));
	loop->armed_ns = LOOP_NEVER;
}

/*
 * Watches a descriptor that belongs to the loop, and closes it on failure.
 * Returns 0 or -errno.
 */
static int
own_watch_open(struct loop *loop, struct loop_watch *watch, int fd,
    void (*on_ready)(struct loop_watch *watch, uint32_t events))
{
	int status;

	if (fd < 0)
		return -errno;
	watch->on_ready = on_ready;
	watch->context = loop;
	status = loop_watch_open(loop, watch, fd, EPOLLIN);
	if (status < 0)
		close(fd);
	return status;
}

/*
 * The loop uses a timerfd, because a timeout of epoll_wait() costs a kernel
 * timer for each wait.  The timerfd is set only about as often as it expires.
 */
static int
loop_timer_open(struct loop *loop)
{
	loop->armed_ns = LOOP_NEVER;
	return own_watch_open(loop, &loop->timer_watch,
	    timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK),
	    loop_on_timer);
}

int
loop_open(struct loop **loop)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction standard = { .sa_handler = SIG_DFL };
	struct loop *made = calloc(1, sizeof(*made));
	int status;

	if (made == NULL)
		return -ENOMEM;
	made->signal_watch.fd = -1;
	made->wait_begin_ns = made->wait_end_ns = clock_now_ns();
	TAILQ_INIT(&made->heartbeats);
	made->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (made->epoll_fd < 0) {
		status = -errno;
		goto free_loop;
	}
	status = loop_timer_open(made);
	if (status < 0)
		goto close_epoll;
	sigaction(SIGPIPE, &ignore, &made->pipe_before);
	/* If SIGCHLD is ignored, the kernel discards exit statuses. */
	sigaction(SIGCHLD, &standard, &made->child_before);
	*loop = made;
	return 0;
close_epoll:
	close(made->epoll_fd);
free_loop:
	free(made);
	return status;
}

static void
own_watch_close(struct loop *loop, struct loop_watch *watch)
{
	int fd = watch->fd;

	loop_watch_close(loop, watch);
	close(fd);
}

void
loop_close(struct loop *loop)
{
	if (loop == NULL)
		return;
	if (loop->signals_open) {
		own_watch_close(loop, &loop->signal_watch);
		sigprocmask(SIG_SETMASK, &loop->mask_before, NULL);
	}
	own_watch_close(loop, &loop->timer_watch);
	assert(loop->watch_count == 0 && loop->deadline_count == 0);
	assert(TAILQ_EMPTY(&loop->heartbeats));
	sigaction(SIGPIPE, &loop->pipe_before, NULL);
	sigaction(SIGCHLD, &loop->child_before, NULL);
	close(loop->epoll_fd);
	free(loop);
}

void
loop_abandon(const struct loop *loop)
{
	/*
	 * The parent and the child share the epoll set, so no watch is removed.
	 */
	close(loop->epoll_fd);
	close(loop->timer_watch.fd);
	if (!loop->signals_open)
		return;
	close(loop->signal_watch.fd);
	sigprocmask(SIG_SETMASK, &loop->mask_before, NULL);
}

static void
loop_on_signal(struct loop_watch *watch, uint32_t events)
{
	struct loop *loop = watch->context;
	struct signalfd_siginfo info;

	(void)events;
	while (read(watch->fd, &info, sizeof(info)) == sizeof(info))
		loop->on_signal(loop->signal_context, (int)info.ssi_signo);
}

int
loop_signals(struct loop *loop, void (*on_signal)(void *context, int signal),
    void *context)
{
	sigset_t mask;
	int status;

	assert(!loop->signals_open);
	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	loop->on_signal = on_signal;
	loop->signal_context = context;
	status = own_watch_open(loop, &loop->signal_watch,
	    signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK), loop_on_signal);
	if (status < 0)
		return status;
	sigprocmask(SIG_BLOCK, &mask, &loop->mask_before);
	loop->signals_open = true;
	return 0;
}

int
loop_watch_open(
    struct loop *loop, struct loop_watch *watch, int fd, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	assert(fd >= 0 && watch->on_ready != NULL);
	watch->fd = -1;
	if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
		return -errno;
	watch->fd = fd;
	loop->watch_count++;
	return 0;
}

void
loop_watch_close(struct loop *loop, struct loop_watch *watch)
{
	int status;

	if (watch->fd < 0)
		return;
	status = epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
	assert(status == 0);
	(void)status;
	watch->fd = -1;
	loop->watch_count--;
	/*
	 * The present batch may still hold an event of this watch, which must
	 * not be served.
	 */
	for (int i = loop->batch_next; i < loop->batch_count; i++)
		if (loop->batch[i].data.ptr == watch)
			loop->batch[i].data.ptr = NULL;
}

static void
heap_put(struct loop *loop, uint32_t index, struct loop_key key)
{
	loop->heap[index] = key;
	key.deadline->heap_index = index;
}

static void
heap_sift_up(struct loop *loop, uint32_t index, struct loop_key key)
{
	while (index > 1 && key.key_ns < loop->heap[index / 2].key_ns) {
		heap_put(loop, index, loop->heap[index / 2]);
		index /= 2;
	}
	heap_put(loop, index, key);
}

static void
heap_sift_down(struct loop *loop, uint32_t index, struct loop_key key)
{
	uint32_t child;

	for (; (child = 2 * index) <= loop->heap_count; index = child) {
		if (child < loop->heap_count &&
		    loop->heap[child + 1].key_ns < loop->heap[child].key_ns)
			child++;
		if (key.key_ns <= loop->heap[child].key_ns)
			break;
		heap_put(loop, index, loop->heap[child]);
	}
	heap_put(loop, index, key);
}

static void
heap_remove(struct loop *loop, struct loop_deadline *deadline)
{
	uint32_t index = deadline->heap_index;
	struct loop_key last = loop->heap[loop->heap_count--];

	deadline->heap_index = HEAP_INDEX_NONE;
	if (last.deadline == deadline)
		return;
	if (index > 1 && last.key_ns < loop->heap[index / 2].key_ns)
		heap_sift_up(loop, index, last);
	else
		heap_sift_down(loop, index, last);
}

int
loop_deadline_open(struct loop *loop, struct loop_deadline *deadline)
{
	assert(deadline->on_deadline != NULL);
	if (loop->deadline_count == LOOP_DEADLINES_MAX)
		return -ENOSPC;
	loop->deadline_count++;
	deadline->deadline_ns = LOOP_NEVER;
	deadline->heap_index = HEAP_INDEX_NONE;
	return 0;
}

void
loop_deadline_close(struct loop *loop, struct loop_deadline *deadline)
{
	if (deadline->heap_index == HEAP_INDEX_CLOSED)
		return;
	if (deadline->heap_index != HEAP_INDEX_NONE)
		heap_remove(loop, deadline);
	deadline->deadline_ns = LOOP_NEVER;
	deadline->heap_index = HEAP_INDEX_CLOSED;
	loop->deadline_count--;
}

void
loop_deadline_set(
    struct loop *loop, struct loop_deadline *deadline, int64_t deadline_ns)
{
	struct loop_key key = { deadline_ns, deadline };

	assert(deadline->heap_index != HEAP_INDEX_CLOSED);
	deadline->deadline_ns = deadline_ns;
	if (deadline_ns == LOOP_NEVER)
		return;
	if (deadline->heap_index == HEAP_INDEX_NONE)
		heap_sift_up(loop, ++loop->heap_count, key);
	else if (deadline_ns < loop->heap[deadline->heap_index].key_ns)
		heap_sift_up(loop, deadline->heap_index, key);
}

/*
 * Calls each deadline that had passed when the wait began.  There are at most
 * as many calls as the heap had entries, so a deadline that sets itself again
 * in the past cannot block the loop.
 */
static void
loop_expire(struct loop *loop)
{
	uint32_t count = loop->heap_count;
	struct loop_deadline *deadline;

	while (count > 0 && loop->heap_count > 0 &&
	    loop->heap[1].key_ns <= loop->wait_begin_ns) {
		deadline = loop->heap[1].deadline;
		if (deadline->deadline_ns == LOOP_NEVER) {
			heap_remove(loop, deadline);
			continue;
		}
		if (deadline->deadline_ns > loop->heap[1].key_ns) {
			heap_sift_down(loop, 1,
			    (struct loop_key){
				deadline->deadline_ns, deadline });
			continue;
		}
		heap_remove(loop, deadline);
		deadline->deadline_ns = LOOP_NEVER;
		count--;
		deadline->on_deadline(deadline, loop->wait_end_ns);
	}
}

/*
 * Rounds up: a loop that wakes before the time would only have to wait again.
 */
static int
loop_timeout_ms(int64_t now_ns, int64_t wake_ns)
{
	int64_t wait_ms;

	if (wake_ns == LOOP_NEVER)
		return -1;
	if (wake_ns <= now_ns)
		return 0;
	wait_ms = (wake_ns - now_ns - 1) / CLOCK_NS_PER_MS + 1;
	return wait_ms > INT_MAX ? INT_MAX : (int)wait_ms;
}

/*
 * Sets the timer so that the loop wakes up at `wake_ns` or earlier.  Returns 0
 * or -errno.
 */
static int
loop_arm(struct loop *loop, int64_t wake_ns)
{
	const struct itimerspec when = {
		.it_value = { .tv_sec = wake_ns / CLOCK_NS_PER_S,
		    .tv_nsec = wake_ns % CLOCK_NS_PER_S },
	};

	/* A timer that is set earlier only wakes the loop once too often. */
	if (loop->armed_ns <= wake_ns)
		return 0;
	if (timerfd_settime(
		loop->timer_watch.fd, TFD_TIMER_ABSTIME, &when, NULL) < 0)
		return -errno;
	loop->armed_ns = wake_ns;
	return 0;
}

/*
 * Waits until `until_ns` at most.  Returns how many descriptors are ready, or
 * -errno.
 */
static int
loop_poll(struct loop *loop, int64_t wait_begin_ns, int64_t until_ns)
{
	int wait_ms = loop_timeout_ms(wait_begin_ns, until_ns);
	int count;

	/*
	 * EINTR: the process was stopped (SIGSTOP) and continues.  It must
	 * still learn which descriptors are ready, so it asks again without
	 * waiting.
	 */
	while ((count = epoll_wait(
		    loop->epoll_fd, loop->batch, LOOP_BATCH, wait_ms)) < 0) {
		if (errno != EINTR)
			return -errno;
		wait_ms = 0;
	}
	return count;
}

/*
 * Waits, and measures the lag of the round.  Returns as loop_poll().
 */
static int
loop_wait(struct loop *loop, int64_t until_ns)
{
	int64_t wait_begin_ns = clock_now_ns();
	int64_t lag_ns = wait_begin_ns - loop->wait_end_ns;
	int64_t wake_ns =
	    loop->heap_count > 0 ? loop->heap[1].key_ns : LOOP_NEVER;
	int64_t overslept_ns;
	int count = 0;

	/*
	 * The loop must wake up often to measure for how long the process did
	 * not run.
	 */
	if (loop->heap_count > 0 && wake_ns > wait_begin_ns + HEARTBEAT_NS)
		wake_ns = wait_begin_ns + HEARTBEAT_NS;
	if (wake_ns > wait_begin_ns)
		count = loop_arm(loop, wake_ns);
	else
		until_ns = wait_begin_ns;
	if (count == 0)
		count = loop_poll(loop, wait_begin_ns, until_ns);
	if (count < 0)
		return count;
	loop->wait_end_ns = clock_now_ns();
	if (loop->armed_ns < until_ns)
		until_ns = loop->armed_ns;
	if (until_ns < wake_ns)
		wake_ns = until_ns;
	if (wake_ns < wait_begin_ns)
		wake_ns = wait_begin_ns;
	overslept_ns =
	    loop->wait_end_ns > wake_ns ? loop->wait_end_ns - wake_ns : 0;
	/*
	 * While batches are full, the lag of the last round counts as well, and
	 * otherwise its late wakeup.  After a lag that is reported to
	 * heartbeats all times begin again, so it is not carried over.
	 */
	lag_ns += loop->full_count > 0 ? loop->lag_ns : loop->overslept_ns;
	loop->wait_begin_ns = wait_begin_ns;
	loop->lag_ns = lag_ns + overslept_ns;
	loop->overslept_ns =
	    loop->lag_ns > HEARTBEAT_LATE_NS ? 0 : overslept_ns;
	return count;
}

/* Calls the heartbeats if they are due, or if the round was late. */
static void
loop_call_heartbeats(struct loop *loop)
{
	const int64_t now_ns = loop->wait_end_ns, lag_ns = loop->lag_ns;
	bool late = lag_ns > HEARTBEAT_LATE_NS;
	bool due = now_ns >= loop->heartbeat_ns;
	struct heartbeat *heartbeat;

	if (!late && !due)
		return;
	if (due)
		loop->heartbeat_ns = now_ns + HEARTBEAT_NS;
	loop->next_heartbeat = TAILQ_FIRST(&loop->heartbeats);
	while ((heartbeat = loop->next_heartbeat) != NULL) {
		/* The callback may close this heartbeat, and the next one. */
		loop->next_heartbeat = TAILQ_NEXT(heartbeat, link);
		if (late)
			heartbeat->on_late(heartbeat, now_ns, lag_ns);
		else
			heartbeat->on_heartbeat(heartbeat, now_ns);
	}
}

int
loop_step(struct loop *loop, int64_t until_ns)
{
	int count = loop_wait(loop, until_ns);

	if (count < 0)
		return count;
	assert(loop->batch_count == 0);
	loop->batch_count = count;
	loop->batch_next = 0;
	while (loop->batch_next < loop->batch_count) {
		struct epoll_event *event = &loop->batch[loop->batch_next++];
		struct loop_watch *watch = event->data.ptr;

		if (watch != NULL)
			watch->on_ready(watch, event->events);
	}
	loop->batch_count = 0;
	/*
	 * The batch was full, so other descriptors may be ready too, with an
	 * answer that was in time. epoll serves descriptors in turn: after this
	 * many full batches all were served, and deadlines may be called.
	 */
	if (count == LOOP_BATCH &&
	    ++loop->full_count <= loop->watch_count / LOOP_BATCH)
		return 0;
	loop->full_count = 0;
	loop_call_heartbeats(loop);
	loop_expire(loop);
	return 0;
}

int
loop_run(struct loop *loop)
{
	int status = 0;

	while (status == 0 && !loop->stopping)
		status = loop_step(loop, LOOP_NEVER);
	loop->stopping = false;
	return status;
}

void
loop_stop(struct loop *loop)
{
	loop->stopping = true;
}

int64_t
loop_lag_ns(const struct loop *loop, int64_t now_ns)
{
	return loop->lag_ns + now_ns - loop->wait_end_ns;
}

void
loop_heartbeat_open(struct loop *loop, struct heartbeat *heartbeat)
{
	TAILQ_INSERT_TAIL(&loop->heartbeats, heartbeat, link);
}

void
loop_heartbeat_close(struct loop *loop, struct heartbeat *heartbeat)
{
	if (loop->next_heartbeat == heartbeat)
		loop->next_heartbeat = TAILQ_NEXT(heartbeat, link);
	TAILQ_REMOVE(&loop->heartbeats, heartbeat, link);
}
