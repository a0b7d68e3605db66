/*
 * The calls that the linker redirects with --wrap: a call of NAME in the arena
 * reaches __wrap_NAME, which is defined in this folder. __real_NAME is the
 * original function.  Not all of these are called.
 */
#ifndef SIM_REAL_H
#define SIM_REAL_H

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/types.h>

#include "machine.h"
#include "outbox.h"
#include "referee.h"
#include "worker.h"

#define SIM_CALL(type, name, ...)        \
	type __real_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__)

SIM_CALL(ssize_t, read, int fd, void *bytes, size_t size);
SIM_CALL(ssize_t, write, int fd, const void *bytes, size_t size);
SIM_CALL(int, close, int fd);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, int *left);
int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, long argument);
SIM_CALL(int, pipe2, int fds[2], int flags);
SIM_CALL(int, poll, struct pollfd *fds, nfds_t count, int timeout_ms);
SIM_CALL(int, timerfd_create, int clock, int flags);
SIM_CALL(int, timerfd_settime, int fd, int flags, const struct itimerspec *when,
    struct itimerspec *before);
SIM_CALL(int, signalfd, int fd, const sigset_t *mask, int flags);
SIM_CALL(int, epoll_create1, int flags);
SIM_CALL(int, epoll_ctl, int epoll_fd, int command, int fd,
    struct epoll_event *event);
SIM_CALL(int, epoll_wait, int epoll_fd, struct epoll_event *events, int count,
    int timeout_ms);
SIM_CALL(pid_t, setsid, void);
SIM_CALL(int, kill, pid_t pid, int signal);
SIM_CALL(pid_t, waitpid, pid_t pid, int *status, int flags);
SIM_CALL(_Noreturn void, _exit, int status);
SIM_CALL(int, sigtimedwait, const sigset_t *set, siginfo_t *info,
    const struct timespec *timeout);

SIM_CALL(void *, malloc, size_t size);
SIM_CALL(void *, calloc, size_t count, size_t size);
SIM_CALL(void *, realloc, void *bytes, size_t size);
SIM_CALL(void *, reallocarray, void *bytes, size_t count, size_t size);
SIM_CALL(char *, strdup, const char *text);
SIM_CALL(void, free, void *bytes);

SIM_CALL(int, cores_allowed, struct cores *cores);
SIM_CALL(pid_t, worker_open, const struct dispatcher_config *config,
    const struct worker_place *place, void (*leave)(const void *context),
    const void *context);
SIM_CALL(void, referee_step, struct referee *referee,
    const struct referee_input *input, struct outbox *outbox);

#endif
