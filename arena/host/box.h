/*
 * A box: namespaces of its own for a bot and all that it starts.  Nothing
 * outside can be seen from inside, and nothing inside outlives the box.
 *
 * No privilege is needed where the machine lets users make namespaces; see
 * user_namespaces(7), pid_namespaces(7).
 */
#ifndef BOX_H
#define BOX_H

/*
 * Makes the namespaces: the next child of the caller is the first process in
 * them, and all of them die with it.  0 or -errno.
 */
int box_make(void);

/*
 * In that child: shows the processes of the box alone in /proc, an empty one
 * where the machine refuses that, and gives up all capabilities.  0 or -errno.
 */
int box_settle(void);

#endif
