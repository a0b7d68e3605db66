/*
 * epoll and poll. Events are level-triggered. epoll_wait begins at a watch that
 * is drawn, as the order of events is not fixed on a real machine either.
 */
#include <errno.h>
#include <poll.h>

#include "sim.h"
#include "sim_file.h"
#include "sim_real.h"

/* The events that a watch reports now. */
static uint32_t
watch_events(const struct sim_watch *watch)
{
	return sim_file_events(watch->file) &
	    (watch->event.events | EPOLLHUP | EPOLLERR);
}

static struct sim_watch *
find_watch(struct sim_file *epoll, int fd)
{
	for (int i = 0; i < epoll->watch_count; i++)
		if (epoll->watches[i].fd == fd)
			return &epoll->watches[i];
	return NULL;
}

int
__wrap_epoll_ctl(int epoll_fd, int command, int fd, struct epoll_event *event)
{
	struct sim_file *epoll;
	struct sim_watch *watch;

	if (epoll_fd < SIM_FD_FIRST)
		return __real_epoll_ctl(epoll_fd, command, fd, event);
	epoll = sim_file_at(epoll_fd);
	watch = find_watch(epoll, fd);
	SIM_MUST(epoll->kind == SIM_EPOLL && sim_file_at(fd) != NULL);
	SIM_MUST(command != EPOLL_CTL_MOD);
	SIM_MUST((watch == NULL) == (command == EPOLL_CTL_ADD));
	if (command == EPOLL_CTL_DEL) {
		*watch = epoll->watches[--epoll->watch_count];
		return 0;
	}
	if (sim_fails(SIM_REFUSE_WATCH))
		return sim_fail(ENOMEM);
	SIM_MUST(epoll->watch_count < SIM_WATCHES_MAX);
	epoll->watches[epoll->watch_count++] =
	    (struct sim_watch){ fd, sim_file_at(fd), *event };
	return 0;
}

static bool
epoll_ready(void *context)
{
	const struct sim_file *epoll = context;

	for (int i = 0; i < epoll->watch_count; i++)
		if (watch_events(&epoll->watches[i]))
			return true;
	return false;
}

int
__wrap_epoll_wait(
    int epoll_fd, struct epoll_event *events, int count, int timeout_ms)
{
	struct sim_file *epoll;
	int reported = 0, first;

	if (epoll_fd < SIM_FD_FIRST)
		return __real_epoll_wait(epoll_fd, events, count, timeout_ms);
	epoll = sim_file_at(epoll_fd);
	sim_wait(epoll_ready, epoll,
	    timeout_ms < 0 ? INT64_MAX
			   : sim_machine.now_ns + timeout_ms * SIM_MS);
	/* A call is interrupted only if it has no event to report. */
	if (!epoll_ready(epoll) &&
	    sim_draws(sim_machine.faults->interrupt_rate))
		return sim_fail(EINTR);
	first = epoll->watch_count > 0
	    ? (int)sim_below(&sim_machine.random, epoll->watch_count)
	    : 0;
	for (int i = 0; i < epoll->watch_count && reported < count; i++) {
		struct sim_watch *watch =
		    &epoll->watches[(first + i) % epoll->watch_count];
		uint32_t ready = watch_events(watch);

		if (!ready)
			continue;
		events[reported] = watch->event;
		events[reported++].events = ready;
	}
	sim_trace("reported of %d of %d", reported, epoll->watch_count);
	return reported;
}

static bool
poll_ready(void *context)
{
	return sim_file_events(context) != 0;
}

int
__wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	if (fds->fd < SIM_FD_FIRST)
		return __real_poll(fds, count, timeout_ms);
	SIM_MUST(count == 1 && timeout_ms == -1);
	sim_wait(poll_ready, sim_file_at(fds->fd), INT64_MAX);
	return 1;
}
