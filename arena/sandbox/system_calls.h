/*
 * The system calls of a bot.  Calls that could reach another process, or
 * communicate with one, are refused by a filter; some of those that remain are
 * answered by the supervisor in the kernel's place (call_proxy).
 */
#ifndef SYSTEM_CALLS_H
#define SYSTEM_CALLS_H

#include <stdbool.h>

/*
 * Makes the filter for this architecture, which refuses calls with EPERM. Each
 * bot gets it as a file in memory. Returns a descriptor (O_CLOEXEC) of the file
 * that holds it, or -errno; -ENOSYS if the kernel has no filters.
 */
int filter_make(void);

/*
 * Installs the filter of filter_make() for this process and its children. It
 * cannot be removed. no_new_privs must be set. Returns 0 or -errno.
 */
int filter_enter(int fd);

/*
 * The call proxy: system calls that the supervisor answers in the kernel's
 * place, or that are refused because of what they would show to another bot.
 *
 * A futex without FUTEX_PRIVATE_FLAG is found by all processes that have the
 * same page of the same file mapped, such as the C library: futex(2). Two bots
 * that share nothing else could pass bits that way, so no bot wakes one or
 * moves the waiters of one. The kernel itself still does so when a thread ends
 * (clone(2), CLONE_CHILD_CLEARTID), which pthread_join() waits for; therefore
 * no such wait comes to the kernel either. The supervisor answers it with
 * EAGAIN after some time, the longer the thread has waited, and the C library
 * looks at the value again; or with ETIMEDOUT once its timeout is over. Joins,
 * process-shared mutexes and semaphores work so, later by a sixteenth of the
 * wait and by CALL_PROXY_LATE_MS at most.
 *
 * sysinfo(2) counts the threads and the free memory of the machine. The
 * supervisor answers with the memory that there is in all, and no load.
 *
 * seccomp_unotify(2). There can be one listener in a process and its ancestors:
 * below a program that has one the kernel answers waits and sysinfo(2), and
 * only the rest is refused.
 */

enum { CALL_PROXY_LATE_MS = 5 };

/*
 * In the process that becomes the bot, with no_new_privs set and before
 * filter_enter(): refuses for good what is said above, and sends the descriptor
 * by which the supervisor answers to the other end of `channel_fd`, a socket
 * pair (socketpair(2), AF_UNIX); -1: no process answers. With `allows_futexes`
 * only sysinfo(2) is answered. 0 or -errno.
 */
int call_proxy_enter(int channel_fd, bool allows_futexes);

/*
 * To be called in the supervisor, whose child has the other end.  Starts a
 * thread that answers until the bot and all that it has started are gone.  Owns
 * `channel_fd` from now on, also after a failure.  Returns 0 or -errno.
 */
int call_proxy_start(int channel_fd);

/*
 * Whether this process can have a listener; a child process tries it. Returns
 * 0; -EBUSY if a parent process has one; or another -errno.
 */
int call_proxy_try(void);

#endif
