/*
 * The tree of processes below the caller, as /proc shows it: stopped, killed
 * and measured, where there is no better way, such as a namespace or a Landlock
 * domain.
 *
 * A process that has lost its parent is found only if the caller is the
 * subreaper (PR_SET_CHILD_SUBREAPER).  proc(5): /proc/PID/task/TID/children.
 */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Most threads whose children are looked for if `incomplete` is given. */
enum { TREE_THREADS_MAX = 1024 };

/*
 * Lists a process and all processes below it, at most `count_max`, parents
 * before their children. Returns how many; 0 without memory. The caller frees
 * the list. If `incomplete` is not NULL, children of only so many threads are
 * looked for as are named above, and it is set to whether some may be missing.
 */
int tree_list(
    int proc_fd, pid_t root, int count_max, pid_t **pids, bool *incomplete);

/*
 * Stops all processes below the caller, until two walks in a row find none that
 * runs; or continues them, until two find none that is stopped, by eight walks
 * at most. Dead children are reaped, except `unreaped`. Returns 0; -ETIMEDOUT if
 * some still run after a while; -EINTR if `order_signal` (0: none), which the
 * caller blocks, becomes pending; or another -errno.
 */
int tree_freeze(int proc_fd, bool frozen, pid_t unreaped, int order_signal);

/*
 * Stops each thread below the caller by a signal of its own. A signal to a
 * process is handled by one of its threads, and the others compute until that
 * thread runs. Errors are ignored.
 */
void tree_stop_threads(int proc_fd);

/*
 * Walks once over the processes below the caller and kills them. Reaps dead
 * children, except `unreaped`. Returns 0 or -errno.
 */
int tree_kill_once(int proc_fd, pid_t unreaped);

/*
 * Kills and reaps all processes below the caller, except spared children (NULL:
 * none) and the processes below these. What the first round leaves is stopped
 * before the next round, because killing alone does not catch up with processes
 * that fork and exit again and again. Returns how many processes were found; or
 * -ETIMEDOUT, or another -errno.
 */
int tree_kill_all(int proc_fd, bool (*is_spared)(pid_t child));

/*
 * Returns the bytes of memory of all processes below the caller, with the files
 * in memory (memfd_create(2)) that they have open; 0 if nothing can be read. A
 * cheap sum counts shared pages for each process. If it is above `limit_bytes`,
 * an exact sum counts them once, if the kernel counts them so. That may take
 * some seconds, so `before_each` (NULL: nothing) is called before each process.
 */
int64_t tree_memory(int proc_fd, int64_t limit_bytes,
    void (*before_each)(void *context), void *context);

#endif
