/*
 * The head of a game's record: how the players are named, and what the record
 * tells of the arena, the clock and the packs.
 */
#ifndef MATCH_HEAD_H
#define MATCH_HEAD_H

#include "match.h"

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

#endif
