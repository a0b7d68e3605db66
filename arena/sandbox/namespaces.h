/*
 * The namespaces of a bot (a "box"), and in them a root folder of its own, in
 * which nothing is there but what its file policy lists, under the same names
 * as outside. Nothing in it can be written but devices and, if there is one,
 * the scratch folder.
 *
 * It is made within the namespaces, by a process that may mount there:
 * pivot_root(2), mount(2), mount_setattr(2). Landlock is what refuses access;
 * the root folder adds that nothing else can be found, not even by its name.
 */
#ifndef NAMESPACES_H
#define NAMESPACES_H

#include "file_policy.h"

/*
 * A box: namespaces for a bot and all its processes. A process in it sees no
 * process outside, and no process in it outlives the box. This needs no
 * privilege if the system lets users make namespaces; see user_namespaces(7),
 * pid_namespaces(7).
 */

/*
 * Makes the namespaces. The next child of the caller is the first process in
 * them, and when it ends, all processes in them die. Returns 0 or -errno.
 */
int namespaces_make(void);

/*
 * In that child: enters a root folder of its own; if `rootfs` is NULL, it keeps
 * the root of the machine, with a /proc of the box. Then it gives up all
 * capabilities. Returns 0 or -errno.
 */
int namespaces_enter(const struct file_policy *rootfs);

#endif
