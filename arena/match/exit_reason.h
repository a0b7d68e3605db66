/*
 * The code in the record for the way in which a bot has ended: EXIT(status),
 * CRASH(signal), LIMIT_MEM, EXEC_FAIL(error).
 */
#ifndef EXIT_REASON_H
#define EXIT_REASON_H

#include "bot.h"
#include "session.h"

void exit_reason_of(
    const struct bot_exit *exit, char reason[SESSION_REASON_SIZE]);

#endif
