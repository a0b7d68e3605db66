/*
 * The bytes of a dialog: one read for all that has come, one write for all
 * that is answered to it.
 */
#ifndef SCOPA_BOT_CLIENT_H
#define SCOPA_BOT_CLIENT_H

#include "builtin.h"

/*
 * Plays until `quit` or the end of input; the descriptors are blocking and
 * stay open.  Returns 0, or -errno where reading or writing failed; that
 * nobody reads the answers any more is an end like any other.
 */
int client_run(const struct builtin *builtin, int input, int output);

#endif
