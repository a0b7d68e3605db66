/*
 * What the record of a game has from the arena and not from the referee: its head,
 * with how the players are named and what is told of the arena, the clock and the
 * packs; and the reason that stands for the end of a bot.
 */
#ifndef MATCH_HEAD_H
#define MATCH_HEAD_H

#include "bot.h"
#include "match.h"
#include "session.h"

/* A player's name: given by the user, or its own, or that of its file. */
void match_head_name(const struct entrant *entrant,
    const struct session *session, char name[EVENT_NAME_SIZE]);

/*
 * The head of this game; the sessions are those of its seats.  Two entrants of
 * the same name are told apart by `-2` and so on.
 */
void match_head_fill(struct game_head *head, const struct match_rules *rules,
    const struct game_spec *game, const struct entrant *entrants,
    const struct session *const sessions[]);

/*
 * The code in the record for the way in which a bot has ended: EXIT(status),
 * CRASH(signal), LIMIT_MEM, EXEC_FAIL(error).
 */
void exit_reason_of(
    const struct bot_exit *exit, char reason[SESSION_REASON_SIZE]);

#endif
