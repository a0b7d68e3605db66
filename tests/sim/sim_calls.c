/*
 * The system calls on descriptors: read, write, close, ioctl, fcntl, and those
 * that make pipes, timers, signal descriptors and epoll instances. A descriptor
 * of the real kernel is below SIM_FD_FIRST, and its call goes to the real
 * kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "sim.h"
#include "sim_file.h"
#include "sim_real.h"

ssize_t
__wrap_read(int fd, void *bytes, size_t size)
{
	struct sim_file *file;
	struct signalfd_siginfo info = { 0 };
	uint64_t count = 1;

	if (fd < SIM_FD_FIRST)
		return __real_read(fd, bytes, size);
	file = sim_file_at(fd);
	switch (file->kind) {
	case SIM_PIPE_IN:
		if (sim_fails(SIM_REFUSE_READ))
			return sim_fail(EIO);
		if (file->pipe->size == 0)
			return file->pipe->writers > 0 ? sim_fail(EAGAIN) : 0;
		/* A read from a bot's pipe always gives all bytes that are
		 * there. Only reads between processes of the arena are cut
		 * or interrupted. */
		if (!file->pipe->of_bot &&
		    sim_draws(sim_machine.faults->interrupt_rate))
			return sim_fail(EINTR);
		if (!file->pipe->of_bot &&
		    sim_draws(sim_machine.faults->short_rate))
			size = 1 + size / 7;
		size = sim_pipe_remove(file->pipe, bytes, size);
		if (file->pipe->of_bot)
			sim_trace("read of %d: %.*s", fd - SIM_FD_FIRST,
			    (int)size, (const char *)bytes);
		return (ssize_t)size;
	case SIM_TIMER:
		if (file->due_ns > sim_machine.now_ns)
			return sim_fail(EAGAIN);
		file->due_ns = INT64_MAX;
		memcpy(bytes, &count, sizeof(count));
		return sizeof(count);
	case SIM_SIGNALS:
		if (sim_machine.signal == 0)
			return sim_fail(EAGAIN);
		info.ssi_signo = (uint32_t)sim_machine.signal;
		sim_machine.signal = 0;
		memcpy(bytes, &info, sizeof(info));
		return sizeof(info);
	case SIM_PIPE_OUT:
	case SIM_DEATH:
	case SIM_EPOLL:
		break;
	}
	return sim_fail(EBADF);
}

ssize_t
__wrap_write(int fd, const void *bytes, size_t size)
{
	const struct sim_faults *faults = sim_machine.faults;
	struct sim_file *file;
	size_t put;

	if (fd < SIM_FD_FIRST)
		return __real_write(fd, bytes, size);
	file = sim_file_at(fd);
	SIM_MUST(file->kind == SIM_PIPE_OUT);
	if (sim_fails(SIM_REFUSE_WRITE))
		return sim_fail(EIO);
	if (sim_draws(faults->interrupt_rate))
		return sim_fail(EINTR);
	if (file->pipe->readers == 0)
		return sim_fail(EPIPE);
	/* A write that is refused pretends that the pipe was full. The next
	 * write always finds room, so that a writer makes progress. */
	file->pipe->refused = !file->pipe->refused &&
	    (sim_draws(faults->again_rate) || sim_draws(faults->short_rate));
	if (file->pipe->refused && sim_below(&sim_machine.random, 2) == 0) {
		sim_pipe_change(file->pipe);
		return sim_fail(EAGAIN);
	}
	if (file->pipe->refused && size > 1)
		size = 1 +
		    (size_t)sim_below(&sim_machine.random, (int64_t)size - 1);
	put = sim_pipe_put(file->pipe, bytes, size);
	if (file->pipe->of_bot)
		sim_trace("%d: %.*s", fd - SIM_FD_FIRST, (int)put,
		    (const char *)bytes);
	return put > 0 ? (ssize_t)put : sim_fail(EAGAIN);
}

int
__wrap_close(int fd)
{
	struct sim_file *file;

	if (fd < SIM_FD_FIRST)
		return __real_close(fd);
	file = sim_file_at(fd);
	sim_files_now()->files[fd - SIM_FD_FIRST] = NULL;
	sim_file_close(file);
	return 0;
}

int
__wrap_ioctl(int fd, unsigned long request, int *left)
{
	if (fd < SIM_FD_FIRST)
		return __real_ioctl(fd, request, left);
	SIM_MUST(request == FIONREAD && sim_file_at(fd)->kind == SIM_PIPE_IN);
	*left = (int)sim_file_at(fd)->pipe->size;
	return 0;
}

int
__wrap_fcntl(int fd, int command, long argument)
{
	if (fd < SIM_FD_FIRST)
		return __real_fcntl(fd, command, argument);
	SIM_MUST(command == F_SETFL && argument == O_NONBLOCK);
	return sim_file_at(fd) != NULL ? 0 : -1;
}

int
__wrap_pipe2(int fds[2], int flags)
{
	struct sim_file *ends[2];

	if (!sim_machine.on)
		return __real_pipe2(fds, flags);
	SIM_MUST(flags & O_CLOEXEC);
	if (sim_fails(SIM_REFUSE_PIPE))
		return sim_fail(sim_machine.faults->error);
	sim_pipe_make(ends, false, SIM_PIPE_SIZE);
	fds[0] = sim_file_number(ends[0]);
	fds[1] = sim_file_number(ends[1]);
	return 0;
}

/* Makes a descriptor of a kind, unless the plan refuses it. */
static int
make_watched(enum sim_kind kind)
{
	if (sim_fails(SIM_REFUSE_PIPE))
		return sim_fail(sim_machine.faults->error);
	return sim_file_number(sim_file_make(kind));
}

int
__wrap_timerfd_create(int clock, int flags)
{
	if (!sim_machine.on)
		return __real_timerfd_create(clock, flags);
	SIM_MUST(flags == (TFD_CLOEXEC | TFD_NONBLOCK));
	return make_watched(SIM_TIMER);
}

int
__wrap_timerfd_settime(
    int fd, int flags, const struct itimerspec *when, struct itimerspec *before)
{
	struct sim_file *file = sim_file_at(fd);

	SIM_MUST(file->kind == SIM_TIMER && flags == TFD_TIMER_ABSTIME &&
	    before == NULL);
	file->due_ns =
	    when->it_value.tv_sec * 1000 * SIM_MS + when->it_value.tv_nsec;
	return 0;
}

int
__wrap_signalfd(int fd, const sigset_t *mask, int flags)
{
	if (!sim_machine.on)
		return __real_signalfd(fd, mask, flags);
	SIM_MUST(fd == -1 && flags == (SFD_CLOEXEC | SFD_NONBLOCK));
	return make_watched(SIM_SIGNALS);
}

int
__wrap_epoll_create1(int flags)
{
	struct sim_file *file;
	int fd;

	if (!sim_machine.on)
		return __real_epoll_create1(flags);
	fd = make_watched(SIM_EPOLL);
	if (fd < 0)
		return fd;
	file = sim_file_at(fd);
	file->watches = __real_calloc(SIM_WATCHES_MAX, sizeof(*file->watches));
	SIM_MUST(file->watches != NULL);
	return fd;
}
