/*
 * The namespaces of a bot (a "box"), and in them a root folder of its own, in which
 * nothing is there but what its file policy lists, under the same names as outside.
 * Nothing in it can be written but devices and, if there is one, the scratch folder.
 *
 * It is made within the namespaces, by a process that may mount there:
 * pivot_root(2), mount(2), mount_setattr(2).  Landlock is what refuses access;
 * the root folder adds that nothing else can be found, not even by its name.
 */
#ifndef NAMESPACES_H
#define NAMESPACES_H

#include "file_policy.h"

/*
 * A box: namespaces of its own for a bot and all that it starts.  Nothing
 * outside can be seen from inside, and nothing inside outlives the box.
 *
 * No privilege is needed where the machine lets users make namespaces; see
 * user_namespaces(7), pid_namespaces(7).
 */

/*
 * Makes the namespaces: the next child of the caller is the first process in
 * them, and all of them die with it.  0 or -errno.
 */
int namespaces_make(void);

/*
 * In that child: goes into a root folder of its own, or where `rootfs` is NULL
 * stays under the root of the machine with a /proc of the box; and gives up all
 * capabilities.  0 or -errno.
 */
int namespaces_settle(const struct file_policy *rootfs);

#endif
