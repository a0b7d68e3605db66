/*
 * The tree of processes below the caller, as /proc shows it: held, killed and
 * measured where nothing better is at hand, such as a namespace or a domain.
 *
 * A process that has lost its parent is found only where the caller reaps for all
 * below it (PR_SET_CHILD_SUBREAPER).  proc(5): /proc/PID/task/TID/children.
 */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A process and all below it, `count_max` at most, parents before their children:
 * how many, 0 without memory.  The list is the caller's to free.
 */
int tree_list(int proc_fd, pid_t root, int count_max, pid_t **pids);

/*
 * Stops all below the caller until twice no process was found that runs, or lets
 * them go on.  Children that are dead are reaped, but for `unreaped`.  0, or
 * -ETIMEDOUT where they are still found to run after a while, -EINTR where
 * `order_signal`, which the caller blocks, is pending meanwhile (0: none), or
 * another -errno.
 */
int tree_hold(int proc_fd, bool frozen, pid_t unreaped, int order_signal);

/*
 * Stops each thread below the caller by a signal of its own: one to a process is
 * taken by one of its threads, and the others compute until that has its turn.
 * Errors are passed over.
 */
void tree_stop_threads(int proc_fd);

/*
 * Kills, once, all that is found below the caller, and reaps those children that
 * are dead, but for `unreaped`.  0 or -errno.
 */
int tree_kill_once(int proc_fd, pid_t unreaped);

/*
 * Kills all below the caller but children that are spared (NULL: none) and what is
 * below these, and reaps
 * them: what is left by the first round is stopped before the next, as killing
 * alone does not catch up with processes that fork and exit on and on.  How many
 * children were found, 0 where there were none; or -ETIMEDOUT or another -errno.
 */
int tree_kill_all(int proc_fd, bool (*is_spared)(pid_t child));

/*
 * The memory of all below a child of the caller, itself included, with files in
 * memory (memfd_create(2)) that they have open: shared pages are counted once,
 * where the kernel tells, as soon as the sum that counts them often is over
 * `limit_bytes`.  Bytes; 0 where nothing can be read.
 */
int64_t tree_memory(int proc_fd, pid_t root, int64_t limit_bytes);

#endif
