/*
 * The calls that the linker redirects with --wrap: a call of NAME in the arena
 * reaches __wrap_NAME, which is defined in this folder. __real_NAME is the
 * original function.
 */
#ifndef SIM_REAL_H
#define SIM_REAL_H

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/types.h>

#include "cores.h"
#include "outbox.h"
#include "referee.h"
#include "worker.h"

ssize_t __real_read(int fd, void *bytes, size_t size);
ssize_t __wrap_read(int fd, void *bytes, size_t size);
ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);
int __real_close(int fd);
int __wrap_close(int fd);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, int *left);
int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, long argument);
int __real_pipe2(int fds[2], int flags);
int __wrap_pipe2(int fds[2], int flags);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
int __real_timerfd_create(int clock, int flags);
int __wrap_timerfd_create(int clock, int flags);
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *when,
    struct itimerspec *before);
int __real_signalfd(int fd, const sigset_t *mask, int flags);
int __wrap_signalfd(int fd, const sigset_t *mask, int flags);
int __real_epoll_create1(int flags);
int __wrap_epoll_create1(int flags);
int __real_epoll_ctl(
    int epoll_fd, int command, int fd, struct epoll_event *event);
int __wrap_epoll_ctl(
    int epoll_fd, int command, int fd, struct epoll_event *event);
int __real_epoll_wait(
    int epoll_fd, struct epoll_event *events, int count, int timeout_ms);
int __wrap_epoll_wait(
    int epoll_fd, struct epoll_event *events, int count, int timeout_ms);
pid_t __wrap_setsid(void);
int __real_kill(pid_t pid, int signal);
int __wrap_kill(pid_t pid, int signal);
pid_t __real_waitpid(pid_t pid, int *status, int flags);
pid_t __wrap_waitpid(pid_t pid, int *status, int flags);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
int __wrap_sigtimedwait(
    const sigset_t *set, siginfo_t *info, const struct timespec *timeout);

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *bytes, size_t size);
void *__wrap_realloc(void *bytes, size_t size);
void *__real_reallocarray(void *bytes, size_t count, size_t size);
void *__wrap_reallocarray(void *bytes, size_t count, size_t size);
void __real_free(void *bytes);
void __wrap_free(void *bytes);

int __real_cores_allowed(struct cores *cores);
int __wrap_cores_allowed(struct cores *cores);
pid_t __wrap_worker_open(const struct dispatcher_config *config,
    const struct worker_place *place, void (*leave)(const void *context),
    const void *context);
void __real_referee_step(struct referee *referee,
    const struct referee_input *input, struct outbox *outbox);
void __wrap_referee_step(struct referee *referee,
    const struct referee_input *input, struct outbox *outbox);

#endif
