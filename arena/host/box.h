/*
 * A box: namespaces of its own for a bot and all that it starts.  Nothing
 * outside can be seen from inside, and nothing inside outlives the box.
 *
 * No privilege is needed where the machine lets users make namespaces; see
 * user_namespaces(7), pid_namespaces(7).
 */
#ifndef BOX_H
#define BOX_H

#include "allowance.h"

/*
 * Makes the namespaces: the next child of the caller is the first process in
 * them, and all of them die with it.  0 or -errno.
 */
int box_make(void);

/*
 * In that child: goes into a cell of its own (cell.h), or where that is NULL
 * stays under the root of the machine with a /proc of the box; and gives up all
 * capabilities.  0 or -errno.
 */
int box_settle(const struct allowance *cell);

#endif
